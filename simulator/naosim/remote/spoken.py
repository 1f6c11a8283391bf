"""What a robot has said of late: kept for the person in front of it, however long the robot stays up."""

from __future__ import absolute_import, division, print_function

from collections import deque

from naosim.compat import native

MYPY = False
if MYPY:
    from naosim.robot.robot import Robot
    from naosim.world.trace import Event

#: Texts that are kept, and the characters of all of them.
MOST_TEXTS, MOST_CHARACTERS = 1000, 1000 * 1000


class SpokenTexts(object):
    """The texts that a robot has said, without annotations; the oldest ones are forgotten."""

    def __init__(self, robot):  # type: (Robot) -> None
        self._texts = deque()  # type: deque[str]
        self._characters = 0
        robot.trace.listeners.append(self._note)

    def texts(self):  # type: () -> list[str]
        """List the texts, the latest last."""
        return list(self._texts)

    def _note(self, event):  # type: (Event) -> None
        if event.kind != "say":
            return
        text = native(event.fields.get("plain") or event.fields.get("text", ""))
        self._texts.append(text)
        self._characters += len(text)
        while len(self._texts) > MOST_TEXTS or self._characters > MOST_CHARACTERS:
            self._characters -= len(self._texts.popleft())
