/* Tree search: the fewest turns, summed over a set of secrets, by branch and bound; a beam when `width` is set.
 *
 * Invariant of every search below: a cost under the caller's limit is exact (in a beam: that of the tree found), and
 * comes with its guess; any other result is a lower bound that is not under the limit, and comes with guess -1. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

int64_t jotto_weight_of(const jotto_game *game, const int32_t *set, int n)
{
    int64_t sum = 0;
    if (game->uniform)
        return n;
    for (int i = 0; i < n; i++)
        sum += game->weights[set[i]];
    return sum;
}

/* Whether a beam may leave out guesses at a set of so many members. */
static int is_narrow(const jotto_search *search, int n)
{
    return search->width && n > (search->full < FEWEST ? search->full : FEWEST);
}

/* In a beam the result depends on the guesses tried: where these depend on the past, so does the key. In hard mode
 * every result depends on what the past tells. */
static uint64_t mark_of(const jotto_search *search, const int32_t *set, int n, const history *past)
{
    uint64_t mark = 0;
    if (search->game->spelled) {
        hints known;
        jotto_read_hints(search->game, past, set[0], &known);
        return jotto_mark_hints(search->game, &known);
    }
    if (is_narrow(search, n) && jotto_depends_on_past(search->game, n, past))
        for (int i = 0; i < past->turns; i++)
            mark += jotto_scramble((uint64_t)past->guesses[i] + 1);
    return mark;
}

void jotto_set_key(const task *work, const int32_t *set, int n, int left, const history *past, uint64_t key[2])
{
    const jotto_search *search = work->search;
    uint64_t mark = mark_of(search, set, n, past);
    int find_all = work->must_find_all && left < n;
    left = left < n ? left : JOTTO_MOST_LEFT; /* n secrets never need more than n turns: the cap plays no part */
    key[0] = jotto_scramble(mark + (uint64_t)(left + 1 + 100 * find_all));
    key[1] = jotto_scramble(mark + (uint64_t)(left + 1000 + 100 * find_all));
    for (int i = 0; i < n; i++) {
        key[0] ^= search->hash[set[i]][0];
        key[1] ^= search->hash[set[i]][1];
    }
}

void jotto_keep(task *work, const uint64_t key[2], int n, int64_t low, int64_t value, int32_t guess)
{
    jotto_entry entry = {{key[0], key[1]}, low, value, guess, n};
    if (!work->aborted)
        jotto_memo_put(work->search->memo, &entry);
}

/* A hash of the partition a guess makes, independent of the order of its parts; a winning part counts as another one
 * than the same part without a win. */
static uint64_t signature(const jotto_search *search, const int32_t *set, int n, int32_t guess)
{
    const jotto_game *game = search->game;
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    uint64_t met[JOTTO_MOST_CODES], sum = 0;
    memset(met, 0, (size_t)game->codes * sizeof *met);
    for (int i = 0; i < n; i++)
        met[row[set[i]]] ^= search->hash[set[i]][0];
    for (int code = 0; code < game->codes; code++)
        if (met[code])
            sum += jotto_scramble(met[code] + (code == game->win));
    return sum ? sum : 1;
}

static int is_new(uint64_t *seen, size_t slots, uint64_t mark)
{
    size_t slot = (size_t)mark & (slots - 1);
    while (seen[slot]) {
        if (seen[slot] == mark)
            return 0;
        slot = (slot + 1) & (slots - 1);
    }
    seen[slot] = mark;
    return 1;
}

static int before(const trial *one, const trial *other)
{
    if (one->key != other->key)
        return one->key < other->key;
    return one->low != other->low ? one->low < other->low : one->guess < other->guess;
}

static void sift(trial *heap, int size, int place)
{
    trial moving = heap[place];
    for (int child; (child = 2 * place + 1) < size; place = child) {
        child += child + 1 < size && before(heap + child + 1, heap + child);
        if (!before(heap + child, &moving))
            break;
        heap[place] = heap[child];
    }
    heap[place] = moving;
}

static void heap_up(trial *heap, int size)
{
    for (int place = size / 2 - 1; place >= 0; place--)
        sift(heap, size, place);
}

static trial take(trial *heap, int *size)
{
    trial first = heap[0];
    heap[0] = heap[--*size];
    sift(heap, *size, 0);
    return first;
}

