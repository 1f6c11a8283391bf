"""Many browsers at one robot, without a browser and without a network: requests, reports, limits."""

import asyncio
import contextlib
import json
import os
import signal

import naosim_xar_writer as w
import pytest
from interpreters import ROOT

from naosim.world import Event
from naosim_page import relay as relays
from naosim_page.command import load_behaviour
from naosim_page.relay import Relay, encode
from naosim_robots.hosting import HostedRobot

PATIENCE_S = 60.0


class Browser:
    """The browser's side of a web socket to a relay."""

    def __init__(self, relay, reads=True):
        self.pushes, self.closed, self._answers, self._count = [], None, {}, 0
        self._to_say, self._news, self._reads = asyncio.Queue(), asyncio.Event(), reads
        self._to_say.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(relay.serve(self._to_say.get, self._take))

    async def _take(self, message):
        if not self._reads and message["type"] == "websocket.send":
            await asyncio.Event().wait()
        if message["type"] == "websocket.close":
            self.closed = message["code"], message["reason"]
        elif message["type"] == "websocket.send":
            told = json.loads(message["text"])
            if "push" in told:
                self.pushes.append(told)
            else:
                self._answers[told["id"]] = told
        self._news.set()

    def send(self, line):
        self._to_say.put_nowait({"type": "websocket.receive", "text": line})

    def leave(self):
        self._to_say.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def until(self, holds):
        while not (found := holds()):
            self._news.clear()
            await self._news.wait()
        return found

    async def answer(self, number):
        return await self.until(lambda: self._answers.pop(number, None))

    async def ask(self, verb, **fields):
        self._count += 1
        number = self._count
        self.send(json.dumps({"id": number, "do": verb, **fields}))
        told = await self.answer(number)
        if "error" in told:
            raise RuntimeError(told["error"])
        return told["value"]

    def said(self):
        events = [push for push in self.pushes if push["push"] == "event" and push["kind"] == "say"]
        return [event["fields"]["plain"] for event in events]


def with_robot(story, file=None, speed=20.0, **options):
    """Run a story with the relay of a robot that has loaded the greeting."""

    async def told():
        with HostedRobot(speed=speed) as robot:
            load_behaviour(robot, str(file or ROOT / "docs" / "greeting"))
            relay = Relay(robot, **options)
            await relay.open()
            try:
                await asyncio.wait_for(story(relay), PATIENCE_S)
            finally:
                await relay.close()

    asyncio.run(told())


