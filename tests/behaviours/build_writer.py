"""Text of `.xar` files as Choregraphe writes it, in the style of 2012 ("old") or of 2.8 ("new"); for any boxes."""

from __future__ import absolute_import, division, print_function

HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n'
SPACES = {
    "old": "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd",
    "new": "http://www.ald.softbankrobotics.com/schema/choregraphe/project.xsd",
}
DYNAMIC, BANG, NUMBER, STRING = range(4)
ON_LOAD, ON_EVENT, ON_START, ON_STOP, ON_MEMORY = range(5)
STOPPED, PUNCTUAL = 1, 2
BOOL, INT, DOUBLE, TEXT, FILE, LOCALIZED = range(6)


class Port(object):
    """An input or output."""

    def __init__(self, name, type=BANG, nature=ON_EVENT, key=None, size=1):
        self.name, self.type, self.nature, self.key, self.size = name, type, nature, key, size
        self.id = 0


class Parameter(object):
    """A parameter with its limits or choices."""

    def __init__(self, name, type, value, low=None, high=None, choices=(), inherits=False):
        self.name, self.type, self.value, self.choices, self.inherits = name, type, value, choices, inherits
        self.low, self.high = low, high
        self.id = 0


class Keyframe(object):
    """The boxes that run from one frame on."""

    def __init__(self, name, index, boxes, links):
        self.name, self.index, self.boxes, self.links = name, index, boxes, links


class Curve(object):
    """The motion of one joint: (frame, value) pairs."""

    def __init__(self, actuator, keys, unit=0, mute=False):
        self.actuator, self.keys, self.unit, self.mute = actuator, keys, unit, mute


class Box(object):
    """One box; `boxes` and `links` make it a diagram, `layers` and `curves` a timeline."""

    def __init__(
        self,
        name,
        script="",
        inputs=(),
        outputs=(),
        parameters=(),
        boxes=(),
        links=(),
        layers=(),
        curves=(),
        fps=25,
        end=-1,
        plugin=None,
        dialog=None,
        resources=(),
        tooltip="",
    ):
        self.name, self.script, self.tooltip = name, script, tooltip
        self.inputs = [Port("onLoad", BANG, ON_LOAD)] + list(inputs)
        self.outputs, self.parameters = list(outputs), list(parameters)
        self.boxes, self.links = list(boxes), list(links)
        self.layers, self.curves, self.fps, self.end = list(layers), list(curves), fps, end
        self.plugin, self.dialog, self.resources = plugin, dialog, resources
        for number, port in enumerate(self.inputs + self.outputs + self.parameters, 1):
            port.id = number

    def port(self, name):
        """Return the port of a name; KeyError when the box has none."""
        for port in self.inputs + self.outputs + self.parameters:
            if port.name == name:
                return port
        raise KeyError("box %r has no port %r" % (self.name, name))


def root(boxes=(), links=(), layers=(), **timeline):
    """Make the root box around a diagram or a timeline."""
    inputs, outputs = (
        [Port("onStart", BANG, ON_START), Port("onStop", BANG, ON_STOP)],
        [Port("onStopped", BANG, STOPPED)],
    )
    return Box("root", "", inputs, outputs, boxes=boxes, links=links, layers=layers, **timeline)


def project(box, style):
    """Make the text of a whole project file."""
    lines = ['<ChoregrapheProject xmlns="%s" xar_version="3">' % SPACES[style]]
    lines += _box(box, -1, (0, 0), 1, style)
    return _indented(lines + ["</ChoregrapheProject>"], style)


def library(box):
    """Make the text of a box library's file: one box, no namespace."""
    return _indented(
        ['<ChoregrapheBox xar_version="3">'] + _box(box, 1, (0, 0), 1, "old") + ["</ChoregrapheBox>"], "old"
    )


class _Raw(str):
    """Text that must not be indented: the inside of a script."""


def _indented(lines, style):
    step = "    " if style == "old" else "  "
    return HEAD + "".join(line + "\n" if isinstance(line, _Raw) else line.replace("\t", step) + "\n" for line in lines)


def _element(depth, tag, pairs, close=True):
    text = "".join(' %s="%s"' % (key, _escaped(value)) for key, value in pairs if value is not None)
    return "\t" * depth + "<" + tag + text + (" />" if close else ">")