/* For a beam: keeps the `wanted` guesses that make most parts, and ranks them by the sizes of these. */
static int shortlist(task *work, const int32_t *set, int n, trial *trials, int found, int wanted)
{
    trial best[SHORTLIST];
    int kept = 0;
    wanted = wanted < SHORTLIST ? wanted : SHORTLIST;
    for (int i = 0; i < found; i++) { /* most are not among the best so far: faster than a heap of all */
        int place;
        if (kept < wanted)
            kept++;
        else if (!before(trials + i, best + kept - 1))
            continue;
        for (place = kept - 1; place && before(trials + i, best + place - 1); place--)
            best[place] = best[place - 1];
        best[place] = trials[i];
    }
    for (int i = 0; i < kept; i++) {
        jotto_rank(work, set, n, best[i].guess, work->bound, &best[i].low, &best[i].key);
        best[i].ranked = 1;
    }
    memcpy(trials, best, (size_t)kept * sizeof *best);
    return kept;
}

/* A set to search, and how. */
typedef struct {
    const int32_t *set;
    int n, left;
    const history *past;
    const uint64_t *key;
    int width;    /* guesses a beam tries here; 0: all there are */
    int most;     /* guesses it tries at most, as long as no tree was found below the limit */
    int find_all; /* trees that miss a member count as none */
} node;

static node node_of(const task *work, const int32_t *set, int n, int left, const history *past, const uint64_t key[2])
{
    const jotto_search *search = work->search;
    int capped = is_narrow(search, n) && left < n, find_all = capped && work->must_find_all;
    /* Larger sets are searched whole only for trees that miss no member: of the others there are too many. */
    int width = n > search->full || (capped && !find_all) ? search->width : 0;
    node here = {set, n, left, past, key, width, find_all && width ? search->patience + width : width, find_all};
    return here;
}

/* Remembers the result of a search. Where all members had to be found and no tree did, it costs `miss` or more. */
static int64_t settle(task *work, const node *at, int64_t cost, int32_t guess)
{
    if (at->find_all && guess < 0)
        cost = work->search->miss;
    jotto_keep(work, at->key, at->n, cost, guess >= 0 ? cost : -1, guess);
    return cost;
}

/* What a tree that finds every member in time costs at most. */
static int64_t most_without_miss(const task *work, const int32_t *set, int n, int left)
{
    return left * jotto_weight_of(work->search->game, set, n);
}

/* With a cap, a beam first looks for a tree that misses no member, going beyond its width until it finds one; it counts
 * misses only where there is none. This takes that a miss costs more than any tree without. INFINITE_COST: none found.
 * */
static int64_t find_without_miss(task *work, const node *at, int32_t *guess)
{
    int64_t most = most_without_miss(work, at->set, at->n, at->left), value;
    uint64_t key[2];
    if (work->search->miss <= most)
        return INFINITE_COST;
    work->must_find_all = 1;
    jotto_set_key(work, at->set, at->n, at->left, at->past, key);
    value = jotto_solve_set(work, at->set, at->n, at->left, most + 1, at->past, key, guess);
    work->must_find_all = 0;
    return value <= most && !work->aborted ? value : INFINITE_COST;
}

/* Takes the most promising guess; returns 0 where none is left that may cost less than `best`. Guesses that were ranked
 * only by the number of their parts come in the order of their bounds: each is ranked by the sizes of its parts when
 * its turn comes, and then waits for its turn among the others. */
static int next_trial(task *work, const node *at, const int32_t *bound, int64_t best, trial *trials, int *found,
                      trial *next)
{
    while (*found) {
        if (!trials[0].ranked) {
            if (trials[0].low >= best)
                return 0;
            jotto_rank(work, at->set, at->n, trials[0].guess, bound, &trials[0].low, &trials[0].key);
            trials[0].key = trials[0].low;
            trials[0].ranked = 1;
            if (trials[0].low < best) {
                sift(trials, *found, 0);
                continue;
            }
        }
        *next = take(trials, found);
        return 1;
    }
    return 0;
}

/* Tries guesses, most promising first, until the best one costs no more than `least`, a bound of the whole set; each
 * partition of the set is tried once. Returns the best cost below `limit`, else `limit`. */
static int64_t try_in_order(task *work, const node *at, trial *trials, int found, int64_t limit, int64_t least,
                            int32_t *guess)
{
    const jotto_search *search = work->search;
    int64_t best = limit;
    size_t slots = 16;
    trial next;
    while (slots < 2 * (size_t)found)
        slots *= 2;
    uint64_t *seen = jotto_alloc(work, slots * sizeof *seen);
    int32_t *bound = jotto_alloc(work, ((size_t)at->n + 1) * sizeof *bound);
    if (!seen || !bound)
        return limit;
    memset(seen, 0, slots * sizeof *seen);
    memcpy(bound, work->bound, ((size_t)at->n + 1) * sizeof *bound); /* deeper sets overwrite it */
    heap_up(trials, found);
    for (int tried = 0; best > least && !work->aborted && (!at->width || tried < (*guess < 0 ? at->most : at->width))
                        && next_trial(work, at, bound, best, trials, &found, &next); tried++) {
        if (next.low >= best)
            continue;
        /* In hard mode, guesses that make the same parts tell different letters. */
        if (!search->game->spelled && !is_new(seen, slots, signature(search, at->set, at->n, next.guess)))
            continue;
        int64_t value = jotto_try_guess(work, at->set, at->n, at->left, next.guess, best, at->past, bound, 0);
        if (value < best) {
            best = value;
            *guess = next.guess;
        }
        if (search->stop && *search->stop && !work->aborted)
            work->aborted = STOPPED;
    }
    return best;
}

