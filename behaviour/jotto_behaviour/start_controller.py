"""The first box: it reads the settings and the word list, and begins a new game or continues an old one."""

from __future__ import absolute_import, division, print_function, unicode_literals

import os
import re
from collections import namedtuple

from jotto.compat import as_native, as_text, format_path
from jotto.game import start_game
from jotto.rules import FutureVersion, JottoError, SavedGameError
from jotto.strategies import UnknownStrategy
from jotto_behaviour import conversation, memory, riddle, robot
from jotto_behaviour.box_controller import BoxController
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.mind import Mind, has_words, load_mind, open_notebook
from jotto_behaviour.settings import DEFAULT_LANGUAGE, ROBOT_LANGUAGE, Settings, find_code
from jotto_behaviour.states import EXITS, START
from jotto_behaviour.talk import Talk, list_ended_games

MYPY = False
if MYPY:
    from typing import Any, Callable, List, Optional, Sequence, Tuple

#: A saved game: its talk, the text that it is saved as, and whether it was set aside for a later game.
_SavedGame = namedtuple("_SavedGame", "talk text is_aside")

#: The default folder of the notebook.
_NOTES = as_native("~/.local/share/nao-jotto")


class StartController(BoxController):
    """The code of the first box, which begins a game; `seed` draws a number if the box has no seed."""

    def __init__(self, box, proxy, timer, root, seed):
        # type: (Any, Callable[[str], Any], Callable[..., Any], str, Callable[[], int]) -> None
        BoxController.__init__(self, box, proxy, timer, root)
        self._draw_seed = seed
        self._settings = Settings()
        self._remarks = []  # type: List[Line]
        self._trouble = None  # type: Optional[Line]
        self._own_language = ""

    def _begin(self):  # type: () -> None
        self._here = START
        self._remarks = []
        # Reading the words takes a robot a while.
        self.face.show(robot.THINKING_COLOUR)
        self._settings = self._get_settings()
        self.notebook = Notebook(self._settings.folder)
        saved = self._list_saved_games()
        offered = [each for each in saved if self._may_continue(each.talk)]
        self._speak(self._choose_language(offered))
        mind = self._find_mind()
        self.language.write(mind)
        for remark in mind.remarks:
            self.box.logger.warning(as_native(remark))
        old = self._choose_game(offered, mind)
        self._note_finished_games(saved, mind)
        self._set_games_aside(saved, old)
        talk = None if old is None else old.talk
        if talk is None:
            game = start_game(mind.rules, mind.wordlist.name, mind.wordlist.checksum, self._seed())
            talk = Talk(game, level=self._settings.played_level)
        talk = conversation.welcome(talk._replace(settings=self._settings, says=()), mind)
        if self.ears.is_deaf():
            self._remarks.append(Line("cannot hear", {}))
        self._save(talk._replace(says=tuple(self._remarks) + talk.says))
        self._fire(EXITS[START, talk.box])

    def _choose_language(self, offered):  # type: (Sequence[_SavedGame]) -> str
        """Return the language wanted, else the unfinished game's, else the robot's own; refuse an unknown one aloud."""
        wanted, usual = self._get_language_setting(), self._choose_usual_language()
        code = find_code(wanted) if wanted else next((each.talk.language for each in offered), None)
        if code is not None and self.language.is_playable(code, self._settings.words):
            return code
        if wanted and code != usual:
            self._remarks.append(Line("no such language", {"language": code or _sayable(wanted)}))
        return usual

    def _get_language_setting(self):  # type: () -> str
        """Return the setting of the language, "" for the robot's own."""
        wanted = self._settings.language or ""
        return "" if wanted == ROBOT_LANGUAGE else wanted

    def _choose_usual_language(self):  # type: () -> str
        usual = self.language.robot.choose_usual()
        return usual if has_words(usual, self._settings.words) else DEFAULT_LANGUAGE

    def _speak(self, code):  # type: (str) -> None
        """Speak a language, and remember the one to give back."""
        self._own_language = self._own_language or self.language.robot.get_own()
        self.language.change(code)
        self.language.tell_robot()
        self.notebook = open_notebook(self._settings.folder, code)
        # A saved game does not name its language if it is English.
        self._settings = self._settings._replace(language=None if code == DEFAULT_LANGUAGE else code)

    def close(self):  # type: () -> None
        """Close like every controller, and restore NAO's own language, which NAOqi before 2.5 does not do."""
        BoxController.close(self)
        own, self._own_language = self._own_language, ""
        if own and self.language.robot.get_own() != own:
            self.services.attempt("ALTextToSpeech", "setLanguage", as_native(own))

    def _get_settings(self):  # type: () -> Settings
        """Return the box's parameters, overridden by the settings in ALMemory."""
        parameters = Settings(
            words=as_text(self.box.getParameter("Word list")).strip(),
            strategy=as_text(self.box.getParameter("Strategy")).strip(),
            seed=int(self.box.getParameter("Seed")),
            folder=format_path(os.path.expanduser(_NOTES)),
            level=as_text(self.box.getParameter("Level")).strip(),
            language=as_text(self.box.getParameter("Language")).strip(),
        )
        return parameters.overridden(self.memory.load_settings())

    def _seed(self):  # type: () -> int
        """Return the seed that is set, or draw one if it is 0."""
        return int(self._settings.seed or self._draw_seed())

    def _find_mind(self):  # type: () -> Mind
        """Return the mind with the list and the strategy wanted; refuse unusable ones aloud and use the usual ones."""
        settings = self._settings
        try:
            return self._load_mind_for(settings)
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
            return self._load_mind_for(self._settings)

    def _load_mind_for(self, settings):  # type: (Settings) -> Mind
        return load_mind(settings.words, settings.strategy, self.notebook.list_learned_words(), self.language.code)

    # Saved games: the latest one, and those set aside for it

    def _list_saved_games(self):  # type: () -> List[_SavedGame]
        """List the saved games, the latest first: in ALMemory, in the notebook, and set aside."""
        self._trouble = None
        found = []  # type: List[_SavedGame]
        latest, aside = [self.memory.load_text(), self.notebook.load_unfinished()], self.notebook.list_aside()
        for text, is_aside in [(text, False) for text in latest if text] + [(text, True) for text in aside]:
            try:
                talk = memory.parse_talk_text(text)
            except (FutureVersion, SavedGameError) as error:
                if not is_aside:
                    is_newer = isinstance(error, FutureVersion)
                    self._trouble = self._trouble or Line("newer notes" if is_newer else "damaged notes", {})
                continue
            if all(_identify_game(talk) != _identify_game(each.talk) for each in found):
                found.append(_SavedGame(talk, text, is_aside))
            elif is_aside:
                self.notebook.drop_aside(text)
        return found

    def _may_continue(self, talk):  # type: (Talk) -> bool
        """Return whether a game is unfinished, and the player's wish; its language is compared later.

        A language that was chosen for one game is not offered later to a player who has chosen none.
        """
        wanted, given = self._settings, set(self._settings.given)
        has = {"role": riddle.get_role(talk), "level": talk.level, "seed": talk.game.seed}
        is_usual = self._get_language_setting() or "language" not in talk.settings.given
        return (
            conversation.has_unfinished_game(talk)
            and all(has[name] == getattr(wanted, name) for name in given.intersection(has))
            and bool(is_usual or talk.language == self._choose_usual_language())
        )

    def _choose_game(self, offered, mind):  # type: (Sequence[_SavedGame], Mind) -> Optional[_SavedGame]
        """Return the game that NAO offers to continue: the latest one in this language, with this list."""
        ours = [each for each in offered if each.talk.language == self.language.code]
        found = next((each for each in ours if each.talk.game.list_name == mind.wordlist.name), None)
        if found is None and ours and not ours[0].is_aside:
            self._remarks.append(Line("other list", {}))
        elif found is None and self._trouble is not None:
            self._remarks.append(self._trouble)
        return found

    def _note_finished_games(self, saved, mind):  # type: (Sequence[_SavedGame], Mind) -> None
        """Note games that were over, but could still be continued when the robot was switched off."""
        for talk in [each.talk for each in saved if not each.is_aside]:
            if memory.is_unnoted(talk) and not conversation.has_unfinished_game(talk):
                for played in list_ended_games(conversation.think_to_question(talk, mind)):
                    self.notebook.finish(played, talk.level, again=True)

    def _set_games_aside(self, saved, chosen):  # type: (Sequence[_SavedGame], Optional[_SavedGame]) -> None
        """Set unfinished games aside that give way to the chosen one, or to a new one.

        If that fails, NAO does not save the game that it begins: the file of the unfinished game stays as it is.
        """
        for each in saved:
            if each is chosen or each.is_aside or not conversation.has_unfinished_game(each.talk):
                continue
            if self.notebook.folder is not None and not self.notebook.set_aside(each.text):
                self._log_troubles()
                self.notebook, self._settings = Notebook(None), self._settings._replace(folder=None)
        if chosen is None or not chosen.is_aside:
            return
        if memory.keep_game(self.notebook, chosen.talk) == memory.SAVED:
            self.notebook.drop_aside(chosen.text)


def _identify_game(talk):  # type: (Talk) -> Tuple[Any, ...]
    """Return a value that differs for different games."""
    return talk.language, talk.game.list_name, talk.game.seed, riddle.get_role(talk), talk.level


def _sayable(name):  # type: (str) -> str
    """Return a name from the settings as NAO can say it: short, and without commands of the voice."""
    return " ".join(re.sub(r"[^\w.-]|_", " ", name[:30], flags=re.UNICODE).split())
