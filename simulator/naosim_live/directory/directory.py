"""A libqi directory in front of a simulated robot: every public client of libqi can talk to it."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from naosim.errors import NaosimError
from naosim_live.hosting import HostedRobot, RobotClient
from naosim_live.libqi_protocol import explain_refusal, parse_listen_address

from ..libqi import close_session, qi
from . import human, memory, sound
from .calls import CallCounter
from .client_modules import ClientModules
from .facade import Handler, facade
from .feeds import SignalFeeds
from .human import SimulatedHuman
from .memory import MemoryService
from .signatures import Method, methods, signals, table
from .sound import SoundService

ANY_PORT = "tcp://127.0.0.1:0"


class Directory:
    """The services of a hosted robot, registered in a libqi directory of their own.

    `url` is where clients connect. The robot stays open when the directory is closed. Raises NaosimError when the
    address cannot be listened at, or can be reached from other computers and `insecure` is not set.
    """

    def __init__(
        self, robot: RobotClient, listen: str = ANY_PORT, insecure: bool = False, invalid_signature: bool = False
    ) -> None:
        self.robot = robot
        address = parse_listen_address(listen, insecure)
        self._session = qi.Session()
        try:
            self._session.listenStandalone(address.url)
        except RuntimeError as error:
            close_session(self._session)
            raise NaosimError(explain_refusal(address, _error_number(str(error)))) from None
        self.url: str = self._session.endpoints()[0]
        self._is_open = True
        self._numbers: dict[str, int] = {}
        self._calls = CallCounter()
        self._feeds = SignalFeeds(robot)
        self._modules = ClientModules(self._session, robot)
        self.memory = MemoryService(robot, self._feeds, self._modules, invalid_signature)
        try:
            for name in robot.services:
                if name in table():
                    self._register(name, self._offers(name))
            self._register(human.NAME, SimulatedHuman(robot).offers())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Directory:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End every connection and what clients left on the robot: links, modules and their subscriptions."""
        if not self._is_open:
            return
        self._is_open = False
        self._modules.close()
        self._feeds.close()
        close_session(self._session)

    def advertise(self, urls: list[str]) -> None:
        """Have the directory tell clients that all of it is reached at these addresses, and not where it listens."""
        services = self._session.service("ServiceDirectory")
        for row in self._session.services():
            if row["name"] in {"ServiceDirectory", human.NAME}:
                # The endpoints of all services of the same session change with this one's.
                services.updateServiceInfo({**row, "endpoints": urls, "objectUid": ""})

    def numbers(self) -> dict[str, tuple[int, dict[str, int]]]:
        """Return the number of each service, and those of its methods that a gate can answer by itself.

        The methods are named with their parameters, as in "getData(s)".
        """
        found = {}
        for name, number in self._numbers.items():
            own = {memory.NAME: self.memory.own, sound.NAME: sound.OWN}.get(name, ())
            plain = {method.name + method.signature for method in methods(name) if method.name not in own}
            rows = self._session.service(name).metaObject()["methods"]
            actions = {row["name"] + row["parametersSignature"]: action for action, row in rows.items()}
            found[name] = number, {method: actions[method] for method in plain & set(actions)}
        return found

    def on_gone(self, tell: Callable[[int], object]) -> None:
        """Have `tell(number)` called when a service is unregistered, which any client may do."""
        self._session.serviceUnregistered.connect(lambda number, _name: tell(number))

    def _offers(self, service: str) -> Iterable[tuple[Method, Handler]]:
        ask = partial(self._asking, service)
        if service == memory.NAME:
            return self.memory.offers(ask)
        if service == sound.NAME:
            return SoundService(self.robot, self._modules).offers(ask)
        lacking = self.robot.lacking_methods
        return [(each, ask(each.name)) for each in methods(service) if f"{service}.{each.name}" not in lacking]

    def _asking(self, service: str, method: str) -> Handler:
        return partial(self.robot.call, service, method)

    def _register(self, name: str, offers: Iterable[tuple[Method, Handler]]) -> None:
        feeds = {each: self._feeds.signal(f"{name}/{each}", signature) for each, signature in signals(name).items()}
        registered = self._session.registerService(name, facade(name, offers, feeds, self._calls))
        self._modules.note_own(registered)
        if name in table():
            self._numbers[name] = registered


@contextmanager
def served(
    python: str = "", *, listen: str = ANY_PORT, insecure: bool = False, invalid_signature: bool = False, **options: Any
) -> Iterator[Directory]:
    """Start a simulated robot behind a directory and close both at the end; `options` are those of HostedRobot."""
    # A bad address is refused before a robot starts.
    parse_listen_address(listen, insecure)
    with HostedRobot(python, **options) as robot, Directory(robot, listen, insecure, invalid_signature) as directory:
        robot.serve_at(directory.url)
        yield directory


def _error_number(error: str) -> int | None:
    """Return the error number of the system that libqi tells."""
    number = re.search(r"\[system:(\d{1,4})\b", error)
    if number:
        return int(number[1])
    return errno.EADDRINUSE if "already in use" in error else None
