"""The first box: it reads the settings and the word list, and begins a new game or continues an old one."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os
import re

from jotto import game as games
from jotto.compat import as_native, as_text, path_text
from jotto.rules import FutureVersion, JottoError, SavedGameError
from jotto.strategies import UnknownStrategy
from jotto_behaviour import conversation, memory, mind, robot
from jotto_behaviour.box_controller import BoxController
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.mind import Mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE, ROBOT_LANGUAGE, Settings, find_code
from jotto_behaviour.states import EXITS, START
from jotto_behaviour.talk import Talk, list_ended_games

MYPY = False
if MYPY:
    from typing import Any, Callable, List, Optional

#: The default folder of the notebook.
_NOTES = as_native("~/.local/share/nao-jotto")


class StartController(BoxController):
    """The code of the first box, which begins a game; `seed` draws a number if none is set."""

    def __init__(self, box, proxy, timer, root, seed):
        # type: (Any, Callable[[str], Any], Callable[..., Any], str, Callable[[], int]) -> None
        BoxController.__init__(self, box, proxy, timer, root)
        self._draw_seed = seed
        self._settings = Settings()
        self._remarks = []  # type: List[Line]
        self._own_language = ""

    def _begin(self):  # type: () -> None
        self._here = START
        self._remarks = []
        # Reading the words takes a robot a while.
        self.face.show(robot.THINKING_COLOUR)
        self._settings = self._wanted()
        self.notebook = Notebook(self._settings.folder)
        self._speak(self._chosen_language())
        mind = self._find_mind()
        self.language.write(mind)
        for remark in mind.remarks:
            self.box.logger.warning(as_native(remark))
        talk = self._old_talk(mind)
        if talk is None:
            game = games.start_game(mind.rules, mind.wordlist.name, mind.wordlist.checksum, self._seed())
            talk = Talk(game, level=self._settings.played_level)
        talk = conversation.welcome(talk._replace(settings=self._settings, says=()), mind)
        if self.ears.deaf():
            self._remarks.append(Line("cannot hear", {}))
        self._save(talk._replace(says=tuple(self._remarks) + talk.says))
        self._fire(EXITS[START, talk.box])

    def _chosen_language(self):  # type: () -> str
        """Return the language wanted, else the unfinished game's, else the robot's own; refuse an unknown one aloud."""
        wanted = self._settings.language or ""
        code = find_code(wanted) if wanted and wanted != ROBOT_LANGUAGE else self._unfinished_language()
        if code is not None and self.language.is_playable(code, self._settings.words):
            return code
        usual = self.language.robot.usual()
        usual = usual if mind.has_words(usual, self._settings.words) else DEFAULT_LANGUAGE
        if wanted and wanted != ROBOT_LANGUAGE and code != usual:
            self._remarks.append(Line("no such language", {"language": code or _sayable(wanted)}))
        return usual

    def _unfinished_language(self):  # type: () -> Optional[str]
        """Return the language of the unfinished game, None if there is none or it is unreadable."""
        try:
            text = self.notebook.unfinished()
            talk = self.memory.load() or (memory.read_talk_text(text) if text else None)
        except (FutureVersion, SavedGameError):
            return None
        return talk.language if talk is not None and conversation.has_unfinished_game(talk) else None

    def _speak(self, code):  # type: (str) -> None
        """Speak a language, and remember the one to give back."""
        self._own_language = self._own_language or self.language.robot.own()
        self.language.change(code)
        self.language.tell_robot()
        self.notebook = mind.open_notebook(self._settings.folder, code)
        # A saved game does not name its language if it is English.
        self._settings = self._settings._replace(language=None if code == DEFAULT_LANGUAGE else code)

    def close(self):  # type: () -> None
        """Close like every controller, and restore NAO's own language, which NAOqi before 2.5 does not do."""
        BoxController.close(self)
        own, self._own_language = self._own_language, ""
        if own and self.language.robot.own() != own:
            self.services.attempt("ALTextToSpeech", "setLanguage", as_native(own))

    def _wanted(self):  # type: () -> Settings
        """Return the box's parameters, overridden by the settings in ALMemory."""
        parameters = Settings(
            words=as_text(self.box.getParameter("Word list")).strip(),
            strategy=as_text(self.box.getParameter("Strategy")).strip(),
            seed=int(self.box.getParameter("Seed")),
            folder=path_text(os.path.expanduser(_NOTES)),
            level=as_text(self.box.getParameter("Level")).strip(),
            language=as_text(self.box.getParameter("Language")).strip(),
        )
        return parameters.overridden(self.memory.settings())

    def _seed(self):  # type: () -> int
        """Return the seed that is set, or draw one if it is 0."""
        return int(self._settings.seed or self._draw_seed())

    def _find_mind(self):  # type: () -> Mind
        """Return the mind with the list and the strategy wanted; refuse unusable ones aloud and use the usual ones."""
        settings = self._settings
        try:
            return self._mind_of(settings)
        except UnknownStrategy:
            self._remarks.append(Line("no such strategy", {"strategy": _sayable(settings.strategy)}))
            self._settings = settings._replace(strategy="")
            return self._find_mind()
        except JottoError as error:
            if not settings.words:
                raise
            self.box.logger.warning(str(error))
            name = os.path.splitext(os.path.basename(settings.words))[0]
            self._remarks.append(Line("no such list", {"list": _sayable(name)}))
            self._settings = settings._replace(words="")
            return self._mind_of(self._settings)

    def _mind_of(self, settings):  # type: (Settings) -> Mind
        return mind.load_mind(settings.words, settings.strategy, self.notebook.learned(), self.language.code)

    def _old_talk(self, mind):  # type: (Mind) -> Optional[Talk]
        """Return the unfinished talk from ALMemory, or from the notebook after a restart; None if none is usable."""
        try:
            talk = self.memory.load()
            if talk is None and self.notebook.unfinished():
                talk = memory.read_talk_text(self.notebook.unfinished())
        except FutureVersion:
            self._remarks.append(Line("newer notes", {}))
            return None
        except SavedGameError:
            self._remarks.append(Line("damaged notes", {}))
            return None
        if talk is None or not conversation.has_unfinished_game(talk):
            if talk is not None and memory.is_unnoted(talk):
                for played in list_ended_games(conversation.think_to_question(talk, mind)):
                    self.notebook.finish(played, talk.level, again=True)
            return None
        if talk.game.list_name != mind.wordlist.name:
            self._remarks.append(Line("other list", {}))
            return None
        return talk


def _sayable(name):  # type: (str) -> str
    """Return a name from the settings as NAO can say it: short, and without commands of the voice."""
    return " ".join(re.sub(r"[^\w.-]|_", " ", name[:30], flags=re.UNICODE).split())
