/* Checks a certificate of `jotto solve --certificate`: that no way of playing needs fewer guesses than the tree in it.
 *     cc -O3 -march=native -o check check.c && gzip -dc de.certificate.gz | ./check 2     (2: processes)
 * It shares no code with the solver; README.md explains the file. The cost of words is the number of guesses over them.
 * 1. The tree is played for every secret. It costs what is claimed, so the best tree costs no more.
 * 2. A lemma says that the words left after some answers cost at least N. It is checked for every next guess: it costs
 *    one for each of the words, and for each part (the words left after its answer) what follows from the part's size
 *    (see `scan`), from an earlier lemma about it, or, if it is small, from a search of all its trees.
 * 3. The last lemma, about all secrets, is the claim, so the best tree costs no less. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 8000, LETTERS = 6, STEPS = 6, LEMMAS = 1 << 20, TURNS = 40, LINE = 200, SYMBOLS = 40 }; /* limits */
enum { ANSWERS = 32, ORDERS = 720, FEW = 56, USELESS = 1 << 29, FACTS = 1 << 23, WAYS = 8, BYTES = 1 << 26 };
#define refuse(...) \
    (fprintf(stderr, "REFUSED: line %d: ", number), fprintf(stderr, __VA_ARGS__), fputs(".\n", stderr), exit(1))

typedef uint16_t word; /* its place in the list */
/* A set costs at least `low`, or exactly that; `stated` by a lemma. Its name has 96 bits, drawn at each start, so
 * nobody can make a file in which two sets have the same name. */
typedef struct { uint64_t name; uint32_t rest, low : 30, exact : 1, stated : 1; } fact;
/* In no subset of a set do d turns find more than reach[d] words, so n words of it cost at least bound[n]. */
typedef struct { int reach[TURNS + 1], bound[WORDS + 1]; } limits;
typedef struct { const word *set; int n, low; } part;
typedef struct { const char *key; int *value, least, most; } entry;

static int length, symbols, repeats, secrets, total, claim, most_searched, lemmas;
static int number, guesses, answers, orders, steps, asked[STEPS];
static char file[BYTES], *next = file, *line, text[WORDS][LETTERS + 1], places[ORDERS + 1][LETTERS + 1];
static uint8_t answer[WORDS][WORDS]; /* of two words, whichever is the guess; the highest one wins */
static uint64_t names[WORDS][2];
static fact facts[FACTS];
static word all[WORDS + 1];
static const entry header[] = {
    {"length", &length, 1, LETTERS}, {"symbols", &symbols, 0, SYMBOLS}, {"repeats", &repeats, 0, 1},
    {"secrets", &secrets, 3, WORDS}, {"guesses", &total, 3, WORDS}, {"claim", &claim, 1, TURNS * WORDS},
    {"search", &most_searched, FEW, 500}, {"lemmas", &lemmas, 1, LEMMAS}, {0}};

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static char *read_line(void)
{
    number++;
    line = next;
    if (!(next = strchr(line, '\n')) || next - line > LINE)
        refuse("the file ends here, or the line is longer than %d bytes", LINE);
    *next++ = 0;
    return line;
}

static int find_word(const char *name, int known)
{
    int guess = 0;
    while (guess < guesses && strcmp(text[guess], name))
        guess++;
    if (known != (guess < guesses))
        refuse(known ? "'%s' is not in the list" : "'%s' is in the list twice", name);
    return guess;
}

/* Writes all numbers of `length` digits in this base, in rising order, from '0' up; returns how many there are. */
static int list_codes(int base, int repeats, int most, char codes[][LETTERS + 1])
{
    int count = 0, digits[LETTERS + 1] = {0}, again = 0;
    for (int i = length; !digits[0]; i = length, again = 0) {
        for (int k = 0; k < length; k++) {
            codes[count][k] = (char)('0' + digits[k + 1]);
            again |= strchr(codes[count], codes[count][k]) < codes[count] + k;
        }
        if ((repeats || !again) && ++count == most)
            refuse("the game has %d codes or more", most);
        while (++digits[i] == base && i)
            digits[i--] = 0;
    }
    return count;
}

