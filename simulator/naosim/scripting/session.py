"""The qi session of a robot: services as objects, and services that scripts register."""

from __future__ import absolute_import, division, print_function

from naosim.compat import quoted
from naosim.scripting.alproxy import Caller, ask
from naosim.scripting.futures import call_later
from naosim.world.callbacks import present_world
from naosim.world.script_service import PythonService

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.scripting.futures import Future
    from naosim.world.world import World


class ServiceObject(Caller):
    """A service as a qi session returns it: no attributes for unknown methods, calls also with `_async=True`."""

    def __getattr__(self, method):  # type: (str) -> Any
        if method.startswith("_"):
            raise AttributeError(method)
        try:
            self._service.remote(method)
        except RuntimeError:
            signals = getattr(self._service, "signals", ())
            if method not in signals:
                raise AttributeError("the service %s has no member %s" % (self._service.name, quoted(method)))
            found = self._world.memory.subscriber("%s/%s" % (self._service.name, method)).signal  # type: Any
            found.family = ["%s/%s" % (self._service.name, signal) for signal in signals]
        else:
            found = _method(self._world, self._service, method)
        self.__dict__[method] = found
        return found

    def async_(self, method, *args):  # type: (str, *Any) -> Future
        """Schedule a call of a method by name and return its future."""
        return call_later(self._world, ask, (self._world, self._service, method, args))


def _method(world, service, method):  # type: (World, Any, str) -> Callable[..., Any]
    def call(*args, **options):  # type: (*Any, **Any) -> Any
        if options.get("_async"):
            return call_later(world, ask, (world, service, method, args))
        return ask(world, service, method, args)

    return call


class Session(object):
    """The qi session of a robot."""

    def __init__(self, world=None):  # type: (World | None) -> None
        self._world = world or present_world()
        self._numbers = {}  # type: dict[int, str]

    def service(self, name):  # type: (str) -> ServiceObject
        """Return a service; raises RuntimeError when the robot has none of this name."""
        return ServiceObject(self._world, self._found(name))

    def services(self):  # type: () -> list[dict[str, Any]]
        """List the services as the service directory does: name and number of each."""
        return [{"name": name, "serviceId": number} for number, name in enumerate(sorted(self._world.services), 1)]

    def registerService(self, name, made):  # type: (str, Any) -> int
        """Register an object as a service and return its number; raises RuntimeError when the name is taken."""
        if name in self._world.services:
            raise RuntimeError('Service "%s" (#1) is already registered.' % name)
        self._world.services[name] = PythonService(name, made)
        number = 1000 + len(self._world.services)
        self._numbers[number] = name
        return number

    def unregisterService(self, number):  # type: (int) -> None
        """Unregister a service of this session by its number; raises RuntimeError for an unknown one."""
        name = self._numbers.pop(number, None)
        if name is None:
            raise RuntimeError("Cannot find service #%r" % (number,))
        del self._world.services[name]

    def waitForService(self, name, _timeout=0):  # type: (str, int) -> None
        """Return if the service is there; raises RuntimeError otherwise, as no other program can register it."""
        self._found(name)

    def connect(self, _url=""):  # type: (str) -> None
        """Do nothing: inside the robot every session is connected."""

    def isConnected(self):  # type: () -> bool
        """Return True: inside the robot every session is connected."""
        return True

    def close(self):  # type: () -> None
        """Do nothing: the session belongs to the robot."""

    def _found(self, name):  # type: (str) -> Any
        """Return a service of the robot; raises what libqi's directory says when there is none."""
        try:
            return self._world.service(name)
        except RuntimeError as error:
            if "Can't find service" not in str(error):
                raise
        raise RuntimeError("Cannot find service '%s' in index" % (name,))


def shared_session(world):  # type: (World) -> Session
    """Return the session that all boxes of a robot share."""
    if world.session is None:
        world.session = Session(world)
    return world.session  # type: ignore[no-any-return]