/* Searches a set by its scan of all guesses. */
static int64_t search_scanned(task *work, const node *at, int64_t limit, int32_t *guess)
{
    trial *trials = NULL;
    int64_t least, best;
    scratch_mark here = jotto_mark(work);
    /* A beam tries the same guesses with every limit, so that its result does not depend on the order of work. */
    int found = jotto_scan_guesses(work, at->set, at->n, at->left, at->width ? INFINITE_COST : limit, at->past, &trials,
                                   &least);
    *guess = -1;
    if (!found || least >= limit) {
        least = least < limit ? limit : least; /* no guess is left below the limit, even if the first scan found one */
        least = at->find_all && least < work->search->miss ? work->search->miss : least;
        jotto_keep(work, at->key, at->n, least, -1, -1);
        jotto_release(work, here);
        return least;
    }
    if (at->width && !trials[0].ranked)
        found = shortlist(work, at->set, at->n, trials, found, at->find_all ? at->most : 4 * at->width);
    best = try_in_order(work, at, trials, found, limit, least, guess);
    best = settle(work, at, best, *guess);
    jotto_release(work, here);
    return best;
}

static int64_t search_set(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          const uint64_t key[2], int32_t *guess)
{
    const jotto_search *search = work->search;
    node at = node_of(work, set, n, left, past, key);
    int64_t value;
    if (at.find_all)
        /* The same limit for every caller, so that the result does not depend on the order of work. */
        limit = most_without_miss(work, set, n, left) + 1;
    else if (is_narrow(search, n) && left < n && (value = find_without_miss(work, &at, guess)) != INFINITE_COST)
        return settle(work, &at, value, *guess);
    if (!at.width && (!search->width || n > FEWEST) && jotto_is_small(work, n, left, limit, past)) {
        value = jotto_solve_small(work, set, n, left, limit, past, guess);
        if (*guess >= 0 || value >= limit || at.find_all || work->aborted)
            return settle(work, &at, value, *guess);
    }
    return search_scanned(work, &at, limit, guess);
}

int64_t jotto_solve_set(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                           const uint64_t key[2], int32_t *guess)
{
    jotto_entry known;
    if (jotto_memo_get(work->search->memo, key, &known)) {
        *guess = known.guess;
        if (known.value >= 0)
            return known.value;
        if (known.low >= limit)
            return known.low;
    }
    return search_set(work, set, n, left, limit, past, key, guess);
}

static int64_t solve(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                     int32_t *guess)
{
    uint64_t key[2];
    int64_t value = jotto_at_once(work->search, set, n, left, guess);
    if (value != INFINITE_COST)
        return value;
    jotto_set_key(work, set, n, left, past, key);
    return jotto_solve_set(work, set, n, left, limit, past, key, guess);
}

static int start(task *work, jotto_search *search)
{
    const jotto_game *game = search->game;
    size_t guesses = (size_t)game->guesses, levels = game->uniform ? 1 : MOST_LEVELS;
    memset(work, 0, sizeof *work);
    work->search = search;
    work->stride = (guesses + 63) / 64 * 64;
    work->counts = jotto_alloc(work, levels * (size_t)game->uses * work->stride * sizeof *work->counts);
    work->parts = jotto_alloc(work, levels * guesses);
    work->bound = jotto_alloc(work, ((size_t)game->secrets + 1) * sizeof *work->bound);
    return !work->aborted;
}

static void finish(task *work)
{
    jotto_small_free(work->small);
    jotto_scratch_free(work);
}

static history as_history(const int32_t *played, int32_t turns)
{
    history past = {{0}, turns < HISTORY ? turns : HISTORY};
    memcpy(past.guesses, played, (size_t)past.turns * sizeof *played);
    return past;
}

JOTTO_API void jotto_search_free(jotto_search *search)
{
    if (!search)
        return;
    jotto_memo_free(search->memo);
    free(search->hash);
    free(search->estimate);
    free(search);
}

/* `miss` turns are added for a secret not found within the turns allowed; `width` guesses are tried per set (0: all),
 * all of them for sets of at most `full` (where members have to be missed, of at most FEWEST), and up to `patience`
 * more until a tree is found that misses none; `reach` is that of an earlier search of the same game, or null. Returns
 * null when memory is short. `game` and `stop` must outlive the search. */
