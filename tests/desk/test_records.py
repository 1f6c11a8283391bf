"""The page of records comes from its data, whose figures add up; the fast rows are measured again."""

import itertools
import re
import shlex

import pytest
from interpreters import ROOT, load_script, source_path
from shared_data import WORD_LISTS, needs_shared_data

from jotto_desk.cli.problem_options import choose_problem
from jotto_desk.cli.solve_options import WIDTH, SolveOptions
from jotto_desk.solver import benchmark, cores
from jotto_desk.solver.search import search_tree

records = load_script(ROOT / "benchmarks" / "records.py")
ROWS = {row["id"]: row for row in records.read_records()}
#: Goddard's least averages by colours, from two places on, as S. Pokutta's blog quotes them (2011).
GODDARD = {
    2: (2, 2.250, 2.750, 3.031, 3.500),
    3: (2.333, 2.704, 3.037, 3.358),
    4: (2.813, 3.219, 3.535),
    5: (3.240, 3.608, 3.941),
}
CODES = [name for name in ROWS if name.startswith(("mastermind", "bulls"))]


def choose(row):
    words = shlex.split(row["command"])
    given = dict(itertools.pairwise(words))
    sizes = {name: int(given[f"--{name}"]) for name in ("length", "symbols") if f"--{name}" in given}
    return choose_problem(given.get("--rules", "jotto"), **sizes)


def test_the_page_is_written_from_its_data():
    page = records.PAGE.read_text(encoding="utf-8")
    assert page == records.make_page(list(ROWS.values())), "python benchmarks/records.py"
    # Averages are of the row's own figures; those of weighted rows are by weight.
    table = page.partition("|\n")[2].partition("\n\n")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]
    uniform = [row for row in cells if "--weights" not in "".join(row)]
    assert len(cells) == len(ROWS) >= len(uniform) > len(CODES)
    for name, secrets, total, average, *_ in uniform:
        assert float(average) == round(int(total.replace(",", "")) / int(secrets.replace(",", "")), 4), name


@pytest.mark.parametrize("name", ROWS)
def test_the_figures_of_a_row_add_up(name):
    row = ROWS[name]
    counts = {int(turn): count for turn, count in row["distribution"].items()}
    assert (sum(counts.values()), max(counts)) == (row["secrets"], row["max"])
    assert sum(turn * count for turn, count in counts.items()) == row["total"]
    assert 0 < row["lower_bound"] <= row.get("weighted_total", row["total"])


@pytest.mark.parametrize("name", CODES)
def test_a_code_game_is_the_one_of_its_command(name):
    row = ROWS[name]
    problem = choose(row).problem
    sizes = (problem.rules.length, len(problem.rules.alphabet))
    assert len(problem.secrets) == row["secrets"]
    assert tuple(map(int, re.findall(r"\d+", name)[:2])) == sizes or name == "bulls-and-cows"
    published = None if "--max-guesses" in row["command"] else benchmark.find_published(problem)
    assert published is None or (published.best.total, row["published"][:3]) == (row["total"], "yes")


@pytest.mark.program("cc")
@pytest.mark.parametrize(
    "name", ["mastermind-4-6-within-5", "mastermind-4-7", pytest.param("wordle-salet", marks=needs_shared_data)]
)
def test_fast_rows_are_measured_again(name, tmp_path, monkeypatch):
    """Takes two seconds: `jotto` searches, and then replays every secret of a game that numpy takes minutes for."""
    monkeypatch.chdir(tmp_path)
    for link, public in (("answers", "wordle-answers-2315"), ("guesses", "wordle-guesses-12972")):
        (tmp_path / f"{link}.txt").symlink_to(WORD_LISTS / f"{public}.txt")
    monkeypatch.setenv("PYTHONPATH", source_path())
    measured = records.measure_record(ROWS[name])
    assert measured.pop("cpu_seconds") > 0
    assert measured == {key: value for key, value in ROWS[name].items() if key != "cpu_seconds"}


def find_least(places, colours):
    problem = choose_problem("mastermind", length=places, symbols=colours).problem
    found = search_tree(problem, cores.choose_best_core(), SolveOptions().make_search_options(problem))
    return found.cost if found.proven else None


@pytest.mark.parametrize("colours", range(3, 9))
def test_two_places_take_the_published_formula(colours):
    assert find_least(2, colours) == records.count_two_place_guesses(colours)


@pytest.mark.parametrize("colours", GODDARD)
def test_small_games_take_the_published_averages(colours):
    averages = [find_least(places, colours) / colours**places for places in range(2, 2 + len(GODDARD[colours]))]
    assert averages == pytest.approx(GODDARD[colours], abs=0.0006)


def test_many_colours_get_the_wide_beam_that_finds_the_optimum():
    row = ROWS["mastermind-2-20"]
    assert row["total"] == records.count_two_place_guesses(20)
    assert SolveOptions().make_search_options(choose(row).problem).width == WIDTH
