"""The table of signatures, and the type comments of the simulated services that it is written from."""

import ast

import pytest

from naosim import Robot
from naosim.services import SERVICES
from naosim.services.base import Service, overloads
from naosim_live.directory.signatures import TABLE, Method, methods, signals, table
from naosim_live.directory.write_signatures import declared, signature_of, table_text


def of(service, name):
    """List the overloads of one method."""
    return [row for row in methods(service) if row.name == name]


def test_an_overload_for_every_number_of_arguments():
    assert of("ALTextToSpeech", "say") == [Method("say", ("s",), "v"), Method("say", ("s", "s"), "v")]
    assert [row.signature for row in of("ALMemory", "getData")] == ["(s)", "(si)"]
    assert [row.signature for row in of("ALMemory", "declareEvent")] == ["(s)", "(ss)"]


@pytest.mark.parametrize(
    "text, signature",
    [
        ("str", "s"),
        ("int", "i"),
        ("float", "f"),
        ("bool", "b"),
        ("None", "v"),
        ("Any", "m"),
        ("List[str]", "[s]"),
        ("List[float]", "[f]"),
        ("List[Any]", "m"),
        ("List[List[str]]", "m"),
        ("Dict[str, Any]", "m"),
        ("robots.Arm", "m"),
        ("Optional[str]", "s"),
        ("Optional[List[int]]", "[i]"),
        ("Sequence[str]", "[s]"),
        ("Tuple[int, int]", "m"),
    ],
)
def test_types(text, signature):
    assert signature_of(ast.parse(text, mode="eval").body) == signature


def test_an_alias_has_the_signature_of_its_method():
    assert of("ALMemory", "unsubscribeToMicroEvent") == [Method("unsubscribeToMicroEvent", ("s", "s"), "v")]


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_every_service_offers_what_its_own_list_says(service):
    names = {row.name for row in methods(service)}
    assert {"ping", "version", "getMethodList"} <= names
    assert not names & {"call", "remote", "leftovers", "heard", "press", "release", "overloads"}
    with Robot(robot_type="Pepper") as robot:
        assert names == set(robot.service(service).getMethodList())


def test_signals_are_those_of_the_service():
    assert {"behaviorStarted", "behaviorStopped"} <= set(signals("ALBehaviorManager"))
    assert signals("ALMotion") == ()


class Declaring(Service):
    """A service that declares its signatures."""

    @overloads("s f", "", "s [f] b")
    def point(self, arm=None, place=None, whole=None):  # type: (Optional[str], Any, bool) -> bool
        """Point."""


def test_signatures_that_a_service_declares():
    with Robot() as robot:
        rows = [row for row in declared(Declaring(robot)) if row.name == "point"]
    assert rows == [Method("point", ("s", "f"), "b"), Method("point", (), "b"), Method("point", ("s", "[f]", "b"), "b")]


def test_the_table_is_up_to_date():
    assert set(table()) == set(SERVICES)
    assert TABLE.read_text(encoding="utf-8") == table_text(), "python -m naosim_live.directory.write_signatures"


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_the_table_has_the_robots_numbers_of_arguments(service):
    with Robot(robot_type="Pepper") as robot:
        for name in {row.name for row in methods(service)}:
            counts = {len(row.parameters) for row in of(service, name)}
            given = next(count for count in range(20) if count not in counts)
            with pytest.raises(RuntimeError, match=f"{given} given, {' or '.join(map(str, sorted(counts)))} expected"):
                robot.service(service).call(name, (None,) * given)
