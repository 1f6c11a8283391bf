"""Games in other languages on a robot: chosen, the robot's own, by voice; with accents wherever they can hurt."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json

import pytest
from story import FRONT, Story

from jotto.compat import as_native, as_text
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
        """Say the first phrase of each meaning."""
        for meaning in meanings:
            self.says(self.lines.phrases([meaning])[0])
        return self.heard

    def answers(self, meaning):
        """Say what a meaning is called in this language; a word of the list is a guess."""
        return self.says_that(meaning)

    @property
    def speaks(self):
        """Return what the voice of the robot speaks at the moment."""
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
            story.lines.variants("language chosen")[0] in story.heard
            or story.lines.variants("language chosen")[1] in story.heard
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
        assert story.lines.variants("cannot hear")[0] in story.heard
        story.touches(FRONT)
        assert story.state == "word"
        story.stops()
