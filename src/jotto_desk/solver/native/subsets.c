/* What is known of the subsets of a small set. */
#include "small.h"

#include <limits.h>
#include <string.h>

int jotto_listed(const jotto_small *small, uint64_t set, int32_t *list)
{
    int n = 0;
    for (; set; set &= set - 1)
        list[n++] = small->members[__builtin_ctzll(set)];
    return n;
}

static void make_classes(jotto_small *small, int32_t guess, uint64_t *classes)
{
    const jotto_game *game = small->work->search->game;
    const uint8_t *row = game->rows + (size_t)guess * (size_t)game->secrets;
    memset(classes, 0, (size_t)small->pad * sizeof *classes);
    for (int i = 0; i < small->n; i++)
        classes[small->places[row[small->members[i]]]] |= UINT64_C(1) << i;
    small->made[guess] = small->round;
}

const uint64_t *jotto_classes(jotto_small *small, int32_t guess)
{
    uint64_t *classes = small->classes + (size_t)guess * (size_t)small->pad;
    if (small->made[guess] != small->round)
        make_classes(small, guess, classes);
    return classes;
}

/* How many parts the set falls into, the winning one counted. */
JOTTO_CLONES
static int count_classes(const uint64_t *classes, int pad, uint64_t set)
{
    int parts = 0;
    for (int k = 0; k < pad; k++)
        parts += (classes[k] & set) != 0;
    return parts;
}

/* The most parts any member makes. */
static int most_by_members(jotto_small *small, uint64_t set, int n)
{
    int most = 0;
    for (uint64_t rest = set; rest && most < n; rest &= rest - 1) {
        int32_t guess = small->members[__builtin_ctzll(rest)];
        int parts = count_classes(jotto_classes(small, guess), small->pad, set);
        most = parts > most ? parts : most;
    }
    return most;
}

static int weight_at(const jotto_small *small, int member)
{
    return small->work->search->game->weights[small->members[member]];
}

/* A member separates the others (it is found in the first turn, they in the second), or the lightest takes a third. */
int jotto_cost_of_three(const jotto_small *small, uint64_t set)
{
    int a = __builtin_ctzll(set), b = __builtin_ctzll(set & (set - 1)), c = 63 - __builtin_clzll(set);
    int heavy = weight_at(small, a), middle = weight_at(small, b), light = weight_at(small, c), saved = heavy - light;
    if (small->codes[a][b] != small->codes[a][c])
        saved = heavy;
    else if (middle > saved && small->codes[b][a] != small->codes[b][c])
        saved = middle;
    else if (light > saved && small->codes[c][a] != small->codes[c][b])
        saved = light;
    return 2 * (heavy + middle + light) - saved;
}

known jotto_note(const jotto_small *small, uint64_t set, int left, int64_t least, int exact)
{
    int64_t most = small->capped ? MISSED_COST : small->plain ? most_cost_within(left) : INT32_MAX;
    int fits = least < most;
    known entry = {set, round_of(small, left), (uint32_t)(fits ? least : most), exact && fits ? EXACT : BY_GUESSES, 0};
    if (small->capped && !fits)
        entry.state = EXACT;
    if (!small->work->aborted)
        *slot_of(small, set, left) = entry;
    return entry;
}

/* What the set costs if this member is asked, which leaves one pair together. */
static int cost_with_pair(jotto_small *small, uint64_t set, int member, int twice)
{
    const uint64_t *classes = jotto_classes(small, small->members[member]);
    uint64_t pair = 0;
    for (int k = 0; k < small->pad; k++)
        if (__builtin_popcountll(classes[k] & set) == 2)
            pair = classes[k] & set;
    return twice - weight_at(small, member) + weight_at(small, 63 - __builtin_clzll(pair));
}

/* The same as jotto_bound_by_members for members that differ in weight: asking one that makes p of n parts, the n - p
 * lightest take a third turn at best. Exact where the best member leaves at most a pair. */
static known bound_by_weights(jotto_small *small, uint64_t set, int n, int left)
{
    int lighter[MOST_MEMBERS + 1] = {0}, twice = 2 * jotto_weigh(small, set, NULL), least = twice, cost = INT_MAX, k = 0;
    for (uint64_t rest = set; rest; rest &= ~(UINT64_C(1) << (63 - __builtin_clzll(rest))), k++)
        lighter[k + 1] = lighter[k] + weight_at(small, 63 - __builtin_clzll(rest));
    for (uint64_t rest = set; rest; rest &= rest - 1) {
        int member = __builtin_ctzll(rest), weight = weight_at(small, member), value = INT_MAX, parts;
        if (twice - weight >= cost || twice - weight > least) /* nor can lighter ones cost less */
            break;
        parts = count_classes(jotto_classes(small, small->members[member]), small->pad, set);
        if (parts >= n - 1)
            value = parts == n ? twice - weight : cost_with_pair(small, set, member, twice);
        cost = value < cost ? value : cost;
        if (twice - weight + lighter[n - parts] < least)
            least = twice - weight + lighter[n - parts];
    }
    known fresh = {set, round_of(small, left), (uint32_t)least, cost <= least ? EXACT : BY_MEMBERS, 0};
    return fresh;
}

/* Exact where a member leaves at most two others together: 2 n - 1, or 2 n. */
known jotto_bound_by_members(jotto_small *small, uint64_t set, int n, int left)
{
    known entry = *slot_of(small, set, left);
    if (entry.round == round_of(small, left) && entry.set == set)
        return entry;
    if (small->plain) {
        int own = most_by_members(small, set, n);
        int enough = small->capped && left == 2 ? n : n - 1;
        known fresh = {set, round_of(small, left), (uint32_t)(own == n ? 2 * n - 1 : 2 * n),
                       own >= enough ? EXACT : BY_MEMBERS, (uint8_t)own};
        entry = fresh;
    } else
        entry = bound_by_weights(small, set, n, left);
    *slot_of(small, set, left) = entry;
    return entry;
}

/* The most parts any guess makes. */
static int most_by_any(jotto_small *small, const int32_t *list, int n)
{
    const jotto_game *game = small->work->search->game;
    jotto_count_parts(game, list, n, small->work->parts);
    return jotto_highest(small->work->parts, game->guesses);
}

int jotto_recall(const jotto_small *small, const int32_t *list, int n, int left, jotto_entry *entry)
{
    if (n < SHARED)
        return 0;
    jotto_set_key(small->work, list, n, left, &small->past, entry->key);
    return jotto_memo_get(small->work->search->memo, entry->key, entry);
}

known jotto_bound_by_guesses(jotto_small *small, uint64_t set, int n, int left, int own)
{
    task *work = small->work;
    int32_t list[MOST_MEMBERS];
    jotto_entry shared = {{0, 0}, 0, -1, -1, n};
    int exact = 0;
    jotto_listed(small, set, list);
    if (small->capped && left == 2) /* one guess has to separate the set, and no member does */
        return jotto_note(small, set, left, most_by_any(small, list, n) == n ? 2 * n : MISSED_COST, 1);
    if (jotto_recall(small, list, n, left, &shared))
        return jotto_note(small, set, left, shared.value >= 0 ? shared.value : shared.low, shared.value >= 0);
    if (n <= SHORT && small->plain) { /* exact where at most two are left together */
        int most = most_by_any(small, list, n);
        exact = most >= n - 1;
        shared.low = parted_cost(n, most, own);
    } else
        jotto_scan_guesses(work, list, n, left, 0, &small->past, NULL, &shared.low);
    if (n >= SHARED && !work->aborted)
        jotto_memo_put(work->search->memo, &shared);
    return jotto_note(small, set, left, shared.low, exact);
}
