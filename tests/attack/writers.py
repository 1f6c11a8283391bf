"""Programs of robot and desk that change one file at the same time, and one that is killed meanwhile."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import shared_files
from interpreters import ROOT, path27

from attack.outcome import Attack, Outcome
from jotto.words import hash_blocked_word
from naosim_robots.child import find_python27

WRITERS = 4
CHANGES = 20  # of each writer; together fewer than a file keeps
KILLED_CHANGES = 100  # of the writer that is killed
TIMEOUT_S = 120.0
#: The files and how they are changed: on both Pythons of the robot, and at the desk.
FILES: tuple[tuple[str, Sequence[str]], ...] = (
    ("own.txt", ("learn", "add")),
    ("games.jsonl", ("finish",)),
    ("own.txt", ("learn",)),
    ("blocked.sha256", ("block",)),
    ("typed.txt", ("remember",)),
    ("own.txt", ("add",)),
)
#: The robot's ways run on 2.7 too.
ON_BOTH = ("learn", "finish")


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Let several writers change a file while another one is killed; no change may be lost."""
    outcome, chance = Outcome(), random.Random(seed)
    kept = 0
    for number in range(how_many):
        name, ways = FILES[number % len(FILES)]
        here = folder / str(number)
        here.mkdir()
        writers = [start(ways[each % len(ways)], here, each, CHANGES) for each in range(WRITERS)]
        killed = start(ways[0], here, WRITERS, KILLED_CHANGES)
        time.sleep(0.2)
        (here / "go").touch()
        time.sleep(chance.uniform(0.05, 0.4))
        killed.kill()
        codes = [writer.wait(TIMEOUT_S) for writer in writers]
        killed.wait(TIMEOUT_S)
        count, fault = found(here / name, name)
        kept += count
        is_whole = codes == [0] * WRITERS and count == WRITERS * CHANGES and not fault
        of_all = f"{count} of {WRITERS * CHANGES} kept"
        outcome.check(is_whole, f"{name} by {' and '.join(ways)}: {of_all}, exit codes {codes} {fault}")
        outcome.check(*left(ways[0], here))
    outcome.figure = f"{kept:,} of {how_many * WRITERS * CHANGES:,} changes kept"
    return outcome


def start(way: str, folder: Path, name: int, count: int) -> subprocess.Popen[bytes]:
    """Start a writer, every other one on Python 2.7 where it can be."""
    python = find_python27(os.environ) if name % 2 and way in ON_BOTH else None
    program = str(ROOT / "tests" / "shared_files.py")
    return subprocess.Popen([python or sys.executable, program, way, str(folder), str(name), str(count)], env=path27())


def found(path: Path, name: str) -> tuple[int, str]:
    """Count the changes of the writers that were not killed; return what is wrong in the file."""
    wanted = {word for writer in range(WRITERS) for word in made(str(writer), name)}
    lines = path.read_bytes().splitlines() if path.exists() else []
    if name == "games.jsonl":
        torn = [line for line in lines if not is_json(line)]
        there = [json.loads(line)["guess"] for line in lines if line not in torn]
    else:
        torn = [line for line in lines if len(line) != 5 and name != "blocked.sha256"]
        there = [line.decode("ascii", "replace") for line in lines]
    twice = len(there) - len(set(there))
    fault = f"{len(torn)} torn lines" if len(torn) > 1 else f"{twice} are there twice" if twice else ""
    return len(wanted & set(there)), fault


def made(writer: str, name: str) -> list[str]:
    """List what a writer adds to a file."""
    words = list(itertools.islice(shared_files.words(writer), CHANGES))
    return [hash_blocked_word(word) for word in words] if name == "blocked.sha256" else words


def is_json(line: bytes) -> bool:
    try:
        return bool(json.loads(line))
    except ValueError:
        return False


def left(way: str, folder: Path) -> tuple[bool, str]:
    """Change the file once more: then the killed writer's temporary file must be gone."""
    subprocess.run(
        [sys.executable, str(ROOT / "tests" / "shared_files.py"), way, str(folder), "9", "1"],
        env=path27(),
        check=True,
        timeout=TIMEOUT_S,
    )
    parts = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    return not parts, f"{way} leaves {parts}"


ATTACK = Attack("writers", "four programs that change one file at once, a fifth one killed", rounds, short=1, long=60)
