"""`jotto explain`: the path of a word, what each answer tells, and why each guess is asked."""

import itertools
import sys
from math import log2

import pytest
from engine_trees import file_of, plan_of
from engine_words import WORDS
from processes import process

from jotto import feedback
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, PAPER_JOTTO, WORDLE, Rules
from jotto.strategies import Entropy
from jotto.tree import list_codes, parse_tree
from jotto_desk.cli.explain import explain_guess
from jotto_desk.solver.trees import GuessValue, PathStep, TreeExplorer

FEW = WORDS[::9]


@pytest.fixture
def folder(tmp_path, cli):
    (tmp_path / "mine.txt").write_text("\n".join(FEW), encoding="ascii")
    (tmp_path / "mine.tree").write_bytes(file_of(plan_of(FEW, JOTTO, 3), FEW, JOTTO, "mine"))
    (tmp_path / "lone.txt").write_text("\n".join(WORDS[::7]), encoding="ascii")
    return tmp_path


def test_the_path_of_a_word_on_the_games_own_tree_and_in_sentences(folder, cli):
    result = cli.json("explain", "Ocean")
    steps = result["steps"]
    assert result["found"] and result["turns"] == len(steps) and result["list"] == "en"
    assert steps[0]["before"] == 2920 and steps[-1]["guess"] == "ocean" and steps[-1]["after"] == 1
    assert [step["before"] for step in steps[1:]] == [step["after"] for step in steps[:-1]]
    for step in steps[:-1]:
        assert tuple(step["answer"]) == feedback.score_places_slowly(step["guess"], "ocean")
    assert 4 < result["expected_turns"] < 5 and steps[0]["compared"] == 2920
    code, out, _ = cli("explain", FEW[5], "--words", "mine.txt")
    lines = out.splitlines()
    assert code == 0 and lines[0].startswith("1. ") and "50 words into" in lines[1]
    assert f"{FEW[5].upper()}: right" in out and "takes" in lines[-1] and "50 words take" in lines[-1]


@pytest.mark.parametrize(
    "kind, repeats, alphabet",
    [(PLACES, False, "abcdefgh"), (PLACES, True, "abcd"), (MARKS, True, "abcd"), (COMMON, True, "abcd")],
)
def test_every_path_is_a_replay_of_the_game(kind, repeats, alphabet):
    rules = Rules("any", 3, alphabet, repeats, kind)
    words = tuple(word for word in map("".join, itertools.product(alphabet, repeat=3)) if rules.allows(word))[::5]
    bound = parse_tree(file_of(plan_of(words, rules, 2), words, rules)).bound_to(words, rules)
    explorer = TreeExplorer(bound, words)
    turns = []
    for secret in words:
        steps = list(explorer.follow_secret(secret))
        fitting = list(words)
        for step in steps:
            assert step.before == len(fitting)
            groups = {}
            for word in fitting:
                mark = "won" if word == step.look.guess else rules.score(step.look.guess, word)
                groups.setdefault(mark, []).append(word)
            fitting = groups["won" if step.look.guess == secret else step.answer]
            assert (step.look.groups, step.look.largest) == (len(groups), max(map(len, groups.values())))
            assert step.told == pytest.approx(log2(step.before / step.after)) and step.after == len(fitting)
        assert steps[-1].look.guess == secret
        turns.append(len(steps))
    assert steps[0].turns == pytest.approx(sum(turns) / len(turns))


def test_bits_are_those_of_the_engine():
    index = Index(FEW, JOTTO)
    bound = parse_tree(file_of(plan_of(FEW, JOTTO, 3), FEW, JOTTO)).bound_to(FEW, JOTTO)
    explorer = TreeExplorer(bound, FEW)
    for word in FEW[::7]:
        look = explorer._every.look(word)
        assert look.bits == pytest.approx(Entropy.compute_bits(index, word, index.everything)) and look.fits
    first = next(explorer.follow_secret(FEW[0]))
    best = max(Entropy.compute_bits(index, word, index.everything) for word in FEW)
    assert (first.most.bits if first.most else first.look.bits) == pytest.approx(best)


@pytest.mark.parametrize("rules", [JOTTO, BULLS, PAPER_JOTTO, WORDLE])
def test_the_best_guess_is_that_of_comparing_all(rules):
    words = list_codes(rules)[::97] if rules is BULLS else FEW
    bound = parse_tree(file_of(plan_of(words, rules, 2), words, rules)).bound_to(words, rules)
    explorer = TreeExplorer(bound, words, [32 if number < 9 else 1 + number % 3 for number in range(len(words))])
    for secret in words[::11]:
        members, node = explorer.index.everything, 0
        while node is not None:
            found, after = explorer._step(1, node, members, secret)
            secrets = explorer._every.choose(members)
            bits = {word: secrets.measure_bits(word) for word in explorer._list_rivals(found.look.guess, members)}
            best = max(bits, key=bits.__getitem__, default=None)
            assert found.most == (secrets.look(best) if best and bits[best] > found.look.bits else None)
            limits = explorer._limits.compute(secrets) if explorer._limits else bits
            assert all(bits[word] <= limits[word] for word in bits)
            node, members = explorer.tree.find_child(node, found.answer), after


