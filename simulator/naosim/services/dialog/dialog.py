"""Knows ALDialog: which rule answers a sentence, and what the answer does. Leaves reading topics to qichat."""
from __future__ import absolute_import, division, print_function

import re

from naosim.services.base import Subscribers, overloads
from naosim.services.dialog import patterns, qichat
from naosim.services.dialog.topics import TopicShelf
from naosim.world.callbacks import guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world.world import World

FURTHEST = 10  # jumps of one answer to tags
ALTERNATIVES = re.compile(r"(?:\^rand|\^first)?\s*\[([^\[\]]*)\]")


class ALDialog(TopicShelf):
    """Answers sentences by the rules of the topics that are active, while somebody subscribes."""

    def __init__(self, world):
        # type: (World) -> None
        TopicShelf.__init__(self, world)
        self._subscribers = Subscribers()
        self._proposed = 0
        self._thresholds = {}  # type: Dict[str, float]
        self._manner = {}  # type: Dict[str, Any]

    @property
    def is_open(self):
        # type: () -> bool
        """Whether the dialogue engine runs: somebody subscribed and a topic is active."""
        return bool(self._subscribers) and bool(self._active)

    @property
    def vocabulary(self):
        # type: () -> Tuple[str, ...]
        """Sentences the active rules understand, at most 200 of each."""
        said = []  # type: List[str]
        for name, rule in self._rules():
            if rule.pattern is not None:
                said += [each for each in patterns.samples(rule.pattern, self._meaning(name)) if each not in said]
        return tuple(said[:patterns.MOST_SAMPLES])

    @property
    def spotting(self):
        # type: () -> bool
        """Whether words are found inside longer sentences: only by stars."""
        return False

    @overloads("s", "s i f")
    def subscribe(self, name, period=500, precision=0.0):
        # type: (str, int, float) -> None
        """Starts the dialogue engine for a program; period and precision mean nothing to it."""
        if not self._subscribers.add(self._text(name, "subscribe")):
            raise self._error("subscribe", "Module %s is already subscribed." % name)

    def unsubscribe(self, name):
        # type: (str) -> None
        """Ends a subscription; RuntimeError when there is none."""
        if not self._subscribers.remove(self._text(name, "unsubscribe")):
            raise self._error("unsubscribe", "Module %s is not subscribed." % name)

    def runDialog(self):
        # type: () -> None
        """Starts the dialogue engine on its own."""
        self._subscribers.add("runDialog")

    def stopDialog(self):
        # type: () -> None
        """Stops what `runDialog` started."""
        self._subscribers.remove("runDialog")

    def forceInput(self, sentence):
        # type: (str) -> None
        """Answers a sentence as if a person had said it."""
        self._understand(self._text(sentence, "forceInput"))

    def tell(self, sentence):
        # type: (str) -> None
        """Is another name of forceInput."""
        self._understand(self._text(sentence, "tell"))

    def forceOutput(self):
        # type: () -> None
        """Says the next proposal of the newest active topic."""
        if not self._active:
            raise self._error("forceOutput", "No topic is activated.")
        proposals = self._topics[self._active[-1]].proposals
        if proposals:
            answer = proposals[self._proposed % len(proposals)]
            self._proposed += 1
            self._reply(self._active[-1], qichat.Rule(None, None, answer, None, []), [])

    def gotoTag(self, tag, topic):
        # type: (str, str) -> None
        """Answers with the rule or proposal of a topic that carries a tag."""
        name = self._known(topic, "gotoTag")
        self._reply(name, self._tagged(name, self._text(tag, "gotoTag"), "gotoTag"), [])

    def setASRConfidenceThreshold(self, threshold):
        # type: (float) -> None
        """Says how sure the recogniser has to be, 0 to 1."""
        self._thresholds["BNF"] = self._number(threshold, "setASRConfidenceThreshold", 0, 0, 1)

    def getASRConfidenceThreshold(self):
        # type: () -> float
        """Tells how sure the recogniser has to be."""
        return self._thresholds.get("BNF", 0.5)

    def setConfidenceThreshold(self, strategy, threshold, language=None):
        # type: (str, float, Optional[str]) -> None
        """Says how sure the recogniser has to be for one kind of grammar."""
        self._one_of(strategy, ["BNF", "SLM", "REMOTE"], "setConfidenceThreshold", "strategy")
        self._thresholds[strategy] = self._number(threshold, "setConfidenceThreshold", 1, 0, 1)

    def setAnimatedSpeechConfiguration(self, configuration):
        # type: (Any) -> None
        """Says how answers are said, with what ALAnimatedSpeech.say takes beside a text."""
        if not isinstance(configuration, dict):
            raise self._mistyped(configuration, "Map", "setAnimatedSpeechConfiguration", 0)
        self._manner = configuration

    def getAnimatedSpeechConfiguration(self):
        # type: () -> Any
        """Tells how answers are to be said; a simulated robot says them all alike."""
        return self._manner

    def openSession(self, user):
        # type: (int) -> None
        """Begins a conversation with a person."""
        self._number(user, "openSession")

    def closeSession(self):
        # type: () -> None
        """Ends a conversation with a person."""

    def isListening(self):
        # type: () -> bool
        """Tells whether the dialogue engine listens now."""
        return self.is_open

    def compileAll(self):
        # type: () -> None
        """Does nothing: topics are read when they are loaded."""

    def resetAll(self):
        # type: () -> None
        """Forgets every topic, subscription and dynamic concept."""
        for topic in list(self._topics):
            self.unloadTopic(topic)
        self._subscribers = Subscribers()
        self._concepts.clear()

    def heard(self, sentence, confidence):
        # type: (str, float) -> bool
        """Takes in what a person said; False when no rule answers or the recogniser was not sure enough."""
        if not self.is_open or confidence < self.getASRConfidenceThreshold():
            return False
        return self._understand(sentence)

    def leftovers(self):
        # type: () -> List[str]
        """Lists topics, subscriptions and what else a program should have undone."""
        left = ["The topic %s is still %s." % (name, "activated" if name in self._active else "loaded")
                for name in sorted(self._topics)]
        return left + ["Module %r is still subscribed to ALDialog." % name for name in self._subscribers]

    def _rules(self):
        # type: () -> List[Tuple[str, qichat.Rule]]
        """The rules that listen: those below the last answer first, then the newest topic's."""
        fronted = [(self._active[-1], rule) for rule in self._scope] if self._active else []
        return fronted + [(name, rule) for name in reversed(self._active) for rule in self._topics[name].rules]

    def _understand(self, sentence):
        # type: (str) -> bool
        words = patterns.words_of(sentence)
        self.world.memory.raiseEvent("Dialog/LastInput", sentence)
        for name, rule in self._rules():
            captures = None if rule.pattern is None else patterns.matched(rule.pattern, words, self._meaning(name))
            if captures is not None:
                self._scope = list(rule.rules)
                self._reply(name, rule, captures)
                return True
        self.world.memory.raiseEvent("Dialog/NotUnderstood", sentence)
        return False

    def _reply(self, topic, rule, captures):
        # type: (str, qichat.Rule, List[Any]) -> None
        """Gives an answer as soon as the present task is over: speech must not hold up who asked."""
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
                self._voice(said)
                said = []
                self._act(topic, step, captures, jumps)
        self._voice(said)
        if rule.pattern is not None:
            self.world.memory.raiseEvent("Dialog/Answered", rule.answer)

    def _act(self, topic, step, captures, jumps):
        # type: (str, qichat.Step, List[Any], int) -> None
        if step.kind == "set":
            key, value = step.value
            value = self._read(value[1:], captures) if value.startswith("$") else value
            self.world.memory.raiseEvent(key, value)
        elif step.kind == "goto" and jumps < FURTHEST and topic in self._topics:
            try:
                target = self._tagged(topic, step.value, "goto")
            except RuntimeError as error:
                self.world.trace.note("error", where="ALDialog", message=str(error), handled=False)
                return
            self._perform(topic, target, captures, jumps + 1)

    def _voice(self, pieces):
        # type: (List[str]) -> None
        text = " ".join(piece for piece in pieces if piece).strip()
        speech = self.world.services.get("ALAnimatedSpeech") or self.world.services.get("ALTextToSpeech")
        if text and speech is not None:
            guarded(self.world, speech.say, text)

    def _read(self, variable, captures):
        # type: (str, List[Any]) -> str
        """The text of $1, $2 ... or of a key in ALMemory; nothing when it is missing."""
        if variable.isdigit():
            at = int(variable) - 1
            return str(captures[at]) if 0 <= at < len(captures) else ""
        try:
            return str(self.world.memory.getData(variable))
        except RuntimeError:
            return ""

    def _chosen(self, answer):
        # type: (str) -> str
        """Takes one of the alternatives of each [bracket] in an answer."""
        while ALTERNATIVES.search(answer):
            answer = ALTERNATIVES.sub(self._one, answer)
        return answer

    def _one(self, bracket):
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
