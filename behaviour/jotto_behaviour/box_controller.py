"""The work of a box of the diagram: load the talk, think, speak, listen, save, and fire the right output.

`AnswerWindow` decides which of several threads takes the answer to a question.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import threading
import traceback

from jotto.compat import PYTHON2, as_native
from jotto_behaviour import conversation, hearing, memory, robot
from jotto_behaviour.files import Notebook
from jotto_behaviour.lines import Line
from jotto_behaviour.mind import Mind, list_own_modules, load_block_list, load_lines, load_mind, open_notebook
from jotto_behaviour.settings import Services
from jotto_behaviour.states import COUNT, EXITS, SPELL
from jotto_behaviour.talk import Talk

MYPY = False
if MYPY:
    from typing import Any, Callable, Optional, Set

# The window in which a question can be answered.

#: Refused sounds after which NAO takes it that a person speaks; one or two can be coughs.
_MAX_REFUSALS = 3


class AnswerWindow(object):
    """Open from a question to its answer; a robot calls from many threads, so every step takes one lock.

    `timer` makes threading timers; `time_is_up` is called on the timer's thread, which has taken the window.
    """

    def __init__(self, timer, time_is_up):  # type: (Callable[..., Any], Callable[[], None]) -> None
        self._timer = timer
        self._time_is_up = time_is_up
        self._lock = threading.Lock()
        self._alarm = None  # type: Any
        self._open = False
        self._question = 0
        self.closed = False
        self.taps = 0
        self.refusals = 0

    def open(self):  # type: () -> int
        """Open the window for the next question and return its number; after `close` the window stays closed."""
        with self._lock:
            self._open = not self.closed
            self._question += 1
            self.taps = self.refusals = 0
            return self._question

    def is_open(self, question):  # type: (int) -> bool
        """Return whether the question with this number still waits for its answer."""
        with self._lock:
            return self._open and question == self._question

    def start_timer(self, question, seconds, show):  # type: (int, float, Callable[[], None]) -> None
        """Show that NAO listens and start the timer, unless the question is answered already."""
        with self._lock:
            if self._open and question == self._question:
                # Under the lock, so that the colour shown for an answer comes after this one.
                show()
                self._set_alarm(seconds)

    def tap(self, seconds):  # type: (float) -> None
        """Count a tap and restart the timer."""
        with self._lock:
            if self._open:
                self.taps += 1
                self._set_alarm(seconds)

    def refuse(self):  # type: () -> bool
        """Count a refused sound; return whether enough were refused that a person is probably speaking."""
        with self._lock:
            self.refusals += 1
            return self._open and not self.taps and self.refusals >= _MAX_REFUSALS

    def take(self):  # type: () -> bool
        """Take the window, which closes it; return False if it is not open or another thread was first."""
        with self._lock:
            return self._take_window()

    def close(self):  # type: () -> None
        """Close the window for good."""
        with self._lock:
            self.closed = True
            self._take_window()

    def _take_window(self):  # type: () -> bool
        was, self._open = self._open, False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        return was

    def _set_alarm(self, seconds):  # type: (float) -> None
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._timer(seconds, self._handle_alarm, (self._question, self.taps))
        self._alarm.daemon = True
        self._alarm.start()

    def _handle_alarm(self, question, taps):  # type: (int, int) -> None
        """Take the window if time is up. An outdated alarm may still ring while another one replaces it."""
        with self._lock:
            taken = (question, taps) == (self._question, self.taps) and self._take_window()
        if taken:
            self._time_is_up()


# The controller of a box.


class BoxController(object):
    """The code behind one box: `box` is the script's object, `proxy` its ALProxy, `timer` makes threading timers.

    `root` is the folder of the behaviour's project.
    """

    def __init__(self, box, proxy, timer, root):  # type: (Any, Callable[[str], Any], Callable[..., Any], str) -> None
        self.box = box
        self.services = Services(proxy)
        self.memory = memory.TalkMemory(self.services.find("ALMemory"))
        self.face = robot.Face(self.services)
        self.mouth = robot.Mouth(self.services, load_lines(), load_block_list())
        self.ears = robot.Ears(self.services, box.getName())
        self.language = robot.GameLanguage(self.services, self.mouth, self.ears, root)
        self.talk = None  # type: Optional[Talk]
        self.notebook = Notebook(None)
        self._timer = timer
        self._window = AnswerWindow(timer, self._handle_time_up)
        #: Held while notes are written, and while a thread claims the right to fire an output.
        self._lock = threading.Lock()
        self._has_fired = False
        #: The keys of the sensors on the head that are touched now, as far as NAO knows.
        self._touched = set()  # type: Set[str]
        #: The box of the diagram that this controller runs for.
        self._here = ""
        self._known_mind = None  # type: Optional[Mind]
        # Python 2.7 clears a module without references: a later upload removes ours while this game may still run.
        self._modules = list_own_modules() if PYTHON2 else []

    # Called by the box

    def begin(self):  # type: () -> None
        """Start the box: continue the talk of the box before."""
        self._has_fired = False
        self._run_guarded(self._begin)

    def on_word_recognized(self, value):  # type: (Any) -> None
        """Handle what the recogniser reports: `[phrase, confidence, ...]`."""
        talk, (phrase, confidence) = self.talk, hearing.find_best_phrase(value)
        if phrase:
            self._answer_on_thread(self._understand, phrase, confidence)
        elif talk is not None and talk.settings.is_spoken and self._window.refuse():
            self._answer_on_thread(self._answer, hearing.NOTHING_HEARD)

    def on_typed(self, text):  # type: (Any) -> None
        """Handle what was typed into the dialog panel: certain if it is in the vocabulary."""
        phrase, _ = hearing.find_best_phrase([text, 1.0])
        if phrase:
            self._answer_on_thread(self._understand, phrase, 1.0)

    def on_touched(self, key, value):  # type: (str, float) -> None
        """Handle a touch of the head (1.0), which may stop NAO's sentence, or its end (0.0)."""
        if value != 1.0:
            self._touched.discard(key)
            return
        # The hand that has answered does not stop the next question with its other fingers.
        is_new, talk = not self._touched, self.talk
        self._touched.add(key)
        if talk is None:
            return
        if key == robot.FRONT_KEY and conversation.get_touch_kind(talk) in (COUNT, SPELL):
            self._window.tap(talk.place.seconds)
        elif not (is_new and self.mouth.interrupt()):
            self._answer_on_thread(self._answer_touch, key)

    def close(self):  # type: () -> None
        """Fall silent, stop listening and leave nothing behind, as the box is unloaded; safe to call twice."""
        self._window.close()
        self.mouth.hush()
        self.ears.shut()
        self.face.rest()
        with self._lock:
            if self.talk is not None:
                memory.leave_game(self.notebook, self.talk)
        self._log_troubles()

    # One round

    def _begin(self):  # type: () -> None
        talk = self.memory.load()
        if talk is None:
            raise RuntimeError("box %s was started without a game" % self.box.getName())
        self._take_over(talk)

    def _take_over(self, talk):  # type: (Talk) -> None
        """Continue a talk that has just reached this box."""
        self.language.change(talk.language)
        self.notebook = open_notebook(talk.settings.folder, talk.language)
        for service in talk.settings.deaf:
            self.services.lose(service)
        self._known_mind = None
        self._here = talk.box
        self.face.forget()
        self._continue_talk(conversation.think_in_box(talk, self._load_mind(talk)))

    def _continue_talk(self, talk):  # type: (Talk) -> None
        """Speak, then listen or hand over to the next box."""
        if not talk.listens:
            self.face.show(robot.THINKING_COLOUR)
        speaks = bool(talk.says)
        talk = self._save(
            talk._replace(says=(), last=talk.says or talk.last), is_kept=talk.listens or talk.place.is_last
        )
        if speaks:
            self.face.show(robot.SPEAKING_COLOUR)
            # A touch stops only a question.
            if talk.listens and talk.box == self._here:
                self._touched = set(self.ears.open_head())
            self.mouth.say(talk.last, talk.game.seed, talk.variety)
        if self._window.closed:
            return
        if talk.place.is_last:
            self.face.show(robot.CALM_COLOUR)
            self._fire("onStopped")
        elif talk.box != self._here:
            self._fire(EXITS[self._here, talk.box])
        else:
            self._listen(talk)

    def _fire(self, output):  # type: (str) -> None
        """Fire an output: once per start of the box, and never after it is unloaded."""
        with self._lock:
            if self._has_fired or self._window.closed:
                return
            self._has_fired, self.talk = True, None
        getattr(self.box, output)()

    def _save(self, talk, is_kept=True):  # type: (Talk, bool) -> Talk
        """Save the talk in ALMemory and, unless NAO only thinks, in the notebook; return it with true promises."""
        with self._lock:
            self.talk = talk = memory.write_notes(self.notebook, talk)
            self.memory.save(talk)
            if is_kept:
                true = memory.correct_promises(talk, memory.keep_game(self.notebook, talk))
                if true != talk:
                    # Asked to repeat, NAO repeats its lines.
                    self.talk = talk = true
                    self.memory.save(talk)
        self._log_troubles()
        return talk

    def _log_troubles(self):  # type: () -> None
        """Log what could not be written: a full disk does not stop a game."""
        for trouble in self.notebook.troubles:
            self.box.logger.warning(as_native(trouble))
        del self.notebook.troubles[:]

    def _load_mind(self, talk):  # type: (Talk) -> Mind
        if self._known_mind is None:
            settings = talk.settings
            learned = self.notebook.list_learned_words()
            # A file that is renewed during a game is read in the next one.
            game = (talk.game.seed, None if talk.riddle is None else talk.riddle.game.seed)
            self._known_mind = load_mind(settings.words, settings.strategy, learned, talk.language, game)
            self.language.write(self._known_mind)
        return self._known_mind

    def _change_language(self, before, talk):  # type: (Talk, Talk) -> Talk
        """Change to the language that the player has chosen; refuse in the old one if that is impossible."""
        if talk.language == self.language.code:
            return talk
        if not self.language.takes_over(talk):
            return robot.refuse_language(before, talk.language)
        self.notebook, self._known_mind = open_notebook(talk.settings.folder, talk.language), None
        return robot.restart_in_language(talk, self._load_mind(talk))

    # Listening

    def _listen(self, talk):  # type: (Talk) -> None
        # Before the ears open: the first event can come while the last subscription is made, and lead to other ears.
        question, lines = self._window.open(), self.language.lines
        try:
            offered = self.language.drop_unavailable(conversation.list_awaited_meanings(talk), talk.settings.words)
            wanted = hearing.drop_denied(offered, talk, lines)
            words = hearing.list_hearable_words(offered, talk, self._load_mind(talk), lines)
            most = hearing.MAX_UNMEASURED_PHRASES if talk.settings.is_unmeasured else None
            self.ears.open(
                lines.list_phrases(wanted),
                words,
                lambda: self._window.is_open(question),
                lambda: lines.list_typed_phrases(wanted),
                most,
            )
        except robot.CannotListen as error:
            if self._window.take():
                self._do_without(talk, error)
            return
        colour = robot.LISTENING_COLOUR if self.ears.engine else robot.TOUCH_COLOUR
        self._window.start_timer(question, self.memory.get_patience(talk.place.seconds), lambda: self.face.show(colour))

    def _do_without(self, talk, error):  # type: (Talk, robot.CannotListen) -> None
        """Continue the game without a service that cannot listen; the head always works."""
        self.box.logger.warning(as_native("cannot listen: ") + str(error))
        self.services.lose(error.service)
        settings = talk.settings.drop_service(error.service)
        lost = (Line("cannot hear", {}),) if self.ears.is_deaf() else ()
        self._continue_talk(talk._replace(settings=settings, says=lost))

    def _answer_on_thread(self, act, *arguments):  # type: (Callable[..., None], *Any) -> None
        """Take the answer window and answer on another thread.

        ALMemory holds a box's events back until its callback returns: if the callback spoke, the second touch of a palm
        would arrive as the answer to the next question.
        """
        if self._window.take():
            answer = self._timer(0.0, self._run_guarded, (act,) + arguments)
            answer.daemon = True
            answer.start()

    def _handle_time_up(self):  # type: () -> None
        self._run_guarded(self._answer_silence)

    def _answer_silence(self):  # type: () -> None
        """Answer for a player who was silent until the time-out; NAO confirms taps without the touch that ends them."""
        if self.talk is not None and self._window.taps:
            kind = conversation.get_touch_kind(self.talk)
            self._answer(robot.understand_taps(kind, self._window.taps, hearing.UNSURE, self.language.lines))
        else:
            self._answer(hearing.SILENCE_HEARD)

    def _understand(self, phrase, confidence):  # type: (str, float) -> None
        talk = self.talk
        if talk is not None:
            memory.log_heard(self.notebook, talk, phrase, confidence)
            wanted, mind = conversation.list_awaited_meanings(talk), self._load_mind(talk)
            is_repeated = self._window.refusals > 0
            self._answer(
                hearing.understand_report(phrase, confidence, wanted, talk, mind, self.language.lines, is_repeated)
            )

    def _answer_touch(self, key):  # type: (str) -> None
        if self.talk is not None:
            self._answer(
                robot.understand_touch(
                    key, conversation.get_touch_kind(self.talk), self._window.taps, self.language.lines
                )
            )

    def _answer(self, heard):  # type: (hearing.Hearing) -> None
        """Continue with the meaning of the answer. The caller has taken the answer window."""
        self.ears.close()
        if self.talk is None or self._window.closed:
            return
        self.face.show(robot.PUZZLED_COLOUR if heard.certainty == hearing.MISSED else robot.THINKING_COLOUR)
        talk = self._change_language(self.talk, conversation.step_talk(self.talk, self._load_mind(self.talk), heard))
        if talk.box == self._here:
            self._continue_talk(talk)
        else:
            self._save(talk)
            self._fire(EXITS[self._here, talk.box])

    # When something breaks

    def _run_guarded(self, act, *arguments):  # type: (Callable[..., None], *Any) -> None
        """Catch every error: log it, say so, keep the game and leave in good order."""
        try:
            act(*arguments)
        except Exception:
            if self._window.closed:
                return
            self.box.logger.error(as_native(traceback.format_exc()))
            self._window.take()
            self.ears.close()  # The error might come from opening them.
            self._apologise()

    def _apologise(self):  # type: () -> None
        with self._lock:
            saved = memory.rescue_game(self.memory, self.talk)
        try:
            self.mouth.say(memory.correct_lines((Line("cannot go on", {}),), saved), 0, 0)
        except Exception:  # The voice itself might be what broke: leaving still works.
            self.box.logger.error(as_native("cannot speak either"))
        self.face.show(robot.CALM_COLOUR)
        self._fire("broken" if hasattr(self.box, "broken") else "onStopped")
