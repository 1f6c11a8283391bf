"""`jotto robot doctor --report` and `--compare`: what a report has and never has, and what differs between two."""

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from directory_clients import client, until
from far_robots import Served, environment
from interpreters import ROOT
from programs import need_program

from naosim_robots import serve_robot
from naosim_robots.facts.table import read_facts, read_text
from naosim_robots.far.connection import Connection
from naosim_robots.libqi import qi
from naosim_robots.report import form
from naosim_robots.report.comparison import compare_reports
from naosim_robots.report.interview import Consent, Interview
from naosim_robots.serving import server as serving, signatures

NAME, SERIAL, ADDRESS, USER = "Hugos robot", "AL01ZZ98765A7F", "192.168.77.31", "hugo"
#: No part of these may be in a report.
SECRETS = ("hugo", "zz98765", "98765", "192.168", "168", "77, 31", "tr0ub4dor")
#: Rows that read what is planted, so that the robot's answer differs from the row.
PLANTED = """# Planted
=== planted-name: The name
on: any
kind: D
source: a test
ALSystem.robotName() -> "another"
=== planted-serial: The serial number
on: any
kind: D
source: a test
key Device/DeviceList/ChestBoard/BodyId -> absent
=== planted-address: The address, as text
on: any
kind: D
source: a test
key Planted/Address -> absent
=== planted-numbers: The address, as numbers
on: any
kind: D
source: a test
key Planted/Numbers -> absent
=== planted-error: An error with a name
on: any
kind: D
source: a test
ALMemory.getData("Planted/Error") -> 1
"""
CALM = Consent(speech=False, person=False)
ALL = Consent(speech=True, person=True)


class Door:
    """A service of an application."""

    def open(self):
        return True


NAMED = """# Named
=== robot-is-nao: Its name is nao
on: any
kind: D
source: a test
ALSystem.robotName() -> "nao"
"""


def few_facts():
    """Rows that are quick."""
    return [*(fact for fact in read_facts() if fact.id == "touch-sensor-list"), *read_text(NAMED)]


def report_on(directory, facts=(), consent=CALM, checks=None):
    """Return the report on a served robot, as it is read from its file."""
    connection = Connection(directory.url, patience=0.0)
    with contextlib.closing(connection):
        asked = Interview(connection, facts, consent, lambda deed: None)
        found = asked.ask_all(checks or {"volume": "ok"}, "0.1.0")
    assert form.read_text(form.write_text(found), "a file") == found
    return found


@pytest.fixture(scope="module")
def directory():
    with serve_robot(speed=100, languages=["English", "French"]) as found:
        yield found


@pytest.fixture(scope="module")
def healthy(directory):
    """Provide a report on a robot whose owner agrees to everything."""
    return report_on(directory, [*few_facts(), *read_text(PLANTED.replace("-> 1", "-> 2"))], ALL)


# What is in a report.


@pytest.mark.parametrize(("kind", "naoqi"), [("Nao", "2.1"), ("Pepper", "2.5"), ("Nao", "2.8")])
def test_our_own_robot_offers_what_the_table_has_and_equals_itself(kind, naoqi):
    """Takes seconds: twice ten sentences, not too fast, so that this computer's pace does not count."""
    with serve_robot(speed=20, robot_type=kind, naoqi=naoqi) as robot:
        found, again = (report_on(robot, few_facts(), ALL) for _ in range(2))
    assert compare_reports(found, again).differences == []
    services = found["services"]
    assert services["count"] > 70 and services["unnamed"] == 0
    assert not any(services[name] for name in ("missing", "additional", "members"))
    assert list(found["sentences"]) == list(form.SENTENCES) and min(found["sentences"].values()) > 0.2
    assert {said: each["heard"] for said, each in found["words"].items()} == {word: word for word in form.WORDS}
    assert found["versions"]["client"].split()[0] == qi.__name__
    assert found["temperatures"]["HeadYaw"].keys() == found["battery"].keys() == {"before", "after"}


