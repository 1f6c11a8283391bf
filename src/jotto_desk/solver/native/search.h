/* What the parts of the search share; see scan.c for bounds, parts.c for what a guess costs, search.c for the search
 * itself and small.c for that of small sets. */
#ifndef JOTTO_SEARCH_H
#define JOTTO_SEARCH_H

#include "core.h"

#define INFINITE_COST INT64_C(0x3fffffffffffffff)
#define SHORT 48 /* sets up to here are scanned only by the number of parts */
#define HISTORY (JOTTO_MOST_LEFT + 1)
#define MOST_LEVELS 8 /* different weights; ../feedback_table.py refuses more */
#define SHORTLIST 256
#define FEWEST 8 /* sets up to here a beam may search whole even where members have to be missed */
#define UNIT 256 /* estimates are in 1/256 turns */
#define MOST_PLACES 8 /* with more places there are too many exchanges of them to go through */

/* Why a task ends before its time. */
enum { STOPPED = 1, SHORT_OF_MEMORY };

typedef struct {
    const jotto_game *game;
    jotto_memo *memo;
    int64_t miss;
    int32_t width, full, patience;
    const volatile int32_t *stop;
    uint64_t (*hash)[2];
    int32_t *estimate; /* [secrets + 1] what a set of each size is thought to cost */
    int64_t reach[JOTTO_MOST_LEFT + 2];
} jotto_search;

/* A guess to try: its bound, its estimate, and whether they come from the sizes of its parts or only their number. */
typedef struct {
    int64_t low, key;
    int32_t guess, ranked;
} trial;

typedef struct jotto_small jotto_small;
typedef struct jotto_block jotto_block;

/* What one thread works with. */
typedef struct {
    jotto_search *search;
    uint16_t *counts; /* [level][uses][stride]: sizes of parts, lanes over the guesses */
    size_t stride;
    uint8_t *parts;
    int32_t *bound; /* [secrets + 1], the bound of parts by size, for the set scanned last */
    jotto_small *small; /* made at first use */
    jotto_block *blocks, *block; /* all memory for lists; the block in use */
    int must_find_all; /* trees that miss a member count as none */
    int aborted; /* 0, or why the task is to end; what it finds from then on counts for nothing */
} task;

typedef struct {
    int32_t guesses[HISTORY];
    int32_t turns;
} history;

/* The best cost of a set of each size up to n, all of weight 1, given how far d turns can reach. */
void jotto_fill_bound(const int64_t *reach, int left, int64_t miss, int n, int32_t *bound);
/* Bound and estimate of one guess, member by member. */
void jotto_rank(const task *work, const int32_t *set, int n, int32_t guess, const int32_t *bound, int64_t *low,
                int64_t *key);
/* Scans every guess: `*trials` gets those whose bound is below `limit`, the result is their number; `*least` is a
 * bound of the whole set. Where only the bound is wanted, `trials` is null. Aborts the task when memory is short. */
int jotto_scan_guesses(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                       trial **trials, int64_t *least);
/* The same, by the sizes of all parts. */
int jotto_scan_by_sizes(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                       trial **trials, int64_t *least);
/* Where the weight falls: ends[i] members weigh as much as the last of them or more. A cost is then the sum, over the
 * steps, of the fall in weight times the cost of the members so far, each weighing 1. */
int jotto_levels_of(const jotto_game *game, const int32_t *set, int n, int *ends);
static inline int32_t jotto_fall_at(const jotto_game *game, const int32_t *set, const int *ends, int levels, int k)
{
    return game->weights[set[ends[k] - 1]] - (k + 1 < levels ? game->weights[set[ends[k]]] : 0);
}
/* bytes.c: the same for at most UINT8_MAX members, where all guesses are scanned; UNFIT where members may be missed. */
#define UNFIT (-1)
int jotto_scan_in_bytes(task *work, const int32_t *set, int n, int left, int64_t limit, trial *trials, int64_t *least);
/* Whether the guesses scanned depend on those played before, not only on the set. */
int jotto_depends_on_past(const jotto_game *game, int n, const history *past);
/* How far d turns reach in the whole game; 0 when memory is short. */
int jotto_measure_reach(task *work);

/* hard.c */

/* What a game in hard mode has told: letters by place (plus 1; 0: unknown), and how often some letters must be used. */
typedef struct {
    uint8_t green[JOTTO_MOST_LENGTH], letter[JOTTO_MOST_LENGTH], held[JOTTO_MOST_LENGTH];
    int letters;
} hints;
void jotto_read_hints(const jotto_game *game, const history *past, int32_t member, hints *known);
/* Whether a guess uses all that is known. */
int jotto_obeys(const jotto_game *game, const hints *known, int32_t guess);
/* A number for what is known: a set is worth the same after other guesses that told the same. */
uint64_t jotto_mark_hints(const jotto_game *game, const hints *known);

/* scratch.c */

/* How much of a task's memory is in use. */
typedef struct {
    jotto_block *block;
    size_t used;
} scratch_mark;

/* Memory until the next jotto_release; null, the task aborted, when it is short. */
void *jotto_alloc(task *work, size_t wanted);
scratch_mark jotto_mark(const task *work);
/* Gives back all that was allocated since. */
void jotto_release(task *work, scratch_mark here);
void jotto_scratch_free(task *work);

/* small.c */

/* Whether a set may be searched by jotto_solve_small. */
int jotto_is_small(const task *work, int n, int left, int64_t limit, const history *past);
/* The cost of a set that no member separates: exact below `limit`, else a bound that is not below it,
 * or not below the cost from which on a tree may need more than `left` turns. */
int64_t jotto_solve_small(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                          int32_t *guess);
void jotto_small_free(jotto_small *small);

/* parts.c */

/* The cost of sets that need no search; INFINITE_COST where one has to be searched. */
int64_t jotto_at_once(const jotto_search *search, const int32_t *set, int n, int left, int32_t *guess);
/* The cost of asking `guess` now; `bound` is that of its parts by size: exact below `limit`, else some bound that is
 * not below it; with `deep` nothing is searched. */
int64_t jotto_try_guess(task *work, const int32_t *set, int n, int left, int32_t guess, int64_t limit,
                        const history *past, const int32_t *bound, int deep);

/* search.c */

int64_t jotto_weight_of(const jotto_game *game, const int32_t *set, int n);
/* The name of a set in the memo. */
void jotto_set_key(const task *work, const int32_t *set, int n, int left, const history *past, uint64_t key[2]);
/* Remembers what a set costs: at least `low`, or `value` where that is not negative. */
void jotto_keep(task *work, const uint64_t key[2], int n, int64_t low, int64_t value, int32_t guess);
/* The cost of a set that no member separates, from the memo or by a search; see search.c. */
int64_t jotto_solve_set(task *work, const int32_t *set, int n, int left, int64_t limit, const history *past,
                           const uint64_t key[2], int32_t *guess);

#endif
