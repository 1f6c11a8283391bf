"""The requests of a live server: calls, links, modules of clients and the person; each runs as a task of the clock."""

from __future__ import absolute_import, division, print_function

import platform
from collections import deque

from naosim.compat import INTEGERS, quoted
from naosim.errors import WireError
from naosim.kernel.clock import TaskEnded
from naosim.remote.behaviour_requests import BehaviourRequests
from naosim.remote.fields import field, text
from naosim.remote.home import note_machine
from naosim.remote.json_lines import QUOTED, action, encode, error_sentence
from naosim.remote.moment_requests import MomentRequests
from naosim.remote.sound_requests import SoundRequests
from naosim.remote.values import DoesNotTravel, packed, unpacked
from naosim.scripting.alproxy import ask
from naosim.world.trace import failures

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.remote.spoken import SpokenTexts
    from naosim.robot.robot import Robot
    from naosim.world.trace import Event

#: Requests that may run at the same time, and those that may wait for their turn; a clock has 256 tasks at most.
MOST_RUNNING, MOST_WAITING = 128, 10000
#: Events and errors that the robot remembers; a robot that stays up would remember every one.
MOST_EVENTS, MOST_ERRORS = 250, 1000


class ClientModuleProxy(object):
    """A module of a client, as ALMemory and scripts see it: every call is sent to the client, none has a result."""

    is_foreign = True

    def __init__(self, name, push):  # type: (str, Callable[[dict[str, Any]], None]) -> None
        self._name = name
        self._push = push

    def __getattr__(self, method):  # type: (str) -> Callable[..., None]
        if method.startswith("_"):
            raise AttributeError(method)
        name, push = self._name, self._push

        def call(*args):  # type: (*Any) -> None
            push({"push": "module", "module": name, "method": method, "args": packed(list(args))})

        return call


class EventLink(object):
    """The callback that ALMemory has for an event which a client listens to."""

    is_foreign = True

    def __init__(self, event, push, number):  # type: (str, Callable[[dict[str, Any]], None], int) -> None
        self.event = event
        self.inner = 0
        self._push = push
        self._number = number

    def __call__(self, value):  # type: (Any) -> None
        self._push({"push": "link", "link": self._number, "value": packed(value)})


