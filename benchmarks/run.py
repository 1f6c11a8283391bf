"""Measurements: `make bench`. Ratios come from one run, side by side; medians are quoted. See benchmarks/README.md."""

import argparse
import json
import os
from collections.abc import Callable
from typing import Any, NamedTuple

import ears
import entropy
import expert
import game_time
import own_list
import pairs
import robot
import soak
import tree_file
import visitors
import vocabulary
import wire
from options import Options

from jotto_desk.robot_kit import find_python27


class Measurement(NamedTuple):
    """A measurement, and the report of its result."""

    measure: Callable[[Options], dict[str, Any]]
    report: Callable[[dict[str, Any]], list[str]]


MEASUREMENTS = {
    "turns": Measurement(robot.turns, robot.turns_report),
    "games": Measurement(robot.games, robot.games_report),
    "game-time": Measurement(game_time.measure, game_time.report),
    "pairs": Measurement(pairs.measure, pairs.report),
    "entropy": Measurement(entropy.measure, entropy.report),
    "tree": Measurement(tree_file.measure, tree_file.report),
    "own-list": Measurement(own_list.measure, own_list.report),
    "wire": Measurement(wire.measure, wire.report),
    "soak": Measurement(soak.measure, soak.report),
    "ears": Measurement(ears.measure, ears.report),
    "expert": Measurement(expert.measure, expert.report),
    "visitors": Measurement(visitors.measure, visitors.report),
}


#: Measurements that take many minutes or the whole computer, and are made when they are asked for.
LONG = {"soak", "visitors"}


def main() -> None:
    """Run the requested measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"of: {', '.join(MEASUREMENTS)}; all but soak and visitors if none is named",
    )
    parser.add_argument("--games", type=int, default=200, help="games per measurement (default 200)")
    parser.add_argument("--python27", default=find_python27(os.environ), help="the robot's Python")
    parser.add_argument("--small", action="store_true", help="tiny sizes: the figures say nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    unknown = [part for part in asked.parts if part not in MEASUREMENTS]
    if unknown:
        parser.error(f"there is nothing to measure called '{unknown[0]}'; choose from: {', '.join(MEASUREMENTS)}")
    options = Options(asked.games, asked.python27, asked.small)
    found: dict[str, Any] = {"cores": os.cpu_count(), "list": "en", "words": len(vocabulary.own())}
    if not asked.json:
        print(f"{found['cores']} cores, list en, {found['words']:,} words")
    for part in asked.parts or [part for part in MEASUREMENTS if part not in LONG]:
        found[part] = MEASUREMENTS[part].measure(options)
        if not asked.json:
            print("", *MEASUREMENTS[part].report(found[part]), sep="\n", flush=True)
    if asked.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
