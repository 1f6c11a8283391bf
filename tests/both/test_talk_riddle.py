"""The other role, without a robot: NAO thinks of a word and the player guesses it; and the race, where both do."""

from __future__ import absolute_import, division, print_function, unicode_literals

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talk_stage import LINES, Stage, heard, mind_of, stored

from jotto import feedback, game
from jotto.rules import JOTTO, SavedGameError
from jotto.words import BlockList, WordList, hash_blocked_word
from jotto_behaviour import conversation, hearing, robot, talk
from jotto_behaviour.hearing import Hearing
from jotto_behaviour.mind import Mind
from jotto_behaviour.states import ANY_WORD, LETTER_OR_WORD, list_meanings

FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")
RUDE = BlockList(frozenset([hash_blocked_word("bread"), hash_blocked_word("dwarf")]))


def maker(seed=1, **stage):
    """Make a stage on which NAO has a word; with seed 1 it is table."""
    return Stage(FEW, seed=seed, **stage).hear("I guess")


def race():
    """Make a race: each has a word, NAO's is table; it is the player's turn."""
    return Stage(FEW).hear("race", "ready")


def listened_for(stage):
    """List the words of the list that NAO listens for."""
    return hearing.list_hearable_words(conversation.list_awaited_meanings(stage.talk), stage.talk, mind_of(FEW), LINES)


def riddle_of(stage):
    return stage.talk.riddle


# Who guesses


@pytest.mark.parametrize(
    "said, state, lines",
    [
        (["ready"], "word", ["let us begin", "is it, first"]),
        (["you guess"], "ready", ["think of a word"]),
        (["you guess", "ready"], "word", ["let us begin", "is it, first"]),
        (["I guess"], "your guess", ["I have a word", "your guess"]),
        (["race"], "ready", ["a race", "think of a word"]),
        (["race", "ready"], "your guess", ["I have a word, too", "your guess"]),
    ],
)
def test_nao_asks_who_guesses(said, state, lines):
    stage = Stage(FEW)
    assert (stage.state, stage.said) == ("role", ["hello", "who guesses"])
    stage.hear(*said)
    assert (stage.state, stage.said) == (state, lines)


@pytest.mark.parametrize(
    "role, state", [("breaker", "ready"), ("maker", "your guess"), ("race", "ready"), ("king", "role"), (None, "role")]
)
def test_the_settings_may_say_who_guesses(role, state):
    assert Stage(FEW, role=role).state == state


@pytest.mark.parametrize(
    "key, kind, meaning",
    [
        ("FrontTactilTouched", "role", "you guess"),
        ("RearTactilTouched", "role", "I guess"),
        ("MiddleTactilTouched", "role", "stop"),
        ("FrontTactilTouched", "ready", "ready"),
        ("RearTactilTouched", "yes or no", "no"),
        ("RearTactilTouched", "spell", "c"),
        ("RearTactilTouched", "count", "3"),
    ],
)
def test_the_head_answers_that_too(key, kind, meaning):
    assert robot.read_touch(key, kind, 3, LINES).meaning == meaning


@pytest.mark.parametrize(
    "played, said, state, is_race",
    [
        (["ready", "yes"], "yes", "ready", False),
        (["ready", "yes"], "other role", "role", False),
        (["ready", "yes"], "race", "ready", True),
        (["ready", "yes"], "I guess", "your guess", False),
        (["ready", "yes"], "you guess", "ready", False),
        (["I guess", "=table"], "yes", "your guess", False),
        (["I guess", "=table"], "other role", "role", False),
        (["I guess", "=table"], "race", "ready", True),
        (["I guess", "=table"], "you guess", "ready", False),
        (["race", "ready", "=table"], "yes", "ready", True),
        (["race", "ready", "=table"], "other role", "role", False),
        (["race", "ready", "=table"], "I guess", "your guess", False),
        (["race", "ready", "=table"], "you guess", "ready", False),
    ],
)
def test_another_game_in_the_same_role_or_the_other(played, said, state, is_race):
    stage = Stage(FEW).hear(*played)
    assert stage.state == "again"
    stage.hear(said)
    assert (stage.state, stage.talk.race, stage.game.seed) == (state, is_race, 2)
    assert stage.game.turns == () and (riddle_of(stage) is None) == (state != "your guess")


