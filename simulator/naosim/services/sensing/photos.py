"""ALPhotoCapture: pictures in files, of what stands in front of the cameras."""

from __future__ import absolute_import, division, print_function

import os

from naosim.errors import NaosimError
from naosim.formats import Picture, encode_png, write_whole
from naosim.services.base import Service, overloads
from naosim.services.sensing.colours import RESOLUTIONS, scaled
from naosim.services.sensing.scene import Scene

MYPY = False
if MYPY:
    from typing import Any, Dict, List

    from naosim.world import World

FORMATS = ["bmp", "dib", "jpeg", "jpg", "jpe", "png", "pbm", "pgm", "ppm", "sr", "ras", "tiff", "tif"]
MOST_AT_ONCE = 50
#: Milliseconds between two pictures.
INTERVALS = (1, 60000)


class ALPhotoCapture(Service):
    """Takes pictures and writes them into files, which are PNG whatever their names say."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._scene, self._count = Scene(world.camera), 0
        self._set = {"CameraID": 0, "ColorSpace": 11, "Resolution": 1, "CaptureInterval": 200}  # type: Dict[str, int]
        self._format, self._is_half_pressed = "jpg", False

    def getCameraID(self):  # type: () -> int
        """Return the camera: 0 above, 1 below."""
        return self._set["CameraID"]

    def setCameraID(self, camera):  # type: (int) -> None
        """Choose the camera: 0 above, 1 below."""
        self._set["CameraID"] = int(self._number(camera, "setCameraID", 0, 0, 1))

    def getResolution(self):  # type: () -> int
        """Return the number of the resolution."""
        return self._set["Resolution"]

    def setResolution(self, resolution):  # type: (int) -> None
        """Set the number of the resolution."""
        if self._number(resolution, "setResolution") not in RESOLUTIONS:
            raise self._error(
                "setResolution",
                "NAO's cameras have no resolution %d: use one of %s."
                % (resolution, ", ".join(map(str, sorted(RESOLUTIONS)))),
            )
        self._set["Resolution"] = int(resolution)

    def getColorSpace(self):  # type: () -> int
        """Return the number of the colour space."""
        return self._set["ColorSpace"]

    def setColorSpace(self, space):  # type: (int) -> None
        """Keep the number of the colour space; the pictures stay in red, green and blue."""
        self._set["ColorSpace"] = int(self._number(space, "setColorSpace", 0, 0, 13))

    def getCaptureInterval(self):  # type: () -> int
        """Return the milliseconds between two pictures."""
        return self._set["CaptureInterval"]

    def setCaptureInterval(self, milliseconds):  # type: (int) -> None
        """Set the milliseconds between two pictures."""
        self._set["CaptureInterval"] = int(self._number(milliseconds, "setCaptureInterval", 0, *INTERVALS))

    def getPictureFormat(self):  # type: () -> str
        """Return the ending of the files."""
        return self._format

    def setPictureFormat(self, ending):  # type: (str) -> None
        """Set the ending of the files."""
        self._format = self._one_of(ending, FORMATS, "setPictureFormat", "format")

    def isHalfPressEnabled(self):  # type: () -> bool
        """Tell whether the camera stays ready between two pictures."""
        return self._is_half_pressed

    def setHalfPressEnabled(self, enabled):  # type: (bool) -> None
        """Choose whether the camera stays ready between two pictures; it always is."""
        self._is_half_pressed = self._flag(enabled, "setHalfPressEnabled")

    def halfPress(self):  # type: () -> None
        """Do nothing: the camera is always ready."""

    @overloads("s s", "s s b")
    def takePicture(self, folder, name, overwrite=True):  # type: (str, str, bool) -> Any
        """Take a picture and return a list with the path of its file; without its ending that is `folder/name`."""
        return [self._take(folder, name, self._flag(overwrite, "takePicture", 2), "takePicture")]

    @overloads("i s s", "i s s b")
    def takePictures(self, count, folder, name, overwrite=True):  # type: (int, str, str, bool) -> Any
        """Take several pictures, `name_0` and so on, at the interval that is set; return the list of their paths."""
        paths = []  # type: List[str]
        for at in range(int(self._number(count, "takePictures", 0, 1, MOST_AT_ONCE))):
            if at and self._take_time(self._set["CaptureInterval"] / 1000.0):
                break
            own = "%s_%d" % (self._text(name, "takePictures", 2), at)
            paths.append(self._take(folder, own, self._flag(overwrite, "takePictures", 3), "takePictures"))
        return [paths]

    def _take(self, folder, name, overwrite, method):  # type: (str, str, bool, str) -> str
        """Write one picture and return its path as the robot has it; raise RuntimeError when it cannot be written."""
        path = os.path.join(self._text(folder, method), self._plain(name, method))
        place = self.world.file_path(os.path.join(folder, ""))
        if place != os.path.join(folder, "") and not os.path.isdir(place):
            os.makedirs(place)
        if not os.path.isabs(folder) or not os.path.isdir(place):
            raise self._error(method, "Unable to write into %r: the folder does not exist." % folder)
        ending, number = "." + self._format, 0
        while not overwrite and os.path.exists(self.world.file_path(path + ending)):
            number += 1
            ending = "_%d.%s" % (number, self._format)
        width, height = RESOLUTIONS[self._set["Resolution"]]
        if self._format != "png":
            self.world.warn(self.name, "%s is a PNG: the simulated robot writes no other pictures." % (path + ending))
        try:
            image = scaled(self._scene.picture(self._count), width, height)
            write_whole(self.world.file_path(path + ending), encode_png(Picture(width, height, bytes(image))))
        except NaosimError as error:
            raise self._error(method, str(error))
        self._count += 1
        self.world.trace.note("record", path=path + ending, what="%d x %d" % (width, height))
        return path + ending

    def _plain(self, name, method):  # type: (str, str) -> str
        """Check the name of a file, and return it without the ending that it gets anyway."""
        ending = "." + self._format
        name = self._text(name, method, 1)
        name = name[: -len(ending)] if name.lower().endswith(ending) else name
        if not name or os.path.basename(name) != name or name.startswith("."):
            raise self._error(method, "%r is no name of a file." % name)
        return name
