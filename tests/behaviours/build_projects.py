"""The projects in this folder: `python -m behaviours.build_projects` writes them all, from the folder `tests`."""

from __future__ import absolute_import, division, print_function

import io
import os

from . import build_new_boxes as new
from . import build_old_boxes as old
from .build_writer import (
    BANG,
    DYNAMIC,
    ON_EVENT,
    ON_START,
    ON_STOP,
    PUNCTUAL,
    STOPPED,
    STRING,
    Box,
    Curve,
    Keyframe,
    Port,
    library,
    project,
    root,
)

NOD = "animations/Stand/Gestures/Yes_1"
FOLDER = os.path.dirname(os.path.abspath(__file__))


def old_story():
    """Make a conversation of 2013: a question by voice, a second one by touch, a timer, good-bye."""
    boxes = [
        old.say("Greet", "Hello. Do you want to play?", French="Bonjour. Tu veux jouer?"),
        old.speech_reco("Listen", ["yes", "no"], threshold=40),
        old.switch_case("Which word?", ["yes", "no"]),
        old.say("Glad", "Great. Touch the front of my head to begin."),
        old.say("Sorry", "What a pity."),
        old.tactile_head("Tactile Head"),
        old.say("Begin", "Here we go."),
        old.wait("Wait", 2.5),
        old.say("Good-bye", "Good bye."),
        old.say("Again", "Please say yes or no."),
    ]
    return project(
        root(
            boxes,
            [
                ("onStart", "Greet/onStart"),
                ("Greet/onStopped", "Listen/onStart"),
                ("Listen/wordRecognized", "Listen/onStop"),
                ("Listen/wordRecognized", "Which word?/onStart"),
                ("Listen/onNothing", "Listen/onStop"),
                ("Listen/onNothing", "Again/onStart"),
                ("Again/onStopped", "Listen/onStart"),
                ("Which word?/output_1", "Glad/onStart"),
                ("Which word?/output_2", "Sorry/onStart"),
                ("Glad/onStopped", "Tactile Head/onStart"),
                ("Tactile Head/frontTouched", "Tactile Head/onStop"),
                ("Tactile Head/frontTouched", "Begin/onStart"),
                ("Begin/onStopped", "Wait/onStart"),
                ("Wait/timerOutput", "Good-bye/onStart"),
                ("Sorry/onStopped", "Good-bye/onStart"),
                ("Good-bye/onStopped", "onStopped"),
            ],
        ),
        "old",
    )


def new_story():
    """Make a conversation of 2018: language, posture, word spotting, two timers, an animated good-bye."""
    boxes = [
        new.set_language("Set Language", "English"),
        new.goto_posture("Goto Posture", "Stand"),
        new.say("Ask", 'Tea & biscuits, or "coffee"?'),
        new.speech_reco("Speech Reco.", ["tea", "coffee"], threshold=45, spotting=True),
        old.switch_case("Switch Case", ["<...> tea <...>", "<...> coffee <...>"]),
        new.animated_say("Tea", "^start(%s) One tea. ^wait(%s)" % (NOD, NOD)),
        new.say("Coffee", "One coffee."),
        new.delay("Delay", 1.5),
        new.wait("Wait", 20),
        new.say("Asleep", "Nobody answers."),
        new.animated_say("Good-bye", "See you."),
        new.log("Log", "heard "),
    ]
    return project(
        root(
            boxes,
            [
                ("onStart", "Set Language/onSet"),
                ("Set Language/onReady", "Goto Posture/onStart"),
                ("Set Language/onError", "Log/message"),
                ("Log/onDone", "onStopped"),
                ("Goto Posture/success", "Ask/onStart"),
                ("Goto Posture/failure", "Ask/onStart"),
                ("Ask/onStopped", "Speech Reco./onStart"),
                ("Ask/onStopped", "Wait/onStart"),
                ("Speech Reco./wordRecognized", "Wait/onStop"),
                ("Speech Reco./wordRecognized", "Speech Reco./onStop"),
                ("Speech Reco./wordRecognized", "Switch Case/onStart"),
                ("Switch Case/output_1", "Tea/onStart"),
                ("Switch Case/output_2", "Coffee/onStart"),
                ("Tea/onStopped", "Delay/onStart"),
                ("Coffee/onStopped", "Delay/onStart"),
                ("Wait/timerOutput", "Speech Reco./onStop"),
                ("Wait/timerOutput", "Asleep/onStart"),
                ("Asleep/onStopped", "Good-bye/onStart"),
                ("Delay/timerOutput", "Good-bye/onStart"),
                ("Good-bye/onStopped", "onStopped"),
            ],
        ),
        "new",
    )


