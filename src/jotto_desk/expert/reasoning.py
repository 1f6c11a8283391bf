"""Reasoning about one game: the codes that can be the secret, the turns that clash, and explanations."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import perm
from typing import Any, NamedTuple, TypeAlias

import clingo

from jotto import explain
from jotto.feedback import PLACES
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import LETTERS, MASTERMIND, JottoError, Rules
from jotto.strategies import Entropy
from jotto.tree import list_codes
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.expert import datalog
from jotto_desk.expert.knowledge_base import Busy
from jotto_desk.games import advice
from jotto_desk.words import lists

# Finding the codes that fit with clingo.

#: The constant for the unknown code.
_SECRET = "secret"
#: The most codes that are listed.
_MAX_CODES = 40_000
#: The longest time for listing codes.
_SOLVING_TIMEOUT_S = 5.0
#: The search gives up after this number of conflicts, clingo's dead ends.
_MAX_CONFLICTS = 50_000


class FittingCodes(NamedTuple):
    """Codes that can be the secret; `is_all` is false if there are more, or if the time was over."""

    codes: tuple[str, ...]
    is_all: bool


class Reasoner:
    """The codes of one game and all its turns, by their numbers; a lock lets threads in one by one.

    The board is grounded once. A turn adds a few rules and a constraint, which an assumption switches on and off. So a
    turn can be taken back or only supposed, and clingo names turns that cannot all be true.
    """

    def __init__(self, rules: Rules, reading: str = datalog.EXACT_READING) -> None:
        self.rules = rules
        self._numbers: dict[tuple[str, tuple[int, int]], int] = {}
        self._names = datalog.NameNumbering()
        self._lock = threading.Lock()
        self._is_ended = False
        self._control = clingo.Control(["--warn=none", f"--solve-limit={_MAX_CONFLICTS}"], message_limit=0)
        self._control.add("base", [], self._board(reading))
        self._control.ground([("base", [])])
        self._pegs = {symbol: peg for peg, symbol in self._every_peg()}
        self._peg_symbols = {peg: symbol for symbol, peg in self._pegs.items()}

    def _board(self, reading: str) -> str:
        name = self._names
        facts = [*datalog.list_board_facts(self.rules, reading), ("code", (_SECRET,))]
        lines = [f"{name.atom(predicate, *constants)}." for predicate, constants in facts]
        lines.append(name.format_clauses(datalog.load_knowledge().board))
        secret, peg = name.number_constant(_SECRET), name.name_predicate("peg", 3)
        hole, colour = name.name_predicate("hole", 1), name.name_predicate("colour", 1)
        lines.append(f"{{{peg}({secret},H,C):{colour}(C)}}=1:-{hole}(H).")
        lines.append(f":-{name.atom('unlawful', _SECRET)}.")
        lines.append(f"#show.#show {peg}/3.")
        return "\n".join(lines)

    def _every_peg(self) -> Iterator[tuple[tuple[int, str], clingo.Symbol]]:
        secret, peg = clingo.Number(self._names.number_constant(_SECRET)), self._names.name_predicate("peg", 3)
        for place in range(self.rules.length):
            for symbol in self.rules.alphabet:
                spot = (
                    clingo.Number(self._names.number_constant(f"h{place + 1}")),
                    clingo.Number(self._names.number_constant(symbol)),
                )
                yield (place, symbol), clingo.Function(peg, [secret, *spot])

    def turn(self, guess: str, answer: tuple[int, int]) -> int:
        """Return the number of a turn; a new turn is added."""
        with self._lock:
            key = guess, (int(answer[0]), int(answer[1]))
            if key not in self._numbers:
                number = len(self._numbers) + 1
                self._control.add(f"turn{number}", [], self._turn(number, guess, key[1]))
                self._control.ground([(f"turn{number}", [])])
                self._numbers[key] = number
            return self._numbers[key]

    @property
    def turns_told(self) -> int:
        """Return the number of turns, including those taken back, which still take time."""
        return len(self._numbers)

    def _turn(self, number: int, guess: str, answer: tuple[int, int]) -> str:
        name, turn = self._names, f"t{number}"
        facts = datalog.turn_facts(turn, guess, *answer)
        lines = [f"{name.atom(predicate, *constants)}." for predicate, constants in facts]
        lines.append(name.format_clauses(datalog.load_knowledge().turn, {datalog.TURN_VARIABLE: turn}))
        lines.append(f"{{on({number})}}.:-on({number}),{name.atom('clash', _SECRET, turn)}.")
        return "\n".join(lines)

    def find_fitting(
        self, turns: Iterable[int], most: int = _MAX_CODES, seconds: float = _SOLVING_TIMEOUT_S
    ) -> FittingCodes:
        """Return the sorted codes that fit these turns: at most `most`, found in at most `seconds` seconds."""
        with self._lock, self._solve_with(turns, most + 1) as handle:
            codes, until = [], time.monotonic() + seconds
            for model in handle:
                pegs = sorted(self._pegs[symbol] for symbol in model.symbols(shown=True))
                codes.append("".join(symbol for _, symbol in pegs))
                if time.monotonic() > until:
                    break
            else:
                is_all = bool(handle.get().exhausted) and len(codes) <= most
                return FittingCodes(tuple(sorted(codes[:most])), is_all)
        return FittingCodes(tuple(sorted(codes[:most])), False)

    def agree(self, turns: Iterable[int]) -> tuple[bool, set[int]]:
        """Return whether a code fits these turns; if none does, also some of the turns that already clash.

        Raises `DeskError` if clingo cannot find that out.
        """
        with self._lock, self._solve_with(turns, 1) as handle:
            found = handle.get()
            if found.satisfiable is None:
                raise DeskError("On so large a board, these turns are too hard to check.")
            return bool(found.satisfiable), set() if found.satisfiable else self._turns_of(handle.core())

    def find_clashing(self, code: str, turns: Sequence[int]) -> list[int]:
        """Return the turns among `turns` that speak against a code."""
        clashes = {turn: clingo.parse_term(self._names.atom("clash", _SECRET, f"t{turn}")) for turn in turns}
        with self._lock, self._solve_with((), 1, code) as handle:
            for model in handle:
                return [turn for turn, clash in clashes.items() if model.contains(clash)]
        return []

    def end(self) -> None:
        """Interrupt the search and refuse others: clingo must not run when the program ends."""
        self._is_ended = True
        self._control.interrupt()

    @contextlib.contextmanager
    def _solve_with(self, turns: Iterable[int], most: int, code: str = "") -> Iterator[Any]:
        """Solve with only these turns, and with this code if one is given."""
        if self._is_ended:
            raise Busy("The service is ending.")
        wanted, numbers = set(turns), range(1, len(self._numbers) + 1)
        assumed = [(clingo.Function("on", [clingo.Number(number)]), number in wanted) for number in numbers]
        assumed += [(self._peg_symbols[peg], True) for peg in enumerate(code)]
        self._control.configuration.solve.models = most  # type: ignore[union-attr]
        with self._control.solve(assumed, yield_=True) as handle:
            yield handle

    def _turns_of(self, literals: Sequence[int]) -> set[int]:
        atoms = self._control.symbolic_atoms.by_signature("on", 1)
        by_literal = {atom.literal: atom.symbol.arguments[0].number for atom in atoms}
        return {by_literal[literal] for literal in literals if literal in by_literal}


# The candidates of a game: codes by the knowledge, words by the list.

MAX_HOLES = 12
MAX_COLOURS = len(advice.SYMBOLS)
#: A board with at most this number of codes is small: all its codes are listed.
_MAX_LISTED = 40_000
#: The most codes that are listed for a larger board.
_FEWER_LISTED = 10_000
#: A new reasoner is made when this number of turns was taken back: they still take time.
_MAX_TOLD = 16
GAME_NAMES = (datalog.EXACT_READING, datalog.CLASSIC_READING, *advice.GAME_RULES)


class GameSetup(NamedTuple):
    """A game's name, its rules, and the reading of its answers, which is "" for words."""

    name: str
    rules: Rules
    reading: str

    @property
    def size(self) -> int:
        """Return the number of codes; 0 for words."""
        if not self.reading:
            return 0
        count = len(self.rules.alphabet)
        return int(count**self.rules.length if self.rules.repeats else perm(count, self.rules.length))

    @property
    def is_small(self) -> bool:
        """Return whether all codes can be listed."""
        return self.size <= _MAX_LISTED