def test_two_browsers_at_one_robot():
    async def story(relay):
        first = Browser(relay)
        await first.ask("watch")
        word = await first.ask("link", event="ALTextToSpeech/CurrentWord")
        assert {"joints", "solids", "lamps", "zones"} <= set((await first.ask("figure"))["dict"])
        # The behaviour starts when the first browser sees the robot.
        await first.until(lambda: first.said() == ["Is anybody there?"])
        await first.until(lambda: any(push["push"] == "link" and push["link"] == word for push in first.pushes))
        late = Browser(relay)
        await late.ask("watch")
        assert late.said() == ["Is anybody there?"]
        while (await late.ask("ears"))["dict"]["vocabulary"] != ["hello"]:
            await asyncio.sleep(0.01)
        await late.ask("hear", phrase="hello", confidence=1)
        for browser in (first, late):
            await browser.until(lambda browser=browser: browser.said()[-1] == "Hello to you!")
        # Each browser is told what has changed since its own last frame.
        frames = [(await browser.ask("frame"))["dict"] for browser in (first, late)]
        assert "angles" in frames[0] and "angles" in frames[1]
        await first.ask("figure")
        assert "posture" in (await first.ask("frame"))["dict"]
        assert "posture" not in (await late.ask("frame"))["dict"]
        assert len(relay._browsers) == 2
        assert await first.ask("unlink", link=word) is True
        links = len(first.pushes)
        late.leave()
        await late.task
        assert len(relay._browsers) == 1 and len(first.pushes) == links
        drawing = (await first.ask("drawing"))["dict"]
        assert "<svg" in drawing["sheet"] and (await first.ask("box", behaviour=drawing["behaviour"], box="1"))["dict"]

    with_robot(story, starts=True)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"do": "load", "file": "/etc/passwd"}, "a page cannot 'load'"),
        ({"do": "open"}, "a page cannot 'open'"),
        ({"do": "serve", "url": "x", "machine": "y"}, "a page cannot 'serve'"),
        ({"do": "inject", "faults": {}}, "a page cannot 'inject'"),
        ({"do": "offer", "module": "x"}, "a page cannot 'offer'"),
        ({"do": "moment"}, "a page cannot 'moment'"),
        ({"do": None}, "a page cannot None"),
        ({"do": ["hear"]}, "a page cannot ['hear']"),
        ({"do": "call", "service": "PackageManager", "method": "install", "args": ["x"]}, "cannot call this method"),
        ({"do": "call", "service": "ALMemory", "method": "__class__", "args": []}, "cannot call this method"),
        ({"do": "call", "service": {}, "method": [], "args": 3}, "cannot call this method"),
        ({"do": "call", "service": "ALMemory", "method": "getListData", "args": [{"a": 1}]}, "neither bytes"),
        ({"do": "call", "service": "ALMemory", "method": "getListData", "args": [["a", "a"]]}, "500 different keys"),
        ({"do": "call", "service": "ALMemory", "method": "getListData", "args": [[f"{n}" for n in range(501)]]}, "500"),
        ({"do": "call", "service": "ALMemory", "method": "insertData", "args": ["a" * 201, 1]}, "1 to 200 characters"),
        ({"do": "call", "service": "ALMemory", "method": "raiseEvent", "args": ["a"]}, "takes a key and a value"),
        ({"do": "event", "key": "a" * 201, "value": 1}, "1 to 200 characters"),
        ({"do": "link", "event": "a" * 201}, "1 to 200 characters"),
        ({"do": "hear", "phrase": "a" * 201}, "at most 200 characters"),
        ({"do": "link", "event": 5}, "the name of an event"),
        ({"do": "unlink", "link": True}, "no link has this number"),
        ({"do": "page", "view": "game"}, "this page has no game"),
        ({"do": "hear", "phrase": 5}, "phrase"),
        ({"do": "pace", "speed": 1e9}, "speed"),
        ({"do": "touch", "sensor": "\x1b[2J"}, "the robot has no sensor"),
    ],
)
def test_only_requests_of_a_page_are_answered(asked, request_, sentence):
    told = asked({"id": 1, **request_})
    assert sentence in told["error"] and len(told["error"]) <= 500


@pytest.mark.parametrize(
    "line", ["", "[]", "{", "x" * 200_000, "[" * 60_000, '{"do": "watch"}', '{"id": true, "do": "watch"}', '{"id": -1}']
)
def test_malformed_messages_are_refused(asked, line):
    assert asked(line)["error"]


@pytest.fixture(scope="module")
def asked():
    """Return a function that sends a message to a relay and returns its answer; one robot serves all tests."""
    loop = asyncio.new_event_loop()
    with contextlib.closing(loop), HostedRobot() as robot:
        load_behaviour(robot, str(ROOT / "docs" / "greeting"))
        relay = Relay(robot)
        loop.run_until_complete(relay.open())
        browser = loop.run_until_complete(_open(relay))

        def ask(request):
            browser.send(request if isinstance(request, str) else json.dumps(request))
            number = None if isinstance(request, str) else 1
            return loop.run_until_complete(asyncio.wait_for(browser.answer(number), PATIENCE_S))

        yield ask
        browser.leave()
        loop.run_until_complete(browser.task)
        loop.run_until_complete(relay.close())


async def _open(relay):
    return Browser(relay)


def test_what_browsers_store_is_bounded():
    async def story(relay):
        browser, other = Browser(relay), Browser(relay)

        def store(method, key, value):
            return browser.ask("call", service="ALMemory", method=method, args=[key, value])

        await store("insertData", "long", "x" * 60_000)
        for number in range(16):
            await store("insertData", f"long {number}", "x" * 60_000)
        for refused in (store("insertData", "more", "x" * 60_000), other.ask("event", key="more", value="x" * 60_000)):
            with pytest.raises(RuntimeError, match="have stored 1000 keys and 1024 kB in ALMemory"):
                await refused
        for number in range(16):
            await store("insertData", f"long {number}", "short")
        for number in range(1000 - 18):
            await store("raiseEvent", f"key {number}", number)
        await browser.ask("event", key="last", value=True)
        for refused in (store("insertData", "more", 1), other.ask("event", key="more", value=1)):
            with pytest.raises(RuntimeError, match="have stored 1000 keys"):
                await refused
        # The keys of pages can still be changed, and the robot's sensors work.
        await store("insertData", "last", False)
        await other.ask("event", key="FaceDetected", value=True)
        assert len(await other.ask("call", service="ALMemory", method="getDataListName", args=[])) < 3000
        # A link leaves no event behind.
        for number in range(3):
            await browser.ask("unlink", link=await browser.ask("link", event=f"event {number}"))
        events = await relay.ask("call", service="ALMemory", method="getEventList", args=[])
        assert not [name for name in events if name.startswith("event ")]

    with_robot(story)


