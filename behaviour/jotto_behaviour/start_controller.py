"""The first box's part: settings, word list, and an old or a new game."""
from __future__ import absolute_import, division, print_function, unicode_literals

import os
import re

from jotto import game as games
from jotto.errors import FutureVersion, JottoError, SavedGameError
from jotto.roster import UnknownStrategy
from jotto.rules import JOTTO
from jotto.versions import as_native, as_text, is_integer, path_text, text_type

from . import actions, conversation, face, memory, resources, transitions
from . import talk as talks
from .box_controller import BoxController
from .lines import Line
from .notebook import Notebook
from .states import EXITS, START

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional

    from .mind import Mind
    from .talk import Talk

#: Where a robot keeps the notebook, unless told otherwise.
NOTES = as_native("~/.local/share/nao-jotto")
#: Seeds are smaller than this, as the box's parameter is.
MOST_SEED = 2 ** 31
#: Settings and what they must be; others are ignored.
KNOWN = {"words": text_type, "strategy": text_type, "folder": text_type, "role": text_type}  # type: Dict[str, Any]


class StartController(BoxController):
    """Begins a game; `seed` draws a number where none is set."""

    def __init__(self, box, proxy, timer, root, seed):
        # type: (Any, Callable[[str], Any], Callable[..., Any], str, Callable[[], int]) -> None
        BoxController.__init__(self, box, proxy, timer, root)
        self._draw_seed = seed
        self._remarks = []  # type: List[Line]
        self._own_language = ""

    def _begin(self):
        # type: () -> None
        self._here = START
        self._remarks = []
        # Reading the words takes a robot a while.
        self.face.show(face.THINKING)
        self._speak_our_language()
        settings = self._settings()
        self.notebook = Notebook(settings["folder"])
        mind = self._known(settings)
        for remark in mind.remarks:
            self.box.logger.warning(as_native(remark))
        talk = self._old_talk(mind)
        if talk is None:
            game = games.new(JOTTO, mind.wordlist.name, mind.wordlist.checksum, self._seed(settings))
            talk = talks.new(game, settings)
        talk = conversation.welcome(talk._replace(settings=settings, says=()), mind)
        if self.ears.deaf():
            self._remarks.append(Line("cannot hear", {}))
        self._save(talk._replace(says=tuple(self._remarks) + talk.says))
        self._fire(EXITS[START, talk.box])

    def _speak_our_language(self):
        # type: () -> None
        ours, own = as_native(self.lines.language), self.services.attempt("ALTextToSpeech", "getLanguage")
        if own != ours:
            self._own_language = own or self._own_language
            self.services.attempt("ALTextToSpeech", "setLanguage", ours)

    def close(self):
        # type: () -> None
        """Leave as any part does, and give NAO its own language back: before NAOqi 2.5 it would keep ours."""
        BoxController.close(self)
        own, self._own_language = self._own_language, ""
        if own:
            self.services.attempt("ALTextToSpeech", "setLanguage", own)

    def _settings(self):
        # type: () -> Dict[str, Any]
        """The box's parameters, and over them what stands in ALMemory."""
        wanted = {"words": as_text(self.box.getParameter("Word list")).strip(),
                  "strategy": as_text(self.box.getParameter("Strategy")).strip(),
                  "seed": int(self.box.getParameter("Seed")),
                  "folder": path_text(os.path.expanduser(NOTES))}  # type: Dict[str, Any]
        given = self.memory.settings()
        for name, kind in KNOWN.items():
            if isinstance(given.get(name), kind):
                wanted[name] = given[name]
        if is_integer(given.get("seed")) and 0 <= given["seed"] < MOST_SEED:
            wanted["seed"] = given["seed"]
        wanted["folder"] = wanted["folder"] or None
        return wanted

    def _seed(self, settings):
        # type: (Dict[str, Any]) -> int
        """The seed set, or a new one where it is 0."""
        return int(settings["seed"] or self._draw_seed())

    def _known(self, settings):
        # type: (Dict[str, Any]) -> Mind
        """Read the list and the strategy wanted; what cannot be used is said, and the usual ones are taken."""
        try:
            return self._mind_of(settings)
        except UnknownStrategy:
            self._remarks.append(Line("no such strategy", {"strategy": _sayable(settings["strategy"])}))
            settings["strategy"] = ""
            return self._known(settings)
        except JottoError as error:
            if not settings["words"]:
                raise
            self.box.logger.warning(str(error))
            name = os.path.splitext(os.path.basename(settings["words"]))[0]
            self._remarks.append(Line("no such list", {"list": _sayable(name)}))
            settings["words"] = ""
            return self._mind_of(settings)

    def _mind_of(self, settings):
        # type: (Dict[str, Any]) -> Mind
        return resources.mind(settings["words"], settings["strategy"], self.notebook.learned())

    def _old_talk(self, mind):
        # type: (Mind) -> Optional[Talk]
        """The unfinished talk from ALMemory, or from the notebook after a restart; None when there is none to use."""
        try:
            talk = self.memory.load()
            if talk is None and self.notebook.unfinished():
                talk = memory.read(self.notebook.unfinished())
        except FutureVersion:
            self._remarks.append(Line("newer notes", {}))
            return None
        except SavedGameError:
            self._remarks.append(Line("damaged notes", {}))
            return None
        if talk is None or not actions.unfinished(talk):
            if talk is not None and talk.state != "gone":
                for played in transitions.ended(talk):
                    self.notebook.finish(played)
            return None
        if talk.game.list_name != mind.wordlist.name:
            self._remarks.append(Line("other list", {}))
            return None
        return talk


def _sayable(name):
    # type: (str) -> str
    """A name out of the settings as NAO can say it: short, and without what the voice takes for orders."""
    return " ".join(re.sub(r"[^\w.-]|_", " ", name[:30], flags=re.UNICODE).split())
