"""NAO in three dimensions: the solids of its body in nested groups, one a joint, in a NiceGUI scene."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.elements.scene.scene_object3d import Object3D

from naosim.kinematics import JOINT_LINKS
from naosim.robot_requests import JOINTS

from .lamps import lamps
from .solids import Solid, solids

#: Pixels before the page's style gives the scene its size, and pictures a second.
_WIDTH, _HEIGHT, _PICTURES = 480, 400, 20
#: Where one looks from and to, in metres, seen from the robot's place on the floor.
_CAMERA, _LOOKS_AT = (1.2, 0.32, 0.5), (0.0, 0.0, 0.29)
#: Metres of floor, and its squares.
_FLOOR = (6, 24)
#: Where the fingers turn, seen from the wrist, and how far they are turned when the hand is closed and opens.
_KNUCKLES, _CLOSED, _OPENING = (0.048, 0.0, 0.002), 1.3, -1.3
#: Segments of balls and tubes, and of lamps.
ROUND, _ROUND_LAMP = 24, 10
#: A tube of the scene stands along y.
_UPRIGHT = Object3D.rotation_matrix_from_euler(1.5707963267948966, 0.0, 0.0)


class FigureScene:
    """The drawn robot; `binding` says a browser which object of the scene is which joint, lamp and touch zone."""

    def __init__(self) -> None:
        self.scene = (
            ui.scene(
                _WIDTH,
                _HEIGHT,
                grid=_FLOOR,
                fps=_PICTURES,
                background_color="#ffffff",
                camera=ui.scene.perspective_camera(fov=34, near=0.05, far=20),
            )
            .classes("figure-scene")
            .props('role="img" aria-label="NAO, drawn in three dimensions"')
        )
        self._joints: dict[str, dict[str, Any]] = {}
        self._zones: dict[str, str] = {}
        #: By joint: the group in which its solids are.
        self._groups: dict[str, Object3D] = {}
        with self.scene:
            self._build_joints()
            for solid in solids():
                self._build_solid(solid)
            lit = [self._build_lamp(lamp.joint, lamp.place, lamp.size) for lamp in lamps()]
        x, y, z = _LOOKS_AT
        self.scene.move_camera(*_CAMERA, look_at_x=x, look_at_y=y, look_at_z=z, duration=0.0)
        self.binding: dict[str, Any] = {
            "scene": self.scene.id,
            "torso": self._groups["Pelvis"].id,
            "breath": self._groups["Torso"].id,
            "nod": self._groups["HeadPitch"].id,
            "joints": [self._joints[joint] for joint in JOINTS],
            "lamps": [
                {"id": drawn.id, "lights": lamp.lights, "isEye": lamp.name.startswith("Face")}
                for drawn, lamp in zip(lit, lamps(), strict=True)
            ],
            "zones": self._zones,
        }

    def _build_joints(self) -> None:
        """Nest the groups: the torso, what breathes of it, the joints, and what nods of the head."""
        with self.scene.group() as torso:
            self._groups["Pelvis"] = torso
            with self.scene.group() as breathing:
                self._groups["Torso"] = breathing
        for joint, (parent, place, axis) in JOINT_LINKS.items():
            above = self._groups["Pelvis" if joint.endswith("HipYawPitch") else parent]
            self._build_joint(joint, above, place, {"axis": axis, "base": 0.0, "gain": 1.0})
        for side in "LR":
            closing = {"axis": (0.0, 1.0, 0.0), "base": _CLOSED, "gain": _OPENING}
            self._build_joint(f"{side}Hand", self._groups[f"{side}WristYaw"], _KNUCKLES, closing)
        with self._groups["HeadPitch"]:
            self._groups["HeadPitch"] = self.scene.group()

    def _build_joint(self, joint: str, above: Object3D, place: tuple[float, ...], turning: dict[str, Any]) -> None:
        with above:
            group = self.scene.group().move(*place)
        self._groups[joint] = group
        self._joints[joint] = {"id": group.id, **turning}

    def _build_solid(self, solid: Solid) -> None:
        with self._groups[solid.joint]:
            turn = Object3D.rotation_matrix_from_euler(*solid.turn)
            width, depth, length = solid.size
            if solid.shape == "ball":
                drawn: Object3D = self.scene.sphere(1.0, ROUND, ROUND // 2).scale(width, depth, length).rotate_R(turn)
            else:
                drawn = self.scene.cylinder(solid.taper, 1.0, 1.0, ROUND).scale(width, length, depth)
                drawn.rotate_R(_product(turn, _UPRIGHT))
        drawn.move(*solid.place).material(solid.colour)
        if solid.zone:
            self._zones[drawn.id] = solid.zone

    def _build_lamp(self, joint: str, place: tuple[float, float, float], size: float) -> Object3D:
        with self._groups[joint]:
            drawn: Object3D = self.scene.sphere(size, _ROUND_LAMP, _ROUND_LAMP // 2).move(*place)
        return drawn.material("#20262f")


def _product(one: list[list[float]], two: list[list[float]]) -> list[list[float]]:
    return [[sum(one[row][at] * two[at][column] for at in range(3)) for column in range(3)] for row in range(3)]
