"""The interpreter of a robot, started without importing the simulator: a program can import it meanwhile."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable


def start_child(
    python: str = "", import_paths: Iterable[str | os.PathLike[str]] = (), module: str = "naosim.json_server"
) -> subprocess.Popen[bytes]:
    """Start an interpreter that waits for the options of a robot; raises OSError or ValueError."""
    paths = [*(os.fspath(path) for path in import_paths), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
    command, pipe = [python or sys.executable, "-m", module], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)


def end_child(child: subprocess.Popen[bytes]) -> None:
    """End an interpreter at once, and close its pipes."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
