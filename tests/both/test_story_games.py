"""Whole games, along a tree too; riddles and the race; and a game that is stopped at every moment."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os

import pytest
from engine_trees import file_of, plan_of, turns_of
from story import EARS, EASY, FRONT, LINES, NO_VOICE, REAR, TOUCH_ONLY, Story, read_behaviour, touches, write

from jotto import compat, feedback, tree, words, words as wordlist
from jotto.compat import as_native, as_text
from jotto.rules import JOTTO
from jotto_behaviour import box_controller, mind, robot
from naosim.world import Faults

SECRETS = ("ocean", "champ")


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
@pytest.mark.parametrize("secret", SECRETS)
def test_the_word_is_found(secret, strategy, tmpdir):
    with Story(tmpdir) as story:
        story.begins(strategy=strategy, seed=len(secret) + SECRETS.index(secret))
        story.hears("hello", "who guesses")
        story.plays(secret)
        story.hears("play again")
        assert story.guess == secret
        assert story.get("Attempts") == len(story.score) + 1 < 15
        story.says("no")
        story.hears("goodbye")
        assert json.loads(story.note("games.jsonl"))["guess"] == secret
        assert not story.note("unfinished.json")


@pytest.mark.only_python_3
def test_the_same_seed_gives_the_same_game(tmpdir):
    games = []
    for seed in (3, 3, 4):
        with Story(tmpdir) as story:
            story.begins_anew(seed=seed)
            story.plays("ocean")
            games.append((story.said(), story.score))
            story.says("no")
    assert games[0] == games[1] != games[2]


def test_a_game_looks_at_its_files_twice_and_the_next_one_reads_a_renewed_list(tmpdir, monkeypatch):
    looked, look = [], mind.list_tree_paths
    monkeypatch.setattr(mind, "list_tree_paths", lambda *place: looked.append(place) or look(*place))
    with Story(tmpdir, words=EASY) as story:
        for number, word in enumerate(("ocean", "ocean", "wharf")):
            if number == 2:
                os.utime(as_native(write(tmpdir, "words.txt", EASY + ("wharf",))), (1, 1))
            del looked[:]
            story.begins(strategy="belief", seed=5)
            story.plays(word)
            assert story.guess == word
            story.says("no")
            # At the start and at the first question: trees of two kinds, of the list and of the shipped one.
            assert len(looked) == 8 or number != 1


@pytest.mark.parametrize("turn", [0, 1])
def test_one_wrong_answer_is_named_put_right_and_the_word_found(turn, tmpdir):
    with Story(tmpdir) as story:
        story.begins()
        for _ in range(turn):
            story.plays("ocean", until="word")
            story.plays("ocean", until="both")
            story.answers(story.answer("ocean"))
        story.plays("ocean", until="both")
        wrong = story.guess
        story.says("zero", "zero")
        story.plays("ocean", until="doubtful")
        story.hears("nothing fits", "is this right")
        while story.guess != wrong:
            story.says("yes")
            assert story.state == "doubtful"
        story.says("no")
        assert story.state in ("both", "exact")
        story.plays("ocean", until="word")
        story.hears("corrected")
        story.plays("ocean")
        story.hears("wonderful")
        assert story.guess == "ocean"
        story.says("no")


def test_an_unknown_word_is_learned_and_known_next_time(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.habits["tell"] = "yes"
        story.plays("whole", until="doubtful")
        while story.state == "doubtful":
            story.says("yes")
        story.hears("not in my list", "tell me")
        story.plays("whole", until="spelled")
        story.hears("spelled")
        assert "W, H, O, L, E" in story.heard and "whole" in story.heard
        story.says("yes")
        story.hears("fits but unknown", "learned", "play again")
        assert story.note("own.txt") == "whole\n"
        story.says("yes")
        story.hears("new word")
        story.plays("whole")
        story.hears("wonderful")
        assert story.guess == "whole"
        story.says("no")
        assert story.note("own.txt") == "whole\n"
        assert len(story.note("games.jsonl").splitlines()) == 2
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.plays("whole")
        assert story.guess == "whole"
        story.says("no")


@pytest.mark.only_python_3
def test_the_level_of_an_unfinished_game_stays_and_the_next_one_has_the_one_wanted(tmpdir):
    with Story(tmpdir) as story:
        story.begins(level="easy", role="maker", strategy="")
        assert story.talk["level"] == "easy"
        story.says("ocean", "stop", "yes")
        story.begins(level="hard", role="maker")
        story.says("yes")
        assert story.talk["level"] == "easy"
        story.says("give up", "yes", "yes")
        assert story.talk["level"] == "hard"
        assert json.loads(story.note("games.jsonl"))["level"] == "easy"
        story.says("stop", "yes")


def test_a_game_with_another_list_is_set_aside(tmpdir):
    """It is offered again with its own list, also if the robot was switched off meanwhile."""
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        story.says("ready", "no", "zero", "one", "stop", "yes")
    with Story(tmpdir) as story:
        story.begins()
        story.hears("other list", "who guesses")
        story.says("ready", "no", "zero", "one", "stop", "yes")
        story.begins(seed=8)
        assert story.state == "unfinished"
        story.stops()
    with Story(tmpdir, words=EASY) as story:
        story.begins()
        assert story.state == "unfinished" and not story.has_said("other list")
        story.says("yes")
        assert [guess for guess, _ in story.talk["game"]["turns"]] and story.talk["game"]["list"] == "words"
        story.says("give up", "yes", "no", "no")
        story.stores("Game", "")
        story.begins()
        assert story.state == "role"
        story.stops()


def test_the_box_says_the_level_if_nothing_else_does(tmpdir):
    for wanted, level in (({}, "easy"), ({"level": ""}, "easy"), ({"level": "hard"}, "hard")):
        with Story(tmpdir.mkdir("%d notes" % len(tmpdir.listdir()))) as story:
            story.behaviour = story.robot.load(read_behaviour(), parameters={"Level": "easy"})
            story.begins(**wanted)
            assert story.talk["level"] == level, wanted
            story.says("stop", "yes")


#: Asks words that cannot be the secret, where they tell more.
PLAN = plan_of(EASY, JOTTO, 4, EASY)


def walking(folder, content=None, words=EASY):
    story = Story(folder, words=words)
    story.settings["strategy"] = "tree"
    path = as_native(os.path.join(story.folder, "words.tree"))
    with io.open(path, "wb") as target:
        target.write(file_of(PLAN, EASY, JOTTO, "words") if content is None else content)
    return story


@pytest.mark.only_python_3
def test_every_word_takes_as_many_attempts_as_the_tree_says(tmpdir):
    with walking(tmpdir) as story:
        story.begins()
        for number, secret in enumerate(EASY, 1):
            story.plays(secret)
            assert story.guess == secret
            assert [guess for guess, _ in story.score] + [secret] == [
                guess for guess, _ in turns_of(PLAN, JOTTO, secret)
            ]
            story.says("yes" if number < len(EASY) else "no")


@pytest.mark.only_python_3
def test_the_default_list_has_trees_and_nao_walks_the_one_its_seed_draws(tmpdir):
    def shipped():
        place = mind.get_default_list()
        with io.open(place, "rb") as source:
            words = wordlist.parse_word_list(source.read(), JOTTO, "en").wordlist.words
        walked = []
        for path in mind.list_tree_paths(place):
            with io.open(path, "rb") as source:
                walked.append(tree.parse_tree(source.read()).bound_to(words, JOTTO))
        return words, walked

    words, drawn = shipped()
    secrets = compat.draw_items(words, 6, 3, "walks")
    with Story(tmpdir) as story:
        story.begins(strategy="")
        for number, secret in enumerate(secrets):
            story.plays(secret)
            # The next game has the next seed.
            walked = compat.draw_item(drawn, story.settings["seed"] + number, "tree")
            node, path = 0, []
            while walked.word(node) != secret:
                path.append(walked.word(node))
                node = walked.find_child(node, feedback.score_places_slowly(path[-1], secret))
            assert [guess for guess, _ in story.score] == path
            story.says("yes" if secret != secrets[-1] else "no")


def test_a_tree_that_cannot_be_used_stops_no_game(tmpdir):
    damaged = file_of(PLAN, EASY, JOTTO)[:-9] + b"123456789"
    theirs = file_of(plan_of(EASY[1:], JOTTO, 1), EASY[1:], JOTTO, "theirs")
    for content, reason in ((damaged, "damaged"), (theirs, "other words ('theirs', 11 of them)")):
        with walking(tmpdir, content) as story:
            story.breaks = True
            story.begins()
            story.hears("hello")
            (line,) = ["%s" % event.fields["text"] for event in story.robot.trace.of("log")]
            assert line.startswith("The tree 'words.tree' is not used: ") and reason in line
            story.plays("ocean")
            assert story.guess == "ocean" and story.behaviour.failures == []
            story.says("no")


@pytest.mark.only_python_3
def test_a_blocked_word_is_never_asked_though_the_tree_would(tmpdir, monkeypatch):
    rude = wordlist.BlockList(frozenset([wordlist.hash_blocked_word(PLAN[0])]))
    monkeypatch.setattr(mind, "_KEPT", {})
    for module in (mind, box_controller, robot):
        monkeypatch.setattr(module, "load_block_list", lambda language="en": rude)
    others = [secret for secret in EASY if secret != PLAN[0]]
    with walking(tmpdir) as story:
        story.begins()
        for secret in others:
            story.plays(secret)
            assert story.guess == secret and PLAN[0] not in dict(story.score)
            story.says("yes" if secret != others[-1] else "no")


def secret_of(story):
    """Return NAO's word, which stands in ALMemory for NAO alone."""
    return story.talk["riddle"]["secret"]


