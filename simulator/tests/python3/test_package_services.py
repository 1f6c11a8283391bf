"""Services of packages: processes that run beside the robot, are said to run when they do, and end with it."""

import os

import naosim_xar_writer as w
import package_files as kit
import pytest
from directory_clients import client, until

from naosim import Robot, json_server
from naosim.__main__ import main
from naosim_robots import serve_robot

COUNTER = """
import os, sys
import qi
class Counter(object):
    def __init__(self):
        self.count = 0
    def add(self, number):
        self.count += number
        return self.count
    def process(self):
        return os.getpid()
    def fail(self):
        os._exit(3)
app = qi.Application(sys.argv)
app.start()
app.session.registerService("Counter", Counter())
print("counts in " + os.path.basename(os.getcwd()))
app.run()
"""
FILES = {
    "scripts/counter.py": COUNTER,
    "scripts/brief.py": "print('hello'); print('x' * 5000)",
    "scripts/bad.py": "raise SystemExit('no way')",
    "bin/plain": "plain",
}
SERVICES = {
    "counter": "/usr/bin/python2 scripts/counter.py --qi-url tcp://nao.local",
    "brief": "python scripts/brief.py",
    "bad": "/usr/bin/python2.7 scripts/bad.py",
    "missing": "/usr/bin/python2 scripts/nothing.py",
    "outside": "/bin/true",
    "plain": "bin/plain",
    "empty": " ",
    "quotes": "python 'x",
}


def package(path, *names):
    """Write a package with services and no behaviour; the first one starts with the package."""
    row = '<service name="%s" execStart="%s" autorun="%s"/>'
    services = "".join(row % (name, SERVICES[name], str(name == "counter").lower()) for name in names)
    text = kit.manifest("tools", behaviours=(), more=f"<services>{services}</services>")
    return kit.write(path, [("manifest.xml", text), *FILES.items()])


class Served:
    def __init__(self, directory, session):
        self.robot, self.session, self.events = directory.robot, session, []
        self.robot.watch(self.events.append)

    def ask(self, service, method, *args):
        return self.robot.call(service, method, args).result(30)

    def notes(self, name, kind="service", field="text"):
        return [
            each.fields[field]
            for each in list(self.events)
            if each.kind == kind and f"tools.{name}" in (each.fields.get("name"), each.fields.get("where"))
        ]

    def counter(self):
        """Wait for the service that the package's process registers."""
        until(lambda: "Counter" in [row["name"] for row in self.session.services()])
        return self.session.service("Counter")


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    """Provide one robot for all stories, with the package installed: starting one takes seconds."""
    with serve_robot() as directory, client(directory.url) as session:
        made = Served(directory, session)
        assert (
            made.ask("PackageManager", "install", package(tmp_path_factory.mktemp("p") / "tools.pkg", *SERVICES))
            is True
        )
        yield made


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_autorun_service_runs_from_the_installation_on_and_is_stopped_and_started(robot):
    before = robot.counter().add(0)
    assert robot.counter().add(3) == before + 3
    assert robot.ask("ALServiceManager", "isServiceRunning", "tools.counter") is True
    assert robot.ask("ALServiceManager", "startService", "tools.counter") is False
    rows = [row for row in robot.ask("ALServiceManager", "services") if row[4] == "tools"]
    assert [row[1] for row in rows] == sorted(f"tools.{name}" for name in SERVICES)
    assert rows[0] == robot.ask("ALServiceManager", "service", rows[0][1])
    assert robot.ask("ALServiceManager", "stopService", "expressivity.basicawareness") is True
    assert robot.ask("ALServiceManager", "service", "expressivity.basicawareness")[:2] == [
        False,
        "expressivity.basicawareness",
    ]
    assert robot.ask("ALServiceManager", "startService", "expressivity.basicawareness") is True
    until(lambda: robot.notes("counter")[-2:] == ["is started", "counts in tools"])
    process = robot.counter().process()
    assert robot.ask("ALServiceManager", "stopService", "tools.counter") is True
    assert robot.ask("ALServiceManager", "isServiceRunning", "tools.counter") is False
    assert robot.ask("ALServiceManager", "stopService", "tools.counter") is False
    assert not is_alive(process)
    until(lambda: "Counter" not in [row["name"] for row in robot.session.services()])
    assert robot.ask("ALServiceManager", "startService", "tools.counter") is True
    assert robot.counter().add(1) == 1


def test_a_service_that_dies_is_said_so_and_started_again(robot):
    process = robot.counter().process()
    with pytest.raises(RuntimeError):
        robot.counter().fail()
    until(lambda: "The service ended with status 3 and is started again." in robot.notes("counter", "error", "message"))
    until(lambda: not is_alive(process))
    until(lambda: "Counter" in [row["name"] for row in robot.session.services()])
    assert robot.ask("ALServiceManager", "isServiceRunning", "tools.counter") is True


