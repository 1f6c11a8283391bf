"""Property tests with other examples than in the suite, the C part's tests with sanitizers among them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sanitized
from interpreters import ROOT

from attack.outcome import Attack, Outcome
from jotto_desk.solver.native import build

#: Damaged input for every parser, any text for the services, anything that a player says, and any problem to solve.
FILES = [
    "tests/both/test_damaged_input.py",
    "tests/desk/test_damaged_files.py",
    "simulator/tests/both/test_naosim_services_any_text.py",
    "tests/both/test_talk_walks.py",
    "tests/both/test_story_random_player.py",
]
SOLVER = "tests/desk/test_solver_core.py"
TIMEOUT_S = 900  # of one run of a file


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Run each file `how_many` times with new examples; every test is a try."""
    outcome = Outcome(figure=f"{how_many} runs of {len(FILES) + 1} files")
    try:
        sanitizers = {**sanitized.environment(), "CFLAGS": " ".join(build.SANITIZERS)}
        plans = [*[(name, None) for name in FILES], (SOLVER, sanitizers)]
    except build.NotBuilt as reason:
        outcome.figure += f", without sanitizers: {reason}"
        plans = [(name, None) for name in [*FILES, SOLVER]]
    for number in range(how_many):
        for name, environ in plans:
            chance = ["--hypothesis-profile", "chance", "--hypothesis-seed", str(seed + number)]
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", *chance, name]
            ended = subprocess.run(
                command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
            outcome.tried += sum(map(int, re.findall(r"(\d+) (?:passed|failed|error)", ended.stdout)))
            broken = re.findall(r"^(?:FAILED|ERROR) .*", ended.stdout, re.MULTILINE)
            broken += re.findall(r".*(?:ERROR: AddressSanitizer|runtime error).*", ended.stderr)
            outcome.faults += broken or [f"{name} ended with code {ended.returncode}"] * bool(ended.returncode)
    return outcome


# The suite runs these tests itself.
ATTACK = Attack(
    "properties", "property tests with other examples, the C part's with sanitizers", rounds, short=0, long=10
)
