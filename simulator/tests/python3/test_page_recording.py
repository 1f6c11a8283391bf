"""Recordings of pages: states and events by time, files, damaged files, and a robot that shows a recording."""

import asyncio
import json
import random

import naosim_xar_writer as w
import pytest

from naosim import recording
from naosim.errors import WireError, WrongUse
from naosim.robot import Robot
from naosim.world import Event
from naosim_page import recording as recordings, recording_file
from naosim_page.command import load_behaviour
from naosim_page.recorded import RecordedPlace
from naosim_page.recording import Recording, StateCursor
from naosim_page.relay import Relay
from naosim_robots.hosting import HostedRobot


def small():
    """Make a recording of a few moments."""
    recording = Recording("A <title>")
    recording.add_state(0.5, {"posture": "Stand", "memory/Key": "1"})
    recording.add_event(Event(0.7, "say", {"text": "Hello"}))
    recording.add_state(1.0, {"memory/Key": "2", "memory/Other": '"<b>"'})
    recording.add_state(2.0, {"posture": "Sit"}, ["memory/Other"])
    return recording


def test_the_state_of_every_moment_is_found_in_any_order(monkeypatch):
    monkeypatch.setattr(recordings, "SEGMENT_S", 3.0)
    monkeypatch.setattr(recordings, "MAX_CHANGES", 7)
    dice, recording, states, now = random.Random(3), Recording(), [], {}
    for step in range(200):
        values = {f"memory/{dice.randrange(6)}": str(dice.randrange(4)) for _ in range(dice.randrange(3))}
        gone = [name for name in list(now) if dice.random() < 0.1 and name not in values]
        recording.add_state(step / 4, values, gone)
        now = {name: value for name, value in {**now, **values}.items() if name not in gone}
        states.append(now)
    again = recording_file.read_recording(recording_file.encode_recording(recording))
    for each in (recording, again):
        cursor = StateCursor(each)
        begins = next(step for step, state in enumerate(states) if state)
        for _ in range(300):
            step = dice.randrange(begins, 200)
            cursor.move(step / 4 + 0.1)
            assert cursor.state == states[step]


@pytest.mark.parametrize("apart, keys", [(0.001, 2000), (21.0, 300)])
def test_a_recording_grows_with_the_number_of_changes(apart, keys):
    def size(count):
        recording = Recording()
        for number in range(count):
            recording.add_state(number * apart, {f"memory/{number}": "1"})
        return recording.size

    # Twice as many keys take about twice the size, although every segment begins with the whole state.
    assert size(2 * keys) < 2.5 * size(keys)


def test_a_file_holds_the_recording():
    recording, unchanged = small(), small()
    assert not unchanged.add_state(3.0, {"posture": "Sit", "memory/Key": "2"}, ["memory/Unknown"])
    assert unchanged.size == recording.size and unchanged.ends == 3.0
    again = recording_file.read_recording(recording_file.encode_recording(recording))
    assert (again.title, again.begins, again.ends, again.is_whole) == ("A <title>", 0.5, 2.0, True)
    assert again.state == recording.state and recording_file.encode_recording(again) == recording_file.encode_recording(
        recording
    )
    assert [event.fields for event in again.events(0, 9)] == [{"text": "Hello"}]


def test_the_oldest_moments_of_a_long_recording_are_dropped(monkeypatch):
    monkeypatch.setattr(recordings, "MAX_BYTES", 20_000)
    monkeypatch.setattr(recordings, "SEGMENT_S", 1.0)
    recording = Recording()
    for step in range(400):
        recording.add_state(step / 4, {"memory/Key": json.dumps("x" * 100 + str(step))})
        recording.add_event(Event(step / 4, "say", {"text": f"line {step}"}))
    assert recording.size <= 20_000 and not recording.is_whole and recording.begins > 50
    assert recording.events(0, 10_000)[0].time >= recording.begins and recording.events(0, 10_000)[-1].time == 99.75
    again = recording_file.read_recording(recording_file.encode_recording(recording))
    assert not again.is_whole and again.begins == recording.begins


