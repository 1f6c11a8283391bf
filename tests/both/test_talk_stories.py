"""Stories: what people say to NAO, and the result."""

from __future__ import absolute_import, division, print_function, unicode_literals

import pytest
from engine_words import WORDS
from talk_stage import LINES, Stage, heard, stored

from jotto import game
from jotto.rules import JOTTO
from jotto.words import BlockList, hash_blocked_word
from jotto_behaviour import conversation, hearing
from jotto_behaviour.states import COMMANDS, STATES

FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")
RUDE = BlockList(frozenset([hash_blocked_word("bread"), hash_blocked_word("dwarf")]))


def new_game():
    """Start a game; NAO asks for mouse first."""
    return Stage(FEW)


def second_guess():
    """Answer mouse with nothing; NAO asks for train."""
    return new_game().hear("ready").score(0, 0)


def contradiction():
    """Answer mouse with nothing and train with four: no word fits, and NAO reads the score of train."""
    return second_guess().score(4, 0)


def riddle():
    """Let NAO think of a word; the player has tried light."""
    return new_game().hear("I guess", "=light")


def race():
    """Start a race; the player has tried light, and NAO asks for mouse."""
    return new_game().hear("race", "ready", "=light")


def unknown():
    """Confirm both answers as right: the word cannot be known."""
    return contradiction().hear("yes", "yes")


MOMENTS = {
    "unfinished": lambda: Stage(FEW, start=second_guess().talk),
    "role": new_game,
    "ready": lambda: new_game().hear("you guess"),
    "ready, race": lambda: new_game().hear("race"),
    "your guess": lambda: new_game().hear("I guess"),
    "your guess, hinted": lambda: new_game().hear("I guess", "hint"),
    "your guess, later": riddle,
    "your guess, spelling": lambda: riddle().hear("c", "l"),
    "your guess, race": lambda: new_game().hear("race", "ready"),
    "your guess, race later": lambda: race().score(0, 0),
    "your word?": lambda: riddle().spell("cloud"),
    "word, race": race,
    "word, race later": lambda: race().score(0, 0).hear("=canoe"),
    "both, race": lambda: race().hear("no"),
    "again, found": lambda: riddle().hear("=" + riddle().talk.riddle.secret),
    "again, told": lambda: riddle().hear("give up", "yes"),
    "again, race won": lambda: race().hear("yes"),
    "again, race lost": lambda: race().score(0, 0).hear("=" + race().talk.riddle.secret),
    "word": lambda: new_game().hear("ready"),
    "word, later": second_guess,
    "both": lambda: new_game().hear("ready", "no"),
    "both, later": lambda: second_guess().hear("no"),
    "both, in one breath": (
        lambda: new_game().hear("ready").in_one_breath(0, 0).in_one_breath(*JOTTO.score("train", "light")).hear("no")
    ),
    "exact": lambda: new_game().hear("ready", "no", "1", "back"),
    "exact, later": lambda: second_guess().hear("no", "1", "back"),
    "misplaced": lambda: new_game().hear("ready", "no", "1"),
    "doubtful": contradiction,
    "doubtful, later": lambda: contradiction().hear("yes"),
    "doubtful, looking again": lambda: second_guess().hear("mistake"),
    "both, fixing": lambda: contradiction().hear("no"),
    "exact, fixing": lambda: contradiction().hear("no", "1", "back"),
    "misplaced, fixing": lambda: contradiction().hear("no", "1"),
    "tell": unknown,
    "tell, given up": lambda: new_game().hear("ready", "give up", "yes"),
    "spell": lambda: unknown().hear("yes"),
    "spell, later": lambda: unknown().hear("yes", "c", "l"),
    "spelled": lambda: unknown().hear("yes").spell("cloud"),
    "again, won": lambda: second_guess().hear("yes"),
    "again, lost": lambda: unknown().hear("no"),
    "stopping": lambda: second_guess().hear("stop"),
    "giving up": lambda: second_guess().hear("give up"),
    "paused": lambda: second_guess().quiet(3),
}
ALL = sorted(MOMENTS)
BETWEEN = ["giving up", "paused", "stopping"]
IN_FLOW = [moment for moment in ALL if moment not in BETWEEN]
#: Moments with a game in progress.
IN_PLAY = [moment for moment in IN_FLOW if conversation.has_unfinished_game(MOMENTS[moment]().talk)]


def confirmed_in(moment):
    """List the answers of a moment that NAO confirms if it is unsure of them."""
    return sorted(conversation.CONFIRMED_MEANINGS.intersection(MOMENTS[moment]().talk.place.moves))


