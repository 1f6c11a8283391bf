/* The version of this library's interface: ../cores.py checks it before any other call. */
int jotto_core_version(void);

int jotto_core_version(void)
{
    return 6;
}