def test_a_damaged_file_is_refused_in_a_sentence():
    lines = recording_file.encode_recording(small()).decode().splitlines()

    def changed(place, **values):
        return (
            "\n".join([*lines[:place], json.dumps({**json.loads(lines[place]), **values}), *lines[place + 1 :]]) + "\n"
        )

    timeline = {"fps": '"><script>', "start": 0}
    diagram = {"address": "", "trail": [], "owner": {}, "place": 0, "boxes": [], "links": [], "left_out": [0, 0]}
    blueprint = {"diagrams": [{**diagram, "keyframes": [], "timeline": timeline}], "boxes": {}}
    header, end = json.dumps({**recording.make_header(), "title": "", "is_whole": True}), lines[-1]
    behaviour_line = json.dumps({"time": 0, "behaviour": "a", "blueprint": blueprint})
    hear = ["hear", {"dict": {"phrase": "x", "confidence": "<b>", "engine": ""}}]
    for content, sentence in [
        ("", "no recording of format 1"),
        ("{}\n", "no recording of format 1"),
        (changed(0, recording="page"), "of an older version: record it again"),
        (changed(0, title=1), "line 1 of the recording is damaged"),
        (f"{lines[0]}\n{end}\n", "leave --page out"),
        (changed(1, set={"posture": 5}), "line 2 of the recording is damaged"),
        (changed(1, set={"lights": "<b>"}), "line 2 of the recording is damaged"),
        (changed(1, set={"memory/Key": "{"}), "line 2 of the recording is damaged"),
        (changed(1, set={"unknown": 1}), "line 2 of the recording is damaged"),
        (changed(1, time=float("nan")), "line 2 of the recording is damaged"),
        (changed(1, time=1e9), "line 2 of the recording is damaged"),
        (changed(2, event=["say", {"dict": {}}]), "line 3 of the recording is damaged"),
        (changed(2, event=hear), "line 3 of the recording is damaged"),
        (changed(3, time=0.1), "line 4 of the recording is damaged"),
        (changed(3, more=1), "line 4 of the recording is damaged"),
        (f"{header}\n{behaviour_line}\n{end}\n", "line 2 of the recording is damaged"),
        ("\n".join(lines[:-1]) + "\n", "cut off"),
        ("\n".join([*lines, end]), "cut off"),
        ("[" * 100_000, "line 1 of the recording is damaged"),
        ("\xff\n", "line 1 of the recording is damaged"),
    ]:
        with pytest.raises(recording.NotARecording, match=sentence):
            recording_file.read_recording(content.encode("latin-1"))


def test_files_that_cannot_be_read_or_written(tmp_path, monkeypatch):
    with pytest.raises(recording.NotARecording, match="there is no recording"):
        recording_file.load_recording(str(tmp_path / "none"))
    with (
        pytest.raises(WrongUse, match="cannot write"),
        recording_file.keep_recording(small(), str(tmp_path / "no" / "file")),
    ):
        raise AssertionError("it was begun")
    file = tmp_path / "game.jsonl"
    with recording_file.keep_recording(small(), str(file)):
        assert not file.exists()
    assert recording_file.load_recording(str(file)).ends == 2.0
    with Robot() as robot, pytest.raises(recording.NotARecording, match="show it with --page"):
        recording.replay_recording(robot, recording.load_recording(str(file)))
    monkeypatch.setattr(recording, "_MAX_FILE_BYTES", 100)
    with pytest.raises(recording.NotARecording, match="larger than"):
        recording_file.load_recording(str(file))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Record a robot that says two lines and then fails, which takes seconds; read the recording from its file."""
    speak = w.script("""
    def onInput_onStart(self):
        ALProxy("ALMemory").insertData("Told", self.getParameter("Text"))
        ALProxy("ALTextToSpeech").say(self.getParameter("Text"))
        self.onStopped()
""")
    fails = w.script("""
    def onInput_onStart(self):
        raise ValueError("broken")
