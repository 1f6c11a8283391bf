"""The classes of NAOqi's classic module: sessions with robots, ALBroker, ALModule and ALProxy."""

from __future__ import absolute_import, division, print_function

import atexit
import inspect
import itertools
import os
import sys
import threading
import time

# Set before libqi is loaded, so that it does not write its log to standard output.
os.environ.setdefault("QI_LOG_LEVEL", "error")
try:
    import qi
except ImportError:
    if sys.version_info[0] == 2:
        raise ImportError("naoqi needs libqi: pip install qi==1.5.0")
    import qiwire as qi  # type: ignore[no-redef]

MYPY = False
if MYPY:
    from typing import Any, Callable

# Sessions with robots: proxies to one address share a session, and all are closed when the program ends.

_PORT = 9559
_CONNECT_TIMEOUT_S = 10.0  # seconds to wait for a connection
# Libqi 3 loses about one connection in three to NAOqi 2.1, so each is tried five times, within 20 seconds in all, with
# pauses. `naosim_robots.far.connection` does the same, but needs Python 3.
_TRIES, _TRIES_LIMIT_S, _PAUSE_S = 5, 20.0, 0.5
_BREAK_WORDS = ("disconnected", "not connected", "closed", "reset")  # in libqi's errors about a connection that broke
_WAIT_MS = 200  # milliseconds of one wait inside libqi: Python notices Ctrl-C only between two waits

_lock = threading.Lock()
_shared = {}  # type: dict[str, qi.Session]
_open = []  # type: list[qi.Session]


def _robot_address(ip, port):  # type: (str, int) -> str
    """Return the libqi address of a robot; an `ip` with "://" is a complete address."""
    text = str(ip or "127.0.0.1")
    return text if "://" in text else "tcp://%s:%d" % (text, int(port or _PORT))


def _share_session(url):  # type: (str) -> qi.Session
    """Return the session of all proxies to one address; raises RuntimeError if no robot answers."""
    with _lock:
        session = _shared.get(url)
        if session is None or not session.isConnected():
            session = _shared[url] = _open_session(url)
        return session


def _open_session(url):  # type: (str) -> qi.Session
    """Open a new session; raises RuntimeError if no robot answers."""
    tried = []  # type: list[qi.Session]

    def connect():  # type: () -> qi.Future
        tried.append(qi.Session())
        return tried[-1].connect(url, _async=True)

    # Naoqi's proxies make a broker, too, whose error this is (jsk-ros-pkg/jsk_robot, issue 718).
    _insist(connect, "\tALBroker::createBroker\n\tCannot connect to %s" % url)
    _open.append(tried[-1])
    return tried[-1]


def _insist(start, refusal, clock=time.time, sleep=time.sleep):
    # type: (Callable[[], qi.Future], str, Callable[[], float], Callable[[float], object]) -> Any
    """Start a call of libqi, again if its connection breaks, and return its value; raises RuntimeError(refusal)."""
    end, tries = clock() + _TRIES_LIMIT_S, 1
    while True:
        future = start()
        has_ended = _await_answer(future, min(_CONNECT_TIMEOUT_S, end - clock()))
        if has_ended and not future.hasError():
            return future.value()
        why = str(future.error()) if has_ended else ""
        if not any(word in why.lower() for word in _BREAK_WORDS):
            raise RuntimeError(refusal)
        if tries == _TRIES or clock() + _PAUSE_S >= end:
            raise RuntimeError("%s (%s; %d tries)" % (refusal, why, tries))
        tries += 1
        sleep(_PAUSE_S)


def _close_session(session):  # type: (qi.Session) -> None
    """Close a session, unless it is closed."""
    if session in _open:
        _open.remove(session)
        session.close()


def _await_answer(future, seconds=None):  # type: (qi.Future, float | None) -> bool
    """Wait up to `seconds` seconds for an answer, so that Ctrl-C works; return whether it has come."""
    end = None if seconds is None else time.time() + seconds
    while not future.isFinished():
        wait = _WAIT_MS if end is None else min(_WAIT_MS, int(1000 * (end - time.time())))
        if wait <= 0:
            return False
        future.wait(wait)
    return True


