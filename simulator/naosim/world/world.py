"""The world of one robot: the state that its services, boxes and scripts share. Runs no behaviour itself."""

from __future__ import absolute_import, division, print_function

import os
import shutil
import tempfile
from collections import OrderedDict

from naosim.body.body import Body
from naosim.body.lights import Lights
from naosim.compat import PY2, UNICODE, native
from naosim.formats.manifest import model
from naosim.kernel.rng import PortableRandom
from naosim.world.faults import Faults
from naosim.world.interpreter import Interpreter
from naosim.world.script_service import PythonService
from naosim.world.trace import Trace

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterable

    from naosim.kernel.clock import Clock

#: The home of the user of every robot, and the folder, which no package can be called, that stands for it.
NAO_HOME, USER_FOLDER = "/home/nao/", ".nao"


class World(object):
    """The shared state of one robot: clock, trace, faults, random numbers, memory, services and more.

    `body`               the joints and the place on the floor;
    `lights`             what every light shows;
    `modules`            the modules of scripts and boxes, by name;
    `shared_names`       the names that ALPythonBridge has given to all scripts;
    `tasks`              the posted calls that are not over, by task number;
    `packages`           the installed packages, by uuid;
    `camera`             the picture, or the folder of pictures, that the cameras see; None for a test card;
    `sights`             what is in sight or near, as the events of the services that would notice it;
    `people`             who is in sight, by number: what is to be noticed of a person, by name;
    `behaviour_folders`  the folders of the loaded behaviours, by behaviour id;
    `behaviours`         the loaded behaviours, by id;
    `projects`           the files of those loaded last, by id, in the order in which they were loaded;
    `observers`          who is told what boxes do beyond the trace (naosim.player.observer), nobody as a rule;
    `session`            the qi session that all boxes share, None before its first use;
    `last_uploaded`      the uuid of the project that was loaded last, as if Choregraphe had uploaded it;
    `lacking`            the services that no robot of this kind has;
    `rewrites`           whether scripts are rewritten as Python 3, None before the first behaviour is loaded;
    `is_strict`          whether what a robot only puts up with fails the run;
    `folder`             the folder of the package, where the project's own place does not say it;
    `home`               the folder of installed packages, None for a temporary one;
    `url`                where programs reach the robot over libqi, "" where nothing serves it;
    `at_end`             the calls that `close` makes.
    """

    def __init__(
        self,
        clock,
        faults=None,
        seed=0,
        posture="Stand",
        languages=("English",),
        folder=None,
        home=None,
        robot_type="Nao",
        trace=None,
        camera=None,
    ):
        # type: (Clock, Faults | None, int, str, Iterable[str], str | None, str | None, str, Trace | None, str | None) -> None
        self.clock = clock
        self.trace = trace or Trace(clock)
        self.faults = faults or Faults()
        self.random = PortableRandom(seed)
        self._posture, self.posture_since = posture, clock.now()
        self.body, self.lights = Body(clock, posture), Lights(clock)
        self.languages = tuple(languages)
        self.folder = folder
        self.home = None if home is None else os.path.abspath(native(home))
        self.robot_type = model(robot_type)
        self.camera = camera
        self.memory = None  # type: Any
        self.services = {}  # type: dict[str, Any]
        self.modules = {}  # type: dict[str, Any]
        self.shared_names = {}  # type: dict[str, Any]
        self.tasks = {}  # type: dict[int, Any]
        self.packages = {}  # type: dict[str, Any]
        self.sights = {}  # type: dict[str, Any]
        self.people = {}  # type: dict[int, dict[str, Any]]
        self.preferences = {}  # type: dict[str, Any]
        self.behaviour_folders = {}  # type: dict[str, str]
        self.behaviours = {}  # type: dict[str, Any]
        self.projects = OrderedDict()  # type: OrderedDict[str, Any]
        self.observers = []  # type: list[Any]
        self.session = None  # type: Any
        self.lacking = frozenset()  # type: frozenset[str]
        self.last_uploaded = ""
        self.is_strict = False
        self.rewrites = None  # type: bool | None
        self.url = ""
        self.at_end = []  # type: list[Callable[[], object]]
        self.interpreter = Interpreter(self.behaviour_folders)
        self._writable = None  # type: str | None
        self._last_task = 0

    @property
    def posture(self):  # type: () -> str
        """Return the name of the posture; `posture_since` is when the robot took it."""
        return self._posture

    @posture.setter
    def posture(self, posture):  # type: (str) -> None
        """Set the name of the posture."""
        if posture != self._posture:
            self._posture, self.posture_since = posture, self.clock.now()

    def install(self, memory, services):  # type: (Any, dict[str, Any]) -> None
        """Set ALMemory, which the robot itself uses even if scripts find no such service, and the services by name."""
        self.memory = memory
        self.services = dict(services)

    def warn(self, where, message, **fields):  # type: (str, str, **Any) -> None
        """Record what a robot puts up with and a person should look at: a warning, in a strict world a failure."""
        if self.is_strict:
            fields["handled"] = False
        self.trace.note("error" if self.is_strict else "warning", where=where, message=message, **fields)

    def service(self, name):  # type: (str) -> Any
        """Return the service of this name; raises the robot's RuntimeError when there is none."""
        found = self.services.get(name)
        if found is None:
            made = self.modules.get(name)
            if made is None:
                raise RuntimeError("Can't find service: %s" % name)
            found = PythonService(name, made)
        return found

    def language(self):  # type: () -> str
        """Return the language the robot speaks at the moment; without ALTextToSpeech, its first language."""
        voice = self.services.get("ALTextToSpeech")
        return str(voice.getLanguage()) if voice is not None else str(self.languages[0])

    def next_task_number(self):  # type: () -> int
        """Return the number for the next posted call: 1, 2, 3, ..."""
        self._last_task += 1
        return self._last_task

    def text_out(self, value, where):  # type: (Any, str) -> str
        """Return a text given to a service; raises the robot's RuntimeError unless it is a `str` (2.7: no unicode)."""
        if isinstance(value, str):
            return value
        if PY2 and isinstance(value, UNICODE):
            raise RuntimeError("%s: unicode %r given, NAOqi on Python 2.7 takes UTF-8 str" % (where, value))
        raise RuntimeError("%s: a string is needed, not %r" % (where, value))

    def home_folder(self):  # type: () -> str
        """Return the folder of installed packages, created if missing; without a `home` it is removed by `close`."""
        home = self.home or os.path.join(self.writable_folder(), "PackageManager", "apps")
        if not os.path.isdir(home):
            os.makedirs(home)
        return home

    def user_folder(self):  # type: () -> str
        """Return the folder that is the robot's own user's, "~": beside the installed packages, or a temporary one."""
        return os.path.join(self.home, USER_FOLDER) if self.home else self.writable_folder()

    def file_path(self, path):  # type: (str) -> str
        """Return where a file of the robot lies here: the user's folder stands for /home/nao/ if there is none."""
        if not path.startswith(NAO_HOME) or os.path.isdir(NAO_HOME):
            return path
        inside = os.path.normpath("/" + path[len(NAO_HOME) :])
        return os.path.join(self.user_folder(), inside.lstrip("/"))

    def uploaded(self, package, root):  # type: (str, str) -> str
        """Return a path below PackageManager/apps that leads to a package's folder, or that where links are unknown."""
        place = os.path.join(self.writable_folder(), ".uploaded", "PackageManager", "apps")
        link = os.path.join(place, os.path.basename(package))
        try:
            if not os.path.isdir(place):
                os.makedirs(place)
            if not os.path.islink(link):
                os.symlink(os.path.abspath(root), link)
            return link
        except (AttributeError, OSError):
            return root

    def writable_folder(self):  # type: () -> str
        """Return a temporary folder for files that scripts write; it is removed by `close`."""
        if self._writable is None:
            self._writable = tempfile.mkdtemp(prefix="naosim-")
        return self._writable

    def close(self):  # type: () -> None
        """End what services run, forget the behaviours' modules and remove the temporary folder.

        The clock has to be closed before.
        """
        for end in self.at_end:
            end()
        self.interpreter.forget()
        if self._writable is not None:
            shutil.rmtree(self._writable, ignore_errors=True)
            self._writable = None