JOTTO_API jotto_search *jotto_search_new(const jotto_game *game, int64_t miss, int32_t width, int32_t full,
                                         int32_t patience, int64_t memo_bytes, const volatile int32_t *stop,
                                         const int64_t *reach)
{
    jotto_search *search = calloc(1, sizeof *search);
    size_t secrets = (size_t)game->secrets;
    if (!search)
        return NULL;
    search->game = game;
    search->miss = miss;
    search->width = width;
    search->full = full;
    search->patience = patience;
    search->stop = stop;
    search->memo = jotto_memo_new((size_t)memo_bytes);
    search->hash = malloc(secrets * sizeof *search->hash);
    search->estimate = malloc((secrets + 1) * sizeof *search->estimate);
    if (reach) {
        memcpy(search->reach, reach, sizeof search->reach);
    } else {
        task work;
        reach = start(&work, search) && jotto_measure_reach(&work) ? search->reach : NULL;
        finish(&work);
    }
    if (!search->memo || !search->hash || !search->estimate || !reach) {
        jotto_search_free(search);
        return NULL;
    }
    for (uint64_t s = 0; s < secrets; s++)
        for (uint64_t half = 0; half < 2; half++)
            search->hash[s][half] = jotto_scramble(jotto_scramble(s * 2 + half) + half);
    for (size_t size = 0; size <= secrets; size++)
        search->estimate[size] = (int32_t)(size ? UNIT * (2 * size - 1) : 0);
    return search;
}

/* Sets what a set of each size is thought to cost, in 1/256 turns: [secrets + 1]. */
JOTTO_API void jotto_search_estimate(jotto_search *search, const int32_t *estimate)
{
    memcpy(search->estimate, estimate, ((size_t)search->game->secrets + 1) * sizeof *estimate);
}

JOTTO_API void jotto_search_reach(const jotto_search *search, int64_t *reach)
{
    memcpy(reach, search->reach, sizeof search->reach);
}

JOTTO_API void jotto_search_sizes(const jotto_search *search, int32_t most, double *sums, int64_t *numbers)
{
    jotto_memo_sizes(search->memo, most, sums, numbers);
}

/* The cost of a set, exact (or the beam's best) below `limit`, else a bound that is not below it, or -1 when stopped,
 * -2 when memory is short; `*guess` is the guess to ask, -1 where none beats the limit. */
JOTTO_API int64_t jotto_solve(jotto_search *search, const int32_t *set, int32_t n, int32_t left, int64_t limit,
                              const int32_t *played, int32_t turns, int32_t *guess)
{
    task work;
    history past = as_history(played, turns);
    int64_t value = -SHORT_OF_MEMORY;
    *guess = -1;
    if (start(&work, search)) {
        value = solve(&work, set, n, left, limit, &past, guess);
        if (work.aborted) /* what was found so far may be too low: its last parts were left out */
            value = -work.aborted;
    }
    finish(&work);
    return value;
}

/* The cost of asking `guess` at a set, in the same terms; with `bounds_only` a lower bound, looking two guesses ahead.
 * */
JOTTO_API int64_t jotto_try(jotto_search *search, const int32_t *set, int32_t n, int32_t left, int32_t guess,
                            int64_t limit, const int32_t *played, int32_t turns, int32_t bounds_only)
{
    task work;
    history past = as_history(played, turns);
    int64_t value = -SHORT_OF_MEMORY;
    int32_t *bound;
    if (start(&work, search) && (bound = jotto_alloc(&work, ((size_t)n + 1) * sizeof *bound))) {
        jotto_fill_bound(search->reach, left - 1, search->miss, n, work.bound);
        memcpy(bound, work.bound, ((size_t)n + 1) * sizeof *bound);
        value = jotto_try_guess(&work, set, n, left, guess, limit, &past, bound, bounds_only);
        if (work.aborted)
            value = -work.aborted;
    }
    finish(&work);
    return value;
}

/* Bounds and estimates of all guesses at a set: those worth trying into `guesses`, returns how many; -2 when memory
 * is short. */
JOTTO_API int32_t jotto_scan(jotto_search *search, const int32_t *set, int32_t n, int32_t left, const int32_t *played,
                             int32_t turns, int32_t *guesses, int64_t *lows, int64_t *keys)
{
    task work;
    history past = as_history(played, turns);
    trial *trials = NULL;
    int found = -SHORT_OF_MEMORY;
    int64_t least;
    if (start(&work, search)) {
        found = jotto_scan_guesses(&work, set, n, left, INFINITE_COST, &past, &trials, &least);
        heap_up(trials, found);
        for (int i = 0, size = found; i < found; i++) {
            trial next = take(trials, &size);
            guesses[i] = next.guess;
            lows[i] = next.low;
            keys[i] = next.key;
        }
        if (work.aborted)
            found = -work.aborted;
    }
    finish(&work);
    return found;
}
