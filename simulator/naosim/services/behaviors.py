"""ALBehaviorManager, ALFrameManager and ALPythonBridge: behaviours run, find their folders and run code."""

from __future__ import absolute_import, division, print_function

import os

from naosim import scripting
from naosim.compat import TEXTS, reason
from naosim.compiler import compile_script
from naosim.errors import NaosimError
from naosim.player import AmbiguousName, EndWatch, InstalledBehaviour, map_behaviours, resolve_name
from naosim.scheduler import SimEvent, TaskEnded
from naosim.services import animations
from naosim.services.autonomous_life import ALAutonomousLife
from naosim.services.base import Service, overloads, read_signals
from naosim.services.packages import PackageManager
from naosim.services.system_packages import WIZARD
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Union

    from naosim.compat import ALValue
    from naosim.packages import Manifest

# ALBehaviorManager.

_MAX_STOP_S = 120.0  # seconds that a behaviour can take to stop
_SIGNALS = """
    behaviorsAdded([s]) behaviorsRemoved([s]) behaviorLoaded(s) behaviorStarted(s) behaviorStopped(s)
    behaviorFailed(sss)
"""
_USER_PREFIX = "User/"  # before behaviours of packages
_SYSTEM_PREFIX = "System/"  # before behaviours of the robot itself


