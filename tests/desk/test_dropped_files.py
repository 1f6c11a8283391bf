"""The worker's server for a visitor's file, run here: archives, and the replay of a recording."""

import json
import queue
import threading
import zipfile

import naosim_xar_writer as w
import pytest
from behaviours import FOLDER, read_file, write_installed, write_package, write_project
from naosim_page.dropped import list_behaviours, make_server

from naosim.errors import NotABehaviour

PATIENCE_S = 60


class Worker:
    """The page's side of a worker."""

    def __init__(self):
        self._posted, self._number = queue.Queue(), 0
        self._server = make_server(self._posted.put)
        threading.Thread(target=self._server.run, daemon=True).start()

    def ask(self, verb, **fields):
        """Return the value of an answer, or its sentence."""
        self._number += 1
        self._server.take(json.dumps({**fields, "id": self._number, "do": verb}))
        while True:
            message = json.loads(self._posted.get(timeout=PATIENCE_S))
            if message.get("id") == self._number:
                value = message.get("value")
                return (
                    message["error"]
                    if "error" in message
                    else value.get("dict", value)
                    if isinstance(value, dict)
                    else value
                )


@pytest.fixture
def worker():
    """Provide a worker; close its robot at the end."""
    made = Worker()
    yield made
    made.ask("close")


def archive(path, *rows):
    """Write a zip archive of names and contents; return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in rows:
            packed.writestr(name, content)
    return str(path)


def names(path):
    """List the names of a file's behaviours."""
    return [name for name, _, _ in list_behaviours(path)]


def test_behaviours_of_every_kind_of_file(tmp_path):
    story = read_file("new_story.xar")
    assert list_behaviours(f"{FOLDER}/dance.xar") == [["dance.xar", f"{FOLDER}/dance.xar", ""]]
    package = write_package(str(tmp_path / "museum.pkg"), write_installed(str(tmp_path / "installed")))
    assert names(package) == ["menu", "rooms/statues", "talk"]
    write_project(str(tmp_path / "museum"))
    files = [path for path in (tmp_path / "museum").rglob("*") if path.is_file()]
    rows = [(str(path.relative_to(tmp_path)), path.read_bytes()) for path in files]
    junk = [("__MACOSX/museum/._museum.pml", b"x"), (".hidden/behavior.xar", story)]
    found = list_behaviours(archive(tmp_path / "museum.zip", *rows, *junk))
    assert [name for name, _, _ in found] == ["menu", "rooms/statues", "talk"]
    assert {file.rpartition("/")[2] for _, file, _ in found} == {"museum.pml"}
    loose = [("a/behavior.xar", story), ("b/c/behavior.xar", story), ("other.xar", story), ("readme.txt", b"")]
    assert names(archive(tmp_path / "loose.zip", *loose)) == ["other.xar", "a", "b/c"]


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
        ([("x.txt", b"")], "holds no behaviour"),
        ([("x.pml", b"<a>")], "x.pml"),
    ],
)
def test_hostile_archives_are_refused(tmp_path, rows, sentence):
    path = archive(tmp_path / "x.zip", *rows)
    with pytest.raises(NotABehaviour, match=sentence) as refused:
        list_behaviours(path)
    assert str(tmp_path) not in str(refused.value)
    assert not (tmp_path.parent / "x.xar").exists()


def test_a_run_is_recorded_and_replayed(worker, tmp_path):
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
    assert worker.ask("unpack", file=str(path)) == [["ask.xar", str(path), ""]]
    worker.ask("open", speed=50, seed=5)
    worker.ask("load", file=str(path), rewrite=True, parameters={"Ask.Text": "Really?"})
    assert worker.ask("parameters") == [["root/Ask.Text", "Well?", 3]]
    assert [row[:2] for row in worker.ask("findings")] == [["error", "root"]]
    worker.ask("start")
    worker.ask("touch", sensor="FrontTactilTouched")
    assert "no sensor" in worker.ask("press", sensor="Nose")
    worker.ask("call", service="ALMemory", method="insertData", args=["Mine", [1, 2]])
    worker.ask("call", service="ALTextToSpeech", method="stopAll", args=[])
    worker.ask("hear", phrase="yes", confidence=0.8)
    worker.ask("stay_silent", seconds=5)
    lines = worker.ask("recording")
    acts = [json.loads(line) for line in lines]
    assert acts[0]["options"]["seed"] == 5 and acts[0]["options"]["parameters"] == {"Ask.Text": "Really?"}
    assert sorted(act["act"] for act in acts[1:]) == ["end", "event", "event", "hear", "hush", "set", "start"]
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
    assert (
        worker.ask("replay", file=str(path), lines=["x"]) == "line 1 of the recording is damaged: it is no JSON object"
    )
