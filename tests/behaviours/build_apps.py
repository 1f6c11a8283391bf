"""A project folder as Choregraphe 2.8 writes it: three behaviours, French texts, a dialog, and a Run Behavior box."""

from __future__ import absolute_import, division, print_function

import io
import os
import struct
import zipfile

from . import build_new_boxes as new
from . import build_old_boxes as old
from .build_writer import BANG, ON_START, ON_STOP, PUNCTUAL, STOPPED, STRING, TEXT, Box, Parameter, Port, project, root

RUN_BEHAVIOR = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.manager = self.session().service("ALBehaviorManager")
        self.behavior = self.packageUid() + "/" + self.getParameter("Behavior")

    def onUnload(self):
        if self.manager.isBehaviorRunning(self.behavior):
            self.manager.stopBehavior(self.behavior)

    def onInput_onStart(self):
        self.manager.runBehavior(self.behavior)
        self.onStopped()

    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()
"""

MANIFEST = """<?xml version='1.0' encoding='UTF-8'?>
<package uuid="museum-guide" version="1.0.2">
 <names>
  <name lang="en_US">Museum guide</name>
 </names>
 <supportedLanguages>
  <language>en_US</language>
  <language>fr_FR</language>
 </supportedLanguages>
 <contents>
  <behaviorContent path="menu">
   <userRequestable/>
   <nature>interactive</nature>
  </behaviorContent>
  <behaviorContent path="rooms/statues"/>
  <behaviorContent path="talk"/>
 </contents>
 <requirements>
  <naoqiRequirement minVersion="2.5"/>
  <robotRequirement model="NAO"/>
 </requirements>
</package>
"""

PML = """<?xml version="1.0" encoding="UTF-8" ?>
<Package name="Museum guide" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="menu" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="rooms/statues" xar="behavior.xar" />
        <BehaviorDescription name="behavior" src="talk" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs>
        <Dialog name="Visitors" src="Visitors/Visitors.dlg" />
    </Dialogs>
    <Resources />
    <Topics>
        <Topic name="Visitors_enu" src="Visitors/Visitors_enu.top" topicName="Visitors" language="en_US" />
    </Topics>
    <IgnoredPaths>
        <Path src=".metadata" />
    </IgnoredPaths>
    <Translations auto-fill="en_US">
        <Translation name="translation_en_US" src="translations/translation_en_US.ts" language="en_US" />
        <Translation name="translation_fr_FR" src="translations/translation_fr_FR.ts" language="fr_FR" />
    </Translations>
</Package>
"""

#: (context, source, comment, French); the last three are unfinished, obsolete, and of another box.
FRENCH = [
    ("menu/behavior.xar:/Welcome", "Welcome.", "Text", u"Bienvenue \u00e0 tous."),
    ("menu/behavior.xar:/Bye", "Good bye.", "Text", u"Au revoir."),
    ("rooms/statues/behavior.xar:/Inside/Tell", "This one has no arms.", "Text", u"Celle-ci n'a pas de bras."),
]
TS = u"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="%(code)s">
%(contexts)s
    <context>
        <name>menu/behavior.xar:/Ask</name>
        <message>
            <source>Shall we begin?</source>
            <comment>Text</comment>
            <translation type="vanished">Non</translation>
        </message>
    </context>
</TS>
"""
CONTEXT = u"""    <context>
        <name>%s</name>
        <message>
            <source>%s</source>
            <comment>%s</comment>
            <translation>%s</translation>
        </message>
    </context>"""

TALK_FILES = {
    "Visitors/Visitors.dlg": "multilanguage:Visitors\n  enu:Visitors_enu.top\n  frf:Visitors_frf.top\n",
    "Visitors/Visitors_enu.top": "topic: ~Visitors()\nlanguage: enu\n"
    "u:(my name is _*) $visitor=$1\nu:(bye) $onStopped=1\n",
    "Visitors/Visitors_frf.top": "topic: ~Visitors()\nlanguage: frf\nu:(au revoir) $onStopped=1\n",
}


