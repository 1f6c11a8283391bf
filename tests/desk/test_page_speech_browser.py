"""Games by voice alone on a page in a real browser: NAO guesses, then the person does, by spelling.

Takes half a minute, nearly all of it NAO's time for speaking: one browser and one page, for what only a browser shows.
"""

import contextlib

import pytest
import spoken_microphone as microphone
from page_browser import STILL, browsing, complaints, served, texts, until
from page_by_voice import moment, press_microphone, waited

from jotto_behaviour import mind
from naosim_live.voice import espeak, noise, sound

pytest.importorskip("nicegui")
pytest.importorskip("selenium")
pytest.importorskip("pocketsphinx")
pytestmark = pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")

LINES = mind.load_lines()
ATTEMPTS = 3
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
    flags = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={person}",
        "--autoplay-policy=no-user-gesture-required",
    )
    with browsing(tmp_path_factory.mktemp("browser"), STILL, *flags) as made:
        microphone.put_into(made)
        yield made


def answered(browser, answer, is_over):
    """Answer by voice, once at each moment at which NAO listens, until it is over; what it asks back it is told."""
    last, meant = None, ""
    while True:
        now = waited(browser, lambda now, last=last: is_over(now) or (now.hears and (now.said, now.spelled) != last))
        if is_over(now):
            return
        last = now.said, now.spelled
        if "did you say" in now.question or "i heard" in now.question:
            microphone.say(browser, "yes" if meant and meant in now.question else "no")
        else:
            meant = answer(now)
            microphone.say(browser, meant)


def in_both_roles(now):
    """Answer as a person for whom NAO guesses PARTS, and who then spells a guess at NAO's word."""
    if "is it parts" in now.question or "my guess" in now.question:
        return "yes"
    if "again" in now.question:
        return LINES.phrases(["I guess"])[0]
    if "ready" in now.question:
        return "ready"
    return ALPHABET[min(now.spelled, 4)] if "parts" not in now.question else "yes"


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
        waited(browser, lambda now: "ready" in now.heard)
        # A reload goes on with the same game.
        browser.get(page.address + "?flat")
        what_is_wrong_is_said(browser)
        press_microphone(browser)
        # What NAO does not listen for is no answer.
        before = len(waited(browser, lambda now: now.hears).heard)
        microphone.say(browser, "bicycle")
        waited(browser, lambda now: now.heard[before:])
        answered(browser, in_both_roles, lambda now: "first try" in now.question)
        # NAO is glad for some seconds: what is said over it is not heard.
        now = moment(browser)
        if not now.hears:
            microphone.say(browser, "no")
            assert waited(browser, lambda now: now.hears).heard == now.heard
        answered(browser, in_both_roles, lambda now: now.spelled > 0)
        assert texts(browser, ".speech-heard")[0].startswith("Heard: ")
        played = browser.execute_script("return testMicrophone.played")
        assert len(played) > 3
        assert complaints(browser) == []


DICTATES = "return Boolean(testMicrophone.dictation)"


def test_the_browser_recognises_only_where_that_is_switched_on(browser, tmp_path):
    """Its own recogniser sends the voice to a company: the page says so, and falls silent where there is none."""
    command = ("-m", "jotto_desk", "play", "--page", "--voice", "--port", "0", "--seed", "1", "--forget")
    with served(*command, "--role", "breaker", browser=browser, environ={"XDG_DATA_HOME": str(tmp_path)}) as page:
        browser.get(page.address + "?flat")
        until(lambda: texts(browser, ".microphone-more"))
        browser.execute_script("document.querySelector('.microphone-more').open = true")
        assert "sends my voice to a company" in texts(browser, ".microphone-more")[0]
        browser.execute_script("document.querySelector('.dictation').click()")
        press_microphone(browser)
        waited(browser, lambda now: now.hears)
        until(lambda: browser.execute_script(DICTATES))
        browser.execute_script("testMicrophone.write('Reading', 'Ready.')")
        waited(browser, lambda now: "ready" in now.heard)
        # The browser stops listening while NAO speaks.
        until(lambda: not browser.execute_script(DICTATES))
        # Chromium's own, which has no company behind it here, says what is wrong.
        browser.get(page.address + "?flat&own")
        until(lambda: texts(browser, ".microphone-more"))
        browser.execute_script("document.querySelector('.dictation').click()")
        press_microphone(browser)
        waited(browser, lambda now: "no microphone" in now.check or "recogni" in now.check)
        assert complaints(browser) == []


def what_is_wrong_is_said(browser):
    """Refuse the microphone in three ways, and let the page check four; then it is granted."""
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
        verdict = browser.execute_async_script(CHECK, blocks)
        assert sentence in verdict and bool(verdict) == bool(sentence)
