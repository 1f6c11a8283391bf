"""The server of a web worker, run here: its robots one after another, and its refusals."""

import json
import os
import queue
import threading

import pytest
from interpreters import ROOT
from naosim_page.bundle import write_bundle
from naosim_page.posted import PostedServer, run_command

DANCE = str(ROOT / "tests" / "behaviours" / "dance.xar")


class Page:
    """The page's side of the messages."""

    def __init__(self):
        self._posted = queue.Queue()
        self._server = PostedServer(self._posted.put)
        self._number = 0
        threading.Thread(target=self._server.run, daemon=True).start()

    def post(self, line):
        """Send a line."""
        self._server.take(line)

    def next(self):
        """Return the next message of the robot."""
        return json.loads(self._posted.get(timeout=60))

    def ask(self, verb, **fields):
        """Send a request and return its answer, without the number; skip pushes."""
        self._number += 1
        self.post(json.dumps({**fields, "id": self._number, "do": verb}))
        while True:
            message = self.next()
            if message.get("id") == self._number:
                del message["id"]
                return message


@pytest.fixture
def page():
    """Provide a page without a robot; close its robot at the end."""
    made = Page()
    yield made
    made.ask("close")


def test_robots_of_both_clocks_one_after_another(page):
    home = os.environ["HOME"]
    for _ in range(3):
        assert page.ask("open", clock="virtual")["value"]["now"] == 0
        assert page.ask("load", path=DANCE, rewrite=True)["value"]["failures"] == []
        page.ask("start")
        assert page.ask("advance")["value"]["ended"]
        assert page.ask("close") == {"value": None}
        assert "ALMemory" in page.ask("open", speed=20)["value"]["dict"]["services"]
        assert "error" not in page.ask("load", file=DANCE, rewrite=True)
        assert page.ask("said") == {"value": []}
        assert page.ask("close") == {"value": None}
    # A robot gives its process another home folder while it lives.
    assert os.environ["HOME"] == home


def test_one_robot_at_a_time(page):
    page.ask("open")
    assert page.ask("open") == {"error": "close the robot first"}
    assert page.ask("command", args=[]) == {"error": "close the robot first"}
    page.ask("close")
    assert page.ask("close") == {"value": None}


@pytest.mark.parametrize(
    "line, sentence",
    [("no JSON", "is no JSON"), ("[]", "no JSON object"), ('{"id": 1, "do": "hear"}', "has to be open")],
)
def test_what_is_no_first_request_is_refused(page, line, sentence):
    page.post(line)
    assert sentence in page.next()["error"]


def test_a_robot_that_cannot_be_opened_leaves_room_for_another(page):
    assert "error" in page.ask("open", speed=0)
    assert "error" in page.ask("open", clock="virtual", faults={"x": 1})
    assert "value" in page.ask("open")


def test_the_command_line(page):
    found = page.ask("command", args=[DANCE, "--rewrite"])["value"]
    assert (found["status"], found["err"]) == (0, "") and " s  says " in found["out"]
    assert run_command(["--nonsense"])["status"] == 2
    assert run_command(["nowhere.xar"])["status"] == 2


def test_the_same_files_give_the_same_archive(tmp_path):
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    for archive in (first, second):
        assert write_bundle(archive, {"jotto": ROOT / "src" / "jotto"}) == archive.stat().st_size
    assert first.read_bytes() == second.read_bytes()
