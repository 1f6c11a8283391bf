/* Checks a certificate of `jotto solve --certificate`: that no way of playing needs fewer guesses than the tree in it.
 *
 *     cc -O3 -march=native -o check check.c && gzip -dc de.certificate.gz | ./check 2     (2: processes)
 *
 * It shares no code with the solver; README.md explains the file. The cost of some words: the guesses over all of them.
 * 1. The tree is played for every secret. It costs what is claimed, so the best tree costs no more.
 * 2. A lemma says that the words left after some answers cost at least N. It is checked for every next guess, which costs
 *    one for each of the words, and for each part (the words left after its answer) what follows from the part's size (see
 *    `scan`), from a lemma about the part, or, if the part is small, from a search of all its trees. A part is smaller
 *    than its set, so no lemma rests on itself.
 * 3. The lemma about all secrets is the claim, so the best tree costs no less. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 8000, LETTERS = 6, STEPS = 6, LEMMAS = 1 << 20, TURNS = 40, LINE = 200, SYMBOLS = 40 }; /* limits */
enum { ANSWERS = 32, FEW = 24, USELESS = 1 << 29, MEMO = 1 << 22, STATED = 4 * LEMMAS, ORDERS = 720 };
#define refuse(at, ...) (fprintf(stderr, "REFUSED: line %d: ", at), fprintf(stderr, __VA_ARGS__), fputs(".\n", stderr), exit(1))

typedef uint16_t word; /* the number of a word */
/* A set costs at least `low`, or exactly that. It is named by 96 bits that are drawn at each start: nobody can make a file
 * in which two sets have the same name. */
typedef struct { uint64_t name; uint32_t rest, low : 31, exact : 1; } fact;
/* The words left after answer[i] to guess[i] cost at least `bound`. */
typedef struct { int line, bound, steps, guess[STEPS], answer[STEPS]; } lemma;
/* In no subset of a set do d turns find more than reach[d] words, so n words of it cost at least bound[n]. */
typedef struct { int reach[TURNS + 1], bound[WORDS + 1]; } limits;
typedef struct { const word *set; int n, low; } part;

static int line_number, length, symbols, secrets, guesses, answers, most_searched, orders;
static char line[LINE], text[WORDS][LETTERS + 1], places[ORDERS + 1][LETTERS + 1];
static uint8_t answer[WORDS][WORDS]; /* of two words, whichever is the guess; the highest one wins */
static uint64_t names[WORDS][2];
static fact memo[MEMO], stated[STATED];
static lemma lemmas[LEMMAS];
static limits whole;

