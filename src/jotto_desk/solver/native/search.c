/* Tree search: the fewest turns, summed over a set of secrets, by branch and bound; a beam when `width` is set.
 *
 * `reach[d]` bounds how many members of one set can be found in d turns: reach[0] = 0, reach[1] = 1 and
 * reach[d + 1] = 1 + the most, over all guesses, of the sum over the parts of min(size, reach[d]). It holds for every
 * subset as well, so a set of n costs at least the sum over d of max(0, n - reach[d]): the bound used everywhere here.
 * Worked out anew for a set and its own partitions it becomes sharper. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define ENDLESS INT64_C(0x3fffffffffffffff)
#define SHORT 48 /* sets up to here are looked at through masks */
#define FEW 64   /* sets up to here lie on the stack */
#define HISTORY 8
#define UNIT 256 /* estimates are in 1/256 turns */

typedef struct {
    const jotto_game *game;
    jotto_memo *memo;
    int64_t miss;
    int32_t width, full;
    const volatile int32_t *stop;
    uint64_t (*hash)[2];
    int32_t *estimate; /* [secrets + 1] */
    int32_t *everything;
    int64_t reach[JOTTO_MOST_LEFT + 2];
} jotto_search;

/* A guess to try: its bound, its estimate, and whether they come from the sizes of its parts or only their number. */
typedef struct {
    int64_t low, key;
    int32_t guess, ranked;
} trial;

/* What one thread works with. */
typedef struct {
    jotto_search *search;
    uint16_t *counts;
    uint64_t *masks;
    uint8_t *parts;
    int32_t *bound; /* [secrets + 1], the bound of parts by size, for the set looked at last */
    int aborted;
} task;

typedef struct {
    int32_t guesses[HISTORY];
    int32_t turns;
} history;

static int64_t solve(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                     int32_t *guess);

/* The best cost of a set of size n, all of weight 1, given how far d turns can reach. */
static void fill_bound(const int64_t *reach, int left, int64_t miss, int n, int32_t *bound)
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

static int64_t weight_of(const jotto_game *game, const int32_t *set, int n)
{
    int64_t sum = 0;
    if (game->uniform)
        return n;
    for (int i = 0; i < n; i++)
        sum += game->weights[set[i]];
    return sum;
}

static void key_of(const jotto_search *search, const int32_t *set, int n, int left, uint64_t key[2])
{
    key[0] = jotto_scramble((uint64_t)left + 1);
    key[1] = jotto_scramble((uint64_t)left + 1000);
    for (int i = 0; i < n; i++) {
        key[0] ^= search->hash[set[i]][0];
        key[1] ^= search->hash[set[i]][1];
    }
}

static void keep(task *work, const uint64_t key[2], int n, int64_t low, int64_t value, int32_t guess)
{
    jotto_entry entry = {{key[0], key[1]}, low, value, guess, n};
    if (!work->aborted)
        jotto_memo_put(work->search->memo, &entry);
}

/* Whether a guess tells all members of the set apart. */
static int tells_all(const jotto_game *game, const int32_t *set, int n, int32_t guess)
{
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    uint64_t met[JOTTO_MOST_CODES / 64] = {0};
    for (int i = 0; i < n; i++) {
        uint8_t code = row[set[i]];
        if (met[code >> 6] >> (code & 63) & 1)
            return 0;
        met[code >> 6] |= UINT64_C(1) << (code & 63);
    }
    return 1;
}

/* The cost of sets that need no search: none, one or two members, no turns left, or a member that tells all others
 * apart (then no other guess can do better, equal weights given; else the heaviest such member must not weigh less
 * than the alternatives could save). Returns ENDLESS when it has to be searched. */
static int64_t at_once(const jotto_search *search, const int32_t *set, int n, int left, int32_t *guess)
{
    const jotto_game *game = search->game;
    const int32_t *weights = game->weights;
    *guess = n ? set[0] : -1;
    if (n == 0)
        return 0;
    if (left <= 0)
        return search->miss * weight_of(game, set, n);
    if (n == 1)
        return weights[set[0]];
    if (left == 1)
        return weights[set[0]] + (1 + search->miss) * (weight_of(game, set, n) - weights[set[0]]);
    if (n == 2)
        return weights[set[0]] + 2 * (int64_t)weights[set[1]];
    if (n > game->codes)
        return ENDLESS;
    for (int i = 0; i < n; i++) {
        if (weights[set[i]] < weights[set[0]] - weights[set[n - 1]])
            break;
        if (tells_all(game, set, n, set[i])) {
            *guess = set[i];
            return 2 * weight_of(game, set, n) - weights[set[i]];
        }
    }
    return ENDLESS;
}

