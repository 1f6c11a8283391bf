"""A story: one visit to the simulated robot that plays the real behaviour, step by step.

A `Story` is a new robot with a notebook folder. Its steps say, touch or keep silent, and return what NAO says then.
`ends` (called by `with`) checks that NAO left everything in order. `hears` finds lines by their keys in
`lines_en.json`, so that a new wording breaks no story.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import re

from jotto.compat import as_native, as_text
from jotto.rules import JOTTO
from jotto_behaviour import mind
from naosim import xar
from naosim.robot import Robot
from naosim.world import Faults

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEHAVIOUR = os.path.join(ROOT, "choregraphe_project", "behavior_1", "behavior.xar")
FRONT, MIDDLE, REAR = "FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"
NO_VOICE = ("ALSpeechRecognition",)
TOUCH_ONLY = ("ALSpeechRecognition", "ALDialog")
EARS = "ALSpeechRecognition"
LINES = mind.load_lines()
#: Answers that depend neither on the word nor on the guess.
ALWAYS = {
    "role": "ready",
    "ready": "ready",
    "tell": "no",
    "again": "no",
    "stopping": "no",
    "giving up": "no",
    "paused": "go on",
    "unfinished": "yes",
}
#: A few words to play with; each has an e, so that a score of zero zero fits none of them.
EASY = ("ocean", "bread", "steam", "lemon", "heart", "tiger", "clean", "dream", "money", "spend", "table", "hotel")
#: Phrases that lead from the start to each question; every word is in the list above.
WAYS = {
    "role": (),
    "ready": ("you guess",),
    "sealed note": ("you guess", "check my counting"),
    "your guess": ("my turn to guess",),
    "your word?": ("my turn to guess", "bravo", "romeo", "echo", "alpha", "delta"),
    "word or letter?": ("my turn to guess", "hotel"),
    "word": ("ready",),
    "both": ("ready", "no"),
    "exact": ("ready", "no", "zero", "go back"),
    "misplaced": ("ready", "no", "zero"),
    "doubtful": ("ready", "no", "zero", "zero"),
    "tell": ("ready", "no", "zero", "zero", "yes"),
    "spell": ("ready", "give up", "yes", "yes"),
    "again": ("ready", "yes"),
    "spelled": ("ready", "give up", "yes", "yes", "charlie", "alpha", "november", "oscar", "echo"),
    "stopping": ("ready", "stop"),
    "giving up": ("ready", "give up"),
    "paused": ("ready", "", "", ""),
    "unfinished": ("ready", "stop", "yes", "(again)"),
}
#: Files of a story that are not NAO's notes.
OTHERS = ("words.txt", "w\u00f6rter.txt", "words.tree")
#: More answers than any story takes.
MOST_STEPS = 150


#: Our behaviour as `read_behaviour` returns it, once it was read.
READ = []


def read_behaviour():
    """Return our behaviour for `Robot.load`; all stories share it, since reading it takes half of a story's time."""
    if not READ:
        READ.append(xar.parse(as_native(BEHAVIOUR)))
    return READ[0]


