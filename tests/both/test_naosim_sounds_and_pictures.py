"""What the robot records: WAV files of silence, and pictures of what stands in front of its cameras."""

from __future__ import absolute_import, division, print_function

import contextlib
import os
import wave

import pytest

from naosim import formats
from naosim.robot import Robot
from naosim.services import audio
from naosim.services.cameras import draw_test_card

START, STOP = "startMicrophonesRecording", "stopMicrophonesRecording"


def recorded(robot, service, arguments, seconds):
    """Record for so long, and return the channels, the rate and the seconds of the file."""
    voice = robot.service(service)
    voice.call(START, arguments)
    assert voice.leftovers() == ["The recording %r was never stopped." % arguments[0]]
    robot.clock.run(seconds=seconds)
    voice.call(STOP, [])
    with contextlib.closing(wave.open(robot.world.file_path(arguments[0]), "rb")) as sound:
        frames = sound.readframes(sound.getnframes())
        assert voice.leftovers() == [] and not frames.strip(b"\0")
        return sound.getnchannels(), sound.getframerate(), sound.getnframes() / float(sound.getframerate())


@pytest.mark.parametrize(
    "service, name, more, found",
    [
        ("ALAudioRecorder", "one.wav", ["wav", 16000, [0, 0, 1, 0]], (1, 16000, 2.0)),
        ("ALAudioRecorder", "two.wav", ["wav", 48000, (1, 1, 0, 0)], (2, 48000, 0.5)),
        ("ALAudioRecorder", "four.wav", ["wav", 8000, [True] * 4], (4, 8000, 0.0)),
        ("ALAudioRecorder", "one.ogg", ["ogg", 16000, [0, 0, 1, 0]], (1, 16000, 1.0)),
        ("ALAudioDevice", "four.wav", [], (4, 48000, 1.0)),
        ("ALAudioDevice", "front.ogg", [], (1, 16000, 1.0)),
        ("ALAudioRecorder", "long.wav", ["wav", 8000, [0, 0, 1, 0]], (1, 8000, audio.MAX_RECORDING_S)),
    ],
)
def test_a_recording_is_a_wav_of_silence(robot, tmpdir, service, name, more, found):
    """Whose length is that of the recording, up to a minute."""
    path = str(tmpdir.join(name))
    seconds = 5000.0 if name == "long.wav" else found[2]
    assert recorded(robot, service, [path] + more, seconds) == pytest.approx(found)
    warnings = [event.fields["message"] for event in robot.trace.of("warning")]
    assert len(warnings) == (seconds > audio.MAX_RECORDING_S or name.endswith(".ogg"))
    assert robot.trace.of("record")[-1].fields["path"] == path
    player = robot.service("ALAudioPlayer")
    assert player.getFileLength(player.loadFile(path)) == pytest.approx(found[2])


def test_the_length_of_a_sound_is_in_its_head_unless_that_is_damaged(robot, tmpdir):
    """Other programs put a LIST of notes before the samples."""
    for place, damage, seconds in [
        (0, b"", 1.5),
        (36, b"LIST\x04\0\0\0INFO", 1.5),
        (0, b"OggS", 2.0),
        (4, b"\x10\0\0\0", 2.0),
        (16, b"\xff\xff\xff\x7f", 2.0),
        (16, b"\x02\0\0\0", 2.0),
        (24, b"\0\0\0\0", 2.0),
    ]:
        path, head = tmpdir.join("a.wav"), audio.make_silence(1.5, 8000, 1)
        path.write_binary(head[:place] + damage + head[place if damage[:4] == b"LIST" else place + len(damage) :])
        player = robot.service("ALAudioPlayer")
        assert player.getFileLength(player.loadFile(str(path))) == seconds, place


@pytest.mark.parametrize("text, seconds", [("Hello to you!", 13 / 12.0), ("One." * 400, audio.MAX_RECORDING_S)])
def test_what_is_said_to_a_file_lasts_as_long_as_it_would_take(robot, tmpdir, text, seconds):
    voice, path = robot.service("ALTextToSpeech"), str(tmpdir.join("said.wav"))
    voice.sayToFile(text, path)
    with contextlib.closing(wave.open(path, "rb")) as sound:
        assert (sound.getnchannels(), sound.getframerate()) == (1, 22050)
        assert sound.getnframes() / 22050.0 == pytest.approx(seconds, abs=0.01)
        samples = sound.readframes(sound.getnframes())
    voice.sayToFile(text, "/home/nao/said/text.raw")
    with open(robot.world.file_path("/home/nao/said/text.raw"), "rb") as raw:
        assert raw.read() == samples == b"\0" * len(samples)
    assert robot.now() == 0.0 and not robot.trace.of("say")
    assert [event.fields["path"] for event in robot.trace.of("record")] == [path, "/home/nao/said/text.raw"]


def test_what_cannot_be_said_to_a_file_is_refused():
    for text, path, sentence in [
        ("Hello", "/no/such/place/x.wav", "its folder does not exist"),
        ("Hello", "x.wav", "its folder does not exist"),
        ("Hello", "/tmp", "it is no plain file"),
        (u"\\nonsense\\", "/tmp/never.wav", "ALTextToSpeech::sayToFile"),
    ]:
        with Robot() as robot, pytest.raises(RuntimeError, match=sentence):
            robot.service("ALTextToSpeech").sayToFile(str(text), path)


