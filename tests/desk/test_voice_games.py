"""Games by voice: spoken rehearsals, and `jotto play --voice` with a sound file instead of the microphone."""

import json
import re

import numpy
import pytest

from jotto_behaviour import mind
from jotto_desk.cli import main
from jotto_desk.rehearsal.voice import AnswerFollower, total
from naosim_live.voice import espeak, noise, sound

LINES = mind.load_lines()
speaks = pytest.mark.skipif(not espeak.is_installed(), reason="espeak-ng is not installed")


def run(capsys, *arguments):
    """Run the command line; return its exit code, output and complaints."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    told = capsys.readouterr()
    return end.value.code or 0, told.out, told.err


@speaks
def test_a_game_is_rehearsed_by_sound(capsys):
    code, out, _ = run(capsys, "rehearse", "--secret", "ocean", "--voice", "--json")
    found = json.loads(out)
    voice = found["voice"]
    assert (code, found["found"], voice["wrongly_accepted"], voice["lost"]) == (0, 1, 0, 0)
    assert voice["after_asking_back"] == 1 and voice["sayings"] >= voice["answers"] >= 5
    assert found["game_seconds"]["median"] > 30


def test_options_that_contradict_each_other(capsys):
    for options, sentence in [
        (["--noise", "babble:10"], "add --voice"),
        (["--save", "x"], "add --voice"),
        (["--voice", "--touch"], "--touch"),
        (["--voice", "--mishear", "0.1"], "--mishear"),
        (["--voice", "--noise", "music"], "'music'"),
        (["--voice", "--recogniser", "vosk", "--model", "/none"], "vosk"),
    ]:
        code, _, complaint = run(capsys, "rehearse", "--secret", "ocean", *options)
        assert code == 2 and sentence in complaint and complaint.count("\n") <= 2


def spoken(*answers):
    """Return a sound file in which a person coughs and then answers."""
    cough = numpy.random.default_rng(5).standard_normal(3000) * numpy.linspace(5000, 100, 3000)
    pcm = sound.silence(0.6) + sound.clip(cough).pcm + sound.silence(0.9)
    for number, answer in enumerate(answers):
        clip = espeak.speak(answer, espeak.VoiceChoice("en-us+f2", 150, 55))
        pcm += noise.around(clip, noise.Noise(), number).pcm
    return sound.as_wave(sound.Clip(pcm))


@speaks
def test_a_whole_game_by_voice(capsys, tmp_path, monkeypatch):
    """Have a person cough, say twice that they are ready, say yes to PARTS, and no to another game."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "person.wav"
    path.write_bytes(spoken("ready", "ready", "yes", "no", "yes"))
    options = ("--sound-file", str(path), "--role", "breaker", "--seed", "1", "--forget")
    code, out, _ = run(capsys, "play", "--voice", *options)
    assert code == 0 and "my first try" in out and "(You left" not in out
    # NAO does not believe the cough, whatever phrase the recogniser takes it for.
    assert re.search(r"you  (\(not understood\)|[a-z ]+  \(1?[0-9]%\))\n", out)


def test_wrong_options_of_games_by_voice(capsys):
    for options, sentence in [
        (["--sound-file", "x.wav"], "add --voice"),
        (["--voice", "--sound-file", "nowhere.wav"], "'nowhere.wav'"),
        (["--voice", "--robot", "tcp://127.0.0.1:1"], "--robot"),
        (["--voice", "--page", "--sound-file", "x.wav"], "the browser's"),
        (["--voice", "--page", "--recogniser", "vosk"], "vosk"),
        (["--voice", "--language", "de", "--recogniser", "sherpa-onnx", "--model", "x"], "hears English alone"),
        (["--voice", "--recogniser", "faster-whisper", "--model", "x"], "faster-whisper"),
    ]:
        code, _, complaint = run(capsys, "play", *options)
        assert code == 2 and sentence in complaint and complaint.count("\n") <= 2


#: Answers as state, spoken and heard phrase, and confidence; then the counts at once, later, wrong, lost.
FOLLOWED = [
    ([("word", "no", "no", 0.9)], (1, 0, 0, 0)),
    ([("word", "no", "", 0.0), ("word", "no", "no", 0.9)], (0, 1, 0, 0)),
    ([("word", "no", "no", 0.4), ("asking back", "yes", "yes", 0.9)], (0, 1, 0, 0)),
    ([("word", "no", "yes", 0.4), ("asking back", "no", "no", 0.9), ("word", "no", "no", 0.9)], (0, 1, 0, 0)),
    ([("word", "no", "yes", 0.4), ("asking back", "no", "yes", 0.9)], (0, 0, 1, 0)),
    ([("both", "one and two", "one and three", 0.9)], (0, 0, 1, 0)),
    # NAO asks before it gives up.
    ([("word", "yes", "I give up", 0.9), ("giving up", "no", "go on", 0.9), ("word", "yes", "yes", 0.9)], (0, 1, 0, 0)),
    ([("word", "yes", "I give up", 0.9), ("giving up", "no", "yes", 0.9)], (0, 0, 1, 0)),
    ([("word", "I give up", "I give up", 0.9), ("giving up", "yes", "yes", 0.9)], (2, 0, 0, 0)),
    # NAO continues with the game after both answers.
    ([("giving up", "no", "go on", 0.9)], (1, 0, 0, 0)),
    ([("giving up", "no", "yes", 0.9)], (0, 0, 1, 0)),
    # NAO is surprised and asks the player to confirm.
    (
        [("both", "one and two", "one and three", 0.9), ("asking back", "no", "no", 0.9), ("exact", "one", "one", 0.9)],
        (0, 1, 0, 0),
    ),
    (
        [
            ("both", "one and two", "one and three", 0.4),
            ("asking back", "no", "no", 0.9),
            ("misplaced", "two", "two", 0.9),
        ],
        (1, 0, 0, 1),
    ),
    # Instead of a yes NAO hears a number: it believes it, or asks the same again, or asks about the number.
    ([("both", "one and two", "one and two", 0.4), ("asking back", "yes", "three", 0.8)], (0, 0, 1, 0)),
    (
        [
            ("both", "one and two", "one and two", 0.4),
            ("asking back", "yes", "three", 0.8, "1 2"),
            ("asking back", "yes", "yes", 0.9, "1 2"),
        ],
        (0, 1, 0, 0),
    ),
    (
        [
            ("both", "one and two", "one and two", 0.4),
            ("asking back", "yes", "three", 0.8, "1 2"),
            ("asking back", "yes", "yes", 0.9, "3"),
        ],
        (0, 0, 1, 0),
    ),
    (
        [
            ("both", "one and two", "one and two", 0.4),
            ("asking back", "yes", "three", 0.8, "1 2"),
            ("paused", "ready", "ready", 0.9),
        ],
        (1, 0, 0, 1),
    ),
    (
        [
            ("word", "no", "no", 0.4),
            ("asking back", "yes", "I give up", 0.9),
            ("giving up", "no", "no", 0.9),
            ("word", "no", "no", 0.9),
        ],
        (0, 1, 0, 0),
    ),
]


def test_answers_are_counted_by_their_outcome():
    for sayings, counts in FOLLOWED:
        follower = AnswerFollower(LINES)
        for state, said, heard, confidence, *doubt in sayings:
            follower.note(state, "ocean", said, (heard, confidence), heard, *doubt)
        found = follower.end()
        assert (found.at_once, found.later, found.wrong, found.lost) == counts
        assert total([found])["sayings"] == len(sayings)
