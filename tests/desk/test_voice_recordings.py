"""Recordings of people and the log of heard phrases: folders, rooms, `jotto voice hear`, learned thresholds."""

import json
from pathlib import Path

import numpy
import pytest
from command_line import jotto

from jotto import compat
from jotto import game as games
from jotto_behaviour import memory, mind
from jotto_behaviour.files import MAX_HEARD_LINES, Notebook
from jotto_behaviour.settings import Settings
from jotto_behaviour.talk import Talk
from jotto_desk.cli import main
from jotto_desk.conversation import confidence
from jotto_desk.conversation.confidence import LoggedAnswer
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import open_simulated_robot
from naosim_live.voice import names, recordings, sound
from naosim_live.voice.calibrate import Sample, content
from naosim_live.voice.errors import VoiceError
from naosim_live.voice.moonshine import network

SOUNDS = Path(__file__).with_name("sounds")


@pytest.fixture
def folder(tmp_path):
    """Make recordings: an answer to one question, an answer to another one, and a sentence that is no answer."""
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
    """In a loud room after a quiet one, a recogniser that remembers the quiet one would take all noise for speech."""
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


def test_a_recording_goes_on_in_its_own_room():
    for loudness in [0.0, 30.0, 400.0]:
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


def test_wrong_recordings_are_one_sentence(folder, capsys):
    for arguments, sentence in [
        (("{folder}/no",), "holds no recordings"),
        (("{folder}", "--question", "colour"), "no question 'colour'"),
        (("{folder}", "--noise", "music"), "'music' is no noise"),
        (("{folder}", "--recogniser", "ear"), "'ear'"),
        (("{folder}", "--recogniser", "moonshine", "--model", "/nowhere"), "/nowhere"),
    ]:
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


def test_phrases_are_made_from_recordings(folder):
    for text, is_said in [
        ("yes", True),
        ("Two and one", True),
        ("yes and weather", True),
        ("no", False),
        ("two", False),
        ("yes no", False),
    ]:
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
    # The recordings contain one of the answers: the yes at the end.
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


# The log of heard phrases, and what is learned from it.


LINES = mind.load_lines()


def run(capsys, *arguments):
    """Run the command line; return its exit code, output and complaints."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    told = capsys.readouterr()
    return end.value.code or 0, told.out, told.err


def played(folder, **settings):
    """Play a game in which NAO begins with PARTS and the word is TIDES; return the lines of its log."""
    with open_simulated_robot() as (robot, behaviour):
        robot.set(memory.SETTINGS_KEY, json.dumps({"seed": 1, "role": "breaker", "folder": str(folder), **settings}))
        robot.start(behaviour)
        robot.advance()
        for phrase, confidence in (
            ("ready", 0.8),
            ("no", 0.7),
            (LINES.phrases(["help"])[0], 0.7),
            ("two and one", 0.4),
            ("no", 0.8),
            ("one and one", 0.8),
            ("yes", 0.81),
            ("no", 0.8),
        ):
            robot.hear(phrase, confidence)
            robot.advance()
    path = folder / "heard.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def test_nao_logs_phrases_only_on_request(tmp_path):
    (tmp_path / "without").mkdir()
    assert played(tmp_path / "without") == []
    lines = list(map(json.loads, played(tmp_path, **{"keep-log": True})))
    assert lines[-1] == {"game": 1, "word": "tides"}
    assert {key for line in lines for key in line} == {
        "game",
        "word",
        "question",
        "guess",
        "phrase",
        "confidence",
        "doubt",
    }
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
    assert log.left_out == 1 and [(each.phrase, each.is_right) for each in log.answers] == [
        ("s\xed", True),
        ("no", False),
    ]
    (tmp_path / "heard.jsonl").write_text('{"game": 1, "word": "parts", "language": "xx"}\n')
    with pytest.raises(DeskError, match="is no log"):
        confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)


def log(path, count, mistaken):
    """Write a log of answers that are right as often as their confidence says, except a share that is always wrong."""
    with path.open("w") as file:
        for number in range(count):
            sure = compat.draw_number(1000, 7, number) / 1000
            right = compat.draw_number(1000, 8, number) / 1000 < (
                0.0 if sure < 0.3 else 0.8 if sure < 0.6 else 1 - mistaken
            )
            entry = {
                "game": number,
                "question": "word",
                "guess": "parts",
                "phrase": "no" if right else "yes",
                "confidence": sure,
            }
            file.write(f"{json.dumps(entry)}\n{json.dumps({'game': number, 'word': 'tides'})}\n")
    return path


def test_thresholds_are_learned_and_printed(tmp_path, capsys):
    path = log(tmp_path / "heard.jsonl", 800, 0.0)
    code, out, _ = run(capsys, "voice", "learn", str(path), "--json")
    found = json.loads(out)
    low, high = found["certainty"]
    assert code == 0 and 0.28 < low < 0.6 and 0.55 < high <= 0.62 and found["wrong"] / found["believed"] < 0.02
    code, out, _ = run(capsys, "voice", "learn", str(path))
    assert code == 0 and f"--certainty {low:g},{high:g}" in out and "800 answers" in out


@pytest.mark.parametrize(
    "count, mistaken, sentence",
    [(20, 0.0, "20 answers whose truth is known; 60 are needed"), (200, 0.5, "let NAO ask back each time")],
)
def test_too_few_answers_are_reported(tmp_path, capsys, count, mistaken, sentence):
    code, _, complaint = run(capsys, "voice", "learn", str(log(tmp_path / "heard.jsonl", count, mistaken)))
    assert code == 2 and sentence in complaint and complaint.count("\n") == 1


def test_a_wrong_log_is_reported(tmp_path):
    for damaged in (b"", b"hello\n", b'{"game": 1}\n' * 3, b"[" * 5000):
        (tmp_path / "heard.jsonl").write_bytes(damaged)
        with pytest.raises(DeskError, match="is no log"):
            confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    with pytest.raises(DeskError, match="no such file"):
        confidence.read_heard_log(tmp_path / "none", mind.load_lines)
    with pytest.raises(DeskError, match="0 answers"):
        confidence.learn([])


def test_wrong_options(capsys):
    for options, sentence in [
        (["--certainty", "0.9,0.1", "--voice"], "'0.9,0.1'"),
        (["--certainty", "1", "--voice"], "'1'"),
        (["--certainty", "nan,1", "--voice"], "'nan,1'"),
        (["--keep-log"], "add --voice"),
    ]:
        code, _, complaint = run(capsys, "play", *options)
        assert code == 2 and sentence in complaint and complaint.count("\n") == 1
