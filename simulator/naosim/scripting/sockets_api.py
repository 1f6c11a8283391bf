"""Sockets for scripts: who waits at one, such as a server for its next client, lets the others on the robot go on."""

from __future__ import absolute_import, division, print_function

import select
import socket

from naosim.compat import real_select, selectors_module

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock

#: Seconds of the robot between two looks at a socket, and real seconds that the first look takes at most: time for
#: another program, which does not go by the robot's clock.
STEP, PATIENCE = 0.1, 0.002


def waits(on_clock):  # type: (Callable[..., Any]) -> list[tuple[Any, str, Any]]
    """List the replacements of the calls that wait at sockets, made by `on_clock(original, virtual)`."""
    made = [(select, "select", on_clock(real_select, _selecting))]
    for kind in _selectors():
        made.append((kind, "select", on_clock(kind.__dict__["select"], _selector(kind.__dict__["select"]))))
    accept = socket.socket.__dict__["accept"]
    return made + [(socket.socket, "accept", on_clock(accept, _accepting(accept)))]


def _selectors():  # type: () -> list[Any]
    """List the classes of Python 3's `selectors` that have a way to wait of their own."""
    kinds = {each for each in vars(selectors_module).values() if isinstance(each, type)} if selectors_module else set()
    waiting = [kind for kind in kinds if "select" in kind.__dict__]
    return [kind for kind in waiting if not getattr(kind.__dict__["select"], "__isabstractmethod__", False)]


def _selecting(clock, readable, writable, broken, timeout=None):  # type: (Clock, Any, Any, Any, float | None) -> Any
    return _waited(clock, lambda patience: real_select(readable, writable, broken, patience), timeout, any)


def _selector(original):  # type: (Callable[..., Any]) -> Callable[..., Any]
    def chosen(clock, selector, timeout=None):  # type: (Clock, Any, float | None) -> Any
        return _waited(clock, lambda patience: original(selector, patience), timeout, bool)

    return chosen


def _accepting(original):  # type: (Callable[..., Any]) -> Callable[..., Any]
    def accept(clock, listener):  # type: (Clock, Any) -> Any
        timeout = listener.gettimeout()
        try:
            comes = timeout == 0 or any(_selecting(clock, [listener], [], [], timeout))
        except ValueError:
            # Closed meanwhile; a socket has an error of its own for that.
            comes = True
        if not comes:
            raise socket.timeout("timed out")
        return original(listener)

    return accept


def _waited(clock, look, timeout, is_enough):
    # type: (Clock, Callable[[float], Any], float | None, Callable[[Any], bool]) -> Any
    """Look again and again until that is enough or the robot's time is up, and return what was seen last."""
    end = None if timeout is None else clock.now() + timeout
    seen = look(PATIENCE)
    while not is_enough(seen):
        left = STEP if end is None else end - clock.now()
        if left <= 0:
            break
        clock.sleep(min(left, STEP))
        seen = look(0)
    return seen
