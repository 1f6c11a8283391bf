"""`naoqi` where no SDK is installed: old scripts on the simulated robot on both Pythons, never inside a behaviour."""

import json
import os
import re
import socket
import subprocess
import sys
import threading

import pytest
from far_robots import DroppingRelay
from interpreters import ROOT, path27, python27_with_qi

import qiwire
from naosim_robots import serve_robot


@pytest.fixture(scope="module")
def robot():
    """Provide a simulated robot behind a libqi directory, twenty times as fast as a real one."""
    with serve_robot(speed=20) as directory:
        yield directory


@pytest.fixture(params=["2.7", "3", "3 without libqi"])
def python(request, tmp_path):
    """Provide either Python, with libqi, or Python 3 without it; all use the packages of the checkout."""
    if request.param == "2.7":
        return python27_with_qi()
    if request.param == "3":
        return sys.executable
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "qi.py").write_text("raise ImportError('no libqi here')\n")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}/without:$PYTHONPATH exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return str(python)


def run(python, *arguments):
    command, environ = [python, *map(str, arguments)], {**path27(), "HOME": os.environ.get("HOME", "/")}
    ended = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def port(robot):
    return robot.url.rpartition(":")[2]


def run_script(python, robot, script):
    """Run a script with `proxy(name)` and `port`; return the JSON it prints last: old libqi prints messages, too."""
    head = (
        "import json, sys, time\nfrom naoqi import *\nport = int(sys.argv[1])\n"
        "def proxy(name):\n    return ALProxy(name, '127.0.0.1', port)\n"
        "def refusal(call, *args):\n    try:\n        return call(*args)\n"
        "    except RuntimeError as error:\n        return str(error)\n"
    )
    return json.loads(run(python, "-c", head + script, port(robot)).splitlines()[-1])


def test_the_documented_script_reacts_to_a_touch(python, robot):
    said = []
    robot.robot.watch(lambda event: said.append(event.fields["text"]) if event.kind == "say" else None)
    assert run(python, "docs/naoqi_client.py", "127.0.0.1", port(robot)) == "Thank you.\n"
    assert [text.strip() for text in said] == ["Touch my head, please.", "Ouch!"]


def test_values_travel_and_services_tell_what_they_can(python, robot):
    script = """
memory = proxy("ALMemory")
memory.insertData("Old/Key", [1, 2.5, "three", [True, []]])
print(json.dumps([memory.getData("Old/Key"), memory.call("getData", "Old/Key"), memory.ping(),
                  "insertData" in memory.getMethodList(), "_hidden" in memory.getMethodList(), repr(memory)]))
"""
    kept = [1, 2.5, "three", [True, []]]
    assert run_script(python, robot, script) == [kept, kept, True, True, False, "<ALProxy to ALMemory>"]


def test_numbers_of_numpy_and_the_modules_of_the_sdk_s_own_module(python, robot):
    script = """
from naoqi import allog, motion, os, qi, sys
class float64(float):
    __module__, shape = "numpy", ()
    def item(self):
        return float(self)
joints = proxy("ALMotion")
joints.angleInterpolation(["HeadYaw"], [[float64(0.25)]], [[float64(0.1)]], True)
print(json.dumps([joints.getAngles(["HeadYaw"], False), motion.FRAME_ROBOT, callable(qi.Session)]))
"""
    assert run_script(python, robot, script) == [[pytest.approx(0.25)], 2, True]


def test_posted_tasks(python, robot):
    script = """
speech = proxy("ALTextToSpeech")
speech.getLanguage(unknown=1)
first = speech.post.say("one two three four five six seven eight nine ten")
found = [speech.isRunning(first), speech.wait(first, 1), speech.wait(first, 0), speech.isRunning(first)]
second = speech.pCall("say", "word " * 2000)
found += [second > first, speech.isRunning(second)]
# A stop cuts off what is being said, and the posted call has to reach the robot first.
for _ in range(2000):
    if proxy("ALMemory").getData("ALTextToSpeech/CurrentSentence").startswith("word"):
        break
    time.sleep(0.01)
speech.stop(second)
print(json.dumps(found + [speech.wait(second, 20000), speech.isRunning(second), speech.wait(second + 99)]))
"""
    assert run_script(python, robot, script) == [True, True, False, False, True, True, False, False, False]


def test_is_running_is_the_proxys_own_method(python, robot):
    """Recorded with the SDK of Python 2.7: ros-naoqi/naoqi_bridge, pull requests 72 and 82."""
    script = """
try:
    proxy("ALBackgroundMovement").isRunning()
except TypeError as error:
    print(json.dumps(str(error)))
"""
    assert run_script(python, robot, script) == "proxy_isRunning() takes exactly 2 arguments (1 given)"


