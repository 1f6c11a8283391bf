"""A knowledge base that grows by what is posted; everything that follows is worked out when a version is made."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...errors import DeskError
from ..store import Store
from . import parser, safety
from .clingo_text import Numbering, Predicate
from .evaluation import Busy, Evaluator, Facts
from .parser import MOST_CLAUSES, MOST_TEXT, Atom, Program
from .safety import Dependency

_KIND, _NAME = "base", "text"
#: Seconds a change waits for others; how often one that is worked out beside others is worked out anew for their sake.
PATIENCE, MOST_TRIES = 20.0, 3
#: Rules can be applied at most so many times where a change is small for sure.
SMALL = 50_000


class NothingLoaded(DeskError):
    """A question to a base that was never loaded."""


@dataclass(frozen=True)
class Version:
    """The base at one moment: its text, when it was loaded (seconds since 1970), and everything that follows.

    `count` is that of its clauses; of its `rules` the widest has `width` variables.
    """

    text: str = ""
    epoch: int = 0
    count: int = 0
    rules: int = 0
    width: int = 0
    known: frozenset[Dependency] = frozenset()
    names: Numbering = field(default_factory=Numbering)
    program: str = ""
    facts: dict[Predicate, list[tuple[str, ...]]] = field(default_factory=dict)

    def answers(self, query: Atom) -> list[str]:
        """List the facts that a query asks for, as text, in order."""
        rows = self.facts.get(query.predicate, [])
        if not query.terms:
            return [query.name] * len(rows)
        fixed = [(place, term.text) for place, term in enumerate(query.terms) if not term.is_variable]
        alike = _alike(query)
        return [
            f"{query.name}({', '.join(row)})"
            for row in rows
            if all(row[place] == text for place, text in fixed) and all(row[one] == row[other] for one, other in alike)
        ]


def _alike(query: Atom) -> list[tuple[int, int]]:
    """Return the pairs of places that hold the same variable; `_` never equals another."""
    first: dict[str, int] = {}
    return [
        (first[term.text], place)
        for place, term in enumerate(query.terms)
        if term.is_variable and term.text != "_" and first.setdefault(term.text, place) != place
    ]


class KnowledgeBase:
    """The present version, None before the first. Readers take it as it is; one writer at a time makes the next."""

    def __init__(self, evaluator: Evaluator, store: Store) -> None:
        self._evaluator, self._store = evaluator, store
        self._writing, self._trying = threading.Lock(), threading.Lock()
        self.version: Version | None = None
        kept = store.all(_KIND).get(_NAME)
        if kept is not None:
            self._restore(kept["text"], kept["epoch"])

    def _restore(self, text: str, epoch: int) -> None:
        with self._evaluator.large() as facts:
            self.version = _joined(Version(), parser.parse(text), epoch, facts)

    def append(self, text: str) -> Version:
        """Join facts and rules to the base, all of them or, with an error, none.

        Small work is done at once; large work beside it, and anew where the base has changed meanwhile.
        Raises `DatalogError`, `TooMuch`, `Busy`, or `DeskError` for a base that would be too large.
        """
        program, epoch = parser.parse(text), int(time.time())
        # What is small for sure waits for one at most that may be large.
        trying = contextlib.nullcontext() if _is_small(self.version or Version(), program) else _held(self._trying)
        with trying, _held(self._writing):
            made = _joined(self.version or Version(), program, epoch, self._evaluator.quickly)
            if made is not None:
                return self._become(made)
        with self._evaluator.large() as facts:
            for _ in range(MOST_TRIES):
                before = self.version
                made = _joined(before or Version(), program, epoch, facts)
                assert made is not None
                with _held(self._writing):
                    if self.version is before:
                        return self._become(made)
        raise Busy("The knowledge base changed again and again while this was worked out; try again in a moment.")

    def clear(self) -> Version:
        """Forget everything."""
        with _held(self._writing):
            return self._become(Version(epoch=int(time.time())))

    def _become(self, version: Version) -> Version:
        self._store.keep(_KIND, _NAME, {"text": version.text, "epoch": version.epoch})
        self.version = version
        return version

    def ask(self, query: str) -> list[str]:
        """Answer a query from the present version; raises `DialectError`, or `NothingLoaded`."""
        version = self.version
        if version is None:
            raise NothingLoaded("query not executed because no KB was loaded.")
        return version.answers(parser.parse_query(query))


@contextlib.contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock; raises `Busy` where others have it for too long."""
    if not lock.acquire(timeout=PATIENCE):
        raise Busy(f"Other changes took more than {PATIENCE:g} seconds; try again in a moment.")
    try:
        yield
    finally:
        lock.release()


def _is_small(before: Version, program: Program) -> bool:
    """Tell whether what follows is little for sure: every variable can stand for every constant, and that is it."""
    rules = [clause.variables for clause in program.clauses if clause.body]
    constants = {term.text for clause in program.clauses for term in clause.terms if not term.is_variable}
    most: int = min(len(before.names.constants) + len(constants), SMALL) ** max(before.width, *rules, 0)
    return (before.rules + len(rules)) * most + before.count + len(program.clauses) <= SMALL


def _joined(before: Version, program: Program, epoch: int, facts_of: Callable[[str], Facts | None]) -> Version | None:
    """Make the version that follows; None where `facts_of` does not work the facts out."""
    safety.check_safe(program)
    safety.check_stratified(before.known, program)
    whole = before.text + "\n" + program.text if before.text else program.text
    count = before.count + len(program.clauses)
    if len(whole) > MOST_TEXT or count > MOST_CLAUSES:
        raise DeskError(
            f"The base would have {len(whole):,} characters and {count:,} facts and rules; "
            f"{MOST_TEXT:,} and {MOST_CLAUSES:,} are the most. DELETE it, or post less."
        )
    names = before.names.copy()
    written = before.program + names.clauses(program.clauses)
    facts = facts_of(written)
    if facts is None:
        return None
    widths = [clause.variables for clause in program.clauses if clause.body]
    return Version(
        whole,
        epoch,
        count,
        before.rules + len(widths),
        max(before.width, *widths, 0),
        before.known | set(safety.dependencies(program)),
        names,
        written,
        _read(facts, names),
    )


def _read(facts: dict[str, Any], names: Numbering) -> dict[Predicate, list[tuple[str, ...]]]:
    """Give numbers their names back; rows in the order of their text."""
    constants = list(names.constants)
    return {
        predicate: sorted(tuple(constants[number] for number in row) for row in facts.get(f"p{place}", []))
        for predicate, place in names.predicates.items()
    }
