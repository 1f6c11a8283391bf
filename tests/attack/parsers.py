"""Random bytes, damaged files and long runs, given to everything that reads input of somebody else's."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from interpreters import path27

from attack import desk_parsers, robot_parsers
from attack.outcome import Attack, Outcome
from jotto_desk.robot_kit import find_python27

#: Bytes of a long run of one piece, in the suite and in the long form.
FEW, MANY = 20_000, 150_000
#: Of so many inputs one goes to Python 2.7, and seconds it may take in all.
SHARE, PATIENCE = 5, 900


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Give damaged input to each parser in turn; only its own sentence may come of it, and soon."""
    outcome, longest_run = Outcome(), FEW if how_many <= ATTACK.short else MANY
    for name in ("robot", "desk", "27"):
        (folder / name).mkdir()
    table = [*robot_parsers.parsers(str(folder / "robot")), *desk_parsers.parsers(folder / "desk")]
    for fault in robot_parsers.attacked(table, how_many, seed, longest_run):
        outcome.check(not fault, fault)
    outcome.figure = f"{len(table)} parsers"
    python27 = find_python27(os.environ)
    if python27 is not None:
        faults = _on_python27(python27, how_many // SHARE, seed, folder / "27", longest_run)
        outcome.tried += how_many // SHARE
        outcome.faults += [f"on Python 2.7: {fault}" for fault in faults]
        outcome.figure += f", {len(robot_parsers.parsers(str(folder / 'robot')))} of them on 2.7 too"
    return outcome


def _on_python27(python: str, how_many: int, seed: int, folder: Path, longest_run: int) -> list[str]:
    """Give input to the parsers of the robot on its Python; return the faults."""
    command = [python, robot_parsers.__file__, str(how_many), str(seed), str(folder), str(longest_run)]
    ended = subprocess.run(command, env=path27(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    if ended.returncode:
        return [f"the parsers end with {ended.returncode}: {ended.stderr[-300:]}"]
    found: list[str] = json.loads(ended.stdout)
    return found


ATTACK = Attack(
    "parsers", "random and damaged input and long runs given to every parser", rounds, short=1000, long=15_000
)
