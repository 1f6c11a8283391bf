"""Games by voice on a page in a browser.

Takes half a minute, nearly all of it NAO's time for speaking, because sound is played and heard in real time.
"""

import contextlib
import time
from typing import NamedTuple

import pytest
import spoken_microphone as microphone
from page_browser import PATIENCE, STILL, browsing, complaints, served, texts, until

from naosim_live.voice import espeak, noise, sound

pytest.importorskip("nicegui")
pytest.importorskip("selenium")
pytest.importorskip("pocketsphinx")
pytestmark = pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")

ATTEMPTS = 3
#: The texts of the page: NAO's lines, what it heard, the microphone's button and the check of the microphone.
MOMENT = """return [".bubble-NAO .bubble-text", ".bubble-you .bubble-text", ".sends", ".speech-check"]
  .map(each => [...document.querySelectorAll(each)].map(one => one.textContent.trim()))"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Provide a browser in whose own microphone a person says "ready" again and again."""
    path = tmp_path_factory.mktemp("sound") / "person.wav"
    said = noise.around(espeak.speak("ready", microphone.PERSON), noise.Noise(), 1, before=0.9, after=1.2)
    path.write_bytes(sound.as_wave(said))
    devices = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    flags = (*devices, f"--use-file-for-fake-audio-capture={path}", "--autoplay-policy=no-user-gesture-required")
    with browsing(tmp_path_factory.mktemp("browser"), STILL, *flags) as made:
        microphone.put_into(made)
        yield made


class Moment(NamedTuple):
    """The lines that NAO said and heard, whether NAO hears the microphone, and the check of the microphone."""

    said: list[str]
    heard: list[str]
    hears: bool
    check: str

    @property
    def question(self):
        """Return the last line that NAO said, in lower case."""
        return self.said[-1].lower() if self.said else ""


def moment(browser):
    said, heard, states, checks = browser.execute_script(MOMENT)
    return Moment(said, heard, states[:1] == ["NAO hears this"], next(iter(checks), ""))


def waited(browser, holds):
    """Wait until `holds(moment)` is true and return that moment."""
    end = time.monotonic() + PATIENCE
    while not holds(now := moment(browser)):
        assert time.monotonic() < end, now
        time.sleep(0.2)
    return now


def press_microphone(browser):
    until(lambda: texts(browser, ".microphone .speech-button"))
    browser.execute_script("document.querySelector('.microphone .speech-button').click()")


def serve_game(browser, folder):
    """Serve a game by voice in which NAO guesses."""
    command = ("-m", "jotto_desk", "play", "--page", "--voice", "--port", "0", "--seed", "1", "--forget")
    return served(*command, "--role", "breaker", browser=browser, environ={"XDG_DATA_HOME": str(folder)})


def test_a_game_by_voice(browser, tmp_path):
    """Play up to three times: on a busy computer some of the sound is lost, and so may be a game."""
    for attempt in range(ATTEMPTS):
        with contextlib.nullcontext() if attempt == ATTEMPTS - 1 else contextlib.suppress(AssertionError):
            play_by_voice(browser, tmp_path / str(attempt))
            return


def play_by_voice(browser, folder):
    """Say that one is ready, an unknown word, and yes until NAO has found its word."""
    with serve_game(browser, folder) as page:
        # The browser's own microphone, in which a person says "ready".
        browser.get(page.address + "?flat&own")
        press_microphone(browser)
        waited(browser, lambda now: "ready" in now.heard)
        # After a reload the same game continues.
        browser.get(page.address + "?flat")
        refuse_and_check_the_microphone(browser)
        press_microphone(browser)
        # NAO does not understand a word that it does not listen for.
        before = len(waited(browser, lambda now: now.hears).heard)
        microphone.say(browser, "bicycle")
        waited(browser, lambda now: now.heard[before:])
        answered = []
        while "first try" not in moment(browser).question:
            now = waited(
                browser, lambda now, last=answered: "first try" in now.question or (now.hears and now.said != last)
            )
            answered = now.said
            if "first try" not in now.question:
                microphone.say(browser, "ready" if "ready" in now.question else "yes")
        # NAO does not hear while it says that it is glad.
        now = moment(browser)
        if not now.hears:
            microphone.say(browser, "no")
            assert waited(browser, lambda now: now.hears).heard == now.heard
        assert texts(browser, ".speech-heard")[0].startswith("Heard: ")
        assert browser.execute_script("return testMicrophone.played.length") > 2
        assert complaints(browser) == []


def test_the_browser_recognises_only_if_that_is_switched_on(browser, tmp_path):
    """The browser's recogniser sends the voice to a company: the page says so, and names an error of the recogniser."""
    dictates = "return Boolean(testMicrophone.dictation)"
    with serve_game(browser, tmp_path) as page:
        browser.get(page.address + "?flat")
        until(lambda: texts(browser, ".microphone-more"))
        browser.execute_script("document.querySelector('.microphone-more').open = true")
        assert "sends my voice to a company" in texts(browser, ".microphone-more")[0]
        browser.execute_script("document.querySelector('.dictation').click()")
        press_microphone(browser)
        waited(browser, lambda now: now.hears)
        until(lambda: browser.execute_script(dictates))
        browser.execute_script("testMicrophone.write('Reading', 'Ready.')")
        waited(browser, lambda now: "ready" in now.heard)
        # The browser stops listening while NAO speaks.
        until(lambda: not browser.execute_script(dictates))
        # Chromium's own recogniser, which reaches no company here, reports an error.
        browser.get(page.address + "?flat&own")
        until(lambda: texts(browser, ".microphone-more"))
        browser.execute_script("document.querySelector('.dictation').click()")
        press_microphone(browser)
        waited(browser, lambda now: "no microphone" in now.check or "recogni" in now.check)
        assert complaints(browser) == []


def refuse_and_check_the_microphone(browser):
    """Refuse the microphone for three reasons, and check its sound in four ways; then the page gets it."""
    # Returns what is wrong with a microphone that sends blocks: how many, their peak, how many samples are clipped.
    check = """const [blocks, done] = arguments;
    import("nao-sound/sound_check.js").then(({ SoundCheck }) => {
      const check = new SoundCheck("Headset");
      for (const [count, peak, clipped] of blocks)
        for (let each = 0; each < count; each++) check.take({ peak, clipped });
      done(check.verdict);
    })"""
    until(lambda: texts(browser, ".microphone .speech-button"))
    for refusal, sentence in (
        ("NotAllowedError", "doesn't let this page listen"),
        ("NotFoundError", "no microphone"),
        ("NotReadableError", "Another program"),
    ):
        browser.execute_script("testMicrophone.refusal = arguments[0]", refusal)
        press_microphone(browser)
        waited(browser, lambda now, said=sentence: said in now.check)
    browser.execute_script("testMicrophone.refusal = ''")
    for blocks, sentence in (
        ([[60, 0.0005, 0]], "No sound from Headset"),
        ([[9, 1.0, 20]], "Too loud"),
        ([[1, 0.01, 0], [99, 0.0001, 0]], ""),
        ([[9, 1.0, 20], [30, 0.3, 0]], ""),
    ):
        verdict = browser.execute_async_script(check, blocks)
        assert sentence in verdict and bool(verdict) == bool(sentence)
