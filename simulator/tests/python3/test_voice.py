"""Recognisers and a voice on this computer: endpoints, speech, noise, devices."""

import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
from empty_rooms import make_noise

from naosim_voice import analysis, endpoints, model, noise, sound, speaking, sphinx
from naosim_voice.endpoints import Endpoints, Stretch, measure_clarity
from naosim_voice.pronunciation import Pronunciations, distance
from naosim_voice.recogniser import Recognised, SpeechBegan, Vocabulary, VoiceError, doubt, open_recogniser
from naosim_voice.speaking import VoiceChoice

SOUNDS = Path(__file__).with_name("sounds")
HEAD = sound.as_wave(sound.Clip(b""))
speaks = pytest.mark.program("espeak-ng")


@pytest.fixture
def ears():
    """Make a recogniser that has heard nothing yet."""
    return open_recogniser("pocketsphinx")


@pytest.fixture(params=["pocketsphinx", "moonshine"])
def any_ears(request):
    """Make each recogniser."""
    model.fetch_model()
    return open_recogniser(request.param)


def heard(ears, name, phrases, size=1000):
    """Feed a sound file in pieces of `size` bytes; return the events."""
    ears.open(Vocabulary(phrases))
    pcm = sound.read(SOUNDS / f"{name}.wav").pcm + sound.silence(0.6)
    events = [event for at in range(0, len(pcm), size) for event in ears.feed(pcm[at : at + size])]
    ears.close()
    return events


def test_phrases_are_recognised_or_refused(any_ears):
    numbers = ("zero", "one", "two", "three", "four", "five")
    pairs = tuple(f"{one} and {other}" for one in numbers for other in numbers)
    for name, phrases, phrase in [
        ("yes", ("Yes", "no", "say it again", "stop the game"), "Yes"),
        ("two-and-one", pairs, "two and one"),
        ("two-and-one", ("one and two", "two one", "two and one"), "two and one"),
        ("weather", ("yes", "no"), None),
        ("weather", pairs, None),
        # The phrases are too long for the sound.
        ("yes", ("yesterday you said it again", "guess what the weather is like"), None),
    ]:
        began, found = heard(type(any_ears)(), name, phrases)
        assert isinstance(began, SpeechBegan) and isinstance(found, Recognised)
        best = next(iter(found.hypotheses), None)
        if phrase is None:
            # NAO does not believe such a confidence.
            assert best is None or best.confidence < 0.55
        else:
            assert best is not None and best.phrase == phrase and best.confidence >= 0.3
        assert 0 < began.at <= found.began < found.ended


def test_the_size_of_the_pieces_changes_nothing_and_a_closed_recogniser_hears_nothing(any_ears):
    whole = heard(type(any_ears)(), "yes", ("yes", "no"), 77_777)
    assert heard(any_ears, "yes", ("yes", "no"), 1000) == whole
    assert any_ears.feed(sound.read(SOUNDS / "yes.wav").pcm) == []


def test_wrong_vocabularies(any_ears):
    for phrases, sentence in [
        ((), "The vocabulary is empty."),
        ((" ",), "The vocabulary is empty."),
        (("caf\u00e9",), "'caf\u00e9'"),
        (("a" * 200,), "more than 100"),
        (tuple(f"word {number}" for number in range(7000)), "7000 phrases"),
        (("3",), "'3'"),
    ]:
        with pytest.raises(VoiceError, match=sentence):
            any_ears.open(Vocabulary(phrases))


def test_words_missing_in_the_dictionary_get_a_pronunciation(ears):
    ears.open(Vocabulary(("blorptanium", "x-ray", "quizbot's", "yes")))
    assert ears.pronunciations.phones("x-ray") == ("EH", "K", "S", "R", "EY")
    assert ears.pronunciations.phones("blorptanium")
    sounds = Pronunciations({"no": "N OW", "go": "G OW"}.get)
    assert distance(sounds.of("no"), sounds.of("go")) == 1
    assert distance(sounds.of("no"), sounds.of("no go")) == 2


def test_missing_recognisers_and_sound_systems(monkeypatch):
    with pytest.raises(VoiceError, match="'ouija'; use one of moonshine, pocketsphinx"):
        open_recogniser("ouija")
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    with pytest.raises(VoiceError, match=r"'pocketsphinx' is not installed: pip install .*\[voice\]'"):
        open_recogniser("pocketsphinx")
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(VoiceError, match="sounddevice"):
        sound.open_device(None)


