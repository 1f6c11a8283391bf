"""ALNotificationManager: what the robot has to tell its user."""

from __future__ import absolute_import, division, print_function

from naosim.compat import TEXTS, native
from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, Dict, List

MOST_NOTIFICATIONS = 1000
SEVERITIES = ("info", "warning", "error")


class ALNotificationManager(Service):
    """Keeps notifications until they are removed; each has a number."""

    signals = ("notificationAdded", "notificationRemoved")

    def __init__(self, world):  # type: (Any) -> None
        Service.__init__(self, world)
        self._kept = {}  # type: Dict[int, Dict[str, Any]]
        self._made = 0

    def add(self, notification):  # type: (Any) -> int
        """Add a notification and return its number.

        It is a map, or a list of names and values: a message, a severity ("info", "warning" or "error"), and whether it
        goes once it is read ("removeOnRead").
        """
        pairs = list(notification.items()) if isinstance(notification, dict) else self._list(notification, "add")
        given = {
            native(pair[0]): pair[1]
            for pair in pairs
            if isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], TEXTS)
        }
        if len(self._kept) >= MOST_NOTIFICATIONS:
            raise self._error("add", "%d notifications are there already: remove some." % MOST_NOTIFICATIONS)
        row = {
            "message": self._text(given.get("message", ""), "add"),
            "severity": self._one_of(given.get("severity", "info"), list(SEVERITIES), "add", "severity"),
            "removeOnRead": self._flag(given.get("removeOnRead", True), "add"),
        }
        self._made += 1
        self._kept[self._made] = row
        self.world.trace.note("log", level=row["severity"], box=self.name, text=row["message"])
        self.world.memory.raiseEvent("ALNotificationManager/notificationAdded", self._made)
        return self._made

    def remove(self, number):  # type: (int) -> None
        """Remove a notification; raise RuntimeError when there is none of this number."""
        self._row(number, "remove")
        del self._kept[number]
        self.world.memory.raiseEvent("ALNotificationManager/notificationRemoved", number)

    def notification(self, number):  # type: (int) -> Any
        """Return a notification as [name, value] pairs."""
        return _pairs(number, self._row(number, "notification"))

    def notifications(self):  # type: () -> Any
        """List the notifications, each as [name, value] pairs."""
        return [_pairs(number, row) for number, row in sorted(self._kept.items())]

    def _row(self, number, method):  # type: (Any, str) -> Dict[str, Any]
        row = self._kept.get(int(self._number(number, method)))
        if row is None:
            raise self._error(method, "There is no notification %r." % (number,))
        return row


def _pairs(number, row):  # type: (int, Dict[str, Any]) -> List[List[Any]]
    return [["id", number]] + [[name, row[name]] for name in ("message", "severity", "removeOnRead")]
