"""Speech on a page without a browser: when NAO hears, and limits for the sockets of microphones."""

import asyncio
import contextlib
import json
import shutil
import subprocess

import numpy
import pytest
from interpreters import ROOT
from page_browser import browsing, complaints, served, until
from spoken_microphone import PERSON, put_into, say

pytest.importorskip("pocketsphinx")

from programs import need_program

from naosim_page import ears
from naosim_page.command import load_behaviour
from naosim_page.ears import FOREIGN, MAX_BYTES_AT_ONCE, SPELLED, Ears, Listener, SoundRate
from naosim_page.relay import _SHARED_FOR_S, Relay
from naosim_page.site import STATIC, find_program
from naosim_robots.hosting import HostedRobot
from naosim_voice import noise, sound, speaking
from naosim_voice.process import RecogniserApart
from naosim_voice.recogniser import RECOGNISERS, Recognised, Vocabulary, VoiceError

PATIENCE = 120.0
#: The lines of the talk.
SAID = "return page.stage.talk.lines.map(line => line.text)"
#: A language, voices (NAME LANGUAGE; "cloud" in a name: one of a company's computers), NAO's voice, whether it is good.
CHOICES = [
    ("en", "Albert en-US, Daniel en-GB, Samantha en-US, Tom en-US, cloud Natural en-US", "Samantha", True),
    ("en", "Fred en-US, Flo (English (US)) en-US, Alfred en_GB", "Alfred", True),
    ("en", "English (America) speechd en-US, Whisper en-US, Anna de-DE", "English (America) speechd", False),
    (
        "en",
        "Zira - English (United States) en-US, Guy (Natural) - English (United States) en-US",
        "Guy (Natural)",
        True,
    ),
    ("fr", "eSpeak French fr-FR, Eddy (French (France)) fr-FR, Amelie fr-CA", "Amelie", True),
    ("fr", "Amelie fr-CA, Thomas fr-FR, Audrey fr-FR", "Audrey", True),
    ("de", "German espeak-ng de, cloud Natural de-DE", "German espeak-ng", False),
    ("es", "cloud Natural es-ES, Natural it-IT", None, False),
]
SPEAKER = """
globalThis.document = { documentElement: {} };
const { chooseVoice, splitSpeech } = await import("./speech.js");
const { choices, texts } = JSON.parse(process.argv[2]);
console.log(JSON.stringify([choices.map(([code, voices]) => chooseVoice(voices, code)), texts.map(splitSpeech)]));
"""
speaks = pytest.mark.program("espeak-ng")


def with_robot(story, **options):
    """Run a story with the relay of a robot that has loaded the greeting and whose time is paused."""

    async def told():
        with HostedRobot(**options) as robot:
            load_behaviour(robot, str(ROOT / "docs" / "greeting"))
            relay = Relay(robot)
            await relay.open()
            await relay.ask("pace", speed=0.0)
            await asyncio.wait_for(story(relay), PATIENCE)
            await relay.close()

    asyncio.run(told())


async def step_until(relay, holds):
    while not holds():
        await relay.ask("step")
        await asyncio.sleep(0.01)


def say_words(relay):
    """List the texts that NAO has said."""
    told = [json.loads(report) for report in relay.reports()]
    return [each["fields"]["plain"] for each in told if each["kind"] == "say"]


def test_the_browser_s_best_voice_for_nao_and_its_tags(tmp_path):
    need_program("node")
    for name in ("speech.js", "texts.js"):
        shutil.copy(STATIC / name, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "speaker.js").write_text(SPEAKER, encoding="utf-8")
    choices = []
    for code, listed, _, _ in CHOICES:
        named = [each.rsplit(" ", 1) for each in listed.split(", ")]
        voices = [
            {"name": name, "voiceURI": "", "lang": lang, "localService": "cloud" not in name} for name, lang in named
        ]
        choices.append((code, voices))
    texts = [r"One\pau=500\two", r"\style=joyful\Hi \RSPD=80\\vct=120\^start(a/b) you\x=1\. \rst\ end\ "]
    command = [*find_program("node"), "speaker.js", json.dumps({"choices": choices, "texts": texts})]
    found = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE).stdout
    chosen, parts = json.loads(found)
    for (_, _, name, is_good), told in zip(CHOICES, chosen):
        assert told.get("voice", {}).get("name", "").startswith(name or "") and told["isGood"] == is_good
        assert ("voice" in told) == (name is not None)
    usual = {"rspd": 100, "vct": 100, "words": "", "pau": 0}
    assert parts == [
        [{**usual, "words": "One"}, {**usual, "pau": 500}, {**usual, "words": "two"}],
        [{**usual, "words": "Hi"}]
        + [{**usual, "rspd": 80, "vct": 120, "words": words} for words in ("you", ".")]
        + [{**usual, "words": "end"}],
    ]


