# -*- coding: utf-8 -*-
"""The door of a live server: further programs use the same robot, each for itself, and leave nothing behind."""

from __future__ import absolute_import, division, print_function

import json
import os
import socket
import subprocess
import sys
import time

import pytest

from naosim.live_server import SpokenTexts
from naosim.remote import pack_value, unpack_value
from naosim.robot import Robot

PATIENCE = 30.0


class Line(object):
    """One end of a robot's line: requests out, answers and pushed messages in."""

    def __init__(self, write, lines):
        self._write, self._lines, self._number, self.pushed = write, lines, 0, []

    def ask(self, verb, **fields):
        """Send a request and return the answer's value, or its error as a RuntimeError."""
        self._number += 1
        self._write(json.dumps(dict(fields, id=self._number, do=verb)).encode("ascii") + b"\n")
        answer = self.read(lambda said: said.get("id") == self._number)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return unpack_value(answer["value"])

    def read(self, wanted):
        """Read until a message is the wanted one."""
        while True:
            said = json.loads(self._lines.readline().decode("ascii"))
            if wanted(said):
                return said
            self.pushed.append(said)

    def call(self, service, method, *args):
        return self.ask("call", service=service, method=method, args=pack_value(list(args)))


class Visit(Line):
    """A program that has come through the door."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        Line.__init__(self, self._socket.sendall, self._socket.makefile("rb"))

    def go(self):
        """Leave without a farewell."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self._socket.close()


@pytest.fixture
def robot(tmpdir):
    """Provide a robot with a door."""
    process = subprocess.Popen(
        [sys.executable, "-m", "naosim.live_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    path = str(tmpdir.join("door"))
    made = Line(process.stdin.write, process.stdout)
    made.door = path
    made.about = made.ask("open", speed=1000, door=path)
    yield made
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()
    assert not os.path.exists(path)


def until(condition):
    end = time.time() + PATIENCE
    while not condition():
        assert time.time() < end
        time.sleep(0.01)


def test_a_visitor_finds_the_same_robot(robot):
    visit = Visit(robot.door)
    assert visit.ask("about") == robot.about
    robot.call("ALMemory", "insertData", "Key", u"grüße")
    assert visit.call("ALMemory", "getData", "Key") == robot.call("ALMemory", "getData", "Key")
    visit.call("ALTextToSpeech", "say", "Hello")
    assert robot.ask("said") == visit.ask("said") == ["Hello"]
    with pytest.raises(RuntimeError, match=r"do not know how to .fly."):
        visit.ask("fly")
    visit.go()
    assert robot.ask("said") == ["Hello"]


def test_what_a_visitor_leaves_goes_with_it(robot):
    def state():
        return [sorted(robot.call("ALMemory", "getSubscribers", "Test/Event")), robot.ask("state")["open"]]

    before = state()
    for _ in range(3):
        visit = Visit(robot.door)
        visit.ask("link", event="Test/Event")
        visit.ask("offer", module="Module")
        visit.call("ALMemory", "subscribeToEvent", "Test/Event", "Module", "onEvent")
        visit.ask("watch")
        robot.call("ALMemory", "raiseEvent", "Test/Event", 7)
        assert visit.read(lambda said: said.get("push") == "module")["args"][1] == 7
        assert "Module" in robot.call("ALMemory", "getSubscribers", "Test/Event")
        with pytest.raises(RuntimeError, match="Cannot find service"):
            robot.ask("withdraw", module="Module")
        visit.go()
        until(lambda: state() == before)
        robot.call("ALMemory", "raiseEvent", "Test/Event", 8)


def test_two_visitors_do_not_hear_each_others_answers(robot):
    one, other = Visit(robot.door), Visit(robot.door)
    for number in range(20):
        assert (one.call("ALMemory", "ping"), other.ask("state")["running"]) == (True, [])
        assert one._number == other._number == number + 1
    assert (one.pushed, other.pushed) == ([], [])
    for each in (one, other):
        each.go()


def test_a_visitor_that_goes_while_the_robot_speaks(robot):
    visit = Visit(robot.door)
    visit._write(
        json.dumps(
            {"id": 1, "do": "call", "service": "ALTextToSpeech", "method": "say", "args": ["word " * 200]}
        ).encode("ascii")
        + b"\n"
    )
    until(lambda: robot.ask("said"))
    visit.go()
    assert robot.call("ALMemory", "ping") is True


def test_a_visitor_that_says_nonsense(robot):
    for line, answer in [
        (b"no json\n", "is no JSON"),
        (b"[]\n", "is no JSON object"),
        (b"{}\n", "has no number as its id"),
        (b'{"id": 3, "do": "open"}\n', 'do not know how to "open"'),
    ]:
        visit = Visit(robot.door)
        visit._write(line)
        assert answer in visit.read(lambda said: "error" in said)["error"], line
        assert visit.call("ALMemory", "ping") is True, line
        visit.go()


def test_a_thousand_texts_are_kept(robot):
    for number in range(1005):
        robot.call("ALTextToSpeech", "say", "a%d" % number)
    said = robot.ask("said")
    assert (len(said), said[0], said[-1]) == (1000, "a5", "a1004")


def test_long_texts_push_out_more():
    with Robot() as robot:
        spoken = SpokenTexts(robot)
        for letter in "abcd":
            robot.trace.note("say", text=letter * 300000)
        assert [text[0] for text in spoken.texts()] == ["b", "c", "d"]


def test_a_door_that_cannot_be_made():
    process = subprocess.Popen(
        [sys.executable, "-m", "naosim.live_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    made = Line(process.stdin.write, process.stdout)
    with pytest.raises(RuntimeError):
        made.ask("open", door="/nowhere/at/all")
    process.stdin.close()
    assert process.wait() == 2
    process.stdout.close()
