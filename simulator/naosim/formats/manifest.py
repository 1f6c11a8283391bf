"""The manifest.xml of a package, as the robot's PackageManager reports it. Knows nothing of the files beside it."""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native, quoted
from naosim.errors import NotABehaviour, WrongUse
from naosim.formats import xml_tree

MYPY = False
if MYPY:
    from typing import Any

    from naosim.formats.xml_tree import Element

NAME = "manifest.xml"
UUID = re.compile(r"[_\-a-z0-9]{1,50}\Z")
VERSION = re.compile(r"\d{1,9}(\.\d{1,9}){0,5}\Z")
LARGEST, MOST_BEHAVIOURS = 1024 * 1024, 500

#: The names of robot models in a manifest, by the name that ALRobotModel gives.
MODELS = {"Nao": ("NAO",), "Juliette": ("JULIETTE", "PEPPER"), "Romeo": ("ROMEO",)}


def model(name):  # type: (str) -> str
    """Return the name that ALRobotModel gives a kind of robot, "Juliette" for Pepper; raises WrongUse."""
    found = {"Pepper": "Juliette"}.get(name, name)
    if found not in MODELS:
        raise WrongUse("there is no robot %s: use Nao, Pepper or Romeo" % quoted(name))
    return native(found)


def read(content):  # type: (bytes) -> dict[str, Any]
    """Read a manifest into a dict with the keys of PackageManager.packages(); raises NotABehaviour."""
    if len(content) > LARGEST:
        raise NotABehaviour("its manifest.xml is larger than %d kB" % (LARGEST // 1024))
    top = xml_tree.read(content, NAME)
    uuid, version = top.attributes.get("uuid", ""), top.attributes.get("version", "0.0.0")
    if top.tag != "package" or not UUID.match(uuid):
        raise NotABehaviour(
            "the uuid %s of its manifest.xml is not 1 to 50 of the signs a-z, 0-9, - and _" % (quoted(uuid))
        )
    if not VERSION.match(version):
        raise NotABehaviour("the version %s of its manifest.xml is not numbers with dots" % quoted(version))
    behaviours = [_behaviour(each) for each in _within(top, "contents", "behaviorContent")]
    if len(behaviours) > MOST_BEHAVIOURS:
        raise NotABehaviour("its manifest.xml lists more than %d behaviours" % MOST_BEHAVIOURS)
    return {
        "uuid": uuid,
        "version": version,
        "author": _text(top, "author"),
        "channel": "",
        "organization": "",
        "date": "",
        "typeVersion": "",
        "installer": "",
        "langToName": _texts(top, "names", "name"),
        "langToDesc": _texts(top, "descriptions", "description"),
        "behaviors": behaviours,
        "languages": [],
        "supportedLanguages": [each.text.strip() for each in _within(top, "supportedLanguages", "language")],
        "services": [_service(each) for each in _within(top, "services", "service")],
        "executableFiles": [],
        "naoqiRequirements": [
            _attributes(each, ("minVersion", "maxVersion")) for each in _within(top, "requirements", "naoqiRequirement")
        ],
        "robotRequirements": [
            _attributes(each, ("model", "minHeadVersion", "maxHeadVersion", "minBodyVersion", "maxBodyVersion"))
            for each in _within(top, "requirements", "robotRequirement")
        ],
        "dialogs": [
            {"topicName": each.attributes.get("topicName", ""), "typeVersion": each.attributes.get("typeVersion", "")}
            for each in _within(top, "contents", "dialogContent")
        ],
    }


def short(package):  # type: (dict[str, Any]) -> dict[str, Any]
    """Convert such a dict to the shape of packages2(): all but the first few entries go under "elems"."""
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


def unmet(package, system, robot_type):  # type: (dict[str, Any], str, str) -> str | None
    """Say why a robot of this NAOqi version and type cannot take the package; return None when it can."""
    for need in package["naoqiRequirements"]:
        if need["minVersion"] and _numbers(system) < _numbers(need["minVersion"]):
            return "it needs NAOqi %s, and this robot has %s" % (need["minVersion"], system)
        if need["maxVersion"] and _numbers(system)[: _dots(need["maxVersion"])] > _numbers(need["maxVersion"]):
            return "it needs a NAOqi up to %s, and this robot has %s" % (need["maxVersion"], system)
    wanted = [need["model"] for need in package["robotRequirements"] if need["model"]]
    known = MODELS[robot_type]
    if wanted and not any(need.upper().startswith(known) for need in wanted):
        return "it is made for %s, and this robot is a %s" % (" or ".join(wanted), robot_type)
    return None


def _behaviour(element):  # type: (Element) -> dict[str, Any]
    nature = element.first("nature")
    return {
        "path": element.attributes.get("path", "").replace("\\", "/").strip("/"),
        "nature": nature.text.strip() if nature is not None else "",
        "categories": "",
        "langToName": _texts(element, "names", "name"),
        "langToDesc": _texts(element, "descriptions", "description"),
        "langToTags": _lists(element, "tags", "tag"),
        "langToTriggerSentences": _lists(element, "triggerSentences", "sentence"),
        "langToLoadingResponses": _lists(element, "loadingResponses", "sentence"),
        "purposeToCondition": {},
        "userRequestable": element.first("userRequestable") is not None,
        "permissions": [each.text.strip() for each in _within(element, "permissions", "permission")],
    }


def _service(element):  # type: (Element) -> dict[str, Any]
    row = _attributes(element, ("execStart", "name"))  # type: dict[str, Any]
    row["autoRun"] = element.attributes.get("autorun", "false").lower() == "true"
    return row


def _within(top, group, tag):  # type: (Element, str, str) -> list[Element]
    return [element for each in top.all(group) for element in each.all(tag)]


def _text(top, tag):  # type: (Element, str) -> str
    found = top.first(tag)
    return found.text.strip() if found is not None else ""


def _texts(top, group, tag):  # type: (Element, str, str) -> dict[str, str]
    return {each.attributes.get("lang", ""): each.text.strip() for each in _within(top, group, tag)}


def _lists(top, group, tag):  # type: (Element, str, str) -> dict[str, list[str]]
    found = {}  # type: dict[str, list[str]]
    for each in _within(top, group, tag):
        found.setdefault(each.attributes.get("lang", ""), []).append(each.text.strip())
    return found


def _attributes(element, names):  # type: (Element, tuple[str, ...]) -> dict[str, str]
    return {name: element.attributes.get(name, "") for name in names}


def _numbers(version):  # type: (str) -> list[int]
    return [int(part) for part in re.findall(r"\d{1,9}", version)]


def _dots(version):  # type: (str) -> int
    return len(_numbers(version))
