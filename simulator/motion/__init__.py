"""The constants of ALMotion: frames, axes and angles, with the names of NAOqi's module `motion`.

It is for computers without NAOqi's SDK, and for boxes on a simulated robot.
"""

from __future__ import absolute_import, division, print_function

import math

FRAME_TORSO = SPACE_TORSO = 0
FRAME_WORLD = SPACE_WORLD = 1
FRAME_ROBOT = SPACE_NAO = 2

AXIS_MASK_X = 1
AXIS_MASK_Y = 2
AXIS_MASK_Z = 4
AXIS_MASK_WX = 8
AXIS_MASK_WY = 16
AXIS_MASK_WZ = 32
AXIS_MASK_VEL = 7
AXIS_MASK_ROT = 56
AXIS_MASK_ALL = 63
AXIS_MASK_NONE = 0

PI = math.pi
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi
