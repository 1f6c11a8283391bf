"""The knowledge of Mastermind, read from `knowledge.dl`, and the facts of a board, a turn and a code it asks for."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from jotto.rules import Rules

from ..datalog import parser, safety
from ..datalog.parser import Clause

FILE = Path(__file__).with_name("knowledge.dl")
#: How answers are read.
EXACT, CLASSIC = "exact", "classic"
#: The variable that stands for a turn in every rule about one.
TURN = "Turn"
#: What is known of a turn from outside.
TOLD = {("turn", 1), ("guess", 3), ("answer", 3)}

#: A predicate and its constants.
Fact = tuple[str, tuple[str, ...]]


class Knowledge(NamedTuple):
    """The rules by what they are about: the board and a code; one turn; all turns together."""

    board: tuple[Clause, ...]
    turn: tuple[Clause, ...]
    summary: tuple[Clause, ...]


def text() -> str:
    """Return the knowledge base as people read it."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def load() -> Knowledge:
    """Read and check the rules, and sort them by what they are about."""
    program = parser.parse(text())
    safety.check_safe(program)
    safety.check_stratified((), program)
    about = set(TOLD)
    needs = [(need.head, need.other) for need in safety.dependencies(program)]
    while more := {head for head, other in needs if other in about and head not in about}:
        about |= more
    parts: tuple[list[Clause], list[Clause], list[Clause]] = ([], [], [])
    for clause in program.clauses:
        if clause.head.predicate not in about:
            parts[0].append(clause)
        elif any(term.text == TURN for term in clause.head.terms):
            parts[1].append(clause)
        else:
            parts[2].append(clause)
    return Knowledge(*map(tuple, parts))


def board(rules: Rules, reading: str = EXACT) -> Iterator[Fact]:
    """Say what there is to play with."""
    holes = [f"h{place}" for place in range(1, rules.length + 1)]
    yield from (("hole", (hole,)) for hole in holes)
    yield "first", (holes[0],)
    yield "last", (holes[-1],)
    yield from (("follows", (hole, before)) for before, hole in pairwise(holes))
    yield from (("colour", (str(symbol),)) for symbol in rules.alphabet)
    yield from (("next", (str(number), str(number + 1))) for number in range(rules.length))
    yield reading, ()
    if not rules.repeats:
        yield "different", ()


def turn(name: str, guess: str, blacks: int, whites: int) -> Iterator[Fact]:
    """Say what was guessed and answered."""
    yield "turn", (name,)
    yield from (("guess", (name, f"h{place}", symbol)) for place, symbol in enumerate(guess, start=1))
    yield "answer", (name, str(blacks), str(whites))


def code(name: str, pegs: Sequence[str]) -> Iterator[Fact]:
    """Say how a code looks."""
    yield "code", (name,)
    yield from (("peg", (name, f"h{place}", symbol)) for place, symbol in enumerate(pegs, start=1))


def written(fact: Fact) -> str:
    """Write a fact down, to be posted or read."""
    name, constants = fact
    return name + (f"({', '.join(constants)})" if constants else "") + "."
