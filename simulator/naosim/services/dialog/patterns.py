"""QiChat patterns: words, "phrases", [choices], {optional}, ~concepts, _captures and *."""
from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Callable, Iterator, List, Sequence, Tuple

    Concepts = Callable[[str], Sequence["Node"]]
    State = Tuple[int, Tuple[str, ...]]  # words used, captures so far

TOKEN = re.compile(r'"[^"]*"|~[\w/\-]+|[\[\]{}()*_!]|[^\s\[\]{}()*"~!]+')
MOST_WORDS = 60  # of one sentence
MOST_STARS = 4  # of one pattern
MOST_SAMPLES = 200
LONGEST = 150  # tokens of one pattern
LONGEST_CONCEPT = 50000  # tokens of one concept
DEEPEST_BRACKET = 20
DEEPEST = 100  # nodes inside each other, concepts included
MOST_STEPS = 20000  # of one search; what takes more counts as not fitting

#: kind is spoken, all, any, maybe, concept, capture, star or not; parts are nodes, or words, or one concept's name.
Node = namedtuple("Node", "kind parts")
STAR = Node("star", ())


class BadPattern(ValueError):
    """A pattern or concept does not follow QiChat's rules."""


def words_of(sentence):
    # type: (str) -> List[str]
    """Return the words of a sentence in lower case, without punctuation.

    >>> words_of("Yes, of course!")
    ['yes', 'of', 'course']
    """
    return re.sub(r"[.,;:!?\"()]", " ", sentence.lower()).split()[:MOST_WORDS]


def parsed(text, longest=LONGEST):
    # type: (str, int) -> Node
    """Parse a pattern; raise BadPattern, which quotes what is wrong with it.

    >>> parsed("yes") == Node("all", (Node("spoken", ("yes",)),))
    True
    """
    tokens = TOKEN.findall(text)
    _check_size(tokens, text, longest)
    nodes, rest = _sequence(tokens, 0, "")
    if rest != len(tokens):
        raise BadPattern("%r closes nothing in %.60r" % (tokens[rest], text))
    if tokens.count("*") > MOST_STARS:
        raise BadPattern("more than %d stars in %.60r" % (MOST_STARS, text))
    return Node("all", tuple(nodes))


def choices(text):
    # type: (str) -> List[Node]
    """Parse what a concept stands for: alternatives, with or without brackets around them."""
    node = parsed(text, LONGEST_CONCEPT)
    if len(node.parts) == 1 and node.parts[0].kind == "any":
        return list(node.parts[0].parts)
    return list(node.parts)


def matched(pattern, words, concepts):
    # type: (Node, List[str], Concepts) -> List[str] | None
    """Return the captures when the pattern fits the whole sentence, None when it does not."""
    for used, captures in _Sentence(words, concepts).ways(pattern, 0, ()):
        if used == len(words):
            return list(captures)
    return None


def samples(pattern, concepts):
    # type: (Node, Concepts) -> List[str]
    """List sentences that fit a pattern, at most 200; a star is written as "..."."""
    found = []  # type: List[str]
    for sample in _Sampler(concepts).sentences(pattern, 0):
        sentence = " ".join(sample.split())
        if sentence and sentence not in found:
            found.append(sentence)
        if len(found) >= MOST_SAMPLES:
            break
    return found


def _check_size(tokens, text, longest):
    # type: (List[str], str, int) -> None
    if len(tokens) > longest:
        raise BadPattern("%d words and signs are too many, at most %d are read: %.60r" % (len(tokens), longest, text))
    depth, marks = 0, 0
    for token in tokens:
        depth += (token in "[{(") - (token in "]})")
        marks = marks + 1 if token in ("_", "!") else 0
        if depth > DEEPEST_BRACKET or marks > 1:
            raise BadPattern("too many brackets or marks inside each other in %.60r" % text)


def _sequence(tokens, at, closing):
    # type: (List[str], int, str) -> Tuple[List[Node], int]
    nodes = []  # type: List[Node]
    while at < len(tokens) and tokens[at] not in "]})":
        node, at = _item(tokens, at)
        nodes.append(node)
    if closing and (at >= len(tokens) or tokens[at] != closing):
        raise BadPattern("%r is missing at the end of %.60r" % (closing, " ".join(tokens)))
    return nodes, at