def _answer(future):  # type: (qi.Future) -> Any
    """Wait for an answer and return it; raises RuntimeError with the robot's message."""
    _await_answer(future)
    return future.value()


def _failure(where, said):  # type: (str, object) -> RuntimeError
    """Return NAOqi's error: two indented lines with the method and the message."""
    text = str(said)
    # Errors of NAOqi's services have these lines, libqi's own errors do not.
    error = RuntimeError(text if text.startswith("\t") else "\t%s\n\t%s" % (where, text.strip()))
    # Python 3 would print libqi's error above this one.
    error.__suppress_context__ = True
    return error


@atexit.register
def _close_all():  # type: () -> None
    """Close every session before Python shuts down, because libqi's threads can call into it."""
    for session in list(_open):
        _close_session(session)


# ALBroker: the connection to a robot over which a program offers its own modules.

_LOOPBACK = "tcp://127.0."
_VARIADIC = 0x04  # the flag in `co_flags` of a function with *args
_SOUND = "processRemote"  # the method that ALAudioDevice calls
_SOUND_TYPES = "(iimr)"  # its signature with raw bytes; as a dynamic value, the sound would arrive as text
#: The connected brokers; proxies and modules use the first one unless they name another.
_connected = []  # type: list[ALBroker]


def _current_broker():  # type: () -> ALBroker | None
    """Return the default broker of proxies and modules, None if none exists."""
    return _connected[0] if _connected else None


class ALBroker(object):
    """A connection to the robot at `parent_ip:parent_port`; it listens at `ip:port` for calls to the program's modules.

    If the robot is on this computer, it only listens on this computer. Raises RuntimeError if no robot answers.
    """

    def __init__(self, name, ip="", port=0, parent_ip="127.0.0.1", parent_port=_PORT):
        # type: (str, str, int, str, int) -> None
        url = _robot_address(parent_ip, parent_port)
        try:
            self._session = _open_session(url)
        except RuntimeError as error:
            raise _failure("ALBroker::createBroker", error)
        self._name = name
        self._url = url
        self._listen = _make_listen_url(ip, port, url)
        self._modules = {}  # type: dict[str, tuple[int, Any]]
        _connected.append(self)

    def getName(self):  # type: () -> str
        """Return the name of the broker."""
        return self._name

    def session(self):  # type: () -> qi.Session
        """Return the libqi session of the broker; NAOqi's own ALBroker lacks this method."""
        return self._session

    def add(self, name, module):  # type: (str, Any) -> None
        """Register an object as a service of the robot; raises RuntimeError if the name is used."""
        if not self._session.endpoints():
            self._session.listen(self._listen)
        number = _answer(self._session.registerService(name, _front(module), _async=True))
        self._modules[name] = (number, module)

    def remove(self, name):  # type: (str) -> None
        """Unregister a service of this program, if it is registered."""
        number, _module = self._modules.pop(name, (0, None))
        if number and self._session.isConnected():
            try:
                _answer(self._session.unregisterService(number, _async=True))
            except RuntimeError:
                pass  # The robot does not answer.

    def shutdown(self):  # type: () -> None
        """Unregister the modules and close the connection."""
        for name in list(self._modules):
            self.remove(name)
        if self in _connected:
            _connected.remove(self)
        _close_session(self._session)


