"""ALAudioDevice for clients of a directory: the modules that want sound are theirs, all else is asked of the robot."""

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from naosim.services.audio import SOUND_METHOD
from naosim_live.hosting import RobotClient

from .calls import chained
from .client_modules import ClientModules
from .facade import Handler
from .signatures import Method, methods

NAME, _SUBSCRIBE = "ALAudioDevice", "subscribe"
#: The methods that are answered here alone.
OWN = (_SUBSCRIBE,)


class SoundService:
    """The methods of ALAudioDevice for clients."""

    def __init__(self, robot: RobotClient, modules: ClientModules) -> None:
        self._robot, self._modules = robot, modules

    def offers(self, ask: Any) -> Iterator[tuple[Method, Handler]]:
        """Yield every method with its handler; `ask(method)` makes a handler that asks the robot."""
        for method in methods(NAME):
            yield method, self._subscribe if method.name == _SUBSCRIBE else ask(method.name)

    def _subscribe(self, args: list[Any]) -> "Future[Any]":
        """Subscribe a module; a client's module is made known to the robot before."""
        if not isinstance(args[0], str):
            return self._robot.call(NAME, _SUBSCRIBE, args)
        made_known = self._modules.called_back(args[0], SOUND_METHOD, f"{NAME}::{_SUBSCRIBE}")
        return chained(made_known, lambda _: self._robot.call(NAME, _SUBSCRIBE, args))