def test_errors_are_worded_as_on_a_robot(python, robot):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        closed = nobody.getsockname()[1]
        value = run_script(
            python,
            robot,
            f"""
speech = proxy("ALTextToSpeech")
print(json.dumps([
    refusal(speech.sing, "la"), refusal(speech.post.sing, "la"), refusal(proxy, "ALNothing"),
    refusal(ALProxy, "ALMemory"), refusal(ALProxy, "ALMemory", "127.0.0.1", {closed}),
    refusal(ALBroker, "mine", "0.0.0.0", 0, "127.0.0.1", {closed}), refusal(proxy("ALMemory").getData, "No/Such"),
    refusal(ALModule, "Mine"), refusal(ALBehavior, "Mine")]))
""",
        )
    assert value == [
        "\tALTextToSpeech::sing\n\tCan't find method: sing (resolved to '(s)')",
        "\tALTextToSpeech::sing\n\tCan't find method: sing (resolved to '(s)')",
        "\tALProxy::ALProxy\n\tCan't find service: ALNothing",
        "\tALProxy::ALProxy\n\tCan't find service: ALMemory (no ip is given, and no ALBroker was made)",
        f"\tALBroker::createBroker\n\tCannot connect to tcp://127.0.0.1:{closed}",
        f"\tALBroker::createBroker\n\tCannot connect to tcp://127.0.0.1:{closed}",
        "\tALMemory::getData\n\tData not found No/Such",
        "Could not create a module, as there is no current broker in Python's world.",
        "ALBehavior: boxes run inside a robot; run their behaviour with `python -m naosim`",
    ]


def test_connections_that_break_at_once_are_opened_again(python, robot):
    """Takes seconds: there are pauses between the tries."""
    script = """
brokers = [ALBroker("mine%d" % each, "0.0.0.0", 0, "127.0.0.1", port) for each in range(5)]
print(json.dumps([ALProxy(broker, "ALMemory").ping() for broker in brokers]))
"""
    with DroppingRelay(robot.url) as relay:
        assert run_script(python, relay, script) == [True] * 5
    # Libqi opens another connection for services at another address.
    with DroppingRelay(robot.url, 1, 2) as services, DroppingRelay(robot.url, every=1000, services=services) as other:
        assert run_script(python, other, script) == [True] * 5
    assert relay.dropped >= 2
    with DroppingRelay(robot.url, every=1) as relay:
        told = run_script(python, relay, "print(json.dumps(refusal(proxy, 'ALMemory')))")
    assert re.fullmatch(rf"\tALBroker::createBroker\n\tCannot connect to {relay.url} \(.+; 5 tries\)", told)


def test_a_call_after_the_robot_has_gone_says_so_below_its_method(python):
    """As on a Pepper of 2.5: stevebong31/NAOqi_SDK_DOC_KR, ALNavigation/ex_proxy.ipynb."""
    script = """
motion, said = proxy("ALMotion"), True
proxy("ALMemory").raiseEvent("Off", 1)
while said is True:
    time.sleep(0.05)
    said = refusal(motion.stopMove)
print(json.dumps([said, refusal(motion.stopMove)]))
"""
    with serve_robot(speed=20) as going:
        session = qiwire.Session(going.url)
        off = session.service("ALMemory").subscriber("Off")
        off.signal.connect(lambda _value: threading.Thread(target=going.close).start())
        told = run_script(python, going, script)
        session.close()
    assert told == ["\tALMotion::stopMove\n\tSession closed"] * 2


def test_a_module_is_a_service_of_the_robot_until_it_goes(python, robot):
    script = """
broker = ALBroker("mine", "0.0.0.0", 0, "127.0.0.1", port)
class Counting(ALModule):
    "Counts."
    pieces = []
    def __init__(self, name):
        ALModule.__init__(self, name)
        self.speech = ALProxy("ALTextToSpeech")
    def add(self, one, other=1):
        "Adds up."
        return one + other
    def many(self, *numbers):
        return len(numbers)
    def _hidden(self):
        pass
    def processRemote(self, channels, samples, stamp, sound):
        self.pieces.append([channels, samples, len(stamp), type(sound) is bytes, sound == b"\\0" * 5460])
counting, device = Counting("Counting"), ALProxy("ALAudioDevice")
mine = ALProxy("Counting")
device.setClientPreferences("Counting", 16000, 3, 0)
device.subscribe("Counting")
while not counting.pieces:
    time.sleep(0.01)
device.unsubscribe("Counting")
found = [mine.add(2, 3), mine.many(1, 2, 3), mine.getName(), mine.getMethodHelp("add"), mine.getModuleHelp(),
         counting.getBrokerName(), mine.version(), counting.pieces[0], len(broker.session().endpoints()),
         broker.session().endpoints()[0].startswith("tcp://127.0.0.1:"),
         "already registered" in refusal(Counting, "Counting")]
told = [refusal(mine._hidden)]
counting.exit()
counting.exit()
told += [refusal(ALProxy, "Counting"), refusal(mine.ping)]
again = Counting("Counting")
broker.shutdown()
broker.shutdown()
print(json.dumps([found, told + [refusal(proxy, "Counting"), refusal(ALModule, "Counting")]]))
"""
    found, told = run_script(python, robot, script)
    piece = [1, 2730, 2, True, True]
    # A module on this computer listens only here.
    assert found == [5, 3, "Counting", "Adds up.", "Counts.", "mine", "", piece, 1, True, True]
    assert told == [
        "\tCounting::_hidden\n\tCan't find method: _hidden (resolved to '()')",
        "\tALProxy::ALProxy\n\tCan't find service: Counting",
        "\tCounting::ping\n\tCan't find service: Counting",
        "\tALProxy::ALProxy\n\tCan't find service: Counting",
        "Could not create a module, as there is no current broker in Python's world.",
    ]


