"""The simulated robot through libqi: methods, errors, events, clients' modules, the person, addresses, signatures."""

import ast
import contextlib
import socket
import subprocess
import sys

import pytest
from directory_clients import PATIENCE, REFUSED, client, until
from interpreters import ROOT, path27, python27_with_qi

import qiwire
import vision_definitions
from naosim import Robot
from naosim.errors import NaosimError
from naosim.services import SERVICES
from naosim.services.base import Service, overloads
from naosim_robots import serve_robot
from naosim_robots.hosting import HostedRobot
from naosim_robots.libqi import close_session, qi
from naosim_robots.serving import RobotServer
from naosim_robots.serving.server import get_lateness
from naosim_robots.serving.signatures import MODULE, TABLE, Method, methods, signals, table
from naosim_robots.serving.write_signatures import list_declared, signature_of, table_text


@pytest.fixture(scope="module")
def directory():
    """Provide one robot for all tests of this module."""
    with serve_robot(speed=50) as found:
        yield found


@pytest.fixture
def session(directory):
    """Provide a client; afterwards silence the robot."""
    with client(directory.url) as found:
        yield found
        found.service("ALTextToSpeech").stopAll()


def test_every_service_is_there_unless_the_robot_lacks_it(directory, session):
    names = {row["name"] for row in session.services()}
    assert names == {"ServiceDirectory", "SimulatedHuman", *directory.robot.services}
    assert set(directory.robot.services) <= set(SERVICES)
    with serve_robot(without=["ALSpeechRecognition"]) as poor, client(poor.url) as other:
        with pytest.raises(RuntimeError, match="Cannot find service"):
            other.service("ALSpeechRecognition")
        assert other.service("ALTextToSpeech").ping() is True


def test_methods_have_their_real_signatures(session):
    def signatures(service, name):
        rows = session.service(service).metaObject()["methods"].values()
        return sorted((row["parametersSignature"], row["returnSignature"]) for row in rows if row["name"] == name)

    assert signatures("ALTextToSpeech", "say") == [("(s)", "v"), ("(ss)", "v")]
    assert signatures("ALMemory", "subscriber") == [("(s)", "o")]
    assert signatures("ALMemory", "getDataListName") == [("()", "[s]")]
    assert signatures("SimulatedHuman", "hear") == [("(s)", "v"), ("(sf)", "v")]
    assert {"ping", "version"} <= set(session.service("ALTextToSpeech").getMethodList())


def test_values_come_back_unchanged_and_others_are_refused(session):
    memory, deep = session.service("ALMemory"), []
    for _ in range(100):
        deep = [deep]
    values = [None, True, -2147483648, 2.5, "", "caf\u00e9 \u4f60", [], [1, 2.5, "x", [None, [False]]], "x" * 20000]
    for value in values:
        memory.insertData("Test/Value", value)
        assert memory.getData("Test/Value") == memory.getData("Test/Value", 0) == value
    calls = [*REFUSED, *(("ALMemory", "insertData", ["Test/Odd", odd]) for odd in (deep, session.service("ALMotion")))]
    for service, method, arguments in calls:
        with pytest.raises(RuntimeError) as refused:
            getattr(session.service(service), method)(*arguments)
        said = str(refused.value)
        assert 0 < len(said) < 2500 and not any(part in said for part in ("Traceback", ".py", "\nAt:", str(ROOT)))
    assert memory.ping() is True


def test_events_reach_every_client(directory, session):
    with client(directory.url) as other:
        got, memory = {"here": [], "there": []}, session.service("ALMemory")
        subscribers = [each.service("ALMemory").subscriber("Test/Both") for each in (session, other)]
        for name, subscriber in zip(got, subscribers):
            subscriber.signal.connect(got[name].append)
        for value in range(20):
            memory.raiseEvent("Test/Both", value)
        memory.raiseMicroEvent("Test/Both", ["end", 2.5, None])
        until(lambda: all(len(values) == 21 for values in got.values()))
        # libqi does not guarantee an order.
        for values in got.values():
            values.remove(["end", 2.5, None])
            assert sorted(values) == list(range(20))


