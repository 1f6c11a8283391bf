"""What the boxes of a robot did of late, for a program that draws their diagrams: signals, changes and errors."""

from __future__ import absolute_import, division, print_function

from collections import deque, namedtuple

from naosim.compat import INTEGERS, TEXTS, quoted, unicoded
from naosim.player.observer import BehaviourObserver

MYPY = False
if MYPY:
    from typing import Any

    from naosim.world.trace import Event
    from naosim.world.world import World

#: Signals and errors that are kept, and the letters of a value that are shown.
MOST_SIGNALS, MOST_ERRORS, LONGEST_VALUE = 500, 200, 80

NUMBERS = (bool, float) + INTEGERS

#: One signal that entered a link; the diagram is that of the box `owner`, at this place among its keyframes.
Signal = namedtuple("Signal", "number time behaviour owner diagram emitter output receiver input value")
#: One error of a box, or of a callback that its script gave away.
BoxError = namedtuple("BoxError", "time behaviours path where message handled")


class SignalLog(BehaviourObserver):
    """An observer of a world's boxes that remembers the last signals and errors, and counts all changes."""

    def __init__(self, world):  # type: (World) -> None
        self._world = world
        self._signals = deque(maxlen=MOST_SIGNALS)  # type: deque[Signal]
        self._errors = deque(maxlen=MOST_ERRORS)  # type: deque[BoxError]
        #: Goes up by one with everything that happens.
        self.position = 0
        #: How often a behaviour was loaded.
        self.loads = 0
        for event in world.trace.errors[-MOST_ERRORS:]:
            self._remember(event, tuple(world.behaviours) or tuple(world.projects)[-1:])
        world.observers.append(self)
        world.trace.listeners.append(self._note)

    def close(self):  # type: () -> None
        """Observe no more."""
        self._world.observers.remove(self)
        self._world.trace.listeners.remove(self._note)

    def loaded(self, behaviour):  # type: (Any) -> None
        """Forget what went wrong when the behaviour ran before."""
        self.position += 1
        self.loads += 1
        kept = [error for error in self._errors if error.behaviours != (behaviour.id,)]
        self._errors = deque(kept, maxlen=MOST_ERRORS)

    def unloaded(self, behaviour):  # type: (Any) -> None
        """Count the change."""
        self.position += 1

    def changed(self, box):  # type: (Any) -> None
        """Count the change."""
        self.position += 1

    def signalled(self, diagram, emitter, output, route, value):
        # type: (Any, int, int, tuple[int, int, Any], Any) -> None
        """Remember a signal."""
        self.position += 1
        owner = diagram.owner
        self._signals.append(
            Signal(
                self.position,
                self._world.clock.now(),
                owner.behaviour.id,
                address(owner),
                owner.plan.diagrams.index(diagram.plan),
                emitter,
                output,
                route[1],
                route[2].id,
                value_text(value),
            )
        )

    def signals(self, since, behaviour, owner, diagram):  # type: (int, str, str, int) -> list[Signal]
        """List the signals of one diagram after a position."""
        wanted = (behaviour, owner, diagram)
        return [
            each
            for each in self._signals
            if each.number > since and (each.behaviour, each.owner, each.diagram) == wanted
        ]

    def errors(self, behaviour):  # type: (str) -> list[BoxError]
        """List the errors of a behaviour's boxes."""
        return [error for error in self._errors if behaviour in error.behaviours]

    def recent(self, most):  # type: (int) -> list[Signal]
        """List the last signals of all diagrams, the latest last."""
        return list(self._signals)[-most:]

    def recent_errors(self, most):  # type: (int) -> list[BoxError]
        """List the last errors, the latest last."""
        return list(self._errors)[-most:]

    def _note(self, event):  # type: (Event) -> None
        if event.kind == "error":
            self.position += 1
            self._remember(event, tuple(self._world.behaviours))

    def _remember(self, event, behaviours):  # type: (Event, tuple[str, ...]) -> None
        """Remember an error; one without a box, as of a callback, says by its place which box it belongs to."""
        where = event.fields["where"]
        path = event.fields.get("box") or where.rpartition(".")[0]
        self._errors.append(
            BoxError(event.time, behaviours, path, where, event.fields["message"], bool(event.fields.get("handled")))
        )


def address(box):  # type: (Any) -> str
    """Return the address of a running box, as `diagram_values` has it: "" for the root, else such as "3__1k2"."""
    root = box.behaviour.root.name  # type: str
    return str(box.name[len(root) + 2 :])


def value_text(value):  # type: (Any) -> str
    """Return the beginning of a value as text, "" for none; a long one is not written out before it is cut.

    >>> value_text(None), value_text(3), value_text([1, 2])
    ('', '3', 'list of 2')
    """
    try:
        return _text(value)
    except Exception:
        # A script's own class may do anything here, and a box is not to fail because somebody watches it.
        return type(value).__name__


def _text(value):  # type: (Any) -> str
    if value is None:
        return ""
    if isinstance(value, TEXTS):
        return quoted(unicoded(value)[:LONGEST_VALUE])
    if isinstance(value, (bytes, bytearray)):
        return "%d bytes" % len(value)
    if isinstance(value, (list, tuple, dict, set)):
        return "%s of %d" % (type(value).__name__, len(value))
    return unicoded(repr(value))[:LONGEST_VALUE] if isinstance(value, NUMBERS) else type(value).__name__