def make_setup(
    name: str, holes: int | None = None, colours: int | None = None, repeats: bool | None = None
) -> GameSetup:
    """Return the game with these values; raises `DeskError` if they do not go together."""
    if name not in GAME_NAMES:
        raise DeskError(f"There are no rules '{name[:30]}'; choose one of: {', '.join(GAME_NAMES)}.")
    if not 1 <= (holes or 1) <= MAX_HOLES or not 2 <= (colours or 2) <= MAX_COLOURS:
        raise DeskError(f"A board has 1 to {MAX_HOLES} holes and 2 to {MAX_COLOURS} colours.")
    if name in (datalog.EXACT_READING, datalog.CLASSIC_READING):
        if repeats is False and (holes or 4) > (colours or 6):
            wrong = f"{holes or 4} holes cannot be filled with {colours or 6} different colours"
            raise DeskError(f"{wrong}; allow repeats.")
        alphabet = advice.SYMBOLS[: colours or 6]
        board = MASTERMIND._replace(length=holes or 4, alphabet=alphabet, repeats=repeats is not False)
        return GameSetup(name, board, name)
    rules = advice.make_rules(name, holes, colours, repeats)
    if rules.alphabet == LETTERS:
        if not holes == colours == repeats is None:
            raise DeskError(f"'{name}' is played with the words of a list; leave holes, colours and repeats out.")
        return GameSetup(name, rules, "")
    return GameSetup(name, rules, datalog.EXACT_READING if rules.kind == PLACES else "")


