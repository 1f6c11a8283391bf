"""Recordings of robots over libqi: what is written and what is not, limits, lost connections, the page, and talks."""

import itertools
import json
import queue
import shutil
import threading
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import behaviours
import pytest
from directory_clients import until
from far_robots import Served

from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.recording import load_recording, make_watched_header
from naosim.world import write_json_line
from naosim_page.replays import Replay
from naosim_robots import serve_robot
from naosim_robots.far.connection import Connection, ConnectionLost
from naosim_robots.far.robot import FarRobot
from naosim_robots.far.watching import WatchedFile, Watcher, check_keys
from naosim_robots.talks import making
from naosim_robots.talks.running import run_talk
from naosim_robots.talks.talk import read_talks


class Watched:
    """A robot that is recorded on a thread, from `__enter__` on."""

    def __init__(self, url, path, *more, patience=20.0, values=()):
        self.connection = Connection(url, patience=patience)
        self.path = path
        self._watcher = Watcher(self.connection, path, more, values=values)
        self._is_over, self.error = False, None
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        try:
            self._watcher.run(lambda: self._is_over)
        except ConnectionLost as error:
            self.error = error
        self._watcher.close()

    def rows(self, kind=None):
        return [row for row in load_recording(str(self.path)).acts if kind in (None, row["kind"])]

    def await_row(self, kind, **fields):
        until(lambda: any(fields.items() <= row.items() for row in self.rows(kind)))

    def join(self):
        self._thread.join(30)
        assert not self._thread.is_alive()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._is_over = True
        self.join()
        self.connection.close()


def test_a_game_is_recorded_opened_on_the_page_and_turned_into_a_talk_that_passes(tmp_path, capsys):
    shutil.copy(Path(behaviours.FOLDER, "old_story.xar"), tmp_path)
    path = tmp_path / "day.jsonl"
    with serve_robot(speed=50) as server, Watched(server.url, path) as watched:
        with FarRobot(server.url) as robot:
            robot.load(str(tmp_path / "old_story.xar"), True)
            for act in (robot.start, partial(robot.hear, "yes", 0.7), partial(robot.touch, "FrontTactilTouched")):
                act()
                robot.advance(60)
            robot.services["ALMotion"].call("setAngles", ["HeadYaw", 0.5, 1.0])
            robot.services["ALLeds"].call("fadeRGB", ["FaceLeds", 0xFF0000, 0.0])
        watched.await_row("say", text="Good bye.")
        watched.await_row("look", lights="ff0000" * 16 + "ff" * 41)
    told = Replay("", "", path.read_text().splitlines()).told
    events = [event["kind"] for event in told["events"] if event["fields"].get("pressed") is not False]
    assert events == ["say", "hear", "say", "touch", "say", "say"]
    frames = [moment["frame"] for moment in told["moments"]]
    assert ["FrontTactilTouched"] in [frame.get("touched") for frame in frames]
    assert [frame["angles"][0] for frame in frames if "angles" in frame][-1] == 0.5 and told["note"] == ""
    talk = tmp_path / "day.talk.yaml"
    assert making.main([str(path), str(tmp_path / "old_story.xar"), "--to", str(talk)]) == 0
    assert "confidence: 0.7" in talk.read_text()
    (read,) = read_talks(talk)
    assert run_talk(read).difference is None, run_talk(read).report
    assert "Wrote" in capsys.readouterr().out


def test_behaviours_life_postures_and_chosen_events_are_recorded(tmp_path):
    wanted = []
    with serve_robot(speed=50) as server, Watched(server.url, tmp_path / "a.jsonl", "MyApp/Score") as watched:
        # libqi keeps no order of events: each waits for the row of the one before.
        for event, value, rows in (
            ("MyApp/Score", 3, [{"kind": "event", "key": "MyApp/Score", "value": 3, "noticed": True}]),
            ("MyApp/Score", ["secret"], [{"kind": "event", "key": "MyApp/Score", "value": True, "noticed": True}]),
            (
                "BehaviorsRun",
                ["game/b", "animations/Stand/Gestures/Hey_1"],
                [
                    {"kind": "start", "behaviour": "game/b"},
                    {"kind": "animate", "path": "animations/Stand/Gestures/Hey_1"},
                ],
            ),
            ("BehaviorsRun", [], [{"kind": "end", "behaviour": "game/b"}]),
            ("AutonomousLife/State", "solitary", [{"kind": "life", "state": "solitary", "activity": ""}]),
            ("WordRecognized", "nonsense", []),
            (
                "WordRecognized",
                ["<...> yes <...>", 0.5],
                [{"kind": "hear", "phrase": "yes", "confidence": 0.5, "engine": "ALSpeechRecognition"}],
            ),
            ("PostureChanged", "Sit", [{"kind": "look", "posture": "Sit"}]),
        ):
            watched.connection.ask("ALMemory", "raiseEvent", event, value)
            for row in rows:
                watched.await_row(**row)
            wanted += [row for row in rows if row["kind"] != "look"]
    found = [{name: row[name] for name in row if name != "time"} for row in watched.rows() if row["kind"] != "look"]
    assert found == wanted