class ALBehaviorManager(Service):
    """Runs the behaviours of installed packages and the stock animations, several at the same time."""

    signals = read_signals(_SIGNALS)

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._animations = {}  # type: Dict[str, SimEvent]
        self._running = {}  # type: Dict[str, InstalledBehaviour]
        self._loaded = {}  # type: Dict[str, InstalledBehaviour]
        self._defaults = []  # type: List[str]
        self.watch = EndWatch(world, lambda: bool(self._running or self._loaded))

    def getInstalledBehaviors(self):  # type: () -> List[str]
        """List the behaviours that can be started."""
        return sorted(map_behaviours(self.world)) + self._list_stock()

    def getUserBehaviorNames(self):  # type: () -> List[str]
        """List the behaviours of packages, each after "User/"."""
        return [_USER_PREFIX + behavior for behavior in sorted(map_behaviours(self.world))]

    def getSystemBehaviorNames(self):  # type: () -> List[str]
        """List the behaviours of the robot itself, each after "System/"."""
        return [_SYSTEM_PREFIX + behavior for behavior in self._list_stock()]

    def getBehaviorNames(self):  # type: () -> List[str]
        """List all behaviours, each after "User/" or "System/"."""
        return self.getUserBehaviorNames() + self.getSystemBehaviorNames()

    def resolveBehaviorName(self, name):  # type: (str) -> str
        """Return the id of a behaviour from its name, "" for none; raise RuntimeError if it means several."""
        return self._resolve_name(name, "resolveBehaviorName")

    def isBehaviorInstalled(self, name):  # type: (str) -> bool
        """Return whether a behaviour can be started."""
        return bool(self._resolve_name(name, "isBehaviorInstalled"))

    def isBehaviorPresent(self, prefixedBehavior):  # type: (str) -> bool
        """Return whether a behaviour can be started: the old name of isBehaviorInstalled."""
        return bool(self._resolve_name(prefixedBehavior, "isBehaviorPresent"))

    def getRunningBehaviors(self):  # type: () -> List[str]
        """List the behaviours that run."""
        return sorted(list(self._running) + list(self._animations))

    def isBehaviorRunning(self, behavior):  # type: (str) -> bool
        """Return whether a behaviour runs."""
        return self._resolve_name(behavior, "isBehaviorRunning") in self.getRunningBehaviors()

    def getLoadedBehaviors(self):  # type: () -> List[str]
        """List the behaviours that are loaded: those that run, and those loaded beforehand."""
        return sorted(self.getRunningBehaviors() + list(self._loaded))

    def isBehaviorLoaded(self, behavior):  # type: (str) -> bool
        """Return whether a behaviour is loaded."""
        return self._resolve_name(behavior, "isBehaviorLoaded") in self.getLoadedBehaviors()

    def preloadBehavior(self, behavior):  # type: (str) -> bool
        """Load a behaviour without starting it; return False if it runs or is loaded already, or is an animation."""
        found = self._require_installed(behavior, "preloadBehavior")
        if found in self.getLoadedBehaviors() or self._is_stock(found):
            return False
        behaviour = self._create(found, "preloadBehavior")
        self.watch.begin()
        self._loaded[found] = behaviour
        self._load(behaviour)
        return True

    def startBehavior(self, behavior):  # type: (str) -> None
        """Start a behaviour and return when it is started; raise RuntimeError if it runs or is not installed."""
        found = self._begin(behavior, "startBehavior")
        if found in self._animations:
            self.world.clock.call_soon(self._finish_animation, found)

    def runBehavior(self, behavior):  # type: (str) -> None
        """Start a behaviour and return at its end."""
        found = self._begin(behavior, "runBehavior")
        if found in self._animations:
            self._finish_animation(found)
        elif found in self._running:
            self.world.clock.wait(self._running[found].done)

    def stopBehavior(self, behavior):  # type: (str) -> None
        """Stop a behaviour and return when it is stopped; raise RuntimeError if it is not loaded."""
        found = self._resolve_name(behavior, "stopBehavior")
        if found not in self.getLoadedBehaviors():
            raise self._error("stopBehavior", "Behavior %s is not running." % behavior)
        self._stop(found)

    def stopAllBehaviors(self):  # type: () -> None
        """Stop every behaviour."""
        for behavior in self.getLoadedBehaviors():
            self._stop(behavior)

    def getBehaviorNature(self, behavior):  # type: (str) -> str
        """Return the nature that the manifest gives a behaviour, such as "interactive"."""
        return str(self._find_entry(behavior, "getBehaviorNature").get("nature", ""))

    def getBehaviorTags(self, behavior):  # type: (str) -> List[str]
        """List the tags that the manifest gives a behaviour."""
        tags = self._find_entry(behavior, "getBehaviorTags").get("langToTags", {})
        return sorted({tag for each in tags.values() for tag in each})

    def getTagList(self):  # type: () -> List[str]
        """List the tags of all behaviours."""
        return sorted({tag for behavior in map_behaviours(self.world) for tag in self.getBehaviorTags(behavior)})

    def getBehaviorsByTag(self, tag):  # type: (str) -> List[str]
        """List the behaviours that have a tag."""
        tag = self._text(tag, "getBehaviorsByTag")
        return [each for each in sorted(map_behaviours(self.world)) if tag in self.getBehaviorTags(each)]

    def addDefaultBehavior(self, behavior):  # type: (str) -> None
        """Add a behaviour to those that playDefaultProject starts."""
        found = self._require_installed(behavior, "addDefaultBehavior")
        if found not in self._defaults:
            self._defaults.append(found)

    def removeDefaultBehavior(self, behavior):  # type: (str) -> None
        """Remove a behaviour from those that playDefaultProject starts."""
        found = self._resolve_name(behavior, "removeDefaultBehavior")
        self._defaults = [each for each in self._defaults if each != found]

    def getDefaultBehaviors(self):  # type: () -> List[str]
        """List the behaviours that playDefaultProject starts."""
        return list(self._defaults)

    def playDefaultProject(self):  # type: () -> None
        """Start the default behaviours that do not run."""
        for behavior in self._defaults:
            if behavior not in self.getRunningBehaviors():
                self.startBehavior(behavior)

    def leftovers(self):  # type: () -> List[str]
        """List the behaviours still running."""
        return ["Behavior %s is still running." % behavior for behavior in self.getRunningBehaviors()]

    def forget_package(self, uuid):  # type: (str) -> None
        """Stop the behaviours of a package that is about to be removed or replaced, and drop them from the defaults."""
        for behavior in self.getLoadedBehaviors():
            if (behavior + "/").startswith(uuid + "/"):
                self._stop(behavior)
        self._defaults = [each for each in self._defaults if not (each + "/").startswith(uuid + "/")]

    def _resolve_name(self, name, method):  # type: (str, str) -> str
        name = self._text(name, method)
        for prefix in (_USER_PREFIX, _SYSTEM_PREFIX):
            name = name[len(prefix) :] if name.startswith(prefix) else name
        if self._is_stock(name):
            return name
        try:
            return resolve_name(self.world, name)
        except AmbiguousName as error:
            raise self._error(method, "%s." % error)

    def _list_stock(self):  # type: () -> List[str]
        """List the behaviours of the maker's packages, which only take their time."""
        packages = self.world.find(PackageManager)
        own = packages.list_system_behaviours() if packages is not None else []
        return sorted(animations.list_animations(self.world) + own)

    def _is_stock(self, name):  # type: (str) -> bool
        packages = self.world.find(PackageManager)
        return animations.has_animation(self.world, name) or (
            packages is not None and name in packages.list_system_behaviours()
        )

    def _require_installed(self, name, method):  # type: (str, str) -> str
        found = self._resolve_name(name, method)
        if not found:
            raise self._error(method, "Behavior %s is not installed." % name)
        return found

    def _find_entry(self, behavior, method):  # type: (str, str) -> Manifest
        """Return the manifest's entry about a behaviour, an empty dict when there is none."""
        uuid, _, path = self._require_installed(behavior, method).partition("/")
        packages = self.world.find(PackageManager)
        manifest = packages.manifest_of(uuid) if packages is not None else None
        rows = manifest["behaviors"] if manifest is not None else []
        return dict(next((row for row in rows if (row["path"] or ".") == (path or ".")), {}))

    def _create(self, found, method):  # type: (str, str) -> InstalledBehaviour
        package, place = map_behaviours(self.world)[found]
        try:
            return InstalledBehaviour(self.world, package, place, self._note_end)
        except NaosimError as error:
            why = str(error).replace(package.folder, package.uuid)
        self.world.trace.note("error", where=found, message=why, handled=False)
        self._emit("behaviorFailed", found, "", why)
        raise self._error(method, "Behavior %s cannot be loaded: %s" % (found, why))

    def _load(self, behaviour):  # type: (InstalledBehaviour) -> None
        if not behaviour.is_loaded:
            self.world.behaviour_folders[behaviour.id] = behaviour.folder
            behaviour.load()
            self._emit("behaviorLoaded", behaviour.id)

    def _begin(self, behavior, method):  # type: (str, str) -> str
        found = self._require_installed(behavior, method)
        if found in self.getRunningBehaviors():
            raise self._error(method, "Behavior %s is already running." % behavior)
        if self._is_stock(found):
            self._animations[found] = SimEvent(self.world.clock)
            seconds = animations.get_duration(self.world, found)
            self.world.trace.note("animate", path=found, service=self.name, duration=seconds)
        else:
            behaviour = self._loaded.get(found) or self._create(found, method)
            self.watch.begin()
            self._running[found] = behaviour
            self._loaded.pop(found, None)
            self.world.trace.note("start", behaviour=found)
            self._load(behaviour)
            self.world.clock.call_soon(behaviour.start)
        self._emit("behaviorStarted", found)
        self._raise_running()
        return found

    def _stop(self, found):  # type: (str) -> None
        if found in self._animations:
            self._animations[found].set()
            return
        behaviour = self._running.get(found) or self._loaded.get(found)
        if behaviour is not None:
            # The caller might be one of the behaviour's own boxes, and then has to return from the call first.
            self.world.clock.call_soon(behaviour.interrupt)
            self.world.clock.wait(behaviour.done, _MAX_STOP_S)

    def _note_end(self, behaviour):  # type: (InstalledBehaviour) -> None
        """Forget a behaviour that has ended, and raise the events of its end; called by the behaviour."""
        self._loaded.pop(behaviour.id, None)
        was_running = self._running.pop(behaviour.id, None) is not None
        self.watch.end(behaviour)
        if was_running:
            self._emit("behaviorStopped", behaviour.id)
            self._raise_running()
            life = self.world.find(ALAutonomousLife)
            if life is not None:
                life.behavior_ended(behaviour.id)

    def _finish_animation(self, behavior):  # type: (str) -> None
        try:
            is_endless = behavior == WIZARD or animations.is_endless(behavior)
            seconds = None if is_endless else animations.get_duration(self.world, behavior)
            self.world.clock.wait(self._animations[behavior], seconds)
        finally:
            del self._animations[behavior]
        self._emit("behaviorStopped", behavior)
        self._raise_running()

    def _raise_running(self):  # type: () -> None
        self.world.memory.raiseEvent("BehaviorsRun", self.getRunningBehaviors())


