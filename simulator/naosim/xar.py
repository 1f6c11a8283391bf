"""The parser of `.xar` behaviours, and of the translated texts of their boxes in `.ts` and `.qm` files.

`parse` reads a behaviour into a `Project` of boxes, ports, parameters, links and timelines, without running anything.
`Translations` finds the text of a box in the robot's language.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import re
import struct
from collections import namedtuple

from naosim import formats
from naosim.compat import TEXTS, native, quote, to_unicode
from naosim.errors import BrokenBehaviour, NotABehaviour
from naosim.formats import Element, parse_finite, parse_integer
from naosim.packages import Package

MYPY = False
if MYPY:
    from typing import Any, Iterable, Iterator

_MAX_BOXES = 20000  # boxes of one behaviour: a limit on memory
_MAX_BOX_PATH_LENGTH = 2000  # letters of a box's path, which each box inside it repeats
#: Bytes of a script: compiling it takes hundreds of times as much memory, and 2.7 crashes at 30,000 branches.
MAX_SCRIPT_BYTES = 120000
_MAX_BOX_OFFSET = 100000  # the largest coordinate of a box, in pixels of Choregraphe's diagram
_XAR_VERSION = "3"

# Natures of inputs.
ON_LOAD, ON_EVENT, ON_START, ON_STOP, ON_MEMORY = range(5)
# Natures of outputs.
STOPPED, PUNCTUAL = 1, 2
# Types of ports, and their names.
_, BANG, NUMBER, STRING = range(4)
TYPE_NAMES = ("dynamic", "bang", "number", "string", "bitmap", "sound")
# Content types of parameters; 4 is a resource.
BOOL, INT, DOUBLE, TEXT, _, LOCALIZED = range(6)

#: A box; Choregraphe draws its upper left corner at `x`, `y`.
Box = namedtuple(
    "Box", "name id path line tooltip plugin dialog script script_line inputs outputs parameters resources timeline x y"
)
Port = namedtuple("Port", "name id type size nature key inner line")
Parameter = namedtuple("Parameter", "name id type value default inherits low high choices custom line")
Resource = namedtuple("Resource", "name type timeout")
#: A link from port `output` of box `emitter` to port `input` of box `receiver`; box 0 is the owner of the diagram.
Link = namedtuple("Link", "emitter output receiver input line")
Diagram = namedtuple("Diagram", "boxes links")
Keyframe = namedtuple("Keyframe", "name index diagram")
Layer = namedtuple("Layer", "name keyframes")
#: The motion of a joint: keys (frame, value), each with two tangents (kind, frames, value).
#: Unit 0: degrees, 1: percent.
Curve = namedtuple("Curve", "name actuator unit mute keys tangents")
Timeline = namedtuple("Timeline", "enabled fps start end size layers curves")


class Project(object):
    """A parsed behaviour; robots share it with its compiled scripts and findings."""

    __slots__ = ("compiled", "findings", "head", "is_placed", "kind", "name", "package", "path", "root", "translations")

    def __init__(self, root, kind, path, head=b""):  # type: (Box, str, str | None, bytes) -> None
        self.root = root
        self.head = head
        self.kind = kind
        self.path = path
        self.name = path or "the behaviour"
        self.compiled = {}  # type: dict[object, Any]
        self.is_placed = False  # whether the two below are known
        self.package = None  # type: Any
        self.translations = None  # type: Translations | None
        self.findings = None  # type: Any

    def place_in(self, package):  # type: (Any) -> None
        """Note the package around the file, None if none exists, with its translations."""
        self.is_placed, self.package = True, package
        self.translations = Translations(package) if package is not None and package.translations else None

    def boxes(self):  # type: () -> Iterator[Box]
        """Iterate over every box, each before the boxes inside it."""
        return walk(self.root)


def walk(box):  # type: (Box) -> Iterator[Box]
    """Iterate over the box and every box inside it, each before those inside it."""
    waiting = [box]
    while waiting:
        box = waiting.pop()
        yield box
        inside = [child for diagram in diagrams(box) for child in diagram.boxes]
        waiting.extend(reversed(inside))


def diagrams(box):  # type: (Box) -> list[Diagram]
    """List the diagrams of a box, one for each keyframe."""
    if box.timeline is None:
        return []
    return [keyframe.diagram for layer in box.timeline.layers for keyframe in layer.keyframes]


def parse(source, name=None):  # type: (Any, str | None) -> Project
    """Parse a behaviour from a path or from bytes; raises NotABehaviour or BrokenBehaviour."""
    if isinstance(source, Project):
        return source
    path = None  # type: str | None
    if isinstance(source, TEXTS) and not formats.is_content(source):
        path = native(source)
        source = formats.read_behaviour_file(path)
    name = name or (os.path.basename(path) if path else "behavior.xar")
    formats.refuse_other_files(source, name)
    top = formats.read_xml(source, name)
    _refuse_other_versions(top, name)
    boxes = top.all("Box")
    if len(boxes) != 1:
        raise NotABehaviour("%s has %d root boxes instead of one" % (name, len(boxes)))
    head = b"\n".join(source[:4096].splitlines()[:2])
    return Project(_Builder(name).box(boxes[0], ""), top.tag, path, head)


def _refuse_other_versions(top, name):  # type: (Element, str) -> None
    if top.tag not in ("ChoregrapheProject", "ChoregrapheBox"):
        raise NotABehaviour("%s starts with <%s>, not with <ChoregrapheProject>: give a behavior.xar" % (name, top.tag))
    if "format_version" in top.attributes:
        other = "format_version %s, the split format of another tool" % top.attributes["format_version"]
        raise NotABehaviour("%s has %s: give the behavior.xar that Choregraphe wrote" % (name, other))
    version = top.attributes.get("xar_version")
    if version != _XAR_VERSION:
        other = 'xar_version %s, only "3" can be read' % quote(version)
        raise NotABehaviour("%s has %s: save it in Choregraphe 1.12 to 2.8" % (name, other))


class _Builder(object):
    """The conversion of XML elements to values; its errors name the file, the line and the box."""

    def __init__(self, name):  # type: (str) -> None
        self._name = name
        self._count = 0

    def box(self, element, parent):  # type: (Element, str) -> Box
        self._count += 1
        if self._count > _MAX_BOXES:
            raise NotABehaviour("%s has more than %d boxes" % (self._name, _MAX_BOXES))
        name = element.attributes.get("name", "")
        path = "%s/%s" % (parent, name) if parent else name
        if len(path) > _MAX_BOX_PATH_LENGTH:
            said = "the names down to the box %s... have more than %d letters" % (
                quote(path[:40]),
                _MAX_BOX_PATH_LENGTH,
            )
            raise NotABehaviour("%s, line %d: %s" % (self._name, element.line, said))
        script, line = _script(element)
        if len(script) > MAX_SCRIPT_BYTES:
            raise self._broken(element, path, "has a script of more than %d kB" % (MAX_SCRIPT_BYTES // 1000))
        dialog, timeline, get = element.first("dialogFile"), element.first("Timeline"), element.attributes.get
        head = (name, self._int(element, path, "id"), path, element.line, get("tooltip", ""), get("plugin", ""))
        content = (None if dialog is None else dialog.text.strip(), script, line)
        parts = (
            tuple(self._read_port(port, path) for port in element.all("Input")),
            tuple(self._read_port(port, path) for port in element.all("Output")),
            tuple(self._read_parameter(parameter, path) for parameter in element.all("Parameter")),
            tuple(self._read_resource(resource, path) for resource in element.all("Resource")),
            None if timeline is None else self._read_timeline(timeline, path),
        )
        return Box(*(head + content + parts + (_place(element, "x"), _place(element, "y"))))

    def _read_port(self, element, box):  # type: (Element, str) -> Port
        get, identifier = element.attributes.get, self._int(element, box, "id")
        kind, size, nature = [self._int(element, box, key, 1) for key in ("type", "type_size", "nature")]
        inner = get("inner", "0") == "1"
        return Port(get("name", ""), identifier, kind, size, nature, get("stm_value_name", ""), inner, element.line)

    def _read_parameter(self, element, box):  # type: (Element, str) -> Parameter
        get = element.attributes.get
        kind = self._int(element, box, "content_type")
        name = get("name", "")
        if kind not in range(6):
            said = "has the parameter %s of unknown content_type %d" % (quote(name), kind)
            raise self._broken(element, box, said)
        value, default = [self._read_value(element, box, kind, get(key)) for key in ("value", "default_value")]
        low, high = [
            None if get(key) is None else self._read_value(element, box, kind, get(key)) for key in ("min", "max")
        ]
        choices = tuple(choice.attributes.get("value", "") for choice in element.all("Choice"))
        inherits, custom = [get(key, "0") == "1" for key in ("inherits_from_parent", "custom_choice")]
        identifier = self._int(element, box, "id")
        return Parameter(name, identifier, kind, value, default, inherits, low, high, choices, custom, element.line)

    def _read_value(self, element, box, kind, text):  # type: (Element, str, int, str | None) -> object
        try:
            return _convert_value(kind, text or "")
        except ValueError:
            name = quote(element.attributes.get("name", ""))
            raise self._broken(element, box, "has a parameter %s with the value %s" % (name, quote(text)))

    def _read_resource(self, element, box):  # type: (Element, str) -> Resource
        get = element.attributes.get
        return Resource(get("name", ""), get("type", "Lock"), self._int(element, box, "timeout", 0))

    def _read_timeline(self, element, box):  # type: (Element, str) -> Timeline
        named = [(layer.attributes.get("name", ""), layer) for layer in element.all("BehaviorLayer")]
        layers = tuple(Layer(name, tuple(self._keyframes(layer, box))) for name, layer in named)
        moved = [each for actuators in element.all("ActuatorList") for each in actuators.all("ActuatorCurve")]
        curves = tuple(self._curve(curve, box) for curve in moved)
        is_enabled, fps = element.attributes.get("enable", "0") == "1", self._int(element, box, "fps", 25) or 25
        defaults = (("start_frame", 1), ("end_frame", -1), ("size", 0))
        start, end, size = [self._int(element, box, key, default) for key, default in defaults]
        return Timeline(is_enabled, fps, start, end, size, layers, curves)

    def _keyframes(self, layer, box):  # type: (Element, str) -> Iterator[Keyframe]
        frames = [frame for frame in layer.all("BehaviorKeyframe") if frame.first("Diagram") is not None]
        for frame in sorted(frames, key=lambda frame: self._int(frame, box, "index", 1)):
            inside, index = frame.all("Diagram")[0], self._int(frame, box, "index", 1)
            boxes = tuple(self.box(child, box) for child in inside.all("Box"))
            links = tuple(self._link(link, box) for link in inside.all("Link"))
            yield Keyframe(frame.attributes.get("name", ""), index, Diagram(boxes, links))

    def _link(self, element, box):  # type: (Element, str) -> Link
        ends = [self._int(element, box, key) for key in ("outputowner", "indexofoutput", "inputowner", "indexofinput")]
        return Link(ends[0], ends[1], ends[2], ends[3], element.line)

    def _curve(self, element, box):  # type: (Element, str) -> Curve
        keys = tuple((self._int(key, box, "frame"), self._float(key, box, "value")) for key in element.all("Key"))
        get, unit = element.attributes.get, self._int(element, box, "unit", -1)
        tangents = tuple(self._tangents(key, box) for key in element.all("Key"))
        return Curve(get("name", ""), get("actuator", ""), unit, get("mute", "0") == "1", keys, tangents)

    def _tangents(self, key, box):  # type: (Element, str) -> tuple[object, object]
        found = {}
        for each in key.all("Tangent"):
            get = each.attributes.get
            x, y = [self._float(each, box, key) if get(key) else 0.0 for key in ("abscissaParam", "ordinateParam")]
            found[get("side")] = str(get("interpType", "")), x, y
        return found.get("left"), found.get("right")

    def _int(self, element, box, key, default=None):  # type: (Element, str, str, int | None) -> int
        text = element.attributes.get(key)
        if text is None and default is not None:
            return default
        try:
            number = parse_integer(text or "")
        except ValueError:
            said = "has a <%s> whose %s is %s instead of a whole number" % (element.tag, key, quote(text))
            raise self._broken(element, box, said)
        if abs(number) > 2**31:
            raise self._broken(element, box, "has a <%s> whose %s is beyond 32 bits" % (element.tag, key))
        return number

    def _float(self, element, box, key):  # type: (Element, str, str) -> float
        text = element.attributes.get(key)
        try:
            return parse_finite(text or "")
        except ValueError:
            said = "has a <%s> whose %s is %s instead of a number" % (element.tag, key, quote(text))
            raise self._broken(element, box, said)

    def _broken(self, element, box, what):  # type: (Element, str, str) -> BrokenBehaviour
        return BrokenBehaviour("%s, line %d: box %s %s" % (self._name, element.line, quote(box), what))


def _convert_value(kind, text):  # type: (int, str) -> object
    """Convert the text of a parameter to its content type; raises ValueError if that is impossible.

    >>> _convert_value(BOOL, "1"), _convert_value(INT, "8"), _convert_value(DOUBLE, "0.5")
    (True, 8, 0.5)
    """
    if kind == BOOL:
        if text not in ("0", "1", "", "true", "false"):
            raise ValueError(text)
        return text in ("1", "true")
    if kind == INT:
        return parse_integer(text or "0")
    if kind == DOUBLE:
        return parse_finite(text or "0")
    return text


def _place(element, key):  # type: (Element, str) -> int
    """Return a coordinate of a box; 0 if it is not an integer, because running a box does not need it."""
    try:
        return max(-_MAX_BOX_OFFSET, min(_MAX_BOX_OFFSET, parse_integer(element.attributes.get(key, "0"))))
    except ValueError:
        return 0


def _script(element):  # type: (Element) -> tuple[str, int]
    """Return the script of a box without blank lines at its ends, and its first line's number in the file."""
    script = element.first("script")
    content = None if script is None else script.first("content")
    if content is None:
        return "", element.line
    text = content.text
    stripped = text.strip(" \t\r\n")
    if not stripped:
        return "", content.line
    before = text[: text.index(stripped[0])]
    return stripped + "\n", content.text_line + before.count("\n")


