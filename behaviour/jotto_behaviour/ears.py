"""What NAO listens with: the speech recogniser, the dialog panel of a virtual robot, and always the head.

One question at a time: `open` starts listening for phrases, the box hands events over, `close` leaves the robot as
it was. The order of calls follows what robots were found to need: pause, vocabulary, subscribe, go on.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import threading

from jotto.compat import as_native

MYPY = False
if MYPY:
    from typing import Any, Callable, List, Optional, Sequence, Tuple

    from .services import Services

FRONT, MIDDLE, REAR = (as_native(name) for name in ("FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"))
WORD, TYPED = as_native("WordRecognized"), as_native("Dialog/LastInput")
TOPIC, CONCEPT = as_native("jotto_answers"), as_native("jotto_words")


class CannotListen(Exception):
    """A recogniser would not listen; `service` names it, the message is its last refusal."""

    def __init__(self, service, refusal):  # type: (str, object) -> None
        # As the robot worded it: Python 2.7 stumbles over an accent on the way to text.
        Exception.__init__(self, str(refusal))
        self.service = service


class Ears(object):
    """Listens under `name` (the box's module name) with the box's methods as callbacks."""

    def __init__(self, services, name, language, topic):  # type: (Services, str, str, Optional[str]) -> None
        self._services = services
        self._name = as_native(name)
        self._language = as_native(language)
        self._topic = topic
        self._open = []  # type: List[Tuple[Any, str, Tuple[Any, ...]]]
        self._has_topic = False
        self._lock = threading.RLock()
        self._is_shut = False
        self.engine = None  # type: Optional[str]

    def change(self, language, topic):  # type: (str, Optional[str]) -> None
        """Listen in another language from now on: close what is open, and take the old topic out of the robot."""
        with self._lock:
            self._close_all()
            self._unload_topic()
            self._language, self._topic = as_native(language), topic

    def deaf(self):  # type: () -> bool
        """Tell whether there is nothing but the head to answer with."""
        return self._services.find("ALSpeechRecognition") is None and (
            self._topic is None or self._services.find("ALDialog") is None
        )

    def open(self, phrases, words=(), is_wanted=lambda: True, typed=()):
        # type: (List[str], Sequence[str], Callable[[], bool], Sequence[str]) -> None
        """Listen for `phrases`, `words` (native text) and touches of the head; where people type, for `typed` too.

        Raises `CannotListen`, with nothing left open. Opening, closing and shutting exclude each other; after `shut`
        nothing is opened any more, nor where it is not wanted once the others are done.
        """
        with self._lock:
            if not self._is_shut and is_wanted():
                natively = [as_native(phrase) for phrase in typed]
                self._open_all([as_native(phrase) for phrase in phrases] + list(words), natively)

    def _open_all(self, words, typed):  # type: (List[str], List[str]) -> None
        memory = self._services.find("ALMemory")
        for key in (FRONT, REAR, MIDDLE):
            self._subscribe(memory, key, "onTouched")
        self.engine = None
        if self._services.find("ALSpeechRecognition") is not None:
            self._open_recogniser(memory, words)
        elif self._topic is not None and self._services.find("ALDialog") is not None:
            self._open_dialog(memory, words + typed)

    def close(self):  # type: () -> None
        """Stop listening and undo everything `open` did, latest first; safe to call twice."""
        with self._lock:
            self._close_all()

    def _close_all(self):  # type: () -> None
        recogniser = self._services.find("ALSpeechRecognition") if self.engine == "ALSpeechRecognition" else None
        undo, self._open, self.engine = self._open, [], None
        if recogniser is not None:
            _calmly(recogniser, "pause", True)
        for service, method, arguments in reversed(undo):
            _calmly(service, method, *arguments)
        if recogniser is not None:
            _calmly(recogniser, "pause", False)

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
            self._put_contexts_aside(recogniser)
            self._set_vocabulary(recogniser, words)
            # What was recognised last time must not answer this question.
            memory.insertData(WORD, [as_native(""), 0.0])
            self._subscribe(memory, WORD, "onWordRecognized")
            recogniser.subscribe(self._name)
            self._open.append((recogniser, "unsubscribe", (self._name,)))
            recogniser.pause(False)
        except RuntimeError as error:
            self.close()
            raise CannotListen("ALSpeechRecognition", error)

    def _put_contexts_aside(self, recogniser):  # type: (Any) -> None
        """Save the vocabulary of other programs, as Choregraphe's own box does, where the robot can."""
        try:
            recogniser.pushContexts()
            self._open.append((recogniser, "popContexts", ()))
        except RuntimeError:
            pass

    def _set_vocabulary(self, recogniser, words):  # type: (Any, List[str]) -> None
        """Set the vocabulary; free a stuck grammar in the ways that have helped on robots, one after the other."""
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
            # Compiling a topic takes a robot seconds: it stays loaded until the behaviour is unloaded.
            if TOPIC not in dialog.getLoadedTopics(self._language):
                dialog.loadTopic(as_native(self._topic or ""))
            if TOPIC not in dialog.getActivatedTopics():
                dialog.activateTopic(TOPIC)
            dialog.setConcept(CONCEPT, self._language, words)
            self._subscribe(memory, TYPED, "onTyped")
            dialog.subscribe(self._name)
            self._open.append((dialog, "unsubscribe", (self._name,)))
        except RuntimeError as error:
            self._close_all()
            self._unload_topic()
            raise CannotListen("ALDialog", error)

    def shut(self):  # type: () -> None
        """Close for good: take the dialog topic out of the robot too."""
        with self._lock:
            self._is_shut = True
            self._close_all()
            self._unload_topic()

    def _unload_topic(self):  # type: () -> None
        if self._has_topic:
            self._has_topic = False
            if TOPIC in (self._services.attempt("ALDialog", "getLoadedTopics", self._language) or ()):
                self._services.attempt("ALDialog", "deactivateTopic", TOPIC)
                self._services.attempt("ALDialog", "unloadTopic", TOPIC)


def _calmly(service, method, *arguments):  # type: (Any, str, *Any) -> None
    """Call a method that tidies up and ignore its refusal, so that the rest is done as well."""
    try:
        getattr(service, method)(*arguments)
    except RuntimeError:
        pass