def test_common_words_weigh_more():
    bound = parse_tree(file_of(plan_of(FEW, JOTTO, 3), FEW, JOTTO)).bound_to(FEW, JOTTO)
    heavy = [100 if word == FEW[9] else 1 for word in FEW]
    path = list(TreeExplorer(bound, FEW, heavy).follow_secret(FEW[9]))
    assert path[0].told < log2(path[0].before / path[0].after) / 2
    alike = next(TreeExplorer(bound, FEW).follow_secret(FEW[9]))
    assert abs(path[0].turns - len(path)) < abs(alike.turns - len(path))


def look(guess, bits, groups, largest=3, fits=True):
    return GuessValue(guess, bits, groups, largest, fits)


def step(here, before, turn=2, **more):
    return PathStep(turn, here, (0, 1), before, 2, 1.0, 1.5, (), **more)


def test_reasons_are_plain_sentences():
    # A step, and its sentences.
    for taken, said in [
        (step(look("ocean", 0, 1), 1), "Only OCEAN fits."),
        (step(look("ocean", 1, 2), 2), "OCEAN is one of them"),
        (step(look("ocean", 2, 4), 4), "found now or with the next"),
        (step(look("ocean", 2, 4, fits=False), 4, fitting=look("canoe", 1.5, 3)), "that fit, CANOE makes 3 groups"),
        (step(look("ocean", 2, 4), 9), "No other word says more in one guess (2.00 bits)."),
        (step(look("ocean", 2, 4), 9, most=look("canoe", 2.5, 5)), "CANOE, which can be the word too, would say more"),
        (step(look("ocean", 2, 4), 9, most=look("canoe", 2.5, 5, fits=False)), "CANOE, which cannot be the word,"),
        (step(look("ocean", 2, 4, fits=False), 9, fitting=look("canoe", 1.5, 3)), "OCEAN cannot be the word; of those"),
        (step(look("ocean", 2, 4), 9, turn=1), "No other first guess that was tried does better."),
    ]:
        sentences = explain_guess(taken, proven=False)
        assert said in " ".join(sentences) and all(sentence.endswith(".") for sentence in sentences)
    assert "this is proven" in " ".join(explain_guess(step(look("ocean", 2, 4), 9, turn=1), proven=True))


def test_bad_input_is_refused_in_a_sentence(folder, cli):
    # Arguments, and the error sentence about them.
    for arguments, said in [
        (("oceans",), "exactly 5"),
        (("hello",), "'l'"),
        (("oc3an",), "'3'"),
        (("ocaen",), "near it are ocean"),
        (("ocean", "--rules", "chess"), "'chess'"),
        (("1234", "--rules", "bulls"), "jotto solve --rules bulls --out bulls.tree"),
        (("ocean", "--rules", "bulls", "--tree", "mine.tree"), "for the rules 'jotto'"),
        (("ocean", "--words", "lone.txt"), "jotto solve --words lone.txt --out lone.tree"),
        (("ocean", "--words", "none.txt"), "none.txt"),
        (("ocean", "--tree", "none.tree"), "none.tree"),
        (("ocean", "--tree", "mine.txt"), "not a tree"),
        (("ocean", "--tree", "."), "folder"),
        (("ocean", "--tree", "mine.tree", "--words", "lone.txt"), "other words"),
    ]:
        assert said in cli.refusal("explain", *arguments)


def test_other_games_bring_their_tree(folder, cli):
    rules = BULLS._replace(alphabet="012345")
    words = list_codes(rules)
    (folder / "bulls.tree").write_bytes(file_of(plan_of(words, rules, 1), words, rules, None))
    result = cli.json("explain", "0513", "--rules", "bulls", "--tree", "bulls.tree")
    assert result["list"] is None and result["steps"][-1]["guess"] == "0513"
    # Answers are written in the form of the rules.
    for rules, answer in ((WORDLE, "E"), (PAPER_JOTTO, "in common")):
        (folder / "mine.tree").write_bytes(file_of(plan_of(FEW, rules, 3), FEW, rules, "mine"))
        code, out, _ = cli("explain", FEW[8], "--words", "mine.txt")
        assert code == 0 and answer in out


def test_a_word_the_tree_does_not_find(folder, cli):
    plan = FEW[0], {}
    (folder / "mine.tree").write_bytes(file_of(plan, FEW, JOTTO, "mine"))
    code, out, _ = cli("explain", FEW[8], "--words", "mine.txt")
    assert code == 0 and f"it does not find {FEW[8].upper()}" in out
    assert cli.json("explain", FEW[8], "--words", "mine.txt")["found"] is False


def test_it_imports_little():
    heavy = ("numpy", "rich", "jotto_behaviour.mind", "jotto_desk.cli.options")
    bare = f"import sys; sys.modules.update(dict.fromkeys({heavy})); from jotto_desk.cli import main; main()"
    ended = process(sys.executable, "-c", bare, "explain", "ocean")
    assert (ended.returncode, ended.stderr) == (0, "") and "OCEAN takes 5 turns" in ended.stdout
