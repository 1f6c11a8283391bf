/* Hard mode: letters marked green stay in their places, and those marked yellow are used as often again. */
#include "search.h"

#include <string.h>

/* Notes that a letter must be used so often. */
static void require(hints *known, uint8_t letter, uint8_t held)
{
    int i = 0;
    while (i < known->letters && known->letter[i] != letter)
        i++;
    if (i == known->letters)
        known->letter[known->letters++] = letter;
    known->held[i] = held > known->held[i] ? held : known->held[i];
}

/* Reads what the guesses played tell, from the answers that one member of the set gives; all members give the same. */
void jotto_read_hints(const jotto_game *game, const history *past, int32_t member, hints *known)
{
    memset(known, 0, sizeof *known);
    for (int t = 0; t < past->turns; t++) {
        const uint8_t *word = game->spelled + (size_t)past->guesses[t] * (size_t)game->length;
        int code = game->rows[(size_t)past->guesses[t] * (size_t)game->secrets + (size_t)member];
        int marks[JOTTO_MOST_LENGTH];
        for (int place = 0; place < game->length; place++, code /= 3) {
            uint8_t held = 1;
            marks[place] = code % 3;
            for (int other = 0; other < place; other++)
                held += marks[other] && word[other] == word[place];
            if (marks[place])
                require(known, word[place], held);
            if (marks[place] == 2)
                known->green[place] = (uint8_t)(word[place] + 1);
        }
    }
}

int jotto_obeys(const jotto_game *game, const hints *known, int32_t guess)
{
    const uint8_t *word = game->spelled + (size_t)guess * (size_t)game->length;
    for (int place = 0; place < game->length; place++)
        if (known->green[place] && known->green[place] != word[place] + 1)
            return 0;
    for (int i = 0; i < known->letters; i++) {
        int held = 0;
        for (int place = 0; place < game->length; place++)
            held += word[place] == known->letter[i];
        if (held < known->held[i])
            return 0;
    }
    return 1;
}

uint64_t jotto_mark_hints(const jotto_game *game, const hints *known)
{
    uint64_t mark = 0;
    for (int i = 0; i < known->letters; i++) /* in any order */
        mark += jotto_scramble((uint64_t)known->letter[i] * 256 + known->held[i]);
    for (int place = 0; place < game->length; place++)
        mark = jotto_scramble(mark + known->green[place]);
    return mark;
}