static char *read_line(void)
{
    line_number++;
    if (!fgets(line, sizeof line, stdin) || !strchr(line, '\n'))
        refuse(line_number, "the file ends here, or the line is longer than %d bytes", LINE - 2);
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

static int read_number(const char *key, int least, int most)
{
    int number, size = (int)strlen(key);
    if (strncmp(read_line(), key, (size_t)size) || sscanf(line + size, "%d", &number) != 1 || number < least || number > most)
        refuse(line_number, "'%s' should be '%s' and a number from %d to %d", line, key, least, most);
    return number;
}

static int find_word(const char *name, int known)
{
    int guess = 0;
    while (guess < guesses && strcmp(text[guess], name))
        guess++;
    if (known != (guess < guesses))
        refuse(line_number, known ? "'%s' is not in the list" : "'%s' is in the list twice", name);
    return guess;
}

/* Writes all numbers of `length` digits in this base, in rising order, from '0' up; returns how many there are. */
static int list_codes(int base, int repeats, int most, char codes[][LETTERS + 1])
{
    int count = 0, digits[LETTERS + 1] = {0};
    while (!digits[0]) {
        int met = 0, i = length;
        for (int k = 1; k <= length; k++) {
            codes[count][k - 1] = (char)('0' + digits[k]);
            met += strchr(codes[count], codes[count][k - 1]) < codes[count] + k - 1;
        }
        if ((repeats || !met) && ++count == most)
            refuse(line_number, "the game has %d codes or more", most);
        while (++digits[i] == base && i)
            digits[i--] = 0;
    }
    return count;
}

/* Numbers the pairs (letters in the right place, letters in another place). */
static int number_answer(int exact, int other)
{
    int number = other - (exact == length); /* if all others are right, the last one is not in another place */
    while (exact--)
        number += length - exact + 1;
    return number;
}

static uint8_t score(const char *guess, const char *secret)
{
    int exact = 0, common = 0, count[256] = {0};
    for (int i = 0; i < length; i++) {
        exact += guess[i] == secret[i];
        count[(uint8_t)secret[i]]++;
    }
    for (int i = 0; i < length; i++)
        common += count[(uint8_t)guess[i]]-- > 0;
    return (uint8_t)number_answer(exact, common - exact);
}

/* Sorts a set by the answers to a guess; those with answer k are from[k] to from[k + 1]. */
static void split(const word *set, int n, int guess, word *sorted, int *from)
{
    int at[ANSWERS] = {0};
    for (int i = 0; i < n; i++)
        at[answer[guess][set[i]]]++;
    for (int k = from[0] = 0; k < answers; k++)
        at[k] = from[k + 1] = from[k] + at[k];
    for (int i = n; i--;)
        sorted[--at[answer[guess][set[i]]]] = set[i];
}

/* Plays the tree below a node: the file has its guess, then the parts by rising number of their answers. */
static int play(const word *set, int n, int turn)
{
    int guess = find_word(read_line(), 1), from[ANSWERS + 1], total = 0;
    word sorted[n];
    split(set, n, guess, sorted, from);
    for (int k = 0; k < answers; k++) {
        int size = from[k + 1] - from[k];
        if (turn == TURNS || (size == n && k < answers - 1))
            refuse(line_number, "the guess '%s' tells nothing there", text[guess]);
        total += k == answers - 1 ? size * turn : size ? play(sorted + from[k], size, turn + 1) : 0;
    }
    return total;
}

/* Finds the fact of a set in a table, else the next place that is free, or the last of `ways`, which is forgotten. */
static fact *find(fact *table, size_t slots, size_t ways, const word *set, int n)
{
    fact key = {0}, *place = NULL;
    for (int i = 0; i < n; i++) {
        key.name ^= names[set[i]][0];
        key.rest ^= (uint32_t)names[set[i]][1];
    }
    for (size_t i = 0; i < ways && (!place || place->low); i++) {
        place = table + (key.name + i) % slots;
        if (place->name == key.name && place->rest == key.rest)
            return place;
    }
    *place = key;
    return place;
}

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

/* Scans all guesses: low[g] bounds the cost if g is asked now; returns the least. `own` gets the limits of the set, given
 * those of a larger one: within d + 1 turns a guess finds itself, and in each part what is found within d turns. */
static int scan(const word *set, int n, const limits *above, limits *own, int *low)
{
    static uint16_t sizes[WORDS][ANSWERS];
    static uint32_t met[WORDS];
    int least = USELESS, most = 0, win = answers - 1;
    memcpy(own->reach, above->reach, sizeof own->reach);
    memset(met, 0, sizeof *met * (size_t)guesses);
    for (int i = 0; i < n && n <= FEW; i++)
        for (int g = 0; g < guesses; g++)
            met[g] |= 1U << answer[set[i]][g];
    for (int g = 0; g < guesses && n <= FEW; g++) { /* all but one word of each part need two more turns at least */
        int won = (int)(met[g] >> win), parts = __builtin_popcount(met[g]) - won;
        low[g] = parts + won > 1 ? 3 * n - 2 * won - parts : USELESS;
        most = larger(most, parts);
    }
    for (int g = 0; g < guesses && n > FEW; g++) {
        memset(sizes[g], 0, sizeof sizes[g]);
        for (int i = 0; i < n; i++)
            sizes[g][answer[g][set[i]]]++;
        low[g] = sizes[g][answer[g][set[0]]] == n ? USELESS : n;
        sizes[g][win] = 0;
    }
    for (int d = 1; d < TURNS && own->reach[d] < n; d++) {
        int found = n <= FEW ? 1 + most * own->reach[d] : 0;
        for (int g = 0; g < guesses && n > FEW; g++) {
            int here = 1;
            for (int k = 0; k < ANSWERS; k++)
                here += sizes[g][k] < own->reach[d] ? sizes[g][k] : own->reach[d];
            found = larger(found, here);
        }
        own->reach[d + 1] = smaller(own->reach[d + 1], found);
    }
    for (int size = 1, turn = own->bound[0] = 0; size <= n; size++) {
        turn += size > own->reach[turn];
        own->bound[size] = own->bound[size - 1] + turn;
    }
    for (int g = 0; g < guesses; g++) {
        for (int k = 0; k < ANSWERS && n > FEW; k++)
            low[g] += own->bound[sizes[g][k]];
        least = smaller(least, low[g]);
    }
    return least;
}

/* Whether one of the words tells all of them apart: it costs one turn, the others two. */
static int has_separator(const word *set, int n)
{
    for (int i = 0, k; i < n && n <= answers; i++) {
        uint32_t met = 0;
        for (k = 0; k < n && !(met >> answer[set[i]][set[k]] & 1); k++)
            met |= 1U << answer[set[i]][set[k]];
        if (k == n)
            return 1;
    }
    return 0;
}

static int search(const word *set, int n, int limit, const limits *above);

/* Bounds the cost if `guess` is asked now, up to `limit`; exactly if that is less and no part is too large. */
static int try_guess(const word *set, int n, int guess, int limit, const limits *own)
{
    int from[ANSWERS + 1], total = n, open = 0;
    word sorted[n];
    part parts[ANSWERS];
    split(set, n, guess, sorted, from);
    for (int k = 0; k < answers - 1; k++) {
        part p = {sorted + from[k], from[k + 1] - from[k], 0};
        int at = open, apart = p.n > 2 && has_separator(p.set, p.n);
        p.low = p.n < 3 ? p.n + p.n / 2 : apart ? 2 * p.n - 1 : larger(own->bound[p.n], 2 * p.n);
        total += p.low;
        if (p.n < 4 || apart)
            continue;
        for (open++; at && parts[at - 1].n > p.n; at--) /* smallest first */
            parts[at] = parts[at - 1];
        parts[at] = p;
    }
    for (int pass = 0; pass < 4; pass++) /* what lemmas say, what is known, what a scan shows, what a search shows */
        for (int i = 0; i < open && total < limit; i++) {
            part *p = parts + i;
            fact *known = pass ? find(memo, MEMO, 2, p->set, p->n) : find(stated, STATED, STATED, p->set, p->n);
            int low = (int)known->low;
            if (pass == 2 && !low) {
                limits below;
                int lows[guesses];
                known->low = (uint32_t)(low = scan(p->set, p->n, own, &below, lows));
                known->exact = p->n <= FEW && low == 2 * p->n;
            }
            if (pass == 3 && p->n <= most_searched)
                low = search(p->set, p->n, p->low + limit - total, own);
            total += larger(0, low - p->low);
            p->low = larger(low, p->low);
        }
    return total;
}

/* Searches all trees of a small set; returns the cost if that is below `limit`, else a bound from `limit` on. */
static int search(const word *set, int n, int limit, const limits *above)
{
    limits own;
    int low[guesses], best = limit, least;
    fact *known = find(memo, MEMO, 2, set, n);
    if (known->exact || (int)known->low >= limit)
        return (int)known->low;
    least = scan(set, n, above, &own, low);
    for (int here = least; here < best; here++) /* the most promising guesses first */
        for (int g = 0; g < guesses && here < best; g++)
            if (low[g] == here)
                best = smaller(best, try_guess(set, n, g, best, &own));
    known = find(memo, MEMO, 2, set, n);
    known->low = (uint32_t)larger(least, best);
    known->exact = best < limit;
    return (int)known->low;
}

/* Whether no exchange of places and symbols that keeps the lemma's guesses makes an earlier code of this one. In a game of
 * all codes such an exchange keeps the lemma's set, too: of codes that it makes of each other only the first is tried. */
static int is_first(int guess, const lemma *said)
{
    for (int o = 0; o < orders; o++) {
        int to[256] = {0}, taken[256] = {0}, order = 0, step = 0;
        for (; step <= said->steps && !order; step++)
            for (int i = 0; i < length && !order; i++) {
                const char *code = text[step < said->steps ? said->guess[step] : guess];
                int old = code[places[o][i] - '0'], new = step < said->steps ? code[i] : '0';
                while (!to[old] && taken[new])
                    new++;
                if (!to[old])
                    taken[to[old] = new] = 1;
                order = to[old] - code[i];
            }
        if (order < 0 && step > said->steps)
            return 0;
    }
    return 1;
}

/* Lists the words that are left after the answers of a lemma. */
static int select_words(const lemma *said, word *set)
{
    int n = 0;
    for (int s = 0, i; s < secrets; s++) {
        for (i = 0; i < said->steps && answer[said->guess[i]][s] == said->answer[i]; i++)
            ;
        set[n] = (word)s;
        n += i == said->steps;
    }
    return n;
}

/* Reads a lemma: its bound, then guesses, each with a digit for right places and one for other places. */
static void read_lemma(lemma *said)
{
    word set[WORDS + 1];
    char *token = strtok(read_line(), " ");
    said->line = line_number;
    said->bound = token ? atoi(token) : 0;
    for (; (token = strtok(NULL, " ")); said->steps++) {
        if (said->steps == STEPS)
            refuse(line_number, "there are more than %d guesses", STEPS);
        said->guess[said->steps] = find_word(token, 1);
        token = strtok(NULL, " ");
        if (!token || strlen(token) != 2 || strspn(token, "0123456") != 2 || token[0] + token[1] - 2 * '0' > length)
            refuse(line_number, "after each guess there should be an answer of two digits");
        said->answer[said->steps] = number_answer(token[0] - '0', token[1] - '0');
    }
    int n = select_words(said, set);
    if (n < 3 || said->bound < n || said->bound > TURNS * n)
        refuse(line_number, "%d words cannot cost '%d'", n, said->bound);
    fact *known = find(stated, STATED, STATED, set, n);
    known->low = (uint32_t)larger(said->bound, (int)known->low);
}

/* Checks a lemma for every guess that is this process's share. */
static void check_lemma(const lemma *said, int share, int processes)
{
    static limits own;
    static int low[WORDS];
    word set[WORDS + 1];
    int n = select_words(said, set), found;
    scan(set, n, &whole, &own, low);
    for (int g = share; g < guesses; g += processes)
        if (low[g] < said->bound && is_first(g, said) && (found = try_guess(set, n, g, said->bound, &own)) < said->bound)
            refuse(said->line, "it says that %d words cost at least %d; after '%s' the other lines show only %d", n,
                   said->bound, text[g], found);
}

/* Reads the words, or makes all codes of a game; scores each with each, and draws their names. */
static void read_words(int count, int repeats)
{
    FILE *chance = fopen("/dev/urandom", "r");
    if (symbols) {
        guesses = secrets = list_codes(symbols, repeats, WORDS, text);
        orders = list_codes(length, 0, ORDERS + 1, places);
    }
    if (symbols && guesses != count)
        refuse(line_number, "the game has %d codes, not %d", guesses, count);
    while (guesses < count) {
        find_word(read_line(), 0);
        if ((int)strlen(line) != length || strchr(line, ' '))
            refuse(line_number, "'%s' has not %d letters", line, length);
        strcpy(text[guesses++], line);
    }
    for (int g = 0; g < guesses; g++)
        for (int s = 0; s < guesses; s++)
            answer[g][s] = score(text[g], text[s]);
    answers = number_answer(length, 0) + 1;
    if (!chance || fread(names, sizeof *names, WORDS, chance) != WORDS)
        refuse(line_number, "the device /dev/urandom cannot be read");
}

int main(int count, char **values)
{
    word all[WORDS + 1];
    lemma none = {0};
    int processes = count > 1 ? atoi(values[1]) : 1, repeats, claim, stating, cost, refused = 0, state;
    if (strcmp(read_line(), "jotto certificate 1") || processes < 1 || processes > 64)
        refuse(1, "it should be 'jotto certificate 1', and the number of processes 1 to 64");
    read_line(); /* a description for people */
    length = read_number("length", 1, LETTERS);
    symbols = read_number("symbols", 0, SYMBOLS);
    repeats = read_number("repeats", 0, 1);
    secrets = read_number("secrets", 3, WORDS);
    cost = read_number("guesses", secrets, WORDS);
    claim = read_number("claim", 1, TURNS * WORDS);
    most_searched = read_number("search", 1, WORDS);
    stating = read_number("lemmas", 1, LEMMAS);
    read_words(cost, repeats);
    whole.reach[1] = 1;
    for (int d = 2; d <= TURNS; d++)
        whole.reach[d] = secrets;
    if ((cost = play(all, select_words(&none, all), 1)) != claim)
        refuse(line_number, "the tree costs %d, not %d as claimed", cost, claim);
    for (int i = 0; i < stating; i++)
        read_lemma(lemmas + i);
    if (strcmp(read_line(), "end") || (int)find(stated, STATED, STATED, all, secrets)->low < claim)
        refuse(line_number, "it should be 'end', after a lemma that all %d words cost %d", secrets, claim);
    printf("The tree needs %d guesses for %d words. Checking %d lemmas ...\n", claim, secrets, stating);
    fflush(stdout);
    for (int share = 0; share < processes; share++)
        if (!fork()) {
            for (int i = 0; i < stating; i++)
                check_lemma(lemmas + i, share, processes);
            exit(0);
        }
    while (wait(&state) > 0)
        refused |= state != 0;
    if (!refused)
        printf("CHECKED: no way of playing needs fewer than %d guesses.\n", claim);
    return refused;
}
