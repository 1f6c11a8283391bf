"""The inputs of boxes that are fed by ALMemory: linked to its keys while the box has loaded its content."""

from __future__ import absolute_import, division, print_function

MYPY = False
if MYPY:
    from typing import Any

    from naosim.formats.xar import Port
    from naosim.player.contracts import PlayedBox


class MemoryInputs(object):
    """The ALMemory inputs of one box."""

    __slots__ = ("_box", "_links")

    def __init__(self, box):  # type: (PlayedBox) -> None
        self._box = box
        self._links = []  # type: list[tuple[str, int]]

    def link(self):  # type: () -> None
        """Have each input fed by its key, unless that is so already."""
        if not self._links:
            memory = self._box.behaviour.world.memory
            for port in self._box.plan.memory:
                self._links.append((port.key, memory.link(port.key, _MemoryInput(self._box, port))))

    def unlink(self):  # type: () -> None
        """End the links."""
        links, self._links = self._links, []
        for key, link in links:
            self._box.behaviour.world.memory.unlink(key, link)


class _MemoryInput(object):
    """The callback that ALMemory gets for one input."""

    def __init__(self, box, port):  # type: (PlayedBox, Port) -> None
        self._box = box
        self._port = port

    def __call__(self, value):  # type: (Any) -> None
        if self._box.dialog is not None:
            self._box.dialog.receive(self._port, value)
        for diagram in self._box.diagrams:
            if diagram.is_loaded:
                diagram.emit(0, self._port.id, value)
