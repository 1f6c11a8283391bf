"""A project prepared once for running on any number of robots: compiled scripts, and links as tables."""

from __future__ import absolute_import, division, print_function

from naosim.formats import xar
from naosim.scripting.compiler import compiled

MYPY = False
if MYPY:
    from typing import Any

#: The kinds of ports that a link leads to.
TO_INPUT, TO_PARAMETER, TO_OUTPUT = range(3)


class CompiledDiagram(object):
    """One diagram: its compiled boxes, and for each emitting port the receivers in document order."""

    __slots__ = ("boxes", "keyframe", "layer", "routes")

    def __init__(self, layer, keyframe, owner, rewrite):  # type: (int, xar.Keyframe, xar.Box, bool) -> None
        self.layer = layer
        self.keyframe = keyframe
        self.boxes = [CompiledBox(box, rewrite) for box in keyframe.diagram.boxes]
        self.routes = {}  # type: dict[tuple[int, int], list[tuple[int, int, Any]]]
        by_id = {plan.box.id: plan for plan in reversed(self.boxes)}
        for link in keyframe.diagram.links:
            route = self._route(link, owner, by_id)
            if route is not None:
                self.routes.setdefault((link.emitter, link.output), []).append(route)

    def _route(self, link, owner, by_id):
        # type: (xar.Link, xar.Box, dict[int, CompiledBox]) -> tuple[int, int, Any] | None
        """Resolve a link to its kind, box id and port; return None for a dead link, which the lint reports."""
        if link.receiver == 0:
            output = _by_id(owner.outputs, link.input)
            return None if output is None else (TO_OUTPUT, 0, output)
        plan = by_id.get(link.receiver)
        if plan is None:
            return None
        port = _by_id(plan.box.inputs, link.input)
        if port is not None:
            return (TO_INPUT, link.receiver, port)
        parameter = _by_id(plan.box.parameters, link.input)
        return None if parameter is None else (TO_PARAMETER, link.receiver, parameter)


class CompiledBox(object):
    """One box: its description in the file, its compiled script, and the tables that the player looks up."""

    __slots__ = ("box", "code", "diagrams", "memory", "on_load", "outputs", "parameters", "stopped")

    def __init__(self, box, rewrite):  # type: (xar.Box, bool) -> None
        self.box = box
        self.code = compiled(box.script, box.path, rewrite) if box.script else None
        self.outputs = {output.name: output for output in box.outputs}
        self.parameters = {parameter.name: parameter for parameter in box.parameters}
        self.memory = [port for port in box.inputs if port.nature == xar.ON_MEMORY]
        self.on_load = next((port for port in box.inputs if port.nature == xar.ON_LOAD), None)
        self.stopped = next((port for port in box.outputs if port.nature == xar.STOPPED), None)
        layers = box.timeline.layers if box.timeline is not None else ()
        self.diagrams = [
            CompiledDiagram(number, keyframe, box, rewrite)
            for number, layer in enumerate(layers)
            for keyframe in layer.keyframes
        ]


def compiled_root(project, rewrite=False):  # type: (xar.Project, bool) -> CompiledBox
    """Return the compiled root box, made at the first call; raises ScriptRefused for a script that does not compile."""
    if rewrite not in project.compiled:
        project.compiled[rewrite] = CompiledBox(project.root, rewrite)
    return project.compiled[rewrite]  # type: ignore[no-any-return]


def last_frame(model):  # type: (xar.Timeline) -> int
    """Return the last frame of a timeline: as declared, else the last motion key, else the length."""
    if model.end >= model.start:
        return int(model.end)
    motion = [frame for curve in model.curves if not curve.mute for frame, _ in curve.keys]
    if motion:
        return int(max(motion))
    keyframes = [keyframe.index for layer in model.layers for keyframe in layer.keyframes]
    return int(max([model.start, model.size] + keyframes))


def _by_id(ports, number):  # type: (Any, int) -> Any
    return next((port for port in ports if port.id == number), None)
