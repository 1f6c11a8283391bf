"""The transcript of a trace for people: one line for each event that matters to them."""
from __future__ import absolute_import, division, print_function

from naosim.compat import native, quoted

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.trace import Event


LONGEST_VALUE = 60


def line_of(event):
    # type: (Event) -> str | None
    """Describe an event on one line; return None for an event that a transcript leaves out.

    >>> from naosim.world.trace import Event
    >>> line_of(Event(1.5, "say", {"text": "Hello", "service": "ALTextToSpeech"}))
    '    1.5 s  says      Hello'
    """
    kind = native(event.kind)
    wording = _WORDINGS.get(kind)
    if wording is None:
        return None
    verb, text = wording(event.fields)
    return "%7.1f s  %-9s %s" % (event.time, verb, text) if verb else None


def _say(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return "says", fields.get("plain") or fields["text"]


def _hear(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    if fields["engine"] is None:
        return "is deaf", "to %s, no engine listens" % quoted(fields["phrase"])
    return "hears", "%s (%.2f)" % (quoted(fields["phrase"]), fields["confidence"])


def _animate(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return "moves", fields.get("path") or "while speaking (%s)" % fields.get("mode")


def _motion(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    if "actuator" in fields:
        return "moves", "%s along %d keys in %.1f s" % (
            fields["actuator"], len(fields["values"]), fields["times"][-1] if fields["times"] else 0)
    return "moves", "%s (%.1f s)" % (fields.get("method"), fields.get("duration", 0))


def _touch(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return ("is touched", fields["sensor"]) if fields["pressed"] else ("", "")


def _event(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    value = repr(fields["value"])
    return "senses" if fields["noticed"] else "misses", "%s %s" % (
        fields["key"], value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + "...")


def _call(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    if fields["method"] == "setVocabulary" and fields["args"]:
        return "expects", ", ".join(fields["args"][0][:12]) + (" ..." if len(fields["args"][0]) > 12 else "")
    return "", ""


def _light(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return "lights", "%s %s" % (fields.get("group"), fields.get("colour"))


def _life(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return "lives", fields["state"] + (", with %s" % fields["activity"] if fields["activity"] else "")


def _error(fields):
    # type: (dict[str, Any]) -> tuple[str, str]
    return "copes" if fields.get("handled") else "ERROR", "%s: %s" % (fields["where"], fields["message"])


#: For each kind of event: the function that words it as a verb and a text, an empty verb to leave it out.
_WORDINGS = {  # type: dict[str, Callable[[dict[str, Any]], tuple[str, str]]]
    "say": _say,
    "hear": _hear,
    "animate": _animate,
    "motion": _motion,
    "touch": _touch,
    "event": _event,
    "call": _call,
    "eyes": _light,
    "leds": _light,
    "error": _error,
    "warning": lambda fields: ("warns", "%s: %s" % (fields["where"], fields["message"])),
    "life": _life,
    "service": lambda fields: ("serves", "%s: %s" % (fields["name"], fields["text"])),
    "tablet": lambda fields: ("shows", "%s %s" % (fields["method"], fields["shown"])),
    "posture": lambda fields: ("moves", "into %s" % fields["posture"]),
    "sound": lambda fields: ("plays", fields["path"] or fields["method"]),
    "log": lambda fields: ("logs", "%s: %s" % (fields["level"], fields["text"])),
    "print": lambda fields: ("prints", fields["text"]),
    "lint": lambda fields: ("lint", "%s: %s" % (fields["box"], fields["text"])),
    "start": lambda fields: ("starts", fields["behaviour"]),
    "leak": lambda fields: ("leaves", "%s: %s" % (fields["behaviour"], fields["text"])),
    "package": lambda fields: ("installs" if fields["installed"] else "removes", "%s %s" % (
        fields["uuid"], fields["version"])),
    "end": lambda fields: ("ends", fields["behaviour"]),
}
