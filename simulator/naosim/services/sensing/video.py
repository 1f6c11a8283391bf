"""ALVideoDevice: the two cameras, which show the user's pictures or a test card to the programs that subscribed."""

from __future__ import absolute_import, division, print_function

from collections import OrderedDict

from naosim.errors import NaosimError
from naosim.services.base import overloads
from naosim.services.sensing.cameras import Cameras
from naosim.services.sensing.colours import LAYERS, RESOLUTIONS, converted, scaled

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world import World

MOST_OF_A_NAME, MOST_SUBSCRIBERS = 8, 64
RATES = (1, 30)
#: Images kept for the next time that the same one is asked for.
MOST_KEPT = 8


class Viewer(object):
    """A program that takes images: from which cameras, how large, in which colours and how often."""

    def __init__(self, cameras, resolutions, spaces, rate):  # type: (List[int], List[int], List[int], int) -> None
        self.cameras, self.resolutions, self.spaces, self.rate = cameras, resolutions, spaces, rate
        self.due = 0.0
        self.count = 0


class ALVideoDevice(Cameras):
    """Gives images to the programs that subscribed, each at its own size, colours and rate."""

    def __init__(self, world):  # type: (World) -> None
        Cameras.__init__(self, world)
        self._viewers = OrderedDict()  # type: OrderedDict[str, Viewer]
        self._kept = OrderedDict()  # type: OrderedDict[Tuple[int, int, int], bytearray]

    def subscribeCamera(self, name, camera, resolution, space, rate):  # type: (str, int, int, int, int) -> str
        """Subscribe a program to one camera; return the handle for its images, "" when its name has eight already."""
        return self._subscribe("subscribeCamera", name, [camera], [resolution], [space], rate)

    @overloads("s i i i")
    def subscribe(self, name, resolution, space, rate):  # type: (str, int, int, int) -> str
        """Subscribe a program to the active camera; return the handle for its images."""
        return self._subscribe("subscribe", name, [self.getActiveCamera()], [resolution], [space], rate)

    def subscribeCameras(self, name, cameras, resolutions, spaces, rate):  # type: (str, Any, Any, Any, int) -> str
        """Subscribe a program to several cameras at once; return the handle for their images."""
        lists = [self._list(each, "subscribeCameras", at) for at, each in enumerate((cameras, resolutions, spaces), 1)]
        if not 1 <= len(lists[0]) <= 2 or len({len(each) for each in lists}) > 1:
            raise self._error("subscribeCameras", "One or two cameras need as many resolutions and colour spaces.")
        return self._subscribe("subscribeCameras", name, lists[0], lists[1], lists[2], rate)

    @overloads("", "s")
    def getActiveCamera(self, handle=None):  # type: (Optional[str]) -> int
        """Return the number of the active camera, or that of a subscription, -1 for an unknown one."""
        viewer = None if handle is None else self._viewer(handle, "getActiveCamera")
        return self._active if handle is None else -1 if viewer is None else viewer.cameras[0]

    @overloads("i", "s i")
    def setActiveCamera(self, first, camera=None):  # type: (Any, Any) -> bool
        """Choose the active camera, 0 above or 1 below; or (handle, camera) that of a subscription."""
        if camera is None:
            self._active = self._camera(first, "setActiveCamera")
            return True
        viewer = self._viewer(first, "setActiveCamera")
        if viewer is not None:
            viewer.cameras = [self._camera(camera, "setActiveCamera")]
        return viewer is not None

    def unsubscribe(self, handle):  # type: (str) -> bool
        """End a subscription; return False for an unknown handle."""
        return self._viewers.pop(self._text(handle, "unsubscribe"), None) is not None

    def unsubscribeAllInstances(self, name):  # type: (str) -> None
        """End all subscriptions of a program."""
        mine = [
            handle
            for handle in self._viewers
            if handle.rpartition("_")[0] == self._text(name, "unsubscribeAllInstances")
        ]
        for handle in mine:
            del self._viewers[handle]

    def getSubscribers(self):  # type: () -> Any
        """List the handles of all subscriptions."""
        return list(self._viewers)

    def getImageRemote(self, handle):  # type: (str) -> Any
        """Wait for the next image at the rate asked for, and return it; None for an unknown handle.

        It is a list: width, height, layers, colour space, seconds, microseconds, the bytes, the number of the camera
        and the angles of its left, upper, right and lower edge.
        """
        images = self._images(handle, "getImageRemote")
        return None if images is None else images[0]

    def getImagesRemote(self, handle):  # type: (str) -> Any
        """Wait for the next images of several cameras, and return a list of them; None for an unknown handle."""
        return self._images(handle, "getImagesRemote")

    def getImageLocal(self, handle):  # type: (str) -> Any
        """Refuse: a pointer to an image means nothing outside of the process that made it."""
        self._text(handle, "getImageLocal")
        raise self._error("getImageLocal", "Pointers do not leave the robot's own process: use getImageRemote.")

    def releaseImage(self, handle):  # type: (str) -> bool
        """Return whether the handle is known; an image that was copied needs no release."""
        return self._text(handle, "releaseImage") in self._viewers

    def releaseImages(self, handle):  # type: (str) -> Any
        """Return whether the handle is known; images that were copied need no release."""
        return self._text(handle, "releaseImages") in self._viewers

    @overloads("s")
    def getResolution(self, handle):  # type: (str) -> int
        """Return the number of the resolution of a subscription, -1 for an unknown one."""
        viewer = self._viewer(handle, "getResolution")
        return -1 if viewer is None else viewer.resolutions[0]

    def setResolution(self, handle, resolution):  # type: (str, int) -> bool
        """Change the resolution of a subscription; return False for an unknown one."""
        viewer = self._viewer(handle, "setResolution")
        if viewer is not None:
            viewer.resolutions = [self._known(resolution, RESOLUTIONS, "setResolution", "resolution")] * 2
        return viewer is not None

    def getColorSpace(self, handle):  # type: (str) -> int
        """Return the number of the colour space of a subscription, -1 for an unknown one."""
        viewer = self._viewer(handle, "getColorSpace")
        return -1 if viewer is None else viewer.spaces[0]

    def setColorSpace(self, handle, space):  # type: (str, int) -> bool
        """Change the colour space of a subscription; return False for an unknown one."""
        viewer = self._viewer(handle, "setColorSpace")
        if viewer is not None:
            viewer.spaces = [self._known(space, LAYERS, "setColorSpace", "colour space")] * 2
        return viewer is not None

    @overloads("s", "i")
    def getFrameRate(self, handle):  # type: (Any) -> int
        """Return how many images a second a subscription takes, -1 for an unknown one; of a camera, by number, 30."""
        if not isinstance(handle, str):
            self._camera(handle, "getFrameRate")
            return RATES[1]
        viewer = self._viewer(handle, "getFrameRate")
        return -1 if viewer is None else viewer.rate

    def setFrameRate(self, handle, rate):  # type: (str, int) -> bool
        """Change how many images a second a subscription takes, 1 to 30; return False for an unknown one."""
        viewer = self._viewer(handle, "setFrameRate")
        if viewer is not None:
            viewer.rate = int(self._number(rate, "setFrameRate", 1, *RATES))
        return viewer is not None

    def leftovers(self):  # type: () -> List[str]
        """List the subscriptions that are still open."""
        return ["%s is still subscribed to ALVideoDevice." % handle for handle in self._viewers]

    def _viewer(self, handle, method):  # type: (str, str) -> Optional[Viewer]
        return self._viewers.get(self._text(handle, method))

    def _subscribe(self, method, name, cameras, resolutions, spaces, rate):
        # type: (str, str, List[Any], List[Any], List[Any], int) -> str
        cameras = [self._camera(camera, method) for camera in cameras]
        resolutions = [self._known(each, RESOLUTIONS, method, "resolution") for each in resolutions]
        spaces = [self._known(each, LAYERS, method, "colour space") for each in spaces]
        viewer = Viewer(cameras, resolutions, spaces, int(self._number(rate, method, 0, *RATES)))
        handles = ["%s_%d" % (self._text(name, method), number) for number in range(MOST_OF_A_NAME)]
        free = [handle for handle in handles if handle not in self._viewers]
        if not free or len(self._viewers) >= MOST_SUBSCRIBERS:
            return ""
        self._viewers[free[0]] = viewer
        return free[0]

    def _known(self, value, known, method, what):  # type: (Any, Dict[int, Any], str, str) -> int
        """Check the number of a resolution or colour space, and say which ones there are."""
        number = int(self._number(value, method))
        if number not in known:
            raise self._error(
                method,
                "NAO's cameras have no %s %d: use one of %s." % (what, number, ", ".join(map(str, sorted(known)))),
            )
        return number

    def _images(self, handle, method):  # type: (str, str) -> Optional[List[Any]]
        viewer = self._viewer(handle, method)
        if viewer is None:
            return None
        now = self.world.clock.now()
        if viewer.due > now:
            self._take_time(viewer.due - now)
        viewer.due = self.world.clock.now() + 1.0 / viewer.rate
        try:
            return [
                self._image(*each, number=viewer.count)
                for each in zip(viewer.cameras, viewer.resolutions, viewer.spaces)
            ]
        except NaosimError as error:
            raise self._error(method, str(error))
        finally:
            viewer.count += 1

    def _image(self, camera, resolution, space, number):  # type: (int, int, int, int) -> List[Any]
        (width, height), now = RESOLUTIONS[resolution], self.world.clock.now()
        key = self.scene.turn(number), resolution, space
        if key not in self._kept:
            while len(self._kept) >= MOST_KEPT:
                self._kept.popitem(False)
            self._kept[key] = converted(scaled(self.scene.picture(number), width, height), space)
        right, down = self.getHorizontalFOV(camera) / 2, self.getVerticalFOV(camera) / 2
        return [
            width,
            height,
            LAYERS[space],
            space,
            int(now),
            int(now % 1 * 1000000),
            bytearray(self._kept[key]),
            camera,
            right,
            -down,
            -right,
            down,
        ]