/* Lists the guesses worth a look at this set. */
static int guesses_for(const jotto_search *search, int n, const history *past, int32_t *list)
{
    const jotto_game *game = search->game;
    if (game->letters && past && past->turns <= 3 && n > SHORT)
        return jotto_representatives(game, past->guesses, past->turns, list);
    for (int g = 0; g < game->guesses; g++)
        list[g] = g;
    return game->guesses;
}

/* Bound and estimate of a guess, member by member: for weights, and for games with many codes. */
static void rank(const jotto_search *search, const int32_t *set, int n, int32_t guess, const int32_t *bound,
                 int64_t *low, int64_t *key)
{
    const jotto_game *game = search->game;
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    const int32_t *estimate = search->estimate;
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
    *low = met[row[set[0]]] == n ? ENDLESS : all + lowest; /* a guess that parts nothing is of no use */
    *key = all * UNIT + likely;
}

/* The same from counts, all weights being 1. */
static void rank_counts(const jotto_search *search, const uint16_t *counts, int n, const int32_t *bound, int64_t *low,
                        int64_t *key)
{
    const jotto_game *game = search->game;
    int64_t lowest = 0, likely = 0;
    for (int code = 0; code < game->codes - 1; code++) { /* the winning code is the last */
        lowest += bound[counts[code]];
        likely += search->estimate[counts[code]];
    }
    *low = n + lowest;
    *key = (int64_t)n * UNIT + likely;
}

JOTTO_CLONES
static int64_t most_within(const uint16_t *counts, int m, int wide, int win, int64_t reach)
{
    uint16_t most = (uint16_t)(reach > UINT16_MAX ? UINT16_MAX : reach);
    int64_t best = 0;
    for (int k = 0; k < m; k++) {
        const uint16_t *row = counts + (size_t)k * (size_t)wide;
        int32_t sum = 0;
        for (int code = 0; code < wide; code++)
            sum += row[code] < most ? row[code] : most;
        sum -= row[win] < most ? row[win] : most;
        best = sum > best ? sum : best;
    }
    return best;
}

/* How far d turns reach within a set, from the sizes of its parts under every guess. */
static void reach_of(const jotto_game *game, const uint16_t *counts, int m, int wide, int n, int64_t *reach)
{
    reach[0] = 0;
    reach[1] = 1;
    for (int d = 1; d <= JOTTO_MOST_LEFT; d++)
        reach[d + 1] = reach[d] >= n ? n : 1 + most_within(counts, m, wide, game->win, reach[d]);
}

/* Looks at every guess: fills `trials` with those whose bound is below `limit`, returns how many; `*least` is a bound
 * of the whole set. `trials` may be null where only the bound is wanted. */
static int scan_short(task *work, const int32_t *set, int n, int left, int64_t limit, trial *trials, int64_t *least)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    int64_t prefix[FEW + 1] = {0}, reach[JOTTO_MOST_LEFT + 2], all;
    int64_t later = left > 2 ? 2 : 1 + search->miss, lowest = ENDLESS;
    int most = 0, found = 0, narrow = game->codes <= 32;
    uint32_t *short_masks = (uint32_t *)work->masks;
    for (int i = 0; i < n; i++)
        prefix[i + 1] = prefix[i] + game->weights[set[i]];
    all = prefix[n];
    if (narrow) {
        jotto_masks32(game, set, n, short_masks);
        jotto_popcounts32(short_masks, game->guesses, work->parts);
    } else {
        jotto_masks64(game, set, n, work->masks);
        jotto_popcounts64(work->masks, game->guesses, work->parts);
    }
    for (int g = 0; g < game->guesses; g++) {
        int wins = (int)((narrow ? short_masks[g] : work->masks[g]) >> game->win & 1);
        int others = work->parts[g] - wins;
        int64_t rest = wins ? all - game->weights[g] : all;
        int64_t heaviest = prefix[others] < rest ? prefix[others] : rest;
        int64_t low = all + heaviest + (rest - heaviest) * later;
        most = others > most ? others : most;
        lowest = low < lowest ? low : lowest;
        if (trials && low < limit && work->parts[g] > 1) {
            trial here = {low, low, g, 0};
            trials[found++] = here;
        }
    }
    *least = lowest;
    reach[0] = 0;
    reach[1] = 1;
    reach[2] = 1 + most;
    for (int d = 3; d <= JOTTO_MOST_LEFT + 1; d++) {
        int64_t widest = 1 + most * reach[d - 1];
        reach[d] = widest < search->reach[d] ? widest : search->reach[d];
    }
    fill_bound(reach, left - 1, search->miss, n, work->bound);
    return found;
}