# ALFrameManager.

_APPS_FOLDER = "PackageManager/apps"  # the folder of a robot's packages, in its user's data


class ALFrameManager(Service):
    """Gives a box the folder of its behaviour, ends behaviours, and moves timelines."""

    def getBehaviorPath(self, behavior):  # type: (str) -> str
        """Return the folder of a behaviour, by the id a box has; raise RuntimeError for an unknown id.

        It is below PackageManager/apps as on a robot, where boxes look for the package in it. The path of a behaviour
        in the top folder of its package ends with a dot, as on a Pepper (pepperhacking/robot-jumpstarter, issue 3).
        """
        folder = self._folder(behavior, "getBehaviorPath")
        package, _, inside = behavior.partition("/")
        depth = len([part for part in inside.split("/") if part not in ("", ".")])
        root = os.path.normpath(os.path.join(folder, *[os.pardir] * depth))
        is_installed = os.path.dirname(root) == self.world.home or _APPS_FOLDER in folder.replace(os.sep, "/")
        if not is_installed and package and os.path.isdir(root):
            folder = os.path.normpath(os.path.join(self.world.link_uploaded(package, root), inside))
        return folder + "/." if inside == "." else folder

    def exitBehavior(self, behavior):  # type: (str) -> None
        """Stop a behaviour, by its id, or the timeline of a box or around it, by the box's; raise RuntimeError."""
        known = self._text(behavior, "exitBehavior") in self._get_folders()
        name = "ALFrameManager__%s__root" % behavior.replace("/", "_") if known else behavior
        box = self.world.modules.get(name)
        if not isinstance(box, scripting.BoxBase):
            raise self._error("exitBehavior", "Behavior %s does not exist." % behavior)
        timeline = None if known else box.getTimeline()
        if timeline is not None:
            timeline.stop()
        elif known:
            box.exitBehavior()
        else:
            box.exitBehaviorParent()

    # Timelines, by the name of their box.

    def getTimelineFps(self, box):  # type: (str) -> int
        """Return the frames per second of a box's timeline."""
        return int(self._timeline(box, "getTimelineFps").getFPS())

    def setTimelineFps(self, box, fps):  # type: (str, int) -> None
        """Change the frames per second of a box's timeline, 1 to 1000."""
        self._timeline(box, "setTimelineFps").setFPS(int(self._number(fps, "setTimelineFps", 1, 1, 1000)))

    def getMotionLength(self, box):  # type: (str) -> float
        """Return the seconds that a box's timeline takes."""
        timeline = self._timeline(box, "getMotionLength")
        return float(timeline.getSize()) / float(timeline.getFPS())

    def playTimeline(self, box):  # type: (str) -> None
        """Start a box's timeline."""
        self._timeline(box, "playTimeline").play()

    def stopTimeline(self, box):  # type: (str) -> None
        """Stop a box's timeline."""
        self._timeline(box, "stopTimeline").stop()

    @overloads("s s", "s i")
    def gotoAndPlay(self, box, frame):  # type: (str, Union[str, int]) -> None
        """Move the cursor of a box's timeline to a frame, by number or name, and start it there."""
        self._timeline(box, "gotoAndPlay").gotoAndPlay(self._check_frame(frame, "gotoAndPlay"))

    @overloads("s s", "s i")
    def gotoAndStop(self, box, frame):  # type: (str, Union[str, int]) -> None
        """Move the cursor of a box's timeline to a frame, by number or name, and stop it there."""
        self._timeline(box, "gotoAndStop").gotoAndStop(self._check_frame(frame, "gotoAndStop"))

    def getLoadedBehaviors(self):  # type: () -> List[str]
        """List the ids of the loaded behaviours."""
        return sorted(self._get_folders())

    getBehaviors = getRunningBehaviors = getLoadedBehaviors

    def isBehaviorLoaded(self, behavior):  # type: (str) -> bool
        """Return whether a behaviour is loaded."""
        return self._text(behavior, "isBehaviorLoaded") in self._get_folders()

    def _timeline(self, name, method):  # type: (str, str) -> Any
        """Return the timeline of a box, or else the one around it; raise RuntimeError if none exists."""
        box = self.world.modules.get(self._text(name, method))
        found = (box.getTimeline() or box.getParentTimeline()) if isinstance(box, scripting.BoxBase) else None
        if found is None:
            raise self._error(method, "Box %s has no timeline." % name)
        return found

    def _check_frame(self, frame, method):  # type: (Union[str, int], str) -> Union[str, int]
        """Check the number or name of a frame, and return it."""
        return self._text(frame, method, 1) if isinstance(frame, TEXTS) else int(self._number(frame, method, 1))

    def _folder(self, behavior, method):  # type: (str, str) -> str
        known = self._get_folders()
        if self._text(behavior, method) not in known:
            raise self._error(method, "Behavior %s does not exist." % behavior)
        return known[behavior]

    def _get_folders(self):  # type: () -> Dict[str, str]
        """Return the folder of every behaviour the robot has loaded, by id."""
        return self.world.behaviour_folders


