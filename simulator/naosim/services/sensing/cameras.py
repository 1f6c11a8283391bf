"""The cameras themselves: which one is active, their parameters, and where in an image an angle lies."""

from __future__ import absolute_import, division, print_function

import vision_definitions as vision
from naosim.services.base import Service
from naosim.services.sensing.scene import Scene

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Tuple

    from naosim.world import World

NAMES = ("CameraTop", "CameraBottom")
#: Radians: 60.97 and 47.64 degrees, as the maker publishes them for NAO V4 and later.
WIDE, HIGH = 1.06413, 0.83147
#: The parameters of a camera with their least, largest and first value.
PARAMETERS = {
    vision.kCameraBrightnessID: (0, 255, 55),
    vision.kCameraContrastID: (16, 64, 32),
    vision.kCameraSaturationID: (0, 255, 128),
    vision.kCameraHueID: (-180, 180, 0),
    vision.kCameraGainID: (32, 255, 32),
    vision.kCameraHFlipID: (0, 1, 0),
    vision.kCameraVFlipID: (0, 1, 0),
    vision.kCameraAutoExpositionID: (0, 1, 1),
    vision.kCameraAutoWhiteBalanceID: (0, 1, 1),
    vision.kCameraAutoGainID: (0, 1, 1),
    vision.kCameraResolutionID: (0, 8, 1),
    vision.kCameraFrameRateID: (1, 30, 30),
    vision.kCameraExposureID: (1, 2500, 1000),
    vision.kCameraSelectID: (0, 1, 0),
    vision.kCameraExposureAlgorithmID: (0, 3, 1),
    vision.kCameraSharpnessID: (-1, 7, 0),
    vision.kCameraWhiteBalanceID: (-1000, 65535, 2700),
    vision.kCameraBacklightCompensationID: (0, 4, 0),
    vision.kCameraColorSpaceID: (0, 13, 10),
}  # type: Dict[int, Tuple[int, int, int]]