def _public_methods(kind):  # type: (type) -> list[str]
    """Return the names of the methods of a class that clients can call."""
    return sorted(name for name, _ in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_"))


def _front(module):  # type: (Any) -> Any
    """Make the object for libqi, with only the public methods, because qi 1.5 copies all other attributes."""
    return type("Front", (object,), {name: _remote(module, name) for name in _public_methods(type(module))})()


def _remote(module, name):  # type: (Any, str) -> Callable[..., Any]
    code = getattr(getattr(module, name), "__code__", None)
    counted = "(%s)" % ("m" * (code.co_argcount - 1)) if code is not None and not code.co_flags & _VARIADIC else "m"
    is_sound = name == _SOUND and counted in ("(mmmm)", "m")

    def call(_self, *args):  # type: (Any, *Any) -> Any
        return getattr(module, name)(*args[:-1] + (bytes(args[-1]),) if is_sound else args)

    # The attributes that qi.bind sets; qi.bind of qi 1.5 fails with its own AnyArguments.
    taken = _SOUND_TYPES if is_sound else counted
    call.__dict__.update(__qi_name__=name, __qi_return_signature__="m", __qi_signature__=taken)
    return call


def _make_listen_url(ip, port, parent):  # type: (str, int, str) -> str
    if parent.startswith(_LOOPBACK) or "://localhost" in parent:
        ip = "127.0.0.1"
    return "tcp://%s:%d" % (ip or "0.0.0.0", port)


# ALModule, an object of a program that the robot can call, and two smaller classes of NAOqi's module.


class ALDocable(object):
    """An object with lists of its public methods and their docstrings."""

    def __init__(self, is_module=False):  # type: (bool) -> None
        """Take the argument of NAOqi's class, which has no effect here."""

    def getMethodList(self):  # type: () -> list[str]
        """Return the names of the public methods."""
        return _public_methods(type(self))

    def getMethodHelp(self, method):  # type: (str) -> str
        """Return the docstring of a method, "" if it lacks one."""
        return inspect.getdoc(getattr(self, method, None)) or ""

    def getModuleHelp(self):  # type: () -> str
        """Return the docstring of the class, "" if it lacks one."""
        return inspect.getdoc(type(self)) or ""


class ALModule(ALDocable):
    """A module of the program: a service of the robot that ALMemory can call back.

    Raises RuntimeError if there is no ALBroker or if the name is used.
    """

    def __init__(self, name, *_rest):  # type: (str, *Any) -> None
        ALDocable.__init__(self, True)
        made = _current_broker()
        if made is None:
            raise RuntimeError("Could not create a module, as there is no current broker in Python's world.")
        self._naoqi_name = name
        self._naoqi_broker = made
        try:
            made.add(name, self)
        except RuntimeError as error:
            raise _failure("ALModule::ALModule", error)

    def getName(self):  # type: () -> str
        """Return the name of the module."""
        return self._naoqi_name

    def getBrokerName(self):  # type: () -> str
        """Return the name of the module's broker."""
        return self._naoqi_broker.getName()

    def version(self):  # type: () -> str
        """Return the version of the module, "" unless a subclass overrides this."""
        return ""

    def ping(self):  # type: () -> bool
        """Return True: the module is alive."""
        return True

    def exit(self):  # type: () -> None
        """Remove the module from the robot."""
        self._naoqi_broker.remove(self._naoqi_name)

    def BIND_PYTHON(self, _module, method, _nargs=-1):  # type: (str, str, int) -> None
        """Allow the robot to call a method; raises RuntimeError if it does not exist."""
        if not callable(getattr(self, method, None)):
            raise RuntimeError("BIND_PYTHON: module %s has no method %s" % (self._naoqi_name, method))

    BIND_METHODS_RECURSIVELY = BIND_PYTHON


class ALBehavior(object):
    """The base class of boxes, only for imports: it works only inside a robot's ALFrameManager."""

    def __init__(self, *_arguments):  # type: (*Any) -> None
        raise RuntimeError("ALBehavior: boxes run inside a robot; run their behaviour with `python -m naosim`")


# ALProxy: the methods of a service, called directly or posted as tasks.

_FIRST_METHOD = 100  # the smallest id of a service's own methods; lower ids are methods of every libqi object
_MAX_TASKS = 256  # tasks of a proxy; with more, the finished ones are forgotten

_numbers = itertools.count(1)


def _classic(value):  # type: (Any) -> Any
    """Return a result as ALProxy does: on 2.7, bytes in a list, such as an image's, are a `str`."""
    if sys.version_info[0] == 2 and isinstance(value, list):
        return [str(item) if isinstance(item, bytearray) else item for item in value]
    return value


def _plain(value):  # type: (Any) -> Any
    """Return an argument without numbers of numpy's, which libqi refuses."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    is_scalar = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if is_scalar else value


class _Post(object):
    """The object `proxy.post`: every method immediately returns a task number."""

    def __init__(self, proxy):  # type: (ALProxy) -> None
        self._proxy = proxy

    def __getattr__(self, method):  # type: (str) -> Callable[..., int]
        if method.startswith("__"):
            raise AttributeError(method)
        return lambda *args, **_dropped: self._proxy.pCall(method, *args)


class ALProxy(object):
    """A service of a robot: `ALProxy(name, ip, port)`, or `ALProxy(name)` after an ALBroker was created.

    Every attribute is a method; calling one that the service does not have raises RuntimeError.
    """

    def __init__(self, name, *where):  # type: (str | ALBroker, *Any) -> None
        def find():  # type: () -> qi.Future
            # Libqi can need another connection for a service.
            self._name, self._session = _find_service(name, where)
            return self._session.service(self._name, _async=True)

        wanted = where[0] if isinstance(name, ALBroker) and where else name
        try:
            self._service = _insist(find, "Can't find service: %s" % wanted)
        except RuntimeError as error:
            raise _failure("ALProxy::ALProxy", error)
        self._tasks = {}  # type: dict[int, qi.Future]
        self.post = _Post(self)

    def __getattr__(self, method):  # type: (str) -> Callable[..., Any]
        if method.startswith("__"):
            raise AttributeError(method)
        # The SDK's proxy drops named arguments.
        return lambda *args, **_dropped: self.call(method, *args)

    def call(self, method, *args):  # type: (str, *Any) -> Any
        """Call a method by name."""
        try:
            return _classic(_answer(self._send_call(method, args)))
        except RuntimeError as error:
            raise self._error(method, error)

    def pCall(self, method, *args):  # type: (str, *Any) -> int
        """Post a call and return its task number."""
        if len(self._tasks) >= _MAX_TASKS:
            self._tasks = {number: task for number, task in self._tasks.items() if not task.isFinished()}
        number = next(_numbers)
        self._tasks[number] = self._send_call(method, args)
        return number

    def wait(self, number, timeout=0):  # type: (int, int) -> bool
        """Wait for a task, for at most `timeout` milliseconds if above 0; return True if the time was up before."""
        task = self._tasks.get(number)
        return task is not None and not _await_answer(task, timeout / 1000.0 if timeout > 0 else None)

    def isRunning(self, *given):  # type: (*int) -> bool
        """Return whether a task still runs."""
        if len(given) != 1:
            # The SDK's sentence (ros-naoqi/naoqi_bridge, pull request 82): services have a method of this name, too.
            raise TypeError("proxy_isRunning() takes exactly 2 arguments (%d given)" % (1 + len(given)))
        task = self._tasks.get(given[0])
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
            _answer(self._session.service(self._name, _async=True))
        except RuntimeError:
            raise self._error("ping", "Can't find service: %s" % self._name)
        return True

    def __repr__(self):  # type: () -> str
        return "<ALProxy to %s>" % self._name

    def _send_call(self, method, args):  # type: (str, tuple[Any, ...]) -> qi.Future
        called = self._service.call(method, *map(_plain, args), _async=True)  # type: qi.Future
        if method not in self.getMethodList():
            # A posted call of an unknown method fails immediately, too, with libqi's sentence.
            try:
                _answer(called)
            except RuntimeError as error:
                raise self._error(method, error)
        return called

    def _error(self, method, said):  # type: (str, object) -> RuntimeError
        if not str(said).startswith("\t") and not self._session.isConnected():
            # As on a Pepper of 2.5: stevebong31/NAOqi_SDK_DOC_KR, ALNavigation/ex_proxy.ipynb.
            said = "Session closed"
        return _failure("%s::%s" % (self._name, method), said)


def _find_service(name, where):  # type: (Any, tuple[Any, ...]) -> tuple[str, qi.Session]
    """Return the name of the service and its session for the arguments of ALProxy."""
    if isinstance(name, ALBroker) and where:
        return where[0], name.session()
    if where and isinstance(where[0], ALBroker):
        return name, where[0].session()
    # Boxes write ALProxy(name, True): ignore the flag.
    if where and not isinstance(where[0], bool):
        return name, _share_session(_robot_address(where[0], where[1] if len(where) > 1 else _PORT))
    made = _current_broker()
    if made is None:
        raise RuntimeError("Can't find service: %s (no ip is given, and no ALBroker was made)" % name)
    return name, made.session()
