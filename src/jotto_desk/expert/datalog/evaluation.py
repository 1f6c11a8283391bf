"""All facts that follow from a program, evaluated by clingo in processes of their own that can be stopped.

Run as a module it is such a process: it says `{}` once it is ready; then one JSON request a line, `{"text", "most"}`,
one JSON reply a line, `{"facts": {predicate: rows}}` or `{"error"}`.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ...errors import DeskError

#: Bounds on one evaluation: facts that follow, seconds, bytes of memory.
MOST_FACTS, SECONDS, MEMORY = 200_000, 10.0, 1 << 30
#: Seconds after which an evaluation counts as large; seconds in which a process must be ready.
QUICK, STARTING = 0.5, 30.0
#: Large evaluations at a time; with those that wait, and for how many seconds.
MOST_LARGE, MOST_WAITING, PATIENCE = 2, 8, 25.0

Facts = dict[str, list[list[int]]]


class Busy(DeskError):
    """Too much is asked at once; later it may be done."""


class TooMuch(DeskError):
    """A program that would take too long, too much memory, or from which too many facts follow."""


class _TimeOver(Exception):
    """The process was ended, by us or by the system."""


class Evaluator:
    """The evaluation processes, for any thread: quick work is done one after the other, large work beside it."""

    def __init__(self, seconds: float = SECONDS, most: int = MOST_FACTS) -> None:
        self.seconds, self.most = seconds, most
        self._quick, self._spare, self._lock = _Process(), _Process(), threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)
        self._large: queue.Queue[_Process] = queue.Queue()
        nice = [_Process("nice") for _ in range(MOST_LARGE)]
        self._every = [self._quick, self._spare, *nice]
        for process in nice:
            self._large.put(process)

    def quickly(self, text: str) -> Facts | None:
        """Return the facts that follow from a program written by `clingo_text`; None where that is large work."""
        with self._lock:
            try:
                return self._facts(self._quick, text, min(QUICK, self.seconds))
            except _TimeOver:
                # It is ready again when the other one has had its time.
                self._quick.start()
                self._quick, self._spare = self._spare, self._quick
                return None

    @contextlib.contextmanager
    def large(self) -> Iterator[Callable[[str], Facts]]:
        """Wait for a process for large work; yield what returns the facts, and raises `TooMuch`. Raises `Busy`."""
        if not self._places.acquire(blocking=False):
            raise Busy("Too many large changes wait already; try again in a moment.")
        try:
            try:
                process = self._large.get(timeout=PATIENCE)
            except queue.Empty:
                raise Busy(f"Other large changes took more than {PATIENCE:g} seconds; try again in a moment.") from None
            try:
                yield lambda text: self._all_facts(process, text)
            finally:
                self._large.put(process)
        finally:
            self._places.release()

    def _all_facts(self, process: "_Process", text: str) -> Facts:
        try:
            return self._facts(process, text, self.seconds)
        except _TimeOver:
            # The service may be ending.
            process.start()
            raise TooMuch(
                f"What follows was not worked out within {self.seconds:g} seconds and "
                f"{MEMORY >> 30} GB of memory; give fewer facts, or rules with fewer variables."
            ) from None

    def _facts(self, process: "_Process", text: str, seconds: float) -> Facts:
        reply = process.ask(json.dumps({"text": text, "most": self.most}), seconds)
        if "error" in reply:
            raise TooMuch(str(reply["error"]))
        facts: Facts = reply["facts"]
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
            self._is_ready = self._said("", STARTING) == {}
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


def follow(text: str, most: int) -> Facts:
    """Ground a stratified program: everything that follows is a fact then. Raises `TooMuch`."""
    import clingo

    control = clingo.Control(["--warn=none"], message_limit=0)
    control.add("base", [], text)
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    if len(atoms) > most:
        raise TooMuch(f"More than {most:,} facts follow; give fewer facts, or rules with fewer variables.")
    facts: Facts = {}
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

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _serve(is_nice: bool) -> None:
    import clingo  # noqa: F401

    _bounded()
    if is_nice and hasattr(os, "nice"):
        os.nice(10)
    print("{}", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply: dict[str, Any] = {"facts": follow(asked["text"], asked["most"])}
        except TooMuch as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _serve(sys.argv[1:] == ["nice"])
