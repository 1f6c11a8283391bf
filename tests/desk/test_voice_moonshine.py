"""Recognisers that write: Moonshine, Whisper, Vosk and sherpa-onnx; their models, tokens and phrases."""

import itertools
import math
import sys
from pathlib import Path
from unittest.mock import Mock

import numpy
import pytest
from hypothesis import given, settings, strategies as st

from jotto_behaviour import mind
from jotto_behaviour.states import COMMANDS, PAIRS, list_meanings
from naosim_live.voice import espeak, noise, sound
from naosim_live.voice.endpoints import Stretch
from naosim_live.voice.grammar import weighty
from naosim_live.voice.moonshine import network, phrases, search
from naosim_live.voice.moonshine.network import Writing
from naosim_live.voice.moonshine.phrases import PhraseTree, SoundingAlike
from naosim_live.voice.moonshine.tokens import BEGIN, BLANK, END, Tokens
from naosim_live.voice.recogniser import Recognised, Vocabulary, VoiceError, recogniser
from naosim_live.voice.transcribing import sherpa, transcript, whisper
from naosim_live.voice.transcribing.transcript import TranscribingRecogniser, nearest, spoken_words

SOUNDS = Path(__file__).with_name("sounds")
needs_model = pytest.mark.skipif(network.installed() is None, reason="moonshine-voice has no wheel for this system")


