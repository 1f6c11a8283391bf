"""The cameras: ALVideoDevice, which gives images to programs, and ALPhotoCapture, which writes them into files.

Each image shows the next picture that the user gave, or a test card. It has the size and colour space that the program
asks for.
"""

from __future__ import absolute_import, division, print_function

import os
from collections import OrderedDict

import vision_definitions as vision
from naosim.errors import NaosimError
from naosim.formats import Picture, encode_png, write_whole
from naosim.services.base import (
    Service,
    Setting,
    choice,
    constant,
    declare,
    no_effect,
    nothing,
    number_setting,
    overloads,
    switch,
)
from naosim.services.pictures import (
    DEPTH_SPACES,
    PIXEL_BYTES,
    RESOLUTIONS,
    Scene,
    convert_colours,
    make_depth_image,
    scale_picture,
)
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

    from naosim.compat import ALValue

# The cameras and their parameters.

_CAMERA_NAMES = ("CameraTop", "CameraBottom", "CameraDepth")  # only Pepper has the last one
#: The angles of the image, 60.97 and 47.64 degrees as published for NAO V4 and later.
_HORIZONTAL_VIEW_RAD = 1.06413
_VERTICAL_VIEW_RAD = 0.83147
_DEPTH_VIEW_RAD = (1.01229, 0.78540)  # across and down: 58 and 45 degrees, as published for Pepper
#: The parameters of a camera with their first value, and the least and the largest of NAO V5 and NAO6.
_PARAMETERS = """
    Brightness -255 255 55, Contrast 0 255 32, Saturation 0 255 128, Hue -180 180 0, Gain 0 1023 32, HFlip 0 1 0,
    VFlip 0 1 0, AutoExposition 0 1 1, AutoWhiteBalance 0 1 1, AutoGain 0 1 1, Resolution 0 8 1, FrameRate 1 30 30,
    Exposure 0 1048575 1000, Select 0 1 0, ExposureAlgorithm 0 3 1, Sharpness -1 9 0, WhiteBalance -1000 65535 2700,
    BacklightCompensation 0 4 0, ColorSpace 0 13 10, AutoFocus 0 1 1
"""
_CAMERA_PARAMETERS = {
    getattr(vision, "kCamera%sID" % name): (int(least), int(largest), int(first))
    for name, least, largest, first in map(str.split, _PARAMETERS.split(","))
}  # type: Dict[int, Tuple[int, int, int]]


