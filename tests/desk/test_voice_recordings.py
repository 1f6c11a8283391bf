"""Recordings of people and the log of heard phrases: folders, rooms, `jotto voice hear`, learned thresholds."""

import errno
import hashlib
import importlib
import json
import os
from pathlib import Path

import numpy
import pytest
from command_line import jotto
from interpreters import ROOT

from jotto import compat, game as games
from jotto_behaviour import memory, mind
from jotto_behaviour.files import MAX_HEARD_LINES, Notebook
from jotto_behaviour.settings import Settings
from jotto_behaviour.talk import Talk
from jotto_desk.conversation import confidence
from jotto_desk.conversation.confidence import LoggedAnswer
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import open_simulated_robot
from naosim_voice import model, recordings, sound
from naosim_voice.recogniser import VoiceError

SOUNDS = ROOT / "simulator/tests/python3/sounds"


@pytest.fixture
def folder(tmp_path):
    """Make recordings: an answer to one question, an answer to another one, and a sentence that is no answer."""
    for phrase, name in (("Yes", "yes"), ("two-and_one", "two-and-one"), ("weather", "weather")):
        (tmp_path / phrase).mkdir()
        (tmp_path / phrase / "anna_1.WAV").write_bytes((SOUNDS / f"{name}.wav").read_bytes())
    (tmp_path / "no").mkdir()
    (tmp_path / "README.md").write_text("Recorded in a kitchen.")
    return tmp_path


def test_folders_of_the_same_phrase_are_merged_and_noises_ignored(folder):
    for name in ("yes", "x-ray", "X_ray", "_background_noise_"):
        (folder / name).mkdir()
        (folder / name / "ben.wav").write_bytes((SOUNDS / "yes.wav").read_bytes())
    found = recordings.map_phrases(folder)
    assert sorted(found) == ["two and one", "weather", "x ray", "yes"] and len(found["yes"]) == len(found["x ray"]) == 2


def test_a_folder_of_a_phrase_that_cannot_be_read_is_not_left_out(folder, monkeypatch):
    listed = Path.iterdir

    def refuse(path):
        if path.name == "Yes":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(VoiceError, match=r"Yes' cannot be read \(permission denied\)"):
        recordings.map_phrases(folder)


@pytest.mark.parametrize("loudness", [0.0, 30.0, 400.0])
def test_a_recording_goes_on_in_its_own_room(loudness):
    said = numpy.random.default_rng(1).normal(0, 1, 16000) * loudness
    said[6000:10000] += 5000 * numpy.sin(numpy.arange(4000) / 5)
    heard = recordings.add_room(sound.clip(said), seed=1).samples()
    assert len(heard) == int(2.9 * 16000)
    assert numpy.array_equal(heard[11200:27200], said.clip(-32768, 32767).astype(int))
    assert 0.5 * loudness < numpy.sqrt(numpy.mean(heard[:11000] ** 2)) < 1.5 * loudness + 5
    assert numpy.array_equal(heard, recordings.add_room(sound.clip(said), seed=1).samples())


def test_a_recording_without_a_pause_goes_on_in_a_quiet_room():
    said = 3000 * numpy.sin(numpy.arange(8000) / 5)
    heard = recordings.add_room(sound.clip(said), seed=1).samples()
    assert numpy.sqrt(numpy.mean(heard[:11000] ** 2)) < numpy.sqrt(numpy.mean(said**2)) / 40


