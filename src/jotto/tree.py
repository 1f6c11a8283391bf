"""Decision trees: every guess of a whole game worked out beforehand, read from a file and walked at no cost.

Nodes stand level by level, the children of one side by side in the order of their answers, so the first child of each
follows from the numbers of children alone. A file (`jotto.treefile`) has three tables: the guess of each node (number
of a word: first those of the list, then the certificate's `extra`); the answer that leads to it (place in `answers`;
the root has none); how many children it has. The winning answer has no node.

Every secret of the list is found on its tree. An answer the tree does not know leads off it, as other guesses do.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import itertools
import json

from . import rules as rulebook
from . import treefile
from .errors import ForeignTree, JottoError, TreeError
from .feedback import MARKS
from .game import MOST_TURNS
from .versions import is_integer, quoted, text_type
from .wordlist import MOST_WORDS

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

    from .feedback import Symbols
    from .rules import Rules

    Row = Sequence[int]

#: Longer words have too many rows of marks to number them.
LONGEST_MARKS = 8


class Tree(object):
    """A decision tree; nodes are numbers, 0 is the root. `certificate` is what the file says about itself.

    As read it has no words; `bound_to` gives it those of a list.
    """

    def __init__(self, certificate, rules, nodes, words=()):
        # type: (Dict[str, Any], Rules, _Nodes, Sequence[Symbols]) -> None
        self.certificate = certificate
        self.rules = rules
        self.extra = tuple(_word(word) for word in certificate["extra"])  # type: Tuple[Symbols, ...]
        self._nodes = nodes
        self._words = tuple(words)
        self._codes = dict(zip(answers(rules), itertools.count()))  # type: Dict[Any, int]

    def __len__(self):  # type: () -> int
        return len(self._nodes.guesses)

    def bound_to(self, words, rules):  # type: (Sequence[Symbols], Rules) -> Tree
        """Return the tree the words of the list it was made for; words joined behind them do not matter.

        Raises `ForeignTree` when it was made for other words or rules.
        """
        # Rules may go by another name.
        if rules[1:] != self.rules[1:]:
            raise ForeignTree(
                "The tree is for the rules %s, not for these (%s)." % (quoted(self.rules.name), quoted(rules.name))
            )
        count = self.certificate["words"]
        if len(words) < count or checksum(words[:count]) != self.certificate["checksum"]:
            named = quoted(self.certificate["list"]) if self.certificate["list"] else "every code"
            raise ForeignTree("The tree is for other words (%s, %d of them)." % (named, count))
        return Tree(self.certificate, self.rules, self._nodes, tuple(words[:count]) + self.extra)

    def word(self, node):  # type: (int) -> Symbols
        """Return the guess asked at a node; raises `TreeError` for a tree without words."""
        if not self._words:
            raise TreeError("The tree has no words yet; bind it to a list.")
        return self._words[self._nodes.guesses[node]]

    def child(self, node, feedback):  # type: (int, Any) -> Optional[int]
        """Return the node an answer leads to, None where the tree does not know the answer."""
        code = self._codes.get(feedback)
        first = self._nodes.first[node]
        for number in range(first, first + self._nodes.children[node]):
            if self._nodes.answers[number - 1] == code:
                return number
        return None

    def guess(self, turns):  # type: (Iterable[Tuple[Symbols, Any]]) -> Optional[Symbols]
        """Return the next guess after these turns, None when they lead off the tree."""
        node = 0  # type: Optional[int]
        for guess, feedback in turns:
            if node is None or self.word(node) != guess:
                return None
            node = self.child(node, feedback)
        return None if node is None else self.word(node)


class _Nodes(object):
    """The tables, and per node the number of its first child; raises `TreeError` when they are no tree."""

    def __init__(self, guesses, led, children):  # type: (Row, Row, Row) -> None
        self.guesses = guesses
        self.answers = led
        self.children = children
        self.first = []  # type: List[int]
        start = 1
        for node, count in enumerate(children):
            row = led[start - 1 : start - 1 + count]
            # A node that no answer leads to, or an answer that leads to two nodes.
            if node >= start or (count > 1 and sorted(set(row)) != list(row)):
                raise TreeError("The nodes of the tree are inconsistent; make it again with 'jotto solve'.")
            self.first.append(start)
            start += count
        if start != len(children) or self._depth() > MOST_TURNS:
            raise TreeError("The tree has too many nodes, or is deeper than any game; make it again.")

    def _depth(self):  # type: () -> int
        depth, begin, end = 0, 0, 1
        while begin < end:
            depth, begin, end = depth + 1, end, self.first[end - 1] + self.children[end - 1]
        return depth


def read(content):  # type: (bytes) -> Tree
    """Read a tree file; raises `TreeError` when it is none, of another version, cut off, damaged or nonsense."""
    text, body, size = treefile.opened(content)
    try:
        certificate = json.loads(text.decode("utf-8"))
    except (ValueError, RuntimeError):
        # The second: brackets deeper than Python goes.
        raise TreeError("The certificate of the tree is not JSON; make the tree again with 'jotto solve'.")
    rules = _rules(certificate)
    shapes = _shapes(certificate, rules, size)
    tables = treefile.unpacked(body, [(count, treefile.width_of(below)) for count, below in shapes])
    for table, (_, below) in zip(tables, shapes):
        if table and max(table) >= below:
            raise TreeError("The tree names a word or an answer that does not exist; make it again with 'jotto solve'.")
    return Tree(certificate, rules, _Nodes(*tables))


def written(certificate, guesses, led, children):  # type: (Dict[str, Any], Row, Row, Row) -> bytes
    """Return the file `read` reads: the certificate and the three tables; `led` leaves the root out.

    The certificate has `rules` (plain), `list` (a name; None where the words are every code), `words` (how many),
    `checksum` (of those words) and `extra` (words asked that are not among them), and whatever else it certifies.
    Raises `TreeError` for what `read` would refuse.
    """
    shapes = _shapes(certificate, _rules(certificate), len(guesses))
    for table, (count, below) in zip((guesses, led, children), shapes):
        if len(table) != count or any(not 0 <= number < below for number in table):
            raise TreeError("The tables of the tree have the wrong length, or numbers out of range.")
    _Nodes(guesses, led, children)
    text = json.dumps(certificate, sort_keys=True).encode("ascii")
    tables = [(table, treefile.width_of(below)) for table, (_, below) in zip((guesses, led, children), shapes)]
    return treefile.sealed(text, tables, len(guesses))


def answers(rules):  # type: (Rules) -> List[Any]
    """List the answers a game goes on after, in the order trees number them; raises `TreeError` for too many."""
    if rules.kind == MARKS and rules.length > LONGEST_MARKS:
        raise TreeError(
            "There is no tree for marks on words of %d letters; %d is the most." % (rules.length, LONGEST_MARKS)
        )
    return [feedback for feedback in rules.possible() if feedback != rules.win]


def every_code(rules):  # type: (Rules) -> Tuple[Symbols, ...]
    """List all the words of a game of symbols, such as Mastermind: all that the rules allow, in alphabet order.

    Raises `TreeError` when there are more than any list may have.
    """
    symbols, count = len(rules.alphabet), 1
    for place in range(rules.length):
        count *= symbols if rules.repeats else symbols - place
    if count > MOST_WORDS:
        raise TreeError("These rules allow %s codes; %d is the most." % (quoted(count), MOST_WORDS))
    every = (
        itertools.product(rules.alphabet, repeat=rules.length)
        if rules.repeats
        else itertools.permutations(rules.alphabet, rules.length)
    )  # type: Iterable[Any]
    return tuple("".join(code) if isinstance(rules.alphabet, text_type) else code for code in every)


def checksum(words):  # type: (Sequence[Symbols]) -> str
    """Return the SHA-256 of the words, one per line, as `WordList.checksum`; symbols that are not text get spaces."""
    lines = [word if isinstance(word, text_type) else " ".join("%s" % (symbol,) for symbol in word) for word in words]
    return text_type(hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest())


def _word(raw):  # type: (Any) -> Symbols
    word = tuple(raw) if isinstance(raw, list) else raw  # type: Symbols
    return word


#: What reading needs of a certificate.
_SOUND = (
    ("list", lambda value: value is None or isinstance(value, text_type)),
    ("words", lambda value: is_integer(value) and 0 < value <= MOST_WORDS),
    ("checksum", lambda value: isinstance(value, text_type)),
    ("extra", lambda value: isinstance(value, list) and len(value) <= MOST_WORDS),
)  # type: Tuple[Tuple[str, Callable[[Any], bool]], ...]


def _rules(certificate):  # type: (Any) -> Rules
    """Return the rules of a certificate, which must hold all that reading needs."""
    if not isinstance(certificate, dict):
        raise TreeError("The certificate of the tree is not an object: %s." % quoted(certificate))
    for field, is_sound in _SOUND:
        if not is_sound(certificate.get(field, Ellipsis)):
            raise TreeError("The certificate of the tree has no valid '%s'; make it again with 'jotto solve'." % field)
    try:
        rules = rulebook.from_plain(certificate.get("rules"))
        for word in certificate["extra"]:
            rules.check(_word(word))
    except JottoError as error:
        raise TreeError("The certificate of the tree is wrong: %s" % error)
    return rules


def _shapes(certificate, rules, size):  # type: (Dict[str, Any], Rules, int) -> Tuple[Tuple[int, int], ...]
    """Return, for each table, how many numbers it has and what they are below."""
    known = len(answers(rules))
    return (size, certificate["words"] + len(certificate["extra"])), (size - 1, known), (size, known + 1)