def test_another_role_offers_all_three():
    for played in (["ready", "yes"], ["I guess", "=table"], ["race", "ready", "=table"]):
        stage = Stage(FEW).hear(*played)
        stage.hear("other role")
        assert stage.said == ["who guesses, shortly"]
        assert all(role in stage.text for role in ("you guess", "my turn to guess", "race"))


# NAO's word


def test_the_secret_is_a_common_word_that_nao_says():
    words = ("bread", "ocean", "canoe", "light", "train")
    bands = (10, 35, 20, None, 10)
    assert Mind(WordList("test", words, bands), None, RUDE).secrets() == ["canoe", "train"]
    assert Mind(WordList("test", words, (None,) * 5), None, RUDE).secrets() == ["ocean", "canoe", "light", "train"]
    assert Mind(WordList("test", words, (None, 35, 50, None, 70)), None).secrets() == list(words)


def test_the_seed_chooses_it_and_the_next_game_has_another_seed():
    assert riddle_of(maker()).secret == riddle_of(maker()).secret == "table"
    assert {riddle_of(maker(seed)).secret for seed in range(80)} == set(FEW)
    stage = maker().hear("=table", "yes")
    assert riddle_of(stage).game.seed == 2


def test_the_secret_is_nowhere_but_in_the_talk():
    stage = maker()
    while stage.state == "your guess":
        spoken = stage.text.lower() + json.dumps([list(line) for line in stage.talk.last])
        assert "table" not in spoken
        guess = next(
            (word for word in FEW if word not in ["table"] + [turn.guess for turn in stage.talk.played.turns]), "table"
        )
        stage.hear("=" + guess)
    assert stage.said[:1] == ["well guessed"] and len(FEW) == riddle_of(stage).game.attempts


# Guessing


@given(st.lists(st.sampled_from(FEW), max_size=12))
@settings(max_examples=60, deadline=None)
def test_scores_are_right_and_every_guess_counts_once(guesses):
    stage, counted = maker(3), []
    secret = riddle_of(stage).secret
    for guess in guesses:
        if stage.state != "your guess":
            break
        stage.hear("=" + guess)
        if guess in counted:
            assert stage.said[0] == "guessed before"
        else:
            counted.append(guess)
        exact, misplaced = feedback.score_places_slowly(guess, secret)
        if guess != secret:
            shown = [LINES.number(number) if number else "none" for number in (exact, misplaced)]
            assert (
                "your score, none" in stage.said
                if not exact + misplaced
                else all(number in stage.text.lower() for number in shown)
            )
        assert riddle_of(stage).game.attempts == len(counted)
    assert (stage.state == "again") == (secret in counted)
    if secret in counted and len(counted) > 1:
        assert "%d guesses" % len(counted) in stage.text


@pytest.mark.parametrize(
    "word, line",
    [
        ("hello", "twice a letter"),
        ("dwarf", "not such a word"),
        ("bread", "not such a word"),
        ("whisk", "not a word of mine"),
    ],
)
def test_what_may_not_be_guessed_is_explained_and_costs_nothing(word, line):
    stage = Stage(FEW, seed=3, blocked=RUDE).hear("I guess").spell(word)
    if stage.state == "your word?":
        stage.hear("yes")
    assert stage.said == [line, "your guess, shortly"]
    assert riddle_of(stage).game.attempts == 0 and stage.talk.spelled == ""


def test_a_word_heard_unsurely_is_asked_back():
    stage = maker().unsure("=light")
    assert stage.said == ["did you say"] and "light" in stage.text and not riddle_of(stage).game.turns
    assert stage.hear("yes").said[0] == "your score" and riddle_of(stage).game.attempts == 1
    stage.unsure("=canoe").hear("no")
    assert stage.said == ["ask again", "your guess, shortly"] and riddle_of(stage).game.attempts == 1


