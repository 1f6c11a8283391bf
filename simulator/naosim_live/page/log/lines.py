"""The lines of the log: an event in words, and which of them a filter lets through."""

from __future__ import annotations

from naosim.cli import transcript_line
from naosim.world import Event, event_as_line

#: Letters of a line.
_LONGEST_LINE = 300
#: What people look for, by the kinds of events it is made of; everything else is "inside".
GROUPS = {
    "talk": ("say", "said", "hear"),
    "moves": ("motion", "animate", "posture", "timeline"),
    "lights": ("eyes", "leds"),
    "senses": ("touch", "event"),
    "errors": ("error", "warning", "leak", "lint"),
    "output": ("log", "print", "service", "tablet", "sound", "record"),
    "boxes": ("load", "unload", "input", "output"),
}
INSIDE = "inside"
_GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}


def group_of(event: Event) -> str:
    """Return the group that an event belongs to.

    >>> group_of(Event(0.0, "say", {})), group_of(Event(0.0, "end", {}))
    ('talk', 'inside')
    """
    return _GROUP_OF.get(event.kind, INSIDE)


def text_of(event: Event) -> str:
    """Describe an event on one line: as a transcript does, or by its fields.

    >>> text_of(Event(0.0, "load", {"box": "root"}))
    'load root'
    """
    line = transcript_line(event)
    if event.kind == "said":
        text = "has said " + str(event.fields["plain"]) + ("" if event.fields["whole"] else " (interrupted)")
    elif line is not None:
        text = line.split(" s  ", 1)[-1]
    else:
        values = (str(value) for value in event.fields.values() if value is not None)
        text = " ".join([event.kind, *values])
    return " ".join(text.split())[:_LONGEST_LINE]


def passes(event: Event, text: str, groups: set[str], sought: str) -> bool:
    """Tell whether a filter lets an event through: one of the groups (none: all), with the letters that are sought."""
    return (not groups or group_of(event) in groups) and (not sought or sought.lower() in text.lower())


def saved(events: list[Event]) -> str:
    """Write events as a file: one JSON object per line."""
    return "".join(event_as_line(event) + "\n" for event in events)
