"""Tables at 40, 60, 80 and 120 columns: kept as golden text, with every name and figure whole at any width.

`JOTTO_SHEETS=renew` writes the golden texts anew, to be looked at before they are kept.
"""

import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import jotto, live_in
from rich.console import Console

from jotto_behaviour import mind
from jotto_behaviour.lines import Line
from jotto_desk.cli import bench, problem_options, rehearse, solve
from jotto_desk.conversation.game_record import Transcript, capitalise_words
from jotto_desk.games import wordle_dialogue
from jotto_desk.games.wordle_dialogue import HelperFigures
from jotto_desk.rehearsal.game import GameRecord
from jotto_desk.solver.benchmark import BenchmarkRow, PublishedFigure
from jotto_desk.solver.comparison import TO_WIN, Comparison, GroupFigures, PairTest
from jotto_desk.terminal import Bar, Column, FittedTable
from naosim.world import Event


def terminal(width):
    """Make a terminal of a width that keeps what is printed, without colours."""
    return Console(
        file=io.StringIO(), width=width, force_terminal=True, color_system=None, highlight=False, legacy_windows=False
    )


def bench_table(monkeypatch, width):
    def row(strategy, first, mean, counts, **more):
        distribution = dict(enumerate(counts, start=1))
        most = len(counts)
        return BenchmarkRow(strategy, first, 0, mean, None, most, most, distribution, 12.3456, **more)

    published = PublishedFigure("expected-size", 5696 / 1296, 6, "Irving 1979", 5696)
    consistent = [1.0, 8.2, 71.4, 312.6, 519.1, 298.3, 77.6, 7.8]
    rows = [
        row("consistent", "", 5.0223, consistent, runs=20, error=0.0034),
        row("expected-size-cand", "rroy", 4.3951, [1.0, 10.0, 54.0, 646.0, 583.0, 2.0], published=published),
        row("tree four-of-six.tree", "rroy", 4.3403, [1.0, 4.0, 67.0, 712.0, 511.0, 1.0]),
    ]
    chosen, console = problem_options.choose_problem("mastermind"), terminal(width)
    monkeypatch.setattr(bench, "make_console", lambda: console)
    bench._print(rows, chosen, SimpleNamespace(problem=chosen.problem))
    return console


def compare_table(_monkeypatch, width):
    groups = tuple(
        GroupFigures(name, 72, 4.3889, 4.25, 4.528, 0.382, 4.5, 3, 10, 0.00001)
        for name in ("frequent-first", "entropy-all", "tree four-of-six")
    )
    pairs = (
        PairTest("frequent-first", "entropy-all", 0.667, 0.431, 0.903, 0.00001, 0.0004, 0.00001, 0.0012),
        PairTest("entropy-all", "tree four-of-six", -0.069, -0.236, 0.097, 0.415, 0.396, 0.415, None),
    )
    console = terminal(width)
    bench._print_comparison(console, Comparison(TO_WIN, groups, pairs, 0.037), {group.name: "rroy" for group in groups})
    return console


def wordle_table(_monkeypatch, width):
    console = terminal(width)
    ours = HelperFigures("jotto", 4348, 4341, 0, {2: 61, 3: 1189, 4: 2243, 5: 753, 6: 95, 7: 7})
    original = HelperFigures("original", 1200, 711, 380, {2: 9, 3: 120, 4: 310, 5: 198, 6: 74, 7: 31})
    console.print(wordle_dialogue.tabulate_figures([ours, original], "list en, 4,348 words: every word", 4348))
    return console


def rehearse_table(monkeypatch, width):
    console, spread = terminal(width), {"median": 1093.04, "p90": 1111.85}
    monkeypatch.setattr(rehearse, "make_console", lambda: console)
    sums = {"games": 297, "asked": 2920, "stopped": True, "list": "en", "strategy": "belief", "seed": 1, "found": 296}
    sums |= {"histogram": {"3": 21, "4": 92, "5": 131, "10": 1}, "mean": 4.7623, "max": 10, "seconds": 12.3}
    sums |= {"answer_seconds": 2.0, "person_share": 0.2414}
    sums |= {f"{name}_seconds": spread for name in ("robot", "person", "game")}
    failure = "IndexError: string index out of range (guesser.py, line 86)"
    sums["failures"] = [{"secret": "ocean", "failures": [failure]}]
    rehearse._print([GameRecord("ocean")], sums, whole=False)
    return console


TABLES = {"bench": bench_table, "compare": compare_table, "wordle-solve": wordle_table, "rehearse": rehearse_table}


@pytest.mark.parametrize("name", [*TABLES, "solve"])
def test_tables_are_as_they_were(name, monkeypatch, tmp_path, capsys):
    def solve_table(monkeypatch, width, capsys):
        console = terminal(width)
        monkeypatch.setattr(solve, "make_console", lambda: console)
        assert jotto(capsys, "solve", "--rules", "bulls", "--length", "2", "--symbols", "6")[0] == 0
        return console

    golden = Path(__file__).resolve().with_name("sheets")
    widths = (40, 60, 80, 120)
    live_in(tmp_path, monkeypatch)
    table = TABLES.get(name) or (lambda monkeypatch, width: solve_table(monkeypatch, width, capsys))
    screens = {width: table(monkeypatch, width).file.getvalue() for width in widths}
    text = "".join(
        f"--- {width} columns\n" + "".join(f"{line.rstrip()}\n" for line in screen.splitlines())
        for width, screen in screens.items()
    )
    file = golden / f"{name}.txt"
    if os.environ.get("JOTTO_SHEETS") == "renew":
        golden.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
    for width, screen in screens.items():
        assert max(map(len, screen.splitlines())) <= width and "…" not in screen


