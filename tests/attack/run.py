"""Attack the product for long, and tell what was tried and found: `make attack`. The suite runs the short form.

Example: make attack ARGS="--only kills --seed 7"
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from attack.catalogue import ATTACKS
from attack.outcome import Attack, Outcome
from jotto_desk.terminal import Column, FittedTable

#: So many faults of an attack are told; the rest is counted.
MOST_TOLD = 5


def main() -> int:
    """Run the attacks and print their table; return 1 where something broke."""
    asked = _parser().parse_args()
    chosen = [
        attack
        for attack in ATTACKS
        if (not asked.only or attack.name in asked.only) and (attack.short or not asked.short)
    ]
    found: list[tuple[Attack, Outcome, float]] = []
    console = Console(stderr=True)
    stopped = False
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(chosen))
        try:
            for attack in chosen:
                progress.update(task, description=attack.name)
                found.append(attempt(attack, asked))
                progress.advance(task)
        except KeyboardInterrupt:
            stopped = True
    if asked.json:
        print(json.dumps({"seed": asked.seed, "stopped": stopped, "attacks": [_plain(*row) for row in found]}))
    else:
        _print_table(found)
        if stopped:
            print("Stopped.")
    return 130 if stopped else int(any(outcome.faults for _, outcome, _ in found))


def attempt(attack: Attack, asked: argparse.Namespace) -> tuple[Attack, Outcome, float]:
    """Run one attack in a folder of its own; return it with its outcome and the seconds it took."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        outcome = attack.rounds(attack.short if asked.short else attack.long, asked.seed, Path(folder))
    return attack, outcome, time.monotonic() - begun


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make attack", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", action="append", choices=[attack.name for attack in ATTACKS], help="this attack; again for more"
    )
    parser.add_argument("--short", action="store_true", help="as few rounds as in the suite")
    parser.add_argument("--seed", type=int, default=1, help="where chance begins (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _plain(attack: Attack, outcome: Outcome, seconds: float) -> dict[str, object]:
    return {
        "attack": attack.name,
        "tried": outcome.tried,
        "faults": outcome.faults,
        "figure": outcome.figure,
        "seconds": round(seconds, 1),
    }


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
        for fault in outcome.faults[:MOST_TOLD]:
            print(f"{attack.name}: {fault}")
        if len(outcome.faults) > MOST_TOLD:
            print(f"{attack.name}: and {len(outcome.faults) - MOST_TOLD:,} more.")


if __name__ == "__main__":
    sys.exit(main())