def test_what_is_heard_while_nao_speaks_teaches_nothing_about_the_room(ears):
    found = []
    for nao in (b"", talk(10, 4000)):
        ears.forget_room()
        ears.open(Vocabulary(("stop", "now stop")))
        ears.feed(nao)
        ears.open(Vocabulary(("yes", "no")))
        found.append(ears.feed(noise.add_noise(sound.read(SOUNDS / "yes.wav"), noise.Noise(), 1).pcm))
    assert found[0] == found[1] and len(found[0]) == 2


@pytest.mark.parametrize(("has_headphones", "blocks"), [(False, 17), (True, 3)])
def test_with_headphones_a_sound_ends_if_a_person_says_so(monkeypatch, has_headphones, blocks):
    class Stream:
        def __init__(self, **_options):
            self.start = self.close = self.abort = lambda: None

        def __enter__(self):
            return self

        def __exit__(self, *_error):
            pass

        def write(self, pcm):
            written.append(pcm)
            microphone._take(b"%d" % len(written), 0, None, None)

    written = []
    monkeypatch.setitem(sys.modules, "sounddevice", SimpleNamespace(RawInputStream=Stream, RawOutputStream=Stream))
    microphone = sound.open_device(None, has_headphones)
    microphone._take(b"3 of the time before", 0, None, None)
    microphone.play(sound.Clip(bytes(2 * 16000)), lambda pcm: pcm.startswith(b"3"))
    assert len(written) == blocks and sum(map(len, written)) == (blocks * 1920 if has_headphones else 32000)


def tone(seconds, loudness, seed=0):
    """Return noise with this loudness."""
    return sound.clip(numpy.random.default_rng(seed).standard_normal(int(16000 * seconds)) * loudness).pcm


def test_speech_is_found_in_any_room():
    for room in [0, 5, 100, 600]:
        ends = Endpoints(lambda frame: True)
        began, stretch = ends.feed(tone(1, room) + tone(0.8, 4000, 1) + tone(1, room, 2))
        assert isinstance(stretch, Stretch)
        assert began == pytest.approx(1.0, abs=0.1) and stretch.began == began
        assert stretch.ended == pytest.approx(1.8, abs=0.1)
    # A room that becomes louder is not an endless speech.
    ends = Endpoints(lambda frame: True)
    events = ends.feed(tone(2, 20) + tone(30, 1500, 1))
    assert sum(isinstance(event, Stretch) for event in events) <= 2 and not ends.is_inside
    # The kept noise before speech contains no speech.
    for first in (1, 2):
        ends = Endpoints(lambda frame: True) if first == 1 else ends
        ends.restart(0.5)
        [_, stretch] = ends.feed(tone(0.7, 100, first) + tone(0.8, 4000, 1) + tone(1, 100, 2))
        assert numpy.abs(sound.Clip(stretch.room).samples()).max() < 600
        assert 0.4 < sound.Clip(stretch.room).seconds <= 1.0


def test_a_possible_end_of_speech_is_reported_early():
    guessed = []
    ends = Endpoints(lambda frame: True, may_end=guessed.append)
    pause = tone(0.35, 20, 3)
    assert ends.feed(tone(1, 20) + tone(0.8, 4000, 1) + pause + tone(0.5, 4000, 2) + pause)[1:] == []
    [stretch] = ends.feed(pause)
    assert guessed[1:] == [stretch] and guessed[0].pcm == stretch.pcm[: len(guessed[0].pcm)]
    assert guessed[0].ended == pytest.approx(1.8, abs=0.1)


def talk(seconds, loudness, pause=0.0, seed=0):
    """Return syllables with this loudness and the short gaps of speech; after each two seconds there is a pause."""
    samples = numpy.random.default_rng(seed).standard_normal(int(16000 * seconds)) * loudness
    at = numpy.arange(len(samples)) / 16000
    return sound.clip(numpy.where((at % 0.4 < 0.1) | (at % (2 + pause) > 2), samples / 30, samples)).pcm


