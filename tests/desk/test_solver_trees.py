"""Tree files at the desk: what is written is verified, what was tampered with is told, and commands play without it."""

import hashlib
import json
import re
import struct
from collections import Counter

import pytest
from engine_trees import file_of, plan_of, turns_of
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import tree
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE, Rules, TreeError
from jotto_desk import files, words
from jotto_desk.cli import main
from jotto_desk.errors import DeskError
from jotto_desk.solver import problem as problems
from jotto_desk.solver.problem import Plan, PlanOrigin
from jotto_desk.solver.trees import TreeMismatch, verify_tree

FEW = WORDS[::12]
BANDS = tuple((10, 20, 35, 40, 50, None)[number % 6] for number in range(len(FEW)))
WEIGHTS = problems.band_weights(BANDS)


def planned(problem, plan):
    """Convert a plan of words and answers to one of numbers and codes."""
    codes = {feedback: code for code, feedback in enumerate(problem.classes) if feedback is not None}
    numbers = {word: number for number, word in enumerate(problem.guesses)}

    def turned(node):
        return Plan(numbers[node[0]], {codes[feedback]: turned(child) for feedback, child in node[1].items()})

    return turned(plan)


def encoded(listed, rules, seed=1, wider=(), weights=None, **origin):
    """Make the file of a random plan, and the plan."""
    kind = "uniform" if weights is None else "bands"
    problem = problems.list_problem(listed, rules, wider, weights, kind)
    plan = plan_of(listed, rules, seed, wider)
    return problems.encode_plan(problem, planned(problem, plan), PlanOrigin(listed, "test", **origin)), plan


@st.composite
def games(draw):
    """Rules, a list of words they allow, and words that may only be asked."""
    kind, length = draw(st.sampled_from([PLACES, MARKS, COMMON])), draw(st.integers(2, 5))
    repeats = draw(st.booleans())
    rules = Rules("any", length, "abcdef", repeats, kind)
    symbols = st.lists(st.sampled_from("abcdef"), min_size=length, max_size=length, unique=not repeats)
    listed = draw(st.lists(symbols.map("".join), min_size=2, max_size=30, unique=True))
    secrets = draw(st.integers(2, len(listed)))
    return rules, tuple(listed[:secrets]), tuple(listed[secrets:])


@settings(max_examples=60, deadline=None)
@given(games(), st.integers(0, 9))
def test_what_is_written_is_verified(game, seed):
    rules, listed, wider = game
    content, plan = encoded(listed, rules, seed, wider)
    found = verify_tree(content, listed)
    depths = [len(turns_of(plan, rules, secret)) for secret in listed]
    assert found.figures.total == sum(depths) and found.figures.max == max(depths)
    assert found.figures.distribution == {str(turn): count for turn, count in sorted(Counter(depths).items())}
    assert found.figures.mean == pytest.approx(sum(depths) / len(depths))
    assert found.size == len(content) and found.nodes == len(tree.read_tree(content))
    assert found.plain()["verified"] is True and json.loads(json.dumps(found.plain()))
    made = problems.list_problem(listed, rules, wider)
    again = problems.plan_of_tree(tree.read_tree(content).bound_to(listed, rules), made)
    assert again == planned(made, plan) and problems.encode_plan(made, again, PlanOrigin(listed, "test")) == content


def test_a_plan_that_asks_words_outside_the_problem_is_refused():
    content, _ = encoded(FEW, JOTTO, wider=("vague",))
    bound = tree.read_tree(content).bound_to(FEW, JOTTO)
    with pytest.raises(DeskError, match="none of the words; name further guesses with --wider"):
        problems.plan_of_tree(bound, problems.list_problem(FEW[:-1], JOTTO))


def test_weights_are_those_of_the_bands_whatever_the_order():
    content, plan = encoded(FEW, JOTTO, weights=WEIGHTS)
    figures = verify_tree(content, FEW, BANDS).figures
    heavy = sum(weight * len(turns_of(plan, JOTTO, word)) for word, weight in zip(FEW, WEIGHTS, strict=True))
    assert figures.weighted_total == heavy and figures.weighted_mean == pytest.approx(heavy / sum(WEIGHTS))
    certificate = tree.read_tree(content).certificate
    assert certificate["weights"] == "bands" and certificate["weighting"]["10"] == 32
    with pytest.raises(TreeMismatch, match="how common"):
        verify_tree(content, FEW)
    with pytest.raises(TreeMismatch, match="weighted_total"):
        verify_tree(content, FEW, BANDS[::-1])


