/* The scan of a set of at most 255 members: the sizes of parts fit into bytes, or into slices where the machine is fast
 * at those (slices.c). The result is that of scan.c, number for number.
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

static void count_bytes(const jotto_game *game, const int32_t *set, int n, int most, const void *before, void *counts)
{
    size_t bytes = (size_t)jotto_blocks(game) * (size_t)game->uses * sizeof(row);
    const uint8_t *known = before;
    uint8_t *sums = counts;
    (void)most;
    jotto_byte_counts(game, set, n, counts);
    for (size_t i = 0; known && i < bytes; i++)
        sums[i] = (uint8_t)(sums[i] + known[i]);
}

static const jotto_sizes in_bytes = {room, count_bytes, within, estimate_of};

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

int jotto_fits_bytes(const jotto_search *search, int n)
{
    return n <= UINT8_MAX && search->game->codes <= JOTTO_NARROW;
}

/* The members down to a fall in weight: the sizes of the parts they make. */
typedef struct {
    void *counts;
    int n, fall;
} level;

/* Adds what the members of a level of `set`, which has n, cost to `lows`, and to the cost of a guess that parts nothing.
 * The whole set, the `first` of the levels, fills in its reach. Returns 0 where turns run out. */
static int add_level(const jotto_game *game, const jotto_sizes *sizes, const level *at, const int32_t *set, int n,
                     int left, int first, int64_t *reach, uint8_t *reached, uint16_t *lows, int64_t *useless)
{
    int turns = 1;
    for (; turns < left && reach[turns] < at->n; turns++) {
        int most = sizes->within(game, at->counts, n, (int)reach[turns], reached);
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
    const jotto_sizes *sizes = jotto_slices(game) ? jotto_slices(game) : &in_bytes;
    int64_t reach[JOTTO_MOST_LEFT + 2] = {0, 1}, weight = jotto_weight_of(game, set, n), useless = 2 * weight;
    int ends[MOST_LEVELS], levels = jotto_levels_of(game, set, n, ends), fits = levels > 0, found = 0;
    level at[MOST_LEVELS];
    scratch_mark here = jotto_mark(work);
    uint8_t *reached = jotto_alloc(work, (size_t)jotto_blocks(game) * sizeof(row));
    uint16_t *lows = jotto_alloc(work, (size_t)game->guesses * sizeof *lows);
    for (int k = 0; k < levels; k++) {
        level here = {jotto_alloc(work, sizes->room(game, n)), ends[k], jotto_fall_at(game, set, ends, levels, k)};
        at[k] = here;
    }
    *least = 0;
    if (work->aborted)
        return 0;
    for (int k = 0, from = 0; k < levels; from = ends[k++])
        sizes->count(game, set + from, ends[k] - from, n, k ? at[k - 1].counts : NULL, at[k].counts);
    for (int g = 0; g < game->guesses; g++)
        lows[g] = (uint16_t)(2 * weight);
    for (int k = levels - 1; fits && k >= 0; k--) /* where members may be missed, their cost does not fit here */
        fits = add_level(game, sizes, at + k, set, n, left, k == levels - 1, reach, reached, lows, &useless)
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
                next.key += at[k].fall * sizes->estimate(game, at[k].counts, n, g, work->search->estimate);
            trials[found++] = next;
        }
    jotto_release(work, here);
    return fits ? found : UNFIT;
}
