"""The knowledge at work on one game of codes: clingo keeps every code that may be the secret, turn by turn.

The board is grounded once; a turn adds its own few rules and constraint (multi-shot), switched on and off by an
assumption. So a turn can be taken back or only supposed, and clingo names turns that cannot all be true.
"""

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import clingo

from jotto.rules import Rules

from ...errors import DeskError
from ..datalog.clingo_text import Numbering
from ..datalog.evaluation import Busy
from . import knowledge

_SECRET = "secret"
#: Codes listed, seconds spent on them, and dead ends met at most.
MOST_CODES, SECONDS, MOST_CONFLICTS = 40_000, 5.0, 50_000


class Fitting(NamedTuple):
    """Codes that may be the secret; not `is_all` where there were more than asked for, or the time was over."""

    codes: tuple[str, ...]
    is_all: bool


class Reasoner:
    """One game's codes and every turn it was told; turns are known by their numbers. For any thread, one at a time."""

    def __init__(self, rules: Rules, reading: str = knowledge.EXACT) -> None:
        self.rules = rules
        self._numbers: dict[tuple[str, tuple[int, int]], int] = {}
        self._names = Numbering()
        self._lock = threading.Lock()
        self._is_ended = False
        self._control = clingo.Control(["--warn=none", f"--solve-limit={MOST_CONFLICTS}"], message_limit=0)
        self._control.add("base", [], self._board(reading))
        self._control.ground([("base", [])])
        self._pegs = {symbol: peg for peg, symbol in self._every_peg()}
        self._peg_symbols = {peg: symbol for symbol, peg in self._pegs.items()}

    def _board(self, reading: str) -> str:
        name = self._names
        facts = [*knowledge.board(self.rules, reading), ("code", (_SECRET,))]
        lines = [f"{name.atom(predicate, *constants)}." for predicate, constants in facts]
        lines.append(name.clauses(knowledge.load().board))
        secret, peg = name.constant(_SECRET), name.predicate("peg", 3)
        hole, colour = name.predicate("hole", 1), name.predicate("colour", 1)
        lines.append(f"{{{peg}({secret},H,C):{colour}(C)}}=1:-{hole}(H).")
        lines.append(f":-{name.atom('unlawful', _SECRET)}.")
        lines.append(f"#show.#show {peg}/3.")
        return "\n".join(lines)

    def _every_peg(self) -> Iterator[tuple[tuple[int, str], clingo.Symbol]]:
        secret, peg = clingo.Number(self._names.constant(_SECRET)), self._names.predicate("peg", 3)
        for place in range(self.rules.length):
            for symbol in self.rules.alphabet:
                spot = clingo.Number(self._names.constant(f"h{place + 1}")), clingo.Number(self._names.constant(symbol))
                yield (place, symbol), clingo.Function(peg, [secret, *spot])

    def turn(self, guess: str, answer: tuple[int, int]) -> int:
        """Return the number of a turn, told now or before."""
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
        """How many turns it was told, those taken back included: each costs a little ever after."""
        return len(self._numbers)

    def _turn(self, number: int, guess: str, answer: tuple[int, int]) -> str:
        name, turn = self._names, f"t{number}"
        lines = [
            f"{name.atom(predicate, *constants)}." for predicate, constants in knowledge.turn(turn, guess, *answer)
        ]
        lines.append(name.clauses(knowledge.load().turn, {knowledge.TURN: turn}))
        lines.append(f"{{on({number})}}.:-on({number}),{name.atom('clash', _SECRET, turn)}.")
        return "\n".join(lines)

    def fitting(self, turns: Iterable[int], most: int = MOST_CODES, seconds: float = SECONDS) -> Fitting:
        """List codes that no rule and none of these turns speaks against, in order; all of them where few enough."""
        with self._lock, self._solving(turns, most + 1) as handle:
            codes, until = [], time.monotonic() + seconds
            for model in handle:
                codes.append(self._code(model))
                if time.monotonic() > until:
                    break
            else:
                is_all = bool(handle.get().exhausted) and len(codes) <= most
                return Fitting(tuple(sorted(codes[:most])), is_all)
        return Fitting(tuple(sorted(codes[:most])), False)

    def agree(self, turns: Iterable[int]) -> tuple[bool, set[int]]:
        """Tell whether some code fits these turns; where none does, some of the turns that already clash.

        Raises `DeskError` where that is too hard to find out.
        """
        with self._lock, self._solving(turns, 1) as handle:
            found = handle.get()
            if found.satisfiable is None:
                raise DeskError("Whether these turns agree is too hard to find out on so large a board.")
            return bool(found.satisfiable), set() if found.satisfiable else self._turns_of(handle.core())

    def clashing(self, code: str, turns: Sequence[int]) -> list[int]:
        """List the turns, of these, that speak against a code."""
        clashes = {turn: clingo.parse_term(self._names.atom("clash", _SECRET, f"t{turn}")) for turn in turns}
        with self._lock, self._solving((), 1, code) as handle:
            for model in handle:
                return [turn for turn, clash in clashes.items() if model.contains(clash)]
        return []

    def end(self) -> None:
        """Break off what is being solved, and solve no more: a solver at work must not outlive the program."""
        self._is_ended = True
        self._control.interrupt()

    @contextlib.contextmanager
    def _solving(self, turns: Iterable[int], most: int, code: str = "") -> Iterator[Any]:
        """Solve with these turns alone, and this code where one is given."""
        if self._is_ended:
            raise Busy("The service is ending.")
        wanted = set(turns)
        assumed = [
            (clingo.Function("on", [clingo.Number(number)]), number in wanted)
            for number in range(1, len(self._numbers) + 1)
        ]
        assumed += [(self._peg_symbols[peg], True) for peg in enumerate(code)]
        self._control.configuration.solve.models = most  # type: ignore[union-attr]
        with self._control.solve(assumed, yield_=True) as handle:
            yield handle

    def _turns_of(self, literals: Sequence[int]) -> set[int]:
        by_literal = {
            atom.literal: atom.symbol.arguments[0].number for atom in self._control.symbolic_atoms.by_signature("on", 1)
        }
        return {by_literal[literal] for literal in literals if literal in by_literal}

    def _code(self, model: clingo.Model) -> str:
        pegs = [self._pegs[symbol] for symbol in model.symbols(shown=True)]
        return "".join(symbol for _, symbol in sorted(pegs))
