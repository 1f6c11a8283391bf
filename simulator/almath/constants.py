"""Angles, and the masks that choose axes of a movement in space."""

from __future__ import absolute_import, division, print_function

import math

PI = math.pi
PI_2 = math.pi / 2
PI_4 = math.pi / 4
_2_PI_ = 2 * math.pi
_4_PI_ = 4 * math.pi
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi

AXIS_MASK_X = 1
AXIS_MASK_Y = 2
AXIS_MASK_XY = 3
AXIS_MASK_Z = 4
AXIS_MASK_WX = 8
AXIS_MASK_WY = 16
AXIS_MASK_WZ = 32
AXIS_MASK_WYWZ = 48
AXIS_MASK_ALL = 63
AXIS_MASK_VEL = 7
AXIS_MASK_ROT = 56
AXIS_MASK_NONE = 0
AXIS_MASK_PLANEZ = 28


def isAxisMask(mask):  # type: (int) -> bool
    """Tell whether a number is a mask of the six axes.

    >>> isAxisMask(63), isAxisMask(64)
    (True, False)
    """
    return 0 <= mask <= AXIS_MASK_ALL
