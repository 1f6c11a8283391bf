"""The hand-written manifest.xml: only its version is stamped, and what it says must fit the project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from ..errors import FlowRefused

PACKAGE = re.compile(r"<package\b[^>]*>")
UUID = re.compile(r'(?<=\suuid=")([_\-a-z0-9]{1,50})(?=")')
VERSION = re.compile(r'(?<=\sversion=")[^"]*(?=")')
#: What a robot's recogniser tells apart while other behaviours listen too, and what it says before it starts.
MOST_WORDS, LONGEST_SENTENCE = 5, 40
SENTENCE = re.compile(r"[^\W\d_]+(?:[ '][^\W\d_]+)*[.!?]?")
DUNDER_VERSION = re.compile(r'^__version__ = "(\d+\.\d+\.\d+)"$', re.MULTILINE)


def _package(manifest: str) -> str:
    found = PACKAGE.search(manifest)
    if not found or not VERSION.search(found[0]):
        raise FlowRefused('manifest.xml has no <package uuid="..." version="...">; write that element first.')
    return found[0]


def uuid(manifest: str) -> str:
    """Return the package's name on the robot, which is also the name of the `.pml`."""
    found = UUID.search(_package(manifest))
    if not found:
        raise FlowRefused("manifest.xml has no uuid of 1 to 50 small letters, digits, - and _; write one.")
    return found[0]


def stamped(manifest: str, version: str) -> str:
    """Return the manifest with this version and nothing else changed.

    >>> stamped('<package uuid="x" version="0.0.1">', "1.2.0")
    '<package uuid="x" version="1.2.0">'
    """
    package = _package(manifest)
    return manifest.replace(package, VERSION.sub(version, package, count=1), 1)


def manifest_findings(manifest: str, behaviour: str) -> list[str]:
    """List where the manifest contradicts the project."""
    if f'<behaviorContent path="{behaviour}">' in manifest:
        return []
    return [f'manifest.xml has no <behaviorContent path="{behaviour}">; name the behaviour of flow.json there.']


def sentence_findings(manifest: str) -> list[str]:
    """Which sentences a robot would hardly recognise, and which behaviours lack one in a language they support."""
    try:
        package = ElementTree.fromstring(manifest)
    except ElementTree.ParseError as error:
        return [f"manifest.xml is not XML ({error}); correct it."]
    languages = [each.text or "" for each in package.iterfind("supportedLanguages/language")]
    findings = [] if languages else ["manifest.xml names no supportedLanguages; name one."]
    for behaviour in package.iterfind("contents/behaviorContent"):
        findings += _of_behaviour(behaviour, languages)
    return findings


def _of_behaviour(behaviour: ElementTree.Element, languages: list[str]) -> Iterator[str]:
    path = behaviour.get("path", "")
    for group, most in (("triggerSentences", MOST_WORDS), ("loadingResponses", 2 * MOST_WORDS)):
        found = behaviour.iterfind(f"{group}/sentence")
        sentences = [(each.get("lang", ""), (each.text or "").strip()) for each in found]
        spoken = {language for language, _ in sentences}
        yield from (f"{path} has no {group} in {one}; write one." for one in languages if one not in spoken)
        for language, text in sentences:
            if language not in languages:
                yield f'{path}: "{text}" is in {language}, which supportedLanguages lacks; add the language or drop it.'
            if len(text.split()) > most or len(text) > LONGEST_SENTENCE or not SENTENCE.fullmatch(text):
                yield f'{path}: "{text}" is no sentence of at most {most} plain words; write a shorter one.'


def version_in(source: str) -> str:
    """Return the version in a package's `__init__.py`."""
    found = DUNDER_VERSION.search(source)
    if not found:
        raise FlowRefused('src/jotto/__init__.py has no line __version__ = "1.2.3"; add it.')
    return found[1]