class _Cameras(Service):
    """The two cameras of the head, and Pepper's depth camera; their parameters are stored and change no image."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self.scene = Scene(world.camera)
        self._active = 0
        self._set = {}  # type: Dict[Tuple[int, int], int]
        self._is_open = [True] * (3 if world.robot_type == "Juliette" else 2)

    def getCameraIndexes(self):  # type: () -> ALValue
        """List the numbers of the cameras."""
        return list(range(len(self._is_open)))

    def hasDepthCamera(self):  # type: () -> bool
        """Return whether there is a depth camera, as Pepper has."""
        return self.hasCamera(vision.kDepthCamera)

    def hasCamera(self, camera):  # type: (int) -> bool
        """Return whether there is a camera of this number."""
        return 0 <= int(self._number(camera, "hasCamera")) < len(self._is_open)

    def getCameraName(self, camera):  # type: (int) -> str
        """Return the name of a camera."""
        return _CAMERA_NAMES[self._camera(camera, "getCameraName")]

    def getCameraModel(self, camera):  # type: (int) -> int
        """Return the number of a camera's model."""
        if self._camera(camera, "getCameraModel") == vision.kDepthCamera:
            return vision.kXTION
        # Seen on a Pepper 1.8A: labbgulab-lab/robot-hub, pepper.md.
        return vision.kOV5640 if self.hasDepthCamera() else vision.kMT9M114

    def isCameraOpen(self, camera):  # type: (int) -> bool
        """Return whether a camera is open."""
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
        """Return whether a camera is started: it is while it is open."""
        return self._is_open[self._camera(camera, "isCameraStarted")]

    startCamera, stopCamera = openCamera, closeCamera

    def setParameter(self, camera, parameter, value):  # type: (int, int, int) -> bool
        """Keep a parameter of a camera, without effect; warn about an unknown one or its value, and return False."""
        for at, given in enumerate((camera, parameter, value)):
            self._number(given, "setParameter", at)
        try:
            key = self._parameter(camera, parameter, "setParameter")
            self._set[key] = int(self._number(value, "setParameter", 2, *_CAMERA_PARAMETERS[key[1]][:2]))
        except RuntimeError as error:
            self.world.warn("%s.setParameter" % self.name, str(error).rpartition("\t")[2])
            return False
        return True

    def getParameter(self, camera, parameter):  # type: (int, int) -> int
        """Return a parameter of a camera."""
        key = self._parameter(camera, parameter, "getParameter")
        return self._set.get(key, _CAMERA_PARAMETERS[key[1]][2])

    def getParameterRange(self, camera, parameter):  # type: (int, int) -> ALValue
        """Return the least and the largest value of a parameter."""
        return list(_CAMERA_PARAMETERS[self._parameter(camera, parameter, "getParameterRange")[1]][:2])

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
        """Return the width of a camera's view, in radians."""
        is_depth = self._camera(camera, "getHorizontalFOV") == vision.kDepthCamera
        return _DEPTH_VIEW_RAD[0] if is_depth else _HORIZONTAL_VIEW_RAD

    def getVerticalFOV(self, camera):  # type: (int) -> float
        """Return the height of a camera's view, in radians."""
        is_depth = self._camera(camera, "getVerticalFOV") == vision.kDepthCamera
        return _DEPTH_VIEW_RAD[1] if is_depth else _VERTICAL_VIEW_RAD

    def getAngularPositionFromImagePosition(self, camera, place):  # type: (int, List[float]) -> List[float]
        """Return the angles, to the left and down, of a place in the image, 0 to 1 from its upper left corner."""
        self._camera(camera, "getAngularPositionFromImagePosition")
        x, y = self._pair(place, "getAngularPositionFromImagePosition")
        return [(0.5 - x) * _HORIZONTAL_VIEW_RAD, (y - 0.5) * _VERTICAL_VIEW_RAD]

    def getImagePositionFromAngularPosition(self, camera, angles):  # type: (int, List[float]) -> List[float]
        """Return the place in the image, 0 to 1 from its upper left corner, of angles to the left and down."""
        self._camera(camera, "getImagePositionFromAngularPosition")
        left, down = self._pair(angles, "getImagePositionFromAngularPosition")
        return [0.5 - left / _HORIZONTAL_VIEW_RAD, 0.5 + down / _VERTICAL_VIEW_RAD]

    def getAngularSizeFromImageSize(self, camera, size):  # type: (int, List[float]) -> List[float]
        """Return the angles that a size in the image, 0 to 1, stands for."""
        self._camera(camera, "getAngularSizeFromImageSize")
        width, height = self._pair(size, "getAngularSizeFromImageSize")
        return [width * _HORIZONTAL_VIEW_RAD, height * _VERTICAL_VIEW_RAD]

    def getImageSizeFromAngularSize(self, camera, size):  # type: (int, List[float]) -> List[float]
        """Return the size in the image, 0 to 1, that angles stand for."""
        self._camera(camera, "getImageSizeFromAngularSize")
        width, height = self._pair(size, "getImageSizeFromAngularSize")
        return [width / _HORIZONTAL_VIEW_RAD, height / _VERTICAL_VIEW_RAD]

    def getImageInfoFromAngularInfo(self, camera, angles):  # type: (int, List[float]) -> List[float]
        """Return place and size in the image, 0 to 1, of the two angles of a place and the two of a size."""
        given = self._list(angles, "getImageInfoFromAngularInfo", 1)
        place = self.getImagePositionFromAngularPosition(camera, given[:2])
        return place + self.getImageSizeFromAngularSize(camera, given[2:])

    def getImageInfoFromAngularInfoWithResolution(self, camera, angles, resolution):
        # type: (int, List[float], int) -> List[float]
        """Return place and size in the pixels of a resolution; -1 for an unknown one."""
        sizes = self._sizes(resolution) * 2
        return [part * size for part, size in zip(self.getImageInfoFromAngularInfo(camera, angles), sizes)]

    def resolutionToSizes(self, resolution):  # type: (int) -> ALValue
        """Return width and height of a resolution, -1 and -1 for an unknown one."""
        return list(self._sizes(resolution))

    def _sizes(self, resolution):  # type: (int) -> Tuple[int, int]
        return RESOLUTIONS.get(int(self._number(resolution, "resolutionToSizes")), (-1, -1))

    def sizesToResolution(self, width, height):  # type: (int, int) -> int
        """Return the resolution of a width and a height, -1 if none exists."""
        return next((int(each) for each, size in RESOLUTIONS.items() if size == (width, height)), -1)

    def isFrameGrabberOff(self, camera):  # type: (int) -> bool
        """Return whether a camera is closed."""
        return not self.isCameraOpen(camera)

    def _pair(self, values, method):  # type: (ALValue, str) -> List[float]
        pair = self._list(values, method, 1)
        if len(pair) != 2:
            raise self._error(method, "Two numbers are needed, not %.60r." % (values,))
        return [self._number(value, method, 1) for value in pair]

    def _camera(self, camera, method):  # type: (ALValue, str) -> int
        number = int(self._number(camera, method))
        if not 0 <= number < len(self._is_open):
            raise self._error(method, "The robot has no camera %d: 0 is above, 1 below, 2 Pepper's depth." % number)
        return number

    def _parameter(self, camera, parameter, method):  # type: (ALValue, ALValue, str) -> Tuple[int, int]
        number = int(self._number(parameter, method, 1))
        if number not in _CAMERA_PARAMETERS:
            known = ", ".join(map(str, sorted(_CAMERA_PARAMETERS)))
            raise self._error(method, "The cameras have no parameter %d: use one of %s." % (number, known))
        return self._camera(camera, method), number


