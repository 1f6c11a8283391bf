/* What a guess costs at a set: the parts its answers leave, what is known of each, and who has to be searched. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* A part is thought to cost this much above its bound, at least, in turns per member. */
#define LEAST_WAY 0.02

/* Whether a guess tells all members of the set apart. */
static int tells_all(const jotto_game *game, const int32_t *set, int n, int32_t guess)
{
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    uint64_t met[JOTTO_MOST_CODES / 64] = {0}, few = 0;
    for (int i = 0; game->codes <= 64 && i < n; i++) {
        uint64_t bit = UINT64_C(1) << row[set[i]];
        if (few & bit)
            return 0;
        few |= bit;
    }
    for (int i = 0; game->codes > 64 && i < n; i++) {
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
        return ENDLESS;
    for (int i = 0; i < n; i++) {
        if (weights[set[i]] < weights[set[0]] - weights[set[n - 1]])
            break;
        if (tells_all(game, set, n, set[i])) {
            *guess = set[i];
            return 2 * jotto_weight_of(game, set, n) - weights[set[i]];
        }
    }
    return ENDLESS;
}

/* A bound of a set from one look at all guesses, remembered; no member tells all others apart. */
static int64_t look(task *work, const int32_t *set, int n, int left, const history *past, const uint64_t key[2])
{
    jotto_entry known;
    int64_t low;
    if (jotto_memo_get(work->search->memo, key, &known))
        return known.value >= 0 ? known.value : known.low;
    jotto_look(work, set, n, left, 0, past, NULL, &low);
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

/* What a set costs at least in which no member tells all others apart. */
static int64_t untold_cost(const jotto_game *game, const int32_t *set, int n)
{
    return 2 * jotto_weight_of(game, set, n) - game->weights[set[0]] + game->weights[set[n - 1]];
}

static int64_t known_bound(const jotto_search *search, const uint64_t key[2])
{
    jotto_entry known;
    if (!jotto_memo_get(search->memo, key, &known))
        return 0;
    return known.value >= 0 ? known.value : known.low;
}

/* Searches the parts in turn, each as far as the others leave room: for a beam, whose sets are searched to their end
 * anyway. The smallest come first, as they cost least; while none may be missed the largest, as those fail most. */
static int64_t search_in_turn(task *work, const int32_t *sorted, part *parts, int open, int left, int64_t total,
                              int64_t limit, const history *next)
{
    for (int turn = 0; turn < open && total < limit && !work->aborted; turn++) {
        int i = work->hopeful ? open - 1 - turn : turn;
        int32_t unused;
        total += jotto_solve_untold(work, sorted + parts[i].from, parts[i].size, left - 1,
                                    limit - (total - parts[i].low), next, parts[i].key, &unused) - parts[i].low;
    }
    return total;
}

/* Raises the bounds of the parts until they add up to the limit or all are exact. Much asked of one part costs far more
 * than a little asked of each, so each is asked for an equal share of the way to what it is thought to cost. */
static int64_t share_out(task *work, const int32_t *sorted, part *parts, int open, int left, int64_t total,
                         int64_t limit, const history *next)
{
    const int32_t *estimate = work->search->estimate;
    while (open && total < limit && !work->aborted) {
        double ways[JOTTO_MOST_CODES], whole = 0;
        int still = 0;
        for (int i = 0; i < open; i++) {
            double weight = (double)jotto_weight_of(work->search->game, sorted + parts[i].from, parts[i].size);
            double way = weight * estimate[parts[i].size] / UNIT / parts[i].size - (double)parts[i].low;
            ways[i] = way > LEAST_WAY * weight ? way : LEAST_WAY * weight;
            whole += ways[i];
        }
        for (int i = 0; i < open && total < limit && !work->aborted; i++) {
            int64_t slack = limit - total, wish = slack, value;
            int32_t unused;
            if ((double)slack < whole)
                wish = 1 + (int64_t)((double)slack / whole * ways[i]);
            wish = wish < slack ? wish : slack;
            whole -= ways[i];
            value = jotto_solve_untold(work, sorted + parts[i].from, parts[i].size, left - 1, parts[i].low + wish, next,
                                       parts[i].key, &unused);
            total += value - parts[i].low;
            if (value >= parts[i].low + wish) { /* a bound; else it is exact */
                parts[still] = parts[i];
                parts[still++].low = value;
            }
        }
        open = still;
    }
    return total;
}

/* Sharpens the bounds of the parts until they add up to the limit: by what is known, by looking, by searching. */
int64_t jotto_try_guess(task *work, const int32_t *set, int n, int left, int32_t guess, int64_t limit,
                        const history *past, const int32_t *bound, int deep)
{
    const jotto_search *search = work->search;
    const jotto_game *game = search->game;
    taken here = jotto_here(work);
    int32_t *sorted = jotto_take(work, (size_t)n * sizeof *sorted);
    part parts[JOTTO_MOST_CODES];
    int count = 0, open = 0;
    int64_t total = jotto_weight_of(game, set, n);
    history next = {{0}, HISTORY};
    if (past->turns < HISTORY - 1) {
        next = *past;
        next.guesses[next.turns++] = guess;
    }
    if (!sorted)
        return limit;
    count = split(game, set, n, guess, sorted, parts);
    for (int i = 0; i < count; i++) {
        int32_t unused;
        int64_t low = jotto_at_once(search, sorted + parts[i].from, parts[i].size, left - 1, &unused);
        if (low == ENDLESS) {
            int64_t untold = untold_cost(game, sorted + parts[i].from, parts[i].size);
            low = least_cost(game, sorted + parts[i].from, parts[i].size, bound);
            low = low > untold ? low : untold;
            parts[open] = parts[i];
            parts[open].low = low;
            jotto_set_key(work, sorted + parts[i].from, parts[i].size, left - 1, &next, parts[open].key);
            open++;
        }
        total += low;
    }
    qsort(parts, (size_t)open, sizeof *parts, by_size);
    /* First what is known already, then one look at each: both cost less than any search. */
    for (int looking = 0; looking < 2 && (!search->width || deep); looking++)
        for (int i = 0; i < open && total < limit; i++) {
            int64_t low = looking ? look(work, sorted + parts[i].from, parts[i].size, left - 1, &next, parts[i].key)
                                  : known_bound(search, parts[i].key);
            if (low > parts[i].low) {
                total += low - parts[i].low;
                parts[i].low = low;
            }
        }
    if (total < limit && !deep)
        total = (search->width ? search_in_turn : share_out)(work, sorted, parts, open, left, total, limit, &next);
    jotto_back_to(work, here);
    return total;
}
