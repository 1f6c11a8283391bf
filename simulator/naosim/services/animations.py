"""Stock animations: their catalogue, ALAnimationPlayer, and ALAnimatedSpeech, which plays them while NAO speaks.

The annotations of an animated text, such as `^start(animations/Stand/Gestures/Hey_1)`, name animations, sounds, tags,
modes and calls.
"""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim import body
from naosim.scheduler import SimEvent
from naosim.services.autonomous_life import BODY_LANGUAGE_MODES
from naosim.services.base import Service, overloads
from naosim.services.motion_base import POSTURE_FAMILIES
from naosim.services.packages import PackageManager
from naosim.services.voice import ALTextToSpeech
from naosim.speech_texts import collapse_blanks
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Dict, Iterable, List, Optional, Tuple

    from naosim.compat import ALValue

# Installed animations, and the tags that choose among them.

_ANIMATION_S = 2.5  # the duration of an animation; the real ones take two to five
#: The durations of animations on a Pepper 1.8A (labbgulab-lab/robot-hub, pepper.md), in seconds.
_SEEN_ON_PEPPER_S = {"animations/Stand/Gestures/Hey_1": 4.4}
_ANIMATION_PREFIX = "animations/"

# Under each folder, "Name 3" stands for Name_1 to Name_3, "Name 0" for Name itself.
_STOCK_ANIMATIONS = """
Stand/BodyTalk/Listening:
    ListeningLeft 3, ListeningRight 3, Listening 4
Stand/BodyTalk/Thinking:
    Remember 3, ThinkingLoop 2
Stand/BodyTalk/Speaking:
    BodyTalk 22
Stand/Emotions/Negative:
    Angry 4, Anxious 1, Bored 2, Disappointed 1, Exhausted 2, Fear 2, Fearful 1, Frustrated 1, Humiliated 1, Hurt 2,
    Late 1, Sad 2, Shocked 1, Sorry 1, Surprise 3
Stand/Emotions/Neutral:
    Alienated 1, Annoyed 1, AskForAttention 3, Cautious 1, Confused 1, Determined 1, Embarrassed 1, Hello 1,
    Hesitation 1, Innocent 1, Lonely 1, Mischievous 1, Puzzled 1, Sneeze 0, Stubborn 1, Suspicious 1
Stand/Emotions/Positive:
    Amused 1, Confident 1, Ecstatic 1, Enthusiastic 1, Excited 3, Happy 4, Hungry 1, Hysterical 1, Interested 2,
    Laugh 3, Mocker 1, Optimistic 1, Peaceful 1, Proud 3, Relieved 1, Shy 2, Sure 1, Winner 2
Stand/Gestures:
    Angry 3, Applause 1, BowShort 1, But 1, CalmDown 6, Caress 2, CatchFly 2, Choice 2, Claw 2, Coaxing 2, ComeOn 1,
    Confused 2, CountFive 2, CountFour 2, CountMore 2, CountOne 2, CountThree 2, CountTwo 2, Desperate 5,
    Enthusiastic 5, Everything 6, Excited 1, Explain 11, Far 3, Follow 1, Freeze 1, Give 6, Great 1, HeSays 3,
    Hey 7, Hide 1, Hungry 1, IDontKnow 6, JointHands 3, Joy 1, Kisses 1, Look 2, Maybe 1, Me 8, Mime 2, Next 1,
    No 9, Nothing 2, OnTheEvening 5, Please 3, Reject 6, Salute 3, Shoot 1, ShowFloor 5, ShowSky 12, Shy 1,
    Stretch 2, Surprised 1, Take 1, Thinking 8, This 15, WhatSThis 16, Wings 5, Yes 3, You 5, YouKnowWhat 6, Yum 1
Stand/Reactions:
    BumperLeft 1, BumperRight 1, Bumpers 3, EthernetOff 1, EthernetOn 1, Heat 2, LightShine 4, SeeColor 3,
    SeeSomething 8, ShakeBody 3, TouchHead 4
Stand/Waiting:
    AirGuitar 1, AirJuggle 1, BackRubs 1, Bandmaster 1, Binoculars 1, CallSomeone 1, Drink 1, DriveCar 1, Fitness 3,
    FunnyDancer 1, FunnySlide 1, HappyBirthday 1, Headbang 1, Helicopter 1, HideEyes 1, HideHands 1, Innocent 1,
    Knight 1, KnockEye 1, KungFu 1, LookHand 2, LoveYou 1, Monster 1, MysticalPower 1, PlayHands 3, Relaxation 4,
    Rest 1, Robot 1, ScratchBack 1, ScratchBottom 1, ScratchEye 1, ScratchHand 1, ScratchHead 1, ScratchLeg 1,
    ScratchTorso 1, ShowMuscles 5, ShowSky 2, SpaceShuttle 1, Stretch 3, TakePicture 1, Taxi 1, Think 4, Vacuum 1,
    Waddle 2, WakeUp 1, WalkInTheShit 1, Zombie 1
Stand/Enumeration/NAO:
    Center_Neutral_ENU 7, Center_Slow_ENU 4, Center_Strong_ENU 4, Left_Neutral_ENU 5, Left_Slow_ENU 3,
    Left_Strong_ENU 4, Right_Neutral_ENU 5, Right_Slow_ENU 3, Right_Strong_ENU 4
Stand/Negation/NAO:
    Center_Neutral_NEG 5, Center_Slow_NEG 3, Center_Strong_NEG 5, Left_Neutral_NEG 3, Left_Strong_NEG 4,
    Right_Neutral_NEG 3, Right_Strong_NEG 4
Sit/BodyTalk/Listening:
    Listening 4
Sit/BodyTalk/Thinking:
    Remember 3, ThinkingLoop 2
Sit/BodyTalk/Speaking:
    BodyTalk 12
Sit/Emotions/Negative:
    Angry 1, Fear 1, Frustrated 1, Hurt 1, Late 1, Sad 1, Surprise 1
Sit/Emotions/Neutral:
    AskForAttention 3, Sneeze 1
Sit/Emotions/Positive:
    Happy 4, Hungry 1, Laugh 2, Mocker 1, Shy 1, Winner 1
Sit/Gestures:
    ComeOn 1, Hey_3 0, Me_7 0, You_4 0
Sit/Reactions:
    BumperLeft 1, BumperRight 1, Bumpers 3, EthernetOff 1, EthernetOn 1, Heat 1, LightShine 4, SeeColor 3,
    ShakeBody 3, TouchHead 4
Sit/Waiting:
    AutoFormat 1, Binoculars 1, Bored 1, CallSomeone 1, CatchFly 1, Cramp 1, DriveCar 1, FalseStop 2, Fitness 1,
    GeoCircle 1, GeoSquare 1, GeoTriangle 1, KnockEye 1, KnockKnee 2, LookHand 2, Music_HighwayToHell 1,
    Music_VieEnRose 1, MysticalPower 1, Oar 1, Phone 1, PlayHands 3, Pong 1, PoorlySeated 1, Puppet 1, Relaxation 3,
    Rest 1, Robot 1, ScratchBack 1, ScratchEye 1, ScratchHand 1, ScratchHead 1, ScratchLeg 1, ScratchTorso 1,
    TakePicture 1, Think 3, WakeUp 1, Yawn 1, ZenCircles 1
SitOnPod/BodyTalk/Listening:
    Listening 8
SitOnPod/BodyTalk/Thinking:
    Remember 3, ThinkingLoop 2
SitOnPod/BodyTalk/Speaking:
    BodyTalk 12
SitOnPod/Emotions/Neutral:
    Hello 1
SitOnPod/Gestures:
    Choice 1, CountThree 2, CountTwo 2, Everything 4, Everything_6 0, HeSays 3, Hey 4, Hey_6 0, Hey_7 0, Me 2,
    Me_4 0, Me_7 0, Me_8 0, No 9, This 15, WhatSThis 16, Yes 3, You 5
LED:
    CircleEyes 0
"""