def test_another_word_said_while_nao_asks_back_counts_instead():
    stage = maker().unsure("=light").hear("=mouse")
    assert [turn.guess for turn in riddle_of(stage).game.turns] == ["mouse"] and stage.talk.doubt is None


def test_a_guess_taken_back_does_not_count():
    for command in ("back", "mistake"):
        stage = maker().hear("=light", "=mouse", command)
        assert stage.said == ["guess taken back", "your guess, shortly"] and "mouse" in stage.text
        assert [turn.guess for turn in riddle_of(stage).game.turns] == ["light"]
        assert "in 3 guesses" in stage.hear("=mouse", "=table").text


def test_a_hundred_guesses_are_enough():
    words = ["".join(pair) + "xyz" for pair in [(one, two) for one in "abcdefghijklm" for two in "nopqrstuvw"]][
        : game.MAX_TURNS + 2
    ]
    stage = Stage(words, seed=1).hear("I guess")
    secret = riddle_of(stage).secret
    for word in [word for word in words if word != secret][: game.MAX_TURNS]:
        stage.hear("=" + word)
    assert len(riddle_of(stage).game.turns) == game.MAX_TURNS and stage.state == "your guess"
    stage.hear("=" + [word for word in words if word != secret][-1])
    assert (stage.state, stage.said) == ("again", ["so many guesses", "my word was", "play again"])
    assert secret in stage.text


# Spelling


def test_a_word_is_spelled_with_pauses_and_letters_taken_back():
    stage = maker().hear("l").quiet(2).hear("i", "g", "x", "back one", "h").miss().hear("t")
    assert (stage.state, stage.said, stage.talk.spelled) == ("your word?", ["your word?"], "light")
    assert not riddle_of(stage).game.turns
    assert stage.hear("yes").said[0] == "your score" and riddle_of(stage).game.turns[0].guess == "light"
    assert stage.talk.spelled == ""


def test_silence_while_spelling_keeps_the_letters():
    stage = maker().hear("l", "i")
    assert stage.quiet().said == ["spell on"] and "L and I." in stage.text and "letter three" in stage.text
    assert stage.quiet().said == ["spell on"] and stage.quiet().said == ["pause"]
    assert stage.hear("go on").said == ["go on", "spell on"] and stage.talk.spelled == "li"


def test_a_denied_letter_leaves_those_before_it_and_is_asked_for_again():
    stage = maker().hear("i", "v", "o").miss()
    assert stage.unsure("n").said == ["did you say"] and stage.hear("no").said == ["ask again", "spell on"]
    assert "I, V and O" in stage.text and "letter four" in stage.text


def test_a_word_that_measured_ears_miss_twice_is_asked_for_by_its_letters():
    """Among thousands of words an alphabet word is hardly heard; a robot's own ears get the example, as ever."""
    plain, measured = maker(), maker(certainty=(0.1, 0.7))
    for stage, lines in (
        (plain, ["sorry again", "your guess, example"]),
        (measured, ["sorry again", "your guess, letters"]),
    ):
        assert listened_for(stage.miss()) and stage.said == ["sorry", "your guess, shortly"]
        assert stage.miss().said == lines
    assert listened_for(plain) and not listened_for(measured)
    assert measured.miss().said == ["touch instead, spell", "your guess, letters"]
    # One letter later, and with the next guess, all is as before.
    assert measured.hear("l").said == ["spell, next"]
    assert measured.hear("cancel").said == ["letters dropped", "your guess, shortly"] and listened_for(measured)


@pytest.mark.parametrize(
    "said, spelled, lines",
    [
        (["l", "back one"], "", ["spell, back"]),
        (["back one"], "", ["nothing to take back", "your guess, shortly"]),
        (["l", "i", "cancel"], "", ["letters dropped", "your guess, shortly"]),
        (["cancel"], "", ["nothing to take back", "your guess, shortly"]),
        (["l", "i", "back"], "l", ["spell, back"]),
        (list("light") + ["no"], "", ["guess again"]),
        (list("light") + ["back one"], "ligh", ["spell, back"]),
        (list("light") + ["cancel"], "", ["letters dropped", "your guess, shortly"]),
        (["l", "hint"], "l", ["a letter", "spell on"]),
        (["l", "left"], "l", ["words would fit", "spell on"]),
    ],
)
def test_letters_are_kept_or_dropped_as_said(said, spelled, lines):
    stage = maker().hear(*said)
    assert (stage.state, stage.talk.spelled, stage.said) == ("your guess", spelled, lines)


