"""ALBroker: the connection to a robot over which a program offers its own modules."""

from __future__ import absolute_import, division, print_function

import inspect

from . import sessions

MYPY = False
if MYPY:
    from typing import Any, Callable

    import qi

_LOOPBACK = "tcp://127.0."
_VARIADIC = 0x04  # the flag in `co_flags` of a function with *args
SOUND = "processRemote"  # the method that ALAudioDevice calls
_SOUND_TYPES = "(iimr)"  # its signature with raw bytes; as a dynamic value, the sound would arrive as text
#: The connected brokers; proxies and modules use the first one unless they name another.
_connected = []  # type: list[ALBroker]


def current():  # type: () -> ALBroker | None
    """Return the default broker of proxies and modules, None if there is none."""
    return _connected[0] if _connected else None


class ALBroker(object):
    """A connection to the robot at `parent_ip:parent_port`; it listens at `ip:port` for calls to the program's modules.

    If the robot is on this computer, it only listens on this computer. Raises RuntimeError if no robot answers.
    """

    def __init__(self, name, ip="", port=0, parent_ip="127.0.0.1", parent_port=sessions.PORT):
        # type: (str, str, int, str, int) -> None
        url = sessions.address(parent_ip, parent_port)
        try:
            self._session = sessions.opened(url)
        except RuntimeError as error:
            raise sessions.failure("ALBroker::createBroker", error)
        self._name = name
        self._url = url
        self._listen = _listening(ip, port, url)
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
        number = sessions.answer(self._session.registerService(name, front(module), _async=True))
        self._modules[name] = (number, module)

    def remove(self, name):  # type: (str) -> None
        """Unregister a service of this program, if it is registered."""
        number, _module = self._modules.pop(name, (0, None))
        if number and self._session.isConnected():
            try:
                sessions.answer(self._session.unregisterService(number, _async=True))
            except RuntimeError:
                pass  # The robot is gone.

    def shutdown(self):  # type: () -> None
        """Unregister the modules and close the connection."""
        for name in list(self._modules):
            self.remove(name)
        if self in _connected:
            _connected.remove(self)
        sessions.close(self._session)


def public_methods(kind):  # type: (type) -> list[str]
    """Return the names of the methods of a class that clients can call."""
    return sorted(name for name, _ in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_"))


def front(module):  # type: (Any) -> Any
    """Make the object for libqi, with only the public methods, because qi 1.5 copies all other attributes."""
    return type("Front", (object,), {name: _remote(module, name) for name in public_methods(type(module))})()


def _remote(module, name):  # type: (Any, str) -> Callable[..., Any]
    code = getattr(getattr(module, name), "__code__", None)
    counted = "(%s)" % ("m" * (code.co_argcount - 1)) if code is not None and not code.co_flags & _VARIADIC else "m"
    is_sound = name == SOUND and counted in ("(mmmm)", "m")

    def call(_self, *args):  # type: (Any, *Any) -> Any
        return getattr(module, name)(*args[:-1] + (bytes(args[-1]),) if is_sound else args)

    # The attributes that qi.bind sets; qi.bind of qi 1.5 fails with its own AnyArguments.
    taken = _SOUND_TYPES if is_sound else counted
    call.__dict__.update(__qi_name__=name, __qi_return_signature__="m", __qi_signature__=taken)
    return call


def _listening(ip, port, parent):  # type: (str, int, str) -> str
    if parent.startswith(_LOOPBACK) or "://localhost" in parent:
        ip = "127.0.0.1"
    return "tcp://%s:%d" % (ip or "0.0.0.0", port)