#: The animations that only a Pepper has: lists of two Peppers say the same (PospisilDav/Semesterprojekt-Pepperroboter,
#: Upload/StandBehaviors.txt; hcicsebuffalo/nao_dev, temp/animations_pepper.txt).
_PEPPER_ANIMATIONS = """
Stand/BodyTalk/Listening:
    Listening_5 0, Listening_6 0, Listening_7 0
Stand/Gestures:
    BowShort_2 0, BowShort_3 0, DontUnderstand 1, Hey_8 0, Hey_9 0, Hey_10 0, Hot 2, ShowTablet 3, TakePlace 2,
    Whisper 1
Stand/Waiting:
    BreathLoop 3
"""

#: The animations for standing that a Pepper lacks, by the same lists.
_NAO_ANIMATIONS = """
Stand/BodyTalk/Listening:
    ListeningLeft 3, ListeningRight 3
Stand/BodyTalk/Speaking:
    BodyTalk_17 0, BodyTalk_18 0, BodyTalk_19 0, BodyTalk_20 0, BodyTalk_21 0, BodyTalk_22 0
Stand/Emotions/Neutral:
    Annoyed 1, Hello 1
Stand/Gestures:
    Applause 1, Caress 2, CatchFly 2, Choice_2 0, Claw 2, Coaxing 2, CountFive_2 0, CountFour_2 0, CountMore_2 0,
    CountOne_2 0, CountThree_2 0, CountTwo_2 0, Enthusiastic 2, Everything_5 0, Explain_9 0, Freeze 1, Hey_5 0,
    Hungry 1, JointHands 3, Me_3 0, Me_5 0, Me_6 0, Shoot 1
Stand/Reactions:
    BumperLeft 1, BumperRight 1, Bumpers 3, SeeSomething_2 0
Stand/Waiting:
    AirJuggle 1, FunnySlide 1, Headbang 1, Stretch_3 0, Vacuum 1, WalkInTheShit 1
"""

