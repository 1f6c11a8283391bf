"""ALProxy: the methods of a service, called at once or posted as tasks."""

from __future__ import absolute_import, division, print_function

import itertools
import sys

from . import broker, sessions

MYPY = False
if MYPY:
    from typing import Any, Callable

    import qi

_FIRST_METHOD = 100  # the smallest id of a service's own methods; lower ids are methods of every libqi object
_MAX_TASKS = 256  # tasks of a proxy; with more, the finished ones are forgotten

_numbers = itertools.count(1)


def _classic(value):  # type: (Any) -> Any
    """Return a result as ALProxy does: on 2.7, bytes in a list, such as an image's, are a `str`."""
    if sys.version_info[0] == 2 and isinstance(value, list):
        return [str(item) if isinstance(item, bytearray) else item for item in value]
    return value


class _Post(object):
    """The object `proxy.post`: every method returns a task number at once."""

    def __init__(self, proxy):  # type: (ALProxy) -> None
        self._proxy = proxy

    def __getattr__(self, method):  # type: (str) -> Callable[..., int]
        if method.startswith("__"):
            raise AttributeError(method)
        return lambda *args: self._proxy.pCall(method, *args)


class ALProxy(object):
    """A service of a robot: `ALProxy(name, ip, port)`, or `ALProxy(name)` after an ALBroker was created.

    Every attribute is a method; calling one that the service does not have raises RuntimeError.
    """

    def __init__(self, name, *where):  # type: (str | broker.ALBroker, *Any) -> None
        try:
            name, session = _found(name, where)
        except RuntimeError as error:
            raise sessions.failure("ALProxy::ALProxy", error)
        try:
            self._service = sessions.answer(session.service(name, _async=True))
        except RuntimeError:
            raise sessions.failure("ALProxy::ALProxy", "Can't find service: %s" % name)
        self._name, self._session = name, session
        self._tasks = {}  # type: dict[int, qi.Future]
        self.post = _Post(self)

    def __getattr__(self, method):  # type: (str) -> Callable[..., Any]
        if method.startswith("__"):
            raise AttributeError(method)
        return lambda *args: self.call(method, *args)

    def call(self, method, *args):  # type: (str, *Any) -> Any
        """Call a method by its name."""
        try:
            return _classic(sessions.answer(self._asked(method, args)))
        except RuntimeError as error:
            raise self._error(method, error)

    def pCall(self, method, *args):  # type: (str, *Any) -> int
        """Post a call and return its task number."""
        if len(self._tasks) >= _MAX_TASKS:
            self._tasks = {number: task for number, task in self._tasks.items() if not task.isFinished()}
        number = next(_numbers)
        self._tasks[number] = self._asked(method, args)
        return number

    def wait(self, number, timeout=0):  # type: (int, int) -> bool
        """Wait for a task, for at most `timeout` milliseconds if above 0; return True if the time was up before."""
        task = self._tasks.get(number)
        return task is not None and not sessions.is_over(task, timeout / 1000.0 if timeout > 0 else None)

    def isRunning(self, number):  # type: (int) -> bool
        """Return whether a task still runs."""
        task = self._tasks.get(number)
        return task is not None and not task.isFinished()

    def stop(self, number):  # type: (int) -> None
        """Stop a task that has not ended; with the number of any other, call the service's own `stop`."""
        task = self._tasks.get(number)
        if task is None:
            self.call("stop", number)
        elif not task.isFinished():
            task.cancel()
            # A call that cannot be cancelled can often be interrupted.
            if not task.isFinished() and "stopAll" in self.getMethodList():
                self.call("stopAll")

    def getMethodList(self):  # type: () -> list[str]
        """Return the names of the methods that can be called."""
        methods = self._service.metaObject()["methods"]
        return sorted({str(each["name"]) for number, each in methods.items() if number >= _FIRST_METHOD})

    def ping(self):  # type: () -> bool
        """Return True if the service exists; raises RuntimeError if it does not."""
        try:
            sessions.answer(self._session.service(self._name, _async=True))
        except RuntimeError:
            raise self._error("ping", "Can't find service: %s" % self._name)
        return True

    def __repr__(self):  # type: () -> str
        return "<ALProxy to %s>" % self._name

    def _asked(self, method, args):  # type: (str, tuple[Any, ...]) -> qi.Future
        if method not in self.getMethodList():
            raise self._error(method, "Can't find method: %s" % method)
        return self._service.call(method, *args, _async=True)  # type: ignore[no-any-return]

    def _error(self, method, said):  # type: (str, object) -> RuntimeError
        return sessions.failure("%s::%s" % (self._name, method), said)


def _found(name, where):  # type: (Any, tuple[Any, ...]) -> tuple[str, qi.Session]
    """Return the name of the service and its session for the arguments of ALProxy."""
    if isinstance(name, broker.ALBroker) and where:
        return where[0], name.session()
    if where and isinstance(where[0], broker.ALBroker):
        return name, where[0].session()
    # Boxes write ALProxy(name, True): ignore the flag.
    if where and not isinstance(where[0], bool):
        return name, sessions.shared(sessions.address(where[0], where[1] if len(where) > 1 else sessions.PORT))
    made = broker.current()
    if made is None:
        raise RuntimeError("Can't find service: %s (no ip is given, and no ALBroker was made)" % name)
    return name, made.session()