# ALVideoDevice.

#: Old names of methods; a "*" stands for the active camera, which the old ones do not name.
_OLD_NAMES = """
    getAngPosFromImgPos([f])[f] *getAngularPositionFromImagePosition
    getImgPosFromAngPos([f])[f] *getImagePositionFromAngularPosition
    getAngSizeFromImgSize([f])[f] *getAngularSizeFromImageSize
    getImgSizeFromAngSize([f])[f] *getImageSizeFromAngularSize
    getImgInfoFromAngInfo([f])[f] *getImageInfoFromAngularInfo
    getImgInfoFromAngInfoWithRes([f]i)[f] *getImageInfoFromAngularInfoWithResolution
    getCameraModelID()i *getCameraModel setParamDefault(i)v *setParameterToDefault
    startFrameGrabber(i)b openCamera stopFrameGrabber(i)b closeCamera
    getHorizontalAperture(i)f getHorizontalFOV getVerticalAperture(i)f getVerticalFOV
    getGVMResolution(s)i getResolution getGVMColorSpace(s)i getColorSpace getGVMFrameRate(s)i getFrameRate
"""


def _old_names():  # type: () -> Setting
    """Declare the old names of methods."""
    words = _OLD_NAMES.split()
    setting = no_effect(" ".join(words[::2]), "The old name of a method")
    for old, new in zip(words[::2], words[1::2]):
        name = old.partition("(")[0]
        _rename(setting.methods[name], name, new, setting)
    return setting


def _rename(stub, name, new, setting):  # type: (Any, str, str, Setting) -> None
    def call(service, *given):  # type: (Any, *ALValue) -> ALValue
        active = (service.getActiveCamera(),) if new[0] == "*" else ()
        found = getattr(service, new.lstrip("*"))(*active + given)
        return None if stub.type_comment.endswith("None") else found

    call.overloads = stub.overloads  # type: ignore[attr-defined]
    setting.add(name, call, stub.type_comment, "Do the same as %s." % new.lstrip("*"))


#: Bytes of a pixel by the number of the colour space, for the depth camera.
_DEPTH_BYTES = PIXEL_BYTES.copy()
_DEPTH_BYTES.update(dict.fromkeys(DEPTH_SPACES, 2))
_MAX_SAME_NAMES = 8  # subscriptions of one program
_MAX_VIEWERS = 64  # subscriptions of all programs
_MAX_KEPT_IMAGES = 8  # converted images that are stored in case a program asks for the same again


