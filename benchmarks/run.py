"""Measurements: `make bench`. Ratios come from one run, side by side, and are of medians. See benchmarks/README.md."""

import argparse
import importlib
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from naosim_robots.child import find_python27

#: The module of each part, and the end of its functions' names.
PARTS = {
    "turns": ("games", "turns"),
    "games": ("games", "rates"),
    "game-time": ("games", "duration"),
    "tree": ("games", "tree"),
    "pairs": ("solver", "pairs"),
    "entropy": ("solver", "entropy"),
    "wire": ("wire", "wire"),
    "ears": ("ears", "ears"),
    "expert": ("expert", "expert"),
    "gladiators": ("gladiators", "gladiators"),
}


@dataclass(frozen=True)
class Options:
    """The options of a measurement; `small` makes everything tiny, to try that it works: the figures mean nothing."""

    games: int = 200
    python27: str | None = None
    small: bool = False


def main() -> None:
    """Run the requested measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--games", type=int, default=200, help="games per measurement (default 200)")
    parser.add_argument("--python27", default=find_python27(os.environ), help="the robot's Python")
    parser.add_argument("--small", action="store_true", help="tiny sizes: the figures mean nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part '{unknown[0]}'; choose from: {', '.join(PARTS)}")
    options = Options(asked.games, asked.python27, asked.small)
    found: dict[str, Any] = {"cores": os.cpu_count()}
    if not asked.json:
        print(f"{found['cores']} cores")
    for part in asked.parts or PARTS:
        name, end = PARTS[part]
        module = importlib.import_module(name)
        found[part] = getattr(module, f"measure_{end}")(options)
        if not asked.json:
            print("", *getattr(module, f"report_{end}")(found[part]), sep="\n", flush=True)
    if asked.json:
        print(json.dumps(found))


if __name__ == "__main__":
    # The parts import this module by its name.
    sys.modules["run"] = sys.modules["__main__"]
    main()
