/* The scan of all guesses for a set: bounds of what they cost, without a search.
 *
 * `reach[d]` bounds how many members of one set can be found in d turns: reach[0] = 0, reach[1] = 1 and
 * reach[d + 1] = 1 + the most, over all guesses, of the sum over the parts of min(size, reach[d]). It holds for every
 * subset as well, so a set of n costs at least the sum over d of max(0, n - reach[d]): the bound used everywhere here.
 * Computed again for a set and its own partitions, it becomes sharper. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512

void jotto_fill_bound(const int64_t *reach, int left, int64_t miss, int n, int32_t *bound)
{
    int64_t turn = 0, cost = 0;
    bound[0] = 0;
    for (int size = 1; size <= n; size++) {
        while (turn < left && size > reach[turn])
            turn++;
        cost += turn + (size > reach[turn] ? miss : 0);
        bound[size] = (int32_t)cost;
    }
}

int jotto_depends_on_past(const jotto_game *game, int n, const history *past)
{
    return game->letters && game->length <= MOST_PLACES && n > SHORT && past->turns <= 3;
}

/* Lists the guesses to scan for this set: in hard mode those allowed, else one of each class where the classes are known
 * and few. */
static int guesses_for(const jotto_search *search, const int32_t *set, int n, const history *past, int32_t *list)
{
    const jotto_game *game = search->game;
    if (game->spelled && past->turns) {
        int kept = 0;
        hints known;
        jotto_read_hints(game, past, set[0], &known);
        for (int g = 0; g < game->guesses; g++)
            if (jotto_obeys(game, &known, g))
                list[kept++] = g;
        return kept;
    }
    if (jotto_depends_on_past(game, n, past)) {
        int kept = jotto_representatives(game, past->guesses, past->turns, list);
        if (4 * kept < game->guesses) /* else all of them are counted faster than some */
            return kept;
    }
    for (int g = 0; g < game->guesses; g++)
        list[g] = g;
    return game->guesses;
}

void jotto_rank(const task *work, const int32_t *set, int n, int32_t guess, const int32_t *bound, int64_t *low,
                int64_t *key)
{
    const jotto_game *game = work->search->game;
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    const int32_t *estimate = work->search->estimate;
    uint16_t met[JOTTO_MOST_CODES];
    int64_t lowest = 0, likely = 0, all = 0;
    memset(met, 0, (size_t)game->codes * sizeof *met);
    for (int i = 0; i < n; i++) {
        int code = row[set[i]], before = met[code]++;
        int64_t weight = game->weights[set[i]];
        all += weight;
        if (code != game->win) {
            lowest += weight * (bound[before + 1] - bound[before]);
            likely += weight * (estimate[before + 1] - estimate[before]);
        }
    }
    *low = met[row[set[0]]] == n ? INFINITE_COST : all + lowest; /* a guess that parts nothing is of no use */
    *key = all * UNIT + likely;
}

JOTTO_CLONES
static int64_t most_within(const uint16_t *counts, int rows, int m, size_t stride, int64_t reach)
{
    int most = (int)(reach > UINT16_MAX ? UINT16_MAX : reach), best = 0;
    for (int from = 0; from < m; from += BLOCK) {
        int width = m - from < BLOCK ? m - from : BLOCK;
        int sums[BLOCK] = {0};
        for (int k = 0; k < rows; k++) {
            const uint16_t *row = counts + (size_t)k * stride + from;
            for (int g = 0; g < width; g++)
                sums[g] += row[g] < most ? row[g] : most;
        }
        for (int g = 0; g < width; g++)
            best = sums[g] > best ? sums[g] : best;
    }
    return best;
}

/* How far d turns reach within a set of n, from the sizes of its parts under m guesses, the winning parts left out. */
static void reach_of(const uint16_t *counts, int rows, int m, size_t stride, int n, int64_t *reach)
{
    reach[0] = 0;
    reach[1] = 1;
    for (int d = 1; d <= JOTTO_MOST_LEFT; d++)
        reach[d + 1] = reach[d] >= n ? n : 1 + most_within(counts, rows, m, stride, reach[d]);
}

