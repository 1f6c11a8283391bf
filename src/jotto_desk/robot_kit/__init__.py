"""The robot kit: `choregraphe_project/` and the picture of the diagram from `robot_boxes/`, and edits back.

Knows `.xar`, `.pml`, `.dlg` and `.top` files as text; knows nothing of running a behaviour.
"""

from .build import LIBRARY, PICTURE, build, differences, generated, strangers
from .choregraphe_reader import Drawing, read_drawing
from .diagram import picture_text
from .errors import FlowRefused, KitError, PackageRefused, PullRefused, StageRefused
from .flow import Flow
from .flow_text import flow_text, read_flow
from .package import FOLDER, Package, package
from .pull import pulled, write_changes
from .pull_report import pull_report
from .python27 import find_python27
from .sources import PROJECT, Sources, read_sources
from .stage import Staged, is_stale, refresh, stage, stage_to
from .xar_text import xar_text

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