class _Viewer(object):
    """A program that takes images: their cameras, size, colours and rate."""

    def __init__(self, cameras, resolutions, spaces, rate):  # type: (List[int], List[int], List[int], int) -> None
        self.cameras, self.resolutions, self.spaces, self.rate = cameras, resolutions, spaces, rate
        self.due = 0.0
        self.count = 0


def _refuse_pointers(methods):  # type: (str) -> Setting
    """Declare methods, named with blanks between, that refuse to return pointers to images."""
    setting = Setting()

    def add(method):  # type: (str) -> None
        def refuse(service, handle):  # type: (Service, ALValue) -> ALValue
            service._text(handle, method)
            raise service._error(method, "Pointers do not leave the robot's own process: use getImageRemote.")

        doc = "Refuse: a pointer to an image means nothing outside of the process that made it."
        setting.add(method, refuse, "(str) -> ALValue", doc)

    for each in methods.split():
        add(each)
    return setting


@declare(
    _old_names(),
    _refuse_pointers("getImageLocal getImagesLocal getDirectRawImageLocal getDirectRawImagesLocal"),
    no_effect("resetCamera(i)b", "No setting changes the cameras", True),
    no_effect(
        "putImage(iiim)b setSimCamInputSize(ii)b recordVideo(ssii)b stopVideo(s)b",
        "The cameras show the user's pictures",
    ),
)
class ALVideoDevice(_Cameras):
    """Gives images to the programs that subscribed, each at its own size, colours and rate."""

    def __init__(self, world):  # type: (World) -> None
        _Cameras.__init__(self, world)
        self._viewers = OrderedDict()  # type: OrderedDict[str, _Viewer]
        self._images_made = OrderedDict()  # type: OrderedDict[Tuple[int, int, int], bytearray]

    def subscribeCamera(self, name, camera, resolution, space, rate):  # type: (str, int, int, int, int) -> str
        """Subscribe a program to one camera; return the handle for its images, "" when its name has eight already."""
        return self._subscribe("subscribeCamera", name, [camera], [resolution], [space], rate)

    @overloads("s i i i")
    def subscribe(self, name, resolution, space, rate):  # type: (str, int, int, int) -> str
        """Subscribe a program to the active camera; return the handle for its images."""
        return self._subscribe("subscribe", name, [self.getActiveCamera()], [resolution], [space], rate)

    def subscribeCameras(self, name, cameras, resolutions, spaces, rate):  # type: (str, object, object, object, int) -> str
        """Subscribe a program to several cameras at the same time; return the handle for their images."""
        lists = [self._list(each, "subscribeCameras", at) for at, each in enumerate((cameras, resolutions, spaces), 1)]
        if not 1 <= len(lists[0]) <= 2 or len({len(each) for each in lists}) > 1:
            raise self._error("subscribeCameras", "One or two cameras need as many resolutions and colour spaces.")
        return self._subscribe("subscribeCameras", name, lists[0], lists[1], lists[2], rate)

    @overloads("", "s")
    def getActiveCamera(self, handle=None):  # type: (Optional[str]) -> int
        """Return the number of the active camera, or of a subscription's camera, -1 for an unknown subscription."""
        viewer = None if handle is None else self._viewer(handle, "getActiveCamera")
        return self._active if handle is None else -1 if viewer is None else viewer.cameras[0]

    @overloads("i", "s i")
    def setActiveCamera(self, first, camera=None):  # type: (Union[str, int], ALValue) -> bool
        """Choose the active camera, 0 above or 1 below; or (handle, camera) the camera of a subscription."""
        if camera is None:
            self._active = self._camera(first, "setActiveCamera")
            return True
        viewer = self._viewer(self._text(first, "setActiveCamera"), "setActiveCamera")
        if viewer is not None:
            viewer.cameras = [self._camera(camera, "setActiveCamera")]
        return viewer is not None

    def unsubscribe(self, handle):  # type: (str) -> bool
        """End a subscription; return False for an unknown handle."""
        return self._viewers.pop(self._text(handle, "unsubscribe"), None) is not None

    def unsubscribeAllInstances(self, name):  # type: (str) -> None
        """End all subscriptions of a program."""
        for handle in list(self._viewers):
            if handle.rpartition("_")[0] == self._text(name, "unsubscribeAllInstances"):
                del self._viewers[handle]

    def getSubscribers(self):  # type: () -> ALValue
        """List the handles of all subscriptions."""
        return list(self._viewers)

    def getImageRemote(self, handle):  # type: (str) -> ALValue
        """Wait for the next image at the rate asked for, and return it; None for an unknown handle.

        It is a list: width, height, layers, colour space, seconds, microseconds, the bytes, the number of the camera
        and the angles of its left, upper, right and lower edge.
        """
        images = self._images(handle, "getImageRemote")
        return None if images is None else images[0]

    def getImagesRemote(self, handle):  # type: (str) -> ALValue
        """Wait for the next images of several cameras, and return a list of them; None for an unknown handle."""
        return self._images(handle, "getImagesRemote")

    def releaseImage(self, handle):  # type: (str) -> bool
        """Return whether the handle is known; an image that was copied needs no release."""
        return self._text(handle, "releaseImage") in self._viewers

    def releaseImages(self, handle):  # type: (str) -> ALValue
        """Return whether the handle is known; images that were copied need no release."""
        return self._text(handle, "releaseImages") in self._viewers

    releaseDirectRawImage, releaseDirectRawImages = releaseImage, releaseImages

    def getDirectRawImageRemote(self, handle):  # type: (str) -> ALValue
        """Wait for the next image and return it as the camera has it, in the colour space YUV422."""
        images = self.getDirectRawImagesRemote(handle)
        return None if images is None else images[0]

    def getDirectRawImagesRemote(self, handle):  # type: (str) -> Optional[List[ALValue]]
        """Wait for the next images of several cameras and return them in the colour space YUV422."""
        viewer = self._viewer(handle, "getDirectRawImagesRemote")
        if viewer is None:
            return None
        spaces, viewer.spaces = viewer.spaces, [vision.kYUV422ColorSpace] * len(viewer.cameras)
        try:
            return self._images(handle, "getDirectRawImagesRemote")
        finally:
            viewer.spaces = spaces

    def getActiveCameras(self, handle):  # type: (str) -> ALValue
        """Return the cameras of a subscription, -1 for an unknown one."""
        viewer = self._viewer(handle, "getActiveCameras")
        return -1 if viewer is None else list(viewer.cameras)

    def setActiveCameras(self, handle, cameras):  # type: (str, ALValue) -> ALValue
        """Choose the cameras of a subscription; return for each whether it is known."""
        viewer = self._viewer(handle, "setActiveCameras")
        chosen = [self._camera(each, "setActiveCameras") for each in self._list(cameras, "setActiveCameras", 1)]
        if viewer is not None:
            viewer.cameras = chosen
        return [viewer is not None] * len(chosen)

    def getResolutions(self, handle):  # type: (str) -> ALValue
        """Return the resolutions of a subscription, -1 for an unknown one."""
        viewer = self._viewer(handle, "getResolutions")
        return -1 if viewer is None else viewer.resolutions[: len(viewer.cameras)]

    def setResolutions(self, handle, resolutions):  # type: (str, ALValue) -> ALValue
        """Change the resolutions of a subscription."""
        viewer, given = self._viewer(handle, "setResolutions"), self._list(resolutions, "setResolutions", 1)
        chosen = [self._check_known(each, RESOLUTIONS, "setResolutions", "resolution") for each in given]
        if viewer is not None:
            viewer.resolutions = chosen
        return [viewer is not None] * len(chosen)

    def getColorSpaces(self, handle):  # type: (str) -> ALValue
        """Return the colour spaces of a subscription, -1 for an unknown one."""
        viewer = self._viewer(handle, "getColorSpaces")
        return -1 if viewer is None else viewer.spaces[: len(viewer.cameras)]

    def setColorSpaces(self, handle, spaces):  # type: (str, ALValue) -> ALValue
        """Change the colour spaces of a subscription."""
        viewer, given = self._viewer(handle, "setColorSpaces"), self._list(spaces, "setColorSpaces", 1)
        cameras = [0] * len(given) if viewer is None else viewer.cameras
        chosen = [self._space(each, camera, "setColorSpaces") for each, camera in zip(given, cameras)]
        if viewer is not None:
            viewer.spaces = chosen
        return [viewer is not None] * len(chosen)

    def getCameraParameter(self, handle, parameter):  # type: (str, int) -> int
        """Return a parameter of the first camera of a subscription, -1 for an unknown one."""
        return next((self.getParameter(each, parameter) for each in self._cameras_of(handle)), -1)

    def getCameraParameterRange(self, handle, parameter):  # type: (str, int) -> ALValue
        """Return the least and the largest value of a parameter."""
        return next((self.getParameterRange(each, parameter) for each in self._cameras_of(handle)), [])

    def setCameraParameter(self, handle, parameter, value):  # type: (str, int, int) -> bool
        """Keep a parameter of the first camera of a subscription; return False for an unknown one."""
        return any(self.setParameter(each, parameter, value) for each in self._cameras_of(handle)[:1])

    def setCameraParameterToDefault(self, handle, parameter):  # type: (str, int) -> bool
        """Set a parameter of the first camera of a subscription back to its first value."""
        return any(self.setParameterToDefault(each, parameter) for each in self._cameras_of(handle)[:1])

    def setAllCameraParametersToDefault(self, handle):  # type: (str) -> bool
        """Set every parameter of the first camera of a subscription back to its first value."""
        return any(self.setAllParametersToDefault(each) for each in self._cameras_of(handle)[:1])

    def getCamerasParameter(self, handle, parameter):  # type: (str, int) -> ALValue
        """Return a parameter of every camera of a subscription."""
        return [self.getParameter(each, parameter) for each in self._cameras_of(handle)]

    def setCamerasParameter(self, handle, parameter, values):  # type: (str, int, ALValue) -> ALValue
        """Keep a parameter of every camera of a subscription."""
        rows = zip(self._cameras_of(handle), self._list(values, "setCamerasParameter", 2))
        return [self.setParameter(camera, parameter, value) for camera, value in rows]

    def setCamerasParameterToDefault(self, handle, parameter):  # type: (str, int) -> ALValue
        """Set a parameter of every camera of a subscription back to its first value."""
        return [self.setParameterToDefault(each, parameter) for each in self._cameras_of(handle)]

    def getExpectedImageParameters(self, camera):  # type: (int) -> ALValue
        """Return height, width and rate of a camera's images."""
        width, height = RESOLUTIONS[self.getParameter(camera, vision.kCameraResolutionID)]
        return [height, width, self.getParameter(camera, vision.kCameraFrameRateID)]

    def _cameras_of(self, handle):  # type: (str) -> List[int]
        viewer = self._viewer(handle, "getCameraParameter")
        return [] if viewer is None else viewer.cameras

    def getVIMResolution(self):  # type: () -> int
        """Return the resolution of the active camera."""
        return int(self.getParam(vision.kCameraResolutionID))

    def getVIMColorSpace(self):  # type: () -> int
        """Return the colour space of the active camera."""
        return int(self.getParam(vision.kCameraColorSpaceID))

    def getVIMFrameRate(self):  # type: () -> int
        """Return the images a second of the active camera."""
        return int(self.getParam(vision.kCameraFrameRateID))

    @overloads("s", "i")
    def getResolution(self, handle):  # type: (Union[str, int]) -> int
        """Return the number of the resolution of a subscription, -1 for an unknown one, or of a camera."""
        if not isinstance(handle, str):
            return self.getParameter(handle, vision.kCameraResolutionID)
        viewer = self._viewer(handle, "getResolution")
        return -1 if viewer is None else viewer.resolutions[0]

    def setResolution(self, handle, resolution):  # type: (str, int) -> bool
        """Change the resolution of a subscription; return False for an unknown one."""
        viewer = self._viewer(handle, "setResolution")
        if viewer is not None:
            viewer.resolutions = [self._check_known(resolution, RESOLUTIONS, "setResolution", "resolution")] * 2
        return viewer is not None

    @overloads("s", "i")
    def getColorSpace(self, handle):  # type: (Union[str, int]) -> int
        """Return the number of the colour space of a subscription, -1 for an unknown one, or of a camera."""
        if not isinstance(handle, str):
            return self.getParameter(handle, vision.kCameraColorSpaceID)
        viewer = self._viewer(handle, "getColorSpace")
        return -1 if viewer is None else viewer.spaces[0]

    def setColorSpace(self, handle, space):  # type: (str, int) -> bool
        """Change the colour space of a subscription; return False for an unknown one."""
        viewer = self._viewer(handle, "setColorSpace")
        if viewer is not None:
            viewer.spaces = [self._space(space, viewer.cameras[0], "setColorSpace")] * 2
        return viewer is not None

    @overloads("s", "i")
    def getFrameRate(self, handle):  # type: (Union[str, int]) -> int
        """Return the images a second of a subscription, -1 for an unknown one, or of a camera."""
        if not isinstance(handle, str):
            return self.getParameter(handle, vision.kCameraFrameRateID)
        viewer = self._viewer(handle, "getFrameRate")
        return -1 if viewer is None else viewer.rate

    def setFrameRate(self, handle, rate):  # type: (str, int) -> bool
        """Change the images a second of a subscription, 1 to 30; return False for an unknown one."""
        viewer = self._viewer(handle, "setFrameRate")
        if viewer is not None:
            viewer.rate = self._frame_rate(rate, "setFrameRate", 1)
        return viewer is not None

    def leftovers(self):  # type: () -> List[str]
        """List the subscriptions that are still open."""
        return ["%s is still subscribed to ALVideoDevice." % handle for handle in self._viewers]

    def _viewer(self, handle, method):  # type: (str, str) -> Optional[_Viewer]
        return self._viewers.get(self._text(handle, method))

    def _subscribe(self, method, name, cameras, resolutions, spaces, rate):
        # type: (str, str, List[Any], List[Any], List[Any], int) -> str
        cameras = [self._camera(camera, method) for camera in cameras]
        resolutions = [self._check_known(each, RESOLUTIONS, method, "resolution") for each in resolutions]
        spaces = [self._space(each, camera, method) for each, camera in zip(spaces, cameras)]
        viewer = _Viewer(cameras, resolutions, spaces, self._frame_rate(rate, method))
        handles = ["%s_%d" % (self._text(name, method), number) for number in range(_MAX_SAME_NAMES)]
        free = [handle for handle in handles if handle not in self._viewers]
        if not free or len(self._viewers) >= _MAX_VIEWERS:
            return ""
        self._viewers[free[0]] = viewer
        return free[0]

    def _space(self, space, camera, method):  # type: (ALValue, int, str) -> int
        """Check the number of a camera's colour space."""
        known = _DEPTH_BYTES if camera == vision.kDepthCamera else PIXEL_BYTES
        return self._check_known(space, known, method, "colour space")

    def _check_known(self, value, known, method, what):  # type: (ALValue, Mapping[int, object], str, str) -> int
        """Check the number of a resolution or colour space, and say which ones there are."""
        number = int(self._number(value, method))
        if number not in known:
            listed = ", ".join(map(str, sorted(known)))
            raise self._error(method, "NAO's cameras have no %s %d: use one of %s." % (what, number, listed))
        return number

    def _images(self, handle, method):  # type: (str, str) -> Optional[List[ALValue]]
        viewer = self._viewer(handle, method)
        if viewer is None:
            return None
        now = self.world.clock.now()
        if viewer.due > now:
            self._take_time(viewer.due - now)
        viewer.due = self.world.clock.now() + 1.0 / viewer.rate
        rows = zip(viewer.cameras, viewer.resolutions, viewer.spaces)
        try:
            return [self._image(camera, resolution, space, viewer.count) for camera, resolution, space in rows]
        except NaosimError as error:
            raise self._error(method, str(error))
        finally:
            viewer.count += 1

    def _image(self, camera, resolution, space, number):  # type: (int, int, int, int) -> List[ALValue]
        (width, height), now = RESOLUTIONS[resolution], self.world.clock.now()
        key = self.scene.turn(number), resolution, space
        if key not in self._images_made:
            while len(self._images_made) >= _MAX_KEPT_IMAGES:
                self._images_made.popitem(False)
            if space in DEPTH_SPACES:
                made = make_depth_image(width, height)
            else:
                made = convert_colours(scale_picture(self.scene.picture(number), width, height), space)
            self._images_made[key] = made
        right, down = self.getHorizontalFOV(camera) / 2, self.getVerticalFOV(camera) / 2
        image = [width, height, _DEPTH_BYTES[space], space, int(now), int(now % 1 * 1000000)]  # type: List[object]
        return image + [bytearray(self._images_made[key]), camera, right, -down, -right, down]


