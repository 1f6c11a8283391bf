"""The contract of every service: the robot's errors for wrong calls, nothing left open, a sentence per method."""

from __future__ import absolute_import, division, print_function

import contextlib
import itertools
import math
import re

import pytest
from robot_fixtures import read_sections, read_table

from naosim.proxies import Session
from naosim.robot import Robot
from naosim.services import SERVICES
from naosim.world import Faults  # noqa: F401 (for options in service_calls.txt)

FOREIGN_TEXT = u"Hello" if str is bytes else b"Hello"
#: Values of every kind, fitting or not.
VALUES = ["", "Stand", -1, 0, 1, 0.5, True, None, [], ["HeadYaw"], [[]], {}, FOREIGN_TEXT, float("nan"), object()]


@contextlib.contextmanager
def opened_services():
    """Yield all services by name: those of a Pepper of 2.8, and the others of a NAO of 2.1."""
    with Robot(robot_type="Pepper") as new, Robot(naoqi="2.1") as old:
        yield {name: (new if name in new.services else old).service(name) for name in sorted(SERVICES)}


@pytest.fixture(scope="module")
def services():
    """Return all services by name; no test here depends on what another called."""
    with opened_services() as found:
        yield found


@pytest.fixture
def fresh_services():
    with opened_services() as found:
        yield found


ROBOT = {"robot_type": "Pepper"}


def list_methods(services):
    return [(name, service, method) for name, service in services.items() for method in service.getMethodList()]


def test_a_fresh_service_is_sound(fresh_services):
    for name, service in sorted(fresh_services.items()):
        assert (service.name, type(service.name), service.leftovers()) == (name, str, [])
        assert "ping" not in service.getMethodList() or service.call("ping", []) is True
        for method in ("nothing", "leftovers", "_error", "robot", "heard", "call", "is_open", "declared", "__init__"):
            with pytest.raises(RuntimeError, match="%s::%s\n\tCan't find method: %s" % (name, method, method)):
                service.call(method, [])


@pytest.mark.only_python_3
def test_methods_have_a_sentence_and_count_their_arguments(services):
    for name, service, method in list_methods(services):
        sentence = (getattr(service, method).__doc__ or "").strip()
        assert sentence.endswith(".") and sentence[0].isupper(), (name, method)
        with pytest.raises(RuntimeError, match="%s::%s\n\tArguments types did not match for" % (name, method)):
            service.call(method, [None] * 12)


def test_a_method_takes_as_many_arguments_as_its_overloads(services):
    for service, method, counts in [
        ("ALLeds", "fadeRGB", {3, 5}),
        ("ALFaceDetection", "subscribe", {1, 3}),
        ("ALAudioPlayer", "playSoundSetFile", {1, 2, 5, 6}),
        ("ALMotion", "moveTo", {1, 2, 3, 4, 5}),
        ("ALMotion", "setWalkTargetVelocity", {4, 5, 6}),
        ("ALTracker", "pointAt", {3, 4}),
        ("ALDialog", "getLoadedTopics", {1}),
        ("ALWavingDetection", "setMinSize", {1}),
        ("ALWavingDetection", "getMinSize", {0}),
    ]:
        for count in range(8):
            try:
                services[service].call(method, [None] * count)
            except RuntimeError as error:
                assert ("did not match" not in str(error)) is (count in counts), (service, method, count, error)
            else:
                assert count in counts, (service, method, count)


def test_methods_that_no_robot_has_are_missing(services):
    for service, method in [
        ("ALLogger", "verbose"),
        ("ALAnimationPlayer", "declareTagForAnimations"),
        ("ALAutonomousBlinking", "isRunning"),
        ("ALFsr", "subscribe"),
        ("ALLaser", "unsubscribe"),
        ("ALInertial", "getOutputNames"),
    ]:
        with pytest.raises(RuntimeError, match="Can't find method: %s" % method):
            services[service].call(method, [])


#: The first values that differ from the declared one, because they are a Pepper's.
FIRST_VALUES = {("ALSystem", "RobotName"): "Pepper"}


