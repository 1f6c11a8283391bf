"""The code for robots on Python 2.7: its tests pass; `test_house.py` checks the syntax of all of it."""

import os
import subprocess

import pytest
from interpreters import ROOT, one_core, path27, python27, python27_with_pytest

from jotto_desk.robot_kit.sources import VARIABLE, check_scripts, find_python27

#: Number of processes that share the tests of both Pythons; each is a test, so several workers can run them.
SHARES = 2


@pytest.mark.parametrize("share", range(SHARES))
def test_tests_of_both_pythons(share):
    """Takes half a minute each; nothing else shows that the code for robots does the same on both Pythons."""
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests/both").glob("test_*.py"))]
    command = [python27_with_pytest(), "-m", "pytest", "-q", "-rf", "--tb=short", "-p", "no:cacheprovider"]
    # The configuration in pyproject.toml is for a newer pytest. Python 3 shows the values of a failed assertion.
    command += ["-c", os.devnull, "--assert=plain", "--rootdir", str(ROOT), *files[share::SHARES]]
    with one_core(share):
        answer = subprocess.run(
            command, cwd=ROOT, env=path27(), capture_output=True, text=True, timeout=900, check=False
        )
    assert answer.returncode == 0, answer.stdout[-6000:] + answer.stderr[-2000:]


@pytest.mark.parametrize("script, errors", [("print 'x'\n", 0), ("x = 'a'\n", 0), ("def f(*, a):\n    pass\n", 1)])
def test_scripts_are_compiled_by_both_pythons(script, errors):
    found = check_scripts({"say.py": script}, [python27()])
    if "print" in script:
        assert "say.py does not compile on Python 3" in found[0]
    else:
        assert ["Python 2.7" in finding for finding in found] == [True] * errors


def test_a_named_interpreter_wins():
    named = python27()
    assert find_python27({VARIABLE: named, "PATH": "/nowhere"}) == named
    assert find_python27({VARIABLE: "/nowhere/python", "PATH": os.environ["PATH"]}) is None
    assert find_python27({"PATH": "/nowhere", "HOME": "/nowhere"}) is None