#: The effect of each command: the state, and the lines said.
BACK = {
    "unfinished": ("unfinished", "nothing to take back; go on with our game, shortly"),
    "role": ("role", "nothing to take back; who guesses, shortly"),
    "ready": ("role", "back; who guesses"),
    "ready, race": ("role", "back; who guesses"),
    "your guess": ("role", "back; who guesses"),
    "your guess, hinted": ("your guess", "nothing to take back; your guess, shortly"),
    "your guess, later": ("your guess", "guess taken back; your guess, shortly"),
    "your guess, spelling": ("your guess", "spell, back"),
    "your guess, race": ("role", "back; who guesses"),
    "your guess, race later": ("both", "back to; both numbers"),
    "your word?": ("your guess", "spell, back"),
    "word, race": ("your guess", "guess taken back; your guess, shortly"),
    "word, race later": ("your guess", "guess taken back; your guess, shortly"),
    "both, race": ("word", "back; is it, shortly"),
    "again, found": ("again", "it is over; play again, shortly"),
    "again, told": ("again", "it is over; play again, shortly"),
    "again, race won": ("word", "not your word; is it"),
    "again, race lost": ("again", "it is over; play again, shortly"),
    "word": ("word", "nothing to take back; is it, shortly"),
    "word, later": ("both", "back to; both numbers"),
    "both": ("word", "back; is it, shortly"),
    "both, later": ("word", "back; is it, shortly"),
    "both, in one breath": ("word", "back; is it, shortly"),
    "exact": ("word", "back; is it, shortly"),
    "exact, later": ("word", "back; is it, shortly"),
    "misplaced": ("exact", "back; in place"),
    "doubtful": ("both", "back to; both numbers"),
    "doubtful, later": ("doubtful", "back; is this right"),
    "doubtful, looking again": ("word", "back; is it, shortly"),
    "both, fixing": ("doubtful", "back; is this right"),
    "exact, fixing": ("doubtful", "back; is this right"),
    "misplaced, fixing": ("exact", "back; in place"),
    "tell": ("doubtful", "go on; nothing fits; is this right"),
    "tell, given up": ("word", "go on; is it, first"),
    "spell": ("tell", "back; tell me"),
    "spell, later": ("spell", "spell, back"),
    "spelled": ("spell", "spell, back"),
    "again, won": ("word", "not your word; is it"),
    "again, lost": ("again", "it is over; play again, shortly"),
    "stopping": ("word", "go on; is it, shortly"),
    "giving up": ("word", "go on; is it, shortly"),
    "paused": ("word", "go on; is it, shortly"),
}
#: The same as going back, except here.
MISTAKE = dict(BACK)
MISTAKE.update(
    {
        "role": ("role", "nothing to take back; who guesses, shortly"),
        "word, race": ("word", "nothing to take back; is it, shortly"),
        "word, race later": ("doubtful", "look again; is this right"),
        "both, race": ("both", "count again; both numbers, shortly"),
        "word, later": ("doubtful", "look again; is this right"),
        "both": ("both", "count again; both numbers, shortly"),
        "both, later": ("doubtful", "look again; is this right"),
        "both, in one breath": ("doubtful", "look again; is this right"),
        "exact": ("exact", "count again; in place, shortly"),
        "exact, later": ("doubtful", "look again; is this right"),
        "misplaced": ("both", "count again; both numbers"),
        "misplaced, fixing": ("exact", "count again; in place"),
        "both, fixing": ("both", "count again; both numbers, shortly"),
        "exact, fixing": ("exact", "count again; in place, shortly"),
        "doubtful": ("both", "count again; both numbers"),
        "doubtful, later": ("both", "count again; both numbers"),
        "doubtful, looking again": ("both", "count again; both numbers"),
        "tell": ("doubtful", "go on; nothing fits; is this right"),
        "paused": ("doubtful", "look again; is this right"),
    }
)
PLAYING = ("word", "both", "exact", "misplaced", "doubtful", "your guess", "your word?")
#: Nothing has been played yet, or all is over.
NOT_BEGUN = ("role", "ready", "ready, race", "your guess", "your guess, race")
#: Nothing to continue.
DONE = NOT_BEGUN + ("tell, given up",) + tuple(moment for moment in ALL if moment.startswith("again"))


def question(stage):
    """Return the short form of the question that is open."""
    spelling = stage.state == "your guess" and stage.talk.spelled
    return "spell on" if spelling else stage.talk.place.question + ", shortly"


def question_said(stage):
    """Return the line that NAO said last, in words."""
    return LINES.speak(stage.talk.last[-1], stage.game.seed, stage.talk.variety).text


def after(moment, *meanings):
    stage = MOMENTS[moment]().hear(*meanings)
    return stage.state, "; ".join(stage.said)


@pytest.mark.parametrize("moment", ALL)
def test_moments_are_what_they_are_called(moment):
    assert MOMENTS[moment]().state == moment.partition(",")[0]


