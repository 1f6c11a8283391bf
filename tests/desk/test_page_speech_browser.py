"""Games by voice alone on a page in a real browser: NAO guesses, then the person does, by spelling.

Takes half a minute, nearly all of it NAO's time for speaking: one browser and one page, for what only a browser shows.
"""

import contextlib
import time

import pytest
import spoken_microphone as microphone
from page_browser import STILL, browsing, complaints, served, texts, until

from jotto_behaviour import resources
from naosim_live.voice import espeak, noise, sound

pytest.importorskip("nicegui")
pytest.importorskip("selenium")
pytest.importorskip("pocketsphinx")
pytestmark = pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")

LINES = resources.lines()
#: Real seconds for NAO to speak and hear.
ANSWERED_WITHIN = 120.0
ATTEMPTS = 3
HEARS, DEAF = "NAO hears this", "NAO does not hear this"
ALPHABET = [LINES.letters[letter] for letter in "crane"]
#: What is wrong with a microphone, by its blocks.
CHECK = """const [blocks, done] = arguments;
import("nao-sound/sound_check.js").then(({ SoundCheck }) => {
  const check = new SoundCheck("Headset");
  for (const [count, peak, clipped] of blocks) for (let each = 0; each < count; each++) check.take({ peak, clipped });
  done(check.verdict);
})"""


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Return a sound file in which a person says again and again that they are ready."""
    path = tmp_path_factory.mktemp("sound") / "person.wav"
    said = noise.around(espeak.speak("ready", microphone.PERSON), noise.Noise(), 1, before=0.9, after=1.2)
    path.write_bytes(sound.as_wave(said))
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory, person):
    flags = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
             f"--use-file-for-fake-audio-capture={person}", "--autoplay-policy=no-user-gesture-required")
    with browsing(tmp_path_factory.mktemp("browser"), STILL, *flags) as made:
        microphone.put_into(made)
        yield made


def press_microphone(browser):
    until(lambda: texts(browser, ".microphone .speech-button"))
    browser.execute_script("document.querySelector('.microphone .speech-button').click()")


def hears(browser):
    """Tell whether NAO listens now; the last bubble is then its question."""
    return texts(browser, ".sends") == [HEARS]


def heard(browser):
    return texts(browser, ".bubble-you .bubble-text")


def question(browser):
    return texts(browser, ".bubble-NAO .bubble-text")[-1]


def moment(browser):
    """Return how many lines NAO has said and how many letters it has taken; it changes with every answer."""
    return len(texts(browser, ".bubble-NAO")), spelled(browser)


def answered(browser, answer, is_over):
    """Answer by voice, once at each moment at which NAO listens, until it is over; what it asks back it is told."""
    end, last, meant = time.monotonic() + ANSWERED_WITHIN, None, ""
    while not is_over():
        now = moment(browser)
        assert time.monotonic() < end, (texts(browser, ".bubble"), texts(browser, ".speech-state, .speech-check"))
        if now != last and hears(browser):
            last, asked = now, question(browser).lower()
            if "did you say" in asked or "i heard" in asked:
                microphone.say(browser, "yes" if meant and meant in asked else "no")
            else:
                meant = answer(asked)
                microphone.say(browser, meant)
        time.sleep(0.05)


def spelled(browser):
    """Return how many letters of a guess NAO has taken so far."""
    return sum(len(each.partition(":")[2].split()) for each in texts(browser, ".board-places"))


def in_both_roles(browser):
    """Return a person for whom NAO guesses PARTS, and who then spells a guess at NAO's word."""
    def answer(asked):
        if "is it parts" in asked or "my guess" in asked:
            return "yes"
        if "again" in asked:
            return LINES.phrases(["I guess"])[0]
        if "ready" in asked:
            return "ready"
        return ALPHABET[min(spelled(browser), 4)] if "parts" not in asked else "yes"
    return answer


def test_games_by_voice_alone_in_both_roles(browser, tmp_path):
    """Sound comes in real time, and a busy computer loses some of it, and so a game; not three in a row."""
    for attempt in range(ATTEMPTS):
        with contextlib.nullcontext() if attempt == ATTEMPTS - 1 else contextlib.suppress(AssertionError):
            play_by_voice(browser, tmp_path / str(attempt))
            return


def play_by_voice(browser, folder):
    """Let NAO find a word, and begin to look for its word."""
    command = ("-m", "jotto_desk", "play", "--page", "--voice", "--port", "0", "--seed", "1", "--forget")
    with served(*command, "--role", "breaker", browser=browser, environ={"XDG_DATA_HOME": str(folder)}) as page:
        # The browser's own microphone, in which somebody is ready.
        browser.get(page.address + "?flat&own")
        press_microphone(browser)
        until(lambda: "ready" in heard(browser), ANSWERED_WITHIN)
        # A reload goes on with the same game.
        browser.get(page.address + "?flat")
        press_microphone(browser)
        until(lambda: hears(browser), ANSWERED_WITHIN)
        # What NAO does not listen for is no answer.
        before = len(heard(browser))
        microphone.say(browser, "bicycle")
        until(lambda: heard(browser)[before:], ANSWERED_WITHIN)
        answered(browser, in_both_roles(browser), lambda: "attempt" in question(browser))
        # NAO is glad for some seconds: what is said over it is not heard.
        before = len(heard(browser))
        if not hears(browser):
            microphone.say(browser, "no")
            until(lambda: hears(browser), ANSWERED_WITHIN)
            assert len(heard(browser)) == before
        answered(browser, in_both_roles(browser), lambda: spelled(browser) > 0)
        assert texts(browser, ".speech-heard")[0].startswith("Heard: ")
        played = browser.execute_script("return testMicrophone.played")
        assert len(played) > 3
        assert complaints(browser) == []


def test_what_is_wrong_with_a_microphone_is_said(browser, tmp_path):
    with served("-m", "naosim", "docs/greeting", "--page", "--port", "0") as page:
        browser.get(page.address + "?flat")
        until(lambda: texts(browser, ".microphone .speech-button"))
        for refusal, sentence in (("NotAllowedError", "does not let this page listen"),
                                  ("NotFoundError", "no microphone"), ("NotReadableError", "another program")):
            browser.execute_script("testMicrophone.refusal = arguments[0]", refusal)
            press_microphone(browser)
            until(lambda said=sentence: said in texts(browser, ".speech-check")[0])
        for blocks, sentence in (([[60, 0.0005, 0]], "No sound comes from Headset"), ([[9, 1.0, 20]], "Too loud"),
                                 ([[1, 0.01, 0], [99, 0.0001, 0]], ""), ([[9, 1.0, 20], [30, 0.3, 0]], "")):
            verdict = browser.execute_async_script(CHECK, blocks)
            assert sentence in verdict and bool(verdict) == bool(sentence)
        browser.get("about:blank")
