"""Small behaviours for tests: boxes are dicts, links are pairs of "box.port" names."""

from __future__ import absolute_import, division, print_function

import io
import textwrap

PROJECT = "http://www.ald.softbankrobotics.com/schema/choregraphe/project.xsd"
NATURES = {"onLoad": 0, "event": 1, "onStart": 2, "onStop": 3, "memory": 4, "stopped": 1, "punctual": 2}
TYPES = {"dynamic": 0, "bang": 1, "number": 2, "string": 3}


def port(name, kind="bang", nature="event", key=""):
    """Make a port of a box; `key` is the ALMemory key of a memory input."""
    return {"name": name, "type": kind, "nature": nature, "key": key}


def box(name, script="", inputs=None, outputs=None, parameters=(), boxes=None, links=(), **more):
    """Make a box; its default ports are onStart, onStop and onStopped. `more`: timeline, layers, resources, dialog."""
    if inputs is None:
        inputs = [port("onStart", nature="onStart"), port("onStop", nature="onStop")]
    if outputs is None:
        outputs = [port("onStopped", nature="stopped")]
    made = dict(name=name, script=script, inputs=inputs, outputs=outputs, boxes=boxes, **more)
    return dict(made, parameters=list(parameters), links=list(links))


def parameter(name, kind, value, inherits=False):
    """Make a parameter; kind is the content_type number."""
    return {"name": name, "type": kind, "value": str(value), "inherits": inherits}


def behaviour(boxes, links=None, **more):
    """Make the text of a whole `.xar` file as bytes; without links its boxes run one after the other."""
    links = chain(*[each["name"] for each in boxes]) if links is None else links
    root = box("root", boxes=boxes, links=links, **more)
    lines = ['<?xml version="1.0" encoding="UTF-8" ?>', '<ChoregrapheProject xmlns="%s" xar_version="3">' % PROJECT]
    lines += _box(root, -1) + ["</ChoregrapheProject>", ""]
    return "\n".join(lines).encode("utf-8") if str is not bytes else "\n".join(lines)


def chain(*names):
    """Make the links of boxes that run one after the other, from the diagram's start to its end."""
    ends = ["root.onStart"] + [name + port for name in names for port in (".onStart", ".onStopped")]
    return list(zip(ends[::2], ends[1::2] + ["root.onStopped"]))


def one_box(text, name="One", **more):
    return behaviour([box(name, text, **more)])


def on_start(code, arguments="self"):
    """Make a script of a box that runs this code when it is started."""
    lines = ["        " + line for line in textwrap.dedent(code).strip("\n").split("\n")]
    return script("\n".join(["    def onInput_onStart(%s):" % arguments] + lines))


def sequence(*boxes, **more):
    return behaviour(list(boxes), chain(*[each["name"] for each in boxes]), **more)


def only(body, before=""):
    """Make a behaviour whose one box, Only, runs the lines of `body` when it starts, and stops then."""
    lines = "".join("        %s\n" % line for line in (body.strip("\n") + "\nself.onStopped()").split("\n"))
    return sequence(box("Only", before + script("    def onInput_onStart(self):\n" + lines)))


def script(body):
    """Make a script with a MyClass around the indented body."""
    return "class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)\n%s" % (
        body.rstrip() + "\n"
    )


def save(folder, content):
    """Write content as behavior_1/behavior.xar under a py.path folder and return the path."""
    path = folder.ensure("behavior_1", dir=True).join("behavior.xar")
    with io.open(str(path), "wb") as out:
        out.write(content)
    return str(path)


def _quote(text):
    for old, new in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\n", "&#x0A;")):
        text = text.replace(old, new)
    return text


