/* Tree search: the fewest turns, summed over a set of secrets, by branch and bound; a beam when `width` is set. */
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

/* Whether a beam may leave guesses out at a set of so many members. */
static int is_narrow(const jotto_search *search, int n)
{
    return search->width && n > (search->full < FEWEST ? search->full : FEWEST);
}

/* In a beam the guesses tried are part of the outcome: where they hang on the past, so does the key. */
static uint64_t mark_of(const jotto_search *search, int n, const history *past)
{
    uint64_t mark = 0;
    if (is_narrow(search, n) && jotto_minds_past(search->game, n, past))
        for (int i = 0; i < past->turns; i++)
            mark += jotto_scramble((uint64_t)past->guesses[i] + 1);
    return mark;
}

void jotto_set_key(const task *work, const int32_t *set, int n, int left, const history *past, uint64_t key[2])
{
    const jotto_search *search = work->search;
    uint64_t mark = mark_of(search, n, past);
    int hopeful = work->hopeful && left < n;
    left = left < n ? left : JOTTO_MOST_LEFT; /* n turns are enough for n secrets, so the cap plays no part */
    key[0] = jotto_scramble(mark + (uint64_t)(left + 1 + 100 * hopeful));
    key[1] = jotto_scramble(mark + (uint64_t)(left + 1000 + 100 * hopeful));
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

/* A number for the partition a guess makes, whatever the order of the parts; a won secret tells partitions apart. */
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

/* Puts those guesses first that tell most parts apart, weighs their parts, and keeps no others: for a beam. */
static int shortlist(task *work, const int32_t *set, int n, int left, trial *trials, int found, int wanted)
{
    trial best[SHORTLIST];
    int kept = 0;
    wanted = wanted < SHORTLIST ? wanted : SHORTLIST;
    heap_up(trials, found);
    while (kept < wanted && found) {
        best[kept] = take(trials, &found);
        jotto_rank(work, set, n, left, best[kept].guess, work->bound, &best[kept].low, &best[kept].key);
        best[kept++].ranked = 1;
    }
    memcpy(trials, best, (size_t)kept * sizeof *best);
    return kept;
}

/* Where there is a cap, a beam first hopes to miss no member of a set, going beyond its width until it finds such a
 * tree; it counts misses only where that fails. Returns ENDLESS then. */
static int64_t hope(task *work, const int32_t *set, int n, int left, const history *past, int32_t *guess)
{
    int64_t whole = left * jotto_weight_of(work->search->game, set, n), value;
    uint64_t key[2];
    if (work->search->miss <= whole)
        return ENDLESS;
    work->hopeful = 1;
    jotto_set_key(work, set, n, left, past, key);
    value = jotto_solve_untold(work, set, n, left, whole + 1, past, key, guess);
    work->hopeful = 0;
    return value <= whole && !work->aborted ? value : ENDLESS;
}

static int64_t search_set(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          const uint64_t key[2], int32_t *guess)
{
    const jotto_search *search = work->search;
    trial *trials = NULL;
    int64_t least, best = limit;
    int capped = is_narrow(search, n) && left < n, hoping = capped && work->hopeful;
    /* Larger sets are searched whole only for trees that miss nobody: of the others there are too many. */
    int width = n > search->full || (capped && !hoping) ? search->width : 0, tried = 0;
    int persistent = hoping && width ? search->patience + width : 0;
    if (capped && !hoping) {
        int64_t value = hope(work, set, n, left, past, guess);
        if (value != ENDLESS) {
            jotto_keep(work, key, n, value, value, *guess);
            return value;
        }
    } else if (hoping) {
        /* The same limit for every caller, so that the outcome does not hang on the order of work. */
        best = limit = left * jotto_weight_of(search->game, set, n) + 1;
    }
    if (!width && (!search->width || n > FEWEST) && jotto_is_small(work, n, left, limit, past)) {
        best = jotto_solve_small(work, set, n, left, limit, past, guess);
        best = hoping && *guess < 0 ? search->miss : best; /* a tree that misses no member costs less */
        if (*guess >= 0 || best >= limit || work->aborted) {
            jotto_keep(work, key, n, best, *guess >= 0 ? best : -1, *guess);
            return best;
        }
        best = limit;
    }
    /* A beam tries the same guesses whatever the limit, so that its outcome does not hang on the order of work. */
    taken here = jotto_here(work);
    int found = jotto_look(work, set, n, left, width ? ENDLESS : limit, past, &trials, &least);
    size_t slots = 16;
    *guess = -1;
    if (!found || least >= limit) {
        least = least < limit ? limit : least; /* no guess left below the limit, whatever the first look said */
        least = hoping && least < search->miss ? search->miss : least;
        jotto_keep(work, key, n, least, -1, -1);
        jotto_back_to(work, here);
        return least;
    }
    if (width && !trials[0].ranked)
        found = shortlist(work, set, n, left, trials, found, persistent ? persistent : 4 * width);
    while (slots < 2 * (size_t)found)
        slots *= 2;
    uint64_t *seen = jotto_take(work, slots * sizeof *seen);
    int32_t *bound = jotto_take(work, ((size_t)n + 1) * sizeof *bound);
    if (seen && bound) {
        memset(seen, 0, slots * sizeof *seen);
        memcpy(bound, work->bound, ((size_t)n + 1) * sizeof *bound); /* deeper sets write over it */
        heap_up(trials, found);
    }
    while (found && best > least && !work->aborted
           && (!width || tried < width || (*guess < 0 && tried < persistent))) {
        int unranked = !trials[0].ranked;
        if (unranked) {
            if (trials[0].low >= best)
                break; /* they come in the order of their bounds */
            jotto_rank(work, set, n, left, trials[0].guess, bound, &trials[0].low, &trials[0].key);
            trials[0].key = trials[0].low;
            trials[0].ranked = 1;
            if (trials[0].low < best) {
                sift(trials, found, 0);
                continue;
            }
        }
        trial next = take(trials, &found);
        tried++;
        if (next.low >= best || !is_new(seen, slots, signature(search, set, n, next.guess)))
            continue;
        int64_t value = jotto_try_guess(work, set, n, left, next.guess, best, past, bound, 0);
        if (value < best) {
            best = value;
            *guess = next.guess;
        }
        if (search->stop && *search->stop && !work->aborted)
            work->aborted = STOPPED;
    }
    if (hoping && *guess < 0)
        best = search->miss;
    jotto_keep(work, key, n, best, *guess >= 0 ? best : -1, *guess);
    jotto_back_to(work, here);
    return best;
}

int64_t jotto_solve_untold(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
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
    if (value != ENDLESS)
        return value;
    jotto_set_key(work, set, n, left, past, key);
    return jotto_solve_untold(work, set, n, left, limit, past, key, guess);
}

static int start(task *work, jotto_search *search)
{
    const jotto_game *game = search->game;
    size_t guesses = (size_t)game->guesses;
    memset(work, 0, sizeof *work);
    work->search = search;
    work->stride = (guesses + 63) / 64 * 64;
    work->counts = malloc((game->uniform ? 1 : MOST_LEVELS) * (size_t)game->uses * work->stride * sizeof *work->counts);
    work->masks = malloc(guesses * sizeof *work->masks);
    work->parts = malloc(guesses);
    work->bound = malloc(((size_t)game->secrets + 1) * sizeof *work->bound);
    return work->counts && work->masks && work->parts && work->bound;
}

static void finish(task *work)
{
    free(work->counts);
    free(work->masks);
    free(work->parts);
    free(work->bound);
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
 * all of them for sets of at most `full` (where members have to be missed, of at most FEWEST), and up to `patience` more
 * until a tree is found that misses none; null when memory is short. `game` and `stop` must outlive the search. */
JOTTO_API jotto_search *jotto_search_new(const jotto_game *game, int64_t miss, int32_t width, int32_t full,
                                         int32_t patience, int64_t memo_bytes, const volatile int32_t *stop)
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
    search->estimate = malloc(HURRIED * (secrets + 1) * sizeof *search->estimate);
    if (!search->memo || !search->hash || !search->estimate || !jotto_measure_reach(search)) {
        jotto_search_free(search);
        return NULL;
    }
    for (uint64_t s = 0; s < secrets; s++)
        for (uint64_t half = 0; half < 2; half++)
            search->hash[s][half] = jotto_scramble(jotto_scramble(s * 2 + half) + half);
    for (size_t i = 0; i < HURRIED * (secrets + 1); i++)
        search->estimate[i] = (int32_t)(i % (secrets + 1) ? UNIT * (2 * (i % (secrets + 1)) - 1) : 0);
    return search;
}

/* Sets what a set of each size is thought to cost, in 1/256 turns: [HURRIED][secrets + 1], row d for sets with d turns
 * left of which none may be missed, row 0 for all others. */
JOTTO_API void jotto_search_estimate(jotto_search *search, const int32_t *estimate)
{
    memcpy(search->estimate, estimate, HURRIED * ((size_t)search->game->secrets + 1) * sizeof *estimate);
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

/* The cost of asking `guess` at a set, in the same terms; with `deep` only a bound from two looks ahead. */
JOTTO_API int64_t jotto_try(jotto_search *search, const int32_t *set, int32_t n, int32_t left, int32_t guess,
                            int64_t limit, const int32_t *played, int32_t turns, int32_t deep)
{
    task work;
    history past = as_history(played, turns);
    int64_t value = -SHORT_OF_MEMORY;
    int32_t *bound;
    if (start(&work, search) && (bound = jotto_take(&work, ((size_t)n + 1) * sizeof *bound))) {
        jotto_fill_bound(search->reach, left - 1, search->miss, n, work.bound);
        memcpy(bound, work.bound, ((size_t)n + 1) * sizeof *bound);
        value = jotto_try_guess(&work, set, n, left, guess, limit, &past, bound, deep);
        if (work.aborted)
            value = -work.aborted;
    }
    finish(&work);
    return value;
}

/* Bounds and estimates of all guesses at a set: guesses worth a look into `guesses`, returns how many; -2 when memory
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
        found = jotto_look(&work, set, n, left, ENDLESS, &past, &trials, &least);
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