def others(story):
    return [word for word in EASY if word != secret_of(story)]


def spells(story, word):
    return story.says(*[LINES.letters[letter] for letter in word])


def counted(story):
    """List the player's guesses that count, with their scores."""
    return [(guess, tuple(score)) for guess, score in story.talk["riddle"]["game"]["turns"]]


@pytest.mark.parametrize("without", [NO_VOICE, TOUCH_ONLY])
def test_the_same_without_a_voice(without, tmpdir):
    with Story(tmpdir, words=EASY, without=without) as story:
        story.begins()
        story.touches(REAR) if without == TOUCH_ONLY else story.says("my turn to guess")
        guess, secret = others(story)[0], secret_of(story)
        for word in (guess, secret):
            if without == NO_VOICE:
                story.says(word)
            else:
                for letter in word:
                    story.touches(*touches(letter))
                assert story.state == "your word?" and word in story.heard
                story.touches(FRONT)
        story.hears("well guessed", "play again")
        assert counted(story) == [(guess, JOTTO.score(guess, secret))]
        story.touches(REAR)
        noted = json.loads(story.note("games.jsonl"))
        assert (noted["secret"], noted["hints"], len(noted["game"]["turns"])) == (secret, 0, 1)
        assert not story.note("unfinished.json")


def test_the_player_wins_a_race(story):
    story.says("race")
    story.hears("a race", "think of a word")
    story.says("ready")
    story.hears("I have a word, too", "your guess")
    secret, guess = secret_of(story), others(story)[0]
    story.says(guess)
    story.hears("your score")
    assert story.state == "word" and story.get("Attempts") == 1
    mine = next(word for word in EASY if word != story.guess)
    exact, misplaced = JOTTO.score(story.guess, mine)
    asked = story.guess
    story.says("no", LINES.say_number(exact), LINES.say_number(misplaced))
    assert (story.state, story.score) == ("your guess", [(asked, (exact, misplaced))])
    assert (story.guess, len(counted(story))) == (guess, 1)
    story.says(secret)
    story.hears("well guessed", "race lost", "play again")
    assert "2 guesses" in story.heard
    story.says("no")
    assert len(story.note("games.jsonl").splitlines()) == 2


