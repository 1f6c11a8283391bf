"""Services that robots list and few programs call: files, the launcher of modules, facts about users, image processes.

A NAO V5 and a NAO6 have these members (simulator/tests/naoqi_api). Of BARE_SERVICES only the names are known; they
have only the methods of every module.
"""

from __future__ import absolute_import, division, print_function

import posixpath

from naosim.services.base import Service, declare, no_effect, number_setting, overloads, read_signals
from naosim.services.extractors import Extractor, SwitchedExtractor
from naosim.services.memory import NotAnALValue, copy_alvalue, to_alvalue
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Callable, Dict, List, Tuple

    from naosim.compat import ALValue

#: The services of which only the name is known, or which have only the common public methods. From the output of
#: `qicli info` of a NAO of 2.1, nao-sim's tests with the maker's NAOqi, and lugu/qiloop's lists.
BARE_SERVICES = [
    "ALAutomaticVolume",
    "ALBonjour",
    "ALChestButton",
    "ALDebug",
    "ALFsr",
    "ALInertial",
    "ALMecaLogger",
    "ALMemoryWatcher",
    "ALRobotHealthMonitor",
    "ALTelepathe",
    "ALVolumeSlider",
    "AudioFilterLoader",
    "Conversation",
    "Knowledge",
    "_ALAutonomousBlinking",
    "_ALExpressiveness",
]


def make_bare_service(name):  # type: (str) -> Callable[[World], Service]
    """Return a function that makes a service with only the common methods."""

    def make(world):  # type: (World) -> Service
        return Service(world, name)

    return make


class ALBacklightingDetection(Extractor):
    """Reports light from behind the camera's view, which the simulated robot never has."""


class ALCloseObjectDetection(SwitchedExtractor):
    """Reports objects too near for the depth camera; the simulated robot has none."""


# The distances at first are our guess.
_FOLLOWED = (
    number_setting("TrackingDistance", 1.0, (0.0, 10.0), "the distance to a followed person, in metres"),
    number_setting("VerticalOffset", 0.0, (-2.0, 2.0), "how much lower than the head the robot looks, in metres"),
)


@declare(*_FOLLOWED)
class ALFastPersonTracking(SwitchedExtractor):
    """Follows a person's head quickly: no head moves here."""


@declare(no_effect("startSearch()v stopSearch()v isSearching()b", "the simulated cameras show no heads"), *_FOLLOWED)
class ALFindPersonHead(Service):
    """Looks for a person's head: there is none to find."""


_COMPASS = """
    setupPanorama()i isDataAvailable()b getCurrentPosition()m localizeNoHint()[f] localize()[f] localize(b)[f]
    localize(ib)[f] isInPanorama()i isInPanorama(i)i isRelocalizationRequired()b loadPanorama(i)i
    getCurrentPanoramaDescriptor()m getFrame(is)m clearAllPanoramas()i clearAllPanoramas(b)i clearPanorama(i)i
"""


@declare(no_effect(_COMPASS, "no panorama is kept"))
class ALPanoramaCompass(Service):
    """Finds the robot's direction in pictures all around it, which the simulated robot does not store."""


_MODULARITY = """
    loadProgram(s)b loadProgramFromFile(s)b getData(s)m getLastData(s)m getImageRemote(s)m getFilters()m
    getFilterDescription(s)s getFilterInputs(s)m getFilterOutputs(s)m deleteFilter(s)b getSources()[s]
    isSourceBinded(s)b getSourceFrequency(s)f getSourceData(s)m setData(sm)v deleteSource(s)b getRobotHeightOffset()f
    getProcesses()[s] isProcesses(s)b getProcessDescription(s)s getProcessSources(s)[s] getProcessSinks(s)[s]
    getProcessAggregatedSinks(s)[s] getProcessPriority(s)i getProcessFrequency(s)f resetProcess(s)b isProcessEnable(s)b
    isProcessZombie(s)b enableProcess(s)b disableProcess(s)b deleteProcess(s)b getScheduledJobs()[s] startScheduler()b
    stopScheduler()b getInstrumentationResult()s getDotGraph(si)m
"""


@declare(no_effect(_MODULARITY, "no process of images runs"))
class ALModularity(Service):
    """Runs the processes that find people and movements in images, which the simulated robot does not need."""


@declare(
    no_effect("launchExecutable(s)b launchScript(s)b launchPythonModule(s)b", "nothing can be loaded; no error says so")
)
class ALLauncher(Service):
    """Loads modules into the robot: all that it has are loaded."""

    def launchLocal(self, module):  # type: (str) -> List[str]
        """List the modules that a library registers: the robot's own of its name, or none."""
        wanted = self._text(module, "launchLocal").lower()
        return [name for name in self.getGlobalModuleList() if name.lower() in (wanted, "al" + wanted)]

    def isModulePresent(self, part):  # type: (str) -> bool
        """Return whether the name of a module has this part."""
        part = self._text(part, "isModulePresent")
        return any(part in name for name in self.getGlobalModuleList())

    def getGlobalModuleList(self):  # type: () -> List[str]
        """List the modules."""
        return sorted(str(name) for name in self.world.services)


# ALFileManager.

