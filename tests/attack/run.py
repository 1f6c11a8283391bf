"""Attack the product and print tries and faults: `make attack ARGS="--only kills"`. The tests run the short form."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from attack import (
    bombs,
    full_disks,
    kills,
    load,
    page,
    page_flood,
    page_growth,
    properties,
    robot_costs,
    robot_growth,
    robot_serve,
    room,
    slow,
    writers,
)
from attack.outcome import Attack, Outcome
from jotto_desk.terminal import Column, FittedTable

MAX_PRINTED = 5  # faults of one attack; further ones are only counted

#: All attacks, in the order of the table.
ATTACKS: list[Attack] = [
    properties.ATTACK,
    bombs.ATTACK,
    bombs.SOUNDS,
    kills.ATTACK,
    full_disks.ATTACK,
    writers.ATTACK,
    robot_serve.MESSAGES,
    robot_serve.SILENCE,
    *robot_costs.ATTACKS,
    robot_growth.ATTACK,
    page.ATTACK,
    page_flood.REQUESTS,
    page_flood.EVENTS,
    page_flood.MEMORY,
    page_growth.ATTACK,
    slow.ATTACK,
    load.ATTACK,
    room.ATTACK,
]


def main() -> int:
    """Run the attacks and print their table; return 1 if there are faults."""
    options = _parser().parse_args()
    chosen = [
        attack
        for attack in ATTACKS
        if (not options.only or attack.name in options.only) and (attack.short or not options.short)
    ]
    found: list[tuple[Attack, Outcome, float]] = []
    console = Console(stderr=True)
    stopped = False
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(chosen))
        try:
            for attack in chosen:
                progress.update(task, description=attack.name)
                found.append(run_attack(attack, options))
                progress.advance(task)
        except KeyboardInterrupt:
            stopped = True
    _print_table(found)
    if stopped:
        print("Stopped.")
    return 130 if stopped else int(any(outcome.faults for _, outcome, _ in found))


def run_attack(attack: Attack, options: argparse.Namespace) -> tuple[Attack, Outcome, float]:
    """Run one attack in a folder of its own; return it with its outcome and the seconds it took."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        outcome = attack.rounds(attack.short if options.short else attack.long, options.seed, Path(folder))
    return attack, outcome, time.monotonic() - begun


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make attack", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", action="append", choices=[attack.name for attack in ATTACKS], help="this attack; again for more"
    )
    parser.add_argument("--short", action="store_true", help="as few rounds as in the tests")
    parser.add_argument("--seed", type=int, default=1, help="seed of all chance (default 1)")
    return parser


def _print_table(found: list[tuple[Attack, Outcome, float]]) -> None:
    sheet = FittedTable(
        "",
        Column("attack", is_text=True),
        Column("what", is_text=True, folds=True, leaves=1, least=20),
        Column("tried"),
        Column("faults"),
        Column("s", leaves=2),
        Column("figure", is_text=True, folds=True, least=12),
    )
    for attack, outcome, seconds in found:
        sheet.add(
            attack.name, attack.tries, f"{outcome.tried:,}", str(len(outcome.faults)), f"{seconds:.0f}", outcome.figure
        )
    Console(highlight=False).print(sheet)
    for attack, outcome, _ in found:
        for fault in outcome.faults[:MAX_PRINTED]:
            print(f"{attack.name}: {fault}")
        if len(outcome.faults) > MAX_PRINTED:
            print(f"{attack.name}: and {len(outcome.faults) - MAX_PRINTED:,} more.")


if __name__ == "__main__":
    sys.exit(main())
