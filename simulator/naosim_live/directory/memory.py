"""ALMemory for clients of a directory: signals and modules are theirs, everything else is asked of the robot."""

from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from typing import Any

from naosim_live.hosting import RobotClient

from .calls import chained
from .client_modules import ClientModules
from .facade import Handler
from .feeds import SignalFeeds
from .signatures import OBJECT, Method, methods

NAME = "ALMemory"
#: What libqi 3 says when it asks NAOqi 2.5 for a subscriber.
_INVALID_SIGNATURE = "Invalid signature"
_SUBSCRIBING = ("subscribeToEvent", "subscribeToMicroEvent")
_SUBSCRIBER = "subscriber"


class MemoryService:
    """The methods of ALMemory for clients.

    `invalid_signature` makes `subscriber` fail as NAOqi 2.5 does for libqi 3, and may be changed at any time.
    """

    def __init__(
        self, robot: RobotClient, feeds: SignalFeeds, modules: ClientModules, invalid_signature: bool = False
    ) -> None:
        self._robot, self._feeds, self._modules = robot, feeds, modules
        self.invalid_signature = invalid_signature

    @property
    def own(self) -> tuple[str, ...]:
        """Return the methods that are answered here alone."""
        return (_SUBSCRIBER, *_SUBSCRIBING) if self.invalid_signature else _SUBSCRIBING

    def offers(self, ask: Any) -> Iterator[tuple[Method, Handler]]:
        """Yield every method with its handler; `ask(method)` makes a handler that asks the robot."""
        for method in methods(NAME):
            if method.name == _SUBSCRIBER:
                yield method._replace(returns=OBJECT), self._subscriber
            elif method.name in _SUBSCRIBING:
                yield method, partial(self._subscribe, method.name)
            else:
                yield method, ask(method.name)

    def _subscriber(self, args: list[Any]) -> Any:
        if self.invalid_signature:
            raise RuntimeError(_INVALID_SIGNATURE)
        if not isinstance(args[0], str):
            # The robot has its own sentence for that.
            return self._robot.call(NAME, "subscriber", args)
        return self._feeds.subscriber(args[0])

    def _subscribe(self, name: str, args: list[Any]) -> "Future[Any]":
        """Subscribe a module; a client's module is made known to the robot before."""
        module, method = args[1], args[-1]
        if not (isinstance(module, str) and isinstance(method, str)):
            return self._robot.call(NAME, name, args)
        return chained(self._modules.called_back(module, method), lambda _: self._robot.call(NAME, name, args))
