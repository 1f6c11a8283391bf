"""What the robot answers: words, [choices], {optional}, ~concepts, $variables, %tags and ^functions."""

from __future__ import absolute_import, division, print_function

import re

from naosim.formats.qichat import functions
from naosim.formats.qichat.syntax import CONCEPT, EVENT, FUNCTION, NAME, SPACE, Node, Reader

MYPY = False
if MYPY:
    from typing import Iterator, List, Optional

    from naosim.formats.qichat.syntax import Definitions

LONGEST = 50000  # pieces of one answer or concept
VOICE_TAG = re.compile(r"\\[^\\]*\\")
TAG = re.compile("%(" + NAME + ")")
TEXT = re.compile(r"[^\s\"\[\]{}~$%^\\]+")
SILENT = "noanswer"


def parsed(text, definitions=None):  # type: (str, Optional[Definitions]) -> Node
    """Parse an answer; raise BadTopic, which quotes what is wrong with it.

    >>> parsed("Hello $name.").parts[2]
    Node(kind='read', parts=('name',))
    """
    if text.strip().lower() == SILENT:
        return Node("all", ())
    return Node("all", tuple(_AnswerReader(text, definitions).whole()))


def walk(node):  # type: (Node) -> Iterator[Node]
    """Iterate over a node and all nodes inside it."""
    yield node
    for part in node.parts:
        if isinstance(part, Node):
            for inner in walk(part):
                yield inner


def tags(answer):  # type: (Node) -> List[str]
    """List the tags in an answer."""
    return [node.parts[0] for node in walk(answer) if node.kind == "tag"]


class _AnswerReader(Reader):
    """A parser of one answer."""

    def __init__(self, text, definitions):  # type: (str, Optional[Definitions]) -> None
        Reader.__init__(self, text, definitions)
        self._count = 0

    def whole(self):  # type: () -> List[Node]
        """Parse the whole text."""
        nodes = self._sequence("")
        if self.at < len(self.text):
            raise self.bad("%r closes nothing" % self.next)
        return nodes

    def _sequence(self, closing):  # type: (str) -> List[Node]
        """Read nodes with the white space between them, up to a closing sign."""
        nodes = []  # type: List[Node]
        while self.at < len(self.text) and self.next not in "]}" and not (closing == '"' == self.next):
            nodes.append(Node("text", (" ",)) if self.take(SPACE) else self._node())
        return nodes

    def _alternatives(self, closing):  # type: (str) -> List[Node]
        """Read what stands in a choice: phrases, and else what white space parts."""
        items = []  # type: List[Node]
        self.skip()
        while self.at < len(self.text) and self.next not in "]}":
            nodes = [self._node()]
            while self.next not in ("", "]", "}", '"') and nodes[-1].kind != "all" and not SPACE.match(self.next):
                nodes.append(self._node())
            items.append(nodes[0] if len(nodes) == 1 else Node("all", tuple(nodes)))
            self.skip()
        return items

    def _node(self):  # type: () -> Node
        self._count += 1
        if self._count > LONGEST:
            raise self.bad("%d words and signs are too many, at most %d are read," % (self._count, LONGEST))
        sign = self.next
        if sign == "[":
            return self._choice("order")
        if sign in ("{", '"'):
            closing = {"{": "}", '"': '"'}[sign]
            self.enter(closing)
            nodes = self._sequence(closing)
            self.leave(closing)
            return Node("maybe" if sign == "{" else "all", tuple(nodes))
        return self._named() or self.variable() or self._function() or self._literal()

    def _choice(self, order):  # type: (str) -> Node
        closing = "}" if self.next == "{" else "]"
        self.enter(closing)
        items = self._alternatives(closing)
        self.leave(closing)
        return Node(order, tuple(items))

    def _named(self):  # type: () -> Optional[Node]
        """Read a concept, a tag or the value of an event."""
        found = self.take(CONCEPT)
        if found:
            return Node("concept", (found.group(1),))
        starts = self.at == 0 or not self.text[self.at - 1].isalnum()
        found = self.take(TAG) if starts else None
        if found:
            return Node("tag", (found.group(1),))
        found = self.take(EVENT) if starts else None
        return Node("read", (found.group(1).rstrip("/"),)) if found else None

    def _function(self):  # type: () -> Optional[Node]
        found = self.take(FUNCTION)
        if found is None:
            return None
        name, end = found.group(1), self.at
        self.skip()
        if name.lower() in functions.CHOICES and self.next in ("[", "{"):
            return self._choice(functions.CHOICES[name.lower()])
        arguments = self.arguments()
        if arguments is None:
            self.at = end
        stands_for = self.defined(name, arguments)
        if stands_for is not None:
            return Node("all", tuple(_AnswerReader(stands_for, None).whole()))
        return functions.made(name, arguments, self.bad)

    def _literal(self):  # type: () -> Node
        """Read words, and the signs that mean nothing where they stand."""
        found = self.take(VOICE_TAG) or self.take(TEXT)
        if found:
            return Node("text", (found.group(),))
        if self.next == "\\":
            raise self.bad("the voice tag that a backslash opens has no closing backslash")
        if self.next == "^":
            raise self.bad("no function follows '^'")
        if self.next == "~":
            raise self.bad("no concept follows '~'")
        self.at += 1
        return Node("text", (self.text[self.at - 1],))
