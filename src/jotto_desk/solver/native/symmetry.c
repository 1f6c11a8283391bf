/* Games whose places and symbols may be exchanged: guesses that differ only by an exchange are worth the same. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t order[JOTTO_MOST_LENGTH]; /* place -> place */
    uint8_t names[256];               /* symbol -> new name; 255 for symbols not played yet */
    uint8_t next;                     /* the first free name */
} exchange;

static void rename_word(const uint8_t *word, int length, exchange *by, uint8_t *out)
{
    for (int i = 0; i < length; i++) {
        uint8_t symbol = word[by->order[i]];
        if (by->names[symbol] == 255)
            by->names[symbol] = by->next++;
        out[i] = by->names[symbol];
    }
}

/* The orders of the places by number, as words in a dictionary; number 0 moves no place. */
static void find_order(int number, int length, uint8_t *order)
{
    for (int i = length - 1; i >= 0; number /= length - i, i--) {
        order[i] = (uint8_t)(number % (length - i));
        for (int k = i + 1; k < length; k++)
            order[k] = (uint8_t)(order[k] + (order[k] >= order[i]));
    }
}

/* Lists the exchanges that leave the renamed words played as they are without moving a place. */
static exchange *stabilizer(const jotto_game *game, const int32_t *played, int turns, int *count)
{
    int length = game->length, most = 1;
    for (int i = 2; i <= length; i++)
        most *= i;
    exchange *found = malloc((size_t)most * sizeof *found);
    uint8_t first[8][JOTTO_MOST_LENGTH];
    *count = 0;
    if (!found)
        return NULL;
    for (int number = 0; number < most; number++) {
        exchange *by = found + *count;
        int same = 1;
        find_order(number, length, by->order);
        memset(by->names, 255, sizeof by->names);
        by->next = 0;
        for (int t = 0; t < turns && same; t++) {
            uint8_t word[JOTTO_MOST_LENGTH];
            rename_word(game->letters + (size_t)played[t] * (size_t)length, length, by, word);
            if (*count == 0)
                memcpy(first[t], word, (size_t)length);
            same = memcmp(first[t], word, (size_t)length) == 0;
        }
        *count += same;
    }
    return found;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    if (one[0] != other[0])
        return one[0] < other[0] ? -1 : 1;
    return one[1] < other[1] ? -1 : one[1] > other[1];
}

static int by_number(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

int jotto_representatives(const jotto_game *game, const int32_t *played, int turns, int32_t *list)
{
    int length = game->length, count, kept = 0;
    exchange *by = stabilizer(game, played, turns, &count);
    uint64_t(*keys)[2] = malloc((size_t)game->guesses * sizeof *keys);
    if (!by || !keys) { /* no memory to find out: keep all */
        for (int g = 0; g < game->guesses; g++)
            list[g] = g;
        free(by);
        free(keys);
        return game->guesses;
    }
    for (int g = 0; g < game->guesses; g++) {
        uint64_t least = UINT64_MAX;
        for (int e = 0; e < count; e++) {
            uint64_t key = 0;
            uint8_t word[JOTTO_MOST_LENGTH];
            exchange trial = by[e];
            rename_word(game->letters + (size_t)g * (size_t)length, length, &trial, word);
            for (int i = 0; i < length; i++)
                key = key * (uint64_t)(game->symbols + 1) + word[i];
            least = key < least ? key : least;
        }
        keys[g][0] = least;
        keys[g][1] = (uint64_t)g;
    }
    qsort(keys, (size_t)game->guesses, sizeof *keys, by_key);
    for (int g = 0; g < game->guesses; g++)
        if (g == 0 || keys[g][0] != keys[g - 1][0])
            list[kept++] = (int32_t)keys[g][1];
    qsort(list, (size_t)kept, sizeof *list, by_number);
    free(by);
    free(keys);
    return kept;
}