def test_a_watched_condition_is_an_object_with_a_signal(session):
    memory, got = session.service("ALMemory"), []
    condition = session.service("ALExpressionWatcher").add("'Test/Level' > 2", 2)
    condition.signal.connect(got.append)
    assert condition.value() is False
    memory.raiseEvent("Test/Level", 3)
    until(lambda: got == [True])
    assert condition.value() is True
    with pytest.raises(RuntimeError, match="cannot be read"):
        session.service("ALExpressionWatcher").add("'Test/Level' >", 2)


def test_a_link_lasts_from_the_first_client_to_the_last(directory, session):
    human, sensor = session.service("SimulatedHuman"), "FrontTactilTouched"
    # The sensor is in use while a client is connected to its event.
    assert sensor not in human.ears()["touch"]
    memory = session.service("ALMemory")
    touches = memory.subscriber(sensor)
    link = touches.signal.connect(lambda _: None)
    until(lambda: sensor in human.ears()["touch"])
    with client(directory.url) as other:
        theirs = other.service("ALMemory").subscriber(sensor)
        theirs.signal.connect(lambda _: None)
        touches.signal.disconnect(link)
        assert sensor in human.ears()["touch"]
    until(lambda: sensor not in human.ears()["touch"])
    touches.signal.connect(lambda _: None)
    until(lambda: sensor in human.ears()["touch"])


def test_a_connected_signal_does_not_start_the_recogniser(session):
    memory, human = session.service("ALMemory"), session.service("SimulatedHuman")
    ears, got = session.service("ALSpeechRecognition"), []
    ears.setVocabulary(["yes", "no"], False)
    words = memory.subscriber("WordRecognized")
    words.signal.connect(got.append)
    assert human.ears()["engine"] is None
    human.hear("yes")
    ears.subscribe("Test")
    human.hear("no")
    assert until(lambda: got)[0][0] == "no"
    ears.unsubscribe("Test")


class Module:
    def __init__(self):
        self.calls = []

    def onEvent(self, *event):
        self.calls.append(event)


def test_modules_of_clients_are_called_back(session):
    memory, module = session.service("ALMemory"), Module()
    session.registerService("TestModule", module)
    memory.subscribeToEvent("Test/Three", "TestModule", "onEvent")
    memory.subscribeToEvent("Test/Four", "TestModule", "hello", "onEvent")
    memory.subscribeToMicroEvent("Test/Micro", "TestModule", "small", "onEvent")
    assert memory.getSubscribers("Test/Three") == ["TestModule"]
    for event in ("Test/Three", "Test/Four", "Test/Micro"):
        memory.raiseMicroEvent(event, [1, "x"])
    until(lambda: len(module.calls) == 3)
    assert sorted(module.calls) == [
        ("Test/Four", [1, "x"], "hello"),
        ("Test/Micro", [1, "x"], "small"),
        ("Test/Three", [1, "x"], ""),
    ]
    memory.unsubscribeToEvent("Test/Three", "TestModule")
    assert memory.getSubscribers("Test/Three") == []
    for method in ("nothing", "_hidden", ""):
        with pytest.raises(RuntimeError, match="has no bound method"):
            memory.subscribeToEvent("Test/Three", "TestModule", method)
    memory.subscribeToEvent("Test/Four", "TestModule", "onEvent")
    assert memory.getSubscribers("Test/Four") == ["TestModule"]
    with pytest.raises(RuntimeError, match="Can't find service: ALMotion"):
        memory.subscribeToEvent("Test/Own", "ALMotion", "ping")


def test_sound_goes_to_the_modules_of_clients(session):
    class Ears:
        pieces = []

        @qi.bind("v", ["i", "i", "m", "r"])
        def processRemote(self, channels, samples, _time, sound):
            self.pieces.append((channels, samples, bytes(sound)))

    class PlainEars:
        pieces = []

        def processRemote(self, _channels, _samples, _time, sound):
            self.pieces.append(sound)

    device, ears = session.service("ALAudioDevice"), Ears()
    session.registerService("TestEars", ears)
    session.registerService("TestDeaf", Module())
    device.setClientPreferences("TestEars", 16000, 3, 0)
    device.subscribe("TestEars")
    until(lambda: len(ears.pieces) > 1)
    device.unsubscribe("TestEars")
    assert set(ears.pieces) == {(1, 2730, b"\0" * 5460)}
    plain = PlainEars()
    session.registerService("TestPlainEars", plain)
    device.subscribe("TestPlainEars")
    until(lambda: plain.pieces)
    device.unsubscribe("TestPlainEars")
    # Bytes, as from a NAO's service in C++ (funwithagents/nao-sim, tests-e2e/test_audio_input_live.py).
    assert type(plain.pieces[0]) is bytearray
    with pytest.raises(RuntimeError, match="ALAudioDevice::subscribe\n\tModule TestDeaf has no bound method"):
        device.subscribe("TestDeaf")
    with pytest.raises(RuntimeError, match="Can't find service: TestNobody"):
        device.subscribe("TestNobody")


