"""What the detectors write into ALMemory about things in sight, in the documented layout, from the names of the things.

A value that has the documented layout already stays as it is; what is simpler stands for it: a name for a face, a
number for a landmark, True for something unknown, an empty list for nothing.
"""

from __future__ import absolute_import, division, print_function

from almath import position6DFromTransform
from naosim import kinematics
from naosim.compat import INTEGERS

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List

    from naosim.world import World

CAMERA = "CameraTop"
#: Radians: where things are seen, and how large.
STRAIGHT_ON, SIZE = (0.0, 0.0), (0.2, 0.25)
MOST = 10  # things in sight
MARKS = (1, 255)
#: How ALFaceDetection says that it knows one face, several, or none of those in sight.
ONE_KNOWN, SEVERAL_KNOWN, NONE_KNOWN = 2, 3, 4


def seen(world, event, value):  # type: (World, str, Any) -> Any
    """Return the value of an event for what a person holds up; raise ValueError, saying what is taken."""
    if value in (None, False) or value == []:
        return []
    things = value if isinstance(value, list) else [value]
    if isinstance(things[0], list):
        return value
    if len(things) > MOST:
        raise ValueError("at most %d things can be in sight" % MOST)
    return _LAYOUTS[event](world, things)


def _faces(world, names):  # type: (World, List[Any]) -> List[Any]
    for name in names:
        if name is not True and not (type(name) is str and 0 < len(name) <= 100):
            raise ValueError("a face is its name, or true for one that nobody has taught")
    known = [name for name in names if name is not True]
    faces = []  # type: List[Any]
    for number, name in enumerate(names, 1):
        points = [[0.0] * count for count in (14, 14, 0, 0, 6, 16)]
        label = [number, 0.9, name] if name is not True else [number, 0.0, ""]
        faces.append([[0] + _place(number), label + points])
    reco = [ONE_KNOWN, known] if len(known) == 1 else [SEVERAL_KNOWN, known] if known else [NONE_KNOWN]
    return [_time(world), faces + [reco]] + _camera(world, 0)


def _marks(world, numbers):  # type: (World, List[Any]) -> List[Any]
    for mark in numbers:
        if type(mark) not in INTEGERS or not MARKS[0] <= mark <= MARKS[1]:
            raise ValueError("a landmark is its number, %d to %d" % MARKS)
    return [_time(world), [[[1] + _place(at) + [0.0], [mark]] for at, mark in enumerate(numbers, 1)]] + _camera(world)


def _ball(world, things):  # type: (World, List[Any]) -> List[Any]
    if things != [True]:
        raise ValueError("a red ball is true, or [] for none")
    return [_time(world), list(STRAIGHT_ON) + [0.05, 0.05]] + _camera(world, 0)


def _pictures(world, names):  # type: (World, List[Any]) -> List[Any]
    _check_texts(names, "a picture is its name")
    corners = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]
    return [_time(world), [[[name], 50, 0.5, corners] for name in names]] + _camera(world)


def _barcodes(_world, texts):  # type: (World, List[Any]) -> List[Any]
    _check_texts(texts, "a barcode is its text")
    return [[text, [[10.0, 10.0], [10.0, 60.0], [60.0, 60.0], [60.0, 10.0]]] for text in texts]


def _check_texts(given, sentence):  # type: (List[Any], str) -> None
    if not all(type(each) is str and 0 < len(each) <= 1000 for each in given):
        raise ValueError(sentence)


def _time(world):  # type: (World) -> List[int]
    now = world.clock.now()
    return [int(now), int(now % 1 * 1000000)]


def _place(number):  # type: (int) -> List[float]
    """Return where the so-manyeth thing is seen and how large: the first one straight on, the others beside it."""
    aside = number // 2 * (0.3 if number % 2 else -0.3)
    return [STRAIGHT_ON[0] + aside, STRAIGHT_ON[1]] + list(SIZE)


def _camera(world, name=CAMERA):  # type: (World, Any) -> List[Any]
    """Return where the camera is, seen from the torso and from the floor between the feet, and its name or number."""
    angles = world.body.angles()
    camera = kinematics.part_transform(CAMERA, angles)
    torso = kinematics.torso_transform(kinematics.FRAME_ROBOT, angles, world.body.walk.place())
    poses = [list(position6DFromTransform(frame).toVector()) for frame in (camera, torso * camera)]
    return poses + [name]


_LAYOUTS = {
    "FaceDetected": _faces,
    "LandmarkDetected": _marks,
    "redBallDetected": _ball,
    "PictureDetected": _pictures,
    "BarcodeReader/BarcodeDetected": _barcodes,
}  # type: Dict[str, Callable[[World, List[Any]], List[Any]]]
SIGHTS = sorted(_LAYOUTS)
