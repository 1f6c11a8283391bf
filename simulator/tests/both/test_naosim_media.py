"""Cameras, pictures, sounds and the stream of sound."""

from __future__ import absolute_import, division, print_function

import contextlib
import os
import struct
import wave
import zlib

import naosim_xar_writer as w
import pytest

import vision_definitions as vision
from naosim import formats
from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot
from naosim.services import audio, pictures
from naosim.services.pictures import draw_test_card

# The camera: the user's pictures or a test card, in the sizes and colours that programs ask for.

#: Six pixels in two rows: red, green, blue; black, white, grey.
PIXELS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0), (255, 255, 255), (128, 128, 128)]
RGB = bytes(bytearray(part for pixel in PIXELS for part in pixel))


def part(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)


def png(width, height, rows, depth=8, colour=2, palette=b"", interlaced=0):
    """Make a PNG from its rows, each with the number of its filter first."""
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)), (b"PLTE", palette)]
    parts += [(b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b"")]
    return formats.PNG_SIGNATURE + b"".join(part(*each) for each in parts if each[0] != b"PLTE" or palette)


def filter_rows(rows, back, kind):
    """Filter the rows of a PNG, as its standard defines the five filters."""
    out, above = bytearray(), bytearray(len(rows[0]))
    for row in rows:
        out.append(kind)
        for at, value in enumerate(row):
            left, corner = (row[at - back], above[at - back]) if at >= back else (0, 0)
            up = above[at]
            near = left + up - corner
            paeth = min((abs(near - left), 0, left), (abs(near - up), 1, up), (abs(near - corner), 2, corner))[2]
            out.append((value - (0, left, up, (left + up) // 2, paeth)[kind]) & 255)
        above = row
    return out


ROWS = [bytearray(RGB[:9]), bytearray(RGB[9:])]


def test_pictures_of_every_kind_are_read():
    for kind in range(5):
        assert formats.read_picture(png(3, 2, filter_rows(ROWS, 3, kind))) == (3, 2, RGB), kind
    greys = bytes(bytearray([0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255]))
    for content, wanted in [
        (png(4, 1, b"\0\x1b", 2, 0), (4, 1, greys)),
        (png(4, 1, b"\0\0\x55\xaa\xff", 8, 0), (4, 1, greys)),
        (png(2, 1, b"\0\x10", 4, 3, b"\1\2\3\4\5\6"), (2, 1, b"\4\5\6\1\2\3")),
        (png(1, 1, b"\0\1\2\3\4", 8, 6), (1, 1, b"\1\2\3")),
        (png(1, 1, b"\0\7\4", 8, 4), (1, 1, b"\7\7\7")),
        (b"P6 2 1 255\n\1\2\3\4\5\6", (2, 1, b"\1\2\3\4\5\6")),
        (b"P5\n# grey\n1 1\n255\n\7", (1, 1, b"\7\7\7")),
    ]:
        assert formats.read_picture(content) == wanted, content


def test_a_damaged_picture_is_refused_with_a_sentence():
    for content, sentence in [
        (b"", "it is not a PNG, PPM or PGM"),
        (b"\xff\xd8\xff\xe0JFIF", "save it as PNG"),
        (png(3, 2, filter_rows(ROWS, 3, 0))[:-4], "cut off"),
        (png(3, 2, filter_rows(ROWS, 3, 0)[:-1]), "cut off"),
        (png(3, 2, filter_rows(ROWS, 3, 0)).replace(b"IDAT", b"IDAX"), "damaged"),
        (png(3, 2, bytearray([9]) + filter_rows(ROWS, 3, 0)[1:]), "damaged"),
        (png(1, 1, b"\0\0\0", 16, 0), "8 bits a colour"),
        (png(1, 1, b"\0\0", 8, 0, b"", 1), "without interlacing"),
        (png(60000, 60000, b""), "60000 x 60000"),
        (png(0, 1, b""), "its size is 0 x 1"),
        (png(1, 1, b"\0\5", 8, 3, b"\1\2\3"), "cannot read the picture"),
        (b"P6 9 9 255\nabc", "cut off"),
        (formats.PNG_SIGNATURE + part(b"IEND", b""), "cannot read the picture"),
    ]:
        with pytest.raises(WrongUse, match=sentence):
            formats.read_picture(content)


def test_a_picture_is_cut_to_the_shape_of_the_image_scaled_and_given_its_colours():
    for space, wanted in [
        (vision.kRGBColorSpace, RGB),
        (vision.kRgbColorSpace, b"\xff\0\0\0\xff\x80"),
        (vision.krgBColorSpace, b"\0\0\xff\0\xff\x80"),
        (vision.kBGRColorSpace, b"\0\0\xff\0\xff\0\xff\0\0\0\0\0\xff\xff\xff\x80\x80\x80"),
        (vision.kYuvColorSpace, [82, 144, 41, 16, 235, 126]),
        (vision.kyUvColorSpace, [90, 54, 240, 128, 128, 128]),
        (vision.kyuVColorSpace, [240, 34, 110, 128, 128, 128]),
        (vision.kYUV422ColorSpace, [82, 90, 144, 240, 41, 240, 16, 110, 235, 128, 126, 128]),
        (vision.kHsyColorSpace, [0, 85, 170, 0, 0, 0]),
        (vision.khSyColorSpace, [255, 255, 255, 0, 0, 0]),
    ]:
        assert bytearray(pictures.convert_colours(bytearray(RGB), space)) == bytearray(wanted), space
    for width, height, wanted in [(3, 2, RGB), (1, 1, RGB[:3]), (6, 4, None), (2, 2, None), (3, 1, RGB[:9])]:
        found = bytes(pictures.scale_picture(formats.Picture(3, 2, RGB), width, height))
        assert len(found) == 3 * width * height, width
        assert wanted is None or found == wanted, width


@pytest.fixture
def folder(tmpdir):
    """Provide a folder with two pictures, a red and a blue one, and a file that is none."""
    tmpdir.join("a.ppm").write_binary(b"P6 1 1 255\n\xff\0\0")
    tmpdir.join("b.png").write_binary(png(1, 1, b"\0\0\0\xff"))
    tmpdir.join("notes.txt").write_binary(b"no picture")
    return str(tmpdir)


def test_an_image_has_the_documented_layout(robot):
    video = robot.service("ALVideoDevice")
    handle = video.subscribeCamera("test", 1, vision.kQQVGA, vision.kYUV422ColorSpace, 15)
    image = video.getImageRemote(handle)
    assert image[:4] == [160, 120, 2, 9]
    assert (len(image), len(image[6]), image[7]) == (12, 160 * 120 * 2, 1)
    assert image[8:] == pytest.approx([0.532, -0.4157, -0.532, 0.4157], abs=1e-3)
    assert robot.list_left_open() == ["test_0 is still subscribed to ALVideoDevice."]
    assert (video.releaseImage(handle), video.unsubscribe(handle), video.unsubscribe(handle)) == (True, True, False)
    assert video.getImageRemote(handle) is None
    assert robot.list_left_open() == []
    handles = [video.subscribeCamera("x", 0, 1, 11, 5) for _ in range(9)]
    assert handles == ["x_%d" % number for number in range(8)] + [""]
    assert video.getSubscribers() == handles[:8]
    assert (video.unsubscribeAllInstances("x"), video.getSubscribers()) == (None, [])


def test_images_come_at_their_rate_and_show_the_pictures_in_turn(folder):
    with Robot(camera=folder) as robot:
        video, seen = robot.service("ALVideoDevice"), []
        handle = video.subscribe("test", vision.kQQQQVGA, vision.kRGBColorSpace, 10)

        def look():
            for _ in range(3):
                image = video.getImageRemote(handle)
                seen.append((round(robot.now(), 3), bytes(image[6][:3])))

        robot.clock.call_soon(look)
        robot.clock.run(seconds=1.0)
        assert seen == [(0.0, b"\xff\0\0"), (0.1, b"\0\0\xff"), (0.2, b"\xff\0\0")]


START, STOP = "startMicrophonesRecording", "stopMicrophonesRecording"
#: Four flags for the front microphone.
FRONT = [0, 0, 1, 0]


def test_pepper_sees_how_far_things_are():
    with Robot(robot_type="Pepper", naoqi="2.5") as pepper:
        video = pepper.service("ALVideoDevice")
        assert video.hasDepthCamera() and video.getCameraIndexes() == [0, 1, 2]
        handle = video.subscribeCamera("depth", 2, vision.kQVGA, vision.kDepthColorSpace, 20)
        image = video.getImageRemote(handle)
        assert image[:4] == [320, 240, 2, vision.kDepthColorSpace] and len(image[6]) == 320 * 240 * 2
        assert set(struct.unpack("<76800H", bytes(image[6]))) == {2000}
        assert video.setColorSpace(handle, vision.kDistanceColorSpace) and video.getHorizontalFOV(2) < 1.06
        with pytest.raises(RuntimeError, match="no colour space 17"):
            video.subscribeCamera("depth", 0, vision.kQVGA, vision.kDepthColorSpace, 20)
    with Robot() as nao:
        assert not nao.service("ALVideoDevice").hasDepthCamera() and not nao.service("ALVideoDevice").hasCamera(2)


def test_parameters_and_angles(robot):
    video = robot.service("ALVideoDevice")
    video.setParam(vision.kCameraSelectID, 1)
    assert (video.getActiveCamera(), video.getParam(vision.kCameraSelectID)) == (1, 1)
    video.setParameter(0, vision.kCameraBrightnessID, 99)
    assert [video.getParameter(camera, vision.kCameraBrightnessID) for camera in (0, 1)] == [99, 55]
    for place in ([0.5, 0.5], [0.1, 0.9]):
        angles = video.getAngularPositionFromImagePosition(0, place)
        assert video.getImagePositionFromAngularPosition(0, angles) == pytest.approx(place)
    handle = video.subscribeCameras("two", [0, 1], [8, 7], [0, 11], 5)
    assert [image[:4] for image in video.getImagesRemote(handle)] == [[40, 30, 1, 0], [80, 60, 3, 11]]
    assert video.setResolution(handle, 0) and video.setColorSpace(handle, 13)
    viewed = [getattr(video, method)(handle) for method in ("getResolution", "getColorSpace", "getFrameRate")]
    assert viewed == [0, 13, 5]
    assert video.setActiveCamera(handle, 1) and video.getActiveCamera(handle) == 1


def test_a_box_sees_the_pictures_of_the_command_line(tmpdir, folder, capsys):
    look = w.on_start("""
        video = ALProxy("ALVideoDevice")
        name = video.subscribeCamera("look", 0, 8, 11, 5)
        image = video.getImageRemote(name)
        video.unsubscribe(name)
        self.log("%s %s" % (type(image[6]).__name__, len(image[6])))
        self.onStopped()
    """)
    path = w.save(tmpdir, w.one_box(look))
    assert main([path, "--camera", folder]) == 0
    assert "%s 3600" % ("str" if str is bytes else "bytearray") in capsys.readouterr()[0]
    empty = str(tmpdir.mkdir("empty"))
    for bad, sentence in ((path, "cannot read"), (empty, "has no picture"), ("nowhere", "cannot read")):
        assert main([path, "--camera", bad]) == 2
        assert sentence in capsys.readouterr()[1]


# What the robot records: WAV files of silence, and pictures of what stands in front of its cameras.


def record_sound(robot, service, arguments, seconds):
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
        ("ALAudioRecorder", "one.wav", ["wav", 16000, FRONT], (1, 16000, 2.0)),
        ("ALAudioRecorder", "two.wav", ["wav", 48000, (1, 1, 0, 0)], (2, 48000, 0.5)),
        ("ALAudioRecorder", "four.wav", ["wav", 8000, [True] * 4], (4, 8000, 0.0)),
        ("ALAudioRecorder", "one.ogg", ["ogg", 16000, FRONT], (1, 16000, 1.0)),
        ("ALAudioDevice", "four.wav", [], (4, 48000, 1.0)),
        ("ALAudioDevice", "front.ogg", [], (1, 16000, 1.0)),
        ("ALAudioRecorder", "long.wav", ["wav", 8000, FRONT], (1, 8000, audio.MAX_RECORDING_S)),
    ],
)
def test_a_recording_is_a_wav_of_silence(robot, tmpdir, service, name, more, found):
    """Whose length is that of the recording, up to a minute."""
    path = str(tmpdir.join(name))
    seconds = 5000.0 if name == "long.wav" else found[2]
    assert record_sound(robot, service, [path] + more, seconds) == pytest.approx(found)
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


def test_there_is_one_recording_at_a_time_and_its_file_must_be_writable(robot, tmpdir):
    recorder = robot.service("ALAudioRecorder")
    recorder.startMicrophonesRecording(str(tmpdir.join("a.wav")), "wav", 8000, FRONT)
    with pytest.raises(RuntimeError, match="Already recording"):
        recorder.startMicrophonesRecording(str(tmpdir.join("b.wav")), "wav", 8000, FRONT)
    recorder.stopMicrophonesRecording()
    recorder.stopMicrophonesRecording()
    assert [each.basename for each in tmpdir.listdir()] == ["a.wav"]
    recorder.startMicrophonesRecording(str(tmpdir.mkdir("x.wav")), "wav", 8000, FRONT)
    with pytest.raises(RuntimeError, match="cannot write"):
        recorder.stopMicrophonesRecording()


@pytest.mark.skipif(os.path.isdir("/home/nao/"), reason="this computer has a user nao")
@pytest.mark.parametrize("path", ["/home/nao/recordings/microphones/x.wav", "/home/nao/../../../etc/x.wav"])
def test_the_home_of_nao_is_a_folder_of_the_robots_own(robot, path):
    assert record_sound(robot, "ALAudioDevice", [path], 1.0)[0] == 4
    place = robot.world.file_path(path)
    assert place.startswith(robot.world.writable_folder() + os.sep) and os.path.isfile(place)
    player = robot.service("ALAudioPlayer")
    assert player.getFileLength(player.loadFile(path)) == pytest.approx(1.0)


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


def test_a_camera_without_a_picture_is_the_robots_error(tmpdir):
    tmpdir.join("a.png").write_binary(formats.encode_png(draw_test_card()))
    tmpdir.join("b.png").write("none")
    with Robot(camera=str(tmpdir)) as robot:
        camera = robot.service("ALPhotoCapture")
        assert camera.takePicture(str(tmpdir), "first") == [str(tmpdir.join("first.jpg"))]
        with pytest.raises(RuntimeError, match=r"cannot read .*b\.png"):
            camera.takePicture(str(tmpdir), "second")


# ALAudioDevice sends what the microphones hear to modules that ask for it: silence, piece by piece.


class Ears(object):
    """A module that notes the sound it gets."""

    def __init__(self):
        self.pieces = []

    def processRemote(self, channels, samples, time, sound):
        self.pieces.append((channels, samples, time, sound))


@pytest.fixture
def robot():
    with Robot() as made:
        made.world.modules["Ears"] = Ears()
        yield made


@pytest.fixture
def device(robot):
    return robot.service("ALAudioDevice")


@pytest.mark.parametrize(
    "preferences, channels, samples",
    [(None, 4, 8192), ((16000, 3, 0), 1, 2730), ((48000, 0, 1), 4, 8192), ((48000, [0, 0, 1, 1], 0, 0), 2, 8192)],
)
def test_a_module_gets_the_sound_it_asked_for(robot, device, preferences, channels, samples):
    if preferences is not None:
        device.call("setClientPreferences", ("Ears",) + preferences)
    device.subscribe("Ears")
    robot.clock.run(seconds=1)
    pieces = robot.world.modules["Ears"].pieces
    assert len(pieces) == 5
    for count, each, (seconds, micros), sound in pieces:
        assert (count, each, len(sound)) == (channels, samples, 2 * channels * samples)
        assert type(sound) is (str if bytes is str else bytearray)
        assert set(bytearray(sound)) == {0}
        assert seconds == 0 and 0 < micros < 1000000


def test_pieces_of_a_pepper_are_half_as_long():
    with Robot(robot_type="Pepper") as robot:
        ears = robot.world.modules["Ears"] = Ears()
        device = robot.service("ALAudioDevice")
        device.setClientPreferences("Ears", 16000, 3, 0)
        device.subscribe("Ears")
        robot.clock.run(seconds=1)
        assert [piece[1] for piece in ears.pieces] == [1365] * 11


def test_the_sound_ends_when_it_is_wanted_no_more_or_its_module_is_gone(robot, device):
    device.subscribe("Ears")
    device.subscribe("Ears")
    assert device.leftovers() == ["Module 'Ears' is still subscribed to ALAudioDevice."]
    robot.clock.run(seconds=0.5)
    device.unsubscribe("Ears")
    assert device.leftovers() == []
    robot.clock.run(seconds=1)
    assert len(robot.world.modules["Ears"].pieces) == 2
    device.subscribe("Ears")
    gone = robot.world.modules.pop("Ears")
    robot.clock.run(seconds=1)
    assert len(gone.pieces) == 2
    with pytest.raises(RuntimeError, match="ALAudioDevice::unsubscribe\n\tModule Ears is not subscribed"):
        device.unsubscribe("Ears")


def test_a_slow_module_misses_pieces(robot, device):
    class Slow(object):
        """A module that takes longer for a piece than it lasts."""

        def processRemote(self, *_piece):
            begun.append(robot.now())
            robot.clock.sleep(1.0)

    begun, robot.world.modules["Slow"] = [], Slow()
    device.subscribe("Slow")
    robot.clock.run(seconds=3)
    assert begun == pytest.approx([0.171, 1.341, 2.512], abs=1e-3)
    device.unsubscribe("Slow")
    robot.clock.run(seconds=3)
    assert len(begun) == 3
