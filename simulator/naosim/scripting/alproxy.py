"""The classic `naoqi` interface of scripts: ALProxy with its posted tasks, ALModule and ALBroker."""

from __future__ import absolute_import, division, print_function

from naosim.compat import PY2, quoted, reason
from naosim.kernel.sim_event import SimEvent
from naosim.kernel.tasks import TaskEnded
from naosim.world.callbacks import present_world

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.world import World


class Task(object):
    """A posted method call, which has a task number until it is over."""

    __slots__ = ("_call", "done", "number", "scheduled", "service", "world")

    def __init__(self, world, service, method, args):  # type: (World, Any, str, tuple[Any, ...]) -> None
        self.world = world
        self.service = service
        self.done = SimEvent(world.clock)
        self._call = (method, args)
        self.number = world.next_task_number()
        self.scheduled = world.clock.soon_for(self._run, self._run)
        world.tasks[self.number] = self

    def _run(self):  # type: () -> None
        method, args = self._call
        try:
            ask(self.world, self.service, method, args)
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            where = "%s.%s, posted" % (self.service.name, method)
            self.world.trace.note("error", where=where, message=reason(error), handled=False)
        finally:
            self.end()

    def end(self):  # type: () -> None
        """Remove the task from those that are not over, and wake every task that waits for it."""
        self.world.tasks.pop(self.number, None)
        self.done.set()

    def stop(self):  # type: () -> None
        """Withdraw the call, or interrupt it if the service has a stopAll."""
        if self.scheduled.cancel():
            self.end()
        elif hasattr(self.service, "stopAll"):
            self.service.stopAll()


def ask(world, service, method, args):  # type: (World, Any, str, tuple[Any, ...]) -> Any
    """Call a service's method for a script and return its result; a planned fault is raised instead of the call."""
    world.clock.poll()
    world.faults.check(service.name, method)
    return service.call(method, args)


def _classic(value):  # type: (Any) -> Any
    """Return a result as ALProxy gives it: on 2.7 the bytes inside a list, such as an image's, are a `str`."""
    if PY2 and type(value) is list and any(type(item) is bytearray for item in value):
        return [str(item) if type(item) is bytearray else item for item in value]
    return value


class _Post(object):
    """The `post` of a proxy: every method returns a task number at once."""

    def __init__(self, world, service):  # type: (World, Any) -> None
        self._world = world
        self._service = service

    def __getattr__(self, method):  # type: (str) -> Callable[..., int]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        def post(*args):  # type: (*Any) -> int
            return Task(world, service, method, args).number

        return post


class Caller(object):
    """The calls that ALProxy and the service objects of a session share: by name, posted, and by task number."""

    def __init__(self, world, service):  # type: (World, Any) -> None
        self._world = world
        self._service = service

    def pCall(self, method, *args):  # type: (str, *Any) -> int
        """Post a call and return its task number."""
        return Task(self._world, self._service, method, args).number

    def call(self, method, *args):  # type: (str, *Any) -> Any
        """Call a method by name and return its result."""
        return ask(self._world, self._service, method, args)

    def wait(self, number, timeout=0):  # type: (int, int) -> bool
        """Wait for a task, at most so many milliseconds unless 0; return True when the time was up first."""
        task = self._world.tasks.get(number)
        if task is None or (timeout <= 0 and self._world.clock.inline(task.scheduled)):
            return False
        return not self._world.clock.wait(task.done, timeout / 1000.0 if timeout > 0 else None)

    def isRunning(self, number):  # type: (int) -> bool
        """Tell whether a task is not over yet."""
        return number in self._world.tasks

    def stop(self, number):  # type: (int) -> None
        """Stop a task that is not over; any other number goes to the service's own `stop`, if it has one."""
        task = self._world.tasks.get(number)
        if task is not None:
            task.stop()
        elif hasattr(self._service, "stop"):
            ask(self._world, self._service, "stop", (number,))

    def getMethodList(self):  # type: () -> list[str]
        """List the methods that can be called."""
        return list(self._service.getMethodList())

    def ping(self):  # type: () -> bool
        """Return True: the service is there."""
        return True


class ALProxy(Caller):
    """The classic proxy of a service; every attribute is a method, and an unknown one fails when it is called."""

    def __init__(self, name, *address):  # type: (str, *Any) -> None
        world = present_world()
        if not isinstance(name, str):
            raise RuntimeError("ALProxy: the name of a module is needed, not %r" % (name,))
        Caller.__init__(self, world, world.service(name))
        self.post = _Post(world, self._service)

    def __getattr__(self, method):  # type: (str) -> Callable[..., Any]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        def call(*args):  # type: (*Any) -> Any
            return _classic(ask(world, service, method, args))

        self.__dict__[method] = call
        return call

    def __repr__(self):  # type: () -> str
        return "<ALProxy to %s>" % self._service.name


class ALModule(object):
    """A module that a script defines; ALMemory can call its methods by the module's name."""

    def __init__(self, name, *_rest):  # type: (str, *Any) -> None
        self._naosim_name = name
        self._naosim_world = world = present_world()
        if name in world.modules or name in world.services:
            raise RuntimeError("ALModule: the name %s is taken" % quoted(name))
        world.modules[name] = self

    def getName(self):  # type: () -> str
        """Return the name of the module."""
        return self._naosim_name

    def exit(self):  # type: () -> None
        """Remove the module from the robot."""
        self._naosim_world.modules.pop(self._naosim_name, None)

    def BIND_PYTHON(self, _module, method, _nargs=-1):  # type: (str, str, int) -> None
        """Allow ALMemory to call a method; raises RuntimeError when there is none."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (quoted(self._naosim_name), quoted(method)))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBroker(object):
    """A broker, which has nothing to do inside the robot."""

    def __init__(self, name, *_address):  # type: (str, *Any) -> None
        self._name = name

    def getName(self):  # type: () -> str
        """Return the name of the broker."""
        return self._name

    def shutdown(self):  # type: () -> None
        """Do nothing: inside the robot no connection has to be closed."""
