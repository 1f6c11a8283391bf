"""Recognisers of free speech: what they have written down becomes a phrase; their models are found, or refused."""

import sys
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotto_behaviour import mind
from jotto_behaviour.states import COMMANDS, PAIRS, list_meanings
from naosim_live.voice import noise, sound
from naosim_live.voice.errors import VoiceError
from naosim_live.voice.grammar import weighty
from naosim_live.voice.recogniser import Recognised, Vocabulary, recogniser
from naosim_live.voice.transcribing import sherpa, transcript, whisper
from naosim_live.voice.transcribing.transcript import TranscribingRecogniser, nearest, spoken_words

SOUND = Path(__file__).with_name("sounds") / "yes.wav"
LINES = mind.load_lines()
PHRASES = tuple(LINES.phrases(list_meanings("both")))


@pytest.fixture(scope="module")
def sounds():
    """Return how words sound, by the dictionary of pocketsphinx."""
    return transcript.english()


#: What was written down, and the phrase that it is; None for none that NAO believes.
WRITTEN = [
    ("Yes.", ("yes", "no"), "yes"),
    ("Yes. Yes. Yes.", ("yes", "no"), "yes"),
    ("0, 0", PHRASES, "zero and zero"),
    ("For!", ("four", "five"), "four"),
    ("0 and 1.", PHRASES, "zero and one"),
    ("21", PHRASES, "two one"),
    ("Two and zero.", PHRASES, "two and zero"),
    ("One, two.", PHRASES, "one and two"),
    ("I give up", PHRASES, "I give up"),
    ("Welcome to the show", PHRASES, None),
    ("Thank you for watching!", ("yes", "no"), None),
    ("\u8fd9\u662f", PHRASES, None),
    ("", PHRASES, None),
    ("...", PHRASES, None),
    ("I'm going to tell you what I'm going to do.", PHRASES, None),
    ("What am I doing? " * 50, PHRASES, None),
    ("a" * 300, PHRASES, None),
    ("a''b hm''m '", PHRASES, None),
    ("x" * 39 + "'s yes", PHRASES, None),
]


@pytest.mark.parametrize("text, phrases, phrase", WRITTEN)
def test_transcripts_become_phrases_or_nothing(text, phrases, phrase):
    ears = TranscribingRecogniser(lambda pcm, known: text)
    ears.open(Vocabulary(phrases))
    room = noise.around(sound.read(SOUND), noise.Noise(), 3)
    [found] = [event for event in ears.feed(room.pcm) if isinstance(event, Recognised)]
    best = next(iter(found.hypotheses), None)
    if phrase is None:
        assert best is None or best.confidence < 0.7
    else:
        assert best is not None and weighty(best.phrase) == weighty(phrase) and best.confidence > 0.7


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
    """Here "two" and "too" are one, and so are "one two" and "one and two"."""
    phones = {phrase: sounds.of(phrase) for phrase in PHRASES}
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

FOLDERS = [
    (("encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"), "from_moonshine_v2"),
    (
        ("preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx", "tokens.txt"),
        "from_moonshine",
    ),
    (
        ("encoder-epoch-99.onnx", "encoder-epoch-99.int8.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"),
        "from_transducer",
    ),
    (("tiny.en-encoder.onnx", "tiny.en-decoder.onnx", "tiny.en-tokens.txt"), "from_whisper"),
]


@pytest.mark.parametrize("names, function", FOLDERS)
def test_a_model_is_known_by_its_files(tmp_path, names, function):
    for name in names:
        (tmp_path / name).touch()
    found, files = sherpa.arguments(tmp_path)
    assert found == function and all(path.startswith(str(tmp_path)) for path in files.values())
    assert not any("epoch-99.onnx" in path for path in files.values())
    (tmp_path / names[-1]).unlink()
    with pytest.raises(VoiceError, match="holds no model of sherpa-onnx"):
        sherpa.arguments(tmp_path)


def test_an_unreadable_model_is_reported(tmp_path):
    """The library ends its process then: where it is not installed, so does the process that reads the model first."""
    for name in FOLDERS[0][0]:
        (tmp_path / name).write_text("nonsense")
    with pytest.raises(VoiceError, match=r"sherpa-onnx cannot read the model in .*: .+\."):
        sherpa._loaded(None, str(tmp_path))


class Library:
    """Stands for faster-whisper where a model is refused."""

    def WhisperModel(self, *arguments, **options):
        raise RuntimeError("File model.bin is incomplete\nand more")


def test_a_model_of_whisper_is_refused_before_anything_is_downloaded(tmp_path):
    with pytest.raises(VoiceError, match="no folder"):
        whisper._loaded(None, str(tmp_path / "nowhere"))
    (tmp_path / "model.bin").touch()
    with pytest.raises(VoiceError, match=r"lacks tokenizer\.json"):
        whisper._loaded(None, str(tmp_path))
    (tmp_path / "tokenizer.json").touch()
    with pytest.raises(VoiceError, match=r"cannot read the model in .*: File model\.bin is incomplete\.$"):
        whisper._loaded(Library(), str(tmp_path))


@pytest.mark.parametrize(
    "name, library",
    [
        ("sherpa-onnx", "sherpa_onnx"),
        ("faster-whisper", "faster_whisper"),
        ("vosk", "vosk"),
        ("moonshine", "onnxruntime"),
    ],
)
def test_recognisers_that_are_not_installed(monkeypatch, name, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(VoiceError, match=f"'{name}' is not installed: pip install"):
        recogniser(name, ".")
