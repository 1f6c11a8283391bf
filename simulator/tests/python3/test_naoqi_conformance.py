"""What the simulated robot serves over a real libqi directory, compared with tables of the real NAOqi API.

`PYTHONPATH=simulator/tests python simulator/tests/python3/test_naoqi_conformance.py` prints the outcome and writes
docs/naoqi-api.md again.
"""

import os
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from naoqi_api import page, tables

from naosim.proxies import Session
from naosim.robot import Robot
from naosim_robots import serve_robot

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "naoqi-api.md"
#: The one service that no robot has: it acts for the person.
OURS = {"SimulatedHuman"}
#: An example of a value, by the first letter of its signature.
_EXAMPLES = {"s": "yes", "i": 3, "f": 0.5, "b": True, "L": 4, "m": "any", "[": [], "{": {}, "(": []}


@contextmanager
def connected(robot_type="Pepper", naoqi="2.5"):
    """Provide a client of a served robot on which a simulated second is over at once."""
    os.environ.setdefault("QI_LOG_LEVEL", "error")
    import qi

    with serve_robot(speed=500, robot_type=robot_type, naoqi=naoqi) as directory:
        session = qi.Session()
        session.connect(directory.url)
        try:
            yield session
        finally:
            session.close()


def asked(session):
    names = {each["name"] for each in session.services()} - OURS - {"ServiceDirectory"}
    return {name: session.service(name).metaObject() for name in names}


def asked_of_all(session):
    """Ask a Pepper, and NAOs of other versions for the services that it lacks."""
    found = asked(session)
    for naoqi in ("2.1", "2.8"):
        with connected("Nao", naoqi) as other:
            found = {**asked(other), **found}
    return {name: found[name] for name in sorted(found)}


def compared(metas):
    return [tables.compare(name, tables.served(meta)) for name, meta in metas.items() if name in tables.services()]


@pytest.fixture(scope="module")
def session():
    with connected() as client:
        yield client


@pytest.fixture(scope="module")
def metas(session):
    return asked_of_all(session)


@pytest.fixture(scope="module")
def outcomes(metas):
    return compared(metas)


def listed(outcomes, field):
    """List the members or rows of a field, each with its service."""
    return [f"{one.service} {getattr(each, 'member', each)}" for one in outcomes for each in getattr(one, field)]


def test_what_is_served_has_a_table_and_differs_only_where_that_is_listed(metas, outcomes):
    assert set(metas) == set(tables.services()) and len(metas) > 100
    assert [row for field in ("differing", "unknown", "unlisted") for row in listed(outcomes, field)] == []
    assert tables.stale(outcomes) == [], "a listed difference is gone"
    found = {one.service: one for one in outcomes}
    for service in ("ALTextToSpeech", "ALMemory", "ALSpeechRecognition", "ALLeds", "ALRobotPosture", "ALTouch"):
        assert len(found[service].equal) >= 3 * len(found[service].tolerated), service
    assert page.totals(outcomes)["equal"] > 1700
    assert len(page.undocumented(outcomes)) < 20
    assert PAGE.read_text(encoding="utf-8") == page.page(outcomes)