def test_names_that_the_robot_has_learned_are_left_out_also_new_ones(tmp_path):
    with serve_robot(speed=50) as server:
        server.robot.person("event", "FaceDetected", True).result(20)
        connection = Connection(server.url)
        assert connection.ask("ALFaceDetection", "learnFace", "Ada")
        with Watched(server.url, tmp_path / "a.jsonl") as watched:
            connection.ask("ALTextToSpeech", "say", "Hello ADA, adagio!")
            assert connection.ask("ALFaceDetection", "learnFace", "Max Planck")
            connection.ask("ALTextToSpeech", "say", "Hello Max Planck.")
            connection.ask("ALMemory", "raiseEvent", "Dialog/LastInput", "I am Ada")
            watched.await_row("hear")
        connection.close()
    assert [row["text"] for row in watched.rows("say")] == ["Hello [name], adagio!", "Hello [name]."]
    assert [row["phrase"] for row in watched.rows("hear")] == ["I am [name]"]
    text = watched.path.read_text()
    assert "Ada" not in text and "Planck" not in text and "Face" not in text


def test_chosen_values_of_the_memory_are_recorded_at_the_start_and_when_they_have_changed_at_an_event(tmp_path):
    keys = ["MyApp/Level", "MyApp/Player", "MyApp/None"]
    with serve_robot(speed=50) as server:
        ask = Connection(server.url).ask
        ask("ALMemory", "insertListData", [["MyApp/Level", 3], ["MyApp/Player", "Ada"], ["MyApp/None", ["a list"]]])
        server.robot.person("event", "FaceDetected", True).result(20)
        assert ask("ALFaceDetection", "learnFace", "Ada")
        with Watched(server.url, tmp_path / "a.jsonl", values=keys) as watched:
            ask("ALTextToSpeech", "say", "one")
            watched.await_row("say", text="one")
            ask("ALMemory", "insertListData", [["MyApp/Level", 4], ["MyApp/None", "x" * 2001]])
            ask("ALTextToSpeech", "say", "two")
            watched.await_row("say", text="two")
    assert [
        row.get("text") or (row["key"], row["value"]) for row in watched.rows() if row["kind"] in ("say", "set")
    ] == [("MyApp/Level", 3), ("MyApp/Player", "[name]"), "one", ("MyApp/Level", 4), "two"]
    moments = Replay("", "", watched.path.read_text().splitlines()).told["moments"]
    shown = [moment["memory"]["MyApp/Level"] for moment in moments if "MyApp/Level" in moment["memory"]]
    assert shown[-1] == "4"


def test_events_about_persons_and_too_many_events_are_refused():
    for key in ("FaceDetected", "PeoplePerception/JustArrived", "GazeAnalysis/PersonStartsLookingAtRobot", "UserId"):
        with pytest.raises(WrongUse, match="can have faces, names or sounds of people"):
            check_keys([key])
    with pytest.raises(WrongUse, match="at most 2 events"):
        check_keys(["a", "b", "c"])
    with pytest.raises(WrongUse, match="at most 10 values of ALMemory of your choice: choose from 11"):
        check_keys([], ["a"] * 11)
    with pytest.raises(WrongUse, match=r'"FaceDetected" can have faces'):
        check_keys([], ["FaceDetected"])
    check_keys(["MyApp/Score", "robotIsFalling"], ["MyApp/Level"] * 10)


