"""What the names in one topic stand for: its concepts, variables in ALMemory, and what the robot knows of the day."""

from __future__ import absolute_import, division, print_function

import time

from naosim.patches import ROBOT_START_S
from naosim.services.dialog.matching import Names

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Optional, Sequence

    from naosim.qichat import Node
    from naosim.services.dialog.loaded import LoadedTopic
    from naosim.topics import Concept
    from naosim.world import World

#: Variables that follow the clock: what they are, given the time of day as time.gmtime gives it.
CLOCKED = {
    "Dialog/Year": lambda now: "%d" % now.tm_year,
    "Dialog/Month": lambda now: "%d" % now.tm_mon,
    "Dialog/Day": lambda now: "%d" % now.tm_mday,
    "Dialog/Hour": lambda now: "%d" % now.tm_hour,
    "Dialog/Minute": lambda now: "%d" % now.tm_min,
    "Dialog/Second": lambda now: "%d" % now.tm_sec,
    "Dialog/DateCode": lambda now: "%d%02d" % (now.tm_mon, now.tm_mday),
    "Dialog/Morning": lambda now: "1" if 5 <= now.tm_hour < 11 else None,
    "Dialog/Default": lambda now: "1" if 11 <= now.tm_hour < 19 else None,
    "Dialog/Night": lambda now: "1" if now.tm_hour >= 19 or now.tm_hour < 5 else None,
}  # type: Dict[str, Callable[[Any], Optional[str]]]
MODELS = {"Dialog/RobotModel": {"Juliette": "juliette"}, "Dialog/RobotName": {"Juliette": "pepper"}}
COMPARED = {
    "==": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


class View(Names):
    """The names of one loaded topic."""

    def __init__(self, world, topic, concept_of):
        # type: (World, LoadedTopic, Callable[[LoadedTopic, str], Optional[Concept]]) -> None
        self._world = world
        self._topic = topic
        self._concept_of = concept_of

    def concept(self, name):  # type: (str) -> Sequence[Node]
        """Return what a person may say for a concept."""
        found = self._concept_of(self._topic, name)
        return found.heard if found is not None else ()

    def spoken(self, name):  # type: (str) -> Optional[Node]
        """Return what the robot says for a concept, None when there is no such concept."""
        found = self._concept_of(self._topic, name)
        return found.spoken if found is not None else None

    def key(self, name):  # type: (str) -> str
        """Return the key in ALMemory of a variable or event: another one for a port of the topic's Dialog box."""
        return self._topic.paths.get(name, name)

    def value(self, name, captures=()):  # type: (str, Sequence[str]) -> Optional[str]
        """Return $1, $2 ..., what the clock says, or what is stored in ALMemory; None when there is nothing."""
        if name.isdigit():
            at = int(name[:4]) - 1
            return captures[at] if 0 <= at < len(captures) else None
        if name in CLOCKED:
            return CLOCKED[name](time.gmtime(ROBOT_START_S + self._world.clock.now()))
        if name in MODELS:
            return MODELS[name].get(self._world.robot_type, "nao")
        if name.startswith("Dialog/Language/"):
            return "1" if name.rpartition("/")[2] in self._world.languages else None
        try:
            found = self._world.memory.getData(self.key(name))
        except RuntimeError:
            return None
        return None if found is None else str(found)

    def text(self, template, captures):  # type: (Sequence[Node], Sequence[str]) -> Optional[str]
        """Return a value made of texts and variables, None when one of the variables has no value."""
        parts = [node.parts[0] if node.kind == "text" else self.value(node.parts[0], captures) for node in template]
        return None if None in parts else "".join(part for part in parts if part is not None)

    def holds(self, check, captures=()):  # type: (Node, Sequence[str]) -> bool
        """Tell whether a condition holds; what has no value fulfils none. Numbers are compared as numbers."""
        name, operator, template = check.parts
        left, right = self.value(name, captures), self.text(template, captures)
        if left is None or right is None:
            return False
        sides = _number(left), _number(right)  # type: Any
        if None in sides:
            sides = left.lower().strip(), right.lower().strip()
        return bool(COMPARED[operator](*sides))


def _number(text):  # type: (str) -> Optional[float]
    try:
        return float({"true": "1", "false": "0"}.get(text.strip().lower(), text))
    except ValueError:
        return None