def test_a_whole_word_said_while_spelling_is_the_guess():
    stage = maker().hear("l", "i", "=mouse")
    assert riddle_of(stage).game.turns[0].guess == "mouse" and stage.talk.spelled == ""


# Help on request


def test_hints_are_given_counted_and_told_at_the_end():
    stage = maker().hear("hint")
    assert stage.said == ["a letter", "your guess, shortly"] and " as in " in stage.text
    assert stage.hear("=table").said == ["well guessed, at once", "one hint taken", "play again"]
    stage = maker().hear(*["hint"] * 7)
    assert stage.said[0] == "a place"
    assert stage.hear("=light", "=table").said == ["well guessed", "hints taken", "play again"]
    assert "7 hints" in stage.text
    stage = maker().hear(*["hint"] * 11)
    assert stage.said == ["no more hints", "your guess, shortly"] and riddle_of(stage).hints == 10


def test_what_do_i_know_reads_the_guesses_and_what_is_certain():
    assert maker().hear("know").said == ["no guess yet", "your guess, shortly"]
    stage = maker(3).hear("=light", "know")
    assert stage.said == ["your guesses", "surely not in it", "your guess, shortly"]
    assert "word: G, H, I, L and T." in stage.text
    stage = maker(3).hear("=canoe", "know")
    assert stage.said[:2] == ["your guesses", "surely in it"] and "word: A, C, E, N and O." in stage.text


def test_how_many_words_would_fit_and_what_the_score_was():
    stage = maker().hear("left")
    assert stage.said[0] == "words would fit" and "10" in stage.text
    assert stage.hear("score").said[0] == "no guess yet"
    stage.hear("=light")
    fitting = [word for word in FEW if JOTTO.score("light", word) == JOTTO.score("light", "table")]
    assert "%d" % len(fitting) in stage.hear("left").text and stage.talk.left == len(fitting)
    assert stage.hear("score").said[0] == "your guesses"


# The end


def test_giving_up_tells_the_word():
    stage = maker().hear("=light", "give up", "yes")
    assert (stage.state, stage.said) == ("again", ["given up by you", "my word was", "play again"])
    assert "table" in stage.text and riddle_of(stage).game.outcome == game.GIVEN_UP
    stage.hear("no")
    assert [(kind, played.secret) for kind, played in stage.noted] == [("finished", "table")]


def test_a_riddle_left_is_taken_up_and_one_hardly_begun_is_not():
    left = maker().hear("=light", "stop", "yes")
    assert left.said == ["goodbye, saved"]
    stage = Stage(FEW, start=stored(left.talk)).hear("yes")
    assert (stage.state, stage.said) == ("your guess", ["your guesses", "your guess, shortly"])
    assert riddle_of(stage) == riddle_of(left)
    assert maker().hear("stop").said == ["goodbye"]
    assert maker().hear("hint", "stop", "yes").said == ["goodbye, saved"]


# The race


def test_the_player_wins_the_race():
    stage = race().hear("=light")
    assert stage.state == "word" and stage.said == ["your score", "is it, first"]
    stage.score(0, 0)
    assert (stage.state, stage.said) == ("your guess", ["score, none", "your guess, shortly"])
    stage.hear("=table")
    assert stage.said == ["well guessed", "race lost", "play again"]
    assert stage.game.outcome == game.UNSOLVED and riddle_of(stage).is_solved
    stage.hear("no")
    assert stage.said == ["goodbye"] and len(stage.noted) == 2


