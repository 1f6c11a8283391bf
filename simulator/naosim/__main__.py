"""`python -m naosim FILE`: run a behaviour and print the robot's words and acts, or check it with --lint."""

from __future__ import absolute_import, division, print_function

import errno
import importlib
import os
import sys

from naosim import cli, json_server, packages, xar
from naosim.clock import Clock, PreemptiveClock
from naosim.compat import PY2, reason, to_unicode
from naosim.errors import NaosimError, Overrun, WrongUse, install_command
from naosim.lint import judge, judge_for_target
from naosim.models import PEPPER
from naosim.player import Behaviour
from naosim.recording import Recorder, Recording, file_checksum, is_watched, load_recording, replay_recording
from naosim.robot import Robot, describe_awaited
from naosim.services import PEPPER_SERVICES
from naosim.services.packages import ALServiceManager, PackageManager
from naosim.world import Event, event_as_line

MYPY = False
if MYPY:
    from argparse import Namespace
    from typing import Any

FAILED, _BAD_INPUT, _INTERRUPTED = 1, 2, 130
#: The commands of higher packages, with their modules.
_COMMANDS = {
    "check": "naosim_robots.talks.check",
    "facts": "naosim_robots.facts.command",
    "new": "naosim_robots.talks.starting",
    "talk": "naosim_robots.talks.making",
    "--talk": "naosim_robots.talks.command",
}
_NO_SERVICES = "the services of the package are not started (%s): they need Python 3.10 or newer with libqi (%s)"


def main(arguments=None):  # type: (list[str] | None) -> int
    """Run the command line and return the exit status: 0 fine, 1 failures or lint errors, 2 bad input, 130 Ctrl-C."""
    given = sys.argv[1:] if arguments is None else arguments
    is_talk = any(each.partition("=")[0] == "--talk" for each in given)
    options = None if is_talk or (given and given[0] in _COMMANDS) else cli.parse_options(given)
    try:
        if is_talk:
            return _run_command("--talk", given, _find_page_writer)
        if options is None:
            return _run_command(given[0], given[1:])
        return _lint(options) if options.lint else _show(options) if options.page else _run(options)
    except NaosimError as error:
        _print(sys.stderr, str(error))
        return FAILED if isinstance(error, Overrun) else _BAD_INPUT
    except KeyboardInterrupt:
        _print(sys.stderr, "interrupted")
        return _INTERRUPTED
    except (IOError, OSError) as error:
        if error.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        if error.errno == errno.ENOSPC:
            _print(sys.stderr, "the output cannot be written: no space is left on the device")
        if sys.stdout is sys.__stdout__ and sys.stdout is not None:
            # What is left of the output would be an error again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0 if error.errno == errno.EPIPE else _BAD_INPUT


def _lint(options):  # type: (Namespace) -> int
    with Robot() as robot:
        package = packages.read_package(options.file, robot.world.writable_folder)
        place = None if package is None else packages.choose_behaviour(package, options.behaviour)
        project = xar.parse(options.file if place is None else place.file)
        findings = judge(project) + (judge_for_target(project) if options.target else [])
        lost = packages.list_missing_files(package) if package is not None else []
    for finding in findings:
        _print(sys.stdout, "%-7s  %s: %s" % (finding.severity, finding.box, finding.sentence))
    for name in lost:
        _print(sys.stdout, "warning  %s: The file %s is listed and is not there." % (options.file, name))
    grave = ("error", "warning") if options.strict else ("error",)
    errors = sum(finding.severity in grave for finding in findings) + (len(lost) if options.strict else 0)
    _print(sys.stdout, "%d findings, %d of them errors" % (len(findings) + len(lost), errors))
    return FAILED if errors else 0


def _show(options):  # type: (Namespace) -> int
    try:
        # The page is in a higher package, which needs a newer Python and more libraries.
        command = importlib.import_module("naosim_page.command")  # type: Any
    except (ImportError, SyntaxError) as error:
        raise WrongUse(
            "--page needs Python 3.10 or newer and the extra page (%s): %s" % (install_command("page"), reason(error))
        )
    return int(command.show(options))


def _run_command(name, arguments, *more):  # type: (str, list[str], Any) -> int
    """Run a command of a higher package, which needs a newer Python."""
    try:
        command = importlib.import_module(_COMMANDS[name])  # type: Any
    except (ImportError, SyntaxError) as error:
        _print(sys.stderr, "naosim %s needs Python 3.10 or newer: %s" % (name, reason(error)))
        return _BAD_INPUT
    return int(command.main(arguments, *more))


def _find_page_writer():  # type: () -> Any
    # The page of talks is in a still higher package.
    return importlib.import_module("naosim_page.talk_report").write_page


