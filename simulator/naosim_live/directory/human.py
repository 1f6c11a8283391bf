"""SimulatedHuman: the service through which programs play the person in front of the simulated robot."""

from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from typing import Any

from naosim.remote import DoesNotTravel, pack_value
from naosim_live.hosting import RobotClient

from .calls import chained, finished
from .facade import Handler
from .signatures import DYNAMIC, VOID, Method

NAME = "SimulatedHuman"
#: The confidence of a phrase unless one is given, and the longest silence in seconds.
_CONFIDENCE, _LONGEST_SILENCE = 0.9, 3600.0
_LONGEST_PHRASE = 4000


class SimulatedHuman:
    """The methods of the service: a person speaks, touches, stays silent, and notices what the robot says and hears."""

    def __init__(self, robot: RobotClient) -> None:
        self._robot = robot

    def offers(self) -> Iterator[tuple[Method, Handler]]:
        """Yield every method with its handler."""
        yield Method("hear", ("s",), VOID), lambda args: self._hear(args[0], _CONFIDENCE)
        yield Method("hear", ("s", "f"), VOID), lambda args: self._hear(args[0], args[1])
        for verb in ("touch", "press", "release"):
            yield Method(verb, ("s",), VOID), partial(self._feel, verb)
        yield Method("event", ("s", DYNAMIC), VOID), lambda args: self._event(args[0], args[1])
        yield Method("stay_silent", (), VOID), lambda args: self._do("stay_silent", None)
        yield Method("stay_silent", ("f",), VOID), lambda args: self._do("stay_silent", _seconds(args[0]))
        yield Method("ears", (), DYNAMIC), lambda args: self._robot.person("ears")
        yield Method("state", (), DYNAMIC), lambda args: self._robot.person("state")
        yield Method("said", (), "[s]"), lambda args: self._robot.person("said")

    def _hear(self, phrase: Any, confidence: Any) -> "Future[Any]":
        if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
            raise RuntimeError(f"\t{NAME}::hear\n\tThe confidence is between 0 and 1, not {confidence!r:.40}.")
        return self._do("hear", _text("hear", phrase), float(confidence))

    def _feel(self, verb: str, args: list[Any]) -> "Future[Any]":
        return self._do(verb, _text(verb, args[0]))

    def _event(self, key: Any, value: Any) -> "Future[Any]":
        try:
            return self._do("event", _text("event", key), pack_value(value))
        except DoesNotTravel as error:
            raise RuntimeError(f"\t{NAME}::event\n\t{error}") from None

    def _do(self, verb: str, *args: Any) -> "Future[Any]":
        return chained(self._robot.person(verb, *args), lambda _: finished())


def _text(verb: str, value: Any) -> str:
    if not isinstance(value, str):
        raise RuntimeError(f"\t{NAME}::{verb}\n\tA text is needed, not {value!r:.40}.")
    if len(value) > _LONGEST_PHRASE:
        raise RuntimeError(f"\t{NAME}::{verb}\n\tText of {len(value)} characters, at most {_LONGEST_PHRASE}.")
    return value


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LONGEST_SILENCE:
        raise RuntimeError(
            f"\t{NAME}::stay_silent\n\tSo many seconds are 0 to {_LONGEST_SILENCE:.0f}, not {value!r:.40}."
        )
    return float(value)
