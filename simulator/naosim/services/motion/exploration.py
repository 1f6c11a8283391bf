"""Exploration, of which ALNavigation makes maps: a round floor without obstacles around where the robot began."""

from __future__ import absolute_import, division, print_function

import json
import math
import os

from almath import Pose2D
from naosim.errors import NaosimError
from naosim.formats import write_whole
from naosim.services.base import Service

MYPY = False
if MYPY:
    from typing import Any, List, Optional

    from naosim.world import World

#: Where a robot keeps its explorations.
FOLDER = "/home/nao/.local/share/Explorer"
KIND = "exploration of a simulated robot"
#: Error codes.
DONE, CANCELLED, NOT_IN_MAP = 0, 2, 5
LARGEST = 50.0  # metres around the start
#: Metres in a pixel, as long as no more than so many pixels lie beside each other.
FINEST, MOST_PIXELS = 0.05, 100
#: How far the robot may be from where it believes to be: metres ahead and to the side, and the angle of the ellipse.
UNCERTAINTY = [0.05, 0.05, 0.0]


class Exploring(Service):
    """Explores the floor, keeps and loads what it found, and finds its way by it."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._radius = None  # type: Optional[float]
        self._origin = Pose2D()
        self._is_localizing = False
        self._saved = 0

    def explore(self, radius):  # type: (float) -> int
        """Explore the floor so many metres around; return 0 when it is done and 2 when it was stopped.

        The robot walks half of the way ahead and back.
        """
        radius = self._number(radius, "explore", 0, 0.1, LARGEST)
        origin, motion = self.world.body.walk.place(), self.world.service("ALMotion")
        for x in (radius / 2, -radius / 2):
            if not motion.moveTo(x, 0.0, 0.0):
                return CANCELLED
        self._radius, self._origin = radius, origin
        return DONE

    def stopExploration(self):  # type: () -> None
        """Stop exploring and localizing."""
        self._stop_moving()
        self._is_localizing = False

    def saveExploration(self):  # type: () -> str
        """Keep the exploration in a file and return its path."""
        content = json.dumps({"kind": KIND, "radius": self._explored("saveExploration")})
        self._saved += 1
        path = "%s/%d.explo" % (FOLDER, self._saved)
        file_path = self.world.file_path(path)
        try:
            if not os.path.isdir(os.path.dirname(file_path)):
                os.makedirs(os.path.dirname(file_path))
            write_whole(file_path, content.encode("ascii"))
        except (EnvironmentError, NaosimError) as error:
            raise self._error("saveExploration", "Unable to save the exploration: %s." % error)
        return path

    def loadExploration(self, path):  # type: (str) -> bool
        """Load an exploration, which is taken to have begun where the robot stands; return False for other files."""
        self._text(path, "loadExploration")
        radius = _radius_in(self.world.file_path(path))
        if radius is None:
            self.world.warn("ALNavigation.loadExploration", "%s is no exploration of a simulated robot." % path)
            return False
        self._radius, self._origin, self._is_localizing = radius, self.world.body.walk.place(), False
        return True

    def getExplorationPath(self):  # type: () -> Any
        """List the places of the map that the exploration went by."""
        return [[0.0, 0.0], [self._explored("getExplorationPath") / 2, 0.0], [0.0, 0.0]]

    def getMetricalMap(self):  # type: () -> Any
        """Return the map: [metres in a pixel, width, height, place of the first pixel, pixels], 100 where free."""
        radius = self._explored("getMetricalMap")
        metres = max(FINEST, 2 * radius / MOST_PIXELS)
        size = -int(-2 * radius // metres)
        middles = [(at + 0.5) * metres - size * metres / 2 for at in range(size)]
        pixels = [100.0 if math.hypot(x, y) <= radius else 0.0 for y in reversed(middles) for x in middles]
        return [metres, size, size, [-size * metres / 2, size * metres / 2], pixels]

    def startLocalization(self):  # type: () -> None
        """Follow the robot's place in the map; raise RuntimeError when nothing is explored."""
        self._explored("startLocalization")
        self._is_localizing = True

    def stopLocalization(self):  # type: () -> None
        """Follow the robot's place no more."""
        self._is_localizing = False

    def relocalizeInMap(self, estimate):  # type: (List[float]) -> Any
        """Take a place of the map, [x, y] or [x, y, angle], for where the robot stands, and return it."""
        self._explored("relocalizeInMap")
        here = self._place(estimate, "relocalizeInMap")
        self._origin = self.world.body.walk.place() * here.inverse()
        return self._localized()

    def getRobotPositionInMap(self):  # type: () -> Any
        """Return where the robot is in the map, [x, y, angle], and how sure that is."""
        self._localizing("getRobotPositionInMap")
        return self._localized()

    def navigateToInMap(self, target):  # type: (List[float]) -> int
        """Walk to a place of the map; return 0 when the robot is there. The angle of [x, y, angle] is ignored."""
        radius = self._localizing("navigateToInMap")
        place = self._place(target, "navigateToInMap")
        if math.hypot(place.x, place.y) > radius:
            return NOT_IN_MAP
        way = self._here().diff(place)
        return DONE if self.world.service("ALMotion").moveTo(way.x, way.y, 0.0) else CANCELLED

    def _stop_moving(self):  # type: () -> None
        self.world.service("ALMotion").stopMove()

    def _here(self):  # type: () -> Pose2D
        """Return the robot's place in the map."""
        return self._origin.diff(self.world.body.walk.place())

    def _localized(self):  # type: () -> List[List[float]]
        return [list(self._here().toVector()), list(UNCERTAINTY)]

    def _place(self, values, method):  # type: (Any, str) -> Pose2D
        given = [self._number(each, method, 0, -1000, 1000) for each in self._list(values, method)]
        if len(given) not in (2, 3):
            raise self._error(method, "A place is x, y and an angle, not %.60r." % (values,))
        return Pose2D(given[0], given[1], given[2] if len(given) == 3 else 0.0)

    def _explored(self, method):  # type: (str) -> float
        """Return how far the map reaches; raise RuntimeError when there is none."""
        if self._radius is None:
            raise self._error(method, "No exploration is loaded.")
        return self._radius

    def _localizing(self, method):  # type: (str) -> float
        """Return how far the map reaches; raise RuntimeError unless the robot's place in it is followed."""
        radius = self._explored(method)
        if not self._is_localizing:
            raise self._error(method, "The localization is not running.")
        return radius


def _radius_in(path):  # type: (str) -> Optional[float]
    """Return how far the exploration in a file reaches, None for a file that is none of ours."""
    try:
        with open(path, "rb") as file:
            kept = json.loads(file.read(1000).decode("ascii"))
    except (EnvironmentError, ValueError):
        return None
    radius = kept.get("radius") if isinstance(kept, dict) and kept.get("kind") == KIND else None
    return radius if isinstance(radius, float) and 0 < radius <= LARGEST else None
