"""The panels that every robot's page has, in their order."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from .diagram.panel import DiagramPanel
from .figure.panel import FigurePanel
from .log.panel import LogPanel
from .memory.panel import MemoryPanel
from .panel import PanelMaker
from .sensors.panel import SensorsPanel
from .speech.microphones import Microphones
from .speech.panel import SpeechPanel
from .talk.panel import TalkPanel
from .time.panels import time_panel


def panels(microphones: Microphones) -> Sequence[PanelMaker]:
    """List the panels of a robot; without a recogniser, speech is none of them."""
    speech = () if microphones.missing else (functools.partial(SpeechPanel, microphones=microphones),)
    return (FigurePanel, *speech, TalkPanel, time_panel, DiagramPanel, MemoryPanel, SensorsPanel, LogPanel)