def test_what_cannot_be_recorded():
    for service, arguments, sentence in [
        ("ALAudioRecorder", ["x.wav", "wav", 16000, [0, 0, 1, 0]], "its folder does not exist"),
        ("ALAudioRecorder", ["/no/such/place/x.wav", "wav", 16000, [0, 0, 1, 0]], "its folder does not exist"),
        ("ALAudioRecorder", ["/tmp/x.txt", "wav", 16000, [0, 0, 1, 0]], "no .wav or .ogg file"),
        ("ALAudioRecorder", ["/tmp/x.wav", "mp3", 16000, [0, 0, 1, 0]], "Unknown type"),
        ("ALAudioRecorder", ["/tmp/x.wav", "wav", 1, [0, 0, 1, 0]], "out of range"),
        ("ALAudioRecorder", ["/tmp/x.wav", "wav", 16000, [0, 0, 0, 0]], "Four flags are needed"),
        ("ALAudioRecorder", ["/tmp/x.wav", "wav", 16000, [0, 0, 1]], "Four flags are needed"),
        ("ALAudioDevice", ["/tmp"], "no .wav or .ogg file"),
    ]:
        with Robot() as robot:
            with pytest.raises(RuntimeError, match=sentence):
                robot.service(service).call(START, arguments)
            robot.service(service).call(STOP, [])
            assert not robot.trace.of("record"), service


def test_there_is_one_recording_at_a_time(robot, tmpdir):
    recorder = robot.service("ALAudioRecorder")
    recorder.startMicrophonesRecording(str(tmpdir.join("a.wav")), "wav", 8000, [0, 0, 1, 0])
    with pytest.raises(RuntimeError, match="is being recorded already"):
        recorder.startMicrophonesRecording(str(tmpdir.join("b.wav")), "wav", 8000, [0, 0, 1, 0])
    recorder.stopMicrophonesRecording()
    recorder.stopMicrophonesRecording()
    assert [each.basename for each in tmpdir.listdir()] == ["a.wav"]


def test_a_file_that_cannot_be_written_is_the_robots_error(robot, tmpdir):
    path = tmpdir.mkdir("x.wav")
    recorder = robot.service("ALAudioRecorder")
    recorder.startMicrophonesRecording(str(path), "wav", 8000, [0, 0, 1, 0])
    with pytest.raises(RuntimeError, match="cannot write"):
        recorder.stopMicrophonesRecording()


@pytest.mark.skipif(os.path.isdir("/home/nao/"), reason="this computer has a user nao")
@pytest.mark.parametrize("path", ["/home/nao/recordings/microphones/x.wav", "/home/nao/../../../etc/x.wav"])
def test_the_home_of_nao_is_a_folder_of_the_robots_own(robot, path):
    assert recorded(robot, "ALAudioDevice", [path], 1.0)[0] == 4
    place = robot.world.file_path(path)
    assert place.startswith(robot.world.writable_folder() + os.sep) and os.path.isfile(place)
    player = robot.service("ALAudioPlayer")
    assert player.getFileLength(player.loadFile(path)) == pytest.approx(1.0)


# Pictures.


@pytest.mark.parametrize(
    "ending, resolution, size", [("png", 0, (160, 120)), ("jpg", 1, (320, 240)), ("bmp", 7, (80, 60))]
)
def test_a_picture_is_a_png_of_what_the_camera_sees(robot, tmpdir, ending, resolution, size):
    camera = robot.service("ALPhotoCapture")
    camera.setResolution(resolution)
    camera.setPictureFormat(ending)
    camera.setCameraID(0)
    paths = camera.takePicture(str(tmpdir), "image")
    assert paths == [str(tmpdir.join("image." + ending))]
    picture = formats.load_picture(paths[0])
    assert (picture.width, picture.height) == size
    if resolution == 1:
        assert picture == draw_test_card()
    assert len(robot.trace.of("warning")) == (ending != "png")


def test_pictures_have_numbers_and_take_their_time(robot, tmpdir):
    camera = robot.service("ALPhotoCapture")
    camera.setPictureFormat("png")
    camera.setCaptureInterval(500)
    assert robot.clock.now() == 0.0
    found = camera.takePictures(3, str(tmpdir), "image")
    assert [os.path.basename(path) for path in found[0]] == ["image_0.png", "image_1.png", "image_2.png"]
    assert robot.clock.now() == pytest.approx(1.0)
    assert camera.call("takePicture", [str(tmpdir), "image_0.png", False]) == [str(tmpdir.join("image_0_1.png"))]
    assert camera.call("takePicture", [str(tmpdir), "image_0"]) == [str(tmpdir.join("image_0.png"))]
    assert len(tmpdir.listdir()) == 4


def test_what_is_no_picture():
    for method, arguments, sentence in [
        ("takePicture", ["", "x"], "does not exist"),
        ("takePicture", ["/no/such/place", "x"], "does not exist"),
        ("takePicture", ["/tmp", "../x"], "no name of a file"),
        ("takePicture", ["/tmp", ""], "no name of a file"),
        ("takePicture", ["/tmp", ".x"], "no name of a file"),
        ("takePictures", [1000, "/tmp", "x"], "out of range"),
        ("setResolution", [20], "no resolution 20"),
        ("setPictureFormat", ["gif"], "Unknown format"),
        ("setCameraID", [2], "out of range"),
        ("setCaptureInterval", [0], "out of range"),
    ]:
        with Robot() as robot, pytest.raises(RuntimeError, match=sentence):
            robot.service("ALPhotoCapture").call(method, arguments)


def test_a_camera_without_a_picture_is_the_robots_error(tmpdir):
    tmpdir.join("a.png").write_binary(formats.encode_png(draw_test_card()))
    tmpdir.join("b.png").write("none")
    with Robot(camera=str(tmpdir)) as robot:
        camera = robot.service("ALPhotoCapture")
        assert camera.takePicture(str(tmpdir), "first") == [str(tmpdir.join("first.jpg"))]
        with pytest.raises(RuntimeError, match=r"cannot read .*b\.png"):
            camera.takePicture(str(tmpdir), "second")
