"""Where the boxes of a flow stand in the diagram: Choregraphe's own places, tidied into columns and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..flow.model import INPUT_NATURES, ROOT, Box, End, Flow, FlowLink
from .geometry import Point, Rect, around

MARGIN = 26.0
NARROWEST, ROOM = 106.0, 14.0
NAME_SIZE, LABEL_SIZE, TAG_SIZE = 12.5, 11.0, 10.0
HEAD, TAG_HEIGHT, TAG_GAP = 34.0, 15.0, 4.0
GAP = 56.0
#: Boxes whose places differ by less than this stand in one column or row.
SAME = 60
FAR = 10**6
DOT, DOT_AWAY = 11.0, 40.0
#: Outward direction of each side of a box.
SIDES = {"right": (1, 0), "left": (-1, 0), "top": (0, -1), "bottom": (0, 1)}
TITLE_HEIGHT = 78.0
#: An output name that leads from this many boxes to one target becomes a tag; from nearly all, a line in the legend.
EXIT_BOXES, EXIT_SHARE = 3, 0.75
#: Names of the two dots; no box can have them, as box names hold no line break.
START, END = "\nstart", "\nend"


class Exit(NamedTuple):
    """An output of one name that many boxes have and that always leads to the same box."""

    output: str
    target: str


class Wire(NamedTuple):
    """A curve to be drawn, for all links between the same two boxes."""

    source: str
    target: str
    label: str


@dataclass(frozen=True)
class Placed:
    """A box of the picture; start and end are boxes of their own with no tags."""

    name: str
    rect: Rect
    tags: tuple[tuple[int, Rect], ...] = ()
    entries: tuple[tuple[int, Rect], ...] = ()

    def rects(self) -> list[Rect]:
        """List what a wire has to keep clear of: the box itself and the tags on its edge."""
        return [self.rect, *(rect for _, rect in self.entries)]


@dataclass(frozen=True)
class Layout:
    """Everything with its place; `common` exits stand in the legend only."""

    boxes: dict[str, Placed]
    dots: dict[str, Placed]
    exits: tuple[Exit, ...]
    common: tuple[Exit, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float

    def places(self) -> dict[str, Placed]:
        """Boxes and the two dots by name."""
        return self.boxes | self.dots


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text, a little too large.

    >>> text_width("stop", 10.0)
    22.4
    """
    return round(len(text) * size * 0.56, 1)


class Shape(NamedTuple):
    """The size of a box and the rows of tags in it."""

    width: float
    height: float
    rows: list[list[int]]


def lay_out(flow: Flow) -> Layout:
    """Places for everything in the flow."""
    exits = _exits(flow)
    common = tuple(exit for exit in exits if _users(flow, exit) >= EXIT_SHARE * len(flow.boxes))
    tagged = tuple(exit for exit in exits if exit not in common)
    wires = _wires(flow, exits)
    shapes = {box.name: _shape(box.name, _tags(flow, box, tagged), tagged) for box in flow.boxes}
    widths = {name: shape.width for name, shape in shapes.items()}
    heights = {name: shape.height for name, shape in shapes.items()}
    left = MARGIN + DOT_AWAY + DOT
    columns = _lines({box.name: box.x for box in flow.boxes}, widths, left, _column_gaps(flow, wires))
    rows = _lines({box.name: box.y for box in flow.boxes}, heights, TITLE_HEIGHT, {})
    boxes = {name: _placed(name, Point(columns[name], rows[name]), shape, tagged) for name, shape in shapes.items()}
    dots = _dots(wires, boxes)
    everything = [placed.rect for placed in (*boxes.values(), *dots.values())]
    width = max(rect.right for rect in everything) + MARGIN
    return Layout(boxes, dots, tagged, common, wires, width, max(rect.bottom for rect in everything) + GAP)


def _users(flow: Flow, exit: Exit) -> int:
    return sum(link.emitter.port == exit.output and link.receiver.box == exit.target for link in flow.links)


def _exits(flow: Flow) -> tuple[Exit, ...]:
    found = dict.fromkeys(Exit(link.emitter.port, link.receiver.box) for link in flow.links if link.emitter.box != ROOT)
    return tuple(exit for exit in found if _users(flow, exit) >= EXIT_BOXES)


def _is_exit(link: FlowLink, exits: tuple[Exit, ...]) -> bool:
    return link.emitter.box != ROOT and Exit(link.emitter.port, link.receiver.box) in exits


def _tags(flow: Flow, box: Box, exits: tuple[Exit, ...]) -> list[int]:
    targets = {(link.emitter.port, link.receiver.box) for link in flow.links if link.emitter.box == box.name}
    return [number for number, exit in enumerate(exits) if exit in targets]


def _wires(flow: Flow, exits: tuple[Exit, ...]) -> tuple[Wire, ...]:
    labels: dict[tuple[str, str], list[str]] = {}
    for link in flow.links:
        if not _is_exit(link, exits):
            ends = (_node(link.emitter, START), _node(link.receiver, END))
            labels.setdefault(ends, []).append(_label(flow, link))
    return tuple(Wire(*ends, ", ".join(filter(None, dict.fromkeys(names)))) for ends, names in labels.items())


