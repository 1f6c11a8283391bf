"""Work that takes real time, such as unpacking a file, done beside the baton: the robot lives on meanwhile."""
from __future__ import absolute_import, division, print_function

from naosim.compat import start_new_thread
from naosim.kernel.clock import Gate

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock


def elsewhere(clock, call, *args):
    # type: (Clock, Callable[..., Any], *Any) -> Any
    """What the call gives or raises, run on a thread of its own while the calling task waits.

    >>> from naosim.kernel.clock import Clock
    >>> clock, found = Clock(), []
    >>> _ = clock.soon(lambda: found.append(elsewhere(clock, max, 2, 3)))
    >>> print(clock.run(), found)
    nothing left [3]
    >>> clock.close()
    """
    gate = Gate(clock)
    came = []  # type: list[tuple[Any, BaseException | None]]

    def back():
        # type: () -> None
        clock.expect(-1)
        gate.open()

    def work():
        # type: () -> None
        try:
            came.append((call(*args), None))
        except BaseException as error:
            came.append((None, error))
        clock.outside(back)
    clock.expect(1)
    start_new_thread(work, ())
    clock.wait(gate)
    value, error = came[0]
    if error is not None:
        raise error
    return value
