/* How many parts every guess makes of a set, and no more than that: the cheapest scan. */
#include "core.h"
#ifdef JOTTO_AVX512
#include <immintrin.h>
#endif

#include <string.h>

#define BLOCK 512
#define LANES JOTTO_LANES

/* Up to 32 codes: per guess the codes met, as bits; lanes run over the guesses, so that short sets cost little. */
JOTTO_CLONES
static void parts_by_masks(const uint8_t *const *columns, int n, int from, int width, uint8_t *parts)
{
    uint32_t masks[BLOCK] = {0};
    for (int i = 0; i < n; i++) {
        const uint8_t *column = columns[i] + from;
        for (int g = 0; g < width; g++)
            masks[g] |= UINT32_C(1) << (column[g] & 31);
    }
    for (int g = 0; g < width; g++) {
        uint32_t x = masks[g]; /* in this form compilers make lanes of it on any machine */
        x -= x >> 1 & UINT32_C(0x55555555);
        x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
        x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
        parts[from + g] = (uint8_t)((x * UINT32_C(0x01010101)) >> 24);
    }
}

JOTTO_CLONES
int jotto_highest(const uint8_t *parts, int n)
{
    uint8_t most = 0;
    for (int i = 0; i < n; i++)
        most = parts[i] > most ? parts[i] : most;
    return most;
}

JOTTO_CLONES
int jotto_count_from(const uint8_t *parts, int n, int least)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += parts[i] >= least;
    return count;
}

#ifdef JOTTO_AVX512
#define EIGHTS 4

/* Bytes hold eight codes each: one bit per code met. For the members down to each of `ends`. */
__attribute__((target("avx512f,avx512bw,avx512vbmi,avx512bitalg")))
static void parts_by_bits(const jotto_game *game, const uint8_t *const *columns, const int *ends, int levels,
                          uint8_t *parts)
{
    lanes bit[EIGHTS] = {{0}};
    for (int k = 0; k < game->uses; k++)
        bit[k / 8][game->used[k]] = (uint8_t)(1 << k % 8);
    for (int from = 0; from < game->guesses; from += LANES) {
        lanes met[EIGHTS] = {{0}};
        int width = game->guesses - from;
        __mmask64 inside = width < LANES ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
        for (int i = 0, level = 0; level < levels; level++) {
            lanes sum = {0};
            for (; i < ends[level]; i++) {
                const __m512i here = _mm512_maskz_loadu_epi8(inside, columns[i] + from);
                for (int k = 0; k < EIGHTS; k++)
                    met[k] |= (lanes)_mm512_permutexvar_epi8(here, (__m512i)bit[k]);
            }
            for (int k = 0; k < EIGHTS; k++)
                sum += (lanes)_mm512_popcnt_epi8((__m512i)met[k]);
            _mm512_mask_storeu_epi8(parts + (size_t)level * (size_t)game->guesses + from, inside, (__m512i)sum);
        }
    }
}
#endif

#define PAIRED 80 /* members up to here are compared in pairs, more of them are marked one by one */

/* Any number of codes: a member begins a part unless one before it gives the same answer, so pairs of members are
 * compared, for LANES guesses at once. */
JOTTO_CLONES
static void parts_by_pairs(const uint8_t *const *columns, int n, int from, int width, uint8_t *parts)
{
    uint8_t codes[PAIRED][LANES], sum[LANES] = {0};
    for (int i = 0; i < n; i++) {
        uint8_t met[LANES] = {0};
        if (width == LANES) { /* compilers make one move of it */
            memcpy(codes[i], columns[i] + from, LANES);
        } else {
            memset(codes[i], 0, LANES);
            memcpy(codes[i], columns[i] + from, (size_t)width);
        }
        for (int j = 0; j < i; j++)
            for (int g = 0; g < LANES; g++)
                met[g] |= codes[i][g] == codes[j][g] ? UINT8_MAX : 0;
        for (int g = 0; g < LANES; g++)
            sum[g] = (uint8_t)(sum[g] + 1 - (met[g] & 1));
    }
    memcpy(parts + from, sum, (size_t)width);
}

/* The same for sets of any size: a mark per guess and code. */
JOTTO_CLONES
static void parts_by_marks(const jotto_game *game, const int32_t *set, int n, int from, int width, uint8_t *parts)
{
    uint8_t marks[LANES][JOTTO_MOST_CODES] = {{0}};
    for (int i = 0; i < n; i++) {
        const uint8_t *column = game->columns + (size_t)set[i] * (size_t)game->guesses + from;
        for (int g = 0; g < width; g++)
            marks[g][column[g]] = 1;
    }
    for (int g = 0; g < width; g++) {
        uint8_t sum = 0; /* the winning code and another one that no answer has leave at most 255 */
        for (int code = 0; code < JOTTO_MOST_CODES; code++)
            sum = (uint8_t)(sum + marks[g][code]);
        parts[from + g] = sum;
    }
}

void jotto_count_levels(const jotto_game *game, const int32_t *set, const int *ends, int levels, uint8_t *parts)
{
    const uint8_t *columns[JOTTO_SMALL];
    int few = game->codes <= 32, step = few ? BLOCK : LANES;
    for (int i = 0; i < ends[levels - 1] && i < JOTTO_SMALL; i++)
        columns[i] = game->columns + (size_t)set[i] * (size_t)game->guesses;
#ifdef JOTTO_AVX512
    if (game->codes <= LANES && game->uses <= 8 * EIGHTS
        && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bitalg")) {
        parts_by_bits(game, columns, ends, levels, parts);
        return;
    }
#endif
    for (int level = 0; level < levels; level++, parts += game->guesses)
        for (int from = 0, n = ends[level]; from < game->guesses; from += step) {
            int width = game->guesses - from < step ? game->guesses - from : step;
            if (few)
                parts_by_masks(columns, n, from, width, parts);
            else if (n <= PAIRED)
                parts_by_pairs(columns, n, from, width, parts);
            else
                parts_by_marks(game, set, n, from, width, parts);
        }
}

void jotto_count_parts(const jotto_game *game, const int32_t *set, int n, uint8_t *parts)
{
    jotto_count_levels(game, set, &n, 1, parts);
}
