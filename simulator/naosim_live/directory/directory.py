"""A libqi directory in front of a simulated robot: every public client of libqi can talk to it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from naosim.errors import NaosimError
from naosim.services import SERVICES

from ..hosting.robot import HostedRobot
from ..libqi import closed, qi
from . import human, memory
from .addresses import listening_address
from .client_modules import ClientModules
from .facade import Handler, UnderWay, facade
from .feeds import Feeds
from .human import SimulatedHuman
from .memory import MemoryService
from .signatures import Method, methods, signals

ANY_PORT = "tcp://127.0.0.1:0"


class Directory:
    """The services of a hosted robot, registered in a libqi directory of their own.

    `url` is where clients connect. The robot stays open when the directory is closed. Raises NaosimError when the
    address cannot be listened at, or can be reached from other computers and `insecure` is not set.
    """

    def __init__(self, robot: HostedRobot, listen: str = ANY_PORT, insecure: bool = False,
                 invalid_signature: bool = False) -> None:
        self.robot = robot
        address = listening_address(listen, insecure)
        self._session = qi.Session()
        try:
            self._session.listenStandalone(address.url)
        except RuntimeError as error:
            closed(self._session)
            raise NaosimError(_refusal(address.host, address.port, str(error))) from None
        self.url: str = self._session.endpoints()[0]
        self._is_open = True
        self._calls = UnderWay()
        self._feeds = Feeds(robot)
        self._modules = ClientModules(self._session, robot)
        self._human = SimulatedHuman(robot)
        self.memory = MemoryService(robot, self._feeds, self._modules, invalid_signature)
        robot.watch(self._human.notice)
        try:
            for name in robot.services:
                if name in SERVICES:
                    self._register(name, self._offers(name))
            self._register(human.NAME, self._human.offers())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Directory:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends every connection and what clients left on the robot: links, modules and their subscriptions."""
        if not self._is_open:
            return
        self._is_open = False
        self._modules.close()
        self._feeds.close()
        self._human.close()
        closed(self._session)

    def _offers(self, service: str) -> Iterable[tuple[Method, Handler]]:
        ask = partial(self._asking, service)
        if service == memory.NAME:
            return self.memory.offers(ask)
        return [(method, ask(method.name)) for method in methods(service)]

    def _asking(self, service: str, method: str) -> Handler:
        return partial(self.robot.call, service, method)

    def _register(self, name: str, offers: Iterable[tuple[Method, Handler]]) -> None:
        declared = signals(name) if name in SERVICES else {}
        news = {one: self._feeds.signal(f"{name}/{one}", signature) for one, signature in declared.items()}
        made = facade(name, offers, news, self._calls)
        self._modules.is_own(self._session.registerService(name, made))


@contextmanager
def served(python: str = "", *, listen: str = ANY_PORT, insecure: bool = False, invalid_signature: bool = False,
           **options: Any) -> Iterator[Directory]:
    """A simulated robot behind a directory, both closed at the end; `options` are those of HostedRobot."""
    # An address that will be refused is refused before a robot starts.
    listening_address(listen, insecure)
    with HostedRobot(python, **options) as robot, Directory(robot, listen, insecure, invalid_signature) as directory:
        yield directory


def _refusal(host: str, port: int, error: str) -> str:
    if "already in use" in error:
        return (f"Port {port} of {host} is taken, perhaps by another robot: "
                "choose another one, such as tcp://127.0.0.1:0 for any free port.")
    number = re.search(r"\[system:(\d{1,4})\b", error)
    why = f" ({os.strerror(int(number[1])).lower()})" if number else ""
    return f"Port {port} of {host} cannot be listened at{why}: choose another address."