/* Numbers the answers in rising order: letters in the right place, then letters in another place. */
static int number_answer(int exact, int other) { return exact * (2 * length + 3 - exact) / 2 + other; }

static int score(const char *guess, const char *secret)
{
    int exact = 0, common = 0, count[256] = {0};
    for (int i = 0; i < length; i++)
        exact += guess[i] == secret[i], count[(uint8_t)secret[i]]++;
    for (int i = 0; i < length; i++)
        common += count[(uint8_t)guess[i]]-- > 0;
    return number_answer(exact, common - exact);
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
    int guess = find_word(read_line(), 1), from[ANSWERS + 1], cost = 0;
    word sorted[n];
    split(set, n, guess, sorted, from);
    for (int k = 0; k < answers; k++) {
        int size = from[k + 1] - from[k];
        if (turn == TURNS || (size == n && k < answers - 1))
            refuse("the guess '%s' tells nothing there", text[guess]);
        cost += k == answers - 1 ? size * turn : size ? play(sorted + from[k], size, turn + 1) : 0;
    }
    return cost;
}

/* Finds what is known of a set, else makes room for it: where nothing is, or something that no lemma states. */
static fact *find(const word *set, int n)
{
    fact key = {0}, *place = NULL, *here;
    for (int i = 0; i < n; i++)
        key.name ^= names[set[i]][0], key.rest ^= (uint32_t)names[set[i]][1];
    for (int i = 0; i < WAYS; i++) {
        here = facts + (key.name + (uint64_t)i) % FACTS;
        if (here->name == key.name && here->rest == key.rest)
            return here;
        if (!place || place->stated || (place->low && !here->low))
            place = here;
    }
    *place = key;
    return place;
}

/* Scans all guesses: low[g] bounds the cost if g is asked now; returns the least. `own` gets limits of the set, from
 * those of a larger one, if any: in d + 1 turns a guess finds itself, and in each part what is found in d turns. */
static int scan(const word *set, int n, const limits *above, limits *own, int *low)
{
    static uint16_t sizes[WORDS][ANSWERS];
    static uint32_t met[WORDS];
    int least = USELESS, most = 0, won;
    for (int d = 0; d <= TURNS; d++)
        own->reach[d] = above ? above->reach[d] : d < 2 ? d : secrets;
    for (int i = 0; i < n && n <= FEW; i++)
        for (int g = 0; g < guesses; g++)
            met[g] = (i ? met[g] : 0) | 1U << answer[set[i]][g];
    for (int g = 0; g < guesses && n <= FEW; g++) { /* all but one word of each part need two more turns at least */
        int parts = __builtin_popcount(met[g]) - (won = met[g] >> (answers - 1));
        low[g] = parts + won > 1 ? 3 * n - 2 * won - parts : USELESS;
        most = larger(most, parts);
    }
    for (int g = 0; g < guesses && n > FEW; g++) {
        memset(sizes[g], 0, sizeof sizes[g]);
        for (int i = 0; i < n; i++)
            sizes[g][answer[g][set[i]]]++;
        low[g] = sizes[g][answer[g][set[0]]] == n ? USELESS : n; /* a guess that tells nothing only adds turns */
        sizes[g][answers - 1] = 0;
    }
    for (int d = 1; d < TURNS && own->reach[d] < n; d++) {
        int found = n <= FEW ? 1 + most * own->reach[d] : 0, here;
        for (int g = 0; g < guesses && n > FEW; g++, found = larger(found, here))
            for (int k = here = 0; k < ANSWERS; k++)
                here += !k + smaller(sizes[g][k], own->reach[d]);
        own->reach[d + 1] = smaller(own->reach[d + 1], found);
    }
    for (int size = 1, turn = own->bound[0] = 0; size <= n; size++)
        own->bound[size] = own->bound[size - 1] + (turn += size > own->reach[turn]);
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
    for (int i = 0; i < n && n <= answers; i++) {
        uint32_t met = 0;
        for (int k = 0; k < n && __builtin_popcount(met) == k; k++)
            met |= 1U << answer[set[i]][set[k]];
        if (__builtin_popcount(met) == n)
            return 1;
    }
    return 0;
}

