"""`jotto robot serve` in another process, for tests and attacks."""

import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

from directory_clients import until
from interpreters import ROOT

COMMAND = [sys.executable, "-m", "jotto_desk", "robot", "serve", "--listen", "tcp://127.0.0.1:0", "--speed", "50"]
PATH = os.pathsep.join(str(ROOT / folder) for folder in ("src", "behaviour", "simulator"))


class Server:
    """A running `jotto robot serve`, and its output."""

    def __init__(self, process):
        self.process, self.lines = process, []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def printed(self, part):
        """Return the first line that contains a text; wait for it."""
        return until(lambda: next((line for line in self.lines if part in line), ""))

    @property
    def url(self):
        return self.printed("NAO listens at ").rpartition(" ")[2]

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ended(self):
        """Wait for the end, read all output, and return the exit code."""
        code = self.process.wait(30)
        self._reader.join(30)
        return code


@contextmanager
def serving(*options, stdin=subprocess.PIPE):
    pipes = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": PATH, "COLUMNS": "200"}
    with subprocess.Popen([*COMMAND, *options], env=environment, **pipes) as process:
        try:
            server = Server(process)
            server.printed("Type what NAO should hear")
            yield server
        finally:
            process.kill()


def children(number):
    return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


def kilobytes(number):
    """Return the memory that a process has at present."""
    rows = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("Rss:"))


def child(number, module):
    """Return the process that runs a module and was started by process `number`."""
    return next(each for each in children(number) if module in Path(f"/proc/{each}/cmdline").read_text())