static int scan_long(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                     trial *trials, int64_t *least)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    int wide = game->codes <= 32 ? 32 : 64, found = 0;
    int counted = game->codes <= JOTTO_NARROW && n <= UINT16_MAX;
    int32_t *list = malloc((size_t)game->guesses * sizeof *list);
    int m = guesses_for(search, n, past, list);
    int64_t lowest = ENDLESS;
    if (counted) {
        int64_t reach[JOTTO_MOST_LEFT + 2];
        jotto_narrow_counts(game, set, n, list, m, wide, work->counts);
        reach_of(game, work->counts, m, wide, n, reach);
        fill_bound(reach, left - 1, search->miss, n, work->bound);
    } else {
        fill_bound(search->reach, left - 1, search->miss, n, work->bound);
    }
    for (int k = 0; k < m; k++) {
        trial here = {0, 0, list[k], 1};
        const uint16_t *counts = work->counts + (size_t)k * (size_t)wide;
        if (counted && counts[game->rows[(size_t)list[k] * (size_t)game->secrets + (size_t)set[0]]] == n)
            continue; /* a guess that parts nothing is of no use */
        if (counted && game->uniform)
            rank_counts(search, counts, n, work->bound, &here.low, &here.key);
        else
            rank(search, set, n, here.guess, work->bound, &here.low, &here.key);
        lowest = here.low < lowest ? here.low : lowest;
        if (trials && here.low < limit)
            trials[found++] = here;
    }
    *least = lowest;
    free(list);
    return found;
}

static int scan(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past, trial *trials,
                int64_t *least)
{
    if (n <= SHORT && work->search->game->codes <= JOTTO_NARROW)
        return scan_short(work, set, n, left, limit, trials, least);
    return scan_long(work, set, n, left, limit, past, trials, least);
}

/* A bound of a set from one look at all guesses, remembered. */
static int64_t look(task *work, const int32_t *set, int n, int left, const history *past)
{
    uint64_t key[2];
    jotto_entry known;
    int32_t guess;
    int64_t low = at_once(work->search, set, n, left, &guess);
    if (low != ENDLESS)
        return low;
    key_of(work->search, set, n, left, key);
    if (jotto_memo_get(work->search->memo, key, &known))
        return known.value >= 0 ? known.value : known.low;
    scan(work, set, n, left, 0, past, NULL, &low);
    keep(work, key, n, low, -1, -1);
    return low;
}

