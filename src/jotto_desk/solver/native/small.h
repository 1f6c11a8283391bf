/* Small sets as bits: members are numbered 0 to 63 for the time of one search, so that a set is one word, a guess parts
 * it by a handful of ANDs, and what is known about its subsets fits into a table near the processor.
 * Sets whose members differ in weight have to be so small that turns never run out. */
#ifndef JOTTO_SMALL_H
#define JOTTO_SMALL_H

#include "search.h"

#define SLOTS 16384 /* of the table of subsets */
#define LINE 8      /* classes are padded to whole vectors of words */
#define ROUND 8     /* from one round to the next: in between are the turns left */
#define MISSED_COST 30000  /* what a set costs of which some member would be missed: more than any other */
#define MOST_MEMBERS 64 /* bits of a word; what so many of the most different weights cost fits into `least` */
#define SHARED 8    /* sets from here on are looked up in the memo of the whole search, too */

/* What is known of a subset: a bound from its members as guesses, one from all guesses, or its cost. */
enum { BY_MEMBERS = 1, BY_GUESSES, EXACT };

typedef struct {
    uint64_t set;
    uint32_t round;
    uint32_t least : 22, state : 2, own : 8; /* own: the most parts a member makes, where all weigh 1 */
} known;

struct jotto_small {
    task *work;
    history past; /* before the whole set */
    int n, pad;
    int capped; /* no member may be missed: what a set costs depends on the turns left */
    int plain; /* all weights are 1 */
    int levels, falls[MOST_LEVELS]; /* where the weight of the members falls, and by how much */
    uint64_t down_to[MOST_LEVELS];  /* the members down to there */
    uint32_t round; /* an entry of a table counts only in the round that made it */
    int32_t members[MOST_MEMBERS];
    uint8_t codes[MOST_MEMBERS][MOST_MEMBERS]; /* the answers members give when members are asked */
    uint8_t places[JOTTO_MOST_CODES]; /* of codes in `used` */
    uint32_t *made; /* [guesses] the round its classes were made in */
    uint64_t *classes; /* [guesses][pad]: the members that give each answer, by its place */
    known *table; /* [SLOTS] */
};

/* Trees that cost less than this take at most `left` turns: sets shrink on every path down, so the sizes of the
 * sets along a path of left + 1 turns add up to 1 + 2 + ... + (left + 1), and a tree costs at least as much. */
static inline int64_t most_cost_within(int left)
{
    return (int64_t)(left + 1) * (left + 2) / 2;
}

/* A guess that makes p parts costs 3 n - p at least, a member 3 n - p - 1, the winning part counted: of each part
 * one is found in the second turn. `most` is the highest number any guess makes, `own` any member. */
static inline int parted_cost(int n, int most, int own)
{
    return 3 * n - (most > own + 1 ? most : own + 1);
}

/* What members cost that would cost `by_size` if each weighed 1; what they weigh where it is null. */
static inline int jotto_weigh(const jotto_small *small, uint64_t set, const int32_t *by_size)
{
    int sum = 0;
    for (int k = 0; k < small->levels; k++) {
        int size = __builtin_popcountll(set & small->down_to[k]);
        sum += small->falls[k] * (by_size ? by_size[size] : size);
    }
    return sum;
}

/* The round for entries of a set with this number of turns left, where these matter. */
static inline uint32_t round_of(const jotto_small *small, int left)
{
    return small->round + (uint32_t)(small->capped ? left < ROUND ? left : ROUND - 1 : 0);
}

static inline known *slot_of(const jotto_small *small, uint64_t set, int left)
{
    uint64_t x = set * UINT64_C(0x9e3779b97f4a7c15) ^ round_of(small, left) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return small->table + ((x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 48) % SLOTS;
}

/* The members of a set as secrets, rising; returns their number. */
int jotto_listed(const jotto_small *small, uint64_t set, int32_t *list);
/* The classes of one guess: [pad]. */
const uint64_t *jotto_classes(jotto_small *small, int32_t guess);
/* What three members cost. */
int jotto_cost_of_three(const jotto_small *small, uint64_t set);
/* What is known of a set, or its bound from the members as guesses. */
known jotto_bound_by_members(jotto_small *small, uint64_t set, int n, int left);
/* The bound of a set from all guesses; `own` is the most parts a member makes. */
known jotto_bound_by_guesses(jotto_small *small, uint64_t set, int n, int left, int own);
/* Whether the memo of the whole search knows a set; its entry then. The key is filled in where it may. */
int jotto_recall(const jotto_small *small, const int32_t *list, int n, int left, jotto_entry *entry);
/* Notes the cost of a set with `left` turns, or a bound of it. A set may be met again with other turns left, so that
 * nothing counts here in which turns run out: of such a cost it is only kept that it is not below
 * most_cost_within(left). */
known jotto_note(const jotto_small *small, uint64_t set, int left, int64_t least, int exact);

#endif
