/* Looking at all guesses of a set of at most 255 members, all of weight 1: the sizes of their parts fit into bytes,
 * which lie in blocks [block][used code][guess of the block] and are gone through while they are near the processor.
 * The outcome is that of look.c, number for number. */
#include "search.h"


typedef uint8_t row[JOTTO_LANES];

/* Per block of guesses the most, over its guesses, of the sum over the parts of min(size, most); the winning part, the
 * last row, is left out. */
JOTTO_CLONES
static int most_within(const row *counts, int rows, int blocks, int most)
{
    int best = 0;
    for (int b = 0; b < blocks; b++, counts += rows + 1) {
        uint16_t sums[JOTTO_LANES] = {0};
        for (int k = 0; k < rows; k++)
            for (int g = 0; g < JOTTO_LANES; g++)
                sums[g] = (uint16_t)(sums[g] + (counts[k][g] < most ? counts[k][g] : most));
        for (int g = 0; g < JOTTO_LANES; g++)
            best = sums[g] > best ? sums[g] : best;
    }
    return best;
}

/* Adds what the guesses of a block cost beyond their first turn, given how far d turns reach. */
JOTTO_CLONES
static void bounds_of(const row *counts, int rows, const uint8_t *reach, int turns, uint16_t *lows)
{
    for (int k = 0; k < rows; k++)
        for (int d = 0; d < turns; d++) {
            uint8_t most = reach[d];
            for (int g = 0; g < JOTTO_LANES; g++)
                lows[g] = (uint16_t)(lows[g] + (uint8_t)(counts[k][g] > most ? counts[k][g] - most : 0));
        }
}

/* What the guesses of a block are thought to cost. */
JOTTO_CLONES
static void estimates_of(const row *counts, int rows, int n, const int32_t *estimate, int32_t *keys)
{
    for (int g = 0; g < JOTTO_LANES; g++)
        keys[g] = n * UNIT;
    for (int k = 0; k < rows; k++)
        for (int g = 0; g < JOTTO_LANES; g++)
            keys[g] += estimate[counts[k][g]];
}

/* The largest parts; a guess that leaves all members in one is of no use. */
JOTTO_CLONES
static void largest_of(const row *counts, int rows, uint8_t *largest)
{
    for (int g = 0; g < JOTTO_LANES; g++)
        largest[g] = 0;
    for (int k = 0; k < rows; k++)
        for (int g = 0; g < JOTTO_LANES; g++)
            largest[g] = counts[k][g] > largest[g] ? counts[k][g] : largest[g];
}

int jotto_fits_bytes(const jotto_search *search, int n)
{
    return search->game->uniform && n <= UINT8_MAX && search->game->codes <= JOTTO_NARROW;
}

int jotto_look_bytes(task *work, const int32_t *set, int n, int left, int64_t limit, trial *trials, int64_t *least)
{
    const jotto_game *game = work->search->game;
    const row *counts = (const row *)work->counts;
    uint8_t within[JOTTO_MOST_LEFT + 2];
    int64_t reach[JOTTO_MOST_LEFT + 2] = {0, 1};
    int rows = game->uses - 1, blocks = (game->guesses + JOTTO_LANES - 1) / JOTTO_LANES, turns = 0, found = 0;
    jotto_byte_counts(game, set, n, (uint8_t *)work->counts);
    for (int d = 1; d <= JOTTO_MOST_LEFT; d++)
        reach[d + 1] = reach[d] >= n ? n : 1 + most_within(counts, rows, blocks, (int)reach[d]);
    jotto_fill_bound(reach, left - 1, work->search->miss, n, work->bound);
    for (; turns < left && reach[turns] < n; turns++)
        within[turns] = (uint8_t)reach[turns];
    if (turns == left) /* members may be missed: their cost does not fit here */
        return UNFIT;
    *least = ENDLESS;
    for (int b = 0; b < blocks; b++, counts += game->uses) {
        int width = game->guesses - b * JOTTO_LANES < JOTTO_LANES ? game->guesses - b * JOTTO_LANES : JOTTO_LANES;
        uint16_t lows[JOTTO_LANES];
        uint8_t largest[JOTTO_LANES];
        int32_t keys[JOTTO_LANES];
        int64_t lowest = trials && limit > *least ? limit : *least;
        int wanted = 0;
        for (int g = 0; g < JOTTO_LANES; g++)
            lows[g] = (uint16_t)n;
        bounds_of(counts, rows, within, turns, lows);
        for (int g = 0; g < width; g++)
            wanted |= lows[g] < lowest;
        if (!wanted)
            continue;
        largest_of(counts, rows, largest);
        if (trials)
            estimates_of(counts, rows, n, work->search->estimate, keys);
        for (int g = 0; g < width; g++) {
            if (largest[g] == n)
                continue;
            *least = lows[g] < *least ? lows[g] : *least;
            if (trials && lows[g] < limit) {
                trial here = {lows[g], keys[g], b * JOTTO_LANES + g, 1};
                trials[found++] = here;
            }
        }
    }
    return found;
}