_ANIMATION_POSTURES = {"Stand": ("Standing",), "Sit": ("Sitting", "SittingOnGround"), "SitOnPod": ("SittingOnChair",)}

_TAGS = """
    hello: Hey_1 Hey_3 Hello_1; hey: Hey_1 Hey_3; me: Me_1 Me_7; myself: Me_1 Me_7; you: You_1 You_4; yes: Yes_1 Yes_2;
    no: No_1 No_9; explain: Explain_1 Explain_4; think: Thinking_1 Think_1; ponder: Thinking_4 Think_2;
    happy: Happy_4 Happy_1; joy: Joy_1 Happy_4; excited: Excited_1 Happy_4; enthusiastic: Enthusiastic_4 Happy_4;
    sad: Sad_1; bow: BowShort_1; please: Please_1; ignorant: IDontKnow_1; confused: Confused_1;
    disappointed: Disappointed_1 Frustrated_1; thank: BowShort_1 Me_7; show: This_1; winner: Winner_1;
    affirmative: Yes_1; negative: No_9; body language: BodyTalk_1 BodyTalk_5; bodyTalk: BodyTalk_1 BodyTalk_5
"""
_ANIMATION_TAGS = {
    tag.strip(): tuple(names.split()) for tag, _, names in (row.partition(":") for row in _TAGS.split(";"))
}


def _list_stock(table):  # type: (str) -> Dict[str, List[str]]
    """Expand a table: list every path, by the posture that its first folder names."""
    paths = {}  # type: Dict[str, List[str]]
    for folder, names in re.findall(r"(\S+):\n((?: .*\n)+)", table):
        stock = paths.setdefault(folder.split("/")[0], [])
        for name, count in re.findall(r"(\w+) (\d+)", names):
            spelled = "%s_%02d" if name.endswith(("_ENU", "_NEG")) else "%s_%d"
            numbered = [spelled % (name, number) for number in range(1, int(count) + 1)]
            stock += ["%s%s/%s" % (_ANIMATION_PREFIX, folder, each) for each in numbered or [name]]
    return paths


