"""Speech recognition on the static site, in a real browser: as on a desktop, and a whole game by sound."""

import base64
import contextlib
import json

import pytest
import spoken_microphone
from page_browser import FAST, browsing, complaints, until
from site_page import FOLDER, SECRET, WATCH_POLICY, Site, SitePage, choose_answer
from worker_site import copy_site

from jotto.rules import JOTTO
from jotto_behaviour.mind import load_lines
from naosim_voice import model, noise, sound, speaking
from naosim_voice.endpoints import RATE, WIDTH
from naosim_voice.recogniser import Recognised, Vocabulary
from naosim_voice.speaking import VoiceChoice

pytestmark = [
    pytest.mark.program("espeak-ng"),
    pytest.mark.skipif(model.find_model() is None, reason="jotto voice model has fetched no model"),
]
pytest.importorskip("onnxruntime")

#: Bytes of a block of sound, as the page's worklet makes them.
BLOCK = RATE // 10 * WIDTH
NUMBERS = ("zero", "one", "two", "three", "four", "five")
ANSWERS = ("Yes", "no", *NUMBERS, "two and one", "say it again", "stop the game")
LETTERS = (*"abcdefghijklmnopqrstuvwxyz", "ocean", "table", "story", "water", "music")
#: What is said, and the phrases that NAO listens for; and some of it, for a short run.
SENTENCES = ("the weather will be fine tomorrow", "where did you put my red umbrella")
#: Longer than 9 s, while NAO waits for spelled words.
LONG = " and ".join(SENTENCES * 3)
TABLE = (
    *((said, ANSWERS) for said in ("yes", "no", "three", "five", "two and one", "say it again", *SENTENCES)),
    *((said, LETTERS) for said in ("b", "x", "s", "ocean", "s, t, o, r, y", "t, a, b, l, e", LONG)),
)
SHORT_TABLE = TABLE[4], TABLE[8], TABLE[12], TABLE[14]
#: The most that the networks may differ in a confidence, and on average. They round differently: if the lowest bit of a
#: hundredth of the samples is another, a desktop's own confidence differs by up to 0.26.
TOLERANCE, MEAN_TOLERANCE = 0.08, 0.02
#: The files of speech recognition that the browser has kept.
KEPT = "caches.open('hearing').then((cache) => cache.keys()).then((kept) => arguments[0](kept.length))"
#: Makes the page believe that NAO speaks French.
FRENCH = """
Object.defineProperty(page.stage.speech, 'code', { get: () => 'fr', set() {}, configurable: true });
page.stage.tell('voices');
"""
#: Has microphones report whether they cancel echo.
ECHO = "const [echoCancellation] = arguments; MediaStreamTrack.prototype.getSettings = () => ({ echoCancellation });"
#: Lets time pass fast while NAO speaks.
HURRY = """
const hurry = () => page.link.ask('pace', { speed: page.stage.talk.isSpeaking && !page.isCalm ? arguments[0] : 1 });
page.stage.onChange((what) => (what === 'say' || what === 'said') && hurry());
hurry();
"""
#: Voices that a person in the tests tries one after another.
VOICES = (VoiceChoice("en-us", 140, 50), spoken_microphone.PERSON, VoiceChoice("en-us+m3", 150, 50))
#: Has a worker of the site recognise sounds: pairs of a vocabulary as JSON and blocks of PCM in base64.
RECOGNISE = """
const [address, sounds, done] = arguments, heard = [];
const worker = new Worker(address, { type: "module" });
const next = () => {
  const [vocabulary, blocks] = sounds[heard.length] ?? [];
  if (!blocks) return done(heard), worker.terminate();
  heard.push([]);
  worker.postMessage({ forget: true });
  worker.postMessage({ open: vocabulary, number: heard.length });
  for (const block of blocks) {
    const pcm = Uint8Array.from(atob(block), (each) => each.charCodeAt(0)).buffer;
    worker.postMessage({ pcm }, [pcm]);
  }
  left = blocks.length;
};
let left = 0;
worker.onerror = ({ message }) => done(message);
worker.onmessage = ({ data }) => {
  if (data.broken) return done(data.broken);
  if (data.heard) heard.at(-1).push(...data.heard), left -= data.taken;
  if (data.ready || left === 0) next();
};
"""


def in_room(text):
    """Return a text as somebody says it in a quiet room."""
    return noise.add_noise(speaking.speak_as(text, spoken_microphone.PERSON), noise.Noise(), 1).pcm + sound.silence(0.6)