@pytest.mark.parametrize("moment", ALL)
def test_going_back(moment):
    assert after(moment, "back") == BACK[moment]


@pytest.mark.parametrize("moment", ALL)
def test_i_made_a_mistake(moment):
    assert after(moment, "mistake") == MISTAKE[moment]


@pytest.mark.parametrize("moment", ALL)
def test_giving_up_is_confirmed_where_there_is_a_game(moment):
    state, said = after(moment, "give up")
    if moment == "giving up":
        assert (state, said) == ("tell", "given up; tell me")
    elif moment.startswith(PLAYING) or moment in ("stopping", "paused"):
        assert (state, said) == ("giving up", "give up")
    elif moment.startswith(("tell", "spell")):
        assert (state, said) == ("again", "leave it; play again")
    else:
        refusal = {"again": "it is over; ", "unfinished": "leave that game; "}.get(state, "nothing to give up; ")
        assert state == moment.partition(",")[0] and said.startswith(refusal)


@pytest.mark.parametrize("command", ["back", "mistake", "give up", "wait", "left"])
@pytest.mark.parametrize("moment", ALL)
def test_what_changes_nothing_is_not_answered_in_the_same_words_for_ever(moment, command):
    stage, texts = MOMENTS[moment](), []
    before = stage.state
    while stage.hear(command).state == before and len(texts) < 9:
        texts.append(stage.text)
    assert len(texts) < 9 or len(set(texts)) > 1


@pytest.mark.parametrize("moment", ALL)
def test_stop_is_confirmed_once(moment):
    wanted = ("gone", "goodbye, saved") if moment in ("stopping", "paused") else ("stopping", "stop")
    assert after(moment, "stop") == (wanted if moment in IN_PLAY + BETWEEN else ("gone", "goodbye"))


@pytest.mark.parametrize("moment", IN_PLAY)
@pytest.mark.parametrize("answer", ["no", "go on"])
def test_not_to_stop_after_all(moment, answer):
    before = MOMENTS[moment]()
    stage = MOMENTS[moment]().hear("stop", answer)
    assert stage.said == ["go on", question(before)]
    assert stage.talk._replace(beat=0, last=()) == before.talk._replace(beat=0, last=())


@pytest.mark.parametrize("moment", IN_FLOW)
def test_an_unsure_stop_is_asked_about_only_in_a_game(moment):
    stage = MOMENTS[moment]().unsure("stop")
    assert (stage.said == ["stop"]) == (moment in IN_PLAY)
    assert stage.state == "stopping" or stage.said[0] == "sorry"


@pytest.mark.parametrize("moment", IN_FLOW)
def test_an_unsure_command_is_never_confirmed_and_believed_the_second_time(moment):
    stage = MOMENTS[moment]()
    before = stage.state
    assert stage.unsure("score").said[0] == "sorry" and stage.state in (before, "exact") and stage.talk.doubt is None
    assert stage.unsure("left").said[0] == "sorry again"
    assert "sorry" not in stage.unsure("left").said[0] and stage.talk.misses == 0


@pytest.mark.parametrize("moment", ALL)
def test_help_explains_and_asks_again(moment):
    stage = MOMENTS[moment]()
    more = "check, ready; " if stage.state == "ready" else ""
    wanted = "help, %s; %s%s" % (stage.state, more, question(stage))
    if moment in ("stopping", "giving up", "paused"):
        wanted = stage.talk.place.question + ", example"
    assert after(moment, "help") == (stage.state, wanted)


@pytest.mark.parametrize("moment", [moment for moment in ALL if moment not in ("spell, later", "your guess, spelling")])
def test_repeat_says_the_same_again_and_again(moment):
    stage = MOMENTS[moment]()
    said, text = stage.said, stage.text
    for _ in range(2):
        stage.hear("repeat")
        # A guess that was not understood is spelled slowly too.
        slowly = ["slowly"] if stage.state == "word" else []
        assert stage.said == said + slowly and stage.text.startswith(text)


@pytest.mark.parametrize("moment", ALL)
def test_repeat_after_take_your_time_asks_the_question(moment):
    stage = MOMENTS[moment]().hear("wait")
    assert stage.said == ["take your time"]
    stage.hear("repeat")
    assert stage.said[:1] in ([question(stage)], [stage.talk.place.question])


@pytest.mark.parametrize("moment", [each for each in IN_FLOW if not each.startswith("ready")])
def test_go_on_after_take_your_time_asks_the_question(moment):
    """Elsewhere it is an answer: where NAO waits for a word, or asks whether to stop."""
    before = MOMENTS[moment]().hear("wait")
    stage = MOMENTS[moment]().hear("wait", "go on")
    assert stage.said == [question(stage)] and stage.state == before.state
    assert stage.game == before.game and "go on" not in conversation.list_awaited_meanings(stage.talk)


