"""How scripts reach services the classic way: ALProxy with its posted tasks, and modules of the script's own."""
from __future__ import absolute_import, division, print_function

from naosim.compat import quoted, reason
from naosim.kernel.sim_event import SimEvent
from naosim.kernel.tasks import TaskEnded
from naosim.world.callbacks import present_world

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.world import World


class Task(object):
    """A posted method call: waits, runs, is over."""

    __slots__ = ("_call", "done", "number", "scheduled", "service", "world")

    def __init__(self, world, service, method, args):
        # type: (World, Any, str, tuple[Any, ...]) -> None
        self.world = world
        self.service = service
        self.done = SimEvent(world.clock)
        self._call = (method, args)
        self.number = world.next_task_number()
        self.scheduled = world.clock.soon_for(self._run, self._run)
        world.tasks[self.number] = self

    def _run(self):
        # type: () -> None
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

    def end(self):
        # type: () -> None
        """Let go every task that waits for this one."""
        self.world.tasks.pop(self.number, None)
        self.done.set()

    def stop(self):
        # type: () -> None
        """Withdraws the call, or cuts it off where the service knows how."""
        if self.scheduled.cancel():
            self.end()
        elif hasattr(self.service, "stopAll"):
            self.service.stopAll()


def ask(world, service, method, args):
    # type: (World, Any, str, tuple[Any, ...]) -> Any
    """Calls a service's method for a script, after the planned mishaps."""
    world.clock.poll()
    world.faults.check(service.name, method)
    return service.call(method, args)


class _Post(object):
    """What `proxy.post` is: every method returns a task number at once."""

    def __init__(self, world, service):
        # type: (World, Any) -> None
        self._world = world
        self._service = service

    def __getattr__(self, method):
        # type: (str) -> Callable[..., int]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        def post(*args):
            # type: (*Any) -> int
            return Task(world, service, method, args).number
        return post


class Caller(object):
    """What ALProxy and the objects of a session share: task numbers and plain calls."""

    def __init__(self, world, service):
        # type: (World, Any) -> None
        self._world = world
        self._service = service

    def pCall(self, method, *args):
        # type: (str, *Any) -> int
        """Posts a call and gives its task number."""
        return Task(self._world, self._service, method, args).number

    def call(self, method, *args):
        # type: (str, *Any) -> Any
        """Calls a method by name."""
        return ask(self._world, self._service, method, args)

    def wait(self, number, timeout=0):
        # type: (int, int) -> bool
        """Waits for a task, at most so many milliseconds unless 0; True when the time was over first."""
        task = self._world.tasks.get(number)
        if task is None or (timeout <= 0 and self._world.clock.inline(task.scheduled)):
            return False
        return not self._world.clock.wait(task.done, timeout / 1000.0 if timeout > 0 else None)

    def isRunning(self, number):
        # type: (int) -> bool
        """Whether a task is not over yet."""
        return number in self._world.tasks

    def stop(self, number):
        # type: (int) -> None
        """Stops a task; one that is over stays over, and a service's own method of this name gets what is no task."""
        task = self._world.tasks.get(number)
        if task is not None:
            task.stop()
        elif hasattr(self._service, "stop"):
            ask(self._world, self._service, "stop", (number,))

    def getMethodList(self):
        # type: () -> list[str]
        """The methods that can be called."""
        return list(self._service.getMethodList())

    def ping(self):
        # type: () -> bool
        """Answers as long as the service is there."""
        return True


class ALProxy(Caller):
    """The classic way to a service; every attribute is a method, which fails when it is called and not known."""

    def __init__(self, name, *address):
        # type: (str, *Any) -> None
        world = present_world()
        if not isinstance(name, str):
            raise RuntimeError("ALProxy: the name of a module is needed, not %r" % (name,))
        Caller.__init__(self, world, world.service(name))
        self.post = _Post(world, self._service)

    def __getattr__(self, method):
        # type: (str) -> Callable[..., Any]
        if method.startswith("__"):
            raise AttributeError(method)
        world, service = self._world, self._service

        def call(*args):
            # type: (*Any) -> Any
            return ask(world, service, method, args)
        self.__dict__[method] = call
        return call

    def __repr__(self):
        # type: () -> str
        return "<ALProxy to %s>" % self._service.name


class ALModule(object):
    """A module of the script's own, which ALMemory can call back under its name."""

    def __init__(self, name, *_rest):
        # type: (str, *Any) -> None
        self._naosim_name = name
        self._naosim_world = world = present_world()
        if name in world.modules or name in world.services:
            raise RuntimeError("ALModule: the name %s is taken" % quoted(name))
        world.modules[name] = self

    def getName(self):
        # type: () -> str
        """The name of the module."""
        return self._naosim_name

    def exit(self):
        # type: () -> None
        """Takes the module away."""
        self._naosim_world.modules.pop(self._naosim_name, None)

    def BIND_PYTHON(self, _module, method, _nargs=-1):
        # type: (str, str, int) -> None
        """Lets ALMemory call a method; raises RuntimeError when there is none."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (
                quoted(self._naosim_name), quoted(method)))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBroker(object):
    """A broker, which inside the robot has nothing to do."""

    def __init__(self, name, *_address):
        # type: (str, *Any) -> None
        self._name = name

    def getName(self):
        # type: () -> str
        """The name of the broker."""
        return self._name

    def shutdown(self):
        # type: () -> None
        """Is accepted."""
