"""`naoqi` where no SDK is installed: old scripts on the simulated robot on both Pythons, never inside a behaviour."""

import json
import os
import socket
import sys

import pytest
from command_line import process
from interpreters import ROOT, path27, python27_with_qi

from naosim_live import served

PYTHONS = {"2.7": python27_with_qi, "3": lambda: sys.executable}


@pytest.fixture(scope="module")
def robot():
    """Provide a simulated robot behind a libqi directory, twenty times as fast as a real one."""
    with served(speed=20) as directory:
        yield directory


@pytest.fixture(params=PYTHONS)
def python(request):
    """Provide either Python, with libqi; both use the packages of the checkout."""
    return PYTHONS[request.param]()


def run(python, *arguments):
    """Run Python, which finds the checkout's packages; return its output."""
    ended = process(python, *arguments, cwd=ROOT, env={**path27(), "HOME": os.environ.get("HOME", "/")})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def port(robot):
    """Return the port the simulated robot listens at."""
    return robot.url.rpartition(":")[2]


def asked(python, robot, script):
    """Run a script with `proxy(name)` and the robot's `port`; return the JSON it prints last. It need not disconnect.

    Old libqi prints there, too, that a message has come for what is gone.
    """
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


def test_values_travel_tasks_are_posted_and_a_module_gets_sound_as_bytes(python, robot):
    script = """
memory = proxy("ALMemory")
memory.insertData("Old/Key", [1, 2.5, "three", [True, []]])
values = [memory.getData("Old/Key"), memory.call("getData", "Old/Key"), memory.ping(),
          "insertData" in memory.getMethodList(), "_hidden" in memory.getMethodList(), repr(memory)]
speech = proxy("ALTextToSpeech")
first = speech.post.say("one two three four five six seven eight nine ten " * 5)
tasks = [speech.isRunning(first), speech.wait(first, 1), speech.wait(first, 0), speech.isRunning(first)]
second = speech.pCall("say", "word " * 2000)
tasks += [second > first, speech.isRunning(second)]
# A stop cuts off what is being said, and the posted call has to reach the robot first.
for _ in range(2000):
    if memory.getData("ALTextToSpeech/CurrentSentence").startswith("word"):
        break
    time.sleep(0.01)
speech.stop(second)
tasks += [speech.wait(second, 20000), speech.isRunning(second), speech.wait(second + 99)]
broker = ALBroker("mine", "0.0.0.0", 0, "127.0.0.1", port)
class Ears(ALModule):
    pieces = []
    def processRemote(self, channels, samples, stamp, sound):
        self.pieces.append([channels, samples, len(stamp), type(sound) is bytes, sound == b"\\0" * 5440])
ears, device = Ears("Ears"), ALProxy("ALAudioDevice")
device.setClientPreferences("Ears", 16000, 3, 0)
device.subscribe("Ears")
while not ears.pieces:
    time.sleep(0.01)
device.unsubscribe("Ears")
broker.shutdown()
print(json.dumps([values, tasks, ears.pieces[0]]))
"""
    values, tasks, sound = asked(python, robot, script)
    kept = [1, 2.5, "three", [True, []]]
    assert values == [kept, kept, True, True, False, "<ALProxy to ALMemory>"]
    assert tasks == [True, True, False, False, True, True, False, False, False]
    assert sound == [1, 2720, 2, True, True]


def test_errors_are_worded_as_on_a_robot(python, robot):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        closed = nobody.getsockname()[1]
        value = asked(
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
        "\tALTextToSpeech::sing\n\tCan't find method: sing",
        "\tALTextToSpeech::sing\n\tCan't find method: sing",
        "\tALProxy::ALProxy\n\tCan't find service: ALNothing",
        "\tALProxy::ALProxy\n\tCan't find service: ALMemory (no ip is given, and no ALBroker was made)",
        f"\tALProxy::ALProxy\n\tCan't connect to tcp://127.0.0.1:{closed}",
        f"\tALBroker::createBroker\n\tCan't connect to tcp://127.0.0.1:{closed}",
        "\tALMemory::getData\n\tData not found: No/Such",
        "Could not create a module, as there is no current broker in Python's world.",
        "ALBehavior: boxes run inside a robot; run their behaviour with `python -m naosim`",
    ]


def test_a_module_is_a_service_of_the_robot_until_it_goes(python, robot):
    value = asked(
        python,
        robot,
        """
broker = ALBroker("mine", "0.0.0.0", 0, "127.0.0.1", port)
class Counting(ALModule):
    "Counts."
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
counting = Counting("Counting")
mine = ALProxy("Counting")
found = [mine.add(2, 3), mine.many(1, 2, 3), mine.getName(), mine.getMethodHelp("add"), mine.getModuleHelp(),
         refusal(mine._hidden), counting.getBrokerName(), mine.version(), refusal(Counting, "Counting")]
found[8] = "already registered" in found[8]
counting.exit()
counting.exit()
found += [refusal(ALProxy, "Counting"), refusal(mine.ping)]
again = Counting("Counting")
ends = broker.session().endpoints()
broker.shutdown()
broker.shutdown()
print(json.dumps(found + [refusal(proxy, "Counting"), refusal(ALModule, "Counting"), len(ends), ends[0]]))
""",
    )
    gone = "\tALProxy::ALProxy\n\tCan't find service: Counting"
    hidden = "\tCounting::_hidden\n\tCan't find method: _hidden"
    assert value[:9] == [5, 3, "Counting", "Adds up.", "Counts.", hidden, "mine", "", True]
    assert value[9:12] == [gone, "\tCounting::ping\n\tCan't find service: Counting", gone]
    assert value[12:14] == ["Could not create a module, as there is no current broker in Python's world.", 1]
    assert value[14].startswith("tcp://127.0.0.1:"), "it listens on this computer only"


def test_inside_a_behaviour_the_robots_own_naoqi_stands(python):
    # A behaviour whose only box names naoqi, on a simulated robot in a program that has imported the stand-in before.
    inside = """
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
    assert json.loads(run(python, "-c", inside)) == [["naosim.proxies"], ["Inside."], True, "naoqi.proxy"]


def test_without_libqi_one_line_says_what_is_missing_and_an_sdk_of_ones_own_comes_first(tmp_path):
    (tmp_path / "qi.py").write_text("raise ImportError('no libqi here')\n")
    head = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    code = f"{head}try:\n    import naoqi\nexcept ImportError as error:\n    print(error)"
    needs = "naoqi needs libqi: pip install 'nao-jotto[robot]', or for Python 2.7 pip install qi==1.5.0\n"
    assert run(sys.executable, "-c", code) == needs
    (tmp_path / "naoqi.py").write_text("ALProxy = 'from the SDK'\n")
    assert run(sys.executable, "-c", f"{head}import naoqi; print(naoqi.ALProxy)") == "from the SDK\n"


def test_a_script_with_the_modules_of_the_sdk_moves_the_body(python, robot):
    asked_half_way, moved, there, away, weight, gone = asked(
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
