"""The picture of the flow for the docs: its links and legend, drawn as the page draws diagrams."""

from collections.abc import Mapping

from jotto_desk.robot_kit.flow import INPUT_NATURES, ROOT, Flow, FlowLink, escape_xml
from naosim_page import diagram
from naosim_page.diagram import num
from naosim_page.layout import (
    END,
    LABEL_SIZE,
    MARGIN,
    START,
    Layout,
    Link,
    Node,
    Point,
    Rect,
    lay_out,
    route,
    tag_width,
    text_width,
)

_TITLE_HEIGHT = 78.0


def lay_out_flow(flow: Flow) -> Layout:
    """Return the places of everything in the flow."""
    nodes = [Node(box.name, box.name, box.x, box.y) for box in flow.boxes]
    links = [_make_link(flow, link) for link in flow.links]
    return lay_out(nodes, links, top=_TITLE_HEIGHT)


def _make_link(flow: Flow, link: FlowLink) -> Link:
    source = START if link.emitter.box == ROOT else link.emitter.box
    target = END if link.receiver.box == ROOT else link.receiver.box
    return Link(source, link.emitter.port, target, _place_label(flow, link))


def _place_label(flow: Flow, link: FlowLink) -> str:
    emitter = "" if link.emitter.box == ROOT and link.emitter.port == "onStart" else link.emitter.port
    if link.receiver.box == ROOT:
        return "" if emitter == "onStopped" else emitter
    starts = [port.name for port in flow.find_box(link.receiver.box).inputs if INPUT_NATURES[port.nature] == 2]
    return emitter if link.receiver.port in starts else f"{emitter} \u2192 {link.receiver.port}".strip()


# The SVG: boxes coloured by script, and a legend.

_TITLE = "How NAO plays Jotto: the boxes of the behaviour"
#: Fill and line, then dark fill and dark line, for each script in the order of the boxes.
_KIND_COLOURS = (
    ("#fff3d6", "#b7791f", "#453411", "#e0aa4a"),
    ("#e0f2e6", "#2f7d4f", "#173a26", "#63c08a"),
    ("#e2edfb", "#2f6bb0", "#17304f", "#6faaf0"),
    ("#f0e6fa", "#7a4bb0", "#33214c", "#b48cf0"),
    ("#eeeeee", "#666666", "#333333", "#aaaaaa"),
)
#: The colour and the dark colour of each exit's tags.
_EXIT_COLOURS = (
    ("#b3382c", "#f08a7e"),
    ("#0f7c86", "#4cc3cf"),
    ("#8a4b9c", "#d39be4"),
    ("#7a6a00", "#d8c24a"),
    ("#2e7d46", "#7fcf95"),
)
_LEGEND_HEIGHT = 22.0

_STYLE = """\
text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;fill:#1f2328}
.panel{fill:#ffffff;stroke:#d0d7de}
.title{font-size:16px;font-weight:600}
.diagram-name,.diagram-word,.diagram-label,.note{font-size:12.5px}
.diagram-name{font-weight:600}
.diagram-name,.diagram-word{text-anchor:middle}
.diagram-link{fill:none;stroke:#6b7683;stroke-width:1.5}
.diagram-tip{fill:#6b7683}
.diagram-label{text-anchor:middle;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.note{fill:#57606a}
.diagram-body{stroke-width:1.6}
.diagram-tag{stroke-width:1.1;fill:#ffffff}
.diagram-dot{fill:#1f2328}
.diagram-mark{fill:#ffffff}
"""
_DARK_STYLE = """\
text{fill:#e6edf3}
.panel{fill:#0d1117;stroke:#30363d}
.diagram-link{stroke:#8b949e}
.diagram-tip{fill:#8b949e}
.diagram-label{stroke:#0d1117}
.note{fill:#9aa4af}
.diagram-tag{fill:#0d1117}
.diagram-dot{fill:#e6edf3}
.diagram-mark{fill:#0d1117}
"""