/* Bounds of guesses from the sizes of their parts, all weights being 1; `width` at most BLOCK. */
JOTTO_CLONES
static void bounds_of(const uint16_t *counts, int rows, int width, size_t stride, int n, const int64_t *reach, int left,
                      int miss, int32_t *lows)
{
    for (int g = 0; g < width; g++)
        lows[g] = n;
    for (int k = 0; k < rows; k++) {
        const uint16_t *row = counts + (size_t)k * stride;
        for (int d = 0; d <= left && reach[d] < n; d++) {
            int most = (int)reach[d], each = d == left ? miss : 1;
            for (int g = 0; g < width; g++)
                lows[g] += row[g] > most ? (row[g] - most) * each : 0;
        }
    }
}

JOTTO_CLONES
static void estimates_of(const uint16_t *counts, int rows, int width, size_t stride, int n, const int32_t *estimate,
                         int32_t *keys)
{
    for (int g = 0; g < width; g++)
        keys[g] = n * UNIT;
    for (int k = 0; k < rows; k++) {
        const uint16_t *row = counts + (size_t)k * stride;
        for (int g = 0; g < width; g++)
            keys[g] += estimate[row[g]];
    }
}

/* A guess that leaves all n in one part is of no use. */
JOTTO_CLONES
static void mark_useless(const uint16_t *counts, int rows, int width, size_t stride, int n, int64_t *lows)
{
    for (int k = 0; k < rows; k++) {
        const uint16_t *row = counts + (size_t)k * stride;
        for (int g = 0; g < width; g++)
            lows[g] = row[g] == n ? INFINITE_COST : lows[g];
    }
}

int jotto_levels_of(const jotto_game *game, const int32_t *set, int n, int *ends)
{
    int levels = 0;
    for (int i = 1; i <= n; i++)
        if (i == n || game->weights[set[i]] != game->weights[set[i - 1]])
            ends[levels++] = i;
    return levels;
}

/* What a set costs at least if a guess is asked: one it wins with is found in the first turn, the heaviest member of
 * each other part, `second` in all, in the second turn, and all others later. */
static int64_t parted(int64_t all, int64_t won, int64_t second, int64_t later)
{
    second = second < all - won ? second : all - won;
    return all + second + (all - won - second) * later;
}

JOTTO_CLONES
static void add_times(const uint8_t *parts, int n, int32_t times, int32_t *sums)
{
    for (int g = 0; g < n; g++)
        sums[g] += times * parts[g];
}

JOTTO_CLONES
static int32_t highest_sum(const int32_t *sums, int n)
{
    int32_t most = 0;
    for (int g = 0; g < n; g++)
        most = sums[g] > most ? sums[g] : most;
    return most;
}

/* Fills in `work->parts` and, per guess, the sum of the heaviest members of its parts, the winning one counted. */
static void sum_heaviest(task *work, const int32_t *set, int n, int32_t *sums)
{
    const jotto_game *game = work->search->game;
    size_t guesses = (size_t)game->guesses;
    int ends[MOST_LEVELS], levels = jotto_levels_of(game, set, n, ends);
    jotto_count_levels(game, set, ends, levels, work->parts);
    memset(sums, 0, guesses * sizeof *sums);
    for (int k = 0; k < levels; k++)
        add_times(work->parts + (size_t)k * guesses, game->guesses, jotto_fall_at(game, set, ends, levels, k), sums);
    memmove(work->parts, work->parts + (size_t)(levels - 1) * guesses, guesses);
}

/* A scan by the number of parts, whose heaviest members weigh what the heaviest of the set weigh at most. Where weights
 * differ, an exact search takes the sums of their weights; a beam does not, so that the shipped trees stay the same. */
typedef struct {
    int64_t all, later;
    int64_t *prefix; /* sums of weights from the heaviest on */
    int32_t *sums;   /* or null */
    int most, most_by_members; /* parts made beside a winning one: by any other guess, and by a member */
} by_number;

static int64_t bound_by_number(const task *work, const by_number *by, int32_t guess, int64_t won)
{
    int parts = work->parts[guess];
    int64_t second = by->sums ? by->sums[guess] - won : by->prefix[parts - (won > 0)];
    return parts > 1 ? parted(by->all, won, second, by->later) : INFINITE_COST;
}

