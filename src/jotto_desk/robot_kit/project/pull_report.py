"""Saying in sentences what a pull changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import fields

from ..flow.json_text import read_flow
from ..flow.model import Box, Flow
from .sources import BOXES, FLOW, Sources

PLACED = ("x", "y")


def pull_report(sources: Sources, changes: Mapping[str, str | None]) -> list[str]:
    """One sentence per change in the flow and a diff per changed script."""
    lines: list[str] = []
    for place, text in changes.items():
        name = place.removeprefix(f"{BOXES}/")
        before = sources.preamble if name == sources.flow.preamble else sources.scripts.get(name)
        if place == FLOW and text is not None:
            lines += _flow_changes(sources.flow, read_flow(text))
        elif text is None:
            lines.append(f"{place} goes, as no box uses it any more")
        elif before is None:
            lines.append(f"{place} is new")
        else:
            old, new = before.splitlines(), text.splitlines()
            lines += difflib.unified_diff(old, new, place, f"{place} as pulled", n=1, lineterm="")
    return lines


def _flow_changes(before: Flow, after: Flow) -> Iterator[str]:
    old = {box.name: box for box in before.boxes}
    new = {box.name: box for box in after.boxes}
    yield from (f'box "{name}" is new' for name in new if name not in old)
    yield from (f'box "{name}" goes' for name in old if name not in new)
    for name, box in old.items():
        if name in new:
            yield from _box_changes(box, new[name])
    yield from (f"link {link} is new" for link in after.links if link not in before.links)
    yield from (f"link {link} goes" for link in before.links if link not in after.links)


def _box_changes(old: Box, new: Box) -> Iterator[str]:
    if (old.x, old.y) != (new.x, new.y):
        yield f'box "{old.name}" moves from {old.x}, {old.y} to {new.x}, {new.y}'
    for field in fields(Box):
        if field.name not in PLACED and getattr(old, field.name) != getattr(new, field.name):
            yield f'box "{old.name}" has other {field.name}'
