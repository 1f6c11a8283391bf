"""Draw docs/layers.svg, the picture of the import contracts of both distributions: `python tests/layers.py`."""

from html import escape
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10; mypy brings it.
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "layers.svg"


#: The folders of the distributions, nao-jotto and naosim.
PROJECTS = ("", "simulator")


def read_settings(project):
    """Return the content of a distribution's pyproject.toml."""
    return tomllib.loads((ROOT / project / "pyproject.toml").read_text(encoding="utf-8"))


def read_layers():
    """Map the name of each contract with layers to its layers, lowest first; each is a list of modules."""
    contracts = [each for name in PROJECTS for each in read_settings(name)["tool"]["importlinter"]["contracts"]]
    return {
        contract["name"]: [layer.split(" | ") for layer in reversed(contract["layers"])]
        for contract in contracts
        if contract["type"] == "layers"
    }


#: Sizes in the picture, in pixels.
WIDTH, ROW, GAP, TOP = 220, 34, 8, 64
#: The width of a letter in the picture, in pixels.
LETTER = 8
STYLE = """text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;font-size:13px}
text{fill:#1f2328}
.title{font-weight:600;font-size:15px}
.note{fill:#57606a}
.module{fill:#e2edfb;stroke:#2f6bb0}"""


def measure(layer):
    """Return the width of a layer whose names fit into their boxes, in pixels."""
    return sum(LETTER * len(module) + 16 for module in layer) + GAP * (len(layer) - 1)


def picture():
    """Draw the layers as an SVG: one column for each contract, the lowest layer at the bottom."""
    columns = read_layers()
    tallest = max(map(len, columns.values()))
    drawn, left = [], 30
    for name, layers in columns.items():
        width = max(WIDTH, *map(measure, layers))
        drawn.append(f'<text x="{left}" y="50" class="title">{escape(name)}</text>')
        for level, layer in enumerate(layers):
            x, top = left, TOP + (tallest - 1 - level) * (ROW + GAP)
            spare = (width - measure(layer)) / len(layer)
            for module in layer:
                wide = LETTER * len(module) + 16 + spare
                drawn.append(f'<rect x="{x:g}" y="{top}" width="{wide:g}" height="{ROW}" rx="5" class="module"/>')
                drawn.append(f'<text x="{x + wide / 2:g}" y="{top + 22}" text-anchor="middle">{escape(module)}</text>')
                x += wide + GAP
        left += width + 30
    height = TOP + tallest * (ROW + GAP) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left} {height}" width="{left}" height="{height}"'
        ' role="img" aria-labelledby="title">',
        '<title id="title">Layers: a module imports only from lower layers</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="{left}" height="{height}" fill="#ffffff"/>',
        '<text x="30" y="24" class="note">A module imports only from lower layers, never from its neighbours.</text>',
    ]
    return "\n".join([*lines, *drawn, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
