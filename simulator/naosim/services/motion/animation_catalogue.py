"""The animations that NAO is delivered with, by posture, and the tags that choose among them."""

from __future__ import absolute_import, division, print_function

import re

MYPY = False
if MYPY:
    from typing import Dict, List, Optional

SECONDS = 2.5  # how long an animation takes; the real ones take two to five
PREFIX = "animations/"

# Under each folder, "Name 3" stands for Name_1 to Name_3, "Name 0" for Name itself.
_STOCK = """
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
    Waddle 2, WakeUp 1, Zombie 1
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
    Binoculars 1, Bored 1, CallSomeone 1, CatchFly 1, DriveCar 1, FalseStop 2, Fitness 1, KnockEye 1, KnockKnee 2,
    LookHand 2, MysticalPower 1, Oar 1, Phone 1, PlayHands 3, Pong 1, Puppet 1, Relaxation 3, Rest 1, Robot 1,
    ScratchBack 1, ScratchEye 1, ScratchHand 1, ScratchHead 1, ScratchLeg 1, ScratchTorso 1, TakePicture 1, Think 3,
    WakeUp 1, Yawn 1
LED:
    CircleEyes 0
"""

POSTURES = {"Stand": ("Standing",), "Sit": ("Sitting", "SittingOnGround"), "SitOnPod": ("SittingOnChair",)}

TAGS = {
    "hello": ("Hey_1", "Hey_3", "Hello_1"),
    "hey": ("Hey_1", "Hey_3"),
    "me": ("Me_1", "Me_7"),
    "myself": ("Me_1", "Me_7"),
    "you": ("You_1", "You_4"),
    "yes": ("Yes_1", "Yes_2"),
    "no": ("No_1", "No_9"),
    "explain": ("Explain_1", "Explain_4"),
    "think": ("Thinking_1", "Think_1"),
    "ponder": ("Thinking_4", "Think_2"),
    "happy": ("Happy_4", "Happy_1"),
    "joy": ("Joy_1", "Happy_4"),
    "excited": ("Excited_1", "Happy_4"),
    "enthusiastic": ("Enthusiastic_4", "Happy_4"),
    "sad": ("Sad_1",),
    "bow": ("BowShort_1",),
    "please": ("Please_1",),
    "ignorant": ("IDontKnow_1",),
    "confused": ("Confused_1",),
    "disappointed": ("Disappointed_1", "Frustrated_1"),
    "thank": ("BowShort_1", "Me_7"),
    "show": ("This_1",),
    "winner": ("Winner_1",),
    "affirmative": ("Yes_1",),
    "negative": ("No_9",),
    "body language": ("BodyTalk_1", "BodyTalk_5"),
    "bodyTalk": ("BodyTalk_1", "BodyTalk_5"),
}


def _installed():  # type: () -> Dict[str, List[str]]
    """Expand the table: list every path, by the posture that its first folder names."""
    paths = {}  # type: Dict[str, List[str]]
    for folder, names in re.findall(r"(\S+):\n((?: .*\n)+)", _STOCK):
        stock = paths.setdefault(folder.split("/")[0], [])
        for name, count in re.findall(r"(\w+) (\d+)", names):
            spelled = "%s_%02d" if name.endswith(("_ENU", "_NEG")) else "%s_%d"
            numbered = [spelled % (name, number) for number in range(1, int(count) + 1)]
            stock += ["%s%s/%s" % (PREFIX, folder, each) for each in numbered or [name]]
    return paths


INSTALLED = _installed()
POSTURE_OF = {path: posture for posture, paths in INSTALLED.items() for path in paths}
PATHS = sorted(POSTURE_OF)


def folder_for(family):  # type: (str) -> Optional[str]
    """Return the animation folder for a posture family, None when there is none.

    >>> folder_for("Sitting")
    'Sit'
    """
    return next((folder for folder, families in sorted(POSTURES.items()) if family in families), None)


def full_path(path, family):  # type: (str, str) -> Optional[str]
    """Fill in `[posture]` and return the path; None when it is not an installed animation.

    >>> full_path("animations/[posture]/Gestures/Hey_3", "Sitting")
    'animations/Sit/Gestures/Hey_3'
    """
    filled = path.strip().replace("[posture]", folder_for(family) or "?")
    if not filled.startswith(PREFIX):
        filled = PREFIX + filled
    return filled if filled in POSTURE_OF else None


def fits(path, family):  # type: (str, str) -> bool
    """Tell whether an animation may be played in a posture family."""
    return family in POSTURES.get(POSTURE_OF[path], (family,))


def tagged(tag, family, choices=None):  # type: (str, str, Optional[List[str]]) -> List[str]
    """List the installed animations with a tag that fit a posture family."""
    names = TAGS.get(tag, ()) if choices is None else choices
    own = INSTALLED.get(folder_for(family) or "", [])
    return [path for name in names for path in own if path == name or path.endswith("/" + name)]
