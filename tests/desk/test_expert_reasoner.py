"""The knowledge of Mastermind: the published funnels step by step, compared with brute force."""

import contextlib
import itertools
import random

import pytest

from jotto import feedback
from jotto.rules import Rules
from jotto_desk.expert import datalog, reasoning
from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store
from jotto_desk.expert.reasoning import KnowledgeCandidates, Reasoner, make_setup

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"


def board(holes, colours, repeats=True):
    return Rules("mastermind", holes, SYMBOLS[:colours], repeats, "places")


def pegs(letters):
    return letters.count("b"), letters.count("w")


def read(game):
    return [(guess, pegs(answer)) for guess, answer in (turn.split() for turn in game.split(", "))]


def codes(rules):
    repeats = itertools.product(rules.alphabet, repeat=rules.length)
    ways = repeats if rules.repeats else itertools.permutations(rules.alphabet, rules.length)
    return ["".join(code) for code in ways]


def exactly(turns, every):
    """List what fits by the exact rule, with a plain loop."""
    score = feedback.score_places_slowly
    return [code for code in every if all(score(guess, code) == answer for guess, answer in turns)]


def classically(turns, every):
    """List what fits by the classic reading: the blacks agree, and there are holes enough for the whites."""

    def fits(code, guess, answer):
        blacks = sum(one == other for one, other in zip(guess, code))
        elsewhere = sum(one != other and one in code for one, other in zip(guess, code))
        return blacks == answer[0] and elsewhere >= answer[1]

    return [code for code in every if all(fits(code, *turn) for turn in turns)]


BY_HAND = {datalog.EXACT_READING: exactly, datalog.CLASSIC_READING: classically}


FIRST = "0001 b, 0555 w, 5421 bw, 3020 bbb, 3023 bbb"
SECOND = "0011 b, 1431 bw, 1312 ww, 2521 bw, 5241 bbb, 4241 bbbb"


# The turns of a published game, how to read their answers, the codes left after each turn, and the last code.
@pytest.mark.parametrize(
    "game, reading, funnel, last",
    [
        (FIRST, "classic", [1296, 500, 176, 40, 3, 1], "3024"),
        (FIRST, "exact", [1296, 317, 70, 10, 1, 1], "3024"),
        (SECOND, "classic", [1296, 500, 144, 55, 16, 5, 1], "4241"),
        (SECOND, "exact", [1296, 256, 42, 11, 1, 1, 1], "4241"),
    ],
)
def test_the_published_funnels_step_by_step(game, reading, funnel, last):
    every, turns, numbers = codes(board(4, 6)), read(game), []
    reasoner = Reasoner(board(4, 6), reading)
    assert len(reasoner.find_fitting([]).codes) == funnel[0]
    for step, turn in enumerate(turns, start=1):
        numbers.append(reasoner.turn(*turn))
        found = reasoner.find_fitting(numbers)
        assert (len(found.codes), found.is_all) == (funnel[step], True)
        assert list(found.codes) == BY_HAND[reading](turns[:step], every)
        # The turns that speak against a code.
        for code in random.Random(step).sample(every, 6):
            against = [number for number, turn in zip(numbers, turns) if not BY_HAND[reading]([turn], [code])]
            assert reasoner.find_clashing(code, numbers) == against
    assert found.codes == (last,)


