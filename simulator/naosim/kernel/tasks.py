"""Tasks of a clock: scheduled calls, the moments at which blocked tasks resume, and the threads that run them."""
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
    """Make a call as if from outside all robots, for observers: what they print is not a script's output."""
    ident = get_ident()
    worker = WORKERS.pop(ident, None)
    try:
        call(*args)
    finally:
        if worker is not None:
            WORKERS[ident] = worker


class ScheduledCall(object):
    """One call due at one time; `cancel` works as long as the state is "waiting".

    `owner` is what of a behaviour the call is made for (a callback of a script, a diagram, the behaviour itself); None
    where the call is the robot's own affair. Whoever looks for leftovers of a behaviour reads it.
    """

    __slots__ = ("args", "call", "due", "owner", "state")
    sleeper = None  # type: Worker | None

    def __init__(self, due, call, args, owner=None):
        # type: (float, Any, tuple[Any, ...], Any) -> None
        self.due = due
        self.call = call
        self.args = args
        self.owner = owner
        self.state = WAITING

    def cancel(self):
        # type: () -> bool
        """Withdraw the call; return False when it is too late."""
        if self.state is not WAITING:
            return False
        self.state = CANCELLED
        return True


class Wake(ScheduledCall):
    """The moment at which a blocked task resumes."""

    __slots__ = ("opened", "sleeper")

    def __init__(self, due, sleeper):
        # type: (float, Worker) -> None
        ScheduledCall.__init__(self, due, None, ())
        self.sleeper = sleeper  # type: Worker
        self.opened = False


class Worker(object):
    """One thread that runs tasks when it is its turn; it parks on its ticket."""

    __slots__ = ("clock", "ended", "first", "refusals", "task", "ticket")

    def __init__(self, clock):
        # type: (Any) -> None
        self.clock = clock  # type: Any
        self.ticket = allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: ScheduledCall | None
        self.task = None  # type: ScheduledCall | None
        self.ended = False
        self.refusals = 0
