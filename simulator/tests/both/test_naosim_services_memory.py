"""ALMemory as the robot has it: values, errors, and events that are queued."""

from __future__ import absolute_import, division, print_function

import pytest

from naosim.robot import Robot


class Listener(object):
    """A module that remembers what ALMemory called it with."""

    def __init__(self):
        self.heard = []

    def onEvent(self, key, value, message):
        self.heard.append((key, value, message))

    def broken(self, key, value, message):
        raise ValueError("a mistake in the program")

    def _run(self, key, value, message):
        self.heard.append("a private method was called")


@pytest.fixture
def robot():
    with Robot() as made:
        made.world.modules["Game"] = Listener()
        yield made


@pytest.fixture
def memory(robot):
    return robot.memory


@pytest.fixture
def game(robot):
    return robot.world.modules["Game"]


def test_values_come_back_as_the_robot_gives_them_or_are_refused(memory):
    same = ["yes", 3, 0.5, True, None, [], [["yes", 0.7], None], -(2**31), 2**31 - 1]
    for value, read in [(each, each) for each in same] + [(("a", (1,)), ["a", [1]])]:
        memory.insertData("key", value)
        assert (memory.getData("key"), type(memory.getData("key"))) == (read, type(read))
    for value in ({"a": 1}, {1}, object(), 2**31, [1, {"a": 1}], float, 1j, u"x" if str is bytes else b"x"):
        with pytest.raises(RuntimeError, match="ALMemory::insertData"):
            memory.insertData("wrong", value)
    assert memory.getDataList("wrong") == []


def test_a_list_is_a_copy_and_keys_are_listed_found_and_removed(memory):
    mine = [1, [2]]
    memory.insertData("key", mine)
    mine[1].append(3)
    memory.getData("key")[1].append(4)
    assert memory.getData("key") == [1, [2]]
    before = memory.getDataListName()
    memory.insertListData([["Game/Turn", 1], ["Game/Word", "crane"], ["Other", 0.5]])
    assert sorted(set(memory.getDataListName()) - set(before)) == ["Game/Turn", "Game/Word", "Other"]
    assert memory.getDataList("Game") == ["Game/Turn", "Game/Word"]
    assert memory.getListData(["Other", "nothing", "Game/Turn"]) == [0.5, None, 1]
    memory.removeData("Other")
    assert "Other" not in memory.getDataListName()


def test_an_event_reaches_module_and_signal_unless_they_have_left_before_its_turn(robot, memory, game):
    values = []
    memory.subscribeToEvent("Game/Turn", "Game", "onEvent")
    link = memory.subscriber("Game/Turn").signal.connect(values.append)
    memory.raiseEvent("Game/Turn", [1])
    assert game.heard == values == []
    robot.clock.run()
    assert game.heard == [("Game/Turn", [1], "")]
    assert values == [[1]]
    memory.subscriber("Game/Turn").signal.disconnect(link)
    memory.unsubscribeToEvent("Game/Turn", "Game")
    memory.raiseEvent("Game/Turn", [2])
    robot.clock.run()
    assert len(game.heard) == len(values) == 1
    memory.subscribeToEvent("A", "Game", "onEvent")
    memory.raiseEvent("A", 1)
    memory.unsubscribeToEvent("A", "Game")
    robot.clock.run()
    assert len(game.heard) == 1


def test_the_longer_forms_pass_a_message_on(robot, memory, game):
    memory.subscribeToEvent("A", "Game", "hello", "onEvent")
    memory.subscribeToMicroEvent("B", "Game", "there", "onEvent")
    memory.raiseEvent("A", 1)
    memory.raiseMicroEvent("B", 2)
    robot.clock.run()
    assert game.heard == [("A", 1, "hello"), ("B", 2, "there")]
    assert (memory.getEventList(), memory.getMicroEventList()) == (["A"], ["B"])
    assert (memory.getType("A"), memory.getType("B")) == ("Event", "MicroEvent")
    memory.unsubscribeToMicroEvent("B", "Game")
    assert memory.getSubscribers("B") == []


def test_wrong_subscriptions_are_refused(memory):
    for arguments, reason in [
        (("A", "Nobody", "onEvent"), "Can't find service: Nobody"),
        (("A", "Game", "missing"), "no bound method missing"),
        (("A", "Game", "_run"), "no bound method _run"),
        (("A", "Game", 3), "a string is needed, not 3"),
    ]:
        with pytest.raises(RuntimeError, match=reason):
            memory.subscribeToEvent(*arguments)
    assert memory.getSubscribers("A") == []
    for call in (memory.unsubscribeToEvent, memory.unsubscribeToMicroEvent):
        with pytest.raises(RuntimeError, match="not subscribed"):
            call("A", "Game")
    with pytest.raises(RuntimeError, match="No subscription with id 7"):
        memory.subscriber("A").signal.disconnect(7)


def test_a_callback_that_raises_fails_the_run_and_not_the_robot(robot, memory, game):
    memory.subscribeToEvent("A", "Game", "broken")
    memory.subscriber("A").signal.connect(game.heard.append)
    memory.raiseEvent("A", 1)
    robot.clock.run()
    assert ["a mistake" in event.fields["message"] for event in robot.trace.of("error")] == [True]
    assert game.heard == [1]


def test_open_subscriptions_are_reported(memory, game):
    assert memory.leftovers() == []
    memory.subscribeToEvent("A", "Game", "onEvent")
    memory.subscriber("B").signal.connect(game.heard.append)
    assert memory.leftovers() == [
        "Module 'Game' is still subscribed to event 'A'.",
        "1 callback(s) are still connected to event 'B'.",
    ]
    memory.subscriber("B").signal.disconnectAll()
    memory.unsubscribeToEvent("A", "Game")
    assert memory.leftovers() == []
