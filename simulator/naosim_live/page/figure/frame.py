"""What is to be seen of a robot at one moment, as a browser is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from naosim.robot_requests import JOINTS

from .pose import torso_pose

#: Digits of an angle, in radians.
_DIGITS = 5


class Frame(NamedTuple):
    """One look at the robot: angles in the order of JOINTS, the torso's place and turn, lights in that of LIGHTS."""

    angles: list[float]
    torso: list[float]
    lights: str
    touched: list[str]
    posture: str
    is_awake: bool
    is_speaking: bool
    is_blinking: bool
    breath: list[float]

    @classmethod
    def of(cls, seen: Mapping[str, Any]) -> Frame:
        """Make the frame of what the robot's process has seen."""
        angles = dict(zip(JOINTS, seen["angles"], strict=True))
        return cls(
            [round(angle, _DIGITS) for angle in seen["angles"]],
            torso_pose(angles, seen["posture"], seen["place"]),
            str(seen["lights"]),
            list(seen["touched"]),
            str(seen["posture"]),
            bool(seen["is_awake"]),
            bool(seen["is_speaking"]),
            bool(seen["is_blinking"]),
            list(seen["breath"]),
        )

    def changes(self, before: Frame | None) -> dict[str, Any]:
        """Return what is different from an earlier frame, everything when there is none."""
        now = self._asdict()
        return {name: value for name, value in now.items() if before is None or value != getattr(before, name)}