def cough():
    """Return a burst of noise in a quiet room."""
    burst = numpy.random.default_rng(5).standard_normal(3000) * numpy.linspace(5000, 100, 3000)
    return sound.silence(0.6) + sound.clip(burst).pcm + sound.silence(0.9)


@speaks
def test_nao_hears_only_stop_while_it_speaks(monkeypatch):
    monkeypatch.setattr(ears, "_LOOK_INTERVAL_S", 0.01)
    hello, stop = (noise.add_noise(speaking.speak_as(said, PERSON), noise.Noise(), 1).pcm for said in ("hello", "stop"))

    def list_cuts(relay):
        told = [json.loads(report) for report in relay.reports()]
        return [each for each in told if each["kind"] == "said" and not each["fields"]["whole"]]

    async def story(relay):
        heard, told = [], []
        take = Listener._take
        monkeypatch.setattr(Listener, "_take", lambda self, each: (heard.append(each), take(self, each)))
        listener = Listener(relay)
        await listener.recogniser.start()

        async def tell(state):
            told.append((state["listens"], state["stops"]))

        running = asyncio.create_task(listener.run(tell))
        await relay.ask("start")
        await step_until(relay, lambda: listener.stops)
        for pcm in (hello, stop):
            assert not list_cuts(relay)
            before = len(heard)
            listener.feed(pcm)
            while not any(isinstance(each, Recognised) for each in heard[before:]):
                await asyncio.sleep(0.01)
        await step_until(relay, lambda: listener.listens)
        assert told[-1] == (True, False) and (True, True) not in told and len(list_cuts(relay)) == 1
        found = []
        for pcm in (cough(), hello):
            before = len(heard)
            listener.feed(pcm)
            while not any(isinstance(each, Recognised) for each in heard[before:]):
                await asyncio.sleep(0.01)
            found.append({each.phrase: each.confidence for each in heard[-1].hypotheses})
        assert found[0].get("hello", 0.0) < 0.3 and found[1]["hello"] > 0.5
        await step_until(relay, lambda: say_words(relay)[-1:] == ["Hello to you!"])
        running.cancel()
        await listener.recogniser.end()

    with_robot(story)


def test_a_recogniser_hears_only_the_languages_that_it_understands():
    async def story(relay):
        listener = Listener(relay, {"en": "English", "es": "Spanish"})
        await listener.recogniser.start()
        told = []
        for language, phrases in [
            ("French", ["oui", "non"]),
            ("Spanish", ["no", "s\u00ed"]),
            ("Spanish", ["A", "cancelar"]),
        ]:
            await listener._call(ears.ENGINE, "setLanguage", language)
            await listener._call(ears.ENGINE, "setVocabulary", phrases, False)
            await listener._call(ears.ENGINE, "subscribe", "test")
            # The robot is asked once for all looks in this time.
            await asyncio.sleep(2 * _SHARED_FOR_S)
            await listener._look()
            told.append((listener.trouble, listener._language, listener.listens and listener._wanted.language))
            await listener._call(ears.ENGINE, "unsubscribe", "test")
        assert told == [(FOREIGN, "French", False), ("", "Spanish", "es"), (SPELLED, "Spanish", "es")]
        # Without names of languages every phrase is English.
        assert await Listener(relay)._find_language(("oui", "non")) == "en"
        await listener.recogniser.end()

    with_robot(story, languages=("French", "Spanish", "English"))


@speaks
def test_a_recogniser_in_another_process():
    async def story():
        heard = []
        ears = RecogniserApart(heard.append)
        with pytest.raises(VoiceError, match="'nobody'"):
            await ears.start("nobody")
        await ears.start()
        assert not ears.feed(cough())
        ears.open(Vocabulary(("yes", "no")))
        assert ears.feed(noise.add_noise(speaking.speak_as("yes", PERSON), noise.Noise(), 1).pcm)
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


class Socket:
    """The browser's side of a microphone's socket."""

    def __init__(self, made, relay):
        self.said, self._to_say = [], asyncio.Queue()
        self._to_say.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(made.serve(relay, self._to_say.get, self._take))

    async def _take(self, message):
        self.said.append(message.get("text") or message.get("code") or message["type"])
        self.reason = message.get("reason", "")

    def send(self, content):
        self._to_say.put_nowait({"type": "websocket.receive", "text" if isinstance(content, str) else "bytes": content})

    def leave(self):
        self._to_say.put_nowait({"type": "websocket.disconnect", "code": 1001})


