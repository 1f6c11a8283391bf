"""Games in other languages, what spectators see of a game, and answers typed into the dialog panel."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import shutil

import pytest
from story import BEHAVIOUR, EARS, EASY, FRONT, LINES, NO_VOICE, REAR, TOUCH_ONLY, Story, touches, write

from jotto.compat import as_native, as_text
from jotto.rules import JOTTO
from jotto_behaviour import mind

ALL = ("English", "French", "German", "Spanish")
#: A few words of each language; the last one is secret. Alphabet words and letters with accents are among them.
FEW = {
    "fr": ("table", "livre", "\u00e9gard", "m\u00eales", "avis\u00e9", "\u00e9tang"),
    "de": ("blume", "gr\u00fc\u00dfe", "\u00e4rzte", "h\u00f6rts", "wuchs", "m\u00fchle"),
    "es": ("mundo", "ni\u00f1as", "rat\u00f3n", "libre", "puert", "se\u00f1al"),
}
SECRETS = {"fr": "etang", "de": "m\u00fchle", "es": "se\u00f1al"}
LETTERS = {
    "fr": "",
    "de": "# Letters: abcdefghijklmnopqrstuvwxyz\u00e4\u00f6\u00fc\u00df\n",
    "es": "# Letters: abcdefghijklmnopqrstuvwxyz\u00f1\n",
}


class ForeignStory(Story):
    """A story in another language: the person speaks it."""

    def __init__(self, folder, code, **robot):
        super(ForeignStory, self).__init__(folder, **robot)
        self.lines = mind.load_lines(code)
        # A robot's folders may be named in its language, too.
        path = folder.join(as_native("mots \u00e9t\u00e9 \u00f1 \u00df.txt"))
        path.write_binary((LETTERS[code] + "\n".join(FEW[code]) + "\n").encode("utf-8"))
        self.settings["words"] = as_text(path.strpath)

    def says_that(self, *meanings):
        for meaning in meanings:
            self.says(self.lines.list_phrases([meaning])[0])
        return self.heard

    def answers(self, meaning):
        """Say what a meaning is called in this language; a word of the list is a guess."""
        return self.says_that(meaning)

    @property
    def speaks(self):
        return as_text(self.robot.services["ALTextToSpeech"].getLanguage())


@pytest.mark.parametrize("code", sorted(FEW))
def test_a_game_in_the_language_that_is_wanted(code, tmpdir):
    """The whole game is in it, and what is kept and shown can be read back; NAO's own language is given back."""
    with ForeignStory(tmpdir, code, languages=ALL) as story:
        story.begins(language=code)
        assert story.speaks == story.lines.language
        story.says_that("ready")
        story.plays(SECRETS[code])
        assert story.guess == SECRETS[code]
        text = story.robot.memory.getData(as_native("Jotto/Game"))
        assert isinstance(text, str) and json.loads(text)["settings"]["language"] == code
        # As people write it, and not as it is played.
        assert any(FEW[code][-1] in said.lower() for said in story.said())
        said = story.robot.trace.of("say")
        assert {as_text(event.fields["language"]) for event in said} == {story.lines.language}
        assert all(isinstance(event.fields["text"], str) for event in said)
        story.says_that("no")
        assert story.is_over and story.speaks == "English"


@pytest.mark.parametrize("code", sorted(FEW))
def test_the_player_guesses_in_another_language(code, tmpdir):
    """By saying a word with its accents, and by spelling; by touch, a letter beyond z has its place in the alphabet."""
    with ForeignStory(tmpdir, code, languages=ALL) as story:
        story.begins(language=code, role="maker", seed=3)
        secret = story.talk["riddle"]["secret"]
        first = FEW[code][1 if code != "fr" else 2]
        assert first != secret and as_native(first) in story.robot.ears().vocabulary
        assert first in story.says(first).lower() and len(story.talk["riddle"]["game"]["turns"]) == 1
        # A game that goes on names its words as people write them, too.
        story.says_that("stop", "yes")
        story.starts()
        assert first in story.says_that("yes").lower() and story.state == "your guess"
        story.says_that(*secret)
        assert story.talk["spelled"] == secret and story.state == "your word?"
        story.says_that("yes")
        assert story.state == "again"
        story.says_that("no")


def test_the_robots_own_language_is_played_unless_another_is_wanted(tmpdir):
    with ForeignStory(tmpdir, "fr", languages=("French", "English")) as story:
        story.begins()
        assert story.speaks == "French" and "settings" in story.talk
        assert story.says_that("ready") and story.state == "word"
        story.says_that("stop", "yes")
        # The game that was not finished goes on in its language, even on a robot that speaks another one now.
        story.robot.services["ALTextToSpeech"].setLanguage(as_native("English"))
        story.starts()
        assert story.speaks == "French" and story.state == "unfinished"
        story.says_that("no", "stop", "yes")