def test_weights_of_another_kind_are_not_written():
    problem = problems.list_problem(FEW, JOTTO, weights=range(1, len(FEW) + 1), kind="mine")
    with pytest.raises(DeskError, match="'mine'"):
        problems.encode_plan(problem, Plan(0, {}), PlanOrigin(FEW))


def test_a_symbol_game_needs_no_list():
    rules = MASTERMIND._replace(length=3)
    problem = problems.symbol_problem(rules)
    plan = plan_of(problem.secrets, rules, 1)
    content = problems.encode_plan(
        problem, planned(problem, plan), PlanOrigin(None, command="jotto solve --rules mastermind")
    )
    found = verify_tree(content)
    assert found.certificate["list"] is None and found.certificate["words"] == 216
    assert found.certificate["command"] == "jotto solve --rules mastermind"
    assert tree.read_tree(content).rules == rules


def test_anagrams_with_as_many_letters_in_common_are_told_apart():
    listed = ("stale", "steal", "least", "slate", "ocean", "canoe")
    content, plan = encoded(listed, PAPER_JOTTO)
    figures = verify_tree(content, listed).figures
    assert figures.total == sum(len(turns_of(plan, PAPER_JOTTO, secret)) for secret in listed) and not figures.missed


def test_secrets_a_plan_misses_are_counted():
    listed = ("ocean", "canoe", "table", "knife")
    problem = problems.list_problem(listed, JOTTO)
    content = problems.encode_plan(problem, Plan(0, {}), PlanOrigin(listed, cap=1))
    figures = verify_tree(content, listed).figures
    assert (figures.missed, figures.total, figures.mean, figures.max) == (3, 1, 1.0, 1)
    assert figures.distribution == {"0": 3, "1": 1}


@pytest.mark.parametrize("plan", [Plan(0, {0: Plan(1, {}), 30: Plan(2, {})}), Plan(0, {25: Plan(1, {})})])
def test_a_plan_goes_on_after_no_answer_that_ends_the_game_or_cannot_be(plan):
    with pytest.raises(DeskError, match="which no game goes on after"):
        problems.encode_plan(problems.list_problem(FEW, JOTTO), plan, PlanOrigin(FEW))


def test_a_plan_for_other_words_is_not_written():
    with pytest.raises(DeskError, match="are not the 38 secrets"):
        problems.encode_plan(problems.list_problem(FEW, JOTTO), Plan(0, {}), PlanOrigin(FEW[1:]))


# Verified


def altered(content, **changes):
    """Return the same nodes under a certificate with other values and the right checksum."""
    text, body, nodes = tree.open_tree_file(content)
    certificate = {key: value for key, value in {**json.loads(text), **changes}.items() if value is not ...}
    text = json.dumps(certificate).encode("ascii")
    content = b"jotto tree 1\n" + struct.pack(">III", len(text), len(body), nodes) + text + body
    return content + hashlib.sha256(content).digest()


TOTAL = verify_tree(encoded(FEW, JOTTO)[0], FEW).figures.total
HEAVY = verify_tree(encoded(FEW, JOTTO, weights=WEIGHTS)[0], FEW, BANDS).figures.weighted_total
LIES = [
    ({"total": TOTAL - 1}, f"says total {TOTAL - 1}, and the replay of all secrets counts {TOTAL}"),
    ({"total": "many"}, "total many"),
    ({"total": ...}, "total None"),
    ({"mean": 4.0}, "mean 4.0"),
    ({"mean": float("nan")}, "mean nan"),
    ({"max": 3}, "max 3"),
    ({"distribution": {"1": len(FEW)}}, "distribution"),
    ({"distribution": []}, "distribution"),
    ({"weighted_total": 5}, "weighted_total 5"),
    ({"lower_bound": TOTAL + 1}, f"no tree is below {TOTAL + 1}, and this one has {TOTAL}"),
    ({"lower_bound": float("nan")}, "no tree is below nan"),
    ({"lower_bound": "low"}, "no number"),
    ({"proven": True}, "says proven, but its bound None"),
    ({"proven": "yes"}, "whether the tree is proven"),
    ({"proven": True, "lower_bound": TOTAL - 1}, "says proven"),
    ({"proven": ...}, "whether the tree is proven"),
    ({"weighting": {}}, "weighting"),
    ({"weighting": {"10": "a lot"}}, "weighting"),
]