_USER_FOLDER, _SYSTEM_FOLDER = "/home/nao/.local/share/naoqi/", "/usr/share/naoqi/"


class ALFileManager(Service):
    """Finds files in the user's and the system's shared folders."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._user_folder = _USER_FOLDER

    def getUserSharedFolderPath(self):  # type: () -> str
        """Return the folder that the user's programs share."""
        return self._user_folder

    def setUserSharedFolderPath(self, path):  # type: (str) -> None
        """Set the folder that the user's programs share."""
        self._user_folder = self._path(path, "setUserSharedFolderPath")

    def getSystemSharedFolderPath(self):  # type: () -> str
        """Return the folder that the system's programs share."""
        return _SYSTEM_FOLDER

    def fileExists(self, path):  # type: (str) -> bool
        """Return whether a file exists: its whole path, or one in a shared folder."""
        return bool(self._find(path, "fileExists"))

    def dataFileExists(self, path):  # type: (str) -> bool
        """Return whether a file exists in a shared folder."""
        return bool(self._find(path, "dataFileExists"))

    def getFileCompletePath(self, path):  # type: (str) -> str
        """Return the whole path of a file in a shared folder, the user's first; "" if the file is missing."""
        return self._find(path, "getFileCompletePath")

    def getFileContents(self, path):  # type: (str) -> ALValue
        """Return the whole path of a file in a shared folder, as on a robot; "" if the file is missing."""
        return self._find(path, "getFileContents")

    def _find(self, path, method):  # type: (str, str) -> str
        path = self._path(path, method)
        places = [posixpath.join(folder, path) for folder in (self._user_folder, _SYSTEM_FOLDER)]
        return next((place for place in places if self.world.has_file(place)), "")


# ALUserInfo.

_MAX_USER_FACTS = 2000
_MAX_USER_FACT_LENGTH = 20000  # characters of a value as Python writes it
_FOCUSED_USER = -1  # the number that stands for the user in focus


class ALUserInfo(Service):
    """Stores the data of programs about users, by source, user and name. The meaning of the arguments is our guess."""

    signals = read_signals("userInfoEdited(ism) userInfoRemoved(is)")

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._facts = {}  # type: Dict[Tuple[str, int, str], ALValue]

    @overloads("s", "i s", "s s", "s i s")
    def get(self, *place):  # type: (*ALValue) -> ALValue
        """Return a fact about a user, None if it is unknown: `[source] [user] name`."""
        return copy_alvalue(self._facts.get(self._place(place, "get")))

    @overloads("s", "i s", "s s", "s i s")
    def has(self, *place):  # type: (*ALValue) -> bool
        """Return whether a fact about a user is known: `[source] [user] name`."""
        return self._place(place, "has") in self._facts

    @overloads("s s m", "s i s m")
    def set(self, *place):  # type: (*ALValue) -> bool
        """Keep a fact about a user: `source [user] name value`."""
        source, user, name = self._place(place[:-1], "set")
        if (source, user, name) not in self._facts and len(self._facts) >= _MAX_USER_FACTS:
            raise self._error("set", "%d facts are known already: remove some." % _MAX_USER_FACTS)
        try:
            value = to_alvalue(place[-1])
        except NotAnALValue as error:
            raise self._error("set", "The fact cannot be stored: %s." % error)
        if len(repr(value)) > _MAX_USER_FACT_LENGTH:
            raise self._error("set", "The fact has more than %d characters." % _MAX_USER_FACT_LENGTH)
        self._facts[source, user, name] = value
        self._emit("userInfoEdited", user, name, copy_alvalue(value))
        return True

    @overloads("s s", "s i s")
    def remove(self, *place):  # type: (*ALValue) -> bool
        """Forget a fact about a user, and return whether it was known: `source [user] name`."""
        source, user, name = self._place(place, "remove")
        if self._facts.pop((source, user, name), self) is self:
            return False
        self._emit("userInfoRemoved", user, name)
        return True

    @overloads("s", "s i")
    def removeUser(self, source, user=_FOCUSED_USER):  # type: (str, int) -> bool
        """Forget all facts of a source about a user, and return whether there were any."""
        self._text(source, "removeUser")
        user = int(self._number(user, "removeUser", 1))
        found = [name for at, whom, name in sorted(self._facts) if (at, whom) == (source, user)]
        for name in found:
            self.remove(source, user, name)
        return bool(found)

    def getType(self, source, name):  # type: (str, str) -> str
        """Return the kind of a fact's value, "" if it is unknown for the user in focus."""
        place = self._place((source, name), "getType")
        return type(self._facts[place]).__name__ if place in self._facts else ""

    def _place(self, words, method):  # type: (Tuple[ALValue, ...], str) -> Tuple[str, int, str]
        """Return source, user and name."""
        texts = [self._text(each, method, at) for at, each in enumerate(words) if not isinstance(each, int)]
        users = [int(self._number(each, method, at)) for at, each in enumerate(words) if isinstance(each, int)]
        if not texts:
            raise self._error(method, "The name of a fact is needed.")
        return texts[0] if len(texts) > 1 else "", (users or [_FOCUSED_USER])[0], texts[-1]
