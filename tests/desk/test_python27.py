"""The game on Python 2.7: it compiles, and its tests pass."""

import pytest
from interpreters import ROOT, compile_all, python27, run_tests

from jotto_desk.robot_kit.sources import script_findings


def test_every_module_compiles():
    folders = ("src/jotto", "behaviour", "robot_boxes", "tests/both")
    compile_all(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def test_tests_of_both_pythons():
    """Takes half a minute; nothing else shows that the code for robots does the same on both Pythons."""
    run_tests(sorted((ROOT / "tests/both").glob("test_*.py")))


@pytest.mark.parametrize("script, errors", [("print 'x'\n", 0), ("x = 'a'\n", 0), ("def f(*, a):\n    pass\n", 1)])
def test_scripts_are_compiled_by_both_pythons(script, errors):
    found = script_findings({"say.py": script}, [python27()])
    if "print" in script:
        assert "say.py does not compile on Python 3" in found[0]
    else:
        assert ["Python 2.7" in finding for finding in found] == [True] * errors
