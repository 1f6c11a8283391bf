"""Tasks of a clock: appointments, the moments at which blocked tasks go on, and the threads that run them."""
from __future__ import absolute_import, division, print_function

from naosim.compat import allocate_lock, get_ident

MYPY = False
if MYPY:
    from typing import Any

WAITING, RUNNING, DONE, CANCELLED = "waiting", "running", "done", "cancelled"

WORKERS = {}  # type: dict[int, Worker]  # the worker of each thread: one process, one set of threads


class TaskEnded(BaseException):
    """Raised inside a task that is still blocked when its clock closes."""


def aside(call, *args):
    # type: (Any, *Any) -> None
    """Makes a call as if from outside of all robots, for those who only watch: their printing is no script's."""
    ident = get_ident()
    worker = WORKERS.pop(ident, None)
    try:
        call(*args)
    finally:
        if worker is not None:
            WORKERS[ident] = worker


class Appointment(object):
    """One call due at one time; `cancel` works as long as the state is "waiting"."""

    __slots__ = ("args", "call", "due", "state")
    sleeper = None  # type: Worker | None

    def __init__(self, due, call, args):
        # type: (float, Any, tuple[Any, ...]) -> None
        self.due = due
        self.call = call
        self.args = args
        self.state = WAITING

    def cancel(self):
        # type: () -> bool
        """Withdraws the appointment; False when it is too late."""
        if self.state is not WAITING:
            return False
        self.state = CANCELLED
        return True


class Wake(Appointment):
    """The moment at which a blocked task goes on."""

    __slots__ = ("opened", "sleeper")

    def __init__(self, due, sleeper):
        # type: (float, Worker) -> None
        Appointment.__init__(self, due, None, ())
        self.sleeper = sleeper  # type: Worker
        self.opened = False


class Worker(object):
    """One thread that may hold the baton; it parks on its ticket."""

    __slots__ = ("clock", "ended", "first", "refusals", "task", "ticket")

    def __init__(self, clock):
        # type: (Any) -> None
        self.clock = clock  # type: Any
        self.ticket = allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: Appointment | None
        self.task = None  # type: Appointment | None
        self.ended = False
        self.refusals = 0