def blocks_of(pcm):
    return [pcm[at : at + BLOCK] for at in range(0, len(pcm), BLOCK)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Provide the site with speech recognition on a server."""
    root = tmp_path_factory.mktemp("site")
    copy_site(tmp_path_factory, root / FOLDER, with_hearing=True)
    made = Site(root)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def opened(site, tmp_path_factory):
    """Provide a page of the site with a microphone that plays sounds."""
    flags = ("--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required")
    with browsing(tmp_path_factory.mktemp("browser"), *flags, name="chromium") as browser:
        browser.run_first(WATCH_POLICY)
        spoken_microphone.put_into(browser)
        page = SitePage(browser)
        page.open(f"{site.address}#play?role=nao-guesses&seed=7")
        names = page.run("return performance.getEntriesByType('resource').map((each) => each.name)")
        assert [name for name in names if "hearing/" in name] == []
        yield page


@pytest.fixture
def page(opened):
    """Provide the page; the browser must not have complained."""
    yield opened
    assert complaints(opened.browser) == []


def recognise_here(sounds):
    """Return what the same Python hears with ONNX Runtime for Python."""
    from naosim_voice.moonshine import OnnxNetwork, PhraseRecogniser

    recogniser, found = PhraseRecogniser(OnnxNetwork(model.model_folder())), []
    for pcm, phrases in sounds:
        recogniser.forget_room()
        recogniser.open(Vocabulary(phrases))
        heard = [event for block in blocks_of(pcm) for event in recogniser.feed(block)]
        found.append([event for event in heard if isinstance(event, Recognised)])
    return found


def test_a_browser_hears_the_same_as_a_desktop(page, site, request):
    table = TABLE if request.config.getoption("--whole-site") else SHORT_TABLE
    sounds = [(in_room(said), phrases) for said, phrases in table]
    told = [
        (
            json.dumps({"phrases": phrases, "spotting": False, "sensitivity": 0.5}),
            [base64.b64encode(block).decode() for block in blocks_of(pcm)],
        )
        for pcm, phrases in sounds
    ]
    expected = recognise_here(sounds)
    found = page.browser.execute_async_script(RECOGNISE, f"{site.address}hearing/worker.js", told)
    assert isinstance(found, list), found
    # No answer here is nearly as likely as another one: rounding would choose between them.
    differences = []
    for (said, _), events, here in zip(table, found, expected, strict=True):
        there = [event for event in events if "began" not in event]
        assert len(there) == len(here), said
        assert {event.is_other_speech for event in here} <= {said in (*SENTENCES, LONG)}, said
        for one, other in zip(there, here, strict=True):
            assert one["isOther"] == other.is_other_speech, said
            assert [phrase for phrase, _ in one["hypotheses"]] == [each.phrase for each in other.hypotheses], said
            for (_, confidence), each in zip(one["hypotheses"], other.hypotheses, strict=True):
                differences.append(abs(confidence - each.confidence))
    assert max(differences) <= TOLERANCE and sum(differences) / len(differences) <= MEAN_TOLERANCE, differences
    # Most of the table are phrases.
    assert len(differences) * 2 > len(table)


def test_the_page_asks_who_should_listen(page, site):
    page.restart(role="nao-guesses")
    page.browser.execute_async_script("caches.delete('hearing').then(arguments[0])")

    def ask():
        page.find(".microphone")[0].click()
        return until(lambda: page.find("dialog[open]"))[0].text

    assert "No sound leaves this computer" in ask()
    page.press("No", "dialog[open]")
    assert not page.run("return page.stage.microphone.isBusy")
    ask()
    site.stop()
    page.press("Download", "dialog[open]")
    until(lambda: "can't be downloaded now" in page.run("return page.stage.microphone.sentence"))
    site.start()
    # The browser's own recogniser listens until it is turned off.
    assert "may send your voice to the browser's maker" in ask()
    page.press("Let the browser listen", "dialog[open]")
    until(lambda: page.run("return Boolean(testMicrophone.dictation)"))
    page.find(".microphone")[0].click()
    assert "once" in ask()
    page.press("No", "dialog[open]")
    # NAO's own hearing understands no French.
    page.run(FRENCH)
    until(lambda: "once" not in page.run("return document.querySelector('.microphone ~ dialog').textContent"))
    asked = ask()
    assert "NAO only understands spoken English here." in asked and "may send your voice" in asked
    page.press("No", "dialog[open]")
    # Other browsers have no recogniser of their own.
    page.run("page.stage.microphone.other = null")
    page.find(".microphone")[0].click()
    until(lambda: "Type or tap" in page.find(".task-area")[0].text)
    page.run("delete page.stage.speech.code")
    # The browser reports files that it cannot fetch.
    page.browser.forget()


def turn_on(page):
    """Press the microphone and wait until NAO hears."""
    if page.run("return page.stage.microphone.isOn"):
        return
    page.find(".microphone")[0].click()
    opens = "const {isOn, isBusy} = page.stage.microphone; return isOn || isBusy"
    until(lambda: page.run(f"{opens} || Boolean(document.querySelector('dialog[open]'))"))
    if not page.run(opens):
        assert " MB, once" in until(lambda: page.find("dialog[open]"))[0].text
        assert page.browser.execute_async_script(KEPT) == 0
        page.press("Download", "dialog[open]")
    until(lambda: page.run("return page.stage.microphone.isOn"))
    page.run(HURRY, FAST)


def say(page, text):
    """Answer by voice; in other voices if NAO does not understand. Return the next question."""
    before = page.game()["moment"]
    for number in range(6):
        until(lambda: page.run("return page.stage.microphone.listens"))
        # People need longer to begin.
        pause = sound.Clip(sound.silence(0.4))
        spoken_microphone.play(
            page.browser, sound.Clip(pause.pcm + speaking.speak_as(text, VOICES[number % len(VOICES)]).pcm)
        )
        with contextlib.suppress(AssertionError):
            until(lambda: page.game()["moment"] != before, 8)
            return page.asked(lambda game: game["moment"] != before)
    raise AssertionError(f"NAO does not understand {text!r}: {list_talk(page)} {page.game()['question']}")


def list_talk(page):
    """Return the last lines of the talk."""
    return page.run("return page.stage.talk.lines.slice(-9).map((line) => `${line.who}: ${line.text}`)")


@pytest.mark.whole_site
def test_a_game_by_voice(page):
    """Takes a minute: whole sentences in real time."""
    game = page.restart(role="nao-guesses")
    turn_on(page)
    said = ""
    while not game["won"]:
        said = find_words(game, said)
        game = say(page, said)
    assert game["won"] == "nao"


@pytest.mark.whole_site
def test_stop_ends_nao_s_sentence_if_the_browser_cancels_its_echo(page):
    """Takes half a minute: sentences in real time."""
    for cancels in (False, True):
        page.run("if (page.stage.microphone.isOn) page.stage.microphone.stop()")
        page.run(ECHO, cancels)
        page.restart(role="nao-guesses")
        turn_on(page)
        page.run("page.isCalm = true; page.stage.hear('help me please')")
        until(lambda: page.run("return page.stage.talk.isSpeaking"))
        if cancels:
            until(lambda: page.run("return page.stage.microphone.stops"))
            spoken_microphone.say(page.browser, "stop")
        until(lambda: page.run("return page.stage.microphone.listens"))
        assert page.run("return page.stage.talk.lines.slice(-2).some(({note}) => note === '(interrupted)')") is cancels
    page.run("page.isCalm = false")


@pytest.mark.whole_site
def test_nao_hears_without_a_network(page, site):
    """Takes half a minute: NAO and its hearing come from what the browser has kept."""
    turn_on(page)
    assert page.browser.execute_async_script(KEPT) == len(page.run("return page.home.hearing"))
    until(lambda: page.browser.execute_async_script("navigator.serviceWorker.ready.then(() => arguments[0](true))"))
    site.stop()
    try:
        page.browser.refresh()
        page.wait_for_start()
        turn_on(page)
        page.restart(role="nao-guesses")
        # What NAO says itself is not heard.
        page.run("page.stage.talk.isSpeaking = true")
        until(lambda: not page.run("return page.stage.microphone.listens"))
        page.run("page.stage.talk.isSpeaking = false")
        assert "dares" in say(page, "I'm ready")["question"]["text"].lower()
    finally:
        site.start()


@pytest.mark.whole_site
def test_words_are_guessed_by_spelling_them(page):
    """Takes a minute: whole sentences in real time."""
    game = page.restart(role="i-guess")
    turn_on(page)
    names = load_lines().letters
    for word in ("table", page.secret()):
        # B and P sound alike. If NAO takes another word, the person says what people say on the phone: "bravo".
        for said in (", ".join(word), *[" ".join(names[letter] for letter in word)] * 3):
            game = say(page, said)
            while word not in list_guesses(game) and (answer := correct(game["question"], word)):
                game = say(page, answer)
            if word in list_guesses(game):
                break
        assert list_guesses(game)[-1:] == [word], list_talk(page)
    assert game["won"] == "you"


def correct(question, word):
    """Return what the person says if NAO asks about a word or has taken the word for single letters; "" if not."""
    if question["kind"] != "word":
        return "yes" if word in question["text"].lower() else "no"
    return "cancel" if "cancel" in [answer["meaning"] for answer in question["answers"]] else ""


def list_guesses(game):
    """Return the words of the first board."""
    rows = game["boards"][0]["rows"] if game["boards"] else []
    return ["".join(tile["symbol"] for tile in row["tiles"]).lower() for row in rows]


def find_words(game, before):
    """Return what the person says to a question, after saying `before` to another."""
    question = game["question"]
    if [answer["meaning"] for answer in question["answers"]] == ["yes", "no"]:
        # NAO asks whether it has heard that.
        return "yes" if before in question["text"] else "no"
    if question["kind"] == "one-number":
        exact, misplaced = JOTTO.score(question["guess"].lower(), SECRET)
        return NUMBERS[exact if "right place" in question["text"] else misplaced]
    answer = choose_answer(game)
    if isinstance(answer, str):
        # The voices say "ready" like "reddy", which is often taken for something else.
        return "I'm ready" if answer == "ready" else answer
    return " and ".join(NUMBERS[number] for number in answer)