def _box(made, number):
    at = (_quote(made["name"]), number, made.get("x", 0), made.get("y", 0))
    lines = ['<Box name="%s" id="%d" localization="8" tooltip="" x="%d" y="%d">' % at]
    if made.get("dialog"):
        lines.append("<dialogFile>%s</dialogFile>" % _quote(made["dialog"]))
    lines += ['<script language="4"><content><![CDATA[%s]]></content></script>' % made["script"]]
    inputs = [port("onLoad", nature="onLoad")] + made["inputs"]
    rows = [("Input", each) for each in inputs] + [("Output", each) for each in made["outputs"]]
    for index, (tag, each) in enumerate(rows, 1):
        key = ' stm_value_name="%s"' % _quote(each["key"]) if tag == "Input" else ""
        inner = int(each["nature"] in ("onLoad", "memory"))
        lines.append(
            '<%s name="%s" type="%d" type_size="1" nature="%d"%s inner="%d" tooltip="" id="%d" />'
            % (tag, _quote(each["name"]), TYPES[each["type"]], NATURES[each["nature"]], key, inner, index)
        )
    for index, each in enumerate(made["parameters"], len(rows) + 1):
        lines.append(
            '<Parameter name="%s" inherits_from_parent="%d" content_type="%d" value="%s" default_value="" '
            'tooltip="" id="%d" />'
            % (_quote(each["name"]), int(each["inherits"]), each["type"], _quote(each["value"]), index)
        )
    lines += _content(made)
    for name, kind, timeout in made.get("resources", ()):
        lines.append('<Resource name="%s" type="%s" timeout="%d" />' % (name, kind, timeout))
    return lines + ["</Box>"]


def _content(made):
    if made.get("layers") is not None or made.get("curves"):
        attributes = dict({"fps": 25, "start_frame": 1, "end_frame": -1, "size": 100}, **made.get("timeline", {}))
        pairs = " ".join('%s="%s"' % pair for pair in sorted(attributes.items()))
        lines = ['<Timeline enable="1" %s>' % pairs]
        for layer in made.get("layers") or ():
            lines.append('<BehaviorLayer name="layer">')
            for index, boxes, links in layer:
                lines += _keyframe(made, index, boxes, links)
            lines.append("</BehaviorLayer>")
        if made.get("curves"):
            lines.append('<ActuatorList model="">')
            for name, keys in made["curves"]:
                lines.append('<ActuatorCurve name="%s" actuator="%s" mute="0" unit="0">' % (name, name))
                lines += ['<Key frame="%d" value="%s" />' % key for key in keys] + ["</ActuatorCurve>"]
            lines.append("</ActuatorList>")
        return lines + ["</Timeline>"]
    if made["boxes"] is None:
        return []
    return (
        ['<Timeline enable="0"><BehaviorLayer name="behavior_layer1">']
        + _keyframe(made, 1, made["boxes"], made["links"])
        + ["</BehaviorLayer></Timeline>"]
    )


def _keyframe(owner, index, boxes, links):
    lines = ['<BehaviorKeyframe name="keyframe%d" index="%d"><Diagram scale="100">' % (index, index)]
    for number, each in enumerate(boxes, 1):
        lines += _box(each, number)
    for start, end in links:
        emitter, output = _end(owner, boxes, start, "Input")
        receiver, target = _end(owner, boxes, end, "Output")
        lines.append(
            '<Link inputowner="%d" indexofinput="%d" outputowner="%d" indexofoutput="%d" />'
            % (receiver, target, emitter, output)
        )
    return lines + ["</Diagram></BehaviorKeyframe>"]


def _end(owner, boxes, text, owners_side):
    """Return the box number and port id of "box.port"; "self.port" is the owner of the diagram."""
    name, _, wanted = text.rpartition(".")
    inside = name in ("self", "root")
    number, made = (0, owner) if inside else next((n, b) for n, b in enumerate(boxes, 1) if b["name"] == name)
    inputs = [port("onLoad", nature="onLoad")] + made["inputs"]
    ports = [("Input", each["name"]) for each in inputs] + [("Output", each["name"]) for each in made["outputs"]]
    ports += [("Parameter", each["name"]) for each in made["parameters"]]
    side = owners_side if inside else {"Input": "Output", "Output": "Input"}[owners_side]
    for index, (tag, each) in enumerate(ports, 1):
        if each == wanted and (tag == side or (tag == "Parameter" and not inside)):
            return number, index
    raise KeyError(text)
