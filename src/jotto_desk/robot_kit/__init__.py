"""The robot kit builds `choregraphe_project/` and the picture of its diagram from `robot_boxes/`.

It takes edits made in Choregraphe back into `robot_boxes/`, and makes the robot's package. It treats `.xar`, `.pml`,
`.dlg` and `.top` files as text and runs no behaviour.
"""

from jotto_desk.robot_kit import diagram, flow, packaging, project, pull, sources

__all__ = ["diagram", "flow", "packaging", "project", "pull", "sources"]
