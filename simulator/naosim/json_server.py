"""`python -m naosim.json_server`: a robot that answers requests over pipes, in real or in virtual time.

Every line is a JSON object. Requests look like {"id": 1, "do": "call", "service": ..., "method": ..., "args": [...]}.
The first one, {"id": 0, "do": "open", ...}, has the options of the robot. Answers are {"id": 1, "value": ...} or
{"id": 1, "error": ...}.

In real time, each request runs as a task of the robot's clock, so several are answered at the same time, in any
order. The server also sends {"push": "event" | "link" | "module", ...}. With "clock": "virtual" in the first
request, they are answered one by one, and time passes only in some of them.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import platform
import signal
import subprocess
import sys
from collections import deque

from naosim import remote, scripting
from naosim.compat import INTEGERS, NUMBER_TYPES, TEXTS, native, quote, start_new_thread
from naosim.errors import NaosimError, Overrun, WireError, WrongUse
from naosim.proxies import call_service
from naosim.robot import Pause, Person, Robot, check_signal_values
from naosim.robot_requests import MAX_SPEED, BehaviourRequests, BodyRequests, DiagramRequests, ask_parts
from naosim.scheduler import PipeWakeup, TaskEnded
from naosim.services.behaviors import ALBehaviorManager
from naosim.services.packages import ALServiceManager
from naosim.verbs import DRIVING, VERBS, read_arguments
from naosim.world import Event, Faults, list_failures

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable

    from naosim.clock import Clock
    from naosim.compat import JsonValue


def _write_machine_id(number):  # type: (str) -> None
    """Write the number that libqi gave this computer into the robot's home folder.

    libqi does not connect to programs with another number at 127.0.0.1, because they seem to be on another computer.
    """
    folder = os.path.join(os.environ["HOME"], ".config", "qimessaging")
    if number:
        if not os.path.isdir(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, "machine_id"), "w") as file:
            file.write(number)


_MAX_TEXTS = 1000  # spoken texts that are stored
_MAX_CHARACTERS = 1000 * 1000  # characters of all stored texts


class SpokenTexts(object):
    """The latest texts that a robot has said, without annotations."""

    def __init__(self, robot):  # type: (Robot) -> None
        self._texts = deque()  # type: deque[str]
        self._characters = 0
        robot.trace.listeners.append(self._note)

    def texts(self):  # type: () -> list[str]
        """List the texts, the oldest first."""
        return list(self._texts)

    def _note(self, event):  # type: (Event) -> None
        if event.kind != "say":
            return
        text = native(event.fields.get("plain") or event.fields.get("text", ""))
        self._texts.append(text)
        self._characters += len(text)
        while len(self._texts) > _MAX_TEXTS or self._characters > _MAX_CHARACTERS:
            self._characters -= len(self._texts.popleft())


# Requests for calls, links, modules of clients and the person.

_MAX_RUNNING_REQUESTS = 128  # requests of one program that run at the same time; a clock has at most 256 tasks
_MAX_WAITING = 10000  # requests of one program that wait
_MAX_KEPT_EVENTS = 250  # events that the trace keeps, because the robot can run for days
_MAX_KEPT_ERRORS = 1000  # errors that the trace keeps


class _ClientModuleProxy(object):
    """A module of a client, for ALMemory and scripts: it sends every call to the client and returns None."""

    is_foreign = True

    def __init__(self, name, push):  # type: (str, Callable[[dict[str, JsonValue]], None]) -> None
        self._name = name
        self._push = push

    def __getattr__(self, method):  # type: (str) -> Callable[..., None]
        if method.startswith("_"):
            raise AttributeError(method)
        name, push = self._name, self._push

        def call(*args):  # type: (*object) -> None
            push({"push": "module", "module": name, "method": method, "args": remote.pack_value(list(args))})

        return call


class _EventLink(object):
    """The callback of ALMemory for an event to which a client subscribes."""

    is_foreign = True

    def __init__(self, event, push, number):  # type: (str, Callable[[dict[str, JsonValue]], None], int) -> None
        self.event = event
        self.inner = 0
        self._push = push
        self._number = number

    def __call__(self, value):  # type: (object) -> None
        self._push({"push": "link", "link": self._number, "value": remote.pack_value(value)})


class LiveRequests(object):
    """The answers to one program's requests about a robot, sent by `push` when each request is done.

    The first of its parts that knows a verb answers it. `more` make parts, which come before the usual ones.
    """

    def __init__(self, robot, push, spoken, more=()):
        # type: (Robot, Callable[[dict[str, JsonValue]], None], SpokenTexts, Iterable[Callable[[LiveRequests], object]]) -> None
        self.robot = robot
        self.behaviours = BehaviourRequests(robot)
        self.parts = [self, self.behaviours, BodyRequests(robot), DiagramRequests(robot)]  # type: list[object]
        self._spoken = spoken
        self._push = push
        self._links = {}  # type: dict[int, _EventLink]
        self._offers = set()  # type: set[str]
        self._watched = False
        self._running = 0
        self._waiting = deque()  # type: deque[dict[str, JsonValue]]
        robot.trace.listeners.append(self._note)
        for make in more:
            self.parts.insert(0, make(self))

    def schedule(self, request):  # type: (dict[str, JsonValue]) -> None
        """Schedule a request on the robot's clock, from any thread; refuse one without a number."""
        if _is_numbered(request, self._push):
            self.robot.clock.call_soon_threadsafe(self.take, request)

    def take(self, request):  # type: (dict[str, JsonValue]) -> None
        """Answer one request; runs as a task."""
        if self._running >= _MAX_RUNNING_REQUESTS:
            if len(self._waiting) >= _MAX_WAITING:
                self._push({"id": request["id"], "error": "the robot is busy: %d requests wait" % _MAX_WAITING})
            else:
                self._waiting.append(request)
            return
        self._running += 1
        try:
            self._push(self.answer(request))
        finally:
            self._running -= 1
            if self._waiting:
                self.robot.clock.call_soon(self.take, self._waiting.popleft())

    def answer(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        """Do what a request asks; return the answer, which has the sentence of an error."""
        return _answer_by(self._perform, request)

    def _perform(self, request):  # type: (dict[str, JsonValue]) -> object
        verb = request.get("do")
        if isinstance(verb, str) and verb in VERBS:
            doer = self if hasattr(self, verb) else self.robot.person
            return getattr(doer, verb)(*read_arguments(VERBS, request))
        return ask_parts(self.parts, verb, request)

    def _do_call(self, request):  # type: (dict[str, JsonValue]) -> object
        args = remote.unpack_value(remote.read_field(request, "args", (list,), []))
        name, method = remote.read_text_field(request, "service"), remote.read_text_field(request, "method")
        if name == "ALPythonBridge" and method.startswith("eval"):
            raise RuntimeError("\tALPythonBridge::%s\n\tOnly a box script may run code here." % method)
        if name == "ALMemory" and method in ("raiseEvent", "raiseMicroEvent") and len(args) > 1:
            check_signal_values(self.robot.world, native(args[0]), args[1])
        return call_service(self.robot.world, self.robot.service(name), method, tuple(args))

    def _do_link(self, request):  # type: (dict[str, JsonValue]) -> int
        number, event = request["id"], remote.read_text_field(request, "event")
        link = _EventLink(event, self._push, number)
        link.inner = self.robot.memory.link(event, link)
        self._links[number] = link
        return int(number)

    def _do_unlink(self, request):  # type: (dict[str, JsonValue]) -> bool
        number = remote.read_field(request, "link", INTEGERS, -1)
        if number not in self._links:
            raise RuntimeError("No link of this number")
        link = self._links.pop(number)
        self.robot.memory.unlink(link.event, link.inner)
        return True

    def _do_offer(self, request):  # type: (dict[str, JsonValue]) -> None
        name = remote.read_text_field(request, "module")
        if name in self.robot.world.modules or name in self.robot.services:
            raise RuntimeError('Service "%s" is already registered.' % name)
        self.robot.world.modules[name] = _ClientModuleProxy(name, self._push)
        self._offers.add(name)

    def _do_withdraw(self, request):  # type: (dict[str, JsonValue]) -> None
        name = remote.read_text_field(request, "module")
        if name not in self._offers:
            raise RuntimeError('Cannot find service "%s"' % name)
        self._offers.remove(name)
        del self.robot.world.modules[name]
        memory = self.robot.memory
        for event in memory.getEventList() + memory.getMicroEventList():
            if name in memory.getSubscribers(event):
                memory.unsubscribeToEvent(event, name)

    # The verbs of a person that need more than the person.

    def stay_silent(self, seconds):  # type: (float | None) -> None
        """Let time pass: `seconds`, or up to the next scheduled call."""
        clock = self.robot.clock
        if seconds is None:
            due = clock.next_due()
            seconds = 0.0 if due is None else max(0.0, due - clock.now())
        clock.sleep(seconds)

    def ears(self):  # type: () -> dict[str, JsonValue]
        """Return the robot's current vocabulary."""
        return dict(self.robot.ears()._asdict())

    def state(self):  # type: () -> dict[str, JsonValue]
        """Return the running behaviours, the failures, the leaks of ended behaviours, and what is open now."""
        manager = self.robot.world.find(ALBehaviorManager)
        return {
            "running": manager.getRunningBehaviors() if manager is not None else [],
            "failures": list_failures(self.robot.trace.errors),
            "leaks": manager.watch.noted if manager else [],
            "open": self.robot.list_left_open(),
            "seconds": self.robot.clock.now(),
        }

    def said(self):  # type: () -> list[str]
        """Return the texts that the robot has said."""
        return self._spoken.texts()

    def _do_serve(self, request):  # type: (dict[str, JsonValue]) -> None
        """Set the robot's address over libqi, and start the services of packages with autorun."""
        self.robot.world.url = remote.read_text_field(request, "url")
        _write_machine_id(remote.read_text_field(request, "machine"))
        services = self.robot.world.find(ALServiceManager)
        if services is not None:
            services.start_autorun()

    def _do_about(self, _request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        return _describe_robot(self.robot)

    def _do_inject(self, request):  # type: (dict[str, JsonValue]) -> None
        self.robot.faults.plan(remote.read_field(request, "faults", (dict,), None))

    def _do_watch(self, _request):  # type: (dict[str, JsonValue]) -> None
        self._watched = True

    def _note(self, event):  # type: (Event) -> None
        """Send an event to a client that watches, and remove old events from the trace."""
        trace = self.robot.trace
        for remembered, most in ((trace.events, _MAX_KEPT_EVENTS), (trace.errors, _MAX_KEPT_ERRORS)):
            if len(remembered) > 2 * most:
                del remembered[:most]
        if self._watched:
            self._push(dict(_report_event(event), push="event"))


def _answer_by(perform, request):  # type: (Callable[[dict[str, JsonValue]], object], dict[str, JsonValue]) -> dict[str, JsonValue]
    number = request["id"]
    try:
        return {"id": number, "value": remote.pack_value(perform(request))}
    except (TaskEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        return {"id": number, "error": remote.error_sentence(error)}


def _report_event(event):  # type: (Event) -> dict[str, JsonValue]
    """Return an event for a client, with its fields packed."""
    fields = {key: _pack_report(value) for key, value in event.fields.items()}
    return {"time": event.time, "kind": event.kind, "fields": fields}


def _describe_robot(robot):  # type: (Robot) -> dict[str, JsonValue]
    return {
        "python": platform.python_version(),
        "naoqi": robot.world.naoqi,
        "speed": robot.clock.speed,
        "services": sorted(robot.services),
        "lacking_methods": sorted(robot.world.lacking_methods),
    }


def _request_number(request):  # type: (dict[str, JsonValue]) -> int
    """Return the number of a request, which its answer repeats; raises WireError if it lacks one."""
    number = request.get("id")
    if isinstance(number, bool) or not isinstance(number, INTEGERS):
        shown = quote(remote.encode_line(request)[: remote.MAX_QUOTED_LENGTH].strip())
        raise WireError("the request %s has no number as its id" % shown)
    return int(number)


def _is_numbered(request, push):  # type: (dict[str, JsonValue], Callable[[dict[str, JsonValue]], None]) -> bool
    """Return whether a request has a number; refuse it otherwise."""
    try:
        _request_number(request)
    except WireError as error:
        refuse_line(push, error)
        return False
    return True


def _pack_report(value):  # type: (object) -> object
    """Return a value of an event for a client; for objects, only the type."""
    try:
        return remote.pack_value(sorted(value) if isinstance(value, (set, frozenset)) else value)
    except (remote.DoesNotTravel, TypeError):
        return "<%s>" % type(value).__name__


def refuse_line(push, error):  # type: (Callable[[dict[str, JsonValue]], None], WireError) -> None
    """Answer a line that is not a request."""
    push({"id": None, "error": str(error)})


# Requests in virtual time.

#: The verbs in virtual time: methods of `Robot` or `Person`.
_VIRTUAL = {
    name: verb for name, verb in dict(VERBS, **DRIVING).items() if hasattr(Robot, name) or hasattr(Person, name)
}


class VirtualRequests(object):
    """The answers to requests about a robot in virtual time, sent immediately by `push`.

    Each verb is a method of the robot or its person. The answer has the method's value and the state after it: the
    events since the last answer, the ears, whether the behaviour has ended, its failures, and the time.
    """

    def __init__(self, robot, push):  # type: (Robot, Callable[[dict[str, JsonValue]], None]) -> None
        self._robot = robot
        self._push = push

    def schedule(self, request):  # type: (dict[str, JsonValue]) -> None
        """Answer a request; refuse one without a number."""
        if _is_numbered(request, self._push):
            self._push(_answer_by(self._perform, request))

    def _perform(self, request):  # type: (dict[str, JsonValue]) -> dict[str, JsonValue]
        robot, args = self._robot, read_arguments(_VIRTUAL, request)
        verb = request["do"]
        told = getattr(robot if hasattr(robot, verb) else robot.person, verb)(*args)
        pause = told if isinstance(told, Pause) else robot.pause()
        return {
            "value": told if verb in ("get", "leaks") else None,
            "events": [_report_event(event) for event in pause.events],
            "ears": dict(pause.ears._asdict()),
            "ended": pause.ended,
            "failures": [] if robot.behaviour is None else robot.behaviour.failures,
            "now": robot.now(),
        }


# The pipe of requests.

_CAN_WATCH_PIPES = os.name == "posix"  # on Windows, `select` watches only sockets


def _open_clock(clock, reader):  # type: (Clock, remote.RequestReader) -> None
    """Open a clock to the requests of a pipe, which it reads while it waits."""
    if _CAN_WATCH_PIPES:
        clock.open(PipeWakeup(reader))
    else:
        clock.open()
        start_new_thread(reader.read_all, ())


# A server for programs that speak libqi, in front of a robot of this process.

_SERVING = ["-m", "naosim_robots.serving"]
_SERVER_START_S = 20.0  # real seconds for the server to listen


def can_serve():  # type: () -> bool
    """Return whether this Python can start a server: it needs Python 3.10 or newer."""
    return sys.version_info >= (3, 10)


class ServedRobot(object):
    """A server, in its own process, for the services of a package; `close` ends it.

    The robot needs real time. Raises WrongUse if no server can be started here.
    """

    def __init__(self, robot):  # type: (Robot) -> None
        self._silence = io.open(os.devnull, "wb")  # noqa: SIM115 (closed by close)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._silence}  # type: dict[str, JsonValue]
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        process = subprocess.Popen([sys.executable] + _SERVING, bufsize=0, env=environment, **pipes)  # type: Any
        self._process = process
        self._writer = remote.LineWriter(process.stdin.fileno())
        requests = LiveRequests(robot, self._writer.push, SpokenTexts(robot))
        push = self._writer.push
        reader = remote.RequestReader(process.stdout, requests.schedule, lambda error: refuse_line(push, error))
        _open_clock(robot.clock, reader)
        # The server asks the robot for its services, which needs the robot's clock.
        robot.clock.run(lambda: bool(robot.world.url) or reader.closed, _SERVER_START_S)
        if not robot.world.url:
            self.close()
            raise WrongUse("the services of the package are not started: no server answers (see --without)")

    def close(self):  # type: () -> None
        """End the server."""
        self._writer.close()
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._silence.close()


# The server.

_ROBOT_OPTIONS = (
    "without",
    "seed",
    "posture",
    "languages",
    "speed",
    "home",
    "folder",
    "robot_type",
    "camera",
    "naoqi",
    "strict",
)
# Exit statuses; lost means that a task cannot be ended.
_EXIT_FINE, _EXIT_BAD_INPUT, _EXIT_LOST = 0, 2, 3


class JsonServer(object):
    """A robot that messages control: `push` sends its answers. It does not use pipes, sockets or browsers.

    `open` answers the first request, `take` gets the others. In virtual time `take` also answers, until `close`. In
    real time `run` runs until `end`, any thread may call `take` and `end`, and `parts` are the `more` of LiveRequests.
    """

    def __init__(self, push, parts=()):
        # type: (Callable[[dict[str, JsonValue]], None], Iterable[Callable[[LiveRequests], object]]) -> None
        self._push = push
        self._parts = parts
        self._robot = None  # type: Robot | None
        self._requests = None  # type: LiveRequests | VirtualRequests | None
        self.is_virtual = False
        self._is_over = False
        self._home = ""
        self.spoken = None  # type: SpokenTexts | None

    def open(self, request):  # type: (dict[str, JsonValue]) -> bool
        """Create the robot as the first request says and answer it; return False if that fails."""
        number = 0
        try:
            number = _request_number(request)
            if request.get("do") != "open":
                raise WireError('the first request must be "open"')
            robot = self._make_robot(request)
        except (NaosimError, RuntimeError, TypeError, ValueError, EnvironmentError) as error:
            self._push({"id": number, "error": remote.error_sentence(error)})
            return False
        self._robot, self.spoken = robot, SpokenTexts(robot)
        if self.is_virtual:
            self._requests = VirtualRequests(robot, self._push)
        else:
            self._requests = LiveRequests(robot, self._push, self.spoken, self._parts)
            self._open_clock(robot.clock)
        self._push({"id": number, "value": remote.pack_value(_describe_robot(robot))})
        return True

    def _open_clock(self, clock):  # type: (Clock) -> None
        clock.open()

    def _make_robot(self, request):  # type: (dict[str, JsonValue]) -> Robot
        options = {key: request[key] for key in _ROBOT_OPTIONS if key in request}
        _check_options(request)
        faults = Faults()
        faults.plan(request.get("faults") or {})
        self.is_virtual = request.get("clock") == "virtual"
        robot = Robot(faults=faults, real_time=not self.is_virtual, **options)
        # Scripts must not write into the home folder of the user who runs the robot.
        self._home = os.environ.get("HOME", "")
        os.environ["HOME"] = robot.world.user_folder()
        return robot

    def close(self):  # type: () -> None
        """Close the robot, which `run` does at its end."""
        self.robot.close()
        os.environ["HOME"] = self._home

    @property
    def robot(self):  # type: () -> Robot
        """Return the robot; raises WrongUse before `open`."""
        if self._robot is None:
            raise WrongUse("open the robot first")
        return self._robot

    def take(self, request):  # type: (dict[str, JsonValue]) -> None
        """Schedule a request, or answer it in virtual time; `push` sends its answer."""
        if self._requests is not None:
            self._requests.schedule(request)

    def end(self):  # type: () -> None
        """End `run` after the requests that were taken before."""
        self.robot.clock.call_soon_threadsafe(setattr, self, "_is_over", True)

    def is_over(self):  # type: () -> bool
        """Return whether `run` has to end."""
        return self._is_over

    def run(self):  # type: () -> int
        """Run the clock until the end and close the robot; return the exit status.

        After a failure, record it and continue without behaviours.
        """
        robot = self.robot
        try:
            while not self.is_over():
                try:
                    with scripting.run_as_robot(robot.world):
                        robot.clock.run(self.is_over)
                except Exception as error:
                    robot.trace.note("error", where="robot", message=remote.error_sentence(error), handled=False)
                    if robot.clock.is_running:
                        return _EXIT_LOST  # A task that never ends blocks the clock.
                    if isinstance(error, Overrun):
                        _end_behaviours(robot)
            return _EXIT_FINE
        finally:
            self.close()


class _PipedServer(JsonServer):
    """A server whose lines come from one stream."""

    def __init__(self, lines, writer, parts=()):
        # type: (object, remote.LineWriter, Iterable[Callable[[LiveRequests], object]]) -> None
        JsonServer.__init__(self, writer.push, parts)
        self._lines = lines
        self._writer = writer

    def serve(self):  # type: () -> int
        """Answer from the first line to the last; return the exit status."""
        try:
            request = remote.parse_request(remote.read_line(self._lines))
        except WireError as error:
            self._writer.push({"id": 0, "error": str(error)})
            return _EXIT_BAD_INPUT
        if not self.open(request):
            return _EXIT_BAD_INPUT
        if not self.is_virtual:
            return self.run()
        try:
            self._make_reader().read_all()
            return _EXIT_FINE
        finally:
            self.close()

    def is_over(self):  # type: () -> bool
        """Return whether the input has ended or the reader of the output has left."""
        return self._is_over or self._writer.is_broken

    def end(self):  # type: () -> None
        """End `run`; in virtual time it has already ended."""
        if not self.is_virtual:
            JsonServer.end(self)

    def _open_clock(self, clock):  # type: (Clock) -> None
        _open_clock(clock, self._make_reader())

    def _make_reader(self):  # type: () -> remote.RequestReader
        push = self._writer.push
        return remote.RequestReader(self._lines, self.take, lambda error: refuse_line(push, error), self.end)


def _end_behaviours(robot):  # type: (Robot) -> None
    """Stop every behaviour as soon as the clock runs again."""
    if robot.behaviour is not None:
        robot.clock.call_soon_threadsafe(robot.behaviour.interrupt)
    manager = robot.world.find(ALBehaviorManager)
    if manager is not None:
        robot.clock.call_soon_threadsafe(manager.stopAllBehaviors)


def _check_options(options):  # type: (dict[str, JsonValue]) -> None
    """Raise WireError for options that the robot would check only later."""
    for name in ("home", "camera"):
        if not isinstance(options.get(name), TEXTS + (type(None),)):
            raise WireError("the %s %r is not a path" % (name, options[name]))
    speed = options.get("speed", 1.0)
    if not isinstance(speed, NUMBER_TYPES) or not 0 < float(speed) <= MAX_SPEED:
        raise WireError("a speed of %r is not between 0 and %d" % (speed, MAX_SPEED))


def _serve_pipes(parts):  # type: (Iterable[Callable[[LiveRequests], object]]) -> int
    """Serve one robot on standard input and output; return the exit status: 0 fine, 2 no robot, 3 lost."""
    lines = io.FileIO(os.dup(0), "rb")
    writer = remote.LineWriter(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    # Ctrl-C in a terminal is for the parent process; this process ends with its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return _PipedServer(lines, writer, parts).serve()
    finally:
        writer.close()


def main(parts=()):  # type: (Iterable[Callable[[LiveRequests], object]]) -> None
    """Serve one robot on standard input and output, with `parts` as in `JsonServer`; end the process then."""
    status = _EXIT_BAD_INPUT
    try:
        status = _serve_pipes(parts)
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        # End the process even if the reading thread waits for a line.
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