def test_positions_of_all_1296_secrets_by_the_exact_reading():
    """Every secret by the same player: in every 40th position, the knowledge leaves what brute force leaves."""
    thinker, every = KnowledgeCandidates(make_setup("exact")), codes(board(4, 6))
    secrets, positions = [], 0

    def play(turns, left):
        nonlocal positions
        positions += 1
        guess, parts = left[len(left) // 2], {}
        for code in left:
            parts.setdefault(feedback.score_places_slowly(guess, code), []).append(code)
        for answer in sorted(parts):
            after = [*turns, (guess, answer)]
            if positions % 40 == 0:
                assert list(thinker.find_fitting(after).codes) == parts[answer]
            if answer == (4, 0):
                secrets.append(guess)
            else:
                play(after, parts[answer])

    play([], every)
    assert sorted(secrets) == every and positions == 1296


@pytest.mark.parametrize("reading", BY_HAND)
@pytest.mark.parametrize(
    "holes, colours, repeats, games",
    [(5, 6, True, 1), (4, 8, False, 1), (3, 4, True, 4), (4, 4, False, 3), (1, 2, True, 4), (6, 3, True, 2)],
)
def test_samples_of_other_boards(holes, colours, repeats, games, reading):
    rules, dice = board(holes, colours, repeats), random.Random(f"{holes}/{colours}/{reading}")
    every, reasoner = codes(rules), Reasoner(rules, reading)
    for _ in range(games):
        secret, numbers, left = dice.choice(every), [], every
        for _ in range(4):
            guess = dice.choice(every if dice.random() < 0.5 else left)
            turn = (guess, tuple(feedback.score_places_slowly(guess, secret)))
            numbers.append(reasoner.turn(*turn))
            left = BY_HAND[reading]([turn], left)
            found = reasoner.find_fitting(numbers)
            assert (list(found.codes), found.is_all) == (left, True) and secret in left


def test_impossible_answers_leave_no_code():
    rules = board(3, 3)
    every, reasoner = codes(rules), Reasoner(rules)
    for guess, blacks, whites in itertools.product(["001", "012", "111"], range(4), range(4)):
        if blacks + whites <= 3:
            found = reasoner.find_fitting([reasoner.turn(guess, (blacks, whites))])
            assert list(found.codes) == exactly([(guess, (blacks, whites))], every)


def test_a_very_large_board_gives_its_first_codes_or_those_found_in_time():
    rules, reasoner = board(8, 10), Reasoner(board(8, 10))
    turns = [(guess, tuple(feedback.score_places_slowly(guess, "31415926"))) for guess in ("00112233", "44556677")]
    found = reasoner.find_fitting([reasoner.turn(*turn) for turn in turns], most=500)
    assert (len(found.codes), found.is_all) == (500, False)
    assert exactly(turns, found.codes) == list(found.codes) and all(map(rules.allows, found.codes))
    turn = reasoner.turn("00112233", (1, 1))
    assert not reasoner.find_fitting([turn], most=10_000_000, seconds=0.05).is_all
    # The next search is complete.
    assert reasoner.find_fitting([reasoner.turn("0" * 8, (8, 0))]) == (("00000000",), True)


def test_a_turn_counts_only_while_it_is_asked_about():
    reasoner, every = Reasoner(board(4, 6)), codes(board(4, 6))
    turns = read(FIRST)
    numbers = [reasoner.turn(*turn) for turn in turns]
    for chosen in itertools.chain.from_iterable(itertools.combinations(range(5), count) for count in (4, 2, 0, 1, 3)):
        found = reasoner.find_fitting([numbers[one] for one in chosen])
        assert list(found.codes) == exactly([turns[one] for one in chosen], every)
    assert [reasoner.turn(*turn) for turn in turns] == numbers and reasoner.turns_told == 5


def test_the_smallest_clash_is_the_smallest():
    dice, every = random.Random(21), codes(board(3, 4))
    reasoner, sizes = Reasoner(board(3, 4)), set()
    for game in range(12):
        secret = dice.choice(every)
        turns = [(guess, tuple(feedback.score_places_slowly(guess, secret))) for guess in dice.sample(every, 6)]
        for place in dice.sample(range(6), game % 3):
            turns[place] = turns[place][0], dice.choice([(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (0, 3)])
        numbers = [reasoner.turn(*turn) for turn in turns]

        def agree(places, numbers=numbers):
            fits, core = reasoner.agree([numbers[place] for place in places])
            return fits, {numbers.index(number) for number in core}

        found, proven = reasoning.find_smallest_conflict(6, agree)
        fits = [set(exactly([turn], every)) for turn in turns]
        some = itertools.chain.from_iterable(itertools.combinations(range(6), count) for count in range(1, 7))
        clashing = [few for few in some if not set.intersection(*(fits[place] for place in few))]
        assert proven and (tuple(found) in clashing if clashing else not found)
        assert len(found) == min(map(len, clashing), default=0)
        sizes.add(len(found))
    assert {0, 1, 2, 3} <= sizes


def test_a_clash_too_hard_to_prove_smallest_has_no_turn_to_spare(monkeypatch):
    monkeypatch.setattr(reasoning, "MAX_QUESTIONS", 3)

    def agree(places):
        wrong = {1, 4, 7} <= set(places)
        return not wrong, set(places) if wrong else set()

    assert reasoning.find_smallest_conflict(9, agree) == ([1, 4, 7], False)


def test_every_rule_about_a_turn_names_the_turn():
    parts = datalog.load_knowledge()
    assert parts.board and parts.turn and parts.summary
    about = datalog.TOLD_PREDICATES | {clause.head.predicate for clause in parts.turn}
    for clause in parts.turn:
        for held in clause.body:
            if isinstance(held, datalog.Literal) and held.atom.predicate in about:
                assert any(term.text == datalog.TURN_VARIABLE for term in held.atom.terms), clause.head
    assert {clause.head.name for clause in parts.summary} == {"wrong", "fits"}


def test_the_knowledge_as_plain_datalog_says_the_same():
    """Every code as facts, in one base, as a client would post them."""
    with contextlib.closing(Evaluator()) as evaluator:
        for reading, repeats in (("exact", True), ("classic", True), ("exact", False)):
            rules, turns = board(3, 4, repeats), [("012", (1, 1)), ("130", (0, 2))]
            facts = [*datalog.list_board_facts(rules, reading)]
            for number, (guess, answer) in enumerate(turns):
                facts += datalog.turn_facts(f"t{number}", guess, *answer)
            for code in codes(board(3, 4)):
                facts.append(("code", (f"c{code}",)))
                facts += [("peg", (f"c{code}", f"h{place}", symbol)) for place, symbol in enumerate(code, start=1)]
            base = KnowledgeBase(evaluator, Store())
            base.append(datalog.load_knowledge_text())
            base.append("\n".join(name + (f"({', '.join(terms)})" if terms else "") + "." for name, terms in facts))
            found = [answer[len("fits(c") : -1] for answer in base.ask("fits(Code)?")]
            assert found == BY_HAND[reading](turns, codes(rules))
            assert base.ask("total(c013, t0, black, N)") == ["total(c013, t0, black, 2)"]
