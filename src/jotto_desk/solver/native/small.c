/* Exact search of small sets, see small.h. */
#include "small.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETED 20   /* sets up to here are tried only by the number of parts */
#define PROMISING 24  /* guesses taken in the order of their promise; by then the best is found or nearly so */
#define MOST_ANSWERS (JOTTO_NARROW + LINE) /* padded to whole lines */

typedef struct {
    uint64_t set;
    int size, low, state, own;
} portion;

typedef struct {
    uint64_t sets[MOST_ANSWERS], sizes[MOST_ANSWERS]; /* by place of the answer */
} parting;

static int search_small(jotto_small *small, uint64_t set, int n, int left, int limit, int32_t *guess);

JOTTO_CLONES
static void part_by(const uint64_t *classes, int pad, uint64_t set, parting *parts)
{
    for (int k = 0; k < pad; k++) {
        parts->sets[k] = classes[k] & set;
        parts->sizes[k] = (uint64_t)__builtin_popcountll(parts->sets[k]);
    }
}

/* Takes over what is known of a part; returns by how much its bound rises. */
static int learn(portion *part, known entry)
{
    int least = (int)entry.least, rise = least > part->low ? least - part->low : 0;
    part->low += rise;
    part->state = entry.state;
    part->own = entry.own;
    return rise;
}

/* The parts of more than three members, smallest first; `*total` gets the cost of the others and bounds of these. */
static int open_portions(const jotto_small *small, const parting *parts, const int32_t *bound, int left,
                         portion *portions, int *total)
{
    int settled = small->capped && left == 2 ? 2 : 3; /* sets up to here need no search */
    int uses = small->work->search->game->uses, open = 0;
    for (int k = 0; k < uses - 1; k++) {
        int size = (int)parts->sizes[k], slot = open;
        portion here = {parts->sets[k], size, bound[size], 0, 0};
        if (!small->plain)
            here.low = jotto_weigh(small, here.set, bound);
        *total += size == 3 && settled == 3 ? jotto_cost_of_three(small, here.set) : here.low;
        if (size <= settled)
            continue;
        for (; slot && portions[slot - 1].size > size; slot--)
            portions[slot] = portions[slot - 1];
        portions[slot] = here;
        open++;
    }
    return open;
}

/* The cost of asking `guess`: exact below `limit`, else some bound that is not below it. */
static int try_small(jotto_small *small, uint64_t set, int n, int left, int32_t guess, int limit, const int32_t *bound)
{
    parting parts;
    portion portions[JOTTO_NARROW];
    int total = small->plain ? n : jotto_weigh(small, set, NULL), open;
    part_by(jotto_classes(small, guess), small->pad, set, &parts);
    open = open_portions(small, &parts, bound, left - 1, portions, &total);
    if (total >= limit || (open && portions[open - 1].size == n))
        return limit;
    for (int i = 0; i < open && total < limit; i++)
        total += learn(portions + i, jotto_bound_by_members(small, portions[i].set, portions[i].size, left - 1));
    for (int i = 0; i < open && total < limit; i++)
        if (portions[i].state == BY_MEMBERS)
            total += learn(portions + i, jotto_bound_by_guesses(small, portions[i].set, portions[i].size, left - 1,
                                                          portions[i].own));
    for (int i = 0; i < open && total < limit && !small->work->aborted; i++)
        if (portions[i].state != EXACT) {
            int32_t unused;
            total += search_small(small, portions[i].set, portions[i].size, left - 1, limit - (total - portions[i].low),
                                  &unused) - portions[i].low;
        }
    return total;
}

static int is_wanted(const jotto_small *small)
{
    task *work = small->work;
    if (work->search->stop && *work->search->stop && !work->aborted)
        work->aborted = STOPPED;
    return !work->aborted;
}

/* Tries guesses in the order of their estimated costs. */
static int search_by_promise(jotto_small *small, uint64_t set, const int32_t *list, int n, int left, int limit,
                             int32_t *guess)
{
    trial *trials = NULL;
    int32_t bound[MOST_MEMBERS + 1];
    scratch_mark here = jotto_mark(small->work);
    int64_t least;
    int found = jotto_scan_by_sizes(small->work, list, n, left, limit, &small->past, &trials, &least), best = limit;
    memcpy(bound, small->work->bound, ((size_t)n + 1) * sizeof *bound); /* deeper sets write over it */
    for (int tried = 0; found && best > least && is_wanted(small); tried++) {
        int next = found - 1, value;
        trial chosen;
        for (int i = 0; tried < PROMISING && i < found; i++)
            if (trials[i].key < trials[next].key)
                next = i;
        chosen = trials[next];
        trials[next] = trials[--found];
        if (chosen.low >= best)
            continue;
        value = try_small(small, set, n, left, chosen.guess, best, bound);
        if (value < best) {
            best = value;
            *guess = chosen.guess;
        }
    }
    jotto_release(small->work, here);
    return best;
}

