"""Knowledge bases that clients post: stored in SQLite, checked, and evaluated by clingo in another process."""

import contextlib
import json
import logging
import os
import queue
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.expert import datalog
from jotto_desk.expert.datalog import (
    MAX_CLAUSES,
    MAX_TEXT_LENGTH,
    Atom,
    CountedPredicate,
    Dependency,
    NameNumbering,
    Program,
)

# --- What survives a restart: games and the posted knowledge base, in one SQLite file, with atomic writes.

_LOGGER = logging.getLogger(__name__)
_STORE_VERSION = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS kept (kind TEXT, name TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, name))",
    f"PRAGMA user_version = {_STORE_VERSION}",
)


def default_store_file() -> Path:
    """Name the file used where none is given."""
    return files.data_folder() / "expert.sqlite"


class NotKept(DeskError):
    """What should be kept cannot be written; nothing was changed."""


class Store:
    """Values by kind and name, on disk; in memory alone where `path` is empty. One process at a time; any thread."""

    def __init__(self, path: str | os.PathLike[str] = "") -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._trouble = ""
        try:
            if self.path:
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(
                self.path or ":memory:", check_same_thread=False, isolation_level=None, timeout=1
            )
            self._open()
            self._file = self._there()
        except (OSError, ValueError, sqlite3.Error) as error:
            raise DeskError(
                f"The games cannot be kept in '{self.path}' ({_why(error)}); name another file with --state."
            ) from error

    def _open(self) -> None:
        try:
            # Two services on one file would each overwrite what the other knows.
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("BEGIN EXCLUSIVE")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
            if found > _STORE_VERSION:
                raise sqlite3.DatabaseError(
                    f"it was written by version {found} of this program; this is {_STORE_VERSION}"
                )
            for line in _TABLES:
                self._base.execute(line)
            self._base.execute("COMMIT")
        except sqlite3.Error:
            self._base.close()
            raise

    def all(self, kind: str) -> dict[str, Any]:
        """Return the values of a kind by name, in the order they came."""
        try:
            with self._lock:
                line = "SELECT name, value FROM kept WHERE kind = ? ORDER BY rowid"
                rows = self._base.execute(line, (kind,)).fetchall()
            return {name: json.loads(value) for name, value in rows}
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
            raise DeskError(
                f"What is kept in '{self.path}' cannot be read ({_why(error)}); name another file with "
                "--state, or remove it."
            ) from error

    def keep(self, kind: str, name: str, value: Any) -> None:
        """Write a value in place of the one before."""
        line = (
            "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value",
            (kind, name, json.dumps(value)),
        )
        self._write(*line)

    def forget(self, kind: str, name: str) -> None:
        """Remove a value, if it is there."""
        self._write("DELETE FROM kept WHERE kind = ? AND name = ?", (kind, name))

    def _write(self, line: str, values: tuple[str, ...]) -> None:
        with self._lock:
            try:
                # SQLite would go on writing to a file that nobody finds any more.
                if self._there() != self._file:
                    raise sqlite3.OperationalError("the file was removed or replaced")
                self._base.execute(line, values)
            except (OSError, sqlite3.Error) as error:
                found = NotKept(
                    f"This could not be kept in '{Path(self.path).name}' ({_why(error)}); nothing was changed."
                )
                self._say(str(found))
                raise found from error
            self._say("")

    def _there(self) -> tuple[int, int]:
        found = os.stat(self.path) if self.path else None
        return (found.st_dev, found.st_ino) if found else (0, 0)

    def _say(self, trouble: str) -> None:
        """Tell trouble in the log when it begins, and when it is over."""
        if trouble != self._trouble:
            _LOGGER.warning("%s", trouble or "Changes are kept again.")
        self._trouble = trouble

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._base.close()


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "another program has it open" if "locked" in str(error) else str(error).lower()


# --- All facts that follow from a program, evaluated by clingo in processes of their own that can be stopped.
#
# Run as a module it is such a process: it says `{}` once it is ready; then one JSON request a line, `{"text", "most"}`,
# one JSON reply a line, `{"facts": {predicate: rows}}` or `{"error"}`.

#: Bounds on one evaluation: facts that follow, seconds, bytes of memory.
_MAX_FACTS, _EVALUATION_TIMEOUT_S, _MAX_MEMORY_BYTES = 200_000, 10.0, 1 << 30
#: Seconds after which an evaluation counts as large; seconds in which a process must be ready.
QUICK_TIMEOUT_S, _START_TIMEOUT_S = 0.5, 30.0
#: Large evaluations at a time; with those that wait, and for how many seconds.
_MAX_LARGE, _MAX_WAITING, QUEUE_TIMEOUT_S = 2, 8, 25.0