def test_limits_for_sockets_of_microphones(monkeypatch):
    async def story(relay):
        made = Ears("pocketsphinx", most=1)

        async def use(*messages):
            """Open a socket, send messages, and return it at its end."""
            socket = Socket(made, relay)
            for message in messages:
                while len(socket.said) < 3 and not socket.task.done():
                    await asyncio.sleep(0.01)
                socket.send(message)
            await socket.task
            return socket

        guest = await use(bytes(ears.MAX_BLOCK_BYTES + 2))
        assert json.loads(guest.said[1]) == {"ready": True} and not json.loads(guest.said[2])["listens"]
        assert guest.said[3] == 1009
        # Each microphone takes a place, which is free again at its end.
        other = Socket(made, relay)
        while len(other.said) < 2:
            await asyncio.sleep(0.01)
        assert "Too many people" in (await use()).reason
        other.send("no sound")
        await other.task
        assert other.said[-1] == 1009 and made._count == 0
        gone = Socket(made, relay)
        gone.leave()
        await gone.task
        assert made._count == 0
        lacking = RECOGNISERS["pocketsphinx"]._replace(libraries=("no_such_library",), extra="nothing")
        monkeypatch.setitem(RECOGNISERS, "pocketsphinx", lacking)
        assert made.missing and "[nothing]'" in (await use()).reason

    with_robot(story)


class Time:
    """A clock that a test moves on."""

    now = 0.0

    def __call__(self):
        return self.now


def test_a_silent_microphone_gives_its_place_to_others():
    async def story(relay):
        clock = Time()
        made = Ears("pocketsphinx", most=1, clock=clock)
        for method, *args in (("setVocabulary", ["yes", "no"], False), ("subscribe", "test")):
            await relay.ask("call", service=ears.ENGINE, method=method, args=args)
        silent = Socket(made, relay)
        while not any('"listens": true' in str(said) for said in silent.said):
            await asyncio.sleep(0.01)
        clock.now += 21
        await silent.task
        assert (silent.said[-1], silent.reason, made._count) == (1000, ears.SILENT, 0)

    with_robot(story)


def test_the_silence_of_a_microphone_is_counted_while_nao_listens():
    clock = Time()
    silence, second = ears.Silence(clock), sound.RATE * sound.WIDTH
    for seconds, listens, size, is_long in [
        (60, False, 0, False),
        (15, True, second // 2, False),
        (5, True, 0, False),
        (5, False, 0, False),
        (0.1, True, second // 2, True),
        (19, True, 0, False),
        (19, False, second, False),
        (19, True, 0, False),
        (2, True, 0, True),
    ]:
        clock.now += seconds
        assert silence.lasts_too_long(listens) is is_long
        silence.end(size)


def test_sound_faster_than_real_time_is_refused():
    rate = SoundRate()
    block, taken = 3200, 0
    while rate.takes(block):
        taken += block
    assert MAX_BYTES_AT_ONCE - block <= taken < MAX_BYTES_AT_ONCE + 4 * block


@speaks
def test_nao_hears_a_person_at_a_browser(browser_name, tmp_path):
    flags = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        "--autoplay-policy=no-user-gesture-required",
    )
    command = ("-m", "naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0")
    with browsing(tmp_path, *flags, name=browser_name) as browser, served(*command) as page:
        put_into(browser)
        browser.get(page.address)
        button = until(lambda: browser.find_elements("css selector", ".microphone"))[0]
        for refusal, sentence in (
            ("NotAllowedError", "doesn't let this page listen"),
            ("NotFoundError", "no microphone"),
            ("NotReadableError", "Another program"),
        ):
            browser.execute_script("testMicrophone.refusal = arguments[0]", refusal)
            button.click()
            until(lambda said=sentence: said in browser.execute_script("return page.stage.microphone.sentence"))
        browser.execute_script("testMicrophone.refusal = ''")
        button.click()
        until(lambda: browser.execute_script("return page.stage.microphone.listens"))
        assert browser.execute_script("return testMicrophone.asked.autoGainControl") is False
        for _ in range(5):
            say(browser, "hello")
            with contextlib.suppress(AssertionError):
                until(lambda: "Hello to you!" in browser.execute_script(SAID), 8)
                break
        assert "Hello to you!" in browser.execute_script(SAID) and complaints(browser) == []
        button.click()
        until(lambda: browser.execute_script("return !page.stage.microphone.isOn"))


@pytest.mark.whole_site
def test_the_page_tells_in_its_language_that_nao_does_not_understand_it(browser_name, tmp_path):
    """Starts the whole game in a browser."""
    command = ("-m", "jotto_desk", "play", "--page", "--language", "de", "--port", "0")
    environ = {"XDG_DATA_HOME": str(tmp_path), "NAOSIM_MODEL": str(tmp_path)}
    with browsing(tmp_path / "browser", name=browser_name) as browser, served(*command, environ=environ) as page:
        put_into(browser)
        browser.get(page.address)
        until(lambda: browser.find_elements("css selector", ".microphone"))[0].click()
        sentence = "NAO versteht hier kein gesprochenes Deutsch. Tipp deine Antworten an, oder tipp sie ein."
        until(lambda: sentence in browser.find_element("css selector", ".task-area").text)
        assert complaints(browser) == []
