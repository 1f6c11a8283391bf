"""Recording what the person in front of a robot does, and replaying it: a bug report becomes a test.

A recording is JSON, one object per line: a header, then one line per act with the virtual time and with what the robot
had said and was listening to just before, then the end. As robots run in virtual time, the same acts at the same times
lead to the same events.
"""

from __future__ import absolute_import, division, print_function

import hashlib
import platform

from naosim.compat import native, quoted
from naosim.errors import NaosimError, WrongUse
from naosim.formats.whole_file import write_whole
from naosim.recording.recording_file import FORMAT, MOST_LINES, NotARecording, Recording, checksum, load, read
from naosim.scripting import modules
from naosim.world.trace import as_line, json_line

MYPY = False
if MYPY:
    from typing import Any, Iterable

    from naosim.robot.robot import Robot
    from naosim.world.trace import Event

__all__ = ["Diverged", "NotARecording", "Recorder", "Recording", "checksum", "load", "read", "replay"]

#: How many of the last texts that the robot said before an act its line keeps, and letters of each text.
MOST_SAID, LONGEST_SAID = 10, 200


class Diverged(NaosimError):
    """The behaviour does something else than it did when the recording was made."""


class Recorder(object):
    """A recorder of what a person does with one robot, from its creation until `close`.

    `options` go into the header: everything needed to make the same robot again, as JSON values.
    """

    def __init__(self, robot, **options):  # type: (Robot, **Any) -> None
        self._robot = robot
        self._options = options
        self._acts = []  # type: list[dict[str, Any]]
        self._digest = hashlib.sha256()
        self._events = 0
        self._said = []  # type: list[str]
        self._end = None  # type: dict[str, Any] | None
        robot.trace.listeners.append(self._note)
        robot.person.listeners.append(self._act)

    def lines(self, status=0):  # type: (int) -> list[str]
        """List the lines of the recording up to now, or up to its `close`, ending with this exit status."""
        end = dict(self._end or self._last(), status=status)
        return [json_line(row) for row in [self._header()] + self._acts + [end]]

    def write(self, path, status=0):  # type: (str, int) -> None
        """Write the recording to a file, whole or not at all; raises WrongUse when it cannot be written."""
        write_whole(path, "".join(line + "\n" for line in self.lines(status)).encode("ascii"))

    def close(self):  # type: () -> None
        """End the recording and stop listening to the robot."""
        self._end = self._end or self._last()
        if self._act in self._robot.person.listeners:
            self._robot.person.listeners.remove(self._act)
            self._robot.trace.listeners.remove(self._note)

    def _header(self):  # type: () -> dict[str, Any]
        behaviour = self._robot.behaviour
        path = None if behaviour is None else behaviour.project.path
        return {
            "recording": FORMAT,
            "behaviour": None if behaviour is None else behaviour.id,
            "checksum": checksum(path),
            "options": self._options,
            "python": str(platform.python_version()),
        }

    def _note(self, event):  # type: (Event) -> None
        self._digest.update(as_line(event).encode("ascii"))
        self._events += 1
        if event.kind == "say":
            self._said.append(_said(event))
        elif event.kind == "dialog":
            fields = event.fields
            self._add("dialog", box=fields["box"], output=fields["output"], value=fields["value"])

    def _row(self, act, **fields):  # type: (str, **Any) -> dict[str, Any]
        ears = self._robot.ears()
        return dict(
            fields,
            act=act,
            time=self._robot.clock.now(),
            said=self._said[-MOST_SAID:],
            engine=ears.engine,
            ended=_ended(self._robot),
        )

    def _last(self):  # type: () -> dict[str, Any]
        return self._row("end", events=self._events, digest=str(self._digest.hexdigest()))

    def _add(self, act, **fields):  # type: (str, **Any) -> None
        if len(self._acts) >= MOST_LINES - 2:
            raise WrongUse("a recording holds at most %d acts" % (MOST_LINES - 2))
        if not self._acts:
            self._digest, self._events = hashlib.sha256(), 0
        self._acts.append(self._row(act, **fields))
        self._said = []

    def _act(self, act, fields):  # type: (str, dict[str, Any]) -> None
        if act == "silence":
            self._silent(fields["due"])
        else:
            self._add(act, **fields)

    def _silent(self, due):  # type: (float) -> None
        """Record silence up to a time; two silences between which the robot says nothing become one act."""
        now = self._robot.clock.now()
        due = max(due, now)
        last = self._acts[-1] if self._acts else {}
        if last.get("act") == "silence" and not self._said:
            last["seconds"] = due - last["time"]
        else:
            self._add("silence", seconds=due - now)


