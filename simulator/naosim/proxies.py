"""Calls of services from scripts: ALProxy and its posted tasks, the qi session, futures and periodic tasks.

`call_service` makes every call, so that planned faults work for all of them. Every wait uses the robot's clock.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import PY2, quote, reason
from naosim.scheduler import WAITING, ScheduledCall, SimEvent, TaskEnded
from naosim.world import PythonService, World, call_guarded, name_callback, present_world, schedule_guarded

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world import RobotService

# The module `naoqi`: ALProxy with its posted tasks, ALModule and ALBroker.


class PostedTask(object):
    """A posted method call, which has a task number until it ends."""

    __slots__ = ("_call", "done", "number", "scheduled", "service", "world")

    def __init__(self, world, service, method, args):  # type: (World, RobotService, str, tuple[object, ...]) -> None
        self.world = world
        self.service = service
        self.done = SimEvent(world.clock)
        self._call = (method, args)
        self.number = world.next_task_number()
        self.scheduled = world.clock.call_soon_for(self._run, self._run)
        world.tasks[self.number] = self

    def _run(self):  # type: () -> None
        method, args = self._call
        try:
            call_service(self.world, self.service, method, args)
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            where = "%s.%s, posted" % (self.service.name, method)
            self.world.trace.note("error", where=where, message=reason(error), handled=False)
        finally:
            self.end()

    def end(self):  # type: () -> None
        """Remove the task from the world's tasks and wake those that wait for it."""
        self.world.tasks.pop(self.number, None)
        self.done.set()

    def stop(self):  # type: () -> None
        """Cancel the call, or interrupt it if the service has a stopAll."""
        if self.scheduled.cancel():
            self.end()
        elif hasattr(self.service, "stopAll"):
            self.service.stopAll()


def call_service(world, service, method, args):  # type: (World, RobotService, str, tuple[object, ...]) -> object
    """Call a service's method for a script and return its result; raises RuntimeError instead for a planned fault."""
    world.clock.poll()
    world.faults.check(service.name, method)
    return service.call(method, args)


def _classic_value(value):  # type: (object) -> object
    """Return a result as ALProxy does: on 2.7, bytes inside a list, such as an image's, are a `str`."""
    if PY2 and type(value) is list and any(type(item) is bytearray for item in value):
        return [str(item) if type(item) is bytearray else item for item in value]
    return value


class _PostedCalls(object):
    """The `post` of a proxy: its methods immediately return a task number."""

    def __init__(self, world, service):  # type: (World, RobotService) -> None
        self._world = world
        self._service = service

    def __getattr__(self, method):  # type: (str) -> Callable[..., int]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        def post(*args, **_dropped):  # type: (*object, **object) -> int
            return PostedTask(world, service, method, args).number

        return post


class ServiceCaller(object):
    """The methods that ALProxy and the service objects of a session share."""

    def __init__(self, world, service):  # type: (World, RobotService) -> None
        self._world = world
        self._service = service

    def pCall(self, method, *args):  # type: (str, *object) -> int
        """Post a call and return its task number."""
        return PostedTask(self._world, self._service, method, args).number

    def call(self, method, *args):  # type: (str, *object) -> object
        """Call a method by name."""
        return call_service(self._world, self._service, method, args)

    def wait(self, number, timeout=0):  # type: (int, int) -> bool
        """Wait for a task, for at most `timeout` milliseconds if above 0; return True if the time was up before."""
        task = self._world.tasks.get(number)
        if task is None or (timeout <= 0 and self._world.clock.inline(task.scheduled)):
            return False
        return not self._world.clock.wait(task.done, timeout / 1000.0 if timeout > 0 else None)

    def isRunning(self, number):  # type: (int) -> bool
        """Return whether a task has not ended."""
        return number in self._world.tasks

    def stop(self, number):  # type: (int) -> None
        """Stop a task; call the service's own `stop`, if it has one, with the number of any other."""
        task = self._world.tasks.get(number)
        if task is not None:
            task.stop()
        elif hasattr(self._service, "stop"):
            call_service(self._world, self._service, "stop", (number,))

    def getMethodList(self):  # type: () -> list[str]
        """List the methods that can be called."""
        return list(self._service.getMethodList())

    def ping(self):  # type: () -> bool
        """Return True: the service is there."""
        return True