class Restless(Connection):
    """A connection with a robot whose joints and lights change at every look; it counts calls."""

    is_restless = True
    calls = 0

    def ask(self, service, method, *args):
        self.calls += 1
        if self.is_restless and method == "getAngles":
            return [(self.calls % 7) / 10] * 26
        if self.is_restless and method == "getListData" and len(args[0]) > 50:
            return [(self.calls % 5) / 5] * len(args[0])
        return Connection.ask(self, service, method, *args)


@pytest.mark.parametrize(("is_restless", "least", "most"), [(True, 12_000, 30_000), (False, 300, 1_000)])
def test_a_minute_has_at_most_thirty_kilobytes_and_costs_few_calls(tmp_path, monkeypatch, is_restless, least, most):
    seconds = [0.0]

    def clock():
        # Time goes on by a little with every question.
        seconds[0] += 0.1
        return seconds[0]

    class Impatient(queue.SimpleQueue):
        def get(self, timeout):
            return self.get_nowait()

    names = SimpleNamespace(SimpleQueue=Impatient, Empty=queue.Empty)
    monkeypatch.setattr("naosim_robots.far.watching.queue", names)
    sizes = []
    with serve_robot(speed=50) as server:
        connection = Restless(server.url)
        connection.is_restless = is_restless
        watcher = Watcher(connection, tmp_path / "a.jsonl", clock=clock)
        for end in (30, 90):  # The first burst is over after half a minute.
            watcher.run(lambda end=end: seconds[0] > end)
            sizes.append(watcher.file.bytes)
            connection.calls, counted = 0, connection.calls
        watcher.close()
        connection.close()
    assert sizes[1] < most and sizes[1] - sizes[0] < 20_000 and sizes[1] > least
    # Each second has two looks at joints and one at lights; names and motors are asked every ten seconds.
    assert counted <= 60 * 3.3


def test_a_full_file_ends_the_recording_and_an_existing_one_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("naosim_robots.far.watching._MAX_BYTES", 1000)
    file = WatchedFile(tmp_path / "a.jsonl", make_watched_header())
    with file:
        for number in itertools.count():
            if file.is_full:
                break
            file.add(number, "say", text="Hello")
    assert len(load_recording(str(tmp_path / "a.jsonl")).acts) == number and 1000 < file.bytes < 1100
    with pytest.raises(WrongUse, match=r"a.jsonl' is there already: give the name of a new file"):
        WatchedFile(tmp_path / "a.jsonl", {})
    with pytest.raises(WrongUse, match=r"cannot write .*: give another name"):
        WatchedFile(tmp_path / "no" / "a.jsonl", {})
    with serve_robot(speed=50) as server:
        connection = Connection(server.url)
        watcher = Watcher(connection, tmp_path / "b.jsonl")
        while not watcher.file.is_full:
            watcher.file.add(0, "say", text="Hello")
        assert "which is the most a page can show" in watcher.run()
        watcher.close()
        connection.close()


def test_a_robot_that_goes_and_comes_back_is_recorded_further_and_one_that_stays_away_ends_it(tmp_path):
    with Served(speed=50) as served, Watched(served.url, tmp_path / "a.jsonl", patience=30.0) as watched:
        watched.connection.ask("ALTextToSpeech", "say", "before")
        watched.await_row("say", text="before")
        served.kill()
        watched.await_row("log", text="The robot is out of reach.")
        served.start()
        watched.await_row("log", text="The robot is back.")
        watched.connection.ask("ALTextToSpeech", "say", "after")
        watched.await_row("say", text="after")
        watched.connection.patience = 0.5
        served.kill()
        watched.join()
        assert "went away and did not come back within 0.5 seconds" in str(watched.error)
    assert [row["text"] for row in watched.rows("say")] == ["before", "after"]


def make_file(path, *rows, **options):
    lines = [make_watched_header(**options)] + [{"time": at, **row} for at, row in enumerate(rows)]
    path.write_text("".join(write_json_line(line) + "\n" for line in lines))
    return str(path)


SAY, ASK = {"kind": "say", "text": "Hello \\rspd=90\\ [name]."}, {"kind": "say", "text": "Yes or no?"}
HEAR = {"kind": "hear", "phrase": "yes", "confidence": 0.9, "engine": "ALDialog"}
MUMBLE = {**HEAR, "engine": None}
PRESS = {"kind": "touch", "sensor": "LeftBumperPressed", "pressed": True}
NOSE = {**PRESS, "sensor": "Nose"}
START, END = {"kind": "start", "behaviour": "a/b"}, {"kind": "end", "behaviour": "a/b"}
SENSE = {"kind": "event", "key": "My/Key", "value": [1], "noticed": True}


