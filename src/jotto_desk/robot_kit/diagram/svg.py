"""Drawing the flow as SVG: boxes coloured by script, wires with the output's name, common exits as tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..flow.model import Flow
from ..xml_text import escaped
from .geometry import Curve, Point, Rect
from .layout import (
    HEAD,
    LABEL_SIZE,
    MARGIN,
    NAME_SIZE,
    START,
    TAG_SIZE,
    Exit,
    Layout,
    Placed,
    entry_text,
    lay_out,
    tag_width,
    text_width,
)
from .routing import Route, route

TITLE = "How NAO plays Jotto: the boxes of the behaviour"
#: Light fill, light line, dark fill, dark line for each kind of script, in the order the kinds appear.
KIND_COLOURS = (
    ("#fff3d6", "#b7791f", "#453411", "#e0aa4a"),
    ("#e0f2e6", "#2f7d4f", "#173a26", "#63c08a"),
    ("#e2edfb", "#2f6bb0", "#17304f", "#6faaf0"),
    ("#f0e6fa", "#7a4bb0", "#33214c", "#b48cf0"),
    ("#eeeeee", "#666666", "#333333", "#aaaaaa"),
)
#: Light and dark colour of each exit's tags.
EXIT_COLOURS = (
    ("#b3382c", "#f08a7e"),
    ("#0f7c86", "#4cc3cf"),
    ("#8a4b9c", "#d39be4"),
    ("#7a6a00", "#d8c24a"),
    ("#2e7d46", "#7fcf95"),
)
LEGEND_HEIGHT = 22.0

STYLE = """\
text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;fill:#1f2328}
.panel{fill:#ffffff;stroke:#d0d7de}
.title{font-size:16px;font-weight:600}
.name{font-weight:600;text-anchor:middle}
.wire{fill:none;stroke:#6b7683;stroke-width:1.5}
.tip{fill:#6b7683}
.label{text-anchor:middle;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.note{fill:#57606a}
.box{stroke-width:1.6}
.tag{stroke-width:1.1;fill:#ffffff}
.dot{fill:#1f2328}
.mark{fill:#ffffff}
"""
DARK_STYLE = """\
text{fill:#e6edf3}
.panel{fill:#0d1117;stroke:#30363d}
.wire{stroke:#8b949e}
.tip{fill:#8b949e}
.label{stroke:#0d1117}
.note{fill:#9aa4af}
.tag{fill:#0d1117}
.dot{fill:#e6edf3}
.mark{fill:#0d1117}
"""


def diagram_text(flow: Flow) -> str:
    """Return the whole SVG."""
    layout = lay_out(flow)
    kinds = {script: number % len(KIND_COLOURS) for number, script in enumerate(flow.scripts())}
    legend, height = _legend(layout, kinds)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(layout.width)} {_n(height)}" '
        f'width="{_n(layout.width)}" height="{_n(height)}" role="img" aria-labelledby="title description">',
        f'<title id="title">{TITLE}</title>',
        f'<desc id="description">{escaped(_description(flow))}</desc>',
        f"<style>\n{_style(len(layout.exits))}</style>",
        f'<rect class="panel" x="0.5" y="0.5" width="{_n(layout.width - 1)}" height="{_n(height - 1)}" rx="10" />',
        f'<text class="title" x="{_n(MARGIN)}" y="32">{TITLE}</text>',
    ]
    routes = route(layout)
    lines += [line for found, _ in routes for line in _wire(found)]
    for box in flow.boxes:
        lines += _box(layout.boxes[box.name], kinds[box.script], layout.exits)
    lines += [line for placed in layout.dots.values() for line in _dot(placed)]
    for placed in layout.boxes.values():
        for number, rect in placed.entries:
            lines += _tag(number, entry_text(layout.exits[number]), rect)
    lines += [_label(found.wire.label, label) for found, label in routes if label is not None]
    return "\n".join([*lines, *legend, "</svg>"]) + "\n"


def _description(flow: Flow) -> str:
    return "; ".join(f"{link.emitter} to {link.receiver}" for link in flow.links)


def _style(exits: int) -> str:
    light, dark = [STYLE], [DARK_STYLE]
    for number, (fill, line, dark_fill, dark_line) in enumerate(KIND_COLOURS):
        light.append(f".kind{number}{{fill:{fill};stroke:{line}}}\n")
        dark.append(f".kind{number}{{fill:{dark_fill};stroke:{dark_line}}}\n")
    for number in range(exits):
        colours = EXIT_COLOURS[number % len(EXIT_COLOURS)]
        for rules, colour in zip((light, dark), colours, strict=True):
            rules.append(f".tag{number}{{stroke:{colour}}} .word{number}{{fill:{colour}}}\n")
    return f"{''.join(light)}@media (prefers-color-scheme:dark){{\n{''.join(dark)}}}\n"


def _box(placed: Placed, kind: int, exits: Sequence[Exit]) -> Iterator[str]:
    rect = placed.rect
    middle = Point((rect.left + rect.right) / 2, rect.top + HEAD / 2)
    yield _rect(rect, f"box kind{kind}", 9)
    yield _text(placed.name, middle, NAME_SIZE, "name")
    for number, tag in placed.tags:
        yield from _tag(number, exits[number].output, tag)


def _tag(number: int, text: str, rect: Rect) -> Iterator[str]:
    yield _rect(rect, f"tag tag{number}", 7)
    middle = Point((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2)
    yield _text(text, middle, TAG_SIZE, f"name word{number}")


def _dot(placed: Placed) -> Iterator[str]:
    rect = placed.rect
    x, y = (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2
    yield f'<circle class="dot" cx="{_n(x)}" cy="{_n(y)}" r="{_n((rect.right - rect.left) / 2)}" />'
    if placed.name == START:
        yield f'<path class="mark" d="M{_n(x - 3)} {_n(y - 5)}L{_n(x + 6)} {_n(y)}L{_n(x - 3)} {_n(y + 5)}Z" />'
    else:
        yield f'<rect class="mark" x="{_n(x - 4)}" y="{_n(y - 4)}" width="8" height="8" />'


def _wire(found: Route) -> Iterator[str]:
    start, first, second, end = found.curve.controls
    yield f'<path class="wire" d="M{_p(start)}C{_p(first)} {_p(second)} {_p(end)}" />'
    yield f'<path class="tip" d="{_tip(found.curve)}" />'


def _tip(curve: Curve) -> str:
    end, before = curve.controls[3], curve.controls[2]
    length = max(abs(end.x - before.x) + abs(end.y - before.y), 0.1)
    # Wires meet a box at a right angle, so one of the two parts is zero.
    x, y = (end.x - before.x) / length, (end.y - before.y) / length
    back = Point(end.x - 8 * x, end.y - 8 * y)
    sides = (Point(back.x - 4 * y, back.y + 4 * x), Point(back.x + 4 * y, back.y - 4 * x))
    return f"M{_p(end)}L{_p(sides[0])}L{_p(sides[1])}Z"


def _label(text: str, rect: Rect) -> str:
    return _text(text, Point((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2), LABEL_SIZE, "label")


def _legend(layout: Layout, kinds: Mapping[str, int]) -> tuple[list[str], float]:
    """Return the lines that explain colours and tags, and the height of the picture with them."""
    lines: list[str] = []
    top = layout.height
    left = MARGIN
    for script, kind in kinds.items():
        lines.append(_rect(Rect(left, top - 8, left + 18, top + 4), f"box kind{kind}", 4))
        lines.append(_text(script, Point(left + 24, top - 2), LABEL_SIZE, "note"))
        left += 24 + text_width(script, LABEL_SIZE) + 14
    for number, exit in enumerate(layout.exits):
        width = tag_width(exit.output)
        text = f"leads to {_target(exit)}"
        if left + width + 6 + text_width(text, LABEL_SIZE) > layout.width - MARGIN:
            left, top = MARGIN, top + LEGEND_HEIGHT
        lines += _tag(number, exit.output, Rect(left, top - 10, left + width, top + 5))
        lines.append(_text(text, Point(left + width + 6, top - 2), LABEL_SIZE, "note"))
        left += width + 6 + text_width(text, LABEL_SIZE) + 14
    for exit in layout.common:
        top += LEGEND_HEIGHT
        text = f"\u201c{exit.output}\u201d, on nearly every box and not drawn, leads to {_target(exit)}."
        lines.append(_text(text, Point(MARGIN, top - 2), LABEL_SIZE, "note"))
    return lines, top + LEGEND_HEIGHT


def _target(exit: Exit) -> str:
    return "the end" if exit.target == "root" else exit.target


def _rect(rect: Rect, kind: str, radius: int) -> str:
    size = f'width="{_n(rect.right - rect.left)}" height="{_n(rect.bottom - rect.top)}"'
    return f'<rect class="{kind}" x="{_n(rect.left)}" y="{_n(rect.top)}" {size} rx="{radius}" />'


def _text(text: str, middle: Point, size: float, kind: str) -> str:
    # A third of the size below the middle stands a line of text optically centred.
    y = middle.y + size * 0.34
    return f'<text class="{kind}" font-size="{_n(size)}" x="{_n(middle.x)}" y="{_n(y)}">{escaped(text)}</text>'


def _p(point: Point) -> str:
    return f"{_n(point.x)} {_n(point.y)}"


def _n(number: float) -> str:
    return f"{round(number, 1):g}"
