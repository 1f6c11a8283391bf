"""Calls of the robot's methods that the gate answers itself: read, asked of the robot, answered, without libqi.

It is the shorter way, and the only one on which bytes stay bytes: libqi's binding for Python makes text of them. What
cannot be read here is left to the directory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from ..binary_values import Unreadable, decoded, encoded
from ..directory.calls import CallCounter, client_error
from ..directory.signatures import Method, methods
from ..hosting.client import RobotClient
from ..messages import CALL, ERROR, HEAD, REPLY, Head, answer

#: The number of a service's own object, among the objects that it has handed out.
MAIN_OBJECT = 1


class Answered(NamedTuple):
    """A method that is answered here, and the service it belongs to."""

    service: str
    method: Method


class RobotCalls:
    """The methods of a robot that is served by one directory, by the numbers that this directory has given them."""

    def __init__(self, robot: RobotClient, numbers: Mapping[str, Any]) -> None:
        """Answer the methods that `Directory.numbers` told."""
        self.robot = robot
        self.counter = CallCounter()
        self._methods: dict[tuple[int, int], Answered] = {}
        for service, (number, actions) in numbers.items():
            known = {method.name + method.signature: method for method in methods(service)}
            for name, action in actions.items():
                self._methods[number, action] = Answered(service, known[name])

    def find(self, head: Head) -> Answered | None:
        """Return the method that a message calls, None for other messages."""
        if head.kind != CALL or head.flags or head.of != MAIN_OBJECT:
            return None
        return self._methods.get((head.service, head.action))

    def forget(self, number: int) -> None:
        """Answer no more calls of a service, which is gone."""
        self._methods = {key: found for key, found in self._methods.items() if key[0] != number}


class Caller:
    """One client's calls of the robot; `send` takes the answers, on another thread, and does not wait."""

    def __init__(self, calls: RobotCalls | None, send: Callable[[bytes], object]) -> None:
        self._calls, self._send = calls, send

    def takes(self, head: Head, message: bytes) -> bool:
        """Ask the robot what a message asks, and return True; False for one that is for the directory."""
        calls = self._calls
        found = None if calls is None else calls.find(head)
        if calls is None or found is None:
            return False
        try:
            args = decoded(found.method.signature, message[HEAD.size:])
        except Unreadable:
            return False
        try:
            calls.counter.enter()
        except RuntimeError as error:
            self._send(answer(head, ERROR, encoded("m", str(error))))
            return True

        def settle(asked: Future[Any]) -> None:
            calls.counter.leave()
            self._send(_answered(head, found, asked))
        calls.robot.call(found.service, found.method.name, args).add_done_callback(settle)
        return True


def _answered(head: Head, found: Answered, asked: Future[Any]) -> bytes:
    """Return the message that answers a call."""
    try:
        return answer(head, REPLY, encoded(found.method.returns, asked.result()))
    except TypeError:
        where = f"\t{found.service}::{found.method.name}"
        said = f"{where}\n\tThe answer is no value of type {found.method.returns}."
    except BaseException as error:
        said = client_error(error)
    return answer(head, ERROR, encoded("m", said))
