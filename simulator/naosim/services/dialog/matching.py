"""Which sentences fit a pattern, and what they say in its captures; an event is a sentence of one sign."""

from __future__ import absolute_import, division, print_function

from naosim.qichat import Node, split_words

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

    State = Tuple[int, Tuple[Any, ...]]  # words used, captures and assignments so far

MOST_SAMPLES = 200
DEEPEST = 100  # nodes inside each other, concepts included
MOST_STEPS = 20000  # of one search; what takes more counts as not fitting
EVENT_SIGN = "e:"

Assignment = Node


class Names(object):
    """What the names in a pattern stand for: concepts, variables and events; here none is known."""

    def concept(self, name):  # type: (str) -> Sequence[Node]
        """Return the alternatives that a concept stands for."""
        return ()

    def value(self, name, captures=()):  # type: (str, Sequence[str]) -> Optional[str]
        """Return the value of a variable, None when it has none."""
        return None

    def holds(self, check, captures=()):  # type: (Node, Sequence[str]) -> bool
        """Tell whether a condition holds."""
        return False

    def key(self, name):  # type: (str) -> str
        """Return the key in ALMemory of a variable or event."""
        return name


class Fit(object):
    """How a sentence fits a pattern: its captures, and the assignments that the pattern makes."""

    def __init__(self, states):  # type: (Sequence[Any]) -> None
        self.captures = [each for each in states if isinstance(each, str)]
        self.assignments = [each for each in states if not isinstance(each, str)]


def event_words(key):  # type: (str) -> List[str]
    """Return the sentence that stands for an event; no person can say it."""
    return [EVENT_SIGN + key]


def fit(pattern, words, names):  # type: (Node, List[str], Names) -> Optional[Fit]
    """Return how a whole sentence fits a pattern, None when it does not."""
    for used, states in _Sentence(words, names).ways(pattern, 0, ()):
        if used == len(words):
            return Fit(states)
    return None


def samples(pattern, names):  # type: (Node, Names) -> List[str]
    """List sentences that fit a pattern, at most 200; a star is written as "..."."""
    found = []  # type: List[str]
    for sample in _Sampler(names).sentences(pattern, 0):
        sentence = " ".join(sample.split())
        if sentence and sentence not in found:
            found.append(sentence)
        if len(found) >= MOST_SAMPLES:
            break
    return found


class _Sentence(object):
    """A sentence and the ways in which patterns fit it."""

    def __init__(self, words, names):  # type: (List[str], Names) -> None
        self._words, self._names = words, names
        self._is_event = len(words) == 1 and words[0].startswith(EVENT_SIGN)
        self._depth = self._steps = 0
        self._fitting = {
            "spoken": self._spoken,
            "star": self._star,
            "not": self._not,
            "capture": self._capture,
            "concept": self._concept,
            "any": self._any,
            "maybe": self._maybe,
            "all": self._all,
            "event": self._event,
            "read": self._read,
            "check": self._check,
            "set": self._set,
            "repeat": self._repeat,
            "empty": self._empty,
        }  # type: Dict[str, Callable[[Any, int, Any], Iterator[State]]]

    def ways(self, node, at, states):  # type: (Node, int, Tuple[Any, ...]) -> Iterator[State]
        """Yield every way in which a node can use up words from a place on, the most words first for a star."""
        self._steps += 1
        if self._depth > DEEPEST or self._steps > MOST_STEPS:
            return
        self._depth += 1
        for state in self._fitting[node.kind](node.parts, at, states):
            self._depth -= 1
            yield state
            self._depth += 1
        self._depth -= 1

    def _spoken(self, parts, at, states):  # type: (Sequence[str], int, Tuple[Any, ...]) -> Iterator[State]
        if self._words[at : at + len(parts)] == list(parts):
            yield at + len(parts), states

    def _star(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        for end in range(at if self._is_event else len(self._words), at - 1, -1):
            yield end, states

    def _not(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        if not any(True for _ in self.ways(parts[0], at, states)):
            yield at, states

    def _capture(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        for end, inner in self.ways(parts[0], at, states):
            said = " ".join(self._words[at:end])
            if said.startswith(EVENT_SIGN):
                said = self._names.value(said[len(EVENT_SIGN) :]) or ""
            yield end, inner + (said,)

    def _concept(self, parts, at, states):  # type: (Sequence[str], int, Tuple[Any, ...]) -> Iterator[State]
        return self._any(self._names.concept(parts[0]), at, states)

    def _any(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        for part in parts:
            for state in self.ways(part, at, states):
                yield state

    def _maybe(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        """Fit all parts, one of them (an optional bracket may be a list of words), or none."""
        for state in self._all(parts, at, states):
            yield state
        if len(parts) > 1:
            for state in self._any(parts, at, states):
                yield state
        yield at, states

    def _all(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        if not parts:
            yield at, states
            return
        for end, inner in self.ways(parts[0], at, states):
            for state in self._all(parts[1:], end, inner):
                yield state

    def _repeat(self, parts, at, states):  # type: (Sequence[Node], int, Tuple[Any, ...]) -> Iterator[State]
        for end, inner in self.ways(parts[0], at, states):
            if end > at:
                for state in self.ways(Node("repeat", parts), end, inner):
                    yield state
            yield end, inner

    def _event(self, parts, at, states):  # type: (Sequence[str], int, Tuple[Any, ...]) -> Iterator[State]
        if self._words[at : at + 1] == [EVENT_SIGN + self._names.key(parts[0])]:
            yield at + 1, states

    def _read(self, parts, at, states):  # type: (Sequence[str], int, Tuple[Any, ...]) -> Iterator[State]
        value = self._names.value(parts[0])
        if value is not None:
            for state in self._spoken(split_words(value), at, states):
                yield state

    def _check(self, parts, at, states):  # type: (Sequence[Any], int, Tuple[Any, ...]) -> Iterator[State]
        if self._names.holds(Node("check", parts), Fit(states).captures):
            yield at, states

    def _set(self, parts, at, states):  # type: (Sequence[Any], int, Tuple[Any, ...]) -> Iterator[State]
        yield at, states + (Node("set", parts),)

    def _empty(self, parts, at, states):  # type: (Sequence[Any], int, Tuple[Any, ...]) -> Iterator[State]
        if not self._words:
            yield at, states


class _Sampler(object):
    """Makes sentences that fit a pattern, in order, until it has taken too many steps."""

    def __init__(self, names):  # type: (Names) -> None
        self._names = names
        self._steps = 0

    def sentences(self, node, depth):  # type: (Node, int) -> Iterator[str]
        """Yield every sentence of a node."""
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS or node.kind == "event":
            return
        if node.kind in ("any", "concept", "repeat"):
            for part in self._names.concept(node.parts[0]) if node.kind == "concept" else node.parts:
                for sentence in self.sentences(part, depth + 1):
                    yield sentence
        elif node.kind in ("all", "maybe", "capture"):
            for sentence in self._joined(node.parts, depth + 1):
                yield sentence
            if node.kind == "maybe":
                yield ""
        elif node.kind == "read":
            value = self._names.value(node.parts[0])
            if value is not None:
                yield value
        else:
            yield " ".join(node.parts) if node.kind == "spoken" else "..." if node.kind == "star" else ""

    def _joined(self, parts, depth):  # type: (Sequence[Node], int) -> Iterator[str]
        if not parts:
            yield ""
            return
        for head in self.sentences(parts[0], depth):
            for tail in self._joined(parts[1:], depth):
                yield head + " " + tail