class ALProxy(ServiceCaller):
    """The classic proxy of a service: every attribute is a method, and unknown methods raise when they are called."""

    def __init__(self, name, *address):  # type: (str, *object) -> None
        world = present_world()
        if not isinstance(name, str):
            raise RuntimeError("ALProxy: the name of a module is needed, not %r" % (name,))
        ServiceCaller.__init__(self, world, world.service(name))
        self.post = _PostedCalls(world, self._service)

    def __getattr__(self, method):  # type: (str) -> Callable[..., object]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        # The SDK's proxy drops named arguments.
        def call(*args, **_dropped):  # type: (*object, **object) -> object
            return _classic_value(call_service(world, service, method, args))

        self.__dict__[method] = call
        return call

    def __repr__(self):  # type: () -> str
        return "<ALProxy to %s>" % self._service.name


class ALModule(object):
    """A module that a script defines; ALMemory can call its methods by the module's name."""

    def __init__(self, name, *_rest):  # type: (str, *object) -> None
        self._naosim_name = name
        self._naosim_world = world = present_world()
        if name in world.modules or name in world.services:
            raise RuntimeError("ALModule: the name %s is taken" % quote(name))
        world.modules[name] = self

    def getName(self):  # type: () -> str
        """Return the name of the module."""
        return self._naosim_name

    def exit(self):  # type: () -> None
        """Remove the module from the robot."""
        self._naosim_world.modules.pop(self._naosim_name, None)

    def BIND_PYTHON(self, _module, method, _nargs=-1):  # type: (str, str, int) -> None
        """Allow ALMemory to call a method; raises RuntimeError if it does not exist."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (quote(self._naosim_name), quote(method)))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBroker(object):
    """A broker, which does nothing inside the robot."""

    def __init__(self, name, *_address):  # type: (str, *object) -> None
        self._name = name

    def getName(self):  # type: () -> str
        """Return the name of the broker."""
        return self._name

    def shutdown(self):  # type: () -> None
        """Do nothing: inside the robot a proxy has no connection."""


# Futures and promises of the `qi` module.

_FOREVER_MS = 0x7FFFFFFF  # the milliseconds that mean no time-out, as in libqi


class FutureState(object):
    """The states of a future."""

    NoState, Running, Canceled, FinishedWithError, FinishedWithValue = 0, 1, 2, 3, 4


class FutureTimeout(object):
    """The special values of a time-out in milliseconds."""

    Infinite, NoWait = _FOREVER_MS, 0


class Future(object):
    """A value, an error or a cancellation that is known later."""

    def __init__(self, world, on_cancel=None):  # type: (World, Callable[[], object] | None) -> None
        self._world = world
        self._done = SimEvent(world.clock)
        self._state = FutureState.Running
        self._value = None  # type: object
        self._error = ""
        self._callbacks = []  # type: list[Callable[[Future], object]]
        self._scheduled = None  # type: ScheduledCall | None
        self._on_cancel = on_cancel

    def wait(self, timeout=_FOREVER_MS):  # type: (int) -> int
        """Block until the future ends or `timeout` milliseconds have passed; return the state."""
        if not self._done.is_set:
            forever = timeout >= _FOREVER_MS or timeout < 0
            if not (forever and self._scheduled is not None and self._world.clock.inline(self._scheduled)):
                self._world.clock.wait(self._done, None if forever else timeout / 1000.0)
        return self._state

    def value(self, timeout=_FOREVER_MS):  # type: (int) -> Any
        """Wait for the value and return it; raises RuntimeError if none exists in time."""
        state = self.wait(timeout)
        if state == FutureState.FinishedWithValue:
            return self._value
        if state == FutureState.FinishedWithError:
            raise RuntimeError(self._error)
        raise RuntimeError("Future canceled." if state == FutureState.Canceled else "Future timeout.")

    def error(self, timeout=_FOREVER_MS):  # type: (int) -> str
        """Wait for the error and return it; raises RuntimeError if none exists in time."""
        if self.wait(timeout) != FutureState.FinishedWithError:
            raise RuntimeError("Future has no error.")
        return self._error

    def cancel(self):  # type: () -> None
        """Cancel a call that has not begun, or call the promise's `on_cancel`."""
        if self._scheduled is not None and self._scheduled.cancel():
            self.end(FutureState.Canceled)
        elif self._on_cancel is not None and self._state == FutureState.Running:
            schedule_guarded(self._world, self._on_cancel)

    def addCallback(self, callback):  # type: (Callable[[Future], object]) -> None
        """Call a callback with this future when it ends."""
        if self._done.is_set:
            schedule_guarded(self._world, callback, self)
        else:
            self._callbacks.append(callback)

    def then(self, callback):  # type: (Callable[[Future], object]) -> Future
        """Call a callback with this future when it ends; return a future of the callback's result."""
        following = Future(self._world)
        self.addCallback(lambda future: following.settle(callback, future))
        return following

    def andThen(self, callback):  # type: (Callable[[object], object]) -> Future
        """Call a callback with the value; return a future of the callback's result."""
        return self.then(lambda future: callback(future.value()))

    def unwrap(self):  # type: () -> Future
        """Return a future of the inner value, if the value of this future is a future."""
        return self.then(lambda future: future.value().value())

    def state(self):  # type: () -> int
        """Return the state, one of `FutureState`."""
        return self._state

    def isFinished(self):  # type: () -> bool
        """Return whether the future has ended in any way."""
        return self._done.is_set

    def isRunning(self):  # type: () -> bool
        """Return whether the future has not ended."""
        return not self._done.is_set

    def isCanceled(self):  # type: () -> bool
        """Return whether the future was cancelled."""
        return self._state == FutureState.Canceled

    isCancelable = isRunning

    def hasError(self, timeout=_FOREVER_MS):  # type: (int) -> bool
        """Wait for the end and return whether it is an error."""
        return self.wait(timeout) == FutureState.FinishedWithError

    def hasValue(self, timeout=_FOREVER_MS):  # type: (int) -> bool
        """Wait for the end and return whether it is a value."""
        return self.wait(timeout) == FutureState.FinishedWithValue

    def schedule(self, delay, call, args):  # type: (float, object, tuple[object, ...]) -> None
        """Schedule a call in `delay` seconds, whose result or error ends the future."""
        self._scheduled = self._world.clock.call_later_for(call, delay, self.settle, call, *args)

    def settle(self, call, *args):  # type: (Callable[..., object], *object) -> None
        """Run a call and end the future with its result or its error."""
        try:
            value = call(*args)
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            if type(error) is not RuntimeError:
                self._world.trace.note("error", where=name_callback(call), message=reason(error), handled=False)
            self.end(FutureState.FinishedWithError, error=reason(error))
        else:
            self.end(FutureState.FinishedWithValue, value)

    def end(self, state, value=None, error=""):  # type: (int, object, str) -> None
        """End the future and schedule the callbacks; raises RuntimeError the second time."""
        if self._done.is_set:
            raise RuntimeError("promise already set")
        self._state, self._value, self._error = state, value, error
        self._done.set()
        for callback in self._callbacks:
            schedule_guarded(self._world, callback, self)


