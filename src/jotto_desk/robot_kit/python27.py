"""Finding a Python 2.7, the robot's own Python, on this computer."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

#: Set to a command path, this wins over anything that is found.
VARIABLE = "JOTTO_PYTHON27"
ASK_VERSION = "import sys; sys.stdout.write('%d.%d' % sys.version_info[:2])"


def find_python27(environ: Mapping[str, str]) -> str | None:
    """Path of the first Python 2.7 that runs: JOTTO_PYTHON27, python2.7 and python2 on PATH, then pyenv's; or None."""
    for path in _places(environ):
        if is_python27(path):
            return path
    return None


def _places(environ: Mapping[str, str]) -> Iterator[str]:
    if environ.get(VARIABLE):
        yield environ[VARIABLE]
        return
    for name in ("python2.7", "python2"):
        path = shutil.which(name, path=environ.get("PATH", ""))
        if path:
            yield path
    for root in (environ.get("PYENV_ROOT"), str(Path(environ.get("HOME") or "/") / ".pyenv")):
        if root:
            yield from map(str, sorted(Path(root, "versions").glob("2.7*/bin/python2.7"), reverse=True))


def is_python27(path: str) -> bool:
    """Tells whether the command runs and calls itself Python 2.7."""
    return python_version(path) == "2.7"


@cache
def python_version(path: str) -> str:
    """Return the version of a Python, such as `2.7`; empty when the command does not run or is no Python."""
    try:
        answer = subprocess.run(
            [path, "-c", ASK_VERSION], capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode("ascii", "replace") if re.fullmatch(rb"\d+\.\d+", answer.stdout) else ""
