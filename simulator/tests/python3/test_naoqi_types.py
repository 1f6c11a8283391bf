"""The types of NAOqi's services: a type checker accepts right scripts and finds mistakes, on every way to a service."""

import re
import sys

from interpreters import ROOT
from processes import process

from naosim_robots.serving.write_types import STUBS, types_text


def test_a_type_checker_accepts_right_scripts_and_finds_every_mistake(tmp_path):
    """Takes seconds: the type checker has no cache of an earlier run."""
    # The way of a script to a service.
    heads = {
        "naoqi": ("from naoqi import ALProxy", 'ALProxy({}, "nao.local", 9559)'),
        "qi": ("import qi\nsession = qi.Session()", "session.service({})"),
        "qiwire": ("import qiwire as qi\nsession = qi.Session()", "session.service({})"),
    }
    services = {
        "tts": '"ALTextToSpeech"',
        "leds": '"ALLeds"',
        "posture": '"ALRobotPosture"',
        "motion": '"ALMotion"',
        "memory": '"ALMemory"',
        "ears": '"ALSpeechRecognition"',
        "manager": '"ALBehaviorManager"',
        "own": '"Quiz"',
        "some": "sys.argv[1]",
    }
    # What only one of the ways has.
    more_right = {
        "naoqi": """
tts.post.say("hello") + 1
tts.wait(tts.pCall("say", "hello"), 0)
def play(service: ALProxy) -> None: service.play(1, 2, 3)
play(tts)
play(own)
""",
        "qi": """
tts.say("hello", _async=True).wait(1000)
tts.call("say", "hello")
memory.subscriber("FrontTactilTouched").signal.connect(print)
manager.behaviorStarted.connect(print)
manager.behaviorStarted.connect(print, _async=True).value()
session.service("ALMotion", _async=True).value().wakeUp()
qi.futureBarrier([tts.say("hello", _async=True), motion.wakeUp(_async=True)])
qi.runAsync(tts.say, "hello").hasError()
""",
    }
    right = """
tts.say("hello")
tts.say("hello", "French")
leds.fadeRGB("FaceLeds", "red", 0.1)
leds.fadeRGB("FaceLeds", 0xFF0000, 1)
leds.fadeRGB("FaceLeds", 1.0, 0.5, 0, 0.1)
posture.goToPosture("Stand", 0.8).real
motion.setAngles(["HeadYaw", "HeadPitch"], [0.1, 0], 0.2)
motion.setAngles("HeadYaw", 0.1, 0.2)
motion.moveTo(0.1, 0, 0)
motion.moveTo(0.1, 0, 0, [["MaxStepX", 0.02]])
motion.wbEnable(1)
memory.getData("FrontTactilTouched") + 1
memory.subscribeToEvent("FrontTactilTouched", "Quiz", "onTouch")
ears.setVocabulary(("yes", "no"), False)
ears.getMethodList()[0].upper()
own.play(1, 2, 3)
some.play(1, 2, 3)
"""
    wrong = """
tts.say(1)
tts.sya("hello")
tts.say("hello", 1)
tts.getLanguage() + 1
leds.fadeRGB("FaceLeds", 1.0, 0.1)
posture.goToPosture("Stand")
motion.moveTo(0.1, 0, "left")
motion.wbEnable("Legs")
ears.setVocabulary("yes")
manager.isRunningBehavior("quiz")
"""

    def write_script(way, lines):
        """Return a script and the number of its first line of calls."""
        head, get = heads[way]
        top = f"import sys\n{head}\n" + "".join(f"{name} = {get.format(each)}\n" for name, each in services.items())
        return top + lines.lstrip("\n"), top.count("\n") + 1

    expected = set()
    for way in heads:
        (tmp_path / f"{way}_right.py").write_text(
            write_script(way, right + more_right[way.replace("wire", "")].lstrip("\n"))[0]
        )
        text, first = write_script(way, wrong)
        (tmp_path / f"{way}_wrong.py").write_text(text)
        expected |= {(f"{way}_wrong.py", line) for line in range(first, text.count("\n") + 1)}
    for name in ("naoqi_client.py", "qi_client.py"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    # A script may import `qiwire` as `qi`, and its functions need no types.
    options = [
        "--check-untyped-defs",
        "--disable-error-code",
        "no-redef",
        "--config-file",
        "",
        "--cache-dir",
        tmp_path / "cache",
    ]
    answer = process(sys.executable, "-m", "mypy", *options, tmp_path, cwd=ROOT / "simulator")
    found = re.findall(r"(\w+\.py):(\d+): error", answer.stdout)
    assert {(name, int(line)) for name, line in found} == expected, answer.stdout + answer.stderr


def test_the_types_are_up_to_date():
    assert STUBS.read_text(encoding="utf-8") == types_text(), "python -m naosim_robots.serving.write_types"