@pytest.mark.parametrize("moment", ALL)
@pytest.mark.parametrize("command", ["score", "left"])
def test_questions_about_the_game_change_nothing(moment, command):
    before = MOMENTS[moment]()
    stage = MOMENTS[moment]().hear(command)
    assert stage.state == before.state and stage.game == before.game
    assert stage.talk.riddle == before.talk.riddle
    assert stage.said[1].startswith((before.talk.place.question, "spell on"))
    if command == "score" and stage.talk.is_about_riddle:
        assert stage.said[0] == ("your guesses" if stage.talk.played.turns else "no guess yet")
    elif command == "score":
        assert stage.said[0] == ("scores" if stage.game.turns else "no score yet")


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.parametrize("moment", [moment for moment in ALL if confirmed_in(moment)])
def test_a_command_in_a_doubt_settles_it(moment, command):
    """Only help, repeat and wait keep the doubt: NAO asks once more whether it heard right."""
    stage = MOMENTS[moment]()
    own = confirmed_in(moment)[0]
    stage.unsure(own)
    assert stage.talk.doubt[0] == own and stage.said == ["did you say"]
    stage.hear(command)
    if command in conversation.DOUBT_KEEPING_MEANINGS:
        assert stage.talk.doubt[0] == own and stage.said == ["did you say, example"]
    else:
        assert stage.talk.doubt is None


# Games without trouble


@pytest.mark.parametrize("strategy", ["consistent", "entropy"])
@pytest.mark.parametrize("secret", WORDS[::23])
def test_an_honest_player_is_understood_to_the_end(secret, strategy):
    stage = Stage(strategy=strategy).hear("ready")
    for _ in range(15):
        if stage.game.guess == secret:
            break
        stage.honestly(secret)
    stage.hear("yes")
    assert stage.said[0] == "wonderful" and "%d guesses" % stage.game.attempts in stage.text
    assert stage.noted == []
    stage.hear("no")
    assert stage.state == "gone" and stage.said == ["goodbye"]
    assert [(kind, game.guess) for kind, game in stage.noted] == [("finished", secret)]


def test_the_first_guess_may_be_the_word():
    assert new_game().hear("ready", "yes").said == ["wonderful, at once", "play again"]


def test_five_in_place_is_the_word_despite_earlier_answers():
    stage = second_guess().hear("no", "5")
    assert (stage.state, stage.said) == ("both", ["did you say"]), "the player has just said that it is not the word"
    stage.hear("yes")
    assert stage.said == ["five in place", "wonderful", "play again"]
    assert "train" in stage.text and stage.game.outcome == game.SOLVED and stage.game.attempts == 2


@pytest.mark.parametrize(
    "answers, key",
    [
        (["no", "4 1"], "four and one"),
        (["no", "4 2"], "too many"),
        (["no", "3 3"], "too many"),
        (["no", "3", "3"], "too many"),
        (["no", "1", "5"], "too many"),
    ],
)
def test_what_cannot_be_is_refused_kindly(answers, key):
    stage = second_guess().hear(*answers)
    assert (stage.state, stage.said) == ("exact", [key, "in place"])
    assert len(stage.game.turns) == 1 and stage.talk.exact is None


@pytest.mark.parametrize("pair", ["1 5", "4 1", "3 3"])
def test_what_cannot_be_is_misheard_if_it_answers_yes_or_no_or_was_unclear(pair):
    stage = second_guess().hear(pair)
    assert (stage.state, stage.said) == ("word", ["sorry", "is it, shortly"])
    stage = second_guess().hear("no").unsure(pair)
    assert stage.said[0] == "sorry" and stage.talk.doubt is None and len(stage.game.turns) == 1


@pytest.mark.parametrize("exact, misplaced", [(0, 5), (3, 2), (4, 0), (0, 0)])
def test_what_can_be_is_noted(exact, misplaced):
    stage = second_guess().score(exact, misplaced)
    assert stage.game.turns[1] == ("train", (exact, misplaced)) and stage.said[0] in ("score", "score, none")


def test_playing_again_takes_another_seed_and_notes_the_game():
    stage = second_guess().hear("yes", "yes")
    assert stage.said == ["new word"] and stage.state == "ready"
    assert stage.game == game.start_game(JOTTO, "test", stage.mind.wordlist.checksum, 2)
    assert [kind for kind, _ in stage.noted] == ["finished"]
    assert stage.hear("ready").game.guess is not None


def test_the_seed_never_grows_too_large_to_be_saved():
    stage = Stage(FEW, seed=2**63 - 1).hear("ready", "yes", "yes")
    assert stage.game.seed == 0 and stored(stage.talk) == stage.talk


