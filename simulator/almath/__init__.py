"""NAOqi's library of positions, rotations and transforms, for computers without its SDK.

Scripts with `import almath` use it, also boxes on a simulated robot, on Python 2.7 and 3. It has the parts that scripts
use, written from their definitions, in double precision. If an SDK's `almath` is earlier on the path, Python imports
that one.

>>> pose = Pose2D(1.0, 0.0, PI_2) * Pose2D(1.0, 0.0, 0.0)
>>> pose.isNear(Pose2D(1.0, 1.0, PI_2))
True
"""

from __future__ import absolute_import, division, print_function

from .geometry import *
from .geometry import _2_PI_, _4_PI_, Pose2D, Position2D, Quaternion, Rotation, Transform
from .tools import *

# The SDK's other names of static methods.
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
