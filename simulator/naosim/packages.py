"""Choregraphe projects and packages on disk, and the folder of installed packages.

`read_package` reads every form in which behaviours are stored. `read_manifest` reads a manifest.xml as the robot's
PackageManager reports it. `NewPackage` installs a package atomically.
"""

from __future__ import absolute_import, division, print_function

import hashlib
import io
import os
import re
import shutil
import tempfile
from collections import namedtuple

from naosim import formats
from naosim.compat import TEXTS, native, quote
from naosim.errors import NotABehaviour, WrongUse
from naosim.formats import Element

MYPY = False
if MYPY:
    from typing import Callable, Dict

    from naosim.compat import JsonValue

    #: The manifest of a package, or its part about a behaviour or a service, as in PackageManager.packages().
    Manifest = Dict[str, JsonValue]

# The manifest.xml of a package.

MANIFEST_NAME = "manifest.xml"
#: The uuid of the project that Choregraphe's green button has uploaded last (pepperhacking/robot-jumpstarter, issue 3).
UPLOADED_PACKAGE = ".lastUploadedChoregrapheBehavior"
_UUID = re.compile(r"(?:[_\-a-z0-9]{1,50}|%s)\Z" % re.escape(UPLOADED_PACKAGE))
_VERSION = re.compile(r"\d{1,9}(\.\d{1,9}){0,5}\Z")
MAX_MANIFEST_BYTES = 1024 * 1024  # bytes of a manifest: a limit on memory
_MAX_MANIFEST_BEHAVIOURS = 500  # behaviours of a manifest: a limit on memory

#: The names of robot models in a manifest, by the name that ALRobotModel gives.
_MODELS = {"Nao": ("NAO",), "Juliette": ("JULIETTE", "PEPPER"), "Romeo": ("ROMEO",)}
#: The versions of NAOqi that a robot can have, each with the number that it reports.
NAOQI_VERSIONS = {"2.1": "2.1.4.13", "2.5": "2.5.10.7", "2.8": "2.8.6.23"}
_ROBOT_VERSIONS = ("model", "minHeadVersion", "maxHeadVersion", "minBodyVersion", "maxBodyVersion")


def parse_robot_model(name):  # type: (str) -> str
    """Return ALRobotModel's name of a robot type, such as "Juliette" for Pepper; raises WrongUse for unknown types."""
    found = {"Pepper": "Juliette"}.get(name, name)
    if found not in _MODELS:
        raise WrongUse("the simulator has no robot %s; use Nao, Pepper or Romeo" % quote(name))
    return native(found)


def parse_naoqi_version(text):  # type: (str) -> str
    """Return the version of NAOqi, such as "2.8"; raises WrongUse for unknown versions."""
    if text not in NAOQI_VERSIONS:
        raise WrongUse("there is no NAOqi %s here: use 2.1 or 2.5 (NAO V5, Pepper) or 2.8 (NAO6, Pepper)" % quote(text))
    return native(text)


