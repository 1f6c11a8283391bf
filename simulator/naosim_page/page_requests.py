"""The requests of a page besides those of `naosim.live_server`: the figure, what of it has moved, and diagrams."""

from __future__ import annotations

from typing import Any

from naosim.live_server import LiveRequests
from naosim_page.diagram import draw_diagram
from naosim_page.figure import describe_figure, describe_frame, frame_changes


class PageRequests(LiveRequests):
    """The answers to one page's requests about a robot.

    `figure` returns what is needed to draw the robot, `frame` what has changed of it since the last `frame`, and
    `drawing` what `diagram` returns, with the diagram as SVG.
    """

    _frame: dict[str, Any] = {}

    def _do_figure(self, _request: dict[str, Any]) -> dict[str, Any]:
        self._frame = {}
        return describe_figure()

    def _do_frame(self, request: dict[str, Any]) -> dict[str, Any]:
        frame = describe_frame(self._do_look(request))
        changes = frame_changes(frame, self._frame)
        self._frame = frame
        return changes

    def _do_drawing(self, request: dict[str, Any]) -> dict[str, Any]:
        return draw_diagram(self._do_diagram(request))