def dance():
    """Make a timeline of four seconds: speech on one layer, eyes on another, and joints."""
    speech = (
        "speech",
        [
            Keyframe("begin", 1, [old.say("One", "One.")], [("onLoad", "One/onStart")]),
            Keyframe("middle", 51, [old.say("Two", "Two.")], [("onLoad", "Two/onStart")]),
        ],
    )
    eyes = (
        "eyes",
        [
            Keyframe("red", 26, [old.eyes("Red", "0xff0000")], [("onLoad", "Red/onStart")]),
            Keyframe("blue", 76, [old.eyes("Blue", "0x0000ff")], [("onLoad", "Blue/onStart")]),
        ],
    )
    curves = [
        Curve("HeadYaw", [(1, 0), (25, 30), (75, -30), (100, 0)]),
        Curve("RHand", [(1, 0), (50, 100)], unit=1),
        Curve("HeadPitch", [(1, 0), (90, 20)], mute=True),
    ]
    moves = Box(
        "Dance",
        "",
        old.start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        layers=[speech, eyes],
        curves=curves,
        fps=25,
        end=100,
    )
    boxes = [moves, new.say("Done", "That was my dance.")]
    return project(
        root(
            boxes, [("onStart", "Dance/onStart"), ("Dance/onStopped", "Done/onStart"), ("Done/onStopped", "onStopped")]
        ),
        "new",
    )


def small_talk():
    """Make a Dialog box that ends with one of three outputs, each leading elsewhere."""
    dialog = Box(
        "Small talk",
        "",
        [Port("onStart", BANG, ON_START), Port("onStop", BANG, ON_STOP)],
        [Port("onStopped", BANG, STOPPED), Port("wantsStory", DYNAMIC, PUNCTUAL), Port("wantsName", STRING, PUNCTUAL)],
        dialog="SmallTalk/SmallTalk.dlg",
    )
    boxes = [dialog, new.say("Story", "Once upon a time."), old.say_text("Say the name"), new.say("Bye", "Bye.")]
    return project(
        root(
            boxes,
            [
                ("onStart", "Small talk/onStart"),
                ("Small talk/wantsStory", "Story/onStart"),
                ("Small talk/wantsName", "Say the name/onStart"),
                ("Small talk/onStopped", "Bye/onStart"),
                ("Bye/onStopped", "onStopped"),
            ],
        ),
        "new",
    )


SMALL_TALK_FILES = {
    "SmallTalk/SmallTalk.dlg": "multilanguage:SmallTalk\n  enu:SmallTalk_enu.top\n",
    "SmallTalk/SmallTalk_enu.top": "\n".join(
        [
            "topic: ~SmallTalk()",
            "language: enu",
            "# a few sentences",
            'concept:(story) [story tale "fairy tale"]',
            "u:({please} tell me a ~story) With pleasure. $wantsStory=1",
            "u:(my name is _*) Nice to meet you. $wantsName=$1",
            'u:([bye "good bye" stop]) $onStopped=1',
            "",
        ]
    ),
}

CAPITALS = [
    ("France", "paris"),
    ("Italy", "rome"),
    ("Spain", "madrid"),
    ("Norway", "oslo"),
    ("Greece", "athens"),
    ("Japan", "tokyo"),
    ("Egypt", "cairo"),
]


def question(number):
    """Make one question of the quiz: ask, listen, judge, at most two tries, a light for the judgement."""
    country, capital = CAPITALS[number % len(CAPITALS)]
    words = sorted(set([capital] + [each for _, each in CAPITALS[:4]]))
    boxes = [
        old.text_edit("Country", country),
        old.insert_data("Remember", "Quiz/Country"),
        new.say("Ask", "What is the capital of %s?" % country),
        new.speech_reco("Listen", words, 35),
        old.switch_case("Right?", [capital]),
        old.counter("Tries", 2),
        new.say("Try again", "Try once more."),
        old.eyes("Green", "0x00ff00", 0.2),
        old.eyes("Red", "0xff0000", 0.2),
        new.say("Yes", "Right."),
        new.say("No", "No, it is %s." % capital),
    ]
    links = [
        ("onStart", "Country/onStart"),
        ("Country/output", "Remember/set"),
        ("Remember/onDone", "Ask/onStart"),
        ("Ask/onStopped", "Listen/onStart"),
        ("Listen/wordRecognized", "Listen/onStop"),
        ("Listen/wordRecognized", "Right?/onStart"),
        ("Listen/onNothing", "Listen/onStop"),
        ("Listen/onNothing", "Tries/add"),
        ("Right?/output_1", "Green/onStart"),
        ("Green/onStopped", "Yes/onStart"),
        ("Right?/onDefault", "Tries/add"),
        ("Tries/total", "One try?/onData"),
        ("One try?/output_then", "Try again/onStart"),
        ("Try again/onStopped", "Ask/onStart"),
        ("Tries/finished", "Red/onStart"),
        ("Red/onStopped", "No/onStart"),
        ("Yes/onStopped", "right"),
        ("No/onStopped", "wrong"),
    ]
    boxes.insert(6, old.if_box("One try?", "<", "2"))
    return Box(
        "Question %d" % (number + 1),
        "",
        old.start_stop(),
        [Port("right", BANG, STOPPED), Port("wrong", BANG, STOPPED)],
        boxes=boxes,
        links=links,
    )


