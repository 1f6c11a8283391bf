"""Knows ALSpeechRecognition: a closed vocabulary, contexts, pauses, what one utterance does. Knows no microphone."""
from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim.services.base import overloads
from naosim.services.sensing.extractors import Extractor
from naosim.services.speech.vocabulary import decorated, understood

MYPY = False
if MYPY:
    from typing import Dict, List, Optional, Tuple

    from naosim.world.world import World

Context = namedtuple("Context", "phrases spotting is_fresh")
EMPTY = Context((), False, False)
LIMITS = {"Sensitivity": (0.0, 1.0), "NbHypotheses": (1, 10)}
GRAMMAR_EXISTS = 'NuanceContext::addContext\n\tA grammar named "modifiable_grammar" already exists'
NOT_PAUSED = ("AsrHybridNuance::xRemoveAllContext\n\t"
              "You need to stop or pause the ASR engine to be able to make this call.")
GRAMMAR = "modifiable_grammar"
DEEPEST = 50  # contexts pushed on each other


class ALSpeechRecognition(Extractor):
    """Understands phrases of a closed list while it runs and is not paused."""

    def __init__(self, world):
        # type: (World) -> None
        Extractor.__init__(self, world)
        self._language = self._languages()[0]
        self._context = EMPTY
        self._pushed = []  # type: List[Context]
        self._paused = False
        self._parameters = {"Sensitivity": 0.5, "NbHypotheses": 1.0}  # type: Dict[str, float]
        self._expressions = {"audio": True, "visual": True}

    @property
    def is_open(self):
        # type: () -> bool
        """Whether the engine runs un-paused."""
        return self.is_running and not self._paused

    @property
    def vocabulary(self):
        # type: () -> Tuple[str, ...]
        """The phrases of the present context."""
        return tuple(self._context.phrases)

    @property
    def spotting(self):
        # type: () -> bool
        """Whether phrases are found inside longer sentences."""
        return bool(self._context.spotting)

    def getAvailableLanguages(self):
        # type: () -> List[str]
        """Lists the installed languages."""
        return self._languages()

    def getLanguage(self):
        # type: () -> str
        """Tells the language listened for."""
        return self._language

    def setLanguage(self, language):
        # type: (str) -> None
        """Changes the language and forgets the vocabulary; RuntimeError when it is not installed."""
        self._one_of(language, self._languages(), "setLanguage", "language")
        if language != self._language:
            self.world.faults.grammar_cured("language")
        self._language = language
        self._context = EMPTY

    def setVocabulary(self, phrases, spotting):
        # type: (List[str], bool) -> None
        """Replaces the phrases listened for; RuntimeError while the engine runs un-paused."""
        wanted = self._phrases(phrases)
        spotting = self._flag(spotting, "setVocabulary", 1)
        if self.world.faults.grammar_fails() or (self.is_open and not self._context.is_fresh):
            raise self._error("setVocabulary", GRAMMAR_EXISTS)
        self._context = Context(wanted, spotting, False)
        self.world.trace.note("call", service=self.name, method="setVocabulary", args=[list(wanted), spotting])

    def setWordListAsVocabulary(self, phrases):
        # type: (List[str]) -> None
        """Is the old name of setVocabulary, without spotting."""
        self.setVocabulary(phrases, False)

    def removeAllContext(self):
        # type: () -> None
        """Forgets the vocabulary; RuntimeError while the engine runs un-paused."""
        if self.is_open:
            raise self._error("removeAllContext", NOT_PAUSED)
        self.world.faults.grammar_cured("context")
        self._context = EMPTY

    def pushContexts(self):
        # type: () -> None
        """Puts the present vocabulary aside."""
        if len(self._pushed) >= DEEPEST:
            raise self._error("pushContexts", "%d contexts are already pushed." % DEEPEST)
        self._pushed.append(self._context)
        self._context = Context((), False, True)

    def popContexts(self):
        # type: () -> None
        """Takes back the vocabulary put aside last; RuntimeError when there is none."""
        if not self._pushed:
            raise self._error("popContexts", "No context was pushed.")
        self._context = self._pushed.pop()

    def pause(self, paused):
        # type: (bool) -> None
        """Stops or restarts the engine without touching subscriptions."""
        was_open = self.is_open
        self._paused = self._flag(paused, "pause")
        self._opened_or_closed(was_open)

    @overloads("s f", "s b")
    def setParameter(self, parameter, value):
        # type: (str, float) -> None
        """Sets Sensitivity (0 to 1) or NbHypotheses (1 to 10); True counts as 1."""
        value = int(value) if isinstance(value, bool) else value
        low, high = LIMITS[self._one_of(parameter, sorted(LIMITS), "setParameter", "parameter")]
        self._parameters[parameter] = self._number(value, "setParameter", 1, low, high)

    def getParameter(self, parameter):
        # type: (str) -> float
        """Reads a parameter."""
        return self._parameters[self._one_of(parameter, sorted(LIMITS), "getParameter", "parameter")]

    def setAudioExpression(self, wanted):
        # type: (bool) -> None
        """Is remembered and has no effect, as on NAO6."""
        self._expressions["audio"] = self._flag(wanted, "setAudioExpression")

    def getAudioExpression(self):
        # type: () -> bool
        """Tells what was asked of the listening sounds."""
        return self._expressions["audio"]

    def setVisualExpression(self, wanted):
        # type: (bool) -> None
        """Is remembered and has no effect, as on NAO6."""
        self._expressions["visual"] = self._flag(wanted, "setVisualExpression")

    def setVisualExpressionMode(self, mode):
        # type: (int) -> None
        """Is accepted and has no effect, as on NAO6."""
        self._number(mode, "setVisualExpressionMode", 0, 0, 3)

    def heard(self, sentence, confidence):
        # type: (str, float) -> bool
        """Takes in what a person said; False when the recogniser is closed or understands nothing."""
        if not self.is_open or not self._context.phrases:
            return False
        phrase = understood(sentence, self._context.phrases, self._context.spotting)
        hypotheses = self._hypotheses(phrase, float(confidence))
        self._speech_passes()
        memory = self.world.memory
        memory.raiseEvent("WordRecognized", [item for pair in hypotheses for item in pair])
        triples = [item for word, sure in hypotheses for item in (word, sure, GRAMMAR if word else "")]
        memory.raiseEvent("WordRecognizedAndGrammar", triples)
        self._status("ListenOn")
        return phrase is not None

    def leftovers(self):
        # type: () -> List[str]
        """Lists subscriptions, contexts not popped, and an engine left paused."""
        said = Extractor.leftovers(self)
        if self._pushed:
            said.append("%d speech recognition context(s) were pushed and not popped." % len(self._pushed))
        if self._paused:
            said.append("ALSpeechRecognition is left paused.")
        return said

    def _phrases(self, phrases):
        # type: (List[str]) -> Tuple[str, ...]
        wanted = tuple(self._texts(phrases, "setVocabulary"))
        if not wanted or not all(phrase.strip() for phrase in wanted):
            raise self._error("setVocabulary", "The vocabulary is empty or has an empty phrase: %.60r" % (phrases,))
        return wanted

    def _hypotheses(self, phrase, confidence):
        # type: (Optional[str], float) -> List[Tuple[str, float]]
        """Pairs of phrase and confidence, best first, as many as NbHypotheses asks for."""
        count = int(self._parameters["NbHypotheses"])
        if phrase is None:
            return [("", 0.0)] * count
        others = [decorated(each) if self.spotting else each for each in self._context.phrases]
        found = [phrase] + [each for each in others if each != phrase]
        return [(word, round(confidence / 2**rank, 4)) for rank, word in enumerate(found[:count])]

    def _switched(self):
        # type: () -> None
        Extractor._switched(self)
        self.world.memory.raiseEvent("ALSpeechRecognition/IsRunning", self.is_running)
        self._opened_or_closed(not self.is_running and not self._paused)

    def _opened_or_closed(self, was_open):
        # type: (bool) -> None
        """Raises what goes with starting or stopping to listen, and checks that the robot does not speak meanwhile."""
        if was_open == self.is_open:
            return
        self._status("ListenOn" if self.is_open else "Stop")
        self.world.memory.raiseEvent("ALSpeechRecognition/ActiveListening", self.is_open)
        voice = self.world.services.get("ALTextToSpeech")
        if self.is_open and voice is not None:
            voice.check_ears()

    def _speech_passes(self):
        # type: () -> None
        """Raises the events between the first sound of a sentence and its end."""
        self._status("SpeechDetected")
        self.world.memory.raiseEvent("SpeechDetected", True)
        self.world.memory.raiseEvent("SpeechDetected", False)
        self._status("EndOfProcess")

    def _status(self, state):
        # type: (str) -> None
        self.world.memory.raiseEvent("ALSpeechRecognition/Status", state)
