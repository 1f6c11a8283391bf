"""The server of a web worker, run here: robots, refusals, a visitor's archives, and the replay of a recording."""

import json
import os
import queue
import threading
import zipfile
from pathlib import Path

import naosim_xar_writer as w
import pytest
from behaviours import FOLDER, read_file, write_installed, write_package, write_project

from naosim.errors import NotABehaviour
from naosim_page.bundle import write_bundle
from naosim_page.dropped import list_behaviours, make_server
from naosim_page.posted import PostedServer

DANCE = os.path.join(FOLDER, "dance.xar")


class Page:
    """The page's side of the messages to a server on a thread of its own."""

    def __init__(self, make_server):
        self._posted, self._number = queue.Queue(), 0
        self._server = make_server(self._posted.put)
        threading.Thread(target=self._server.run, daemon=True).start()

    def post(self, line):
        self._server.take(line)

    def next(self):
        return json.loads(self._posted.get(timeout=60))

    def answer(self, verb, **fields):
        """Send a request and return its answer, without the number; skip pushes."""
        self._number += 1
        self.post(json.dumps({**fields, "id": self._number, "do": verb}))
        while (message := self.next()).get("id") != self._number:
            pass
        del message["id"]
        return message

    def ask(self, verb, **fields):
        """Return the value of an answer, or its sentence."""
        message = self.answer(verb, **fields)
        value = message.get("value", message.get("error"))
        return value.get("dict", value) if isinstance(value, dict) else value


@pytest.fixture
def page():
    made = Page(PostedServer)
    yield made
    made.ask("close")


def test_robots_of_both_clocks_one_after_another(page):
    home = os.environ["HOME"]
    for _ in range(3):
        assert "ALMemory" in page.ask("open", clock="virtual")["services"]
        assert page.ask("load", file=DANCE, rewrite=True)["failures"] == []
        page.ask("start")
        assert page.ask("advance")["ended"]
        assert page.ask("close") is None
        assert "ALMemory" in page.ask("open", speed=20)["services"]
        assert "error" not in page.answer("load", file=DANCE, rewrite=True)
        assert page.ask("said") == []
        assert page.ask("close") is None
    # A robot gives its process another home folder while it lives.
    assert os.environ["HOME"] == home


def test_one_robot_at_a_time(page):
    page.ask("open")
    assert page.ask("open") == "close the robot first"
    page.ask("close")
    assert page.ask("close") is None


@pytest.mark.parametrize(
    "line, sentence",
    [("no JSON", "is not JSON"), ("[]", "not a JSON object"), ('{"id": 1, "do": "hear"}', 'must be "open"')],
)
def test_what_is_no_first_request_is_refused(page, line, sentence):
    page.post(line)
    assert sentence in page.next()["error"]


def test_a_robot_that_cannot_be_opened_leaves_room_for_another(page):
    assert "error" in page.answer("open", speed=0)
    assert "error" in page.answer("open", clock="virtual", faults={"x": 1})
    assert "value" in page.answer("open")


def test_the_same_files_give_the_same_archive(tmp_path):
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    for archive in (first, second):
        assert write_bundle(archive, {"more": Path(FOLDER)}) == archive.stat().st_size
    assert first.read_bytes() == second.read_bytes()


def archive(path, *rows):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in rows:
            packed.writestr(name, content)
    return str(path)


def names(path):
    return [name for name, *_ in list_behaviours(path)]


