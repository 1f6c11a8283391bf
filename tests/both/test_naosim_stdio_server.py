# -*- coding: utf-8 -*-
"""The stdio server: one JSON object per line, and a remote robot that is driven like a local one."""

from __future__ import absolute_import, division, print_function

import io
import json
import sys

import naosim_xar_writer as w
import pytest

from naosim import RemoteRobot, Robot, WireError
from naosim.remote import MAX_LINE_BYTES, read_requests
from naosim.stdio_server import StdioServer


@pytest.fixture
def path(tmpdir):
    ask = w.script("""
    def onLoad(self):
        self.asr, self.memory, self.open = ALProxy("ALSpeechRecognition"), ALProxy("ALMemory"), False
    def onUnload(self):
        if self.open:
            self.open = False
            self.memory.unsubscribeToEvent("WordRecognized", self.getName())
            self.memory.unsubscribeToEvent("FrontTactilTouched", self.getName())
            self.asr.popContexts()
    def onInput_onStart(self):
        self.asr.pushContexts()
        self.asr.setVocabulary(["yes", "no"], False)
        self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
        self.memory.subscribeToEvent("FrontTactilTouched", self.getName(), "onTouch")
        self.open = True
    def onWord(self, key, value, message):
        if value[0]:
            self.memory.insertData("Game/Answer", value[0])
            self.onUnload()
            self.word(value[0])
    def onTouch(self, key, value, message):
        if value:
            self.onWord(key, ["yes", 1.0], message)
""")
    say = w.script("""
    def onInput_onStart(self, p):
        ALProxy("ALTextToSpeech").say("You said " + p)
        self.onStopped()
""")
    word = w.port("word", "string", "punctual")
    boxes = [
        w.box("Ask", ask, outputs=[w.port("onStopped", nature="stopped"), word]),
        w.box("Say", say, inputs=[w.port("onStart", "string", "onStart")]),
    ]
    links = [("root.onStart", "Ask.onStart"), ("Ask.word", "Say.onStart"), ("Say.onStopped", "root.onStopped")]
    return w.save(tmpdir, w.behaviour(boxes, links))


def test_a_remote_robot_is_driven_like_one_here_until_its_interpreter_dies(path):
    def play(robot):
        """Play one conversation; return values that must not depend on where the robot runs."""
        robot.set("Player", "Ann")
        behaviour = robot.load(path)
        robot.start(behaviour)
        pause = robot.advance()
        results = [(pause.ears, pause.ended, [event.kind for event in pause.events])]
        robot.hear("maybe")
        results.append(robot.advance().ears.engine)
        for seconds in (2.5, None):
            robot.wait(seconds)
            results.append((robot.advance().events, robot.now()))
        robot.hear("no", 0.7)
        pause = robot.advance()
        results.append((pause.ended, [event.fields["text"] for event in pause.events if event.kind == "say"]))
        robot.start(behaviour)
        robot.advance()
        robot.touch("FrontTactilTouched")
        results += [robot.advance().ended, robot.get("Game/Answer"), robot.get("Player"), robot.get("Nothing")]
        return results + [robot.leaks(behaviour), behaviour.failures, robot.ears()]

    with Robot() as here, RemoteRobot(sys.executable, without=["ALLeds"], memory={"a": [1, u"ü"]}) as there:
        assert play(here) == play(there)
        assert [item if item == 1 else len(item) > 0 for item in there.get("a")] == [1, True]
        for call, sentence in [
            (lambda: there.load("/no/such.xar"), "^cannot read /no/such.xar: No such file or directory$"),
            (lambda: there.touch("Nose"), "no sensor"),
        ]:
            with pytest.raises(WireError, match=sentence):
                call()
        there.start(there.load(path))
        there.stop()
        assert there.stay_silent(2).ended is True
        there._process.kill()
        there._process.wait()
        with pytest.raises(WireError, match="ended"):
            there.advance()


def answers(*requests):
    server = StdioServer()
    try:
        return [server.answer(json.dumps(request) if isinstance(request, dict) else request) for request in requests]
    finally:
        server.close()


def test_every_bad_request_gets_one_sentence():
    for request_, sentence in [
        ("hello", 'the request "hello" is no JSON'),
        ("[1]", 'the request "[1]" is no JSON object'),
        ({"do": "dance"}, 'do not know how to "dance"'),
        ({}, "do not know how to None"),
        ({"do": "load"}, '"path" is None and should be a JSON string'),
        ({"do": "start"}, "no behaviour is loaded: call load first"),
        ({"do": "hear", "phrase": 3}, '"phrase" is 3 and should be a JSON string'),
        ({"do": "touch", "sensor": "Nose"}, 'the robot has no sensor "Nose"'),
        ({"do": "open", "colour": "red", "without": 3}, "TypeError"),
        ({"do": "load", "path": "/no/such.xar"}, "cannot read /no/such.xar: No such file or directory"),
    ]:
        (answer,) = answers(request_)
        assert list(answer) == ["error"], request_
        assert sentence in answer["error"], request_


def test_lines_that_are_no_requests_are_refused_one_by_one():
    lines = [
        b"",
        b'{"do": "first"}',
        b"x" * (MAX_LINE_BYTES + 10),
        b"\xff",
        b"[1]",
        b"[" * 100000,
        b"  ",
        b"[" + b"[]," * 300000 + b"0]",
        b"9" * 3000000,
        b'{"do": "last"}',
    ]
    taken, refused = [], []
    read_requests(io.BytesIO(b"\n".join(lines)), taken.append, refused.append)
    assert taken == [{"do": "first"}, {"do": "last"}]
    assert [str(error).split(" is ")[1] for error in refused] == [
        "too long",
        "no JSON",
        "no JSON object",
        "no JSON",
        "too long",
        "no JSON",
    ]


def test_a_conversation_in_requests(path):
    results = answers(
        {"do": "load", "path": path, "memory": {"x": 1}, "seed": 5},
        {"do": "start"},
        {"do": "advance"},
        {"do": "hear", "phrase": "yes", "confidence": 0.5},
        {"do": "advance"},
        {"do": "leaks"},
        {"do": "get", "key": "x"},
        {"do": "set", "key": "x", "value": [1, "b"]},
        {"do": "get", "key": "x"},
        {"do": "silence", "seconds": 2},
        {"do": "stop"},
        {"do": "close"},
    )
    assert results[2]["ears"] == {
        "engine": "ALSpeechRecognition",
        "vocabulary": ("yes", "no"),
        "spotting": False,
        "touch": ("FrontTactilTouched",),
    }
    assert results[4]["ended"] is True
    assert results[5]["leaks"] == []
    assert (results[6]["value"], results[8]["value"], results[11]) == (1, [1, "b"], {"closed": True})
    assert all("error" not in answer for answer in results)