def test_nao_wins_the_race_and_tells_its_word():
    stage = race().hear("=light", "yes")
    assert stage.said == ["wonderful, at once", "race won", "my word was", "play again"] and "table" in stage.text
    assert stage.game.outcome == game.SOLVED and riddle_of(stage).game.outcome == game.UNSOLVED
    # It was no win after all: NAO's word is out, so NAO guesses on alone.
    stage.hear("back")
    assert (stage.state, stage.said[0]) == ("word", "not your word")
    stage.score(0, 0)
    assert stage.state == "word" and stage.talk.race


def test_turns_go_round_through_corrections():
    stage = race().hear("=light").score(0, 0).hear("=mouse")
    assert [len(stage.game.turns), len(riddle_of(stage).game.turns)] == [1, 2] and stage.state == "word"
    stage.hear("mistake")
    assert stage.state == "doubtful"
    stage.hear("no", "0", "1")
    assert stage.said[0] == "corrected" and stage.state == "word", "NAO's turn it was and is"
    stage.honestly("beard")
    assert stage.state == "your guess" and len(stage.game.turns) == 2
    stage.hear("back")
    assert stage.state == "exact" and len(stage.game.turns) == 1
    stage.hear(*["%d" % count for count in JOTTO.score(stage.game.guess, "beard")])
    assert stage.state == "your guess"


def test_a_race_given_up_is_not_gone_on_with_next_time():
    stage = race().hear("=light", "give up", "yes")
    assert stage.state == "tell" and stage.talk.riddle_is_open
    stage.hear("stop")
    assert stage.said == ["goodbye"]
    assert Stage(FEW, start=stored(stage.talk)).state == "role"


def test_going_back_in_a_race_goes_back_in_time():
    stage = race().hear("=light").score(0, 0).hear("=mouse")
    states = []
    for _ in range(7):
        stage.hear("back")
        states.append((stage.state, len(riddle_of(stage).game.turns) if riddle_of(stage) else 0, len(stage.game.turns)))
    assert states == [
        ("your guess", 1, 1),
        ("both", 1, 0),
        ("word", 1, 0),
        ("your guess", 0, 0),
        ("role", 0, 0),
        ("role", 0, 0),
        ("role", 0, 0),
    ]


@pytest.mark.parametrize(
    "said",
    [
        ["give up", "yes"],
        ["=light", "give up", "yes", "no"],
        ["=light", "no", "give up", "yes", "yes", "c", "a", "b", "i", "n", "yes"],
    ],
)
def test_a_race_given_up_ends_with_naos_word(said):
    stage = race().hear(*said)
    assert stage.state == "again" and "my word was" in stage.said and "table" in stage.text
    assert stage.game.outcome == game.GIVEN_UP and riddle_of(stage).game.outcome is not None


def test_a_race_whose_word_nao_does_not_know_ends_with_naos_word():
    stage = race().hear("=light").score(0, 0).hear("=mouse")
    while stage.state != "tell":
        stage.score(0, 0) if stage.state == "word" else stage.hear("yes" if stage.state == "doubtful" else "=canoe")
    stage.hear("no")
    assert "my word was" in stage.said and stage.state == "again"


# Saved talks


PLAIN = json.loads(json.dumps(maker().hear("=light", "hint", "c").talk.plain()))


def test_notes_of_version_one_have_no_riddle():
    old = dict(json.loads(json.dumps(Stage(FEW).hear("ready").score(0, 0).talk.plain())), version=1)
    del old["riddle"], old["race"]
    read = talk.read_talk(old)
    assert read.riddle is None and not read.race and len(read.game.turns) == 1
    assert talk.read_talk(json.loads(json.dumps(read.plain()))) == read


