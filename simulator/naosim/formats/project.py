"""The forms in which behaviours lie on disk: a behavior.xar, its folder, a project, an installed package, a `.pkg`.

Finds the behaviours, translations and dialogs that belong together. Reads no diagram and runs nothing.
"""

from __future__ import absolute_import, division, print_function

import io
import os
from collections import namedtuple

from naosim.compat import TEXTS, native, quoted
from naosim.errors import NotABehaviour
from naosim.formats import archive, xml_tree
from naosim.formats import source as xarfile

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.formats.xml_tree import Element

#: One behaviour of a package: its path in the package, such as "behavior_1", and its file.
Place = namedtuple("Place", "name file")
#: A project or installed package; `lists` has all files that its project file names, `translations` (language, file).
Package = namedtuple("Package", "uuid folder source behaviours translations dialogs topics lists")

MANIFEST, XAR = "manifest.xml", "behavior.xar"
LARGEST_LIST = 4 * 1024 * 1024
MOST_ENTRIES, MOST_BEHAVIOURS, HIGHEST = 5000, 500, 4


def package(source, unpack_to=None):  # type: (Any, Callable[[], str] | None) -> Package | None
    """Read the package in a `.pml`, a folder or a `.pkg`; return None for a single behaviour.

    `unpack_to` returns the folder below which a `.pkg` is unpacked. Raises NotABehaviour with a sentence for people.
    """
    if not isinstance(source, TEXTS) or xarfile.is_content(source):
        return None
    path = native(source)
    if path.lower().endswith(".pkg") and os.path.isfile(path) and unpack_to is not None:
        return _folder(archive.unpacked(path, unpack_to()), path)
    if path.lower().endswith(".pml") and os.path.isfile(path):
        return _from_pml(path)
    return _folder(path, path) if os.path.isdir(path) else None


def behaviour_file(source, name="", unpack_to=None):  # type: (Any, str, Callable[[], str] | None) -> Any
    """Find the file of one behaviour in a package; any other source is returned unchanged.

    `name` chooses among several: the folder in the package, its last part, or the whole id. Raises NotABehaviour.
    """
    found = package(source, unpack_to)
    if found is None:
        if name and isinstance(source, TEXTS) and not xarfile.is_content(source):
            raise NotABehaviour("%s is a single behaviour: leave the name %s out" % (native(source), quoted(name)))
        return source
    return chosen(found, name).file


def chosen(found, name=""):  # type: (Package, str) -> Place
    """Choose a behaviour of a package by name; raises NotABehaviour, listing them, unless exactly one fits."""
    places = found.behaviours  # type: list[Place]
    if not places:
        raise NotABehaviour("%s holds no behaviour: give a behavior.xar" % found.source)
    wanted = native(name).strip("/")
    hits = [] if wanted else places
    for meant in (
        lambda place: place.name,
        lambda place: "%s/%s" % (found.uuid, place.name),
        lambda place: place.name.rpartition("/")[2],
    ):
        hits = hits or [place for place in places if meant(place) == wanted]
    if len(hits) == 1:
        return hits[0]
    listed = ", ".join(place.name for place in places[:20]) + (" ..." if len(places) > 20 else "")
    if not hits:
        raise NotABehaviour("%s has no behaviour %s: it has %s" % (found.source, quoted(wanted), listed))
    raise NotABehaviour(
        "%s has %d behaviours: say which one is meant (--behaviour): %s" % (found.source, len(places), listed)
    )


def around(file):  # type: (str) -> Package | None
    """Find the package that lists a behavior.xar, in its folder or a few above; None when there is none."""
    file = os.path.abspath(file)
    folder = os.path.dirname(file)
    for _ in range(HIGHEST):
        if os.path.isfile(os.path.join(folder, MANIFEST)) or _pml_files(folder):
            try:
                found = _folder(folder, folder)
            except NotABehaviour:
                return None
            is_listed = found is not None and any(_same(place.file, file) for place in found.behaviours)
            return found if is_listed else None
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return None


def ids(found):  # type: (Package) -> dict[str, str]
    """Map the id of every behaviour of a package, as ALBehaviorManager knows it, to its folder."""
    return {"%s/%s" % (found.uuid, place.name): os.path.dirname(place.file) for place in found.behaviours}


def missing(found):  # type: (Package) -> list[str]
    """List the files that a package's project file names and that do not exist, relative to the package."""
    return [name for name in found.lists if not os.path.isfile(os.path.join(found.folder, name))]


def _folder(folder, source):  # type: (str, str) -> Package | None
    """Read the package in a folder; return None for a folder with a behavior.xar and no description of a package."""
    pml = _pml_files(folder)
    if len(pml) > 1:
        raise NotABehaviour("%s holds %d project files: give one of %s" % (source, len(pml), ", ".join(pml[:20])))
    if pml:
        return _from_pml(os.path.join(folder, pml[0]))
    if os.path.isfile(os.path.join(folder, MANIFEST)):
        return _from_manifest(folder, source)
    if os.path.isfile(os.path.join(folder, XAR)):
        return None
    # Projects of Choregraphe 1 have nothing but folders.
    places = [
        Place(name, os.path.join(folder, name, XAR))
        for name in _entries(folder)
        if os.path.isfile(os.path.join(folder, name, XAR))
    ]
    if not places:
        raise NotABehaviour("%s holds no behavior.xar, no project file (.pml) and no manifest.xml" % source)
    uuid = os.path.basename(os.path.abspath(folder)) or "package"
    return Package(native(uuid), folder, source, places, [], [], [], [])


