"""Services that few programs use: compass, recharging, maps, recorders, resources, diagnosis and old trackers.

Most of their methods only check their arguments, store a setting or find nothing. ALVisualCompass, ALLocalization
and ALRecharge walk; ALResourceManager, ALWorldRepresentation and ALExpressionWatcher work as on a robot.
"""

from __future__ import absolute_import, division, print_function

import ast
import math
import os
import re

from almath import Pose2D
from naosim.errors import NaosimError
from naosim.formats import write_whole
from naosim.scheduler import SimEvent
from naosim.services.base import (
    CallbackSignal,
    Service,
    choice,
    constant,
    declare,
    no_effect,
    number_setting,
    overloads,
    switch,
)
from naosim.services.cameras import ALVideoDevice
from naosim.services.extractors import CAMERA_SETTINGS, Extractor, SwitchedExtractor
from naosim.services.motion import ALMotion
from naosim.world import World, call_guarded, schedule_guarded

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List, Match, Optional, Set, Tuple

    from naosim.compat import ALValue

    Attribute = List[Any]  # the name of an attribute and its values

# Services that only keep settings or find nothing.

_ALL_FINE = [0, []]  # a diagnosis: how grave the worst failure is, and the devices that have it
_ALL_FINE_PEPPER = []  # type: List[Any]  # the same, as recorded on a Pepper of 2.5


@declare(no_effect("setParameter(sm)v", "the microphones hear silence"))
class ALAudioSourceLocalization(Extractor):
    """Locates sounds: the microphones hear silence."""


@declare(no_effect("setParameter(sm)v", "the microphones hear silence"))
class ALVoiceEmotionAnalysis(Extractor):
    """Reports the emotion of voices; the simulated microphones hear only silence."""


@declare(
    constant("getTemperatureDiagnosis", _ALL_FINE, "Return that no chain is hot.", "ALValue"),
    switch("Notifications", True, "hot devices are reported", ("setEnableNotifications", "areNotificationsEnabled")),
)
class ALBodyTemperature(Service):
    """The temperature of the joints, which never become hot."""


@declare(switch("Notification", True, "failures are reported", ("setEnableNotification", "isNotificationEnabled")))
class ALDiagnosis(Service):
    """The failures of devices: there are none."""

    def getActiveDiagnosis(self):  # type: () -> ALValue
        """Return that no device fails: an empty list on a Pepper, else the level 0 and an empty list."""
        return list(_ALL_FINE_PEPPER if self.world.robot_type == "Juliette" else _ALL_FINE)

    def getPassiveDiagnosis(self):  # type: () -> ALValue
        """Return that no device fails: an empty list on a Pepper, else the level 0 and an empty list."""
        return self.getActiveDiagnosis()


@declare(
    no_effect("setColor(iiii)v setObjectProperties(if)v setObjectProperties(ifs)v getCircle()m", "no blob is in sight"),
    switch("AutoExposure", True, "the camera chooses the exposure", ("setAutoExposure", "getAutoExposure")),
)
class ALColorBlobDetection(Extractor):
    """Finds blobs of a colour; the simulated robot never sees any."""


@declare(number_setting("SittingThreshold", 1.35, (0.0, 20.0), "the height under which a person sits, in metres"))
class ALSittingPeopleDetection(SwitchedExtractor):
    """Reports whether people sit."""


_INFRARED = "initReception(i)v send32(s)v send32(iiii)v send8(i)v sendIpAddress(s)v sendRemoteKey(ss)v"


@declare(
    no_effect(_INFRARED + " sendRemoteKeyWithTime(ssi)v confRemoteRecordSave()v", "no device receives infrared light")
)
class ALInfrared(Service):
    """Sends the codes of remote controls: no device receives them."""


@declare(
    no_effect("startInteractiveRecording([s]ibi)v startPeriodicRecording([s]ibf[s]m)v", "nobody moves the joints"),
    constant("stopAndGetRecording", [], "Return an empty recording: nobody has moved the joints.", "ALValue"),
)
class ALMotionRecorder(Service):
    """Records the joints that a person moves; recordings are empty, as nobody moves the joints of a simulated robot."""


@declare(no_effect("update()v stopUpdate()v", "there is no store"))
class ALStore(Service):
    """Fetches updates; the simulated robot has no store."""


