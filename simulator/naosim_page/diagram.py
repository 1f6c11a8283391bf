"""Diagrams of boxes as SVG: the parts that the page and pictures share, and a robot's diagram with its timeline.

Names are people's texts and are escaped.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from naosim_page import layout

# The SVG: boxes, wires with the names of outputs, exits as tags. The classes have their colours from a style sheet.

#: The number of colours of tags.
TAG_COLOURS = 5


def draw_wire(found: layout.Route) -> Iterator[str]:
    """Yield the lines of a curve with its tip; `data-ends` has the numbers of its links, the title all labels."""
    start, first, second, end = found.curve.controls
    ends = f' data-ends="{escape(found.wire.ends)}"' if found.wire.ends else ""
    path = f'<path class="diagram-link"{ends} d="M{_p(start)}C{_p(first)} {_p(second)} {_p(end)}"'
    labels = ", ".join(found.wire.labels)
    yield f"{path}><title>{escape(labels)}</title></path>" if labels else f"{path}/>"
    yield f'<path class="diagram-tip" d="{_tip(found.curve)}"/>'


def draw_label(wire: layout.Wire, rect: layout.Rect) -> Iterator[str]:
    """Yield the lines of a wire's labels, below each other."""
    for number, line in enumerate(wire.lines):
        middle = layout.Point(rect.middle.x, rect.top + layout.LABEL_HEIGHT * (number + 0.5))
        yield draw_text(line, middle, layout.LABEL_SIZE, "diagram-label")


def draw_body(placed: layout.Placed, sign: float = 0.0) -> Iterator[str]:
    """Yield the lines of a box: its frame, and its name in the middle of its head, right of a sign of this width."""
    middle = layout.Point(placed.rect.middle.x + sign / 2, placed.rect.top + layout.HEAD / 2)
    yield draw_rect(placed.rect, "diagram-body", 9)
    yield draw_text(placed.name, middle, layout.NAME_SIZE, "diagram-name")


def draw_tag(number: int, text: str, rect: layout.Rect) -> Iterator[str]:
    """Yield the lines of an exit's tag."""
    yield draw_rect(rect, f"diagram-tag tag{number % TAG_COLOURS}", 7)
    yield draw_text(text, rect.middle, layout.TAG_SIZE, f"diagram-word word{number % TAG_COLOURS}")


def draw_dot(key: str, placed: layout.Placed) -> Iterator[str]:
    """Yield the lines of one of the two dots."""
    x, y = placed.rect.middle
    radius = num((placed.rect.right - placed.rect.left) / 2)
    yield f'<circle class="diagram-dot" cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'
    if key == layout.START:
        yield f'<path class="diagram-mark" d="M{num(x - 3)} {num(y - 5)}l9 5-9 5Z"/>'
    else:
        yield f'<rect class="diagram-mark" x="{num(x - 4)}" y="{num(y - 4)}" width="8" height="8"/>'


def draw_entries(diagram: layout.Layout) -> Iterator[str]:
    """Yield the lines of the tags on the upper edges of boxes."""
    for placed in diagram.boxes.values():
        for number, rect in placed.entries:
            yield from draw_tag(number, layout.entry_text(diagram.exits[number]), rect)


def describe_common(diagram: layout.Layout) -> list[str]:
    """Return a sentence for each exit that is not drawn."""
    names = {key: placed.name for key, placed in diagram.boxes.items()} | {layout.END: "the end"}
    return [
        f"\u201c{exit.output}\u201d, on nearly every box and not drawn, leads to {names[exit.target]}."
        for exit in diagram.common
    ]


def draw_rect(rect: layout.Rect, kind: str, radius: int) -> str:
    """Return a rectangle."""
    size = f'width="{num(rect.right - rect.left)}" height="{num(rect.bottom - rect.top)}"'
    return f'<rect class="{kind}" x="{num(rect.left)}" y="{num(rect.top)}" {size} rx="{radius}"/>'


def draw_text(text: str, middle: layout.Point, size: float, kind: str) -> str:
    """Return a line of text, whose size the style sheet knows, too."""
    # A line of text looks centred if its base line is a third of the font size below the middle.
    return f'<text class="{kind}" x="{num(middle.x)}" y="{num(middle.y + size * 0.34)}">{escape(text)}</text>'


