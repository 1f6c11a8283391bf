"""The folder of installed packages on disk, where a package is put whole or not at all. Knows no robot."""

from __future__ import absolute_import, division, print_function

import hashlib
import io
import os
import shutil
import tempfile

from naosim.compat import native, quoted
from naosim.errors import NotABehaviour
from naosim.formats import archive, manifest
from naosim.formats.project import XAR, Package, Place

MYPY = False
if MYPY:
    from typing import Any

#: Limits: files and bytes of one package, bytes of its `.pkg` file and of an icon, and packages in one folder.
MOST_FILES, LARGEST, LARGEST_FILE, LARGEST_ICON, MOST_PACKAGES = 2000, 200 * 2**20, 200 * 2**20, 2**20, 1000
ICON = "icon.png"


class Refused(Exception):
    """A package that cannot be installed; the message is a part of a sentence and names no path of the machine."""


class NewPackage(object):
    """A package unpacked beside the installed ones, not yet in its place; raises Refused for any other file."""

    def __init__(self, path, home, md5=""):  # type: (str, str, str) -> None
        self.manifest = {}  # type: dict[str, Any]
        if not os.path.isfile(path):
            raise Refused("there is no file %s" % quoted(os.path.basename(path)))
        if os.path.getsize(path) > LARGEST_FILE:
            raise Refused("the file is larger than %d MB" % (LARGEST_FILE // 2**20))
        if md5 and _md5(path) != md5.lower():
            raise Refused("the file has another MD5 sum")
        self._folder = native(tempfile.mkdtemp(prefix=".new-", dir=home))
        try:
            self._unpacked = archive.unpacked(path, self._folder, MOST_FILES, LARGEST)
            self.manifest = _manifest(self._unpacked)
            _check_behaviours(self._unpacked, self.manifest)
        except NotABehaviour as error:
            self.clear()
            raise Refused(native(error).replace(path, os.path.basename(path)).replace(self._folder, "it"))
        except (IOError, OSError) as error:
            self.clear()
            raise Refused("it cannot be unpacked (%s)" % (error.strerror or "no reason is known"))
        except BaseException:
            self.clear()
            raise

    def place(self, folder):  # type: (str) -> None
        """Move the package to its place; raises Refused, after putting back what was there, when that fails."""
        old = os.path.join(self._folder, "old")
        was_there = os.path.isdir(folder)
        try:
            if was_there:
                os.rename(folder, old)
            try:
                os.rename(self._unpacked, folder)
            except (IOError, OSError):
                if was_there:
                    os.rename(old, folder)
                raise
        except (IOError, OSError) as error:
            raise Refused("it cannot be put in its place (%s)" % (error.strerror or "no reason is known"))

    def clear(self):  # type: () -> None
        """Delete the temporary folder, with the package if it is still in it."""
        shutil.rmtree(self._folder, ignore_errors=True)


def check(contents, uuid, system, model):  # type: (dict[str, Any], str, str, str) -> None
    """Raise Refused unless a manifest has this uuid ("" for any) and this robot can run its package."""
    if uuid and contents["uuid"] != uuid:
        raise Refused("it is %s and not %s" % (quoted(contents["uuid"]), quoted(uuid)))
    unmet = manifest.unmet(contents, system, model)
    if unmet is not None:
        raise Refused(unmet)


def installed(home):  # type: (str) -> list[tuple[str, dict[str, Any]]]
    """List the packages in a folder, each with its own folder and manifest; anything else is skipped."""
    packages = []
    for name in sorted(os.listdir(home) if os.path.isdir(home) else [])[:MOST_PACKAGES]:
        folder = os.path.join(home, name)
        try:
            contents = _manifest(folder)
        except (Refused, NotABehaviour, IOError, OSError):
            continue
        if contents["uuid"] == name:
            packages.append((native(folder), contents))
    return packages


def package(folder, contents):  # type: (str, dict[str, Any]) -> Package
    """Make the Package in which behaviours are looked up, from an installed package's folder and manifest."""
    rows = [row["path"] or "." for row in contents["behaviors"]]
    behaviours = [Place(row, os.path.normpath(os.path.join(folder, row, XAR))) for row in rows]
    return Package(contents["uuid"], folder, contents["uuid"], behaviours, [], [], [], [])


def icon(folder):  # type: (str) -> bytearray
    """Read the bytes of a package's icon; return none of them when it has no icon or one that is too large."""
    path = os.path.join(folder, ICON)
    if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_ICON:
        return bytearray()
    with io.open(path, "rb") as file:
        return bytearray(file.read())


def delete(folder):  # type: (str) -> None
    """Delete an installed package, which is first renamed so that it is gone at once; raises Refused."""
    try:
        aside = tempfile.mkdtemp(prefix=".old-", dir=os.path.dirname(folder))
        os.rename(folder, os.path.join(aside, "package"))
    except (IOError, OSError) as error:
        raise Refused("it cannot be deleted (%s)" % (error.strerror or "no reason is known"))
    shutil.rmtree(aside, ignore_errors=True)


def _manifest(folder):  # type: (str) -> dict[str, Any]
    path = os.path.join(folder, manifest.NAME)
    if not os.path.isfile(path):
        raise Refused("it has no manifest.xml")
    with io.open(path, "rb") as file:
        return manifest.read(file.read(manifest.LARGEST + 1))


def _check_behaviours(folder, contents):  # type: (str, dict[str, Any]) -> None
    """Raise Refused for a package that lists behaviours it does not hold."""
    for row in contents["behaviors"]:
        parts = row["path"].split("/")
        if ".." in parts or os.path.isabs(row["path"]) or "\0" in row["path"]:
            raise Refused("its behaviour %s leads out of the package" % quoted(row["path"]))
        if not os.path.isfile(os.path.join(folder, row["path"], XAR)):
            raise Refused("its behaviour %s has no behavior.xar" % quoted(row["path"]))


def _md5(path):  # type: (str) -> str
    summed = hashlib.md5()
    with io.open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            summed.update(piece)
    return summed.hexdigest()
