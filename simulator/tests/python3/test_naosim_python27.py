"""naosim on Python 2.7: its tests pass."""

import os

import pytest
from interpreters import ROOT, one_core, python27, run_tests

from naosim_robots.child import VARIABLE, find_python27

#: Number of processes that share the tests; each is a test, so several workers can run them.
SHARES = 2
TESTS = ROOT / "simulator" / "tests"


@pytest.mark.parametrize("share", range(SHARES))
def test_tests_of_both_pythons(share):
    """Takes half a minute each; nothing else shows that the code for robots does the same on both Pythons."""
    with one_core(share):
        run_tests(sorted((TESTS / "both").glob("test_*.py"))[share::SHARES])


def test_a_named_interpreter_wins():
    named = python27()
    assert find_python27({VARIABLE: named, "PATH": "/nowhere"}) == named
    assert find_python27({VARIABLE: "/nowhere/python", "PATH": os.environ["PATH"]}) is None
    assert find_python27({"PATH": "/nowhere", "HOME": "/nowhere"}) is None