def test_nothing_is_left_on_the_robot(directory):
    def seen():
        with client(directory.url) as session:
            speech, ears = session.service("ALTextToSpeech"), session.service("ALSpeechRecognition")
            names = sorted(row["name"] for row in session.services())
            return names, speech.getLanguage(), ears.getLanguage(), ears.getSubscribersInfo()

    with client(directory.url) as session:
        for name in ("ALTextToSpeech", "ALSpeechRecognition"):
            session.service(name).setLanguage("French")
    before = seen()
    found = report_on(directory, (), ALL)
    assert len(found["words"]) == len(form.WORDS) and seen() == before and before[1:3] == ("French", "French")


def test_no_name_address_number_or_user_gets_into_a_report(tmp_path, monkeypatch):
    monkeypatch.setenv("USER", USER)
    monkeypatch.setenv("JOTTO_ROBOT_USER", USER)
    with serve_robot(speed=100) as robot, client(robot.url) as session, client(robot.url) as owner:
        memory = session.service("ALMemory")
        session.service("ALSystem").setRobotName(NAME)
        for key, value in {
            "Device/DeviceList/ChestBoard/BodyId": SERIAL,
            "RobotConfig/Head/FullHeadId": SERIAL,
            "Planted/Address": f"tcp://{ADDRESS}:9559",
            "Planted/Numbers": [192, 168, 77, 31],
        }.items():
            memory.insertData(key, value)
        robot.robot.inject({"raising": {"ALMemory.getData": [f"{USER}@{ADDRESS}: {NAME} {SERIAL}", -1]}}).result(10)
        owner.registerService("HugosDoor", Door())
        facts = [*read_facts(), *read_text(PLANTED)]
        text = form.write_text(report_on(robot, facts))
    found = form.read_text(text, "a file")
    differing = {name: each["came"] for name, each in found["facts"].items() if each["state"] == "differs"}
    assert {"planted-name", "planted-error"} <= set(differing) and found["services"]["unnamed"] == 1
    assert [secret for secret in SECRETS if secret in text.lower()] == []
    # The same without the error, so that the values themselves come.
    with serve_robot(speed=100) as robot, client(robot.url) as session:
        memory = session.service("ALMemory")
        memory.insertData("Device/DeviceList/ChestBoard/BodyId", SERIAL)
        memory.insertData("Planted/Address", f"tcp://{ADDRESS}:9559")
        memory.insertData("Planted/Numbers", [192, 168, 77, 31])
        text = form.write_text(report_on(robot, read_text(PLANTED)))
    states = {name: each["state"] for name, each in form.read_text(text, "a file")["facts"].items()}
    assert list(states.values()).count("differs") == 5
    assert [secret for secret in SECRETS if secret in text.lower()] == []


def plant(value, secret):
    """Yield copies of a report, each with a secret in another place, or beside its other entries."""
    if isinstance(value, dict):
        yield {**value, secret: secret}
        for name, each in value.items():
            yield from ({**value, name: planted} for planted in [secret, *plant(each, secret)])
    elif isinstance(value, list):
        yield [*value, secret]
        yield from ([*value[:number], *value[number + 1 :], secret] for number in range(len(value)))
    else:
        yield secret


@pytest.mark.parametrize("secret", [NAME, SERIAL + "-1", ADDRESS, "nao.local", "00:13:95:0a:1b:2c", "hugo@home"])
def test_the_whitelist_drops_what_has_no_place_in_a_report(healthy, secret):
    # A step is a line of our own table, and what came is masked before.
    facts = {name: {"state": each["state"]} for name, each in healthy["facts"].items()}
    copies = list(plant({**healthy, "facts": facts}, secret))
    assert len(copies) > 100
    assert [copy for copy in copies if secret in form.write_text(copy)] == []