def printed(sheet, width):
    console = terminal(width)
    console.print(sheet)
    return console.file.getvalue()


def test_names_and_figures_are_whole_at_any_width():
    sheet = FittedTable(
        "a title of several words",
        Column("strategy", is_text=True, folds=True),
        Column("mean of all"),
        Column("list", is_text=True, folds=True, leaves=2, least=12),
        Column("published", leaves=1),
        Column("empty"),
    )
    sheet.add("tree four-of-six.tree", "4.3403 ± 0.0011", "1:1 2:4 3:67 4:712 5:511 6:1", "4.340 same", "")
    sheet.add("consistent", "5.0223", "1:1 2:8 3:71", "", "")
    for width in range(40, 121):
        text = printed(sheet, width)
        cells = {cell.strip() for line in text.splitlines() for cell in line.split("│")}
        words = {word for cell in cells for word in cell.split()}
        assert max(map(len, text.splitlines())) <= width and "empty" not in text
        assert {"tree", "four-of-six.tree", "consistent"} <= words and "5.0223" in cells
        assert "4.3403 ± 0.0011" in cells
        assert "4.340 same" in cells or "published" in text.rpartition("No room here for:")[2]
        assert {"3:67", "4:712", "5:511"} <= words or "list" in text.rpartition("No room here for:")[2]


def test_a_name_longer_than_the_screen_loses_nothing_and_a_table_without_rows_is_printed():
    sheet = FittedTable("", Column("strategy", is_text=True, folds=True), Column("mean"))
    sheet.add("x" * 70 + ".tree", "4.3403")
    text = printed(sheet, 40)
    assert text.count("x") == 70 and "4.3403" in text and max(map(len, text.splitlines())) <= 40
    lines = printed(FittedTable("nothing", Column("a"), Column("b", leaves=1)), 40).splitlines()
    assert lines[0].strip() == "nothing" and lines[2].split() == ["┃", "a", "┃", "b", "┃"]


def test_bars_compare_at_every_width():
    sheet = FittedTable("", Column("attempts"), Column("", is_text=True))
    for share in (0.01, 0.5, 1.0):
        sheet.add("5", Bar(share))
    for width in (40, 60, 120):
        bars = [line.count("█") for line in printed(sheet, width).splitlines() if "█" in line]
        assert len(bars) == 3 and bars[0] == 1 and abs(2 * bars[1] - bars[2]) <= 1


def shown(text):
    return Transcript.list_speech([Event(0.0, "say", {"plain": text})])


def test_guesses_are_in_capitals():
    for text, expected in (
        ("Is it ocean? O, C, E, A, N.", "Is it OCEAN? O, C, E, A, N."),
        ("My word was heavy. H, E, A, V, Y. Once more?", "My word was HEAVY. H, E, A, V, Y. Once more?"),
        ("H, O, U, S, E. Is your word house?", "H, O, U, S, E. Is your word HOUSE?"),
        (
            "You told me pares gets one and two and hotel gets zero and one.",
            "You told me PARES gets one and two and HOTEL gets zero and one.",
        ),
        ("How many letters of place are in the wrong place?", "How many letters of PLACE are in the wrong place?"),
        ("Light: no letters at all. What's your guess?", "LIGHT: no letters at all. What's your guess?"),
        ("I heard ocean. Is that right?", "I heard OCEAN. Is that right?"),
        ("I heard three. Is that right?", "I heard three. Is that right?"),
        ("Hotel.", "Hotel."),
        (
            "Hotel: is that your guess? Say yes, or keep spelling.",
            "HOTEL: is that your guess? Say yes, or keep spelling.",
        ),
        ("Oops, my mistake. Is place your word?", "Oops, my mistake. Is PLACE your word?"),
        # A word of NAO's own sentence is not a guess.
        ("I think: light: no letters at all.", "I think: light: no letters at all."),
    ):
        assert shown(text) == [expected]


def test_guesses_of_other_languages_are_in_capitals():
    for language, said, word in (
        ("de", "Danke. Dann hat %s einen am richtigen Platz und zwei am falschen.", "w\u00fcste"),
        ("fr", "Oui\u202f! Mon mot, c'est %s. Tu l'as trouv\u00e9 en 3 essais\u202f!", "c\u0153ur"),
        ("es", "Has probado %s con una en su sitio y cero en otro.", "ni\u00f1as"),
        ("es", "Me has dicho: %s con una en su sitio y una en otro.", "salto"),
    ):
        assert capitalise_words(said % word, language) == said % word.upper(), language


def test_every_line_has_its_guesses_in_capitals():
    # Words for every slot; the guess is a word that stands in many lines.
    words = {"guess": "place", "word": "count", "spelling": "", "letter": "c", "phrase": "three", "list": "mine"}
    words |= {"number": 1, "exact": 1, "misplaced": 2, "old_exact": 0, "old_misplaced": 3, "attempts": 4, "tries": 1}
    words |= {"count": 5, "rest": 2, "worst": 3, "strategy": "luck", "language": "fr", "slowly": "ocean"}
    words |= {"letters": "ab", "clearly": "c", "turns": [["place", [1, 2]], ["count", [0, 1]]]}
    lines = mind.load_lines()
    loud = {name: word.upper() if name in ("guess", "word") else word for name, word in words.items()}
    loud["turns"] = [[guess.upper(), score] for guess, score in words["turns"]]
    for key in lines.list_keys():
        for beat in range(len(lines.list_wordings(key))):
            plain = lines.speak(Line(key, words), 1, beat).text
            assert shown(plain) == [lines.speak(Line(key, loud), 1, beat).text], key
