"""Tree files at the desk: what is written is verified, what was tampered with is told, and commands play without it."""

import hashlib
import io
import json
import re
import struct
from collections import Counter

import pytest
from command_line import jotto
from engine_trees import file_of, plan_of, turns_of
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import tree
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.rules import JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE, Rules, TreeError
from jotto_desk.errors import DeskError
from jotto_desk.solver import problem as problems
from jotto_desk.solver.problem import Plan, PlanOrigin
from jotto_desk.solver.trees import TreeMismatch, verify_tree

FEW = WORDS[::12]
BANDS = tuple((10, 20, 35, 40, 50, None)[number % 6] for number in range(len(FEW)))
WEIGHTS = problems.weigh_by_band(BANDS)


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
    problem = problems.make_list_problem(listed, rules, wider, weights, kind)
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


@given(games(), st.integers(0, 9))
def test_what_is_written_is_verified(game, seed):
    rules, listed, wider = game
    content, plan = encoded(listed, rules, seed, wider)
    found = verify_tree(content, listed)
    depths = [len(turns_of(plan, rules, secret)) for secret in listed]
    assert found.figures.total == sum(depths) and found.figures.max == max(depths)
    assert found.figures.distribution == {str(turn): count for turn, count in sorted(Counter(depths).items())}
    assert found.figures.mean == pytest.approx(sum(depths) / len(depths))
    assert found.size == len(content) and found.nodes == len(tree.parse_tree(content))
    assert found.plain()["verified"] is True and json.loads(json.dumps(found.plain()))
    made = problems.make_list_problem(listed, rules, wider)
    again = problems.plan_of_tree(tree.parse_tree(content).bound_to(listed, rules), made)
    assert again == planned(made, plan) and problems.encode_plan(made, again, PlanOrigin(listed, "test")) == content


def test_a_plan_that_fits_no_game_is_refused():
    bound = tree.parse_tree(encoded(FEW, JOTTO, wider=("vague",))[0]).bound_to(FEW, JOTTO)
    with pytest.raises(DeskError, match="not one of the words; name further guesses with --wider"):
        problems.plan_of_tree(bound, problems.make_list_problem(FEW[:-1], JOTTO))
    plain = problems.make_list_problem(FEW, JOTTO)
    heavy = problems.make_list_problem(FEW, JOTTO, weights=range(1, len(FEW) + 1), kind="mine")
    ended, impossible = Plan(0, {0: Plan(1, {}), 30: Plan(2, {})}), Plan(0, {25: Plan(1, {})})
    for problem, plan, listed, sentence in [
        (heavy, Plan(0, {}), FEW, "'mine'"),
        (plain, ended, FEW, "but no game continues after it"),
        (plain, impossible, FEW, "but no game continues after it"),
        (plain, Plan(0, {}), FEW[1:], "are not the 38 secrets"),
    ]:
        with pytest.raises(DeskError, match=sentence):
            problems.encode_plan(problem, plan, PlanOrigin(listed))


def test_weights_are_those_of_the_bands_and_bounds_are_compared_with_the_weighted_total():
    content, plan = encoded(FEW, JOTTO, weights=WEIGHTS)
    figures = verify_tree(content, FEW, BANDS).figures
    heavy = sum(weight * len(turns_of(plan, JOTTO, word)) for word, weight in zip(FEW, WEIGHTS, strict=True))
    assert figures.weighted_total == heavy and figures.weighted_mean == pytest.approx(heavy / sum(WEIGHTS))
    certificate = tree.parse_tree(content).certificate
    assert certificate["weights"] == "bands" and certificate["weighting"]["10"] == 32
    for bands, sentence in (((), "how common"), (BANDS[::-1], "weighted_total")):
        with pytest.raises(TreeMismatch, match=sentence):
            verify_tree(content, FEW, *[bands] * bool(bands))
    proven = encoded(FEW, JOTTO, weights=WEIGHTS, lower_bound=heavy, proven=True)[0]
    assert verify_tree(proven, FEW, BANDS).certificate["proven"] is True
    with pytest.raises(TreeMismatch, match="no tree is below"):
        verify_tree(altered(proven, lower_bound=heavy + 1), FEW, BANDS)


