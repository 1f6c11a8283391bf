"""The interpreter of QiChat: it matches a sentence with the pattern of a rule and works out the rule's answer.

`match_pattern` finds how a sentence fits; `TopicNames` looks up concepts, variables and events; `AnswerInterpreter`
takes an answer apart into steps. `naosim.qichat` reads the rules, `naosim.topics` the files.
"""

from __future__ import absolute_import, division, print_function

import ast
import re
import time
from collections import namedtuple
from itertools import islice

from naosim import topics
from naosim.patches import ROBOT_START_S
from naosim.qichat import CONCEPT_CHANGES, Node, join_words, split_words
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

# Matching sentences with patterns.

if MYPY:
    State = Tuple[int, Tuple[Any, ...]]  # words used, captures and assignments so far

MAX_SAMPLES = 200
_MAX_PATTERN_DEPTH = 100  # nodes inside each other, concepts included
_MAX_SEARCH_STEPS = 20000  # a pattern that needs more steps does not fit
_MAX_VALUE_LENGTH = 20000  # characters of a variable's value: as many as a service takes
EVENT_SIGN = "e:"


class PatternNames(object):
    """The meaning of names in a pattern: concepts, variables and events. This base class knows none."""

    def concept(self, name):  # type: (str) -> Sequence[Node]
        """Return the alternatives that a concept stands for."""
        return ()

    def value(self, name, captures=()):  # type: (str, Sequence[str]) -> Optional[str]
        """Return the value of a variable, None if it lacks one."""
        return None

    def holds(self, check, captures=()):  # type: (Node, Sequence[str]) -> bool
        """Return whether a condition holds."""
        return False

    def key(self, name):  # type: (str) -> str
        """Return the key in ALMemory of a variable or event."""
        return name

    def is_raised(self, name):  # type: (str) -> bool
        """Return whether an event has been raised since the last sentence."""
        return False


class _PatternMatch(object):
    """A sentence that fits a pattern: its captures, and the assignments that the pattern makes."""

    def __init__(self, states):  # type: (Sequence[Any]) -> None
        self.captures = [each for each in states if isinstance(each, str)]
        self.assignments = [each for each in states if not isinstance(each, str)]


def make_event_sentence(key):  # type: (str) -> List[str]
    """Return the sentence that stands for an event; no person can say it."""
    return [EVENT_SIGN + key]


def match_pattern(pattern, words, names, inside=False):
    # type: (Node, List[str], PatternNames, bool) -> Optional[_PatternMatch]
    """Return the fit of a sentence to a pattern, or None; with `inside`, other words can be around it."""
    sentence = _Sentence(words, names, inside)
    for start in range(len(words)) if inside else (0,):
        for used, states in sentence.ways(pattern, start, ()):
            if used > start if inside else used == len(words):
                return _PatternMatch(states)
    return None


def fits_everything(pattern):  # type: (Node) -> bool
    """Return whether a pattern is only stars: other rules that fit come before it."""
    parts = [node.parts[0] if node.kind == "capture" else node for node in pattern.parts]
    return all(node.kind == "star" for node in parts)


def list_samples(pattern, names):  # type: (Node, PatternNames) -> List[str]
    """List sentences that fit a pattern, at most 200; a star is written as "..."."""
    found = []  # type: List[str]
    for sample in _Sampler(names).sentences(pattern, 0):
        sentence = join_words(sample.split())
        if sentence and sentence not in found:
            found.append(sentence)
        if len(found) >= MAX_SAMPLES:
            break
    return found


