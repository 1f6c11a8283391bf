"""The hand-written manifest.xml: only its version is stamped, and what it says must fit the project."""

from __future__ import annotations

import re

from .errors import FlowRefused

PACKAGE = re.compile(r"<package\b[^>]*>")
UUID = re.compile(r'(?<=\suuid=")([_\-a-z0-9]{1,50})(?=")')
VERSION = re.compile(r'(?<=\sversion=")[^"]*(?=")')
DUNDER_VERSION = re.compile(r'^__version__ = "(\d+\.\d+\.\d+)"$', re.MULTILINE)


def _package(manifest: str) -> str:
    found = PACKAGE.search(manifest)
    if not found or not VERSION.search(found[0]):
        raise FlowRefused('manifest.xml has no <package uuid="..." version="...">; write that element first.')
    return found[0]


def uuid(manifest: str) -> str:
    """The package's name on the robot, which is also the name of the `.pml`."""
    found = UUID.search(_package(manifest))
    if not found:
        raise FlowRefused("manifest.xml has no uuid of 1 to 50 small letters, digits, - and _; write one.")
    return found[0]


def stamped(manifest: str, version: str) -> str:
    """The manifest with this version and nothing else changed.

    >>> stamped('<package uuid="x" version="0.0.1">', "1.2.0")
    '<package uuid="x" version="1.2.0">'
    """
    package = _package(manifest)
    return manifest.replace(package, VERSION.sub(version, package, count=1), 1)


def manifest_findings(manifest: str, behaviour: str) -> list[str]:
    """What the manifest says against the project."""
    if f'<behaviorContent path="{behaviour}">' in manifest:
        return []
    return [f'manifest.xml has no <behaviorContent path="{behaviour}">; name the behaviour of flow.json there.']


def version_in(source: str) -> str:
    """The version a package's `__init__.py` gives itself."""
    found = DUNDER_VERSION.search(source)
    if not found:
        raise FlowRefused('src/jotto/__init__.py has no line __version__ = "1.2.3"; add it.')
    return found[1]
