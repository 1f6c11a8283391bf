/* The table of feedback codes: every row is a sum of planes (see ../feedback_table.py). */
#include "core.h"

#define TILE 1024

JOTTO_CLONES
static void add_planes(const uint8_t *const *planes, int count, int width, uint8_t *out)
{
    const uint8_t *a = planes[0], *b = planes[1], *c = planes[2], *d = planes[3], *e = planes[4];
    if (count == 5) { /* the common case, in one pass */
        for (int i = 0; i < width; i++)
            out[i] = (uint8_t)(a[i] + b[i] + c[i] + d[i] + e[i]);
        return;
    }
    for (int i = 0; i < width; i++)
        out[i] = a[i];
    for (int k = 1; k < count; k++) {
        const uint8_t *more = planes[k];
        for (int i = 0; i < width; i++)
            out[i] = (uint8_t)(out[i] + more[i]);
    }
}

/* `planes` is [any][secrets], `keys` [guesses][length] numbers of planes, `out` [guesses][secrets]. */
JOTTO_API void jotto_codes(const uint8_t *planes, const int32_t *keys, int32_t guesses, int32_t length,
                           int64_t secrets, uint8_t *out)
{
    for (int64_t from = 0; from < secrets; from += TILE) { /* so that the planes of a tile stay near */
        int width = (int)(secrets - from < TILE ? secrets - from : TILE);
        for (int64_t g = 0; g < guesses; g++) {
            const uint8_t *used[JOTTO_MOST_LENGTH + 5] = {0};
            for (int k = 0; k < length; k++)
                used[k] = planes + (int64_t)keys[g * length + k] * secrets + from;
            add_planes(used, length, width, out + g * secrets + from);
        }
    }
}
