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
from jotto_desk.expert.datalog import Atom, CountedPredicate, Dependency, NameNumbering, Program

# Storing games and the posted knowledge base in one SQLite file.

_LOGGER = logging.getLogger(__name__)
_STORE_VERSION = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS kept (kind TEXT, name TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, name))",
    f"PRAGMA user_version = {_STORE_VERSION}",
)


def find_default_store() -> Path:
    """Return the default file."""
    return files.find_data_folder() / "expert.sqlite"


class NotKept(DeskError):
    """A change cannot be written to the file, which stays as it was."""


class Store:
    """Values by kind and name, in the file `path` ("": only in memory), for all threads of one process."""

    def __init__(self, path: str | os.PathLike[str] = "") -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._trouble = ""
        try:
            if self.path:
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            place = self.path or ":memory:"
            self._base = sqlite3.connect(place, check_same_thread=False, isolation_level=None, timeout=1)
            self._open()
            self._file = self._find_file()
        except (OSError, ValueError, sqlite3.Error) as error:
            raise DeskError(
                f"The games cannot be saved in '{self.path}' ({_why(error)}); name another file with --state."
            ) from error

    def _open(self) -> None:
        try:
            # Two services on one file would each overwrite the other's facts.
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("BEGIN EXCLUSIVE")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
            if found > _STORE_VERSION:
                newer = f"it was written by version {found} of this program; this is {_STORE_VERSION}"
                raise sqlite3.DatabaseError(newer)
            for line in _TABLES:
                self._base.execute(line)
            self._base.execute("COMMIT")
        except sqlite3.Error:
            self._base.close()
            raise

    def load_all(self, kind: str) -> dict[str, Any]:
        """Return the values of a kind by name, the oldest first."""
        try:
            with self._lock:
                line = "SELECT name, value FROM kept WHERE kind = ? ORDER BY rowid"
                rows = self._base.execute(line, (kind,)).fetchall()
            return {name: json.loads(value) for name, value in rows}
        except (sqlite3.Error, TypeError, ValueError, RecursionError) as error:
            wrong = f"The saved games in '{self.path}' cannot be read ({_why(error)})"
            raise DeskError(f"{wrong}; name another file with --state, or remove it.") from error

    def keep(self, kind: str, name: str, value: Any) -> None:
        """Write a value; it replaces an earlier one of the same kind and name."""
        line = "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value"
        self._write(line, (kind, name, json.dumps(value)))

    def forget(self, kind: str, name: str) -> None:
        """Remove a value, if it is there."""
        self._write("DELETE FROM kept WHERE kind = ? AND name = ?", (kind, name))

    def _write(self, line: str, values: tuple[str, ...]) -> None:
        with self._lock:
            try:
                # SQLite would continue to write to a file that has lost its name.
                if self._find_file() != self._file:
                    raise sqlite3.OperationalError("the file was removed or replaced")
                self._base.execute(line, values)
            except (OSError, sqlite3.Error) as error:
                trouble = f"This could not be saved in '{Path(self.path).name}' ({_why(error)}); nothing was changed."
                self._log_trouble(trouble)
                raise NotKept(trouble) from error
            self._log_trouble("")

    def _find_file(self) -> tuple[int, int]:
        found = os.stat(self.path) if self.path else None
        return (found.st_dev, found.st_ino) if found else (0, 0)

    def _log_trouble(self, trouble: str) -> None:
        """Log when trouble begins and when it is over ("")."""
        if trouble != self._trouble:
            _LOGGER.warning("%s", trouble or "Changes are saved again.")
        self._trouble = trouble

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "another program has it open" if "locked" in str(error) else str(error).lower()


# Evaluating programs with clingo, in processes that can be killed.
#
# `python -m jotto_desk.expert.knowledge_base` is such a process. It writes `{}` when it is ready. Then it reads a JSON
# request a line, `{"text", "most"}`, and writes a JSON reply a line, `{"facts": {predicate: rows}}` or `{"error"}`.