def read_manifest(content):  # type: (bytes) -> Manifest
    """Read a manifest into a dict with the keys of PackageManager.packages(); raises NotABehaviour if it is invalid."""
    if len(content) > MAX_MANIFEST_BYTES:
        raise NotABehaviour("its manifest.xml is larger than %d kB" % (MAX_MANIFEST_BYTES // 1024))
    top = formats.read_xml(content, MANIFEST_NAME)
    uuid, version = top.attributes.get("uuid", ""), top.attributes.get("version", "0.0.0")
    if top.tag != "package" or not _UUID.match(uuid):
        rule = "1 to 50 of the signs a-z, 0-9, - and _"
        raise NotABehaviour("the uuid %s of its manifest.xml is not %s" % (quote(uuid), rule))
    if not _VERSION.match(version):
        raise NotABehaviour("the version %s of its manifest.xml is not numbers with dots" % quote(version))
    behaviours = [_behaviour(each) for each in _find_elements(top, "contents", "behaviorContent")]
    if len(behaviours) > _MAX_MANIFEST_BEHAVIOURS:
        raise NotABehaviour("its manifest.xml lists more than %d behaviours" % _MAX_MANIFEST_BEHAVIOURS)
    return {
        "uuid": uuid,
        "version": version,
        "author": _child_text(top, "author"),
        "channel": "",
        "organization": "",
        "date": "",
        "typeVersion": "",
        "installer": "",
        "langToName": _texts(top, "names", "name"),
        "langToDesc": _texts(top, "descriptions", "description"),
        "behaviors": behaviours,
        "languages": [],
        "supportedLanguages": [each.text.strip() for each in _find_elements(top, "supportedLanguages", "language")],
        "services": [_service(each) for each in _find_elements(top, "services", "service")],
        "executableFiles": [],
        "naoqiRequirements": _rows(top, "requirements", "naoqiRequirement", ("minVersion", "maxVersion")),
        "robotRequirements": _rows(top, "requirements", "robotRequirement", _ROBOT_VERSIONS),
        "dialogs": _rows(top, "contents", "dialogContent", ("topicName", "typeVersion")),
    }


def shorten_package(package):  # type: (Manifest) -> Manifest
    """Convert a dict of `read_manifest` to the form of packages2(), which has most entries in "elems"."""
    keys = ("uuid", "version", "author", "channel", "organization", "date", "typeVersion", "installer", "path")
    row = {key: package[key] for key in keys}
    row["elems"] = {
        "names": package["langToName"],
        "descriptions": package["langToDesc"],
        "services": package["services"],
        "contents": {"behaviors": package["behaviors"]},
        "supportedLanguages": package["supportedLanguages"],
        "requirements": [package["robotRequirements"], package["naoqiRequirements"]],
    }
    return row


def _unmet_requirement(package, system, robot_type):  # type: (Manifest, str, str) -> str | None
    """Return why a robot of this NAOqi version and type cannot run the package; None if it can."""
    for need in package["naoqiRequirements"]:
        if need["minVersion"] and _numbers(system) < _numbers(need["minVersion"]):
            return "it needs NAOqi %s, and this robot has %s" % (need["minVersion"], system)
        most = _numbers(need["maxVersion"])
        if most and _numbers(system)[: len(most)] > most:
            return "it needs a NAOqi up to %s, and this robot has %s" % (need["maxVersion"], system)
    wanted = [need["model"] for need in package["robotRequirements"] if need["model"]]
    known = _MODELS[robot_type]
    if wanted and not any(need.upper().startswith(known) for need in wanted):
        return "it is made for %s, and this robot is a %s" % (" or ".join(wanted), robot_type)
    return None


def _behaviour(element):  # type: (Element) -> Manifest
    return {
        "path": element.attributes.get("path", "").replace("\\", "/").strip("/"),
        "nature": _child_text(element, "nature"),
        "categories": "",
        "langToName": _texts(element, "names", "name"),
        "langToDesc": _texts(element, "descriptions", "description"),
        "langToTags": _lists(element, "tags", "tag"),
        "langToTriggerSentences": _lists(element, "triggerSentences", "sentence"),
        "langToLoadingResponses": _lists(element, "loadingResponses", "sentence"),
        "purposeToCondition": {},
        "userRequestable": element.first("userRequestable") is not None,
        "permissions": [each.text.strip() for each in _find_elements(element, "permissions", "permission")],
    }


def _service(element):  # type: (Element) -> Manifest
    row = _attributes(element, ("execStart", "name"))  # type: Manifest
    row["autoRun"] = element.attributes.get("autorun", "false").lower() == "true"
    return row


def _find_elements(top, group, tag):  # type: (Element, str, str) -> list[Element]
    return [element for each in top.all(group) for element in each.all(tag)]


def _child_text(top, tag):  # type: (Element, str) -> str
    found = top.first(tag)
    return found.text.strip() if found is not None else ""


def _texts(top, group, tag):  # type: (Element, str, str) -> dict[str, str]
    return {each.attributes.get("lang", ""): each.text.strip() for each in _find_elements(top, group, tag)}


def _lists(top, group, tag):  # type: (Element, str, str) -> dict[str, list[str]]
    found = {}  # type: dict[str, list[str]]
    for each in _find_elements(top, group, tag):
        found.setdefault(each.attributes.get("lang", ""), []).append(each.text.strip())
    return found


def _attributes(element, names):  # type: (Element, tuple[str, ...]) -> dict[str, str]
    return {name: element.attributes.get(name, "") for name in names}


def _rows(top, group, tag, names):  # type: (Element, str, str, tuple[str, ...]) -> list[dict[str, str]]
    return [_attributes(each, names) for each in _find_elements(top, group, tag)]


def _numbers(version):  # type: (str) -> list[int]
    return [int(part) for part in re.findall(r"\d{1,9}", version)]


# The forms of behaviours on disk: a behavior.xar, its folder, a project, an installed package, a `.pkg`.

#: A behaviour of a package: its path in the package, such as "behavior_1", and its file.
Place = namedtuple("Place", "name file")
#: A project or installed package; `lists` has the files that its project file names, `translations` (language, file).
Package = namedtuple("Package", "uuid folder source behaviours translations dialogs topics lists")

BEHAVIOUR_FILE = "behavior.xar"
_MAX_LIST_BYTES = 4 * 1024 * 1024  # bytes of a project file or manifest: a limit on memory
_MAX_FOLDER_ENTRIES = 5000  # entries of a folder that are searched for behaviours
_MAX_PROJECT_BEHAVIOURS = 500  # behaviours of one project: a limit on time
_MAX_FOLDERS_UP = 4  # folders from a behaviour upwards that are searched for its package


def read_package(source, unpack_to=None):  # type: (object, Callable[[], str] | None) -> Package | None
    """Read the package in a `.pml`, a folder, a `.pkg` or a `.crg`; return None for a single behaviour.

    `unpack_to` returns the folder in which a `.pkg` is unpacked. Raises NotABehaviour if the package is damaged.
    """
    if not isinstance(source, TEXTS) or formats.is_content(source):
        return None
    path = native(source)
    if path.lower().endswith(".pkg") and os.path.isfile(path) and unpack_to is not None:
        return _folder(formats.unpack_archive(path, unpack_to()), path)
    if path.lower().endswith(".crg") and os.path.isfile(path) and unpack_to is not None:
        folder = formats.unpack_crg(path, unpack_to())
        uuid = os.path.splitext(os.path.basename(path))[0]
        alone = Package(uuid, folder, path, [Place(".", os.path.join(folder, BEHAVIOUR_FILE))], [], [], [], [])
        return _folder(folder, path) or alone
    if path.lower().endswith(".pml") and os.path.isfile(path):
        return _from_pml(path)
    return _folder(path, path) if os.path.isdir(path) else None


def find_behaviour_file(source, name="", unpack_to=None):  # type: (object, str, Callable[[], str] | None) -> object
    """Return the file of one behaviour in a package; return any other source unchanged.

    `name` chooses one of several by its folder in the package, the last part of that, or its id. Raises NotABehaviour
    unless exactly one fits.
    """
    found = read_package(source, unpack_to)
    if found is None:
        if name and isinstance(source, TEXTS) and not formats.is_content(source):
            raise NotABehaviour("%s is a single behaviour: leave the name %s out" % (native(source), quote(name)))
        return source
    return choose_behaviour(found, name).file


def choose_behaviour(found, name=""):  # type: (Package, str) -> Place
    """Choose a behaviour of a package by name; raises NotABehaviour, with a list of them, unless exactly one fits."""
    places = found.behaviours  # type: list[Place]
    if not places:
        raise NotABehaviour("%s has no behaviour: give a behavior.xar" % found.source)
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
        raise NotABehaviour("%s has no behaviour %s: it has %s" % (found.source, quote(wanted), listed))
    advice = "say which one is meant (--behaviour): %s" % listed
    raise NotABehaviour("%s has %d behaviours: %s" % (found.source, len(places), advice))


def find_package_around(file):  # type: (str) -> Package | None
    """Return the package that lists a behavior.xar, in its folder or up to four above; None if none exists."""
    file = os.path.abspath(file)
    folder = os.path.dirname(file)
    for _ in range(_MAX_FOLDERS_UP):
        if os.path.isfile(os.path.join(folder, MANIFEST_NAME)) or _pml_files(folder):
            try:
                found = _folder(folder, folder)
            except NotABehaviour:
                return None
            files = [os.path.realpath(place.file) for place in found.behaviours] if found is not None else []
            return found if os.path.realpath(file) in files else None
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return None


def list_missing_files(found):  # type: (Package) -> list[str]
    """List the files in a project file that do not exist, relative to the package."""
    return [name for name in found.lists if not os.path.isfile(os.path.join(found.folder, name))]


def list_services(source):  # type: (object) -> list[str]
    """List the services in the manifest of the package in or around a behaviour; [] without a valid manifest."""
    try:
        found = read_package(source) or find_package_around(native(source))
        return [row["name"] for row in read_folder_manifest(found.folder)["services"]] if found is not None else []
    except (NotABehaviour, PackageRefused):
        return []


def _folder(folder, source):  # type: (str, str) -> Package | None
    """Read the package in a folder; return None if the folder only has a behavior.xar."""
    pml = _pml_files(folder)
    if len(pml) > 1:
        raise NotABehaviour("%s has %d project files: give one of %s" % (source, len(pml), ", ".join(pml[:20])))
    if pml:
        return _from_pml(os.path.join(folder, pml[0]))
    if os.path.isfile(os.path.join(folder, MANIFEST_NAME)):
        return _from_manifest(folder, source)
    if os.path.isfile(os.path.join(folder, BEHAVIOUR_FILE)):
        return None
    # Projects of Choregraphe 1 have no project file, only folders.
    places = [Place(name, os.path.join(folder, name, BEHAVIOUR_FILE)) for name in _entries(folder)]
    places = [place for place in places if os.path.isfile(place.file)]
    if not places:
        raise NotABehaviour("%s has no behavior.xar, no project file (.pml) and no manifest.xml" % source)
    uuid = os.path.basename(os.path.abspath(folder)) or "package"
    return Package(native(uuid), folder, source, places, [], [], [], [])


def _from_pml(path):  # type: (str) -> Package
    top = _read_tree(path, "Package")
    folder = os.path.dirname(os.path.abspath(path))
    manifest = [element.attributes["src"] for element in top.all("Manifest") if element.attributes.get("src")]
    places = []
    for element in _find_elements(top, "BehaviorDescriptions", "BehaviorDescription"):
        name = _inside(element.attributes.get("src", ""), path)
        xar = _inside(element.attributes.get("xar") or BEHAVIOUR_FILE, path)
        places.append(Place(name or ".", os.path.join(folder, name, xar)))
    rows = _list_sources(top, "Translations", "Translation", path)
    translations = [(element.attributes.get("language", ""), os.path.join(folder, name)) for element, name in rows]
    groups = (("Dialogs", "Dialog"), ("Topics", "Topic"), ("Resources", "File"))
    dialogs, topics, files = [[name for _, name in _list_sources(top, group, tag, path)] for group, tag in groups]
    manifest_name = manifest[0] if manifest else MANIFEST_NAME
    uuid = _uuid(os.path.join(folder, manifest_name)) or top.attributes.get("name") or "package"
    names = [os.path.relpath(place.file, folder) for place in places] + dialogs + topics + files
    names += [os.path.relpath(file, folder) for _, file in translations]
    return Package(uuid, folder, native(path), _few(places, path), translations, dialogs, topics, manifest + names)


def _from_manifest(folder, source):  # type: (str, str) -> Package
    path = os.path.join(folder, MANIFEST_NAME)
    top = _read_tree(path, "package")
    places = []
    for element in _find_elements(top, "contents", "behaviorContent"):
        name = _inside(element.attributes.get("path", ""), path)
        places.append(Place(name or ".", os.path.join(folder, name, BEHAVIOUR_FILE)))
    listed = [each for content in _find_elements(top, "contents", "dialogContent") for each in content.all("topic")]
    topics = [_inside(each.attributes.get("path", ""), path) for each in listed]
    translated = os.path.join(folder, "translations")
    entries = _entries(translated) if os.path.isdir(translated) else []
    names = [name for name in entries if name.endswith((".qm", ".ts"))]
    codes = [os.path.splitext(name)[0].partition("_")[2] for name in names]
    translations = [(code, os.path.join(translated, name)) for code, name in zip(codes, names)]
    uuid = top.attributes.get("uuid") or os.path.basename(os.path.abspath(folder))
    return Package(uuid, os.path.abspath(folder), native(source), _few(places, path), translations, [], topics, [])


def _uuid(manifest):  # type: (str) -> str
    try:
        return _read_tree(manifest, "package").attributes.get("uuid", "")
    except NotABehaviour:
        return ""


def _read_tree(path, tag):  # type: (str, str) -> Element
    name = os.path.basename(path)
    content = formats.read_bounded(path, _MAX_LIST_BYTES, NotABehaviour, "a file of Choregraphe")
    if not content.strip():
        raise NotABehaviour("%s is empty" % name)
    top = formats.read_xml(content, name)
    if top.tag != tag:
        raise NotABehaviour("%s starts with <%s>, not with <%s>" % (name, top.tag, tag))
    return top


def _list_sources(top, group, tag, path):  # type: (Element, str, str, str) -> list[tuple[Element, str]]
    elements = [element for element in _find_elements(top, group, tag) if element.attributes.get("src")]
    return [(element, _inside(element.attributes["src"], path)) for element in elements]


def _inside(name, path):  # type: (str, str) -> str
    """Normalise a path inside a package; raises NotABehaviour if it leads out of the package."""
    name = os.path.normpath(native(name).replace("\\", "/").strip("/") or ".").replace("\\", "/")
    if name == ".." or name.startswith("../") or os.path.isabs(name) or "\0" in name:
        raise NotABehaviour("%s names %s, which is outside of it" % (os.path.basename(path), quote(name)))
    return "" if name == "." else name


def _few(places, path):  # type: (list[Place], str) -> list[Place]
    """Return the places; raises NotABehaviour if there are too many."""
    if len(places) > _MAX_PROJECT_BEHAVIOURS:
        counts = (os.path.basename(path), len(places), _MAX_PROJECT_BEHAVIOURS)
        raise NotABehaviour("%s lists %d behaviours: at most %d are read" % counts)
    return places


def _entries(folder):  # type: (str) -> list[str]
    try:
        return [native(name) for name in sorted(os.listdir(folder))[:_MAX_FOLDER_ENTRIES]]
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot read %s: %s" % (native(folder), native(error.strerror or error)))


def _pml_files(folder):  # type: (str) -> list[str]
    try:
        names = [native(name) for name in sorted(os.listdir(folder))]
    except (IOError, OSError):
        return []
    # A Mac also writes "._X.pml" files.
    return [name for name in names if name.lower().endswith(".pml") and not name.startswith(".")]


# Installed packages.

_MAX_PACKAGE_FILES = 2000  # files of one package, because others can send packages over the network
_MAX_PACKAGE_BYTES = 200 * 2**20  # bytes of one unpacked package
_MAX_PKG_BYTES = 200 * 2**20  # bytes of a `.pkg` file
_MAX_ICON_BYTES = 2**20  # bytes of an icon
_MAX_PACKAGES = 1000  # packages in the folder
_ICON_NAME = "icon.png"


class PackageRefused(Exception):
    """A package cannot be installed; the message is part of a sentence and has no path of this computer."""


class NewPackage(object):
    """A package that is unpacked next to the installed ones; raises PackageRefused if the file is not valid."""

    def __init__(self, path, home, md5="", needs_modes=False):  # type: (str, str, str, bool) -> None
        """`needs_modes`: whether the manifest must have the mode bits of a regular file, as NAOqi 2.8 wants it."""
        self.manifest = {}  # type: Manifest
        if not os.path.isfile(path):
            raise PackageRefused("there is no file %s" % quote(os.path.basename(path)))
        if os.path.getsize(path) > _MAX_PKG_BYTES:
            raise PackageRefused("the file is larger than %d MB" % (_MAX_PKG_BYTES // 2**20))
        if md5 and _md5(path) != md5.lower():
            raise PackageRefused("the file has a different MD5 sum")
        self._folder = native(tempfile.mkdtemp(prefix=".new-", dir=home))
        try:
            if needs_modes and not formats.has_file_mode(path, MANIFEST_NAME):
                raise PackageRefused("Invalid manifest: the zip archive does not say that it is a regular file")
            self._unpacked = formats.unpack_archive(path, self._folder, _MAX_PACKAGE_FILES, _MAX_PACKAGE_BYTES)
            self.manifest = read_folder_manifest(self._unpacked)
            _check_behaviours(self._unpacked, self.manifest)
        except NotABehaviour as error:
            self.clear()
            raise PackageRefused(native(error).replace(path, os.path.basename(path)).replace(self._folder, "it"))
        except (IOError, OSError) as error:
            self.clear()
            raise PackageRefused("it cannot be unpacked (%s)" % (error.strerror or "no reason is known"))
        except BaseException:
            self.clear()
            raise

    def place(self, folder):  # type: (str) -> None
        """Move the package to its folder; if that fails, restore the old one and raise PackageRefused."""
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
            raise PackageRefused("it cannot be moved to its place (%s)" % (error.strerror or "no reason is known"))

    def clear(self):  # type: () -> None
        """Delete the temporary folder, and the package if `place` was not called."""
        shutil.rmtree(self._folder, ignore_errors=True)


def check_manifest(contents, uuid, system, model):  # type: (Manifest, str, str, str) -> None
    """Raise PackageRefused unless a manifest has this uuid ("" for any) and this robot can run its package."""
    if uuid and contents["uuid"] != uuid:
        raise PackageRefused("it is %s and not %s" % (quote(contents["uuid"]), quote(uuid)))
    unmet = _unmet_requirement(contents, system, model)
    if unmet is not None:
        raise PackageRefused(unmet)


def list_installed_packages(home):  # type: (str) -> list[tuple[str, Manifest]]
    """List the folders and manifests of the valid packages in a folder."""
    packages = []
    for name in sorted(os.listdir(home) if os.path.isdir(home) else [])[:_MAX_PACKAGES]:
        folder = os.path.join(home, name)
        try:
            contents = read_folder_manifest(folder)
        except (PackageRefused, NotABehaviour, IOError, OSError):
            continue
        if contents["uuid"] == name:
            packages.append((native(folder), contents))
    return packages


def name_behaviour(uuid, path):  # type: (str, str) -> str
    """Return the name of a package's behaviour: the package's own for its top folder, as on a robot.

    >>> name_behaviour("quiz", "."), name_behaviour("quiz", "rounds/one")
    ('quiz', 'quiz/rounds/one')
    """
    return uuid if path in ("", ".") else "%s/%s" % (uuid, path)


def package_of_folder(folder, contents):  # type: (str, Manifest) -> Package
    """Return the Package of an installed package, given its folder and manifest."""
    rows = [row["path"] or "." for row in contents["behaviors"]]
    behaviours = [Place(row, os.path.normpath(os.path.join(folder, row, BEHAVIOUR_FILE))) for row in rows]
    return Package(contents["uuid"], folder, contents["uuid"], behaviours, [], [], [], [])


def read_package_icon(folder):  # type: (str) -> bytearray
    """Return the bytes of a package's icon; empty if it lacks one or a too large one."""
    path = os.path.join(folder, _ICON_NAME)
    if not os.path.isfile(path) or os.path.getsize(path) > _MAX_ICON_BYTES:
        return bytearray()
    with io.open(path, "rb") as file:
        return bytearray(file.read())


def delete_package(folder):  # type: (str) -> None
    """Delete an installed package, after renaming it, so that no half-deleted one is seen; raises PackageRefused."""
    try:
        aside = tempfile.mkdtemp(prefix=".old-", dir=os.path.dirname(folder))
        os.rename(folder, os.path.join(aside, "package"))
    except (IOError, OSError) as error:
        raise PackageRefused("it cannot be deleted (%s)" % (error.strerror or "no reason is known"))
    shutil.rmtree(aside, ignore_errors=True)


def read_folder_manifest(folder):  # type: (str) -> Manifest
    """Read the manifest of an installed package; raises PackageRefused or NotABehaviour."""
    path = os.path.join(folder, MANIFEST_NAME)
    if not os.path.isfile(path):
        raise PackageRefused("it has no manifest.xml")
    with io.open(path, "rb") as file:
        return read_manifest(file.read(MAX_MANIFEST_BYTES + 1))


def _check_behaviours(folder, contents):  # type: (str, Manifest) -> None
    """Raise PackageRefused if the manifest lists behaviours that the package does not contain."""
    for row in contents["behaviors"]:
        parts = row["path"].split("/")
        if ".." in parts or os.path.isabs(row["path"]) or "\0" in row["path"]:
            raise PackageRefused("its behaviour %s leads out of the package" % quote(row["path"]))
        if not os.path.isfile(os.path.join(folder, row["path"], BEHAVIOUR_FILE)):
            raise PackageRefused("its behaviour %s has no behavior.xar" % quote(row["path"]))


def _md5(path):  # type: (str) -> str
    summed = hashlib.md5()
    with io.open(path, "rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            summed.update(piece)
    return summed.hexdigest()