@pytest.mark.parametrize(
    "changes",
    [
        {"riddle": 3},
        {"riddle": {}},
        {"riddle": None},
        {"race": 1},
        {"race": None},
        {"spelled": "light"},
        {"riddle": dict(PLAIN["riddle"], secret="mouse")},
        {"riddle": dict(PLAIN["riddle"], secret="hello")},
        {"riddle": dict(PLAIN["riddle"], hints=-1)},
        {"state": "riddle"},
        {"state": "guessed"},
        {"state": "your word?"},
        {"riddle": dict(PLAIN["riddle"], game=dict(PLAIN["riddle"]["game"], outcome="given up"))},
        {"riddle": dict(PLAIN["riddle"], game=dict(PLAIN["riddle"]["game"], guess="mouse"))},
        {"riddle": dict(PLAIN["riddle"], game=dict(PLAIN["riddle"]["game"], guess="mouse", outcome="solved"))},
        {"doubt": [ANY_WORD, "hello"]},
        {"doubt": [ANY_WORD, "xy"]},
        {"doubt": [LETTER_OR_WORD, "alpha"]},
        {"state": "word or letter?", "spelled": "h"},
    ],
)
def test_damaged_riddles_are_refused(changes):
    with pytest.raises(SavedGameError):
        talk.read_talk(dict(PLAIN, **changes))


# Ears


def test_words_of_the_list_are_understood_where_they_may_be_said():
    mind = mind_of(("ocean", "hotel", "wrong", "ready", "canoe"))
    words = hearing.list_sayable_words(list_meanings("your guess"), mind, LINES)
    assert sorted(words.words) == ["canoe", "hotel", "ocean", "ready", "wrong"]
    assert all(type(phrase) is str for phrase in words.phrases)
    assert sorted(words.phrases) == ["canoe", "ocean", "ready", "wrong"], "hotel is a phrase of the letter's already"
    assert hearing.list_sayable_words(list_meanings("your guess"), mind, LINES) is words, "made once"
    assert hearing.list_sayable_words(list_meanings("ready"), mind, LINES) is None
    asked_back = hearing.list_sayable_words(list_meanings("your guess", True), mind, LINES)
    assert sorted(asked_back.words) == ["canoe", "hotel", "ocean", "ready"], "wrong is no"

    def understood(phrase, confidence, wanted):
        return hearing.understand_phrase(phrase, confidence, wanted, LINES, words.words)

    assert understood("Ocean", 0.9, [ANY_WORD, "h"]) == Hearing("sure", ANY_WORD, "ocean") == heard("=ocean")
    assert understood("ocean", 0.4, [ANY_WORD]) == Hearing("unsure", ANY_WORD, "ocean")
    assert understood("ocean", 0.2, [ANY_WORD]) == understood("ocean", 0.9, ["h"]) == hearing.NOTHING_HEARD
    assert understood("Hotel", 0.9, [ANY_WORD, "h"]) == Hearing("sure", LETTER_OR_WORD, "hotel")
    assert understood("hotel", 0.9, ["h"]).meaning == understood("H", 0.9, [ANY_WORD, "h"]).meaning == "h"
    assert understood("alpha", 0.9, [ANY_WORD, "a"]).meaning == "a", "it is no word of the list"
    assert understood("B", 0.9, [ANY_WORD, "b"]).meaning == "b"
    assert understood("quick", 0.9, [ANY_WORD]) == hearing.NOTHING_HEARD


def test_no_recogniser_is_asked_to_know_more_words_than_it_can():
    words = ["".join((one, two, three, "yz")) for one in "abcdefghij" for two in "klmnopqrst" for three in "uvwx"]
    longer = [
        one + two + three + four + "q"
        for one in "abcdef"
        for two in "ghijkl"
        for three in "mnoprs"
        for four in "tuvwxyz"
    ]
    longest = (
        words
        + longer
        + [word[::-1] for word in longer]
        + [word[::-1] for word in words]
        + [word[2:] + word[:2] for word in longer]
    )
    mind = Mind(WordList("test", tuple(longest), (None,) * len(longest)), None)
    found = hearing.list_sayable_words(list_meanings("your guess"), mind, LINES)
    assert len(longest) > 5000 and len(found.phrases) == len(found.words) == 5000
    assert longest[0] in found.words and longest[-1] in found.words and longest[4700] not in found.words


def test_a_race_given_up_and_stopped_is_over():
    stage = race().hear("=light", "no", "give up", "yes", "stop")
    assert stage.said == ["goodbye"]
    assert Stage(FEW, start=stored(stage.talk)).state == "role"