/* Lists guesses by falling number of parts, those of fewer than `fewest` left out; `ends[p]` is where those of p parts
 * end. Null when memory is short. */
static const int32_t *by_number(task *work, int fewest, int *ends, int *found)
{
    int guesses = work->search->game->guesses, count = 0;
    const uint8_t *parts = work->parts;
    size_t bytes = (size_t)jotto_count_from(parts, guesses, fewest) * sizeof(int32_t);
    int32_t *unsorted = jotto_alloc(work, bytes), *sorted = jotto_alloc(work, bytes);
    if (!unsorted || !sorted)
        return NULL;
    for (int g = 0; g < guesses; g++)
        if (parts[g] >= fewest) {
            unsorted[count++] = g;
            ends[parts[g]]++;
        }
    for (int p = BUCKETED, before = 0; p >= 0; p--) {
        int here = ends[p];
        ends[p] = before;
        before += here;
    }
    for (int i = 0; i < count; i++)
        sorted[ends[parts[unsorted[i]]]++] = unsorted[i];
    *found = count;
    return sorted;
}

/* Bounds by the number of parts: guesses other than members cost `twice` at least, and each member more than they make
 * parts costs its weight once more; `lighter[k]` is that of the k lightest. */
typedef struct {
    int twice, lighter[BUCKETED + 1], most;
    int lows[BUCKETED]; /* of the members */
} numbers;

static int others_cost(const numbers *by, int n, int parts)
{
    return by->twice + by->lighter[n - parts];
}

/* Counts the parts of every guess; returns the bound of the set. */
static int count_numbers(task *work, const int32_t *list, int n, numbers *by)
{
    const jotto_game *game = work->search->game;
    int least;
    jotto_count_parts(game, list, n, work->parts);
    by->lighter[0] = 0;
    for (int k = 0; k < n; k++)
        by->lighter[k + 1] = by->lighter[k] + game->weights[list[n - 1 - k]];
    by->twice = 2 * by->lighter[n];
    by->most = jotto_highest(work->parts, game->guesses);
    least = others_cost(by, n, by->most);
    for (int i = 0; i < n; i++) {
        int parts = work->parts[list[i]];
        by->lows[i] = parts > 1 ? others_cost(by, n, parts) - game->weights[list[i]] : INT_MAX;
        least = by->lows[i] < least ? by->lows[i] : least;
    }
    return least;
}

/* Tries members first, then the other guesses by number of parts, as long as their bound is below the best; most + 1
 * members are found within two turns at most, in any subset. */
static int search_by_parts(jotto_small *small, uint64_t set, const int32_t *list, int n, int left, int limit, int least,
                           const numbers *by, int32_t *guess)
{
    task *work = small->work;
    int fewest = n + 1, best = limit, ends[BUCKETED + 1] = {0}, found = 0, second = 1 + by->most, order[BUCKETED];
    int32_t bound[BUCKETED + 1];
    scratch_mark here = jotto_mark(work);
    const int32_t *others;
    for (int size = 0; size <= n; size++)
        bound[size] = 2 * size - (size > 0) + (size > second ? size - second : 0);
    for (int i = 0; i < n; i++) {
        int slot = i;
        for (; slot && by->lows[order[slot - 1]] > by->lows[i]; slot--)
            order[slot] = order[slot - 1];
        order[slot] = i;
        work->parts[list[i]] = 0;
    }
    while (fewest > 2 && others_cost(by, n, fewest - 1) < limit)
        fewest--;
    others = by_number(work, fewest, ends, &found);
    for (int i = 0; i < n && by->lows[order[i]] < best && best > least && is_wanted(small); i++) {
        int32_t member = list[order[i]];
        int value = try_small(small, set, n, left, member, best, bound);
        if (value < best) {
            best = value;
            *guess = member;
        }
    }
    for (int i = 0, p = BUCKETED; i < found && best > least && is_wanted(small); i++) {
        int value;
        while (ends[p] <= i)
            p--;
        if (others_cost(by, n, p) >= best)
            break;
        value = try_small(small, set, n, left, others[i], best, bound);
        if (value < best) {
            best = value;
            *guess = others[i];
        }
    }
    jotto_release(work, here);
    return best;
}

