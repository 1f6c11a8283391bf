"""Services of clients that the robot calls back: offered to the robot when they subscribe, withdrawn when they go."""

import logging
from concurrent.futures import Future
from functools import partial
from threading import Lock, Timer
from typing import Any, NamedTuple

from naosim.services.audio import SOUND_METHOD as SOUND
from naosim_live.hosting import RobotClient

from ..libqi import python_future
from .calls import LONGEST_ERROR, chained, finished

_LOG = logging.getLogger(__name__)

#: Events under way to one module; a client that is slower than this loses events.
_MOST_DELIVERIES = 1000
#: Pieces of sound under way to one module: each has many bytes.
_MOST_PIECES = 20
#: What libqi says of a method with other parameters.
_MISMATCH = "types did not match"
#: What libqi answers to the first call over a connection to a client that does not take calls yet; how often a service
#: is reached for then, and after how many seconds.
_NOT_YET, _MOST_TRIES, _TRIES_AGAIN_AFTER = "could not be handled", 5, 0.05


class _Offer(NamedTuple):
    number: int
    module: "Future[ClientModule]"


class ClientModule:
    """One service of a client, called without waiting for it."""

    def __init__(self, name: str, proxy: Any) -> None:
        self._name, self._proxy = name, proxy
        self._methods = {row["name"] for row in proxy.metaObject()["methods"].values()}
        self._lock = Lock()
        self._under_way = 0
        self._mismatched: set[str] = set()
        self.is_gone = False

    def has(self, method: str) -> bool:
        """Return whether the client offers a method of this name."""
        return method in self._methods

    def send(self, method: str, args: list[Any]) -> None:
        """Call a method of the client, without waiting; one with other parameters is logged, once per method."""
        with self._lock:
            if self.is_gone or self._under_way >= (_MOST_PIECES if method == SOUND else _MOST_DELIVERIES):
                return
            self._under_way += 1
        try:
            answer = python_future(getattr(self._proxy, method)(*args, _async=True))
        except (AttributeError, RuntimeError) as error:
            answer = Future()
            answer.set_exception(error)
        answer.add_done_callback(partial(self._answered, method))

    def _answered(self, method: str, answer: "Future[Any]") -> None:
        error = answer.exception()
        is_mismatch = error is not None and _MISMATCH in str(error)
        with self._lock:
            self._under_way -= 1
            is_first = is_mismatch and method not in self._mismatched
            if is_first:
                self._mismatched.add(method)
        if is_first:
            asked = "channels, samples, time, bytes" if method == SOUND else "key, value, message"
            _LOG.warning(
                "NAO cannot call %s.%s(%s): %s", self._name, method, asked, " ".join(str(error)[:LONGEST_ERROR].split())
            )


class ClientModules:
    """The modules that clients of one directory have subscribed, by the number of their service."""

    def __init__(self, session: Any, robot: RobotClient) -> None:
        self._session, self._robot = session, robot
        self._services = session.service("ServiceDirectory")
        self._lock = Lock()
        self._offers: dict[str, _Offer] = {}
        self._own: set[int] = set()
        self._link = session.serviceUnregistered.connect(self._withdraw_gone)

    def note_own(self, number: int) -> None:
        """Note that a service is one of the robot's own, which ALMemory does not call back."""
        self._own.add(number)

    def called_back(
        self, module: str, method: str, where: str = "ALMemory::subscribeToEvent"
    ) -> "Future[ClientModule | None]":
        """Return the module of a client, made known to the robot, None for others; fails if it lacks the method.

        `where` is the call that the failure names.
        """
        found: Future[Any] = Future()
        python_future(self._services.service(module, _async=True)).add_done_callback(
            lambda answer: found.set_result(None if answer.exception() else answer.result()["serviceId"])
        )
        return chained(found, lambda number: self._checked(module, number, method, where))

    def close(self) -> None:
        """Withdraw every module."""
        self._session.serviceUnregistered.disconnect(self._link)
        for name in list(self._offers):
            self._drop(name)

    def _checked(self, name: str, number: int | None, method: str, where: str) -> "Future[ClientModule | None]":
        if number is None or number in self._own:
            return finished()

        def check(module: ClientModule) -> "Future[ClientModule | None]":
            if not module.has(method):
                raise RuntimeError(f"\t{where}\n\tModule {name} has no bound method {method}.")
            return finished(module)

        return chained(self._offer_once(name, number), check)

    def _offer_once(self, name: str, number: int) -> "Future[ClientModule]":
        """Offer the module to the robot, once per registration of the client's service, and return it."""
        with self._lock:
            offer = self._offers.get(name)
            if offer is not None and offer.number == number:
                return offer.module
            known: Future[ClientModule] = Future()
            self._offers[name] = _Offer(number, known)
        if offer is not None:
            self._end(name, offer)
        proxy: Future[Any] = Future()
        self._reach(name, proxy, _MOST_TRIES)
        chained(proxy, partial(self._present, name)).add_done_callback(partial(self._settle, name, number, known))
        return known

    def _reach(self, name: str, proxy: "Future[Any]", tries: int) -> None:
        """Reach a client's service, which may have been registered a moment ago."""

        def settle(answer: "Future[Any]") -> None:
            error = answer.exception()
            if error is None:
                proxy.set_result(answer.result())
            elif _NOT_YET in str(error) and tries > 1:
                timer = Timer(_TRIES_AGAIN_AFTER, self._reach, (name, proxy, tries - 1))
                timer.daemon = True
                timer.start()
            else:
                proxy.set_exception(error)

        python_future(self._session.service(name, _async=True)).add_done_callback(settle)

    def _present(self, name: str, proxy: Any) -> "Future[ClientModule]":
        module = ClientModule(name, proxy)
        return chained(self._robot.offer(name, module.send), lambda _: finished(module))

    def _settle(self, name: str, number: int, known: "Future[ClientModule]", found: "Future[ClientModule]") -> None:
        error = found.exception()
        if error is None:
            known.set_result(found.result())
            return
        with self._lock:
            if self._offers.get(name) == _Offer(number, known):
                del self._offers[name]
        known.set_exception(error)

    def _withdraw_gone(self, number: int, name: str) -> None:
        """Withdraw the module of a service that the directory reports as gone."""
        with self._lock:
            offer = self._offers.get(name)
        if offer is not None and offer.number == number:
            self._drop(name)

    def _drop(self, name: str) -> None:
        with self._lock:
            offer = self._offers.pop(name, None)
        if offer is not None:
            self._end(name, offer)

    def _end(self, name: str, offer: _Offer) -> None:
        def end(module: "Future[ClientModule]") -> None:
            if module.exception() is None:
                module.result().is_gone = True
                self._robot.withdraw(name)

        offer.module.add_done_callback(end)