def test_another_language_by_voice(tmpdir):
    """It can be chosen before a game, and after it; what a robot has not is not listened for."""
    with ForeignStory(tmpdir, "fr", languages=("English", "French")) as story:
        story.begins()
        vocabulary = [as_text(phrase) for phrase in story.robot.ears().vocabulary]
        assert "let's speak French" in vocabulary and "let's speak German" not in vocabulary
        # However sure NAO is, it must hear it twice: a player who does not speak French would not find the way back.
        story.says("let's speak French")
        assert story.speaks == "English" and story.state == "role"
        story.hears("sorry", "who guesses, shortly")
        story.says("let's speak French")
        assert story.speaks == "French" and story.state == "role"
        assert (
            story.lines.list_wordings("language chosen")[0] in story.heard
            or story.lines.list_wordings("language chosen")[1] in story.heard
        )
        story.says_that("you guess", "ready")
        story.plays(SECRETS["fr"])
        story.says("parlons anglais")
        assert story.speaks == "French" and story.state == "again"
        story.says("parlons anglais", confidence=0.4)
        assert story.speaks == "English" and story.state == "role" and "language" in story.talk["settings"]
        # What is typed is certain.
        story.says("let's speak French", confidence=1.0)
        assert story.speaks == "French" and story.state == "role"
        story.says_that("stop")


def test_a_change_of_language_that_was_misheard_is_forgotten(tmpdir):
    with ForeignStory(tmpdir, "fr", languages=ALL) as story:
        story.begins()
        story.says("let's speak French", "let's speak German", "you guess")
        assert story.state == "ready" and story.speaks == "English"
        story.says("let's speak French")
        assert story.speaks == "English"
        story.stops()


@pytest.mark.parametrize("wanted, language", [("de", "German"), ("klingon", "klingon"), ("Spanish", "Spanish")])
def test_a_robot_without_that_language_says_so_in_one_it_has(wanted, language, tmpdir):
    with ForeignStory(tmpdir, "fr", languages=("French",)) as story:
        story.begins(language=wanted)
        names = dict(story.lines.languages, klingon="klingon")
        code = {"German": "de", "Spanish": "es"}.get(language, "klingon")
        assert story.speaks == "French" and "je ne parle pas %s" % names[code] in story.heard
        story.says_that("you guess", "ready")
        story.plays(SECRETS["fr"])
        story.says_that("no")


def test_a_word_is_learned_with_its_letters_and_kept_apart(tmpdir):
    with ForeignStory(tmpdir, "es", languages=ALL) as story:
        story.begins(language="es", role="breaker")
        story.says_that("ready", "give up", "yes", "yes", *"pa\u00f1os")
        story.says_that("yes", "no")
        with io.open(as_native("%s/own-es.txt" % story.folder), encoding="utf-8") as source:
            assert source.read().split() == ["pa\u00f1os"]
        assert "own.txt" not in story.notes()


def test_the_head_alone_in_another_language(tmpdir):
    """Without a recogniser of that language the game goes on by touch, and says so in it."""
    with ForeignStory(tmpdir, "de", languages=ALL, without=("ALSpeechRecognition", "ALDialog")) as story:
        story.begins(language="de", role="breaker")
        assert story.lines.list_wordings("cannot hear")[0] in story.heard
        story.touches(FRONT)
        assert story.state == "word"
        story.stops()


WHITE, BLUE, GREEN, YELLOW, PURPLE = "#ffffff", "#0000ff", "#00ff00", "#ffff00", "#8000ff"


def test_the_keys_at_every_step_of_a_game(tmpdir):
    """Attempts and Guess go with the guess asked, Score with the last one given, CandidatesLeft with all of them."""

    def fitting(turns):
        return sum(all(JOTTO.score(guess, word) == score for guess, score in turns) for word in EASY)

    with Story(tmpdir, words=EASY) as story:
        story.begins()
        turns, seen = [], []
        while story.state != "again":
            shown = story.get("Attempts"), story.get("Score"), story.get("CandidatesLeft")
            score = "%d %d" % turns[-1][1] if turns else ""
            asked = story.state != "role"
            assert shown == (len(turns) + asked, score, fitting(turns)), story.state
            assert type(story.robot.get("Jotto/State")) is str and (story.guess in EASY) == asked
            seen.append(story.state)
            guess = story.guess
            story.answers(story.answer("money"))
            if seen[-1] in ("both", "misplaced"):
                turns.append((guess, JOTTO.score(guess, "money")))
        assert story.get("Attempts") == len(turns) + 1 and story.guess == "money"
        assert [seen[0]] + seen[-1:] == ["role", "word"] and "both" in seen
        assert story.get("CandidatesLeft") == -1
        story.says("no")
        assert story.state == "gone"


def test_every_box_shows_the_score_it_asks_about(story):
    """Each box keeps the values it has shown; another one may have shown others since."""
    story.says("ready")
    first = story.guess
    story.says("no", "four and zero")
    if story.state == "word":
        story.says("four and zero")
    while story.state == "doubtful":
        assert story.get("Score") == "%d %d" % tuple(dict(story.score)[story.guess])
        if story.guess == first:
            story.says("yes")
        else:
            story.says("no", "zero and two")
    assert story.state == "tell"
    story.says("no", "no")