#: The most facts that may follow from a program.
_MAX_FACTS = 200_000
#: The longest time of one evaluation.
_EVALUATION_TIMEOUT_S = 10.0
#: The most memory of an evaluation process.
_MAX_MEMORY_BYTES = 1 << 30
#: An evaluation that takes longer is large work.
QUICK_TIMEOUT_S = 0.5
#: A process must be ready after this time.
_START_TIMEOUT_S = 30.0
#: Large evaluations at the same time.
_MAX_LARGE = 2
#: Large evaluations that are running or waiting.
_MAX_WAITING = 8
#: The longest time that a large evaluation waits for a process.
QUEUE_TIMEOUT_S = 25.0

_Facts = dict[str, list[list[int]]]


class Busy(DeskError):
    """The service has too much to do; the same request may succeed later."""


class TooMuch(DeskError):
    """A program takes too long or too much memory, or too many facts follow from it."""


class _TimeOver(Exception):
    """The process has ended before it replied."""


class Evaluator:
    """The evaluation processes, for any thread: quick work one after the other, large work at the same time."""

    def __init__(self, seconds: float = _EVALUATION_TIMEOUT_S, most: int = _MAX_FACTS) -> None:
        self.seconds, self.most = seconds, most
        self._quick, self._spare, self._lock = _Process(), _Process(), threading.Lock()
        self._places = threading.BoundedSemaphore(_MAX_WAITING)
        self._large: queue.Queue[_Process] = queue.Queue()
        nice = [_Process("nice") for _ in range(_MAX_LARGE)]
        self._every = [self._quick, self._spare, *nice]
        for process in nice:
            self._large.put(process)

    def find_quickly(self, text: str) -> _Facts | None:
        """Return the facts that follow from a program written by `NameNumbering`; None if that takes long."""
        with self._lock:
            try:
                return self._find_facts(self._quick, text, min(QUICK_TIMEOUT_S, self.seconds))
            except _TimeOver:
                # While the spare process does the next work, this one starts again.
                self._quick.start()
                self._quick, self._spare = self._spare, self._quick
                return None

    @contextlib.contextmanager
    def open_large(self) -> Iterator[Callable[[str], _Facts]]:
        """Wait for a process for large work; yield a function that returns the facts or raises `TooMuch`.

        Raises `Busy` if too many wait already, or if it takes too long.
        """
        if not self._places.acquire(blocking=False):
            raise Busy("Too many large changes wait already; try again in a moment.")
        try:
            try:
                process = self._large.get(timeout=QUEUE_TIMEOUT_S)
            except queue.Empty:
                waited = f"Other large changes took more than {QUEUE_TIMEOUT_S:g} seconds"
                raise Busy(f"{waited}; try again in a moment.") from None
            try:
                yield lambda text: self._find_all_facts(process, text)
            finally:
                self._large.put(process)
        finally:
            self._places.release()

    def _find_all_facts(self, process: "_Process", text: str) -> _Facts:
        try:
            return self._find_facts(process, text, self.seconds)
        except _TimeOver:
            # Raises Busy if the service is ending.
            process.start()
            limits = f"{self.seconds:g} seconds and {_MAX_MEMORY_BYTES >> 30} GB of memory"
            known = "give fewer facts, or rules with fewer variables"
            raise TooMuch(f"The conclusions were not computed within {limits}; {known}.") from None

    def _find_facts(self, process: "_Process", text: str, seconds: float) -> _Facts:
        reply = process.ask(json.dumps({"text": text, "most": self.most}), seconds)
        if "error" in reply:
            raise TooMuch(str(reply["error"]))
        facts: _Facts = reply["facts"]
        return facts

    def close(self) -> None:
        """End the processes, even during an evaluation."""
        for process in self._every:
            process.close()


