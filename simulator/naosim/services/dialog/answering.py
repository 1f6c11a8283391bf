"""How ALDialog answers: one answer after the other, each step by step: words, variables, jumps, calls."""

from __future__ import absolute_import, division, print_function

from collections import namedtuple

from naosim import qichat
from naosim.compat import reason
from naosim.services.dialog import calls, matching
from naosim.services.dialog.actions import Actions
from naosim.services.dialog.speaking import NothingToSay, Speaker, Unknown
from naosim.services.speech import annotations
from naosim.world import call_guarded

MYPY = False
if MYPY:
    from typing import Any, List, Optional

    from naosim.services.dialog.loaded import LoadedTopic
    from naosim.services.dialog.speaking import Step
    from naosim.topics import Rule
    from naosim.world import World

MOST_JUMPS = 10  # jumps of one answer to tags and proposals
MOST_WAITING = 100  # answers

#: One answer to give: the topic's name, the rule, what was captured, whether silence brought it about.
Turn = namedtuple("Turn", "topic rule captures")


class Answering(Actions):
    """The part of ALDialog that answers."""

    def __init__(self, world):  # type: (World) -> None
        Actions.__init__(self, world)
        self._turns = []  # type: List[Turn]
        #: Whether an answer is being given; gestures may take time when nothing is said.
        self.is_answering = False

    def _reply(self, topic, rule, captures):  # type: (str, Rule, List[str]) -> None
        """Schedule an answer for when the present task and the answers before it are over."""
        if len(self._turns) < MOST_WAITING:
            self._turns.append(Turn(topic, rule, captures))
        if not self.is_answering:
            self.is_answering = True
            self.world.clock.soon(self._answer_all)

    def _answer_all(self):  # type: () -> None
        try:
            while self._turns:
                self._perform(self._turns.pop(0), 0)
        finally:
            self.is_answering = False
            if self._turns:
                self._reply(*self._turns.pop(0))

    def _perform(self, turn, jumps):  # type: (Turn, int) -> None
        """Give one answer; a topic that is unloaded meanwhile falls silent."""
        loaded = self._topics.get(turn.topic)
        if loaded is None:
            return
        loaded.made(turn.rule)
        speaker = Speaker(
            self._view(loaded),
            loaded.turns,
            self.world.random,
            turn.captures,
            lambda node: self._can_do(loaded, node.parts),
        )
        said, whole = [], []  # type: List[str], List[str]
        try:
            for step in speaker.steps(turn.rule.answer):
                if step.kind == "say":
                    said.append(step.value)
                    continue
                if step.kind not in ("tag", "pcall"):
                    whole += self._say(said)
                    said = []
                if self._topics.get(turn.topic) is not loaded or not self._step(turn, loaded, step, jumps):
                    return
        except NothingToSay:
            pass
        except Unknown as error:
            self._failed("%s, line %d: %s." % (turn.topic, turn.rule.line, error))
        finally:
            whole += self._say(said) if self._topics.get(turn.topic) is loaded else []
            if whole:
                self._answered(turn, " ".join(whole))

    def _step(self, turn, loaded, step, jumps):  # type: (Turn, LoadedTopic, Step, int) -> bool
        """Do what one step of an answer says; return False when the answer ends there."""
        if step.kind == "set":
            self.world.memory.raiseEvent(*step.value)
        elif step.kind == "tag":
            self.world.memory.raiseEvent("Dialog/Tag", step.value)
        elif step.kind == "pcall":
            self.world.clock.soon(self._call, step.value)
        elif step.kind == "call":
            self._take_result(turn, loaded, calls.words(self._call(step.value)), jumps)
        elif step.value[0] == "break":
            return False
        else:
            self._do(turn, loaded, step.value, jumps)
        return True

    def _do(self, turn, loaded, parts, jumps):  # type: (Turn, LoadedTopic, Any, int) -> None
        """Jump to another rule, or do what changes no answer."""
        target = self._target(loaded, parts)
        if target is None:
            self._act(loaded, turn.rule, parts)
        elif jumps >= MOST_JUMPS:
            self._failed("%s, line %d: more than %d jumps in one answer." % (turn.topic, turn.rule.line, MOST_JUMPS))
        else:
            topic, rule = target
            self._open_scope(topic, rule)
            self._perform(Turn(topic, rule, turn.captures), jumps + 1)

    def _call(self, value):  # type: (Any) -> Any
        """Call a method of a service and return its result; an error fails the run."""
        service, method, given = value
        try:
            return call_guarded(
                self.world, self.world.service(service).call, method, [calls.value(each) for each in given]
            )
        except RuntimeError as error:
            return self._failed("^call(%s.%s): %s" % (service, method, reason(error)))

    def _take_result(self, turn, loaded, result, jumps):  # type: (Turn, LoadedTopic, str, int) -> None
        """Answer what a call returned by the first c rule that fits."""
        for rule in turn.rule.callbacks:
            found = matching.fit(rule.pattern, qichat.split_words(result), self._view(loaded))
            if found is not None:
                captures = [result] if len(found.captures) == 1 and _is_all(rule) else found.captures
                self._open_scope(turn.topic, rule if rule.rules else turn.rule)
                self._perform(Turn(turn.topic, rule, captures), jumps + 1)
                return

    def _answered(self, turn, text):  # type: (Turn, str) -> None
        self.world.memory.raiseEvent("Dialog/Answered", text)
        self.world.memory.raiseEvent("Dialog/LastAnswer", text)
        self.world.memory.insertData("Dialog/MatchedTopic", turn.topic)
        self.world.memory.insertData("Dialog/MatchedLine", turn.rule.line)

    def _say(self, pieces):  # type: (List[str]) -> List[str]
        """Say a text with gestures where ALAnimatedSpeech is there, without them elsewhere; return it in a list."""
        text = " ".join("".join(pieces).split())
        animated, voice = (self.world.services.get(name) for name in ("ALAnimatedSpeech", "ALTextToSpeech"))
        if not text:
            return []
        if animated is not None:
            call_guarded(self.world, animated.say, text)
            return [call_guarded(self.world, annotations.without, text) or text]
        text = call_guarded(self.world, annotations.without, text) or ""
        if text and voice is not None:
            call_guarded(self.world, voice.say, text)
        return [text] if text else []

    def _failed(self, sentence):  # type: (str) -> None
        self.world.trace.note("error", where="ALDialog", message=sentence, handled=False)


def _is_all(rule):  # type: (Rule) -> bool
    """Tell whether a rule takes whatever comes, `(_*)`: then the result is kept as it was written."""
    nodes = rule.pattern.parts  # type: Any
    return len(nodes) == 1 and nodes[0].kind == "capture" and nodes[0].parts[0].kind == "star"