def test_a_callback_with_other_parameters_is_reported_once(session, caplog):
    class Odd:
        def onEvent(self, value):
            """Take two parameters too few."""

    memory = session.service("ALMemory")
    session.registerService("OddModule", Odd())
    memory.subscribeToEvent("Test/Odd", "OddModule", "onEvent")
    for value in range(5):
        memory.raiseEvent("Test/Odd", value)
    until(lambda: "cannot call OddModule.onEvent(key, value, message)" in caplog.text)
    memory.unsubscribeToEvent("Test/Odd", "OddModule")
    assert caplog.text.count("OddModule.onEvent(") == 1


def test_a_module_that_vanishes_loses_its_subscriptions(directory, session):
    memory = session.service("ALMemory")
    for _ in range(3):
        with client(directory.url) as other:
            module = Module()
            other.registerService("Passing", module)
            other.service("ALMemory").subscribeToEvent("Test/Passing", "Passing", "onEvent")
            memory.raiseEvent("Test/Passing", 1)
            until(lambda: module.calls)  # noqa: B023
        until(lambda: memory.getSubscribers("Test/Passing") == [])
    number = session.registerService("Passing", Module())
    memory.subscribeToEvent("Test/Passing", "Passing", "onEvent")
    session.unregisterService(number)
    until(lambda: memory.getSubscribers("Test/Passing") == [])


def test_the_person(session):
    human, voice = session.service("SimulatedHuman"), session.service("ALTextToSpeech")
    memory, ears = session.service("ALMemory"), session.service("ALSpeechRecognition")
    voice.say("\\rspd=80\\Are you there?")
    until(lambda: human.said()[-1:] == ["Are you there?"])
    ears.setVocabulary(["yes", "no"], True)
    ears.subscribe("Test")
    assert human.ears()["vocabulary"] == ["yes", "no"]
    assert human.ears()["spotting"] is True
    human.hear("well yes", 0.5)
    assert until(lambda: memory.getData("WordRecognized")) == ["<...> yes <...>", 0.5]
    human.hear("no")
    until(lambda: memory.getData("WordRecognized")[1] == 0.9)
    ears.unsubscribe("Test")
    touched = []
    # The links of a subscriber end when nothing refers to it, as on a robot.
    head = memory.subscriber("FrontTactilTouched")
    head.signal.connect(touched.append)
    until(lambda: human.ears()["touch"] == ["FrontTactilTouched"])
    human.touch("FrontTactilTouched")
    human.press("FrontTactilTouched")
    human.release("FrontTactilTouched")
    until(lambda: sorted(touched) == [0.0, 0.0, 1.0, 1.0])
    before = human.state()["seconds"]
    human.stay_silent(5.0)
    human.stay_silent()
    assert human.state()["seconds"] >= before + 5
    assert human.state()["running"] == []


def test_leftovers_of_clients_end_with_the_directory(directory):
    with RobotServer(directory.robot) as other, client(other.url) as session:
        memory, ears = session.service("ALMemory"), session.service("ALSpeechRecognition")
        ears.pause(True)
        ears.setVocabulary(["yes"], False)
        ears.pause(False)
        session.registerService("Leaving", Module())
        for event in ("WordRecognized", "Test/Leaving"):
            memory.subscribeToEvent(event, "Leaving", "onEvent")
        until(lambda: directory.robot.person("ears").result()["engine"])
    until(lambda: directory.robot.person("ears").result()["engine"] is None)
    until(lambda: directory.robot.call("ALMemory", "getSubscribers", ["Test/Leaving"]).result() == [])


def test_addresses_that_are_refused(directory):
    public = ["tcp://0.0.0.0:9559", "tcp://192.168.1.2:9559", "tcp://[::]:9559", "tcp://nao.local"]
    wrong = ["http://127.0.0.1:9559", "9559", "", "tcp://127.0.0.1:99999", "tcp://" + "a" * 9999]
    for listen in public + wrong:
        with pytest.raises(NaosimError, match="no login.*--insecure" if listen in public else "not an address"):
            RobotServer(directory.robot, listen)