# Translated texts of boxes, in the `.ts` files of Qt Linguist and the `.qm` files of installed packages.
#
# The context of a message is the path of a box, such as "behavior_1/behavior.xar:/Say"; its comment is the parameter.

if MYPY:
    Messages = dict[tuple[str, str, str], str]  # (context, source text, comment) -> translation

_MAX_TRANSLATION_BYTES = 16 * 1024 * 1024  # bytes of one translation file: a limit on memory
_MAX_MESSAGES = 100000  # messages of one translation file: a limit on memory
_TS_DOCTYPE = re.compile(b"<!DOCTYPE\\s+TS\\s*(?:\\[\\s*\\]\\s*)?>")
_UNUSED_TYPES = ("vanished", "obsolete")  # the types of translations that are no longer used
QM_MAGIC = b"\x3c\xb8\x64\x18\xca\xef\x9c\x95\xcd\x21\x1c\xbf\x60\xa1\xbd\xdd"
QM_MESSAGES = 0x69  # the section of messages in a `.qm` file
_QM_NOTHING = 0xFFFFFFFF  # the length that means no text
# The tags inside a message of a `.qm` file.
QM_END, _QM_SOURCE_16, QM_TRANSLATION, _QM_CONTEXT_16, _QM_OBSOLETE, QM_SOURCE, QM_CONTEXT, _QM_COMMENT = range(1, 9)
#: The language code in a translation file's name, by NAOqi's name of the language.
_CODES_OF_LANGUAGES = """
    English en, French fr, German de, Italian it, Spanish es, Japanese ja, Chinese zh, MandarinTaiwan zh_TW, Korean ko,
    Brazilian pt_BR, Portuguese pt_PT, Dutch nl, Polish pl, Czech cs, Russian ru, Swedish sv, Danish da, Finnish fi,
    Norwegian nb, Turkish tr, Arabic ar, Greek el
"""
LANGUAGE_CODES = dict(pair.split() for pair in _CODES_OF_LANGUAGES.split(","))


