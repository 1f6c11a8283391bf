"""Listening: ALSpeechRecognition hears phrases of a closed vocabulary, but not while NAO speaks."""

from __future__ import absolute_import, division, print_function

from collections import namedtuple
from itertools import islice

from naosim.services.base import declare, no_effect, overloads, switch
from naosim.services.extractors import Extractor
from naosim.services.voice import ALTextToSpeech
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Dict, List, Optional, Sequence, Tuple

    from naosim.compat import ALValue

# Phrases of the vocabulary in a sentence.

_NOISE = "<...>"


def match_phrase(sentence, phrases, spotting):  # type: (str, Sequence[str], bool) -> Optional[str]
    """Return the phrase a recogniser reports for a sentence, or None; with word spotting, as the robot writes it.

    >>> match_phrase("Yes", ["yes", "no"], False)
    'yes'
    >>> match_phrase("well yes of course", ["yes", "of course not"], True)
    '<...> yes <...>'
    >>> match_phrase("well yes", ["yes"], False) is None
    True
    """
    words = sentence.lower().split()
    split = (phrase.lower().split() for phrase in phrases)
    if not spotting:
        return next((phrase for sought, phrase in zip(split, phrases) if sought == words), None)
    inside = [(-len(sought), place) for place, sought in enumerate(split) if _contains_words(words, sought)]
    return _decorate_phrase(phrases[min(inside)[1]]) if inside else None


def _decorate_phrase(phrase):  # type: (str) -> str
    """Return a spotted phrase as the robot writes it."""
    return "%s %s %s" % (_NOISE, phrase, _NOISE)


def _contains_words(words, sought):  # type: (List[str], List[str]) -> bool
    """Return whether `words` contains the words of `sought` next to each other, in order."""
    return any(words[at : at + len(sought)] == sought for at in range(len(words) - len(sought) + 1))


# ALSpeechRecognition.

RecognitionContext = namedtuple("RecognitionContext", "phrases spotting")
_EMPTY_CONTEXT = RecognitionContext((), False)
_RECOGNITION_LIMITS = {"Sensitivity": (0.0, 1.0), "NbHypotheses": (1, 10), "inputMode": (0, 3)}
#: The value of a phrase that was not recognised, as scripts of four groups and the log of a NAO6 have it.
_NOTHING = ("", -3.0)
#: What Peppers of 2.5 say if there is a vocabulary already (public programs and a course); for 2.1 it is our guess.
_GRAMMAR_EXISTS_ERROR = 'NuanceContext::addContext\n\tA grammar named "modifiable_grammar" already exists'
#: The message of the engine of 2.8; a test double for a NAO quotes it, and a Pepper's notes.
_NOT_PAUSED_ERROR = "AsrHybridNuance::xRemoveAllContext\n\tYou need to stop or pause the ASR engine to be able to "
_NOT_PAUSED_ERROR += "make this call."
_GRAMMAR_NAME = "modifiable_grammar"
_MAX_PUSHED_CONTEXTS = 50  # contexts pushed on each other
#: The robot's own subscribers while it is interactive.
OWN_SUBSCRIBERS = ("ALDialogWordRecognized", "ALFrameManagerSpeechDetected")


_GRAMMAR_METHODS = """
    removeContext(s)v loadContextSet(s)v eraseContextSet(s)v saveContextSet(s)b activateRule(ss)v deactivateRule(ss)v
    activateAllRules(s)v deactivateAllRules(s)v addWordListToSlot(ss[s])v removeWordListFromSlot(ss)v getRules(ss)[s]
    setContextParam(ssf)v getContextParam(ss)f
"""


