"""docs/four-guesses.md: the page shows the figures, and the figures are what the search finds."""

import importlib
import json
import re

import pytest
from interpreters import ROOT

from jotto_desk.solver import cores

PAGE = ROOT / "docs" / "four-guesses.md"


@pytest.fixture
def four(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("four")


@pytest.fixture
def figures(four):
    return json.loads(four.FIGURES.read_text(encoding="utf-8"))


@pytest.fixture
def engine():
    return cores.best_core()


def as_found(row):
    """Return what of a row cannot depend on the machine: of equal trees another may come first."""
    return row.words, row.total, row.bound, row.weight, row.article


# The figures


def test_small_vocabularies_searched_again(four, figures, engine):
    sizes = (100, 200, 300)
    kept = [row for row in four.four_page.rows(figures, "curve") if row.words in sizes]
    assert [as_found(row) for row in four.curve(engine, sizes)] == [as_found(row) for row in kept]
    assert [row.words for row in kept if row.proven] == [*sizes]


def test_all_vocabularies_are_there_and_decided(four, figures):
    page = four.four_page
    curve, weighed = page.rows(figures, "curve"), page.rows(figures, "weighed")
    closer = {seed: page.rows(figures, "crossing", seed) for seed in four.SEEDS}
    assert tuple(row.words for row in curve) == four.SIZES
    assert tuple(row.words for row in weighed) == four.WEIGHED
    assert all([row.words for row in rows] == [*four.CLOSER] for rows in closer.values())
    every = curve + weighed + [row for rows in closer.values() for row in rows]
    assert all(row.bound <= row.total for row in every) and {row.verdict for row in every} == {"yes", "impossible"}
    for rows, most, kept in ((curve, four.PROVEN, {four.SIZES[-1]}), (weighed, four.WEIGHED_PROVEN, set())):
        assert [row.words for row in rows if row.proven] == [
            row.words for row in rows if row.words <= most or row.words in kept
        ]
    assert all(row.proven for rows in closer.values() for row in rows)
    # What was searched twice came out the same.
    assert [row.total for row in curve if row.words == 800] == [row.total for row in closer[1] if row.words == 800]


def test_the_proof_of_the_whole_list_is_kept(four, figures, engine):
    row = four.kept_proof(engine)
    assert row.proven and row.total == 13_495
    assert as_found(row)[:-1] == as_found(four.four_page.rows(figures, "curve")[-1])[:-1]


def test_the_reach_is_the_searchs(four, figures, engine):
    whole = four.feedback_table.make_table(four.vocabulary(four.AS_LISTED).game(four.SIZES[-1]), engine.codes)
    found = engine.search(whole, 1).reach()
    assert figures["reach"] == found[: len(figures["reach"])] and figures["reach"][-1] == four.SIZES[-1]


@pytest.mark.parametrize("more, out", [(-1, True), (0, True), (1, False)])
def test_out_of_reach_is_just_below_the_best(four, engine, more, out):
    game = four.vocabulary(1).game(80)
    best = four.row(engine, game, prove=True)
    laid = four.feedback_table.make_table(game, engine.codes)
    assert best.proven and four.out_of_reach(engine, laid, best.total + more) is out


@pytest.mark.parametrize("goal, verdict", [(-1, "impossible"), (0, "yes")])
def test_what_the_beam_leaves_open_is_decided_by_search(four, engine, monkeypatch, goal, verdict):
    game = four.vocabulary(1).game(120)
    best = four.row(engine, game, prove=True)
    # As if the goal were the best possible, or one guess less.
    monkeypatch.setattr(four.four_page, "GOAL", (best.total + goal) / best.weight)
    found = four.row(engine, game, prove=False)
    assert (found.total, found.verdict) == (best.total, verdict)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_vocabulary_is_the_list_band_by_band(four, seed):
    words = four.vocabulary(seed)
    listed = four.default_list(four.JOTTO, own=False)
    assert sorted(zip(words.words, words.bands)) == sorted(zip(listed.words, listed.bands))
    assert list(words.bands) == sorted(words.bands)
    assert (words.words == tuple(listed.words)) == (seed == four.AS_LISTED)
    assert words == four.vocabulary(seed) and words != four.vocabulary(seed + 1)


def test_a_vocabulary_is_printed(four, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["four.py", "--words", "7", "--seed", "2"])
    four.main()
    assert tuple(capsys.readouterr().out.split()) == four.vocabulary(2).words[:7]


# The page and its picture


def test_the_page_says_what_the_figures_say(four, figures):
    text = PAGE.read_text(encoding="utf-8")
    assert four.four_page.filled(text, figures) == text


def test_a_page_without_a_place_for_a_figure_is_refused(four, figures):
    text = PAGE.read_text(encoding="utf-8").replace("<!-- end of crossing -->", "")
    with pytest.raises(ValueError, match="0 places for 'crossing'"):
        four.four_page.filled(text, figures)


def test_the_picture_is_drawn_from_the_figures(four, figures, tmp_path):
    def texts(svg):
        return re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)

    shown = four.PICTURE.read_text(encoding="utf-8")
    drawn = four.four_picture.draw(figures, tmp_path / "four.svg").read_text(encoding="utf-8")
    proven = sum(row.proven for name in ("curve", "weighed") for row in four.four_page.rows(figures, name))
    assert texts(shown) == texts(drawn) and any("the article's way" in text for text in texts(shown))
    # Dots, and a background of its own for readers with dark pages.
    assert len(re.findall(r'<use [^>]* x="[1-9][^>]*style="fill: #1f618d', shown)) == proven
    assert "fill: #ffffff" in shown


def test_page_and_picture_are_linked():
    assert "](four-guesses.svg)" in PAGE.read_text(encoding="utf-8")
    assert "(docs/four-guesses.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