typedef struct {
    int32_t from, size;
    int64_t low;
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

/* What a set costs at least in which no member tells all others apart. */
static int64_t untold_cost(const jotto_game *game, const int32_t *set, int n)
{
    return 2 * weight_of(game, set, n) - game->weights[set[0]] + game->weights[set[n - 1]];
}

/* The cost of asking `guess` now; `bound` is that of its parts by size: exact below `limit`, else some bound that is not below it. */
static int64_t try_guess(task *work, const int32_t *set, int n, int left, int32_t guess, int64_t limit,
                         const history *past, const int32_t *bound, int deep)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    int32_t small[FEW], *sorted = n > FEW ? malloc((size_t)n * sizeof *sorted) : small;
    part parts[JOTTO_MOST_CODES];
    int count = split(game, set, n, guess, sorted, parts), open = 0;
    int64_t total = weight_of(game, set, n);
    history next = {{0}, HISTORY};
    if (past && past->turns < HISTORY - 1) {
        next = *past;
        next.guesses[next.turns++] = guess;
    }
    for (int i = 0; i < count; i++) {
        int32_t unused;
        int64_t low = at_once(search, sorted + parts[i].from, parts[i].size, left - 1, &unused);
        if (low == ENDLESS) {
            int64_t untold = untold_cost(game, sorted + parts[i].from, parts[i].size);
            low = least_cost(game, sorted + parts[i].from, parts[i].size, bound);
            low = low > untold ? low : untold;
            parts[open] = parts[i];
            parts[open++].low = low;
        }
        total += low;
    }
    qsort(parts, (size_t)open, sizeof *parts, by_size);
    if (!search->width || deep)
        for (int i = 0; i < open && total < limit; i++) {
            int64_t low = look(work, sorted + parts[i].from, parts[i].size, left - 1, &next);
            if (low > parts[i].low) {
                total += low - parts[i].low;
                parts[i].low = low;
            }
        }
    for (int i = 0; i < open && total < limit && !deep && !work->aborted; i++) {
        int32_t unused;
        int64_t value = solve(work, sorted + parts[i].from, parts[i].size, left - 1, limit - (total - parts[i].low),
                              &next, &unused);
        total += value - parts[i].low;
    }
    if (sorted != small)
        free(sorted);
    return total;
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
static int shortlist(task *work, const int32_t *set, int n, trial *trials, int found, int wanted)
{
    trial best[4 * 64];
    int kept = 0;
    wanted = wanted < 4 * 64 ? wanted : 4 * 64;
    heap_up(trials, found);
    while (kept < wanted && found) {
        best[kept] = take(trials, &found);
        rank(work->search, set, n, best[kept].guess, work->bound, &best[kept].low, &best[kept].key);
        best[kept++].ranked = 1;
    }
    memcpy(trials, best, (size_t)kept * sizeof *best);
    return kept;
}

static int64_t search_set(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          const uint64_t key[2], int32_t *guess)
{
    const jotto_search *search = work->search;
    trial *trials = malloc((size_t)search->game->guesses * sizeof *trials);
    int64_t least, best = limit;
    int width = search->width && n > search->full ? search->width : 0, tried = 0;
    /* A beam tries the same guesses whatever the limit, so that its outcome does not hang on the order of work. */
    int found = scan(work, set, n, left, width ? ENDLESS : limit, past, trials, &least);
    size_t slots = 16;
    *guess = -1;
    if (!found || least >= limit) {
        least = least < limit ? limit : least; /* no guess left below the limit, whatever the first look said */
        keep(work, key, n, least, -1, -1);
        free(trials);
        return least;
    }
    if (width && !trials[0].ranked)
        found = shortlist(work, set, n, trials, found, 4 * width);
    while (slots < 2 * (size_t)found)
        slots *= 2;
    uint64_t *seen = calloc(slots, sizeof *seen);
    int32_t *bound = malloc(((size_t)n + 1) * sizeof *bound);
    memcpy(bound, work->bound, ((size_t)n + 1) * sizeof *bound); /* deeper sets write over it */
    heap_up(trials, found);
    while (found && best > least && !work->aborted && (!width || tried < width)) {
        int unranked = !trials[0].ranked;
        if (unranked) {
            if (trials[0].low >= best)
                break; /* they come in the order of their bounds */
            rank(search, set, n, trials[0].guess, bound, &trials[0].low, &trials[0].key);
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
        int64_t value = try_guess(work, set, n, left, next.guess, best, past, bound, 0);
        if (value < best) {
            best = value;
            *guess = next.guess;
        }
        if (search->stop && *search->stop)
            work->aborted = 1;
    }
    keep(work, key, n, best, *guess >= 0 ? best : -1, *guess);
    free(bound);
    free(seen);
    free(trials);
    return best;
}

static int64_t solve(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                     int32_t *guess)
{
    uint64_t key[2];
    jotto_entry known;
    int64_t value = at_once(work->search, set, n, left, guess);
    if (value != ENDLESS)
        return value;
    value = untold_cost(work->search->game, set, n);
    if (value >= limit)
        return value;
    key_of(work->search, set, n, left, key);
    if (jotto_memo_get(work->search->memo, key, &known)) {
        *guess = known.guess;
        if (known.value >= 0)
            return known.value;
        if (known.low >= limit)
            return known.low;
    }
    return search_set(work, set, n, left, limit, past, key, guess);
}

static int start(task *work, jotto_search *search)
{
    const jotto_game *game = search->game;
    size_t guesses = (size_t)game->guesses;
    memset(work, 0, sizeof *work);
    work->search = search;
    work->counts = malloc(guesses * JOTTO_NARROW * sizeof *work->counts);
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
}

static history as_history(const int32_t *played, int32_t turns)
{
    history past = {{0}, turns < HISTORY ? turns : HISTORY};
    memcpy(past.guesses, played, (size_t)past.turns * sizeof *played);
    return past;
}

/* How far d turns reach in the whole game; every partition is looked at once. */
static int measure_reach(jotto_search *search)
{
    const jotto_game *game = search->game;
    int n = game->secrets, m, wide = game->codes <= 64 ? (game->codes <= 32 ? 32 : 64) : JOTTO_MOST_CODES;
    int32_t *list = malloc((size_t)game->guesses * sizeof *list);
    history past = {{0}, 0};
    if (!list)
        return 0;
    m = guesses_for(search, INT32_MAX, &past, list);
    uint16_t *counts = calloc((size_t)m * (size_t)wide, sizeof *counts);
    if (!counts) {
        free(list);
        return 0;
    }
    for (int k = 0; k < m; k++) {
        const uint8_t *row = game->rows + (size_t)list[k] * (size_t)n;
        uint16_t *here = counts + (size_t)k * (size_t)wide;
        for (int i = 0; i < n; i++)
            here[row[i]] += here[row[i]] < UINT16_MAX;
    }
    reach_of(game, counts, m, wide, n, search->reach);
    free(counts);
    free(list);
    return 1;
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
 * all of them for sets of at most `full`; null when memory is short. `game` and `stop` must outlive the search. */
JOTTO_API jotto_search *jotto_search_new(const jotto_game *game, int64_t miss, int32_t width, int32_t full,
                                         int64_t memo_bytes, const volatile int32_t *stop)
{
    jotto_search *search = calloc(1, sizeof *search);
    size_t secrets = (size_t)game->secrets;
    if (!search)
        return NULL;
    search->game = game;
    search->miss = miss;
    search->width = width;
    search->full = full;
    search->stop = stop;
    search->memo = jotto_memo_new((size_t)memo_bytes);
    search->hash = malloc(secrets * sizeof *search->hash);
    search->estimate = malloc((secrets + 1) * sizeof *search->estimate);
    if (!search->memo || !search->hash || !search->estimate || !measure_reach(search)) {
        jotto_search_free(search);
        return NULL;
    }
    for (uint64_t s = 0; s < secrets; s++)
        for (uint64_t half = 0; half < 2; half++)
            search->hash[s][half] = jotto_scramble(jotto_scramble(s * 2 + half) + half);
    for (size_t n = 0; n <= secrets; n++)
        search->estimate[n] = (int32_t)(n ? UNIT * (2 * n - 1) : 0);
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

/* The cost of a set, exact (or the beam's best) below `limit`, else a bound that is not below it, or -1 when stopped
 * or out of memory; `*guess` is the guess to ask, -1 where none beats the limit. */
JOTTO_API int64_t jotto_solve(jotto_search *search, const int32_t *set, int32_t n, int32_t left, int64_t limit,
                              const int32_t *played, int32_t turns, int32_t *guess)
{
    task work;
    history past = as_history(played, turns);
    int64_t value = -1;
    *guess = -1;
    if (start(&work, search)) {
        value = solve(&work, set, n, left, limit, &past, guess);
        if (work.aborted && *guess < 0)
            value = -1;
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
    int64_t value = -1;
    int32_t *bound = malloc(((size_t)n + 1) * sizeof *bound);
    if (start(&work, search) && bound) {
        fill_bound(search->reach, left - 1, search->miss, n, work.bound);
        memcpy(bound, work.bound, ((size_t)n + 1) * sizeof *bound);
        value = try_guess(&work, set, n, left, guess, limit, &past, bound, deep);
        if (work.aborted)
            value = -1;
    }
    finish(&work);
    free(bound);
    return value;
}

/* Bounds and estimates of all guesses at a set: guesses worth a look into `guesses`, returns how many. */
JOTTO_API int32_t jotto_scan(jotto_search *search, const int32_t *set, int32_t n, int32_t left, const int32_t *played,
                             int32_t turns, int32_t *guesses, int64_t *lows, int64_t *keys)
{
    task work;
    history past = as_history(played, turns);
    trial *trials = malloc((size_t)search->game->guesses * sizeof *trials);
    int found = -1;
    int64_t least;
    if (start(&work, search) && trials) {
        found = scan(&work, set, n, left, ENDLESS, &past, trials, &least);
        heap_up(trials, found);
        for (int i = 0, size = found; i < found; i++) {
            trial next = take(trials, &size);
            guesses[i] = next.guess;
            lows[i] = next.low;
            keys[i] = next.key;
        }
    }
    finish(&work);
    free(trials);
    return found;
}