class Story(object):
    """One robot with our behaviour, or another copy of it, its notebook in `folder`, and the person who plays."""

    def __init__(self, folder, words=(), behaviour=None, faults=None, **robot):
        self.folder = as_text("%s" % folder)
        self.robot = Robot(faults=faults or Faults(), strict=True, **robot)
        self.behaviour = self.robot.load(as_native(behaviour) if behaviour else read_behaviour())
        self.settings = {"folder": self.folder, "seed": 7, "strategy": "entropy", "words": "", "typed": True}
        #: Whether a failure is expected, so that NAO may log it.
        self.breaks = False
        self.stopped = False
        self.heard = ""
        self._began = 0
        #: The person's answers to questions about neither word nor guess.
        self.habits = dict(ALWAYS)
        if words:
            self.settings["words"] = write(folder, "words.txt", words)

    def __enter__(self):
        return self

    def __exit__(self, kind, _error, _trace):
        try:
            if kind is None:
                self.ends()
        finally:
            self.robot.close()

    def stores(self, key, value):
        """Store a value of any kind in ALMemory under `Jotto/` and the key."""
        self.robot.memory.insertData(as_native("Jotto/" + key), _native(value))

    # Steps: each returns what NAO said.

    def begins(self, **settings):
        """Start the behaviour, with settings over the usual ones."""
        self.settings.update(settings)
        self.stores("Settings", as_text(json.dumps(self.settings, sort_keys=True)))
        return self.starts()

    def starts(self):
        """Start the behaviour with the present contents of ALMemory."""
        self.stopped = False
        self._began = len(self.robot.trace.events)
        self.robot.start(self.behaviour)
        return self._goes_on(self.robot.advance())

    def begins_anew(self, **settings):
        """Start without anything of earlier games."""
        self.stores("Game", "")
        for name in self.notes():
            os.remove(as_native(os.path.join(self.folder, name)))
        return self.begins(**settings)

    def reaches(self, state):
        """Go from the first question to the one of `state`."""
        for phrase in WAYS[state]:
            if phrase == "(again)":
                self.starts()
            elif phrase:
                self.says(phrase)
            else:
                self.keeps_silent()
        assert self.state == state, "%s instead of %s after %r" % (self.state, state, self.heard)
        return self.heard

    def says(self, *phrases, **sureness):
        """Say phrases one after the other, each when NAO listens."""
        for phrase in phrases:
            # A person says a short form in full.
            vocabulary = self.robot.ears().vocabulary
            full = phrase if as_native(phrase) in vocabulary else LINES.find_phrase_like(phrase, vocabulary) or phrase
            self.robot.hear(as_native(full), sureness.get("confidence", 0.9))
            self._goes_on(self.robot.advance())
        return self.heard

    def touches(self, *sensors):
        for sensor in sensors:
            self.robot.touch(sensor)
            self._goes_on(self.robot.advance())
        return self.heard

    def taps(self, count):
        """Tap the front of the head `count` times, then touch the back."""
        return self.touches(*[FRONT] * count + [REAR])

    def keeps_silent(self):
        return self._goes_on(self.robot.stay_silent())

    def raises(self, event, value):
        self.robot.memory.raiseEvent(as_native(event), value)
        return self._goes_on(self.robot.advance())

    def calls(self, method, value, box=None):
        """Call a callback of the listening box, or of another one, as the robot would for an event."""
        if box is None:
            box = self.robot.world.modules[self.robot.memory.getSubscribers(as_native(FRONT))[0]]
        self.robot.clock.call_soon(getattr(box, method), as_native(FRONT), value, as_native(""))
        return self._goes_on(self.robot.advance())

    def box(self, name):
        return next(box.instance for box in self.behaviour.root.family() if box.path.endswith("/" + name))

    def passes(self, seconds):
        return self._goes_on(self.robot.stay_silent(seconds))

    def stops(self):
        self.stopped = True
        self.robot.stop(self.behaviour)

    def plays(self, secret, until="again", answer=None):
        """Answer honestly about `secret` until NAO is in the state `until`, or says good-bye."""
        for _ in range(MOST_STEPS):
            if self.state == until or self.is_over:
                return self.heard
            (answer or self.answers)(self.answer(secret))
        raise AssertionError("no state %r after %d answers" % (until, MOST_STEPS))

    def plays_by_touch(self, secret, until="again"):
        return self.plays(secret, until, lambda meaning: self.touches(*touches(meaning)))

    def answer(self, secret):
        """Return the honest answer to NAO's present question, as a meaning."""
        state = self.state
        exact, misplaced = JOTTO.score(self.guess, secret) if self.guess else (0, 0)
        if state == "doubtful":
            return "yes" if self.get("Score") == "%d %d" % (exact, misplaced) else "no"
        if state == "spell":
            return secret[len(self.talk["spelled"])]
        own = {
            "word": "yes" if self.guess == secret else "no",
            "exact": "%d" % exact,
            "misplaced": "%d" % misplaced,
            "both": "%d %d" % (exact, misplaced) if exact < 5 else "5",
            "spelled": "yes",
        }
        return self.habits.get(state) or own[state]

    def answers(self, meaning):
        return self.says(LINES.list_phrases([meaning])[0])

    def _goes_on(self, pause):
        self.heard = " ".join(as_text(event.fields["plain"]) for event in pause.events if event.kind == "say")
        return self.heard

    # The state seen from outside.

    @property
    def is_over(self):
        return self.behaviour.ended or self.stopped

    @property
    def state(self):
        return self.get("State")

    @property
    def guess(self):
        return self.get("Guess")

    @property
    def talk(self):
        return json.loads(self.get("Game"))

    @property
    def score(self):
        return [(guess, tuple(score)) for guess, score in self.talk["game"]["turns"]]

    def get(self, key):
        """Return the value in ALMemory under `Jotto/` and the key, as text."""
        value = self.robot.get("Jotto/" + key)
        return as_text(value) if isinstance(value, (bytes, type(""))) else value

    def said(self):
        return [as_text(event.fields["plain"]) for event in self.robot.trace.of("say")]

    def notes(self):
        return sorted(as_text(name) for name in os.listdir(as_native(self.folder)) if as_text(name) not in OTHERS)

    def note(self, name):
        """Read a file of the notebook as text, empty when there is none."""
        path = as_native(os.path.join(self.folder, name))
        if not os.path.exists(path):
            return ""
        with io.open(path, encoding="utf-8") as source:
            return source.read()

    def hears(self, *keys):
        """Return whether NAO has just said these lines, in any wording, in this order."""
        wanted = ".*".join(wording(key) for key in keys)
        assert re.search(wanted, self.heard), "%s is not in %r (state %s)" % (keys, self.heard, self.state)
        return True

    def has_said(self, key):
        """Return whether NAO has just said this line, among others."""
        return re.search(wording(key), self.heard) is not None

    def ends(self):
        self.robot.stay_silent(0.5)
        found = self.complaints()
        assert not found, "\n".join(["after saying %r in state %s:" % (self.heard, self.state)] + found)

    def complaints(self):
        """List the violations of a proper end, in plain sentences."""
        stops = self.behaviour.times_stopped
        found = [] if self.is_over else ["NAO still waits for an answer."]
        if stops != (0 if self.stopped else 1):
            found.append("The root stopped %d times." % stops)
        found += self.robot.leaks(self.behaviour) + ["Pending: %s" % each for each in self.robot.clock.pending()]
        found += [text for text in self.behaviour.failures if not (self.breaks and ".log: " in text)]
        if not self.breaks:
            found += ["Logged: %s" % event.fields["text"] for event in self.robot.trace.of("log")]
        eyes = [event.fields["colour"] for event in self.robot.trace.of("eyes")]
        found += ["The eyes are left %s." % colour for colour in eyes[-1:] if colour != "#ffffff"]
        return found + self._mistakes_of_speech()

    def _mistakes_of_speech(self):
        """List spoken text that is no `str` (2.7: unicode) or incomplete, and vocabulary entries that are sentences."""
        found, listens, speaks = [], False, 0
        for event in self.robot.trace.list_since(self._began):
            fields = event.fields
            if event.kind in ("say", "animate") and "text" in fields:
                # NAO may say none, but no None of Python.
                unsaid = re.search(r"[{}]|None(?! in the right place|\. And)|<\.", fields["text"])
                is_whole = type(fields["text"]) is str and not unsaid
                found += [] if is_whole else ["This is not to be said: %r" % fields["text"]]
            if event.kind == "call" and fields.get("service") == EARS and fields["method"] in ("start", "stop"):
                listens = fields["method"] == "start"
            speaks += {"say": 1, "said": -1}.get(event.kind, 0)
            if listens and speaks:
                found.append("NAO listens to itself at %s." % event.time)
        return found


def wording(key):
    pieces = [re.split(r"\{[^{}]+\}", " ".join(text.split())) for text in LINES.list_wordings(key)]
    return "(?:%s)" % "|".join(".*?".join(map(re.escape, piece)) for piece in pieces)


def touches(meaning):
    """Return the touches for a meaning: front for yes, back for no, taps for numbers and letters."""
    if meaning[:1].isdigit():
        # The head gives the first of two numbers; NAO asks for the other one.
        return [FRONT] * int(meaning[0]) + [REAR]
    if len(meaning) == 1:
        return [FRONT] * (ord(meaning) - ord("a") + 1) + [REAR]
    return [FRONT] if meaning in ("yes", "ready", "go on", "you guess") else [REAR]


def write(folder, name, lines):
    path = os.path.join(as_text("%s" % folder), name)
    with io.open(as_native(path), "w", encoding="utf-8") as target:
        target.write("".join("%s\n" % line for line in lines))
    return path


def _native(value):
    if isinstance(value, list):
        return [_native(item) for item in value]
    return as_native(value) if isinstance(value, type("")) else value