def _tip(curve: layout.Curve) -> str:
    end, before = curve.controls[3], curve.controls[2]
    length = max(abs(end.x - before.x) + abs(end.y - before.y), 0.1)
    # A wire meets its box at a right angle, so x or y is 0.
    x, y = (end.x - before.x) / length, (end.y - before.y) / length
    back = layout.Point(end.x - 8 * x, end.y - 8 * y)
    sides = (layout.Point(back.x - 4 * y, back.y + 4 * x), layout.Point(back.x + 4 * y, back.y - 4 * x))
    return f"M{_p(end)}L{_p(sides[0])}L{_p(sides[1])}Z"


def _p(point: layout.Point) -> str:
    return f"{num(point.x)} {num(point.y)}"


def num(number: float) -> str:
    """Return a number with one digit after the point."""
    return f"{round(number, 1):g}"


# A robot's diagram on the page.

#: The sign that each kind of box bears.
_SIGNS = {
    "script": "M0 4l-5 4 5 4M10 4l5 4-5 4M7 2l-4 12",
    "diagram": "M-5 2h8v5h-8zM7 9h8v5h-8zM3 4.5h4v7",
    "timeline": "M-5 13h20M-1 13v-9M5 13v-5M11 13v-11",
    "dialog": "M-5 2h20v9h-11l-4 4v-4h-5z",
    "empty": "M-5 3h20v10h-20z",
}
#: The room for a sign in a box, letters of a name and of a label, and the top of the boxes.
_SIGN_ROOM, _NAME_LETTERS, _LABEL_LETTERS, _TOP = 22.0, 24, 40, 44.0
#: The height of a line about links that are not drawn.
_NOTE_HEIGHT = 17.0
#: Layouts in the cache, because a timeline shows the same diagrams again; wires too many for the best curves.
_KEPT_LAYOUTS, _MANY_WIRES = 32, 12
#: Natures of ports whose names are left out of labels: the usual way through a box.
_USUAL = ("onStart", "stopped")


def draw_diagram(told: dict[str, Any]) -> dict[str, Any]:
    """Return a robot's description of a diagram (`diagram` in naosim.robot_requests), with two drawings as SVG.

    `sheet` has the boxes, which have `data-id` and `data-address`, and the links with `data-ends`; `strip` has the
    timeline, whose keyframes have `data-place`, and is "" without a timeline.
    """
    if not told.get("behaviour"):
        return {**told, "sheet": "", "strip": ""}
    return {**told, "sheet": _sheet(told), "strip": _strip(told)}


def lay_out_told(told: dict[str, Any]) -> tuple[layout.Layout, layout.Routes]:
    """Return the places and curves of a diagram from the robot's process."""
    rows = [
        layout.Node(str(row["id"]), _short(row["name"], _NAME_LETTERS), row["x"], row["y"]) for row in told["boxes"]
    ]
    return _lay_out(tuple({node.key: node for node in rows}.values()), tuple(_read_links(told)))


@lru_cache(maxsize=_KEPT_LAYOUTS)
def _lay_out(nodes: tuple[layout.Node, ...], links: tuple[layout.Link, ...]) -> tuple[layout.Layout, layout.Routes]:
    diagram = layout.lay_out(nodes, links, top=_TOP, room=2 * _SIGN_ROOM)
    return diagram, layout.route(diagram, is_quick=len(diagram.wires) > _MANY_WIRES)


def _read_links(told: dict[str, Any]) -> Iterator[layout.Link]:
    """Yield the links whose ends are both there."""
    owner = told["owner"]
    outputs = {(0, port[0]): port for port in owner["inputs"]}
    inputs = {(0, port[0]): port for port in owner["outputs"]}
    for row in told["boxes"]:
        outputs |= {(row["id"], port[0]): port for port in row["outputs"]}
        inputs |= {(row["id"], port[0]): port for port in row["inputs"]}
        inputs |= {(row["id"], number): [number, name, 0, "parameter"] for number, name in row["parameters"]}
    for emitter, output, receiver, port in told["links"]:
        start, end = outputs.get((emitter, output)), inputs.get((receiver, port))
        if start is not None and end is not None:
            out = "" if start[3] in _USUAL and start[1] in ("onStart", "onStopped") else start[1]
            into = "" if end[3] in _USUAL else end[1]
            label = f"{out} \u2192 {into}".strip() if into else out
            source, target = str(emitter) if emitter else layout.START, str(receiver) if receiver else layout.END
            ends = f"{emitter}:{output}:{receiver}:{port}"
            yield layout.Link(source, start[1], target, _short(label, _LABEL_LETTERS), ends)


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "\u2026"