def test_a_port_that_is_taken_is_refused_and_localhost_is_an_address(directory):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NaosimError, match=f"^Port {port} of 127.0.0.1 is taken, [^/]*tcp://"):
            RobotServer(directory.robot, f"tcp://127.0.0.1:{port}")
    with RobotServer(directory.robot, "tcp://localhost:0") as other, client(other.url) as session:
        assert session.service("ALMemory").ping() is True


@pytest.mark.parametrize("python", [lambda: sys.executable, python27_with_qi], ids=["3", "2.7"])
def test_the_script_of_the_readme(directory, python):
    """Takes seconds: clients of libqi on both Pythons. The first run installs libqi for 2.7."""
    command = [python(), str(ROOT / "docs" / "qi_client.py"), directory.url]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (answer.returncode, answer.stdout.strip()) == (0, "Ann said yes"), answer.stderr


def test_types_have_signatures():
    plain = "str s, int i, float f, bool b, None v, Any m, List[str] [s], List[float] [f], List[Any] m, robots.Arm m"
    more = "List[List[str]] m, Dict[str,Any] m, Optional[str] s, Optional[List[int]] [i], Sequence[str] [s]"
    for row in f"{plain}, {more}, Tuple[int,int] m".split(", "):
        text, signature = row.split()
        assert signature_of(ast.parse(text, mode="eval").body) == signature, text


def test_a_client_does_not_see_what_the_version_of_naoqi_lacks():
    with serve_robot(naoqi="2.1") as directory, client(directory.url) as session:
        names = {each["name"] for each in session.services()}
        assert "ALAnimationPlayer" not in names and "ALAutonomousLife" in names
        methods_seen = dir(session.service("ALAutonomousLife"))
        assert "setAutonomousAbilityEnabled" not in methods_seen and "setState" in methods_seen
        assert session.service("ALSystem").systemVersion() == "2.1.4.13"


def test_modules_of_2_1_have_their_names_numbers_and_common_methods():
    with serve_robot(naoqi="2.1") as directory, client(directory.url) as session:
        numbers = {each["name"]: each["serviceId"] for each in session.services()}
        assert [numbers[name] for name in ("ServiceDirectory", "LogManager", "ALFileManager", "ALMemory")] == [
            1,
            2,
            3,
            4,
        ]
        assert {"ALBonjour", "ALPanoramaCompass", "ALModularity", "_ALAutonomousBlinking"} <= set(numbers)
        assert set(dir(session.service("ALBonjour"))) >= {"exit", "getMethodHelp", "isRunning", "pCall", "stop", "wait"}
        assert "ping" not in dir(session.service("ALDebug"))
        assert session.service("ALLeds").getMethodHelp("fadeRGB")[1] == "Sets the color of an RGB led."
        number = session.service("ALLeds").pCall(["fadeRGB", "FaceLeds", 255, 1.0])
        assert session.service("ALLeds").isRunning(number) is True
        assert session.service("ALLeds").wait(number, 0) is False


def test_a_module_that_exits_makes_room_for_one_of_a_program():
    class Voice:
        def say(self, text: str) -> str:
            return text.upper()

    with serve_robot(naoqi="2.1") as directory, client(directory.url) as session, client(directory.url) as other:
        # Libqi may notice that the service is gone before it reads the answer.
        with contextlib.suppress(RuntimeError):
            session.service("ALTextToSpeech").exit()
        until(lambda: "ALTextToSpeech" not in {each["name"] for each in other.services()})
        session.registerService("ALTextToSpeech", Voice())
        assert other.service("ALTextToSpeech").say("hello") == "HELLO"


