"""The camera: the user's pictures or a test card, in the sizes and colours that programs ask for."""

from __future__ import absolute_import, division, print_function

import struct
import zlib

import naosim_xar_writer as w
import pytest

import vision_definitions as vision
from naosim import formats
from naosim.__main__ import main
from naosim.errors import WrongUse
from naosim.robot import Robot
from naosim.services import cameras

#: Six pixels in two rows: red, green, blue; black, white, grey.
PIXELS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0), (255, 255, 255), (128, 128, 128)]
RGB = bytes(bytearray(part for pixel in PIXELS for part in pixel))


def part(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)


def png(width, height, rows, depth=8, colour=2, palette=b"", interlaced=0):
    """Make a PNG from its rows, each with the number of its filter first."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    extra = part(b"PLTE", palette) if palette else b""
    return (
        formats.PNG_SIGNATURE
        + part(b"IHDR", head)
        + extra
        + part(b"IDAT", zlib.compress(bytes(rows)))
        + part(b"IEND", b"")
    )


def filtered(rows, back, kind):
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
GREYS = bytes(bytearray([0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255]))


def test_every_filter_of_a_png_is_undone():
    for kind in range(5):
        assert formats.read_picture(png(3, 2, filtered(ROWS, 3, kind))) == (3, 2, RGB), kind


def test_other_kinds_of_pictures():
    for content, wanted in [
        (png(4, 1, b"\0\x1b", 2, 0), (4, 1, GREYS)),
        (png(4, 1, b"\0\0\x55\xaa\xff", 8, 0), (4, 1, GREYS)),
        (png(2, 1, b"\0\x10", 4, 3, b"\1\2\3\4\5\6"), (2, 1, b"\4\5\6\1\2\3")),
        (png(1, 1, b"\0\1\2\3\4", 8, 6), (1, 1, b"\1\2\3")),
        (png(1, 1, b"\0\7\4", 8, 4), (1, 1, b"\7\7\7")),
        (b"P6 2 1 255\n\1\2\3\4\5\6", (2, 1, b"\1\2\3\4\5\6")),
        (b"P5\n# grey\n1 1\n255\n\7", (1, 1, b"\7\7\7")),
    ]:
        assert formats.read_picture(content) == wanted, content


def test_a_damaged_picture_is_refused_with_a_sentence():
    for content, sentence in [
        (b"", "it is no PNG, PPM or PGM"),
        (b"\xff\xd8\xff\xe0JFIF", "save it as PNG"),
        (png(3, 2, filtered(ROWS, 3, 0))[:-4], "cut off"),
        (png(3, 2, filtered(ROWS, 3, 0)[:-1]), "cut off"),
        (png(3, 2, filtered(ROWS, 3, 0)).replace(b"IDAT", b"IDAX"), "damaged"),
        (png(3, 2, bytearray([9]) + filtered(ROWS, 3, 0)[1:]), "damaged"),
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


def test_colour_spaces():
    for space, wanted in [
        (vision.kRGBColorSpace, RGB),
        (vision.kRgbColorSpace, b"\xff\0\0\0\xff\x80"),
        (vision.krgBColorSpace, b"\0\0\xff\0\xff\x80"),
        (vision.kBGRColorSpace, b"\0\0\xff\0\xff\0\xff\0\0\0\0\0\xff\xff\xff\x80\x80\x80"),
        (vision.kYuvColorSpace, bytes(bytearray([82, 144, 41, 16, 235, 126]))),
        (vision.kyUvColorSpace, bytes(bytearray([90, 54, 240, 128, 128, 128]))),
        (vision.kyuVColorSpace, bytes(bytearray([240, 34, 110, 128, 128, 128]))),
        (vision.kYUV422ColorSpace, bytes(bytearray([82, 90, 144, 240, 41, 240, 16, 110, 235, 128, 126, 128]))),
        (vision.kHsyColorSpace, bytes(bytearray([0, 85, 170, 0, 0, 0]))),
        (vision.khSyColorSpace, bytes(bytearray([255, 255, 255, 0, 0, 0]))),
    ]:
        assert bytes(cameras.convert_colours(bytearray(RGB), space)) == wanted, space


def test_a_picture_is_cut_to_the_shape_of_the_image_and_scaled():
    for width, height, wanted in [(3, 2, RGB), (1, 1, RGB[:3]), (6, 4, None), (2, 2, None), (3, 1, RGB[:9])]:
        found = bytes(cameras.scale_picture(formats.Picture(3, 2, RGB), width, height))
        assert len(found) == 3 * width * height, width
        assert wanted is None or found == wanted, width


@pytest.fixture
def folder(tmpdir):
    """Provide a folder with two pictures, a red and a blue one, and a file that is none."""
    tmpdir.join("a.ppm").write_binary(b"P6 1 1 255\n\xff\0\0")
    tmpdir.join("b.png").write_binary(png(1, 1, b"\0\0\0\xff"))
    tmpdir.join("notes.txt").write_binary(b"no picture")
    return str(tmpdir)


def test_an_image_has_the_documented_layout():
    with Robot() as robot:
        video = robot.service("ALVideoDevice")
        handle = video.subscribeCamera("test", 1, vision.kQQVGA, vision.kYUV422ColorSpace, 15)
        image = video.getImageRemote(handle)
        assert image[:4] == [160, 120, 2, 9]
        assert (len(image), len(image[6]), image[7]) == (12, 160 * 120 * 2, 1)
        assert image[8:] == pytest.approx([0.532, -0.4157, -0.532, 0.4157], abs=1e-3)
        assert robot.left_open() == ["test_0 is still subscribed to ALVideoDevice."]
        assert (video.releaseImage(handle), video.unsubscribe(handle), video.unsubscribe(handle)) == (True, True, False)
        assert video.getImageRemote(handle) is None
        assert robot.left_open() == []


def test_images_come_at_their_rate_and_show_the_pictures_in_turn(folder):
    with Robot(camera=folder) as robot:
        video, seen = robot.service("ALVideoDevice"), []
        handle = video.subscribe("test", vision.kQQQQVGA, vision.kRGBColorSpace, 10)

        def look():
            for _ in range(3):
                image = video.getImageRemote(handle)
                seen.append((round(robot.now(), 3), bytes(image[6][:3])))

        robot.clock.soon(look)
        robot.clock.run(seconds=1.0)
        assert seen == [(0.0, b"\xff\0\0"), (0.1, b"\0\0\xff"), (0.2, b"\xff\0\0")]


def test_eight_subscriptions_of_one_name():
    with Robot() as robot:
        video = robot.service("ALVideoDevice")
        handles = [video.subscribeCamera("x", 0, 1, 11, 5) for _ in range(9)]
        assert handles == ["x_%d" % number for number in range(8)] + [""]
        assert video.getSubscribers() == handles[:8]
        assert (video.unsubscribeAllInstances("x"), video.getSubscribers()) == (None, [])


def test_what_nao_cannot_see_is_refused():
    for method, arguments, sentence in [
        ("subscribeCamera", ("x", 2, 1, 11, 5), "no camera 2"),
        ("subscribeCamera", ("x", 0, 4, 11, 5), "no resolution 4"),
        ("subscribeCamera", ("x", 0, 1, vision.kDepthColorSpace, 5), "no colour space 17"),
        ("subscribeCamera", ("x", 0, 1, 11, 60), "out of range"),
        ("getImageLocal", ("x_0",), "use getImageRemote"),
        ("subscribeCameras", ("x", [0, 1], [1], [11], 5), "as many resolutions"),
        ("getParameter", (0, 99), "no parameter 99"),
        ("setActiveCamera", (3,), "no camera 3"),
    ]:
        with Robot() as robot, pytest.raises(RuntimeError, match=sentence):
            robot.service("ALVideoDevice").call(method, arguments)


def test_parameters_and_angles():
    with Robot() as robot:
        video = robot.service("ALVideoDevice")
        video.setParam(vision.kCameraSelectID, 1)
        assert (video.getActiveCamera(), video.getParam(vision.kCameraSelectID)) == (1, 1)
        video.setParameter(0, vision.kCameraBrightnessID, 99)
        assert [video.getParameter(camera, vision.kCameraBrightnessID) for camera in (0, 1)] == [99, 55]
        for place in ([0.5, 0.5], [0.1, 0.9]):
            angles = video.getAngularPositionFromImagePosition(0, place)
            assert video.getImagePositionFromAngularPosition(0, angles) == pytest.approx(place)
        handles = [video.subscribeCameras("two", [0, 1], [8, 7], [0, 11], 5)]
        assert [image[:4] for image in video.getImagesRemote(handles[0])] == [[40, 30, 1, 0], [80, 60, 3, 11]]
        assert video.setResolution(handles[0], 0) and video.setColorSpace(handles[0], 13)
        viewed = [getattr(video, method)(handles[0]) for method in ("getResolution", "getColorSpace", "getFrameRate")]
        assert viewed == [0, 13, 5]
        assert video.setActiveCamera(handles[0], 1) and video.getActiveCamera(handles[0]) == 1


LOOK = w.script(
    """
    def onInput_onStart(self):
        video = ALProxy("ALVideoDevice")
        name = video.subscribeCamera("look", 0, 8, 11, 5)
        image = video.getImageRemote(name)
        video.unsubscribe(name)
        self.log("%s %s" % (type(image[6]) is KIND, len(image[6])))
        self.onStopped()
""".replace("KIND", "str" if str is bytes else "bytearray")
)
LINKS = [("root.onStart", "Look.onStart"), ("Look.onStopped", "root.onStopped")]


def test_a_box_sees_the_pictures_of_the_command_line(tmpdir, folder, capsys):
    path = w.save(tmpdir, w.behaviour([w.box("Look", LOOK)], LINKS))
    assert main([path, "--camera", folder]) == 0
    assert "True 3600" in capsys.readouterr()[0]
    empty = str(tmpdir.mkdir("empty"))
    for bad, sentence in ((path, "cannot read"), (empty, "has no picture"), ("nowhere", "cannot read")):
        assert main([path, "--camera", bad]) == 2
        assert sentence in capsys.readouterr()[1]
