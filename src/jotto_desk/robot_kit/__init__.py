"""The robot kit: `choregraphe_project/` and the picture of the diagram from `robot_boxes/`, and edits back.

Knows `.xar`, `.pml`, `.dlg` and `.top` files as text; knows nothing of running a behaviour.
"""

from .diagram.svg import diagram_text
from .errors import FlowRefused, KitError, PackageRefused, PullRefused, StageRefused
from .flow.json_text import flow_text, read_flow
from .flow.model import Flow
from .packaging.package import FOLDER, Package, package
from .project.build import DIAGRAM, build, differences, generated, strangers
from .project.choregraphe_reader import SavedDiagram, read_saved_diagram
from .project.pull import pulled, write_changes
from .project.pull_report import pull_report
from .project.sources import LIBRARY, PROJECT, Sources, read_sources
from .project.stage import Staged, is_stale, refresh, stage, stage_to, unstage
from .project.xar_writer import xar_text
from .python27 import find_python27

__all__ = [
    "DIAGRAM",
    "FOLDER",
    "LIBRARY",
    "PROJECT",
    "Flow",
    "FlowRefused",
    "KitError",
    "Package",
    "PackageRefused",
    "PullRefused",
    "SavedDiagram",
    "Sources",
    "StageRefused",
    "Staged",
    "build",
    "diagram_text",
    "differences",
    "find_python27",
    "flow_text",
    "generated",
    "is_stale",
    "package",
    "pull_report",
    "pulled",
    "read_flow",
    "read_saved_diagram",
    "read_sources",
    "refresh",
    "stage",
    "stage_to",
    "strangers",
    "unstage",
    "write_changes",
    "xar_text",
]