_INSTALLED_ANIMATIONS = _list_stock(_STOCK_ANIMATIONS)
_OF_PEPPER = frozenset(_list_stock(_PEPPER_ANIMATIONS)["Stand"])
_OF_NAO = frozenset(_list_stock(_NAO_ANIMATIONS)["Stand"])
_INSTALLED_ANIMATIONS["Stand"] += sorted(_OF_PEPPER)
POSTURE_OF_ANIMATION = {path: posture for posture, paths in _INSTALLED_ANIMATIONS.items() for path in paths}
ANIMATION_PATHS = sorted(POSTURE_OF_ANIMATION)


def _get_folder(family):  # type: (str) -> Optional[str]
    """Return the animation folder for a posture family, None if none exists.

    >>> _get_folder("Sitting")
    'Sit'
    """
    return next((folder for folder, families in sorted(_ANIMATION_POSTURES.items()) if family in families), None)


def _fill_path(path, family):  # type: (str, str) -> str
    """Fill in `[posture]` and return the path.

    >>> _fill_path("animations/[posture]/Gestures/Hey_3", "Sitting")
    'animations/Sit/Gestures/Hey_3'
    """
    filled = path.strip().replace("[posture]", _get_folder(family) or "?")
    if not filled.startswith(_ANIMATION_PREFIX):
        filled = _ANIMATION_PREFIX + filled
    return filled


# ALAnimationPlayer.


#: The animations that repeat until they are stopped, as seen on a Pepper (mfbergmann/PepperEvolution, docs/HANDOFF.md).
_ENDLESS = ("animations/LED/CircleEyes",)
_PACKAGE = "animations"
#: The folders that a Pepper lacks.
_NAO_FOLDERS = tuple(
    _ANIMATION_PREFIX + each for each in ("Sit/", "SitOnPod/", "Stand/Enumeration/NAO/", "Stand/Negation/NAO/")
)


def list_animations(world):  # type: (World) -> List[str]
    """List the animations of this robot, which a Pepper has none of for sitting; none if their package was removed."""
    return [path for path in ANIMATION_PATHS if has_animation(world, path)] if _has_package(world) else []


def has_animation(world, path):  # type: (World, str) -> bool
    """Return whether an animation is installed."""
    is_for_nao = path in _OF_NAO or path.startswith(_NAO_FOLDERS)
    is_for_others = is_for_nao if world.robot_type == "Juliette" else path in _OF_PEPPER
    return path in POSTURE_OF_ANIMATION and not is_for_others and _has_package(world)


def _has_package(world):  # type: (World) -> bool
    manager = world.find(PackageManager)
    return manager is None or manager.hasPackage(_PACKAGE)


def is_endless(path):  # type: (str) -> bool
    """Return whether an animation continues until it is stopped."""
    return path in _ENDLESS


def get_duration(world, path):  # type: (World, str) -> float
    """Return the duration of an animation on this robot, in seconds."""
    seen = _SEEN_ON_PEPPER_S if world.robot_type == "Juliette" else {}
    return seen.get(path, _ANIMATION_S)