def test_declared_settings_keep_their_values_and_refuse_others(fresh_services):
    """Each setter accepts the values of its declaration, and the getter returns them; the robot's errors for others."""
    for name, service in sorted(fresh_services.items()):
        settings = itertools.chain(service.declared, *(getattr(service, part).declared for part in service.parts))
        # NAOqi 2.8 lacks some setters.
        whole = [each for each in settings if each.name and set(each.methods) <= set(service.getMethodList())]
        own = {each.name: each for each in whole if len(each.methods) == 2}
        for setting in own.values():
            case = (name, setting.name)
            has_value = {each: function.type_comment[1] != ")" for each, function in setting.methods.items()}
            setter, getter = sorted(has_value, key=lambda each: not has_value[each])
            assert service.call(getter, []) == FIRST_VALUES.get(case, setting.default), case
            is_own = service.remote(setter).__doc__ == setting.methods[setter].__doc__
            for value in setting.values if is_own else ():
                assert service.call(setter, [value]) in (None, True), case
                assert (service.call(getter, []), type(service.call(getter, []))) == (value, type(setting.default)), (
                    case
                )
            is_number = type(setting.default) in (int, float)
            too_far = [setting.values[0] - 1, setting.values[1] + 1, float("nan"), True] if is_number and is_own else []
            unknown = ["Unknown"] if type(setting.default) is str and "Other" not in setting.values else []
            for wrong in too_far + unknown + [None, [], "Nothing" if type(setting.default) is not str else 3]:
                with pytest.raises(RuntimeError, match="%s::%s" % (name, setter)):
                    service.call(setter, [wrong])
            assert service.call(getter, []) == (setting.values[-1] if is_own else setting.default), case


def test_a_network_is_a_copy(robot):
    network = robot.service("ALConnectionManager")
    before = repr(network.services())
    for pairs in (network.services()[0], network.service("ethernet_000000000000_cable")):
        dict(pairs)["IPv4"][0][1] = "manual"
        dict(pairs)["Security"].append("wep")
        assert repr(network.services()) == before


def test_declared_constants_are_copies_and_a_method_of_the_class_comes_first(robot):
    names = robot.service("ALAudioPlayer").getInstalledSoundSetsList()
    names.append("Mine")
    assert robot.service("ALAudioPlayer").getInstalledSoundSetsList() == names[:-1]
    photos = robot.service("ALPhotoCapture")
    photos.setResolution(2)
    with pytest.raises(RuntimeError, match="no resolution 9"):
        photos.setResolution(9)
    assert photos.getResolution() == 2


def test_any_arguments_give_a_value_or_an_error_of_the_robot(services):
    # A module that has left could not be asked by the others.
    for service, method in [row[1:] for row in list_methods(services) if row[2] != "exit"]:
        for count in (each for each in service._counts(getattr(service, method)) if each <= 3):
            for values in itertools.islice(itertools.product(VALUES, repeat=count), 400):
                try:
                    service.call(method, list(values))
                except RuntimeError as error:
                    assert type(str(error)) is str


@pytest.mark.parametrize("story", read_sections("service_calls.txt"), ids=lambda s: s.split("\n")[0])
def test_calls_return_what_the_table_says(story):
    options, lines = re.match(r".*\n(?:robot: (.*)\n)?([\s\S]*)", story).groups()
    with Robot(**eval("dict(%s)" % (options or ""))) as robot:
        session, names = Session(robot.world), {"approx": pytest.approx, "pi": math.pi}
        names.update({name: session.service(name) for name in robot.services})
        names.update(wait=lambda seconds: robot.clock.run(seconds=seconds), event=robot.event, now=robot.now)
        for line in filter(None, lines.split("\n")):
            call, sign, wanted = re.match(r"(.*?)(?: ([=!]) (.*))?$", line).groups()
            try:
                found, said = eval(call, names), "no error"
            except RuntimeError as error:
                said = str(error)
                assert sign == "!", (line, said)
            if sign == "!":
                assert wanted in said, (line, said)
            elif sign:
                assert found == eval(wanted, names), (line, found)


