/* Hard mode: letters marked green stay in their places, and those marked yellow are used as often again. */
#include "search.h"

#include <string.h>

/* Reads what the guesses played tell, from the answers that one member of the set gives; all members give the same. */
void jotto_read_hints(const jotto_game *game, const history *past, int32_t member, hints *known)
{
    memset(known, 0, sizeof *known);
    for (int t = 0; t < past->turns; t++) {
        const uint8_t *word = game->spelled + (size_t)past->guesses[t] * (size_t)game->length;
        int code = game->rows[(size_t)past->guesses[t] * (size_t)game->secrets + (size_t)member];
        uint8_t held[256] = {0};
        for (int place = 0; place < game->length; place++, code /= 3) {
            uint8_t letter = word[place];
            if (code % 3 == 2)
                known->green[place] = (uint8_t)(letter + 1);
            if (code % 3 && ++held[letter] > known->held[letter])
                known->held[letter] = held[letter];
        }
    }
}

int jotto_obeys(const jotto_game *game, const hints *known, int32_t guess)
{
    const uint8_t *word = game->spelled + (size_t)guess * (size_t)game->length;
    uint8_t held[256] = {0};
    for (int place = 0; place < game->length; place++) {
        if (known->green[place] && known->green[place] != word[place] + 1)
            return 0;
        held[word[place]]++;
    }
    for (int letter = 0; letter < game->symbols; letter++)
        if (held[letter] < known->held[letter])
            return 0;
    return 1;
}

uint64_t jotto_mark_hints(const jotto_game *game, const hints *known)
{
    uint64_t mark = 0;
    for (int place = 0; place < game->length; place++)
        mark = jotto_scramble(mark + known->green[place]);
    for (int letter = 0; letter < game->symbols; letter++)
        mark = known->held[letter] ? jotto_scramble(mark + (uint64_t)letter * 256 + known->held[letter]) : mark;
    return mark;
}
