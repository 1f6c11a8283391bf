"""Which panel of time a robot has: one that lives, or one that was recorded."""

from __future__ import annotations

from ..panel import Panel
from ..recorded.recorded_robot import RecordedRobot
from ..shown_robot import ShownRobot
from .panel import TimePanel
from .replay_panel import ReplayPanel


def time_panel(shown: ShownRobot) -> Panel:
    """Make the panel of time for a robot."""
    return ReplayPanel(shown) if isinstance(shown, RecordedRobot) else TimePanel(shown)
