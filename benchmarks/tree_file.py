"""The tree file that comes with the game: its size, and what it costs a robot to load and to walk it (`walk.py`)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from options import Options

from jotto_desk.rehearsal.robots import import_paths

HERE = Path(__file__).resolve().parent
TREE = HERE.parent / "wordlists" / "en.tree"


def measure(options: Options) -> dict[str, Any]:
    """Measure under each available Python."""
    found = []
    for python in (sys.executable, options.python27):
        if python is not None:
            command = [python, str(HERE / "walk.py"), str(TREE), "1" if options.small else "51"]
            environ = {**os.environ, "PYTHONPATH": os.pathsep.join(import_paths())}
            found.append(json.loads(subprocess.run(command, check=True, capture_output=True, env=environ).stdout))
    return {"bytes": TREE.stat().st_size, "pythons": found}


def report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    nodes = found["pythons"][0]["nodes"]
    lines = [f"{TREE.name}: {nodes:,} nodes in {found['bytes']:,} bytes"]
    return lines + [
        f"  Python {row['python']}: loaded in {1000 * row['load']:.2f} ms, {1e6 * row['step']:.2f} microseconds a step"
        for row in found["pythons"]
    ]
