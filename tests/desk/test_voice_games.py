"""Games by voice: spoken rehearsals, and `jotto play --voice` with a sound file instead of the microphone."""

import re

import numpy
import pytest
from command_line import jotto

from jotto_behaviour import mind
from jotto_desk.rehearsal.voice import AnswerFollower, sum_up
from naosim_voice import noise, sound, speaking

HEARS_THREE = "both/one and two/one and two/0.4; asking back/yes/three/0.8/1 2"
VOICE = speaking.VoiceChoice("en-us+f2", 150, 55)
speaks = pytest.mark.program("espeak-ng")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("rehearse --secret ocean --noise babble:10", "add --voice"),
        ("rehearse --secret ocean --save x", "add --voice"),
        ("rehearse --secret ocean --voice --touch", "--touch"),
        ("rehearse --secret ocean --voice --mishear 0.1", "--mishear"),
        pytest.param("rehearse --secret ocean --voice --noise music", "'music'", marks=speaks),
        ("rehearse --secret ocean --voice --recogniser vosk", "vosk"),
        ("play --sound-file x.wav", "add --voice"),
        ("play --voice --sound-file nowhere.wav", "'nowhere.wav'"),
        ("play --voice --robot tcp://127.0.0.1:1", "--robot"),
        ("play --voice --page --sound-file x.wav", "the browser's"),
        ("play --headphones", "add --voice"),
        ("play --voice --page --headphones", "in the terminal"),
        ("play --voice --page --recogniser vosk", "vosk"),
        ("play --voice --language de", "only spoken English"),
        ("play --certainty 0.9,0.1 --voice", "'0.9,0.1'"),
        ("play --certainty 1 --voice", "'1'"),
        ("play --certainty nan,1 --voice", "'nan,1'"),
        ("play --keep-log", "add --voice"),
    ],
)
def test_options_that_contradict_each_other(capsys, command, sentence):
    code, _, complaint = jotto(capsys, *command.split())
    assert code == 2 and sentence in complaint and complaint.count("\n") <= 2


@speaks
def test_a_whole_game_by_voice(capsys, tmp_path, monkeypatch):
    """Have a person cough, say twice that they are ready, say yes to PARTS, and no to another game."""
    cough = numpy.random.default_rng(5).standard_normal(3000) * numpy.linspace(5000, 100, 3000)
    pcm = sound.silence(0.6) + sound.clip(cough).pcm + sound.silence(0.9)
    for number, answer in enumerate(("ready", "ready", "yes", "no", "yes")):
        clip = speaking.speak_as(answer, VOICE)
        pcm += noise.add_noise(clip, noise.Noise(), number).pcm
    path = tmp_path / "person.wav"
    path.write_bytes(sound.as_wave(sound.Clip(pcm)))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    # A person with headphones can end NAO's sentences.
    stop, ends = noise.add_noise(speaking.speak_as("stop", VOICE), noise.Noise(), 9).pcm, []
    monkeypatch.setattr(sound._SoundFile, "play", lambda self, clip, is_over: ends.append(is_over(stop)))
    options = ("--sound-file", str(path), "--role", "breaker", "--seed", "1", "--forget")
    code, out, _ = jotto(capsys, "play", "--voice", *options)
    assert code == 0 and "my first try" in out and "(You left" not in out and sum(ends) > 2
    # NAO does not believe the cough, whatever phrase the recogniser takes it for.
    assert re.search(r"you  (\(not understood\)|[a-z ]+  \(1?[0-9]%\))\n", out)


#: Answers, separated by semicolons: state, spoken and heard phrase, confidence, and what NAO asks about, separated by
#: slashes. Then the counts of answers that were right at once or later, wrong, and lost.
@pytest.mark.parametrize(
    ("told", "counts"),
    [
        ("word/no/no/0.9", (1, 0, 0, 0)),
        ("word/no//0; word/no/no/0.9", (0, 1, 0, 0)),
        ("word/no/no/0.4; asking back/yes/yes/0.9", (0, 1, 0, 0)),
        ("word/no/yes/0.4; asking back/no/no/0.9; word/no/no/0.9", (0, 1, 0, 0)),
        ("word/no/yes/0.4; asking back/no/yes/0.9", (0, 0, 1, 0)),
        ("both/one and two/one and three/0.9", (0, 0, 1, 0)),
        # NAO asks before it gives up.
        ("word/yes/I give up/0.9; giving up/no/go on/0.9; word/yes/yes/0.9", (0, 1, 0, 0)),
        ("word/yes/I give up/0.9; giving up/no/yes/0.9", (0, 0, 1, 0)),
        ("word/I give up/I give up/0.9; giving up/yes/yes/0.9", (2, 0, 0, 0)),
        # NAO continues with the game after both answers.
        ("giving up/no/go on/0.9", (1, 0, 0, 0)),
        ("giving up/no/yes/0.9", (0, 0, 1, 0)),
        # NAO is surprised and asks the player to confirm.
        ("both/one and two/one and three/0.9; asking back/no/no/0.9; exact/one/one/0.9", (0, 1, 0, 0)),
        ("both/one and two/one and three/0.4; asking back/no/no/0.9; misplaced/two/two/0.9", (1, 0, 0, 1)),
        # Instead of a yes NAO hears a number: it believes it, or asks the same again, or asks about the number.
        ("both/one and two/one and two/0.4; asking back/yes/three/0.8", (0, 0, 1, 0)),
        (f"{HEARS_THREE}; asking back/yes/yes/0.9/1 2", (0, 1, 0, 0)),
        (f"{HEARS_THREE}; asking back/yes/yes/0.9/3", (0, 0, 1, 0)),
        (f"{HEARS_THREE}; paused/ready/ready/0.9", (1, 0, 0, 1)),
        ("word/no/no/0.4; asking back/yes/I give up/0.9; giving up/no/no/0.9; word/no/no/0.9", (0, 1, 0, 0)),
    ],
)
def test_answers_are_counted_by_their_outcome(told, counts):
    follower, sayings = AnswerFollower(mind.load_lines()), told.split("; ")
    for saying in sayings:
        state, said, heard, confidence, *doubt = saying.split("/")
        follower.note(state, "ocean", said, (heard, float(confidence)), heard, *doubt)
    found = follower.end()
    assert (found.at_once, found.later, found.wrong, found.lost) == counts
    assert sum_up([found])["sayings"] == len(sayings)


def test_what_nao_did_not_take_is_no_wrong_answer():
    """NAO misses what it hears instead of a yes, and forgets what it heard before a touch."""
    both = "both", "ocean", "one and two"
    missed, touched = (AnswerFollower(mind.load_lines(), (0.1, 0.7)) for _ in range(2))
    missed.note(*both, ("one and two", 0.4), "one and two")
    missed.note("asking back", "ocean", "yes", ("two", 0.2), "two", "1 2")
    missed.note("exact", "ocean", "one", ("one", 0.9), "one", is_missed=True)
    touched.note(*both, ("four one", 0.2), "four one")
    touched.note_touch()
    touched.note("word", "tapes", "no", ("no", 0.9), "no")
    counts = [follower.end() for follower in (missed, touched)]
    assert [(each.at_once, each.later, each.wrong, each.lost) for each in counts] == [(0, 1, 0, 0), (1, 0, 0, 1)]
