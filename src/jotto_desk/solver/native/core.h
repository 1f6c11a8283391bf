/* The native core of the solver: tables of feedback codes, partitions of sets of secrets, and tree search.
 *
 * Words are numbers: guess g is secret g for g < secrets. Weights never rise with the number, so a set of secrets
 * kept in rising order has its heaviest member first. Costs are whole numbers: weight times turns, summed.
 */
#ifndef JOTTO_CORE_H
#define JOTTO_CORE_H

#include <stddef.h>
#include <stdint.h>

#define JOTTO_MOST_CODES 256
#define JOTTO_MOST_LENGTH 15
#define JOTTO_MOST_LEFT 64

/* Kernels compiled once per level of the x86-64 instruction set; the best one the machine has is picked at run time.
 * JOTTO_PORTABLE leaves that out, for compilers that cannot do it; JOTTO_WIDEST, the bytes in the widest vectors, shows
 * on a big machine what a small one would do. */
#ifndef JOTTO_WIDEST
#define JOTTO_WIDEST 64
#endif
#if defined(JOTTO_PORTABLE) || !defined(__x86_64__) || !defined(__GLIBC__) || defined(__clang__) || __GNUC__ < 12
#define JOTTO_CLONES
#elif JOTTO_WIDEST < 64
#define JOTTO_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define JOTTO_AVX2
#else
#define JOTTO_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define JOTTO_AVX2
#define JOTTO_AVX512 /* the machine may have it, and with it VBMI: looking up bytes in a vector */
#endif

/* Calls between Python and this library use only these names. */
#if defined(_WIN32)
#define JOTTO_API __declspec(dllexport)
#else
#define JOTTO_API __attribute__((visibility("default")))
#endif

typedef struct {
    int32_t secrets, guesses, codes, win;
    const uint8_t *rows;    /* [guesses][secrets] */
    const uint8_t *columns; /* [secrets][guesses]; the same as rows where feedback is symmetric */
    const int32_t *weights; /* [secrets] */
    const uint8_t *letters; /* [guesses][length]; null unless symbols and places may be exchanged */
    int32_t length, symbols;
    int32_t uniform;        /* whether all weights are 1 */
    const uint8_t *used;    /* [uses] the codes answers can have, rising; the winning one is the last */
    int32_t uses;
    const uint8_t *spelled; /* [guesses][length] letters in hard mode; null without it */
} jotto_game;

/* How many codes take part in the fast paths: one bit of a mask, one lane of a vector. */
#define JOTTO_NARROW 64
/* Members of a set whose parts are counted at once. */
#define JOTTO_SMALL 128
/* Guesses counted at once, and rows of them that may be written beyond the last. */
#define JOTTO_LANES 64
#define JOTTO_SPARE 10
typedef uint8_t lanes __attribute__((vector_size(JOTTO_LANES), aligned(1), may_alias));

static inline int jotto_blocks(const jotto_game *game)
{
    return (game->guesses + JOTTO_LANES - 1) / JOTTO_LANES;
}

/* numbers.c */

/* The number of parts of every guess, the winning one counted, for a set of at most JOTTO_SMALL members, or of any size
 * where there are more than JOTTO_NARROW codes. */
void jotto_count_parts(const jotto_game *game, const int32_t *set, int n, uint8_t *parts);
/* The same for the first ends[k] members, at parts[k][guesses]. */
void jotto_count_levels(const jotto_game *game, const int32_t *set, const int *ends, int levels, uint8_t *parts);
/* The highest number of parts, and how many guesses make `least` or more. */
int jotto_highest(const uint8_t *parts, int n);
int jotto_count_from(const uint8_t *parts, int n, int least);

/* counts.c */

/* Sizes of the parts of `set` under every listed guess, lanes running over the guesses: counts[k][guess] for the code
 * used[k], rows `stride` apart. */
void jotto_listed_counts(const jotto_game *game, const int32_t *set, int n, const int32_t *list, int m, size_t stride,
                         uint16_t *counts);
/* The same for all guesses, faster. */
void jotto_all_counts(const jotto_game *game, const int32_t *set, int n, size_t stride, uint16_t *counts);
/* The same for at most 255 secrets, in bytes: counts[block][k][lane], lanes beyond the last guess holding 0 and
 * JOTTO_SPARE rows beyond the last block anything. */
void jotto_byte_counts(const jotto_game *game, const int32_t *set, int n, void *counts);

/* symmetry.c */

/* One guess per class under the exchanges of places and symbols that leave `played` as it is; returns how many. */
int jotto_representatives(const jotto_game *game, const int32_t *played, int turns, int32_t *list);

/* memo.c */

typedef struct jotto_memo jotto_memo;
typedef struct {
    uint64_t key[2];
    int64_t low, value; /* value < 0: only the lower bound is known */
    int32_t guess, size;
} jotto_entry;

jotto_memo *jotto_memo_new(size_t bytes);
void jotto_memo_free(jotto_memo *memo);
int jotto_memo_get(jotto_memo *memo, const uint64_t key[2], jotto_entry *found);
void jotto_memo_put(jotto_memo *memo, const jotto_entry *entry);
/* Per size up to `most`: how many exact values are kept and their sum. */
void jotto_memo_sizes(const jotto_memo *memo, int most, double *sums, int64_t *numbers);
uint64_t jotto_scramble(uint64_t x);

#endif
