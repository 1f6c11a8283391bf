"""Recordings of people: folders of phrases, the room around a recording, `jotto voice hear`."""

import json
from pathlib import Path

import numpy
import pytest
from command_line import jotto

from naosim_live.voice import names, recordings, sound
from naosim_live.voice.calibrate import Sample, content
from naosim_live.voice.errors import VoiceError
from naosim_live.voice.moonshine import network

SOUNDS = Path(__file__).with_name("sounds")


@pytest.fixture
def folder(tmp_path):
    """Make a collection: an answer to a question, one to another, and what answers none."""
    for phrase, name in (("Yes", "yes"), ("two-and_one", "two-and-one"), ("weather", "weather")):
        (tmp_path / phrase).mkdir()
        (tmp_path / phrase / "anna_1.WAV").write_bytes((SOUNDS / f"{name}.wav").read_bytes())
    (tmp_path / "no").mkdir()
    (tmp_path / "README.md").write_text("Recorded in a kitchen.")
    return tmp_path


def test_folders_have_the_names_of_phrases(folder):
    found = recordings.of_phrases(folder)
    assert sorted(found) == ["two and one", "weather", "yes"] and len(found["yes"]) == 1


def test_folders_of_the_same_phrase_are_merged_and_noises_ignored(folder):
    for name in ("yes", "x-ray", "X_ray", "_background_noise_"):
        (folder / name).mkdir()
        (folder / name / "ben.wav").write_bytes((SOUNDS / "yes.wav").read_bytes())
    found = recordings.of_phrases(folder)
    assert sorted(found) == ["two and one", "weather", "x ray", "yes"] and len(found["yes"]) == len(found["x ray"]) == 2


def test_a_phrase_is_heard_in_the_room_of_its_own_recording(folder, capsys):
    """A loud room after a quiet one: ears that remember the quiet one take all of it for speech."""
    chance = numpy.random.default_rng(3)
    said = sound.read(SOUNDS / "yes.wav").samples()
    for name, hiss in (("no", 0.0), ("yes", 900.0)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "ben.wav").write_bytes(sound.as_wave(sound.clip(said + chance.normal(0, 1, len(said)) * hiss)))
    told = json.loads(jotto(capsys, "voice", "hear", folder, "--json", "--question", "word")[1])
    assert next(row for row in told["phrases"] if row["phrase"] == "yes")["not_understood"] == 0


def test_folders_without_recordings(tmp_path):
    with pytest.raises(VoiceError, match="holds no recordings: put WAV files into folders"):
        recordings.of_phrases(tmp_path)
    with pytest.raises(VoiceError, match="cannot be read"):
        recordings.of_phrases(tmp_path / "none")


@pytest.mark.parametrize("loudness", [0.0, 30.0, 400.0])
def test_a_recording_goes_on_in_its_own_room(loudness):
    chance = numpy.random.default_rng(1)
    said = chance.normal(0, 1, 16000) * loudness
    said[6000:10000] += 5000 * numpy.sin(numpy.arange(4000) / 5)
    heard = recordings.in_its_room(sound.clip(said), seed=1).samples()
    assert len(heard) == int(2.6 * 16000)
    assert numpy.array_equal(heard[11200:27200], said.clip(-32768, 32767).astype(int))
    before = numpy.sqrt(numpy.mean(heard[:11000] ** 2))
    assert 0.5 * loudness < before < 1.5 * loudness + 5
    assert numpy.array_equal(heard, recordings.in_its_room(sound.clip(said), seed=1).samples())


def test_a_short_recording_is_reported(tmp_path):
    path = tmp_path / "click.wav"
    path.write_bytes(sound.as_wave(sound.clip(numpy.ones(100))))
    with pytest.raises(VoiceError, match=r"click\.wav' cannot be used: The recording is too short"):
        recordings.read(path, 1)


