"""NAO's word at each level, the score of each guess, and the words NAO understands; `talks.txt` has what is said."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import itertools
import json
import os

import pytest
from engine_words import WORDS
from hypothesis import given, strategies as st
from talk_stage import FEW, LINES, Stage, heard, mind_of

from jotto import compat, feedback, game as games
from jotto.game import Riddle
from jotto.index import Index
from jotto.rules import JOTTO
from jotto.strategies import Commonest, Consistent, Entropy, Position
from jotto.words import BlockList, WordList, hash_blocked_word, parse_word_list, replace_letters
from jotto_behaviour import conversation, hearing, mind as resources
from jotto_behaviour.hearing import SURE, UNSURE, Hearing
from jotto_behaviour.mind import Mind
from jotto_behaviour.settings import EASY, HARD, LANGUAGE_CODES, LEVELS, NORMAL, Settings
from jotto_behaviour.states import ANY_WORD, LETTER_OR_WORD, STATES, list_meanings
from jotto_behaviour.talk import Talk
from naosim.compat import PY2

#: How common each word is: sizes of the word lists in which it first appears.
SIZES = (10, 20, 35, 50)
BANDS = tuple(SIZES[number % 4] for number in range(len(WORDS)))


def make_riddle(seed=1):
    """Return a stage on which NAO has a word; with seed 1 it is table."""
    return Stage(FEW, seed=seed).hear("I guess")


def test_the_secret_is_a_common_word_that_may_be_said():
    rude = BlockList(frozenset([hash_blocked_word("bread"), hash_blocked_word("dwarf")]))
    words = ("bread", "ocean", "canoe", "light", "train")
    bands = (10, 35, 20, None, 10)
    assert Mind(WordList("test", words, bands), None, rude).list_secrets() == ["canoe", "train"]
    assert Mind(WordList("test", words, (None,) * 5), None, rude).list_secrets() == ["ocean", "canoe", "light", "train"]
    assert Mind(WordList("test", words, (None, 35, 50, None, 70)), None).list_secrets() == list(words)


def test_the_nearest_word_is_the_only_one_that_differs_in_one_letter_or_the_only_one_that_fits():
    mind = mind_of(("light", "night", "might", "canoe"))
    game = games.start_game(JOTTO, "test", "", 1)
    nearest = [mind.find_nearest(word, game) for word in ("canow", "xight", "lxghx", "light")]
    assert nearest == ["canoe", None, None, None]
    assert mind.find_nearest("xight", game.ask("lingo").answer(JOTTO.score("lingo", "light"))) == "light"
    rude = BlockList(frozenset([hash_blocked_word("night")]))
    assert mind_of(("light", "night"), blocked=rude).find_nearest("xight", game) == "light"


def test_the_seed_chooses_the_secret():
    assert {make_riddle(seed).talk.riddle.secret for seed in range(80)} == set(FEW)
    assert make_riddle().hear("=table", "yes").talk.riddle.game.seed == 2


def test_secrets_by_level():
    def list_up_to(most):
        return [word for word, band in zip(WORDS, BANDS) if band <= most]

    def list_words(bands=BANDS):
        return WordList("test", tuple(WORDS), tuple(bands))

    mind = Mind(list_words(), Consistent())
    for level, most in ((EASY, 10), (NORMAL, 20), (HARD, 50)):
        chosen = mind.choose_level(level)
        assert chosen.list_secrets() == list_up_to(most) and chosen.choose_level(NORMAL) is mind
        assert chosen.level == level and chosen.choose_level(level) is chosen is mind.choose_level(level)
        # A list that does not say how common its words are has one kind of secret.
        for bands in ([None] * len(WORDS), [50] * len(WORDS)):
            assert Mind(list_words(bands), Consistent()).choose_level(level).list_secrets() == list(WORDS)
    familiar = frozenset(list_up_to(10)[:5] + [word for word, band in zip(WORDS, BANDS) if band == 50][:5])
    for known, secrets in ((familiar, sorted(familiar, key=WORDS.index)), (frozenset(["zesty"]), list_up_to(10))):
        mind = Mind(list_words(), Consistent(), familiar=known)
        assert mind.choose_level(EASY).list_secrets() == secrets


def words_of(code, kind):
    """Read a word list of a language, such as its late words."""
    path = os.path.join(resources.HERE, *("../../wordlists/%s-%s.txt" % (code, kind)).split("/"))
    with io.open(path, encoding="utf-8") as source:
        rules = replace_letters(JOTTO, resources.load_lines(code).alphabet)
        return frozenset(parse_word_list(source.read().encode("utf-8"), rules, kind).wordlist.words)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_secrets_of_every_language(code):
    mind, late = resources.load_mind("", "", (), code), words_of(code, "late")
    easy, normal, hard = (set(mind.choose_level(level).list_secrets()) for level in LEVELS)
    assert easy < normal < hard == words_of(code, "secrets")
    assert len(easy) >= 250 and easy <= words_of(code, "early")
    assert late < set(mind.wordlist.words) and not late & hard


def test_no_child_s_game_has_words_of_computers():
    easy = resources.load_mind("", "", ()).choose_level(EASY).list_secrets()
    assert not {"datum", "chars", "input", "death", "right"}.intersection(easy) and "water" in easy


def test_words_of_the_players_own_list_are_secrets_at_every_level(tmpdir):
    own = tmpdir.join("own.txt")
    own.write("abuse\nocean\nwitch\n")
    mind = resources.load_mind(str(own), "", ())
    assert [set(mind.choose_level(level).list_secrets()) for level in LEVELS] == [{"abuse", "ocean", "witch"}] * 3


def test_easy_games_ask_the_commonest_words_that_fit():
    def position(candidates):
        index = Index(WORDS, JOTTO)
        return Position(index, sum(index.select_word(word) for word in candidates), None, 0, 5)

    index = Index(WORDS, JOTTO)
    first, second = WORDS[:6], WORDS[6:20]
    strategy = Commonest([sum(map(index.select_word, first)), sum(map(index.select_word, second))])
    assert strategy.choose(position(WORDS)) in first
    assert strategy.choose(position(WORDS[3:])) in first[3:]
    assert strategy.choose(position(WORDS[6:])) in second
    assert strategy.choose(position(WORDS[30:])) in WORDS[30:]
    best = Commonest([sum(map(index.select_word, second))], Entropy())
    assert best.choose(position(WORDS)) == Entropy().choose(position(second))


@pytest.mark.parametrize("strategy", ["", "tree", "consistent", "entropy"])
def test_every_kind_of_word_is_found_and_late_words_only_if_no_other_fits(strategy):
    late = words_of("en", "late")
    for level in LEVELS:
        mind = resources.load_mind("", strategy, ()).choose_level(level)
        secrets = compat.draw_items(mind.wordlist.words, 10, 4, level, strategy) + list(mind.wordlist.words[-2:])
        for secret in secrets + compat.draw_items(sorted(late), 12, 5, level, "en", strategy):
            find_word(mind, secret, late)


@pytest.mark.only_python_3
@pytest.mark.parametrize("code", [code for code in LANGUAGE_CODES if code != "en"])
def test_late_words_of_every_language_are_asked_only_if_no_other_fits(code):
    late = words_of(code, "late")
    for level in LEVELS:
        mind = resources.load_mind("", "", (), code).choose_level(level)
        for secret in compat.draw_items(sorted(late), 12, 5, level, code, ""):
            find_word(mind, secret, late)


def find_word(mind, secret, late):
    """Check that NAO finds a word in 30 guesses, and that it asks a late word only if no other fits."""
    game = games.start_game(mind.rules, "test", "", 3)
    while game.guess != secret:
        assert len(game.turns) < 30, "%s is not found" % secret
        game = game.ask(mind.choose_guess(game))
        assert game.guess not in late or late.issuperset(mind.index.list_words(mind.find_fitting(game))), game
        if game.guess != secret:
            game = game.answer(mind.rules.score(game.guess, secret))


def test_no_late_word_is_asked_after_contradictory_answers():
    """No word fits every answer here, so NAO compares words that nearly fit; the best of them were late words."""
    mind, late = resources.load_mind("", "", ()), words_of("en", "late")
    for seed, answers in (
        (28, [(0, 2), (1, 0), (2, 2)]),
        (34, [(0, 2), (0, 4), (1, 1)]),
        (52, [(2, 2), (0, 2)]),
        (62, [(2, 2), (3, 0)]),
        (72, [(1, 1), (0, 4), (1, 1)]),
    ):
        game = games.start_game(JOTTO, "en", "", seed)
        for answer in answers:
            game = game.ask(mind.choose_guess(game)).answer(answer)
        assert not mind.find_fitting(game) and mind.choose_guess(game) not in late, seed


def test_first_guesses_by_level():
    mind = resources.load_mind("", "", ())
    bands = dict(zip(mind.wordlist.words, mind.wordlist.bands))
    firsts = {
        level: {mind.choose_level(level).choose_guess(games.start_game(JOTTO, "en", "", seed)) for seed in range(30)}
        for level in LEVELS
    }
    assert all(bands[word] == 10 for word in firsts[EASY]) and len(firsts[EASY]) > 15
    assert firsts[NORMAL] == {"parts", "cares", "dares", "tapes"} and firsts[HARD] == {"parts"}
    # In hard games all words are equally likely.
    assert mind.choose_level(HARD).strategy.prior is None
    assert mind.strategy.prior == mind.choose_level(EASY).strategy.prior != {}


def test_easy_games_go_on_after_contradictory_answers():
    mind = resources.load_mind("", "", ()).choose_level(EASY)
    game = games.start_game(JOTTO, "en", "", 3)
    for answer in ((0, 1), (1, 0), (2, 2), (1, 1)):
        game = game.ask(mind.choose_guess(game)).answer(answer)
        if mind.is_lost(game):
            return
        assert mind.choose_guess(game)


def test_settings_of_the_level_and_of_the_role():
    assert Settings(level=EASY).overridden({"level": ""}).level == EASY
    assert Settings(level=EASY).overridden({"level": HARD}).played_level == HARD
    for odd in ("odd", 3, None):
        assert Settings().overridden({"level": odd}).played_level == NORMAL
    assert "level" not in Settings().plain() and Settings(level=HARD).plain()["level"] == HARD
    for role, state in (("breaker", "ready"), ("maker", "your guess"), ("race", "ready"), ("king", "role")):
        assert Stage(FEW, role=role).state == state
    # NAO hears a level only before a game.
    assert {name for name, state in STATES.items() if EASY in state.moves} == {"role", "ready"}


def test_nobody_hears_the_secret_before_it_is_guessed():
    stage = make_riddle()
    for guess in [word for word in FEW if word != "table"] + ["table"]:
        assert "table" not in stage.text.lower() + json.dumps([list(line) for line in stage.talk.last])
        stage.hear("=" + guess)
    assert stage.said[:1] == ["well guessed"] and len(FEW) == stage.talk.riddle.game.attempts


@given(st.lists(st.sampled_from(FEW), max_size=12))
def test_scores_are_right_and_every_guess_counts_once(guesses):
    stage, counted = make_riddle(3), []
    secret = stage.talk.riddle.secret
    for guess in guesses:
        if stage.state != "your guess":
            break
        stage.hear("=" + guess)
        if guess in counted:
            assert stage.said[0] == "guessed before"
        else:
            counted.append(guess)
        exact, misplaced = feedback.score_places_slowly(guess, secret)
        if guess != secret and not exact + misplaced:
            assert "your score, none" in stage.said
        elif guess != secret:
            shown = [LINES.say_number(number) if number else "none" for number in (exact, misplaced)]
            assert all(number in stage.text.lower() for number in shown)
        assert stage.talk.riddle.game.attempts == len(counted)
    assert (stage.state == "again") == (secret in counted)
    if secret in counted and len(counted) > 1:
        assert "%d guesses" % len(counted) in stage.text


@pytest.mark.only_python_3
def test_a_riddle_ends_after_a_hundred_guesses():
    words = [one + two + "xyz" for one in "abcdefghijklm" for two in "nopqrstuvw"][: games.MAX_TURNS + 2]
    stage = Stage(words, seed=1).hear("I guess")
    secret = stage.talk.riddle.secret
    wrong = [word for word in words if word != secret]
    stage.hear(*["=" + word for word in wrong[: games.MAX_TURNS]])
    assert len(stage.talk.riddle.game.turns) == games.MAX_TURNS and stage.state == "your guess"
    stage.hear("=" + wrong[-1])
    assert (stage.state, stage.said) == ("again", ["so many guesses", "my word was", "play again"])
    assert secret in stage.text


def understand(now, mind, phrase):
    wanted = conversation.list_awaited_meanings(now)
    words = hearing.list_sayable_words(wanted, mind, LINES)
    return hearing.understand_phrase(phrase, 0.9, wanted, LINES, words.words if words else ())


def riddles():
    """Yield a mind, a secret and a talk that waits for the first guess, for each word that NAO may say."""
    mind = resources.load_mind("", "consistent", ())
    for number, secret in enumerate(mind.index.list_words(mind.sayable)):
        game = games.start_game(JOTTO, mind.wordlist.name, mind.wordlist.checksum, number)
        yield mind, secret, Talk(game, riddle=Riddle(game, secret, 0), state="your guess")


@pytest.mark.only_python_3
def test_every_secret_can_be_said():
    # One word of this many is tried; Python 2.7 is slow.
    step = 10 if PY2 else 3
    asked, doubtful = [], ("bravo", "delta", "hotel", "tango")
    chosen = [each for number, each in enumerate(riddles()) if each[1] in doubtful or number % step == 0]
    for mind, secret, now in chosen:
        found = understand(now, mind, secret)
        after = conversation.step_talk(now, mind, found)
        if found.meaning != ANY_WORD:
            asked.append(secret)
            after = conversation.step_talk(after, mind, understand(after, mind, "yes"))
        assert after.state == "judged" and after.riddle.is_solved, secret
    assert len(chosen) >= 2920 // step and sorted(asked) == list(doubtful)


@pytest.mark.only_python_3
def test_every_secret_can_be_spelled():
    known = {}
    for number, (mind, secret, start) in list(enumerate(riddles()))[::7]:
        now = start
        names = [LINES.letters[letter] for letter in secret] if number % 10 else secret.upper()
        for phrase in list(names) + ["yes"]:
            if (now.state, phrase) not in known:
                known[now.state, phrase] = understand(now, mind, phrase)
            now = conversation.step_talk(now, mind, known[now.state, phrase])
        assert now.state == "judged" and now.riddle.is_solved, secret


def test_words_of_the_list_are_understood_where_they_may_be_said():
    mind = mind_of(("ocean", "hotel", "wrong", "ready", "canoe"))
    words = hearing.list_sayable_words(list_meanings("your guess"), mind, LINES)
    assert sorted(words.words) == ["canoe", "hotel", "ocean", "ready", "wrong"]
    assert all(type(phrase) is str for phrase in words.phrases)
    assert sorted(words.phrases) == ["canoe", "ocean", "ready", "wrong"], "hotel is a phrase of the letter's already"
    assert hearing.list_sayable_words(list_meanings("your guess"), mind, LINES) is words, "made once"
    assert hearing.list_sayable_words(list_meanings("ready"), mind, LINES) is None
    confirmed = hearing.list_sayable_words(list_meanings("your guess", True), mind, LINES)
    assert sorted(confirmed.words) == ["canoe", "hotel", "ocean", "ready"], "wrong is no"
    for phrase, confidence, wanted, found in (
        ("Ocean", 0.9, [ANY_WORD, "h"], heard("=ocean")),
        ("ocean", 0.4, [ANY_WORD], Hearing(UNSURE, ANY_WORD, "ocean")),
        ("ocean", 0.2, [ANY_WORD], hearing.NOTHING_HEARD),
        ("ocean", 0.9, ["h"], hearing.NOTHING_HEARD),
        ("Hotel", 0.9, [ANY_WORD, "h"], Hearing(SURE, LETTER_OR_WORD, "hotel")),
        ("hotel", 0.9, ["h"], heard("h")),
        ("H", 0.9, [ANY_WORD, "h"], heard("h")),
        ("alpha", 0.9, [ANY_WORD, "a"], heard("a")),
        ("B", 0.9, [ANY_WORD, "b"], heard("b")),
        ("quick", 0.9, [ANY_WORD], hearing.NOTHING_HEARD),
    ):
        understood = hearing.understand_phrase(phrase, confidence, wanted, LINES, words.words)
        assert understood[:2] == found[:2], phrase
        assert found.meaning != ANY_WORD or understood.phrase == found.phrase


def test_a_recogniser_gets_at_most_five_thousand_words():
    letters = ("abcdef", "ghijkl", "mnoprs", "tuvwxyz")
    words = ["".join(each) + "q" for each in itertools.product(*letters)]
    many = words + [word[::-1] for word in words] + [word[2:] + word[:2] for word in words]
    many += [word[1:] + word[0] for word in words]
    mind = Mind(WordList("test", tuple(many), (None,) * len(many)), None)
    found = hearing.list_sayable_words(list_meanings("your guess"), mind, LINES)
    assert len(many) > 5000 and len(found.phrases) == len(found.words) == 5000
    assert many[0] in found.words and many[-1] in found.words and many[4700] not in found.words
