"""The part a box of the diagram plays: load the talk, think, speak, listen, save, and fire the right output."""
from __future__ import absolute_import, division, print_function, unicode_literals

import json
import os
import threading
import traceback

from jotto.versions import as_native, as_text

from . import conversation, face, hearing, moves, shelf
from .body import Body
from .ears import FRONT, REAR, Deaf, Ears
from .face import Face
from .lines import Line
from .memory import Memory
from .mouth import Mouth
from .notebook import Notebook
from .states import COUNT, EXITS, LETTERS, NUMBERS, READY, SPELL

MYPY = False
if MYPY:
    from typing import Any, Callable, Optional

    from .hearing import Hearing
    from .mind import Mind
    from .talk import Talk

TOPIC = as_native(os.path.join("jotto_answers", "jotto_answers_enu.top"))


class Part(object):
    """One box's part. `box` is the script's object, `proxy` its ALProxy, `timer` makes threading timers, `root` is the
    folder of the behaviour's project."""

    def __init__(self, box, proxy, timer, root):
        # type: (Any, Callable[[str], Any], Callable[..., Any], str) -> None
        self.box = box
        self.body = Body(proxy)
        self.lines = shelf.lines()
        self.memory = Memory(self.body.find("ALMemory"))
        self.face = Face(self.body)
        self.mouth = Mouth(self.body, self.lines, shelf.blocked())
        topic = os.path.join(root, TOPIC)
        self.ears = Ears(self.body, box.getName(), self.lines.language, topic if os.path.exists(topic) else None)
        self.talk = None  # type: Optional[Talk]
        self.notebook = Notebook(None)
        self._timer = timer
        self._alarm = None  # type: Any
        self._lock = threading.Lock()
        self._listening = False
        self._closed = False
        self._here = ""
        self._thinker = None  # type: Optional[Mind]
        self._taps = 0

    # What the box calls

    def begin(self):
        # type: () -> None
        """The box is started: take the talk over and do its part."""
        self._guarded(self._begin)

    def heard(self, value):
        # type: (Any) -> None
        """The recogniser reports `[phrase, confidence, ...]`."""
        phrase, confidence = hearing.best(value)
        if phrase:
            self._guarded(self._understood, phrase, confidence)

    def typed(self, text):
        # type: (Any) -> None
        """The dialog panel reports what was typed: beyond doubt when it is in the vocabulary."""
        phrase, _ = hearing.best([text, 1.0])
        if phrase:
            self._guarded(self._understood, phrase, 1.0)

    def touched(self, key, value):
        # type: (str, float) -> None
        """The head is touched (1.0) or let go (0.0)."""
        if value == 1.0 and self._listening:
            self._guarded(self._felt, key)

    def close(self):
        # type: () -> None
        """The box is unloaded: fall silent, stop listening, leave nothing behind; safe to call twice."""
        self._closed = True
        self._stop_listening()
        if self.talk is not None:
            self._keep(self.talk)
        self.ears.shut()
        self.mouth.hush()

    # One round

    def _begin(self):
        # type: () -> None
        talk = self.memory.load()
        if talk is None:
            raise RuntimeError("box %s was started without a game" % self.box.getName())
        self._take(talk)

    def _take(self, talk):
        # type: (Talk) -> None
        """Play this box's part of a talk that has just come here."""
        self.notebook = Notebook(talk.settings.get("folder"))
        for service in talk.settings.get("deaf", ()):
            self.body.lose(service)
        self._thinker = None
        self._here = talk.box
        self._proceed(conversation.think(talk, self._mind(talk)) if not talk.listens else talk)

    def _proceed(self, talk):
        # type: (Talk) -> None
        """Say what is to be said, then listen or hand over to the next box."""
        if not talk.listens:
            self.face.show(face.THINKING)
        says = talk.says
        self.talk = talk = self._save(talk._replace(says=(), last=says or talk.last))
        if says:
            self.face.show(face.SPEAKING)
            self.mouth.say(says, talk.game.seed, talk.game.attempts + talk.misses)
        if self._closed:
            return
        if talk.state == "gone":
            self.face.show(face.CALM)
            self.talk = None
            self.box.onStopped()
        elif talk.box != self._here:
            self._leave(talk)
        else:
            self._listen(talk)

    def _leave(self, talk):
        # type: (Talk) -> None
        self.talk = None
        getattr(self.box, EXITS[self._here, talk.box])()

    def _save(self, talk):
        # type: (Talk) -> Talk
        for kind, what in talk.notes:
            if kind == "learned":
                self.notebook.learn(what)
            else:
                self.notebook.finish(what)
        talk = talk._replace(notes=())
        self.memory.save(talk)
        if talk.state in ("gone", "paused"):
            self._keep(talk)
        for trouble in self.notebook.troubles:
            self.box.logger.warning(as_native(trouble))
        del self.notebook.troubles[:]
        return talk

    def _keep(self, talk):
        # type: (Talk) -> None
        """Write an unfinished game into the notebook, for the time after a restart."""
        self.notebook.keep(as_text(json.dumps(talk.plain(), sort_keys=True)) if moves.unfinished(talk) else "")

    def _mind(self, talk):
        # type: (Talk) -> Mind
        if self._thinker is None:
            settings = talk.settings
            self._thinker = shelf.mind(settings.get("words", ""), settings.get("strategy", ""), self.notebook.learned())
        return self._thinker

    # Listening

    def _listen(self, talk):
        # type: (Talk) -> None
        self._taps = 0
        try:
            self.ears.open(self.lines.phrases(conversation.listening_for(talk)))
        except Deaf as error:
            self._do_without(talk, error)
            return
        with self._lock:
            # Closed meanwhile: robots have more than one thread.
            self._listening = not self._closed
        if self._closed:
            self.ears.close()
            return
        self.face.show(face.LISTENING if self.ears.engine else face.TOUCH)
        self._set_alarm(talk.place.seconds)

    def _do_without(self, talk, error):
        # type: (Talk, Deaf) -> None
        """Go on without what cannot listen, for the rest of the game; the head is always left."""
        self.box.logger.warning(as_native("cannot listen: %s" % error))
        self.body.lose(error.service)
        settings = dict(talk.settings, deaf=list(talk.settings.get("deaf", ())) + [error.service])
        lost = (Line("cannot hear", {}),) if self.ears.deaf() else ()
        self._proceed(talk._replace(settings=settings, says=lost))

    def _set_alarm(self, seconds):
        # type: (float) -> None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._timer(seconds, self._quiet)
        self._alarm.daemon = True
        self._alarm.start()

    def _stop_listening(self):
        # type: () -> bool
        """Close the ears; False when another event was quicker."""
        with self._lock:
            was, self._listening = self._listening, False
        if was:
            if self._alarm is not None:
                self._alarm.cancel()
            self.ears.close()
        return was

    def _quiet(self):
        # type: () -> None
        """Nobody answered in time; taps without a last touch count, but NAO asks back."""
        self._guarded(self._answer, self._tapped(hearing.UNSURE) if self._taps else hearing.QUIET)

    def _understood(self, phrase, confidence):
        # type: (str, float) -> None
        if self.talk is not None:
            wanted = conversation.listening_for(self.talk)
            self._answer(hearing.understand(phrase, confidence, wanted, self.lines))

    def _answer(self, heard):
        # type: (Hearing) -> None
        if self.talk is None or not self._stop_listening():
            return
        self.face.show(face.PUZZLED if heard.certainty == hearing.MISSED else face.THINKING)
        talk = conversation.step(self.talk, self._mind(self.talk), heard)
        if talk.box == self._here:
            self._proceed(talk)
        else:
            self._save(talk)
            self._leave(talk)

    # The head

    def _felt(self, key):
        # type: (str) -> None
        if self.talk is None:
            return
        kind = conversation.touch_kind(self.talk)
        if key == FRONT and kind in (COUNT, SPELL):
            self._taps += 1
            self._set_alarm(self.talk.place.seconds)
        elif key == FRONT:
            self._answer(hearing.sure("ready" if kind == READY else "yes"))
        elif key == REAR:
            self._answer(self._tapped(hearing.SURE) if kind in (COUNT, SPELL) else hearing.sure("no"))
        else:
            self._answer(hearing.sure("stop"))

    def _tapped(self, certainty):
        # type: (str) -> Hearing
        """What the taps mean: a number, or the letter of that number; nothing when there are too many."""
        spells = self.talk is not None and conversation.touch_kind(self.talk) == SPELL
        meanings = ("back one",) + LETTERS if spells else NUMBERS
        if self._taps >= len(meanings):
            return hearing.NOTHING
        meaning = meanings[self._taps]
        return hearing.Hearing(certainty, meaning, self.lines.phrases([meaning])[0])

    # When something breaks

    def _guarded(self, act, *arguments):
        # type: (Callable[..., None], *Any) -> None
        """Nothing may crash on the robot: log it, say so, keep the game and leave in good order."""
        try:
            act(*arguments)
        except Exception:
            if self._closed:
                return
            self.box.logger.error(as_native(as_text(traceback.format_exc())))
            self._stop_listening()
            # Opening them may be what broke.
            self.ears.close()
            self._apologise()

    def _apologise(self):
        # type: () -> None
        try:
            self.mouth.say([Line("cannot go on", {})], 0, 0)
        except Exception:
            # Whatever broke may be the voice itself: leaving still works.
            self.box.logger.error(as_native("cannot speak either"))
        if self._closed:
            return
        (getattr(self.box, "broken", None) or self.box.onStopped)()