def test_a_certificate_that_lies_is_told():
    for changes, said in LIES:
        with pytest.raises(TreeMismatch) as caught:
            verify_tree(altered(encoded(FEW, JOTTO)[0], **changes), FEW, BANDS)
        assert said in str(caught.value) and str(caught.value).endswith(".")


def test_an_honest_certificate_passes():
    for changes in [
        {},
        {"lower_bound": TOTAL},
        {"lower_bound": TOTAL - 2.5},
        {"proven": True, "lower_bound": TOTAL},
        {"command": 5},
        {"objective": ...},
    ]:
        assert verify_tree(altered(encoded(FEW, JOTTO)[0], **changes), FEW).figures.total == TOTAL


def test_a_weighted_bound_is_held_against_the_weighted_total():
    content = encoded(FEW, JOTTO, weights=WEIGHTS, lower_bound=HEAVY, proven=True)[0]
    assert verify_tree(content, FEW, BANDS).certificate["proven"] is True
    with pytest.raises(TreeMismatch, match="no tree is below"):
        verify_tree(altered(content, lower_bound=HEAVY + 1), FEW, BANDS)


def test_a_branch_cut_off_is_found_by_the_replay():
    listed = ("ocean", "canoe", "table", "knife")
    whole, plan = encoded(listed, JOTTO)
    certificate = tree.read_tree(whole).certificate
    cut = tree.write_tree(certificate, [listed.index(plan[0])], [], [0])
    with pytest.raises(TreeMismatch, match="the replay of all secrets counts 1"):
        verify_tree(cut, listed)


def test_other_words_are_refused():
    for listed in [FEW[1:], FEW[::-1], WORDS]:
        with pytest.raises(TreeError, match="other words"):
            verify_tree(encoded(FEW, JOTTO)[0], listed)


def test_every_changed_byte_is_refused():
    content = encoded(("ocean", "canoe", "table"), JOTTO)[0]
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        with pytest.raises(TreeError):
            verify_tree(bytes(changed), ("ocean", "canoe", "table"))


def test_the_replay_can_be_watched():
    seen = []

    def watch(secrets):
        for secret in secrets:
            seen.append(secret)
            yield secret

    verify_tree(encoded(FEW, JOTTO)[0], FEW, progress=watch)
    assert tuple(seen) == FEW


def test_marks_per_place():
    listed = ("speed", "abide", "geese", "these", "level", "hello", "eerie")
    content, plan = encoded(listed, WORDLE)
    assert verify_tree(content, listed).figures.total == sum(len(turns_of(plan, WORDLE, word)) for word in listed)


# The tree that comes with the game


def test_the_shipped_tree_keeps_its_word_and_is_small():
    content = (files.shipped_path("wordlists") / "en.tree").read_bytes()
    wordlist = words.default_list(JOTTO, own=False)
    found = verify_tree(content, wordlist.words, wordlist.bands)
    assert found.certificate["list"] == "en" and found.certificate["words"] == len(wordlist.words)
    assert not found.figures.missed
    assert len(content) < 12_000
    blocked = words.block_list(own=False)
    assert not any(blocked.blocks(word) for word in tree.read_tree(content).extra)


# Commands


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Provide a folder with a list and its tree, and no own words."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "mine.txt").write_text("".join(f"{word}\n" for word in FEW), encoding="ascii")
    (tmp_path / "mine.tree").write_bytes(file_of(plan_of(FEW, JOTTO, 1), FEW, JOTTO, "mine"))
    return tmp_path


