"""The language a game is played in: its lines, in the mouth and the ears of a box, and what a robot can do in it."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os

from jotto import game as games
from jotto.compat import as_native

from . import resources
from .languages import DEFAULT, NAMES, RobotLanguages, language_of
from .states import LANGUAGES
from .transitions import ask

MYPY = False
if MYPY:
    from typing import List, Sequence

    from .ears import Ears
    from .mind import Mind
    from .mouth import Mouth
    from .services import Services
    from .talk import Talk

#: A project keeps its dialog topics in this folder, one for each language.
TOPICS = as_native("jotto_answers")


class GameLanguage(object):
    """What a box speaks and understands; begins with English. `root` is the folder of the behaviour's project."""

    def __init__(self, services, mouth, ears, root):  # type: (Services, Mouth, Ears, str) -> None
        self._services = services
        self._mouth, self._ears, self._root = mouth, ears, root
        self.robot = RobotLanguages(services)
        self.code = ""
        self.change(DEFAULT)

    def change(self, code):  # type: (str) -> None
        """Speak and listen in a language from now on."""
        if code == self.code:
            return
        self.code, self.lines = code, resources.lines(code)
        topic = os.path.join(self._root, TOPICS, as_native("jotto_answers_%s.top" % self.lines.code))
        self._mouth.change(self.lines, resources.blocked(code))
        self._ears.change(self.lines.language, topic if os.path.exists(topic) else None)

    def tell_robot(self):  # type: () -> None
        """Have the robot's voice speak this language."""
        wanted = as_native(self.lines.language)
        if self.robot.own() != self.lines.language:
            self._services.attempt("ALTextToSpeech", "setLanguage", wanted)

    def takes_over(self, talk):  # type: (Talk) -> bool
        """Change to the language of a talk, and the robot with it; return False where it cannot be played in."""
        if not self.is_playable(talk.language, talk.settings.words):
            return False
        self.change(talk.language)
        self.tell_robot()
        return True

    def write(self, mind):  # type: (Mind) -> None
        """Have words said as they are written in the list."""
        self._mouth.change(self.lines.writing(mind.wordlist), mind.blocked)

    def is_playable(self, code, words):  # type: (str, str) -> bool
        """Tell whether a language can be played in: the robot speaks it, and has a list; `words` is another's path."""
        return code in NAMES and resources.has_words(code, words) and self.robot.speaks(code)

    def offered(self, meanings, words):  # type: (Sequence[str], str) -> List[str]
        """Leave out the languages that cannot be chosen: the present one, and those without a voice or words."""
        if not set(LANGUAGES).intersection(meanings):
            return list(meanings)
        installed = self.robot.installed() or ()
        codes = {
            code
            for code in NAMES
            if code != self.code and NAMES[code] in installed and resources.has_words(code, words)
        }
        return [meaning for meaning in meanings if meaning not in LANGUAGES or language_of(meaning) in codes]


def refused(talk, language):  # type: (Talk, str) -> Talk
    """Say that NAO does not speak a language, and ask again in the one of this game."""
    return ask(talk._replace(says=()).say("no such language", language=language), brief=True)


def begun_anew(talk, mind):  # type: (Talk, Mind) -> Talk
    """Return the talk with its game on the list of a new language; nothing was played in the old one."""
    game = games.start_game(mind.rules, mind.wordlist.name, mind.wordlist.checksum, talk.game.seed)
    return talk._replace(game=game, left=mind.left(game))