@declare(
    switch("AudioExpression", True, "sounds mark listening; no effect, as on NAO6", ("set%s", "get%s")),
    no_effect(_GRAMMAR_METHODS, "The recogniser has a vocabulary, and understands no grammar files"),
)
class ALSpeechRecognition(Extractor):
    """Recognises phrases of a closed list while it runs and is not paused."""

    def __init__(self, world):  # type: (World) -> None
        Extractor.__init__(self, world)
        self._language = self._languages()[0]
        self._context = _EMPTY_CONTEXT
        self._pushed = []  # type: List[RecognitionContext]
        self._paused = False
        self._parameters = {"Sensitivity": 0.5, "NbHypotheses": 1.0, "inputMode": 0.0}  # type: Dict[str, float]
        self._is_inside_speech = False
        self._expressions = {"audio": True, "visual": True}

    @property
    def is_open(self):  # type: () -> bool
        """Return whether the engine runs and is not paused."""
        return self.is_running and not self._paused

    @property
    def vocabulary(self):  # type: () -> Tuple[str, ...]
        """List the phrases of the present context."""
        return tuple(self._context.phrases)

    @property
    def spotting(self):  # type: () -> bool
        """Return whether phrases are found inside longer sentences."""
        return bool(self._context.spotting)

    def getSubscribersInfo(self):  # type: () -> List[List[ALValue]]
        """List name, period and precision of each subscriber, with the robot's own on an interactive Pepper of 2.5.

        Recorded on a Pepper 1.8A (labbgulab-lab/robot-hub, pepper.md). That these do not open the engine is our guess.
        """
        rows, life = Extractor.getSubscribersInfo(self), self.world.services.get("ALAutonomousLife")
        is_pepper = self.world.robot_type == "Juliette" and self.world.naoqi == "2.5"
        if is_pepper and life is not None and life.call("getState", []) == "interactive":
            rows += [[name, 500, 0.0] for name in OWN_SUBSCRIBERS]
        return rows

    def getAvailableLanguages(self):  # type: () -> List[str]
        """List the installed languages."""
        return self._languages()

    def getLanguage(self):  # type: () -> str
        """Return the language listened for."""
        return self._language

    def setLanguage(self, language):  # type: (str) -> None
        """Change the language; another one forgets the vocabulary. Raise RuntimeError when it is not installed."""
        self._one_of(language, self._languages(), "setLanguage", "language")
        if language != self._language:
            self.world.faults.grammar_cured("language")
            self._language = language
            self._context = _EMPTY_CONTEXT

    def compile(self, source, target, language):  # type: (str, str, str) -> None
        """Accept a grammar file, with a warning: the recogniser understands none."""
        for at, given in enumerate((source, target, language)):
            self._text(given, "compile", at)
        self._warn_of_grammar(source)

    def addContext(self, path, context):  # type: (str, str) -> None
        """Accept a grammar file, with a warning: the recogniser understands none."""
        self._text(context, "addContext", 1)
        self._warn_of_grammar(self._text(path, "addContext"))

    def loadVocabulary(self, path):  # type: (str) -> None
        """Accept a grammar file, with a warning: the recogniser understands none."""
        self._warn_of_grammar(self._text(path, "loadVocabulary"))

    def _warn_of_grammar(self, path):  # type: (str) -> None
        self.world.warn(self.name, "the simulated robot does not read grammar files: %s" % path)

    def setVocabulary(self, phrases, spotting):  # type: (List[str], bool) -> None
        """Replace the phrases listened for; raise RuntimeError while the engine listens for others."""
        wanted = self._phrases(phrases)
        spotting = self._flag(spotting, "setVocabulary", 1)
        if self.world.faults.grammar_fails():
            raise self._error("setVocabulary", _GRAMMAR_EXISTS_ERROR)
        if self.is_open and self._context.phrases:
            is_new = self.world.naoqi == "2.8"
            raise self._error("setVocabulary", _NOT_PAUSED_ERROR if is_new else _GRAMMAR_EXISTS_ERROR)
        self._context = RecognitionContext(wanted, spotting)
        self.world.trace.note("call", service=self.name, method="setVocabulary", args=[list(wanted), spotting])

    def setWordListAsVocabulary(self, phrases):  # type: (List[str]) -> None
        """Replace the phrases listened for, without word spotting: the old name of setVocabulary."""
        self.setVocabulary(phrases, False)

    def removeAllContext(self):  # type: () -> None
        """Forget the vocabulary; raise RuntimeError while the engine runs and is not paused."""
        if self.is_open:
            raise self._error("removeAllContext", _NOT_PAUSED_ERROR)
        self.world.faults.grammar_cured("context")
        self._context = _EMPTY_CONTEXT

    def pushContexts(self):  # type: () -> None
        """Save the present vocabulary on a stack and begin an empty one."""
        if len(self._pushed) >= _MAX_PUSHED_CONTEXTS:
            raise self._error("pushContexts", "%d contexts are already pushed." % _MAX_PUSHED_CONTEXTS)
        self._pushed.append(self._context)
        self._context = _EMPTY_CONTEXT

    def popContexts(self):  # type: () -> None
        """Restore the vocabulary saved last; raise RuntimeError if none exists."""
        if not self._pushed:
            raise self._error("popContexts", "No context was pushed.")
        self._context = self._pushed.pop()

    def pause(self, paused):  # type: (bool) -> None
        """Pause or resume the engine without touching subscriptions."""
        was_open = self.is_open
        self._paused = self._flag(paused, "pause")
        self._note_open(was_open)

    @overloads("s f", "s b")
    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Set Sensitivity (0 to 1), NbHypotheses (1 to 10) or inputMode (0 to 3, ignored); True counts as 1."""
        value = int(value) if isinstance(value, bool) else value
        name = self._one_of(parameter, sorted(_RECOGNITION_LIMITS), "setParameter", "parameter")
        low, high = _RECOGNITION_LIMITS[name]
        self._parameters[parameter] = self._number(value, "setParameter", 1, low, high)

    def getParameter(self, parameter):  # type: (str) -> float
        """Return the value of a parameter."""
        return self._parameters[self._one_of(parameter, sorted(_RECOGNITION_LIMITS), "getParameter", "parameter")]

    def setVisualExpression(self, wanted):  # type: (bool) -> None
        """Remember the setting; it has no effect, as on NAO6."""
        self._expressions["visual"] = self._flag(wanted, "setVisualExpression")

    def setVisualExpressionMode(self, mode):  # type: (int) -> None
        """Accept and ignore a mode, 0 to 3: it has no effect, as on NAO6."""
        self._number(mode, "setVisualExpressionMode", 0, 0, 3)

    def hear_phrase(self, sentence, confidence):  # type: (str, float) -> bool
        """Process a sentence of a person; return False if the recogniser is closed or recognises no phrase."""
        if not self.is_open or not self._context.phrases:
            return False
        phrase = match_phrase(sentence, self._context.phrases, self._context.spotting)
        return self._report_hypotheses(self._hypotheses(phrase, float(confidence)))

    def speech_began(self):  # type: () -> None
        """Raise the events of the first sound of a sentence, if a recogniser of real sound reports it."""
        if self.is_open and self._context.phrases and not self._is_inside_speech:
            self._is_inside_speech = True
            self._status("SpeechDetected")
            self.world.memory.raiseEvent("SpeechDetected", True)

    def speech_ended(self, hypotheses):  # type: (Sequence[Tuple[str, float]]) -> bool
        """Process a sentence as a recogniser of real sound reports it: phrases with confidences.

        The best comes first; an empty list is a refused sentence. Return False for that, and while closed.
        """
        if not self.is_open or not self._context.phrases:
            return False
        known = [(phrase, sure) for phrase, sure in hypotheses if phrase in self._context.phrases]
        decorate = _decorate_phrase if self.spotting else str
        found = [(decorate(phrase), round(float(sure), 4)) for phrase, sure in known]
        count = int(self._parameters["NbHypotheses"])
        return self._report_hypotheses(found[:count] or [_NOTHING] * count)

    def leftovers(self):  # type: () -> List[str]
        """List subscriptions, contexts not popped, and an engine left paused."""
        sentences = Extractor.leftovers(self)
        if self._pushed:
            sentences.append("%d speech recognition context(s) were pushed and not popped." % len(self._pushed))
        if self._paused:
            sentences.append("ALSpeechRecognition is left paused.")
        return sentences

    def _phrases(self, phrases):  # type: (List[str]) -> Tuple[str, ...]
        given = self._texts(phrases, "setVocabulary")
        wanted = tuple(filter(str.strip, given))
        if not wanted:
            raise self._error("setVocabulary", "The vocabulary is empty: %.60r" % (phrases,))
        if len(wanted) < len(given):
            # A word list such as "yes;no;" has one.
            self.world.warn("ALSpeechRecognition.setVocabulary", "An empty phrase is left out: %.60r" % (phrases,))
        return wanted

    def _hypotheses(self, phrase, confidence):  # type: (Optional[str], float) -> List[Tuple[str, float]]
        """Return pairs of phrase and confidence, best first, at most as many as NbHypotheses asks for."""
        count = int(self._parameters["NbHypotheses"])
        if phrase is None:
            return [_NOTHING] * count
        others = (_decorate_phrase(each) if self.spotting else each for each in self._context.phrases)
        found = [phrase] + list(islice((each for each in others if each != phrase), count - 1))
        return [(word, round(confidence / 2**rank, 4)) for rank, word in enumerate(found)]

    def _note_running(self):  # type: () -> None
        if self.is_running:
            # A phrase of an earlier question does not answer this one.
            self.world.memory.insertData("WordRecognized", list(_NOTHING))
            self.world.memory.insertData("WordRecognizedAndGrammar", list(_NOTHING) + [""])
        Extractor._note_running(self)
        self.world.memory.raiseEvent("ALSpeechRecognition/IsRunning", self.is_running)
        self._note_open(not self.is_running and not self._paused)

    def _note_open(self, was_open):  # type: (bool) -> None
        """Raise the events of starting or stopping to listen, and check that the robot does not speak meanwhile."""
        if was_open == self.is_open:
            return
        self._is_inside_speech = False
        self._status("ListenOn" if self.is_open else "Stop")
        self.world.memory.raiseEvent("ALSpeechRecognition/ActiveListening", self.is_open)
        voice = self.world.find(ALTextToSpeech)
        if self.is_open and voice is not None:
            voice.check_ears()

    def _report_hypotheses(self, hypotheses):  # type: (Sequence[Tuple[str, float]]) -> bool
        """Raise the events of a sentence, in the robot's order; return whether a phrase was recognised."""
        self.speech_began()
        self._is_inside_speech = False
        memory = self.world.memory
        memory.raiseEvent("SpeechDetected", False)
        self._status("EndOfProcess")
        memory.raiseEvent("WordRecognized", [item for pair in hypotheses for item in pair])
        triples = [item for word, sure in hypotheses for item in (word, sure, _GRAMMAR_NAME if word else "")]
        memory.raiseEvent("WordRecognizedAndGrammar", triples)
        self._status("ListenOn")
        return bool(hypotheses[0][0])

    def _status(self, state):  # type: (str) -> None
        self.world.memory.raiseEvent("ALSpeechRecognition/Status", state)