def run_behavior(name, behavior):
    """Make a box that runs another behaviour of the package to its end."""
    return Box(
        name,
        RUN_BEHAVIOR,
        old.start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        [Parameter("Behavior", TEXT, behavior)],
    )


def menu():
    """Make a behaviour that says welcome, asks, runs another behaviour for yes, and says good-bye."""
    boxes = [
        new.say("Welcome", "Welcome."),
        new.say("Ask", "Shall we begin?"),
        new.speech_reco("Listen", ["yes", "no"]),
        old.switch_case("Which?", ["yes"]),
        run_behavior("Run Behavior", "rooms/statues"),
        new.say("Bye", "Good bye."),
    ]
    return project(
        root(
            boxes,
            [
                ("onStart", "Welcome/onStart"),
                ("Welcome/onStopped", "Ask/onStart"),
                ("Ask/onStopped", "Listen/onStart"),
                ("Listen/wordRecognized", "Listen/onStop"),
                ("Listen/wordRecognized", "Which?/onStart"),
                ("Which?/output_1", "Run Behavior/onStart"),
                ("Which?/onDefault", "Bye/onStart"),
                ("Run Behavior/onStopped", "Bye/onStart"),
                ("Bye/onStopped", "onStopped"),
            ],
        ),
        "new",
    )


def statues():
    """Make a behaviour that says one sentence, from a box inside a box."""
    inside = Box(
        "Inside",
        "",
        old.start_stop(),
        [Port("onStopped", BANG, STOPPED)],
        boxes=[new.say("Tell", "This one has no arms.")],
        links=[("onStart", "Tell/onStart"), ("Tell/onStopped", "onStopped")],
    )
    return project(root([inside], [("onStart", "Inside/onStart"), ("Inside/onStopped", "onStopped")]), "new")


def talk():
    """Make a Dialog box whose topic lies in a folder beside the behaviour's."""
    dialog = Box(
        "Visitors",
        "",
        [Port("onStart", BANG, ON_START), Port("onStop", BANG, ON_STOP)],
        [Port("onStopped", BANG, STOPPED), Port("visitor", STRING, PUNCTUAL)],
        dialog="../Visitors/Visitors.dlg",
    )
    return project(
        root(
            [dialog, old.say_text("Repeat")],
            [
                ("onStart", "Visitors/onStart"),
                ("Visitors/visitor", "Repeat/onStart"),
                ("Visitors/onStopped", "onStopped"),
            ],
        ),
        "new",
    )


def linguist(code, rows):
    """Make the text of a `.ts` file."""
    return TS % {"code": code, "contexts": u"\n".join(CONTEXT % row for row in rows)}


def compiled(rows):
    """Make the bytes of a `.qm` file with these messages, as lrelease lays them out."""
    block = b""
    for context, source, comment, text in rows:
        block += _field(3, text.encode("utf-16-be")) + _field(8, comment.encode("utf-8"))
        block += _field(6, source.encode("utf-8")) + _field(7, context.encode("utf-8")) + b"\x01"
    magic = bytes(bytearray.fromhex(u"3cb86418caef9c95cd211cbf60a1bddd"))
    sections = [(0xA7, b"fr_FR"), (0x42, b"\0" * 8 * len(rows)), (0x69, block)]
    return magic + b"".join(struct.pack(">BI", kind, len(content)) + content for kind, content in sections)


def _field(tag, raw):
    return struct.pack(">BI", tag, len(raw)) + raw


def files():
    """Make every file of the project, by name, as text."""
    made = {
        "museum.pml": PML,
        "manifest.xml": MANIFEST,
        "menu/behavior.xar": menu(),
        "rooms/statues/behavior.xar": statues(),
        "talk/behavior.xar": talk(),
        "translations/translation_en_US.ts": linguist("en_US", []),
        "translations/translation_fr_FR.ts": linguist("fr_FR", FRENCH),
    }
    made.update(TALK_FILES)
    return made


def write_project(folder):
    """Write the project folder and return its path."""
    for name, text in files().items():
        put(folder, name, text)
    return folder


