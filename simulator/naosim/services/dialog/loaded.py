"""One loaded topic: which of its rules are enabled, which proposals have been made, where its choices stand."""

from __future__ import absolute_import, division, print_function

from naosim import topics

MYPY = False
if MYPY:
    from typing import Dict, List, Optional, Set

    from naosim.topics import Rule, Topic


class LoadedTopic(object):
    """A topic and what has happened to it since it was loaded."""

    def __init__(self, topic):  # type: (Topic) -> None
        self.topic = topic
        self.events = frozenset(topics.list_topic_events(topic))
        #: The keys in ALMemory of variables and events that have a path of their own.
        self.paths = {}  # type: Dict[str, str]
        #: How often each choice has been made, by its identity.
        self.turns = {}  # type: Dict[int, int]
        self._disabled = set()  # type: Set[int]
        self._last = None  # type: Optional[int]

    def is_enabled(self, rule):  # type: (Rule) -> bool
        """Tell whether a rule may answer: not when it is a proposal that was made, or has been deactivated."""
        return id(rule) not in self._disabled

    def enable(self, rule, enabled):  # type: (Rule, bool) -> None
        """Let a rule answer, or no more."""
        (self._disabled.discard if enabled else self._disabled.add)(id(rule))

    def tagged(self, tag):  # type: (str) -> List[Rule]
        """List the rules and proposals that carry a tag."""
        return [rule for rule in topics.walk_rules(self.topic) if tag in rule.tags]

    def made(self, rule):  # type: (Rule) -> None
        """Note that a rule has answered; a proposal is made once."""
        for number, proposal in enumerate(self.topic.proposals):
            if proposal is rule:
                self._last = number
                self.enable(rule, False)

    def proposal(self, which):  # type: (str) -> Optional[Rule]
        """Return the proposal that is "first", "next", "same" or "previous"; None when there is none."""
        proposals = self.topic.proposals  # type: List[Rule]
        if which == "next":
            start = 0 if self._last is None else self._last + 1
            waiting = proposals[start:] + proposals[:start]
            return next((each for each in waiting if self.is_enabled(each)), None)
        if which == "first":
            return proposals[0] if proposals else None
        if self._last is None:
            return None
        at = self._last - (which == "previous")
        return proposals[at] if at >= 0 else None

    def again(self):  # type: () -> None
        """Let every proposal be made once more, from the first on."""
        self._last = None
        for proposal in self.topic.proposals:
            self.enable(proposal, True)
