"""NAO's body in the conversation: voice, speech recognition, touch of the head, eyes, and the language of all of them.

The services of the robot are passed in. A missing service is a normal value: NAO then listens or speaks without it.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import os
import threading

from jotto.compat import as_native
from jotto.game import start_game
from jotto.words import BlockList
from jotto_behaviour import hearing
from jotto_behaviour.lines import Line, Lines
from jotto_behaviour.mind import Mind, has_words, load_block_list, load_lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES, RobotLanguages, Services, get_meant_code
from jotto_behaviour.states import COUNT, LANGUAGES, NUMBERS, READY, ROLE, SPELL
from jotto_behaviour.talk import Talk, ask_question

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

# Ears: the speech recogniser, the dialog panel of a virtual robot, and always the head.

#: NAOqi's events for touches of the head.
FRONT_KEY = as_native("FrontTactilTouched")
_MIDDLE_KEY = as_native("MiddleTactilTouched")
REAR_KEY = as_native("RearTactilTouched")
_HEAD_KEYS = (FRONT_KEY, REAR_KEY, _MIDDLE_KEY)
#: NAOqi's events for a recognised phrase, and for text typed into the dialog panel.
_WORD_KEY = as_native("WordRecognized")
_TYPED_KEY = as_native("Dialog/LastInput")
#: The confidence with which NAOqi says that it has recognised no phrase.
_NO_PHRASE = -3.0
#: The dialog topic of the project, and its concept that contains the phrases.
_TOPIC = as_native("jotto_answers")
_CONCEPT = as_native("jotto_words")


class CannotListen(Exception):
    """A recogniser that refuses to listen; `service` is its name, the message its last error."""

    def __init__(self, service, refusal):  # type: (str, object) -> None
        # The error as text: Python 2.7 fails on an accent in `str`.
        Exception.__init__(self, str(refusal))
        self.service = service


class Ears(object):
    """Listens to one question under `name` (the box's module name), with the box's methods as callbacks.

    `close` leaves the robot as it was. The order of calls is the one that robots need: pause, set the vocabulary,
    subscribe, unpause.
    """

    def __init__(self, services, name):  # type: (Services, str) -> None
        self._services = services
        self._name = as_native(name)
        self._language = self._topic = as_native("")
        self._open = []  # type: List[Tuple[Any, str, Tuple[Any, ...]]]
        self._has_topic = False
        self._lock = threading.RLock()
        self._is_shut = False
        self.engine = None  # type: Optional[str]

    def change(self, language, topic):  # type: (str, str) -> None
        """Listen in another language from now on, with its topic's file: close the ears and unload the old topic."""
        with self._lock:
            self._close_all()
            self._unload_topic()
            self._language, self._topic = as_native(language), as_native(topic)

    def is_deaf(self):  # type: () -> bool
        """Return whether the player can answer only with the head."""
        return self._services.find("ALSpeechRecognition") is None and not self._has_dialog()

    def _has_dialog(self):  # type: () -> bool
        """Return whether there are a Dialog panel and a topic for it."""
        return self._services.find("ALDialog") is not None and os.path.exists(self._topic)

    def open(self, phrases, words, is_wanted, list_typed, most):
        # type: (List[str], Sequence[str], Callable[[], bool], Callable[[], List[str]], Optional[int]) -> None
        """Listen for `phrases`, `words` (native text) and touches of the head; in a dialog panel for typed ones, too.

        The recogniser gets at most `most` of them, the last words left out; with None all.

        Raises `CannotListen`, with all ears closed. `open`, `close` and `shut` exclude each other. Nothing is
        opened after `shut`, or if it is no longer wanted once the others are done.
        """
        with self._lock:
            if not self._is_shut and is_wanted():
                self._open_all([as_native(phrase) for phrase in phrases] + list(words), list_typed, most)

    def _open_all(self, words, list_typed, most):  # type: (List[str], Callable[[], List[str]], Optional[int]) -> None
        memory = self._services.find("ALMemory")
        self._open_head(memory)
        self.engine = None
        if self._services.find("ALSpeechRecognition") is not None:
            self._open_recogniser(memory, words[:most])
        elif self._has_dialog():
            self._open_dialog(memory, words + [as_native(phrase) for phrase in list_typed()])

    def open_head(self):  # type: () -> List[str]
        """Feel touches of the head until `close`, before `open`, too; return the keys of sensors touched already."""
        with self._lock:
            if self._is_shut:
                return []
            self._open_head(self._services.find("ALMemory"))
            return [key for key in _HEAD_KEYS if self._services.attempt("ALMemory", "getData", key) == 1.0]

    def _open_head(self, memory):  # type: (Any) -> None
        if not self._open:
            for key in _HEAD_KEYS:
                self._subscribe(memory, key, "onTouched")

    def close(self):  # type: () -> None
        """Stop listening and undo everything `open` did, latest first; safe to call twice."""
        with self._lock:
            self._close_all()

    def _close_all(self):  # type: () -> None
        recogniser = self._services.find("ALSpeechRecognition") if self.engine == "ALSpeechRecognition" else None
        undo, self._open, self.engine = self._open, [], None
        if recogniser is not None:
            _try_to_tidy(recogniser, "pause", True)
        for service, method, arguments in reversed(undo):
            _try_to_tidy(service, method, *arguments)
        if recogniser is not None:
            _try_to_tidy(recogniser, "pause", False)

    def _subscribe(self, memory, key, method):  # type: (Any, str, str) -> None
        memory.subscribeToEvent(key, self._name, as_native(method))
        self._open.append((memory, "unsubscribeToEvent", (key, self._name)))

    def _open_recogniser(self, memory, words):  # type: (Any, List[str]) -> None
        recogniser = self._services.find("ALSpeechRecognition")
        try:
            self.engine = "ALSpeechRecognition"
            recogniser.pause(True)
            if recogniser.getLanguage() != self._language:
                recogniser.setLanguage(self._language)
            self._save_contexts(recogniser)
            self._set_vocabulary(recogniser, words)
            # The last recognised phrase must not answer this question.
            memory.insertData(_WORD_KEY, [as_native(""), _NO_PHRASE])
            self._subscribe(memory, _WORD_KEY, "onWordRecognized")
            recogniser.subscribe(self._name)
            self._open.append((recogniser, "unsubscribe", (self._name,)))
            recogniser.pause(False)
        except RuntimeError as error:
            self.close()
            raise CannotListen("ALSpeechRecognition", error)

    def _save_contexts(self, recogniser):  # type: (Any) -> None
        """Save the vocabulary of other programs if the robot can, as Choregraphe's own box does."""
        try:
            recogniser.pushContexts()
            self._open.append((recogniser, "popContexts", ()))
        except RuntimeError:
            pass

    def _set_vocabulary(self, recogniser, words):  # type: (Any, List[str]) -> None
        """Set the vocabulary; if the grammar is stuck, try the cures that have helped on robots one after the other."""
        for cure in (None, self._forget_contexts, self._toggle_language):
            try:
                if cure is not None:
                    cure(recogniser)
                recogniser.setVocabulary(words, False)
                return
            except RuntimeError as error:
                last = error  # type: RuntimeError
        raise last

    @staticmethod
    def _forget_contexts(recogniser):  # type: (Any) -> None
        recogniser.removeAllContext()

    def _toggle_language(self, recogniser):  # type: (Any) -> None
        for language in recogniser.getAvailableLanguages():
            if language != self._language:
                recogniser.setLanguage(language)
                break
        recogniser.setLanguage(self._language)

    def _open_dialog(self, memory, words):  # type: (Any, List[str]) -> None
        """Listen to the Dialog panel of a virtual robot: the topic's concept takes the vocabulary."""
        dialog = self._services.find("ALDialog")
        try:
            self.engine = "ALDialog"
            self._has_topic = True
            # The topic stays loaded until the behaviour is unloaded, as compiling it takes a robot seconds.
            if _TOPIC not in dialog.getLoadedTopics(self._language):
                dialog.loadTopic(self._topic)
            if _TOPIC not in dialog.getActivatedTopics():
                dialog.activateTopic(_TOPIC)
            dialog.setConcept(_CONCEPT, self._language, words)
            self._subscribe(memory, _TYPED_KEY, "onTyped")
            dialog.subscribe(self._name)
            self._open.append((dialog, "unsubscribe", (self._name,)))
        except RuntimeError as error:
            self._close_all()
            self._unload_topic()
            raise CannotListen("ALDialog", error)

    def shut(self):  # type: () -> None
        """Close for good and unload the dialog topic."""
        with self._lock:
            self._is_shut = True
            self._close_all()
            self._unload_topic()

    def _unload_topic(self):  # type: () -> None
        if self._has_topic:
            self._has_topic = False
            if _TOPIC in (self._services.attempt("ALDialog", "getLoadedTopics", self._language) or ()):
                self._services.attempt("ALDialog", "deactivateTopic", _TOPIC)
                self._services.attempt("ALDialog", "unloadTopic", _TOPIC)


def _try_to_tidy(service, method, *arguments):  # type: (Any, str, *Any) -> None
    """Call a method that tidies up and ignore its errors, so that the next one is called, too."""
    try:
        getattr(service, method)(*arguments)
    except RuntimeError:
        pass


# The meaning of a touch of the head.

#: The meaning of the front of the head by kind of question, if it is not yes.
_FRONT_MEANINGS = {READY: "ready", ROLE: "you guess"}
_REAR_MEANINGS = {ROLE: "I guess"}


def understand_touch(key, kind, taps, lines):  # type: (str, str, int, Lines) -> hearing.Hearing
    """Read a touch; `taps` are the touches of the front before it."""
    if key == FRONT_KEY:
        return hearing.make_sure(_FRONT_MEANINGS.get(kind, "yes"))
    if key != REAR_KEY:
        return hearing.make_sure("stop")
    if kind in (COUNT, SPELL):
        return understand_taps(kind, taps, hearing.SURE, lines)
    return hearing.make_sure(_REAR_MEANINGS.get(kind, "no"))


def understand_taps(kind, taps, certainty, lines):  # type: (str, int, str, Lines) -> hearing.Hearing
    """Return the hearing of taps: a number, or the letter of that number; nothing heard if there are too many."""
    meanings = ("back one",) + tuple(lines.alphabet) if kind == SPELL else NUMBERS
    if taps >= len(meanings):
        return hearing.NOTHING_HEARD
    return hearing.Hearing(certainty, meanings[taps], lines.list_phrases([meanings[taps]])[0])


# Eyes: one colour per state shows people when to speak.

SPEAKING_COLOUR = 0xFFFFFF
LISTENING_COLOUR = 0x0000FF
THINKING_COLOUR = 0x8000FF
PUZZLED_COLOUR = 0xFFFF00
TOUCH_COLOUR = 0x00FF00
CALM_COLOUR = 0xFFFFFF

_EYES_GROUP = as_native("FaceLeds")
#: Seconds of a fade: with 0 the call returns immediately; with more the box would wait.
_FADE_S = 0.0


class Face(object):
    """Shows a colour in the eyes, if there are any, without waiting for a fade."""

    def __init__(self, services):  # type: (Services) -> None
        self._services = services
        self._shown = None  # type: object
        self._lock = threading.Lock()
        self._rests = False

    def forget(self):  # type: () -> None
        """Forget the colour shown: other boxes and programs might have changed the eyes since."""
        self._shown = None

    def show(self, colour):  # type: (int) -> None
        """Fade both eyes to a colour (0xRRGGBB)."""
        with self._lock:
            if not self._rests:
                self._fade(colour)

    def rest(self):  # type: () -> None
        """Show the calm colour and no other from then on, even if another thread is about to show one."""
        with self._lock:
            if self._shown is not None:
                self._fade(CALM_COLOUR)
            self._rests = True

    def _fade(self, colour):  # type: (int) -> None
        leds = self._services.find("ALLeds")
        if leds is None or colour == self._shown:
            return
        self._shown = colour
        try:
            leds.fadeRGB(_EYES_GROUP, colour, _FADE_S)
        except RuntimeError:
            # A game does not need the eyes, so errors are ignored.
            self._shown = None


# The voice: says lines, moves a little if that is safe, and can be stopped in mid-sentence.

#: A pause at the end of a text, so that the recogniser does not hear NAO's own last syllable.
_START_PAUSE = " \\pau=300\\"
#: What NAO says after a touch of the head has stopped it: until then the hand may touch the other sensors (our guess).
_PALM_PAUSE = as_native("\\pau=500\\")


class Mouth(object):
    """Speaks through ALAnimatedSpeech, or through ALTextToSpeech if none exists."""

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
        """Say lines one after the other; return when they are said, or `interrupt` or `hush` cuts them off."""
        spoken = [self.lines.speak(line, seed, beat) for line in says]
        if not spoken:
            return
        text = " ".join(said.text for said in spoken)
        if self._blocked is not None:
            text = self._blocked.clean(text, self.lines.that_word)
        self._utter(text + _START_PAUSE, next((said.gesture for said in spoken if said.gesture), None))

    def hush(self):  # type: () -> None
        """Stop speaking immediately and say nothing more, even if another thread is about to speak."""
        with self._lock:
            self._hushed = True
        self.interrupt()

    def interrupt(self):  # type: () -> bool
        """Stop speaking immediately; return whether NAO spoke."""
        with self._lock:
            task, speech, self._task = self._task, self._speech, None
        if task is None:
            return False
        try:
            speech.stop(task)
        except RuntimeError:
            # Said in the meantime.
            pass
        return True

    def _utter(self, text, gesture):  # type: (str, Optional[str]) -> None
        voice = self._services.find("ALTextToSpeech")
        if voice is None:
            # Without it animated speech is missing, too.
            return
        speech = self._services.find("ALAnimatedSpeech") or voice
        if speech is not voice:
            text = self._add_gesture(text, gesture)
        with self._lock:
            if self._hushed:
                return
            self._speech = speech
            task = self._task = speech.post.say(as_native(text))
        speech.wait(task, 0)
        with self._lock:
            was_interrupted = self._task is None and not self._hushed
            self._task = None
        if was_interrupted:
            voice.say(_PALM_PAUSE)

    def _add_gesture(self, text, gesture):  # type: (str, Optional[str]) -> str
        """Add a gesture for standing or sitting; no gesture if NAO lies or is held."""
        if gesture is None:
            return text
        family = self._services.attempt("ALRobotPosture", "getPostureFamily")
        animation = self.lines.gestures[gesture].get("%s" % family)
        if not animation or not self._has(animation):
            return text
        return "^start(%s) %s ^wait(%s)" % (animation, text, animation)

    def _has(self, animation):  # type: (str) -> bool
        """Return whether the robot has an animation, as a text that names a missing one is never spoken."""
        if animation not in self._installed:
            found = self._services.attempt("ALBehaviorManager", "isBehaviorInstalled", as_native(animation))
            self._installed[animation] = bool(found)
        return self._installed[animation]


# The language of a game in the mouth and the ears of a box.

#: The dialog topics of a project are in this folder, one for each language.
_TOPICS_FOLDER = as_native("jotto_answers")


class GameLanguage(object):
    """The language that a box speaks and understands, at first English. `root` is the folder of the project."""

    def __init__(self, services, mouth, ears, root):  # type: (Services, Mouth, Ears, str) -> None
        self._services = services
        self._mouth, self._ears, self._root = mouth, ears, root
        self.robot = RobotLanguages(services)
        self.code = ""
        self.change(DEFAULT_LANGUAGE)

    def change(self, code):  # type: (str) -> None
        """Speak and listen in a language from now on."""
        if code == self.code:
            return
        self.code, self.lines = code, load_lines(code)
        topic = os.path.join(self._root, _TOPICS_FOLDER, as_native("jotto_answers_%s.top" % self.lines.code))
        self._mouth.change(self.lines, load_block_list(code))
        self._ears.change(self.lines.language, topic)

    def tell_robot(self):  # type: () -> None
        """Set the language of the robot's voice."""
        wanted = as_native(self.lines.language)
        if self.robot.get_own() != self.lines.language:
            self._services.attempt("ALTextToSpeech", "setLanguage", wanted)

    def takes_over(self, talk):  # type: (Talk) -> bool
        """Change to the language of a talk, and the robot with it; return False if that is impossible."""
        if not self.is_playable(talk.language, talk.settings.words):
            return False
        self.change(talk.language)
        self.tell_robot()
        return True

    def write(self, mind):  # type: (Mind) -> None
        """Say words as the list writes them."""
        self._mouth.change(self.lines.writing(mind.wordlist), mind.blocked)

    def is_playable(self, code, words):  # type: (str, str) -> bool
        """Return whether the robot speaks a language and has words for it; `words` is the path of the player's list."""
        return code in LANGUAGE_NAMES and has_words(code, words) and self.robot.speaks(code)

    def drop_unavailable(self, meanings, words):  # type: (Sequence[str], str) -> List[str]
        """Leave out languages that cannot be chosen: the current one, and those without voice or words."""
        if not set(LANGUAGES).intersection(meanings):
            return list(meanings)
        installed = self.robot.list_installed() or ()
        codes = {
            code
            for code in LANGUAGE_NAMES
            if code != self.code and LANGUAGE_NAMES[code] in installed and has_words(code, words)
        }
        return [meaning for meaning in meanings if meaning not in LANGUAGES or get_meant_code(meaning) in codes]


def refuse_language(talk, language):  # type: (Talk, str) -> Talk
    """Say that NAO does not speak a language, and ask again in the one of this game."""
    return ask_question(talk._replace(says=()).say("no such language", language=language), brief=True)


def restart_in_language(talk, mind):  # type: (Talk, Mind) -> Talk
    """Return the talk with a new game on the list of a new language, as no turn was played in the old one."""
    game = start_game(mind.rules, mind.wordlist.name, mind.wordlist.checksum, talk.game.seed)
    return talk._replace(game=game, left=mind.count_fitting(game))
