"""Speech on a page without a browser: when NAO hears, limits for sockets, the duration of its voice."""

import asyncio
import base64
import io
import json

import numpy
import pytest
from interpreters import ROOT
from spoken_microphone import PERSON

pytest.importorskip("nicegui")
pytest.importorskip("pocketsphinx")

from naosim.world import Event
from naosim_live.hosting import HostedRobot
from naosim_live.page.behaviour import load
from naosim_live.page.live_robot import LiveRobot
from naosim_live.page.panels import panels
from naosim_live.page.speech import listener, sound_socket, voice
from naosim_live.page.speech.browser_recogniser import BrowserRecogniser
from naosim_live.page.speech.listener import Listener
from naosim_live.page.speech.microphones import Microphones, SoundDoor
from naosim_live.page.speech.sayings import Saying, Sayings
from naosim_live.page.speech.sound_socket import LONGEST_BLOCK, LONGEST_TEXT, MOST_AT_ONCE, SoundRate
from naosim_live.voice import espeak, noise, sound
from naosim_live.voice.errors import VoiceError
from naosim_live.voice.names import LIBRARIES
from naosim_live.voice.process.apart import RecogniserApart
from naosim_live.voice.recogniser import Recognised, SpeechBegan, Vocabulary

PATIENCE = 120.0
speaks = pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")


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


def cough():
    """Return a burst of noise in a quiet room."""
    burst = numpy.random.default_rng(5).standard_normal(3000) * numpy.linspace(5000, 100, 3000)
    return sound.silence(0.6) + sound.clip(burst).pcm + sound.silence(0.9)


@speaks
def test_nao_hears_only_while_it_listens_and_is_silent(monkeypatch):
    monkeypatch.setattr(listener, "GUARD", 0.01)
    hello = noise.around(espeak.speak("hello", PERSON), noise.Noise(), 1).pcm

    async def story(live):
        ears, told, heard = Listener(live), [], []
        live.model(Sayings)
        await ears.recogniser.start()

        async def tell(listens):
            told.append(listens)

        running = asyncio.create_task(ears.run(tell))
        await live.ask("start")
        await stepped(live, lambda: live.model(Sayings).speaks)
        ears.voice_begins()
        assert not ears.feed(hello) and not ears.listens
        await stepped(live, lambda: not live.model(Sayings).speaks)
        while (await live.ears())["vocabulary"] != ["hello"]:
            await live.step()
        # The loudspeaker of the browser is late.
        await live.change(0.1, live.changed)
        assert not ears.listens
        ears.voice_ends()
        while not ears.listens:
            await live.change(0.01, live.changed)
        assert told == [False, True]
        for pcm in (cough(), hello):
            version = ears.version
            ears.feed(pcm)
            while ears.version == version or isinstance(ears.heard, SpeechBegan):
                await live.change(0.01, live.changed)
            heard.append({each.phrase: each.confidence for each in ears.heard.hypotheses})
        assert heard[0].get("hello", 0.0) < 0.3 and heard[1]["hello"] > 0.5
        await stepped(live, lambda: live.model(Sayings).last.plain == "Hello to you!")
        running.cancel()
        await ears.recogniser.end()

    shown(story)


def test_a_recogniser_in_another_process():
    async def story():
        heard = []
        ears = RecogniserApart(heard.append)
        with pytest.raises(VoiceError, match="'nobody'"):
            await ears.start("nobody")
        await ears.start()
        assert not ears.feed(cough())
        ears.open(Vocabulary(("yes", "no")))
        assert ears.feed(noise.around(espeak.speak("yes", PERSON), noise.Noise(), 1).pcm)
        while not any(isinstance(each, Recognised) for each in heard):
            await asyncio.sleep(0.01)
        assert heard[-1].hypotheses[0].phrase == "yes"
        with pytest.raises(VoiceError, match="empty"):
            ears.open(Vocabulary(()))
        ears._process.kill()
        while not ears.gone:
            await asyncio.sleep(0.01)
        assert "Press the microphone again" in ears.gone and not ears.feed(cough())
        await ears.end()

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


#: Messages of a browser with its own recogniser, and the phrases that NAO hears; None if speech has only begun, "" if
#: the message is ignored.
@pytest.mark.parametrize(
    ("told", "phrases"),
    [
        ('{"written": ["year", "Yes."]}', ["yes"]),
        ('{"written": []}', []),
        ('{"began": true}', None),
        ('{"written": [1, null, {"a": 2}, "no"]}', ["no"]),
        ("", ""),
        ("[]", ""),
        ('{"written": 5}', ""),
        ('{"began": 1}', ""),
        ("[" * 4000, ""),
        ('{"written": {"a": 1}}', ""),
    ],
)
def test_texts_from_the_browsers_recogniser(told, phrases):
    async def story():
        heard = []
        ears = BrowserRecogniser(heard.append)
        await ears.start()
        ears.write('{"written": ["yes"]}')
        assert not ears.feed(cough()) and not ears.pid and not ears.gone
        ears.open(Vocabulary(("yes", "no", "say it again")))
        ears.write(told)
        if phrases == "":
            ears.write('{"began": true}')
        while not heard:
            await asyncio.sleep(0.01)
        if isinstance(phrases, list):
            assert [best.phrase for best in heard[0].hypotheses if best.confidence > 0.7] == phrases
        else:
            assert heard == [SpeechBegan(0.0)]
        # A text that comes after the question is ignored.
        ears.write('{"written": ["yes"]}')
        ears.close()
        await asyncio.sleep(0.1)
        assert len(heard) == 1
        await ears.end()

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