def test_the_file_is_for_people_too(directory, healthy):
    text = form.write_text({**healthy, "checks": {"volume": "ok", "package": "lacks"}})
    head = text.partition("```")[0]
    assert head.startswith("# A report on a robot\n") and "Nothing was sent" in head
    for row in (
        "| robot | simulated NAO, NAOqi 2.8.6.23 |",
        "| checks | 1 ok, 1 lacks |",
        "| languages | speaks English, French; understands English, French |",
        "compared with our table: the same |",
        "| ten words of yours | 10 of 10 understood, the least confidence 0.90 |",
        "| battery | 100 % before, 100 % after |",
    ):
        assert row in head, head
    refused = form.write_text(report_on(directory))
    assert "| ten sentences | the owner was not asked, or did not agree |" in refused


def test_the_issue_form_and_the_pages_for_owners_exist():
    assert "\nname: My robot\n" in "\n" + (ROOT / ".github/ISSUE_TEMPLATE/my-robot.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs/on-a-robot.md").read_text(encoding="utf-8")
    assert "\n## A report on your robot\n" in page and "(seen-on.md)" in page
    # The first report comes with its line; then this changes.
    assert "**There is none yet.**" in (ROOT / "docs/seen-on.md").read_text(encoding="utf-8")


# Two reports.


class Weak(serving.RobotServer):
    """A robot that hears its person badly."""

    def _act(self, verb, args, _client):
        return super()._act(verb, [*args, 0.4] if verb == "hear" else args, _client)


def test_each_of_many_planted_differences_is_named(healthy, monkeypatch):
    def methods(service):
        rows = signatures.methods(service)
        if service == "ALBattery":
            return tuple(row for row in rows if row.name != "getBatteryCharge")
        if service == "ALTouch":
            return tuple(row._replace(returns="m") if row.name == "getSensorList" else row for row in rows)
        return rows

    monkeypatch.setattr(serving, "methods", methods)
    monkeypatch.setattr(serving, "RobotServer", Weak)
    options = {"languages": ["English", "Italian"], "without": ["ALSonar"], "faults": {"mishear": {"two": "three"}}}
    with serve_robot(speed=100, **options) as robot, client(robot.url) as session, client(robot.url) as other:
        session.service("ALTextToSpeech").setParameter("speed", 55.0)
        session.service("ALSystem").setRobotName("another")
        session.service("ALMemory").insertData("Device/SubDeviceList/HeadYaw/Temperature/Sensor/Value", "hot")
        for name in ("ALSomethingNew", "MyGame"):
            other.registerService(name, Door())
        faulty = report_on(robot, few_facts(), ALL, {"volume": "lacks"})
    # The other rows tell nothing here.
    healthy = {**healthy, "facts": {name: healthy["facts"][name] for name in faulty["facts"]}}
    # No served robot has another version; its text in the report is the robot's.
    faulty["versions"]["naoqi"] = "2.8.7.4"
    differences = compare_reports(healthy, faulty).differences
    expected = [
        "NAOqi: was 2.8.6.23, now 2.8.7.4",
        "check volume: was ok, now lacks",
        "languages: speaks English, French, now English, Italian",
        "languages: understands English, French, now English, Italian",
        'fact robot-is-nao: was holds, now differs (came "…")',
        "service ALSonar: is not there now",
        "service ALSomethingNew: is there now",
        "services of applications: were 0, now 1",
        "member ALBattery.getBatteryCharge: is missing now",
        "member ALTouch.getSensorList: signature was as in our table, now method getSensorList() -> m",
        "word two: was heard as two, now as three",
        "confidence: the mean was 0.90, now 0.40",
        "battery: was told, now not told",
        "temperature of HeadYaw: was told, now not told",
    ]
    speech = [line for line in differences if line.startswith("speech: the median sentence takes 1.")]
    assert len(speech) == 1 and sorted(differences) == sorted([*expected, *speech])
    # In the other direction each is named, too.
    assert len(compare_reports(faulty, healthy).differences) == len(differences)