def test_not_ready_yet():
    stage = new_game().hear("you guess", "no")
    assert (stage.state, stage.said) == ("ready", ["take your time"])
    assert stage.hear("yes").state == "word"


def test_the_last_word_is_announced():
    stage = second_guess().hear("left")
    assert "3 words" in stage.text
    stage = Stage(FEW[:2], seed=2).hear("ready", "no", "0", "5")
    assert stage.said == ["score", "is it, last"]
    assert stage.hear("left").said == ["one word left", "is it, shortly"]


# Winning falsely


@pytest.mark.parametrize("command", ["back", "mistake"])
@pytest.mark.parametrize("answers", [("yes",), ("no", "5", "yes"), ("no", "my word", "yes")])
def test_a_false_win_is_taken_back_without_losing_a_turn(command, answers):
    before = second_guess()
    stage = second_guess().hear(*answers).hear(command)
    assert (stage.state, stage.said[0]) == ("word", "not your word")
    assert stage.game == before.game
    assert stage.score(0, 2).game.turns[-1].guess == "train"
    assert stage.noted == []


def test_five_in_place_found_while_sorting_out():
    """Train was read and right; mouse had five all along."""
    stage = contradiction().hear("yes", "no", "5", "yes")
    assert stage.said == ["five in place", "wonderful, at once", "play again"]
    assert stage.game.guess == "mouse" and stage.game.turns == () and stage.talk.cleared == ()
    assert stage.hear("back").game.guess == "mouse"


# Sorting out


def test_one_slip_is_found_and_corrected():
    """For train the player said four and meant none."""
    stage = contradiction()
    assert stage.said == ["score", "nothing fits", "is this right"]
    assert "train" in stage.text.split("wrong.")[-1]
    stage.hear("no", "0", "2")
    assert stage.said[0] == "corrected" and stage.state == "word"
    assert [tuple(turn.feedback) for turn in stage.game.turns] == [(0, 0), (0, 2)]
    assert stage.talk.fixing is None and stage.talk.cleared == ()


def test_two_slips_are_found_one_after_the_other():
    """The word is table: both answers were wrong."""
    stage = contradiction().hear("no", "1", "1")
    assert stage.said == ["corrected", "still nothing fits", "is this right"] and "mouse" in stage.text
    stage.hear("no", "1", "0")
    assert stage.said[0] == "corrected" and stage.state == "word"
    while stage.game.guess != "table":
        stage.honestly("table")
    assert stage.hear("yes").said[0] == "wonderful"


def test_every_answer_is_read_once_and_then_the_word_is_asked_for():
    stage = contradiction()
    read = [stage.talk.fixing]
    while stage.hear("yes").state == "doubtful":
        read.append(stage.talk.fixing)
    assert sorted(read) == [0, 1]
    assert (stage.state, stage.said) == ("tell", ["not in my list", "tell me"])


def test_a_correction_that_was_misheard_is_read_once_more_before_the_word_is_asked_for():
    """The word is bread: train has two elsewhere, and NAO hears four in place once more."""
    stage = contradiction().hear("no", "4")
    assert stage.said == ["corrected", "still nothing fits", "is this right"] and stage.talk.corrected == (1,)
    stage.hear("yes")
    assert (stage.state, stage.talk.fixing, stage.talk.corrected) == ("doubtful", 1, ()) and "train" in stage.text
    assert stage.hear("no", "0", "2").state == "word"


@pytest.mark.parametrize("last", [("yes",), ("no", "4")])
def test_a_correction_is_read_no_more_than_twice(last):
    stage = contradiction().hear("no", "4", "yes").hear(*last)
    assert (stage.state, stage.said[-1]) == ("tell", "tell me")


@pytest.mark.parametrize("command", ["back", "mistake"])
def test_giving_up_that_was_misheard_is_taken_back(command):
    before = second_guess()
    stage = second_guess().hear("give up", "yes", command)
    assert stage.said == ["go on", "is it"] and stage.game == before.game
    raced = race().hear("give up", "yes", command)
    assert (raced.state, raced.game, raced.talk.riddle) == ("word", race().game, race().talk.riddle)


@pytest.mark.parametrize("command", ["back", "mistake"])
def test_from_the_question_for_the_word_the_answers_can_be_looked_at_again(command):
    stage = unknown().hear(command)
    assert (stage.state, stage.talk.subject) == ("doubtful", "train")
    assert stage.hear("no", "0", "2").state == "word"


def test_an_impossible_score_while_correcting_is_refused_and_asked_again():
    stage = contradiction().hear("no", "4 1")
    assert (stage.state, stage.said, stage.talk.fixing) == ("exact", ["four and one", "in place"], 1)