class _Process:
    """One process, for one evaluation at a time; it starts when it is first needed."""

    def __init__(self, *arguments: str) -> None:
        self._arguments, self._is_closed = arguments, False
        self._process: subprocess.Popen[str] | None = None
        self._is_ready = False

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """Return the reply to a line; if none exists in `seconds` seconds, end the process and raise `_TimeOver`."""
        self.start()
        if not self._is_ready:
            self._is_ready = self._exchange_line("", _START_TIMEOUT_S) == {}
        return self._exchange_line(line + "\n", seconds)

    def _exchange_line(self, line: str, seconds: float) -> dict[str, Any]:
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
        """Start the process unless it runs; raises `Busy` if the service is ending."""
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
        self._is_closed = True
        self._stop()


def derive_facts(text: str, most: int) -> _Facts:
    """Return the facts that follow from a stratified program; raises `TooMuch`.

    Grounding such a program turns everything that follows into facts.
    """
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
                raise TooMuch("The program cannot be computed by rules only.")
            rows.append([argument.number for argument in atom.symbol.arguments])
    return facts


def _serve(is_nice: bool) -> None:
    import clingo  # noqa: F401

    # Not every system can limit the memory of a process.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))
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


# The knowledge base that grows with every post.

#: The base's kind and name in the store.
_KIND = "base"
_NAME = "text"
#: The longest time that a change waits for other changes.
_POST_TIMEOUT_S = 20.0
#: The number of tries of a large change if the base changes at the same time.
_MAX_TRIES = 3
#: A change is certainly small if its rules have no more instances.
_MAX_SMALL_INSTANCES = 50_000


class NothingLoaded(DeskError):
    """A query came before any knowledge base was loaded."""


@dataclass(frozen=True)
class Version:
    """The base at one moment: its text, and all facts that follow from it."""

    text: str = ""
    #: The time of the last change, in seconds since 1970.
    epoch: int = 0
    #: The number of facts and rules in the text.
    count: int = 0
    rules: int = 0
    #: The most variables of a rule.
    width: int = 0
    known: frozenset[Dependency] = frozenset()
    names: NameNumbering = field(default_factory=NameNumbering)
    program: str = ""
    facts: dict[CountedPredicate, list[tuple[str, ...]]] = field(default_factory=dict)

    def list_answers(self, query: Atom) -> list[str]:
        """List the facts that a query asks for as sorted texts."""
        rows = self.facts.get(query.predicate, [])
        if not query.terms:
            return [query.name] * len(rows)
        fixed = [(place, term.text) for place, term in enumerate(query.terms) if not term.is_variable]
        for place, text in fixed:
            rows = [row for row in rows if row[place] == text]
        first: dict[str, int] = {}
        for place, term in enumerate(query.terms):
            # `_` never equals another `_`.
            if term.is_variable and term.text != "_" and (one := first.setdefault(term.text, place)) != place:
                rows = [row for row in rows if row[one] == row[place]]
        return [f"{query.name}({', '.join(row)})" for row in rows]


