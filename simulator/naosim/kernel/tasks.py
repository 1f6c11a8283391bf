"""Tasks of a clock: scheduled calls, the moments at which blocked tasks resume, and the threads that run them."""

from __future__ import absolute_import, division, print_function

from naosim.compat import allocate_lock, get_ident

MYPY = False
if MYPY:
    from typing import Any

WAITING, RUNNING, DONE, CANCELLED = "waiting", "running", "done", "cancelled"

#: The worker of each thread that runs tasks, by the thread's identifier; shared by all clocks of the process.
WORKERS = {}  # type: dict[int, Worker]


class TaskEnded(BaseException):
    """The error raised inside a task to end it: its clock closes, it keeps the others from running, or time is up."""


def aside(call, *args):  # type: (Any, *Any) -> None
    """Make a call as if from outside all robots; used for observers, whose output is not a script's."""
    ident = get_ident()
    worker = WORKERS.pop(ident, None)
    try:
        call(*args)
    finally:
        if worker is not None:
            WORKERS[ident] = worker


class ScheduledCall(object):
    """One call due at one time; `cancel` works as long as the state is "waiting".

    `owner` is the part of a behaviour that the call is made for (a script's callback, a box, a diagram, the behaviour
    itself), None for a call of the robot's own; the check for leftovers of a behaviour reads it.
    """

    __slots__ = ("args", "call", "due", "owner", "state")
    #: The worker whose blocked task a `Wake` resumes; None for plain calls.
    sleeper = None  # type: Worker | None

    def __init__(self, due, call, args, owner=None):  # type: (float, Any, tuple[Any, ...], Any) -> None
        self.due = due
        self.call = call
        self.args = args
        self.owner = owner
        self.state = WAITING

    def cancel(self):  # type: () -> bool
        """Withdraw the call; return False when it is too late."""
        if self.state is not WAITING:
            return False
        self.state = CANCELLED
        return True


class Wake(ScheduledCall):
    """The moment at which a blocked task resumes; `opened` tells whether the event it waited for was set."""

    __slots__ = ("opened", "sleeper")

    def __init__(self, due, sleeper):  # type: (float, Worker) -> None
        ScheduledCall.__init__(self, due, None, ())
        self.sleeper = sleeper  # type: Worker
        self.opened = False


class Worker(object):
    """One thread that runs tasks; it waits on its lock `ticket` until it is the one to run."""

    __slots__ = ("clock", "ended", "first", "refusals", "task", "ticket")

    def __init__(self, clock):  # type: (Any) -> None
        self.clock = clock  # type: Any
        self.ticket = allocate_lock()
        self.ticket.acquire()
        self.first = None  # type: ScheduledCall | None
        self.task = None  # type: ScheduledCall | None
        self.ended = False
        self.refusals = 0