def rounds(first, count):
    """Make some questions in a row, in a box of their own; a wrong answer leads to the next question too."""
    boxes = [question(number) for number in range(first, first + count)]
    links = [("onStart", "#1/onStart")]
    for number in range(1, count + 1):
        for port in ("right", "wrong"):
            links.append(("#%d/%s" % (number, port), "#%d/onStart" % (number + 1) if number < count else "onStopped"))
        links.append(("#%d/right" % number, "right"))
    return Box(
        "Round %d" % (first // count + 1),
        "",
        old.start_stop(),
        [Port("onStopped", BANG, STOPPED), Port("right", BANG, PUNCTUAL)],
        boxes=boxes,
        links=links,
    )


SCORE = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.right = 0

    def onInput_add(self):
        self.right += 1

    def onInput_tell(self):
        self.sentence("You had %d right." % self.right)
"""


def quiz():
    """Make a quiz of three rounds with eight questions each, more than three hundred boxes, to be played repeatedly."""
    score = Box(
        "Score",
        SCORE,
        [Port("add", BANG, ON_EVENT), Port("tell", BANG, ON_EVENT)],
        [Port("sentence", STRING, PUNCTUAL)],
    )
    boxes = [
        new.goto_posture("Stand up", "Stand"),
        old.say("Welcome", "Welcome to the quiz. Ready?"),
        new.speech_reco("Ready?", ["yes", "stop"]),
        old.switch_case("Go on?", ["yes"]),
        old.only_once("First time"),
        old.eyes("White", "0xffffff", 0.1),
        rounds(0, 8),
        rounds(8, 8),
        rounds(16, 8),
        score,
        old.say_text("Tell the score"),
        old.say("Bye", "Thank you for playing."),
        old.tactile_head("Head"),
        new.say("Again?", "Touch the rear of my head to play again, or the front to stop."),
    ]
    links = [
        ("onStart", "Stand up/onStart"),
        ("Stand up/success", "Welcome/onStart"),
        ("Stand up/failure", "Welcome/onStart"),
        ("Welcome/onStopped", "Ready?/onStart"),
        ("Ready?/wordRecognized", "Ready?/onStop"),
        ("Ready?/wordRecognized", "Go on?/onStart"),
        ("Go on?/output_1", "White/onStart"),
        ("Go on?/onDefault", "Bye/onStart"),
        ("White/onStopped", "Round 1/onStart"),
        ("Round 1/onStopped", "Round 2/onStart"),
        ("Round 2/onStopped", "Round 3/onStart"),
        ("Round 1/right", "Score/add"),
        ("Round 2/right", "Score/add"),
        ("Round 3/right", "Score/add"),
        ("Round 3/onStopped", "Score/tell"),
        ("Score/sentence", "Tell the score/onStart"),
        ("Tell the score/onStopped", "Again?/onStart"),
        ("Again?/onStopped", "Head/onStart"),
        ("Head/rearTouched", "Head/onStop"),
        ("Head/rearTouched", "White/onStart"),
        ("Head/frontTouched", "Head/onStop"),
        ("Head/frontTouched", "First time/input_1"),
        ("First time/output_1", "Bye/onStart"),
        ("Bye/onStopped", "onStopped"),
    ]
    return project(root(boxes, links), "new")


def listen_and_repeat():
    """Make a box library: one box that listens and says what it heard."""
    boxes = [new.speech_reco("Ears", ["red", "green"]), old.say_text("Mouth")]
    links = [
        ("onStart", "Ears/onStart"),
        ("Ears/wordRecognized", "Ears/onStop"),
        ("Ears/wordRecognized", "Mouth/onStart"),
        ("Mouth/onStopped", "onStopped"),
    ]
    return library(
        Box(
            "Listen and repeat",
            "",
            old.start_stop(),
            [Port("onStopped", BANG, STOPPED)],
            boxes=boxes,
            links=links,
            tooltip="Listens once and repeats.",
        )
    )


#: The committed files; the quiz is too large to be one and is built when it is needed.
PROJECTS = {
    "old_story.xar": old_story,
    "new_story.xar": new_story,
    "dance.xar": dance,
    "small_talk.xar": small_talk,
    "listen_and_repeat.xar": listen_and_repeat,
}


def files():
    """Make every file of the folder that is built, by name, as bytes."""
    made = {name: build().encode("utf-8") for name, build in PROJECTS.items()}
    made.update((name, text.encode("utf-8")) for name, text in SMALL_TALK_FILES.items())
    return made


def write():
    """Write every file, each whole or not at all."""
    for name, content in sorted(files().items()):
        path = os.path.join(FOLDER, *name.split("/"))
        if not os.path.isdir(os.path.dirname(path)):
            os.makedirs(os.path.dirname(path))
        with io.open(path + ".part", "wb") as part:
            part.write(content)
        if os.path.exists(path):
            os.remove(path)
        os.rename(path + ".part", path)


if __name__ == "__main__":
    write()
