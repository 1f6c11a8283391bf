"""Translated texts of boxes: the `.ts` files of Qt Linguist, and the `.qm` files that installed packages hold instead.

A message belongs to a context, such as "behavior_1/behavior.xar:/Say"; its comment is the name of the parameter.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import re
import struct

from naosim.compat import native, unicoded
from naosim.errors import NotABehaviour
from naosim.formats import xml_tree

MYPY = False
if MYPY:
    from typing import Any, Iterable

    from naosim.formats.project import Package
    from naosim.formats.xml_tree import Element

    #: (context, source text, comment) -> translation
    Messages = dict[tuple[str, str, str], str]

LARGEST = 16 * 1024 * 1024
MOST = 100000
DOCTYPE = re.compile(b"<!DOCTYPE\\s+TS\\s*(?:\\[\\s*\\]\\s*)?>")
#: The types of translations that are no longer in use.
GONE = ("vanished", "obsolete")
MAGIC = bytes(
    bytearray([0x3C, 0xB8, 0x64, 0x18, 0xCA, 0xEF, 0x9C, 0x95, 0xCD, 0x21, 0x1C, 0xBF, 0x60, 0xA1, 0xBD, 0xDD])
)
#: In a .qm file: the section of messages, the length that stands for no text, and the tags within one message.
MESSAGES = 0x69
NOTHING = 0xFFFFFFFF
END, SOURCE_16, TRANSLATION, CONTEXT_16, OBSOLETE, SOURCE, CONTEXT, COMMENT = range(1, 9)
#: The language codes in the names of translation files, by NAOqi's names of the languages.
CODES = {
    "English": "en",
    "French": "fr",
    "German": "de",
    "Italian": "it",
    "Spanish": "es",
    "Japanese": "ja",
    "Chinese": "zh",
    "MandarinTaiwan": "zh_TW",
    "Korean": "ko",
    "Brazilian": "pt_BR",
    "Portuguese": "pt_PT",
    "Dutch": "nl",
    "Polish": "pl",
    "Czech": "cs",
    "Russian": "ru",
    "Swedish": "sv",
    "Danish": "da",
    "Finnish": "fi",
    "Norwegian": "nb",
    "Turkish": "tr",
    "Arabic": "ar",
    "Greek": "el",
}


class Translations(object):
    """The translations of one package, each file read once."""

    def __init__(self, package):  # type: (Package) -> None
        self._package = package
        self._read = {}  # type: dict[str, Messages]

    def prepare(self, languages):  # type: (Iterable[str]) -> None
        """Read the files of some languages now; raises NotABehaviour for a damaged one."""
        for language in languages:
            if language not in self._read:
                self._read[language] = self._messages(language)

    def translated(self, language, context, text, comment):  # type: (str, str, str, str) -> str
        """Translate a text into a language with one of NAOqi's names; return the text itself without a translation."""
        self.prepare((language,))
        messages = self._read[language]
        return messages.get((context, text, comment)) or messages.get((context, text, "")) or text

    def _messages(self, language):  # type: (str) -> Messages
        """Read all messages of a language; those of a `.ts` file take precedence over those of a `.qm` file."""
        found = {}  # type: Messages
        files = [file for code, file in self._package.translations if speaks(code, language)]
        files += [os.path.splitext(file)[0] + ".qm" for file in files if not os.path.isfile(file)]
        for file in sorted(files, key=lambda name: name.endswith(".ts")):
            if os.path.isfile(file):
                found.update(read(file))
        return found


def read(path):  # type: (str) -> Messages
    """Read the messages of a `.ts` or `.qm` file; raises NotABehaviour with a sentence for people."""
    name = os.path.basename(path)
    try:
        with io.open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot read %s: %s" % (native(path), native(error.strerror or error)))
    if len(content) > LARGEST:
        raise NotABehaviour("%s is larger than %d MB: no translation is" % (name, LARGEST // 1048576))
    if content.startswith(MAGIC):
        try:
            return _compiled(content)
        except (struct.error, ValueError, IndexError):
            raise NotABehaviour("%s is a damaged .qm file: compile it again with lrelease" % name)
    return _linguist(content, name)


def speaks(code, language):  # type: (str, str) -> bool
    """Tell whether a code such as "en_US" stands for a language with one of NAOqi's names.

    >>> speaks("en_US", "English"), speaks("fr_FR", "English")
    (True, False)
    """
    code, wanted = code.replace("-", "_"), CODES.get(language, language)
    return code == wanted or (code.partition("_")[0] == wanted and (wanted, code) != ("zh", "zh_TW"))


def _linguist(content, name):  # type: (bytes, str) -> Messages
    """Read the messages of a `.ts` file; its empty document type is removed first, as the XML reader refuses any."""
    top = xml_tree.read(DOCTYPE.sub(b"", content, count=1), name)
    if top.tag != "TS":
        raise NotABehaviour("%s starts with <%s>, not with <TS>: give a file of Qt Linguist" % (name, top.tag))
    found = {}  # type: Messages
    for context in top.all("context"):
        for message in context.all("message"):
            translation = message.first("translation")
            if translation is None or translation.attributes.get("type") in GONE or not translation.text:
                continue
            if len(found) >= MOST:
                raise NotABehaviour("%s holds more than %d messages" % (name, MOST))
            found[(_text(context, "name"), _text(message, "source"), _text(message, "comment"))] = translation.text
    return found


def _text(element, tag):  # type: (Element, str) -> str
    child = element.first(tag)
    return "" if child is None else child.text


def _compiled(content):  # type: (bytes) -> Messages
    """Read the messages of a `.qm` file; one made with lrelease -compress lacks their texts and contexts."""
    found = {}  # type: Messages
    at = len(MAGIC)
    while at < len(content):
        section, size = struct.unpack_from(">BI", content, at)
        at += 5
        if section == MESSAGES:
            _messages(content[at : at + size], found)
        at += size
    return found


def _messages(block, found):  # type: (bytes, Messages) -> None
    at, fields = 0, {}  # type: int, dict[int, str]
    while at < len(block):
        tag = struct.unpack_from(">B", block, at)[0]
        at += 1
        if tag == END:
            if TRANSLATION in fields and SOURCE in fields:
                key = (fields.get(CONTEXT, ""), fields[SOURCE], fields.get(COMMENT, ""))
                found[key] = fields[TRANSLATION]
                if len(found) > MOST:
                    raise ValueError(MOST)
            fields = {}
            continue
        if tag == OBSOLETE:
            at += 4
            continue
        if tag not in (SOURCE_16, TRANSLATION, CONTEXT_16, SOURCE, CONTEXT, COMMENT):
            raise ValueError(tag)
        size = struct.unpack_from(">I", block, at)[0]
        at, size = at + 4, 0 if size == NOTHING else size
        raw = block[at : at + size]
        if len(raw) < size:
            raise ValueError(size)
        at += size
        # Of several plural forms the first is taken: the texts of a robot have no plural.
        if tag != TRANSLATION or tag not in fields:
            fields[tag] = (
                native(raw.decode("utf-16-be"))
                if tag in (SOURCE_16, TRANSLATION, CONTEXT_16)
                else native(unicoded(raw.rstrip(b"\0")))
            )