def test_looking_again_at_answers_that_are_right():
    stage = second_guess().hear("mistake", "yes")
    assert (stage.state, stage.said) == ("word", ["all is right", "is it, shortly"])
    assert stage.game == second_guess().game


def test_looking_again_goes_from_the_latest_to_the_first():
    stage = second_guess().score(0, 2).hear("mistake")
    assert stage.talk.fixing == 1
    assert stage.hear("yes").talk.fixing == 0
    assert stage.hear("yes").said == ["all is right", "is it, shortly"]


# The player's word


def spelled_out(word, stage=None):
    return (stage or unknown()).hear("yes").spell(word)


def test_the_word_is_spelled_and_read_back():
    stage = spelled_out("cloud")
    assert stage.said == ["spelled"] and stage.text.endswith("Is your word cloud?")
    assert stage.hear("no").said == ["spell again"] and stage.talk.spelled == ""


def test_the_answer_that_disagreed_is_named():
    stage = spelled_out("paint").hear("yes")
    assert stage.said == ["would have said", "learned", "play again"]
    assert "For train, I'd say zero and four, not four and zero." in stage.text
    assert stage.noted == [("learned", "paint")] and stage.game.outcome == game.UNSOLVED


def test_an_unknown_word_that_fits_is_learned_for_the_next_game():
    stage = new_game().hear("ready").honestly("drink")
    while stage.state != "doubtful":
        stage.honestly("drink")
    while stage.state == "doubtful":
        stage.hear("yes")
    stage = spelled_out("drink", stage).hear("yes")
    assert stage.said == ["fits but unknown", "learned", "play again"]
    assert stage.mind.knows("drink")
    stage.hear("yes", "ready")
    for _ in range(len(FEW)):
        if stage.game.guess == "drink":
            break
        stage.honestly("drink")
    assert stage.hear("yes").said[0].startswith("wonderful")


def test_a_known_word_that_fits():
    stage = second_guess().hear("give up", "yes")
    assert spelled_out("light", stage).hear("yes").said == ["known and fitting", "play again"]
    assert stage.noted == [] and stage.game.outcome == game.GIVEN_UP


def test_a_repeated_letter_explains_it():
    stage = spelled_out("hello").hear("yes")
    assert stage.said == ["repeated letter", "play again"] and stage.noted == []
    assert stage.text.startswith("Hello has a letter twice")


def test_a_blocked_word_is_neither_said_nor_learned():
    """The stage objects to any text that holds one."""
    stage = spelled_out("dwarf", Stage(FEW, blocked=RUDE).hear("ready", "give up", "yes"))
    assert (stage.state, stage.said, stage.noted) == ("again", ["not that word", "play again"], [])
    assert "dwarf" not in stage.text and stage.talk.spelled == ""


def test_a_blocked_word_is_never_guessed():
    stage = Stage(FEW, blocked=RUDE).hear("ready")
    assert stage.mind.left(stage.game._replace(guess=None)) == len(FEW) - 1
    asked = [stage.game.guess]
    while stage.state == "word":
        stage.honestly("bread")
        asked.append(stage.game.guess)
    assert "bread" not in asked and stage.state == "doubtful"


def test_letters_are_taken_back_one_by_one():
    stage = unknown().hear("yes", "c", "l", "back one")
    assert stage.talk.spelled == "c" and "letter two" in stage.text
    stage.hear("back one", "back one")
    assert stage.talk.spelled == "" and stage.said == ["nothing to take back", "spell, shortly"]
    assert stage.hear("cancel").said == ["leave it", "play again"]


def test_the_player_may_keep_the_secret():
    stage = unknown().hear("no")
    assert (stage.state, stage.said, stage.game.outcome) == ("again", ["leave it", "play again"], game.UNSOLVED)


# Misunderstandings


def test_unsure_asks_back_and_yes_goes_on():
    stage = second_guess().hear("no").unsure("3")
    assert stage.said == ["did you say"] and "three" in stage.text
    assert stage.hear("yes").state == "misplaced" and stage.talk.exact == 3


def test_unsure_and_no_asks_differently():
    stage = second_guess().hear("no").unsure("3").hear("no")
    assert (stage.state, stage.said, stage.talk.doubt) == ("exact", ["ask again", "in place, shortly"], None)


def test_unsure_and_the_right_answer_at_once():
    stage = second_guess().hear("no").unsure("3").hear("2")
    assert stage.state == "misplaced" and stage.talk.exact == 2


def test_a_player_always_heard_badly_gets_on():
    stage = second_guess().hear("no").unsure("3").unsure("yes")
    assert stage.said == ["sorry", "did you say, example"]
    assert stage.unsure("yes").talk.exact == 3