@pytest.mark.parametrize(
    ("at", "decibels", "pause", "is_heard"),
    [
        (12.1, 15, 0.0, True),
        (12.1, 15, 0.7, True),
        (12.1, 10, 0.0, True),
        (12.1, 10, 0.7, True),
        # Speech without an end is still one segment.
        (7.1, 10, 0.0, True),
        (12.1, 2, 0.0, False),
        (12.1, 2, 0.7, False),
    ],
)
def test_the_near_voice_is_cut_out_of_people_who_talk(at, decibels, pause, is_heard):
    """Somebody talks for 20 seconds; then somebody else says a word of half a second that is louder."""
    far = 4000 * 10 ** (-decibels / 20)
    room = sound.Clip(talk(20, far, pause)).samples()
    room[int(16000 * at) : int(16000 * at) + 8000] += sound.Clip(tone(0.5, 4000, 7)).samples()
    ends = Endpoints(lambda frame: True, is_other_speech=lambda stretch: True)
    found = [
        event
        for event in ends.feed(sound.clip(room).pcm)
        if isinstance(event, Stretch) and at - 1 < event.ended < at + 1.2
    ]
    assert bool(found) is is_heard
    for stretch in found:
        assert (stretch.began, stretch.ended) == pytest.approx((at, at + 0.5), abs=0.07)
        assert sound.Clip(stretch.pcm).seconds == pytest.approx(0.56, abs=0.1)


@pytest.mark.parametrize(
    ("loudness", "is_whole", "waits_s"), [(1265, True, 0.24), (1265, False, 0.45), (0, True, 0.45)]
)
def test_a_whole_answer_next_to_people_who_talk_ends_early(loudness, is_whole, waits_s):
    room = sound.Clip(talk(20, loudness)).samples()
    room[16000 * 12 : 16000 * 12 + 8000] += sound.Clip(tone(0.5, 4000, 7)).samples()
    pcm = sound.clip(room).pcm
    ends = Endpoints(lambda frame: True, may_end=lambda stretch: is_whole, is_other_speech=lambda stretch: True)
    pieces = (ends.feed(pcm[at : at + 320]) for at in range(0, len(pcm), 320))
    at, ended = next(
        (number * 0.01, event.ended)
        for number, events in enumerate(pieces, 1)
        for event in events
        if isinstance(event, Stretch) and event.ended > 12
    )
    assert at - ended == pytest.approx(waits_s, abs=0.1)


@pytest.mark.parametrize("spells", [False, True])
@pytest.mark.parametrize("room", [0, 20, 150])
def test_people_who_answer_in_a_quiet_room_are_heard_as_if_nobody_could_talk_there(room, spells, monkeypatch):
    answers = [tone(0.6, room, 1), talk(1.0, 4000, seed=2), tone(1.0, room, 3), talk(3.0, 2500, 0.5, seed=4)]
    pcm = b"".join([*answers, tone(1.0, room, 5)] * 6)

    def listen():
        ends = Endpoints(lambda frame: True)
        ends.restart(0.5, spells)
        return ends.feed(pcm)

    events = listen()
    monkeypatch.setattr(endpoints, "_TALKERS_AFTER", float("inf"))
    assert events == listen() and len(events) >= 20


def test_an_answer_is_decoded_once_and_again_with_another_vocabulary(ears, monkeypatch):
    decoded = []
    evidence = ears.evidence
    monkeypatch.setattr(ears, "evidence", lambda stretch: decoded.append(stretch) or evidence(stretch))
    room = noise.add_noise(sound.read(SOUNDS / "yes.wav"), noise.parse("quiet"), 3).pcm
    for number, phrases in enumerate((("yes", "no"), ("one", "two")), 1):
        ears.open(Vocabulary(phrases))
        heard = [event for event in ears.feed(room) if isinstance(event, Recognised)]
        assert len(heard) == 1 and len(decoded) == number
        assert heard[0].nearest in ("", *phrases)


@speaks
@pytest.mark.parametrize(
    ("voice", "text", "sounds_like"),
    [
        ("en-us", "It is NAO's word, NAO.", "It is now's word, now."),
        ("en-us", "Hm, let me think.", "Hmm, let me think."),
        ("de", "NAO sucht NAOs Wort.", "Nao sucht Naos Wort."),
        ("de", "Hmm.", "Hm."),
        ("es", "Hm, es la palabra de NAO.", "Hum, es la palabra de Nao."),
        ("fr", "Hm, le mot de NAO.", "Hmm, le mot de Nao."),
    ],
)
def test_the_name_and_a_hum_are_not_spelled(monkeypatch, voice, text, sounds_like):
    spoken = speaking.write_clauses(text, voice)
    monkeypatch.setattr(speaking, "_NAME", re.compile("-"))
    monkeypatch.setattr(speaking, "_HUM", re.compile("-"))
    assert spoken == speaking.write_clauses(sounds_like, voice) != speaking.write_clauses(text, voice)


