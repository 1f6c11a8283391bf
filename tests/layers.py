"""The layers inside the packages: who may import whom, the imports as they are, and the picture of both.

`python tests/layers.py` draws docs/layers.svg; tests/test_house.py holds code and picture to the table.
"""

import ast
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("src", "behaviour", "simulator")

#: By package, from the ground up. A room imports what stands in lower rows, not its neighbours in the same row;
#: imports for types and inside functions count. A package's own `__init__` is its face: it may import all its rooms,
#: and no room imports it.
LAYERS = {
    "naosim": (
        ("compat",),
        ("errors",),
        ("formats", "scheduler"),
        ("clock", "kinematics", "packages", "qichat"),
        ("body", "compiler", "topics", "xar"),
        ("world",),
        ("patches", "proxies"),
        ("scripting",),
        ("box_scripts", "lint"),
        ("boxes",),
        ("player",),
        ("services",),
        ("robot",),
        ("recording", "remote"),
        ("robot_requests",),
        ("cli", "live_server", "stdio_server"),
        ("__main__",),
    ),
    "naosim_live": (
        ("hosting", "libqi_protocol", "unfinished"),
        ("connections", "libqi"),
        ("far",),
        ("directory", "testing", "voice"),
        ("watched",),
        ("page",),
        ("pytest_plugin",),
    ),
    "naosim_live.page": (
        ("texts",),
        ("acts", "deadline", "doors", "ending", "frame", "latest_events", "recording"),
        ("bounds", "shown"),
        ("shown_robot",),
        ("recorded",),
        ("behaviour", "live_robot", "panel"),
        ("diagram", "figure", "log", "memory", "sensors", "speech", "talk", "time", "visitors"),
        ("panels", "sheet"),
        ("server",),
        ("command",),
    ),
    "jotto_desk.solver": (
        ("trees",),
        ("problem",),
        ("feedback_table",),
        ("native", "reference"),
        ("cores",),
        ("beam", "strategies"),
        ("improvement", "wrong_answers", "benchmark"),
        ("search", "comparison"),
    ),
    "": (
        ("jotto", "naoqi", "almath", "motion", "vision_definitions"),
        ("naosim", "jotto_behaviour"),
        ("naosim_live",),
        ("jotto_desk",),
        ("jotto_desk.cli",),
        ("jotto_desk.__main__",),
    ),
}
PICTURE = ROOT / "docs" / "layers.svg"


def modules():
    """Map the dotted names of all modules below the source folders to their paths."""
    found = {}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(found):
    """Map each module to the modules of the project that it imports, wherever in the module the import stands."""
    return {
        name: {_module(target, found) for target in _targets(name, path)} & set(found) for name, path in found.items()
    }


def _targets(name, path):
    """List the dotted names that a module's import statements name."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _module(target, found):
    """Return the module that a dotted name lies in: itself, or the one that defines the name."""
    return target if target in found else target.rpartition(".")[0]


def room(name, package, layers):
    """Return the room of a module in a package, None for the package's face and for modules of other packages."""
    rooms = {f"{package}.{each}" if package else each: each for layer in layers for each in layer}
    while name and name not in rooms:
        name = name.rpartition(".")[0]
    return rooms.get(name)


def misplaced(package, graph):
    """List modules that stand in no room, and imports that run up or across, as sentences."""
    layers = LAYERS[package]
    height = {each: number for number, layer in enumerate(layers) for each in layer}
    inside = [name for name in graph if not package or name.startswith(package + ".")]
    lines = [
        f"{name} stands in no room of {package or 'the house'}"
        for name in inside
        if room(name, package, layers) is None and name != package
    ]
    for name in inside:
        here = room(name, package, layers)
        for target in sorted(graph[name]):
            there = room(target, package, layers)
            if target == package:
                lines.append(f"{name} imports the face of {package}")
            elif here and there and here != there and height[there] >= height[here]:
                lines.append(f"{name} imports {target}, which stands no lower")
    return lines


def circles(graph):
    """List the groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    order, low, stack, found = {}, {}, [], []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for target in sorted(graph[name]):
            if target not in order:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], order[target])
        if low[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


WIDTH, ROW, GAP, TOP = 250, 34, 8, 64
STYLE = """text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;font-size:13px}
text{fill:#1f2328}
.title{font-weight:600;font-size:15px}
.note{fill:#57606a}
.room{fill:#e2edfb;stroke:#2f6bb0}"""


def picture():
    """Draw the layers as an SVG: one column a package, the ground at the bottom."""
    columns = sorted(LAYERS, key=bool)
    tallest = max(len(LAYERS[package]) for package in columns)
    width, height = len(columns) * (WIDTH + 30) + 30, TOP + tallest * (ROW + GAP) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-labelledby="title">',
        '<title id="title">Layers: a room imports only what stands below it</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<text x="30" y="24" class="note">A room imports only what stands below it, never its neighbours.</text>',
    ]
    for number, package in enumerate(columns):
        left = 30 + number * (WIDTH + 30)
        lines.append(f'<text x="{left}" y="50" class="title">{escape(package or "the packages")}</text>')
        for level, layer in enumerate(LAYERS[package]):
            top = TOP + (tallest - 1 - level) * (ROW + GAP)
            wide = (WIDTH - GAP * (len(layer) - 1)) / len(layer)
            for place, name in enumerate(layer):
                x = left + place * (wide + GAP)
                lines.append(f'<rect x="{x:g}" y="{top}" width="{wide:g}" height="{ROW}" rx="5" class="room"/>')
                lines.append(f'<text x="{x + wide / 2:g}" y="{top + 22}" text-anchor="middle">{escape(name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    PICTURE.write_text(picture(), encoding="utf-8")