class Browser:
    """The browser's side of a socket."""

    def __init__(self, app):
        self.said, self._to_say = [], asyncio.Queue()
        self._to_say.put_nowait({"type": "websocket.connect"})
        self.socket = asyncio.ensure_future(
            app({"type": "websocket", "path": sound_socket.PATH}, self._to_say.get, self._take)
        )

    async def _take(self, message):
        self.said.append(message.get("text") or message.get("code") or message["type"])

    def send(self, **content):
        self._to_say.put_nowait({"type": "websocket.receive", **content})

    def leave(self):
        self._to_say.put_nowait({"type": "websocket.disconnect", "code": 1001})


def test_the_panel_for_speech_needs_a_recogniser(monkeypatch):
    def titles():
        return [getattr(getattr(panel, "func", panel), "title", "") for panel in panels(Microphones("pocketsphinx"))]

    assert "By voice" in titles()
    monkeypatch.setitem(LIBRARIES, "pocketsphinx", (("no_such_library",), "nothing"))
    assert "By voice" not in titles() and "Talk" in titles()


def test_limits_for_sockets_of_microphones():
    async def story(live):
        microphones = Microphones(most=1)
        door = SoundDoor(None, microphones)

        async def used(*messages):
            """Open a socket, send messages, and return the browser at the end of the socket."""
            browser = Browser(door)
            for message in messages:
                browser.send(**({"text": message} if isinstance(message, str) else {"bytes": message}))
                while len(browser.said) < 2:
                    await asyncio.sleep(0.01)
            await browser.socket
            return browser

        assert (await used("x" * 32)).said == ["websocket.accept", 1008]
        ticket, ears = await microphones.admit(live)
        with pytest.raises(VoiceError, match="already speaking here"):
            await microphones.admit(live)
        guest = await used(ticket, bytes(LONGEST_BLOCK + 2))
        assert json.loads(guest.said[1]) == {"listens": False}
        assert guest.said[2] == 1009 and not ears.recogniser.pid
        # A ticket is valid once, and its place is free again.
        assert (await used(ticket)).said[-1] == 1008
        ticket, _ = await microphones.admit(live)
        other = Browser(door)
        other.send(text=ticket)
        other.leave()
        await other.socket
        # A browser with its own recogniser takes a place, but no process.
        ticket, ears = await microphones.admit(live, by_browser=True)
        assert not ears.recogniser.pid
        with pytest.raises(VoiceError, match="already speaking here"):
            await microphones.admit(live)
        assert (await used(ticket, '{"began": true}', "x" * (LONGEST_TEXT + 1))).said[-1] == 1009
        await microphones.admit(live)
        await microphones.close()
        assert await microphones.admit(live)
        await microphones.close()

    shown(story)


def test_sound_faster_than_real_time_is_refused():
    rate = SoundRate()
    block, taken = 3200, 0
    while rate.takes(block):
        taken += block
    assert MOST_AT_ONCE - block <= taken < MOST_AT_ONCE + 4 * block


def test_the_present_line_of_nao():
    sayings, text = Sayings(), {"text": "One \\pau=500\\ two", "plain": "One two", "duration": 2.0}
    for event in (Event(1.0, "say", {**text, "language": "English"}), Event(1.1, "log", {})):
        sayings.note(event)
    assert sayings.speaks and sayings.last.number == 1
    sayings.note(Event(2.0, "said", {"text": "One", "whole": False}))
    assert not sayings.speaks and not sayings.last.is_whole
    sayings.note(Event(3.0, "say", {"text": "Three", "duration": None}))
    sayings.note(Event(4.0, "end", {"behaviour": "x"}))
    assert not sayings.speaks and sayings.last.number == 2


@speaks
def test_the_voice_takes_the_time_that_nao_takes():
    for seconds in (2.2, 8.0):
        saying = Saying(1, "Can I guess \\pau=200\\ your word? ^start(x)", "Can I guess your word?", seconds, "English")
        spoken = sound.from_wave(io.BytesIO(base64.b64decode(asyncio.run(voice.spoken(saying)))))
        assert 0.4 * voice.allowed(saying) < spoken.seconds <= 1.1 * voice.allowed(saying)
        assert all("\\" not in part["words"] and "start" not in part["words"] for part in voice.parts(saying))
    long = Saying(1, "\\pau=100\\ word " * 200, "word " * 200, 9.0, "English")
    assert {part["words"].replace("word", "").strip() for part in voice.parts(long)} == {""}