def draw_diagram(flow: Flow) -> str:
    """Return the picture of a flow as SVG."""
    layout = lay_out_flow(flow)
    kinds = {script: number % len(_KIND_COLOURS) for number, script in enumerate(flow.list_scripts())}
    legend, height = _draw_legend(layout, kinds)
    described = "; ".join(f"{link.emitter} to {link.receiver}" for link in flow.links)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(layout.width)} {num(height)}" '
        f'width="{num(layout.width)}" height="{num(height)}" role="img" aria-labelledby="title description">',
        f'<title id="title">{_TITLE}</title>',
        f'<desc id="description">{escape_xml(described)}</desc>',
        f"<style>\n{_choose_style()}</style>",
        f'<rect class="panel" x="0.5" y="0.5" width="{num(layout.width - 1)}" height="{num(height - 1)}" rx="10" />',
        f'<text class="title" x="{num(MARGIN)}" y="32">{_TITLE}</text>',
    ]
    routes = route(layout)
    lines += [line for found, _ in routes for line in diagram.draw_wire(found)]
    for box in flow.boxes:
        placed = layout.boxes[box.name]
        lines += [f'<g class="kind{kinds[box.script]}">', *diagram.draw_body(placed), "</g>"]
        for number, tag in placed.tags:
            lines += diagram.draw_tag(number, layout.exits[number].output, tag)
    lines += [line for key, placed in layout.dots.items() for line in diagram.draw_dot(key, placed)]
    lines += diagram.draw_entries(layout)
    lines += [line for found, label in routes if label is not None for line in diagram.draw_label(found.wire, label)]
    return "\n".join([*lines, *legend, "</svg>"]) + "\n"


def _choose_style() -> str:
    light, dark = [_STYLE], [_DARK_STYLE]
    for number, (fill, line, dark_fill, dark_line) in enumerate(_KIND_COLOURS):
        light.append(f".kind{number} .diagram-body{{fill:{fill};stroke:{line}}}\n")
        dark.append(f".kind{number} .diagram-body{{fill:{dark_fill};stroke:{dark_line}}}\n")
    for number, colours in enumerate(_EXIT_COLOURS):
        for rules, colour in zip((light, dark), colours, strict=True):
            rules.append(f".tag{number}{{stroke:{colour}}} .word{number}{{fill:{colour}}}\n")
    return f"{''.join(light)}@media (prefers-color-scheme:dark){{\n{''.join(dark)}}}\n"


def _draw_legend(layout: Layout, kinds: Mapping[str, int]) -> tuple[list[str], float]:
    """Return the lines of the legend, and the height of the picture with it."""
    lines: list[str] = []
    top = layout.height
    left = MARGIN
    for script, kind in kinds.items():
        body = diagram.draw_rect(Rect(left, top - 8, left + 18, top + 4), "diagram-body", 4)
        lines.append(f'<g class="kind{kind}">{body}</g>')
        lines.append(diagram.draw_text(script, Point(left + 24, top - 2), LABEL_SIZE, "note"))
        left += 24 + text_width(script, LABEL_SIZE) + 14
    for number, exit in enumerate(layout.exits):
        width = tag_width(exit.output)
        text = f"leads to {'the end' if exit.target == END else exit.target}"
        if left + width + 6 + text_width(text, LABEL_SIZE) > layout.width - MARGIN:
            left, top = MARGIN, top + _LEGEND_HEIGHT
        lines += diagram.draw_tag(number, exit.output, Rect(left, top - 10, left + width, top + 5))
        lines.append(diagram.draw_text(text, Point(left + width + 6, top - 2), LABEL_SIZE, "note"))
        left += width + 6 + text_width(text, LABEL_SIZE) + 14
    for sentence in diagram.describe_common(layout):
        top += _LEGEND_HEIGHT
        lines.append(diagram.draw_text(sentence, Point(MARGIN, top - 2), LABEL_SIZE, "note"))
    return lines, top + _LEGEND_HEIGHT