def _sheet(told: dict[str, Any]) -> str:
    """Return the SVG of the boxes and links."""
    diagram, routes = lay_out_told(told)
    # Curves and labels can lie outside the boxes.
    parts = [layout.Rect(0, 0, diagram.width, diagram.height), *(found.curve.bounds.grown(4) for found, _ in routes)]
    parts += [label.grown(4) for _, label in routes if label is not None]
    left, top = min(part.left for part in parts), min(part.top for part in parts)
    width, height = (num(max(part.right for part in parts) - left), num(max(part.bottom for part in parts) - top))
    name = told["owner"]["name"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram-sheet" '
        f'viewBox="{num(left)} {num(top)} {width} {height}" width="{width}" height="{height}" '
        f'role="group" aria-label="Diagram of {escape(name)}">',
        *(line for found, _ in routes for line in draw_wire(found)),
        *(line for key, placed in diagram.dots.items() for line in draw_dot(key, placed)),
    ]
    for number, row in enumerate(told["boxes"]):
        lines += _box(row, diagram.boxes[str(row["id"])], diagram.exits, is_first=number == 0)
    lines += draw_entries(diagram)
    lines += [line for found, label in routes if label is not None for line in draw_label(found.wire, label)]
    for number, sentence in enumerate(describe_common(diagram)):
        lines.append(
            draw_text(
                sentence, layout.Point(layout.MARGIN, _NOTE_HEIGHT * (number + 0.5)), layout.LABEL_SIZE, "diagram-note"
            )
        )
    return "\n".join([*lines, '<g class="diagram-flow" aria-hidden="true"></g>', "</svg>"])


def _box(row: dict[str, Any], placed: layout.Placed, exits: Sequence[layout.Exit], is_first: bool) -> Iterator[str]:
    label, rect = f"{row['name']}, {row['kind']} box", placed.rect
    # One box can be reached by Tab; from there the arrow keys lead to the others.
    yield (
        f'<g class="diagram-box kind-{escape(row["kind"])}" role="button" tabindex="{0 if is_first else -1}" '
        f'data-id="{row["id"]}" data-address="{escape(row["address"])}" data-opens="{int(row["opens"])}" '
        f'data-label="{escape(label)}" aria-label="{escape(label)}">'
    )
    yield f"<title>{escape(row['name'])}{escape(': ' + row['tooltip']) if row['tooltip'] else ''}</title>"
    yield from draw_body(placed, _SIGN_ROOM)
    yield (
        f'<path class="diagram-sign" d="{_SIGNS.get(row["kind"], _SIGNS["empty"])}" '
        f'transform="translate({num(rect.left + 13)} {num(rect.top + 9)})"/>'
    )
    for number, tag in placed.tags:
        yield from draw_tag(number, exits[number].output, tag)
    runs = f"translate({num(rect.right - 14)} {num(rect.top + 5)})"
    yield f'<path class="diagram-runs" d="M0 0l9 5-9 5z" transform="{runs}"/>'
    yield (
        f'<g class="diagram-errors{"" if row["findings"] else " none"}" data-lint="{row["findings"]}" '
        f'transform="translate({num(rect.right - 9)} {num(rect.top + 2)})"><circle r="10"/>'
        f'<text y="4">{"!" if row["findings"] else ""}</text></g>'
    )
    yield "</g>"


# The strip of a timeline.

#: Width of the names at the left, of the frames and of the room at the right; the height of a row and of the seconds.
_STRIP_NAMES, _FRAMES, _STRIP_MARGIN, _ROW, _HEAD = 120.0, 600.0, 24.0, 18.0, 20.0
#: Seconds between two marks: the first of these that leaves room for their numbers.
_STEPS, _ROOM = (1, 2, 5, 10, 30, 60, 300, 1800), 40.0
#: Letters of a name at the left, and of a keyframe's for each unit of its width.
_ROW_LETTERS, _LETTER_WIDTH = 14, 8.0


