"""The panels that every robot's page has, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from .panel import PanelMaker
from .talk.panel import TalkPanel

PANELS: Sequence[PanelMaker] = (TalkPanel,)
