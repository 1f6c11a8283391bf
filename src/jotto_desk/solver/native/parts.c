/* What a guess costs at a set: the parts its answers leave, what is known of each, and which of them have to be
 * searched. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* The least gap between the bound of a part and its estimated cost, in turns per member. */
#define LEAST_GAP 0.02

/* Whether a guess separates the set: every member gives another answer. */
static int separates(const jotto_game *game, const int32_t *set, int n, int32_t guess)
{
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    uint64_t met[JOTTO_MOST_CODES / 64] = {0};
    for (int i = 0; i < n; i++) {
        uint64_t *some = met + (row[set[i]] >> 6), bit = UINT64_C(1) << (row[set[i]] & 63);
        if (*some & bit)
            return 0;
        *some |= bit;
    }
    return 1;
}

/* The cost of sets that need no search: at most two members, at most one turn left, or a member that separates the set.
 * With equal weights no other guess can do better then; else the heaviest such member must not weigh less than the
 * others could save. Returns INFINITE_COST when the set has to be searched. */
int64_t jotto_at_once(const jotto_search *search, const int32_t *set, int n, int left, int32_t *guess)
{
    const jotto_game *game = search->game;
    const int32_t *weights = game->weights;
    *guess = n ? set[0] : -1;
    if (n == 0)
        return 0;
    if (left <= 0)
        return search->miss * jotto_weight_of(game, set, n);
    if (n == 1)
        return weights[set[0]];
    if (left == 1)
        return weights[set[0]] + (1 + search->miss) * (jotto_weight_of(game, set, n) - weights[set[0]]);
    if (n == 2)
        return weights[set[0]] + 2 * (int64_t)weights[set[1]];
    if (n > search->reach[2])
        return INFINITE_COST;
    for (int i = 0; i < n; i++) {
        if (weights[set[i]] < weights[set[0]] - weights[set[n - 1]])
            break;
        if (separates(game, set, n, set[i])) {
            *guess = set[i];
            return 2 * jotto_weight_of(game, set, n) - weights[set[i]];
        }
    }
    return INFINITE_COST;
}

/* What is known of a set, 0 if nothing is. */
static int64_t known_bound(const jotto_search *search, const uint64_t key[2])
{
    jotto_entry known;
    if (!jotto_memo_get(search->memo, key, &known))
        return 0;
    return known.value >= 0 ? known.value : known.low;
}

/* The bound of a set from one scan, kept in the memo; no member separates the set. */
static int64_t scanned_bound(task *work, const int32_t *set, int n, int left, const history *past,
                             const uint64_t key[2])
{
    int64_t low = known_bound(work->search, key);
    if (low)
        return low;
    jotto_scan_guesses(work, set, n, left, 0, past, NULL, &low);
    jotto_keep(work, key, n, low, -1, -1);
    return low;
}

typedef struct {
    int32_t from, size;
    int64_t low;
    uint64_t key[2];
} part;

static int by_size(const void *a, const void *b)
{
    const part *one = a, *other = b;
    return one->size != other->size ? one->size - other->size : one->from - other->from;
}

/* Sorts the set by code, members of a part staying in order; returns the number of parts, the winning one left out. */
static int split(const jotto_game *game, const int32_t *set, int n, int32_t guess, int32_t *sorted, part *parts)
{
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    int32_t begin[JOTTO_MOST_CODES + 1] = {0};
    int count = 0;
    for (int i = 0; i < n; i++)
        begin[row[set[i]] + 1]++;
    for (int code = 0; code < game->codes; code++) {
        if (begin[code + 1] && code != game->win) {
            parts[count].from = begin[code];
            parts[count++].size = begin[code + 1];
        }
        begin[code + 1] += begin[code];
    }
    for (int i = 0; i < n; i++)
        sorted[begin[row[set[i]]]++] = set[i];
    return count;
}

static int64_t least_cost(const jotto_game *game, const int32_t *set, int n, const int32_t *bound)
{
    int64_t cost = 0;
    if (game->uniform)
        return bound[n];
    for (int i = 0; i < n; i++)
        cost += (int64_t)game->weights[set[i]] * (bound[i + 1] - bound[i]);
    return cost;
}

/* What a set costs at least that no member separates: one member is found in the first turn at best, and one not before
 * the third. */
static int64_t unseparated_cost(const jotto_game *game, const int32_t *set, int n)
{
    return 2 * jotto_weight_of(game, set, n) - game->weights[set[0]] + game->weights[set[n - 1]];
}

/* Searches the parts in turn, each as far as the others leave room: for a beam, whose sets are searched to their end
 * anyway. The smallest come first, as they cost least; while none may be missed the largest, as those fail most. */
static int64_t search_in_turn(task *work, const int32_t *sorted, part *parts, int open, int left, int64_t total,
                              int64_t limit, const history *next)
{
    for (int turn = 0; turn < open && total < limit && !work->aborted; turn++) {
        int i = work->must_find_all ? open - 1 - turn : turn;
        int32_t unused;
        total += jotto_solve_set(work, sorted + parts[i].from, parts[i].size, left - 1,
                                    limit - (total - parts[i].low), next, parts[i].key, &unused) - parts[i].low;
    }
    return total;
}

