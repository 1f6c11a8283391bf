"""Pages that are generated stay what they are generated from; what the README shows as Python runs."""

import doctest
from pathlib import Path

from jotto_behaviour import diagram

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_the_conversation_is_the_table_of_states():
    assert (ROOT / "docs" / "conversation.md").read_text(encoding="utf-8") == diagram.page()


def test_the_readme_runs():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 2) == (0, True)


def test_every_figure_of_the_readme_is_the_lists():
    from jotto.rules import JOTTO, WORDLE
    from jotto_desk.words import default_list

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for rules in (JOTTO, WORDLE):
        assert f"{len(default_list(rules, own=False).words):,}" in text