class Translations(object):
    """The translations of one package; each file is read once."""

    def __init__(self, package):  # type: (Package) -> None
        self._package = package
        self._read = {}  # type: dict[str, Messages]

    def prepare(self, languages):  # type: (Iterable[str]) -> None
        """Read the translations into these languages; raises NotABehaviour for a damaged file."""
        for language in languages:
            if language not in self._read:
                self._read[language] = self._messages(language)

    def translate(self, language, context, text, comment):  # type: (str, str, str, str) -> str
        """Translate a text into a language, given by NAOqi's name; return it unchanged without a translation."""
        self.prepare((language,))
        messages = self._read[language]
        return messages.get((context, text, comment)) or messages.get((context, text, "")) or text

    def _messages(self, language):  # type: (str) -> Messages
        """Read all messages of a language; a `.ts` file takes precedence over a `.qm` file."""
        found = {}  # type: Messages
        files = [file for code, file in self._package.translations if is_language(code, language)]
        files += [os.path.splitext(file)[0] + ".qm" for file in files if not os.path.isfile(file)]
        for file in sorted(files, key=lambda name: name.endswith(".ts")):
            if os.path.isfile(file):
                found.update(read_translations(file))
        return found


def read_translations(path):  # type: (str) -> Messages
    """Read the messages of a `.ts` or `.qm` file; raises NotABehaviour if it is damaged or too large."""
    name = os.path.basename(path)
    content = formats.read_bounded(path, _MAX_TRANSLATION_BYTES, NotABehaviour, "a translation")
    if content.startswith(QM_MAGIC):
        try:
            return _read_qm(content)
        except (struct.error, ValueError, IndexError):
            raise NotABehaviour("%s is a damaged .qm file: compile it again with lrelease" % name)
    return _read_ts(content, name)