_Facts = dict[str, list[list[int]]]


class Busy(DeskError):
    """Too much is asked at once; later it may be done."""


class TooMuch(DeskError):
    """A program that would take too long, too much memory, or from which too many facts follow."""


class _TimeOver(Exception):
    """The process was ended, by us or by the system."""


class Evaluator:
    """The evaluation processes, for any thread: quick work is done one after the other, large work beside it."""

    def __init__(self, seconds: float = _EVALUATION_TIMEOUT_S, most: int = _MAX_FACTS) -> None:
        self.seconds, self.most = seconds, most
        self._quick, self._spare, self._lock = _Process(), _Process(), threading.Lock()
        self._places = threading.BoundedSemaphore(_MAX_WAITING)
        self._large: queue.Queue[_Process] = queue.Queue()
        nice = [_Process("nice") for _ in range(_MAX_LARGE)]
        self._every = [self._quick, self._spare, *nice]
        for process in nice:
            self._large.put(process)

    def quickly(self, text: str) -> _Facts | None:
        """Return the facts that follow from a program written by `clingo_text`; None where that is large work."""
        with self._lock:
            try:
                return self._facts(self._quick, text, min(QUICK_TIMEOUT_S, self.seconds))
            except _TimeOver:
                # It is ready again when the other one has had its time.
                self._quick.start()
                self._quick, self._spare = self._spare, self._quick
                return None

    @contextlib.contextmanager
    def large(self) -> Iterator[Callable[[str], _Facts]]:
        """Wait for a process for large work; yield what returns the facts, and raises `TooMuch`. Raises `Busy`."""
        if not self._places.acquire(blocking=False):
            raise Busy("Too many large changes wait already; try again in a moment.")
        try:
            try:
                process = self._large.get(timeout=QUEUE_TIMEOUT_S)
            except queue.Empty:
                raise Busy(
                    f"Other large changes took more than {QUEUE_TIMEOUT_S:g} seconds; try again in a moment."
                ) from None
            try:
                yield lambda text: self._all_facts(process, text)
            finally:
                self._large.put(process)
        finally:
            self._places.release()

    def _all_facts(self, process: "_Process", text: str) -> _Facts:
        try:
            return self._facts(process, text, self.seconds)
        except _TimeOver:
            # The service may be ending.
            process.start()
            raise TooMuch(
                f"What follows was not worked out within {self.seconds:g} seconds and "
                f"{_MAX_MEMORY_BYTES >> 30} GB of memory; give fewer facts, or rules with fewer variables."
            ) from None

    def _facts(self, process: "_Process", text: str, seconds: float) -> _Facts:
        reply = process.ask(json.dumps({"text": text, "most": self.most}), seconds)
        if "error" in reply:
            raise TooMuch(str(reply["error"]))
        facts: _Facts = reply["facts"]
        return facts

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for process in self._every:
            process.close()


class _Process:
    """One process; one evaluation at a time. It is started when it is first needed."""

    def __init__(self, *arguments: str) -> None:
        self._arguments, self._is_closed = arguments, False
        self._process: subprocess.Popen[str] | None = None
        self._is_ready = False

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """Return the reply to a line; raises `_TimeOver`, and the process is ended then."""
        self.start()
        if not self._is_ready:
            self._is_ready = self._said("", _START_TIMEOUT_S) == {}
        return self._said(line + "\n", seconds)

    def _said(self, line: str, seconds: float) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise _TimeOver
        bell = threading.Timer(seconds, process.kill)
        bell.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            reply = process.stdout.readline()
        except (OSError, ValueError):
            reply = ""
        finally:
            bell.cancel()
        if not reply.endswith("\n"):
            self._stop()
            raise _TimeOver
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def start(self) -> None:
        """Start the process where none is at work."""
        if self._is_closed:
            raise Busy("The service is ending.")
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="ascii",
            )

    def _stop(self) -> None:
        process, self._process, self._is_ready = self._process, None, False
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()

    def close(self) -> None:
        """End the process for good."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        self._stop()


def derive_facts(text: str, most: int) -> _Facts:
    """Ground a stratified program: everything that follows is a fact then. Raises `TooMuch`."""
    import clingo

    control = clingo.Control(["--warn=none"], message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    if len(atoms) > most:
        raise TooMuch(f"More than {most:,} facts follow; give fewer facts, or rules with fewer variables.")
    facts: _Facts = {}
    for name, terms, _ in atoms.signatures:
        rows = facts.setdefault(name, [])
        for atom in atoms.by_signature(name, terms):
            if not atom.is_fact:
                raise TooMuch("The program cannot be worked out by rules alone.")
            rows.append([argument.number for argument in atom.symbol.arguments])
    return facts


def _bounded() -> None:
    """Take no more memory than allowed, where the system knows such a bound."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))