def _call_later(world, call, args, delay=0):  # type: (World, object, tuple[object, ...], float) -> Future
    """Schedule a call in `delay` seconds and return its future."""
    future = Future(world)
    future.schedule(delay, call, args)
    return future


def run_async(call, *args, **kwargs):  # type: (Callable[..., object], *object, **Any) -> Future
    """Schedule a call in `delay` microseconds and return its future: `qi.async`."""
    delay = kwargs.pop("delay", 0)
    if kwargs:
        raise RuntimeError("qi.async takes delay and no %s" % ", ".join(sorted(kwargs)))
    return _call_later(present_world(), call, args, delay / 1e6)


class Promise(object):
    """The writing end of a future."""

    def __init__(self, on_cancel=None):  # type: (Callable[[Promise], object] | None) -> None
        self._future = Future(present_world(), self._request_cancel)
        self._is_cancel_requested = False
        self._on_cancel = on_cancel

    def future(self):  # type: () -> Future
        """Return the future that this promise ends."""
        return self._future

    def setValue(self, value):  # type: (object) -> None
        """End the future with a value."""
        self._future.end(FutureState.FinishedWithValue, value)

    def setError(self, error):  # type: (str) -> None
        """End the future with an error."""
        self._future.end(FutureState.FinishedWithError, error=error)

    def setCanceled(self):  # type: () -> None
        """End the future as cancelled."""
        self._future.end(FutureState.Canceled)

    def isCancelRequested(self):  # type: () -> bool
        """Return whether a script has cancelled the future."""
        return self._is_cancel_requested

    def _request_cancel(self):  # type: () -> None
        self._is_cancel_requested = True
        if self._on_cancel is not None:
            call_guarded(self._future._world, self._on_cancel, self)


# The qi session.


class _ServiceObject(ServiceCaller):
    """A service as a qi session returns it: unknown methods raise AttributeError, and calls accept `_async=True`."""

    def __getattr__(self, method):  # type: (str) -> object
        if method.startswith("__"):
            raise AttributeError(method)
        try:
            self._service.remote(method)
        except RuntimeError:
            signals = getattr(self._service, "signals", ())
            if method not in signals:
                raise AttributeError("the service %s has no member %s" % (self._service.name, quote(method)))
            found = self._world.memory.subscriber("%s/%s" % (self._service.name, method)).signal  # type: Any
            found.family = ["%s/%s" % (self._service.name, signal) for signal in signals]
        else:
            found = _service_method(self._world, self._service, method)
        self.__dict__[method] = found
        return found

    def async_(self, method, *args):  # type: (str, *object) -> Future
        """Schedule a call of a method by name and return its future."""
        return _call_later(self._world, call_service, (self._world, self._service, method, args))


