"""What the functions of an answer do: jumps to tags and proposals, rules enabled and disabled, variables deleted."""

from __future__ import absolute_import, division, print_function

from naosim.services.dialog.topics import TopicStore
from naosim.world import call_guarded

MYPY = False
if MYPY:
    from typing import Any, List, Optional, Tuple

    from naosim.services.dialog.loaded import LoadedTopic
    from naosim.topics import Rule
    from naosim.world import World

PROPOSALS = {"sameproposal": "same", "previousproposal": "previous", "nextproposal": "next", "firstproposal": "first"}
#: Jumps that reach rules that were deactivated and proposals that were made.
REACTIVATING = ("gotoreactivate", "topictagreactivate")


class Actions(TopicStore):
    """The part of ALDialog that knows where an answer leads, and what follows from the last one."""

    def __init__(self, world):  # type: (World) -> None
        TopicStore.__init__(self, world)
        #: The topic and the rules that follow the last answer, and those that followed the answer before.
        self._scope = ("", [])  # type: Tuple[str, List[Rule]]
        self._scope_before = self._scope

    def _open_scope(self, topic, rule):  # type: (str, Rule) -> None
        """Let the sub-rules of a rule answer next."""
        self._scope_before, self._scope = self._scope, (topic, rule.rules)

    def _can_do(self, loaded, parts):  # type: (LoadedTopic, Any) -> bool
        """Tell whether a function of an answer leads anywhere."""
        if parts[0] in PROPOSALS:
            return loaded.proposal(PROPOSALS[parts[0]]) is not None
        if not parts[0].startswith(("goto", "topictag")):
            return True
        return bool(self._reachable(loaded, parts)[1])

    def _target(self, loaded, parts):  # type: (LoadedTopic, Any) -> Optional[Tuple[str, Rule]]
        """Return the topic and the rule to jump to, None when this is no jump or there is nothing to say."""
        name = loaded.topic.name
        if parts[0] in PROPOSALS:
            rule = loaded.proposal(PROPOSALS[parts[0]])
        elif parts[0].startswith(("goto", "topictag")):
            name, rules = self._reachable(loaded, parts)
            rule = rules[0] if rules else None
            if parts[0] == "gotorandom" and rules:
                rule = self.world.random.choice(rules)
        else:
            return None
        if rule is None:
            self.world.memory.raiseEvent("Dialog/NothingToSay", name)
            return None
        return name, rule

    def _reachable(self, loaded, parts):  # type: (LoadedTopic, Any) -> Tuple[str, List[Rule]]
        """Return the topic that a jump leads to and the rules there that may answer."""
        topic = parts[1] if len(parts) > 2 else loaded.topic.name
        other = self._topics.get(topic.lstrip("~"))
        if other is None:
            return topic, []
        rules = other.tagged(parts[-1])
        if parts[0] not in REACTIVATING:
            rules = [each for each in rules if other.is_enabled(each)]
        return other.topic.name, rules

    def _act(self, loaded, rule, parts):  # type: (LoadedTopic, Rule, Any) -> None
        """Do what a function says that is no jump."""
        name = parts[0]
        if name == "stayinscope":
            self._scope = self._scope_before
        elif name in ("activate", "deactivate"):
            for each in loaded.tagged(parts[1]):
                loaded.enable(each, name == "activate")
        elif name in ("enablethis", "disablethis"):
            loaded.enable(rule, name == "enablethis")
        elif name == "clear":
            self._forget(self._view(loaded).key(parts[1].lstrip("$")))
        elif name == "switchfocus":
            behaviour = parts[1][:-2] if parts[1].endswith("/.") else parts[1]
            call_guarded(self.world, self.world.service("ALAutonomousLife").call, "switchFocus", [behaviour])

    def _forget(self, key):  # type: (str) -> None
        """Delete a variable, if there is one."""
        try:
            self.world.memory.removeData(key)
        except RuntimeError:
            pass