class KnowledgeCandidates:
    """The codes of a game that can be the secret, by the rules of `knowledge.dl`; turns count from 0."""

    def __init__(self, wanted: GameSetup) -> None:
        self.setup = wanted
        self._reasoner = Reasoner(wanted.rules, wanted.reading)
        self._is_small, self._is_ended = wanted.is_small, False

    def _numbers(self, turns: Sequence[Turn]) -> list[int]:
        if not self._is_ended and self._reasoner.turns_told > _MAX_TOLD + len(turns):
            self._reasoner = Reasoner(self.setup.rules, self.setup.reading)
        return [self._reasoner.turn(guess, feedback) for guess, feedback in turns]

    def find_fitting(self, turns: Sequence[Turn]) -> FittingCodes:
        """Return what fits all turns."""
        if not turns and self._is_small:
            return FittingCodes(self.list_askable(), True)
        numbers = self._numbers(turns)
        return self._reasoner.find_fitting(numbers, _MAX_LISTED if self._is_small else _FEWER_LISTED)

    def find_clashing(self, code: str, turns: Sequence[Turn]) -> list[int]:
        """Return the turns that speak against a code."""
        numbers = self._numbers(turns)
        against = set(self._reasoner.find_clashing(code, numbers))
        return [place for place, number in enumerate(numbers) if number in against]

    def agree(self, turns: Sequence[Turn]) -> tuple[bool, set[int]]:
        """Return whether anything fits these turns; if nothing does, also some turns that already clash."""
        numbers = self._numbers(turns)
        fits, core = self._reasoner.agree(numbers)
        return fits, {numbers.index(number) for number in core}

    def list_askable(self) -> tuple[str, ...]:
        """Return every code of a small board."""
        return tuple(map(str, list_codes(self.setup.rules))) if self._is_small else ()

    def end(self) -> None:
        """Interrupt the search and refuse others."""
        self._is_ended = True
        self._reasoner.end()


class _ListCandidates:
    """The words of a game, by the list that comes with it."""

    def __init__(self, wanted: GameSetup) -> None:
        self.setup = wanted
        self._index: Index = lists.load_default_list(wanted.rules, own=False).build_index(wanted.rules)

    def find_fitting(self, turns: Sequence[Turn]) -> FittingCodes:
        return FittingCodes(tuple(map(str, self._index.list_words(self._index.find_candidates(turns)))), True)

    def find_clashing(self, code: str, turns: Sequence[Turn]) -> list[int]:
        return [place for place, (guess, got) in enumerate(turns) if self.setup.rules.score(guess, code) != got]

    def agree(self, turns: Sequence[Turn]) -> tuple[bool, set[int]]:
        fits = bool(self._index.find_candidates(turns))
        return fits, set() if fits else set(range(len(turns)))

    def list_askable(self) -> Sequence[str]:
        return tuple(map(str, self._index.words))

    def end(self) -> None:
        """Nothing to do: a list is searched immediately."""


