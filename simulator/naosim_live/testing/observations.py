"""What a test observes of a robot: what it said, in order, and its memory."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, SupportsIndex, overload

from naosim.robot import Robot


class Observations(list[str]):
    """What happened, in order; the error for an index that is not there says how much there was."""

    def __init__(self, items: Sequence[str], nothing: str) -> None:
        super().__init__(items)
        self._nothing = nothing

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:
        try:
            return super().__getitem__(index)
        except IndexError:
            said = f"only {len(self)} times: {list(self)}" if self else "not at all"
            raise IndexError(f"{self._nothing} {said}") from None


class MemoryView(MutableMapping[str, Any]):
    """ALMemory as a dict."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def __getitem__(self, key: str) -> Any:
        try:
            return self._robot.memory.getData(key)
        except RuntimeError:
            raise KeyError(f"ALMemory has no {key!r}") from None

    def __setitem__(self, key: str, value: Any) -> None:
        self._robot.set(key, value)

    def __delitem__(self, key: str) -> None:
        try:
            self._robot.memory.removeData(key)
        except RuntimeError:
            raise KeyError(f"ALMemory has no {key!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._robot.memory.getDataListName())

    def __len__(self) -> int:
        return len(self._robot.memory.getDataListName())
