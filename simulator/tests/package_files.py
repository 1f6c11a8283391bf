"""Packages for robots, valid and invalid ones; runs on both Pythons."""

from __future__ import absolute_import, division, print_function

import io
import os
import zipfile

BEHAVIOURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "behaviours")


def manifest(uuid="hello-1", version="1.0.0", behaviours=("hello",), more=""):
    rows = "".join(
        '<behaviorContent path="%s"><userRequestable/><nature>interactive</nature><tags>'
        '<tag lang="en_US">%s</tag></tags></behaviorContent>' % (path, path)
        for path in behaviours
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><package uuid="%s" version="%s"><names><name lang="en_US">Hello'
        "</name></names><contents>%s</contents>%s</package>" % (uuid, version, rows, more)
    )


def xar(name):
    """Return the bytes of a behaviour from the folder `behaviours`."""
    with io.open(os.path.join(BEHAVIOURS, name), "rb") as file:
        return file.read()


def write(path, files):
    """Write a zip archive: names of plain files or ZipInfos, and bytes or texts."""
    with zipfile.ZipFile(str(path), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            if entry is not name:
                entry.external_attr, entry.create_system = 0o100644 << 16, 3
            raw = content.encode("utf-8") if not isinstance(content, bytes) else content
            archive.writestr(entry, raw, zipfile.ZIP_DEFLATED)
    return str(path)


def package(path, uuid="hello-1", version="1.0.0", behaviours=None, more=""):
    """Write a package with behaviours given as {folder: bytes of behavior.xar}; a new story by default."""
    held = {"hello": xar("new_story.xar")} if behaviours is None else behaviours
    files = [("manifest.xml", manifest(uuid, version, sorted(held), more))]
    return write(path, files + [(os.path.normpath(folder + "/behavior.xar"), held[folder]) for folder in sorted(held)])
