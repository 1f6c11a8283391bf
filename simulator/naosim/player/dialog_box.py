"""Dialog boxes: a `.dlg` file beside the behaviour, whose topic is active in ALDialog while the box runs.

A box that is to be answered by hand runs an empty topic instead, and a test or a person fires its outputs. What follows
the box can then be tested even if its topic is missing or has QiChat that the simulated robot cannot read.
"""

from __future__ import absolute_import, division, print_function

import os
import re

from naosim.compat import native, quoted, reason
from naosim.errors import WrongUse
from naosim.formats import xar
from naosim.formats.qichat import files

MYPY = False
if MYPY:
    from typing import Any, Iterable

    from naosim.player.contracts import PlayedBehaviour, PlayedBox

#: The QiChat of a topic without rules.
EMPTY = "topic: ~%s()\nlanguage: %s\n"


class AnsweredByHand(object):
    """The Dialog boxes of a behaviour that are answered by hand, given by their paths with or without "root/"."""

    def __init__(self, paths=()):  # type: (Iterable[str]) -> None
        self.paths = tuple(sorted({_bare(path) for path in paths}))

    def answers(self, box):  # type: (PlayedBox) -> bool
        """Tell whether this box is one of them."""
        return _bare(box.path) in self.paths

    def is_open(self, behaviour, path):  # type: (PlayedBehaviour, str) -> bool
        """Tell whether the box with this path waits for an answer by hand; raises WrongUse when it never does."""
        dialog = self._box(behaviour, path).dialog
        return dialog is not None and dialog.is_running

    def answer(self, behaviour, path, output, value):  # type: (PlayedBehaviour, str, str, Any) -> None
        """Schedule the firing of an output of a box; raises WrongUse, saying why, when that is impossible."""
        box = self._box(behaviour, path)
        if native(output) not in box.plan.outputs:
            raise WrongUse(
                "the Dialog box %s has no output %s: it has %s"
                % (quoted(_bare(path)), quoted(output), ", ".join(sorted(box.plan.outputs)))
            )
        if not self.is_open(behaviour, path):
            raise WrongUse("the Dialog box %s is not running" % quoted(_bare(path)))
        port = box.plan.outputs[native(output)]
        try:
            value = _fitting(port, value)
        except (TypeError, ValueError):
            raise WrongUse(
                "the output %s of %s is a number, not %s" % (quoted(output), quoted(_bare(path)), quoted(value))
            )
        world = behaviour.world
        world.trace.note("dialog", box=box.path, output=port.name, value=value)
        world.clock.soon_for(box, box.fire, port, value)

    def _box(self, behaviour, path):  # type: (PlayedBehaviour, str) -> PlayedBox
        box = behaviour.box("root/" + _bare(path))  # type: PlayedBox
        if box.dialog is None:
            raise WrongUse("%s is no Dialog box" % quoted(_bare(path)))
        if not self.answers(box):
            raise WrongUse(
                "the Dialog box %s is answered by its topic: name it in `dialogs` when it is loaded"
                % (quoted(_bare(path)))
            )
        return box


class DialogTopic(object):
    """The topic of one Dialog box, from its start to its stop.

    An input is an event of the topic, `u:(e:onStart)`, and `$output=value` fires the output of that name. In ALMemory
    both have keys of the box's own, so that two boxes do not hear each other.
    """

    def __init__(self, box):  # type: (PlayedBox) -> None
        self._box = box
        self._world = box.behaviour.world
        self._topic = None  # type: str | None
        self._links = []  # type: list[tuple[str, int]]

    @property
    def is_running(self):  # type: () -> bool
        """Tell whether the topic is active."""
        return self._topic is not None

    def start(self):  # type: () -> None
        """Load and activate the topic; a missing service, file or topic fails the run."""
        if self._topic is not None:
            return
        try:
            engine = self._world.service("ALDialog")
            by_hand = self._box.behaviour.dialogs.answers(self._box)
            self._topic = self._by_hand(engine) if by_hand else engine.call("loadTopic", [self._topic_file(engine)])
            for name in sorted({port.name for port in self._box.plan.box.inputs} | set(self._box.plan.outputs)):
                engine.call("setVariablePath", [self._topic, name, self._key(name)])
            engine.call("activateTopic", [self._topic])
            engine.call("subscribe", [self._box.name])
        except RuntimeError as error:
            self._box.fail("dialog", reason(error))
            return
        for name in sorted(self._box.plan.outputs):
            key = self._key(name)
            self._links.append((key, self._world.memory.link(key, _OutputVariable(self._box, name))))

    def receive(self, port, value):  # type: (xar.Port, Any) -> None
        """Raise the event of an input, while the topic is active."""
        if self._topic is not None:
            self._world.memory.raiseEvent(self._key(port.name), 1 if value is None else value)

    def _key(self, name):  # type: (str) -> str
        """Return the key in ALMemory of an input or output."""
        return "%s/%s" % (self._box.name, name)

    def stop(self):  # type: () -> None
        """Unload the topic and end the subscription and the memory links."""
        topic, self._topic = self._topic, None
        links, self._links = self._links, []
        for key, link in links:
            self._world.memory.unlink(key, link)
        if topic is None:
            return
        engine = self._world.service("ALDialog")
        for method, argument in (("unsubscribe", self._box.name), ("deactivateTopic", topic), ("unloadTopic", topic)):
            try:
                engine.call(method, [argument])
            except RuntimeError as error:
                self._box.fail("dialog", reason(error))

    def _by_hand(self, engine):  # type: (Any) -> str
        """Load a topic without rules, so that the robot listens while outputs are fired by hand; return its name."""
        name = re.sub(r"[^\w\-]", "_", self._box.name)
        return str(engine.call("loadTopicContent", [EMPTY % (name, engine.getLanguage())]))

    def _topic_file(self, engine):  # type: (Any) -> str
        """Find the topic file of the dialog's language; raises RuntimeError when the .dlg is missing or names none."""
        place = os.path.join(self._box.behaviour.folder, native(self._box.plan.box.dialog))
        spoken = engine.getLanguage()
        for language, path in files.listed(place):
            if language == spoken:
                return path
        raise RuntimeError("%s has no topic for %s" % (quoted(place), spoken))


class _OutputVariable(object):
    """The callback that ALMemory gets for one output: it fires the output with the value the topic assigned."""

    def __init__(self, box, name):  # type: (PlayedBox, str) -> None
        self._box = box
        self._name = name

    def __call__(self, value):  # type: (Any) -> None
        port = self._box.plan.outputs[self._name]
        self._box.fire(port, _fitting(port, value))


def _fitting(port, value):  # type: (xar.Port, Any) -> Any
    """Convert a value to the type of an output; raises ValueError or TypeError for a number that is none."""
    if port.type == xar.BANG:
        return None
    if port.type == xar.NUMBER:
        return float(value)
    return native(value) if port.type == xar.STRING else value


def _bare(path):  # type: (str) -> str
    path = native(path).strip("/")
    return path[len("root/") :] if path.startswith("root/") else path