@pytest.mark.parametrize("library", [qi, qiwire], ids=lambda library: library.__name__)
def test_other_programs_find_a_service_late_on_2_8_and_at_once_on_2_1(library):
    class Told:
        def __init__(self):
            self.values = []

        def tell(self, _key, value, _message):
            self.values.append(value)

    for naoqi in ("2.8", "2.1"):
        with serve_robot(naoqi=naoqi) as directory:
            first, second = library.Session(), library.Session()
            first.connect(directory.url)
            second.connect(directory.url)
            told = Told()
            removed = []
            watched = second.service("ServiceDirectory")
            watched.serviceRemoved.connect(lambda _, name: removed.append(name))  # noqa: B023
            for name in ("Brief", "Last"):
                assert name not in {each["name"] for each in first.services()}
                number = first.registerService(name, Told())
                assert name in {each["name"] for each in first.services()}
                if name == "Last":
                    second.waitForService(name)
                first.unregisterService(number)
            until(lambda: "Last" in removed)  # noqa: B023
            assert removed == (["Last"] if naoqi == "2.8" else ["Brief", "Last"])
            first.registerService("Late", told)
            memory = first.service("ALMemory")
            # The robot waits for the module itself.
            memory.subscribeToEvent("Test/Late", "Late", "tell")
            memory.raiseEvent("Test/Late", 3)
            until(lambda: told.values == [3])  # noqa: B023
            if naoqi == "2.8":
                assert "Late" not in {each["name"] for each in second.services()}
                with pytest.raises(RuntimeError, match="Cannot find service"):
                    second.service("Late")
            second.waitForService("Late")
            assert "tell" in dir(second.service("Late"))
            close_session(first)
            close_session(second)


@pytest.mark.parametrize("speed", [0, None, "fast"])
def test_a_wrong_speed_is_refused_in_a_sentence(speed):
    with pytest.raises(NaosimError), serve_robot(speed=speed):
        pass


def test_signatures_that_a_service_declares():
    class Declaring(Service):
        @overloads("s f", "", "s [f] b")
        def point(self, arm=None, place=None, whole=None):  # type: (Optional[str], Any, bool) -> bool
            """Point."""

    with Robot() as robot:
        rows = [row for row in list_declared(Declaring(robot.world)) if row.name == "point"]
    assert rows == [Method("point", ("s", "f"), "b"), Method("point", (), "b"), Method("point", ("s", "[f]", "b"), "b")]


def test_the_table_is_up_to_date_and_what_the_services_take():
    assert set(table()) == {*SERVICES, MODULE}
    assert TABLE.read_text(encoding="utf-8") == table_text(), "python -m naosim_robots.serving.write_signatures"
    assert {"behaviorStarted", "behaviorStopped"} <= set(signals("ALBehaviorManager")) and signals("ALMotion") == {}
    rows = [row for row in methods("ALMemory") if row.name in ("declareEvent", "getData", "unsubscribeToMicroEvent")]
    assert [row.signature for row in rows] == ["(s)", "(ss)", "(s)", "(si)", "(ss)"]
    with Robot(robot_type="Pepper", naoqi="2.5") as new, Robot(naoqi="2.1") as old:
        for service in set(SERVICES) - {"ALUserInfo", "Conversation", "Knowledge"}:
            robot, counts = new if service in new.services else old, {}
            for row in methods(service):
                counts.setdefault(row.name, set()).add(len(row.parameters))
            lacking = {name for name in counts if f"{service}.{name}" in robot.world.lacking_methods}
            offered = set(robot.service(service).getMethodList()) | robot.service(service).private_methods
            assert set(counts) - lacking == offered - lacking, service
            assert not set(counts) & {"call", "remote", "leftovers", "heard", "press", "release", "overloads"}
            for name in set(counts) - lacking:
                given = next(count for count in range(20) if count not in counts[name])
                expected = f"it takes {' or '.join(map(str, sorted(counts[name])))}$"
                with pytest.raises(RuntimeError, match=expected):
                    robot.service(service).call(name, (None,) * given)


def test_the_largest_image_of_a_nao6_passes(session):
    video = session.service("ALVideoDevice")
    image = video.getImageRemote(video.subscribeCamera("largest", 0, vision_definitions.k16VGA, 11, 30))
    assert image[:2] == [2560, 1920] and len(image[6]) == 3 * 2560 * 1920
    assert (type(image), type(image[6])) == (list, bytearray)