static int search(const word *set, int n, int limit, const limits *above);

/* Bounds the cost if `guess` is asked now, up to `limit`; exactly if that is less and no part is too large. */
static int try_guess(const word *set, int n, int guess, int limit, const limits *own)
{
    static limits below;
    static int lows[WORDS];
    int from[ANSWERS + 1], cost = n, open = 0;
    word sorted[n];
    part parts[ANSWERS];
    split(set, n, guess, sorted, from);
    for (int k = 0; k < answers - 1; k++) {
        part p = {sorted + from[k], from[k + 1] - from[k], 0};
        int at = open, apart = p.n > 2 && has_separator(p.set, p.n);
        cost += p.low = p.n < 3 ? p.n + p.n / 2 : apart ? 2 * p.n - 1 : larger(own->bound[p.n], 2 * p.n);
        if (p.n < 4 || apart)
            continue;
        for (open++; at && parts[at - 1].n > p.n; at--) /* smallest first */
            parts[at] = parts[at - 1];
        parts[at] = p;
    }
    for (int pass = 0; pass < 3; pass++) /* what is known, what a scan shows, what a search shows */
        for (part *p = parts; p < parts + open && cost < limit; p++) {
            fact *known = find(p->set, p->n);
            int low = (int)known->low;
            if (pass == 1 && !low) {
                known->low = (uint32_t)(low = scan(p->set, p->n, own, &below, lows));
                known->exact = p->n <= FEW && low == 2 * p->n;
            }
            if (pass == 2 && p->n <= most_searched)
                low = search(p->set, p->n, p->low + limit - cost, own);
            cost += larger(0, low - p->low);
            p->low = larger(low, p->low);
        }
    return cost;
}

/* Searches all trees of a small set; returns the cost if that is below `limit`, else a bound from `limit` on. */
static int search(const word *set, int n, int limit, const limits *above)
{
    limits own;
    int low[guesses], best = limit, least;
    fact *known = find(set, n);
    if (known->exact || (int)known->low >= limit)
        return (int)known->low;
    least = scan(set, n, above, &own, low);
    for (int here = least; here < best; here++) /* the most promising guesses first */
        for (int g = 0; g < guesses && here < best; g++)
            if (low[g] == here)
                best = smaller(best, try_guess(set, n, g, best, &own));
    known = find(set, n);
    known->low = (uint32_t)larger(least, best);
    known->exact = best < limit;
    return (int)known->low;
}

/* Whether no exchange of places and symbols that keeps all guesses asked makes an earlier code of this one. In a game
 * of all codes it keeps the words left, too; of the codes that exchanges make of each other, the first is enough. */
static int is_first(int guess)
{
    for (int o = 0; o < orders; o++) {
        int to[256] = {0}, taken[256] = {0}, order = 0, step = 0;
        for (; step <= steps && !order; step++)
            for (int i = 0; i < length && !order; i++) {
                const char *code = text[step < steps ? asked[step] : guess];
                int old = code[places[o][i] - '0'];
                for (int new = step < steps ? code[i] : '0'; !to[old]; new++)
                    if (!taken[new])
                        taken[to[old] = new] = 1;
                order = to[old] - code[i];
            }
        if (order < 0 && step > steps)
            return 0;
    }
    return 1;
}

