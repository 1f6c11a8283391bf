"""The requests of a page in addition to those of `naosim.json_server`: the figure, diagrams, findings, and recordings.

`python -m naosim_page.page_requests` serves a robot on standard input and output, like `python -m naosim.json_server`.
"""

from collections.abc import Iterator
from typing import Any

from naosim import xar
from naosim.errors import WireError
from naosim.json_server import LiveRequests, main
from naosim.lint import judge
from naosim.packages import list_missing_files
from naosim.recording import Recorder
from naosim.remote import unpack_value
from naosim.robot_requests import ask_parts
from naosim_page.diagram import draw_diagram
from naosim_page.figure import describe_figure, describe_frame, frame_changes

#: Findings and parameters of one answer.
_MAX_ROWS = 200
#: Letters of one value.
_MAX_VALUE_LENGTH = 1000
#: The options of a behaviour that a recording keeps.
_RECORDED = ("rewrite", "parameters", "behaviour", "dialogs")


class PageRequests:
    """The answers to a page's requests about a robot, before the other parts of its LiveRequests.

    `figure` returns what is needed to draw the robot, `frame` what has changed of it since the last `frame`, and
    `drawing` what `diagram` returns, with the diagram as SVG. `findings` returns what the lint finds in the loaded
    behaviour, `parameters` what can be set when it is loaded again. `recording`
    returns the person's acts since the behaviour was loaded, as the lines of `naosim.recording`.
    """

    def __init__(self, live: LiveRequests) -> None:
        self.robot = live.robot
        self._behaviours = live.behaviours
        self._others = list(live.parts)
        self._frame: dict[str, Any] = {}
        self._recorder: Recorder | None = None
        self._stored = self.robot.memory.copy_values()

    def _do_figure(self, _request: dict[str, Any]) -> dict[str, Any]:
        self._frame = {}
        return describe_figure(self.robot.world.robot_type)

    def _do_frame(self, request: dict[str, Any]) -> dict[str, Any]:
        frame = describe_frame(ask_parts(self._others, "look", request))
        changes = frame_changes(frame, self._frame)
        self._frame = frame
        return changes

    def _do_drawing(self, request: dict[str, Any]) -> dict[str, Any]:
        return draw_diagram(ask_parts(self._others, "diagram", request))

    def _do_load(self, request: dict[str, Any]) -> Any:
        stored = self.robot.memory.copy_values()
        told = ask_parts(self._others, "load", request)
        if self._recorder is not None:
            self._recorder.close()
        world = self.robot.world
        options = {name: request[name] for name in _RECORDED if name in request}
        options.update(seed=world.seed, languages=list(world.languages), robot_type=world.robot_type, naoqi=world.naoqi)
        self._recorder = Recorder(self.robot, **options)
        # Values that a page has given to the behaviour before, such as the settings of a game.
        for key, value in sorted(stored.items()):
            if self._stored.get(key) is not value and isinstance(value, str):
                self.robot.person.announce("set", key=key, value=value)
        return told

    def _do_start(self, request: dict[str, Any]) -> Any:
        if self._behaviours.has_started():
            self.robot.person.announce("stop")
        return ask_parts(self._others, "start", request)

    def _do_stop(self, request: dict[str, Any]) -> Any:
        self.robot.person.announce("stop")
        return ask_parts(self._others, "stop", request)

    def _do_call(self, request: dict[str, Any]) -> Any:
        """Call a method of a service; some calls are acts of the person, which are recorded."""
        args = request.get("args")
        if isinstance(args, list):
            self.robot.person.announce_call(request.get("service"), request.get("method"), unpack_value(args))
        return ask_parts(self._others, "call", request)

    def _do_recording(self, _request: dict[str, Any]) -> list[str]:
        if self._recorder is None:
            raise WireError("load a behaviour before you record")
        return self._recorder.lines()

    def _do_findings(self, _request: dict[str, Any]) -> list[list[str]]:
        """Return the lint's findings: severity, box and sentence of each."""
        project = self._behaviours.get_loaded().project
        rows = [[each.severity, str(each.box), each.sentence] for each in judge(project)]
        package = project.package
        for name in list_missing_files(package) if package is not None else ():
            rows.append(["error", name, "This file is listed in the project and is not there."])
        return [[text[:_MAX_VALUE_LENGTH] for text in row] for row in rows[:_MAX_ROWS]]

    def _do_parameters(self, _request: dict[str, Any]) -> list[list[Any]]:
        """Return the parameters of the behaviour's boxes: name with the path of its box, value and type."""
        found = [
            [f"{box.path}.{each.name}", str(each.value)[:_MAX_VALUE_LENGTH], each.type]
            for box in _list_boxes(self._behaviours.get_loaded().project.root)
            for each in box.parameters
            if not each.inherits
        ]
        return found[:_MAX_ROWS]


def _list_boxes(root: xar.Box) -> Iterator[xar.Box]:
    """Yield the boxes of a behaviour, each before those inside it."""
    yield root
    for diagram in xar.diagrams(root):
        for box in diagram.boxes:
            yield from _list_boxes(box)


if __name__ == "__main__":
    main([PageRequests])
