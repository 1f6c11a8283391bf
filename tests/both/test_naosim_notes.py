"""What the robot keeps for its user and its programs: notifications, and facts of three words."""

from __future__ import absolute_import, division, print_function

import pytest


def test_a_notification_stays_until_it_is_removed(robot):
    notes = robot.service("ALNotificationManager")
    for given, kept in [
        ({"message": "Hello!", "severity": "error", "removeOnRead": False}, ["Hello!", "error", False]),
        ([["message", "Hello!"], ["severity", "warning"]], ["Hello!", "warning", True]),
        ({}, ["", "info", True]),
    ]:
        number = notes.call("add", [given])
        pairs = [["id", number]] + [list(pair) for pair in zip(("message", "severity", "removeOnRead"), kept)]
        assert notes.call("notifications", []) == [pairs] and notes.call("notification", [number]) == pairs, given
        assert robot.memory.getData("ALNotificationManager/notificationAdded") == number, given
        notes.call("remove", [number])
        assert notes.call("notifications", []) == [], given


@pytest.mark.parametrize(
    "service, method, arguments",
    [
        ("ALNotificationManager", "add", (3,)),
        ("ALNotificationManager", "add", ({"message": 3},)),
        ("ALNotificationManager", "add", ({"severity": "awful"},)),
        ("ALNotificationManager", "remove", (7,)),
        ("ALNotificationManager", "notification", (1,)),
        ("ALKnowledge", "add", ("nature", "sky", "hasColor", 3)),
        ("ALKnowledge", "add", ("nature", "sky", "hasColor", "b" * 501)),
        ("ALKnowledge", "query", ("nature", "?", "hasColor", "?")),
        ("ALKnowledge", "query", ("nature", "sky", "hasColor", "blue")),
    ],
)
def test_wrong_notifications_and_facts_are_refused(robot, service, method, arguments):
    with pytest.raises(RuntimeError, match="%s::%s" % (service, method)):
        robot.service(service).call(method, arguments)


def test_notifications_are_bounded(robot):
    notes = robot.service("ALNotificationManager")
    for _ in range(1000):
        notes.call("add", [{"message": "again"}])
    with pytest.raises(RuntimeError, match="remove some"):
        notes.call("add", [{"message": "again"}])


def test_facts_are_found_by_two_of_their_words(robot):
    facts = robot.service("ALKnowledge")
    for subject, color in (("sky", "blue"), ("sea", "blue"), ("sea", "green")):
        facts.call("add", ["nature", subject, "hasColor", color])
    assert facts.call("getSubject", ["nature", "hasColor", "blue"]) == ["sea", "sky"]
    assert facts.call("getPredicate", ["nature", "sky", "blue"]) == ["hasColor"]
    assert facts.call("query", ["nature", "sea", "hasColor", "?"]) == ["blue", "green"]
    facts.call("update", ["nature", "sea", "hasColor", "grey"])
    assert facts.call("getObject", ["nature", "sea", "hasColor"]) == ["grey"]
    assert facts.call("contains", ["nature", "sea", "hasColor", "grey"])
    facts.call("remove", ["nature", "sea", "hasColor", "grey"])
    assert not facts.call("contains", ["nature", "sea", "hasColor", "grey"])
    assert facts.call("getSubject", ["art", "hasColor", "blue"]) == []
    facts.call("resetKnowledge", ["nature"])
    assert facts.call("getSubject", ["nature", "hasColor", "blue"]) == []
