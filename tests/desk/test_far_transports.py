"""The three event transports, one by one: values, stamps where a robot keeps them, and what a robot may refuse."""

import pytest
from directory_clients import until

from naosim.errors import NaosimError
from naosim_live.far.connection import Connection, ConnectionLost
from naosim_live.far.event_feed import EventFeed
from naosim_live.far.event_transports import TRANSPORTS, PollingTransport
from naosim_live.libqi import qi


@qi.multiThreaded()
class StampedMemory:
    """An ALMemory with stamps, as robots have it; the time is a number that grows with every write."""

    def __init__(self):
        self._kept = {}
        self._writes = 0

    def write(self, key, value):
        self._writes += 1
        self._kept[key] = [value, self._writes, 0]

    def getTimestamp(self, key):
        if key not in self._kept:
            raise RuntimeError(f"Data not found: {key}")
        return self._kept[key]


@pytest.fixture
def robot():
    """Provide a connection with a robot that only keeps stamps."""
    session = qi.Session()
    session.listenStandalone("tcp://127.0.0.1:0")
    session.registerService("ALMemory", StampedMemory())
    connection = Connection(session.endpoints()[0])
    yield connection
    connection.close()
    session.close()


@pytest.fixture
def received():
    return []


@pytest.fixture
def polling(robot, received):
    made = PollingTransport(robot, lambda event, value: received.append((event, value)))
    yield made
    made.end()


def test_polling_reports_new_values_by_their_time(robot, received, polling):
    robot.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    polling.open("WordRecognized")
    robot.ask("ALMemory", "write", "WordRecognized", ["yes", 0.9])
    until(lambda: received == [("WordRecognized", ["yes", 0.9])])
    polling.close("WordRecognized")
    robot.ask("ALMemory", "write", "WordRecognized", ["no", 0.9])
    polling.open("Other/Key")
    robot.ask("ALMemory", "write", "Other/Key", 1)
    until(lambda: ("Other/Key", 1) in received)
    assert ("WordRecognized", ["no", 0.9]) not in received


def test_a_tap_between_two_polls_is_noticed(robot, received, polling):
    robot.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    polling.open("FrontTactilTouched")
    robot.ask("ALMemory", "write", "FrontTactilTouched", 0.0)
    until(lambda: len(received) == 2)
    assert received == [("FrontTactilTouched", 1.0), ("FrontTactilTouched", 0.0)]


def test_an_unsupported_transport_gives_way_to_polling(robot, received):
    said = []
    news = EventFeed(robot, lambda event, value: received.append((event, value)), tell=said.append)
    news.open("Some/Event")
    assert news.transport == "polling" and len(said) == 2
    robot.ask("ALMemory", "write", "Some/Event", 3)
    until(lambda: received == [("Some/Event", 3)])
    news.close("Some/Event")
    news.close("Some/Event")
    assert not news.is_open
    news.end()


@pytest.mark.parametrize("wanted", ["signal", "module"])
def test_only_the_requested_transport_is_used(robot, wanted):
    news = EventFeed(robot, print, wanted)
    with pytest.raises(RuntimeError, match="Can't find method"):
        news.open("Some/Event")
    news.end()


def test_transports_are_named(robot):
    with pytest.raises(NaosimError, match="use auto, " + ", ".join(TRANSPORTS)):
        EventFeed(robot, print, "smoke")


def test_after_the_end_every_call_fails_with_the_reason(robot):
    robot.close()
    with pytest.raises(ConnectionLost, match="closed"):
        robot.ask("ALMemory", "write", "Some/Key", 1)
    with pytest.raises(ConnectionLost):
        robot.call("ALMemory", "write", ("Some/Key", 1)).result(10)


def test_errors_come_without_tracebacks(robot):
    with pytest.raises(RuntimeError) as refused:
        robot.ask("ALMemory", "getTimestamp", "Nothing")
    assert str(refused.value) == "Data not found: Nothing"
    with pytest.raises(RuntimeError, match="Cannot find service"):
        robot.ask("ALNothing", "ping")