def replay(robot, lines):  # type: (Robot, Iterable[str] | Recording) -> bool
    """Replay a recording on a robot whose behaviour is loaded; return whether all events were the recorded ones.

    Raises NotARecording for other lines, and Diverged, naming the act, when the robot did something else before it.
    """
    recording = lines if isinstance(lines, Recording) else read(lines)
    listener = _Listener()
    robot.trace.listeners.append(listener)
    try:
        for number, act in enumerate(recording.acts, 1):
            _run_to(robot, act["time"])
            if act["act"] != "end":
                listener.compare(robot, number, act)
                _perform(robot, number, act)
        end = recording.acts[-1]
        return bool(end["act"] == "end" and end["digest"] == listener.digest.hexdigest())
    finally:
        robot.trace.listeners.remove(listener)


class _Listener(object):
    """A listener that compares what a robot does during a replay with the recording."""

    def __init__(self):  # type: () -> None
        self.digest = hashlib.sha256()
        self._said = []  # type: list[str]

    def __call__(self, event):  # type: (Event) -> None
        self.digest.update(as_line(event).encode("ascii"))
        if event.kind == "say":
            self._said.append(_said(event))

    def compare(self, robot, number, act):  # type: (Robot, int, dict[str, Any]) -> None
        """Raise Diverged unless the robot has said the same before this act, listens alike, and has ended if it had."""
        if number == 1:
            self.digest = hashlib.sha256()
        said, self._said = self._said[-MOST_SAID:], []
        if said != act["said"]:
            old, new = ["; ".join(each) for each in (act["said"], said)]
            raise _diverged(
                number,
                act,
                "before it the robot said %s and now says %s"
                % (quoted(old) if old else "nothing", quoted(new) if new else "nothing"),
            )
        if act["ended"] != _ended(robot):
            raise _diverged(
                number,
                act,
                "the behaviour %s" % ("had ended by then and now has not" if act["ended"] else "has ended by then"),
            )
        engine = robot.ears().engine
        if engine != act["engine"]:
            raise _diverged(
                number, act, "%s listened then and now %s does" % (act["engine"] or "nothing", engine or "nothing")
            )


def _perform(robot, number, act):  # type: (Robot, int, dict[str, Any]) -> None
    kind = act["act"]
    try:
        if kind == "hear":
            robot.hear(act["phrase"], act["confidence"])
        elif kind == "touch":
            robot.touch(act["sensor"])
        elif kind == "set":
            robot.set(act["key"], act["value"])
        elif kind == "event":
            robot.event(act["key"], act["value"])
        elif kind == "start":
            robot.start()
        elif kind == "stop":
            robot.stop()
        elif kind == "dialog" and robot.behaviour is not None:
            robot.behaviour.answer(act["box"], act["output"], act["value"])
    except (WrongUse, RuntimeError) as error:
        raise _diverged(number, act, str(error))


def _run_to(robot, time):  # type: (Robot, float) -> None
    """Run the robot up to a virtual time; if that is the present, run what is ready."""
    with modules.running(robot.world):
        robot.clock.run(up_to=time)


def _diverged(number, act, why):  # type: (int, dict[str, Any], str) -> Diverged
    shown = act.get("phrase") or act.get("sensor") or act.get("key") or act.get("output") or ""
    return Diverged(
        "the recording no longer fits at act %d (%s%s at %.1f s): %s"
        % (number, act["act"], " " + quoted(shown) if shown else "", act["time"], why)
    )


def _said(event):  # type: (Event) -> str
    return native(event.fields.get("plain") or event.fields["text"])[:LONGEST_SAID]


def _ended(robot):  # type: (Robot) -> bool
    return robot.behaviour is not None and robot.behaviour.ended
