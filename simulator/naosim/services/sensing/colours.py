"""Pictures as a camera sends them: cut to the shape of its images, scaled, and in one of its colour spaces."""

from __future__ import absolute_import, division, print_function

import colorsys
from operator import itemgetter

import vision_definitions as vision

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Tuple

    from naosim.formats import Picture

    Planes = Tuple[bytearray, bytearray, bytearray]

#: Width and height by the number of the resolution, of NAO's cameras.
RESOLUTIONS = {
    vision.kQQQQVGA: (40, 30),
    vision.kQQQVGA: (80, 60),
    vision.kQQVGA: (160, 120),
    vision.kQVGA: (320, 240),
    vision.kVGA: (640, 480),
    vision.k4VGA: (1280, 960),
}
#: Bytes of a pixel by the number of the colour space.
LAYERS = {
    vision.kYuvColorSpace: 1,
    vision.kyUvColorSpace: 1,
    vision.kyuVColorSpace: 1,
    vision.kRgbColorSpace: 1,
    vision.krGbColorSpace: 1,
    vision.krgBColorSpace: 1,
    vision.kHsyColorSpace: 1,
    vision.khSyColorSpace: 1,
    vision.khsYColorSpace: 1,
    vision.kYUV422ColorSpace: 2,
    vision.kYUVColorSpace: 3,
    vision.kRGBColorSpace: 3,
    vision.kHSYColorSpace: 3,
    vision.kBGRColorSpace: 3,
}


def scaled(picture, width, height):  # type: (Picture, int, int) -> bytearray
    """Cut the middle of a picture to the shape of the image, and pick the nearest pixel for each of the image."""
    wide, tall = picture.width * height, picture.height * width
    across, down = (
        (picture.width, max(1, picture.width * height // width))
        if wide <= tall
        else (max(1, picture.height * width // height), picture.height)
    )
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


def converted(rgb, space):  # type: (bytearray, int) -> bytearray
    """Return an image of red, green and blue in a colour space of LAYERS."""
    if space == vision.kRGBColorSpace:
        return rgb
    planes = rgb[0::3], rgb[1::3], rgb[2::3]  # type: Planes
    if space == vision.kBGRColorSpace:
        return _woven(planes[::-1])
    if vision.kRgbColorSpace <= space <= vision.krgBColorSpace:
        return planes[space - vision.kRgbColorSpace]
    if space in _HSY:
        return _one_or_all(_hsy(planes), _HSY[space])
    if space == vision.kYUV422ColorSpace:
        return _interlaced(_yuv(planes))
    return _one_or_all(_yuv(planes), _YUV[space])


_HSY = {vision.kHsyColorSpace: 0, vision.khSyColorSpace: 1, vision.khsYColorSpace: 2, vision.kHSYColorSpace: 3}
_YUV = {vision.kYuvColorSpace: 0, vision.kyUvColorSpace: 1, vision.kyuVColorSpace: 2, vision.kYUVColorSpace: 3}


def _one_or_all(planes, number):  # type: (Planes, int) -> bytearray
    return _woven(planes) if number > 2 else planes[number]


def _woven(planes):  # type: (Any) -> bytearray
    woven = bytearray(3 * len(planes[0]))
    for at in range(3):
        woven[at::3] = planes[at]
    return woven


def _yuv(planes):  # type: (Planes) -> Planes
    """Return brightness (16 to 235) and the two differences in colour (16 to 240), as ITU-R BT.601 has them."""
    return _sums(planes, (66, 129, 25), 16), _sums(planes, (-38, -74, 112), 128), _sums(planes, (112, -94, -18), 128)


def _sums(planes, factors, added):  # type: (Planes, Tuple[int, int, int], int) -> bytearray
    tables = [[factor * value for value in range(256)] for factor in factors]
    red, green, blue = tables
    red = [value + 256 * added + 128 for value in red]
    return bytearray([(red[r] + green[g] + blue[b]) >> 8 for r, g, b in zip(*planes)])


def _interlaced(planes):  # type: (Planes) -> bytearray
    """Return brightness of every pixel, and the colour of every second one: Y U Y V."""
    woven = bytearray(2 * len(planes[0]))
    woven[0::2] = planes[0]
    woven[1::4] = planes[1][0::2]
    woven[3::4] = planes[2][0::2]
    return woven


def _hsy(planes):  # type: (Planes) -> Planes
    """Return hue, saturation (both 0 to 255 for the whole circle and for full) and brightness."""
    pixels = list(zip(*planes))
    known = {}  # type: Dict[Any, Tuple[int, int]]
    for pixel in set(pixels):
        hue, full, _ = colorsys.rgb_to_hsv(*[part / 255.0 for part in pixel])
        known[pixel] = int(255 * hue + 0.5), int(255 * full + 0.5)
    found = [known[pixel] for pixel in pixels]
    return (
        bytearray([pair[0] for pair in found]),
        bytearray([pair[1] for pair in found]),
        _sums(planes, (77, 150, 29), 0),
    )