/* Counts the parts every guess makes of a set. `lows` gets the bounds of the members as guesses, as they may win at
 * once; they are taken out of the counts. Returns a bound of the set. */
static int64_t count_by_number(task *work, const int32_t *set, int n, const history *past, by_number *by,
                               int64_t *lows)
{
    const jotto_game *game = work->search->game;
    int64_t least = INFINITE_COST, highest;
    by->most_by_members = 0;
    if (by->sums)
        sum_heaviest(work, set, n, by->sums);
    else
        jotto_count_parts(game, set, n, work->parts);
    if (game->spelled && past->turns) {
        hints known;
        jotto_read_hints(game, past, set[0], &known);
        for (int g = 0; g < game->guesses; g++)
            if (work->parts[g] > 1 && !jotto_obeys(game, &known, g)) { /* members always obey */
                work->parts[g] = 0;
                if (by->sums)
                    by->sums[g] = 0;
            }
    }
    for (int i = 0; i < n; i++) {
        int parts = work->parts[set[i]];
        by->most_by_members = parts - 1 > by->most_by_members ? parts - 1 : by->most_by_members;
        lows[i] = bound_by_number(work, by, set[i], game->weights[set[i]]);
        least = lows[i] < least ? lows[i] : least;
        work->parts[set[i]] = 0;
        if (by->sums)
            by->sums[set[i]] = 0;
    }
    by->most = jotto_highest(work->parts, game->guesses);
    highest = by->sums ? highest_sum(by->sums, game->guesses) : by->prefix[by->most];
    if (highest > game->weights[set[0]] && parted(by->all, 0, highest, by->later) < least) /* else it parts nothing */
        least = parted(by->all, 0, highest, by->later);
    return least;
}

/* Lists by rising number the guesses whose bound is below the limit; those but the members make `enough` parts. */
static int list_by_number(task *work, const int32_t *set, int n, int64_t limit, const by_number *by,
                          const int64_t *lows, int enough, trial **trials)
{
    const jotto_game *game = work->search->game;
    int found = 0, others = jotto_count_from(work->parts, game->guesses, enough);
    *trials = jotto_alloc(work, ((size_t)others + (size_t)n) * sizeof **trials);
    if (!*trials)
        return 0;
    for (int g = 0, i = 0; g < game->guesses && (others || i < n); g++) {
        int64_t low = INFINITE_COST;
        if (i < n && set[i] == g)
            low = lows[i++];
        else if (work->parts[g] >= enough)
            low = bound_by_number(work, by, g, 0);
        if (low < limit) {
            trial here = {low, low, g, 0};
            (*trials)[found++] = here;
        }
    }
    return found;
}

/* The scan of a set only by the number of parts. Its reach follows from the most parts a guess makes. */
static int scan_by_number(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          trial **trials, int64_t *least)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    scratch_mark here = jotto_mark(work);
    int64_t *prefix = jotto_alloc(work, ((size_t)n + 1) * sizeof *prefix);
    int64_t *lows = jotto_alloc(work, (size_t)n * sizeof *lows), reach[JOTTO_MOST_LEFT + 2] = {0, 1};
    by_number by = {jotto_weight_of(game, set, n), left > 2 ? 2 : 1 + search->miss, prefix, NULL, 0, 0};
    int most, enough = 2, found;
    if (!game->uniform && !search->width)
        by.sums = jotto_alloc(work, (size_t)game->guesses * sizeof *by.sums);
    *least = 0;
    if (work->aborted)
        return 0;
    prefix[0] = 0;
    for (int i = 0; i < n; i++)
        prefix[i + 1] = prefix[i] + game->weights[set[i]];
    *least = count_by_number(work, set, n, past, &by, lows);
    if (!trials) {
        jotto_release(work, here);
        return 0;
    }
    most = by.most > by.most_by_members ? by.most : by.most_by_members;
    for (; !by.sums && enough <= most && parted(by.all, 0, prefix[enough], by.later) >= limit; enough++)
        ;
    found = list_by_number(work, set, n, limit, &by, lows, enough, trials);
    if (!*trials)
        return 0;
    reach[2] = 1 + most;
    for (int d = 3; d <= JOTTO_MOST_LEFT + 1; d++) {
        int64_t widest = 1 + (reach[2] - 1) * reach[d - 1];
        reach[d] = widest < search->reach[d] ? widest : search->reach[d];
    }
    jotto_fill_bound(reach, left - 1, search->miss, n, work->bound);
    return found;
}

