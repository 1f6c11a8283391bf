/* The memo: what is known about sets of secrets, shared by the threads of one search, bounded in size.
 *
 * The key of a set is a hash of 128 bits. Two sets with the same hash would be confused; with 10^9 sets the chance of
 * any such pair is below 10^-20. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define WAYS 4
#define LOCKS 4096

struct jotto_memo {
    size_t buckets;
    jotto_entry *entries;
    unsigned char locks[LOCKS];
};

uint64_t jotto_scramble(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

jotto_memo *jotto_memo_new(size_t bytes)
{
    jotto_memo *memo = calloc(1, sizeof *memo);
    if (!memo)
        return NULL;
    memo->buckets = 1;
    while (memo->buckets * 2 * WAYS * sizeof(jotto_entry) <= bytes)
        memo->buckets *= 2;
    memo->entries = calloc(memo->buckets * WAYS, sizeof(jotto_entry));
    if (!memo->entries) {
        free(memo);
        return NULL;
    }
    return memo;
}

void jotto_memo_free(jotto_memo *memo)
{
    if (memo) {
        free(memo->entries);
        free(memo);
    }
}

static jotto_entry *lock(jotto_memo *memo, uint64_t hash, unsigned char **held)
{
    size_t bucket = (size_t)hash & (memo->buckets - 1);
    *held = &memo->locks[bucket % LOCKS];
    while (__atomic_test_and_set(*held, __ATOMIC_ACQUIRE))
        ;
    return memo->entries + bucket * WAYS;
}

int jotto_memo_get(jotto_memo *memo, const uint64_t key[2], jotto_entry *found)
{
    unsigned char *held;
    const jotto_entry *bucket = lock(memo, key[0], &held);
    int hit = 0;
    for (int way = 0; way < WAYS && !hit; way++)
        if (bucket[way].size && bucket[way].key[0] == key[0] && bucket[way].key[1] == key[1]) {
            *found = bucket[way];
            hit = 1;
        }
    __atomic_clear(held, __ATOMIC_RELEASE);
    return hit;
}

void jotto_memo_put(jotto_memo *memo, const jotto_entry *entry)
{
    unsigned char *held;
    jotto_entry *bucket = lock(memo, entry->key[0], &held), *place = bucket;
    for (int way = 0; way < WAYS; way++) {
        jotto_entry *here = bucket + way;
        if (here->size && here->key[0] == entry->key[0] && here->key[1] == entry->key[1]) {
            place = here;
            break;
        }
        if (here->size < place->size) /* small sets are quickly worked out again */
            place = here;
    }
    if (!(place->value >= 0 && entry->value < 0 && place->key[0] == entry->key[0] && place->key[1] == entry->key[1]))
        *place = *entry;
    __atomic_clear(held, __ATOMIC_RELEASE);
}

void jotto_memo_sizes(const jotto_memo *memo, int most, double *sums, int64_t *numbers)
{
    memset(sums, 0, (size_t)(most + 1) * sizeof *sums);
    memset(numbers, 0, (size_t)(most + 1) * sizeof *numbers);
    for (size_t i = 0; i < memo->buckets * WAYS; i++) {
        const jotto_entry *entry = memo->entries + i;
        if (entry->size > 0 && entry->size <= most && entry->value >= 0) {
            sums[entry->size] += (double)entry->value;
            numbers[entry->size]++;
        }
    }
}
