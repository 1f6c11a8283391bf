"""Incomplete requests, and the choice of those that a server drops so that complete ones are served."""

from collections import Counter
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

REQUEST_TIMEOUT_S = 20.0  # seconds in which a request, with its body, must be complete
#: Unfinished requests of one address and in all; beyond that the oldest are given up, unless they are younger than
#: these seconds: a crowd that comes at once has done nothing wrong.
MAX_PER_ADDRESS, MAX_UNFINISHED, YOUNG_REQUEST_S = 100, 200, 1.0

Key = TypeVar("Key", bound=Hashable)


class _Begun(NamedTuple):
    address: str
    when: float


class Unfinished(Generic[Key]):
    """The unfinished requests by key, the oldest first. Time is passed in, in seconds; not for several threads."""

    def __init__(self) -> None:
        self._begun: dict[Key, _Begun] = {}

    def __len__(self) -> int:
        return len(self._begun)

    def __contains__(self, key: Key) -> bool:
        return key in self._begun

    def begin(self, key: Key, address: str, now: float) -> None:
        """Note that a request is waited for; one that is waited for already goes on."""
        self._begun.setdefault(key, _Begun(address, now))

    def end(self, key: Key) -> bool:
        """Forget a request that is complete or will never be; return whether it was waited for."""
        return self._begun.pop(key, None) is not None

    def oldest(self) -> Key | None:
        """Return the one that is waited for longest."""
        return next(iter(self._begun), None)

    def given_up(self, now: float) -> list[Key]:
        """Return those to give up: they are too old, or the oldest of too many."""
        here = Counter(begun.address for begun in self._begun.values())
        left, found = len(self._begun), []
        for key, (address, when) in self._begun.items():
            too_many = here[address] > MAX_PER_ADDRESS or left > MAX_UNFINISHED
            if now - when > REQUEST_TIMEOUT_S or (too_many and now - when > YOUNG_REQUEST_S):
                found.append(key)
                here[address] -= 1
                left -= 1
        return found
