"""The part a box of the diagram plays: load the talk, think, speak, listen, save, and fire the right output."""
from __future__ import absolute_import, division, print_function, unicode_literals

import json
import os
import sys
import threading
import traceback

from jotto.versions import as_native, as_text

from . import actions, conversation, face, hearing, resources, touch
from .answer_window import Turn
from .ears import FRONT, Deaf, Ears
from .face import Face
from .lines import Line
from .memory import Memory
from .mouth import Mouth
from .notebook import Notebook
from .services import Body
from .states import COUNT, EXITS, SPELL

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
        self.lines = resources.lines()
        self.memory = Memory(self.body.find("ALMemory"))
        self.face = Face(self.body)
        self.mouth = Mouth(self.body, self.lines, resources.blocked())
        topic = os.path.join(root, TOPIC)
        self.ears = Ears(self.body, box.getName(), self.lines.language, topic if os.path.exists(topic) else None)
        self.talk = None  # type: Optional[Talk]
        self.notebook = Notebook(None)
        self._timer = timer
        self._turn = Turn(timer, self._quiet)
        #: Held while the notes are written, and while it is decided who fires an output.
        self._lock = threading.Lock()
        self._gone = False
        self._here = ""
        self._thinker = None  # type: Optional[Mind]
        # Python 2.7 empties a module that nobody holds: a later upload purges ours while we may still play.
        self._modules = [module for name, module in list(sys.modules.items()) if name.startswith("jotto")]

    # What the box calls

    def begin(self):
        # type: () -> None
        """The box is started: take the talk over and do its part."""
        self._gone = False
        self._guarded(self._begin)

    def heard(self, value):
        # type: (Any) -> None
        """The recogniser reports `[phrase, confidence, ...]`."""
        phrase, confidence = hearing.best(value)
        if phrase:
            self._answered(self._understood, phrase, confidence)

    def typed(self, text):
        # type: (Any) -> None
        """The dialog panel reports what was typed: beyond doubt when it is in the vocabulary."""
        phrase, _ = hearing.best([text, 1.0])
        if phrase:
            self._answered(self._understood, phrase, 1.0)

    def touched(self, key, value):
        # type: (str, float) -> None
        """The head is touched (1.0) or let go (0.0)."""
        talk = self.talk
        if value != 1.0 or talk is None:
            return
        if key == FRONT and conversation.touch_kind(talk) in (COUNT, SPELL):
            self._turn.tap(talk.place.seconds)
        else:
            self._answered(self._felt, key)

    def close(self):
        # type: () -> None
        """The box is unloaded: fall silent, stop listening, leave nothing behind; safe to call twice."""
        self._turn.close()
        self.mouth.hush()
        self.ears.shut()
        self.face.rest()
        with self._lock:
            if self.talk is not None:
                self._keep(self.talk)
        self._log_troubles()

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
        self.face.forget()
        self._proceed(conversation.think(talk, self._mind(talk)) if not talk.listens else talk)

    def _proceed(self, talk):
        # type: (Talk) -> None
        """Say what is to be said, then listen or hand over to the next box."""
        if not talk.listens:
            self.face.show(face.THINKING)
        says = talk.says
        talk = self._save(talk._replace(says=(), last=says or talk.last))
        if says:
            self.face.show(face.SPEAKING)
            self.mouth.say(says, talk.game.seed, talk.variety)
        if self._turn.closed:
            return
        if talk.state == "gone":
            self.face.show(face.CALM)
            self._fire("onStopped")
        elif talk.box != self._here:
            self._fire(EXITS[self._here, talk.box])
        else:
            self._listen(talk)

    def _fire(self, output):
        # type: (str) -> None
        """Leave by an output: once per start of the box, and not when it is unloaded."""
        with self._lock:
            if self._gone or self._turn.closed:
                return
            self._gone, self.talk = True, None
        getattr(self.box, output)()

    def _save(self, talk):
        # type: (Talk) -> Talk
        with self._lock:
            self.talk = talk = self._written(talk)
        self._log_troubles()
        return talk

    def _log_troubles(self):
        # type: () -> None
        """Tell the robot's log what could not be written: a full disk stops no game."""
        for trouble in self.notebook.troubles:
            self.box.logger.warning(as_native(trouble))
        del self.notebook.troubles[:]

    def _written(self, talk):
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
        return talk

    def _keep(self, talk):
        # type: (Talk) -> None
        """Write an unfinished game into the notebook, for the time after a restart."""
        self.notebook.keep(as_text(json.dumps(talk.plain(), sort_keys=True)) if actions.unfinished(talk) else "")

    def _mind(self, talk):
        # type: (Talk) -> Mind
        if self._thinker is None:
            settings = talk.settings
            words, strategy = settings.get("words", ""), settings.get("strategy", "")
            self._thinker = resources.mind(words, strategy, self.notebook.learned())
        return self._thinker

    # Listening

    def _listen(self, talk):
        # type: (Talk) -> None
        # Before the ears are open: the first of their events may come while the last of them opens.
        question = self._turn.begin()
        try:
            words = hearing.words(talk.state, self._mind(talk), self.lines)
            self.ears.open(self.lines.phrases(conversation.listening_for(talk)), words.phrases if words else ())
        except Deaf as error:
            if self._turn.take():
                self._do_without(talk, error)
            return
        colour = face.LISTENING if self.ears.engine else face.TOUCH
        self._turn.allow(question, talk.place.seconds, lambda: self.face.show(colour))

    def _do_without(self, talk, error):
        # type: (Talk, Deaf) -> None
        """Go on without what cannot listen, for the rest of the game; the head is always left."""
        self.box.logger.warning(as_native("cannot listen: ") + str(error))
        self.body.lose(error.service)
        settings = dict(talk.settings, deaf=list(talk.settings.get("deaf", ())) + [error.service])
        lost = (Line("cannot hear", {}),) if self.ears.deaf() else ()
        self._proceed(talk._replace(settings=settings, says=lost))

    def _answered(self, act, *arguments):
        # type: (Callable[..., None], *Any) -> None
        """Take the turn and answer on a thread of its own: ALMemory holds back a box's events until its callback
        returns, and one that speaks would get a palm's second touch as the answer to the next question."""
        if self._turn.take():
            answer = self._timer(0.0, self._guarded, (act,) + arguments)
            answer.daemon = True
            answer.start()

    def _quiet(self):
        # type: () -> None
        """Nobody answered in time; taps without a last touch count, but NAO asks back."""
        self._guarded(self._nobody_answered)

    def _nobody_answered(self):
        # type: () -> None
        if self.talk is not None and self._turn.taps:
            kind = conversation.touch_kind(self.talk)
            self._answer(touch.tapped(kind, self._turn.taps, hearing.UNSURE, self.lines))
        else:
            self._answer(hearing.QUIET)

    def _understood(self, phrase, confidence):
        # type: (str, float) -> None
        talk = self.talk
        if talk is not None:
            words = hearing.words(talk.state, self._mind(talk), self.lines)
            wanted = conversation.listening_for(talk)
            self._answer(hearing.understand(phrase, confidence, wanted, self.lines, words.words if words else ()))

    def _felt(self, key):
        # type: (str) -> None
        if self.talk is not None:
            self._answer(touch.felt(key, conversation.touch_kind(self.talk), self._turn.taps, self.lines))

    def _answer(self, heard):
        # type: (Hearing) -> None
        """Go on with what was understood, by whoever has taken the turn."""
        self.ears.close()
        if self.talk is None or self._turn.closed:
            return
        self.face.show(face.PUZZLED if heard.certainty == hearing.MISSED else face.THINKING)
        talk = conversation.step(self.talk, self._mind(self.talk), heard)
        if talk.box == self._here:
            self._proceed(talk)
        else:
            self._save(talk)
            self._fire(EXITS[self._here, talk.box])

    # When something breaks

    def _guarded(self, act, *arguments):
        # type: (Callable[..., None], *Any) -> None
        """Nothing may crash on the robot: log it, say so, keep the game and leave in good order."""
        try:
            act(*arguments)
        except Exception:
            if self._turn.closed:
                return
            self.box.logger.error(as_native(traceback.format_exc()))
            self._turn.take()
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
        self.face.show(face.CALM)
        self._fire("broken" if hasattr(self.box, "broken") else "onStopped")