class ALAnimationPlayer(Service):
    """Plays the animations NAO is delivered with."""

    _hidden = frozenset(["stopAll", "move"])

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._tags = {}  # type: Dict[str, List[str]]
        self._playing = []  # type: List[str]

    def run(self, path):  # type: (str) -> None
        """Play an animation and return at its end; raise RuntimeError if it is unknown or for another posture."""
        self.play_as(self.name, self.find_path(path, "run"))

    def runTag(self, tag):  # type: (str) -> None
        """Play an animation with a tag; raise RuntimeError if none exists for the posture."""
        self.play_as(self.name, self.choose_tagged(tag, "runTag"))

    @overloads("{s[s]}")
    def addTagForAnimations(self, tags):  # type: (Dict[str, List[str]]) -> None
        """Add animations to tags, from a map of tag to paths; warn about an animation that is not installed."""
        if not isinstance(tags, dict):
            raise self._make_type_error(tags, "Map", "addTagForAnimations", 0)
        for tag, paths in sorted(tags.items()):
            own = self._tags.setdefault(self._text(tag, "addTagForAnimations"), [])
            for path in self._texts(paths, "addTagForAnimations"):
                try:
                    own.append(self.find_path(path, "addTagForAnimations", False))
                except RuntimeError as error:
                    self.world.warn(self.name, "%s is not added to the tag %s: %s" % (path, tag, _reason(error)))

    def declarePathForTags(self, path):  # type: (str) -> None
        """Accept and ignore a folder whose animations have their own tags."""
        self._text(path, "declarePathForTags")

    def reset(self):  # type: () -> None
        """Forget the tags that programs added."""
        self._tags.clear()

    def find_path(self, path, method, must_fit=True):  # type: (str, str, bool) -> str
        """Return the full path of an animation; raise RuntimeError if it is unknown or does not fit the posture."""
        family = POSTURE_FAMILIES.get(self.world.posture, "Unknown")
        full = _fill_path(self._text(path, method), family)
        if not has_animation(self.world, full):
            # The second sentence has the words of NAOqi 2.5: mfbergmann/PepperEvolution, docs/HANDOFF.md.
            reason = "Animation %r is not installed. Wrong path format: write package/path." % path
            raise self._error(method, reason)
        if must_fit and family not in _ANIMATION_POSTURES.get(POSTURE_OF_ANIMATION[full], (family,)):
            posture = self.world.posture
            raise self._error(method, "Animation %r cannot be played: the robot's posture is %s." % (path, posture))
        return full

    def choose_tagged(self, tag, method):  # type: (str, str) -> str
        """Choose an animation with a tag at random; raise RuntimeError if all need another posture."""
        family = POSTURE_FAMILIES.get(self.world.posture, "Unknown")
        added = self._tags.get(self._text(tag, method), ())
        choices = self._list_named(added, family) or self._list_named(_ANIMATION_TAGS.get(tag, ()), family)
        if not choices:
            raise self._error(method, "No animation with the tag %r fits the posture %s." % (tag, self.world.posture))
        return str(self.world.random.choice(choices))

    def _list_named(self, names, family):  # type: (Iterable[str], str) -> List[str]
        installed = [
            each for each in _INSTALLED_ANIMATIONS.get(_get_folder(family) or "", ()) if has_animation(self.world, each)
        ]
        return [path for name in names for path in installed if path == name or path.endswith("/" + name)]

    def check_tag(self, tag, method):  # type: (str, str) -> None
        """Raise RuntimeError for a tag that no animation of any posture has."""
        if self._text(tag, method) not in self._tags and tag not in _ANIMATION_TAGS:
            raise self._error(method, "No animation with the tag %r is installed." % tag)

    def play_as(self, service, path, cut_off=None):  # type: (str, str, Optional[SimEvent]) -> None
        """Play an animation for a service and return at its end, or when `cut_off` is set."""
        seconds = get_duration(self.world, path)
        self.world.trace.note("animate", path=path, service=service, duration=seconds)
        moved = self.move(path)
        self._playing.append(path)
        try:
            if self._take_time(None if is_endless(path) else seconds, cut_off):
                self.world.body.halt(moved)
        finally:
            self._playing.remove(path)

    def move(self, path):  # type: (str) -> List[str]
        """Start the gesture for an animation and return its joints; log an animation without a gesture."""
        moved = body.perform_gesture(self.world.body, path, get_duration(self.world, path))
        if not moved:
            text = "The animation %s is not drawn: it takes its time and moves no joint." % path
            self.world.trace.note("log", level="info", box=self.name, text=text)
        return moved

    def leftovers(self):  # type: () -> List[str]
        """List the animations still playing."""
        return ["The animation %s is still playing." % path for path in self._playing]


