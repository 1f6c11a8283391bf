"""The game on Python 2.7: its tests pass; `test_house.py` checks the syntax of all code for robots."""

import pytest
from interpreters import ROOT, python27, run_tests

from jotto_desk.robot_kit.sources import check_scripts


def test_tests_of_both_pythons():
    """Takes half a minute; nothing else shows that the code for robots does the same on both Pythons."""
    run_tests(sorted((ROOT / "tests/both").glob("test_*.py")))


@pytest.mark.parametrize("script, errors", [("print 'x'\n", 0), ("x = 'a'\n", 0), ("def f(*, a):\n    pass\n", 1)])
def test_scripts_are_compiled_by_both_pythons(script, errors):
    found = check_scripts({"say.py": script}, [python27()])
    if "print" in script:
        assert "say.py does not compile on Python 3" in found[0]
    else:
        assert ["Python 2.7" in finding for finding in found] == [True] * errors
