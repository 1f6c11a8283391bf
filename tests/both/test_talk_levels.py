"""Easy, normal and hard games: which words NAO thinks of, how it guesses, when it offers a hint, and what is kept."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os

import pytest
from engine_words import WORDS
from story import BEHAVIOUR, Story, judged_once
from talk_stage import LINES, Stage

from jotto import compat, words
from jotto import game as games
from jotto.compat import as_native
from jotto.index import Index
from jotto.rules import JOTTO
from jotto.strategies import Commonest, Consistent, Entropy, Position
from jotto.words import replace_letters
from jotto_behaviour import mind as resources
from jotto_behaviour import settings, states
from jotto_behaviour.files import Notebook
from jotto_behaviour.mind import Mind
from jotto_behaviour.settings import EASY, HARD, LEVELS, NORMAL, Settings
from jotto_behaviour.talk import Talk

SIZES = (10, 20, 35, 50)
BANDS = tuple(SIZES[number % 4] for number in range(len(WORDS)))


def listed(bands=BANDS):
    return words.WordList("test", tuple(WORDS), tuple(bands))


def of_size(most):
    return [word for word, band in zip(WORDS, BANDS) if band <= most]


# What NAO thinks of


@pytest.mark.parametrize("level, most", [(EASY, 10), (NORMAL, 20), (HARD, 50)])
def test_secrets_by_level(level, most):
    mind = Mind(listed(), Consistent())
    assert mind.at(level).secrets() == of_size(most) and mind.at(level).at(NORMAL) is mind
    assert mind.at(level).level == level and mind.at(level).at(level) is mind.at(level)


def test_easy_secrets_are_words_everybody_knows_where_some_are_named():
    familiar = frozenset(of_size(10)[:5] + [word for word, band in zip(WORDS, BANDS) if band == 50][:5])
    assert Mind(listed(), Consistent(), familiar=familiar).at(EASY).secrets() == sorted(familiar, key=WORDS.index)
    assert Mind(listed(), Consistent(), familiar=frozenset(["zesty"])).at(EASY).secrets() == of_size(10)


@pytest.mark.parametrize("level", LEVELS)
def test_a_list_that_says_nothing_of_commonness_has_one_kind_of_secret(level):
    assert Mind(listed([None] * len(WORDS)), Consistent()).at(level).secrets() == list(WORDS)
    rare = Mind(listed([50] * len(WORDS)), Consistent())
    assert rare.at(level).secrets() == list(WORDS)


def test_the_lists_nao_thinks_of():
    mind = resources.load_mind("", "", ())
    easy, normal, hard = (set(mind.at(level).secrets()) for level in LEVELS)
    assert easy < normal < hard and hard == set(words_of("en", "secrets"))
    # Computer's words are common in the sources of the list, and no child's.
    assert not easy & {"datum", "chars", "input", "death", "right"} and "water" in easy


def words_of(code, kind):
    path = os.path.join(resources.HERE, *("../../wordlists/%s-%s.txt" % (code, kind)).split("/"))
    with io.open(path, encoding="utf-8") as source:
        rules = replace_letters(JOTTO, resources.load_lines(code).alphabet)
        return frozenset(words.parse_word_list(source.read().encode("utf-8"), rules, kind).wordlist.words)


def late_words(code):
    return words_of(code, "late")


@pytest.mark.parametrize("code", settings.LANGUAGE_CODES)
def test_easy_games_have_many_secrets_in_every_language(code):
    """Every secret is a word of the list, and NAO knows how to say it."""
    mind = resources.load_mind("", "", (), code)
    assert len(mind.at(EASY).secrets()) >= 250 and words_of(code, "secrets") == set(mind.at(HARD).secrets())
    assert set(mind.at(EASY).secrets()) <= words_of(code, "early")


@pytest.mark.parametrize("code", settings.LANGUAGE_CODES)
@pytest.mark.parametrize("level", LEVELS)
def test_nao_never_thinks_of_a_late_word(level, code):
    mind, late = resources.load_mind("", "", (), code), late_words(code)
    assert late < set(mind.wordlist.words) and not late.intersection(mind.at(level).secrets())


def test_words_of_the_players_own_list_are_secrets_at_every_level(tmpdir):
    own = tmpdir.join("own.txt")
    own.write("abuse\nocean\nwitch\n")
    mind = resources.load_mind(str(own), "", ())
    assert [set(mind.at(level).secrets()) for level in LEVELS] == [{"abuse", "ocean", "witch"}] * 3


# How NAO guesses


def position(words, candidates):
    index = Index(words, JOTTO)
    return Position(index, sum(index.bit(word) for word in candidates), None, 0, 5)


def test_the_commonest_words_that_fit_are_asked_first():
    index = Index(WORDS, JOTTO)
    first, second = WORDS[:6], WORDS[6:20]
    strategy = Commonest([sum(map(index.bit, first)), sum(map(index.bit, second))])
    assert strategy.choose(position(WORDS, WORDS)) in first
    assert strategy.choose(position(WORDS, WORDS[3:])) in first[3:]
    assert strategy.choose(position(WORDS, WORDS[6:])) in second
    assert strategy.choose(position(WORDS, WORDS[30:])) in WORDS[30:]
    best = Commonest([sum(map(index.bit, second))], Entropy())
    assert best.choose(position(WORDS, WORDS)) == Entropy().choose(position(WORDS, second))


def played(mind, secret, seed=3):
    game, asked = games.start_game(JOTTO, "test", "", seed), []
    while len(asked) < 30:
        guess = mind.next_guess(game)
        asked.append(guess)
        if guess == secret:
            return asked
        game = game.ask(guess).answer(JOTTO.score(guess, secret))
    raise AssertionError("%s is not found: %s" % (secret, asked))


@pytest.mark.parametrize("strategy", ["", "tree", "consistent", "entropy"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_of_word_is_found_at_every_level(level, strategy):
    mind = resources.load_mind("", strategy, ())
    words = compat.draw_items(mind.wordlist.words, 25, 4, level, strategy) + list(mind.wordlist.words[-2:])
    for secret in words:
        assert played(mind.at(level), secret)[-1] == secret


@pytest.mark.parametrize(
    "code, strategy",
    [(code, "") for code in settings.LANGUAGE_CODES] + [("en", "consistent"), ("en", "entropy"), ("en", "tree")],
)
@pytest.mark.parametrize("level", LEVELS)
def test_nao_asks_a_late_word_only_if_no_other_word_fits(level, code, strategy):
    mind, late = resources.load_mind("", strategy, (), code).at(level), late_words(code)
    for secret in compat.draw_items(sorted(late), 30, 5, level, code, strategy):
        game = games.start_game(mind.rules, code, "", 3)
        while game.guess != secret:
            game = game.ask(mind.next_guess(game))
            assert game.guess not in late or late.issuperset(mind.index.chosen(mind.fitting(game))), game
            if game.guess != secret:
                game = game.answer(mind.rules.score(game.guess, secret))


@pytest.mark.parametrize(
    "seed, answers",
    [
        (28, [(0, 2), (1, 0), (2, 2)]),
        (34, [(0, 2), (0, 4), (1, 1)]),
        (52, [(2, 2), (0, 2)]),
        (62, [(2, 2), (3, 0)]),
        (72, [(1, 1), (0, 4), (1, 1)]),
    ],
)
def test_nao_asks_no_late_word_after_contradictory_answers(seed, answers):
    """No word fits every answer here, so NAO compares words that nearly fit; the best of them were late words."""
    mind = resources.load_mind("", "", ())
    game = games.start_game(JOTTO, "en", "", seed)
    for answer in answers:
        game = game.ask(mind.next_guess(game)).answer(answer)
    assert not mind.fitting(game) and mind.next_guess(game) not in late_words("en")


def test_easy_games_begin_with_words_everybody_knows_and_hard_ones_with_the_sharpest():
    mind = resources.load_mind("", "", ())
    bands = dict(zip(mind.wordlist.words, mind.wordlist.bands))
    firsts = {
        level: {mind.at(level).next_guess(games.start_game(JOTTO, "en", "", seed)) for seed in range(30)}
        for level in LEVELS
    }
    assert all(bands[word] == 10 for word in firsts[EASY]) and len(firsts[EASY]) > 15
    assert firsts[NORMAL] == {"parts", "cares", "dares", "tapes"} and firsts[HARD] == {"parts"}
    # All words are as likely in hard games.
    assert mind.at(HARD).strategy.prior is None and mind.strategy.prior == mind.at(EASY).strategy.prior != {}


def test_answers_that_contradict_each_other_are_borne_in_easy_games_too():
    mind = resources.load_mind("", "", ()).at(EASY)
    game = games.start_game(JOTTO, "en", "", 3)
    for answer in ((0, 1), (1, 0), (2, 2), (1, 1)):
        game = game.ask(mind.next_guess(game)).answer(answer)
        if mind.is_lost(game):
            return
        assert mind.next_guess(game)


# What is said


@pytest.mark.parametrize("name", ["role", "ready"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_chosen_by_voice(level, name):
    stage = Stage()
    if name == "ready":
        stage.hear("you guess")
    stage.hear(level)
    assert stage.state == name and stage.talk.level == stage.talk.settings.level == level
    assert stage.said[0] == "level, " + level
    stage.hear("ready").score(0, 0)
    assert stage.talk.level == level


def test_a_level_is_heard_where_a_game_begins_alone():
    taking = {name for name, state in states.STATES.items() if EASY in state.moves}
    assert taking == {"role", "ready"}
    for level in LEVELS:
        for name in taking:
            phrases = LINES.phrases([level])
            # No phrase of another meaning is among them, nor begins one.
            others = [phrase for phrase in LINES.phrases(states.list_meanings(name, True)) if phrase not in phrases]
            assert level in phrases and not any(other.split()[0] in phrases for other in others)


def test_the_level_stays_for_the_next_game_and_one_chosen_in_the_settings_is_played():
    stage = Stage(level=HARD)
    assert stage.talk.level == NORMAL  # the stage begins as the boxes do, with a talk of its own
    stage.hear("easy", "I guess", "give up", "yes", "yes")
    assert stage.state == "your guess" and stage.talk.level == EASY


def easy_riddle(seed=1):
    game = games.start_game(JOTTO, "test", "", seed)
    return Stage(start=Talk(game, settings=Settings(level=EASY), level=EASY), seed=seed).hear("I guess")


def test_a_hint_is_offered_to_who_is_stuck_in_an_easy_game():
    stage = easy_riddle()
    offered = []
    wrong = [word for word in WORDS if word != stage.talk.riddle.secret][:7]
    for word in wrong:
        stage.hear("=" + word)
        offered.append("hint offered" in stage.said)
    assert offered == [False, False, False, True, False, True, False]
    stage.hear("hint")
    assert stage.talk.riddle.hints == 1 and stage.said[0] == "a letter"
    stage.quiet()
    assert stage.said[-1] == "hint offered"


def test_no_hint_is_offered_at_other_levels_nor_where_none_is_left_nor_amid_spelling():
    stage = Stage().hear("I guess")
    for word in [word for word in WORDS if word != stage.talk.riddle.secret][:6]:
        stage.hear("=" + word)
        assert "hint offered" not in stage.said
    assert "hint offered" not in stage.quiet().said
    stage = easy_riddle().hear(*["hint"] * 10)
    assert "hint offered" not in stage.quiet().said
    stage = easy_riddle().hear("a")
    assert "hint offered" not in stage.quiet().said


# What is kept


@pytest.mark.parametrize("level", LEVELS)
def test_a_kept_game_says_its_level_where_it_is_not_the_usual_one(level, tmpdir):
    book = Notebook("%s" % tmpdir)
    game = games.start_game(JOTTO, "en", "", 1).ask("ocean").solve()
    book.finish(game, level)
    with io.open(os.path.join(book.folder, "games.jsonl"), encoding="utf-8") as source:
        plain = json.loads(source.read())
    assert plain.get("level", NORMAL) == level and games.read_game(plain) == game


def test_settings_say_the_level_and_an_empty_one_is_not_said():
    assert Settings(level=EASY).overridden({"level": ""}).level == EASY
    assert Settings(level=EASY).overridden({"level": HARD}).played_level == HARD
    for odd in ("odd", 3, None):
        assert Settings().overridden({"level": odd}).played_level == NORMAL
    assert "level" not in Settings().plain() and Settings(level=HARD).plain()["level"] == HARD


# On the robot


def test_the_level_of_an_unfinished_game_stays_and_the_next_one_has_the_one_wanted(tmpdir):
    with Story(tmpdir) as story:
        story.begins(level=EASY, role="maker", strategy="")
        assert story.talk["level"] == EASY
        story.says("ocean", "stop", "yes")
        story.begins(level=HARD, role="maker")
        story.says("yes")
        assert story.talk["level"] == EASY
        story.says("give up", "yes", "yes")
        assert story.talk["level"] == HARD
        assert json.loads(story.note("games.jsonl"))["level"] == EASY
        story.says("stop", "yes")


@pytest.mark.parametrize("wanted, level", [({}, EASY), ({"level": ""}, EASY), ({"level": HARD}, HARD)])
def test_the_box_says_the_level_where_nothing_else_does(wanted, level, tmpdir):
    with Story(tmpdir) as story:
        with judged_once():
            story.behaviour = story.robot.load(as_native(BEHAVIOUR), parameters={"Level": "easy"})
        story.begins(**wanted)
        assert story.talk["level"] == level
        story.says("stop", "yes")