def _node(end: End, dot: str) -> str:
    return dot if end.box == ROOT else end.box


def _label(flow: Flow, link: FlowLink) -> str:
    emitter = "" if link.emitter.box == ROOT and link.emitter.port == "onStart" else link.emitter.port
    if link.receiver.box == ROOT:
        return "" if emitter == "onStopped" else emitter
    starts = [port.name for port in flow.box(link.receiver.box).inputs if INPUT_NATURES[port.nature] == 2]
    return emitter if link.receiver.port in starts else f"{emitter} \u2192 {link.receiver.port}".strip()


def _shape(name: str, tags: list[int], exits: tuple[Exit, ...]) -> Shape:
    width = max(NARROWEST, text_width(name, NAME_SIZE * 1.06) + ROOM)
    rows: list[list[int]] = []
    used = width
    for tag in tags:
        wide = tag_width(exits[tag].output) + TAG_GAP
        if used + wide > width - 4:
            rows.append([])
            used = TAG_GAP
        rows[-1].append(tag)
        used += wide
    return Shape(width, HEAD + len(rows) * (TAG_HEIGHT + TAG_GAP) + (2 if rows else 0), rows)


def tag_width(text: str) -> float:
    """Return the width of a tag with this text in it."""
    return text_width(text, TAG_SIZE) + 10


Gaps = dict[frozenset[str], float]


def _column_gaps(flow: Flow, wires: tuple[Wire, ...]) -> Gaps:
    """Room between two boxes of one row for the label of a straight wire."""
    rows = {box.name: box.y for box in flow.boxes}
    return {
        frozenset((wire.source, wire.target)): text_width(wire.label, LABEL_SIZE) + ROOM
        for wire in wires
        if abs(rows.get(wire.source, FAR) - rows.get(wire.target, -FAR)) < SAME
    }


def _lines(places: dict[str, int], sizes: dict[str, float], start: float, gaps: Gaps) -> dict[str, float]:
    """Middle of the column (or row) of each name: places that are nearly the same share one."""
    groups: list[list[str]] = []
    for name in sorted(places, key=lambda name: (places[name], name)):
        if groups and places[name] - places[groups[-1][0]] < SAME:
            groups[-1].append(name)
        else:
            groups.append([name])
    middles: dict[str, float] = {}
    for group, after in zip(groups, [*groups[1:], []], strict=True):
        size = max(sizes[name] for name in group)
        middles.update(dict.fromkeys(group, start + size / 2))
        start += size + max([GAP, *(gaps.get(frozenset((one, other)), 0.0) for one in group for other in after)])
    return middles


def _placed(name: str, center: Point, shape: Shape, exits: tuple[Exit, ...]) -> Placed:
    rect = around(center, shape.width, shape.height)
    tags = []
    top = rect.top + HEAD - 3
    for row in shape.rows:
        sizes = [tag_width(exits[tag].output) for tag in row]
        left = center.x - (sum(sizes) + TAG_GAP * (len(row) - 1)) / 2
        for tag, size in zip(row, sizes, strict=True):
            tags.append((tag, Rect(left, top, left + size, top + TAG_HEIGHT)))
            left += size + TAG_GAP
        top += TAG_HEIGHT + TAG_GAP
    return Placed(name, rect, tuple(tags), tuple(_entries(name, rect, exits)))


def _entries(name: str, rect: Rect, exits: tuple[Exit, ...]) -> Iterator[tuple[int, Rect]]:
    """Tags on the upper edge of a box for the exits that lead to it."""
    left, top = rect.left + 8, rect.top - TAG_HEIGHT + 4
    for number, exit in enumerate(exits):
        if exit.target == name:
            right = left + tag_width(entry_text(exit))
            yield number, Rect(left, top, right, top + TAG_HEIGHT)
            left = right + TAG_GAP


def entry_text(exit: Exit) -> str:
    """Return the text on the box an exit leads to."""
    return f"\u2192 {exit.output}"


def _dots(wires: tuple[Wire, ...], boxes: dict[str, Placed]) -> dict[str, Placed]:
    """Start and end, each on a free side of the first box it is wired to."""
    dots: dict[str, Placed] = {}
    started = [wire.target for wire in wires if wire.source == START and wire.target in boxes]
    ended = [wire.source for wire in wires if wire.target == END and wire.source in boxes]
    for name, neighbours, sides in ((START, started, "left top bottom right"), (END, ended, "right bottom left top")):
        if neighbours:
            taken = [placed.rect for placed in (*boxes.values(), *dots.values())]
            rects = [_beside(boxes[neighbours[0]].rect, SIDES[side]) for side in sides.split()]
            free = [rect for rect in rects if not any(rect.grown(6).meets(other) for other in taken)]
            dots[name] = Placed(name, (free or rects)[0])
    return dots


def _beside(box: Rect, side: tuple[int, int]) -> Rect:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    center = Point(x + side[0] * (box.right - x + DOT_AWAY), y + side[1] * (box.bottom - y + DOT_AWAY))
    return around(center, 2 * DOT, 2 * DOT)
