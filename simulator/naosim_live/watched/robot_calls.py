"""Calls of the robot's methods that the gate answers itself: read, asked of the robot, answered, without libqi.

It is the shorter way, and the only one on which bytes stay bytes: libqi's binding for Python makes text of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from naosim_live.hosting import RobotClient
from naosim_live.libqi_protocol import (
    CALL,
    ERROR,
    HEAD_FORMAT,
    REPLY,
    MessageHead,
    UnreadableValue,
    decode_values,
    encode_value,
    make_answer,
)

from ..directory.calls import CallCounter, client_error
from ..directory.signatures import Method, methods
from .shared_links import SharedLinks
from .subscribers import ObjectForm, Subscribers

_SUBSCRIBER = "subscriber"
#: The number of a service's own object, among the objects that it has handed out.
_MAIN_OBJECT = 1


class Answered(NamedTuple):
    """A method that is answered here, and the service it belongs to."""

    service: str
    method: Method


class RobotCalls:
    """The methods of a robot that is served by one directory, by the numbers that this directory has given them."""

    def __init__(self, robot: RobotClient, numbers: Mapping[str, Any], form: ObjectForm) -> None:
        """Answer the methods that `Directory.numbers` told; subscribers are objects of a form."""
        self.robot, self.form = robot, form
        self.links = SharedLinks(robot)
        self.counter = CallCounter()
        self._methods: dict[tuple[int, int], Answered] = {}
        for service, (number, actions) in numbers.items():
            known = {method.name + method.signature: method for method in methods(service)}
            for name, action in actions.items():
                self._methods[number, action] = Answered(service, known[name])

    def find(self, head: MessageHead) -> Answered | None:
        """Return the method that a message calls, None for other messages."""
        if head.kind != CALL or head.flags or head.of != _MAIN_OBJECT:
            return None
        return self._methods.get((head.service, head.action))

    def forget(self, number: int) -> None:
        """Answer no more calls of a service, which is gone."""
        self._methods = {key: found for key, found in self._methods.items() if key[0] != number}


class Caller:
    """One client's calls of the robot; `send` takes the answers, on another thread, and does not wait."""

    def __init__(self, calls: RobotCalls, has_identities: bool, send: Callable[[bytes], object]) -> None:
        """Take calls of a client, which knows objects by their identities or does not."""
        self._calls, self._send = calls, send
        form = calls.form._replace(has_identity=calls.form.has_identity and has_identities)
        self._subscribers = Subscribers(calls.links, form, send)

    def takes(self, head: MessageHead, message: bytes) -> bool:
        """Do what a message asks, and return True; False for one that is for the directory."""
        found = self._calls.find(head)
        if found is None:
            return self._subscribers.takes(head, message)
        try:
            args = decode_values(found.method.signature, message[HEAD_FORMAT.size :])
        except UnreadableValue as problem:
            # libqi would read it, and a few of such bytes keep it busy for ever.
            self._refuse(head, f"\t{found.service}::{found.method.name}\n\tThe arguments cannot be read: {problem}.")
            return True
        if found.method.name == _SUBSCRIBER:
            return isinstance(args[0], str) and self._subscribers.give(head, args[0])
        self._ask(head, found, args)
        return True

    def end(self) -> None:
        """Take away what the client had: it is gone."""
        self._subscribers.end()

    def _refuse(self, head: MessageHead, problem: str) -> None:
        self._send(make_answer(head, ERROR, encode_value("m", problem)))

    def _ask(self, head: MessageHead, found: Answered, args: list[Any]) -> None:
        calls = self._calls
        try:
            calls.counter.enter()
        except RuntimeError as error:
            self._refuse(head, str(error))
            return

        def settle(asked: Future[Any]) -> None:
            calls.counter.leave()
            self._send(_answered(head, found, asked))

        calls.robot.call(found.service, found.method.name, args).add_done_callback(settle)


def _answered(head: MessageHead, found: Answered, asked: Future[Any]) -> bytes:
    """Return the message that answers a call."""
    try:
        return make_answer(head, REPLY, encode_value(found.method.returns, asked.result()))
    except TypeError:
        where = f"\t{found.service}::{found.method.name}"
        said = f"{where}\n\tThe answer is no value of type {found.method.returns}."
    except BaseException as error:
        said = client_error(error)
    return make_answer(head, ERROR, encode_value("m", said))
