# -*- coding: utf-8 -*-
"""The command line."""

from __future__ import absolute_import, division, print_function

import errno
import json
import sys

import naosim_xar_writer as w
import pytest

from naosim.__main__ import main

TALK = w.script("""
    def onLoad(self):
        self.asr = ALProxy("ALSpeechRecognition")
        self.memory = ALProxy("ALMemory")
    def onInput_onStart(self):
        ALProxy("ALTextToSpeech").say("Yes or no?")
        self.asr.setVocabulary(["yes", "no"], False)
        self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
    def onWord(self, key, value, message):
        self.memory.unsubscribeToEvent("WordRecognized", self.getName())
        ALProxy("ALTextToSpeech").say("You said " + value[0])
        self.onStopped()
""")


@pytest.fixture
def path(tmpdir):
    return w.save(tmpdir, w.one_box(TALK, "Talk"))


def test_a_conversation_in_lines_or_as_json(path, capsys):
    assert main([path, "--say", "no"]) == 0
    assert [line.split("s ", 1)[1].strip() for line in capsys.readouterr()[0].splitlines()] == [
        "says      Yes or no?",
        "expects   yes, no",
        'hears     "no" (0.90)',
        "says      You said no",
        "ends      " + path.split("/")[-3] + "/behavior_1",
    ]

    assert main([path, "--json", "--say", "yes"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr()[0].splitlines()]
    assert [row["text"] for row in rows if row["kind"] == "say"] == ["Yes or no?", "You said yes"]
    assert main([path, "--seconds", "10"]) == 0
    out, errors = capsys.readouterr()
    assert "waits for an answer" in out.splitlines()[-1]
    assert "still subscribed" in errors


@pytest.mark.parametrize(
    "code, why",
    [
        ("pass", "no event is left"),
        ("ALProxy('ALMemory').subscribeToEvent('FaceDetected', self.getName(), 'f')", "it waits for: FaceDetected"),
        (
            "ALProxy('ALMemory').subscribeToEvent('RearTactilTouched', self.getName(), 'f')",
            "it waits for a touch: see --touch RearTactilTouched",
        ),
        (
            "self.again = qi.PeriodicTask(); self.again.setCallback(lambda: None); self.again.setUsPeriod(400000); "
            "self.again.start(False)",
            "the time is up",
        ),
    ],
)
def test_what_it_waits_for_is_said_and_the_time_is_kept(tmpdir, capsys, code, why):
    script = w.on_start(code) + "    def f(self, key, value, message):\n        pass\n"
    assert main([w.save(tmpdir, w.behaviour([w.box("Talk", script)], w.chain("Talk")[:1])), "--seconds", "5"]) == 0
    seconds, rest = capsys.readouterr()[0].splitlines()[-1].split(" s ", 1)
    assert rest.split("stopped", 1)[1].strip() == why
    assert float(seconds) <= 5.0


def test_what_stock_boxes_do_is_warned_of_and_fails_with_strict(tmpdir, capsys):
    chatty = (
        w.on_start("""
        ears, voice = ALProxy("ALSpeechRecognition"), ALProxy("ALTextToSpeech")
        ears.setVocabulary(["yes"], False)
        ears.subscribe("Talk")
        voice.say("Say yes.")
        ears.unsubscribe("Talk")
        self.number("3")
        self.onStopped()
    """)
        + "    def onInput_comment(self):\n        pass\n"
    )
    outputs = [w.port("onStopped", nature="stopped"), w.port("number", "number", "punctual")]
    path = w.save(tmpdir, w.one_box(chatty, "Talk", outputs=outputs))
    assert main([path]) == 0
    out, errors = capsys.readouterr()
    assert [line.split("warns", 1)[1].strip() for line in out.splitlines() if "warns" in line] == [
        "ALSpeechRecognition: listens while it speaks: 'Say yes.'",
        'root/Talk.number: the output is declared number and was fired with str "3"',
    ]
    assert errors == ""
    assert main([path, "--strict"]) == 1
    assert len([line for line in capsys.readouterr()[1].splitlines() if line.startswith("failure: ")]) == 3
    assert (main([path, "--lint"]), main([path, "--lint", "--strict"])) == (0, 1)


DANCE = {"curves": [("HeadYaw", [(1, 0), (26, 30)]), ("HeadPitch", [(1, 0), (51, -18)])]}
GESTURE = {
    "script": w.on_start("""
        motion = ALProxy("ALMotion")
        for step in range(5):
            motion.setAngles("HeadYaw", 0.1 * step, 0.2)
            time.sleep(0.1)
        motion.setMoveArmsEnabled(True, True)
        for place in (0.1, 0.2):
            motion.moveTo(place, 0.0, 0.0)
        for again in range(3):
            motion.stopMove()
        motion.closeHand("LHand")
        motion.closeHand("RHand")
        self.onStopped()
    """)
}


@pytest.mark.parametrize(
    "box, verbose, lines",
    [
        (DANCE, False, "root/Dance: 2 joints in 2.0 s"),
        (DANCE, True, "HeadYaw along 2 keys in 1.0 s; HeadPitch along 2 keys in 2.0 s"),
        (
            GESTURE,
            False,
            "setAngles (0.0 s); setAngles, 4 times more; moveTo (1.0 s); moveTo (2.0 s); stopMove (0.0 s); "
            "stopMove, 2 times more; closeHand (0.6 s); closeHand (0.6 s)",
        ),
        (
            GESTURE,
            True,
            "setAngles (0.0 s); " * 5 + "setMoveArmsEnabled (0.0 s); " * 2 + "moveTo (1.0 s); moveTo (2.0 s); "
            "stopMove (0.0 s); stopMove (0.0 s); stopMove (0.0 s); closeHand (0.6 s); closeHand (0.6 s)",
        ),
    ],
)
def test_motion_is_one_line_unless_all_is_asked_for(tmpdir, capsys, box, verbose, lines):
    assert main([w.save(tmpdir, w.behaviour([w.box("Dance", **box)]))] + ["--verbose"] * verbose) == 0
    rows = capsys.readouterr()[0].splitlines()
    assert "; ".join(row.split("moves", 1)[1].strip() for row in rows if " moves " in row) == lines
    assert rows[-1].split()[2] == "ends"


def test_bad_files_and_findings(tmpdir, path, capsys):
    assert main([path, "--lint"]) == 0
    bad = w.save(tmpdir.mkdir("bad"), w.behaviour([w.box("Talk", TALK)], w.chain("Talk")[:1]))
    assert (main([bad, "--lint"]), main([bad, "--lint", "--strict"])) == (0, 1)
    assert "warning  root: No box that can be reached fires the root's onStopped" in capsys.readouterr()[0]
    for content, sentence in [
        (b"", "behavior.xar is empty\n"),
        (b"PK", "behavior.xar is a zip archive: unpack it and give the behavior.xar inside\n"),
    ]:
        assert main([w.save(tmpdir, content)]) == 2, content
        assert capsys.readouterr() == ("", sentence), content


def test_a_touch_and_an_unknown_sensor(path, capsys):
    assert main([path, "--touch", "FrontTactilTouched", "--say", "yes"]) == 0
    assert "is touched FrontTactilTouched" in capsys.readouterr()[0]
    assert main([path, "--touch", "Nose"]) == 2
    assert 'no sensor "Nose"' in capsys.readouterr()[1]


@pytest.mark.parametrize(
    "arguments", [["--seconds", "0"], ["--seconds", "x"], ["--parameter", "x"], [], ["--without", "ALNothing"]]
)
def test_wrong_arguments(path, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(([path] if arguments else []) + arguments)
    assert caught.value.code == 2


def test_a_parameter_that_no_box_has(tmpdir, path, capsys):
    assert main([path, "--parameter", "Nonsense=1"]) == 2
    assert capsys.readouterr() == ("", 'no box has a parameter "Nonsense": this behaviour has no parameters\n')
    parameters = [w.parameter("Speed", 1, "1"), w.parameter("Word", 3, "ocean")]
    other = w.save(tmpdir.mkdir("other"), w.one_box(TALK, "Talk", parameters=parameters))
    assert main([other, "--parameter", "Talk.Sped=2"]) == 2
    assert capsys.readouterr()[1] == 'no box has a parameter "Talk.Sped": there are Talk.Speed, Talk.Word\n'
    for name in ("Speed", "Talk.Speed", "root/Talk.Speed"):
        assert main([other, "--say", "no", "--parameter", name + "=2"]) == 0


def test_ctrl_c(path, monkeypatch, capsys):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("naosim.robot.Robot.advance", interrupt)
    assert main([path]) == 130


class FullOutput(object):
    encoding = "ascii"

    def __init__(self, number):
        self.number = number

    def write(self, _text):
        raise IOError(self.number, "an error of the system")

    def flush(self):
        pass


@pytest.mark.parametrize("number, status, told", [(errno.EPIPE, 0, ""), (errno.ENOSPC, 2, "no space is left")])
def test_a_full_disk_is_a_sentence_and_a_reader_who_leaves_is_none(path, monkeypatch, capsys, number, status, told):
    monkeypatch.setattr(sys, "stdout", FullOutput(number))
    assert main([path, "--say", "no"]) == status
    errors = capsys.readouterr()[1]
    assert told in errors and errors.count("\n") == (1 if told else 0)


def test_the_comparison_with_real_robots_needs_python_3(capsys):
    assert main(["facts", "no address!"]) == 2
    said = capsys.readouterr()[1]
    assert ("needs Python 3.10" if sys.version_info[0] == 2 else "is not an address of a robot") in said