# Annotations of an animated text, such as `^start(...)`.

_PATH_ANNOTATIONS = ("start", "wait", "run", "stop")
_SOUND_ANNOTATIONS = ("startSound", "waitSound", "runSound", "stopSound")
_TAG_ANNOTATIONS = ("startTag", "waitTag", "runTag", "stopTag")
_CALL_ANNOTATIONS = ("call", "pCall")
_WAITING_ANNOTATIONS = ("run", "wait", "runTag", "waitTag")  # for these the voice pauses
_ANNOTATION_NAMES = _PATH_ANNOTATIONS + _SOUND_ANNOTATIONS + _TAG_ANNOTATIONS + _CALL_ANNOTATIONS + ("mode",)
_ANNOTATION_PATTERN = re.compile(
    r"\^([A-Za-z]+)\s*\(((?:[^()]|\([^()]*\))*)\)|\$([A-Za-z_][\w/]*)\s*=\s*(\"[^\"]*\"|[^\s]+)|(\^[A-Za-z]*)"
)
_MAX_ANNOTATIONS = 500

#: One segment of an animated text: the words, then the annotation that follows them. Its name is None at the end of the
#: text, and "" if the annotation does nothing.
TextSegment = namedtuple("TextSegment", "words name value")


class BadAnnotation(ValueError):
    """A text has too many annotations."""


def split_annotations(text):  # type: (str) -> List[TextSegment]
    """Split a text at its annotations; raises BadAnnotation for too many.

    An event `$key=value` has the name "$" and the value (key, value). A `^` that begins no annotation has the name "".

    >>> split_annotations("^start(a/b) Hi ^wait(a/b)") == [
    ...     TextSegment("", "start", "a/b"), TextSegment(" Hi ", "wait", "a/b"), TextSegment("", None, "")]
    True
    """
    cut, start = [], 0
    for found in _ANNOTATION_PATTERN.finditer(text):
        words = text[start : found.start()]
        if found.group(1):
            cut.append(TextSegment(words, found.group(1), found.group(2).strip()))
        elif found.group(3):
            cut.append(TextSegment(words, "$", (found.group(3), found.group(4).strip('"'))))
        else:
            cut.append(TextSegment(words, "", found.group(5)))
        start = found.end()
    if len(cut) > _MAX_ANNOTATIONS:
        most = "at most %d are read" % _MAX_ANNOTATIONS
        raise BadAnnotation("%d annotations are too many for one text, %s." % (len(cut), most))
    return cut + [TextSegment(text[start:], None, "")]


def remove_annotations(text):  # type: (str) -> str
    """Return the words of a text without its annotations.

    >>> remove_annotations("^start(animations/Stand/Gestures/Hey_1) Hello ^mode(disabled) you")
    'Hello you'
    """
    return collapse_blanks("".join(stretch.words for stretch in split_annotations(text)))


def _describe_skipped(stretch, error):  # type: (TextSegment, RuntimeError) -> str
    written = "^%s(%s)" % (stretch.name, stretch.value) if stretch.name else stretch.value
    return "%s is left out: %s" % (written, _reason(error))


def _reason(error):  # type: (RuntimeError) -> str
    """Return the sentence of an error without the name of its method."""
    return str(error).strip().rpartition("\n")[2].strip()


# ALAnimatedSpeech.

#: The settings of one text; NAO6 calls the body language "speakingMovementMode", earlier robots "bodyLanguageMode".
_MODE_SETTINGS = ("speakingMovementMode", "bodyLanguageMode")
_CONFIGURATION_SETTINGS = _MODE_SETTINGS + ("bodyTalk", "speakingMovement")