def test_a_behaviour_gets_the_robots_own_naoqi(python):
    """Its only box names naoqi, in a program that has imported the stand-in before."""
    program = """
import json, sys
import naoqi
import naosim_xar_writer as w
from naosim import Robot
script = w.script('''    def onInput_onStart(self):
        import naoqi
        from naoqi import ALProxy as Inside
        Inside("ALTextToSpeech").say("Inside.")
        self.logger.info(naoqi.ALProxy.__module__)
''')
with Robot() as robot:
    robot.start(robot.load(w.behaviour([w.box("Only", script)], [
        ("root.onStart", "Only.onStart"), ("Only.onStopped", "root.onStopped")])))
    robot.advance(seconds=60)
    logged = [event.fields["text"] for event in robot.trace.of("log")]
    said = [event.fields["text"].strip() for event in robot.trace.of("say")]
print(json.dumps([logged, said, sys.modules["naoqi"] is naoqi, naoqi.ALProxy.__module__]))
"""
    assert json.loads(run(python, "-c", program)) == [["naosim.proxies"], ["Inside."], True, "naoqi.classic"]


def test_an_installed_sdk_comes_first_and_without_libqi_one_line_says_what_is_missing(python, tmp_path):
    missing = "naoqi needs libqi: pip install qi==1.5.0\n"
    (tmp_path / "naoqi.py").write_text("ALProxy = 'from the SDK'\n")
    head = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    assert run(python, "-c", head + "import naoqi; print(naoqi.ALProxy)") == "from the SDK\n"
    (tmp_path / "naoqi.py").unlink()
    (tmp_path / "qi.py").write_text("raise ImportError('no libqi here')\n")
    code = head + "try:\n    import naoqi\n    print(naoqi.ALProxy)\nexcept ImportError as error:\n    print(error)"
    found = "<class 'naoqi.classic.ALProxy'>\n" if ".venv27" not in python else missing
    assert run(python, "-c", code) == found


def test_a_script_with_the_modules_of_the_sdk_moves_the_body(python, robot):
    asked_half_way, moved, there, away, weight, gone = run_script(
        python,
        robot,
        """
import almath, motion
body, memory = proxy("ALMotion"), proxy("ALMemory")
proxy("ALRobotPosture").goToPosture("StandInit", 1.0)
body.angleInterpolation("HeadYaw", 0.0, 1.0, True)
task = body.post.angleInterpolation("HeadYaw", 1.0, 40.0, True)
time.sleep(1)
half = body.getAngles("HeadYaw", True)[0]
names = [row[0] for row in body.getTaskList()]
body.killTask(body.getTaskList()[0][1])
body.wait(task, 0)
before = almath.Pose2D(body.getRobotPosition(False))
body.moveTo(0.2, 0.0, 1.0)
body.moveTo(0.2, 0.0, 0.0)
walked = almath.pinv(before) * almath.Pose2D(body.getRobotPosition(False))
hand = almath.Position6D(body.getPosition("LArm", motion.FRAME_TORSO, True))
goal = hand + almath.Position6D(0.03, 0.0, 0.03, 0.0, 0.0, 0.0)
body.positionInterpolation("LArm", motion.FRAME_TORSO, list(goal.toVector()), motion.AXIS_MASK_VEL, 1.0, True)
reached = almath.Transform(body.getTransform("LArm", motion.FRAME_TORSO, True))
off = almath.position3DFromPosition6D(goal) - almath.position3DFromTransform(reached)
key = "Device/SubDeviceList/HeadYaw/Position/Sensor/Value"
print(json.dumps([[names, 0.1 < half < 0.9], list(walked.toVector()), off.norm(),
                  abs(memory.getData(key) - body.getAngles("HeadYaw", True)[0]) < 1e-5, body.getMass("Body"),
                  refusal(body.getPosition, "Tail", 0, True)]))
""",
    )
    assert asked_half_way == [["angleInterpolation"], True]
    assert moved == pytest.approx([0.2 + 0.2 * 0.5403023, 0.2 * 0.8414710, 1.0], abs=1e-4)
    assert there < 0.001 and away is True
    assert weight == pytest.approx(5.30535)
    assert "Unknown part of the body: 'Tail'" in gone
