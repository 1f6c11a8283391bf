"""Measure: `make bench`. Ratios come from one run, side by side; medians are quoted. See benchmarks/README.md."""

import argparse
import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import entropy
import expert
import own_list
import pairs
import robot
import tree_file
import vocabulary
import wire
from options import Options

from jotto_desk.robot_kit import find_python27


class Part(NamedTuple):
    """Something to measure, and how to say what was found."""

    measure: Callable[[Options], dict[str, Any]]
    told: Callable[[dict[str, Any]], list[str]]


PARTS = {
    "turns": Part(robot.turns, robot.turns_told),
    "games": Part(robot.games, robot.games_told),
    "pairs": Part(pairs.measure, pairs.told),
    "entropy": Part(entropy.measure, entropy.told),
    "tree": Part(tree_file.measure, tree_file.told),
    "own-list": Part(own_list.measure, own_list.told),
    "wire": Part(wire.measure, wire.told),
    "expert": Part(expert.measure, expert.told),
}


def main() -> None:
    """Run the parts asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--games", type=int, default=200, help="games per measurement (default 200)")
    parser.add_argument("--python27", default=find_python27(os.environ), help="the robot's Python")
    parser.add_argument("--small", action="store_true", help="tiny sizes: the figures say nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is nothing to measure called '{unknown[0]}'; choose from: {', '.join(PARTS)}")
    options = Options(asked.games, asked.python27, asked.small)
    found: dict[str, Any] = {"cores": os.cpu_count(), "list": "en", "words": len(vocabulary.own())}
    if not asked.json:
        print(f"{found['cores']} cores, list en, {found['words']:,} words")
    for part in asked.parts or PARTS:
        found[part] = PARTS[part].measure(options)
        if not asked.json:
            print("", *PARTS[part].told(found[part]), sep="\n", flush=True)
    if asked.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