@pytest.mark.parametrize(
    ("part", "before", "after", "differing", "remarked"),
    [
        ("sentences", {"Hello.": 1.0}, {"Hello.": 1.1}, 0, 0),
        ("sentences", {"Hello.": 1.0}, {"Hello.": 1.2}, 1, 0),
        ("sentences", {"Hello.": 1.2}, {"Hello.": 1.0}, 1, 0),
        ("sentences", dict.fromkeys(form.SENTENCES, 1.0), dict.fromkeys(form.SENTENCES, 1.0) | {"Hello.": 3.0}, 0, 1),
        ("sentences", {"Hello.": 1.0}, {}, 0, 1),
        ("words", {"yes": {"heard": "yes", "confidence": 0.6}}, {"yes": {"heard": "yes", "confidence": 0.5}}, 0, 0),
        ("words", {"yes": {"heard": "yes", "confidence": 0.6}}, {"yes": {"heard": "nothing"}}, 1, 0),
        ("battery", {"before": 90, "after": 89}, {"before": 30, "after": 29}, 0, 1),
        ("battery", {"before": 90, "after": 89}, {"before": 90, "after": 80}, 1, 0),
        ("temperatures", {"Head": {"before": 40, "after": 42}}, {"Head": {"before": 60, "after": 63}}, 0, 1),
        ("temperatures", {"Head": {"before": 40, "after": 42}}, {"Head": {"before": 40, "after": 60}}, 1, 0),
        ("facts", {"a-row": {"state": "holds"}}, {"a-row": {"state": "left out"}}, 0, 1),
        ("facts", {"a-row": {"state": "missing"}}, {"a-row": {"state": "holds"}}, 1, 0),
        ("checks", {"voice": "ok"}, {"voice": "ok", "another": "ok"}, 0, 0),
        ("checks", {"voice": "ok"}, {"voice": "lacks"}, 1, 0),
        ("sentences", {"Hello.": -1, "Yes!": 1}, {"Hello.": 1, "Yes!": 1}, 0, 0),
        ("versions", {"client": "qi 3.1.5"}, {"client": "qiwire"}, 0, 1),
    ],
)
def test_what_varies_by_nature_is_no_difference(part, before, after, differing, remarked):
    found = compare_reports({"form": 1, part: before}, {"form": 1, part: after})
    assert (len(found.differences), len(found.remarks)) == (differing, remarked), found


# The command.


@pytest.fixture
def quick(monkeypatch):
    """Let the command run a few rows only."""
    facts = few_facts()
    monkeypatch.setattr("naosim_robots.facts.table.read_facts", lambda: facts)


def test_without_a_terminal_nothing_is_asked(cli, directory, quick, tmp_path):
    code, out, err = cli("robot", "doctor", "--robot", directory.url, "--report", "nao.md", typed="y\ny\n")
    assert (code, err) == (0, "")
    found = form.read_text((tmp_path / "nao.md").read_text(encoding="utf-8"), "nao.md")
    assert found["left_out"] == {"sentences": form.NOT_AGREED, "words": form.NOT_AGREED}
    assert found["checks"]["package"] == "lacks" and found["checks"]["voice"] == "ok"
    assert "It is in 'nao.md'" in out and "Nothing was sent" in out and "form 'My robot'" in out
    code, out, err = cli("robot", "doctor", "--robot", directory.url, "--compare", "nao.md")
    assert (code, err) == (0, "") and out.splitlines()[-1] == "Nothing differs from 'nao.md'."
    code, out, err = cli("robot", "doctor", "--robot", directory.url, "--report", "b.md", "--json")
    assert (code, err) == (0, "") and json.loads(out) == form.read_text(Path("b.md").read_text("utf-8"), "b.md")
    with client(directory.url) as session:
        session.service("ALSystem").setRobotName("another")
        compared = cli("robot", "doctor", "--robot", directory.url, "--compare", "nao.md", "--json")
        session.service("ALSystem").setRobotName("nao")
    assert compared[0] == 1 and len(json.loads(compared[1])["differences"]) == 1


