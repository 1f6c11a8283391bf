"""ALDialog: which rule answers a sentence, and what the answer does. Topics are read by qichat."""
from __future__ import absolute_import, division, print_function

import re

from naosim.services.base import Subscribers, overloads
from naosim.services.dialog import patterns, qichat
from naosim.services.dialog.topics import TopicStore
from naosim.world.callbacks import guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world.world import World

MOST_JUMPS = 10  # jumps of one answer to tags
ALTERNATIVES = re.compile(r"(?:(?:\^rand|\^first)\s*)?\[([^\[\]]*)\]")


class ALDialog(TopicStore):
    """Answers sentences by the rules of the active topics, for as long as a program is subscribed."""

    def __init__(self, world):
        # type: (World) -> None
        TopicStore.__init__(self, world)
        self._subscribers = Subscribers()
        self._proposed = 0
        self._thresholds = {}  # type: Dict[str, float]
        self._speech_configuration = {}  # type: Dict[str, Any]

    @property
    def is_open(self):
        # type: () -> bool
        """Tell whether the dialogue engine runs: a program is subscribed and a topic is active."""
        return bool(self._subscribers) and bool(self._active)

    @property
    def vocabulary(self):
        # type: () -> Tuple[str, ...]
        """List sentences that the active rules understand, at most 200."""
        found = []  # type: List[str]
        for name, rule in self._rules():
            if rule.pattern is not None:
                found += [each for each in patterns.samples(rule.pattern, self._lookup(name)) if each not in found]
        return tuple(found[:patterns.MOST_SAMPLES])

    @property
    def spotting(self):
        # type: () -> bool
        """Return False: words are found inside longer sentences only by the stars of a pattern."""
        return False

    @overloads("s", "s i f")
    def subscribe(self, name, period=500, precision=0.0):
        # type: (str, int, float) -> None
        """Start the dialogue engine for a program; period and precision are ignored."""
        if not self._subscribers.add(self._text(name, "subscribe")):
            raise self._error("subscribe", "Module %s is already subscribed." % name)

    def unsubscribe(self, name):
        # type: (str) -> None
        """End a subscription; raise RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)

    def runDialog(self):
        # type: () -> None
        """Start the dialogue engine, with a subscriber called "runDialog"."""
        self._subscribers.add("runDialog")

    def stopDialog(self):
        # type: () -> None
        """End the subscription that `runDialog` made."""
        self._subscribers.remove("runDialog")

    def forceInput(self, sentence):
        # type: (str) -> None
        """Answer a sentence as if a person had said it."""
        self._understand(self._text(sentence, "forceInput"))

    def tell(self, sentence):
        # type: (str) -> None
        """Answer a sentence as if a person had said it: another name of forceInput."""
        self._understand(self._text(sentence, "tell"))

    def forceOutput(self):
        # type: () -> None
        """Say the next proposal of the newest active topic."""
        if not self._active:
            raise self._error("forceOutput", "No topic is activated.")
        proposals = self._topics[self._active[-1]].proposals
        if proposals:
            answer = proposals[self._proposed % len(proposals)]
            self._proposed += 1
            self._reply(self._active[-1], qichat.Rule(None, None, answer, None, []), [])

    def gotoTag(self, tag, topic):
        # type: (str, str) -> None
        """Answer with the rule or proposal of a topic that carries a tag."""
        name = self._known(topic, "gotoTag")
        self._reply(name, self._tagged(name, self._text(tag, "gotoTag"), "gotoTag"), [])

    def setASRConfidenceThreshold(self, threshold):
        # type: (float) -> None
        """Set the confidence that the recogniser needs, 0 to 1."""
        self._thresholds["BNF"] = self._number(threshold, "setASRConfidenceThreshold", 0, 0, 1)

    def getASRConfidenceThreshold(self):
        # type: () -> float
        """Return the confidence that the recogniser needs, 0 to 1."""
        return self._thresholds.get("BNF", 0.5)

    def setConfidenceThreshold(self, strategy, threshold, language=None):
        # type: (str, float, Optional[str]) -> None
        """Set the confidence that the recogniser needs for one kind of grammar."""
        self._one_of(strategy, ["BNF", "SLM", "REMOTE"], "setConfidenceThreshold", "strategy")
        self._thresholds[strategy] = self._number(threshold, "setConfidenceThreshold", 1, 0, 1)

    def setAnimatedSpeechConfiguration(self, configuration):
        # type: (Any) -> None
        """Set how answers are said: the configuration that ALAnimatedSpeech.say takes beside a text."""
        if not isinstance(configuration, dict):
            raise self._mistyped(configuration, "Map", "setAnimatedSpeechConfiguration", 0)
        self._speech_configuration = configuration

    def getAnimatedSpeechConfiguration(self):
        # type: () -> Any
        """Return how answers are to be said; the simulated robot says them all alike."""
        return self._speech_configuration

    def openSession(self, user):
        # type: (int) -> None
        """Begin a conversation with a person."""
        self._number(user, "openSession")

    def closeSession(self):
        # type: () -> None
        """End a conversation with a person."""

    def isListening(self):
        # type: () -> bool
        """Tell whether the dialogue engine listens now."""
        return self.is_open

    def compileAll(self):
        # type: () -> None
        """Do nothing: topics are read when they are loaded."""

    def resetAll(self):
        # type: () -> None
        """Forget every topic, subscription and dynamic concept."""
        for topic in list(self._topics):
            self.unloadTopic(topic)
        self._subscribers = Subscribers()
        self._concepts.clear()

    def heard(self, sentence, confidence):
        # type: (str, float) -> bool
        """Take in what a person said; return False when no rule answers or the confidence is too low."""
        if not self.is_open or confidence < self.getASRConfidenceThreshold():
            return False
        return self._understand(sentence)

    def leftovers(self):
        # type: () -> List[str]
        """List the topics and subscriptions that a program should have undone."""
        left = ["The topic %s is still %s." % (name, "activated" if name in self._active else "loaded")
                for name in sorted(self._topics)]
        return left + ["Module %r is still subscribed to ALDialog." % name for name in self._subscribers]

    def _rules(self):
        # type: () -> List[Tuple[str, qichat.Rule]]
        """List the rules that may answer: those below the last answer first, then those of each topic, newest first."""
        in_scope = [(self._active[-1], rule) for rule in self._scope] if self._active else []
        return in_scope + [(name, rule) for name in reversed(self._active) for rule in self._topics[name].rules]

    def _understand(self, sentence):
        # type: (str) -> bool
        words = patterns.words_of(sentence)
        self.world.memory.raiseEvent("Dialog/LastInput", sentence)
        for name, rule in self._rules():
            captures = None if rule.pattern is None else patterns.matched(rule.pattern, words, self._lookup(name))
            if captures is not None:
                self._scope = list(rule.rules)
                self._reply(name, rule, captures)
                return True
        self.world.memory.raiseEvent("Dialog/NotUnderstood", sentence)
        return False

    def _reply(self, topic, rule, captures):
        # type: (str, qichat.Rule, List[Any]) -> None
        """Schedule an answer for when the present task is over: speech must not hold up the caller."""
        self.world.clock.soon(self._perform, topic, rule, captures, 0)

    def _perform(self, topic, rule, captures, jumps):
        # type: (str, qichat.Rule, List[Any], int) -> None
        said = []
        for step in qichat.steps(self._chosen(rule.answer)):
            if step.kind == "say":
                said.append(step.value)
            elif step.kind == "read":
                said.append(self._read(step.value, captures))
            else:
                self._say(said)
                said = []
                self._act(topic, step, captures, jumps)
        self._say(said)
        if rule.pattern is not None:
            self.world.memory.raiseEvent("Dialog/Answered", rule.answer)

    def _act(self, topic, step, captures, jumps):
        # type: (str, qichat.Step, List[Any], int) -> None
        if step.kind == "set":
            key, value = step.value
            value = self._read(value[1:], captures) if value.startswith("$") else value
            self.world.memory.raiseEvent(key, value)
        elif step.kind == "goto" and jumps < MOST_JUMPS and topic in self._topics:
            try:
                target = self._tagged(topic, step.value, "goto")
            except RuntimeError as error:
                self.world.trace.note("error", where="ALDialog", message=str(error), handled=False)
                return
            self._perform(topic, target, captures, jumps + 1)

    def _say(self, pieces):
        # type: (List[str]) -> None
        text = " ".join(piece for piece in pieces if piece).strip()
        speech = self.world.services.get("ALAnimatedSpeech") or self.world.services.get("ALTextToSpeech")
        if text and speech is not None:
            guarded(self.world, speech.say, text)

    def _read(self, variable, captures):
        # type: (str, List[Any]) -> str
        """Return the text of $1, $2 ... or of a key in ALMemory; "" when it is missing."""
        if variable.isdigit():
            at = int(variable) - 1
            return str(captures[at]) if 0 <= at < len(captures) else ""
        try:
            return str(self.world.memory.getData(variable))
        except RuntimeError:
            return ""

    def _chosen(self, answer):
        # type: (str) -> str
        """Choose one of the alternatives of each [bracket] in an answer."""
        for _ in range(patterns.DEEPEST_BRACKET):
            if not ALTERNATIVES.search(answer):
                break
            answer = ALTERNATIVES.sub(self._choice, answer)
        return answer

    def _choice(self, bracket):
        # type: (Any) -> str
        choices = patterns.TOKEN.findall(bracket.group(1))
        return " " + str(self.world.random.choice(choices)).strip('"') if choices else ""

    def _tagged(self, topic, tag, method):
        # type: (str, str, str) -> qichat.Rule
        waiting = list(self._topics[topic].rules)
        while waiting:
            rule = waiting.pop(0)
            if rule.tag == tag:
                return rule  # type: ignore[no-any-return]
            waiting += rule.rules
        for proposal in self._topics[topic].proposals:
            if "%" + tag in proposal.split():
                return qichat.Rule(None, None, proposal, tag, [])
        raise self._error(method, "Topic %s has no tag %s." % (topic, tag))
