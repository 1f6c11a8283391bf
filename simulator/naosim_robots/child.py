"""The interpreter of a robot: Python 2.7 on this computer, and a child process.

The child is started without importing the simulator, which a program can import meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

#: The environment variable with the path of a Python 2.7; then no other is looked for.
VARIABLE = "NAOSIM_PYTHON27"
_ASK_VERSION = "import sys; sys.stdout.write('%d.%d' % sys.version_info[:2])"
#: Runs a module. `python -m` would also import from the folder it starts in: a `copy.py` there would hide Python's own.
_RUN_MODULE = "import sys; del sys.path[0]; import runpy; runpy.run_module(sys.argv[1], run_name='__main__')"


def find_python27(environ: Mapping[str, str]) -> str | None:
    """Return the path of the first Python 2.7 that runs: NAOSIM_PYTHON27, on PATH, or pyenv's; None if none does."""
    return next((path for path in _places(environ) if ask_python_version(path) == "2.7"), None)


def _places(environ: Mapping[str, str]) -> Iterator[str]:
    if environ.get(VARIABLE):
        yield environ[VARIABLE]
        return
    roots = [Path(root) for root in (environ.get("PYENV_ROOT"), Path(environ.get("HOME") or "/", ".pyenv")) if root]
    for name in ("python2.7", "python2"):
        path = shutil.which(name, path=environ.get("PATH", ""))
        # pyenv's shims are slow scripts for the versions below.
        if path and not any(Path(path).is_relative_to(root / "shims") for root in roots):
            yield path
    for root in roots:
        yield from map(str, sorted(Path(root, "versions").glob("2.7*/bin/python2.7"), reverse=True))


@cache
def ask_python_version(path: str) -> str:
    """Return the version of a Python, such as `2.7`; "" if the command does not run or is not Python."""
    try:
        answer = subprocess.run(
            [path, "-c", _ASK_VERSION], capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode("ascii", "replace") if re.fullmatch(rb"\d+\.\d+", answer.stdout) else ""


def start_child(
    python: str = "", import_paths: Iterable[str | os.PathLike[str]] = (), module: str = "naosim.json_server"
) -> subprocess.Popen[bytes]:
    """Start an interpreter that waits for the options of a robot; raises OSError or ValueError."""
    paths = [*(os.fspath(path) for path in import_paths), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
    command, pipe = [python or sys.executable, "-c", _RUN_MODULE, module], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)


def end_child(child: subprocess.Popen[bytes]) -> None:
    """End an interpreter immediately, and close its pipes."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