def test_trees_of_symbols_anagrams_and_marks_are_verified():
    rules, command = MASTERMIND._replace(length=3), "jotto solve --rules mastermind"
    problem = problems.make_symbol_problem(rules)
    plan = planned(problem, plan_of(problem.secrets, rules, 1))
    content = problems.encode_plan(problem, plan, PlanOrigin(None, command=command))
    certificate = verify_tree(content).certificate
    assert (certificate["list"], certificate["words"], certificate["command"]) == (None, 216, command)
    assert tree.parse_tree(content).rules == rules
    for rules, listed in [
        (PAPER_JOTTO, "stale steal least slate ocean canoe"),
        (WORDLE, "speed abide geese these level hello eerie"),
    ]:
        content, plan = encoded(tuple(listed.split()), rules)
        figures = verify_tree(content, tuple(listed.split())).figures
        assert figures.total == sum(len(turns_of(plan, rules, word)) for word in listed.split()) and not figures.missed


def test_secrets_that_a_plan_misses_are_counted():
    listed = ("ocean", "canoe", "table", "knife")
    content = problems.encode_plan(problems.make_list_problem(listed, JOTTO), Plan(0, {}), PlanOrigin(listed, cap=1))
    figures = verify_tree(content, listed).figures
    assert (figures.missed, figures.total, figures.mean, figures.max) == (3, 1, 1.0, 1)
    assert figures.distribution == {"0": 3, "1": 1}
    whole, plan = encoded(listed, JOTTO)
    cut = tree.write_tree(tree.parse_tree(whole).certificate, [listed.index(plan[0])], [], [0])
    with pytest.raises(TreeMismatch, match="the replay of all secrets counts 1"):
        verify_tree(cut, listed)


def altered(content, **changes):
    """Return the same nodes under a certificate with other values and the right checksum."""
    text, body, nodes = tree.open_tree_file(content)
    certificate = {key: value for key, value in {**json.loads(text), **changes}.items() if value is not ...}
    text = json.dumps(certificate).encode("ascii")
    content = b"jotto tree 1\n" + struct.pack(">III", len(text), len(body), nodes) + text + body
    return content + hashlib.sha256(content).digest()


def test_a_certificate_that_lies_is_told_and_an_honest_one_passes():
    content = encoded(FEW, JOTTO)[0]
    total = verify_tree(content, FEW).figures.total
    for changes, said in [
        ({"total": total - 1}, f"says total {total - 1}, but the replay of all secrets counts {total}"),
        ({"total": "many"}, "total many"),
        ({"total": ...}, "total None"),
        ({"mean": 4.0}, "mean 4.0"),
        ({"mean": float("nan")}, "mean nan"),
        ({"max": 3}, "max 3"),
        ({"distribution": {"1": len(FEW)}}, "distribution"),
        ({"distribution": []}, "distribution"),
        ({"weighted_total": 5}, "weighted_total 5"),
        ({"lower_bound": total + 1}, f"no tree is below {total + 1}, but this one has {total}"),
        ({"lower_bound": float("nan")}, "no tree is below nan"),
        ({"lower_bound": "low"}, "no number"),
        ({"proven": True}, "says proven, but its bound None"),
        ({"proven": "yes"}, "whether the tree is proven"),
        ({"proven": True, "lower_bound": total - 1}, "says proven"),
        ({"proven": ...}, "whether the tree is proven"),
        ({"weighting": {}}, "weighting"),
        ({"weighting": {"10": "a lot"}}, "weighting"),
    ]:
        with pytest.raises(TreeMismatch) as caught:
            verify_tree(altered(content, **changes), FEW, BANDS)
        assert said in str(caught.value) and str(caught.value).endswith(".")
    proven = {"proven": True, "lower_bound": total}
    for changes in [{}, {"lower_bound": total - 2.5}, proven, {"command": 5}, {"objective": ...}]:
        assert verify_tree(altered(content, **changes), FEW).figures.total == total


def test_other_words_and_every_changed_byte_are_refused():
    for listed in [FEW[1:], FEW[::-1], WORDS]:
        with pytest.raises(TreeError, match="other words"):
            verify_tree(encoded(FEW, JOTTO)[0], listed)
    listed = ("ocean", "canoe", "table")
    content = encoded(listed, JOTTO)[0]
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        with pytest.raises(TreeError):
            verify_tree(bytes(changed), listed)