class KnowledgeBase:
    """The current version (None before the first), which readers use without a lock; one writer makes the next."""

    def __init__(self, evaluator: Evaluator, store: Store) -> None:
        self._evaluator, self._store = evaluator, store
        self._writing, self._trying = threading.Lock(), threading.Lock()
        self.version: Version | None = None
        kept = store.load_all(_KIND).get(_NAME)
        if kept is not None:
            with evaluator.open_large() as facts:
                self.version = _add_program(Version(), datalog.parse_program(kept["text"]), kept["epoch"], facts)

    def append(self, text: str) -> Version:
        """Add facts and rules to the base: all of them or, with an error, none.

        A small change holds the lock for writers. A large one does not, and is repeated if the base has changed.
        Raises `DatalogError`, `TooMuch`, `Busy`, or `DeskError` if the base would be too large.
        """
        program, epoch = datalog.parse_program(text), int(time.time())
        # A change that is certainly small waits for at most one that can be large.
        trying = contextlib.nullcontext() if _is_small(self.version or Version(), program) else _hold_lock(self._trying)
        with trying, _hold_lock(self._writing):
            made = _add_program(self.version or Version(), program, epoch, self._evaluator.find_quickly)
            if made is not None:
                return self._become(made)
        with self._evaluator.open_large() as facts:
            for _ in range(_MAX_TRIES):
                before = self.version
                made = _add_program(before or Version(), program, epoch, facts)
                assert made is not None
                with _hold_lock(self._writing):
                    if self.version is before:
                        return self._become(made)
        raise Busy("The knowledge base kept changing while this was computed; try again in a moment.")

    def clear(self) -> Version:
        """Empty the base."""
        with _hold_lock(self._writing):
            return self._become(Version(epoch=int(time.time())))

    def _become(self, version: Version) -> Version:
        self._store.keep(_KIND, _NAME, {"text": version.text, "epoch": version.epoch})
        self.version = version
        return version

    def ask(self, query: str) -> list[str]:
        """Answer a query from the current version; raises `DatalogError` or `NothingLoaded`."""
        version = self.version
        if version is None:
            raise NothingLoaded("query not executed because no KB was loaded.")
        return version.list_answers(datalog.parse_query(query))


@contextlib.contextmanager
def _hold_lock(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock; raises `Busy` if others hold it for too long."""
    if not lock.acquire(timeout=_POST_TIMEOUT_S):
        raise Busy(f"Other changes took more than {_POST_TIMEOUT_S:g} seconds; try again in a moment.")
    try:
        yield
    finally:
        lock.release()


def _is_small(before: Version, program: Program) -> bool:
    """Return whether few facts can follow, even if every variable stands for every constant."""
    rules = [clause.variables for clause in program.clauses if clause.body]
    constants = {term.text for clause in program.clauses for term in clause.terms if not term.is_variable}
    most: int = min(len(before.names.constants) + len(constants), _MAX_SMALL_INSTANCES) ** max(before.width, *rules, 0)
    return (before.rules + len(rules)) * most + before.count + len(program.clauses) <= _MAX_SMALL_INSTANCES


def _add_program(
    before: Version, program: Program, epoch: int, facts_of: Callable[[str], _Facts | None]
) -> Version | None:
    """Return the version with the program added; None if `facts_of` returns None."""
    datalog.check_safe(program)
    datalog.check_stratified(before.known, program)
    whole = before.text + "\n" + program.text if before.text else program.text
    count = before.count + len(program.clauses)
    if len(whole) > datalog.MAX_TEXT_LENGTH or count > datalog.MAX_CLAUSES:
        large = f"The base would have {len(whole):,} characters and {count:,} facts and rules"
        most = f"{datalog.MAX_TEXT_LENGTH:,} and {datalog.MAX_CLAUSES:,} are the most"
        raise DeskError(f"{large}; {most}. DELETE it, or post less.")
    names = before.names.copy()
    written = before.program + names.format_clauses(program.clauses)
    facts = facts_of(written)
    if facts is None:
        return None
    widths = [clause.variables for clause in program.clauses if clause.body]
    rules, width = before.rules + len(widths), max(before.width, *widths, 0)
    known = before.known | set(datalog.find_dependencies(program))
    return Version(whole, epoch, count, rules, width, known, names, written, _name_facts(facts, names))


def _name_facts(facts: dict[str, Any], names: NameNumbering) -> dict[CountedPredicate, list[tuple[str, ...]]]:
    """Return the facts with names instead of numbers, as sorted rows."""
    constants = list(names.constants)
    return {
        predicate: sorted(tuple(constants[number] for number in row) for row in facts.get(f"p{place}", []))
        for predicate, place in names.predicates.items()
    }


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _serve(sys.argv[1:] == ["nice"])