class ALAppsAnalytics(Service):
    """Would collect figures about applications; a simulated robot collects none."""

    private_methods = frozenset(["push_mood"])

    def push_mood(self, first, second):  # type: (ALValue, ALValue) -> None
        """Ignore what an application tells; a page for Pepper in a public repository calls it with two values."""


@declare(no_effect("isNewData()b setWholeBodyOn(b)v", "a simulated robot sees no target"))
class _OldTracker(Service):
    """A tracker of NAOqi 1, which follows a target that is never in sight."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._is_active = False

    def startTracker(self):  # type: () -> None
        """Start to follow the target."""
        self._is_active = True

    def stopTracker(self):  # type: () -> None
        """Stop following the target."""
        self._is_active = False

    def isActive(self):  # type: () -> bool
        """Return whether the tracker was started and not stopped."""
        return self._is_active

    def getPosition(self):  # type: () -> List[float]
        """Return the origin: the target has no position."""
        return [0.0, 0.0, 0.0]

    def leftovers(self):  # type: () -> List[str]
        """Say that the tracker still runs."""
        return ["%s still follows its target." % self.name] if self._is_active else []


class ALFaceTracker(_OldTracker):
    """Follows a face; this tracker never sees one."""


class ALRedBallTracker(_OldTracker):
    """Follows a red ball; this tracker never sees one."""


# Services that walk.


@declare(
    no_effect("enableReferenceRefresh(b)v", "all images fit"),
    constant("getMatchingQuality", [1.0, 50], "Return the fit of the images, which is perfect.", "ALValue"),
)
@declare(*CAMERA_SETTINGS)
class ALVisualCompass(SwitchedExtractor):
    """Walks in a direction that a camera's image gives; here it never drifts."""

    def setCurrentImageAsReference(self):  # type: () -> bool
        """Take the image of now as reference."""
        self.world.memory.raiseEvent("VisualCompass/NewReferenceImageSet", True)
        return True

    def getReferenceImage(self):  # type: () -> ALValue
        """Return an image of the camera."""
        cameras = self.world.need(ALVideoDevice)
        handle = cameras.subscribeCamera(self.name, 0, self._kept["Resolution"], 0, 30)
        try:
            return cameras.getImageRemote(handle)
        finally:
            cameras.unsubscribe(handle)

    def moveTo(self, x, y, theta):  # type: (float, float, float) -> None
        """Turn towards a place, walk there ahead, and turn to an angle."""
        x, y, theta = [self._number(each, "moveTo", at, -100, 100) for at, each in enumerate((x, y, theta))]
        first = math.atan2(y, x) if x or y else 0.0
        walk = self.world.need(ALMotion).walk
        walk.moveTo([[0.0, 0.0, first], [math.hypot(x, y), 0.0, 0.0], [0.0, 0.0, theta - first]])
        self.world.memory.raiseEvent("VisualCompass/FinalDeviation", [0.0, theta])

    def moveStraightTo(self, distance):  # type: (float) -> None
        """Walk ahead, or back if the distance in metres is below 0."""
        self.world.need(ALMotion).walk.moveTo(self._number(distance, "moveStraightTo", 0, -100, 100), 0.0, 0.0)

    def waitUntilTargetReached(self):  # type: () -> None
        """Return when the walk is over."""
        self.world.need(ALMotion).walk.waitUntilMoveIsFinished()


_STATION_SEARCH_S = 10.0  # seconds that the robot looks for its charging station


@declare(
    no_effect("moveInFrontOfStation()b dockOnStation()b leaveStation()v getStatus()i", "there is no charging station"),
    constant("getStationPosition", [0.0, 0.0, 0.0], "Return the origin: there is no charging station.", "List[float]"),
)
class ALRecharge(Service):
    """Brings a Pepper to its charging station: there is none."""

    def lookForStation(self):  # type: () -> ALValue
        """Look for the charging station and return [False, [0, 0, 0]]: there is none."""
        self._take_time(_STATION_SEARCH_S)
        self.world.memory.raiseEvent("ALRecharge/StationNotFound", None)
        return [False, [0.0, 0.0, 0.0]]

    def goToStation(self):  # type: () -> None
        """Look for the charging station; the event that it is not found comes later."""
        self.world.clock.call_soon(self.lookForStation)

    def stopAll(self):  # type: () -> None
        """Stop looking for the charging station."""
        Service.stopAll(self)

    _hidden = frozenset()  # type: FrozenSet[str]