def test_own_words_and_blocked_ones(tmpdir, monkeypatch):
    rude = words.BlockList(frozenset([words.hash_blocked_word("bread")]))
    for module in (mind, box_controller, robot):
        monkeypatch.setattr(module, "load_block_list", lambda language="en": rude)
    with Story(tmpdir, words=EASY + ("whack",)) as story:
        write(tmpdir, "own.txt", ["fjord"])
        story.begins(role="maker", seed=70)
        heard = [as_text(word) for word in story.robot.ears().vocabulary]
        assert {"ocean", "whack", "fjord"} <= set(heard) and "bread" not in heard
        spells(story, "bread")
        story.hears("not such a word")
        assert counted(story) == [] and not any("bread" in text for text in story.said())
        story.stops()


@pytest.mark.only_python_3
def test_the_usual_list_is_heard_and_alphabet_words_are_letters_too(tmpdir):
    with Story(tmpdir) as story:
        story.begins(role="maker")
        heard = [as_text(word).lower() for word in story.robot.ears().vocabulary]
        assert len(heard) > 2500 and len(heard) == len(set(heard))
        story.says("hotel")
        story.hears("word or letter?")
        assert (story.state, counted(story)) == ("word or letter?", [])
        story.says("oscar")
        assert (story.state, story.talk["spelled"]) == ("your guess", "ho")
        story.says("cancel")
        spells(story, "hotel")
        story.says("yes")
        assert [guess for guess, _ in counted(story)] == ["hotel"] or story.state == "again"
        story.stops()