def write_installed(folder):
    """Write the package as a robot has it: no project file, translations compiled."""
    for name, text in files().items():
        if not name.endswith((".pml", ".ts")):
            put(folder, name, text)
    put(folder, "translations/translation_fr_FR.qm", compiled(FRENCH))
    return folder


def write_package(path, folder):
    """Write a `.pkg` from an installed package's folder."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, _, names in os.walk(folder):
            for name in sorted(names):
                full = os.path.join(place, name)
                archive.write(full, os.path.relpath(full, folder))
    return path


def put(folder, name, content):
    """Write one file below a folder."""
    path = os.path.join(folder, *name.split("/"))
    if not os.path.isdir(os.path.dirname(path)):
        os.makedirs(os.path.dirname(path))
    raw = content if isinstance(content, bytes) else content.encode("utf-8")
    with io.open(path, "wb") as file:
        file.write(raw)
    return path


#: A common mistake: only onStop ends the subscription, not onUnload.
FORGETFUL_BUMPER = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onLoad(self):
        self.memory = self.session().service("ALMemory")

    def onInput_onStart(self):
        self.memory.subscribeToEvent("RightBumperPressed", self.getName(), "onBumper")

    def onInput_onStop(self):
        self.memory.unsubscribeToEvent("RightBumperPressed", self.getName())

    def onBumper(self, key, value, message):
        if value > 0:
            self.pressed()
"""


def reception():
    """Ask who comes: yes leads to the head, no to the end while the bumper stays subscribed; silence ends it."""
    bumper = Box("Bumper", FORGETFUL_BUMPER, old.start_stop(), [Port("pressed", BANG, PUNCTUAL)])
    boxes = [
        old.say("Ask", "Are you here for the tour?"),
        new.speech_reco("Speech Reco.", ["yes", "no"]),
        bumper,
        old.switch_case("Switch Case", ["yes", "no"]),
        old.wait("Wait", 15),
        old.say("Bye", "Then have a nice day."),
        old.say("Head", "Touch my head when you are ready."),
        old.tactile_head("Tactile Head"),
        old.say("Go", "Follow me."),
        old.say("Alone", "Nobody there."),
    ]
    return project(
        root(
            boxes,
            [
                ("onStart", "Ask/onStart"),
                ("onStart", "Bumper/onStart"),
                ("Ask/onStopped", "Speech Reco./onStart"),
                ("Ask/onStopped", "Wait/onStart"),
                ("Speech Reco./wordRecognized", "Speech Reco./onStop"),
                ("Speech Reco./wordRecognized", "Switch Case/onStart"),
                ("Bumper/pressed", "Go/onStart"),
                ("Switch Case/output_1", "Bumper/onStop"),
                ("Switch Case/output_1", "Head/onStart"),
                ("Head/onStopped", "Tactile Head/onStart"),
                ("Tactile Head/frontTouched", "Tactile Head/onStop"),
                ("Tactile Head/frontTouched", "Go/onStart"),
                ("Go/onStopped", "onStopped"),
                ("Switch Case/output_2", "Bye/onStart"),
                ("Bye/onStopped", "onStopped"),
                ("Wait/timerOutput", "Speech Reco./onStop"),
                ("Wait/timerOutput", "Bumper/onStop"),
                ("Wait/timerOutput", "Alone/onStart"),
                ("Alone/onStopped", "onStopped"),
            ],
        ),
        "old",
    )


LOOP = """
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.goes_on = True

    def onInput_onStart(self):
        self.rounds = 0
        while self.goes_on:
            self.rounds += 1

    def onInput_onStop(self):
        self.goes_on = False
        self.onStopped()
"""


def busy():
    """Make a box that loops without sleep and without end, and one that speaks meanwhile."""
    loop = Box("Loop", LOOP, old.start_stop(), [Port("onStopped", BANG, STOPPED)])
    return project(
        root(
            [loop, old.say("Say", "Nobody can stop me.")],
            [("onStart", "Loop/onStart"), ("onStart", "Say/onStart"), ("Loop/onStopped", "onStopped")],
        ),
        "old",
    )
