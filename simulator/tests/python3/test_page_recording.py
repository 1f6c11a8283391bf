"""The recording of a page's robot: acts with the behaviour's file, or events; limits and files."""

import base64
import io
import json
import zipfile
from concurrent.futures import Future

import naosim_xar_writer as w
import pytest
from interpreters import ROOT

from naosim.errors import WrongUse
from naosim.recording import NotARecording
from naosim.world import Event
from naosim_page import recording
from naosim_page.command import RECORDING_ROBOT, load_behaviour
from naosim_page.recording import PageRecording, describe_source, keep_recording, read_acts
from naosim_robots.futures import make_failed_future
from naosim_robots.hosting import HostedRobot, RobotGone

GREETING = ROOT / "docs" / "greeting"


class Robot:
    """A robot whose program has recorded these acts, or that is gone."""

    def __init__(self, acts=None):
        self._acts = acts

    def ask(self, verb):
        assert verb == "recording"
        if self._acts is None:
            return make_failed_future(RobotGone("gone"))
        answer = Future()
        answer.set_result(self._acts)
        return answer


def hello(recorded):
    recorded.note(Event(0.5, "say", {"text": "Hello"}))
    return recorded.lines()


def test_acts_are_recorded_and_events_if_others_drive_the_robot_or_it_is_gone():
    event = '{"kind": "say", "text": "Hello", "time": 0.5}'
    acts = ['{"recording": 1}', "{}"]
    assert hello(PageRecording(Robot(acts), {"home": "x"})) == ['{"recording": 1, "file": {"home": "x"}}', "{}"]
    watched = '{"options": {}, "recording": 1, "watched": true}'
    assert hello(PageRecording(Robot(acts), None)) == [watched, event]
    assert hello(PageRecording(Robot(), {"home": "x"})) == [watched, event]


def test_the_oldest_events_of_a_long_run_are_dropped(monkeypatch):
    monkeypatch.setattr(recording, "_MAX_CHARACTERS", 1000)
    recorded = PageRecording(Robot(), None)
    for number in range(100):
        recorded.note(Event(number, "say", {"text": "Hello"}))
    lines = recorded.lines()
    assert 800 < sum(map(len, lines[1:])) <= 1000 and json.loads(lines[-1])["time"] == 99


def test_a_recording_has_its_behaviour_unless_that_is_large(tmp_path, monkeypatch):
    (tmp_path / "a.xar").write_bytes(b"<a/>")
    content = base64.b64encode(b"<a/>").decode()
    assert describe_source(str(tmp_path / "a.xar")) == {"name": "a.xar", "behaviour": "", "content": content}
    for path in (GREETING, GREETING / "greeting.pml"):
        found = describe_source(str(path), "behavior_1")
        assert (found["name"], found["behaviour"]) == ("greeting.zip", "behavior_1")
        packed = zipfile.ZipFile(io.BytesIO(base64.b64decode(found["content"])))
        assert "greeting/behavior_1/behavior.xar" in packed.namelist()
    with pytest.raises(WrongUse, match="cannot read"):
        describe_source(str(tmp_path / "nowhere.xar"))
    for limit in ("_MAX_SOURCE_BYTES", "_MAX_KEPT_BYTES"):
        monkeypatch.setattr(recording, limit, 3)
        assert describe_source(str(tmp_path / "a.xar")) == {"name": "a.xar", "behaviour": ""}


def test_a_recording_is_written_at_the_end_and_read_with_its_behaviour(tmp_path):
    path = tmp_path / "ask.xar"
    path.write_bytes(w.one_box(w.on_start("ALProxy('ALTextToSpeech').say('Hello')"), "Ask"))
    file = tmp_path / "run.jsonl"
    with HostedRobot(speed=50, module=RECORDING_ROBOT) as robot:
        load_behaviour(robot, str(path))
        with keep_recording(PageRecording(robot, {"home": "x"}), str(file)):
            robot.ask("start").result(20)
            robot.person("touch", "FrontTactilTouched").result(20)
    header, *acts = map(json.loads, read_acts(str(file)))
    assert header["file"] == {"home": "x"} and [act["act"] for act in acts] == ["start", "touch", "end"]
    header, *_ = map(json.loads, read_acts(str(file), str(path)))
    assert header["file"] == describe_source(str(path))
    with pytest.raises(WrongUse, match="cannot write"), keep_recording(None, str(tmp_path / "no" / "file")):
        raise AssertionError("it was begun")
    file.write_text("\n".join(hello(PageRecording(Robot(), None))))
    assert json.loads(read_acts(str(file))[1]) == {"kind": "say", "text": "Hello", "time": 0.5}
    file.write_text("Hello")
    with pytest.raises(NotARecording, match="is damaged"):
        read_acts(str(file))
