"""XML as a plain tree with line numbers, read with limits. Knows nothing of behaviours."""

from __future__ import absolute_import, division, print_function

from xml.parsers import expat

from naosim.compat import native, reason
from naosim.errors import NotABehaviour

MYPY = False
if MYPY:
    from typing import Any

DEEPEST = 400
#: Elements of one file: each takes some hundred bytes of memory, and as little as four of the file.
MOST_ELEMENTS = 300000
#: Bytes that are parsed at once, and of one tag, whose attributes are only counted when it is whole.
PIECE, LONGEST_TAG = 1 << 16, 1 << 20


class Element(object):
    """One element: tag without namespace, attributes and text as native `str`, children, and line numbers."""

    __slots__ = ("attributes", "children", "line", "tag", "text", "text_line")

    def __init__(self, tag, attributes, line):  # type: (str, dict[str, str], int) -> None
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children = []  # type: list[Element]
        self.text = ""
        self.text_line = line

    def all(self, tag):  # type: (str) -> list[Element]
        """List the direct children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag):  # type: (str) -> Element | None
        """Return the first direct child with this tag, None without one."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None


class _Reader(object):
    """A builder of the tree from expat's events; it refuses document types, so that no entity can expand."""

    def __init__(self, name):  # type: (str) -> None
        self.name = name
        self.top = None  # type: Element | None
        self._open = []  # type: list[Element]
        self._texts = []  # type: list[list[Any]]
        #: For each open element, whether its text is white space so far.
        self._blank = []  # type: list[bool]
        self._left = MOST_ELEMENTS
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.StartDoctypeDeclHandler = self._doctype

    def read(self, content):  # type: (bytes) -> Element
        """Parse the content and return its root element; raises NotABehaviour."""
        try:
            for start in range(0, len(content), PIECE):
                self._parser.Parse(content[start : start + PIECE], False)
                if start - self._parser.CurrentByteIndex > LONGEST_TAG:
                    raise NotABehaviour(
                        "%s has a tag of more than %d kB: nothing that Choregraphe writes does"
                        % (self.name, LONGEST_TAG // 1024)
                    )
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise NotABehaviour(
                "%s is broken in line %d (%s): save it again in Choregraphe"
                % (self.name, error.lineno, expat.ErrorString(error.code))
            )
        except (LookupError, ValueError) as error:
            raise NotABehaviour(
                "%s is broken near line %d (%s): save it again in Choregraphe"
                % (self.name, self._parser.CurrentLineNumber, reason(error))
            )
        finally:
            self._release()
        assert self.top is not None, "expat accepts no file without an element"
        return self.top

    def _release(self):  # type: () -> None
        """Cut the reference cycle of parser and reader, which would keep every tree until a garbage collection."""
        self._line = 0
        self._parser = None  # type: ignore[assignment]

    def _start(self, tag, attributes):  # type: (str, dict[str, str]) -> None
        if len(self._open) >= DEEPEST:
            raise NotABehaviour(
                "%s nests more than %d elements: nothing that Choregraphe writes does" % (self.name, DEEPEST)
            )
        self._left -= 1
        if self._left < 0:
            raise NotABehaviour(
                "%s has more than %d elements: nothing that Choregraphe writes does" % (self.name, MOST_ELEMENTS)
            )
        plain = {native(_local(key)): native(value) for key, value in attributes.items()}
        element = Element(native(_local(tag)), plain, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.top = element
        self._open.append(element)
        self._texts.append([])
        self._blank.append(True)

    def _end(self, _tag):  # type: (str) -> None
        self._blank.pop()
        self._open.pop().text = native("".join(self._texts.pop()))

    def _characters(self, text):  # type: (str) -> None
        self._texts[-1].append(text)
        self._blank[-1] = self._blank[-1] and not text.strip()

    def _cdata(self):  # type: () -> None
        if self._blank[-1]:
            # White space in front of the section must not shift the line numbers of the script.
            self._texts[-1][:] = []
            self._open[-1].text_line = self._parser.CurrentLineNumber

    def _doctype(self, name, *_rest):  # type: (str, *Any) -> None
        raise NotABehaviour(
            "%s declares a document type (%s), which no Choregraphe file does" % (self.name, native(name))
        )


def _local(name):  # type: (str) -> str
    return name.rpartition(":")[2]


def read(content, name):  # type: (bytes, str) -> Element
    """Parse XML into a tree; raises NotABehaviour, naming the file and the line, for XML that is not well formed.

    >>> read(b"<a><b c='1'>text</b></a>", "x.xar").children[0].text == "text"
    True
    """
    return _Reader(name).read(content)