def _strip(told: dict[str, Any]) -> str:
    """Return the SVG of a diagram's timeline, "" without a timeline; keyframes bear `data-place`."""
    timeline = told["timeline"]
    if timeline is None:
        return ""
    layers = sorted({row[2] for row in told["keyframes"]})
    curves = timeline["curves"]
    height = _HEAD + _ROW * (len(layers) + len(curves)) + 4
    place = _Scale(timeline)
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="diagram-strip" '
        f'viewBox="0 0 {_STRIP_NAMES + _FRAMES + _STRIP_MARGIN:g} {height:g}" '
        f'role="group" aria-label="Timeline" data-start="{timeline["start"]}" data-frame="{place.each:.6g}" '
        f'data-left="{_STRIP_NAMES:g}">',
        *_seconds(timeline, place, height),
    ]
    for at, layer in enumerate(layers):
        lines += _layer(told, layer, _HEAD + _ROW * at, place)
    for at, (actuator, is_mute, keys) in enumerate(curves):
        lines += _joint(actuator, is_mute, keys, _HEAD + _ROW * (len(layers) + at), place)
    lines += [f'<path class="diagram-playhead" d="M{_STRIP_NAMES:g} 0V{height:g}" aria-hidden="true"/>', "</svg>"]
    return "\n".join(lines)


class _Scale:
    """Where a frame stands."""

    def __init__(self, timeline: dict[str, Any]) -> None:
        self._start: int = timeline["start"]
        self.last: int = timeline["end"]
        self.each: float = _FRAMES / max(1, timeline["end"] - timeline["start"])

    def __call__(self, frame: float) -> float:
        """Return the place of a frame, inside the strip."""
        return _STRIP_NAMES + max(0.0, min(_FRAMES, (frame - self._start) * self.each))


def _seconds(timeline: dict[str, Any], place: _Scale, height: float) -> Iterator[str]:
    second = timeline["fps"] * place.each
    step = next((step for step in _STEPS if step * second >= _ROOM), _STEPS[-1])
    for number in range(0, min(200 * step, int((place.last - timeline["start"]) / timeline["fps"]) + 1), step):
        x = place(timeline["start"] + number * timeline["fps"])
        yield f'<path class="diagram-tick" d="M{x:g} {_HEAD - 3:g}V{height:g}"/>'
        yield f'<text class="diagram-second" x="{x:g}" y="{_HEAD - 6:g}">{number} s</text>'


def _layer(told: dict[str, Any], layer: int, top: float, place: _Scale) -> Iterator[str]:
    names = told["timeline"]["layers"]
    yield _row_name(names[layer] if layer < len(names) else "", top)
    inside = [(at, row) for at, row in enumerate(told["keyframes"]) if row[2] == layer]
    for (at, (frame, name, _, boxes)), following in zip(inside, [*inside[1:], None], strict=True):
        left = place(frame)
        width = max(4.0, place(following[1][0] if following else place.last) - left - 1)
        label = f"Keyframe {name or at + 1} at frame {frame}, {boxes} box{'' if boxes == 1 else 'es'}"
        yield (
            f'<g class="diagram-keyframe" role="button" tabindex="0" data-place="{at}" '
            f'aria-label="{escape(label)}" aria-pressed="{str(at == told["place"]).lower()}">'
            f"<title>{escape(label)}</title>"
            f'<rect x="{left:g}" y="{top + 1:g}" width="{width:g}" height="{_ROW - 2:g}" rx="3"/>'
        )
        if width > _LETTER_WIDTH * 3:
            short = name[: int(width / _LETTER_WIDTH)]
            yield f'<text x="{left + 4:g}" y="{top + 13:g}" aria-hidden="true">{escape(short)}</text>'
        yield "</g>"


def _joint(actuator: str, is_mute: bool, keys: list[int], top: float, place: _Scale) -> Iterator[str]:
    yield _row_name(actuator, top, " mute" if is_mute else "")
    if keys:
        middle = top + _ROW / 2
        yield (
            f'<path class="diagram-motion{" mute" if is_mute else ""}" '
            f'd="M{place(min(keys)):g} {middle:g}H{place(max(keys)):g}"/>'
        )
        marks = "".join(f"M{place(key):g} {middle - 4:g}l4 4-4 4-4-4z" for key in keys)
        yield f'<path class="diagram-key{" mute" if is_mute else ""}" d="{marks}"/>'


def _row_name(name: str, top: float, more: str = "") -> str:
    short = name if len(name) <= _ROW_LETTERS else name[: _ROW_LETTERS - 1] + "…"
    return f'<text class="diagram-row{more}" x="{_STRIP_NAMES - 6:g}" y="{top + 13:g}">{escape(short)}</text>'
