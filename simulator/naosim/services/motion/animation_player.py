"""ALAnimationPlayer: stock animations that fit the posture."""

from __future__ import absolute_import, division, print_function

from naosim import body
from naosim.services.base import Service, overloads
from naosim.services.motion import animation_catalogue
from naosim.services.motion.posture import FAMILIES

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.world import World


class ALAnimationPlayer(Service):
    """Plays the animations NAO is delivered with."""

    _hidden = frozenset(["stopAll", "found", "tagged", "move"])

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._tags = {}  # type: Dict[str, List[str]]
        self._playing = []  # type: List[str]

    def run(self, path):  # type: (str) -> None
        """Play an animation and return at its end; raise RuntimeError when it is unknown or for another posture."""
        self.play_as(self.name, self.found(path, "run"))

    def runTag(self, tag):  # type: (str) -> None
        """Play an animation with a tag; raise RuntimeError when there is none for the posture."""
        self.play_as(self.name, self.tagged(tag, "runTag"))

    @overloads("{s[s]}")
    def addTagForAnimations(self, tags):  # type: (Dict[str, List[str]]) -> None
        """Add animations to tags, from a map of tag to paths."""
        if not isinstance(tags, dict):
            raise self._mistyped(tags, "Map", "addTagForAnimations", 0)
        for tag, paths in sorted(tags.items()):
            own = self._tags.setdefault(self._text(tag, "addTagForAnimations"), [])
            for path in self._texts(paths, "addTagForAnimations"):
                own.append(self.found(path, "addTagForAnimations", False))

    def declarePathForTags(self, path):  # type: (str) -> None
        """Accept and ignore a folder whose animations carry tags of their own."""
        self._text(path, "declarePathForTags")

    def reset(self):  # type: () -> None
        """Forget the tags that programs added."""
        self._tags.clear()

    def found(self, path, method, must_fit=True):  # type: (str, str, bool) -> str
        """Return the full path of an animation; raise RuntimeError when it is unknown or does not fit the posture."""
        family = FAMILIES.get(self.world.posture, "Unknown")
        full = animation_catalogue.full_path(self._text(path, method), family)
        if full is None:
            raise self._error(method, "Animation %r is not installed." % path)
        if must_fit and not animation_catalogue.fits(full, family):
            posture = self.world.posture
            raise self._error(method, "Animation %r cannot be played: the robot's posture is %s." % (path, posture))
        return full

    def tagged(self, tag, method):  # type: (str, str) -> str
        """Choose an animation with a tag at random; raise RuntimeError when none fits the posture."""
        family = FAMILIES.get(self.world.posture, "Unknown")
        own = self._tags.get(self._text(tag, method))
        choices = animation_catalogue.tagged(tag, family, own) or animation_catalogue.tagged(tag, family)
        if not choices:
            raise self._error(method, "No animation with the tag %r fits the posture %s." % (tag, self.world.posture))
        return str(self.world.random.choice(choices))

    def check_tag(self, tag, method):  # type: (str, str) -> None
        """Raise RuntimeError for a tag that no animation has, in whatever posture."""
        if self._text(tag, method) not in self._tags and tag not in animation_catalogue.TAGS:
            raise self._error(method, "No animation with the tag %r is installed." % tag)

    def play_as(self, service, path):  # type: (str, str) -> None
        """Play an animation for a service and return at its end."""
        self.world.trace.note("animate", path=path, service=service, duration=animation_catalogue.SECONDS)
        moved = self.move(path)
        self._playing.append(path)
        try:
            if self._take_time(animation_catalogue.SECONDS):
                self.world.body.halt(moved)
        finally:
            self._playing.remove(path)

    def move(self, path):  # type: (str) -> List[str]
        """Start the gesture for an animation and return its joints; where there is none, say so in the log."""
        moved = body.perform_gesture(self.world.body, path, animation_catalogue.SECONDS)
        if not moved:
            text = "The animation %s is not drawn: it takes its time and moves no joint." % path
            self.world.trace.note("log", level="info", box=self.name, text=text)
        return moved

    def leftovers(self):  # type: () -> List[str]
        """List the animations still playing."""
        return ["The animation %s is still playing." % path for path in self._playing]
