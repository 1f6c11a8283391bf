/* Which functions this library has, and how they are called: library.py asks before anything else. */
int jotto_core_version(void);

int jotto_core_version(void)
{
    return 3;
}