def test_a_doubt_that_is_not_answered_in_two_ways_is_dropped():
    stage = second_guess().hear("no").unsure("3")
    said = [stage.text] + [stage.miss().text for _ in range(2)]
    assert stage.talk.doubt is None and stage.said == ["sorry again", "in place, example"]
    assert len(set(said)) == 3 and "three" not in said[2]


@pytest.mark.parametrize("moment", IN_FLOW)
def test_no_question_is_put_three_times_in_the_same_words(moment):
    """Whether the player is silent or not understood."""
    for trouble in ("quiet miss quiet miss", "miss quiet miss quiet", "quiet quiet miss", "miss miss miss"):
        stage = MOMENTS[moment]()
        said = [question_said(stage)] + [question_said(getattr(stage, each)()) for each in trouble.split()]
        assert not any(one == two == three for one, two, three in zip(said, said[1:], said[2:])), said


def test_an_unsure_no_is_a_no():
    stage = second_guess().hear("no").unsure("3").unsure("no")
    assert stage.talk.doubt is None and stage.said[0] == "ask again"


def test_an_unsure_stop_counts_in_a_doubt_too():
    assert second_guess().hear("no").unsure("3").unsure("stop").state == "stopping"


def test_an_unsure_give_up_is_no_yes_to_giving_up():
    stage = second_guess().unsure("give up")
    assert stage.state == "giving up"
    stage.unsure("give up")
    assert stage.state == "giving up" and stage.said[0] == "sorry"
    assert stage.hear("no").state == "word"


def test_being_wrong_again_and_again_ends_in_touch():
    stage = second_guess().hear("no")
    for wanted in (
        ["ask again", "in place, shortly"],
        ["ask again", "in place, example"],
        ["ask again", "touch instead, count", "in place, shortly"],
    ):
        assert stage.unsure("3").hear("no").said == wanted


def test_not_understood_asks_again_differently_each_time():
    stage = second_guess().hear("no")
    said = [tuple(stage.miss().said) for _ in range(6)]
    assert said == [
        ("sorry", "in place, shortly"),
        ("sorry again", "in place, example"),
        ("touch instead, count", "in place, shortly"),
        ("in place, example",),
        ("in place, shortly",),
        ("pause",),
    ]


@pytest.mark.parametrize(
    "moment, answers",
    [
        ("role", "back for you, front for me"),
        ("ready", "Tap the front"),
        ("word", "front for yes, back for no"),
        ("both", "front once for each letter, then the back"),
        ("your guess", "front once for A, twice for B, then"),
    ],
)
def test_touch_is_offered_as_it_answers_there(moment, answers):
    assert answers in MOMENTS[moment]().miss(3).text


def test_what_is_not_asked_for_is_not_understood():
    assert new_game().hear("3").said == ["sorry", "who guesses, shortly"]


# Silence


@pytest.mark.parametrize("moment", ALL)
def test_silence_alone_ends_soon_with_the_game_kept(moment):
    stage = MOMENTS[moment]()
    game, counted = stage.game, 0
    while stage.state != "gone":
        stage.quiet()
        counted += 1
    assert counted <= 4
    assert stage.game == game
    assert stage.said == ["goodbye" if moment in DONE else "goodbye, saved"]


def test_silence_is_met_with_patience():
    stage = second_guess().hear("no")
    said = [tuple(stage.quiet().said) for _ in range(4)]
    assert said == [("both numbers, shortly",), ("both numbers, example",), ("pause",), ("goodbye, saved",)]


def test_an_answer_makes_nao_patient_again():
    stage = second_guess().hear("no").quiet(2).hear("wait").quiet(2)
    assert stage.said == ["both numbers, example"]


def test_silence_at_shall_i_stop_stops():
    assert second_guess().hear("stop").quiet().state == "gone"


def test_silence_in_a_doubt_asks_in_another_way_then_the_question_itself_and_pauses():
    stage = second_guess().hear("no").unsure("3")
    said = [tuple(stage.quiet().said) for _ in range(3)]
    assert said == [("did you say, example",), ("both numbers, shortly",), ("pause",)]
    assert stage.talk.doubt is None


@pytest.mark.parametrize("answer", ["ready", "yes", "go on"])
def test_after_a_pause_the_game_goes_on_where_it_was(answer):
    before = second_guess().hear("no")
    stage = second_guess().hear("no").quiet(3)
    assert stage.state == "paused" and stage.hear(answer).said == ["go on", "both numbers, shortly"]
    assert "train" in stage.text and stage.game == before.game and stage.state == "both"


def test_the_guess_is_named_whenever_a_count_is_asked_for_again():
    for moment in ("both", "exact", "misplaced", "both, fixing", "exact, fixing", "misplaced, fixing"):
        stage = MOMENTS[moment]()
        for command in ("help", "score", "left", "wait"):
            stage.hear(command)
            if command != "wait":
                assert stage.talk.subject in stage.text.rpartition(".")[2]