def _serve(is_nice: bool) -> None:
    import clingo  # noqa: F401

    _bounded()
    if is_nice and hasattr(os, "nice"):
        os.nice(10)
    print("{}", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply: dict[str, Any] = {"facts": derive_facts(asked["text"], asked["most"])}
        except TooMuch as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


# --- A knowledge base that grows by what is posted; everything that follows is worked out when a version is made.

_KIND, _NAME = "base", "text"
#: Seconds a change waits for others; how often one that is worked out beside others is worked out anew for their sake.
_POST_TIMEOUT_S, _MAX_TRIES = 20.0, 3
#: Rules can be applied at most so many times where a change is small for sure.
_MAX_SMALL_INSTANCES = 50_000


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
    names: NameNumbering = field(default_factory=NameNumbering)
    program: str = ""
    facts: dict[CountedPredicate, list[tuple[str, ...]]] = field(default_factory=dict)

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
            self.version = _joined(Version(), datalog.parse_program(text), epoch, facts)

    def append(self, text: str) -> Version:
        """Join facts and rules to the base, all of them or, with an error, none.

        Small work is done at once; large work beside it, and anew where the base has changed meanwhile.
        Raises `DatalogError`, `TooMuch`, `Busy`, or `DeskError` for a base that would be too large.
        """
        program, epoch = datalog.parse_program(text), int(time.time())
        # What is small for sure waits for one at most that may be large.
        trying = contextlib.nullcontext() if _is_small(self.version or Version(), program) else _held(self._trying)
        with trying, _held(self._writing):
            made = _joined(self.version or Version(), program, epoch, self._evaluator.quickly)
            if made is not None:
                return self._become(made)
        with self._evaluator.large() as facts:
            for _ in range(_MAX_TRIES):
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
        return version.answers(datalog.parse_query(query))


@contextlib.contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock; raises `Busy` where others have it for too long."""
    if not lock.acquire(timeout=_POST_TIMEOUT_S):
        raise Busy(f"Other changes took more than {_POST_TIMEOUT_S:g} seconds; try again in a moment.")
    try:
        yield
    finally:
        lock.release()


def _is_small(before: Version, program: Program) -> bool:
    """Tell whether what follows is little for sure: every variable can stand for every constant, and that is it."""
    rules = [clause.variables for clause in program.clauses if clause.body]
    constants = {term.text for clause in program.clauses for term in clause.terms if not term.is_variable}
    most: int = min(len(before.names.constants) + len(constants), _MAX_SMALL_INSTANCES) ** max(before.width, *rules, 0)
    return (before.rules + len(rules)) * most + before.count + len(program.clauses) <= _MAX_SMALL_INSTANCES


def _joined(before: Version, program: Program, epoch: int, facts_of: Callable[[str], _Facts | None]) -> Version | None:
    """Make the version that follows; None where `facts_of` does not work the facts out."""
    datalog.check_safe(program)
    datalog.check_stratified(before.known, program)
    whole = before.text + "\n" + program.text if before.text else program.text
    count = before.count + len(program.clauses)
    if len(whole) > MAX_TEXT_LENGTH or count > MAX_CLAUSES:
        raise DeskError(
            f"The base would have {len(whole):,} characters and {count:,} facts and rules; "
            f"{MAX_TEXT_LENGTH:,} and {MAX_CLAUSES:,} are the most. DELETE it, or post less."
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
        before.known | set(datalog.find_dependencies(program)),
        names,
        written,
        _read(facts, names),
    )


def _read(facts: dict[str, Any], names: NameNumbering) -> dict[CountedPredicate, list[tuple[str, ...]]]:
    """Give numbers their names back; rows in the order of their text."""
    constants = list(names.constants)
    return {
        predicate: sorted(tuple(constants[number] for number in row) for row in facts.get(f"p{place}", []))
        for predicate, place in names.predicates.items()
    }


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _serve(sys.argv[1:] == ["nice"])
