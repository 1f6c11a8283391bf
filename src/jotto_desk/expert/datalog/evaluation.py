"""All facts that follow from a program, evaluated by clingo in a process of its own that can be stopped.

Run as a module it is that process: one JSON request a line, `{"text", "most"}`, one JSON reply a line, `{"facts":
{predicate: rows}}` or `{"error"}`.
"""

import contextlib
import json
import subprocess
import sys
import threading
from typing import Any

from ...errors import DeskError

#: Bounds on one evaluation: facts that follow, seconds, bytes of memory.
MOST_FACTS, SECONDS, MEMORY = 200_000, 10.0, 1 << 31

Facts = dict[str, list[list[int]]]


class TooMuch(DeskError):
    """A program that would take too long, too much memory, or from which too many facts follow."""


class Evaluator:
    """The evaluation process; one evaluation at a time, from any thread."""

    def __init__(self, seconds: float = SECONDS, most: int = MOST_FACTS) -> None:
        self.seconds, self.most = seconds, most
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def facts(self, text: str) -> Facts:
        """Return the facts that follow from a program written by `clingo_text`; raises `TooMuch`."""
        with self._lock:
            reply = self._ask(json.dumps({"text": text, "most": self.most}))
        if "error" in reply:
            raise TooMuch(str(reply["error"]))
        facts: Facts = reply["facts"]
        return facts

    def _ask(self, line: str) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        bell = threading.Timer(self.seconds, process.kill)
        bell.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except OSError:
            reply = ""
        finally:
            bell.cancel()
        if not reply.endswith("\n"):
            self._stop()
            raise TooMuch(f"What follows was not worked out within {self.seconds:g} seconds and "
                          f"{MEMORY >> 30} GB of memory; give fewer facts, or rules with fewer variables.")
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None or self._process.poll() is not None:
            self._stop()
            self._process = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                             encoding="ascii")
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()

    def close(self) -> None:
        """End the process."""
        with self._lock:
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


def _serve() -> None:
    _bounded()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            reply: dict[str, Any] = {"facts": follow(asked["text"], asked["most"])}
        except TooMuch as error:
            reply = {"error": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _serve()