def rehearsed(capsys, *arguments):
    """Return what a rehearsal prints as JSON, and its remarks."""
    with pytest.raises(SystemExit) as ended:
        main(["rehearse", "--json", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    return json.loads(out), err


def test_a_rehearsal_walks_the_tree_beside_the_list(folder, capsys):
    """Takes seconds: every word of a list, played on the simulated robot by the tree."""
    total = verify_tree(encoded(FEW, JOTTO)[0], FEW).figures
    for strategy in ("belief", "tree"):
        told, err = rehearsed(capsys, "--all", "--words", folder / "mine.txt", "--jobs", 1, "--strategy", strategy)
        assert (told["strategy"], told["histogram"], err.strip()) == (strategy, total.distribution, "")
    told, err = rehearsed(capsys, "--sample", 1, "--words", folder / "mine.txt", "--strategy", "entropy")
    assert (told["strategy"], err) == ("entropy", "")


def test_a_tree_given_is_walked(folder, capsys):
    plan = plan_of(FEW, JOTTO, 7)
    (folder / "other.tree").write_bytes(file_of(plan, FEW, JOTTO))
    told, _ = rehearsed(capsys, "--secret", FEW[3], "--words", folder / "mine.txt", "--tree", folder / "other.tree")
    assert (told["strategy"], told["attempts"]) == ("belief", len(turns_of(plan, JOTTO, FEW[3])))


def test_all_trees_beside_a_list_are_drawn_from_and_hard_games_have_their_own(folder, capsys):
    plans = {"-2": plan_of(FEW, JOTTO, 7), "-hard": plan_of(FEW, JOTTO, 9)}
    for ending, plan in plans.items():
        (folder / f"mine{ending}.tree").write_bytes(file_of(plan, FEW, JOTTO))
    openers = {plan_of(FEW, JOTTO, 1)[0], plans["-2"][0]}

    def begun(*options):
        command = ("--sample", 1, "--words", folder / "mine.txt", "--transcripts", folder / "said.txt", *options)
        rehearsed(capsys, *command)
        return re.search(r"[Ii]s (?:it|your word) ([A-Z]{5})|([A-Z]{5})\?", (folder / "said.txt").read_text())

    assert len(openers) == 2 and plans["-hard"][0] not in openers
    said = [begun("--seed", seed) for seed in range(1, 8)]
    assert {(match[1] or match[2]).lower() for match in said} == openers
    match = begun("--level", "hard")
    assert (match[1] or match[2]).lower() == plans["-hard"][0]


@pytest.mark.parametrize("content", [b"", b"ocean\n" * 99, "half", "foreign", b"x" * 9_000_000])
def test_a_rehearsal_goes_on_without_a_bad_tree(content, folder, capsys):
    good = (folder / "mine.tree").read_bytes()
    foreign = file_of(plan_of(FEW[1:], JOTTO, 1), FEW[1:], JOTTO)
    bad = {"half": good[:300], "foreign": foreign}.get(content, content)
    (folder / "mine.tree").write_bytes(bad)
    told, err = rehearsed(capsys, "--sample", 3, "--words", folder / "mine.txt")
    assert (told["found"], told["failures"], told["strategy"]) == (3, [], "belief")
    assert err.startswith("The tree 'mine.tree' is not used: ") and err.count("\n") == 1


def test_own_words_leave_the_default_tree_in_use(folder, capsys):
    (folder / "share" / "nao-jotto").mkdir(parents=True)
    (folder / "share" / "nao-jotto" / "own.txt").write_text("zesty\nvigor\n", encoding="ascii")
    told, err = rehearsed(capsys, "--sample", 3)
    assert (told["strategy"], told["found"], err) == ("belief", 3, "")
    told, _ = rehearsed(capsys, "--secret", "vigor")
    assert told["found"] == 1


def test_a_list_without_a_tree_is_played_with_entropy(folder, capsys):
    (folder / "mine.tree").unlink()
    told, err = rehearsed(capsys, "--sample", 2, "--words", folder / "mine.txt", "--strategy", "tree")
    assert (told["strategy"], told["found"], err) == ("entropy", 2, "")
    told, err = rehearsed(capsys, "--sample", 2, "--words", folder / "mine.txt")
    assert (told["strategy"], told["found"], err) == ("belief", 2, "")


@pytest.mark.parametrize("tree_file, said", [("none.tree", "none.tree"), (".", "folder")])
def test_a_tree_file_that_is_not_there_is_refused(tree_file, said, folder, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["rehearse", "--sample", "1", "--tree", str(folder / tree_file)])
    assert ended.value.code == 2 and said in capsys.readouterr().err


def test_a_person_is_told_and_plays_without_a_bad_tree(folder, capsys, monkeypatch):
    import io

    (folder / "mine.tree").write_bytes(b"jotto tree 7\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("ready\nno\n0 1\n"))
    with pytest.raises(SystemExit) as ended:
        main(["play", "--seed", "4", "--words", str(folder / "mine.txt")])
    out = capsys.readouterr().out.replace("\n", " ")
    assert ended.value.code == 0 and "Is it" in out and "mine.tree" in out and "of version '7'" in out
