"""The robot kit: `choregraphe_project/` and the picture of the diagram from `robot_boxes/`, and edits back.

Knows `.xar`, `.pml`, `.dlg` and `.top` files as text; knows nothing of running a behaviour.
"""

from .diagram.svg import picture_text
from .errors import FlowRefused, KitError, PackageRefused, PullRefused, StageRefused
from .flow.json_text import flow_text, read_flow
from .flow.model import Flow
from .packaging.package import FOLDER, Package, package
from .project.build import LIBRARY, PICTURE, build, differences, generated, strangers
from .project.choregraphe_reader import Drawing, read_drawing
from .project.pull import pulled, write_changes
from .project.pull_report import pull_report
from .project.sources import PROJECT, Sources, read_sources
from .project.stage import Staged, is_stale, refresh, stage, stage_to
from .project.xar_writer import xar_text
from .python27 import find_python27

__all__ = [
    "FOLDER",
    "LIBRARY",
    "PICTURE",
    "PROJECT",
    "Drawing",
    "Flow",
    "FlowRefused",
    "KitError",
    "Package",
    "PackageRefused",
    "PullRefused",
    "Sources",
    "StageRefused",
    "Staged",
    "build",
    "differences",
    "find_python27",
    "flow_text",
    "generated",
    "is_stale",
    "package",
    "picture_text",
    "pull_report",
    "pulled",
    "read_drawing",
    "read_flow",
    "read_sources",
    "refresh",
    "stage",
    "stage_to",
    "strangers",
    "write_changes",
    "xar_text",
]
