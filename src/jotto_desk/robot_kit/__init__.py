"""The robot kit builds `choregraphe_project/` and the picture of its diagram from `robot_boxes/`.

It takes edits made in Choregraphe back into `robot_boxes/`, and makes the robot's package. It treats `.xar`, `.pml`,
`.dlg` and `.top` files as text and runs no behaviour.
"""

from jotto_desk.robot_kit.diagram import diagram_text
from jotto_desk.robot_kit.packaging import FOLDER, Package, package
from jotto_desk.robot_kit.project import (
    DIAGRAM,
    build,
    differences,
    generated,
    is_stale,
    refresh,
    stage,
    stage_to,
    strangers,
    unstage,
)
from jotto_desk.robot_kit.pull import SavedDiagram, pull_report, pulled, read_saved_diagram, write_changes
from jotto_desk.robot_kit.sources import LIBRARY, PROJECT, find_python27, read_sources

__all__ = [
    "DIAGRAM",
    "FOLDER",
    "LIBRARY",
    "PROJECT",
    "Package",
    "SavedDiagram",
    "build",
    "diagram_text",
    "differences",
    "find_python27",
    "flow",
    "generated",
    "is_stale",
    "package",
    "packaging",
    "pull_report",
    "pulled",
    "read_saved_diagram",
    "read_sources",
    "refresh",
    "sources",
    "stage",
    "stage_to",
    "strangers",
    "unstage",
    "write_changes",
]