def test_behaviours_of_every_kind_of_file(tmp_path):
    story = read_file("new_story.xar")
    assert list_behaviours(f"{FOLDER}/dance.xar") == [["dance.xar", f"{FOLDER}/dance.xar", "", "Nao"]]
    package = write_package(str(tmp_path / "museum.pkg"), write_installed(str(tmp_path / "installed")))
    assert names(package) == ["menu", "rooms/statues", "talk"]
    write_project(str(tmp_path / "museum"))
    files = [path for path in (tmp_path / "museum").rglob("*") if path.is_file()]
    rows = [(str(path.relative_to(tmp_path)), path.read_bytes()) for path in files]
    junk = [("__MACOSX/museum/._museum.pml", b"x"), (".hidden/behavior.xar", story)]
    found = list_behaviours(archive(tmp_path / "museum.zip", *rows, *junk))
    assert [name for name, *_ in found] == ["menu", "rooms/statues", "talk"]
    assert {file.rpartition("/")[2] for _, file, *_ in found} == {"museum.pml"}
    loose = [("a/behavior.xar", story), ("b/c/behavior.xar", story), ("other.xar", story), ("readme.txt", b"")]
    assert names(archive(tmp_path / "loose.zip", *loose)) == ["other.xar", "a", "b/c"]
    bow = w.sequence(w.box("Bow", curves=[("KneePitch", [(10, 10.0)])], timeline={"end_frame": 12, "size": 12}))
    rows = [("bow.xar", bow), ("story.xar", story)]
    kinds = {name: kind for name, _, _, kind in list_behaviours(archive(tmp_path / "two.zip", *rows))}
    assert kinds == {"bow.xar": "Pepper", "story.xar": "Nao"}


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("../x.xar", b"")], "leads out"),
        ([("a/../../x.xar", b"")], "leads out"),
        ([("/x.xar", b"")], "leads out"),
        ([("c:/x.xar", b"")], "leads out"),
        ([("a/" * 40 + "x.xar", b"")], "more than 30 folders"),
        ([(f"{number}.xar", b"") for number in range(2001)], "more than 2000 files"),
        ([("x.xar", bytes(65 << 20))], "or 64 MB"),
        ([("x.txt", b"")], "has no behaviour"),
        ([("x.pml", b"<a>")], "x.pml"),
    ],
)
def test_hostile_archives_are_refused(tmp_path, rows, sentence):
    path = archive(tmp_path / "x.zip", *rows)
    with pytest.raises(NotABehaviour, match=sentence) as refused:
        list_behaviours(path)
    assert str(tmp_path) not in str(refused.value)
    assert not (tmp_path.parent / "x.xar").exists()


def test_a_run_is_recorded_and_replayed(tmp_path, request):
    worker = Page(make_server)
    request.addfinalizer(lambda: worker.ask("close"))
    ask = w.sequence(
        w.box(
            "Ask",
            w.on_start("ALProxy('ALTextToSpeech').say(self.getParameter('Text'))\nself.onStopped()"),
            parameters=[w.parameter("Text", 3, "Well?")],
        ),
        w.box("Wait", w.on_start("pass")),
    )
    path = tmp_path / "ask.xar"
    path.write_bytes(ask)
    assert worker.ask("unpack", file=str(path)) == [["ask.xar", str(path), "", "Nao"]]
    worker.ask("open", speed=50, seed=5)
    worker.ask("load", file=str(path), rewrite=True, parameters={"Ask.Text": "Really?"})
    assert worker.ask("parameters") == [["root/Ask.Text", "Well?", 3]]
    assert [row[:2] for row in worker.ask("findings")] == [["warning", "root"]]
    worker.ask("start")
    worker.ask("touch", sensor="FrontTactilTouched")
    assert "no sensor" in worker.ask("press", sensor="Nose")
    worker.ask("call", service="ALMemory", method="insertData", args=["Mine", [1, 2]])
    worker.ask("call", service="ALMemory", method="raiseEvent", args=["FaceDetected", [1, "two"]])
    worker.ask("call", service="ALTextToSpeech", method="stopAll", args=[])
    worker.ask("hear", phrase="yes", confidence=0.8)
    worker.ask("stay_silent", seconds=5)
    lines = worker.ask("recording")
    acts = [json.loads(line) for line in lines]
    assert acts[0]["options"]["seed"] == 5 and acts[0]["options"]["parameters"] == {"Ask.Text": "Really?"}
    assert sorted(act["act"] for act in acts[1:]) == ["end", "hear", "hush", "raise", "set", "start", "touch"]
    worker.ask("close")
    told = worker.ask("replay", file=str(path), lines=lines)
    assert told["note"] == "" and told["length"] >= 5
    assert [event["fields"]["text"] for event in told["events"] if event["kind"] == "say"] == ["Really?"]
    assert [event["kind"] for event in told["events"]].count("touch") == 2
    seconds = [moment["seconds"] for moment in told["moments"]]
    assert seconds == sorted(seconds) and len(told["moments"][0]["frame"]["angles"]) == 26
    assert any(moment["memory"].get("Mine") == "[1, 2]" for moment in told["moments"])
    assert told["moments"][-1]["events"] == len(told["events"])
    assert worker.ask("drawing")["sheet"].startswith("<svg")
    assert worker.ask("hear", phrase="yes") == "a recording can only be looked at"
    path.write_bytes(ask.replace(b"self.getParameter('Text')", b"'Other'"))
    assert "the robot said" in worker.ask("replay", file=str(path), lines=lines)["note"]
    assert "cut off" in worker.ask("replay", file=str(path), lines=lines[:-1])
    refused = worker.ask("replay", file=str(path), lines=["x"])
    assert refused == "line 1 of the recording is damaged: it is not a JSON object"
