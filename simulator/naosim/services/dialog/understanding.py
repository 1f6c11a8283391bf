"""Which rule answers a sentence or an event: what is in scope, the topic that has the focus, then the others."""

from __future__ import absolute_import, division, print_function

from naosim import qichat
from naosim.services.dialog import matching
from naosim.services.dialog.answering import Answering

MYPY = False
if MYPY:
    from typing import Dict, List, Set, Tuple

    from naosim.services.dialog.answering import Turn
    from naosim.topics import Rule
    from naosim.world import World

SILENCES = (5, 10, 15, 20)  # seconds without a word, for which there are events
NOT_SPEAKING = "Dialog/NotSpeaking%d"


class Understanding(Answering):
    """The part of ALDialog that finds the rule to answer with."""

    def __init__(self, world):  # type: (World) -> None
        Answering.__init__(self, world)
        self._links = {}  # type: Dict[str, int]
        self._misses = self._silences = 0

    @property
    def is_open(self):  # type: () -> bool
        """Tell whether the dialogue engine runs: a program is subscribed and a topic is active."""
        raise NotImplementedError

    def _rules(self):  # type: () -> List[Tuple[str, Rule]]
        """List the rules that may answer, the ones that are asked first in front."""
        topic, in_scope = self._scope
        found = [(topic, rule) for rule in in_scope] if topic in self._active else []
        ordered = list(reversed(self._active))
        everywhere = [
            (name, rule)
            for name in ordered
            for rule in self._topics[name].topic.rules
            if "private" not in rule.flags or name == ordered[0]
        ]
        for flag in ("", "recover", "fallback"):
            found += [row for row in everywhere if _kept_for(row[1]) == flag]
        return [(name, rule) for name, rule in found if self._topics[name].is_enabled(rule)]

    def _understand(self, sentence):  # type: (str) -> bool
        """Answer a sentence; return False when no rule does."""
        self._hear_silence()
        memory = self.world.memory
        memory.insertData("Dialog/CurrentString", sentence)
        memory.raiseEvent("Dialog/LastInput", sentence)
        if self._match(qichat.split_words(sentence)):
            memory.insertData("Dialog/MatchedInput", sentence)
            self._misses = 0
            return True
        self._misses += 1
        answers = self._is_awaited("Dialog/NotUnderstood")
        memory.raiseEvent("Dialog/NotUnderstood", sentence)
        memory.raiseEvent("Dialog/SaidMisunderstood", sentence)
        if self._misses in (2, 3):
            memory.raiseEvent("Dialog/NotUnderstood%d" % self._misses, sentence)
        if not answers:
            memory.raiseEvent("Dialog/Fallback", sentence)
        return False

    def _match(self, words, without_condition=True):  # type: (List[str], bool) -> bool
        """Answer with the first rule that fits; return False when none does."""
        for name, rule in self._rules():
            if not without_condition and not any(node.kind == "check" for node in qichat.walk_nodes(rule.pattern)):
                continue
            view = self._view(self._topics[name])
            found = matching.fit(rule.pattern, words, view)
            if found is None:
                continue
            captures = found.captures
            if not captures and words and words[0].startswith(matching.EVENT_SIGN):
                captures = [view.value(words[0][len(matching.EVENT_SIGN) :]) or ""]
            for node in found.assignments:
                self.world.memory.raiseEvent(view.key(node.parts[0]), view.text(node.parts[1], captures) or "")
            self._open_scope(name, rule)
            self._take_focus(name)
            self._reply(name, rule, captures)
            return True
        return False

    def _take_focus(self, name):  # type: (str) -> None
        """Give the focus to the topic that answers, unless it is ^noStay."""
        if self._active[-1] != name and "nostay" not in self._topics[name].topic.flags:
            self._active.remove(name)
            self._active.append(name)
            self.world.memory.raiseEvent("Dialog/Focus", name)

    def _is_awaited(self, event):  # type: (str) -> bool
        """Tell whether a rule waits for an event of ALDialog's own."""
        return any(event in self._topics[name].events for name in self._active)

    def _relink(self):  # type: () -> None
        """Listen to the events that the active topics wait for, and to no others."""
        wanted = set()  # type: Set[str]
        for name in self._active:
            view = self._view(self._topics[name])
            wanted.update(view.key(event) for event in self._topics[name].events)
        for key in sorted(set(self._links) - wanted):
            self.world.memory.unlink(key, self._links.pop(key))
        for key in sorted(wanted - set(self._links)):
            self._links[key] = self.world.memory.link(key, _EventLink(self, key))
        self._hear_silence()

    def _take_event(self, key, value):  # type: (str, object) -> None
        """Answer an event; several topics may wait for it, and one answers.

        The 0 of a sensor that is let go answers only rules with a condition; inputs of a Dialog box always answer.
        """
        is_port = any(key in loaded.paths.values() for loaded in self._topics.values())
        if self.is_open:
            self._match(matching.event_words(key), value != 0 or is_port)

    def _hear_silence(self):  # type: () -> None
        """Count the seconds without a word from now on, where a rule waits for them."""
        self._silences += 1
        for seconds in SILENCES:
            if self._is_awaited(NOT_SPEAKING % seconds):
                self.world.clock.later(seconds, self._end_silence, self._silences, seconds)

    def _answered(self, turn, text):  # type: (Turn, str) -> None
        """Note what was said; the silence counts anew, unless it is what was answered."""
        Answering._answered(self, turn, text)
        waits_for = qichat.walk_nodes(turn.rule.pattern) if turn.rule.pattern is not None else ()
        if not any(node.kind == "event" and node.parts[0].startswith(NOT_SPEAKING[:-2]) for node in waits_for):
            self._hear_silence()

    def _end_silence(self, silence, seconds):  # type: (int, int) -> None
        if silence == self._silences and self._active:
            self.world.memory.raiseEvent(NOT_SPEAKING % seconds, seconds)


class _EventLink(object):
    """The callback that ALMemory gets for one event that topics wait for."""

    def __init__(self, dialog, key):  # type: (Understanding, str) -> None
        self._dialog = dialog
        self._key = key

    def __call__(self, value):  # type: (object) -> None
        self._dialog._take_event(self._key, value)


def _kept_for(rule):  # type: (Rule) -> str
    """Return "recover" or "fallback" for a rule that answers only when no ordinary one does, "" for that one."""
    return "fallback" if "fallback" in rule.flags else "recover" if "recover" in rule.flags else ""