_LOCALIZATION_ERRORS = {0: "no error", 1: "home has not been learned"}


@declare(
    no_effect("clear(s)i load(s)i save(s)i", "no panorama is stored"),
    no_effect("isRelocalizationRequired()b", "NAO knows"),
)
class ALLocalization(Service):
    """Finds the way home; NAO always knows where it is."""

    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._home = None  # type: Optional[Pose2D]

    def learnHome(self):  # type: () -> int
        """Learn the place where NAO is as home, and return 0, for no error."""
        self._home = self.world.body.walk.place()
        return 0

    def isDataAvailable(self):  # type: () -> bool
        """Return whether home was learned."""
        return self._home is not None

    def getRobotPosition(self, active):  # type: (bool) -> List[float]
        """Return NAO's place as home sees it: x, y and an angle."""
        self._flag(active, "getRobotPosition")
        return list(self._from_home().toVector())

    def getRobotOrientation(self, active):  # type: (bool) -> ALValue
        """Return NAO's angle seen from home, whether it is known, its certainty, and whether it is only from steps."""
        self._flag(active, "getRobotOrientation")
        return [[self._from_home().theta], self._home is not None, 1.0, False]

    def goToHome(self):  # type: () -> int
        """Walk home and return 0, or 1 if home was not learned."""
        return self._walk(self._from_home().inverse())

    def goToPosition(self, theta):  # type: (float) -> int
        """Turn to an angle as home sees it and return 0, or 1 if home was not learned."""
        return self._walk(Pose2D(0.0, 0.0, self._number(theta, "goToPosition") - self._from_home().theta))

    def getMessageFromErrorCode(self, code):  # type: (int) -> str
        """Return the words for an error number."""
        return _LOCALIZATION_ERRORS.get(int(self._number(code, "getMessageFromErrorCode")), "unknown error")

    def stopAll(self):  # type: () -> None
        """Stop walking."""
        self.world.need(ALMotion).walk.stopMove()

    def _from_home(self):  # type: () -> Pose2D
        place = self.world.body.walk.place()
        return Pose2D() if self._home is None else self._home.inverse() * place

    def _walk(self, way):  # type: (Pose2D) -> int
        if self._home is None:
            return 1
        self.world.memory.raiseEvent("ALLocalization/GoToBegin", True)
        has_arrived = self.world.need(ALMotion).walk.moveTo(*way.toVector())
        self.world.memory.raiseEvent("ALLocalization/GoTo%s" % ("Success" if has_arrived else "Failed"), True)
        return 0


# ALVideoRecorder.

_GREY_SPACE, _COLOUR_SPACE = 0, 13
_AVI_HEADER = b"RIFF\x04\x00\x00\x00AVI "  # of a film without a picture


@declare(
    number_setting("CameraID", 0, (0, 1), "the camera: 0 above, 1 below"),
    number_setting(
        "ColorSpace", _COLOUR_SPACE, (_GREY_SPACE, _COLOUR_SPACE), "the colour space: 0 for greys, 13 for colours"
    ),
    number_setting("FrameRate", 15, (1, 30), "the pictures of a second"),
    number_setting("Resolution", 1, (0, 2), "the resolution: 0, 1 or 2"),
    choice("VideoFormat", "MJPG", ["IYUV", "MJPG"], "format", "the format of the film"),
)
class ALVideoRecorder(Service):
    """Records films: it writes an AVI file without pictures."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._begun = None  # type: Optional[Tuple[str, float]]

    def isRecording(self):  # type: () -> bool
        """Return whether a film is recorded."""
        return self._begun is not None

    def startRecording(self, folder, name, overwrite=True):  # type: (str, str, bool) -> None
        """Begin a film; raise RuntimeError if the folder is missing, or if the file exists and `overwrite` is False."""
        method = "startRecording"
        path = os.path.join(self._path(folder, method), self._path(name, method, 1))
        path += "" if path.lower().endswith(".avi") else ".avi"
        local = self.world.file_path(path)
        if self._begun is not None:
            raise self._error(method, "%s is being recorded already." % self._begun[0])
        if not self.world.prepare_folder(path):
            raise self._error(method, "The folder %s does not exist." % folder)
        if not self._flag(overwrite, method, 2) and os.path.exists(local):
            raise self._error(method, "%s exists already." % path)
        self._begun = path, self.world.clock.now()

    def stopRecording(self):  # type: () -> ALValue
        """End the film and return the number of its pictures and its path; raise RuntimeError if none exists."""
        if self._begun is None:
            raise self._error("stopRecording", "No film is being recorded.")
        (path, since), self._begun = self._begun, None
        seconds = self.world.clock.now() - since
        try:
            write_whole(self.world.file_path(path), _AVI_HEADER)
        except NaosimError as error:
            raise self._error("stopRecording", str(error))
        self.world.trace.note("record", path=path, what="a film of %.1f s without pictures" % seconds)
        return [int(seconds * self._kept["FrameRate"]), path]

    def leftovers(self):  # type: () -> List[str]
        """Name the film that was never ended."""
        return [] if self._begun is None else ["The film %r was never stopped." % self._begun[0]]


# ALResourceManager.

#: The resources of a NAO and those that they are part of.
_RESOURCES = """
    Speech -, Tablet -, Audio -, Camera -, Leds -, AllMotors -, Head AllMotors, Arms AllMotors, LArm Arms, RArm Arms,
    Legs AllMotors, LLeg Legs, RLeg Legs
