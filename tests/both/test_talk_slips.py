"""Playing on when an answer may be wrong: what is said, when the answers are sorted out, what is doubted."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
from talk_stage import Stage, mind_of, stored

from jotto import compat, explain
from jotto import game as games
from jotto.rules import JOTTO
from jotto.strategies import Belief
from jotto.words import BlockList, WordList, hash_blocked_word
from jotto_behaviour.mind import MIN_CLASHES, Mind

MODEST = settings(max_examples=40, deadline=None, database=None, derandomize=True)


#: NAO asks whether a guess is the word, or for its score at once.
ASKED = ("word", "both", "exact")


def playing(*scores, **more):
    """Play a game in which the player gives these scores to any guesses."""
    stage = Stage(more.pop("words", WORDS), more.pop("strategy", "belief"), **more).hear("ready")
    for exact, misplaced in scores:
        stage.score(exact, misplaced)
    return stage


def goes_on(stage, secret, wrong=()):
    """Answer rightly, but for these turns (turn -> score), until NAO asks for the word or for more than scores."""
    wrong, said = dict(wrong), []
    while stage.state in ASKED and stage.game.guess != secret:
        turn = len(stage.game.turns)
        stage.score(*wrong[turn]) if turn in wrong else stage.honestly(secret)
        said += stage.said
    return said


def off():
    """Answer blade with three in place for zebra; after blast no word fits, and NAO still asks spade."""
    return playing((3, 0), (0, 2))


def fewest_clashes(turns):
    return min(len(explain.find_clashes(word, turns, JOTTO)) for word in WORDS)


# One slip


@pytest.mark.parametrize(
    "secret, wrong, asked",
    [
        ("ocean", {0: (0, 0)}, "blade shout minor trick forge ocean"),
        ("zebra", {0: (3, 0)}, "blade blast spade water zebra"),
        ("quilt", {1: (0, 4)}, "blade organ among query quilt"),
    ],
)
def test_one_wrong_answer_is_played_through_and_named(secret, wrong, asked):
    stage = playing()
    said = goes_on(stage, secret, wrong)
    assert [turn.guess for turn in stage.game.turns] + [stage.game.guess] == asked.split()
    assert said.count("may be off") == 1 and "is this right" not in said
    stage.hear("yes")
    assert stage.said == ["wonderful", "would have said", "play again"]
    (turn,) = wrong
    assert "For %s, I'd say" % asked.split()[turn] in stage.text


def test_it_is_said_once_that_an_answer_may_be_off():
    stage = off()
    assert stage.said == ["score", "may be off", "is it"]
    assert (stage.state, stage.talk.left, stage.game.guess) == ("word", 0, "spade")
    assert stage.honestly("zebra").said == ["score", "is it"] and stage.talk.left == 0


def test_no_word_is_left_and_the_game_goes_on():
    assert off().hear("left").said == ["no word left", "is it, shortly"]


def test_an_interrupted_game_is_played_on():
    stage = Stage(WORDS, "belief", start=stored(off().talk)).hear("yes")
    assert stage.said == ["where we were", "is it, shortly"] and stage.game == off().game
    waiting = off().talk._replace(game=off().game.withdraw(), state="guess")
    stage = Stage(WORDS, "belief", start=stored(waiting)).hear("yes")
    assert stage.said == ["where we were", "is it"] and stage.game == off().game


@pytest.mark.parametrize("strategy", ["consistent", "entropy", "tree"])
def test_other_strategies_sort_out_at_once(strategy):
    stage = playing((4, 0), (0, 0), strategy=strategy)
    assert stage.said == ["score, none", "nothing fits", "is this right"] and fewest_clashes(stage.game.turns) == 1


def test_clean_games_are_those_of_the_strategy_behind():
    for seed, secret in enumerate(WORDS[::25], 1):
        transcripts = []
        for strategy in ("belief", "entropy"):
            stage = playing(strategy=strategy, seed=seed)
            goes_on(stage, secret)
            transcripts.append(stage.hear("yes", "no").transcript)
        assert transcripts[0] == transcripts[1]


# Correcting


def test_a_mistake_is_corrected_while_nao_plays_on():
    stage = off()
    assert stage.hear("mistake").said == ["look again", "is this right"] and stage.talk.subject == "blast"
    assert stage.hear("yes").said == ["is this right"] and stage.talk.subject == "blade"
    stage.hear("no", "0", "3")
    assert stage.said == ["corrected", "is it"] and stage.talk.left > 0
    assert "may be off" not in goes_on(stage, "zebra")
    assert stage.hear("yes").said == ["wonderful", "play again"]


def test_back_from_looking_again_goes_to_the_question():
    stage = off().hear("mistake", "back")
    assert stage.said == ["back", "is it, shortly"] and stage.game == off().game


def test_when_all_answers_are_said_to_be_right_the_word_is_asked_for():
    stage = off().hear("mistake", "yes", "yes")
    assert stage.said == ["not in my list", "tell me"]


# Sorting out


@pytest.mark.parametrize(
    "secret, wrong",
    [
        ("dwarf", {0: (0, 3), 1: (1, 1)}),
        ("ocean", {0: (2, 0), 1: (2, 1), 2: (0, 1)}),
        ("light", {0: (1, 0), 1: (0, 1)}),
    ],
)
def test_the_answers_are_sorted_out_once_two_speak_against_every_word(secret, wrong):
    stage = playing()
    said = goes_on(stage, secret, wrong)
    assert stage.state == "doubtful" and said[-3:] == ["score", "nothing fits", "is this right"]
    assert fewest_clashes(stage.game.turns) == MIN_CLASHES and fewest_clashes(stage.game.turns[:-1]) < MIN_CLASHES


@pytest.mark.parametrize(
    "exact, misplaced, said",
    [(0, 2, ["corrected", "may be off", "is it"]), (3, 1, ["corrected", "still nothing fits", "is this right"])],
)
def test_one_answer_put_right_may_be_enough_to_play_on(exact, misplaced, said):
    stage = playing()
    goes_on(stage, "dwarf", {0: (0, 3), 1: (1, 1)})
    while stage.talk.subject != "later":
        stage.hear("yes")
    stage.hear("no", str(exact), str(misplaced))
    assert stage.said == said and stage.talk.left == 0


def test_a_word_nao_does_not_know_is_asked_for_after_all():
    stage = playing(words=tuple(word for word in WORDS if word != "quilt"))
    goes_on(stage, "quilt")
    while stage.state == "doubtful":
        stage.hear("yes")
    assert stage.said == ["not in my list", "tell me"]
    assert stage.hear("yes").spell("quilt").hear("yes").said == ["fits but unknown", "learned", "play again"]


@MODEST
@given(st.integers(1, 10**6), st.sampled_from(WORDS), st.integers(5, 40))
def test_with_wrong_answers_every_word_is_found(seed, secret, percent):
    """The player counts wrongly now and then, and rightly when asked again."""
    stage = playing(seed=seed)
    while stage.state == "doubtful" or (stage.state in ASKED and stage.game.guess != secret):
        beat = stage.talk.beat
        if stage.state == "doubtful":
            right = JOTTO.score(stage.talk.subject, secret)
            noted = stage.game.turns[stage.talk.fixing].feedback
            stage.hear("yes") if noted == right else stage.hear("no").score(*right)
        elif compat.draw_number(100, seed, "wrong?", beat) < percent:
            others = [answer for answer in JOTTO.possible() if answer != JOTTO.win]
            stage.score(*compat.draw_item(others, seed, "wrong", beat))
        else:
            stage.honestly(secret)
    assert stage.game.guess == secret
    asked = [turn.guess for turn in stage.game.turns]
    assert secret not in asked and len(set(asked)) == len(asked)


# What is believed


def test_yes_to_a_word_that_may_well_be_it_is_believed():
    stage = off()
    assert stage.mind.clashes("spade", stage.game)
    assert stage.hear("yes").said == ["wonderful", "would have said", "play again"]
    assert off().hear("no", "5", "yes").said == ["five in place", "wonderful", "would have said", "play again"]


@pytest.mark.parametrize("yes", [("my word",), ("5",), ("back", "yes"), ("back", "no", "5")])
def test_yes_to_a_word_that_hardly_can_be_it_is_asked_back_and_the_number_of_slips_told(yes):
    stage = playing((1, 0), (1, 2), (0, 2), seed=40)
    assert stage.said[-2:] == ["trial", "in place"]
    assert stage.game.guess == "faith" and len(stage.mind.clashes("faith", stage.game)) == 2
    assert stage.hear(*yes).said == ["did you say"]
    stage.hear("yes")
    assert stage.said[-3:] == ["wonderful", "several would differ", "play again"]
    assert "counted two of your answers differently" in stage.text


def mind(words=WORDS, blocked=None, rate=0.05):
    return Mind(WordList("test", tuple(words), (None,) * len(words)), Belief(rate=rate), blocked)


def game_of(*turns):
    game = games.start_game(JOTTO, "test", "", 1)
    for guess, feedback in turns:
        game = game.ask(guess).answer(feedback)
    return game


#: No word fits; each of these does but for one answer.
NOTHING_FITS = game_of(("ocean", (0, 1)), ("built", (0, 1)), ("frame", (1, 0)), ("dusty", (1, 1)))
NEARLY = ["group", "guide", "judge", "proud"]


def test_doubts():
    clean = game_of(("ocean", (0, 0)))
    assert not mind().doubts(clean), "nothing is asked"
    assert not mind().doubts(clean.ask("fruit")) and mind().doubts(clean.ask("canoe"))
    # Where nothing fits, one answer against a word is not unusual.
    assert [word for word in WORDS if not mind().doubts(NOTHING_FITS.ask(word))] == NEARLY


def test_what_fits_alone_is_certain_while_the_answers_are_believed():
    game = game_of(("ocean", (1, 2)), ("built", (1, 1)))
    assert mind().left(game) == 1 and mind().is_certain(game)
    assert not mind(rate=0.3).is_certain(game), "so many answers are wrong that one of the others is likelier"
    assert not mind().is_certain(game_of(("ocean", (1, 2)))), "several fit"
    assert not mind().is_certain(NOTHING_FITS)


def test_words_never_said_keep_no_game_going():
    assert not mind().is_lost(NOTHING_FITS) and mind().next_guess(NOTHING_FITS) is not None
    rude = mind(blocked=BlockList(frozenset(map(hash_blocked_word, NEARLY))))
    assert rude.is_lost(NOTHING_FITS) and rude.next_guess(NOTHING_FITS) is None


def test_lost_when_every_word_was_asked():
    known = mind(("ocean", "built"))
    game = game_of(("ocean", (0, 0)), ("built", (0, 0)))
    assert known.is_lost(game) and known.next_guess(game) is None
    assert not known.is_lost(game_of(("ocean", (2, 0)))) and known.next_guess(game_of(("ocean", (2, 0)))) == "built"
    assert mind_of(("ocean", "built")).is_lost(game_of(("ocean", (2, 0)))), "consistent does not play on"