@speaks
def test_tags_are_obeyed_and_never_read_aloud():
    plain = speaking.speak_as("Hello. You.")
    assert speaking.speak_as(r"Hello. \pau=700\ You.").seconds == pytest.approx(plain.seconds + 0.7, abs=0.4)
    assert speaking.speak_as(r"\rspd=200\ Hello. You.").seconds < 0.8 * plain.seconds
    assert speaking.speak_as(r"\style=joyful\ Hello. ^start(wave) You.\rst\ ") == plain


@speaks
def test_nao_speaks_with_a_network_if_its_package_is_installed(monkeypatch, tmp_path):
    """The network here makes 100 samples for each phoneme, and as many times longer as it is told."""
    given = []

    class Session:
        def __init__(self, *_args, **_options):
            assert (tmp_path / "en_US-joe-medium.onnx").exists()

        def run(self, _names, inputs):
            given.append(inputs)
            return [numpy.sin(numpy.arange(int(100 * inputs["input"].size * inputs["scales"][1]))).astype("float32")]

    monkeypatch.setattr(speaking, "_find_package", lambda: tmp_path)
    monkeypatch.setattr(pytest.importorskip("onnxruntime"), "InferenceSession", Session)
    speaking._read_network.cache_clear()
    with pytest.raises(VoiceError, match=r"cannot be read: .*No such file.*; install it again, or remove it\.$"):
        speaking.speak("Hello.")
    numbers = {letter: [number] for number, letter in enumerate("_^$ .?abcdefghijklmnopqrstuvwxyz")}
    told = {"audio": {"sample_rate": 22050}, "phoneme_id_map": numbers}
    (tmp_path / "en_US-joe-medium.onnx.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(VoiceError, match="cannot be read"):
        speaking.speak("Hello.")
    (tmp_path / "en_US-joe-medium.onnx").touch()
    plain = speaking.speak("Hello. You?")
    assert [each["input"][0].tolist()[-3:-1] for each in given] == [[numbers["."][0], 0], [numbers["?"][0], 0]]
    assert speaking.speak(r"Hello. \pau=700\ You?").seconds == pytest.approx(plain.seconds + 0.7, abs=0.01)
    assert speaking.speak(r"\rspd=200\ Hello. You?").seconds == pytest.approx(plain.seconds / 2, abs=0.01)
    assert speaking.speak(r"\vct=150\ Hello. You?").seconds == pytest.approx(plain.seconds, abs=0.01)
    assert speaking.write_phonemes("Oh: no!")[0].count(",") == 0
    # Its memory grows with a sentence, so a long one is spoken in pieces.
    assert speaking.speak("word, " * 60).seconds > 1 and max(each["input"].size for each in given) < 200
    # It speaks no other language.
    assert speaking.speak("Bonjour.", "fr") == speaking.speak_as(
        "Bonjour.", speaking.choose_naos("fr"), speaking.NAO_RATE
    )
    speaking._read_network.cache_clear()


@speaks
def test_missing_voices_and_wrong_noises():
    with pytest.raises(VoiceError, match="'xx-nobody'"):
        speaking.speak_as("hello", speaking.VoiceChoice("xx-nobody"))
    with pytest.raises(VoiceError, match="more than 2000"):
        speaking.speak_as("long " * 1000)
    for text in ["", "babble", "babble:", "quiet:3", "flute:10", "white:99", "babble:-99", "white:1e9", "fan:10:a.wav"]:
        with pytest.raises(VoiceError, match="noise"):
            noise.parse(text)


def test_noise_is_as_loud_as_asked_and_the_same_again():
    voice = sound.read(SOUNDS / "yes.wav")
    for text in ("white:10", "white:20", "echo:10", "fan:10", "music:10", "quiet"):
        asked = noise.parse(text)
        room = noise.add_noise(voice, asked, 3)
        assert room == noise.add_noise(voice, asked, 3) and (
            text == "quiet" or room != noise.add_noise(voice, asked, 4)
        )
    hiss = noise.add_noise(voice, noise.parse("white:10"), 3, before=1.0).samples()[:16000]
    assert numpy.sqrt(numpy.mean(hiss**2)) == pytest.approx(3000 * 10**-0.5, rel=0.1)


@speaks
def test_one_talker_goes_on_after_the_voice_with_or_without_pauses():
    def hear(text, seed):
        after = noise.add_noise(voice, noise.parse(text), seed).samples()[-9 * sound.RATE :]
        return numpy.sqrt(numpy.mean(after.reshape(-1, sound.RATE // 10) ** 2, axis=1))

    voice = sound.read(SOUNDS / "yes.wav")
    for seed, has_pauses in [(1, True), (2, False)]:
        loudness = hear("talker:10", seed)
        assert numpy.sqrt(numpy.mean(loudness[loudness > 100] ** 2)) == pytest.approx(3000 * 10**-0.5, rel=0.25)
        assert bool((loudness < 100).sum() > 5) is has_pauses and not numpy.array_equal(loudness, hear("talker:10", 4))


@speaks
def test_a_voice_has_a_tone_and_changes_and_a_cough_has_none(ears):
    burst = sound.clip(numpy.random.default_rng(5).standard_normal(4000) * numpy.linspace(6000, 100, 4000)).pcm
    room = tone(0.7, 40) + burst + tone(0.9, 40, 1)
    assert analysis.tone(room) < 0.4 and analysis.tone(b"") == 0.0 == analysis.steadiness(b"")
    for text in ("quiet", "babble:10", "white:10"):
        voice = noise.add_noise(sound.read(SOUNDS / "yes.wav"), noise.parse(text), 3).pcm
        assert analysis.tone(voice) > 0.6
        assert text == "white:10" or analysis.steadiness(voice) < 0.7
    ears.open(Vocabulary(("yes", "no")))
    assert [event.hypotheses for event in ears.feed(room) if isinstance(event, Recognised)] in ([], [()])


@speaks
def test_a_burst_of_several_voices_is_doubted(ears, monkeypatch):
    voice, room = sound.read(SOUNDS / "yes.wav"), make_noise(noise.Noise(), 2.0, 1)
    for seed in range(3):
        burst = make_noise(noise.parse("babble:0"), 1.0, seed)
        room[8000:24000] = burst
        assert analysis.is_crowd(sound.clip(room).pcm)
    said = {text: noise.add_noise(voice, noise.parse(text), 3).pcm for text in ("quiet", "babble:10", "white:10")}
    assert not any(map(analysis.is_crowd, said.values())) and not analysis.is_crowd(b"")
    people = ("oh yeah", VoiceChoice("en-us", 150, 20)), ("I know", VoiceChoice("en-us+f2", 150, 60))
    one, other = (speaking.speak_as(*each).at(sound.RATE).samples()[:15000] for each in people)
    for together, is_two in ((one, False), (other, False), (one + other, True)):
        assert analysis.is_crowd(sound.clip(numpy.pad(together, 4000)).pcm) is is_two
    assert analysis.second_tone(b"") == analysis.second_tone(bytes(16000)) == 0.0
    # A microphone's constant offset is no tone.
    both, offset = (analysis.second_tone(sound.clip(one + more).pcm) for more in (other, other + 1500))
    assert offset == pytest.approx(both, abs=0.01)
    ears.open(Vocabulary(("yes", "no")))
    stretch = Stretch(said["quiet"], 0.0, 1.5)
    [sure] = ears._judge(stretch).hypotheses
    monkeypatch.setattr(sphinx, "is_crowd", lambda pcm: True)
    assert sure.confidence > 0.9
    assert ears._judge(stretch).hypotheses == (sure._replace(confidence=doubt(sure.confidence, analysis.CROWD_DOUBT)),)


def test_steady_tones_are_refused(ears):
    for pitches in [(130.0,), (440.0,), (2700.0,), (500.0, 630.0), (120.0, 360.0, 600.0, 840.0)]:
        seconds = numpy.arange(int(1.2 * sound.RATE)) / sound.RATE
        beep = sum(numpy.sin(2 * numpy.pi * pitch * seconds) for pitch in pitches) * 4000 / len(pitches)
        room = make_noise(noise.Noise(), 3.0, 1)
        room[sound.RATE : sound.RATE + len(beep)] += beep
        ears.open(Vocabulary(("yes", "no")))
        assert [event.hypotheses for event in ears.feed(sound.clip(room).pcm) if isinstance(event, Recognised)] == [()]


def test_views_fit_the_room():
    """The hiss below the speech is loud in a loud room and faint in a quiet one; equal sounds have equal views."""
    voice = sound.read(SOUNDS / "yes.wav")
    rooms = [noise.add_noise(voice, noise.parse(text), 3).pcm for text in ("quiet", "white:20", "white:10")]
    seen = [analysis.make_views(room) for room in rooms]
    assert seen == [analysis.make_views(room) for room in rooms]
    assert seen[0][0] > 0.85 > seen[1][0] > seen[2][0] < 0.2
    added = [
        numpy.abs(sound.Clip(found[0]).samples() - sound.Clip(room).samples()).mean()
        for (_, found), room in zip(seen, rooms)
    ]
    assert added[0] < 40 < 4 * added[0] < added[2]
    assert measure_clarity(b"") == 0.0 and len(analysis.make_views(b"")[1]) == len(analysis.VIEWS)


def test_noise_suppression_keeps_the_voice():
    voice, asked = sound.read(SOUNDS / "yes.wav"), noise.parse("white:10")
    made = noise.add_noise(voice, asked, 3, before=1.0).pcm
    room, rest = made[: 32000 - 3200], made[32000 - 3200 :]
    quieter = analysis.quieter(rest, room)
    before, after = (numpy.abs(sound.Clip(pcm).samples()) for pcm in (rest, quieter))
    assert len(after) == len(before) and after[-8000:].mean() < 0.45 * before[-8000:].mean()
    assert after.max() > 0.8 * before.max()
    # Suppression changes nothing if the room was heard too briefly, or if there is no sound.
    assert analysis.quieter(rest, room[:3000]) == rest and analysis.quieter(b"", room) == b""


def test_sound_files(tmp_path):
    clip = sound.Clip(tone(0.5, 1000), 22050)
    path = tmp_path / "one.wav"
    path.write_bytes(sound.as_wave(clip))
    read = sound.read(path)
    assert read.rate == 16000 and read.seconds == pytest.approx(clip.seconds, abs=0.001)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a WAV file"),
        (HEAD[:20], "is not a WAV file"),
        (HEAD[:16] + b"\xff\xff\xff\x7f" + HEAD[20:], "or it is damaged"),
        (
            HEAD[:22] + b"\x09" + HEAD[23:],
            "has 16 bits, 9 channels and 16000 samples a second; WAV files need 16 bits, one or two",
        ),
        (
            HEAD[:24] + b"\x00\xee\x02\x00" + HEAD[28:],
            "1 channel and 192000 samples a second; .* 8000 to 96000 samples",
        ),
        (sound.as_wave(sound.Clip(bytes(16000 * 601), 8000)), "10 minutes"),
        (None, "cannot be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_sound_files(tmp_path, content, sentence):
    path = tmp_path / "a.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(VoiceError, match=sentence):
        sound.read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_sound_file_is_a_plain_file(tmp_path):
    os.mkfifo(tmp_path / "fifo.wav")
    (tmp_path / "zero.wav").symlink_to("/dev/zero")
    for name in ("fifo.wav", "zero.wav"):
        with pytest.raises(VoiceError, match="is not a plain file; name a WAV file"):
            sound.read(tmp_path / name)


def test_only_the_part_that_is_used_is_read(tmp_path):
    """The file may have any length, and its header may state any length."""
    path = tmp_path / "long.wav"
    for channels in (1, 2):
        head = bytearray(HEAD)
        head[4:8] = head[40:44] = b"\xff" * 4
        head[22], head[32] = channels, 2 * channels
        path.write_bytes(bytes(head) + bytes(2 * 16000 * channels * 3))
        os.truncate(path, 1 << 31)
        assert sound.read(path, 1.5) == sound.Clip(bytes(2 * 24000))


def test_a_long_sound_has_no_seams_at_another_rate():
    def hum(rate):
        return 4000 * numpy.sin(2 * numpy.pi * 440.3 * numpy.arange(rate * (2 * sound.PIECE + 3)) / rate)

    found, wanted = sound.clip(hum(16000)).at(22050).samples(), hum(22050)
    assert len(found) == len(wanted)
    for seam in (sound.PIECE * 22050, 2 * sound.PIECE * 22050):
        assert numpy.abs(found - wanted)[seam - 22050 : seam + 22050].max() < 3
