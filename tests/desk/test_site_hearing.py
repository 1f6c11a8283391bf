"""Speech recognition on the static site, in a real browser: as on a desktop, and a whole game by sound."""

import base64
import functools
import json
import threading
from http.server import ThreadingHTTPServer

import pytest
import spoken_microphone
from interpreters import ROOT
from naosim_page.site import find_program, install_libraries, write_hearing, write_site
from page_browser import browsing, complaints
from site_page import WATCH_POLICY, SitePage
from worker_site import StaticHandler, page_libraries

from jotto_desk.play.page.site import BEHAVIOUR, MODULE, VIEWS, site_examples, site_folders
from naosim_live.voice import espeak, model, noise, sound
from naosim_live.voice.endpoints import RATE, WIDTH
from naosim_live.voice.recogniser import Recognised, Vocabulary

pytestmark = [
    pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed"),
    pytest.mark.skipif(model.find_model() is None, reason="jotto voice model has fetched no model"),
]
pytest.importorskip("onnxruntime")

#: Bytes of a block of sound, as the page's worklet makes them.
BLOCK = RATE // 10 * WIDTH
ANSWERS = ("Yes", "no", "zero", "one", "two", "three", "four", "five", "two and one", "say it again", "stop the game")
LETTERS = (*"abcdefghijklmnopqrstuvwxyz", "ocean", "table", "story", "water", "music")
#: What is said, and the phrases that NAO listens for.
TABLE = (
    *((said, ANSWERS) for said in ("yes", "no", "three", "five", "two and one", "say it again")),
    *((said, ANSWERS) for said in ("the weather will be fine tomorrow", "where did you put my red umbrella")),
    *((said, LETTERS) for said in ("b", "x", "s", "ocean", "s, t, o, r, y", "o, c, e, a, n")),
)
#: The most that two networks may differ in a confidence: their libraries round differently.
TOLERANCE = 0.01
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
    return noise.around(espeak.speak(text, spoken_microphone.PERSON), noise.Noise(), 1).pcm + sound.silence(0.6)


def blocks_of(pcm):
    return [pcm[at : at + BLOCK] for at in range(0, len(pcm), BLOCK)]


@pytest.fixture(scope="module")
def hearing(tmp_path_factory):
    """Provide the folder with the files of speech recognition."""
    folder = tmp_path_factory.mktemp("hearing") / "hearing"
    libraries = install_libraries(ROOT / ".cache" / "page", find_program("npm"), with_recognition=True)
    write_hearing(folder, libraries, model.model_folder())
    return folder


@pytest.fixture(scope="module")
def address(hearing, tmp_path_factory):
    """Provide the address of the site with speech recognition."""
    site = tmp_path_factory.mktemp("site") / "site"
    jotto = {"behaviour": BEHAVIOUR, "module": MODULE, "views": VIEWS}
    size = write_site(site, page_libraries(), site_folders(), **jotto, examples=site_examples(), hearing=hearing)
    assert size <= 8_000_000
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(StaticHandler, None, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def opened(address, tmp_path_factory):
    """Provide a page of the site with a microphone that plays sounds."""
    flags = ("--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required")
    with browsing(tmp_path_factory.mktemp("browser"), *flags, name="chromium") as browser:
        browser.run_first(WATCH_POLICY)
        spoken_microphone.put_into(browser)
        page = SitePage(browser)
        page.open(f"{address}#play?role=nao-guesses&seed=7")
        yield page


@pytest.fixture
def page(opened):
    """Provide the page; the browser must not have complained."""
    yield opened
    assert complaints(opened.browser) == []


def recognise_here(sounds):
    """Return what the same Python hears with ONNX Runtime for Python."""
    from naosim_live.voice.moonshine import OnnxNetwork
    from naosim_live.voice.phrase_recogniser import PhraseRecogniser

    recogniser, found = PhraseRecogniser(OnnxNetwork(model.model_folder())), []
    for pcm, phrases in sounds:
        recogniser.forget_room()
        recogniser.open(Vocabulary(phrases))
        heard = [event for block in blocks_of(pcm) for event in recogniser.feed(block)]
        found.append([event for event in heard if isinstance(event, Recognised)])
    return found


def test_a_browser_hears_the_same_as_a_desktop(page, address):
    sounds = [(in_room(said), phrases) for said, phrases in TABLE]
    told = [
        (
            json.dumps({"phrases": phrases, "spotting": False, "sensitivity": 0.5}),
            [base64.b64encode(block).decode() for block in blocks_of(pcm)],
        )
        for pcm, phrases in sounds
    ]
    expected = recognise_here(sounds)
    found = page.browser.execute_async_script(RECOGNISE, f"{address}hearing/worker.js", told)
    assert isinstance(found, list), found
    understood = 0
    for (said, _), events, here in zip(TABLE, found, expected, strict=True):
        there = [event for event in events if "began" not in event]
        assert len(there) == len(here), said
        for one, other in zip(there, here, strict=True):
            assert one["isOther"] == other.is_other_speech, said
            assert [phrase for phrase, _ in one["hypotheses"]] == [each.phrase for each in other.hypotheses], said
            for (_, confidence), each in zip(one["hypotheses"], other.hypotheses, strict=True):
                assert abs(confidence - each.confidence) <= TOLERANCE, (said, confidence, each)
                understood += 1
    # Most of the table are phrases, and sentences about something else are none.
    assert understood >= 9 and all(each.is_other_speech for here in expected[6:8] for each in here)
