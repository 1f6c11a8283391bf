"""LogManager: the log of the whole robot, as programs hand it in and listen to it."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service
from naosim.services.system.system import LEVELS
from naosim.world import schedule_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from naosim.world import Event, World

#: The fields of a message, in their order.
FIELDS = ("source", "level", "category", "location", "message", "id", "date", "systemDate")
MOST_MESSAGES, MOST_LISTENERS = 1000, 100
WORDS = {"warn": "warning"}


class LogManager(Service):
    """Takes messages for the log, which stands in the trace, and tells them to listeners."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._listeners = []  # type: List[LogListener]
        self._providers = {}  # type: Dict[int, Any]
        self._provider_count = 0

    def log(self, messages):  # type: (Any) -> None
        """Log messages, each a map or a list of source, level (1 fatal to 6 debug), category, location and text."""
        rows = [_fields(message) for message in self._list(messages, "log")[:MOST_MESSAGES]]
        for row in rows:
            level = int(self._number(row["level"], "log", 0, 0, len(LEVELS) - 1))
            self.world.trace.note(
                "log",
                level=LEVELS[level],
                name=self._text(row["category"], "log"),
                text=self._text(row["message"], "log"),
            )

    def createListener(self):  # type: () -> Any
        """Return a listener, whose onLogMessage tells what is logged from now on; it stays inside the robot."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise self._error("createListener", "%d listeners are there already." % MOST_LISTENERS)
        if not self._listeners:
            self.world.trace.listeners.append(self._pass_on)
        self._listeners.append(LogListener(self.world))
        return self._listeners[-1]

    def getListener(self):  # type: () -> Any
        """Return a listener: the old name of createListener."""
        return self.createListener()

    def addProvider(self, provider):  # type: (Any) -> int
        """Accept a source of messages, which is never asked for any, and return its number."""
        self._provider_count += 1
        self._providers[self._provider_count] = True
        return self._provider_count

    def removeProvider(self, number):  # type: (int) -> None
        """Forget a source of messages; raise RuntimeError for an unknown number."""
        if self._providers.pop(int(self._number(number, "removeProvider")), None) is None:
            raise self._error("removeProvider", "There is no provider %d." % number)

    def _pass_on(self, event):  # type: (Event) -> None
        if event.kind == "log":
            level = WORDS.get(event.fields["level"], event.fields["level"])
            number = LEVELS.index(level) if level in LEVELS else LEVELS.index("info")
            category = event.fields.get("name") or event.fields.get("box") or ""
            for listener in self._listeners:
                listener.tell(number, category, event.fields["text"], event.time)


class LogListener(object):
    """Tells callbacks what is logged, down to a level."""

    def __init__(self, world):  # type: (World) -> None
        self._level, self._filters = LEVELS.index("info"), {}  # type: int, Dict[str, int]
        self.onLogMessage = LogSignal(world)

    def setLevel(self, level):  # type: (int) -> None
        """Tell messages up to a level, 1 (fatal errors) to 6 (details for programmers)."""
        self._level = int(level)

    def addFilter(self, category, level):  # type: (str, int) -> None
        """Tell messages of a category up to a level of its own; "*" at the end stands for all that begin so."""
        self._filters[str(category)] = int(level)

    def clearFilters(self):  # type: () -> None
        """Forget the levels of categories."""
        self._filters.clear()

    def tell(self, level, category, message, time):  # type: (int, str, str, float) -> None
        """Tell the callbacks a message, unless its level is too high."""
        own = [
            most
            for name, most in self._filters.items()
            if category == name or (name[-1:] == "*" and category.startswith(name[:-1]))
        ]
        if level <= max(own or [self._level]):
            self.onLogMessage.send(
                {
                    "source": "",
                    "level": level,
                    "category": category,
                    "location": "naosim",
                    "message": message,
                    "systemDate": time,
                }
            )


class LogSignal(object):
    """The signal of a listener: callbacks connect to it."""

    def __init__(self, world):  # type: (World) -> None
        self._world, self._count = world, 0
        self._callbacks = {}  # type: Dict[int, Callable[[Any], Any]]

    def connect(self, callback):  # type: (Callable[[Any], Any]) -> int
        """Call `callback(message)` for every message from now on, and return the number of the link."""
        self._count += 1
        self._callbacks[self._count] = callback
        return self._count

    def disconnect(self, link):  # type: (int) -> bool
        """End a link; return False for an unknown number."""
        return self._callbacks.pop(link, None) is not None

    def send(self, message):  # type: (Dict[str, Any]) -> None
        """Schedule a call of every callback."""
        for _, callback in sorted(self._callbacks.items()):
            schedule_guarded(self._world, callback, message)


def _fields(message):  # type: (Any) -> Dict[str, Any]
    """Return a message as a map, whatever is missing empty."""
    given = dict(message) if isinstance(message, dict) else dict(zip(FIELDS, message if _is_list(message) else ()))
    return dict({"level": LEVELS.index("info"), "category": "", "message": ""}, **given)


def _is_list(message):  # type: (Any) -> bool
    return isinstance(message, (list, tuple))