@pytest.fixture
def calibration(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("calibration")


def test_a_confidence_is_fitted_to_what_was_right(calibration):
    rows = [(x / 50, 0.0) for x in range(-100, 100)]
    logistic = calibration.fit_logistic(rows, [row[0] > 0.1 or row[0] < -1.8 for row in rows], [1.0] * len(rows))
    chances = [logistic.probability((x, 0.0)) for x in (-1, 0, 1, 2)]
    assert chances == sorted(chances) and chances[0] < 0.3 and chances[-1] > 0.7


def test_the_odds_of_letters_are_fitted_to_what_people_said(calibration):
    """Of the letters that the network calls A, half are E: E is then as likely as A, and no other letter changes."""
    odds = {"a": -1.0, "e": -3.0, "x": -9.0}
    said = [calibration.Sample("spell", (), True, letter, odds) for letter in "ae" * 200]
    found = calibration.fit_odds(said)
    assert abs(found["e"] - found["a"] - 2.0) < 0.2 and found["z"] == found["b"] == 0
    assert calibration.fit_odds([calibration.Sample("spell", (), True)]) == {}


def test_the_other_half_fits_the_confidence(calibration):
    def sample(margin, garbage, is_right, number, is_doubtful=False):
        guess = calibration.Guess(
            (margin, garbage, 1.0, margin), "yes", is_letter=False, is_right=is_right, is_doubtful=is_doubtful
        )
        return calibration.Sample("word", (guess,), is_first=number % 2 == 0)

    right = [sample(3.0 + number % 5, -0.1 * (number % 7), is_right=True, number=number) for number in range(200)]
    wrong = [sample(number % 4 - 2.0, -8.0, is_right=False, number=number) for number in range(100)]
    every = right + wrong
    halves = {half: calibration.fit_samples(each for each in every if each.is_first == half) for half in (True, False)}
    assert halves[True].letters == halves[True].phrases and halves[True].phrases.bound == -2.0
    doubtful = sample(6.0, 0.0, is_right=True, number=1, is_doubtful=True)
    counts = calibration.count_outcomes(
        [*right, *wrong, doubtful, calibration.Sample("word", (), is_first=True)], halves
    )["word"]
    assert (counts["at once"], counts["asked back"], counts["not understood"]) == (200, 1, 101)


def test_a_short_recording_is_reported(tmp_path):
    path = tmp_path / "click.wav"
    path.write_bytes(sound.as_wave(sound.clip(numpy.ones(100))))
    with pytest.raises(VoiceError, match=r"click\.wav' cannot be used: it is too short for a word\.$"):
        recordings.read(path, 1)


def test_answers_and_other_words_are_told_apart(folder, capsys):
    # In a loud room after a quiet one, a recogniser that remembers the quiet one would take all noise for speech.
    hiss = numpy.random.default_rng(3).normal(0, 900, len(sound.read(SOUNDS / "yes.wav").samples()))
    loud = sound.as_wave(sound.clip(sound.read(SOUNDS / "yes.wav").samples() + hiss))
    (folder / "yes").mkdir()
    (folder / "yes" / "ben.wav").write_bytes(loud)
    code, out, _ = jotto(capsys, "voice", "hear", folder, "--json")
    rows = {row["phrase"]: row for row in json.loads(out)["phrases"]}
    yes, counts = rows["yes"], ("asked_back", "wrong", "wrong_asked_back", "not_understood")
    assert code == 0 and (yes["question"], yes["recordings"], yes["mixed_up"]) == ("word", 2, {}) and yes["is_answer"]
    assert yes["at_once"] + yes["asked_back"] == 2 and [yes[count] for count in counts[1:]] == [0, 0, 0]
    assert rows["two and one"]["question"] in {"word", "both", "exact"} and rows["two and one"]["is_answer"]
    assert not rows["weather"]["is_answer"] and not rows["weather"]["wrong"]


def test_recordings_in_another_language_answer_its_questions(folder, capsys):
    (folder / "si\u0301").mkdir()
    (folder / "si\u0301" / "ana.wav").write_bytes((SOUNDS / "yes.wav").read_bytes())
    for language, is_answer in (("es", True), ("en", False)):
        options = ("--language", language, "--recogniser", "pocketsphinx", "--json")
        code, out, _ = jotto(capsys, "voice", "hear", folder, *options)
        rows = {row["phrase"]: row["is_answer"] for row in json.loads(out)["phrases"]}
        assert code == 0 and rows["s\u00ed"] is is_answer and rows["yes"] is not is_answer


def test_control_characters_in_names_of_folders_are_escaped(folder, capsys):
    (folder / "yes\x1b[31m").mkdir()
    options = ("--question", "both", "--noise", "white:20", "--recogniser", "pocketsphinx")
    (folder / "yes\x1b[31m" / "ann.wav").write_bytes((SOUNDS / "yes.wav").read_bytes())
    code, out, _ = jotto(capsys, "voice", "hear", folder, *options)
    assert code == 0 and "other words, pocketsphinx, white:20" in out and "answers, pocketsphinx" in out
    code, _, err = jotto(capsys, "voice", "hear", folder / "yes\x1b[31m", *options)
    assert code == 2 and "[31m" in out and "[31m" in err and "\x1b" not in out + err


def test_wrong_recordings_are_one_sentence(folder, capsys):
    for arguments, sentence in [
        (("{folder}/no",), "has no recordings"),
        (("{folder}", "--question", "colour"), "no question 'colour'"),
        (("{folder}", "--noise", "flute"), "'flute' is not a noise"),
        (("{folder}", "--recogniser", "ear"), "'ear'"),
    ]:
        code, _, err = jotto(capsys, "voice", "hear", *(each.format(folder=folder) for each in arguments))
        assert code == 2 and sentence in " ".join(err.split()) and "Traceback" not in err


def test_a_wrong_file_is_left_out_of_the_table(folder, capsys):
    (folder / "yes").mkdir()
    (folder / "yes" / "click.wav").write_bytes(sound.as_wave(sound.clip(numpy.ones(100))))
    code, out, err = jotto(capsys, "voice", "hear", folder, "--recogniser", "pocketsphinx")
    assert code == 0 and "Answers: 2. NAO understood" in " ".join(out.split())
    assert "Recordings left out: 1. The first: The recording" in " ".join(err.split())
    for path in folder.rglob("*_1.WAV"):
        path.write_bytes(b"no sound")
    code, out, err = jotto(capsys, "voice", "hear", folder, "--recogniser", "pocketsphinx")
    assert (code, out) == (2, "") and "cannot be used" in err


def test_phrases_are_made_from_recordings(folder):
    def say(text):
        return recordings.Speakers(folder).say(text, lambda most, what: asked.append((most, what)) or 0)

    asked = []
    for text in ("yes", "Two and one", "yes and weather"):
        assert say(text).seconds > 0.3
    assert {say(text) for text in ("no", "two", "yes no")} == {None}
    for name in ("one/anna_2.wav", "one/ben_1.wav", "two/ben_1.wav"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes((SOUNDS / "yes.wav").read_bytes())
    # The words are said by one person.
    asked.clear()
    assert say("one and two") is not None and asked == [(1, "speaker"), (1, "take 0"), (1, "take 1")]
    assert say("one and weather") is not None
    (folder / "two" / "ben_1.wav").write_bytes(sound.as_wave(sound.Clip(bytes(32000))))
    with pytest.raises(VoiceError, match=r"ben_1\.wav' is silent"):
        say("one and two")


@pytest.mark.program("espeak-ng")
def test_a_game_is_rehearsed_by_sound_with_people_and_a_voice(folder, capsys, tmp_path):
    file = tmp_path / "ears.json"
    options = ("--recordings", folder, "--json", "--write-confusions", str(file))
    code, out, _ = jotto(capsys, "rehearse", "--voice", "--secret", "ocean", *options)
    told = json.loads(out)
    assert sum(confidence.read_confusions(file).counts.values()) == told["voice"]["sayings"]
    voice = told["voice"]
    assert (code, told["found"], voice["wrongly_accepted"], voice["lost"]) == (0, 1, 0, 0)
    assert voice["after_asking_back"] == 1 and voice["sayings"] >= voice["answers"] >= 5
    assert told["game_seconds"]["median"] > 30
    # The recordings contain one of the answers: the yes at the end.
    assert 0 < voice["recorded"] < 0.5


@pytest.mark.parametrize(
    "lacking, best", [((), "moonshine"), (("onnxruntime",), "pocketsphinx"), (("the model",), "pocketsphinx")]
)
def test_the_best_installed_recogniser_is_chosen(monkeypatch, lacking, best):
    monkeypatch.setattr(model, "find_spec", lambda name: None if name in lacking else name)
    monkeypatch.setattr(model, "find_model", lambda: None if "the model" in lacking else Path("model"))
    assert model.best_installed() == best


# The log of heard phrases, and what is learned from it.


def played(folder, **settings):
    """Play a game in which NAO begins with PARTS and the word is TIDES; return the lines of its log."""
    folder.mkdir(exist_ok=True)
    with open_simulated_robot() as (robot, behaviour):
        robot.set(memory.SETTINGS_KEY, json.dumps({"seed": 1, "role": "breaker", "folder": str(folder), **settings}))
        robot.start(behaviour)
        robot.advance()
        answers = [
            ("ready", 0.8),
            ("no", 0.7),
            (mind.load_lines().list_phrases(["help"])[0], 0.7),
            ("two and one", 0.4),
        ]
        for phrase, confidence in (*answers, ("no", 0.8), ("one and one", 0.8), ("yes", 0.81), ("no", 0.8)):
            robot.hear(phrase, confidence)
            robot.advance()
    path = folder / "heard.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def test_nao_logs_phrases_only_on_request(tmp_path):
    assert played(tmp_path / "without") == []
    lines = list(map(json.loads, played(tmp_path, **{"keep-log": True})))
    assert lines[-1] == {"game": 1, "word": "tides"}
    keys = {"game", "word", "question", "guess", "phrase", "confidence", "doubt"}
    assert {key for line in lines for key in line} == keys
    log = confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    # A request for help is not an answer.
    assert log.left_out == 1 and log.answers == (
        LoggedAnswer("word", "no", 0.7, "no", True),
        LoggedAnswer("both", "two and one", 0.4, "1 1", False),
        LoggedAnswer("both", "no", 0.8, "no", True),
        LoggedAnswer("exact", "one and one", 0.8, "1 1", True),
        LoggedAnswer("word", "yes", 0.81, "yes", True),
    )


def test_the_log_has_a_limit_and_skips_damaged_lines(tmp_path):
    notebook, path = Notebook(str(tmp_path)), tmp_path / "heard.jsonl"
    path.write_bytes(b"\xff{\n" * (MAX_HEARD_LINES + 5))
    notebook.log({"game": 1, "question": "word", "guess": "parts", "phrase": "yes", "confidence": 0.5})
    notebook.log({"game": 1, "word": "parts"})
    assert len(path.read_bytes().splitlines()) == MAX_HEARD_LINES and not notebook.troubles
    assert len(confidence.read_heard_log(path, mind.load_lines).answers) == 1


def test_a_game_in_another_language_is_judged_in_it(tmp_path):
    settings = Settings(language="es", keeps_log=True)
    game = games.start_game(mind.load_mind("", "entropy", (), "es").rules, "es", "", 3)
    talk = Talk(game._replace(guess="se\xf1al"), state="word", settings=settings)
    notebook = Notebook(str(tmp_path), "es", mind.load_lines("es").alphabet)
    for phrase in ("s\xed", "no", "yes"):
        notebook.log(memory.make_heard_entry(talk, phrase, 0.7))
    won = talk.game._replace(outcome=games.SOLVED)
    notebook.log(memory.make_ended_entry(talk, "finished", won))
    log = confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    assert log.left_out == 1
    assert [(each.phrase, each.is_right) for each in log.answers] == [("s\xed", True), ("no", False)]
    (tmp_path / "heard.jsonl").write_text('{"game": 1, "word": "parts", "language": "xx"}\n')
    with pytest.raises(DeskError, match="is not a log"):
        confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)


def log(path, count, mistaken):
    """Write a log of answers that are right as often as their confidence says, except a share that is always wrong."""
    with path.open("w") as file:
        for number in range(count):
            sure = compat.draw_number(1000, 7, number) / 1000
            likely = 0.0 if sure < 0.3 else 0.8 if sure < 0.6 else 1 - mistaken
            phrase = "no" if compat.draw_number(1000, 8, number) / 1000 < likely else "yes"
            entry = {"game": number, "question": "word", "guess": "parts", "phrase": phrase, "confidence": sure}
            file.write(f"{json.dumps(entry)}\n{json.dumps({'game': number, 'word': 'tides'})}\n")
    return path


def test_thresholds_are_learned_and_printed(tmp_path, capsys):
    path = log(tmp_path / "heard.jsonl", 800, 0.0)
    code, out, _ = jotto(capsys, "voice", "learn", path, "--json")
    found = json.loads(out)
    low, high = found["certainty"]
    assert code == 0 and 0.28 < low < 0.6 and 0.55 < high <= 0.62 and found["wrong"] / found["believed"] < 0.02
    code, out, _ = jotto(capsys, "voice", "learn", path)
    assert not code and f"--certainty {low:g},{high:g}" in out and "800 answers" in out


def test_too_few_or_mistaken_answers_are_reported(tmp_path, capsys):
    few = "20 answers whose truth is known; 60 are needed"
    for count, mistaken, sentence in [(20, 0.0, few), (200, 0.5, "let NAO confirm every answer")]:
        code, _, complaint = jotto(capsys, "voice", "learn", log(tmp_path / "heard.jsonl", count, mistaken))
        assert code == 2 and sentence in complaint and complaint.count("\n") == 1


def test_a_wrong_log_is_reported(tmp_path):
    for damaged in (b"", b"hello\n", b'{"game": 1}\n' * 3, b"[" * 5000):
        (tmp_path / "heard.jsonl").write_bytes(damaged)
        with pytest.raises(DeskError, match="is not a log"):
            confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    with pytest.raises(DeskError, match="no such file"):
        confidence.read_heard_log(tmp_path / "none", mind.load_lines)
    with pytest.raises(DeskError, match="is not a plain file"):
        confidence.read_heard_log(Path(os.devnull), mind.load_lines)
    with pytest.raises(DeskError, match="0 answers"):
        confidence.learn([])


def test_a_model_that_is_there_is_not_fetched_again(cli, tmp_path, monkeypatch):
    files = [each._replace(sha256=hashlib.sha256(each.name.encode()).hexdigest()) for each in model.MODEL_FILES]
    monkeypatch.setattr(model, "MODEL_FILES", files)
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path))
    for each in files:
        (tmp_path / each.name).write_text(each.name)
    assert cli.json("voice", "model") == {"folder": str(tmp_path), "fetched": False}