"""


class ALResourceManager(Service):
    """Lends resources of the robot to modules, one at a time; a resource includes those that are part of it."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        pairs = [pair.split() for pair in _RESOURCES.split(",")]
        self._parents = {name: "" if parent == "-" else parent for name, parent in pairs}
        self._owners = {}  # type: Dict[str, str]
        self._disabled = set()  # type: Set[str]
        self._freed = SimEvent(world.clock)

    def createResource(self, name, parent):  # type: (str, str) -> None
        """Create a resource that is part of another one, or of none for ""."""
        self._parents[self._text(name, "createResource")] = self._text(parent, "createResource", 1)

    def createResourcesList(self, names, module):  # type: (List[str], str) -> None
        """Create several resources; the module is ignored."""
        self._text(module, "createResourcesList", 1)
        for name in self._texts(names, "createResourcesList"):
            self._parents.setdefault(name, "")

    def deleteResource(self, name, with_children=False):  # type: (str, bool) -> None
        """Delete a resource, with those that are part of it if wanted; raise RuntimeError if it does not exist."""
        gone = self._members(name, "deleteResource") if self._flag(with_children, "deleteResource", 1) else [name]
        for each in [self._require_resource(each, "deleteResource") for each in gone]:
            del self._parents[each]
            self._owners.pop(each, None)

    def enableStateResource(self, name, enabled):  # type: (str, bool) -> None
        """Let a resource be lent, or no more."""
        change = self._disabled.discard if self._flag(enabled, "enableStateResource", 1) else self._disabled.add
        change(self._require_resource(name, "enableStateResource"))

    def isInGroup(self, group, name):  # type: (str, str) -> bool
        """Return whether a resource is another one or a part of it."""
        return self._require_resource(name, "isInGroup", 1) in self._members(group, "isInGroup")

    def getResources(self):  # type: () -> ALValue
        """List the resources."""
        return sorted(self._parents)

    def ownersGet(self):  # type: () -> ALValue
        """List each resource that is lent, with the module that has it."""
        return [[name, owner] for name, owner in sorted(self._owners.items())]

    def isResourceFree(self, name):  # type: (str) -> bool
        """Return whether a resource, and all that are part of it, can be lent."""
        return not self._busy([name], "", "isResourceFree")

    def areResourcesFree(self, names):  # type: (List[str]) -> bool
        """Return whether several resources can be lent."""
        return not self._busy(self._texts(names, "areResourcesFree"), "", "areResourcesFree")

    def areResourcesOwnedBy(self, names, owner):  # type: (List[str], str) -> bool
        """Return whether a module has several resources."""
        self._text(owner, "areResourcesOwnedBy", 1)
        return all(self._owners.get(name) == owner for name in self._texts(names, "areResourcesOwnedBy"))

    def acquireResource(self, name, module, callback, seconds):  # type: (str, str, str, int) -> None
        """Lend a resource to a module and ask the one that has it to give it back; raise RuntimeError after a time."""
        self._take("acquireResource", [self._text(name, "acquireResource")], module, callback, seconds, True)

    def acquireResourcesTree(self, names, module, callback, milliseconds):  # type: (List[str], str, str, int) -> None
        """Lend several resources to a module."""
        method = "acquireResourcesTree"
        self._take(method, self._texts(names, method), module, callback, milliseconds, True, 1000.0)

    def waitForResource(self, name, module, callback, seconds):  # type: (str, str, str, int) -> None
        """Lend a resource to a module as soon as it is free; raise RuntimeError after a time."""
        self._take("waitForResource", [self._text(name, "waitForResource")], module, callback, seconds, False)

    def waitForResourcesTree(self, names, module, callback, milliseconds):  # type: (List[str], str, str, int) -> None
        """Lend several resources to a module as soon as they are free."""
        method = "waitForResourcesTree"
        self._take(method, self._texts(names, method), module, callback, milliseconds, False, 1000.0)

    def waitForOptionalResourcesTree(self, names, module, callback, milliseconds, optional):
        # type: (List[str], str, str, int, List[str]) -> List[str]
        """Lend several resources as soon as they are free, and those of `optional` that are; return all of them."""
        method = "waitForOptionalResourcesTree"
        wanted = [each for each in self._texts(optional, method, 4) if not self._busy([each], module, method)]
        names = self._texts(names, method)
        self._take(method, names + wanted, module, callback, milliseconds, False, 1000.0)
        return names + wanted

    def releaseResource(self, name, owner):  # type: (str, str) -> None
        """Give back a resource and those that are part of it."""
        self.releaseResources([name], owner)

    def releaseResources(self, names, owner):  # type: (List[str], str) -> None
        """Give back several resources."""
        self._text(owner, "releaseResources", 1)
        for name in self._texts(names, "releaseResources"):
            for each in self._members(name, "releaseResources"):
                if self._owners.get(each) == owner:
                    del self._owners[each]
        self._freed.set()

    def leftovers(self):  # type: () -> List[str]
        """List the resources that were not given back."""
        return ["The resource %s is still lent to %s." % row for row in sorted(self._owners.items())]

    def _require_resource(self, name, method, position=0):  # type: (str, str, int) -> str
        if self._text(name, method, position) not in self._parents:
            raise self._error(method, "The resource %s does not exist." % name)
        return name

    def _members(self, name, method):  # type: (str, str) -> List[str]
        """List a resource and those that are part of it."""
        found = [self._require_resource(name, method)]
        for each in found:
            found += [child for child, parent in sorted(self._parents.items()) if parent == each and child not in found]
        return found

    def _busy(self, names, owner, method):  # type: (List[str], str, str) -> List[str]
        """List the resources among these that another module has, or that cannot be lent."""
        members = [each for name in names for each in self._members(name, method)]
        return [each for each in members if each in self._disabled or self._owners.get(each, owner) != owner]

    def _take(self, method, names, module, callback, limit, asks, unit=1.0):
        # type: (str, List[str], ALValue, ALValue, ALValue, bool, float) -> None
        owner, told = self._text(module, method, 1), self._text(callback, method, 2)
        end = self.world.clock.now() + self._number(limit, method, 3) / unit
        for each in sorted({self._owners.get(each, "") for each in self._busy(names, owner, method)} if asks else ()):
            lost = getattr(self.world.modules.get(each), told, None)
            if callable(lost):
                schedule_guarded(self.world, lost, names)
        while self._busy(names, owner, method):
            self._freed = SimEvent(self.world.clock)
            if self.world.clock.now() >= end or not self.world.clock.wait(self._freed, end - self.world.clock.now()):
                raise self._error(method, "%s is not free." % ", ".join(self._busy(names, owner, method)))
        for name in names:
            self._owners.update((each, owner) for each in self._members(name, method))


