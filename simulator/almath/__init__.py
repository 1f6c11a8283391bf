"""NAOqi's library of positions, rotations and transforms, for computers without its SDK.

Scripts that say `import almath` run with it, on a desk or in a box on a simulated robot, under Python 2.7 and 3. It
has the parts that scripts use, written from their definitions; numbers are of double precision. It stands in where no
SDK is installed: with an SDK's `almath` earlier on the path, that one is imported.

>>> pose = Pose2D(1.0, 0.0, PI_2) * Pose2D(1.0, 0.0, 0.0)
>>> pose.isNear(Pose2D(1.0, 1.0, PI_2))
True
"""

from __future__ import absolute_import, division, print_function

from .geometry import *
from .geometry import _2_PI_, _4_PI_, Pose2D, Position2D, Quaternion, Rotation, Transform
from .tools import *

# Static methods by the names that the SDK's wrapper has beside `Class.method`.
Pose2D_fromPolarCoordinates = Pose2D.fromPolarCoordinates
Position2D_fromPolarCoordinates = Position2D.fromPolarCoordinates
Quaternion_fromAngleAndAxisRotation = Quaternion.fromAngleAndAxisRotation
Rotation_from3DRotation = rotationFrom3DRotation = Rotation.from3DRotation
Rotation_fromAngleDirection = Rotation.fromAngleDirection
Rotation_fromQuaternion = Rotation.fromQuaternion
Rotation_fromRotX = rotationFromRotX = Rotation.fromRotX
Rotation_fromRotY = rotationFromRotY = Rotation.fromRotY
Rotation_fromRotZ = rotationFromRotZ = Rotation.fromRotZ
Transform_from3DRotation = transformFrom3DRotation = Transform.from3DRotation
Transform_fromPosition = transformFromPosition = Transform.fromPosition
Transform_fromRotX = transformFromRotX = Transform.fromRotX
Transform_fromRotY = transformFromRotY = Transform.fromRotY
Transform_fromRotZ = transformFromRotZ = Transform.fromRotZ
