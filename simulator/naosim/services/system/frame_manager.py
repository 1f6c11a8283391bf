"""ALFrameManager: the folders of the loaded behaviours, and their end."""

from __future__ import absolute_import, division, print_function

import os

from naosim.services.base import Service

#: Where a robot has its packages, in its user's data.
APPS = "PackageManager/apps"

MYPY = False
if MYPY:
    from typing import Dict, List


class ALFrameManager(Service):
    """Gives a box the folder of its behaviour, and ends behaviours and timelines."""

    def getBehaviorPath(self, behavior):  # type: (str) -> str
        """Return the folder of a behaviour, by the id a box has; raise RuntimeError for an unknown id.

        It lies below PackageManager/apps as on a robot, where boxes look for the package in it.
        """
        folder = self._folder(behavior, "getBehaviorPath")
        package, _, inside = behavior.partition("/")
        depth = len([part for part in inside.split("/") if part not in ("", ".")])
        root = os.path.normpath(os.path.join(folder, *[os.pardir] * depth))
        is_installed = os.path.dirname(root) == self.world.home or APPS in folder.replace(os.sep, "/")
        if is_installed or not package or not os.path.isdir(root):
            return folder
        return os.path.normpath(os.path.join(self.world.uploaded(package, root), inside))

    def exitBehavior(self, behavior):  # type: (str) -> None
        """Stop a behaviour, by its id, or the timeline of a box or around it, by the box's; raise RuntimeError."""
        known = self._text(behavior, "exitBehavior") in self._known()
        name = "ALFrameManager__%s__root" % behavior.replace("/", "_") if known else behavior
        box = self.world.modules.get(name)
        if box is None or not hasattr(box, "getParentTimeline"):
            raise self._error("exitBehavior", "Behavior %s does not exist." % behavior)
        timeline = None if known else box.getTimeline()
        if timeline is not None:
            timeline.stop()
        elif known:
            box.exitBehavior()
        else:
            box.exitBehaviorParent()

    def getLoadedBehaviors(self):  # type: () -> List[str]
        """List the ids of the loaded behaviours."""
        return sorted(self._known())

    def getBehaviors(self):  # type: () -> List[str]
        """List the ids of the loaded behaviours."""
        return sorted(self._known())

    def isBehaviorLoaded(self, behavior):  # type: (str) -> bool
        """Tell whether a behaviour is loaded."""
        return self._text(behavior, "isBehaviorLoaded") in self._known()

    def getRunningBehaviors(self):  # type: () -> List[str]
        """List the ids of the loaded behaviours."""
        return sorted(self._known())

    def _folder(self, behavior, method):  # type: (str, str) -> str
        known = self._known()
        if self._text(behavior, method) not in known:
            raise self._error(method, "Behavior %s does not exist." % behavior)
        return known[behavior]

    def _known(self):  # type: () -> Dict[str, str]
        """Return the folder of every behaviour the robot has loaded, by id."""
        return self.world.behaviour_folders
