"""The boxes of Choregraphe's library from stock_boxes.txt, each as a behaviour of one box."""

from __future__ import absolute_import, division, print_function

import os
import re

import naosim_xar_writer as w

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stock_boxes.txt")) as _file:
    #: The box and the stories of each section.
    SECTIONS = [re.split("(?m)^---", section) for section in re.split("(?m)^=== ", _file.read())[1:]]
#: Every story with the text of its box.
STORIES = [section[0] + "---" + story for section in SECTIONS for story in section[1:]]
#: Stories that need no file of a test and no other time than usual, by a name for a file.
PLAIN_STORIES = {
    "stock_%d" % number: text
    for number, text in enumerate(STORIES)
    if not any(word in text for word in ("{tmp}", "tmpdir", "silence"))
}


def find_fields(text, key):
    return re.findall("(?m)^%s: (.+)$" % key, text)


def make_behaviour(text, names):
    """Return the behaviour of a story's box, which starts with the diagram; `names` are for its parameters."""
    box = _make_box(text, names)
    links = [("root.onStart", box["name"] + ".onStart")] * any(port["name"] == "onStart" for port in box["inputs"])
    if [port["nature"] for port in box["outputs"][:1]] == ["stopped"]:
        links.append(("%s.%s" % (box["name"], box["outputs"][0]["name"]), "root.onStopped"))
    return w.behaviour([box], links)


def _list_ports(text, key, default):
    """Make ports from words such as "name", "name:type", and "name!" for an output that ends the box."""
    natures = {"onStart": "onStart", "onStop": "onStop"} if key == "in" else {}
    for word in (find_fields(text, key) or [default])[0].split():
        name, _, kind = word.rstrip("!").partition(":")
        ending = "stopped" if word.endswith("!") else "event" if key == "in" else "punctual"
        yield w.port(name, kind or "bang", natures.get(name, ending))


def _make_box(text, names):
    name = text.split("\n")[0]
    inputs = list(_list_ports(text, "in", "onStart onStop"))
    outputs = list(_list_ports(text, "out", "onStopped!"))
    keys = "".join(find_fields(text, "memory")).split()
    if keys:
        inputs += [w.port("from" + key, "dynamic", "memory", key) for key in keys]
        outputs += [w.port(key, "dynamic", "punctual") for key in keys]
        return w.box(name, "", inputs, outputs, (), [], [("self.from" + key, "self." + key) for key in keys])
    values = dict(line.split(" = ") for line in find_fields(text, "parameter"))
    found = [(key, eval(value, names)) for key, value in values.items()]
    kinds = {bool: 0, int: 1, float: 2, str: 3}
    parameters = [w.parameter(key, kinds[type(v)], v if type(v) is str else v + 0) for key, v in found]
    script = "\n".join(line for line in text.split("\n") if line.startswith("    "))
    return w.box(name, w.script(script), inputs, outputs, parameters)
