/* Partitions: how a guess splits a set of secrets, for one guess or for all guesses at once. */
#include "core.h"

#include <string.h>

#define BLOCK 512

/* Per guess the set of codes met, as bits: lanes run over the guesses, so that short sets cost little. */
JOTTO_CLONES
static void masks32(const uint8_t *const *columns, int n, int width, uint32_t *masks)
{
    for (int g = 0; g < width; g++)
        masks[g] = 0;
    for (int i = 0; i < n; i++) {
        const uint8_t *column = columns[i];
        for (int g = 0; g < width; g++)
            masks[g] |= UINT32_C(1) << (column[g] & 31);
    }
}

JOTTO_CLONES
static void masks64(const uint8_t *const *columns, int n, int width, uint64_t *masks)
{
    for (int g = 0; g < width; g++)
        masks[g] = 0;
    for (int i = 0; i < n; i++) {
        const uint8_t *column = columns[i];
        for (int g = 0; g < width; g++)
            masks[g] |= UINT64_C(1) << (column[g] & 63);
    }
}

#define EACH_BLOCK(kernel)                                                                  \
    for (int from = 0; from < game->guesses; from += BLOCK) {                               \
        int width = game->guesses - from < BLOCK ? game->guesses - from : BLOCK;            \
        const uint8_t *columns[JOTTO_NARROW];                                               \
        for (int i = 0; i < n; i++)                                                         \
            columns[i] = game->columns + (size_t)set[i] * (size_t)game->guesses + from;     \
        kernel(columns, n, width, masks + from);                                            \
    }

/* At most JOTTO_NARROW secrets. */
void jotto_masks32(const jotto_game *game, const int32_t *set, int n, uint32_t *masks)
{
    EACH_BLOCK(masks32)
}

void jotto_masks64(const jotto_game *game, const int32_t *set, int n, uint64_t *masks)
{
    EACH_BLOCK(masks64)
}

JOTTO_CLONES
void jotto_popcounts32(const uint32_t *masks, int n, uint8_t *counts)
{
    for (int i = 0; i < n; i++) {
        uint32_t x = masks[i]; /* in this form compilers make lanes of it on any machine */
        x -= x >> 1 & UINT32_C(0x55555555);
        x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
        x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
        counts[i] = (uint8_t)((x * UINT32_C(0x01010101)) >> 24);
    }
}

JOTTO_CLONES
void jotto_popcounts64(const uint64_t *masks, int n, uint8_t *counts)
{
    for (int i = 0; i < n; i++) {
        uint64_t x = masks[i];
        x -= x >> 1 & UINT64_C(0x5555555555555555);
        x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
        x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        counts[i] = (uint8_t)((x * UINT64_C(0x0101010101010101)) >> 56);
    }
}

void jotto_narrow_counts(const jotto_game *game, const int32_t *set, int n, const int32_t *list, int m, int wide,
                         uint16_t *counts)
{
    for (int k = 0; k < m; k++) {
        const uint8_t *row = game->rows + (size_t)list[k] * (size_t)game->secrets;
        /* Two tables by turns: equal codes in a row need not wait for each other. */
        uint16_t *one = counts + (size_t)k * (size_t)wide, two[JOTTO_NARROW] = {0};
        int i = 0;
        memset(one, 0, (size_t)wide * sizeof *one);
        for (; i + 1 < n; i += 2) {
            one[row[set[i]]]++;
            two[row[set[i + 1]]]++;
        }
        if (i < n)
            one[row[set[i]]]++;
        for (int code = 0; code < wide; code++)
            one[code] = (uint16_t)(one[code] + two[code]);
    }
}

/* Scores of guesses by a table over part sizes, for the heuristics: the sum over the parts of table[size], or the
 * largest entry where `largest` is set; the winning part counts as `won`. `table` is [n + 1], `scores` [m]. */
JOTTO_API void jotto_scores(const jotto_game *game, const int32_t *set, int32_t n, const int32_t *list, int32_t m,
                            const int64_t *table, int64_t won, int32_t largest, int64_t *scores)
{
    for (int k = 0; k < m; k++) {
        const uint8_t *row = game->rows + (size_t)list[k] * (size_t)game->secrets;
        int32_t one[JOTTO_MOST_CODES] = {0}, two[JOTTO_MOST_CODES] = {0};
        int64_t score = 0;
        int i = 0;
        for (; i + 1 < n; i += 2) {
            one[row[set[i]]]++;
            two[row[set[i + 1]]]++;
        }
        if (i < n)
            one[row[set[i]]]++;
        for (int code = 0; code < game->codes; code++) {
            int64_t value = code == game->win && one[code] + two[code] ? won : table[one[code] + two[code]];
            if (!largest)
                score += value;
            else if (value > score)
                score = value;
        }
        scores[k] = score;
    }
}
