"""Run a command for the solver's C part built with sanitizers: `make test SANITIZE=1` and `make attack SANITIZE=1`.

Usage: python tests/sanitized.py COMMAND...
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from jotto_desk.solver.native import build

#: Told a file that no compiler needs: where the runtime is missing, it answers with the bare name.
RUNTIME = "libasan.so"


def environment() -> dict[str, str]:
    """Return what a process needs to load such a library: its runtime first; raises `NotBuilt` where there is none."""
    compiler = build.find_compiler(os.environ)
    asked = subprocess.run([*compiler, f"-print-file-name={RUNTIME}"], capture_output=True, text=True, check=False)
    runtime = Path(asked.stdout.strip()).resolve()
    if asked.stdout.strip() in ("", RUNTIME) or not runtime.read_bytes().startswith(b"\x7fELF"):
        raise build.NotBuilt(f"the C compiler '{compiler[0]}' has no {RUNTIME}")
    return {**os.environ, "LD_PRELOAD": str(runtime), "ASAN_OPTIONS": "detect_leaks=0"}


def main() -> None:
    """Become the command."""
    try:
        environ = environment()
    except build.NotBuilt as reason:
        sys.exit(f"Without sanitizers: {reason}.")
    os.execvpe(sys.argv[1], sys.argv[1:], environ)


if __name__ == "__main__":
    main()