def test_wrong_calls_are_refused_with_a_sentence_and_begin_nothing():
    rows = re.findall(r"(?m)^(Pepper )?(\w+)\.(\w+)\((.*)\) ! (.*)$", read_table("refused_calls.txt"))
    numbers = {"nan": float("nan"), "inf": float("inf")}
    with Robot() as nao, Robot(robot_type="Pepper") as pepper:
        nao.world.modules["Deaf"] = object()
        for kind, service, method, arguments, sentence in rows:
            robot = pepper if kind else nao
            call = "%s.%s(%s)" % (service, method, arguments)
            try:
                said = robot.service(service).call(method, eval("[%s]" % arguments, numbers))
            except RuntimeError as error:
                said = str(error).replace("\n\t", ": ").lstrip("\t")
            assert sentence in str(said) and said.startswith("%s::%s: " % (service, method)), (call, said)
            assert robot.list_left_open() == robot.trace.events == [], call
    assert len(rows) > 100 and nao.service("ALMotion").getRobotPosition(True) == [0.0, 0.0, 0.0]


def test_only_native_text_goes_in(robot):
    for name, method, arguments in [
        ("ALTextToSpeech", "say", [FOREIGN_TEXT]),
        ("ALMemory", "insertData", ["key", FOREIGN_TEXT]),
        ("ALMemory", "getData", [FOREIGN_TEXT]),
        ("ALSpeechRecognition", "setVocabulary", [[FOREIGN_TEXT], False]),
        ("ALLeds", "fadeRGB", [FOREIGN_TEXT, "red", 0.1]),
        ("ALDialog", "forceInput", [FOREIGN_TEXT]),
        ("ALMotion", "setAngles", [FOREIGN_TEXT, 0.1, 0.1]),
        ("ALRobotPosture", "goToPosture", [FOREIGN_TEXT, 1.0]),
    ]:
        with pytest.raises(RuntimeError):
            robot.service(name).call(method, arguments)


def test_text_comes_out_native(robot):
    for name, method in (
        ("ALTextToSpeech", "getLanguage"),
        ("ALSpeechRecognition", "getLanguage"),
        ("ALRobotPosture", "getPosture"),
        ("ALRobotPosture", "getPostureFamily"),
        ("ALSystem", "robotName"),
        ("ALDialog", "getLanguage"),
        ("ALAutonomousLife", "getState"),
    ):
        assert type(robot.service(name).call(method, [])) is str
    assert {type(each) for each in robot.service("ALTextToSpeech").getAvailableLanguages()} == {str}


def test_a_fact_about_a_user_is_a_copy_and_can_be_changed_when_no_other_fits(robot):
    users, given = robot.service("ALUserInfo"), [1]
    users.set("quiz", "levels", given)
    given.append(2)
    users.get("quiz", "levels").append(3)
    assert users.get("quiz", "levels") == [1]
    for number in range(1999):
        users.set("quiz", "fact %d" % number, number)
    with pytest.raises(RuntimeError, match="2000 facts are known already"):
        users.set("quiz", "another", 1)
    assert users.set("quiz", "levels", 4) and users.get("quiz", "levels") == 4


def test_parameters_and_subscribers_have_a_greatest_number(robot):
    mood, awareness = robot.service("ALMood"), robot.service("ALBasicAwareness")
    for number in range(100):
        mood.subscribe("Game %d" % number, "Active")
    for number in range(98):
        awareness.setParameter("Own %d" % number, number)
    mood.subscribe("Game 1", "Passive")
    awareness.setParameter("Own 1", 3)
    for service, method, args in ((mood, "subscribe", ("Game", "Active")), (awareness, "setParameter", ("Own", 1))):
        with pytest.raises(RuntimeError, match="already"):
            getattr(service, method)(*args)


def test_a_long_signature_is_cut_in_a_sentence(robot):
    with pytest.raises(RuntimeError) as caught:
        robot.service("ALTextToSpeech").call("say", [1] * 5000)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("value", ["abc", [1], None, 1.0])
def test_a_touch_device_is_read_whatever_a_program_wrote_into_its_event(robot, value):
    robot.memory.raiseEvent("FrontTactilTouched", value)
    key = "Device/SubDeviceList/Head/Touch/Front/Sensor/Value"
    wanted = 1.0 if value == 1.0 else 0.0
    assert robot.memory.getData(key) == wanted and robot.memory.getListData([key]) == [wanted]


def test_every_service_of_the_maker_can_be_stopped_at_once(robot):
    manager = robot.service("ALServiceManager")
    assert any(row[0] for row in manager.services())
    manager.stopAllServices()
    assert not any(row[0] for row in manager.services())
