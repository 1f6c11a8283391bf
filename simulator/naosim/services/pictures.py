"""The images of the robot's cameras: the user's pictures or a test card, in the size and colour space of an image."""

from __future__ import absolute_import, division, print_function

import colorsys
import os
from operator import itemgetter

import vision_definitions as vision
from naosim import formats
from naosim.compat import native
from naosim.errors import WrongUse
from naosim.formats import Picture

MYPY = False
if MYPY:
    from typing import Dict, List, Optional, Tuple

    Planes = Tuple[bytearray, bytearray, bytearray]

# Cutting, scaling and colours of pictures.

#: Width and height by the number of the resolution, of NAO's cameras.
RESOLUTIONS = {
    vision.kQQQQVGA: (40, 30),
    vision.kQQQVGA: (80, 60),
    vision.kQQVGA: (160, 120),
    vision.kQVGA: (320, 240),
    vision.kVGA: (640, 480),
    vision.k4VGA: (1280, 960),
    vision.k16VGA: (2560, 1920),
    vision.k720p: (1280, 720),
    vision.k1080p: (1920, 1080),
}
#: Bytes of a pixel by the number of the colour space.
PIXEL_BYTES = dict.fromkeys(range(vision.kYuvColorSpace, vision.khsYColorSpace + 1), 1)
PIXEL_BYTES[vision.kYUV422ColorSpace] = 2
PIXEL_BYTES.update(dict.fromkeys(range(vision.kYUVColorSpace, vision.kBGRColorSpace + 1), 3))
#: The colour spaces that only Pepper's depth camera has, of 16 bits a pixel: millimetres, or infrared light.
DEPTH_SPACES = (
    vision.kDepthColorSpace,
    vision.kInfraredColorSpace,
    vision.kDistanceColorSpace,
    vision.kRawDepthColorSpace,
)
_WALL_MM = 2000  # the distance of everything that the depth camera sees


