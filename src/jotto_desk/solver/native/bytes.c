/* The scan of a set of at most 255 members, all of weight 1: the sizes of parts fit into bytes, or into slices where
 * the machine is fast at those (slices.c). The result is that of scan.c, number for number.
 *
 * For reach[d] see scan.c. Of the n members a guess leaves those for later, after d turns, that exceed reach[d] in
 * their part: n, less the one it wins with, less the sum over its parts of min(size, reach[d]). It costs at least n and
 * what it leaves for later, summed over d; and that same sum of min(size, reach[d]), at its highest, is the next
 * reach. */
#include "search.h"

#include <string.h>

typedef uint8_t row[JOTTO_LANES];

static size_t room(const jotto_game *game, int n)
{
    (void)n;
    return ((size_t)jotto_blocks(game) * (size_t)game->uses + JOTTO_SPARE) * sizeof(row);
}

JOTTO_CLONES
static int within(const jotto_game *game, const void *counts, int n, int most, uint8_t *reached)
{
    int rows = game->uses - 1, blocks = jotto_blocks(game), best = 0;
    const row *sizes = counts;
    row highest = {0};
    (void)n;
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

static int64_t estimate_of(const jotto_game *game, const void *counts, int n, int guess, const int32_t *estimate)
{
    const row *sizes = (const row *)counts + (size_t)(guess / JOTTO_LANES) * (size_t)game->uses;
    int64_t sum = 0;
    (void)n;
    for (int k = 0; k < game->uses - 1; k++)
        sum += estimate[sizes[k][guess % JOTTO_LANES]];
    return sum;
}

static const jotto_sizes in_bytes = {room, jotto_byte_counts, within, estimate_of};

/* What guesses leave for later costs a turn more. */
JOTTO_CLONES
static void add_turn(const uint8_t *reached, int guesses, int n, uint16_t *lows)
{
    for (int g = 0; g < guesses; g++)
        lows[g] = (uint16_t)(lows[g] + n - reached[g]);
}

JOTTO_CLONES
static int lowest_of(const uint16_t *lows, int guesses)
{
    uint16_t lowest = UINT16_MAX;
    for (int g = 0; g < guesses; g++)
        lowest = lows[g] < lowest ? lows[g] : lowest;
    return lowest;
}

int jotto_fits_bytes(const jotto_search *search, int n)
{
    return search->game->uniform && n <= UINT8_MAX && search->game->codes <= JOTTO_NARROW;
}

int jotto_scan_in_bytes(task *work, const int32_t *set, int n, int left, int64_t limit, trial *trials, int64_t *least)
{
    const jotto_game *game = work->search->game;
    const jotto_sizes *sizes = jotto_slices(game) ? jotto_slices(game) : &in_bytes;
    int64_t reach[JOTTO_MOST_LEFT + 2] = {0, 1};
    int turns = 1, useless = 2 * n, found = 0; /* useless: the bound of guesses that leave all members in one part */
    scratch_mark here = jotto_mark(work);
    void *counts = jotto_alloc(work, sizes->room(game, n));
    uint8_t *reached = jotto_alloc(work, (size_t)jotto_blocks(game) * sizeof(row));
    uint16_t *lows = jotto_alloc(work, (size_t)game->guesses * sizeof *lows);
    *least = 0;
    if (work->aborted)
        return 0;
    sizes->count(game, set, n, counts);
    for (int g = 0; g < game->guesses; g++)
        lows[g] = (uint16_t)(2 * n);
    for (; turns < left && reach[turns] < n; turns++) {
        reach[turns + 1] = 1 + sizes->within(game, counts, n, (int)reach[turns], reached);
        add_turn(reached, game->guesses, n, lows);
        useless += n - (int)reach[turns];
    }
    if (turns < left) { /* else members may be missed: their cost does not fit here */
        jotto_fill_bound(reach, left - 1, work->search->miss, n, work->bound);
        for (int i = 0; i < n; i++)
            lows[set[i]] = (uint16_t)(lows[set[i]] - turns);
        *least = lowest_of(lows, game->guesses);
        limit = limit < useless ? limit : useless;
    }
    for (int g = 0; trials && turns < left && *least < limit && g < game->guesses; g++)
        if (lows[g] < limit) {
            int64_t key = n * UNIT + sizes->estimate(game, counts, n, g, jotto_estimates(work, left - 1));
            trial next = {lows[g], key, g, 1};
            trials[found++] = next;
        }
    jotto_release(work, here);
    return turns < left ? found : UNFIT;
}