#: Anything that finds the candidates of a game.
CandidateSource: TypeAlias = KnowledgeCandidates | _ListCandidates


def make_candidate_source(wanted: GameSetup) -> CandidateSource:
    """Make the candidate source of a game."""
    return KnowledgeCandidates(wanted) if wanted.reading else _ListCandidates(wanted)


# Finding the smallest set of turns that cannot all be true.

#: After this number of questions, a small set is good enough.
MAX_QUESTIONS = 2_000
#: The most steps of the search for a set that shares a turn with all others.
_MAX_STEPS = 20_000

#: Returns whether some turns agree; if they do not, also some of them that already clash.
_AgreeTest = Callable[[Sequence[int]], tuple[bool, set[int]]]


class _Enough(Exception):
    """The search has reached its limit."""


def find_smallest_conflict(count: int, agree: _AgreeTest) -> tuple[list[int], bool]:
    """Return the smallest set of turns (numbered from 0) that clash, and whether it is proven to be the smallest.

    It is empty if all turns agree. A correction set is a set of turns whose removal leaves no clash. Every clash shares
    a turn with every correction set. So the smallest set that shares a turn with all known correction sets is the
    smallest clash, once it clashes (the implicit hitting set algorithm).
    """
    fits, core = agree(range(count))
    if fits:
        return [], True
    left = MAX_QUESTIONS

    def count_and_agree(turns: Sequence[int]) -> tuple[bool, set[int]]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Enough
        return agree(turns)

    corrections: list[frozenset[int]] = []
    try:
        while True:
            chosen = _find_hitting_set(corrections)
            if not count_and_agree(sorted(chosen))[0]:
                return sorted(chosen), True
            corrections.append(frozenset(range(count)) - _add_agreeing(chosen, count, count_and_agree))
    except _Enough:
        return _shrink(core, agree), False


def _add_agreeing(chosen: frozenset[int], count: int, agree: _AgreeTest) -> frozenset[int]:
    """Add turns as long as all agree."""
    grown = set(chosen)
    for turn in range(count):
        if turn not in grown and agree(sorted({*grown, turn}))[0]:
            grown.add(turn)
    return frozenset(grown)


