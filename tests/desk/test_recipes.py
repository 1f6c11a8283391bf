"""CONTRIBUTING's recipe for a strategy, followed step by step in a copy of the project."""

import os
import re
import shlex
import sys

from interpreters import ROOT
from processes import process
from without_programs import copy_project

CLASS = '''class Last(Strategy):
    """The last word that still fits."""

    name = "last"

    def choose(self, position):  # type: (Position) -> Symbols
        """Return the last candidate."""
        return position.index.list_words(_remove_late_words(position))[-1]


'''
TESTS = (
    *(
        f"tests/both/test_engine_strategies.py::{name}"
        for name in (
            "test_golden_games",
            "test_anagrams_answer_alike_and_none_is_asked_twice",
            "test_hardly_any_words",
            "test_unknown_strategies",
            "test_names",
        )
    ),
    "tests/both/test_talk_walks.py::test_start_game_offers_every_strategy",
    "tests/desk/test_cli_help.py::test_help_pages_are_the_saved_ones",
    "tests/test_house.py::test_the_choregraphe_project_is_built_from_robot_boxes",
)


def test_a_strategy_by_the_recipe_leaves_its_tests_green(tmp_path):
    """Takes seconds: it runs the commands of the recipe, and tests in the copy."""
    # Files that the recipe names: a text there, and the text that a new strategy puts in its place.
    edits = [
        ("src/jotto/strategies.py", "# Strategies by name.", CLASS + "# Strategies by name."),
        ("src/jotto/strategies.py", "Entropy, Walk)}", "Entropy, Last, Walk)}"),
        (
            "tests/both/test_engine_strategies.py",
            '        ("entropy", "quilt", 3,',
            '        ("last", "quilt", 1, "zebra 00, youth 02, sight 11, shown 00, quilt 50"),\n'
            '        ("entropy", "quilt", 3,',
        ),
        ("robot_boxes/flow.json", '"entropy", "tree"]', '"entropy", "last", "tree"]'),
        ("src/jotto_desk/cli/options.py", "entropy or consistent;", "entropy, consistent or last (in the list);"),
    ]
    recipe = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("**A strategy.**")[2].partition("\n\n**")[0]
    )
    steps = re.findall("`([^`]+)`", recipe)
    copy_project(tmp_path)
    for name, old, new in edits:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert name in steps and old in text, name
        (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    path = os.pathsep.join(str(tmp_path / folder) for folder in ("src", "behaviour", "simulator"))
    commands = [step for step in steps if step.startswith(("jotto r", "PYTHONPATH="))]
    assert [command.split()[:2] for command in commands] == [
        ["jotto", "robot"],
        ["PYTHONPATH=tests:simulator/tests", "python"],
        ["jotto", "rehearse"],
    ]
    script = "\n".join(["set -e", *commands, shlex.join(["pytest", "-q", "-p", "no:cacheprovider", *TESTS])])
    script = (
        script.replace("PYTHONPATH=tests", "PYTHONPATH=tests:$PYTHONPATH").replace("300", "3").replace("NAME", "last")
    )
    folder = os.path.dirname(sys.executable)
    environ = {**os.environ, "PYTHONPATH": path, "PATH": f"{folder}:{os.environ['PATH']}"}
    ended = process("sh", "-c", script, cwd=tmp_path, env=environ)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "strategy last" in ended.stdout
