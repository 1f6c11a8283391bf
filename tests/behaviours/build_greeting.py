"""README's example: `python -m behaviours.build_greeting` writes docs/greeting, from the folder `tests`."""

from __future__ import absolute_import, division, print_function

import os

from .build_apps import put
from .build_old_boxes import start_stop
from .build_writer import BANG, LOCALIZED, PUNCTUAL, STOPPED, Box, Parameter, Port, project, root

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "greeting")

SAY = '''
class MyClass(GeneratedClass):
    """Says a text, then goes on."""

    def __init__(self):
        GeneratedClass.__init__(self, False)

    def onInput_onStart(self):
        self.session().service("ALTextToSpeech").say(str(self.getParameter("Text")))
        self.onStopped()
'''

LISTEN = '''
class MyClass(GeneratedClass):
    """Listens until somebody says hello, and leaves nothing behind."""

    def __init__(self):
        GeneratedClass.__init__(self, False)
        self.ears = None

    def onInput_onStart(self):
        self.ears = self.session().service("ALSpeechRecognition")
        self.ears.setVocabulary(["hello"], False)
        self.heard = self.session().service("ALMemory").subscriber("WordRecognized")
        self.link = self.heard.signal.connect(self.on_word)
        self.ears.subscribe("greeting")

    def on_word(self, value):
        if value[0] == "hello" and value[1] > 0.4:
            self.hello()

    def onInput_onStop(self):
        self.onUnload()

    def onUnload(self):
        if self.ears:
            self.ears.unsubscribe("greeting")
            self.heard.signal.disconnect(self.link)
            self.ears = None
'''

PML = """<?xml version="1.0" encoding="UTF-8" ?>
<Package name="greeting" format_version="4">
    <Manifest src="manifest.xml" />
    <BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="behavior_1" xar="behavior.xar" />
    </BehaviorDescriptions>
    <Dialogs />
    <Resources />
    <Topics />
    <IgnoredPaths />
</Package>
"""

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<package uuid="greeting" version="1.0.0">
  <names>
    <name lang="en_US">Greeting</name>
  </names>
  <contents>
    <behaviorContent path="behavior_1">
      <userRequestable />
      <nature>interactive</nature>
      <permissions />
    </behaviorContent>
  </contents>
  <requirements>
    <naoqiRequirement minVersion="2.1" />
  </requirements>
</package>
"""

TEST = """def test_it_greets_back(nao):
    nao.run("behavior_1/behavior.xar")
    nao.hear("hello")
    assert nao.said[-1] == "Hello to you!"
"""


def say(name, text):
    """Make a box that says a text."""
    return Box(name, SAY, start_stop()[:1], [Port("onStopped", BANG, STOPPED)], [Parameter("Text", LOCALIZED, text)])


def greeting():
    """Make the behaviour: a question, a box that listens, an answer."""
    listen = Box("Listen", LISTEN, start_stop(), [Port("hello", BANG, PUNCTUAL)])
    return project(
        root(
            [say("Ask", "Is anybody there?"), listen, say("Answer", "Hello to you!")],
            [
                ("onStart", "Ask/onStart"),
                ("Ask/onStopped", "Listen/onStart"),
                ("Listen/hello", "Listen/onStop"),
                ("Listen/hello", "Answer/onStart"),
                ("Answer/onStopped", "onStopped"),
            ],
        ),
        "new",
    )


def files():
    """Make every file of the example, by its place in the folder."""
    return {
        "behavior_1/behavior.xar": greeting(),
        "greeting.pml": PML,
        "manifest.xml": MANIFEST,
        "test_greeting.py": TEST,
    }


if __name__ == "__main__":
    for place, content in files().items():
        put(FOLDER, place, content)
