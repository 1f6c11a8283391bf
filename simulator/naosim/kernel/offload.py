"""Work that takes real time, such as unpacking a file, on a thread of its own while other tasks go on."""

from __future__ import absolute_import, division, print_function

from naosim.compat import start_new_thread
from naosim.kernel.sim_event import SimEvent

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.kernel.clock import Clock


def in_thread(clock, call, *args):  # type: (Clock, Callable[..., Any], *Any) -> Any
    """Run a call on a thread of its own while the calling task waits; return its result or raise its error.

    >>> from naosim.kernel.clock import Clock
    >>> clock, found = Clock(), []
    >>> _ = clock.soon(lambda: found.append(in_thread(clock, max, 2, 3)))
    >>> print(clock.run(), found)
    nothing left [3]
    >>> clock.close()
    """
    done = SimEvent(clock)
    results = []  # type: list[tuple[Any, BaseException | None]]

    def deliver():  # type: () -> None
        clock.expect(-1)
        done.set()

    def work():  # type: () -> None
        try:
            results.append((call(*args), None))
        except BaseException as error:
            results.append((None, error))
        clock.outside(deliver)

    clock.expect(1)
    start_new_thread(work, ())
    clock.wait(done)
    value, error = results[0]
    if error is not None:
        raise error
    return value
