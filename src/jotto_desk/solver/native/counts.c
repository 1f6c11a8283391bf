/* Partitions: how a guess splits a set of secrets, for one guess or for all guesses at once. */
#include "core.h"
#ifdef JOTTO_AVX512
#include <immintrin.h>
#endif

#include <stdlib.h>
#include <string.h>

/* Sizes of the parts of a set under one guess, by the place of their code in `used`. */
static inline void count_row(const jotto_game *game, const int32_t *set, int n, int32_t guess, int32_t *sizes)
{
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    int32_t met[JOTTO_MOST_CODES] = {0};
    for (int i = 0; i < n; i++)
        met[row[set[i]]]++;
    for (int u = 0; u < game->uses; u++)
        sizes[u] = met[game->used[u]];
}

void jotto_listed_counts(const jotto_game *game, const int32_t *set, int n, const int32_t *list, int m, size_t stride,
                         uint16_t *counts)
{
    for (int k = 0; k < m; k++) {
        int32_t sizes[JOTTO_MOST_CODES];
        count_row(game, set, n, list[k], sizes);
        for (int u = 0; u < game->uses; u++)
            counts[(size_t)u * stride + (size_t)k] = (uint16_t)sizes[u];
    }
}

#define LANES JOTTO_LANES
#define MOST_IN_A_LANE 255

#ifdef JOTTO_AVX512
#define PAIRS 5
#define MOST_IN_A_NIBBLE 15
#define AHEAD (3 * LANES) /* columns lie far apart: without being asked, memory brings no next piece of them */

/* Counts ten codes at once where the machine looks bytes up in a vector: each byte counts two codes in its halves. */
__attribute__((target("avx512f,avx512bw,avx512vbmi")))
static void count_ten(const uint8_t *const *columns, int n, const uint8_t *used, uint8_t (*sums)[LANES])
{
    lanes ones[PAIRS] = {{0}}, low[PAIRS] = {{0}}, high[PAIRS] = {{0}};
    for (int p = 0; p < PAIRS; p++) {
        if (used[2 * p] < LANES)
            ones[p][used[2 * p]] = 1;
        if (used[2 * p + 1] < LANES)
            ones[p][used[2 * p + 1]] = 16;
    }
    for (int from = 0; from < n; from += MOST_IN_A_NIBBLE) {
        int end = n - from < MOST_IN_A_NIBBLE ? n : from + MOST_IN_A_NIBBLE;
        lanes halves[PAIRS] = {{0}};
        for (int i = from; i < end; i++) {
            const lanes met = *(const lanes *)columns[i];
            __builtin_prefetch(columns[i] + AHEAD);
            for (int p = 0; p < PAIRS; p++)
                halves[p] += (lanes)_mm512_permutexvar_epi8((__m512i)met, (__m512i)ones[p]);
        }
        for (int p = 0; p < PAIRS; p++) {
            low[p] += halves[p] & 15;
            high[p] += halves[p] >> 4;
        }
    }
    for (int p = 0; p < PAIRS; p++) {
        *(lanes *)sums[2 * p] = low[p];
        *(lanes *)sums[2 * p + 1] = high[p];
    }
}
#endif

/* Codes are counted TOGETHER in the fastest way; sums have room for as many beyond the last. */
#define TOGETHER JOTTO_SPARE

/* Counts four codes at once in `width` guesses, sums staying in registers. Vectors wider than those of the machine
 * would be taken apart into bytes by some compilers, so there is one function per width. */
#define COUNT_FOURS(name, width, level)                                                                       \
    level static void name(const uint8_t *const *columns, int n, const uint8_t *used, int uses,               \
                           uint8_t (*sums)[LANES])                                                            \
    {                                                                                                         \
        typedef uint8_t vector __attribute__((vector_size(width), aligned(1), may_alias));                    \
        const vector zero = {0};                                                                              \
        for (int k = 0; k < uses; k += 4) {                                                                   \
            const vector wa = zero + used[k], wb = zero + used[k + 1];                                        \
            const vector wc = zero + used[k + 2], wd = zero + used[k + 3];                                    \
            for (int from = 0; from < LANES; from += width) {                                                 \
                vector a = zero, b = zero, c = zero, d = zero;                                                \
                for (int i = 0; i < n; i++) {                                                                 \
                    const vector met = *(const vector *)(columns[i] + from);                                  \
                    a -= (vector)(met == wa);                                                                 \
                    b -= (vector)(met == wb);                                                                 \
                    c -= (vector)(met == wc);                                                                 \
                    d -= (vector)(met == wd);                                                                 \
                }                                                                                             \
                *(vector *)(sums[k] + from) = a;                                                              \
                *(vector *)(sums[k + 1] + from) = b;                                                          \
                *(vector *)(sums[k + 2] + from) = c;                                                          \
                *(vector *)(sums[k + 3] + from) = d;                                                          \
            }                                                                                                 \
        }                                                                                                     \
    }

COUNT_FOURS(count_by_16, 16, )
#ifdef JOTTO_AVX2
COUNT_FOURS(count_by_32, 32, __attribute__((target("avx2"))))
#endif

static void count_codes(const uint8_t *const *columns, int n, const uint8_t *used, int uses, uint8_t (*sums)[LANES])
{
#ifdef JOTTO_AVX512
    if (__builtin_cpu_supports("avx512vbmi")) {
        for (int k = 0; k < uses; k += TOGETHER)
            count_ten(columns, n, used + k, sums + k);
        return;
    }
#endif
#ifdef JOTTO_AVX2
    if (__builtin_cpu_supports("avx2")) {
        count_by_32(columns, n, used, uses, sums);
        return;
    }
#endif
    count_by_16(columns, n, used, uses, sums);
}