def test_every_table_is_well_formed():
    for table in (*tables.BASES, *tables.services()):
        text = (tables.FOLDER / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
        assert text[0].startswith("# ") and text[1] == tables.FIELDS, table
        found = tables.rows(table)
        assert len({row.member for row in found}) == len(found), table
        for row in found:
            assert row.sure in tables.SURE and row.versions in {"", "2.1", "2.8", "1.x"}, row
            assert row.member.kind in {"method", "signal", "property"}, row
            assert "nao-sim" in text[0] or not row.member.name.startswith("_"), row
            assert set(row.member.parameters + row.member.returns) <= set("sifbvmolLIX()[]{}"), row
            assert row.member.parameters.startswith("(") or row.member.kind == "property", row


def test_calls_find_their_overload_over_the_wire(session):
    leds, motion = session.service("ALLeds"), session.service("ALMotion")
    for arguments in (["red", 0.1], [0xFF0000, 0.1], [1.0, 0.0, 0.0, 0.1], [1, 0, 0, 0.1]):
        assert leds.fadeRGB("FaceLeds", *arguments) is None
    with pytest.raises(RuntimeError, match=r"fadeRGB::\(sffff\)"):
        leds.fadeRGB("FaceLeds", 1.0, 0.0, 0.1)
    for arguments in ([0.1, 0, 0], [0.1, 0.0, 0.0, 5.0], [0.1, 0.0, 0.0, [["MaxStepX", 0.02]]], [[[0.1, 0.0, 0.0]]]):
        assert motion.moveTo(*arguments) is True
    motion.setAngles(["HeadYaw", "HeadPitch"], [0.1, 0.2], [0.1, 0.2])
    session.service("ALPreferenceManager").setValues({"game": {"level": 2}})
    assert session.service("ALPreferenceManager").getValueList("game") == [["level", 2]]
    session.service("ALSpeechRecognition").setParameter("Sensitivity", True)
    for arguments in ([0.5, False], [0, 0.5, False]):
        assert session.service("ALTracker").lookAt([1.0, 0.0, 0.0], *arguments) is None


def test_every_signal_has_the_arguments_of_the_table_on_the_robot_and_over_libqi(session, metas):
    heard = {}

    def connect(service, signal, to):
        to.connect(lambda *values: heard.setdefault((service, signal), []).append(len(values)))

    with Robot(robot_type="Pepper") as robot:
        inside = Session(robot.world)
        wanted, there = {}, {each["name"] for each in session.services()}
        for service, meta in ((name, metas[name]) for name in metas if name in there):
            real = {row.member.name: row.member.parameters for row in tables.rows(service)}
            for signal in [one.name for one in tables.served(meta) if one.kind == "signal"]:
                wanted[service, signal] = tables.parts(real[signal])
                connect(service, signal, getattr(inside.service(service), signal))
        for (service, signal), parts in wanted.items():
            robot.services[service]._emit(signal, *[_EXAMPLES[part[0]] for part in parts])
        robot.wait(0.1)
    assert len(wanted) > 25 and heard == {key: [len(parts)] for key, parts in wanted.items()}
    heard.clear()
    memory = session.service("ALMemory")
    for (service, signal), parts in wanted.items():
        connect(service, signal, getattr(session.service(service), signal))
        values = [_EXAMPLES[part[0]] for part in parts]
        memory.raiseEvent(f"{service}/{signal}", values[0] if len(values) == 1 else values or None)
    deadline = time.monotonic() + 20
    while len(heard) < len(wanted) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert {key: set(counts) for key, counts in heard.items()} == {key: {len(parts)} for key, parts in wanted.items()}


def test_the_comparison_sees_differences():
    def method(parameters, returns="v", name="say"):
        return tables.Member("method", name, parameters, returns)

    for ours, field in (
        (method("(s)"), "equal"),
        (method("(s)", "b"), "differing"),
        (method("(i)"), "differing"),
        (method("(sss)"), "differing"),
        (method("(s)", name="sing"), "unknown"),
    ):
        outcome = tables.compare("ALTextToSpeech", [ours])
        assert getattr(outcome, field) == [ours] and sum(map(len, outcome[1:5])) == 1
    # A dynamic parameter takes all that the real one takes.
    for ours, real in (("(s)", "(s)"), ("(m)", "(s)"), ("(mm)", "(s[f])")):
        assert tables.covers(method(ours), method(real)) is True
    for ours, real in (("(s)", "(m)"), ("(s)", "(ss)"), ("([m])", "([s])")):
        assert tables.covers(method(ours), method(real)) is False
    gone = tables.compare("ALTextToSpeech", [])
    assert method("(s)") in [row.member for row in gone.unlisted]
    assert not tables.compare("ALTouch", [row.member for row in tables.rows("ALTouch")]).unlisted


if __name__ == "__main__":
    with connected() as robot:
        results = compared(asked_of_all(robot))
    for kind in ("differing", "unknown", "unlisted"):
        print(kind, *listed(results, kind), sep="\n  ")
    print("stale", *tables.stale(results), sep="\n  ")
    print(page.totals(results))
    PAGE.write_text(page.page(results), encoding="utf-8")
