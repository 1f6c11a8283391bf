"""What a person may say: words, "phrases", [choices], {optional}, ~concepts, _captures, *, !, events and conditions."""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native, unescape, unicoded
from naosim.formats.qichat.syntax import CONCEPT, EVENT, FUNCTION, BadPattern, Node, Reader

MYPY = False
if MYPY:
    from typing import List, Optional

    from naosim.formats.qichat.syntax import Definitions

MOST_WORDS = 60  # of one sentence
MOST_STARS = 4  # of one pattern
LONGEST = 150  # words and signs of one pattern
LONGEST_CONCEPT = 50000  # words and signs of one concept
BRACKETS = {"[": ("]", "any"), "{": ("}", "maybe"), "(": (")", "all"), '"': ('"', "all")}
WORD = re.compile(r"[^\s\[\]{}()\"*~$^]+")
PUNCTUATION = re.compile(
    unescape(r'[.,;:!?"()\u2026\u00bf\u00a1\u201c\u201d\u201e\u00ab\u00bb\u3002\u3001\uff1f\uff01]')
)
STAR = Node("star", ())


def words_of(sentence):  # type: (str) -> List[str]
    """Return the words of a sentence in lower case, without punctuation.

    >>> words_of("Yes, of course!")
    ['yes', 'of', 'course']
    """
    return [native(word) for word in PUNCTUATION.sub(" ", unicoded(sentence).lower()).split()[:MOST_WORDS]]


def parsed(text, longest=LONGEST, definitions=None):  # type: (str, int, Optional[Definitions]) -> Node
    """Parse a pattern; raise BadPattern, which quotes what is wrong with it.

    >>> parsed("yes") == Node("all", (Node("spoken", ("yes",)),))
    True
    """
    return Node("all", tuple(_PatternReader(text, longest, definitions).whole()))


def choices(text, definitions=None):  # type: (str, Optional[Definitions]) -> List[Node]
    """Parse what a concept stands for: the alternatives of its bracket, or one sequence of words."""
    node = parsed(text, LONGEST_CONCEPT, definitions)
    if len(node.parts) == 1 and node.parts[0].kind in ("any", "maybe"):
        return list(node.parts[0].parts)
    return [node]


class _PatternReader(Reader):
    """A parser of one pattern."""

    error = BadPattern

    def __init__(self, text, longest, definitions):  # type: (str, int, Optional[Definitions]) -> None
        Reader.__init__(self, text, definitions)
        self._longest = longest
        self._count = self._stars = 0

    def whole(self):  # type: () -> List[Node]
        """Parse the whole text."""
        nodes = self._items("")
        if self.at < len(self.text):
            raise self.bad("%r closes nothing" % self.next)
        return nodes

    def _items(self, closing):  # type: (str) -> List[Node]
        nodes = []  # type: List[Node]
        self.skip()
        while self.at < len(self.text) and self.next not in "]})" and not (closing == '"' == self.next):
            self._count += 1
            if self._count > self._longest:
                raise self.bad("%d words and signs are too many, at most %d are read," % (self._count, self._longest))
            node = self._item()
            if node is not None:
                nodes.append(node)
            self.skip()
        return nodes

    def _item(self):  # type: () -> Optional[Node]
        """Read one node; None for what means nothing, such as a sign of exclamation."""
        sign = self.next
        if sign in BRACKETS:
            return self._bracket(sign)
        if sign == "_":
            return self._marked("capture")
        if sign == "!":
            following = self.text[self.at + 1 : self.at + 2]
            if not following.strip() or following in ']})!"?.':
                self.at += 1
                return None
            return self._marked("not")
        if sign == "*":
            self.at += 1
            self._stars += 1
            if self._stars > MOST_STARS:
                raise self.bad("more than %d stars" % MOST_STARS)
            return STAR
        return self._named() or self._words()

    def _bracket(self, sign):  # type: (str) -> Node
        closing, kind = BRACKETS[sign]
        self.enter(closing)
        nodes = self._items(closing)
        self.leave(closing)
        if kind != "any" and len(nodes) > LONGEST:
            raise self.bad("%d words in one bracket are too many, at most %d are read," % (len(nodes), LONGEST))
        return Node(kind, tuple(nodes))

    def _marked(self, kind):  # type: (str) -> Node
        sign = self.next
        self.at += 1
        self.skip()
        if self.next in ("_", "!"):
            raise self.bad("too many brackets or marks inside each other")
        node = self._item() if self.at < len(self.text) and self.next not in "]})" else None
        if node is None:
            raise self.bad("nothing follows %r" % sign)
        return Node(kind, (node,))

    def _named(self):  # type: () -> Optional[Node]
        """Read a concept, a variable, a condition, an event or a function."""
        found = self.take(CONCEPT)
        if found:
            return Node("concept", (found.group(1),))
        found = self.take(EVENT)
        if found:
            return Node("event", (found.group(1).rstrip("/"),))
        return self.variable() or self._function()

    def _function(self):  # type: () -> Optional[Node]
        found = self.take(FUNCTION)
        if found is None:
            return None
        name = found.group(1)
        stands_for = self.defined(name, self.arguments() if name in (self._definitions or ()) else None)
        if stands_for is not None:
            return Node("all", tuple(_PatternReader(stands_for, LONGEST, None).whole()))
        if name.lower() == "empty":
            return Node("empty", ())
        if name.lower() not in ("rand", "first", "repeat"):
            raise self.bad("^%s cannot stand in what a person says" % name)
        self.skip()
        node = self._item() if self.at < len(self.text) and self.next not in "]})" else None
        if node is None:
            raise self.bad("nothing follows ^%s" % name)
        if node.kind == "maybe":
            node = Node("any", node.parts)
        return Node("repeat", (node,)) if name.lower() == "repeat" else node

    def _words(self):  # type: () -> Node
        found = self.take(WORD)
        if found is None:
            raise self.bad("nothing can be read after %r" % self.next)
        return Node("spoken", tuple(words_of(found.group())))