def is_language(code, language):  # type: (str, str) -> bool
    """Return whether a code such as "en_US" means a language, given by NAOqi's name.

    >>> is_language("en_US", "English"), is_language("fr_FR", "English")
    (True, False)
    """
    code, wanted = code.replace("-", "_"), LANGUAGE_CODES.get(language, language)
    return code == wanted or (code.partition("_")[0] == wanted and (wanted, code) != ("zh", "zh_TW"))


def _read_ts(content, name):  # type: (bytes, str) -> Messages
    """Read the messages of a `.ts` file without its empty document type, which the XML reader refuses."""
    top = formats.read_xml(_TS_DOCTYPE.sub(b"", content, count=1), name)
    if top.tag != "TS":
        raise NotABehaviour("%s starts with <%s>, not with <TS>: give a file of Qt Linguist" % (name, top.tag))
    found = {}  # type: Messages
    for context in top.all("context"):
        for message in context.all("message"):
            translation = message.first("translation")
            if translation is None or translation.attributes.get("type") in _UNUSED_TYPES or not translation.text:
                continue
            if len(found) >= _MAX_MESSAGES:
                raise NotABehaviour("%s contains more than %d messages" % (name, _MAX_MESSAGES))
            found[(_text(context, "name"), _text(message, "source"), _text(message, "comment"))] = translation.text
    return found