# Interrupted games


@pytest.mark.parametrize("moment", [moment for moment in ALL if moment not in DONE])
@pytest.mark.parametrize("doubt", [False, True])
def test_an_interrupted_game_is_taken_up_wherever_it_was_left(moment, doubt):
    left = MOMENTS[moment]()
    if doubt:
        left.unsure(sorted(left.talk.place.moves)[0])
    stage = Stage(FEW, start=stored(left.talk))
    assert (stage.state, stage.said) == ("unfinished", ["hello", "go on with our game"])
    stage.hear("yes")
    assert stage.game.turns == left.game.turns and stage.talk.riddle == left.talk.riddle
    if left.talk.is_about_riddle:
        assert stage.state == "your guess" and stage.talk.spelled == ""
        assert stage.said[0] == ("your guesses" if left.talk.riddle.game.turns else "your guess, shortly")
        return
    assert stage.state == ("doubtful" if left.game.guess is None else "word")
    assert stage.talk.exact is None and stage.talk.spelled in ("", left.talk.spelled)
    turns = stage.said if left.talk.riddle is None else stage.said[1:]
    assert turns[0] == ("where we were" if left.game.turns else "is it, shortly")


def test_an_interrupted_game_may_be_left_for_a_new_one():
    stage = MOMENTS["unfinished"]().hear("no")
    assert (stage.state, stage.game.turns, stage.game.guess, stage.game.seed) == ("role", (), None, 2)
    assert stage.noted == []


def test_a_stopped_game_goes_on_after_a_new_start():
    stopped = second_guess().hear("stop", "yes")
    assert stopped.state == "gone" and stopped.said == ["goodbye, saved"]
    assert Stage(FEW, start=stored(stopped.talk)).hear("yes").said == ["where we were", "is it, shortly"]


def test_a_game_stopped_after_its_end_is_over():
    stopped = second_guess().hear("yes", "stop")
    assert stopped.said == ["goodbye"] and [kind for kind, _ in stopped.noted] == ["finished"]
    assert Stage(FEW, start=stored(stopped.talk)).state == "role"


def test_a_game_with_answers_no_word_fits_is_taken_up_sorting():
    stage = Stage(FEW, start=contradiction().talk).hear("yes")
    assert stage.said == ["where we were", "nothing fits", "is this right"]


def test_spelling_again_after_an_interruption_starts_afresh():
    stage = Stage(FEW, start=MOMENTS["spell, later"]().talk).hear("yes", "yes", "yes", "yes")
    assert stage.state == "spell" and stage.talk.spelled == ""


def test_the_scores_read_out_are_the_last_five():
    stage = Stage()
    stage.hear("ready")
    for _ in range(6):
        if stage.state == "word":
            stage.score(0, 1)
    while stage.state == "doubtful":
        stage.hear("no", "0", "0")
    stage.hear("score")
    assert stage.text.count(" with zero and ") == min(5, len(stage.game.turns))


def test_hearings_of_the_stage_are_the_ears_hearings():
    assert heard("3") == hearing.Hearing("sure", "3", "three")


# Why?


@pytest.mark.parametrize(
    "words, answers, key, said",
    [
        (WORDS, (), "why", "%d" % len(WORDS)),
        (FEW[:2], (), "why, all apart", "2 words fit"),
        (FEW[:2], ("no", "0", "5"), "why, last", "fits all your answers"),
    ],
    ids=["many words", "all told apart", "one word"],
)
def test_nao_says_why_it_asks_and_asks_again(words, answers, key, said):
    stage = Stage(words, seed=2).hear("ready", *answers)
    before = stage.game
    stage.hear("why")
    assert stage.said == [key, "is it, shortly"] and said in stage.text
    assert stage.game == before and stage.state == "word"


def test_nao_says_why_it_reads_an_answer():
    stage = Stage(FEW[:2], seed=2).hear("ready", "no", "0", "0")
    assert stage.state == "doubtful"
    assert stage.hear("why").said == ["why, slip", "is this right, shortly"]
    stage = second_guess().hear("mistake", "why")
    assert stage.said == ["why, asked", "is this right, shortly"]


@pytest.mark.parametrize(
    "answer",
    [
        heard("yes"),
        heard("3"),
        heard("stop"),
        heard("yes", hearing.UNSURE),
        hearing.NOTHING_HEARD,
        hearing.SILENCE_HEARD,
    ],
)
@pytest.mark.parametrize("state", sorted(name for name, state in STATES.items() if not state.listens))
def test_a_late_answer_changes_nothing_while_nao_asks_nothing(state, answer):
    stage = second_guess()
    now = stage.talk._replace(state=state)
    assert conversation.step_talk(now, stage.mind, answer) == now
