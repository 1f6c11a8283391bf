"""A knowledge base that grows by what is posted; everything that follows is worked out when a version is made."""

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from ...errors import DeskError
from ..store import Store
from . import parser, safety
from .clingo_text import Numbering, Predicate
from .evaluation import Evaluator
from .parser import MOST_CLAUSES, MOST_TEXT, Atom
from .safety import Dependency

_KIND, _NAME = "base", "text"
#: Posts that may wait while another is worked out.
MOST_WAITING = 8


class Busy(DeskError):
    """Too much is asked at once; later it may be done."""


class NothingLoaded(DeskError):
    """A question to a base that was never loaded."""


@dataclass(frozen=True)
class Version:
    """The base at one moment: its text, when it was loaded (seconds since 1970), and everything that follows."""

    text: str = ""
    epoch: int = 0
    count: int = 0
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
        return [f"{query.name}({', '.join(row)})" for row in rows
                if all(row[place] == text for place, text in fixed)
                and all(row[one] == row[other] for one, other in alike)]


def _alike(query: Atom) -> list[tuple[int, int]]:
    """Return the pairs of places that hold the same variable; `_` never equals another."""
    first: dict[str, int] = {}
    return [(first[term.text], place) for place, term in enumerate(query.terms)
            if term.is_variable and term.text != "_" and first.setdefault(term.text, place) != place]


class KnowledgeBase:
    """The present version, None before the first. Readers take it as it is; one writer at a time makes the next."""

    def __init__(self, evaluator: Evaluator, store: Store) -> None:
        self._evaluator, self._store = evaluator, store
        self._writing = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)
        self.version: Version | None = None
        kept = store.all(_KIND).get(_NAME)
        if kept is not None:
            self.version = self._next(Version(), kept["text"], kept["epoch"])

    def append(self, text: str) -> Version:
        """Join facts and rules to the base, all of them or, with an error, none.

        Raises `DialectError`, `TooMuch`, `Busy`, or `DeskError` for a base that would be too large.
        """
        if not self._waiting.acquire(blocking=False):
            raise Busy("Too many changes wait already; try again in a moment.")
        try:
            with self._writing:
                made = self._next(self.version or Version(), text, int(time.time()))
                self._keep(made)
                self.version = made
                return made
        finally:
            self._waiting.release()

    def clear(self) -> Version:
        """Forget everything."""
        with self._writing:
            empty = Version(epoch=int(time.time()))
            self._keep(empty)
            self.version = empty
            return empty

    def ask(self, query: str) -> list[str]:
        """Answer a query from the present version; raises `DialectError`, or `NothingLoaded`."""
        version = self.version
        if version is None:
            raise NothingLoaded("query not executed because no KB was loaded.")
        return version.answers(parser.parse_query(query))

    def _next(self, before: Version, text: str, epoch: int) -> Version:
        program = parser.parse(text)
        safety.check_safe(program)
        safety.check_stratified(before.known, program)
        whole = before.text + "\n" + text if before.text else text
        count = before.count + len(program.clauses)
        if len(whole) > MOST_TEXT or count > MOST_CLAUSES:
            raise DeskError(f"The base would have {len(whole):,} characters and {count:,} facts and rules; "
                            f"{MOST_TEXT:,} and {MOST_CLAUSES:,} are the most. DELETE it, or post less.")
        names = before.names.copy()
        written = before.program + names.clauses(program.clauses)
        facts = _read(self._evaluator.facts(written), names)
        return Version(whole, epoch, count, before.known | set(safety.dependencies(program)), names, written, facts)

    def _keep(self, version: Version) -> None:
        self._store.keep(_KIND, _NAME, {"text": version.text, "epoch": version.epoch})


def _read(facts: dict[str, Any], names: Numbering) -> dict[Predicate, list[tuple[str, ...]]]:
    """Give numbers their names back; rows in the order of their text."""
    constants = list(names.constants)
    return {predicate: sorted(tuple(constants[number] for number in row) for row in facts.get(f"p{place}", []))
            for predicate, place in names.predicates.items()}
