"""The limits of messages, connections and servers, and `Budget`: the remaining allowance of one message.

Servers and clients read with the same budget. It limits the work, and so the time, of a message: every value costs
the same small time, and so does every character of a signature that has to be parsed.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple, Protocol


class BadValue(RuntimeError):
    """The bytes are not values of this signature, or cost too much, or the value cannot be sent under it."""


class ValueLimits(NamedTuple):
    """Limits of one message; reading one with the defaults takes about a second, with a server's limits 0.3 s.

    Every field of a tuple is a value. A value of any type counts twice: it, and its content. The work of a message
    follows from its length, because a short one can have few values: see `count_values`.
    """

    values: int = 1_000_000
    #: The depth of nested lists, maps, tuples and dynamic values.
    depth: int = 300
    #: Characters of signatures that have to be parsed, because they are not known.
    signature_characters: int = 50_000

    def count_values(self, length: int) -> int:
        """Return the most values that a message of `length` bytes can have."""
        return min(self.values, _FREE_VALUES + 2 * length)


_FREE_VALUES = 1000  # values without bytes


_VALUE_BYTES = 64  # memory of a small value in Python, with its place in a list


class Budget:
    """The remaining allowance of one message; each method raises BadValue if it is exceeded."""

    __slots__ = ("_limit", "characters", "depth", "values")

    def __init__(self, limits: ValueLimits, length: int) -> None:
        self._limit = self.values = limits.count_values(length)
        self.depth, self.characters = limits.depth, limits.signature_characters

    @property
    def memory(self) -> int:
        """Return the approximate memory of the counted values in bytes, without the content of texts."""
        return (self._limit - self.values) * _VALUE_BYTES

    def spend(self, values: int) -> None:
        """Count values that are read next."""
        self.values -= values
        if self.values < 0:
            raise BadValue("they are too many")

    def descend(self) -> None:
        """Go one level deeper; `depth` is raised again by the caller."""
        self.depth -= 1
        if self.depth < 0:
            raise BadValue("they are nested too deeply")

    def spend_signature(self, characters: int) -> None:
        """Count the characters of a signature that has to be parsed."""
        self.characters -= characters
        if self.characters < 0:
            raise BadValue("they have too many signatures")


class Limits(NamedTuple):
    """The limits of one connection. The defaults are for clients; sizes are in bytes, times in real seconds."""

    message: int = 32 * 1024 * 1024
    values: ValueLimits = ValueLimits()
    #: Bytes that wait until the other program reads; with more the connection ends.
    unread: int = 256 * 1024 * 1024
    #: Events that wait for this program's callbacks, in bytes; with more the connection ends.
    events: int = 64 * 1024 * 1024
    #: Objects that the other program was given, its connections to signals, and the services that it registers.
    objects: int = 1_000_000
    links: int = 1_000_000
    services: int = 5000
    #: Time for the greeting, for the first call after it, and for a program that does not read to read on; None for no
    #: limit.
    greets_within: float | None = None
    asks_within: float | None = None
    reads_within: float | None = None


CLIENT_LIMITS = Limits()
#: Bytes of a greeting, of a message with capabilities, and of everything that comes before them.
MAX_GREETING_BYTES = 64 * 1024
#: Messages of one connection that are served before the others' messages, and real seconds after which others
#: come first, too.
MESSAGES_PER_TURN, TURN_S = 8, 0.005
#: A longer message waits for the turn of the long ones, so that only one of them at a time holds up the others.
SHORT_MESSAGE_BYTES = 1024


class ServerLimits(NamedTuple):
    """Limits of a server. Of too many connections that have not greeted, the oldest ends."""

    connections: int = 500
    silent: int = 64
    #: Calls of all connections that are not answered yet, the bytes of their arguments, and the bytes that wait for all
    #: connections in both directions.
    calls: int = 5000
    call_bytes: int = 32 * 1024 * 1024
    kept_bytes: int = 128 * 1024 * 1024
    #: Connections to signals of all connections.
    links: int = 10_000
    each: Limits = Limits(
        message=16 * 1024 * 1024,
        values=ValueLimits(200_000, 64),
        unread=64 * 1024 * 1024,
        objects=10_000,
        links=1000,
        services=100,
        greets_within=5.0,
        asks_within=20.0,
        reads_within=30.0,
    )


DEFAULT_LIMITS = ServerLimits()


class Member(Protocol):
    """One of the connections that share limits; see `connection`."""

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of its memory."""

    @property
    def link_count(self) -> int:
        """Return the number of its connections to signals."""

    #: Its unfinished calls, and the bytes that they keep; `Shared` counts them.
    calls: int
    call_bytes: int

    def give_up(self, why: str) -> None:
        """Drop what waits to be sent, and end; any thread may call it."""


class Shared:
    """The shared limits of the connections of a server, or of the one connection of a client.

    Any thread may call its methods.
    """

    def __init__(self, limits: ServerLimits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        #: The connections of the server, the oldest first; a client's is not among them.
        self.members: dict[Any, None] = {}
        self._calls = self._call_bytes = 0
        self._lock = threading.Lock()

    def begin_call(self, member: Member, size: int) -> None:
        """Count a call that begins, with the bytes that it keeps.

        Raises RuntimeError if there are too many, and this member has its share of them.
        """
        share = max(1, len(self.members))
        most_calls, most_bytes = self._limits.calls, self._limits.call_bytes
        with self._lock:
            if self._calls >= most_calls and member.calls >= most_calls // share:
                raise RuntimeError(f"The robot is busy: {self._calls} calls are under way.")
            if self._call_bytes + size > most_bytes and member.call_bytes + size > most_bytes // share:
                raise RuntimeError(f"The robot is busy: the calls under way need {self._call_bytes} bytes.")
        self._count_call(member, 1, size)

    def end_call(self, member: Member, size: int) -> None:
        """Count a call that is answered."""
        self._count_call(member, -1, -size)

    def _count_call(self, member: Member, change: int, size: int) -> None:
        with self._lock:
            self._calls += change
            self._call_bytes += size
            member.calls += change
            member.call_bytes += size

    def check_links(self) -> None:
        """Raise RuntimeError if there are too many connections to signals for another one."""
        if sum(member.link_count for member in list(self.members)) >= self._limits.links:
            raise RuntimeError(f"{self._limits.links} connections to signals at most.")

    def check_bytes(self) -> None:
        """End the connection with the most memory if all of them together have too much."""
        kept = {member: member.kept_bytes for member in list(self.members)}
        if sum(kept.values()) > self._limits.kept_bytes:
            max(kept, key=lambda member: kept[member]).give_up("too many bytes are kept")