def _escaped(value):
    text = {True: "1", False: "0"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\n", "&#x0A;")):
        text = text.replace(letter, name)
    return text


def _box(box, number, place, depth, style):
    pairs = [("name", box.name), ("id", number), ("localization", 8), ("tooltip", box.tooltip)]
    if box.plugin is not None or style == "old":
        pairs.append(("plugin", box.plugin or ""))
    pairs += [("x", place[0]), ("y", place[1])]
    if style == "old":
        pairs += [("robot", ""), ("bitmap_expanded", 1)]
    lines = [_element(depth, "Box", pairs, False)]
    if box.dialog is not None:
        lines.append("\t" * (depth + 1) + "<dialogFile>%s</dialogFile>" % _escaped(box.dialog))
    lines += _script(box.script, depth + 1)
    lines += [_port(port, "Input", depth + 1) for port in box.inputs]
    lines += [_port(port, "Output", depth + 1) for port in box.outputs]
    for parameter in box.parameters:
        lines += _parameter(parameter, depth + 1)
    lines += _timeline(box, depth + 1, style)
    lines += [
        _element(depth + 1, "Resource", [("name", name), ("type", "Lock"), ("timeout", 0)]) for name in box.resources
    ]
    return lines + ["\t" * depth + "</Box>"]


def _script(script, depth):
    tabs = "\t" * depth
    lines = [tabs + '<script language="4">', tabs + "\t<content>"]
    lines.append(_Raw("<![CDATA[%s]]>" % script.strip()))
    return lines + [tabs + "\t</content>", tabs + "</script>"]


def _port(port, tag, depth):
    inner = tag == "Input" and port.nature in (ON_LOAD, ON_MEMORY)
    return _element(
        depth,
        tag,
        [
            ("name", port.name),
            ("type", port.type),
            ("type_size", port.size),
            ("nature", port.nature),
            ("stm_value_name", port.key),
            ("inner", inner),
            ("tooltip", ""),
            ("id", port.id),
        ],
    )


def _parameter(parameter, depth):
    pairs = [
        ("name", parameter.name),
        ("inherits_from_parent", parameter.inherits),
        ("content_type", parameter.type),
        ("value", parameter.value),
        ("default_value", parameter.value),
    ]
    if parameter.type in (INT, DOUBLE):
        pairs += [("min", parameter.low), ("max", parameter.high)]
    if parameter.type == TEXT:
        pairs.append(("custom_choice", bool(parameter.choices)))
    pairs += [("tooltip", ""), ("id", parameter.id)]
    if not parameter.choices:
        return [_element(depth, "Parameter", pairs)]
    choices = [_element(depth + 1, "Choice", [("value", choice)]) for choice in parameter.choices]
    return [_element(depth, "Parameter", pairs, False)] + choices + ["\t" * depth + "</Parameter>"]


def _timeline(box, depth, style):
    if not (box.boxes or box.layers or box.curves or box.name == "root"):
        return []
    runs = bool(box.layers or box.curves)
    pairs = [("enable", runs)]
    if runs or style == "old":
        pairs += [("fps", box.fps), ("start_frame", 1), ("end_frame", box.end), ("size", max(box.end, 25))]
    layers = box.layers or ([] if runs else [("behavior_layer1", [Keyframe("keyframe1", 1, box.boxes, box.links)])])
    lines = [_element(depth, "Timeline", pairs, False)]
    for name, frames in layers:
        lines.append(
            _element(depth + 1, "BehaviorLayer", [("name", name)] + ([("mute", 0)] if style == "old" else []), False)
        )
        for frame in frames:
            lines += _keyframe(frame, box, depth + 2, style)
        lines.append("\t" * (depth + 1) + "</BehaviorLayer>")
    return lines + _curves(box.curves, depth + 1) + ["\t" * depth + "</Timeline>"]


def _keyframe(frame, owner, depth, style):
    lines = [
        _element(depth, "BehaviorKeyframe", [("name", frame.name), ("index", frame.index)], False),
        _element(depth + 1, "Diagram", [] if style == "new" else [("scale", 100)], False),
    ]
    for number, box in enumerate(frame.boxes, 1):
        place = (80 + 180 * ((number - 1) % 6), 40 + 120 * ((number - 1) // 6))
        lines += _box(box, number, place, depth + 2, style)
    lines += [_link(source, target, owner, frame.boxes, depth + 2) for source, target in frame.links]
    return lines + ["\t" * (depth + 1) + "</Diagram>", "\t" * depth + "</BehaviorKeyframe>"]


def _link(source, target, owner, boxes, depth):
    emitter, output = _end(source, owner, boxes)
    receiver, port = _end(target, owner, boxes)
    return _element(
        depth,
        "Link",
        [("inputowner", receiver), ("indexofinput", port), ("outputowner", emitter), ("indexofoutput", output)],
    )


def _end(name, owner, boxes):
    """Resolve a link's end: "port" of the owner, or "box/port"; a box may also be given by its number from 1."""
    box, _, port = name.rpartition("/") if not name.startswith("/") else ("", "", name[1:])
    if not box:
        return 0, owner.port(port).id
    for number, each in enumerate(boxes, 1):
        if box in (each.name, "#%d" % number):
            return number, each.port(port).id
    raise KeyError("no box %r for the link end %r" % (box, name))


def _curves(curves, depth):
    if not curves:
        return []
    lines = [_element(depth, "ActuatorList", [("model", "")], False)]
    for curve in curves:
        lines.append(
            _element(
                depth + 1,
                "ActuatorCurve",
                [
                    ("name", "value"),
                    ("actuator", curve.actuator),
                    ("recordable", 0),
                    ("mute", curve.mute),
                    ("unit", curve.unit),
                ],
                False,
            )
        )
        lines += [_element(depth + 2, "Key", [("frame", frame), ("value", value)]) for frame, value in curve.keys]
        lines.append("\t" * (depth + 1) + "</ActuatorCurve>")
    return lines + ["\t" * depth + "</ActuatorList>"]
