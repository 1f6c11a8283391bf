"""A diagram as SVG: boxes, ports and links; names of boxes and ports are people's texts and are escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .layout import WIDTH, PlacedBox, PlacedLink, Port, Sheet

#: What kinds of boxes are called, and the sign that each bears.
KINDS = {
    "script": "script box",
    "diagram": "diagram box",
    "timeline": "timeline box",
    "dialog": "dialog box",
    "empty": "empty box",
}
_SIGNS = {
    "script": "M0 4l-5 4 5 4M10 4l5 4-5 4M7 2l-4 12",
    "diagram": "M-5 2h8v5h-8zM7 9h8v5h-8zM3 4.5h4v7",
    "timeline": "M-5 13h20M-1 13v-9M5 13v-5M11 13v-11",
    "dialog": "M-5 2h20v9h-11l-4 4v-4h-5z",
    "empty": "M-5 3h20v10h-20z",
}
#: Letters of a port's name at the edge of the sheet.
LETTERS = 12


def drawn(sheet: Sheet) -> str:
    """Return the SVG of a sheet; boxes bear `data-id` and `data-address`, links `data-ends`."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram-sheet" viewBox="0 0 {sheet.width:g} {sheet.height:g}" '
        f'width="{sheet.width:g}" height="{sheet.height:g}" role="group" '
        f'aria-label="Diagram of {escape(sheet.name)}">',
        *(line for link in sheet.links for line in _link(link)),
        *(line for port in sheet.ports for line in _edge_port(port)),
        '<g class="diagram-flow" aria-hidden="true"></g>',
        *(line for number, box in enumerate(sheet.boxes) for line in _box(box, is_first=number == 0)),
        "</svg>",
    ]
    return "\n".join(lines)


def _link(link: PlacedLink) -> Iterator[str]:
    ends = ":".join(str(end) for end in link.ends)
    yield f'<path class="diagram-link type{link.type}" data-ends="{ends}" d="{link.path}" aria-hidden="true"/>'


def _box(box: PlacedBox, is_first: bool) -> Iterator[str]:
    label = f"{box.name}, {KINDS.get(box.kind, 'box')}"
    # One box can be reached by Tab; from there the arrow keys lead to the others.
    yield (
        f'<g class="diagram-box kind-{escape(box.kind)}" role="button" tabindex="{0 if is_first else -1}" '
        f'data-id="{box.id}" data-address="{escape(box.address)}" data-opens="{int(box.opens)}" '
        f'data-label="{escape(label)}" aria-label="{escape(label)}">'
    )
    yield f"<title>{escape(box.name)}{escape(': ' + box.tooltip) if box.tooltip else ''}</title>"
    yield f'<rect class="diagram-body" x="{box.x:g}" y="{box.y:g}" width="{WIDTH:g}" height="{box.height:g}" rx="8"/>'
    yield (
        f'<path class="diagram-sign" d="{_SIGNS.get(box.kind, _SIGNS["empty"])}" '
        f'transform="translate({box.x + WIDTH / 2 - 5:g} {box.y + 8:g})"/>'
    )
    for number, line in enumerate(box.lines):
        yield (
            f'<text class="diagram-name" x="{box.x + WIDTH / 2:g}" y="{box.y + 40 + 13 * number:g}">'
            f"{escape(line)}</text>"
        )
    yield from (line for port in box.ports for line in _port(port))
    yield (f'<path class="diagram-runs" d="M0 0l9 5-9 5z" transform="translate({box.x + 6:g} {box.y + 5:g})"/>')
    yield (
        f'<g class="diagram-errors{"" if box.findings else " none"}" data-lint="{box.findings}" '
        f'transform="translate({box.x + WIDTH - 9:g} {box.y + 2:g})"><circle r="9"/>'
        f'<text y="4">{"!" if box.findings else ""}</text></g>'
    )
    yield "</g>"


def _port(port: Port) -> Iterator[str]:
    name = f"{port.name} ({port.nature})" if port.nature else port.name
    yield f'<g class="diagram-port type{port.type}"><title>{escape(name)}</title>'
    yield f"{_mark(port)}</g>"


def _edge_port(port: Port) -> Iterator[str]:
    yield from _port(port)
    short = port.name if len(port.name) <= LETTERS else port.name[: LETTERS - 1] + "…"
    x, anchor = (port.x - 9, "end") if port.side == "in" else (port.x + 9, "start")
    yield (
        f'<text class="diagram-edge" x="{x:g}" y="{port.y + 3.5:g}" text-anchor="{anchor}" '
        f'aria-hidden="true">{escape(short)}</text>'
    )


def _mark(port: Port) -> str:
    """Return the mark of a port: start a triangle, stop a square, a memory input a diamond, all others a circle."""
    x, y = port.x, port.y
    if port.nature == "onStart":
        return f'<path d="M{x - 4:g} {y - 5:g}l9 5-9 5z"/>'
    if port.nature in {"onStop", "stopped"}:
        return f'<path d="M{x - 4:g} {y - 4:g}h8v8h-8z"/>'
    if port.nature == "memory":
        return f'<path d="M{x:g} {y - 5:g}l5 5-5 5-5-5z"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="4"/>'