# The same stops in robots that speak and listen differently.
@pytest.mark.only_python_3
@pytest.mark.parametrize(
    "robot",
    (
        {},
        {"without": NO_VOICE},
        {"without": TOUCH_ONLY},
        {"without": ("ALAnimatedSpeech",)},
        {"without": ("ALDialog",), "faults": Faults(raising={(EARS, "setVocabulary"): "grammar"})},
    ),
    ids=lambda robot: "-".join(robot.get("without", ("all",))),
)
def test_a_stop_at_any_moment(robot, tmpdir):
    """Takes seconds: a whole game is stopped again and again, the only look at what each moment leaves behind."""

    def plays_to_the_end(story):
        """Play a game with an unsure answer, a silence, a wrong score, the word spelled; and good-bye."""
        by_touch = story.robot.ears().engine is None
        for phrase, sensors in (
            ("ready", [FRONT] * 2),
            ("no", [REAR]),
            ("zero", [REAR]),
            ("zero", [REAR]),
            ("yes", [FRONT]),
            ("yes", [FRONT]),
            ("charlie", [FRONT] * 3 + [REAR]),
            ("stop", ["MiddleTactilTouched"]),
        ):
            story.touches(*sensors) if by_touch or phrase == "charlie" else story.says(phrase)
        story.touches(FRONT)

    # Seconds of a game between two stops.
    step = 2.8
    with Story(tmpdir, words=EASY, **robot) as story:
        story.breaks = "faults" in robot
        moment, stops = 0.0, 0
        while True:
            story.robot.faults.stop_at = story.robot.clock.now() + moment
            story.begins_anew()
            plays_to_the_end(story)
            story.robot.faults.stop_at = None
            story.passes(step)
            story.stopped = story.behaviour.interrupted
            complaints = story.complaints()
            assert not complaints, "stopped after %s seconds: %s" % (moment, "\n".join(complaints))
            if not story.stopped:
                break
            game = story.talk["game"] if story.get("Game") else {}
            assert not game.get("guess") or game["outcome"] or story.note("unfinished.json")
            moment, stops = moment + step, stops + 1
        assert stops * step > 22


@pytest.mark.parametrize("state", ["ready", "misplaced", "doubtful", "spell", "again", "paused", "your word?"])
def test_stop_start_and_stop_again(state, story):
    story.reaches(state)
    for _ in range(3):
        story.stops()
        story.ends()
        story.starts()
        assert story.state in ("role", "unfinished")


def test_a_stop_before_the_start(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        story.stops()
        story.begins()
        story.plays("money")
        story.says("no")


def test_the_box_in_use_is_stopped_by_its_own_input(story):
    """Another diagram may stop a box: it falls silent and says that it has stopped."""
    story.says("ready")
    story.robot.clock.call_soon(story.box("Is it the word?").onInput_onStop)
    story.passes(0.5)
    assert story.robot.ears().engine is None and story.robot.ears().touch == ()
    story.robot.clock.call_soon(story.box("Is it the word?").onInput_onStart)
    story.passes(0)
    assert (story.state, story.robot.ears().engine) == ("word", EARS)
    story.plays("money")
    story.says("no")