def _item(tokens, at):
    # type: (List[str], int) -> Tuple[Node, int]
    token = tokens[at]
    if token in "[{(":
        nodes, end = _sequence(tokens, at + 1, {"[": "]", "{": "}", "(": ")"}[token])
        if token != "[" and len(nodes) > LONGEST:
            raise BadPattern("%d words in one bracket are too many, at most %d are read" % (len(nodes), LONGEST))
        return Node({"[": "any", "{": "maybe", "(": "all"}[token], tuple(nodes)), end + 1
    if token in ("_", "!"):
        if at + 1 >= len(tokens) or tokens[at + 1] in "]})":
            raise BadPattern("nothing follows %r in %.60r" % (token, " ".join(tokens)))
        node, end = _item(tokens, at + 1)
        return Node("capture" if token == "_" else "not", (node,)), end
    if token == "*":
        return STAR, at + 1
    if token.startswith("~"):
        return Node("concept", (token[1:],)), at + 1
    if token.startswith("_"):
        return Node("capture", (Node("spoken", tuple(words_of(token[1:]))),)), at + 1
    return Node("spoken", tuple(words_of(token))), at + 1


class _Sentence(object):
    """A sentence and the ways in which patterns fit it."""

    def __init__(self, words, concepts):
        # type: (List[str], Concepts) -> None
        self._words, self._concepts = words, concepts
        self._depth = self._steps = 0

    def ways(self, node, at, captures):
        # type: (Node, int, Tuple[str, ...]) -> Iterator[State]
        """Yield every way in which a node can use up words from a place on, the most words first for a star."""
        self._steps += 1
        if self._depth > DEEPEST or self._steps > MOST_STEPS:
            return
        self._depth += 1
        for state in getattr(self, "_" + node.kind)(node.parts, at, captures):
            self._depth -= 1
            yield state
            self._depth += 1
        self._depth -= 1

    def _spoken(self, parts, at, captures):
        # type: (Sequence[str], int, Tuple[str, ...]) -> Iterator[State]
        if self._words[at:at + len(parts)] == list(parts):
            yield at + len(parts), captures

    def _star(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        for end in range(len(self._words), at - 1, -1):
            yield end, captures

    def _not(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        if not any(True for _ in self.ways(parts[0], at, captures)):
            yield at, captures

    def _capture(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        for end, inner in self.ways(parts[0], at, captures):
            yield end, inner + (" ".join(self._words[at:end]),)

    def _concept(self, parts, at, captures):
        # type: (Sequence[str], int, Tuple[str, ...]) -> Iterator[State]
        return self._any(self._concepts(parts[0]), at, captures)

    def _any(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        for part in parts:
            for state in self.ways(part, at, captures):
                yield state

    def _maybe(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        for state in self._all(parts, at, captures):
            yield state
        yield at, captures

    def _all(self, parts, at, captures):
        # type: (Sequence[Node], int, Tuple[str, ...]) -> Iterator[State]
        if not parts:
            yield at, captures
            return
        for end, inner in self.ways(parts[0], at, captures):
            for state in self._all(parts[1:], end, inner):
                yield state


class _Sampler(object):
    """Makes sentences that fit a pattern, in order, until it has taken too many steps."""

    def __init__(self, concepts):
        # type: (Concepts) -> None
        self._concepts = concepts
        self._steps = 0

    def sentences(self, node, depth):
        # type: (Node, int) -> Iterator[str]
        """Yield every sentence of a node."""
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS:
            return
        if node.kind in ("spoken", "star", "not"):
            yield {"star": "...", "not": ""}.get(node.kind) or " ".join(node.parts if node.kind == "spoken" else ())
        elif node.kind in ("any", "concept"):
            for part in self._concepts(node.parts[0]) if node.kind == "concept" else node.parts:
                for sentence in self.sentences(part, depth + 1):
                    yield sentence
        else:
            for sentence in self._joined(node.parts, depth + 1):
                yield sentence
            if node.kind == "maybe":
                yield ""

    def _joined(self, parts, depth):
        # type: (Sequence[Node], int) -> Iterator[str]
        if not parts:
            yield ""
            return
        for head in self.sentences(parts[0], depth):
            for tail in self._joined(parts[1:], depth):
                yield head + " " + tail