def _from_pml(path):  # type: (str) -> Package
    top = _tree(path, "Package")
    folder = os.path.dirname(os.path.abspath(path))
    manifest = _sources(top, "Manifest")
    places = []
    for element in _children(top, "BehaviorDescriptions", "BehaviorDescription"):
        name = _inside(element.attributes.get("src", ""), path)
        xar = _inside(element.attributes.get("xar") or XAR, path)
        places.append(Place(name or ".", os.path.join(folder, name, xar)))
    translations = [
        (element.attributes.get("language", ""), os.path.join(folder, name))
        for element, name in _listed(top, "Translations", "Translation", path)
    ]
    dialogs, topics, files = [
        [name for _, name in _listed(top, group, tag, path)]
        for group, tag in (("Dialogs", "Dialog"), ("Topics", "Topic"), ("Resources", "File"))
    ]
    uuid = _uuid(os.path.join(folder, manifest[0] if manifest else MANIFEST)) or top.attributes.get("name") or "package"
    names = [os.path.relpath(place.file, folder) for place in places] + dialogs + topics + files
    names += [os.path.relpath(file, folder) for _, file in translations]
    return Package(uuid, folder, native(path), _few(places, path), translations, dialogs, topics, manifest + names)


def _from_manifest(folder, source):  # type: (str, str) -> Package
    path = os.path.join(folder, MANIFEST)
    top = _tree(path, "package")
    places = []
    for element in _children(top, "contents", "behaviorContent"):
        name = _inside(element.attributes.get("path", ""), path)
        places.append(Place(name or ".", os.path.join(folder, name, XAR)))
    topics = [
        _inside(each.attributes.get("path", ""), path)
        for content in _children(top, "contents", "dialogContent")
        for each in content.all("topic")
    ]
    translated = os.path.join(folder, "translations")
    names = _entries(translated) if os.path.isdir(translated) else []
    translations = [
        (os.path.splitext(name)[0].partition("_")[2], os.path.join(translated, name))
        for name in names
        if name.endswith((".qm", ".ts"))
    ]
    uuid = top.attributes.get("uuid") or os.path.basename(os.path.abspath(folder))
    return Package(uuid, os.path.abspath(folder), native(source), _few(places, path), translations, [], topics, [])


def _uuid(manifest):  # type: (str) -> str
    try:
        return _tree(manifest, "package").attributes.get("uuid", "")
    except NotABehaviour:
        return ""


def _tree(path, tag):  # type: (str, str) -> Element
    name = os.path.basename(path)
    try:
        with io.open(path, "rb") as file:
            content = file.read(LARGEST_LIST + 1)
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot read %s: %s" % (native(path), native(error.strerror or error)))
    if len(content) > LARGEST_LIST:
        raise NotABehaviour(
            "%s is larger than %d MB: nothing that Choregraphe writes is" % (name, LARGEST_LIST // 1048576)
        )
    if not content.strip():
        raise NotABehaviour("%s is empty" % name)
    top = xml_tree.read(content, name)
    if top.tag != tag:
        raise NotABehaviour("%s starts with <%s>, not with <%s>" % (name, top.tag, tag))
    return top


def _children(top, group, tag):  # type: (Element, str, str) -> list[Element]
    return [element for each in top.all(group) for element in each.all(tag)]


def _sources(top, tag):  # type: (Element, str) -> list[str]
    return [element.attributes["src"] for element in top.all(tag) if element.attributes.get("src")]


def _listed(top, group, tag, path):  # type: (Element, str, str, str) -> list[tuple[Element, str]]
    return [
        (element, _inside(element.attributes["src"], path))
        for element in _children(top, group, tag)
        if element.attributes.get("src")
    ]


def _inside(name, path):  # type: (str, str) -> str
    """Normalise a path inside a package; raises NotABehaviour for one that leads out of it."""
    name = os.path.normpath(native(name).replace("\\", "/").strip("/") or ".").replace("\\", "/")
    if name == ".." or name.startswith("../") or os.path.isabs(name) or "\0" in name:
        raise NotABehaviour("%s names %s, which lies outside of it" % (os.path.basename(path), quoted(name)))
    return "" if name == "." else name


def _few(places, path):  # type: (list[Place], str) -> list[Place]
    """Return the places unchanged; raises NotABehaviour when there are too many."""
    if len(places) > MOST_BEHAVIOURS:
        raise NotABehaviour(
            "%s lists %d behaviours: at most %d are read" % (os.path.basename(path), len(places), MOST_BEHAVIOURS)
        )
    return places


def _entries(folder):  # type: (str) -> list[str]
    try:
        return [native(name) for name in sorted(os.listdir(folder))[:MOST_ENTRIES]]
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot read %s: %s" % (native(folder), native(error.strerror or error)))


def _is_project_file(name):  # type: (str) -> bool
    """Tell whether a file is a project's; "._X.pml" is what a Mac notes beside one."""
    return name.lower().endswith(".pml") and not name.startswith(".")


def _pml_files(folder):  # type: (str) -> list[str]
    try:
        return [native(name) for name in sorted(os.listdir(folder)) if _is_project_file(name)]
    except (IOError, OSError):
        return []


def _same(one, other):  # type: (str, str) -> bool
    return os.path.realpath(one) == os.path.realpath(other)