def test_a_robot_that_cannot_play_gets_its_verdict_with_a_report(cli, quick):
    with serve_robot(without=["ALTextToSpeech"]) as mute:
        code, out, err = cli("robot", "doctor", "--robot", mute.url, "--report", "mute.md")
        assert (code, err) == (1, "")
        assert "\nNAO cannot play on this robot until that is repaired" in out and "It is in 'mute.md'" in out
        code, out, err = cli("robot", "doctor", "--robot", mute.url, "--compare", "mute.md")
        assert (code, err) == (1, "") and out.splitlines()[-1] == "Nothing differs from 'mute.md'."
        code, out, err = cli("robot", "doctor", "--robot", mute.url, "--report", "b.md", "--json")
        assert (code, err, out.count("\n")) == (1, "", 1)


def test_wrong_files_are_refused_before_the_robot_is_asked(cli, tmp_path):
    (tmp_path / "there.md").write_text("mine")
    (tmp_path / "deep.md").write_text("\n```json\n" + "[" * 100_000 + "\n```\n")
    for options, said in (
        (("--report", "there.md"), "'there.md' is there already: give a new name, or compare with it"),
        (("--report", "/dev/full/a.md"), "'/dev/full/a.md' cannot be written"),
        (("--compare", "there.md"), '"there.md" is not a report on a robot'),
        (("--compare", "deep.md"), '"deep.md" is not a report on a robot'),
        (("--compare", "gone.md"), "The report 'gone.md' cannot be read"),
    ):
        assert said in cli.refusal("robot", "doctor", "--robot", "tcp://127.0.0.1:1", *options)
    assert (tmp_path / "there.md").read_text() == "mine"


def test_a_robot_that_goes_away_and_a_full_disk_leave_no_file(cli, quick, tmp_path, monkeypatch):
    with Served() as far:

        def fill(_handle):
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as full:
            full.setattr("jotto_desk.files.os.fsync", fill)
            code, _, err = cli("robot", "doctor", "--robot", far.url, "--report", "a.md")
        assert (code, err) == (2, "'a.md' cannot be written (no space left on device); choose another place.\n")
        ask = Interview._compare_facts

        def kill(self):
            far.kill()
            return ask(self)

        monkeypatch.setattr(Interview, "_compare_facts", kill)
        code, _, err = cli("robot", "doctor", "--robot", far.url, "--report", "a.md")
    assert (code, err.count("\n")) == (2, 1) and "went away" in err and "there is no report" in err
    assert list(tmp_path.glob("*.md")) == [] and list(tmp_path.glob(".*.part")) == []


def run_at_terminal(url, folder, answers, *options, stop=""):
    """Run the doctor at a pseudo-terminal and answer its questions; return exit code and output.

    With `stop`, press Ctrl-C when this text has come.
    """
    need_program("pty")
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "jotto_desk", "robot", "doctor", "--robot", url, *options]
    pipes = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(command, cwd=folder, env=environment(), start_new_session=True, **pipes) as process:
        os.close(theirs)
        out, answered, is_stopped = "", 0, False
        with contextlib.suppress(OSError):
            while more := os.read(ours, 10_000):
                out += more.decode("utf-8", "replace")
                while answered < min(out.count("[y/N]"), len(answers)):
                    os.write(ours, answers[answered].encode() + b"\n")
                    answered += 1
                if stop and stop in out and not is_stopped:
                    process.send_signal(signal.SIGINT)
                    is_stopped = True
        os.close(ours)
        return process.wait(60), out


def test_an_owner_at_a_terminal_is_asked_first(tmp_path):
    """Takes seconds: the whole table, at a real robot's pace of events."""
    with serve_robot(speed=100) as robot:
        code, out = run_at_terminal(robot.url, tmp_path, "nn", "--report", "no.md")
        assert code == 0 and "May the robot speak" in out and "Will you say 10 words" in out
        found = form.read_text((tmp_path / "no.md").read_text(encoding="utf-8"), "no.md")
        assert found["left_out"].keys() == {"sentences", "words"}
        code, out = run_at_terminal(robot.url, tmp_path, "ny", "--report", "yes.md")
        assert code == 0
        found = form.read_text((tmp_path / "yes.md").read_text(encoding="utf-8"), "yes.md")
        assert found["left_out"] == {"sentences": form.NOT_AGREED} and len(found["words"]) == len(form.WORDS)
        code, out = run_at_terminal(robot.url, tmp_path, "yy", "--report", "stopped.md", stop="facts")
        assert code == 130 and "Stopped." in out and not (tmp_path / "stopped.md").exists()
        with client(robot.url) as session:
            assert until(lambda: session.service("ALSpeechRecognition").getSubscribersInfo() == [])