def _service_method(world, service, method):  # type: (World, RobotService, str) -> Callable[..., object]
    def call(*args, **options):  # type: (*object, **object) -> object
        if options.get("_async"):
            return _call_later(world, call_service, (world, service, method, args))
        return call_service(world, service, method, args)

    return call


class Session(object):
    """The qi session of a robot."""

    def __init__(self, world=None):  # type: (World | None) -> None
        self._world = world or present_world()
        self._numbers = {}  # type: dict[int, str]

    def service(self, name):  # type: (str) -> _ServiceObject
        """Return the service with this name; raises RuntimeError if the robot has none."""
        return _ServiceObject(self._world, self._find_service(name))

    def services(self):  # type: () -> list[dict[str, object]]
        """List the name and number of each service, as the service directory does."""
        return [{"name": name, "serviceId": number} for number, name in enumerate(sorted(self._world.services), 1)]

    def registerService(self, name, made):  # type: (str, object) -> int
        """Register an object as a service and return its number; raises RuntimeError if the name is used."""
        if name in self._world.services:
            raise RuntimeError('Service "%s" (#1) is already registered.' % name)
        self._world.services[name] = PythonService(name, made)
        number = 1000 + len(self._world.services)
        self._numbers[number] = name
        return number

    def unregisterService(self, number):  # type: (int) -> None
        """Unregister a service of this session by its number; raises RuntimeError for other numbers."""
        name = self._numbers.pop(number, None)
        if name is None:
            raise RuntimeError("Cannot find service #%r" % (number,))
        del self._world.services[name]

    def waitForService(self, name, _timeout=0):  # type: (str, int) -> None
        """Return if the service exists; else raise RuntimeError immediately, as no other program can register it."""
        self._find_service(name)

    def connect(self, _url=""):  # type: (str) -> None
        """Do nothing: inside the robot every session is connected."""

    def isConnected(self):  # type: () -> bool
        """Return True: inside the robot every session is connected."""
        return True

    def close(self):  # type: () -> None
        """Do nothing: the session belongs to the robot."""

    def _find_service(self, name):  # type: (str) -> RobotService
        """Return a service of the robot; raises RuntimeError with the message of libqi's directory if none exists."""
        try:
            return self._world.service(name)
        except RuntimeError as error:
            if "Can't find service" not in str(error):
                raise
        raise RuntimeError("Cannot find service '%s' in index" % (name,))


def get_shared_session(world):  # type: (World) -> Session
    """Return the session that all boxes of a robot share."""
    session = world.session
    if not isinstance(session, Session):
        session = world.session = Session(world)
    return session


# Periodic tasks of the `qi` module.


class PeriodicTask(object):
    """The `qi.PeriodicTask`: it calls a callback at a fixed period until it is stopped."""

    def __init__(self):  # type: () -> None
        self._world = present_world()
        self._callback = None  # type: Callable[[], object] | None
        self._period = 0.0
        self._next = None  # type: ScheduledCall | None
        self._runs = False

    def setCallback(self, callback):  # type: (Callable[[], object]) -> None
        """Set the callback."""
        self._callback = callback

    def setUsPeriod(self, period):  # type: (int) -> None
        """Set the time between two calls, in microseconds; raises RuntimeError below one."""
        if period < 1:
            raise RuntimeError("Period cannot be %r, it needs at least one microsecond" % (period,))
        self._period = period / 1e6

    def setName(self, name):  # type: (str) -> None
        """Ignore the name, which a robot writes into its log."""

    def compensateCallbackTime(self, wanted):  # type: (bool) -> None
        """Ignore the option: callbacks take no virtual time unless they block."""

    def start(self, immediate):  # type: (bool) -> None
        """Start, with the first call now or after one period; raises RuntimeError without callback or period."""
        if self._callback is None or not self._period:
            raise RuntimeError("Periodic task cannot start without a setCallback() call and a setUsPeriod() call first")
        if not self._runs:
            self._runs = True
            self._next = self._world.clock.call_later_for(self._callback, 0 if immediate else self._period, self._call)

    def stop(self):  # type: () -> None
        """Stop the calls."""
        self._runs = False
        if self._next is not None and self._next.state is WAITING:
            self._next.cancel()

    asyncStop = stop

    def isRunning(self):  # type: () -> bool
        """Return whether the task was started and not stopped."""
        return self._runs

    isStopping = property(lambda self: lambda: False)

    def _call(self):  # type: () -> None
        if self._callback is not None:
            call_guarded(self._world, self._callback)
        if self._runs:
            self._next = self._world.clock.call_later_for(self._callback, self._period, self._call)
