"""A stage for boxes of Choregraphe's library: a behaviour is played, and everything there is to notice is listed."""

from __future__ import absolute_import, division, print_function

import naosim_xar_writer as w

from naosim.cli import transcript_line


def loaded(robot, boxes, links=None):
    """Load and start a behaviour; without links its one box is linked to the root and ends it by its first output."""
    if links is None:
        box = boxes[0]
        links = [
            ("root.onStart", box["name"] + ".onStart"),
            ("%s.%s" % (box["name"], box["outputs"][0]["name"]), "root.onStopped"),
        ]
    behaviour = robot.load(w.behaviour(boxes, links))
    robot.start()
    return behaviour


def played(robot, boxes, acts=(), links=None):
    """Play boxes with what a person or the world does, and return the behaviour and what there is to notice, in order.

    What a box fires is "-> output value", with the name of the box before it where there are several.
    """
    behaviour = loaded(robot, boxes, links)
    robot.advance(60.0)
    for verb, args in acts:
        getattr(robot.memory if verb == "raiseEvent" else robot, verb)(*args)
        robot.advance(60.0)
    paths = {"root/" + box["name"]: "%s " % box["name"] if len(boxes) > 1 else "" for box in boxes}
    return behaviour, [line for event in robot.trace.events for line in _lines(event, paths)]


def _lines(event, paths):
    """Return what there is to notice of an event."""
    if event.kind == "output" and event.fields["box"] in paths:
        value = event.fields["value"]
        return [
            "%s-> %s%s" % (paths[event.fields["box"]], event.fields["port"], "" if value is None else " %s" % (value,))
        ]
    line = transcript_line(event) if event.kind not in ("end", "lint", "log") else None
    return [" ".join(line.split()[2:])] if line else []