""")
    texts = {"First": "hello there", "Second": "<b>good</b> bye"}
    boxes = [w.box(name, speak, parameters=[w.parameter("Text", 3, text)]) for name, text in texts.items()]
    links = [("root.onStart", "First.onStart"), ("First.onStopped", "Second.onStart")]
    links.append(("Second.onStopped", "Broken.onStart"))
    file = tmp_path_factory.mktemp("xar") / "behavior.xar"
    file.write_bytes(w.behaviour([*boxes, w.box("Broken", fails)], links))

    recording = Recording()

    async def live(robot):
        relay = Relay(robot, recording=recording)
        await relay.open()
        # The robot records signals after the first look.
        await asyncio.sleep(0.5)
        await relay.ask("start")
        for _ in range(600):
            if any('"error"' in report for report in relay.reports()):
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.5)
        await relay.close()

    with HostedRobot() as robot:
        load_behaviour(robot, str(file))
        asyncio.run(live(robot))
    return recording_file.read_recording(recording_file.encode_recording(recording))


class Browser:
    """A browser's place in a recording, and the lines that it shows."""

    def __init__(self, recording):
        self.said, self.rewinds = [], 0
        self.place = RecordedPlace(recording, self._note, self._rewind)
        self.place.watch()

    def _note(self, event):
        if event.kind == "say":
            self.said.append(event.fields["text"])

    def _rewind(self):
        self.said, self.rewinds = [], self.rewinds + 1

    def ask(self, verb, **fields):
        return asyncio.run(self.place.ask(verb, **fields))


def test_a_recorded_robot_at_different_moments(recorded):
    browser = Browser(recorded)
    second = [event.time for event in recorded.events(0, 99) if event.kind == "say"][1]
    browser.ask("seek", seconds=recorded.ends)
    assert browser.rewinds == 0 and browser.said == ["hello there", "<b>good</b> bye"]
    values = browser.ask("call", method="getListData", args=[["Told", "None"]])
    assert values == ["<b>good</b> bye", None] and "Told" in browser.ask("call", method="getDataListName")
    diagram = browser.ask("diagram")
    assert [box["name"] for box in diagram["boxes"]] == ["First", "Second", "Broken"]
    signals = browser.ask("signals", behaviour=diagram["behaviour"], since=-1)
    assert signals["errors"] == [[3, 1]] and len(signals["signals"]) == 3
    box = browser.ask("box", behaviour=diagram["behaviour"], box="3")
    assert box["errors"][0][2].startswith("ValueError: broken")
    look = browser.ask("look")
    assert len(look["angles"]) == 26 and look["posture"] == "Stand"
    browser.ask("seek", seconds=second - 0.2)
    assert browser.rewinds == 1 and browser.said == ["hello there"]
    pace = browser.ask("step")
    assert pace["seconds"] > second - 0.2 and browser.ask("step", back=True)["seconds"] < pace["seconds"]
    browser.ask("seek", seconds=0.0)
    assert browser.ask("pace")["seconds"] == recorded.begins == browser.ask("pace")["begins"]


def test_a_recording_plays_to_its_end(recorded):
    async def play(browser):
        playing = asyncio.create_task(browser.place.run())
        await browser.place.ask("pace", speed=100.0)
        while (pace := await browser.place.ask("pace"))["speed"]:
            await asyncio.sleep(0.05)
        assert pace["seconds"] == pace["ends"] == recorded.ends
        assert browser.said == ["hello there", "<b>good</b> bye"] and browser.rewinds == 0
        playing.cancel()

    asyncio.run(play(Browser(recorded)))


@pytest.mark.parametrize(
    ("verb", "fields", "sentence"),
    [
        ("hear", {"phrase": "yes"}, "This is a recording"),
        ("start", {}, "This is a recording"),
        ("call", {"method": "insertData", "args": ["Key", 1]}, "This is a recording"),
        ("call", {"method": "getListData", "args": []}, "This is a recording"),
        ("seek", {"seconds": "x"}, "seconds must be a number"),
        ("pace", {"speed": -1}, "speed must be a number"),
    ],
)
def test_a_recording_refuses_all_acts(recorded, verb, fields, sentence):
    with pytest.raises((RuntimeError, WireError), match=sentence):
        Browser(recorded).ask(verb, **fields)