def _text(element, tag):  # type: (Element, str) -> str
    child = element.first(tag)
    return "" if child is None else child.text


def _read_qm(content):  # type: (bytes) -> Messages
    """Read the messages of a `.qm` file; they have no texts and contexts if lrelease made it with -compress."""
    found = {}  # type: Messages
    at = len(QM_MAGIC)
    while at < len(content):
        section, size = struct.unpack_from(">BI", content, at)
        at += 5
        if section == QM_MESSAGES:
            _qm_messages(content[at : at + size], found)
        at += size
    return found


def _qm_messages(block, found):  # type: (bytes, Messages) -> None
    at, fields = 0, {}  # type: int, dict[int, str]
    while at < len(block):
        tag = struct.unpack_from(">B", block, at)[0]
        at += 1
        if tag == QM_END:
            if QM_TRANSLATION in fields and QM_SOURCE in fields:
                key = (fields.get(QM_CONTEXT, ""), fields[QM_SOURCE], fields.get(_QM_COMMENT, ""))
                found[key] = fields[QM_TRANSLATION]
                if len(found) > _MAX_MESSAGES:
                    raise ValueError(_MAX_MESSAGES)
            fields = {}
            continue
        if tag == _QM_OBSOLETE:
            at += 4
            continue
        if tag not in (_QM_SOURCE_16, QM_TRANSLATION, _QM_CONTEXT_16, QM_SOURCE, QM_CONTEXT, _QM_COMMENT):
            raise ValueError(tag)
        size = struct.unpack_from(">I", block, at)[0]
        at, size = at + 4, 0 if size == _QM_NOTHING else size
        raw = block[at : at + size]
        if len(raw) < size:
            raise ValueError(size)
        at += size
        # Use the first of several plural forms: texts of a robot have no plural.
        if tag != QM_TRANSLATION or tag not in fields:
            is_wide = tag in (_QM_SOURCE_16, QM_TRANSLATION, _QM_CONTEXT_16)
            fields[tag] = native(raw.decode("utf-16-be") if is_wide else to_unicode(raw.rstrip(b"\0")))