class ALAnimatedSpeech(Service):
    """Says annotated texts and starts the animations and events that their annotations name.

    A text is one text of the voice, in which a bookmark stands for each annotation (funwithagents/nao-sim, speech.md).
    """

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._mode = "contextual"
        self._task = 0
        world.memory.hear_for(self, ["ALTextToSpeech/CurrentBookMark", "ALTextToSpeech/Status"])

    def say(self, text, configuration=None):  # type: (str, Optional[Dict[str, ALValue]]) -> None
        """Say an annotated text; raise RuntimeError for an unknown setting.

        As on a robot, an annotation that is unknown or badly written is left out, with a warning.
        """
        self._text(text, "say")
        mode = self._check_configuration(configuration)
        try:
            cut = split_annotations(text)
        except BadAnnotation as error:
            raise self._error("say", str(error))
        cut = [stretch if self._is_known(stretch) else TextSegment(stretch.words, "", "") for stretch in cut]
        self._task += 1
        self.world.trace.note("animate", text=text, mode=mode, service=self.name)
        self._perform(cut, mode)
        self.world.memory.raiseEvent("ALAnimatedSpeech/EndOfAnimatedSpeech", self._task)

    def stopAll(self):  # type: () -> None
        """Interrupt the speech and the animations that go with it."""
        Service.stopAll(self)
        for service in (self.world.find(ALTextToSpeech), self.world.find(ALAnimationPlayer)):
            if service is not None:
                service.stopAll()

    @overloads("I")
    def setBodyLanguageMode(self, mode):  # type: (int) -> None
        """Set the body language: 0 disabled, 1 random, 2 contextual."""
        self._mode = BODY_LANGUAGE_MODES[int(self._number(mode, "setBodyLanguageMode", 0, 0, 2))]

    def getBodyLanguageMode(self):  # type: () -> int
        """Return the body language as a number."""
        return BODY_LANGUAGE_MODES.index(self._mode)

    def setBodyLanguageModeFromStr(self, mode):  # type: (str) -> None
        """Set the body language by name."""
        self._mode = self._one_of(mode, BODY_LANGUAGE_MODES, "setBodyLanguageModeFromStr", "mode")

    def getBodyLanguageModeToStr(self):  # type: () -> str
        """Return the name of the body language."""
        return self._mode

    def isBodyTalkEnabled(self):  # type: () -> bool
        """Return whether there is any body language."""
        return self._mode != "disabled"

    def setBodyTalkEnabled(self, enabled):  # type: (bool) -> None
        """Switch the body language on (random) or off."""
        self._mode = "random" if self._flag(enabled, "setBodyTalkEnabled") else "disabled"

    isBodyLanguageEnabled = isBodyTalkEnabled  # the old name

    def setBodyLanguageEnabled(self, enabled):  # type: (bool) -> None
        """Switch the body language on (random) or off: the old name of setBodyTalkEnabled."""
        self._mode = "random" if self._flag(enabled, "setBodyLanguageEnabled") else "disabled"

    def addTagsToWords(self, words):  # type: (ALValue) -> None
        """Accept and ignore a map of words to the gestures they call for."""
        if not isinstance(words, dict):
            raise self._make_type_error(words, "Map", "addTagsToWords", 0)

    def declareTagForAnimations(self, tags):  # type: (Dict[str, List[str]]) -> None
        """Add animations to tags, as ALAnimationPlayer.addTagForAnimations does."""
        self.world.need(ALAnimationPlayer).addTagForAnimations(tags)

    def declareAnimationsPackage(self, package):  # type: (str) -> None
        """Accept a package of animations, with a warning that it is not installed."""
        self.world.warn(self.name, "The package %s is not installed." % self._text(package, "declareAnimationsPackage"))

    def _check_configuration(self, configuration):  # type: (Optional[Dict[str, ALValue]]) -> str
        """Check the map of settings and return the body language for this text."""
        if configuration is None:
            return self._mode
        if not isinstance(configuration, dict):
            raise self._make_type_error(configuration, "Map", "say", 1)
        for key in sorted(configuration):
            self._one_of(key, _CONFIGURATION_SETTINGS, "say", "setting")
        given = [configuration[key] for key in _MODE_SETTINGS if key in configuration]
        modes = [self._one_of(mode, BODY_LANGUAGE_MODES, "say", "body language mode") for mode in given]
        return (modes + [self._mode])[0]

    def _is_known(self, stretch):  # type: (TextSegment) -> bool
        """Return whether the annotation and its animation are known; warn about others."""
        player, name, value = self.world.find(ALAnimationPlayer), stretch.name, stretch.value
        try:
            if name == "":
                raise RuntimeError("It has no parentheses, or they are not closed.")
            if name not in _ANNOTATION_NAMES and name not in ("$", None):
                raise RuntimeError("Use one of ^%s." % ", ^".join(_ANNOTATION_NAMES))
            # Stock boxes leave the name empty if no animation was chosen.
            if name in _PATH_ANNOTATIONS and player is not None and value.strip():
                player.find_path(value, "run", False)
            elif name in _TAG_ANNOTATIONS and player is not None:
                player.check_tag(value, "runTag")
            elif name == "mode":
                self._one_of(value, BODY_LANGUAGE_MODES, "say", "body language mode")
        except RuntimeError as error:
            self.world.warn(self.name, _describe_skipped(stretch, error))
            return False
        return True

    def _perform(self, cut, mode):  # type: (List[TextSegment], str) -> None
        """Say the words with a bookmark for each annotation, which the voice calls back when it reaches it.

        NAOqi 2.1 has a bookmark before and after every text, and a pause first; 2.8 lacks both without body
        language. That it has them with body language is our guess, as for 2.5.
        """
        is_old = self.world.naoqi == "2.1"
        ends = [TextSegment("", "mode", "")] if is_old or mode != "disabled" else []
        marks = ends + [stretch for stretch in cut if stretch.name] + ends
        pieces = ["\\pau=500\\"] if is_old else []
        number = 0
        for stretch in ends + cut + ends:
            number += bool(stretch.name)
            waits = is_old and (stretch.name in _WAITING_ANNOTATIONS or number == len(marks))
            mark = "\\%s=%d\\" % ("mrkpause" if waits else "mrk", number) if stretch.name else ""
            pieces += [stretch.words.strip(), mark]
        started, reached = {}, []  # type: Tuple[Dict[str, float], List[int]]

        def act(mark, cut_off):  # type: (int, SimEvent) -> None
            reached.append(mark)
            if 0 < mark <= len(marks):
                self._act(marks[mark - 1], started, cut_off)

        voice = self.world.need(ALTextToSpeech)
        if voice.speak_as(self.name, " ".join(each for each in pieces if each), at_mark=act) and marks and not reached:
            raise self._error("say", "instruction 1 has not been received in time")

    def _act(self, stretch, started, cut_off):  # type: (TextSegment, Dict[str, float], SimEvent) -> None
        player = self.world.find(ALAnimationPlayer)
        name, value, now = stretch.name, stretch.value, self.world.clock.now()
        if name in ("run", "runTag") and player is not None:
            path = self._choose_fitting(player, name, value)
            if path is not None:
                player.play_as(self.name, path, cut_off)
        elif name in ("wait", "waitTag"):
            seconds = get_duration(self.world, value)
            end = started.get(value, -seconds) + seconds
            self._take_time(max(0.0, end - now), cut_off)
        elif name == "$":
            self.world.memory.raiseEvent(value[0], value[1])
        elif value.strip():
            started[value] = now
            self.world.trace.note("animate", path=value, service=self.name, annotation=name)
            if name == "start" and player is not None:
                path = self._choose_fitting(player, name, value)
                if path is not None:
                    player.move(path)

    def _choose_fitting(self, player, name, value):  # type: (ALAnimationPlayer, str, str) -> Optional[str]
        """Return the animation for an annotation; log it and return None if the posture has none."""
        if not value.strip():
            return None
        try:
            return str(player.choose_tagged(value, name) if name in _TAG_ANNOTATIONS else player.find_path(value, name))
        except RuntimeError as error:
            text = _describe_skipped(TextSegment("", name, value), error)
            self.world.trace.note("log", level="warn", box=self.name, text=text)
            return None
