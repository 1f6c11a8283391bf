"""The maker's packages on a robot, by body and version: they are there at every start; their behaviours move nothing.

Sources: funwithagents/nao-bridge, specs/bridge.md (NAO V5, 2.1.4.13); nao-sim, specs/container/container.md (2.8.7.4);
frankugh/nao_control, nao_behaviors.md (a NAO); hcicsebuffalo/nao_dev, temp/animations_pepper.txt (a Pepper of 2.5).
Versions other than those of `animations`, and the packages of a NAO of 2.5, are our guess.
"""

from __future__ import absolute_import, division, print_function

import marshal

from naosim import packages
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Dict, List

    from naosim.packages import Manifest

#: "Name version: behaviours", by body and version. A dot is a behaviour in the top folder, whose name is the package's.
_NAO = """
    animations 5.0.9:
    animationMode: .
    boot-config: .
    daps:
    default_launchpad_plugins:
    dialog_move_arms: animations/StretchBothArms animations/StretchLArm animations/StretchRArm
    dialog_move_arms: animations/UpBothArms animations/UpLArm animations/UpRArm
    dialog_touch: animations/head_touched
    fall-recovery:
"""
_NAO_2_8 = """
    animations 7.0.3:
    animationMode: .
    boot-config: .
    core:
    dialog:
    expressivity:
    life:
    semantic:
"""
_PEPPER = """
    animations:
    animationMode: .
    boot-config: . animations/onNextPage
    j-tablet-browser: .
    sleep-reactions: Animations/End_ShakeHead Animations/Start_ShakeHead RandomHand TouchHand
"""
#: Services of packages on NAOqi 2.8 that nao-sim's pages name; a NAO6 has 45 (labbgulab-lab/robot-hub).
_SERVICES_2_8 = "expressivity.autonomousabilitiesmodules expressivity.basicawareness hp.registerWithoutOkao"
#: The behaviour of a robot's first start. While it runs, Autonomous Life and the motors are refused to programs.
WIZARD = "boot-config"
_FOLDER = "/home/nao/.local/share/PackageManager/apps/"
_MANIFEST = (
    '<package uuid="x" version="%s"><names><name lang="en_US">%s</name></names><contents>%s</contents></package>'
)
_BEHAVIOUR = '<behaviorContent path="%s"/>'


#: The manifests of a table as bytes, from which each robot gets its own.
_MADE = {}  # type: Dict[str, bytes]


def make_manifests(world):  # type: (World) -> Dict[str, Manifest]
    """Return the manifests of the maker's packages on a robot, by uuid."""
    table = _PEPPER if world.robot_type == "Juliette" else _NAO_2_8 if world.naoqi == "2.8" else _NAO
    if table not in _MADE:
        _MADE[table] = marshal.dumps(_read_manifests(table))
    return marshal.loads(_MADE[table])  # type: ignore[no-any-return]


def _read_manifests(table):  # type: (str) -> Dict[str, Manifest]
    behaviours, versions = {}, {}  # type: Dict[str, List[str]], Dict[str, str]
    for row in table.strip().splitlines():
        head, _, paths = row.strip().partition(":")
        uuid, _, version = head.partition(" ")
        behaviours.setdefault(uuid, []).extend(paths.split())
        versions.setdefault(uuid, version or "1.0.0")
    manifests = {}
    for uuid, rows in behaviours.items():
        text = _MANIFEST % (versions[uuid], uuid, "".join(_BEHAVIOUR % each for each in rows))
        # The pattern for the uuids of new packages has no capitals.
        manifests[uuid] = dict(packages.read_manifest(text.encode("ascii")), uuid=uuid, path=_FOLDER + uuid)
    return manifests


def list_services(world):  # type: (World) -> List[str]
    """List the services of the maker's packages on a robot, by their full names."""
    return _SERVICES_2_8.split() if world.naoqi == "2.8" else []


def list_behaviours(manifest):  # type: (Manifest) -> List[str]
    """List the names of a package's behaviours for ALBehaviorManager."""
    return [packages.name_behaviour(manifest["uuid"], row["path"]) for row in manifest["behaviors"]]


def is_in_wizard(world):  # type: (World) -> bool
    """Return whether the behaviour of a robot's first start runs."""
    manager = world.services.get("ALBehaviorManager")
    return manager is not None and WIZARD in manager.call("getRunningBehaviors", ())  # type: ignore[operator]
