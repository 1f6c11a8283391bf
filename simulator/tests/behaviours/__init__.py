"""Behaviours as Choregraphe writes them: the project `museum`, `quiz.zip` of 300 boxes; and functions that copy."""

from __future__ import absolute_import, division, print_function

import io
import os
import zipfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
#: Behaviours that the lint has no errors for, in the styles of 2012 and of 2018.
STORIES = ("dance.xar", "listen_and_repeat.xar", "new_story.xar", "old_story.xar", "small_talk.xar")


def read_file(name):
    with io.open(os.path.join(FOLDER, *name.split("/")), "rb") as file:
        return file.read()


def write_project(folder):
    """Copy the project `museum` into a folder and return the folder."""
    for name in _list_files(os.path.join(FOLDER, "museum")):
        write_into(folder, name, read_file("museum/" + name))
    return folder


def write_installed(folder):
    """Write the package as a robot has it, without project file and with compiled translations; return the folder."""
    for name in _list_files(os.path.join(FOLDER, "museum")):
        if not name.endswith((".pml", ".ts")):
            write_into(folder, name, read_file("museum/" + name))
    write_into(folder, "translations/translation_fr_FR.qm", read_file("museum_translation_fr_FR.qm"))
    return folder


def write_package(path, folder):
    """Write a `.pkg` from the folder of an installed package and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _list_files(folder):
            archive.write(os.path.join(folder, name), name)
    return path


def write_into(folder, name, content):
    """Write text or bytes into a file below a folder and return its path."""
    path = os.path.join(folder, *name.split("/"))
    if not os.path.isdir(os.path.dirname(path)):
        os.makedirs(os.path.dirname(path))
    with io.open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def _list_files(folder):
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return sorted(os.path.relpath(path, folder) for path in found)
