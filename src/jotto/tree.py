"""Decision trees: every guess of a whole game, precomputed, read from a file and walked at no cost.

`open_tree_file` and `_pack_tree_file` know the bytes of a file, `Tree` its meaning.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import itertools
import json
import struct
import zlib

from jotto.compat import as_native, is_integer, quote_value, text_type
from jotto.feedback import MARKS
from jotto.game import MAX_TURNS
from jotto.rules import ForeignTree, JottoError, Rules, TreeError, parse_rules
from jotto.words import MAX_WORDS

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

    from jotto.feedback import Symbols

# The bytes of a tree file, all numbers big-endian: the line `jotto tree 1`; three lengths of 4 bytes (certificate,
# body, number of nodes); the certificate, a JSON object with the tree's words, rules and quality; the body, zlib over
# tables of one number per node; the SHA-256 of everything before. A table of numbers above 255 is stored byte by byte,
# the high bytes of all numbers first: that compresses best.

TREE_FORMAT_VERSION = 1
_TREE_FILE_MAGIC = b"jotto tree "
#: Files beyond these are refused: a tree of 500,000 words has fewer nodes.
MAX_TREE_BYTES = 8 * 1024 * 1024
MAX_CERTIFICATE_BYTES = 256 * 1024
_MAX_TREE_NODES = 1 << 20

_LENGTHS = struct.Struct(as_native(">III"))
_HASH_BYTES = 32


def _pack_tree_file(text, tables, nodes):  # type: (bytes, Iterable[Tuple[Sequence[int], int]], int) -> bytes
    """Return the whole file: the certificate's text and the tables, each with the bytes of a number.

    Raises `TreeError` if it would be larger than `open_tree_file` reads.
    """
    body = zlib.compress(b"".join(_split_planes(numbers, width) for numbers, width in tables), 9)
    head = (
        _TREE_FILE_MAGIC + ("%d\n" % TREE_FORMAT_VERSION).encode("ascii") + _LENGTHS.pack(len(text), len(body), nodes)
    )
    content = head + text + body
    content += hashlib.sha256(content).digest()
    open_tree_file(content)
    return content


def open_tree_file(content):  # type: (bytes) -> Tuple[bytes, bytes, int]
    """Split a file into the certificate's text, the packed body and the number of nodes.

    Raises `TreeError` when it is not a tree file, of another version, cut off, damaged, or of absurd size.
    """
    if len(content) > MAX_TREE_BYTES:
        raise TreeError("The tree is larger than %d MB; make a smaller one." % (MAX_TREE_BYTES >> 20))
    line, _, _ = content[:64].partition(b"\n")
    if not line.startswith(_TREE_FILE_MAGIC):
        raise TreeError("This is not a tree file; make one with 'jotto solve'.")
    if line != _TREE_FILE_MAGIC + ("%d" % TREE_FORMAT_VERSION).encode("ascii"):
        raise TreeError(
            "The tree is of version %s; this game reads version %d."
            % (quote_value(line[len(_TREE_FILE_MAGIC) :]), TREE_FORMAT_VERSION)
        )
    head = len(line) + 1 + _LENGTHS.size
    if len(content) < head:
        raise TreeError("The tree file is cut off; get it again.")
    text, body, nodes = _LENGTHS.unpack(content[head - _LENGTHS.size : head])
    if text > MAX_CERTIFICATE_BYTES or body > MAX_TREE_BYTES or not 0 < nodes <= _MAX_TREE_NODES:
        raise TreeError("The tree has impossible sizes (%d, %d, %d); get it again." % (text, body, nodes))
    if len(content) != head + text + body + _HASH_BYTES:
        fault = "cut off" if len(content) < head + text + body + _HASH_BYTES else "longer than it says"
        raise TreeError("The tree file is %s; get it again." % fault)
    if hashlib.sha256(content[:-_HASH_BYTES]).digest() != content[-_HASH_BYTES:]:
        raise TreeError("The tree file is damaged (its checksum differs); get it again.")
    return content[head : head + text], content[head + text : -_HASH_BYTES], nodes


def _unpack_tables(body, shapes):  # type: (bytes, Sequence[Tuple[int, int]]) -> List[Sequence[int]]
    """Unpack the tables, given the count of numbers in each and the bytes of a number.

    Raises `TreeError` when the body is anything but these tables; no more is unpacked than they need.
    """
    size = sum(count * width for count, width in shapes)
    unpacking = zlib.decompressobj()
    try:
        # At most one byte too many, as a few bytes can unpack to gigabytes.
        raw = unpacking.decompress(body, size + 1)
    except zlib.error:
        raise TreeError("The nodes of the tree cannot be unpacked; get it again.")
    if len(raw) != size or unpacking.unconsumed_tail or unpacking.unused_data:
        raise TreeError("The number of nodes of the tree is wrong; get it again.")
    tables, place = [], 0
    for count, width in shapes:
        tables.append(_join_planes(raw[place : place + count * width], width))
        place += count * width
    return tables


def count_number_bytes(below):  # type: (int) -> int
    """Return the bytes for each number below this, 3 at most."""
    return 1 + (below > 1 << 8) + (below > 1 << 16)


def _split_planes(numbers, width):  # type: (Sequence[int], int) -> bytes
    return bytes(bytearray(number >> 8 * place & 255 for place in reversed(range(width)) for number in numbers))


def _join_planes(raw, width):  # type: (bytes, int) -> Sequence[int]
    count = len(raw) // width
    numbers = bytearray(raw[:count])  # type: Sequence[int]
    for place in range(1, width):
        plane = bytearray(raw[place * count : (place + 1) * count])
        numbers = [number << 8 | byte for number, byte in zip(numbers, plane)]
    return numbers


# The file names of trees. A list `en.tsv` has the trees `en.tree`, `en-2.tree`, `en-3.tree` and so on, all about as
# good; for hard games, in which all words are equally likely, it can have `en-hard.tree`, `en-hard-2.tree` and so on.

TREE_SUFFIX = as_native(".tree")
#: The part of a tree's file name for all games but hard ones, and for hard games.
USUAL_TREES = as_native("")
HARD_TREES = as_native("-hard")
#: Trees of one kind that are looked for at most.
_MAX_TREES = 9


def list_tree_endings(kind=USUAL_TREES):  # type: (str) -> List[str]
    """Return what follows a list's name in the file names of its trees of one kind, the first tree's first."""
    numbers = [as_native("")] + [as_native("-%d" % number) for number in range(2, _MAX_TREES + 1)]
    return [kind + number + TREE_SUFFIX for number in numbers]


# Trees. Nodes are stored level by level, the children of a node next to each other in the order of their answers, so
# the numbers of children give the first child of each node. A file has three tables: the guess of each node (number of
# a word: first the words of the list, then the certificate's `extra`); the answer that leads to it (place in
# `list_answers`; the root has none); the number of its children. The winning answer has no node. Every secret of the
# list is found on its tree. An answer or a guess that the tree does not know leads off it.

if MYPY:
    Row = Sequence[int]

#: Letters of a word with marks at most, as longer words have too many rows of marks to number.
_MAX_MARKED_LENGTH = 8


class Tree(object):
    """A decision tree; nodes are numbers, 0 is the root. `certificate` is the file's description of itself.

    As read it has no words; `bound_to` gives it the words of a list.
    """

    def __init__(self, certificate, rules, nodes, words=()):
        # type: (Dict[str, Any], Rules, _Nodes, Sequence[Symbols]) -> None
        self.certificate = certificate
        self.rules = rules
        self.extra = tuple(_parse_symbols(word) for word in certificate["extra"])  # type: Tuple[Symbols, ...]
        self._nodes = nodes
        self._words = tuple(words)
        self._codes = dict(zip(list_answers(rules), itertools.count()))  # type: Dict[Any, int]

    def __len__(self):  # type: () -> int
        return len(self._nodes.guesses)

    def bound_to(self, words, rules):  # type: (Sequence[Symbols], Rules) -> Tree
        """Return the tree the words of the list it was made for; words added after them do not matter.

        Raises `ForeignTree` when it was made for other words or rules.
        """
        # The rules might have another name.
        if rules[1:] != self.rules[1:]:
            raise ForeignTree(
                "The tree is for the rules %s, not for these (%s)."
                % (quote_value(self.rules.name), quote_value(rules.name))
            )
        count = self.certificate["words"]
        if len(words) < count or hash_words(words[:count]) != self.certificate["checksum"]:
            named = quote_value(self.certificate["list"]) if self.certificate["list"] else "every code"
            raise ForeignTree("The tree is for other words (%s, %d of them)." % (named, count))
        return Tree(self.certificate, self.rules, self._nodes, tuple(words[:count]) + self.extra)

    def word(self, node):  # type: (int) -> Symbols
        """Return the guess asked at a node; raises `TreeError` for a tree without words."""
        if not self._words:
            raise TreeError("The tree has no words yet; bind it to a list.")
        return self._words[self._nodes.guesses[node]]

    def find_child(self, node, feedback):  # type: (int, Any) -> Optional[int]
        """Return the node an answer leads to, None if the tree does not know the answer."""
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
            node = self.find_child(node, feedback)
        return None if node is None else self.word(node)


class _Nodes(object):
    """The tables, and per node the number of its first child; raises `TreeError` when they are not a tree."""

    def __init__(self, guesses, led, children):  # type: (Row, Row, Row) -> None
        self.guesses = guesses
        self.answers = led
        self.children = children
        self.first = []  # type: List[int]
        start = 1
        for node, count in enumerate(children):
            row = led[start - 1 : start - 1 + count]
            # A node without an answer that leads to it, or an answer that leads to two nodes.
            if node >= start or (count > 1 and sorted(set(row)) != list(row)):
                raise TreeError("The nodes of the tree are inconsistent; make it again with 'jotto solve'.")
            self.first.append(start)
            start += count
        if start != len(children) or self._measure_depth() > MAX_TURNS:
            raise TreeError("The tree has too many nodes, or is deeper than any game; make it again.")

    def _measure_depth(self):  # type: () -> int
        depth, begin, end = 0, 0, 1
        while begin < end:
            depth, begin, end = depth + 1, end, self.first[end - 1] + self.children[end - 1]
        return depth


def parse_tree(content):  # type: (bytes) -> Tree
    """Read a tree file; raises `TreeError` when it is none, of another version, cut off, damaged or nonsense."""
    text, body, size = open_tree_file(content)
    try:
        certificate = json.loads(text.decode("utf-8"))
    except (ValueError, RuntimeError):
        # The second is for JSON nested deeper than Python reads.
        raise TreeError("The certificate of the tree is not JSON; make the tree again with 'jotto solve'.")
    rules = _parse_certificate_rules(certificate)
    shapes = _list_table_shapes(certificate, rules, size)
    tables = _unpack_tables(body, [(count, count_number_bytes(below)) for count, below in shapes])
    for table, (_, below) in zip(tables, shapes):
        if table and max(table) >= below:
            raise TreeError("The tree names a word or an answer that does not exist; make it again with 'jotto solve'.")
    return Tree(certificate, rules, _Nodes(*tables))


def write_tree(certificate, guesses, led, children):  # type: (Dict[str, Any], Row, Row, Row) -> bytes
    """Return the file `parse_tree` reads: the certificate and the three tables; `led` leaves the root out.

    The certificate has `rules` (plain), `list` (a name; None if the words are every code), `words` (their number),
    `checksum` (of those words) and `extra` (words asked that are not among them), and everything else it certifies.
    Raises `TreeError` for what `parse_tree` would refuse.
    """
    shapes = _list_table_shapes(certificate, _parse_certificate_rules(certificate), len(guesses))
    for table, (count, below) in zip((guesses, led, children), shapes):
        if len(table) != count or any(not 0 <= number < below for number in table):
            raise TreeError("The tables of the tree have the wrong length, or numbers out of range.")
    _Nodes(guesses, led, children)
    text = json.dumps(certificate, sort_keys=True).encode("ascii")
    tables = [(table, count_number_bytes(below)) for table, (_, below) in zip((guesses, led, children), shapes)]
    return _pack_tree_file(text, tables, len(guesses))


def list_answers(rules):  # type: (Rules) -> List[Any]
    """List the answers after which a game continues, in the order of trees. Raises `TreeError` for too many."""
    if rules.kind == MARKS and rules.length > _MAX_MARKED_LENGTH:
        raise TreeError(
            "There is no tree for marks on words of %d letters; the limit is %d." % (rules.length, _MAX_MARKED_LENGTH)
        )
    return [feedback for feedback in rules.list_feedback() if feedback != rules.win]


def list_codes(rules):  # type: (Rules) -> Tuple[Symbols, ...]
    """List all the words of a game of symbols, such as Mastermind: all that the rules allow, in alphabet order.

    Raises `TreeError` when there are more than any list can have.
    """
    symbols, count = len(rules.alphabet), 1
    for place in range(rules.length):
        count *= symbols if rules.repeats else symbols - place
    if count > MAX_WORDS:
        raise TreeError("These rules allow %s codes; the limit is %d." % (quote_value(count), MAX_WORDS))
    every = (
        itertools.product(rules.alphabet, repeat=rules.length)
        if rules.repeats
        else itertools.permutations(rules.alphabet, rules.length)
    )  # type: Iterable[Any]
    return tuple("".join(code) if isinstance(rules.alphabet, text_type) else code for code in every)


def hash_words(words):  # type: (Sequence[Symbols]) -> str
    """Return the SHA-256 of the words, one per line, as `WordList.checksum`; symbols that are not text get spaces."""
    lines = [word if isinstance(word, text_type) else " ".join("%s" % (symbol,) for symbol in word) for word in words]
    return text_type(hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest())


def _parse_symbols(raw):  # type: (Any) -> Symbols
    word = tuple(raw) if isinstance(raw, list) else raw  # type: Symbols
    return word


#: The fields of a certificate that a reader needs.
_CERTIFICATE_CHECKS = (
    ("list", lambda value: value is None or isinstance(value, text_type)),
    ("words", lambda value: is_integer(value) and 0 < value <= MAX_WORDS),
    ("checksum", lambda value: isinstance(value, text_type)),
    ("extra", lambda value: isinstance(value, list) and len(value) <= MAX_WORDS),
)  # type: Tuple[Tuple[str, Callable[[Any], bool]], ...]


def _parse_certificate_rules(certificate):  # type: (Any) -> Rules
    """Return the rules of a certificate, which must contain everything that reading needs."""
    if not isinstance(certificate, dict):
        raise TreeError("The certificate of the tree is not an object: %s." % quote_value(certificate))
    for field, is_sound in _CERTIFICATE_CHECKS:
        if not is_sound(certificate.get(field, Ellipsis)):
            raise TreeError("The certificate of the tree has no valid '%s'; make it again with 'jotto solve'." % field)
    try:
        rules = parse_rules(certificate.get("rules"))
        for word in certificate["extra"]:
            rules.check(_parse_symbols(word))
    except JottoError as error:
        raise TreeError("The certificate of the tree is wrong: %s" % error)
    return rules


def _list_table_shapes(certificate, rules, size):  # type: (Dict[str, Any], Rules, int) -> Tuple[Tuple[int, int], ...]
    """Return, for each table, its count of numbers and the limit that they are below."""
    known = len(list_answers(rules))
    return (size, certificate["words"] + len(certificate["extra"])), (size - 1, known), (size, known + 1)