LEVEL, LATER = ({"kind": "set", "key": "My/Level", "value": value} for value in (1, 2))
AGAIN = [{"kind": "look"}] * 9
#: Events, one a second, and the lines of the talk.
STEPS = [
    (
        [HEAR, START, SAY, HEAR, ASK, END, PRESS],
        ['{says: "/Hello\\\\ .+\\\\./"}', '{said: "yes", says: "Yes or no?", ended: true}'],
    ),
    ([ASK, PRESS, {**PRESS, "pressed": False}, MUMBLE], ['{says: "Yes or no?"}', '{touched: "LeftBumperPressed"}']),
    ([SENSE, {**HEAR, "confidence": 0.31}], ["{raised: {My/Key: [1]}}", '{said: "yes", confidence: 0.31}']),
    ([ASK, *AGAIN, ASK], ['{says: "Yes or no?"}', '{silence: "time-out", says: "Yes or no?"}']),
    (
        [ASK, {**SAY, "text": "Good.", "time": 1.0}, {**HEAR, "time": 1.04}, {**HEAR, "time": 1.1}],
        ['{says: "Yes or no?"}', '{said: "yes", says: "Good."}', '{said: "yes"}'],
    ),
    ([PRESS, NOSE], ['{touched: "LeftBumperPressed"}', '# Left out, because no robot has this sensor: "Nose".']),
]


@pytest.mark.parametrize("before", [[LEVEL, HEAR, LATER, START], [LEVEL, {"kind": "look"}, LATER]])
def test_values_from_before_the_start_are_in_the_memory_of_the_talk_and_later_ones_are_not(tmp_path, before):
    recording = load_recording(make_file(tmp_path / "a.jsonl", *before, ASK, LEVEL, HEAR))
    assert "memory: {My/Level: 2}" in making.make_talk(recording, "a.xar", "day").splitlines()


@pytest.mark.parametrize(("rows", "lines"), STEPS)
def test_events_become_the_steps_of_a_talk(tmp_path, rows, lines):
    recording = load_recording(make_file(tmp_path / "a.jsonl", *rows))
    text = making.make_talk(recording, "a.xar", "day")
    found = [line.strip().removeprefix("- ") for line in text.splitlines()[3:]]
    assert found == lines
    (tmp_path / "a.talk.yaml").write_text(text)
    assert read_talks(tmp_path / "a.talk.yaml")


def test_a_talk_says_which_robot_was_recorded_and_what_cannot_be_made_is_refused(tmp_path, capsys):
    path = make_file(tmp_path / "a.jsonl", ASK, robot_type="Juliette", naoqi="2.5", languages=["French"])
    robot = 'robot: {body: "Pepper", naoqi: "2.5", language: ["French"]}'
    assert making.make_talk(load_recording(path), "a.xar", "day").splitlines()[1] == robot
    (tmp_path / "b.xar").write_text("")
    empty = make_file(tmp_path / "empty.jsonl", {"kind": "look", "angles": "1 2"})
    for arguments, sentence in (
        ([empty, str(tmp_path / "b.xar"), "--to", str(tmp_path / "b.talk.yaml")], "nobody speaks in this recording"),
        ([path, str(tmp_path / "c.xar")], "there is no behaviour"),
        ([path, str(tmp_path / "b.xar"), "--to", "b.yaml"], "let it end with .talk.yaml"),
        ([str(tmp_path / "no.jsonl"), str(tmp_path / "b.xar")], "no.jsonl: No such file"),
    ):
        assert main(["talk", *arguments]) == 2 and sentence in capsys.readouterr().err
    assert not (tmp_path / "b.talk.yaml").exists()


def test_looks_with_other_joints_and_lights_are_shown_without_them(tmp_path):
    rows = [{"kind": "look", "angles": "1 2", "lights": "ff", "is_awake": False}, {"kind": "look", "angles": "x"}]
    path = make_file(tmp_path / "a.jsonl", *rows)
    told = Replay("", "", Path(path).read_text().splitlines()).told
    assert json.dumps(told["moments"]) and told["moments"][0]["frame"]["is_awake"] is False
    told = Replay("", "", [write_json_line(make_watched_header())]).told
    assert told["note"] == "Nothing was recorded." and len(told["moments"][0]["frame"]["angles"]) == 26