class Cameras(Service):
    """The two cameras of the head; their parameters are kept and change no image."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self.scene = Scene(world.camera)
        self._active = 0
        self._set = {}  # type: Dict[Tuple[int, int], int]
        self._is_open = [True, True]

    def getCameraIndexes(self):  # type: () -> Any
        """List the numbers of the cameras."""
        return list(range(len(NAMES)))

    def hasCamera(self, camera):  # type: (int) -> bool
        """Tell whether there is a camera of this number."""
        return 0 <= int(self._number(camera, "hasCamera")) < len(NAMES)

    def hasDepthCamera(self):  # type: () -> bool
        """Return False: NAO has no depth camera."""
        return False

    def getCameraName(self, camera):  # type: (int) -> str
        """Return the name of a camera."""
        return NAMES[self._camera(camera, "getCameraName")]

    def getCameraModel(self, camera):  # type: (int) -> int
        """Return the number of a camera's model."""
        self._camera(camera, "getCameraModel")
        return vision.kMT9M114

    def isCameraOpen(self, camera):  # type: (int) -> bool
        """Tell whether a camera is open."""
        return self._is_open[self._camera(camera, "isCameraOpen")]

    def openCamera(self, camera):  # type: (int) -> bool
        """Open a camera; one that is closed still gives images here."""
        self._is_open[self._camera(camera, "openCamera")] = True
        return True

    def closeCamera(self, camera):  # type: (int) -> bool
        """Close a camera; it still gives images here."""
        self._is_open[self._camera(camera, "closeCamera")] = False
        return True

    def isCameraStarted(self, camera):  # type: (int) -> bool
        """Tell whether a camera is started: it is while it is open."""
        return self._is_open[self._camera(camera, "isCameraStarted")]

    def startCamera(self, camera):  # type: (int) -> bool
        """Start a camera."""
        return self.openCamera(camera)

    def stopCamera(self, camera):  # type: (int) -> bool
        """Stop a camera; it still gives images here."""
        return self.closeCamera(camera)

    def setParameter(self, camera, parameter, value):  # type: (int, int, int) -> bool
        """Keep a parameter of a camera; it changes no image."""
        key = self._parameter(camera, parameter, "setParameter")
        low, high, _ = PARAMETERS[key[1]]
        self._set[key] = int(self._number(value, "setParameter", 2, low, high))
        return True

    def getParameter(self, camera, parameter):  # type: (int, int) -> int
        """Return a parameter of a camera."""
        key = self._parameter(camera, parameter, "getParameter")
        return self._set.get(key, PARAMETERS[key[1]][2])

    def getParameterRange(self, camera, parameter):  # type: (int, int) -> Any
        """Return the least and the largest value of a parameter."""
        return list(PARAMETERS[self._parameter(camera, parameter, "getParameterRange")[1]][:2])

    def setParameterToDefault(self, camera, parameter):  # type: (int, int) -> bool
        """Set a parameter of a camera back to its first value."""
        self._set.pop(self._parameter(camera, parameter, "setParameterToDefault"), None)
        return True

    def setAllParametersToDefault(self, camera):  # type: (int) -> bool
        """Set every parameter of a camera back to its first value."""
        number = self._camera(camera, "setAllParametersToDefault")
        self._set = {key: value for key, value in self._set.items() if key[0] != number}
        return True

    def setParam(self, parameter, value):  # type: (int, int) -> None
        """Keep a parameter of the active camera: the old name of setParameter."""
        if parameter == vision.kCameraSelectID:
            self._active = self._camera(value, "setParam")
        self.setParameter(self._active, parameter, value)

    def getParam(self, parameter):  # type: (int) -> int
        """Return a parameter of the active camera: the old name of getParameter."""
        return self.getParameter(self._active, parameter)

    def getHorizontalFOV(self, camera):  # type: (int) -> float
        """Return how wide a camera sees, in radians."""
        self._camera(camera, "getHorizontalFOV")
        return WIDE

    def getVerticalFOV(self, camera):  # type: (int) -> float
        """Return how high a camera sees, in radians."""
        self._camera(camera, "getVerticalFOV")
        return HIGH

    def getAngularPositionFromImagePosition(self, camera, place):  # type: (int, List[float]) -> List[float]
        """Return the angles, to the left and down, of a place in the image, 0 to 1 from its upper left corner."""
        self._camera(camera, "getAngularPositionFromImagePosition")
        x, y = self._pair(place, "getAngularPositionFromImagePosition")
        return [(0.5 - x) * WIDE, (y - 0.5) * HIGH]

    def getImagePositionFromAngularPosition(self, camera, angles):  # type: (int, List[float]) -> List[float]
        """Return the place in the image, 0 to 1 from its upper left corner, of angles to the left and down."""
        self._camera(camera, "getImagePositionFromAngularPosition")
        left, down = self._pair(angles, "getImagePositionFromAngularPosition")
        return [0.5 - left / WIDE, 0.5 + down / HIGH]

    def _pair(self, values, method):  # type: (Any, str) -> List[float]
        if len(self._list(values, method, 1)) != 2:
            raise self._error(method, "Two numbers are needed, not %.60r." % (values,))
        return [self._number(value, method, 1) for value in values]

    def _camera(self, camera, method):  # type: (Any, str) -> int
        number = int(self._number(camera, method))
        if not 0 <= number < len(NAMES):
            raise self._error(method, "NAO has no camera %d: 0 is above, 1 below." % number)
        return number

    def _parameter(self, camera, parameter, method):  # type: (Any, Any, str) -> Tuple[int, int]
        number = int(self._number(parameter, method, 1))
        if number not in PARAMETERS:
            raise self._error(
                method,
                "The cameras have no parameter %d: use one of %s." % (number, ", ".join(map(str, sorted(PARAMETERS)))),
            )
        return self._camera(camera, method), number