def test_the_replay_can_be_watched():
    seen = []
    verify_tree(encoded(FEW, JOTTO)[0], FEW, progress=lambda secrets: (seen.append(one) or one for one in secrets))
    assert tuple(seen) == FEW


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Provide a folder with a list and its tree, and no own words."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "mine.txt").write_text("".join(f"{word}\n" for word in FEW), encoding="ascii")
    (tmp_path / "mine.tree").write_bytes(file_of(plan_of(FEW, JOTTO, 1), FEW, JOTTO, "mine"))
    return tmp_path


def rehearsed(capsys, *arguments):
    code, out, err = jotto(capsys, "rehearse", "--json", *arguments)
    assert code == 0, err
    return json.loads(out), err


def test_a_rehearsal_walks_the_tree_next_to_the_list_or_a_given_one(folder, capsys):
    """Takes seconds: every word of a list, played on the simulated robot by the tree."""
    total, listed = verify_tree(encoded(FEW, JOTTO)[0], FEW).figures, ("--words", folder / "mine.txt")
    for strategy in ("belief", "tree"):
        told, err = rehearsed(capsys, "--all", *listed, "--jobs", 1, "--strategy", strategy)
        assert (told["strategy"], told["histogram"], err.strip()) == (strategy, total.distribution, "")
    told, err = rehearsed(capsys, "--sample", 1, *listed, "--strategy", "entropy")
    assert (told["strategy"], err) == ("entropy", "")
    plan = plan_of(FEW, JOTTO, 7)
    (folder / "other.tree").write_bytes(file_of(plan, FEW, JOTTO))
    told, _ = rehearsed(capsys, "--secret", FEW[3], *listed, "--tree", folder / "other.tree")
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


@pytest.mark.parametrize("content", [b"ocean\n" * 99, "half", "foreign", b"x" * 9_000_000])
def test_a_rehearsal_works_without_a_bad_tree(content, folder, capsys):
    good = (folder / "mine.tree").read_bytes()
    foreign = file_of(plan_of(FEW[1:], JOTTO, 1), FEW[1:], JOTTO)
    (folder / "mine.tree").write_bytes({"half": good[:300], "foreign": foreign}.get(content, content))
    told, err = rehearsed(capsys, "--sample", 2, "--words", folder / "mine.txt")
    assert (told["found"], told["failures"], told["strategy"]) == (2, [], "belief")
    assert err.startswith("The tree 'mine.tree' is not used: ") and err.count("\n") == 1


def test_own_words_leave_the_default_tree_in_use_and_a_list_without_a_tree_is_played_with_entropy(folder, capsys):
    (folder / "share" / "nao-jotto").mkdir(parents=True)
    (folder / "share" / "nao-jotto" / "own.txt").write_text("zesty\nvigor\n", encoding="ascii")
    told, err = rehearsed(capsys, "--sample", 2)
    assert (told["strategy"], told["found"], err) == ("belief", 2, "")
    assert rehearsed(capsys, "--secret", "vigor")[0]["found"] == 1
    (folder / "mine.tree").unlink()
    for asked, strategy in (("tree", "entropy"), ("belief", "belief")):
        told, err = rehearsed(capsys, "--sample", 2, "--words", folder / "mine.txt", "--strategy", asked)
        assert (told["strategy"], told["found"], err) == (strategy, 2, "")
    for tree_file, said in [("none.tree", "none.tree"), (".", "folder")]:
        code, _, err = jotto(capsys, "rehearse", "--sample", 1, "--tree", folder / tree_file)
        assert code == 2 and said in err


def test_a_person_is_told_and_plays_without_a_bad_tree(folder, capsys, monkeypatch):
    (folder / "mine.tree").write_bytes(b"jotto tree 7\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("ready\nno\n0 1\n"))
    code, out, _ = jotto(capsys, "play", "--seed", "4", "--words", folder / "mine.txt")
    assert code == 0 and all(part in out.replace("\n", " ") for part in ("Is it", "mine.tree", "of version '7'"))