def test_answers_and_other_words_are_told_apart(folder, capsys):
    code, out, _ = jotto(capsys, "voice", "hear", folder, "--json")
    rows = {row["phrase"]: row for row in json.loads(out)["phrases"]}
    assert code == 0
    assert rows["yes"] == {
        "phrase": "yes",
        "question": "word",
        "is_answer": True,
        "recordings": 1,
        "at_once": 1,
        "asked_back": 0,
        "wrong": 0,
        "wrong_asked_back": 0,
        "not_understood": 0,
        "mixed_up": {},
    }
    assert rows["two and one"]["question"] in {"word", "both", "exact"} and rows["two and one"]["is_answer"]
    assert not rows["weather"]["is_answer"] and not rows["weather"]["wrong"]
    code, out, _ = jotto(
        capsys, "voice", "hear", folder, "--question", "both", "--noise", "white:20", "--recogniser", "pocketsphinx"
    )
    assert code == 0 and "other words, pocketsphinx, white:20" in out and "answers, pocketsphinx" in out


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (("{folder}/no",), "holds no recordings"),
        (("{folder}", "--question", "colour"), "no question 'colour'"),
        (("{folder}", "--noise", "music"), "'music' is no noise"),
        (("{folder}", "--recogniser", "ear"), "'ear'"),
        (("{folder}", "--recogniser", "moonshine", "--model", "/nowhere"), "/nowhere"),
    ],
)
def test_wrong_recordings_are_one_sentence(folder, capsys, arguments, sentence):
    code, _, err = jotto(capsys, "voice", "hear", *(each.format(folder=folder) for each in arguments))
    assert code == 2 and sentence in " ".join(err.split()) and "Traceback" not in err


def test_control_characters_in_names_of_folders_are_escaped(folder, capsys):
    (folder / "yes\x1b[31m").mkdir()
    arguments = (folder, "--recogniser", "pocketsphinx")
    (folder / "yes\x1b[31m" / "ann.wav").write_bytes((SOUNDS / "yes.wav").read_bytes())
    said = jotto(capsys, "voice", "hear", *arguments)
    refused = jotto(capsys, "voice", "hear", folder / "yes\x1b[31m", *arguments[1:])
    assert said[0] == 0 and refused[0] == 2
    assert "[31m" in said[1] and "[31m" in refused[2] and "\x1b" not in said[1] + refused[2]


def first(most, what):
    return 0


@pytest.mark.parametrize(
    "text, is_said",
    [("yes", True), ("Two and one", True), ("yes and weather", True), ("no", False), ("two", False), ("yes no", False)],
)
def test_phrases_are_made_from_recordings(folder, text, is_said):
    said = recordings.Speakers(folder).say(text, first)
    assert (said is not None) == is_said and (said is None or said.seconds > 0.3)


def test_words_of_one_person_are_joined(folder):
    for name in ("one/anna_2.wav", "one/ben_1.wav", "two/ben_1.wav"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes((SOUNDS / "yes.wav").read_bytes())
    asked = []
    said = recordings.Speakers(folder).say("one and two", lambda most, what: asked.append((most, what)) or 0)
    assert said is not None and asked == [(1, "speaker"), (1, "take 0"), (1, "take 1")]
    assert recordings.Speakers(folder).say("one and weather", first) is not None
    (folder / "two" / "ben_1.wav").write_bytes(sound.as_wave(sound.Clip(bytes(32000))))
    with pytest.raises(VoiceError, match=r"ben_1\.wav' is silent"):
        recordings.Speakers(folder).say("one and two", first)


def test_a_game_with_people(folder, capsys):
    code, out, _ = jotto(capsys, "rehearse", "--voice", "--secret", "ocean", "--recordings", folder, "--json")
    told = json.loads(out)
    # One of them says yes, at the end.
    assert code == 0 and told["found"] == 1 and 0 < told["voice"]["recorded"] < 0.5


@pytest.mark.parametrize(
    "lacking, best", [((), "moonshine"), (("onnxruntime",), "pocketsphinx"), (("the model",), "pocketsphinx")]
)
def test_the_best_installed_recogniser_is_chosen(monkeypatch, lacking, best):
    monkeypatch.setattr(names, "find_spec", lambda name: None if name in lacking else name)
    monkeypatch.setattr(network, "installed", lambda: None if "the model" in lacking else Path("model"))
    assert names.best_installed() == best


def test_a_calibration_names_its_source():
    rows = [Sample((1.0, 0.5), True), Sample((-1.0, 0.5), False)] * 10
    told = json.loads(content(rows, "ten people"))
    assert told["source"] == "ten people" and told["sayings"] == 20 and told["right"] == 10 and told["weights"][0] > 0
