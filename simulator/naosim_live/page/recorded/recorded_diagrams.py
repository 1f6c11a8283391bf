"""The diagrams of a recording, answered as a live server would at one of its moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from naosim.robot_requests import error_counts, inner_address

State = dict[str, Any]
_Blueprints = Callable[[str], "dict[str, Any] | None"]


class RecordedDiagrams:
    """Diagrams, boxes and signals at one moment: `blueprint` returns the diagrams that a behaviour had then."""

    def __init__(self, state: State, now: float, blueprint: _Blueprints) -> None:
        self._state, self._now, self._blueprint = state, now, blueprint

    def diagram(self, behaviour: str = "", box: str = "", place: int = 0) -> dict[str, Any]:
        """Return one diagram; raises RuntimeError."""
        behaviour = behaviour or self._state.get("latest", "")
        known = [[name, f"live/{name}" in self._state] for name in self._state.get("known", ())]
        blueprint = self._blueprint(behaviour)
        if blueprint is None:
            return {"behaviour": "", "behaviours": known}
        found = [each for each in blueprint["diagrams"] if each["address"] == box]
        if not found:
            raise _no_box(box)
        return {
            **found[max(0, min(place, len(found) - 1))],
            "behaviour": behaviour,
            "behaviours": known,
            "loads": self._state.get("loads", 0),
        }

    def box(self, behaviour: str = "", box: str = "") -> dict[str, Any]:
        """Return one box in full, with its parameters as the file has them; raises RuntimeError."""
        blueprint = self._blueprint(behaviour) or {"boxes": {}}
        if box not in blueprint["boxes"]:
            raise _no_box(box)
        found = blueprint["boxes"][box]
        errors = [
            [time, where, message, handled]
            for path, time, where, message, handled in self._errors(behaviour)
            if path == found["path"]
        ]
        return {**found, "errors": errors, "runs": box in self._live(behaviour)["lit"]}

    def signals(self, behaviour: str = "", box: str = "", place: int = 0, since: int = -1) -> dict[str, Any]:
        """Return what has happened in a diagram since a position, and what runs in it."""
        state, live = self._state, self._live(behaviour)
        position = state.get("position", 0)
        cursor = live["cursors"].get(box)
        if since == position and cursor is None:
            return {"position": since}
        children = list(self._children(behaviour, box, place))
        return {
            "position": position,
            "now": self._now,
            "is_loaded": box in live["places"] or box in live["lit"],
            "behaviours": [name.partition("/")[2] for name in state if name.startswith("live/")],
            "latest": state.get("latest", ""),
            "loads": state.get("loads", 0),
            "runs": [number for number, address, _ in children if address in live["lit"]],
            "owner_runs": box in live["lit"],
            "errors": self._counts(behaviour, box, children),
            "signals": [
                [each[0], each[1], *each[5:]]
                for each in self._signals()
                if each[0] > since and each[2:5] == [behaviour, box, place]
            ],
            "active": live["places"].get(box, []),
            "timeline": cursor,
        }

    def _live(self, behaviour: str) -> dict[str, Any]:
        found: dict[str, Any] = self._state.get(f"live/{behaviour}", {"lit": [], "places": {}, "cursors": {}})
        return found

    def _children(self, behaviour: str, box: str, place: int) -> Iterator[tuple[int, str, str]]:
        """Yield number, address and path of the boxes of a diagram."""
        blueprint = self._blueprint(behaviour) or {"diagrams": [], "boxes": {}}
        for diagram in blueprint["diagrams"]:
            if diagram["address"] == box and diagram["place"] == place:
                for child in diagram["boxes"]:
                    address = inner_address(box, child["id"], place)
                    yield child["id"], address, blueprint["boxes"].get(address, {}).get("path", "")

    def _signals(self) -> list[list[Any]]:
        return sorted(value for name, value in self._state.items() if name.startswith("signal/"))

    def _errors(self, behaviour: str) -> Iterator[list[Any]]:
        for name, value in self._state.items():
            if name.startswith("error/") and behaviour in value[0]:
                yield value[1:]

    def _counts(self, behaviour: str, box: str, children: list[tuple[int, str, str]]) -> list[list[int]]:
        """Count the errors of each box and of what is inside it, and of the owner alone as box 0."""
        owner = ((self._blueprint(behaviour) or {"boxes": {}})["boxes"].get(box) or {"path": ""})["path"]
        known = {path: number for number, _, path in children} | {owner: 0}
        return error_counts((path for path, *_ in self._errors(behaviour)), known)


def _no_box(address: str) -> RuntimeError:
    return RuntimeError(f"the recording has no box at {address!r}")
