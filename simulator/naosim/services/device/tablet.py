"""ALTabletService: a screen that shows nothing; the address of what it would show stands in the trace."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads

MYPY = False
if MYPY:
    from typing import List, Optional

    from naosim.world import World

#: The robot's address as its tablet sees it, on every Pepper.
ROBOT = "198.18.0.1"
PAGES = ("http://", "https://", "file://")


class ALTabletService(Service):
    """The tablet of a Pepper, which no other robot has; no page is loaded and no script is run."""

    signals = (
        "onTouch",
        "onTouchDown",
        "onTouchUp",
        "onTouchMove",
        "onTouchDownRatio",
        "onLoadPageError",
        "onInputText",
        "onJSEvent",
        "onPageStarted",
        "onPageFinished",
        "onConsoleMessage",
        "onWifiStatusChange",
        "onImageLoaded",
        "videoStarted",
        "videoFinished",
    )

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._url, self._video = "", ""
        self._is_shown = False
        self._brightness, self._scale = 1.0, 1.34

    @overloads("", "s")
    def showWebview(self, url=None):  # type: (Optional[str]) -> bool
        """Show the web view, with a page if one is given; return False when there is no page to show."""
        if url is not None:
            return self.loadUrl(url) and self.showWebview()
        self._is_shown = bool(self._url)
        return self._is_shown and self._note("showWebview", self._url)

    def hideWebview(self):  # type: () -> bool
        """Hide the web view; return False when none is shown."""
        was_shown, self._is_shown = self._is_shown, False
        return was_shown and self._note("hideWebview", self._url)

    def cleanWebview(self):  # type: () -> None
        """Forget the page."""
        self._url, self._is_shown = "", False
        self._note("cleanWebview", "")

    def loadUrl(self, url):  # type: (str) -> bool
        """Load a page; an address without http:// gets one."""
        self._url = self._text(url, "loadUrl").strip()
        if self._url and not self._url.startswith(PAGES):
            self._url = PAGES[0] + self._url
        return bool(self._url) and self._note("loadUrl", self._url) and self._loaded("onPageStarted", "onPageFinished")

    def reloadPage(self, without_cache):  # type: (bool) -> None
        """Load the page again."""
        self._flag(without_cache, "reloadPage")
        if self._url:
            self.loadUrl(self._url)

    def loadApplication(self, name):  # type: (str) -> bool
        """Load the page of a package, by its uuid; whether it is installed is not looked at."""
        return self.loadUrl("%s%s/apps/%s/" % (PAGES[0], ROBOT, self._text(name, "loadApplication").strip("/")))

    def executeJS(self, script):  # type: (str) -> None
        """Note a script; none is run."""
        self._note("executeJS", self._text(script, "executeJS"))

    def preLoadImage(self, url):  # type: (str) -> bool
        """Return True: there is nothing to load before."""
        return bool(self._text(url, "preLoadImage"))

    def showImage(self, url):  # type: (str) -> bool
        """Show an image."""
        return bool(self._text(url, "showImage")) and self._note("showImage", url) and self._loaded("onImageLoaded")

    def showImageNoCache(self, url):  # type: (str) -> bool
        """Show an image, loaded anew."""
        return self.showImage(url)

    def hideImage(self):  # type: () -> None
        """Hide the image."""
        self._note("hideImage", "")

    def pauseGif(self):  # type: () -> None
        """Do nothing: no image moves."""

    def resumeGif(self):  # type: () -> None
        """Do nothing: no image moves."""

    def setBackgroundColor(self, colour):  # type: (str) -> bool
        """Change the background, written like "#ff0000"."""
        digits = self._text(colour, "setBackgroundColor")[1:]
        is_colour = colour[:1] == "#" and len(digits) == 6 and all(each in "0123456789abcdefABCDEF" for each in digits)
        return is_colour and self._note("setBackgroundColor", colour)

    def playVideo(self, url):  # type: (str) -> bool
        """Start a video, which is at its end at once."""
        self._video = self._text(url, "playVideo")
        return bool(url) and self._note("playVideo", url) and self._loaded("videoStarted", "videoFinished")

    def pauseVideo(self):  # type: () -> bool
        """Tell whether there is a video to pause."""
        return bool(self._video)

    def resumeVideo(self):  # type: () -> bool
        """Tell whether there is a video to go on with."""
        return bool(self._video)

    def stopVideo(self):  # type: () -> bool
        """End the video; return False when there is none."""
        was, self._video = self._video, ""
        return bool(was) and self._note("stopVideo", was)

    def hide(self):  # type: () -> None
        """Hide whatever is shown."""
        self._is_shown, self._video = False, ""
        self._note("hide", "")

    def robotIp(self):  # type: () -> str
        """Return the robot's address as its tablet sees it."""
        return ROBOT

    def setBrightness(self, brightness):  # type: (float) -> bool
        """Set the brightness, 0 to 1."""
        self._brightness = self._number(brightness, "setBrightness", 0, 0, 1)
        return True

    def getBrightness(self):  # type: () -> float
        """Return the brightness, 0 to 1."""
        return self._brightness

    def getOnTouchScaleFactor(self):  # type: () -> float
        """Return the factor between places on the page and on the screen."""
        return self._scale

    def setOnTouchWebviewScaleFactor(self, factor):  # type: (float) -> None
        """Set the factor between places on the page and on the screen."""
        self._scale = self._number(factor, "setOnTouchWebviewScaleFactor", 0, 0.01, 100)

    def turnScreenOn(self, on):  # type: (bool) -> None
        """Switch the screen on or off."""
        self._note("turnScreenOn", str(self._flag(on, "turnScreenOn")))

    def wakeUp(self):  # type: () -> None
        """Wake the tablet."""
        self._note("wakeUp", "")

    def goToSleep(self):  # type: () -> None
        """Send the tablet to sleep."""
        self._note("goToSleep", "")

    def resetTablet(self):  # type: () -> None
        """Forget page and video."""
        self._url, self._video, self._is_shown = "", "", False

    def enableWebviewTouch(self):  # type: () -> None
        """Do nothing: touches come as events."""

    def disableWebviewTouch(self):  # type: () -> None
        """Do nothing: touches come as events."""

    def setVolume(self, volume):  # type: (int) -> bool
        """Check and ignore the loudness, 0 to 15."""
        self._number(volume, "setVolume", 0, 0, 15)
        return True

    def enableWifi(self):  # type: () -> None
        """Do nothing: there is no network."""

    def disableWifi(self):  # type: () -> None
        """Do nothing: there is no network."""

    def getWifiStatus(self):  # type: () -> str
        """Return the state of the network: always "DISCONNECTED"."""
        return "DISCONNECTED"

    def configureWifi(self, security, name, key):  # type: (str, str, str) -> bool
        """Return False: there is no network."""
        for at, text in enumerate((security, name, key)):
            self._text(text, "configureWifi", at)
        return False

    def connectWifi(self, name):  # type: (str) -> bool
        """Return False: there is no network."""
        self._text(name, "connectWifi")
        return False

    def getAvailableKeyboards(self):  # type: () -> List[str]
        """List the keyboards: none."""
        return []

    def _note(self, method, shown):  # type: (str, str) -> bool
        self.world.trace.note("tablet", method=method, shown=shown)
        return True

    def _loaded(self, *events):  # type: (*str) -> bool
        for event in events:
            self.world.memory.raiseEvent("%s/%s" % (self.name, event), None)
        return True
