"""A robot as pages see it: its events, what was said, time, and its end; without a browser."""

import asyncio
import contextlib
import os
import signal
from concurrent.futures import Future

import pytest
from interpreters import ROOT

pytest.importorskip("nicegui")

from naosim.world import Event
from naosim_live.hosting import HostedRobot, RobotGone
from naosim_live.page.behaviour import load
from naosim_live.page.latest_events import LONGEST_TEXT, MOST_EVENTS, MOST_LETTERS, LatestEvents, cut
from naosim_live.page.live_robot import LiveRobot
from naosim_live.page.log.lines import passes, saved, text_of
from naosim_live.page.talk.conversation import MOST_LINES, RECOGNISED, Conversation

PATIENCE = 30.0


def shown(story):
    """Run a story with a robot that has loaded the greeting and whose time is paused."""

    async def told():
        with HostedRobot() as robot:
            load(robot, str(ROOT / "docs" / "greeting"))
            live = LiveRobot(robot)
            await live.open()
            await live.set_speed(0.0)
            await asyncio.wait_for(story(live), PATIENCE)

    asyncio.run(told())


async def stepped(live, holds):
    while not holds():
        await live.step()
        await live.change(0.01, live.changed)


def lines(talk):
    return [(line.who, line.text, line.spoken) for line in talk.lines()]


def test_a_talk_word_by_word():
    async def story(live):
        talk = live.model(Conversation)
        assert live.model(Conversation) is talk
        stood = live.now()
        assert live.speed == 0.0 and live.now() == stood
        await live.ask("start")
        await stepped(live, lambda: lines(talk) and talk.lines()[0].spoken > 0)
        version = talk.version
        await stepped(live, lambda: lines(talk) == [("NAO", "Is anybody there?", -1)])
        assert live.now() > stood
        assert [line.number for line in talk.changes(version)] == [1] and talk.changes(talk.version) == []
        position, events = live.events(0)
        assert position == len(events) and live.events(position) == (position, [])
        while (await live.ears())["vocabulary"] != ["hello"]:
            await live.step()
        await live.person("hear", "hello")
        await stepped(live, talk.unrecognised)
        await stepped(live, lambda: lines(talk)[-1][0] == "end")
        assert lines(talk)[1:3] == [("you", "hello", -1), ("NAO", "Hello to you!", -1)]
        # A late model gets the earlier events.
        assert live.events(position)[1] == live.events(0)[1][position:]
        assert lines(live.model(type("Late", (Conversation,), {}))) == lines(talk)
        stood = live.now()
        await live.set_speed(10.0)
        assert live.speed == 10.0
        await asyncio.sleep(0.01)
        assert live.now() > stood + 0.1

    shown(story)


def test_changes_are_recorded_and_reported_and_the_end_of_the_robot(monkeypatch):
    async def story(live):
        for number in range(20):
            await live.call("ALMemory", "insertData", "Seen", number)
            await live.catch_up()
            assert live.recording.state["memory/Seen"] == str(number)
        # Many browsers share one question to the robot.
        asked, ask = [], live.robot.person
        with monkeypatch.context() as patch:
            patch.setattr(live.robot, "person", lambda verb, *args: asked.append(verb) or ask(verb, *args))
            told = await asyncio.gather(*(live.ears() for _ in range(10)))
            assert {str(ears) for ears in told} == {str(await live.ears())} and asked == ["ears"]
            seen = live.changed
            live.tell()
            await live.ears()
            assert asked == ["ears", "ears"]
        # The change that has come is reported at once; the next one has not come.
        await live.change(PATIENCE, seen)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(live.change(PATIENCE, live.changed), 0.01)
        os.kill(live.robot._child.process.pid, signal.SIGKILL)
        with pytest.raises(RobotGone):
            while True:
                await live.person("ears")
        assert live.gone == "The simulated robot has ended (status -9): start it again."

    shown(story)


def test_an_answer_to_a_closed_loop_is_ignored(monkeypatch, caplog):
    async def story(live):
        monkeypatch.setattr(live.robot, "ask", lambda verb: answer)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(live.ask("look"), 0.01)
        # Just before it is closed, the loop is not closed yet.
        monkeypatch.setattr(asyncio.get_running_loop(), "is_closed", lambda: False)

    answer = Future()
    answer.set_running_or_notify_cancel()
    shown(story)
    answer.set_result({})
    assert caplog.records == []


def test_old_lines_and_events_are_forgotten():
    talk, latest = Conversation(), LatestEvents()
    for number in range(2 * MOST_EVENTS):
        said = Event(float(number), "say", {"text": f"line {number}", "plain": f"line {number}"})
        latest.add(said)
        if number < 2 * MOST_LINES:
            talk.note(said)
    assert len(talk.lines()) == MOST_LINES and talk.lines()[-1].text == f"line {2 * MOST_LINES - 1}"
    assert len(list(latest)) == MOST_EVENTS == 5000 and latest.position == 2 * MOST_EVENTS
    assert [event.time for event in latest.since(latest.position - 2)] == [9998.0, 9999.0]
    latest = LatestEvents()
    for number in range(1000):
        latest.add(cut(Event(float(number), "print", {"text": "x" * 10**6, "stream": "out"})))
    letters = sum(len(event.fields["text"]) for event in latest)
    assert MOST_LETTERS - 2 * LONGEST_TEXT < letters <= MOST_LETTERS
    assert latest.since(0)[-1].fields["text"][-2:] == "x\u2026" and latest.since(0)[-1].fields["stream"] == "out"


@pytest.mark.parametrize(
    ("value", "note"),
    [
        (["yes", 0.5, "no", 0.25], "NAO understood yes (50%)"),
        ([], "NAO didn't understand"),
        (["", 0.0], "NAO didn't understand"),
        (None, "NAO didn't understand"),
    ],
)
def test_notes_of_understood_phrases(value, note):
    talk = Conversation()
    talk.note(Event(0.0, "hear", {"phrase": "yes", "confidence": 0.5, "engine": "ALSpeechRecognition"}))
    (line,) = talk.unrecognised()
    talk.note(Event(line.time, "memory", {"key": RECOGNISED, "value": value, "heard": line.time}))
    assert line.as_dict()["note"] == note and talk.unrecognised() == []


def test_lines_and_filters_of_the_log():
    event = Event(1.0, "motion", {"method": "setAngles", "duration": 0.5})
    text = text_of(event)
    assert text == "moves setAngles (0.5 s)"
    assert passes(event, text, set(), "") and passes(event, text, {"moves"}, "ANGLES")
    assert not passes(event, text, {"talk"}, "") and not passes(event, text, set(), "legs")
    assert saved([event]) == '{"duration": 0.5, "kind": "motion", "method": "setAngles", "time": 1.0}\n'