/* Ranks a guess where all weights are 1. The answers of the members lie JOTTO_LANES apart; `steps` has what one more
 * member of a part adds to its bound, in the upper half, and to its estimate. */
static void rank_by_steps(const jotto_game *game, const uint8_t *answers, int n, const int64_t *steps, trial *one)
{
    uint16_t met[JOTTO_MOST_CODES] = {0};
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += steps[met[answers[i * JOTTO_LANES]]++];
    sum -= met[game->win] ? steps[0] : 0;
    one->low = met[answers[0]] == n ? INFINITE_COST : n + (sum >> 32);
    one->key = n * UNIT + (sum & UINT32_MAX);
}

/* Copies the answers of the members to the guesses of a block: in a table of both, they lie far apart. */
static void copy_block(const jotto_game *game, const int32_t *set, int n, int block, uint8_t *answers)
{
    int from = block * JOTTO_LANES, width = game->guesses - from < JOTTO_LANES ? game->guesses - from : JOTTO_LANES;
    for (int i = 0; i < n; i++, answers += JOTTO_LANES)
        memcpy(answers, game->columns + (size_t)set[i] * (size_t)game->guesses + from, (size_t)width);
}

/* The scan of a larger set of a game with many codes: of the guesses that stay below the limit by the number of their
 * parts, the sizes are counted one by one. For a bound of the set, the number of parts is good enough. */
static int scan_of_many_codes(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                              trial **trials, int64_t *least)
{
    const jotto_game *game = work->search->game;
    int found = scan_by_number(work, set, n, left, limit, past, trials, least), kept = 0;
    int64_t lowest = limit; /* all other guesses cost as much */
    int block = -1;
    int64_t *steps = found ? jotto_alloc(work, (size_t)n * sizeof *steps) : NULL;
    uint8_t *answers = found ? jotto_alloc(work, (size_t)n * JOTTO_LANES) : NULL;
    const int32_t *estimate = work->search->estimate;
    if (!trials || !steps || !answers)
        return 0;
    for (int size = 0; size < n; size++)
        steps[size] = (int64_t)(work->bound[size + 1] - work->bound[size]) * (INT64_C(1) << 32)
                      + (estimate[size + 1] - estimate[size]);
    for (int i = 0; i < found; i++) {
        trial here = (*trials)[i];
        here.ranked = 1;
        if (game->uniform) {
            if (block != here.guess / JOTTO_LANES)
                copy_block(game, set, n, block = here.guess / JOTTO_LANES, answers);
            rank_by_steps(game, answers + here.guess % JOTTO_LANES, n, steps, &here);
        } else
            jotto_rank(work, set, n, here.guess, work->bound, &here.low, &here.key);
        lowest = here.low < lowest ? here.low : lowest;
        if (here.low < limit)
            (*trials)[kept++] = here;
    }
    *least = lowest > *least ? lowest : *least;
    return kept;
}

static void count_all(task *work, const int32_t *set, const int *ends, int levels, const int32_t *list, int m)
{
    const jotto_search *search = work->search;
    size_t size = (size_t)search->game->uses * work->stride;
    for (int level = 0, from = 0; level < levels; from = ends[level++]) {
        uint16_t *counts = work->counts + (size_t)level * size;
        if (m == search->game->guesses)
            jotto_all_counts(search->game, set + from, ends[level] - from, work->stride, counts);
        else
            jotto_listed_counts(search->game, set + from, ends[level] - from, list, m, work->stride,
                                counts);
        for (size_t i = 0; level && i < size; i++)
            counts[i] = (uint16_t)(counts[i] + counts[i - size]);
    }
}

