"""The trees NAO draws one of: openings, costs, searches; and published figures, recomputed on whole lists."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from engine_words import WORDS
from shared_data import WORD_LISTS, needs_shared_data

from jotto import explain, tree, words
from jotto.compat import count_ones, draw_item, draw_number
from jotto.feedback import PLACES
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, WORDLE, Rules
from jotto.strategies import Position, find_strategy
from jotto_behaviour import mind as resources
from jotto_desk import files
from jotto_desk.cli.solve import SHIPPED
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, improvement, problem, search
from jotto_desk.solver.beam import SearchOptions
from jotto_desk.solver.problem import Plan
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.words import building, lists

LISTS = files.find_shipped_path("wordlists")
DOCS = Path(__file__).parents[2] / "docs" / "openers.md"


def plain(name):
    return {line for line in (LISTS / name).read_text(encoding="ascii").split("\n") if line and line[0] != "#"}


def certificate(name):
    return tree.parse_tree((LISTS / f"{name}.tree").read_bytes()).certificate


@pytest.fixture(scope="module")
def listed():
    return lists.load_default_list(JOTTO, own=False)


DRAWN = [name for name, (_, _, options) in SHIPPED.items() if options.early]


def test_the_trees_with_openers_are_those_nao_draws():
    there = [path.stem for path in LISTS.glob("*.tree") if re.fullmatch("en(-hard)?(-[2-9])?", path.stem)]
    assert sorted(there) == sorted(DRAWN)
    assert len(resources.list_tree_paths(str(LISTS / "en.tsv"))) == 4


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawn_tree_costs_at_most_half_a_percent_more(name):
    # What a drawn tree costs at most, beside the best tree for the same weights.
    near = 1.005
    found, sharpest, proven = map(certificate, (name, "en-sharpest", "en-proven"))
    if found["weights"] == "uniform":
        assert found["total"] <= near * proven["total"]
    else:
        assert found["weighted_total"] <= near * sharpest["weighted_total"]
        assert found["total"] <= near * sharpest["total"]
    assert "0" not in found["distribution"]


@pytest.mark.parametrize("name", DRAWN)
def test_it_begins_with_words_people_know(name, listed):
    walked = tree.parse_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(listed.words, JOTTO)
    index, known, late = Index(listed.words, JOTTO), plain("en-early.txt"), plain("en-late.txt")
    sets, strange = [(0, index.everything)], 0
    for turn in range(3):
        below = []
        for node, members in sets:
            guess = walked.word(node)
            if count_ones(members) > improvement.FEW_SECRETS:
                assert guess in known or (turn == 2 and guess not in late), (turn, guess)
                strange += guess not in known
            below += [
                (child, part)
                for answer, part in index.split(guess, members).items()
                if (child := walked.find_child(node, answer)) is not None
            ]
        sets = below
    # Most third guesses are familiar, too.
    assert strange < 60


def test_words_asked_early_sound_like_no_other():
    known, late = plain("en-early.txt"), plain("en-late.txt")
    sounds = building.parse_sound_alikes((LISTS / building.SOUND_ALIKES_FILE).read_text(encoding="ascii"))
    assert sounds["pares"] == ("pairs", "pears") and not known & set(sounds) and not known & late
    everything = set(lists.load_default_list(JOTTO, own=False).words)
    assert known < everything and set(sounds) < everything
    # Words with a letter twice are secrets of Wordle only.
    assert late < set(lists.load_default_list(WORDLE, own=False).words)


def test_the_docs_say_what_the_openers_cost(listed):
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)\.tree` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(rows) == {*SHIPPED, "en-proven"}
    for name, row in rows.items():
        found = certificate(name)
        opener = tree.parse_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(listed.words, JOTTO).word(0)
        mean = f"{found['weighted_mean']:.4f}" if found["weighted_mean"] else ""
        expected = [opener.upper(), f"{found['total']:,}", f"{found['mean']:.4f}", mean, str(found["max"])]
        assert [cell.strip() for cell in row.split("|")] == expected


PROBLEM = problem.make_list_problem(WORDS[:150], JOTTO)
KNOWN, LATE = frozenset(range(0, 150, 3)), frozenset(range(1, 150, 3))


def begun(core, **options):
    wanted = SearchOptions(width=4, prove=False, early=KNOWN, late=LATE, **options)
    return search.search_tree(PROBLEM, core, wanted)


def asked(found: Plan, table, members, turn=1):
    """Yield the guesses of the first turns with the secrets left there."""
    yield found.guess, len(members), turn
    for code, part in table.split(found.guess, members).items() if turn < 3 else ():
        yield from asked(found.children[code], table, part, turn + 1)


def test_the_first_guesses_are_limited_and_the_result_is_the_same_on_both_cores_and_any_threads():
    one = begun(cores.choose_best_core(), threads=1)
    for guess, left, turn in asked(one.plan, one.table, one.table.everything):
        # In the first two turns only familiar words are asked.
        assert left <= improvement.FEW_SECRETS or guess in KNOWN or (turn > 2 and guess not in LATE)
    assert begun(cores.choose_best_core(), threads=3).plan == one.plan == begun(NumpyCore(), threads=1).plan
    free = search.search_tree(PROBLEM, cores.choose_best_core(), SearchOptions(width=4, prove=False, threads=1))
    assert free.cost <= one.cost
    first = begun(cores.choose_best_core(), threads=1, first=3)
    assert first.plan.guess == 3 and first.cost >= one.cost


def test_a_strange_third_guess_has_to_save_something(monkeypatch):
    def strangers(strangeness):
        monkeypatch.setattr(improvement, "STRANGE_GUESS_GAMES", strangeness)
        found = begun(cores.choose_best_core(), threads=1)
        return sum(
            left > improvement.FEW_SECRETS and guess not in KNOWN
            for guess, left, _ in asked(found.plan, found.table, found.table.everything)
        )

    # A share of 1 turn and more is never saved by so few words.
    assert strangers(1) == 0 < strangers(1 << 20)


def test_a_search_that_is_stopped_keeps_a_whole_tree():
    from jotto_desk.solver.beam import StopSignal, plan_cost

    stop = StopSignal()
    stop.request()
    found = search.search_tree(
        PROBLEM, cores.choose_best_core(), SearchOptions(width=4, prove=False, early=KNOWN), stop=stop
    )
    assert found.cost == plan_cost(found.plan, found.table, np.arange(150, dtype=np.int32), 60, 0)


@pytest.fixture
def folder(tmp_path, cli):
    lists = {"mine": WORDS[:60], "first": WORDS[:60:2], "late": WORDS[1:60:4], "other": ["zesty", "vigor"]}
    for name, some in lists.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(some) + "\n", encoding="ascii")
    return tmp_path


def test_a_tree_is_limited_by_files(folder, cli):
    limits = ("--early", "first.txt", "--late", "late.txt")
    result = cli.json("solve", "--words", "mine.txt", *limits, "--out", "mine.tree")
    assert result["first"] in WORDS[:60:2] and not result["missed"]
    assert "--early first.txt --late late.txt" in result["command"]
    assert cli("solve", "verify", "mine.tree")[0] == 0


@pytest.mark.parametrize(
    "options, named",
    [
        (("--late", "late.txt", "--prove"), "--late"),
        (("--early", "first.txt", "--prove"), "--prove"),
        (("--early", "first.txt", "--max-guesses", "6"), "--max-guesses"),
        (("--early", "other.txt"), "other.txt"),
        (("--early", "none.txt"), "none.txt"),
    ],
)
def test_what_does_not_go_together_is_refused(options, named, folder, cli):
    assert named in cli.refusal("solve", "--words", "mine.txt", *options)


DICTIONARY = """pair P EH1 R
pairs P EH1 R Z
pares P EH1 R Z
pears P EH1 R Z # fruit
tears T EH1 R Z
tears(2) T IH1 R Z
tiers T IH1 R Z
payer P EH1 R
o'er AO1 R
"""


def test_words_sound_alike_by_any_pronunciation(monkeypatch):
    with pytest.raises(DeskError, match="SHA-256"):
        building.build_sound_alikes(DICTIONARY.encode(), (), (), lists.load_block_list(own=False))
    monkeypatch.setattr(building, "CMUDICT_SHA256", building.hashlib.sha256(DICTIONARY.encode()).hexdigest())
    ordinary = {"pair", "pairs", "pares", "pears", "tears", "tiers"}
    text = building.build_sound_alikes(
        DICTIONARY.encode(), ordinary, ["tiers", "pares", "ocean"], lists.load_block_list(own=False)
    )
    assert building.parse_sound_alikes(text) == {"pares": ("pairs", "pears"), "tiers": ("tears",)}


def test_the_list_is_built_by_a_command(folder, cli, monkeypatch):
    (folder / "few.dict").write_text(DICTIONARY, encoding="ascii")
    monkeypatch.setattr(building, "CMUDICT_SHA256", building.hashlib.sha256(DICTIONARY.encode()).hexdigest())
    monkeypatch.setattr(lists.DebianPackage, "get", lambda package, file: b"")
    monkeypatch.setattr(lists.DebianPackage, "check", lambda package, content: None)
    monkeypatch.setattr(building, "map_words_to_bands", lambda content, form: {"pairs": 10, "pares": 50, "pears": 35})
    command = ("words", "sounds", "--dictionary", "few.dict", "--out", ".")
    assert cli(*command, "--check")[0] == 1
    code, out, _ = cli(*command)
    assert code == 0 and "3 words" in out
    assert cli(*command, "--check")[0] == 0
    assert cli("words", "sounds", "--dictionary", "none.dict")[0] == 2


def test_the_page_on_levels_has_the_numbers_of_words():
    page = (DOCS.parent / "levels.md").read_text(encoding="utf-8")
    mind = resources.load_mind("", "", ())
    for level, said in (
        ("easy", "one of {} words that a child knows"),
        ("normal", "one of {} words: these,"),
        ("hard", "one of {} words that a family knows"),
    ):
        assert said.format(f"{len(mind.choose_level(level).list_secrets()):,}") in page
    named = re.findall(r"such as ([A-Z]{5}) or ([A-Z]{5})", page)[0]
    assert {word.lower() for word in named} <= set(mind.choose_level("hard").list_secrets()) - set(mind.list_secrets())


@pytest.mark.parametrize(
    ("code", "rare"),
    [
        ("en", "ascot gulch larch sumac whelk servo"),
        ("fr", "aliz\u00e9 aneth antre bahut sbire tr\u00e9ma"),
        ("de", "torus anode schur zobel wulst axiom"),
        ("es", "acebo atole comal jurel perol tolva yelmo"),
    ],
)
def test_nao_does_not_think_of_words_that_no_family_knows(code, rare):
    known = resources.load_mind("", "", (), code)
    secrets = {known.wordlist.accents.get(word, word) for word in known.choose_level("hard").list_secrets()}
    assert secrets.isdisjoint(rare.split())


def isograms(path):
    return words.parse_word_list(path.read_bytes(), JOTTO, path.name).wordlist


@pytest.fixture(scope="module")
def answers():
    """List the 1,566 isograms among the original Wordle answers."""
    return isograms(WORD_LISTS / "wordle-answers-2315.txt").build_index(JOTTO)


def turns_until_found(index, strategy, secret, seed):
    """List all turns of one game, the winning one left out."""
    turns, left = [], index.everything
    while (guess := strategy.choose(Position(index, left, None, len(turns), seed))) != secret:
        turns.append((guess, index.rules.score(guess, secret)))
        left &= index.fits(*turns[-1])
    return turns


def attempts(index, name, seed, step=1):
    """Count the guesses each `step`-th secret takes, the winning one included."""
    return [
        len(turns_until_found(index, find_strategy(name), secret, seed * 10**6 + number)) + 1
        for number, secret in enumerate(index.words[::step])
    ]


def test_numbers_of_answers_and_of_codes():
    for length, answers_possible in ((5, 20), (4, 14)):
        assert len(Rules("any", length, LETTERS, True, PLACES).list_feedback()) == answers_possible
    index = Index(["".join(number) for number in itertools.permutations("0123456789", 4)], BULLS)
    sizes = sorted(part.bit_count() for part in index.split("0123", index.everything).values())
    assert (len(index), len(sizes), sizes[-1]) == (5040, 14, 1440)


# First guesses by shape and what they leave: Knuth's table of Mastermind, largest part and number of parts.
@pytest.mark.parametrize(
    "guess, largest, parts",
    [("0000", 625, 5), ("0001", 317, 11), ("0011", 256, 13), ("0012", 276, 14), ("0123", 312, 14)],
)
def test_first_guesses_of_mastermind(guess, largest, parts):
    rules = MASTERMIND._replace(alphabet="012345")
    index = Index(["".join(code) for code in itertools.product("012345", repeat=4)], rules)
    sizes = [part.bit_count() for part in index.split(guess, index.everything).values()]
    assert (max(sizes), len(sizes), sum(sizes)) == (largest, parts, 1296)


@needs_shared_data
def test_consistent_and_entropy_on_wordle_answers(answers):
    # References: 4.835 on average over 20 seeds, 8 to 10 at most; one seed strays by about 0.03.
    found = attempts(answers, "consistent", 1)
    assert len(found) == 1566 and abs(sum(found) / len(found) - 4.835) < 0.09 and 8 <= max(found) <= 10
    # References: 4.396 looking at all candidates; 48 of them must do nearly as well.
    found = attempts(answers, "entropy", 1, step=8)
    assert 4.2 < sum(found) / len(found) < 4.6 and max(found) <= 8


def test_consistent_on_codes_without_repeats_and_on_the_english_list():
    root = Path(__file__).resolve().parents[2]
    # References: 4.15 for any random consistent play of four weapons out of six.
    every = ["".join(code) for code in itertools.permutations("012345", 4)]
    found = attempts(Index(every, Rules("gladiators", 4, "012345", False, PLACES)), "consistent", 1)
    assert abs(sum(found) / len(found) - 4.15) < 0.12
    # References: 5.17 to 5.23 on the isograms up to SCOWL 50; every other word strays by about 0.03.
    found = attempts(isograms(root / "wordlists" / "en.tsv").build_index(JOTTO), "consistent", 1, step=2)
    assert abs(sum(found) / len(found) - 5.2) < 0.1 and max(found) <= 12


@needs_shared_data
def test_the_slip_comes_early_on_wordle_answers(answers):
    ranks = []
    for seed in range(60):
        turns = turns_until_found(answers, find_strategy("consistent"), draw_item(answers.words, seed, "secret"), seed)
        if len(turns) < 3:
            continue
        wrong = draw_number(len(turns), seed, "turn")
        guess, true = turns[wrong]

        def is_close(other, true=true):
            return max(abs(other.exact - true.exact), abs(other.misplaced - true.misplaced)) == 1

        close = [other for other in JOTTO.list_feedback() if is_close(other) and other != JOTTO.win]
        turns[wrong] = (guess, draw_item(close, seed, "noted"))
        if not answers.find_candidates(turns):
            ranks.append([slip.turn for slip in explain.rank_slips(turns, answers)].index(wrong))
    assert len(ranks) > 30
    assert sum(rank == 0 for rank in ranks) / len(ranks) > 0.55
    assert sum(rank < 3 for rank in ranks) / len(ranks) > 0.9