def _run(options):  # type: (Namespace) -> int
    out = sys.stdout
    recording = load_recording(options.replay) if options.replay else None
    if recording is not None and is_watched(recording.header):
        return _print_watched(recording, options)
    if not options.file:
        raise WrongUse(cli.NO_FILE)
    if recording is not None:
        cli.restore_options(options, recording.header)

    transcript = cli.Transcript(options.verbose)
    services = packages.list_services(options.file) if "ALServiceManager" not in options.without else []
    has_services = bool(services) and json_server.can_serve()
    if services and not has_services:
        _print(sys.stderr, _NO_SERVICES % (", ".join(services), install_command("robot")))
    # Services are processes, which take real time.
    options.real_time = options.real_time or has_services

    def show(event):  # type: (Any) -> None
        for line in [event_as_line(event)] if options.json else transcript.lines(event):
            _print(out, line)

    with Robot(
        options.without,
        seed=options.seed,
        languages=options.languages,
        clock=_clock(options),
        strict=options.strict,
        camera=options.camera or None,
        robot_type=options.robot_type,
        naoqi=options.naoqi,
    ) as robot:
        robot.trace.listeners.append(show)
        behaviour = robot.load(options.file, options.rewrite, options.parameters, options.behaviour, options.dialogs)
        served = _serve_services(robot) if has_services else None
        recorder = Recorder(robot, **cli.list_kept_options(options)) if options.record else None
        status = FAILED
        try:
            _play(robot, behaviour, recording, options)
            if recorder is not None:
                recorder.close()
            status = _sum_up(robot, behaviour, options)
        except KeyboardInterrupt:
            status = _INTERRUPTED
            raise
        finally:
            if served is not None:
                served.close()
            if recorder is not None:
                recorder.close()
                recorder.write(options.record, status)
            for line in transcript.rest():
                _print(out, line)
        return status


def _print_watched(recording, options):  # type: (Recording, Namespace) -> int
    """Print the events of a recording of a robot that others drove."""
    transcript = cli.Transcript(options.verbose)
    for row in recording.acts:
        event = Event(row["time"], row["kind"], {name: row[name] for name in row if name not in ("time", "kind")})
        for line in [event_as_line(event)] if options.json else transcript.lines(event):
            _print(sys.stdout, line)
    for line in transcript.rest():
        _print(sys.stdout, line)
    return 0


def _serve_services(robot):  # type: (Robot) -> json_server.ServedRobot
    """Start a server for the services of the loaded package, and those that run for as long as the robot."""
    served = json_server.ServedRobot(robot)
    robot.world.need(PackageManager).adopt_package(robot.world.packages[robot.world.last_uploaded])
    robot.clock.call_soon(robot.world.need(ALServiceManager).start_autorun)
    return served


def _clock(options):  # type: (Namespace) -> Clock
    if options.threads or options.max_time is not None:
        return PreemptiveClock(options.real_time, share=options.threads, max_time=options.max_time)
    return Clock(options.real_time)


def _play(robot, behaviour, recording, options):  # type: (Robot, Behaviour, Recording | None, Namespace) -> None
    if recording is None:
        robot.start(behaviour)
        cli.give_answers(robot, options.answers, options.seconds)
        return
    if recording.header.get("checksum") != file_checksum(behaviour.project.path):
        _print(sys.stderr, "the behaviour has changed since it was recorded")
    if not replay_recording(robot, recording):
        _print(sys.stderr, "the robot did not do the same as when it was recorded")


def _sum_up(robot, behaviour, options):  # type: (Robot, Behaviour, Namespace) -> int
    if not behaviour.ended:
        why = "the time is up" if robot.clock.now() >= options.seconds else describe_awaited(robot.world)
        robot.stop(behaviour)
        if not options.json:
            _print(sys.stdout, "%7.1f s  stopped   %s" % (robot.clock.now(), why))
    for leak in robot.leaks(behaviour):
        _print(sys.stderr, "left behind: %s" % leak)
    for failure in behaviour.failures:
        _print(sys.stderr, "failure: %s" % failure)
    missing = sorted(robot.world.missing_joints.intersection(PEPPER.limits))
    if missing:
        _print(sys.stderr, "a %s has no joint %s: see --robot-type Pepper" % (robot.world.robot_type, missing[0]))
    told = behaviour.failures + [event.fields["message"] for event in robot.trace.of("warning")]
    for name in sorted(xar.LANGUAGE_CODES):
        if any("Unknown language: %r" % name in each for each in told):
            _print(sys.stderr, "this robot does not speak %s: see --language %s" % (name, name))
    for name in sorted(robot.world.lacking):
        if any(name in each for each in told):
            world = robot.world
            is_peppers = name in PEPPER_SERVICES
            owner = "a %s" % world.robot_type if is_peppers else "NAOqi %s" % world.naoqi
            option = "--robot-type Pepper" if is_peppers else "--naoqi"
            _print(sys.stderr, "%s has no %s: see %s" % (owner, name, option))
    return FAILED if behaviour.failures else 0


def _print(out, line):  # type: (Any, str) -> None
    """Print a line, with `?` for characters that the terminal cannot encode, and flush it for readers of a pipe."""
    if not PY2:
        encoding = getattr(out, "encoding", None) or "ascii"
        line = to_unicode(line).encode(encoding, "replace").decode(encoding)
    out.write(line + "\n")
    out.flush()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except WrongUse as error:
        sys.exit(str(error))