static void count_block(const uint8_t *const *columns, int n, const uint8_t *used, int uses, int width, int add,
                        size_t stride, uint16_t *counts)
{
    uint8_t sums[JOTTO_NARROW + TOGETHER][LANES];
    count_codes(columns, n, used, uses, sums);
    for (int k = 0; k < uses; k++) {
        uint16_t *row = counts + (size_t)k * stride;
        for (int g = 0; g < width; g++)
            row[g] = (uint16_t)(sums[k][g] + (add ? row[g] : 0));
    }
}

/* The codes to count: those in use, and as many that no answer has as make the last ones whole. */
static void padded_codes(const jotto_game *game, uint8_t *codes)
{
    memcpy(codes, game->used, (size_t)game->uses);
    memset(codes + game->uses, 255, TOGETHER);
}

/* Finds the columns of the members for the LANES guesses from `from` on; those that end before are copied. */
static void columns_from(const jotto_game *game, const int32_t *set, int n, int from, const uint8_t **columns,
                         uint8_t (*last)[LANES])
{
    int width = game->guesses - from;
    for (int i = 0; i < n; i++) {
        columns[i] = game->columns + (size_t)set[i] * (size_t)game->guesses + from;
        if (width < LANES) {
            memcpy(last[i], columns[i], (size_t)width);
            columns[i] = last[i];
        }
    }
}

void jotto_all_counts(const jotto_game *game, const int32_t *set, int n, size_t stride, uint16_t *counts)
{
    uint8_t codes[JOTTO_NARROW + TOGETHER];
    padded_codes(game, codes);
    for (int begin = 0; begin < n; begin += MOST_IN_A_LANE) {
        int size = n - begin < MOST_IN_A_LANE ? n - begin : MOST_IN_A_LANE;
        for (int from = 0; from < game->guesses; from += LANES) {
            const uint8_t *columns[MOST_IN_A_LANE];
            uint8_t last[MOST_IN_A_LANE][LANES];
            int width = game->guesses - from < LANES ? game->guesses - from : LANES;
            columns_from(game, set + begin, size, from, columns, last);
            count_block(columns, size, codes, game->uses, width, begin > 0, stride, counts + from);
        }
    }
}

void jotto_byte_counts(const jotto_game *game, const int32_t *set, int n, void *counts)
{
    uint8_t codes[JOTTO_NARROW + TOGETHER], (*block)[LANES] = counts;
    padded_codes(game, codes);
    for (int from = 0; from < game->guesses; from += LANES, block += game->uses) {
        const uint8_t *columns[MOST_IN_A_LANE];
        uint8_t last[MOST_IN_A_LANE][LANES];
        int width = game->guesses - from;
        columns_from(game, set, n, from, columns, last);
        count_codes(columns, n, codes, game->uses, block);
        for (int k = 0; k < game->uses && width < LANES; k++)
            memset(block[k] + width, 0, (size_t)(LANES - width));
    }
}

#define SCORED 512

/* What no part counts in a largest score. */
#define NOTHING INT64_MIN

/* Scores from counts, see jotto_scores; the winning part is the last. */
JOTTO_CLONES
static void score_block(const uint16_t *counts, int uses, size_t stride, int width, const int64_t *table, int64_t won,
                        int largest, int64_t *scores)
{
    for (int g = 0; g < width; g++)
        scores[g] = counts[(size_t)(uses - 1) * stride + (size_t)g] ? won : largest ? NOTHING : table[0];
    for (int k = 0; k < uses - 1; k++)
        for (int g = 0; g < width; g++) {
            int size = counts[(size_t)k * stride + (size_t)g];
            int64_t value = largest && !size ? NOTHING : table[size];
            scores[g] = !largest ? scores[g] + value : value > scores[g] ? value : scores[g];
        }
}

static void score_listed(const jotto_game *game, const int32_t *set, int n, const int32_t *list, int m,
                         const int64_t *table, int64_t won, int largest, int64_t *scores)
{
    for (int k = 0; k < m; k++) {
        int32_t sizes[JOTTO_MOST_CODES];
        int64_t score = largest ? NOTHING : 0;
        count_row(game, set, n, list[k], sizes);
        for (int u = 0; u < game->uses; u++) {
            int size = sizes[u];
            int64_t value = game->used[u] == game->win && size ? won : table[size];
            if (!largest)
                score += value;
            else if (size && value > score)
                score = value;
        }
        scores[k] = score;
    }
}

/* Scores of guesses by a table over part sizes, for the heuristics: the sum of table[size] over the parts, or the
 * largest where `largest` is set; a winning part counts as `won`. Parts of no members count only in sums, as table[0]
 * for every code an answer can have. `table` is [n + 1], `scores` [m], n at least 1. Where the list names all guesses
 * in order, lanes run over the guesses. Returns 0 when memory is short. */
JOTTO_API int32_t jotto_scores(const jotto_game *game, const int32_t *set, int32_t n, const int32_t *list, int32_t m,
                               const int64_t *table, int64_t won, int32_t largest, int64_t *scores)
{
    int every = m == game->guesses && game->codes <= JOTTO_NARROW;
    for (int k = 0; k < m && every; k++)
        every = list[k] == k;
    if (!every) {
        score_listed(game, set, n, list, m, table, won, largest, scores);
        return 1;
    }
    size_t stride = ((size_t)m + LANES - 1) / LANES * LANES;
    uint16_t *counts = malloc((size_t)game->uses * stride * sizeof *counts);
    if (!counts)
        return 0;
    jotto_all_counts(game, set, n, stride, counts);
    for (int from = 0; from < m; from += SCORED)
        score_block(counts + from, game->uses, stride, m - from < SCORED ? m - from : SCORED, table, won, largest,
                    scores + from);
    free(counts);
    return 1;
}
