"""The tests of the solver's C part, with the part built with AddressSanitizer and UndefinedBehaviorSanitizer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import sanitized
from interpreters import ROOT

from attack.outcome import Attack, Outcome
from jotto_desk.solver.native import build

TESTS = "tests/desk/test_solver_core.py"
#: Seconds one run of these tests may take.
PATIENCE = 900


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Run the tests so many times, each time on other games; every test is a try."""
    outcome = Outcome(figure=f"{how_many} runs of {TESTS}")
    try:
        environ = {**sanitized.environment(), "CFLAGS": " ".join(build.SANITIZERS)}
    except build.NotBuilt as reason:
        outcome.figure = f"not tried: {reason}"
        return outcome
    for number in range(how_many):
        chance = ["--hypothesis-profile", "chance", "--hypothesis-seed", str(seed + number)]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", *chance, TESTS]
        ended = subprocess.run(
            command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        outcome.tried += sum(map(int, re.findall(r"(\d+) (?:passed|failed|error)", ended.stdout)))
        broken = re.findall(r"^(?:FAILED|ERROR) .*", ended.stdout, re.MULTILINE)
        broken += re.findall(r".*(?:ERROR: AddressSanitizer|runtime error).*", ended.stderr)
        outcome.faults += broken or [f"{TESTS} ended with code {ended.returncode}"] * bool(ended.returncode)
    return outcome


# Compiling with sanitizers and running with them takes a minute, so the suite leaves it to the long form.
ATTACK = Attack("sanitizers", "the C part's tests, with AddressSanitizer and UBSan", rounds, short=0, long=1)