def scale_picture(picture, width, height):  # type: (Picture, int, int) -> bytearray
    """Cut the middle of a picture to the shape of the image, and pick the nearest pixel for each of the image."""
    across, down = picture.width, picture.height
    if across * height <= down * width:
        down = max(1, across * height // width)
    else:
        across = max(1, down * width // height)
    left, top = (picture.width - across) // 2, (picture.height - down) // 2
    columns = [3 * (left + x * across // width) + at for x in range(width) for at in range(3)]
    pick, rgb, stride = itemgetter(*columns), bytearray(picture.rgb), 3 * picture.width
    image, last, row = bytearray(), -1, bytearray()
    for y in range(height):
        line = top + y * down // height
        if line != last:
            last, row = line, bytearray(pick(rgb[line * stride : (line + 1) * stride]))
        image += row
    return image


def make_depth_image(width, height):  # type: (int, int) -> bytearray
    """Return the image of a depth camera before a wall, 16 bits a pixel, the low byte first."""
    return bytearray([_WALL_MM % 256, _WALL_MM // 256]) * (width * height)


def convert_colours(rgb, space):  # type: (bytearray, int) -> bytearray
    """Return an image of red, green and blue in another colour space, a number of `PIXEL_BYTES`."""
    if space == vision.kRGBColorSpace:
        return rgb
    planes = rgb[0::3], rgb[1::3], rgb[2::3]  # type: Planes
    if space == vision.kBGRColorSpace:
        return _interleave(planes[::-1])
    if vision.kRgbColorSpace <= space <= vision.krgBColorSpace:
        return planes[space - vision.kRgbColorSpace]
    if space in _HSY_SPACES:
        return _one_or_all(_to_hsy(planes), _HSY_SPACES[space])
    if space == vision.kYUV422ColorSpace:
        return _to_yuv422(_to_yuv(planes))
    return _one_or_all(_to_yuv(planes), _YUV_SPACES[space])


_HSY_SPACES = {vision.kHsyColorSpace: 0, vision.khSyColorSpace: 1, vision.khsYColorSpace: 2, vision.kHSYColorSpace: 3}
_YUV_SPACES = {vision.kYuvColorSpace: 0, vision.kyUvColorSpace: 1, vision.kyuVColorSpace: 2, vision.kYUVColorSpace: 3}


def _one_or_all(planes, number):  # type: (Planes, int) -> bytearray
    return _interleave(planes) if number > 2 else planes[number]


def _interleave(planes):  # type: (Planes) -> bytearray
    woven = bytearray(3 * len(planes[0]))
    for at in range(3):
        woven[at::3] = planes[at]
    return woven


def _to_yuv(planes):  # type: (Planes) -> Planes
    """Return brightness (16 to 235) and the two differences in colour (16 to 240), as ITU-R BT.601 has them."""
    return _sums(planes, (66, 129, 25), 16), _sums(planes, (-38, -74, 112), 128), _sums(planes, (112, -94, -18), 128)


def _sums(planes, factors, added):  # type: (Planes, Tuple[int, int, int], int) -> bytearray
    red, green, blue = [[factor * value for value in range(256)] for factor in factors]
    red = [value + 256 * added + 128 for value in red]
    return bytearray([(red[r] + green[g] + blue[b]) >> 8 for r, g, b in zip(*planes)])


def _to_yuv422(planes):  # type: (Planes) -> bytearray
    """Return brightness of every pixel, and the colour of every second one: Y U Y V."""
    woven = bytearray(2 * len(planes[0]))
    woven[0::2] = planes[0]
    woven[1::4] = planes[1][0::2]
    woven[3::4] = planes[2][0::2]
    return woven


def _to_hsy(planes):  # type: (Planes) -> Planes
    """Return hue, saturation (both 0 to 255 for the whole circle and for full) and brightness."""
    pixels = list(zip(*planes))
    known = {}  # type: Dict[object, Tuple[int, int]]
    for pixel in set(pixels):
        hue, full, _ = colorsys.rgb_to_hsv(*[part / 255.0 for part in pixel])
        known[pixel] = int(255 * hue + 0.5), int(255 * full + 0.5)
    hues, saturations = [bytearray([known[pixel][at] for pixel in pixels]) for at in (0, 1)]
    return hues, saturations, _sums(planes, (77, 150, 29), 0)


# The scene in front of the cameras.

_MAX_PICTURES = 10000  # of a folder; further ones are ignored
_CARD_SIZE = (320, 240)  # pixels of the test card
#: The colours of the test card from left to right.
_BARS = [(red, green, blue) for green in (235, 16) for red in (235, 16) for blue in (235, 16)]
_RAMP_ROW = 180  # the row of the test card where the greys begin


class Scene(object):
    """The pictures that a robot's cameras see: each image shows the next one, and after the last the first again.

    >>> Scene().picture(0).rgb[:3] == Scene().picture(7).rgb[:3]
    True
    """

    def __init__(self, path=None):  # type: (Optional[str]) -> None
        self._files = [] if path is None else _list_pictures(path)
        self._at, self._seen = -1, None  # type: int, Optional[Picture]

    def turn(self, number):  # type: (int) -> int
        """Return the index of the picture that image `number` shows."""
        return number % len(self._files) if self._files else 0

    def picture(self, number):  # type: (int) -> Picture
        """Return the picture that image `number` shows; raise NaosimError for a file that is not a picture."""
        at = self.turn(number)
        if self._seen is None or at != self._at:
            self._at, self._seen = at, formats.load_picture(self._files[at]) if self._files else draw_test_card()
        return self._seen


def _list_pictures(path):  # type: (str) -> List[str]
    """List the pictures of a folder by name, or the one of a file; raise NaosimError if the first is not a picture."""
    path = native(path)
    if not os.path.isdir(path):
        found = [path]
    else:
        names = sorted(name for name in os.listdir(path) if name.lower().endswith(formats.PICTURE_ENDINGS))
        found = [os.path.join(path, name) for name in names[:_MAX_PICTURES]]
    if not found:
        raise WrongUse("the folder %s has no picture: put PNG, PPM or PGM files into it" % path)
    formats.load_picture(found[0])
    return found


def draw_test_card():  # type: () -> Picture
    """Draw the test card: bars of colour, and under them all greys from black to white."""
    width, height = _CARD_SIZE
    bars = bytearray(part for x in range(width) for part in _BARS[x * len(_BARS) // width])
    ramp = bytearray(part for x in range(width) for part in [x * 255 // (width - 1)] * 3)
    return Picture(width, height, bytes(bars * _RAMP_ROW + ramp * (height - _RAMP_ROW)))
