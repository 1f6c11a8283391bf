"""XML as a plain tree with line numbers, read with limits. Knows nothing of behaviours."""
from __future__ import absolute_import, division, print_function

from xml.parsers import expat

from naosim.compat import native, reason
from naosim.errors import NotABehaviour

MYPY = False
if MYPY:
    from typing import Any

DEEPEST = 400


class Element(object):
    """One element: tag without namespace, attributes and text as native `str`, children, and line numbers."""

    __slots__ = ("attributes", "children", "line", "tag", "text", "text_line")

    def __init__(self, tag, attributes, line):
        # type: (str, dict[str, str], int) -> None
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children = []  # type: list[Element]
        self.text = ""
        self.text_line = line

    def all(self, tag):
        # type: (str) -> list[Element]
        """List the direct children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag):
        # type: (str) -> Element | None
        """Return the first direct child with this tag, None without one."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None


class _Reader(object):
    """A builder of the tree from expat's events; it refuses document types, so that no entity can expand."""

    def __init__(self, name):
        # type: (str) -> None
        self.name = name
        self.top = None  # type: Element | None
        self._open = []  # type: list[Element]
        self._texts = []  # type: list[list[Any]]
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartCdataSectionHandler = self._cdata
        parser.StartDoctypeDeclHandler = self._doctype

    def read(self, content):
        # type: (bytes) -> Element
        """Parse the content and return its root element; raises NotABehaviour."""
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            raise NotABehaviour("%s is broken in line %d (%s): save it again in Choregraphe" % (
                self.name, error.lineno, expat.ErrorString(error.code)))
        except (LookupError, ValueError) as error:
            raise NotABehaviour("%s is broken near line %d (%s): save it again in Choregraphe" % (
                self.name, self._parser.CurrentLineNumber, reason(error)))
        finally:
            self._release()
        assert self.top is not None, "expat accepts no file without an element"
        return self.top

    def _release(self):
        # type: () -> None
        """Cut the reference cycle of parser and reader, which would keep every tree until a garbage collection."""
        self._line = 0
        self._parser = None  # type: ignore[assignment]

    def _start(self, tag, attributes):
        # type: (str, dict[str, str]) -> None
        if len(self._open) >= DEEPEST:
            raise NotABehaviour("%s nests more than %d elements: nothing that Choregraphe writes does" % (
                self.name, DEEPEST))
        plain = {native(_local(key)): native(value) for key, value in attributes.items()}
        element = Element(native(_local(tag)), plain, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.top = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _tag):
        # type: (str) -> None
        self._open.pop().text = native("".join(self._texts.pop()))

    def _characters(self, text):
        # type: (str) -> None
        self._texts[-1].append(text)

    def _cdata(self):
        # type: () -> None
        if not "".join(self._texts[-1]).strip():
            # White space in front of the section must not shift the line numbers of the script.
            self._texts[-1][:] = []
            self._open[-1].text_line = self._parser.CurrentLineNumber

    def _doctype(self, name, *_rest):
        # type: (str, *Any) -> None
        raise NotABehaviour("%s declares a document type (%s), which no Choregraphe file does" % (
            self.name, native(name)))


def _local(name):
    # type: (str) -> str
    return name.rpartition(":")[2]


def read(content, name):
    # type: (bytes, str) -> Element
    """Parse XML into a tree; raises NotABehaviour, naming the file and the line, for XML that is not well formed.

    >>> read(b"<a><b c='1'>text</b></a>", "x.xar").children[0].text == "text"
    True
    """
    return _Reader(name).read(content)