class Eyes(object):
    def __init__(self, story):
        self.colour, self.speaks, self.listens = WHITE, 0, False
        self.wrong = []
        self.colours = set()
        story.robot.trace.listeners.append(self.see)

    def see(self, event):
        fields = event.fields
        if event.kind == "eyes":
            self.colour = fields["colour"]
            self.colours.add(self.colour)
        elif event.kind == "say" and self.colour != WHITE:
            self.wrong.append("speaks with %s eyes: %s" % (self.colour, fields["plain"]))
        elif event.kind == "hear" and self.colour != BLUE:
            self.wrong.append("hears with %s eyes" % self.colour)
        elif event.kind == "call" and fields.get("service") == EARS and fields["method"] == "start":
            self.listens = True
        elif event.kind == "call" and fields.get("service") == EARS and fields["method"] == "stop":
            self.listens = False
        if self.colour == BLUE and not self.listens and event.kind not in ("call", "eyes"):
            self.wrong.append("blue eyes and deaf at %s" % event.kind)


def test_blue_while_listening_white_while_speaking(tmpdir):
    with Story(tmpdir, words=EASY) as story:
        eyes = Eyes(story)
        story.begins()
        while story.state != "again":
            assert eyes.colour == BLUE and story.robot.ears().engine == EARS
            story.answers(story.answer("money"))
        story.says("no", confidence=0.1)
        story.keeps_silent()
        assert eyes.colour == BLUE
        story.says("no")
        assert eyes.wrong == []
        assert eyes.colours == {WHITE, BLUE, PURPLE, YELLOW}
        assert eyes.colour == WHITE


def test_green_where_only_touch_helps(tmpdir):
    with Story(tmpdir, words=EASY, without=TOUCH_ONLY) as story:
        eyes = Eyes(story)
        story.begins()
        while story.state != "again":
            assert eyes.colour == GREEN
            story.touches(*touches(story.answer("money")))
        story.touches(REAR)
        assert eyes.wrong == [] and BLUE not in eyes.colours and eyes.colour == WHITE


def types(story, *phrases):
    dialog = story.robot.services["ALDialog"]
    for phrase in phrases:
        story.robot.clock.call_soon(dialog.forceInput, as_native(phrase))
        story.passes(0)
    return story.heard


def test_a_whole_game_by_the_panel(tmpdir):
    topic = ["jotto_answers"]
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        dialog = story.robot.services["ALDialog"]
        while story.state != "again":
            assert (dialog.getAllLoadedTopics(), dialog.getActivatedTopics()) == (topic, topic)
            types(story, LINES.list_phrases([story.answer("money")])[0])
        assert story.guess == "money"
        types(story, "no")
        story.hears("goodbye")
        assert dialog.getAllLoadedTopics() == []


def test_the_panel_and_the_head_take_turns_and_every_question_has_its_own_words(tmpdir):
    with Story(tmpdir, words=EASY, without=NO_VOICE) as story:
        story.begins()
        assert {"ready", "help"} <= set(story.robot.ears().vocabulary)
        # Typed while NAO speaks.
        story.robot.hear(as_native("ready"))
        story.robot.advance(1.0)
        types(story, "yes")
        assert story.state == "word"
        story.touches(REAR, FRONT, FRONT, REAR)
        assert story.talk["exact"] == 2
        assert {"zero", "five", "give up"} <= set(story.robot.ears().vocabulary)
        assert "ready" not in story.robot.ears().vocabulary
        types(story, "go back", "Three")
        assert story.talk["exact"] == 3
        types(story, "stop", "yes")
        assert story.is_over
        types(story, "ready")
        assert not story.heard


def test_without_the_topic_or_with_a_broken_one_there_is_the_head(tmpdir):
    """It is missing if only the behaviour was copied."""
    for topic in ("", "u:("):
        folder = os.path.join("%s" % tmpdir, "copy%d" % len(topic))
        left_out = shutil.ignore_patterns("jotto_answers", "lib")
        shutil.copytree(os.path.dirname(os.path.dirname(BEHAVIOUR)), folder, ignore=left_out)
        if topic:
            os.mkdir(os.path.join(folder, "jotto_answers"))
            write(os.path.join(folder, "jotto_answers"), "jotto_answers_enu.top", [topic])
        behaviour = os.path.join(folder, "behavior_1", "behavior.xar")
        with Story(tmpdir.mkdir("notes%d" % len(topic)), words=EASY, behaviour=behaviour, without=NO_VOICE) as story:
            story.breaks = bool(topic)
            story.begins()
            story.hears(*(["hello", "cannot hear"] if topic else ["cannot hear"]))
            story.plays_by_touch("money")
            assert sum("I can't hear" in text for text in story.said()) == 1
            story.touches(REAR)