# ALWorldRepresentation.

_ROOT, _FAILED, _DONE = "World", 1, 0  # the name of the root, and the results of calls
_SELECTIONS = "getPosition6DAtTime(ssii)[f] select(ssss)m selectWithOrder(sssss)m"
_MAX_OBJECTS = 10000


@declare(
    no_effect(_SELECTIONS, "the past is not kept, and criteria in SQL are not understood"),
    no_effect("setObjectsLook(sm)v startDisplaying()v stopDisplaying()v load()v save()i", "nothing is shown or stored"),
    no_effect("clearOldPositions(si)i", "the past is not kept"),
    constant("getRootName", _ROOT, "Return the name of the root of all objects."),
)
class ALWorldRepresentation(Service):
    """Keeps objects by name: each has a parent, a place, a category and attributes. Calls return 0 if they succeed."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._objects = {}  # type: Dict[str, Dict[str, Any]]
        self._categories = {}  # type: Dict[str, Dict[str, object]]

    def createObjectCategory(self, category, reset):  # type: (str, bool) -> int
        """Create a category of objects."""
        if self._flag(reset, "createObjectCategory", 1):
            self._categories.pop(self._text(category, "createObjectCategory"), None)
        return self._add_limited(self._categories, self._text(category, "createObjectCategory"), {})

    def addAttributeToCategory(self, category, attribute, fields):  # type: (str, str, ALValue) -> int
        """Give a category an attribute."""
        known = self._categories.get(self._text(category, "addAttributeToCategory"))
        return (
            _FAILED
            if known is None
            else self._add_limited(known, self._text(attribute, "addAttributeToCategory"), fields)
        )

    def removeObjectCategory(self, category):  # type: (str) -> int
        """Remove a category."""
        return _FAILED if self._categories.pop(self._text(category, "removeObjectCategory"), None) is None else _DONE

    def storeObject(self, name, parent, position, category, attributes):  # type: (str, str, List[float], str, object) -> int
        """Store an object at a place as its parent sees it."""
        method = "storeObject"
        place = self._list(position, method, 2)
        known = {
            "parent": self._text(parent, method, 1),
            "position": place,
            "category": self._text(category, method, 3),
        }
        return self._add_limited(self._objects, self._text(name, method), dict(known, attributes={"": [attributes]}))

    def storeObjectWithReference(self, name, reference, parent, position, category, attributes):
        # type: (str, str, str, List[float], str, ALValue) -> int
        """Store an object at a place, which is stored as if the parent saw it so."""
        self._text(reference, "storeObjectWithReference", 1)
        return self.storeObject(name, parent, position, category, attributes)

    def updatePosition(self, name, position, store):  # type: (str, List[float], bool) -> int
        """Change the place of an object."""
        self._flag(store, "updatePosition", 2)
        return self._change(name, "position", self._list(position, "updatePosition", 1), "updatePosition")

    def updatePositionWithReference(self, name, reference, position, store):  # type: (str, str, List[float], bool) -> int
        """Change the place of an object; the place is stored as if the parent saw it so."""
        self._text(reference, "updatePositionWithReference", 1)
        return self.updatePosition(name, position, store)

    def storeObjectAttribute(self, name, attribute, fields):  # type: (str, str, ALValue) -> int
        """Add a value of an attribute to an object."""
        found = self._objects.get(self._text(name, "storeObjectAttribute"))
        if found is None:
            return _FAILED
        found["attributes"].setdefault(self._text(attribute, "storeObjectAttribute", 1), []).append(fields)
        return _DONE

    def updateAttribute(self, name, attribute, criterion, fields):  # type: (str, str, str, ALValue) -> int
        """Replace the values of an object's attribute; the criterion is ignored."""
        self.deleteObjectAttribute(name, attribute, criterion)
        return self.storeObjectAttribute(name, attribute, fields)

    def deleteObjectAttribute(self, name, attribute, criterion):  # type: (str, str, str) -> int
        """Delete the values of an object's attribute; the criterion is ignored."""
        self._text(criterion, "deleteObjectAttribute", 2)
        found = self._objects.get(self._text(name, "deleteObjectAttribute"), {"attributes": {}})["attributes"]
        return _FAILED if found.pop(self._text(attribute, "deleteObjectAttribute", 1), None) is None else _DONE

    def clearObject(self, name):  # type: (str) -> int
        """Remove an object."""
        return _FAILED if self._objects.pop(self._text(name, "clearObject"), None) is None else _DONE

    def findObject(self, name):  # type: (str) -> bool
        """Return whether an object is stored."""
        return self._text(name, "findObject") in self._objects

    def getObjectNames(self):  # type: () -> List[str]
        """List the objects."""
        return sorted(self._objects)

    def getChildrenNames(self, name):  # type: (str) -> List[str]
        """List the objects whose parent this is."""
        return self._list_objects("parent", self._text(name, "getChildrenNames"))

    def getObjectsInCategory(self, category):  # type: (str) -> List[str]
        """List the objects of a category."""
        return self._list_objects("category", self._text(category, "getObjectsInCategory"))

    def getObjectCategory(self, name):  # type: (str) -> str
        """Return the category of an object; raise RuntimeError if it is not stored."""
        return str(self._object(name, "getObjectCategory")["category"])

    def getObjectParentName(self, name):  # type: (str) -> str
        """Return the parent of an object; raise RuntimeError if it is not stored."""
        return str(self._object(name, "getObjectParentName")["parent"])

    def getObjectAttributes(self, name):  # type: (str) -> List[Attribute]
        """List the attributes of an object, each with its values."""
        return [
            [each, values] for each, values in sorted(self._object(name, "getObjectAttributes")["attributes"].items())
        ]

    def getObjectLatestAttributes(self, name, count):  # type: (str, int) -> List[Attribute]
        """List the attributes of an object, each with its last values."""
        last = int(self._number(count, "getObjectLatestAttributes", 1, 0))
        return [[each, values[-last:] if last else []] for each, values in self.getObjectAttributes(name)]

    def getObjectAttributeValues(self, name, attribute, count):  # type: (str, str, int) -> ALValue
        """List the last values of an object's attribute."""
        found = {str(row[0]): row[1] for row in self.getObjectLatestAttributes(name, count)}
        return found.get(self._text(attribute, "getObjectAttributeValues", 1), [])

    def getPosition6D(self, reference, name):  # type: (str, str) -> List[float]
        """Return the place of an object as its parent sees it; other references are ignored."""
        self._text(reference, "getPosition6D")
        return [float(each) for each in self._object(name, "getPosition6D", 1)["position"]]

    def getPosition(self, reference, name):  # type: (str, str) -> ALValue
        """Return the place of an object: the same as getPosition6D."""
        return self.getPosition6D(reference, name)

    def _object(self, name, method, position=0):  # type: (str, str, int) -> Dict[str, Any]
        found = self._objects.get(self._text(name, method, position))
        if found is None:
            raise self._error(method, "The object %s is not stored." % name)
        return found

    def _list_objects(self, field, value):  # type: (str, str) -> List[str]
        return sorted(name for name, found in self._objects.items() if found[field] == value)

    def _change(self, name, field, value, method):  # type: (str, str, ALValue, str) -> int
        found = self._objects.get(self._text(name, method))
        if found is None:
            return _FAILED
        found[field] = value
        return _DONE

    @staticmethod
    def _add_limited(known, name, value):  # type: (Dict[str, Any], str, ALValue) -> int
        if name in known or len(known) >= _MAX_OBJECTS:
            return _FAILED
        known[name] = value
        return _DONE


