"""Certificates: the proof that a tree is the best one, as a file that another program can check.

`certificates/README.md` explains the file; `certificates/check.c` checks it and shares no code with the search."""

import gzip
from dataclasses import dataclass, field

import numpy as np

from jotto.feedback import PLACES
from jotto_desk.errors import DeskError
from jotto_desk.solver.beam import OnProgress, SearchOutcome, SearchState
from jotto_desk.solver.feedback_table import ENDLESS, FeedbackTable, Members, Search
from jotto_desk.solver.problem import Problem

#: In a game of codes the checker searches sets of up to this many itself, and there are lemmas about larger ones: it
#: makes use of exchanges of symbols and places there. Of a list it searches all sets, so one lemma is enough.
SEARCHED = 400
#: The limits of the checker: words, letters, symbols of a game of codes.
_MAX_WORDS, _MAX_LENGTH, _MAX_SYMBOLS = 7_999, 6, 40
#: Letters that are not ASCII are written as these, in the order of the alphabet.
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: The guesses before a set, each with the code of its answer.
_Path = tuple[tuple[int, int], ...]


def check_problem(problem: Problem) -> None:
    """Raise `DeskError` if there are no certificates for such a problem."""
    wrong = ""
    if problem.rules.kind != PLACES:
        wrong = "a game whose answers count letters in the right place and in another place"
    elif not problem.is_uniform or int(problem.weights[0]) != 1:
        wrong = "words that are equally likely; give --weights uniform"
    elif len(problem.guesses) > _MAX_WORDS or problem.rules.length > _MAX_LENGTH:
        wrong = f"at most {_MAX_WORDS:,} words of at most {_MAX_LENGTH} letters"
    elif problem.is_symmetric and len(problem.rules.alphabet) > _MAX_SYMBOLS:
        wrong = f"codes of at most {_MAX_SYMBOLS} symbols"
    if wrong:
        raise DeskError(f"A certificate is only for {wrong}.")


def make_certificate(outcome: SearchOutcome, title: str, tell: OnProgress, searched: int | None = None) -> bytes:
    """Return the certificate of a tree, empty if the tree is not proven or the work is stopped.

    `title` is one line about the game. There are lemmas about sets of more than `searched` words; by default, see
    `SEARCHED`. The search of the proof tells which bounds it needs.
    """
    table, problem = outcome.table, outcome.table.problem
    if not outcome.proven or outcome.search is None:
        return b""
    if searched is None:
        searched = SEARCHED if problem.is_symmetric else len(table.everything)
    claim, lemmas = outcome.cost, _Lemmas(table, outcome.search, tell, searched)
    try:
        lemmas.prove(table.everything, claim, ())
    except _Stopped:
        return b""
    words, length, is_game = _name_words(problem), problem.rules.length, problem.is_symmetric
    header = {"length": length, "symbols": len(problem.rules.alphabet) if is_game else 0}
    header |= {"repeats": int(problem.rules.repeats), "secrets": len(table.everything), "guesses": len(words)}
    header |= {"claim": claim, "search": searched, "lemmas": len(lemmas.proven)}
    lines = ["jotto certificate 1", title, *(f"{name} {number}" for name, number in header.items())]
    lines += [] if is_game else words
    lines += [words[guess] for guess in outcome.plan.walk()]
    # Smallest sets first: a lemma follows from lines above it.
    for _, (path, bound) in sorted(lemmas.proven.items(), key=lambda lemma: (len(lemma[0]), lemma[1])):
        steps = (f" {words[guess]} {code // (length + 1)}{code % (length + 1)}" for guess, code in path)
        lines.append(f"{bound}{''.join(steps)}")
    return gzip.compress("\n".join([*lines, "end", ""]).encode("ascii", "replace"), mtime=0)


def _name_words(problem: Problem) -> list[str]:
    """Write the guesses in ASCII: the symbols of a game of codes are 0, 1, 2 and the characters that follow them."""
    alphabet = tuple(problem.rules.alphabet)
    if problem.is_symmetric:
        named = {symbol: chr(ord("0") + place) for place, symbol in enumerate(alphabet)}
    else:
        others = iter(_CAPITALS)
        named = {symbol: symbol if str(symbol).isascii() else next(others) for symbol in alphabet}
    return ["".join(named[symbol] for symbol in guess) for guess in problem.guesses]


class _Stopped(Exception):
    """The search was stopped."""


@dataclass
class _Lemmas:
    """The bounds of large sets that a proof needs: `proven` has the path and the bound of each, by its members."""

    table: FeedbackTable
    search: Search
    tell: OnProgress
    searched: int
    proven: dict[bytes, tuple[_Path, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        reach, size = self.search.reach(), len(self.table.everything)
        turns = np.searchsorted(reach, np.arange(1, size + 1))
        self.bound = [0, *np.cumsum(turns).tolist()]

    def prove(self, members: Members, bound: int, path: _Path) -> None:
        """Note the lemma that a set costs at least `bound`, and before that all those that it follows from."""
        _, known = self.proven.get(members.tobytes(), ((), 0))
        if bound <= known:
            return
        guesses, lows, _ = self.search.scan(members, ENDLESS, [guess for guess, _ in path])
        waiting = guesses[lows < bound].tolist()
        for number, guess in enumerate(waiting):
            self._prove_guess(members, guess, bound, path)
            if not path:
                self.tell(SearchState("certificate", number + 1, len(waiting), bound, bound))
        self.proven[members.tobytes()] = path, bound

    def _prove_guess(self, members: Members, guess: int, bound: int, path: _Path) -> None:
        """Raise the bounds of the parts until they add up: first without lemmas, then with as few as possible."""
        parts = sorted(self.table.split(guess, members).items(), key=lambda part: len(part[1]))
        if len(parts[-1][1]) <= self.searched:
            return  # The bound is true, so the checker's search finds it.
        played = [*(before for before, _ in path), guess]
        lows = {code: max(self.bound[len(part)], 2 * len(part) - 1) for code, part in parts}
        missing = bound - len(members) - sum(lows.values())

        def raise_low(code: int, low: int) -> None:
            nonlocal missing
            missing -= max(0, low - lows[code])
            lows[code] = max(lows[code], low)

        large = [(code, part) for code, part in parts if len(part) > self.searched]
        for code, part in reversed(parts):
            if missing > 0 and len(part) > 3:
                scanned = int(self.search.scan(part, ENDLESS, played)[1].min())
                raise_low(code, max(scanned, self.proven.get(part.tobytes(), ((), 0))[1]))
        # The larger of the small ones raise the sum in fewer steps.
        for code, part in reversed(parts[: len(parts) - len(large)]):
            if missing > 0 and len(part) > 2:
                raise_low(code, self._solve(part, lows[code] + missing, played))
        for code, part in large:
            if missing > 0:
                low = min(self._solve(part, lows[code] + missing, played), lows[code] + missing)
                if low > lows[code]:
                    self.prove(part, low, (*path, (guess, code)))
                    raise_low(code, low)
        if missing > 0:
            raise RuntimeError(f"the proof misses {missing} guesses after {path} and {guess}: is the tree proven?")

    def _solve(self, members: Members, limit: int, played: list[int]) -> int:
        found = self.search.solve(members, ENDLESS, limit, played)
        if found is None:
            raise _Stopped
        return found.cost