/* Raises the bounds of the parts until they add up to the limit or all are exact. To raise one bound by much costs far
 * more than to raise each by a little, so what is missing is shared out in proportion to the gaps between the bounds
 * and the estimated costs. */
static int64_t share_out(task *work, const int32_t *sorted, part *parts, int open, int left, int64_t total,
                         int64_t limit, const history *next)
{
    const int32_t *estimate = work->search->estimate;
    while (open && total < limit && !work->aborted) {
        double gaps[JOTTO_MOST_CODES], whole = 0;
        int still = 0;
        for (int i = 0; i < open; i++) {
            double weight = (double)jotto_weight_of(work->search->game, sorted + parts[i].from, parts[i].size);
            double gap = weight * estimate[parts[i].size] / UNIT / parts[i].size - (double)parts[i].low;
            gaps[i] = gap > LEAST_GAP * weight ? gap : LEAST_GAP * weight;
            whole += gaps[i];
        }
        for (int i = 0; i < open && total < limit && !work->aborted; i++) {
            int64_t slack = limit - total, target = slack, value;
            int32_t unused;
            if ((double)slack < whole)
                target = 1 + (int64_t)((double)slack / whole * gaps[i]);
            target = target < slack ? target : slack;
            whole -= gaps[i];
            value = jotto_solve_set(work, sorted + parts[i].from, parts[i].size, left - 1, parts[i].low + target, next,
                                       parts[i].key, &unused);
            total += value - parts[i].low;
            if (value >= parts[i].low + target) { /* a bound; else it is exact */
                parts[still] = parts[i];
                parts[still++].low = value;
            }
        }
        open = still;
    }
    return total;
}

/* The game after one more guess; beyond HISTORY guesses the past plays no part. */
static history after(const history *past, int32_t guess)
{
    history next = {{0}, HISTORY};
    if (past->turns < HISTORY - 1) {
        next = *past;
        next.guesses[next.turns++] = guess;
    }
    return next;
}

/* Adds what the parts cost to `*total`: exactly where that needs no search, else a bound. The parts of the latter kind
 * are kept, smallest first, with their bounds and keys; returns their number. */
static int open_parts(task *work, const int32_t *sorted, part *parts, int count, int left, const history *next,
                      const int32_t *bound, int64_t *total)
{
    const jotto_game *game = work->search->game;
    int open = 0;
    for (int i = 0; i < count; i++) {
        const int32_t *members = sorted + parts[i].from;
        int32_t unused;
        int64_t low = jotto_at_once(work->search, members, parts[i].size, left - 1, &unused);
        if (low == INFINITE_COST) {
            int64_t unseparated = unseparated_cost(game, members, parts[i].size);
            low = least_cost(game, members, parts[i].size, bound);
            low = low > unseparated ? low : unseparated;
            parts[open] = parts[i];
            parts[open].low = low;
            jotto_set_key(work, members, parts[i].size, left - 1, next, parts[open].key);
            open++;
        }
        *total += low;
    }
    qsort(parts, (size_t)open, sizeof *parts, by_size);
    return open;
}

/* Raises the bounds of parts without a search, as long as their total is below the limit: first by what is known
 * already, then by one scan of each. Returns the total. */
static int64_t raise_bounds(task *work, const int32_t *sorted, part *parts, int open, int left, int64_t total,
                            int64_t limit, const history *next)
{
    for (int scanning = 0; scanning < 2; scanning++)
        for (int i = 0; i < open && total < limit; i++) {
            int64_t low = scanning ? scanned_bound(work, sorted + parts[i].from, parts[i].size, left - 1, next,
                                                   parts[i].key)
                                   : known_bound(work->search, parts[i].key);
            if (low > parts[i].low) {
                total += low - parts[i].low;
                parts[i].low = low;
            }
        }
    return total;
}

/* Sharpens the bounds of the parts until they add up to the limit, or all are exact: by the cheapest means first. In a
 * beam, where what is known bounds no other tree, all parts are searched. */
int64_t jotto_try_guess(task *work, const int32_t *set, int n, int left, int32_t guess, int64_t limit,
                        const history *past, const int32_t *bound, int bounds_only)
{
    const jotto_search *search = work->search;
    scratch_mark here = jotto_mark(work);
    int32_t *sorted = jotto_alloc(work, (size_t)n * sizeof *sorted);
    part parts[JOTTO_MOST_CODES];
    int64_t total = jotto_weight_of(search->game, set, n);
    history next = after(past, guess);
    int open;
    if (!sorted)
        return limit;
    open = split(search->game, set, n, guess, sorted, parts);
    open = open_parts(work, sorted, parts, open, left, &next, bound, &total);
    if (!search->width || bounds_only)
        total = raise_bounds(work, sorted, parts, open, left, total, limit, &next);
    if (total < limit && !bounds_only)
        total = (search->width ? search_in_turn : share_out)(work, sorted, parts, open, left, total, limit, &next);
    jotto_release(work, here);
    return total;
}