# ALExpressionWatcher.

_REPORT_CHANGE, _REPORT_EDGE, _REPORT_TRUE = range(3)
_MAX_EXPRESSIONS, _MAX_EXPRESSION_LENGTH = 100, 2000
_INSTANT = 1e-6  # seconds: times this close are the same
# A key or (condition), then `~ seconds`, for which it must be true, or `@ seconds`, which asks for its value then.
_TIMED = re.compile(r"((?:!\s*)?(?:'[^']*'|timed\d+|\((?:[^()~@]|\([^()~@]*\))*\)))\s*([~@])\s*([0-9.]+)")
_BARE_KEY = re.compile(r"""('[^']*'|"[^"]*")|\b(?!true\b|false\b)([A-Za-z_]\w*)""")
_KEY = re.compile(r"'([^']*)'")
#: The parts of a condition as Python's parser names them.
_NODES = """
    Expression BoolOp And Or UnaryOp Not USub Compare Eq NotEq Lt LtE Gt GtE Name NameConstant Constant Num Str
    Subscript Index Load
"""
_SIGNS = (("&&", " and "), ("||", " or "), ("!=", "<>"), ("!", " not "), ("<>", "!="))


class ALExpressionWatcher(Service):
    """Watches conditions on keys of ALMemory: comparisons with &&, ||, ! and brackets, `~ seconds` and `@ seconds`."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._watched = []  # type: List[_Expression]

    def add(self, condition, mode):  # type: (str, int) -> ALValue
        """Watch a condition and return an object with `signal`; mode 0: every value, 1: changes, 2: it gets true."""
        method = "add"
        if len(self._watched) >= _MAX_EXPRESSIONS or len(self._text(condition, method)) > _MAX_EXPRESSION_LENGTH:
            raise self._error(method, "Too many conditions, or one is too long.")
        report = int(self._number(mode, method, 1, _REPORT_CHANGE, _REPORT_TRUE))
        try:
            key = "%s/%d" % (self.name, len(self._watched) + 1)
            self._watched.append(_Expression(self.world, condition, report, key))
        except (SyntaxError, ValueError) as error:
            raise self._error(method, "The condition %r cannot be read: %s." % (condition, error))
        return self._watched[-1]


class _Expression(object):
    """A watched condition. `signal` calls back with its value, `value` returns it.

    The key `memory_key` of ALMemory has its value, and is an event with the signal, for programs in other processes.
    """

    def __init__(self, world, condition, report, memory_key):  # type: (World, str, int, str) -> None
        self._world, self._report, self.memory_key = world, report, memory_key
        self._tests = []  # type: List[Tuple[object, str, float]]
        self._changes = {}  # type: Dict[int, List[Tuple[float, bool]]]
        self.signal = CallbackSignal(world, call_guarded)
        condition = _BARE_KEY.sub(lambda found: found.group(1) or "'%s'" % found.group(2), condition)
        self._test = self._compile(condition)
        self._last = self.value()
        world.memory.insertData(memory_key, self._last)
        for key in sorted(set(_KEY.findall(condition))):
            world.memory.link(key, _KeyLink(self))

    def value(self):  # type: () -> bool
        """Return whether the condition holds now."""
        now, names = self._world.clock.now(), {}  # type: float, Dict[str, object]
        for at, (test, sign, seconds) in enumerate(self._tests):
            holds, changes = bool(self._evaluate(test, names)), self._changes.setdefault(at, [])
            if not changes or changes[-1][1] != holds:
                changes.append((now, holds))
                self._world.clock.call_later(seconds, self.look)
            while len(changes) > 1 and changes[1][0] <= now - seconds + _INSTANT:
                del changes[0]
            since, before = changes[0]
            is_old = since <= now - seconds + _INSTANT
            names["timed%d" % at] = before and is_old and (sign == "@" or len(changes) == 1)
        return bool(self._evaluate(self._test, names))

    def look(self):  # type: () -> None
        """Call the callbacks that wait for a change."""
        before, self._last = self._last, self.value()
        is_edge = before != self._last
        self._world.memory.insertData(self.memory_key, self._last)
        if self._report == _REPORT_CHANGE or (is_edge and (self._last or self._report == _REPORT_EDGE)):
            self.signal.send(self._last)
            self._world.memory.raiseEvent(self.memory_key, self._last)

    def _compile(self, condition):  # type: (str) -> ALValue
        def add(found):  # type: (Match[str]) -> str
            self._tests.append((self._compile_plain(found.group(1)), found.group(2), float(found.group(3))))
            return " timed%d " % (len(self._tests) - 1)

        before = None
        while before != condition:
            before, condition = condition, _TIMED.sub(add, condition, 1)
        return self._compile_plain(condition)

    @staticmethod
    def _compile_plain(condition):  # type: (str) -> ALValue
        parts = _KEY.split(condition)
        for sign, python in _SIGNS:
            parts[::2] = [part.replace(sign, python) for part in parts[::2]]
        written = "".join(part if at % 2 == 0 else "key[%r]" % part for at, part in enumerate(parts)).strip()
        tree = ast.parse(written, mode="eval")
        for node in ast.walk(tree):
            if type(node).__name__ not in _NODES.split():
                raise ValueError("only comparisons are understood")
        return compile(tree, "condition", "eval")

    def _evaluate(self, test, names):  # type: (Any, Dict[str, ALValue]) -> ALValue
        try:
            return eval(test, {"__builtins__": {}, "true": True, "false": False}, dict(names, key=_Keys(self._world)))
        except (NameError, TypeError):
            return False


class _Keys(object):
    """The values of ALMemory by key; NaN for an unknown one, so that comparisons with it are false."""

    def __init__(self, world):  # type: (World) -> None
        self._memory = world.memory

    def __getitem__(self, key):  # type: (str) -> ALValue
        try:
            return self._memory.getData(key)
        except RuntimeError:
            return float("nan")


class _KeyLink(object):
    """The callback of ALMemory for a key of a condition; it belongs to the robot, not to a behaviour."""

    is_foreign = True

    def __init__(self, expression):  # type: (_Expression) -> None
        self._expression = expression

    def __call__(self, _value):  # type: (ALValue) -> None
        self._expression.look()
