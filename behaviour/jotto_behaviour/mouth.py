"""NAO's voice: says lines, moves a little where that is safe, and can be stopped in mid-sentence."""

from __future__ import absolute_import, division, print_function, unicode_literals

import threading

from jotto.compat import as_native

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional, Sequence

    from jotto.words import BlockList

    from .lines import Line, Lines
    from .services import Services

#: Silence after a text, so that the ears do not open on NAO's own last syllable.
GUARD = " \\pau=300\\"


class Mouth(object):
    """Speaks through ALAnimatedSpeech, or ALTextToSpeech where there is none."""

    def __init__(self, services, lines, blocked):  # type: (Services, Lines, Optional[BlockList]) -> None
        self._services = services
        self.change(lines, blocked)
        self._lock = threading.Lock()
        self._hushed = False
        self._task = None  # type: Any
        self._speech = None  # type: Any
        self._installed = {}  # type: Dict[str, bool]

    def change(self, lines, blocked):  # type: (Lines, Optional[BlockList]) -> None
        """Speak these lines from now on, without these words."""
        self.lines, self._blocked = lines, blocked

    def say(self, says, seed, beat):  # type: (Sequence[Line], int, int) -> None
        """Say lines one after the other; return when they are said or `hush` cuts them off."""
        spoken = [self.lines.speak(line, seed, beat) for line in says]
        if not spoken:
            return
        text = " ".join(said.text for said in spoken)
        if self._blocked is not None:
            text = self._blocked.clean(text, self.lines.that_word)
        self._utter(text + GUARD, next((said.gesture for said in spoken if said.gesture), None))

    def hush(self):  # type: () -> None
        """Stop speaking at once and say nothing more, even if another thread is about to speak."""
        with self._lock:
            self._hushed = True
            task, speech, self._task = self._task, self._speech, None
        if task is not None:
            try:
                speech.stop(task)
            except RuntimeError:
                # Said in the meantime.
                pass

    def _utter(self, text, gesture):  # type: (str, Optional[str]) -> None
        voice = self._services.find("ALTextToSpeech")
        if voice is None:
            # Without it there is no animated speech either.
            return
        speech = self._services.find("ALAnimatedSpeech") or voice
        if speech is not voice:
            text = self._moving(text, gesture)
        with self._lock:
            if self._hushed:
                return
            self._speech = speech
            task = self._task = speech.post.say(as_native(text))
        speech.wait(task, 0)
        with self._lock:
            self._task = None

    def _moving(self, text, gesture):  # type: (str, Optional[str]) -> str
        """Add a gesture that suits how NAO stands or sits; lying or held, NAO keeps still."""
        if gesture is None:
            return text
        family = self._services.attempt("ALRobotPosture", "getPostureFamily")
        animation = self.lines.gestures[gesture].get("%s" % family)
        if not animation or not self._has(animation):
            return text
        return "^start(%s) %s ^wait(%s)" % (animation, text, animation)

    def _has(self, animation):  # type: (str) -> bool
        """Tell whether the robot has an animation: a posted text that names a missing one is never spoken."""
        if animation not in self._installed:
            found = self._services.attempt("ALBehaviorManager", "isBehaviorInstalled", as_native(animation))
            self._installed[animation] = bool(found)
        return self._installed[animation]
