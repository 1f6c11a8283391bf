"""ALAnimatedSpeech: speech with gestures between its words. Voice and animations are those of their own services."""

from __future__ import absolute_import, division, print_function

from naosim.services.base import Service, overloads
from naosim.services.motion import animation_catalogue
from naosim.services.motion.autonomous_life import BODY_LANGUAGE
from naosim.services.speech import annotations, speech_text

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world import World

#: The settings of one text; NAO6 calls the body language "speakingMovementMode", earlier robots "bodyLanguageMode".
MODE_SETTINGS = ("speakingMovementMode", "bodyLanguageMode")
CONFIGURATION = MODE_SETTINGS + ("bodyTalk", "speakingMovement")


class ALAnimatedSpeech(Service):
    """Says annotated texts and starts the animations and events that their annotations name."""

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._mode = "contextual"
        self._task = 0

    def say(self, text, configuration=None):  # type: (str, Optional[Dict[str, Any]]) -> None
        """Say an annotated text; raise RuntimeError for an unknown annotation, animation or setting."""
        self._text(text, "say")
        mode = self._configured(configuration)
        try:
            cut = annotations.stretches(text)
        except annotations.BadAnnotation as error:
            raise self._error("say", str(error))
        for stretch in cut:
            self._check(stretch)
        self._task += 1
        self.world.trace.note("animate", text=text, mode=mode, service=self.name)
        self._perform(cut)
        self.world.memory.raiseEvent("ALAnimatedSpeech/EndOfAnimatedSpeech", self._task)

    def stopAll(self):  # type: () -> None
        """Interrupt the speech and the animations that go with it."""
        Service.stopAll(self)
        for name in ("ALTextToSpeech", "ALAnimationPlayer"):
            if name in self.world.services:
                self.world.services[name].stopAll()

    @overloads("I")
    def setBodyLanguageMode(self, mode):  # type: (int) -> None
        """Set the body language: 0 disabled, 1 random, 2 contextual."""
        self._mode = BODY_LANGUAGE[int(self._number(mode, "setBodyLanguageMode", 0, 0, 2))]

    def getBodyLanguageMode(self):  # type: () -> int
        """Return the body language as a number."""
        return BODY_LANGUAGE.index(self._mode)

    def setBodyLanguageModeFromStr(self, mode):  # type: (str) -> None
        """Set the body language by its name."""
        self._mode = self._one_of(mode, BODY_LANGUAGE, "setBodyLanguageModeFromStr", "mode")

    def getBodyLanguageModeToStr(self):  # type: () -> str
        """Return the name of the body language."""
        return self._mode

    def isBodyTalkEnabled(self):  # type: () -> bool
        """Tell whether there is any body language."""
        return self._mode != "disabled"

    def setBodyTalkEnabled(self, enabled):  # type: (bool) -> None
        """Switch the body language on (random) or off."""
        self._mode = "random" if self._flag(enabled, "setBodyTalkEnabled") else "disabled"

    def isBodyLanguageEnabled(self):  # type: () -> bool
        """Tell whether there is any body language: the old name of isBodyTalkEnabled."""
        return self.isBodyTalkEnabled()

    def setBodyLanguageEnabled(self, enabled):  # type: (bool) -> None
        """Switch the body language on (random) or off: the old name of setBodyTalkEnabled."""
        self._mode = "random" if self._flag(enabled, "setBodyLanguageEnabled") else "disabled"

    def addTagsToWords(self, words):  # type: (Any) -> None
        """Accept and ignore a map of words to the gestures they call for."""
        if not isinstance(words, dict):
            raise self._mistyped(words, "Map", "addTagsToWords", 0)

    def declareTagForAnimations(self, tags):  # type: (Any) -> None
        """Add animations to tags, as ALAnimationPlayer.addTagForAnimations does."""
        self.world.service("ALAnimationPlayer").addTagForAnimations(tags)

    def declareAnimationsPackage(self, package):  # type: (str) -> None
        """Refuse: no package of animations can be installed."""
        raise self._error("declareAnimationsPackage", "Package %r is not installed." % (package,))

    def _configured(self, configuration):  # type: (Optional[Dict[str, Any]]) -> str
        """Check the map of settings and return the body language for this text."""
        if configuration is None:
            return self._mode
        if not isinstance(configuration, dict):
            raise self._mistyped(configuration, "Map", "say", 1)
        for key in sorted(configuration):
            self._one_of(key, CONFIGURATION, "say", "setting")
        modes = [
            self._one_of(configuration[key], BODY_LANGUAGE, "say", "body language mode")
            for key in MODE_SETTINGS
            if key in configuration
        ]
        return (modes + [self._mode])[0]

    def _check(self, stretch):  # type: (annotations.Stretch) -> None
        """Refuse an animation that is not installed, before a word is said."""
        player = self.world.services.get("ALAnimationPlayer")
        if stretch.name in annotations.PATHS and player is not None:
            # Stock boxes leave the name empty where no animation was chosen.
            if stretch.value.strip():
                player.found(stretch.value, "run", False)
        elif stretch.name in annotations.TAGS and player is not None:
            player.check_tag(stretch.value, "runTag")
        elif stretch.name == "mode":
            self._one_of(stretch.value, BODY_LANGUAGE, "say", "body language mode")

    def _perform(self, cut):  # type: (List[annotations.Stretch]) -> None
        """Say the words in one piece per pause that `^run` or `^wait` makes."""
        words, started = "", {}  # type: Tuple[str, Dict[str, float]]
        for stretch in cut:
            words += stretch.words
            if stretch.name in ("run", "wait", "runTag", "waitTag", None):
                takes_time = self._takes_time(words) or len(cut) == 1
                if takes_time and not self._say(words):
                    return
                words = "" if takes_time else words
            self._act(stretch, started)

    def _takes_time(self, words):  # type: (str) -> bool
        """Tell whether there is text to say or a pause to keep; other tags wait for the next words."""
        try:
            said = speech_text.heard(words)
        except speech_text.BadTag as error:
            raise self._error("say", str(error))
        return bool(said.plain) or said.seconds > speech_text.SHORTEST

    def _say(self, words):  # type: (str) -> bool
        voice = self.world.service("ALTextToSpeech")
        return bool(voice.speak_as(self.name, words.strip()))

    def _act(self, stretch, started):  # type: (annotations.Stretch, Dict[str, float]) -> None
        player = self.world.services.get("ALAnimationPlayer")
        name, value, now = stretch.name, stretch.value, self.world.clock.now()
        if name in ("run", "runTag") and player is not None:
            path = self._fitting(player, name, value)
            if path is not None:
                player.play_as(self.name, path)
        elif name in ("wait", "waitTag"):
            end = started.get(value, -animation_catalogue.SECONDS) + animation_catalogue.SECONDS
            self._take_time(max(0.0, end - now))
        elif name == "$":
            self.world.memory.raiseEvent(value[0], value[1])
        elif name is not None and value.strip():
            started[value] = now
            self.world.trace.note("animate", path=value, service=self.name, annotation=name)
            if name == "start" and player is not None:
                path = self._fitting(player, name, value)
                if path is not None:
                    player.move(path)

    def _fitting(self, player, name, value):  # type: (Any, str, str) -> Optional[str]
        """Return the animation for an annotation; log it and return None when the posture has none."""
        if not value.strip():
            return None
        try:
            return str(player.tagged(value, name) if name in annotations.TAGS else player.found(value, name))
        except RuntimeError as error:
            text = "^%s(%s) is left out: %s" % (name, value, str(error).strip().rpartition("\n")[2].strip())
            self.world.trace.note("log", level="warn", box=self.name, text=text)
            return None