def test_the_owner_of_a_real_robot_is_told_what_to_do():
    told = []
    with Served(options=["real"]) as far:
        connection = Connection(far.url, patience=0.0)

        def tell(deed):
            told.append(deed)
            far.person("hear", deed.removeprefix("say "))

        with contextlib.closing(connection):
            found = Interview(connection, (), Consent(person=True), tell).ask_all({}, "0.1.0")
    assert told == [f"say {word}" for word in form.WORDS] and found["robot"]["is_simulated"] is False
    assert {each["heard"] for each in found["words"].values()} == set(form.WORDS)
    assert found["words"]["yes"]["confidence"] == 0.8 and found["left_out"] == {"sentences": form.NOT_AGREED}


@pytest.mark.parametrize(
    ("options", "left_out"),
    [
        ({"languages": ["Italian"]}, {"sentences": form.NO_ENGLISH, "words": form.NO_ENGLISH}),
        ({"faults": {"grammar": 100}}, {"words": form.REFUSED}),
        ({"without": ["ALTextToSpeech"]}, {"sentences": form.NO_SERVICE}),
        ({"without": ["ALSpeechRecognition"]}, {"words": form.NO_SERVICE}),
    ],
)
def test_what_a_robot_cannot_do_is_left_out(options, left_out):
    with serve_robot(speed=100, **options) as robot:
        assert report_on(robot, (), ALL)["left_out"] == left_out


def test_the_robots_own_subscribers_are_no_other_program():
    with serve_robot(speed=100, robot_type="Pepper", naoqi="2.5") as robot, client(robot.url) as session:
        session.service("ALAutonomousLife").setState("interactive")
        assert session.service("ALSpeechRecognition").getSubscribersInfo()
        found = report_on(robot, (), Consent(speech=False, person=True))
        assert "words" not in found["left_out"] and len(found["words"]) == 10


def test_ears_that_refuse_a_subscriber_are_left_out_at_once(directory, monkeypatch):
    ask = Connection.ask

    def refuse(connection, service, method, *args):
        if method == "subscribe":
            raise RuntimeError("no")
        return ask(connection, service, method, *args)

    monkeypatch.setattr(Connection, "ask", refuse)
    found = report_on(directory, (), ALL)
    assert (found["words"], found["left_out"]) == ({}, {"words": form.REFUSED})


@pytest.mark.parametrize("number", ["1" + "0" * 400, "NaN", "Infinity", "-1e300"])
def test_a_number_that_no_robot_tells_is_dropped(number):
    text = f'{form._BEGIN}{{"form": 1, "sentences": {{"Hello.": {number}, "Yes!": 1.5}}}}{form._END}'
    assert form.read_text(text, "x") == {"form": 1, "sentences": {"Yes!": 1.5}}


@pytest.mark.parametrize("text", ["171 234 567", "[48.137, 11.575]", "4812", "192 168 1"])
def test_numbers_that_tell_who_or_where_are_masked(text):
    assert not any(sign.isdigit() for sign in form.mask_words(text, frozenset()))


def test_ears_that_another_program_uses_are_left_alone(directory):
    with client(directory.url) as session:
        ears = session.service("ALSpeechRecognition")
        ears.subscribe("SomeApp")
        found = report_on(directory, (), ALL)
        assert [row[0] for row in ears.getSubscribersInfo()] == ["SomeApp"]
        ears.unsubscribe("SomeApp")
    assert found["left_out"] == {"words": form.IN_USE} and found["words"] == {}
