"""Dialog boxes: a `.dlg` file beside the behaviour, whose topic ALDialog runs while the box does."""
from __future__ import absolute_import, division, print_function

import io
import os

from naosim.pythons import native, quoted, reason

MYPY = False
if MYPY:
    from typing import Any

    from naosim.live import LiveBox

LONGEST_FILE = 1024 * 1024
CODES = {"English": "enu", "French": "frf", "German": "ged", "Italian": "iti", "Spanish": "spe", "Japanese": "jpj",
         "Chinese": "mnc", "Korean": "kok", "Brazilian": "ptb", "Portuguese": "ptp", "Dutch": "dun", "Polish": "plp",
         "Czech": "czc", "Russian": "rur", "Swedish": "sws", "Danish": "dad", "Finnish": "fif", "Norwegian": "nob",
         "Turkish": "trt", "Arabic": "arw", "Greek": "grg"}


class Dialog(object):
    """The topic of one dialog box, from its start to its stop; `$output=value` fires the output of that name."""

    def __init__(self, box):
        # type: (LiveBox) -> None
        self._box = box
        self._robot = box.behaviour.robot
        self._topic = None  # type: str | None
        self._links = []  # type: list[tuple[str, int]]

    def start(self):
        # type: () -> None
        """Loads and activates the topic; what is missing fails the run."""
        if self._topic is not None:
            return
        try:
            engine = self._robot.service("ALDialog")
            self._topic = engine.call("loadTopic", [self._topic_file()])
            engine.call("activateTopic", [self._topic])
            engine.call("subscribe", [self._box.name])
        except RuntimeError as error:
            self._box.fail("dialog", reason(error))
            return
        for name in sorted(self._box.plan.outputs):
            self._links.append((name, self._robot.memory.link(name, _Firing(self._box, name))))

    def stop(self):
        # type: () -> None
        """Takes everything back."""
        topic, self._topic = self._topic, None
        links, self._links = self._links, []
        for name, link in links:
            self._robot.memory.unlink(name, link)
        if topic is None:
            return
        engine = self._robot.service("ALDialog")
        for method, argument in (("unsubscribe", self._box.name), ("deactivateTopic", topic), ("unloadTopic", topic)):
            try:
                engine.call(method, [argument])
            except RuntimeError as error:
                self._box.fail("dialog", reason(error))

    def _topic_file(self):
        # type: () -> str
        """The topic file of the robot's language; raises RuntimeError when the .dlg names none."""
        place = os.path.join(self._box.behaviour.folder, native(self._box.plan.box.dialog))
        try:
            with io.open(place, "r", encoding="utf-8", errors="replace") as file:
                lines = file.read(LONGEST_FILE).splitlines()
        except (IOError, OSError) as error:
            raise RuntimeError("cannot read %s: %s" % (quoted(place), native(error.strerror or error)))
        code = CODES.get(self._robot.languages[0], "enu")
        for line in lines:
            language, _, name = line.partition(":")
            if language.strip() == code:
                return native(os.path.join(os.path.dirname(place), native(name.strip())))
        raise RuntimeError("%s has no topic for %s (%s)" % (quoted(place), self._robot.languages[0], code))


class _Firing(object):
    """Fires one output with what the topic assigned to it."""

    def __init__(self, box, name):
        # type: (LiveBox, str) -> None
        self._box = box
        self._name = name

    def __call__(self, value):
        # type: (Any) -> None
        port = self._box.plan.outputs[self._name]
        if port.type == 1:
            value = None
        elif port.type == 2:
            value = float(value)
        self._box.fire(port, value)