/* The cost of a set whose bounds leave it open: exact below `limit`, else a bound that is not below it. */
static int search_small(jotto_small *small, uint64_t set, int n, int left, int limit, int32_t *guess)
{
    task *work = small->work;
    jotto_entry shared = {{0, 0}, 0, -1, -1, n};
    int32_t list[MOST_MEMBERS];
    numbers by;
    int least = 0, best;
    jotto_listed(small, set, list);
    if (jotto_recall(small, list, n, left, &shared)) {
        least = (int)(shared.value >= 0 ? shared.value : shared.low);
        if (shared.value >= 0 || least >= limit) {
            *guess = shared.guess;
            jotto_note(small, set, left, least, shared.value >= 0);
            return least;
        }
    }
    *guess = -1;
    if (n <= BUCKETED) {
        best = count_numbers(work, list, n, &by);
        least = best > least ? best : least;
    }
    if (least >= limit)
        best = least;
    else if (n <= BUCKETED)
        best = search_by_parts(small, set, list, n, left, limit, least, &by, guess);
    else
        best = search_by_promise(small, set, list, n, left, limit, guess);
    jotto_note(small, set, left, best, *guess >= 0);
    shared.low = best;
    shared.value = *guess >= 0 ? best : -1;
    shared.guess = *guess;
    if (n >= SHARED && !work->aborted)
        jotto_memo_put(work->search->memo, &shared);
    return best;
}

int jotto_is_small(const task *work, int n, int left, int64_t limit, const history *past)
{
    const jotto_game *game = work->search->game;
    int64_t most = most_cost_within(left);
    if (n <= 2 || n > MOST_MEMBERS || game->codes > JOTTO_NARROW || game->spelled)
        return 0;
    if (!game->uniform)
        return n <= left;
    return !jotto_depends_on_past(game, n, past)
           && (work->must_find_all && left < n ? left > 2 : limit <= most || 4 * n < most);
}

static jotto_small *new_small(task *work)
{
    const jotto_game *game = work->search->game;
    size_t guesses = (size_t)game->guesses;
    jotto_small *small = calloc(1, sizeof *small);
    if (!small)
        return NULL;
    small->work = work;
    small->plain = game->uniform;
    small->pad = (game->uses + LINE - 1) / LINE * LINE;
    small->made = calloc(guesses, sizeof *small->made);
    small->classes = malloc(guesses * (size_t)small->pad * sizeof *small->classes);
    small->table = calloc(SLOTS, sizeof *small->table);
    for (int k = 0; k < game->uses; k++)
        small->places[game->used[k]] = (uint8_t)k;
    if (!small->made || !small->classes || !small->table) {
        jotto_small_free(small);
        return NULL;
    }
    return small;
}

void jotto_small_free(jotto_small *small)
{
    if (!small)
        return;
    free(small->made);
    free(small->classes);
    free(small->table);
    free(small);
}

static uint64_t first_members(int n)
{
    return UINT64_MAX >> (MOST_MEMBERS - n);
}

/* Numbers the members from 0 again, and forgets the entries of the tables. */
static void begin_round(jotto_small *small, const int32_t *set, int n, const history *past)
{
    const jotto_game *game = small->work->search->game;
    int ends[MOST_LEVELS];
    small->n = n;
    small->past = *past;
    memcpy(small->members, set, (size_t)n * sizeof *set);
    for (int a = 0; a < n; a++) {
        const uint8_t *row = game->rows + (size_t)set[a] * (size_t)game->secrets;
        for (int b = 0; b < n; b++)
            small->codes[a][b] = row[set[b]];
    }
    small->levels = jotto_levels_of(game, set, n, ends);
    for (int k = 0; k < small->levels; k++) {
        small->falls[k] = jotto_fall_at(game, set, ends, small->levels, k);
        small->down_to[k] = first_members(ends[k]);
    }
    small->round += ROUND;
    if (small->round < ROUND) { /* after five hundred million sets */
        memset(small->made, 0, (size_t)game->guesses * sizeof *small->made);
        memset(small->table, 0, SLOTS * sizeof *small->table);
        small->round = ROUND;
    }
}

int64_t jotto_solve_small(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          int32_t *guess)
{
    const jotto_game *game = work->search->game;
    int64_t most = game->uniform ? most_cost_within(left) : n * jotto_weight_of(game, set, n) + 1;
    *guess = -1;
    if (!work->small)
        work->small = new_small(work);
    if (!work->small) {
        work->aborted = SHORT_OF_MEMORY;
        return limit;
    }
    work->small->capped = work->must_find_all && left < n;
    begin_round(work->small, set, n, past);
    if (work->small->capped || limit < most)
        most = limit;
    return search_small(work->small, first_members(n), n, left, (int)most, guess);
}