def raw(*texts):
    """Write tokens as tokenizer.bin has them."""
    heads = [[len(text)] if len(text) < 128 else [128 + len(text) % 128, len(text) // 128] for text in texts]
    return b"".join(bytes(head) + text for head, text in zip(heads, texts, strict=True))


LETTERS = f"{BLANK}abdenostw,.!?"
PARTS = ("on", "one", f"{BLANK}t", "wo", f"{BLANK}two", f"{BLANK}a", "nd", f"{BLANK}and", f"{BLANK}one")
TOKENS = Tokens(raw(b"<unk>", b"<s>", b"</s>", *(text.encode() for text in (*LETTERS, *PARTS))))


def test_words_are_split_as_they_were_learned():
    for word, parts in [("two", ["two"]), ("tone", ["t", "one"]), ("wed", ["", "w", "e", "d"]), ("six", [])]:
        assert [TOKENS.text([number]) for number in TOKENS.split(word)] == parts
    # The first of equal tokens are single bytes, which the network writes only for unknown letters.
    tokens = Tokens(raw(b"<unk>", b"<s>", b"</s>", b",", BLANK.encode(), b",", b"x" * 300))
    assert tokens.number(",") == 5 and tokens.text([6]) == "x" * 300
    for content in [b"", b"\x00", raw(b"<s>") + b"\x05ab", raw(b"a", b"b", b"c") + b"\x81"]:
        with pytest.raises(VoiceError, match=r"tokenizer\.bin of the model"):
            Tokens(content)


def alike(word):
    return {"two": ["to"], "tone": ["ton"], "done": ["ton"]}.get(word, [])


def ways(tree, phrase):
    """List all sequences of tokens for a phrase."""
    found, open_ = [], [(0, ())]
    while open_:
        place, written = open_.pop()
        for token, after in tree.after[place].items():
            open_.append((after, (*written, token)))
            if phrase in tree.whole.get(after, ()):
                found.append((*written, token))
    return found


def test_ways_to_write_a_phrase():
    def texts(known, number):
        return {TOKENS.text(way) for way in ways(PhraseTree(TOKENS, known, alike), number)}

    assert {"two.", "to", "two, two"} <= texts(["two"], 0)
    assert "one, two." in texts(["one two"], 0)
    assert {"one, and two", "one and to!"} <= texts(["one and two"], 0)
    assert "two, two, two" in texts(["two", "two two"], 0) and "two two." in texts(["two", "two two"], 1)
    # A repeated word counts once, unless a phrase begins so.
    assert "two, two" in texts(["two", "one"], 0)
    assert not {"two two two", "two, two"} & texts(["two", "two two two"], 0)


def test_two_phrases_share_no_text():
    shared = {"ton", "ton.", "ton,", "ton!", "ton?", "ton, ton", "ton ton"}
    for known, both in [
        (["two", "to", "two two"], set()),
        (["two", "two two", "two two two"], set()),
        (["two", "two two and one"], set()),
        # Two phrases that may both be written as a third text share only that text.
        (["tone", "done"], shared | {text.capitalize() for text in shared}),
    ]:
        tree = PhraseTree(TOKENS, known, alike)
        found = [{TOKENS.text(way) for way in ways(tree, number)} for number in range(len(known))]
        for one, other in itertools.combinations(found, 2):
            assert one & other <= both
            assert not any(text.startswith(whole + " ") for text in one & other for whole in other - both)


def test_memory_of_many_long_phrases():
    words = ("one", "two", "and", "tone", "done", "wed", "bed", "sob")
    many = [" ".join(each) for each in itertools.islice(itertools.product(words, repeat=4), 1000)]
    assert len(PhraseTree(TOKENS, many, alike).after) < 40 * len(many)


class DrawnNetwork:
    """A network with random odds that depend only on the tokens written before, so a slow search can ask it too."""

    tokens = TOKENS

    def __init__(self, seed):
        self.seed = seed

    def odds(self, written):
        logits = numpy.random.default_rng([self.seed, *written]).normal(0, 2, len(TOKENS))
        return logits - math.log(sum(map(math.exp, logits)))

    def begin(self, samples):
        return self._writing([(BEGIN,)])

    def follow(self, writing, rows, tokens):
        return self._writing([(*writing.kept["written"][row], token) for row, token in zip(rows, tokens, strict=True)])

    def _writing(self, written):
        return Writing(numpy.array([self.odds(each) for each in written]), {"written": written})


@settings(max_examples=25)
@given(
    st.integers(0, 1000),
    st.lists(
        st.sampled_from(["one", "two", "one two", "two and one", "one and one", "two two"]), min_size=1, unique=True
    ),
)
def test_a_wide_beam_finds_what_adding_up_every_way_finds(seed, known):
    network_, tree = DrawnNetwork(seed), PhraseTree(TOKENS, known, alike)
    slow = {}
    for number in range(len(known)):
        for way in ways(tree, number):
            sure = sum(network_.odds((BEGIN, *way[:place]))[token] for place, token in enumerate(way))
            slow[number] = slow.get(number, 0.0) + math.exp(sure)
    found = search.weigh(network_, tree, numpy.zeros(1), beam=10_000, far=math.inf)
    assert found.phrases.keys() == slow.keys()
    assert all(math.isclose(math.exp(found.phrases[number]), slow[number], rel_tol=1e-6) for number in slow)
    narrow = search.weigh(network_, tree, numpy.zeros(1), beam=4)
    assert all(odds <= found.phrases[number] + 1e-9 for number, odds in narrow.phrases.items())


def test_words_that_sound_the_same(tmp_path):
    dictionary = tmp_path / "words.dict"
    dictionary.write_text("two T UW\nto T UW\nto(2) T AH\ntoo T UW\nno N OW\nknow N OW\nten T EH N\n")
    sounds = SoundingAlike(dictionary)
    assert sounds("two") == ["to", "too"] and sounds("no") == ["know"] and sounds("ten") == sounds("blorp") == []
    with pytest.raises(VoiceError, match="cannot be read"):
        SoundingAlike(tmp_path / "none.dict")


def test_missing_models(tmp_path, monkeypatch):
    with pytest.raises(VoiceError, match="no folder '/nowhere/model'"):
        recogniser("moonshine", "/nowhere/model")
    with pytest.raises(VoiceError, match=r"lacks encoder_model\.ort"):
        recogniser("moonshine", str(tmp_path))
    for name in (network.ENCODER, network.DECODER, network.TOKENS):
        (tmp_path / name).write_bytes(b"<html>")
    with pytest.raises(VoiceError, match="cannot be read"):
        recogniser("moonshine", str(tmp_path))
    monkeypatch.setattr(network.importlib.util, "find_spec", lambda name: None)
    network.network.cache_clear()
    with pytest.raises(VoiceError, match="lacks its model: pip install"):
        recogniser("moonshine")


@needs_model
def test_moonshine_writes_what_is_said():
    long = "the quick brown fox jumps over the lazy dog and sleeps until the next day at one"
    model = network.network()
    tree = phrases.tree(model.tokens, ("yes", "no", "two and one", "one and two", long))
    for name, text, phrase in (("yes", "Yes.", 0), ("two-and-one", "Two and one.", 2)):
        found = search.weigh(model, tree, sound.read(SOUNDS / f"{name}.wav").floats())
        assert found.text == text and max(found.phrases, key=found.phrases.get) == phrase
        # The phrase has several texts, so it is at least as likely as the likeliest of them.
        assert found.free - 0.01 <= found.phrases[phrase] <= 0
    parts = [part for word in long.capitalize().split() for part in model.tokens.split(word)]
    place = 0
    for token in parts:
        place = tree.after[place][token]
    assert tree.after[place] and len(parts) >= 17


@needs_model
@pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")
def test_long_speech_is_refused():
    ears = recogniser("moonshine")
    ears.open(Vocabulary(("yes", "no", "give me a hint")))
    text = "they say the train leaves from another platform because of the building work"
    events = ears.feed(noise.around(espeak.speak(text), noise.Noise(), 1).pcm)
    found = [event.hypotheses for event in events if isinstance(event, Recognised)]
    assert found and not any(found)


@needs_model
def test_rows_do_not_disturb_each_other():
    model = network.network()
    start = model.begin(sound.read(SOUNDS / "yes.wav").floats())
    numbers = map(model.tokens.number, (f"{BLANK}Yes", ",", ".", f"{BLANK}No"))
    some = [number for number in numbers if number is not None]
    together = model.follow(start, [0] * len(some), some)
    for row, token in enumerate(some):
        alone = model.follow(start, [0], [token])
        assert int(alone.odds[0].argmax()) == int(together.odds[row].argmax())
        assert abs(float(alone.odds[0, END] - together.odds[row, END])) < 1.0


@needs_model
def test_confidence_is_lower_if_pocketsphinx_disagrees(monkeypatch):
    def confidence():
        ears.open(Vocabulary(("yes", "no", "give me a hint")))
        events = ears.feed(sound.silence(0.5) + sound.read(SOUNDS / "yes.wav").pcm + sound.silence(0.6))
        return next(event.hypotheses[0].confidence for event in events if isinstance(event, Recognised))

    ears = recogniser("moonshine")
    shared = confidence()
    for other in ("no", ""):
        monkeypatch.setattr(ears._second, "nearest", lambda stretch, other=other: other)
        assert confidence() < shared


@needs_model
@pytest.mark.parametrize(
    "alone, other, phrase", [(0.4, 0.9, "no"), (0.4, 0.7, "yes"), (0.9, 0.9, "yes"), (0.05, 0.9, None)]
)
def test_an_unsure_answer_gives_way_to_a_sure_one_of_pocketsphinx(monkeypatch, alone, other, phrase):
    """The confidence stays low, so NAO asks the player to confirm the other phrase."""
    ears = recogniser("moonshine")
    ears.open(Vocabulary(("yes", "no", "give me a hint")))
    monkeypatch.setattr(ears, "evidence", lambda stretch: ("yes", (alone,)))
    monkeypatch.setattr(ears._second, "evidence", lambda stretch: ("no", (other,)))
    monkeypatch.setattr(ears._second, "nearest", lambda stretch: "no")
    told = type("Told", (), {"probability": lambda self, evidence: evidence[0]})()
    monkeypatch.setattr("naosim_live.voice.moonshine.recogniser.calibration", lambda name="": told)
    monkeypatch.setattr("naosim_live.voice.moonshine.recogniser.doubted", lambda confidence: confidence)
    found = ears._judge(Stretch(sound.read(SOUNDS / "yes.wav").pcm, 0.0, 1.5))
    assert [(each.phrase, each.confidence) for each in found.hypotheses] == ([(phrase, alone)] if phrase else [])


# Recognisers that write down what they hear.


@pytest.fixture(scope="module")
def sounds():
    """Return the pronunciations in the dictionary of pocketsphinx."""
    return transcript.english()


LINES = mind.load_lines()
NUMBERS = tuple(LINES.phrases(list_meanings("both")))


@pytest.mark.parametrize(
    ("text", "known", "phrase"),
    [
        ("Yes. Yes. Yes.", ("yes", "no"), "yes"),
        ("0, 0", NUMBERS, "zero and zero"),
        ("For!", ("four", "five"), "four"),
        ("0 and 1.", NUMBERS, "zero and one"),
        ("21", NUMBERS, "two one"),
        ("Two and zero.", NUMBERS, "two and zero"),
        ("One, two.", NUMBERS, "one and two"),
        ("I give up", NUMBERS, "I give up"),
        ("Welcome to the show", NUMBERS, None),
        ("Thank you for watching!", ("yes", "no"), None),
        ("\u8fd9\u662f", NUMBERS, None),
        ("", NUMBERS, None),
        ("I'm going to tell you what I'm going to do.", NUMBERS, None),
        ("What am I doing? " * 50, NUMBERS, None),
        ("a" * 300, NUMBERS, None),
        ("a''b hm''m '", NUMBERS, None),
        ("x" * 39 + "'s yes", NUMBERS, None),
    ],
)
def test_transcripts_become_phrases_or_nothing(text, known, phrase):
    ears = TranscribingRecogniser(lambda pcm, known: text)
    ears.open(Vocabulary(known))
    room = noise.around(sound.read(SOUNDS / "yes.wav"), noise.Noise(), 3)
    [found] = [event for event in ears.feed(room.pcm) if isinstance(event, Recognised)]
    best = next(iter(found.hypotheses), None)
    if phrase is None:
        assert best is None or best.confidence < 0.7
    else:
        assert best is not None and weighty(best.phrase) == weighty(phrase) and best.confidence > 0.7


@settings(max_examples=30)
@given(st.text(max_size=300) | st.text("ab'1 .", max_size=300))
def test_any_transcript_is_read(sounds, text):
    words = spoken_words(text)
    assert len(words) <= transcript.MOST_WORDS and words == spoken_words(" ".join(words))
    phones = {phrase: sounds.of(phrase) for phrase in ("yes", "no", "go back")}
    found = nearest(text, phones, sounds)
    assert (found is None) == (not words)
    if found is not None:
        assert found[0] in phones and 0 <= found[1].closeness <= 1 and found[1].margin <= found[1].closeness


def test_every_answer_sounds_most_like_itself(sounds):
    """ "two" and "too" are equal here, and so are "one two" and "one and two"."""
    phones = {phrase: sounds.of(phrase) for phrase in NUMBERS}
    for phrase in LINES.phrases([*PAIRS, *COMMANDS]):
        found, resemblance = nearest(phrase, phones, sounds)
        assert weighty(found.lower()) == weighty(phrase.lower()) and resemblance.closeness == 1.0


def test_a_cough_has_no_transcript():
    written = []
    ears = TranscribingRecogniser(lambda pcm, known: written.append(pcm) or "yes")
    ears.open(Vocabulary(("yes", "no")))
    burst = sound.clip(numpy.random.default_rng(5).standard_normal(4000) * numpy.linspace(6000, 100, 4000)).pcm
    hiss = sound.clip(numpy.random.default_rng(1).standard_normal(12000) * 40).pcm
    assert [event.hypotheses for event in ears.feed(hiss + burst + hiss) if isinstance(event, Recognised)] in ([], [()])
    assert written == []
    ears.close()
    assert ears.feed(burst) == []


# Models


@pytest.mark.parametrize(
    ("names", "function"),
    [
        ("encoder_model.ort decoder_model_merged.ort tokens.txt", "from_moonshine_v2"),
        (
            "preprocess.onnx encode.int8.onnx uncached_decode.int8.onnx cached_decode.int8.onnx tokens.txt",
            "from_moonshine",
        ),
        ("encoder-epoch-99.onnx encoder-epoch-99.int8.onnx decoder.onnx joiner.onnx tokens.txt", "from_transducer"),
        ("tiny.en-encoder.onnx tiny.en-decoder.onnx tiny.en-tokens.txt", "from_whisper"),
    ],
)
def test_a_model_is_known_by_its_files(tmp_path, names, function):
    for name in names.split():
        (tmp_path / name).touch()
    found, files = sherpa.arguments(tmp_path)
    assert found == function and all(path.startswith(str(tmp_path)) for path in files.values())
    assert not any("epoch-99.onnx" in path for path in files.values())
    if function == "from_moonshine_v2":
        # The library would end its process for unreadable files, so another process reads the model first.
        with pytest.raises(VoiceError, match=r"sherpa-onnx cannot read the model in .*: .+\."):
            sherpa._loaded(None, str(tmp_path))
    (tmp_path / names.split()[-1]).unlink()
    with pytest.raises(VoiceError, match="holds no model of sherpa-onnx"):
        sherpa.arguments(tmp_path)


def test_a_model_of_whisper_is_refused_before_anything_is_downloaded(tmp_path):
    with pytest.raises(VoiceError, match="no folder"):
        whisper._loaded(None, str(tmp_path / "nowhere"))
    (tmp_path / "model.bin").touch()
    with pytest.raises(VoiceError, match=r"lacks tokenizer\.json"):
        whisper._loaded(None, str(tmp_path))
    (tmp_path / "tokenizer.json").touch()
    library = Mock(**{"WhisperModel.side_effect": RuntimeError("File model.bin is incomplete\nand more")})
    with pytest.raises(VoiceError, match=r"cannot read the model in .*: File model\.bin is incomplete\.$"):
        whisper._loaded(library, str(tmp_path))


def test_recognisers_that_are_not_installed(monkeypatch):
    libraries = {"sherpa-onnx": "sherpa_onnx", "faster-whisper": "faster_whisper", "moonshine": "onnxruntime"}
    for name, library in {"vosk": "vosk", **libraries}.items():
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(VoiceError, match=f"'{name}' is not installed: pip install"):
            recogniser(name, ".")