# ALPhotoCapture.

_PHOTO_FORMATS = ["bmp", "dib", "jpeg", "jpg", "jpe", "png", "pbm", "pgm", "ppm", "sr", "ras", "tiff", "tif"]
_MAX_PHOTOS = 50  # pictures in one call


@declare(
    number_setting("CameraID", 0, (0, 1), "the camera: 0 above, 1 below"),
    # The first values are those of NAOqi's documentation.
    number_setting("Resolution", vision.kVGA, (0, 8), "the number of the resolution"),
    number_setting(
        "ColorSpace", vision.kBGRColorSpace, (0, 13), "the number of the colour space; it changes no picture"
    ),
    number_setting("CaptureInterval", 200, (1, 60000), "the milliseconds between two pictures"),
    choice("PictureFormat", "jpg", _PHOTO_FORMATS, "format", "the ending of the files"),
    no_effect("isHalfPressed()b", "The camera is always ready", True),
    switch("HalfPress", False, "the camera stays ready between two pictures, as it always does"),
    nothing("halfPress", "the camera is always ready"),
)
class ALPhotoCapture(Service):
    """Takes pictures and writes them into files, which are PNG whatever their names say."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._scene, self._count = Scene(world.camera), 0

    def setResolution(self, resolution):  # type: (int) -> None
        """Set the number of the resolution."""
        if self._number(resolution, "setResolution") not in RESOLUTIONS:
            known = ", ".join(map(str, sorted(RESOLUTIONS)))
            reason = "NAO's cameras have no resolution %d: use one of %s." % (resolution, known)
            raise self._error("setResolution", reason)
        self._kept["Resolution"] = int(resolution)

    @overloads("s s", "s s b")
    def takePicture(self, folder, name, overwrite=True):  # type: (str, str, bool) -> ALValue
        """Take a picture and return a list with the path of its file; without its ending that is `folder/name`."""
        return [self._take(folder, name, self._flag(overwrite, "takePicture", 2), "takePicture")]

    @overloads("i s s", "i s s b")
    def takePictures(self, count, folder, name, overwrite=True):  # type: (int, str, str, bool) -> ALValue
        """Take several pictures, `name_0` and so on, at the interval that is set; return the list of their paths."""
        paths = []  # type: List[str]
        for at in range(int(self._number(count, "takePictures", 0, 1, _MAX_PHOTOS))):
            if at and self._take_time(self._kept["CaptureInterval"] / 1000.0):
                break
            own = "%s_%d" % (self._text(name, "takePictures", 2), at)
            paths.append(self._take(folder, own, self._flag(overwrite, "takePictures", 3), "takePictures"))
        return [paths]

    def _take(self, folder, name, overwrite, method):  # type: (str, str, bool, str) -> str
        """Write one picture and return its path as the robot has it; raise RuntimeError if it cannot be written."""
        path = os.path.join(self._path(folder, method), self._plain(name, method))
        if not self.world.prepare_folder(path):
            raise self._error(method, "Unable to write into %r: the folder does not exist." % folder)
        kind = self._kept["PictureFormat"]
        ending, count = "." + kind, 0
        while not overwrite and os.path.exists(self.world.file_path(path + ending)):
            count += 1
            ending = "_%d.%s" % (count, kind)
        width, height = RESOLUTIONS[self._kept["Resolution"]]
        if kind != "png":
            self.world.warn(self.name, "%s is a PNG: the simulated robot writes no other pictures." % (path + ending))
        try:
            image = scale_picture(self._scene.picture(self._count), width, height)
            write_whole(self.world.file_path(path + ending), encode_png(Picture(width, height, bytes(image))))
        except NaosimError as error:
            raise self._error(method, str(error))
        self._count += 1
        self.world.trace.note("record", path=path + ending, what="%d x %d" % (width, height))
        return str(path + ending)

    def _plain(self, name, method):  # type: (str, str) -> str
        """Check the name of a file, and return it without the ending that it gets anyway."""
        ending = "." + self._kept["PictureFormat"]
        name = self._path(name, method, 1)
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
        if not name or os.path.basename(name) != name or name.startswith("."):
            raise self._error(method, "%r is not a name of a file." % name)
        return name