# ALPythonBridge.

_BRIDGE_PLACE = "ALPythonBridge"


class ALPythonBridge(Service):
    """Runs code for box scripts, in the interpreter that they share; the trace notes what it prints."""

    def eval(self, code):  # type: (str) -> str
        """Run code and return ""; every script finds the names it makes. Raise RuntimeError when it fails."""
        try:
            self._run(self._text(code, "eval"))
        except TaskEnded:
            raise
        except Exception as error:
            raise self._error("eval", reason(error))
        return ""

    def evalReturn(self, code):  # type: (str) -> ALValue
        """Return the value of an expression. Raise RuntimeError when it fails."""
        try:
            return self._value(self._text(code, "evalReturn"))
        except TaskEnded:
            raise
        except Exception as error:
            raise self._error("evalReturn", reason(error))

    def evalFull(self, code):  # type: (str) -> ALValue
        """Run code and return [value, error, "", ""]: the value of an expression, and why it failed or ""."""
        text, answer = self._text(code, "evalFull"), [None, "", "", ""]  # type: str, List[object]
        try:
            compile(text, _BRIDGE_PLACE, "eval")
        except (SyntaxError, TypeError, ValueError):
            run = self._run  # type: Callable[[str], object]
        else:
            run = self._value
        try:
            answer[0] = run(text)
        except TaskEnded:
            raise
        except Exception as error:
            answer[1] = reason(error)
            self.world.warn("ALPythonBridge.evalFull", "%s, in %.60r" % (answer[1], text))
        return answer

    def _run(self, code):  # type: (str) -> None
        names = self._collect_names()
        before = dict(names)
        try:
            exec(compile_script(code, _BRIDGE_PLACE, rewrite=True), names)
        finally:
            made = {name: value for name, value in names.items() if before.get(name, names) is not value}
            made.pop("__builtins__", None)
            self._share(made, before)

    def _value(self, code):  # type: (str) -> ALValue
        return eval(code, self._collect_names())

    def _collect_names(self):  # type: () -> Dict[str, ALValue]
        names = scripting.list_script_names(self.world)
        names.update(self.world.shared_names)
        return names

    def _share(self, made, before):  # type: (Dict[str, ALValue], Dict[str, ALValue]) -> None
        """Give names to all scripts, also running ones; a script keeps names that it has set itself."""
        self.world.shared_names.update(made)
        for module in list(self.world.modules.values()):
            namespace = getattr(getattr(module, "_naosim_box", None), "namespace", {})  # type: Dict[str, object]
            for name, value in made.items() if namespace else ():
                if name not in namespace or namespace[name] is before.get(name):
                    namespace[name] = value