class _Sentence(object):
    """A sentence and the ways in which patterns fit it; the method `_KIND` handles the nodes of a kind."""

    def __init__(self, words, names, inside=False):  # type: (List[str], PatternNames, bool) -> None
        self._words, self._names, self._is_inside = words, names, inside
        self._is_event = len(words) == 1 and words[0].startswith(EVENT_SIGN)
        self._depth = self._steps = 0

    def ways(self, node, at, states):  # type: (Node, int, Tuple[object, ...]) -> Iterator[State]
        """Yield every way in which a node can use up words from place `at`, the most words first for a star."""
        self._steps += 1
        if self._depth > _MAX_PATTERN_DEPTH or self._steps > _MAX_SEARCH_STEPS:
            return
        self._depth += 1
        for state in getattr(self, "_" + node.kind)(node.parts, at, states):
            self._depth -= 1
            yield state
            self._depth += 1
        self._depth -= 1

    def _spoken(self, parts, at, states):  # type: (Sequence[str], int, Tuple[object, ...]) -> Iterator[State]
        if self._words[at : at + len(parts)] == list(parts):
            yield at + len(parts), states

    def _star(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        for end in range(at if self._is_event else len(self._words), at - 1, -1):
            yield end, states

    def _not(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        places = range(len(self._words)) if self._is_inside else (at,)  # type: Any
        if not any(end > start for start in places for end, _ in self.ways(parts[0], start, states)):
            yield at, states

    def _capture(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        for end, inner in self.ways(parts[0], at, states):
            said = join_words(self._words[at:end])
            if said.startswith(EVENT_SIGN):
                said = self._names.value(said[len(EVENT_SIGN) :]) or ""
            yield end, inner + (said,)

    def _concept(self, parts, at, states):  # type: (Sequence[str], int, Tuple[object, ...]) -> Iterator[State]
        return self._any(self._names.concept(parts[0]), at, states)

    def _any(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        for part in parts:
            for state in self.ways(part, at, states):
                yield state

    def _maybe(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        """Fit all parts, one of them (an optional bracket can be a list of words), or none."""
        for state in self._all(parts, at, states):
            yield state
        if len(parts) > 1:
            for state in self._any(parts, at, states):
                yield state
        yield at, states

    def _all(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        if not parts:
            yield at, states
            return
        for end, inner in self.ways(parts[0], at, states):
            for state in self._all(parts[1:], end, inner):
                yield state

    def _repeat(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[object, ...]) -> Iterator[State]
        for end, inner in self.ways(parts[0], at, states):
            if end > at:
                for state in self.ways(Node("repeat", parts), end, inner):
                    yield state
            yield end, inner

    def _event(self, parts, at, states):  # type: (Sequence[str], int, Tuple[object, ...]) -> Iterator[State]
        if self._words[at : at + 1] == [EVENT_SIGN + self._names.key(parts[0])]:
            yield at + 1, states
        elif not self._is_event and self._names.is_raised(parts[0]):
            yield at, states

    def _exist(self, parts, at, states):  # type: (Sequence[Any], int, Tuple[object, ...]) -> Iterator[State]
        if bool(self._names.value(parts[0])) is parts[1]:
            yield at, states

    def _read(self, parts, at, states):  # type: (Sequence[str], int, Tuple[object, ...]) -> Iterator[State]
        value = self._names.value(parts[0])
        if value is not None:
            for state in self._spoken(split_words(value), at, states):
                yield state

    def _check(self, parts, at, states):  # type: (Sequence[object], int, Tuple[object, ...]) -> Iterator[State]
        if self._names.holds(Node("check", parts), _PatternMatch(states).captures):
            yield at, states

    def _set(self, parts, at, states):  # type: (Sequence[object], int, Tuple[object, ...]) -> Iterator[State]
        yield at, states + (Node("set", parts),)

    def _empty(self, parts, at, states):  # type: (Sequence[object], int, Tuple[object, ...]) -> Iterator[State]
        if not self._words:
            yield at, states


class _Sampler(object):
    """Makes sentences that fit a pattern, in order, until it has taken too many steps."""

    def __init__(self, names):  # type: (PatternNames) -> None
        self._names = names
        self._steps = 0

    def sentences(self, node, depth):  # type: (Node, int) -> Iterator[str]
        self._steps += 1
        if depth > _MAX_PATTERN_DEPTH or self._steps > _MAX_SEARCH_STEPS or node.kind == "event":
            return
        if node.kind in ("any", "concept", "repeat"):
            for part in self._names.concept(node.parts[0]) if node.kind == "concept" else node.parts:
                for sentence in self.sentences(part, depth + 1):
                    yield sentence
        elif node.kind in ("all", "maybe", "capture"):
            for sentence in self._join_sentences(node.parts, depth + 1):
                yield sentence
            if node.kind == "maybe":
                yield ""
        elif node.kind == "read":
            value = self._names.value(node.parts[0])
            if value is not None:
                yield value
        else:
            yield " ".join(node.parts) if node.kind == "spoken" else "..." if node.kind == "star" else ""

    def _join_sentences(self, parts, depth):  # type: (Sequence[Node], int) -> Iterator[str]
        if not parts:
            yield ""
            return
        for head in self.sentences(parts[0], depth):
            for tail in self._join_sentences(parts[1:], depth):
                yield head + " " + tail


# One loaded topic.


class LoadedTopic(object):
    """A loaded topic with its enabled rules, its proposals and its choices."""

    def __init__(self, topic):  # type: (topics.Topic) -> None
        self.topic = topic
        self.events = frozenset(topics.list_topic_events(topic))
        #: The keys in ALMemory of variables and events that have their own path.
        self.paths = {}  # type: Dict[str, str]
        #: The number of times that each choice was made, by its identity.
        self.turns = {}  # type: Dict[int, int]
        self._disabled = set()  # type: Set[int]
        self._last = None  # type: Optional[int]

    def is_enabled(self, rule):  # type: (topics.Rule) -> bool
        """Return whether a rule may answer: not when it is a proposal that was made, or has been deactivated."""
        return id(rule) not in self._disabled

    def enable(self, rule, enabled):  # type: (topics.Rule, bool) -> None
        """Let a rule answer, or no more."""
        (self._disabled.discard if enabled else self._disabled.add)(id(rule))

    def list_tagged(self, tag):  # type: (str) -> List[topics.Rule]
        """List the rules and proposals that carry a tag."""
        return [rule for rule in topics.walk_rules(self.topic) if tag in rule.tags]

    def note_answer(self, rule):  # type: (topics.Rule) -> None
        """Note that a rule has answered; a proposal is made once."""
        for number, proposal in enumerate(self.topic.proposals):
            if proposal is rule:
                self._last = number
                self.enable(rule, False)

    def proposal(self, which):  # type: (str) -> Optional[topics.Rule]
        """Return the proposal that is "first", "next", "same" or "previous"; None if none exists."""
        proposals = self.topic.proposals  # type: List[topics.Rule]
        if which == "next":
            start = 0 if self._last is None else self._last + 1
            waiting = proposals[start:] + proposals[:start]
            return next((each for each in waiting if self.is_enabled(each)), None)
        if which == "first":
            return proposals[0] if proposals else None
        if self._last is None:
            return None
        at = self._last - (which == "previous")
        return proposals[at] if at >= 0 else None

    def again(self):  # type: () -> None
        """Let every proposal be made once more, beginning with the first."""
        self._last = None
        for proposal in self.topic.proposals:
            self.enable(proposal, True)


# Concepts, variables and other names in a topic.

#: Variables that follow the clock: functions of the time of day as time.gmtime gives it.
_CLOCK_VARIABLES = {
    "Dialog/Year": lambda now: "%d" % now.tm_year,
    "Dialog/Month": lambda now: "%d" % now.tm_mon,
    "Dialog/Day": lambda now: "%d" % now.tm_mday,
    "Dialog/Hour": lambda now: "%d" % now.tm_hour,
    "Dialog/Minute": lambda now: "%d" % now.tm_min,
    "Dialog/Second": lambda now: "%d" % now.tm_sec,
    "Dialog/DateCode": lambda now: "%d%02d" % (now.tm_mon, now.tm_mday),
    "Dialog/Morning": lambda now: "1" if 5 <= now.tm_hour < 11 else None,
    "Dialog/Default": lambda now: "1" if 11 <= now.tm_hour < 19 else None,
    "Dialog/Night": lambda now: "1" if now.tm_hour >= 19 or now.tm_hour < 5 else None,
}  # type: Dict[str, Callable[[Any], Optional[str]]]
_MODEL_VARIABLES = {"Dialog/RobotModel": {"Juliette": "juliette"}, "Dialog/RobotName": {"Juliette": "pepper"}}
_COMPARISONS = {
    "==": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


class TopicNames(PatternNames):
    """The names of one loaded topic."""

    def __init__(self, world, topic, concept_of, raised=()):
        # type: (World, LoadedTopic, Callable[[LoadedTopic, str], Optional[topics.Concept]], Any) -> None
        self._world, self._raised = world, raised
        self._topic = topic
        self._concept_of = concept_of

    def concept(self, name):  # type: (str) -> Sequence[Node]
        """Return the phrases of a concept for a person."""
        found = self._concept_of(self._topic, name)
        return found.heard if found is not None else ()

    def find_answer(self, name):  # type: (str) -> Optional[Node]
        """Return the robot's phrase for a concept, None if there is no such concept."""
        found = self._concept_of(self._topic, name)
        return found.spoken if found is not None else None

    def key(self, name):  # type: (str) -> str
        """Return the key in ALMemory of a variable or event: another one for a port of the topic's Dialog box."""
        return self._topic.paths.get(name, name)

    def is_raised(self, name):  # type: (str) -> bool
        """Return whether an event has been raised since the last sentence."""
        return self.key(name) in self._raised

    def value(self, name, captures=()):  # type: (str, Sequence[str]) -> Optional[str]
        """Return a capture ($1, $2 ...), a value of the clock or of ALMemory; None if none exists."""
        if name.isdigit():
            at = int(name[:4]) - 1
            if 0 <= at < len(captures):
                return captures[at]
        if name in _CLOCK_VARIABLES:
            return _CLOCK_VARIABLES[name](time.gmtime(ROBOT_START_S + self._world.clock.now()))
        if name in _MODEL_VARIABLES:
            return _MODEL_VARIABLES[name].get(self._world.robot_type, "nao")
        if name.startswith("Dialog/Language/"):
            return "1" if name.rpartition("/")[2] in self._world.languages else None
        try:
            found = self._world.memory.getData(self.key(name))
        except RuntimeError:
            return None
        return None if found is None else str(found)

    def text(self, template, captures):  # type: (Sequence[Node], Sequence[str]) -> Optional[str]
        """Return a value made of texts and variables, None if one of the variables has no value; a long one is cut."""
        parts = [node.parts[0] if node.kind == "text" else self.value(node.parts[0], captures) for node in template]
        return None if None in parts else "".join(part for part in parts if part is not None)[:_MAX_VALUE_LENGTH]

    def holds(self, check, captures=()):  # type: (Node, Sequence[str]) -> bool
        """Return whether a condition holds; a variable without value fulfils none. Numbers are compared as numbers."""
        name, operator, template = check.parts
        left, right = self.value(name, captures), self.text(template, captures)
        if left is None or right is None:
            return False
        sides = _to_number(left), _to_number(right)  # type: Any
        if None in sides:
            sides = left.lower().strip(), right.lower().strip()
        return bool(_COMPARISONS[operator](*sides))


def _to_number(text):  # type: (str) -> Optional[float]
    try:
        return float({"true": "1", "false": "0"}.get(text.strip().lower(), text))
    except ValueError:
        return None


# Evaluating an answer.

_MAX_VARIANTS = 200  # of one choice
_MAX_COUNTED = 1000000  # members of a concept
_MAX_ANSWER_DEPTH = 30  # concepts inside each other
_MAX_ANSWER_STEPS = 20000  # steps of finding alternatives; the rest of them cannot be said
_MAX_ANSWER_NODES = 20000  # nodes of one answer, concepts included; the rest is not said
_CHOICE_ORDERS = ("order", "rand", "first")
_CONDITIONS = ("check", "exist", "isinconcept")

#: One step: say a text, set (key, value), tag, do (name, argument, ...), call or pcall.
AnswerStep = namedtuple("AnswerStep", "kind value")


class UnknownConcept(ValueError):
    """An answer names a concept that no loaded topic defines."""


class NothingToSay(Exception):
    """A condition of the answer is false: the text after it is left out."""


class AnswerInterpreter(object):
    """Splits an answer into steps; each is computed when it is reached, after the steps before it."""

    def __init__(self, view, turns, random, captures, can_do):
        # type: (TopicNames, Dict[int, int], Any, Sequence[str], Callable[[Node], bool]) -> None
        self._view = view
        self._turns = turns
        self._random = random
        self._captures = captures
        self._can_do = can_do
        self._steps = self._nodes = 0

    def steps(self, node, depth=0):  # type: (Node, int) -> Iterator[AnswerStep]
        """Yield the steps of an answer; raise NothingToSay if a condition fails, UnknownConcept for an unknown name."""
        kind, parts = node
        self._nodes += 1
        if self._nodes > _MAX_ANSWER_NODES or (kind == "maybe" and self._random.random() < 0.5):
            return
        if kind in ("all", "maybe"):
            for part in parts:
                for step in self.steps(part, depth):
                    yield step
        elif kind in _CHOICE_ORDERS or kind == "concept":
            for step in self._choose_steps(node, depth):
                yield step
        elif kind not in _CONDITIONS:
            yield self._plain(node, depth)
        elif not self._can_be_said(node, depth):
            raise NothingToSay()

    def _plain(self, node, depth):  # type: (Node, int) -> AnswerStep
        """Return the step of a node that is one step."""
        kind, parts = node
        if kind == "enumerate":
            return AnswerStep("say", ", ".join(self._list_members(parts[0], parts[1], depth)))
        if kind == "size":
            return AnswerStep("say", str(self._count_members(Node("concept", parts[:1]), depth)))
        if kind in CONCEPT_CHANGES:
            return AnswerStep("do", (kind, parts[0], self._view.text(parts[1], self._captures) or ""))
        if kind == "read":
            return AnswerStep("say", self._view.value(parts[0], self._captures) or "")
        if kind == "set":
            return AnswerStep("set", (self._view.key(parts[0]), self._view.text(parts[1], self._captures) or ""))
        if kind in ("call", "pcall"):
            given = [self._view.text(each, self._captures) or "" for each in parts[2]]
            return AnswerStep(kind, (parts[0], parts[1], given))
        return AnswerStep("say" if kind == "text" else kind, parts if kind == "do" else parts[0])

    def _choose_steps(self, node, depth):  # type: (Node, int) -> Iterator[AnswerStep]
        """Yield the steps of one alternative: the next that can be said, a random one, or the first."""
        if depth > _MAX_ANSWER_DEPTH:
            return
        if node.kind == "concept":
            node = self._meaning(node.parts[0])
            if node.kind not in _CHOICE_ORDERS:
                for step in self.steps(node, depth + 1):
                    yield step
                return
        chosen = self._any_of(node, depth) if node.kind == "rand" else self._get_next(node, depth)
        if chosen is not None:
            for step in self.steps(chosen, depth + 1):
                yield step

    def _any_of(self, node, depth):  # type: (Node, int) -> Optional[Node]
        """Draw one of the alternatives that can be said."""
        meanings = [self._meaning(part.parts[0]) for part in node.parts if part.kind == "concept"]
        if len(meanings) == len(node.parts) == 1 and meanings[0].kind in _CHOICE_ORDERS:
            node = meanings[0]
        possible = [each for each in node.parts if self._can_be_said(each, depth)]
        return self._random.choice(possible) if possible else None

    def _get_next(self, node, depth):  # type: (Node, int) -> Optional[Node]
        """Return the first alternative that can be said; in an ordered choice, the next one after the last."""
        variants = self._variants(node, depth)
        start = self._turns.get(id(node), 0) if node.kind == "order" else 0
        for number in range(start, start + len(variants)):
            chosen = variants[number % len(variants)]
            if self._can_be_said(chosen, depth):
                self._turns[id(node)] = (number + 1) % len(variants)
                return chosen
        return None

    def _meaning(self, name):  # type: (str) -> Node
        """Return the robot's phrase for a concept; a single bracket is a choice."""
        node = self._view.find_answer(name)
        if node is None:
            raise UnknownConcept("no loaded topic of this language defines the concept ~%s" % name)
        inner = [part for part in node.parts if part != Node("text", (" ",))]
        return inner[0] if node.kind == "all" and len(inner) == 1 else node

    def _variants(self, node, depth):  # type: (Node, int) -> List[Node]
        """List the alternatives of a node, those of choices and concepts inside it one by one, at most 200."""
        self._steps += 1
        if depth > _MAX_ANSWER_DEPTH or self._steps > _MAX_ANSWER_STEPS:
            return [node]
        if node.kind == "concept":
            return self._variants(self._meaning(node.parts[0]), depth + 1)
        if node.kind in ("order", "first"):
            found = []  # type: List[Node]
            for part in node.parts:
                if len(found) < _MAX_VARIANTS:
                    found += self._variants(part, depth + 1)
            return found[:_MAX_VARIANTS]
        if node.kind != "all":
            return [node]
        rows = [()]  # type: List[Any]
        for part in node.parts:
            inner = self._variants(part, depth + 1)
            rows = list(islice((row + (each,) for row in rows for each in inner), _MAX_VARIANTS))
        return [Node("all", row) for row in rows]

    def _list_members(self, name, most, depth):  # type: (str, Optional[int], int) -> List[str]
        """List the members of a concept, all of them or the first few."""
        meaning = self._meaning(name)
        if meaning.kind in _CHOICE_ORDERS:
            meaning = Node("order", meaning.parts)
        members = self._variants(meaning, depth + 1)[:most]
        texts = ["".join(step.value for step in self.steps(each, depth + 1) if step.kind == "say") for each in members]
        return [" ".join(text.split()) for text in texts if text.strip()]

    def _count_members(self, node, depth):  # type: (Node, int) -> int
        """Count the alternatives of a node, those of choices and concepts inside it one by one."""
        self._steps += 1
        if depth > _MAX_ANSWER_DEPTH or self._steps > _MAX_ANSWER_STEPS:
            return 1
        if node.kind == "concept":
            return self._count_members(self._meaning(node.parts[0]), depth + 1)
        counts = [self._count_members(part, depth + 1) for part in node.parts if isinstance(part, Node)]
        if node.kind in _CHOICE_ORDERS:
            return sum(counts)
        product = 1
        for count in counts if node.kind == "all" else ():
            product = min(product * count, _MAX_COUNTED)
        return product

    def _can_be_said(self, node, depth):  # type: (Node, int) -> bool
        """Return whether an alternative can be said: its conditions hold, its variables and concepts are there."""
        self._steps += 1
        if depth > _MAX_ANSWER_DEPTH or self._steps > _MAX_ANSWER_STEPS:
            return False
        if node.kind == "check":
            return self._view.holds(node, self._captures)
        if node.kind == "exist":
            return bool(self._view.value(node.parts[0], self._captures)) is node.parts[1]
        if node.kind == "isinconcept":
            words = split_words(self._view.text(node.parts[1], self._captures) or "")
            return match_pattern(Node("concept", node.parts[:1]), words, self._view) is not None
        if node.kind == "read":
            return self._view.value(node.parts[0], self._captures) is not None
        if node.kind == "do":
            return self._can_do(node)
        if node.kind == "concept":
            return self._can_be_said(self._meaning(node.parts[0]), depth + 1)
        if node.kind in _CHOICE_ORDERS:
            return any(self._can_be_said(part, depth + 1) for part in node.parts)
        return node.kind != "all" or all(self._can_be_said(part, depth + 1) for part in node.parts)


def change_answer(text, change, random):  # type: (str, Tuple[str, Sequence[str]], Any) -> str
    """Change an answer as a skin says: add words at a place, or replace words, with a frequency from 0 to 1."""
    function, (first, second, frequency) = change
    if random.random() >= (_to_number(frequency) or 0.0):
        return text
    if function == "replace":
        return re.sub(r"\b%s\b" % re.escape(first), lambda _found: second, text, flags=re.IGNORECASE)
    words = text.split()
    place = {"start": 0.0, "end": float(len(words))}.get(second.lower(), (_to_number(second) or 1.0) - 1)
    return " ".join(words[: int(place)] + [first] + words[int(place) :])


# Arguments and results of `^call(...)`.

_MAX_ARGUMENT_LENGTH = 2000  # characters of one argument
_MAX_ARGUMENT_DEPTH = 10  # brackets inside each other
_TRUTH_WORDS = {"true": True, "false": False}


def parse_argument(text):  # type: (str) -> object
    """Return the number, text, list or truth value that an argument writes; any other words are a text.

    >>> [parse_argument(text) for text in ("3", "0.5", "'two'", "[1, 2]", "true", "two words")]
    [3, 0.5, 'two', [1, 2], True, 'two words']
    """
    text = text.strip()
    if text.lower() in _TRUTH_WORDS:
        return _TRUTH_WORDS[text.lower()]
    if len(text) > _MAX_ARGUMENT_LENGTH or sum(text.count(sign) for sign in "([{") > _MAX_ARGUMENT_DEPTH:
        return text
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RuntimeError):
        return text
    return found if _is_plain(found) else text


def format_result(result):  # type: (object) -> str
    """Return the result of a call as words for a c rule."""
    if result is None:
        return ""
    if isinstance(result, (list, tuple)):
        return " ".join(format_result(each) for each in result)
    return str(result)


def _is_plain(found):  # type: (object) -> bool
    if isinstance(found, list):
        return all(_is_plain(each) for each in found)
    return isinstance(found, (str, int, float))
