"""Draw docs/layers.svg, the picture of the import contracts in pyproject.toml: `python tests/layers.py`."""

from html import escape
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10; mypy brings it.
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "layers.svg"


def read_layers():
    """Map the name of each contract with layers to its layers, lowest first; each is a list of modules."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    return {
        contract["name"]: [layer.split(" | ") for layer in reversed(contract["layers"])]
        for contract in contracts
        if contract["type"] == "layers"
    }


#: Sizes in the picture, in pixels.
WIDTH, ROW, GAP, TOP = 250, 34, 8, 64
STYLE = """text{font-family:"Segoe UI",system-ui,-apple-system,"Helvetica Neue",Arial,sans-serif;font-size:13px}
text{fill:#1f2328}
.title{font-weight:600;font-size:15px}
.note{fill:#57606a}
.module{fill:#e2edfb;stroke:#2f6bb0}"""


def picture():
    """Draw the layers as an SVG: one column for each contract, the lowest layer at the bottom."""
    columns = read_layers()
    tallest = max(map(len, columns.values()))
    width, height = len(columns) * (WIDTH + 30) + 30, TOP + tallest * (ROW + GAP) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-labelledby="title">',
        '<title id="title">Layers: a module imports only from lower layers</title>',
        f"<style>\n{STYLE}\n</style>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        '<text x="30" y="24" class="note">A module imports only from lower layers, never from its neighbours.</text>',
    ]
    for number, (name, layers) in enumerate(columns.items()):
        left = 30 + number * (WIDTH + 30)
        lines.append(f'<text x="{left}" y="50" class="title">{escape(name)}</text>')
        for level, layer in enumerate(layers):
            top = TOP + (tallest - 1 - level) * (ROW + GAP)
            wide = (WIDTH - GAP * (len(layer) - 1)) / len(layer)
            for place, module in enumerate(layer):
                x = left + place * (wide + GAP)
                lines.append(f'<rect x="{x:g}" y="{top}" width="{wide:g}" height="{ROW}" rx="5" class="module"/>')
                lines.append(f'<text x="{x + wide / 2:g}" y="{top + 22}" text-anchor="middle">{escape(module)}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