class LiveRequests(MomentRequests, SoundRequests):
    """Answers requests about one robot through `push`, each as soon as it is done, so in any order."""

    def __init__(self, robot, push, spoken):  # type: (Robot, Callable[[dict[str, Any]], None], SpokenTexts) -> None
        BehaviourRequests.__init__(self, robot)
        self._spoken = spoken
        self._push = push
        self._links = {}  # type: dict[int, EventLink]
        self._offers = set()  # type: set[str]
        self._watched = self._ended = False
        self._running = 0
        self._waiting = deque()  # type: deque[dict[str, Any]]
        robot.trace.listeners.append(self._note)

    def end(self):  # type: () -> None
        """Take away what the program has left on the robot: links, modules and their subscriptions."""
        self._ended = True
        self._waiting.clear()
        self.end_watching()
        self.robot.trace.listeners.remove(self._note)
        for number in list(self._links):
            self._unlink(number)
        for name in list(self._offers):
            self._withdraw(name)

    def take(self, request):  # type: (dict[str, Any]) -> None
        """Answer one request; runs as a task, which ends with the answer."""
        if self._ended:
            return
        if self._running >= MOST_RUNNING:
            if len(self._waiting) >= MOST_WAITING:
                self._push({"id": request["id"], "error": "the robot is busy: %d requests wait" % MOST_WAITING})
            else:
                self._waiting.append(request)
            return
        self._running += 1
        try:
            self._push(self._answer(request))
        finally:
            self._running -= 1
            if self._waiting:
                self.robot.clock.soon(self.take, self._waiting.popleft())

    def _answer(self, request):  # type: (dict[str, Any]) -> dict[str, Any]
        number = request["id"]
        try:
            return {"id": number, "value": packed(action(self, request)(request))}
        except (TaskEnded, KeyboardInterrupt):
            raise
        except BaseException as error:
            return {"id": number, "error": error_sentence(error)}

    def _do_call(self, request):  # type: (dict[str, Any]) -> Any
        args = unpacked(field(request, "args", (list,), []))
        name, method = text(request, "service"), text(request, "method")
        if name == "ALPythonBridge" and method.startswith("eval"):
            raise RuntimeError("\tALPythonBridge::%s\n\tOnly a box script may run code here." % method)
        return ask(self.robot.world, self.robot.service(name), method, tuple(args))

    def _do_link(self, request):  # type: (dict[str, Any]) -> int
        number, event = request["id"], text(request, "event")
        link = EventLink(event, self._push, number)
        link.inner = self.robot.memory.link(event, link)
        self._links[number] = link
        return int(number)

    def _do_unlink(self, request):  # type: (dict[str, Any]) -> bool
        number = field(request, "link", INTEGERS, -1)
        if number not in self._links:
            raise RuntimeError("No link of this number")
        self._unlink(number)
        return True

    def _unlink(self, number):  # type: (int) -> None
        link = self._links.pop(number)
        self.robot.memory.unlink(link.event, link.inner)

    def _do_offer(self, request):  # type: (dict[str, Any]) -> None
        name = text(request, "module")
        if name in self.robot.world.modules or name in self.robot.services:
            raise RuntimeError('Service "%s" is already registered.' % name)
        self.robot.world.modules[name] = ClientModuleProxy(name, self._push)
        self._offers.add(name)

    def _do_withdraw(self, request):  # type: (dict[str, Any]) -> None
        name = text(request, "module")
        if name not in self._offers:
            raise RuntimeError('Cannot find service "%s"' % name)
        self._withdraw(name)

    def _withdraw(self, name):  # type: (str) -> None
        self._offers.remove(name)
        del self.robot.world.modules[name]
        memory = self.robot.memory
        for event in memory.getEventList() + memory.getMicroEventList():
            if name in memory.getSubscribers(event):
                memory.unsubscribeToEvent(event, name)

    def _do_hear(self, request):  # type: (dict[str, Any]) -> None
        confidence = field(request, "confidence", (float,) + INTEGERS, 0.9)
        if not 0 <= confidence <= 1:
            raise WireError("the confidence %r is no number from 0 to 1" % confidence)
        self.robot.hear(text(request, "phrase"), float(confidence))

    def _do_touch(self, request):  # type: (dict[str, Any]) -> None
        self.robot.tap(text(request, "sensor"))

    def _do_press(self, request):  # type: (dict[str, Any]) -> None
        self.robot.press(text(request, "sensor"))

    def _do_release(self, request):  # type: (dict[str, Any]) -> None
        self.robot.press(text(request, "sensor"), False)

    def _do_event(self, request):  # type: (dict[str, Any]) -> None
        self.robot.event(text(request, "key"), unpacked(request.get("value")))

    def _do_stay_silent(self, request):  # type: (dict[str, Any]) -> None
        """Let time pass: so many seconds, or up to the next call that is due."""
        clock = self.robot.clock
        seconds = field(request, "seconds", (float, type(None)) + INTEGERS, None)
        if seconds is None:
            due = clock.next_due()
            seconds = 0.0 if due is None else due - clock.now()
        if not seconds < 1e6:
            raise WireError("a silence of %r seconds is too long" % seconds)
        clock.sleep(max(0.0, seconds))

    def _do_ears(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        return dict(self.robot.ears()._asdict())

    def _do_state(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        """Return what runs, what failed, what ended behaviours left behind, and what is open at the moment."""
        manager = self.robot.services.get("ALBehaviorManager")
        return {
            "running": manager.getRunningBehaviors() if manager is not None else [],
            "failures": failures(self.robot.trace.errors),
            "leaks": manager.watch.noted if manager else [],
            "open": self.robot.left_open(),
            "seconds": self.robot.clock.now(),
        }

    def _do_said(self, _request):  # type: (dict[str, Any]) -> list[str]
        """Return what the robot has said of late."""
        return self._spoken.texts()

    def _do_serve(self, request):  # type: (dict[str, Any]) -> None
        """Note where programs reach the robot over libqi, and start the services that run for as long as it does."""
        self.robot.world.url = text(request, "url")
        note_machine(text(request, "machine"))
        services = self.robot.services.get("ALServiceManager")
        if services is not None:
            services.start_autorun()

    def _do_about(self, _request):  # type: (dict[str, Any]) -> dict[str, Any]
        return about(self.robot)

    def _do_inject(self, request):  # type: (dict[str, Any]) -> None
        self.robot.faults.plan(field(request, "faults", (dict,), None))

    def _do_watch(self, _request):  # type: (dict[str, Any]) -> None
        self._watched = True

    def _note(self, event):  # type: (Event) -> None
        """Send an event to a client that watches, and keep the trace of a robot that stays up short."""
        trace = self.robot.trace
        for remembered, most in ((trace.events, MOST_EVENTS), (trace.errors, MOST_ERRORS)):
            if len(remembered) > 2 * most:
                del remembered[:most]
        if self._watched:
            fields = {key: _reported(value) for key, value in event.fields.items()}
            self._push({"push": "event", "time": event.time, "kind": event.kind, "fields": fields})


def about(robot):  # type: (Robot) -> dict[str, Any]
    """Return what a program has to know of a robot: its Python and its services."""
    return {"python": platform.python_version(), "services": sorted(robot.services)}


def number_of(request):  # type: (dict[str, Any]) -> int
    """Return the number under which a request is answered; raises WireError when it has none."""
    number = request.get("id")
    if isinstance(number, bool) or not isinstance(number, INTEGERS):
        raise WireError("the request %s has no number as its id" % quoted(encode(request)[:QUOTED].strip()))
    return int(number)


def _reported(value):  # type: (Any) -> Any
    """Return what a client is told of a value in an event: of objects the type alone."""
    try:
        return packed(sorted(value) if isinstance(value, (set, frozenset)) else value)
    except (DoesNotTravel, TypeError):
        return "<%s>" % type(value).__name__