def test_a_service_that_always_dies_is_given_up(robot):
    robot.ask("ALServiceManager", "start", "tools.bad")
    ended = "The service ended with status 1 and is "
    until(lambda: f"{ended}not started again." in robot.notes("bad", "error", "message"))
    assert not robot.ask("ALServiceManager", "isServiceRunning", "tools.bad")
    assert robot.notes("bad") == ["is started"] + 6 * ["no way"]
    assert robot.notes("bad", "error", "message") == [*5 * [f"{ended}started again."], f"{ended}not started again."]


def test_a_service_that_ends_by_itself_has_ended(robot):
    robot.ask("ALServiceManager", "startService", "tools.brief")
    until(lambda: not robot.ask("ALServiceManager", "isServiceRunning", "tools.brief"))
    shown = [len(text) if "x" in text else text for text in robot.notes("brief")]
    assert shown == ["is started", "hello", 2000, 2000, 1000, "has ended"]


def test_what_cannot_be_started_is_said_so(robot):
    for name, reason in (
        ("tools.missing", "The package has no file scripts/nothing.py."),
        ("tools.outside", "Its command needs /bin/true, which is not in the package."),
        ("tools.empty", "Its manifest gives no command (execStart)."),
        ("tools.quotes", "cannot be read: No closing quotation."),
        ("tools.none", "Service tools.none is not installed. Known: expressivity."),
    ):
        with pytest.raises(RuntimeError) as raised:
            robot.ask("ALServiceManager", "startService", name)
        assert reason in str(raised.value)
        assert robot.ask("ALServiceManager", "isServiceRunning", name) is False
    robot.ask("ALServiceManager", "startService", "tools.plain")
    until(lambda: not robot.ask("ALServiceManager", "isServiceRunning", "tools.plain"))
    assert any(text.startswith("Cannot run ") for text in robot.notes("plain"))


def test_services_end_with_their_package_and_with_the_robot(tmp_path):
    """Takes seconds: a robot of its own, whose end is looked at."""
    with serve_robot() as directory, client(directory.url) as session:
        robot = Served(directory, session)
        path = package(tmp_path / "tools.pkg", "counter")
        robot.ask("PackageManager", "install", path)
        first = robot.counter().process()
        robot.ask("PackageManager", "removePkg", "tools")
        assert not is_alive(first)
        robot.ask("PackageManager", "install", path)
        until(lambda: "Counter" in [each["name"] for each in session.services()])
        second = robot.counter().process()
        assert robot.robot.person("state").result(30)["open"] == []
    until(lambda: not is_alive(second))


def test_a_robot_that_is_not_served_says_what_services_need(tmp_path):
    with Robot(home=str(tmp_path / "apps")) as robot:
        robot.service("PackageManager").install(package(tmp_path / "tools.pkg", "counter"))
        services = robot.service("ALServiceManager")
        with pytest.raises(RuntimeError, match=r"naosim_robots\.serve_robot"):
            services.startService("tools.counter")
        assert services.isServiceRunning("tools.counter") is False


def test_a_behaviour_that_runs_alone_has_the_services_of_its_package(tmp_path, capsys, monkeypatch):
    service = """
import sys
import qi
app = qi.Application(sys.argv)
app.start()
app.session.service("ALMemory").raiseEvent("Counter/Counted", 3)
app.run()
"""
    waiting = w.script("""
    def onLoad(self):
        ALProxy("ALMemory").subscribeToEvent("Counter/Counted", self.getName(), "onCounted")
    def onUnload(self):
        ALProxy("ALMemory").unsubscribeToEvent("Counter/Counted", self.getName())
    def onCounted(self, key, value, message):
        ALProxy("ALTextToSpeech").say("counted %s" % value)
        self.onStopped()
    def onInput_onStart(self):
        self.logger.info(str(ALProxy("ALServiceManager").services()))
""")
    (tmp_path / "behavior_1").mkdir()
    (tmp_path / "behavior_1/behavior.xar").write_bytes(w.one_box(waiting))
    (tmp_path / "counter.py").write_text(service)
    services = '<services><service name="counter" execStart="python counter.py" autorun="true"/></services>'
    contents = '<contents><behaviorContent path="behavior_1"/></contents>'
    (tmp_path / "manifest.xml").write_text(f'<package uuid="tools" version="1.0">{contents}{services}</package>')
    assert main([str(tmp_path), "--seconds", "20"]) == 0
    out = capsys.readouterr().out
    assert (
        "'tools.counter', 'python counter.py', True, 'tools']" in out
        and "tools.counter: is started" in out
        and "counted 3" in out
    )
    monkeypatch.setattr(json_server, "can_serve", lambda: False)
    assert main([str(tmp_path)]) == 0
    assert "not started (counter): they need Python 3.10" in capsys.readouterr().err