def _find_hitting_set(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """Find a smallest set that shares a turn with every set."""
    steps = 0

    def search(chosen: frozenset[int], most: int) -> frozenset[int] | None:
        nonlocal steps
        steps += 1
        if steps > _MAX_STEPS:
            raise _Enough
        unmet = next((one for one in sets if not one & chosen), None)
        if unmet is None:
            return chosen
        if len(chosen) == most:
            return None
        for turn in sorted(unmet):
            found = search(chosen | {turn}, most)
            if found is not None:
                return found
        return None

    for most in range(len(sets) + 1):
        found = search(frozenset(), most)
        if found is not None:
            return found
    raise _Enough


def _shrink(core: set[int], agree: _AgreeTest) -> list[int]:
    """Leave out turns, one after the other, as long as the rest clashes."""
    left = sorted(core)
    for turn in sorted(core):
        fewer = [other for other in left if other != turn]
        if fewer and not agree(fewer)[0]:
            left = fewer
    return left


# Explanations as JSON values with sentences.

#: The longest time for counting the codes that would remain by the classic reading.
_EXPLAIN_TIMEOUT_S = 5.0
#: With more codes, they are not counted.
_MAX_HELD = 10_000


def explain_excluded(source: CandidateSource, turns: Sequence[Turn], code: str) -> dict[str, Any]:
    """Return the turns that speak against a code: the answer it would have given, and the real one."""
    rules = source.setup.rules
    against = source.find_clashing(code, turns)
    reasons = []
    for place in against:
        guess, got = turns[place]
        answers = {"got": plain_guess(got), "expected": plain_guess(rules.score(guess, code))}
        reasons.append({"turn": place + 1, "guess": guess, **answers})
    text = advice.find_objections(code, turns, rules, against)
    return {"code": code, "fits": not reasons, "reasons": reasons, "text": text}


def explain_guess(
    source: CandidateSource, turns: Sequence[Turn], guess: str, fitting: FittingCodes, index: Index
) -> dict[str, Any]:
    """Return the numbers of codes that a guess would leave: for each answer, on average and at worst; `index` has all.

    All codes that fit are equally likely. Raises `DeskError` if that takes too long.
    """
    rules = source.setup.rules
    chances = {answer: members.bit_count() for answer, members in index.split(guess, index.everything).items()}
    left = _remaining(source, turns, guess, chances)
    total = len(index)
    answers = [
        {"answer": plain_guess(answer), "chance": round(count / total, 6), "left": left[answer]}
        for answer, count in sorted(chances.items(), key=lambda pair: -pair[1])
    ]
    seen = explain.measure_guess(guess, index, index.everything)
    if left is not chances and total:
        mean = sum(count * left[answer] for answer, count in chances.items()) / total
        seen = seen._replace(mean=mean, worst=max(left.values()))
    bits = Entropy.compute_bits(index, guess, index.everything)
    things = ("word" if rules.name in ("jotto", "wordle", "paper-jotto") else "code") + "s" * (total != 1)
    shown = guess.upper()
    first = "" if fitting.is_all else f"Of the first {total:,} codes found that fit: "
    can = "may" if seen.fits else "cannot"
    text = "No code fits, so no guess would help; ask which turns clash."
    if total:
        remain = f"{seen.mean:,.1f} would remain on average, {seen.worst:,} at worst."
        text = f"{first}{shown} {can} be it. {total:,} {things} fit now; after its answer {remain}"
    known = {"guess": guess, "fits": seen.fits, "left": total, "is_all": fitting.is_all}
    remaining = {"mean": round(seen.mean, 4), "worst": seen.worst, "groups": len(chances), "bits": round(bits, 4)}
    return {**known, **remaining, "answers": answers, "text": text}


def _remaining(source: CandidateSource, turns: Sequence[Turn], guess: str, chances: dict[Any, int]) -> dict[Any, int]:
    if source.setup.reading != datalog.CLASSIC_READING:
        return chances
    # By the classic reading, codes also remain that would have given another answer: only the knowledge knows them.
    if sum(chances.values()) > _MAX_HELD:
        raise DeskError("Too many codes fit to count the rest by the classic rules; add a turn first.")
    found, until = {}, time.monotonic() + _EXPLAIN_TIMEOUT_S
    for answer in chances:
        if time.monotonic() > until:
            wrong = f"The codes that would remain were not counted in {_EXPLAIN_TIMEOUT_S:g} seconds"
            raise DeskError(f"{wrong}; add a turn first.")
        found[answer] = len(source.find_fitting([*turns, Turn(guess, answer)]).codes)
    return found


def explain_clash(source: CandidateSource, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the smallest set of turns that cannot all be true; empty if something fits."""

    def agree(places: Sequence[int]) -> tuple[bool, set[int]]:
        fits, core = source.agree([turns[place] for place in places])
        return fits, {places[place] for place in core}

    found, is_smallest = find_smallest_conflict(len(turns), agree)
    text = _describe_clash([place + 1 for place in found], len(turns))
    return {"fits": not found, "turns": plain_turns(turns, found), "is_smallest": is_smallest, "text": text}


def plain_turns(turns: Sequence[Turn], places: Iterable[int]) -> list[dict[str, Any]]:
    """Return the turns at some places, counted from 0, as JSON values."""
    return [
        {"turn": place + 1, "guess": turns[place].guess, "answer": plain_guess(turns[place].feedback)}
        for place in places
    ]


def _describe_clash(numbers: Sequence[int], count: int) -> str:
    if not numbers:
        return f"Something fits {advice.explain_all_turns(count)}."
    if len(numbers) == 1:
        return f"Turn {numbers[0]} alone cannot be: nothing gives that answer. Change it, or take it back."
    named = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    which = "both" if len(numbers) == 2 else "all"
    return f"Turns {named} cannot {which} be true: one of them is wrong. Change it, or take it back."


def plain_guess(feedback: Any) -> Any:
    """Return an answer as a JSON value: two numbers, one number, or marks."""
    return list(feedback) if isinstance(feedback, tuple) else feedback


def parse_code(code: str, rules: Rules) -> str:
    """Read a code or word as a person writes it; raises `DeskError` if the rules do not allow it."""
    read = code.strip().lower()
    with as_desk_errors(JottoError):
        rules.check(read)
    return read
