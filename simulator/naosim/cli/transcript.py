"""The transcript of a trace for people: one line for what matters to them, and one for all joints of a timeline."""

from __future__ import absolute_import, division, print_function

from naosim.compat import native, quoted

MYPY = False
if MYPY:
    from typing import Any, Callable

    from naosim.world.trace import Event


LONGEST_VALUE = 60
#: What the motion has that is left out where not all is shown: a joint of a timeline, and a setting that moves nothing.
_BRIEFLY_OUT = {"actuator", "enabled"}


class Transcript(object):
    """The lines for events that come one after the other; a verbose one has a line for every joint and movement.

    >>> from naosim.world.trace import Event
    >>> transcript = Transcript()
    >>> for time in range(3):
    ...     for line in transcript.lines(Event(time, "motion", {"method": "setAngles", "duration": 0.0})):
    ...         print(line.strip())
    0.0 s  moves     setAngles (0.0 s)
    >>> for line in transcript.rest():
    ...     print(line.strip())
    2.0 s  moves     setAngles, 2 times more
    """

    def __init__(self, verbose=False):  # type: (bool) -> None
        self._verbose = verbose
        self._gesture = None  # type: tuple[str, float | None] | None
        self._repeats, self._last = 0, (0.0, "")

    def lines(self, event):  # type: (Event) -> list[str]
        """Return the lines to show now: none for what is left out or counted, two where a count ends."""
        line = line_of(event, self._verbose)
        if line is None:
            return []
        gesture = None if self._verbose else _gesture(event)
        if gesture is not None and gesture == self._gesture:
            self._repeats, self._last = self._repeats + 1, (event.time, line)
            return []
        shown = self.rest()
        self._gesture = gesture
        return shown + [line]

    def rest(self):  # type: () -> list[str]
        """Return the line for the movements that are counted and not shown yet, if there are any."""
        repeats, self._repeats = self._repeats, 0
        gesture, self._gesture = self._gesture, None
        if repeats < 2 or gesture is None:
            return [self._last[1]] * repeats
        return [_line(self._last[0], "moves", "%s, %d times more" % (gesture[0], repeats))]


def line_of(event, verbose=True):  # type: (Event, bool) -> str | None
    """Describe an event on one line; return None for an event that a transcript leaves out.

    >>> from naosim.world.trace import Event
    >>> line_of(Event(1.5, "say", {"text": "Hello", "service": "ALTextToSpeech"}))
    '    1.5 s  says      Hello'
    """
    kind = native(event.kind)
    wording = _WORDINGS.get(kind)
    if wording is None or (kind == "timeline" if verbose else kind == "motion" and _BRIEFLY_OUT & set(event.fields)):
        return None
    verb, text = wording(event.fields)
    return _line(event.time, verb, text) if verb else None


def _line(time, verb, text):  # type: (float, str, str) -> str
    return "%7.1f s  %-9s %s" % (time, verb, text)


def _gesture(event):  # type: (Event) -> tuple[str, float | None] | None
    """Return what the movements of one gesture have in common; where the robot walks or points, at one moment only."""
    fields = event.fields
    if event.kind != "motion" or "method" not in fields:
        return None
    return str(fields["method"]), event.time if {"way", "place"} & set(fields) else None


def _say(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return "says", fields.get("plain") or fields["text"]


def _hear(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    if fields["engine"] is None:
        return "is deaf", "to %s, no engine listens" % quoted(fields["phrase"])
    return "hears", "%s (%.2f)" % (quoted(fields["phrase"]), fields["confidence"])


def _animate(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return "moves", fields.get("path") or "while speaking (%s)" % fields.get("mode")


def _motion(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    if "actuator" in fields:
        return "moves", "%s along %d keys in %.1f s" % (
            fields["actuator"],
            len(fields["values"]),
            fields["times"][-1] if fields["times"] else 0,
        )
    return "moves", "%s (%.1f s)" % (fields.get("method"), fields.get("duration", 0))


def _timeline(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    if fields["state"] != "moves":
        return "", ""
    count = fields["joints"]
    return "moves", "%s: %d %s in %.1f s" % (
        fields["box"],
        count,
        "joint" if count == 1 else "joints",
        fields["duration"],
    )


def _touch(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return ("is touched", fields["sensor"]) if fields["pressed"] else ("", "")


def _event(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    value = repr(fields["value"])
    return "senses" if fields["noticed"] else "misses", "%s %s" % (
        fields["key"],
        value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + "...",
    )


def _call(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    if fields["method"] == "setVocabulary" and fields["args"]:
        return "expects", ", ".join(fields["args"][0][:12]) + (" ..." if len(fields["args"][0]) > 12 else "")
    return "", ""


def _light(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return "lights", "%s %s" % (fields.get("group"), fields.get("colour"))


def _life(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return "lives", fields["state"] + (", with %s" % fields["activity"] if fields["activity"] else "")


def _error(fields):  # type: (dict[str, Any]) -> tuple[str, str]
    return "copes" if fields.get("handled") else "ERROR", "%s: %s" % (fields["where"], fields["message"])


#: For each kind of event: the function that words it as a verb and a text, an empty verb to leave it out.
_WORDINGS = {  # type: dict[str, Callable[[dict[str, Any]], tuple[str, str]]]
    "say": _say,
    "hear": _hear,
    "animate": _animate,
    "motion": _motion,
    "timeline": _timeline,
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
    "record": lambda fields: ("records", "%s (%s)" % (fields["path"], fields["what"])),
    "log": lambda fields: ("logs", "%s: %s" % (fields["level"], fields["text"])),
    "print": lambda fields: ("prints", fields["text"]),
    "lint": lambda fields: ("lint", "%s: %s" % (fields["box"], fields["text"])),
    "start": lambda fields: ("starts", fields["behaviour"]),
    "leak": lambda fields: ("leaves", "%s: %s" % (fields["behaviour"], fields["text"])),
    "package": lambda fields: (
        "installs" if fields["installed"] else "removes",
        "%s %s" % (fields["uuid"], fields["version"]),
    ),
    "end": lambda fields: ("ends", fields["behaviour"]),
}
