"""Generated pages agree with what they are generated from; the Python that pages show runs."""

import ast
import doctest
import re
from pathlib import Path

import pytest

from jotto_behaviour import diagram

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_the_conversation_is_the_table_of_states():
    assert (ROOT / "docs" / "conversation.md").read_text(encoding="utf-8") == diagram.page()


@pytest.mark.parametrize("page, least", [("README.md", 2), ("docs/api/engine.md", 5)])
def test_the_python_that_is_shown_runs(page, least):
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried >= least) == (0, True)


def test_every_figure_of_readme_and_word_lists_is_the_lists():
    from jotto.rules import JOTTO, WORDLE
    from jotto_desk.words import default_list

    for page, games in (("README.md", [JOTTO]), ("docs/word-lists.md", [JOTTO, WORDLE])):
        text = (ROOT / page).read_text(encoding="utf-8")
        for rules in games:
            assert f"{len(default_list(rules, own=False).words):,}" in text


def contributing():
    """Return the text of CONTRIBUTING.md."""
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_place_that_contributors_are_sent_to_is_there():
    found = re.findall(r"`((?:src|behaviour|simulator|robot_boxes|tests|docs|benchmarks)/[\w./]+)`", contributing())
    assert len(found) > 30
    assert [name for name in found if not (ROOT / name).exists()] == []


def test_the_walk_of_an_answer_names_what_is_there():
    steps = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", contributing())
    assert len(steps) > 15
    for name, wanted in steps:
        scope = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        for part in wanted.split("."):
            inside = {getattr(node, "name", None): node for node in scope.body}
            assert part in inside, f"{name} has no {wanted}"
            scope = inside[part]
