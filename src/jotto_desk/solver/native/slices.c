/* Sizes of the parts of a set under all guesses, as slices: a byte per guess holds one bit of the sizes of eight parts.
 * Eight parts are counted at once by adding bits up, and sums over the parts are made by counting bits.
 *
 * Slices lie [block of guesses][eighth of the codes][bit of the size][guess of the block]. The winning part, which is
 * the last and has one member at most, is left out. */
#include "search.h"

#ifdef JOTTO_AVX512
#include <immintrin.h>

#include <string.h>

#define LANES JOTTO_LANES
#define EIGHTHS (JOTTO_NARROW / 8)
#define MOST_BITS 8 /* of the size of a part */
#define LOW_BITS 3  /* of a size: they are added up in registers, eight members at a time */

#define FAST __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512bitalg")))
#define SUM 0x96      /* of three bits, as vpternlog wants it */
#define MAJORITY 0xe8 /* their carry */

static int eighths_of(const jotto_game *game)
{
    return (game->uses - 1 + 7) / 8;
}

/* How many bits the size of a part may have. */
static int bits_for(int n)
{
    int bits = 32 - __builtin_clz((unsigned)n);
    return bits > LOW_BITS ? bits : LOW_BITS;
}

static size_t room(const jotto_game *game, int n)
{
    return (size_t)jotto_blocks(game) * (size_t)eighths_of(game) * (size_t)bits_for(n) * LANES;
}

/* One bit per code met, for the guesses of a block. */
FAST static inline lanes met(const uint8_t *column, __mmask64 inside, lanes bit)
{
    return (lanes)_mm512_permutexvar_epi8(_mm512_maskz_loadu_epi8(inside, column), (__m512i)bit);
}

/* Adds two bits to a sum of one bit; the carry is given. */
FAST static inline lanes add(lanes *sum, lanes one, lanes other)
{
    const __m512i before = (__m512i)*sum;
    *sum = (lanes)_mm512_ternarylogic_epi64(before, (__m512i)one, (__m512i)other, SUM);
    return (lanes)_mm512_ternarylogic_epi64(before, (__m512i)one, (__m512i)other, MAJORITY);
}

/* Adds one bit to sums of several. */
static inline __attribute__((always_inline)) void add_up(lanes *sums, int bits, lanes carry)
{
    for (int p = 0; p < bits; p++) {
        const lanes before = sums[p];
        sums[p] = before ^ carry;
        carry &= before;
    }
}

/* Adds n members to the `before` counted in slices, none where it is null. */
FAST static void slice_eighth(const uint8_t *const *columns, int from, int n, __mmask64 inside, lanes bit, int bits,
                              const lanes *before, lanes *slices)
{
    lanes low[LOW_BITS] = {{0}}, high[MOST_BITS - LOW_BITS] = {{0}};
    int i = 0;
    if (before) {
        memcpy(low, before, sizeof low);
        memcpy(high, before + LOW_BITS, (size_t)(bits - LOW_BITS) * sizeof *high);
    }
#define MET(member) met(columns[member] + from, inside, bit)
    for (; i + 8 <= n; i += 8) {
        const lanes a = add(low, MET(i), MET(i + 1)), b = add(low, MET(i + 2), MET(i + 3));
        const lanes c = add(low, MET(i + 4), MET(i + 5)), d = add(low, MET(i + 6), MET(i + 7));
        const lanes e = add(low + 1, a, b), f = add(low + 1, c, d);
        add_up(high, bits - LOW_BITS, add(low + 2, e, f));
    }
    memcpy(slices, low, sizeof low);
    memcpy(slices + LOW_BITS, high, (size_t)(bits - LOW_BITS) * sizeof *high);
    for (; i < n; i++)
        add_up(slices, bits, MET(i));
#undef MET
}

FAST static void slice(const jotto_game *game, const int32_t *set, int some, int n, const void *before, void *counts)
{
    lanes *slices = counts;
    const lanes *known = before;
    int blocks = jotto_blocks(game), eighths = eighths_of(game), bits = bits_for(n);
    const uint8_t *columns[UINT8_MAX];
    lanes bit[EIGHTHS] = {{0}};
    jotto_fill_bits(game, game->uses - 1, bit);
    for (int i = 0; i < some; i++)
        columns[i] = game->columns + (size_t)set[i] * (size_t)game->guesses;
    for (int b = 0; b < blocks; b++) {
        int width = game->guesses - b * LANES;
        __mmask64 inside = width < LANES ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);
        for (int k = 0; k < eighths; k++, slices += bits) {
            slice_eighth(columns, b * LANES, some, inside, bit[k], bits, known, slices);
            known = known ? known + bits : NULL;
        }
    }
}

/* Per guess the sum of min(size, most) over the eight parts of an eighth. */
FAST static lanes within_eighth(const lanes *slices, int bits, int most)
{
    lanes above = {0}, equal = ~above, sum = {0}, reaching;
    for (int p = bits - 1; p >= 0; p--)
        if (most >> p & 1)
            equal &= slices[p];
        else {
            above |= equal & slices[p];
            equal &= ~slices[p];
        }
    reaching = above | equal;
    for (int p = bits - 1; p >= 0; p--) {
        const lanes bit = most >> p & 1 ? slices[p] | reaching : slices[p] & ~reaching;
        sum += sum + (lanes)_mm512_popcnt_epi8((__m512i)bit);
    }
    return sum;
}

FAST static int within(const jotto_game *game, const void *counts, int n, int most, uint8_t *reached)
{
    const lanes *slices = counts;
    int blocks = jotto_blocks(game), eighths = eighths_of(game), bits = bits_for(n), best = 0;
    lanes highest = {0};
    for (int b = 0; b < blocks; b++, reached += LANES) {
        lanes sum = {0};
        for (int k = 0; k < eighths; k++, slices += bits)
            sum += within_eighth(slices, bits, most);
        highest = (lanes)_mm512_max_epu8((__m512i)highest, (__m512i)sum);
        *(lanes *)reached = sum;
    }
    for (int g = 0; g < LANES; g++)
        best = highest[g] > best ? highest[g] : best;
    return best;
}

static int64_t estimate_of(const jotto_game *game, const void *counts, int n, int guess, const int32_t *estimate)
{
    int eighths = eighths_of(game), bits = bits_for(n), lane = guess % LANES;
    const lanes *slices = (const lanes *)counts + (size_t)(guess / LANES) * (size_t)eighths * (size_t)bits;
    int64_t sum = 0;
    for (int k = 0; k < eighths; k++, slices += bits) {
        uint64_t sizes = 0; /* of eight parts, a byte each, the first one highest */
        for (int p = 0; p < bits; p++) {
            uint64_t eight = slices[p][lane];
            sizes |= (eight * UINT64_C(0x8040201008040201) >> 7 & UINT64_C(0x0101010101010101)) << p;
        }
        for (int j = 0; j < 8 && 8 * k + j < game->uses - 1; j++)
            sum += estimate[sizes >> 8 * (7 - j) & UINT8_MAX];
    }
    return sum;
}

static const jotto_sizes slices = {room, slice, within, estimate_of};

const jotto_sizes *jotto_slices(const jotto_game *game)
{
    return jotto_has_bits() && game->codes <= JOTTO_NARROW ? &slices : NULL;
}

#else

const jotto_sizes *jotto_slices(const jotto_game *game)
{
    (void)game;
    return NULL;
}

#endif