/* Reads a lemma (its bound, then guesses, each with a digit for right places and one for others), checks a share. */
static int check_lemma(int share, int processes)
{
    static limits own;
    static int low[WORDS];
    int n = secrets, bound, cost, used, exact, other;
    word set[WORDS + 1];
    char *here = read_line(), name[LINE + 1];
    memcpy(set, all, sizeof set);
    bound = (int)strtol(here, &here, 10);
    for (steps = 0; sscanf(here, "%s %1d%1d%n", name, &exact, &other, &used) == 3; here += used) {
        if (steps == STEPS || exact + other > length)
            refuse("there are more than %d guesses, or '%d%d' is no answer", STEPS, exact, other);
        int kept = 0, guess = asked[steps++] = find_word(name, 1);
        for (int i = 0; i < n; i++)
            if (answer[guess][set[i]] == number_answer(exact, other))
                set[kept++] = set[i];
        n = kept;
    }
    if (*here || n < 3 || bound < n || bound > TURNS * n)
        refuse("'%s' should be a cost of 3 words or more, and guesses with answers", line);
    scan(set, n, NULL, &own, low);
    for (int g = share; g < guesses; g += processes)
        if (low[g] < bound && is_first(g) && (cost = try_guess(set, n, g, bound, &own)) < bound)
            refuse("%d words should cost %d; after '%s' the lines before show only %d", n, bound, text[g], cost);
    fact *known = find(set, n);
    *known = (fact){known->name, known->rest, (uint32_t)bound, 0, 1};
    return steps ? 0 : bound;
}

int main(int count, char **values)
{
    int processes = count > 1 ? atoi(values[1]) : 1, open = processes, cost = 0, state;
    FILE *chance = fopen("/dev/urandom", "r");
    if (!chance || fread(names, sizeof names, 1, chance) != 1 || processes < 1 || processes > 64
        || !fread(file, 1, BYTES - 1, stdin) || strcmp(read_line(), "jotto certificate 1"))
        refuse("the file should begin with 'jotto certificate 1'; give 1 to 64 processes, and have a /dev/urandom");
    read_line(); /* a description for people */
    for (const entry *e = header; e->key; e++) {
        int size = (int)strlen(e->key), used = 0;
        if (strncmp(read_line(), e->key, (size_t)size) || sscanf(line + size, " %d%n", e->value, &used) != 1
            || line[size + used] || *e->value < e->least || *e->value > e->most)
            refuse("'%s' should be '%s' and a number from %d to %d", line, e->key, e->least, e->most);
    }
    if (symbols)
        guesses = list_codes(symbols, repeats, WORDS, text);
    if (secrets > total || (symbols && (secrets < guesses || total != guesses)))
        refuse("there are %d secrets, %d guesses and %d codes", secrets, total, guesses);
    orders = symbols ? list_codes(length, 0, ORDERS + 1, places) : 0;
    for (; guesses < total; strcpy(text[guesses++], line))
        if (find_word(read_line(), 0), (int)strlen(line) != length || strchr(line, ' '))
            refuse("'%s' has not %d letters", line, length);
    for (int g = 0; g < guesses; g++) {
        all[g] = (word)g;
        for (int s = 0; s < guesses; s++)
            answer[g][s] = (uint8_t)score(text[g], text[s]);
    }
    answers = number_answer(length, 0) + 1;
    if ((cost = play(all, secrets, 1)) != claim)
        refuse("the tree costs %d, not %d as claimed", cost, claim);
    fprintf(stderr, "The tree costs %d for %d secrets. Checking %d lemmas ...\n", claim, secrets, lemmas);
    for (int share = 0; share < processes; share++)
        if (!fork()) {
            for (int i = 0; i < lemmas; i++)
                cost = check_lemma(share, processes);
            if (strcmp(read_line(), "end") || cost < claim)
                refuse("it should be 'end', after a lemma that all words cost %d", claim);
            exit(0);
        }
    while (wait(&state) > 0)
        open -= state == 0;
    printf(open ? "REFUSED.\n" : "CHECKED: no way of playing costs less than %d.\n", claim);
    return open != 0;
}
