"""ALDialog: the dialogue engine as programs see it. Topics are read by naosim.qichat."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Subscribers, overloads
from naosim.services.dialog import matching
from naosim.services.dialog.understanding import Understanding

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world import World


class ALDialog(Understanding):
    """Answers sentences by the rules of the active topics, for as long as a program is subscribed."""

    def __init__(self, world):  # type: (World) -> None
        Understanding.__init__(self, world)
        self._subscribers = Subscribers()
        self._thresholds = {}  # type: Dict[str, float]
        self._speech_configuration = {}  # type: Dict[str, Any]

    @property
    def is_open(self):  # type: () -> bool
        """Tell whether the dialogue engine runs: a program is subscribed and a topic is active."""
        return bool(self._subscribers) and bool(self._active)

    @property
    def vocabulary(self):  # type: () -> Tuple[str, ...]
        """List sentences that the active rules understand, at most 200."""
        found = []  # type: List[str]
        for name, rule in self._rules():
            if len(found) < matching.MOST_SAMPLES:
                view = self._view(self._topics[name])
                found += [each for each in matching.samples(rule.pattern, view) if each not in found]
        return tuple(found[: matching.MOST_SAMPLES])

    @property
    def spotting(self):  # type: () -> bool
        """Return False: words are found inside longer sentences only by the stars of a pattern."""
        return False

    @overloads("s", "s i f")
    def subscribe(self, name, period=500, precision=0.0):  # type: (str, int, float) -> None
        """Start the dialogue engine for a program; period and precision are ignored."""
        if not self._subscribers.add(self._text(name, "subscribe")):
            raise self._error("subscribe", "Module %s is already subscribed." % name)

    def unsubscribe(self, name):  # type: (str) -> None
        """End a subscription; raise RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)

    def runDialog(self):  # type: () -> None
        """Start the dialogue engine, with a subscriber called "runDialog"."""
        self._subscribers.add("runDialog")

    def stopDialog(self):  # type: () -> None
        """End the subscription that `runDialog` made."""
        self._subscribers.remove("runDialog")

    def forceInput(self, sentence):  # type: (str) -> None
        """Answer a sentence as if a person had said it."""
        self._understand(self._text(sentence, "forceInput"))

    def tell(self, sentence):  # type: (str) -> None
        """Answer a sentence as if a person had said it: another name of forceInput."""
        self._understand(self._text(sentence, "tell"))

    def forceOutput(self):  # type: () -> None
        """Say the next proposal of the newest active topic."""
        if not self._active:
            raise self._error("forceOutput", "No topic is activated.")
        loaded = self._topics[self._active[-1]]
        if loaded.proposal("next") is None:
            loaded.again()
        proposal = loaded.proposal("next")
        if proposal is not None:
            loaded.made(proposal)
            self._open_scope(self._active[-1], proposal)
            self._reply(self._active[-1], proposal, [])

    def gotoTag(self, tag, topic):  # type: (str, str) -> None
        """Answer with the rule or proposal of a topic that carries a tag."""
        name = self._known(topic, "gotoTag")
        rule = self._tagged(self._topics[name], self._text(tag, "gotoTag"), "gotoTag")[0]
        self._open_scope(name, rule)
        self._reply(name, rule, [])

    def setASRConfidenceThreshold(self, threshold):  # type: (float) -> None
        """Set the confidence that the recogniser needs, 0 to 1."""
        self._thresholds["BNF"] = self._number(threshold, "setASRConfidenceThreshold", 0, 0, 1)

    def getASRConfidenceThreshold(self):  # type: () -> float
        """Return the confidence that the recogniser needs, 0 to 1."""
        return self._thresholds.get("BNF", 0.5)

    def setConfidenceThreshold(self, strategy, threshold, language=None):  # type: (str, float, Optional[str]) -> None
        """Set the confidence that the recogniser needs for one kind of grammar."""
        self._one_of(strategy, ["BNF", "SLM", "REMOTE"], "setConfidenceThreshold", "strategy")
        self._thresholds[strategy] = self._number(threshold, "setConfidenceThreshold", 1, 0, 1)

    def setAnimatedSpeechConfiguration(self, configuration):  # type: (Any) -> None
        """Set how answers are said: the configuration that ALAnimatedSpeech.say takes beside a text."""
        if not isinstance(configuration, dict):
            raise self._mistyped(configuration, "Map", "setAnimatedSpeechConfiguration", 0)
        self._speech_configuration = configuration

    def getAnimatedSpeechConfiguration(self):  # type: () -> Any
        """Return how answers are to be said; the simulated robot says them all alike."""
        return self._speech_configuration

    def openSession(self, user):  # type: (int) -> None
        """Begin a conversation with a person."""
        self._number(user, "openSession")

    def closeSession(self):  # type: () -> None
        """End a conversation with a person."""

    def isListening(self):  # type: () -> bool
        """Tell whether the dialogue engine listens now."""
        return self.is_open

    def compileAll(self):  # type: () -> None
        """Do nothing: topics are read when they are loaded."""

    def resetAll(self):  # type: () -> None
        """Forget every topic, subscription and dynamic concept."""
        for topic in list(self._topics):
            self.unloadTopic(topic)
        self._subscribers = Subscribers()
        self.clearConcepts()

    def heard(self, sentence, confidence):  # type: (str, float) -> bool
        """Take in what a person said; return False when no rule answers or the confidence is too low."""
        if not self.is_open or confidence < self.getASRConfidenceThreshold():
            return False
        return self._understand(sentence)

    def leftovers(self):  # type: () -> List[str]
        """List the topics and subscriptions that a program should have undone."""
        left = [
            "The topic %s is still %s." % (name, "activated" if name in self._active else "loaded")
            for name in sorted(self._topics)
        ]
        return left + ["Module %r is still subscribed to ALDialog." % name for name in self._subscribers]
