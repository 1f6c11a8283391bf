/* The scan of a set of at most 255 members: the sizes of parts fit into bytes. The result is that of scan.c, number for
 * number.
 *
 * For reach[d] see scan.c. Of the n members a guess leaves those for later, after d turns, that exceed reach[d] in
 * their part: n, less the one it wins with, less the sum over its parts of min(size, reach[d]). It costs at least n and
 * what it leaves for later, summed over d; and that same sum of min(size, reach[d]), at its highest, is the next
 * reach. */
#include "search.h"

#include <string.h>

typedef uint8_t row[JOTTO_LANES];

/* Per guess the sum of min(size, most) over its parts, the winning one left out, for whole blocks of guesses; returns
 * the highest. */
JOTTO_CLONES
static int within(const jotto_game *game, const row *sizes, int most, uint8_t *reached)
{
    int rows = game->uses - 1, blocks = jotto_blocks(game), best = 0;
    row highest = {0};
    for (int b = 0; b < blocks; b++, sizes += rows + 1, reached += JOTTO_LANES) {
        row sum = {0};
        for (int k = 0; k < rows; k++)
            for (int g = 0; g < JOTTO_LANES; g++)
                sum[g] = (uint8_t)(sum[g] + (sizes[k][g] < most ? sizes[k][g] : most));
        for (int g = 0; g < JOTTO_LANES; g++)
            highest[g] = sum[g] > highest[g] ? sum[g] : highest[g];
        memcpy(reached, sum, sizeof sum);
    }
    for (int g = 0; g < JOTTO_LANES; g++)
        best = highest[g] > best ? highest[g] : best;
    return best;
}

/* The estimated cost of the parts of one guess, the winning one left out. */
static int64_t estimate_of(const jotto_game *game, const row *counts, int guess, const int32_t *estimate)
{
    const row *sizes = counts + (size_t)(guess / JOTTO_LANES) * (size_t)game->uses;
    int64_t sum = 0;
    for (int k = 0; k < game->uses - 1; k++)
        sum += estimate[sizes[k][guess % JOTTO_LANES]];
    return sum;
}

/* What guesses leave for later costs a turn more, each of them as much as it weighs. */
JOTTO_CLONES
static void add_turn(const uint8_t *reached, int guesses, int n, int weight, uint16_t *lows)
{
    for (int g = 0; g < guesses; g++)
        lows[g] = (uint16_t)(lows[g] + weight * (n - reached[g]));
}

JOTTO_CLONES
static int lowest_of(const uint16_t *lows, int guesses)
{
    uint16_t lowest = UINT16_MAX;
    for (int g = 0; g < guesses; g++)
        lowest = lows[g] < lowest ? lows[g] : lowest;
    return lowest;
}

/* The members down to a fall in weight: the sizes of the parts they make. */
typedef struct {
    row *counts;
    int n, fall;
} level;

/* Adds what the members of a level of `set` cost to `lows`, and to the cost of a guess that parts nothing. The whole
 * set, the `first` of the levels, fills in its reach. Returns 0 where turns run out. */
static int add_level(const jotto_game *game, const level *at, const int32_t *set, int left, int first,
                     int64_t *reach, uint8_t *reached, uint16_t *lows, int64_t *useless)
{
    int turns = 1;
    for (; turns < left && reach[turns] < at->n; turns++) {
        int most = within(game, at->counts, (int)reach[turns], reached);
        if (first)
            reach[turns + 1] = 1 + most;
        *useless += at->fall * (at->n - reach[turns]);
        add_turn(reached, game->guesses, at->n, at->fall, lows);
    }
    for (int i = 0; i < at->n; i++)
        lows[set[i]] = (uint16_t)(lows[set[i]] - at->fall * turns);
    return turns < left;
}

int jotto_scan_in_bytes(task *work, const int32_t *set, int n, int left, int64_t limit, trial *trials, int64_t *least)
{
    const jotto_game *game = work->search->game;
    size_t rows = (size_t)jotto_blocks(game) * (size_t)game->uses;
    int64_t reach[JOTTO_MOST_LEFT + 2] = {0, 1}, weight = jotto_weight_of(game, set, n), useless = 2 * weight;
    int ends[MOST_LEVELS], levels = jotto_levels_of(game, set, n, ends), fits = 1, found = 0;
    level at[MOST_LEVELS];
    scratch_mark here = jotto_mark(work);
    uint8_t *reached = jotto_alloc(work, (size_t)jotto_blocks(game) * sizeof(row));
    uint16_t *lows = jotto_alloc(work, (size_t)game->guesses * sizeof *lows);
    for (int k = 0; k < levels; k++) {
        level here = {jotto_alloc(work, (rows + JOTTO_SPARE) * sizeof(row)), ends[k],
                      jotto_fall_at(game, set, ends, levels, k)};
        at[k] = here;
    }
    *least = 0;
    if (work->aborted)
        return 0;
    for (int k = 0, from = 0; k < levels; from = ends[k++]) {
        uint8_t *sums = (uint8_t *)at[k].counts, *before = (uint8_t *)at[k ? k - 1 : 0].counts;
        jotto_byte_counts(game, set + from, ends[k] - from, sums);
        for (size_t i = 0; k && i < rows * sizeof(row); i++)
            sums[i] = (uint8_t)(sums[i] + before[i]);
    }
    for (int g = 0; g < game->guesses; g++)
        lows[g] = (uint16_t)(2 * weight);
    for (int k = levels - 1; fits && k >= 0; k--) /* where members may be missed, their cost does not fit here */
        fits = add_level(game, at + k, set, left, k == levels - 1, reach, reached, lows, &useless)
               && useless <= UINT16_MAX;
    if (fits) {
        jotto_fill_bound(reach, left - 1, work->search->miss, n, work->bound);
        *least = lowest_of(lows, game->guesses);
        limit = limit < useless ? limit : useless; /* what guesses cost that leave all members in one part */
    }
    for (int g = 0; trials && fits && *least < limit && g < game->guesses; g++)
        if (lows[g] < limit) {
            trial next = {lows[g], weight * UNIT, g, 1};
            for (int k = 0; k < levels; k++)
                next.key += at[k].fall * estimate_of(game, at[k].counts, g, work->search->estimate);
            trials[found++] = next;
        }
    jotto_release(work, here);
    return fits ? found : UNFIT;
}