def test_bytes_for_a_client_of_python_27(directory):
    script = """
import qi, sys
from naoqi import ALProxy
session = qi.Session()
session.connect(sys.argv[1])
memory, video = session.service("ALMemory"), session.service("ALVideoDevice")
memory.insertData("Test/Old", bytearray(b"a\\xff"))
handle = video.subscribeCamera("old", 0, 0, 11, 5)
image = video.getImageRemote(handle)[6]
classic = ALProxy("ALVideoDevice", "127.0.0.1", int(sys.argv[1].rpartition(":")[2])).getImageRemote(handle)[6]
video.unsubscribe(handle)
print([type(memory.getData("Test/Old")).__name__, str(memory.getData("Test/Old")) == "a\\xff", len(str(image)),
       type(classic).__name__, len(classic)])
session.close()
"""
    command = [python27_with_qi(), "-c", script, directory.url]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=path27())
    size = 160 * 120 * 3
    assert said.stdout.splitlines()[-1:] == [f"['bytearray', True, {size}, 'str', {size}]"], said.stderr


def test_a_long_call_delays_no_other(session):
    memory = session.service("ALMemory")
    spoken = session.service("ALTextToSpeech").say("word " * 200, _async=True)
    memory.insertData("Test/Quick", 1)
    assert memory.getData("Test/Quick") == 1
    assert spoken.isRunning()
    session.service("ALTextToSpeech").stopAll()
    assert not spoken.hasError(20000)


def test_many_calls_at_once(session):
    memory = session.service("ALMemory")
    stored = [memory.insertData(f"Test/{number}", number, _async=True) for number in range(500)]
    assert not any(future.hasError(20000) for future in stored)
    assert [memory.getData(f"Test/{number}", _async=True).value() for number in range(500)] == list(range(500))


def test_subscriptions_of_a_closed_client_stay_as_on_a_robot(directory, session):
    services = ("ALSpeechRecognition", "ALFaceDetection")
    with client(directory.url) as other:
        for service in services:
            other.service(service).subscribe("Gone")
    for service in services:
        left = session.service(service)
        assert left.getSubscribersInfo() == [["Gone", 500, 0.0]]
        # Any client that knows the name can end it.
        left.unsubscribe("Gone")
        assert left.getSubscribersInfo() == []


def test_bytes_stay_bytes(session):
    memory, image = session.service("ALMemory"), bytes(range(256)) * 900
    for value in (b"\xff\xfe", image, [1, [b"\xff", "ja"]]):
        memory.insertData("Test/Value", value)
        assert memory.getData("Test/Value") == value and memory.getListData(["Test/Value"]) == [value]
    # libqi's binding for Python sends bytes of a text in the same way as the text.
    memory.insertData("Test/Text", b"ocean")
    assert memory.getData("Test/Text") == "ocean"


def test_a_deleted_subscriber_and_a_client_that_goes_are_forgotten(directory, session):
    events, memory = directory._subscribers, session.service("ALMemory")
    subscriber = memory.subscriber("Test/Dropped")
    link = subscriber.signal.connect(lambda _value: None)
    with client(directory.url) as other:
        theirs = other.service("ALMemory").subscriber("Test/Left")
        theirs.signal.connect(lambda _value: None)
        assert {"Test/Dropped", "Test/Left"} <= set(events)
        subscriber.signal.disconnect(link)
        del subscriber
        until(lambda: "Test/Dropped" not in events)
    until(lambda: "Test/Left" not in events)


def test_every_network_on_request():
    with serve_robot(listen="tcp://0.0.0.0:0", insecure=True, speed=50) as found:
        url = f"tcp://127.0.0.1:{found.url.rpartition(':')[2]}"
        with client(url) as session:
            # A client is told the address by which it has come.
            assert session.service("ServiceDirectory").service("ALMemory")["endpoints"] == [url]


# Any client may take a service away, as with a robot's own directory.


def test_a_service_that_is_unregistered_answers_no_more(directory):
    with RobotServer(directory.robot) as other, client(other.url) as session:
        spare = session.service("ALLeds")
        assert spare.ping() is True
        session.unregisterService(session.service("ServiceDirectory").service("ALLeds")["serviceId"])
        with pytest.raises(RuntimeError):
            session.service("ALLeds").ping()
        with pytest.raises(RuntimeError):
            spare.ping()


@pytest.mark.parametrize(
    "options, late_s", [({"speed": 10}, 0.3), ({"speed": 10, "naoqi": "2.1"}, 0.0)], ids=["2.8", "2.1"]
)
def test_a_robot_tells_a_server_how_late_services_are(options, late_s):
    """Also a server that a robot starts for the services of its packages asks it."""
    with HostedRobot(**options) as robot:
        assert get_lateness(robot) == pytest.approx(late_s)