/* Adds the guesses of `list` below the limit, by the sizes of their parts. */
static int add_counted(task *work, const int32_t *set, const int *ends, int levels, int left, int64_t limit,
                       const int32_t *list, int m, const int64_t *reach, trial *trials, int64_t *least)
{
    const jotto_search *search = work->search;
    size_t size = (size_t)search->game->uses * work->stride;
    int rows = search->game->uses - 1, found = 0, n = ends[levels - 1];
    for (int from = 0; from < m; from += BLOCK) {
        int width = m - from < BLOCK ? m - from : BLOCK;
        int64_t lows[BLOCK] = {0}, keys[BLOCK] = {0};
        for (int level = 0; level < levels; level++) {
            const uint16_t *counts = work->counts + (size_t)level * size + from;
            int64_t fall = jotto_fall_at(search->game, set, ends, levels, level);
            int32_t these[BLOCK];
            bounds_of(counts, rows, width, work->stride, ends[level], reach, left - 1, (int)search->miss, these);
            for (int g = 0; g < width; g++)
                lows[g] += fall * these[g];
            if (!trials)
                continue;
            estimates_of(counts, rows, width, work->stride, ends[level], work->search->estimate, these);
            for (int g = 0; g < width; g++)
                keys[g] += fall * these[g];
        }
        mark_useless(work->counts + (size_t)(levels - 1) * size + from, rows, width, work->stride, n, lows);
        for (int g = 0; g < width; g++) {
            *least = lows[g] < *least ? lows[g] : *least;
            if (trials && lows[g] < limit) {
                trial here = {lows[g], keys[g], list[from + g], 1};
                trials[found++] = here;
            }
        }
    }
    return found;
}

int jotto_scan_by_sizes(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                     trial **trials, int64_t *least)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    int64_t reach[JOTTO_MOST_LEFT + 2];
    int ends[MOST_LEVELS], levels = jotto_levels_of(game, set, n, ends), m, found;
    trial *kept = trials ? jotto_alloc(work, (size_t)game->guesses * sizeof *kept) : NULL;
    scratch_mark here = jotto_mark(work);
    int32_t *list = jotto_alloc(work, (size_t)game->guesses * sizeof *list);
    if (!list || (trials && !kept)) {
        *least = 0;
        return 0;
    }
    if (trials)
        *trials = kept;
    m = guesses_for(search, set, n, past, list);
    if (m == game->guesses && n <= UINT8_MAX) {
        found = jotto_scan_in_bytes(work, set, n, left, limit, kept, least);
        if (found != UNFIT) {
            jotto_release(work, here);
            return found;
        }
    }
    count_all(work, set, ends, levels, list, m);
    reach_of(work->counts + (size_t)(levels - 1) * (size_t)game->uses * work->stride, game->uses - 1, m, work->stride, n,
             reach);
    jotto_fill_bound(reach, left - 1, search->miss, n, work->bound);
    *least = INFINITE_COST;
    found = add_counted(work, set, ends, levels, left, limit, list, m, reach, kept, least);
    jotto_release(work, here);
    return found;
}

int jotto_scan_guesses(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                       trial **trials, int64_t *least)
{
    if (n <= SHORT || (!trials && n <= JOTTO_SMALL && !work->search->width && !work->search->game->uniform))
        return scan_by_number(work, set, n, left, limit, past, trials, least);
    if (work->search->game->codes > JOTTO_NARROW)
        return scan_of_many_codes(work, set, n, left, limit, past, trials, least);
    return jotto_scan_by_sizes(work, set, n, left, limit, past, trials, least);
}

int jotto_measure_reach(task *work)
{
    jotto_search *search = work->search;
    const jotto_game *game = search->game;
    int32_t *list = jotto_alloc(work, (size_t)game->guesses * sizeof *list);
    int32_t *everything = jotto_alloc(work, (size_t)game->secrets * sizeof *everything);
    history past = {{0}, 0};
    int m;
    if (!list || !everything)
        return 0;
    m = guesses_for(search, NULL, INT32_MAX, &past, list);
    for (int s = 0; s < game->secrets; s++)
        everything[s] = s;
    jotto_listed_counts(game, everything, game->secrets, list, m, work->stride, work->counts);
    reach_of(work->counts, game->uses - 1, m, work->stride, game->secrets, search->reach);
    return 1;
}
