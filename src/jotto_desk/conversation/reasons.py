"""Why NAO asks its guess, in NAO's own words, for those who would rather read than ask."""

from __future__ import annotations

import threading
from pathlib import Path

from jotto.rules import JottoError
from jotto_behaviour import guessing
from jotto_behaviour import mind as resources
from jotto_behaviour.mind import Mind
from jotto_behaviour.talk import Talk

from .capitals import capitals

#: Where NAO asks for its guess, or for the answer to it.
ABOUT_A_GUESS = ("word", "both", "exact", "misplaced", "doubtful")


class GuessReasons:
    """What NAO knows, read again at the desk: the list at `words` ("" for its own) and the notebook in `folder`.

    Neither comes from the robot, whose memory everybody may write to. May be asked by several threads.
    """

    def __init__(self, words: str = "", folder: Path | None = None) -> None:
        self._words = words
        self._folder = None if folder is None else str(folder)
        self._lock = threading.Lock()

    def sentence(self, talk: Talk) -> str:
        """Say why the open guess is asked; empty where none is, and where NAO plays with another list."""
        if talk.about.name not in ABOUT_A_GUESS or (talk.game.guess is None and talk.fixing is None):
            return ""
        with self._lock:
            mind = self._mind(talk)
            if mind is None:
                return ""
            line = guessing.choose_reason(talk, mind.at(talk.level))
            spoken = resources.load_lines(talk.language).writing(mind.wordlist)
            return capitals(str(spoken.speak(line, talk.game.seed, 0).text), talk.language)

    def _mind(self, talk: Talk) -> Mind | None:
        try:
            learned = resources.open_notebook(self._folder, talk.language).learned()
            mind = resources.load_mind(self._words, talk.settings.strategy, learned, talk.language)
        except JottoError:
            return None
        same = (mind.wordlist.name, mind.wordlist.checksum) == (talk.game.list_name, talk.game.list_checksum)
        return mind if same else None