def test_the_end_of_the_robot_is_told_to_all(monkeypatch):
    async def story(relay):
        browsers = [Browser(relay), Browser(relay)]
        await browsers[0].ask("watch")
        os.kill(relay.robot._child.process.pid, signal.SIGKILL)
        sentence = "The simulated robot has ended (status -9): start it again."
        while not relay.gone:
            with contextlib.suppress(RuntimeError):
                await relay.ask("ears")
        for browser in (*browsers, Browser(relay)):
            await browser.until(lambda browser=browser: browser.closed)
            assert browser.closed == (1011, sentence)
            await browser.task

    with_robot(story)


def test_a_browser_that_does_not_read_is_left_behind(monkeypatch):
    monkeypatch.setattr(relays, "_SEND_TIMEOUT_S", 0.2)
    monkeypatch.setattr(relays, "_MAX_WAITING_CHARACTERS", 10_000)

    async def story(relay):
        slow, other = Browser(relay, reads=False), Browser(relay)
        slow.send('{"id": 1, "do": "watch"}')
        slow.send('{"id": 2, "do": "figure"}')
        await other.ask("watch")
        await slow.task
        assert len(relay._browsers) == 1 and await other.ask("pace")

    with_robot(story)


def test_reports_are_bounded_and_without_nan(monkeypatch):
    monkeypatch.setattr(relays, "_MAX_KEPT_EVENTS", 50)
    relay = Relay(None)
    for number in range(200):
        relay._note(Event(float(number), "print", {"text": "x" * 10**5, "value": float("nan")}))
    kept = [json.loads(report) for report in relay.reports()]
    assert len(kept) == 50 and kept[-1]["time"] == 199.0
    assert len(kept[0]["fields"]["text"]) == 16 * 1024 and kept[0]["fields"]["value"] is None
    assert json.loads(encode({"a": [float("inf"), {"b": -float("inf")}]})) == {"a": [None, {"b": None}]}


def test_views_of_a_page_without_a_robot():
    class Pages:
        """Views that note what they are asked."""

        def __init__(self):
            self.asked, self.left = [], []

        def answer(self, browser, fields):
            self.asked.append((browser, fields["view"]))
            if fields["view"] == "broken":
                raise RuntimeError("This view is broken.")
            return {"browser": browser}

        def is_slow(self, fields):
            return fields["view"] == "slow"

        def leave(self, browser):
            self.left.append(browser)

    async def story():
        pages = Pages()
        relay = Relay(None, pages)
        await relay.open()
        browser = Browser(relay)
        assert await browser.ask("page", view="slow") == {"dict": {"browser": 1}}
        with pytest.raises(RuntimeError, match="This view is broken"):
            await browser.ask("page", view="broken")
        for verb in ("ears", "frame", "drawing", "start", "pace"):
            with pytest.raises(RuntimeError, match="this page has no robot"):
                await browser.ask(verb)
        browser.leave()
        await browser.task
        assert pages.left == [1] and pages.asked == [(1, "slow"), (1, "broken")]
        await relay.close()

    asyncio.run(asyncio.wait_for(story(), PATIENCE_S))


def test_a_floating_point_value_of_memory_reaches_a_browser(tmp_path):
    file = tmp_path / "behavior.xar"
    script = w.script("""
    def onInput_onStart(self):
        ALProxy("ALMemory").insertData("Odd", [float("nan"), 1.5])
        self.onStopped()
""")
    file.write_bytes(w.behaviour([w.box("Odd", script)], [("root.onStart", "Odd.onStart")]))

    async def story(relay):
        browser = Browser(relay)
        await browser.ask("figure")
        while (found := await browser.ask("call", service="ALMemory", method="getListData", args=[["Odd"]])) == [None]:
            await asyncio.sleep(0.01)
        assert found == [[None, 1.5]]

    with_robot(story, file=file, starts=True)
