"""How long a game takes on the robot's clock, now and before; `jotto_desk.rehearsal.game` says what is counted.

The figures before are those of `jotto rehearse --all --seed 1 --answer-seconds 2` and `jotto rehearse --role maker
--sample 1000 --seed 1 --answer-seconds 2` at the commit named in `game_time.json`. Nothing depends on the machine.
"""

import json
import os
from pathlib import Path
from typing import Any

import vocabulary
from options import Options

from jotto_behaviour import mind
from jotto_desk.rehearsal.batch import RobotChoice, play_all, sum_up_games
from jotto_desk.rehearsal.game import RehearsalSettings

BEFORE = Path(__file__).resolve().with_name("game_time.json")
ANSWER_SECONDS = 2.0
#: Games in which NAO thinks of the word; with NAO guessing, every word of the list is played.
RIDDLES = 1000
SMALL = 4
ROLES = {"breaker": "NAO guesses", "maker": "NAO thinks of the word"}
TIMES = {"robot_seconds": "NAO alone", "game_seconds": f"with {ANSWER_SECONDS:g} s for every answer"}
#: The medians wished for.
GOALS = {("breaker", "robot_seconds"): 55, ("breaker", "game_seconds"): 75}


def measure(options: Options) -> dict[str, Any]:
    """Play games in both roles and sum up their simulated seconds."""
    words, riddles = vocabulary.own(), [str(number) for number in range(1, RIDDLES + 1)]
    jobs = 1 if options.small else os.cpu_count() or 1
    found = {}
    for role, secrets in (("breaker", words), ("maker", riddles)):
        setting = RehearsalSettings(strategy=mind.DEFAULT_STRATEGY, role=role, answer_seconds=ANSWER_SECONDS)
        records = list(play_all(secrets[:SMALL] if options.small else secrets, setting, RobotChoice(), jobs))
        sums = sum_up_games(records, setting, "en")
        found[role] = {key: sums[key] for key in ("games", "found", "mean", "robot_seconds", "game_seconds")}
    return found


def report(found: dict[str, Any]) -> list[str]:
    """Format the result, beside the figures before, as a table in Markdown."""
    before = json.loads(BEFORE.read_text(encoding="utf-8"))
    rows = [("simulated seconds of a game", f"before ({before['commit']})", "now", "goal")]
    for role, name in ROLES.items():
        for key, what in TIMES.items():
            cells = [
                f"{figures[role][key]['median']:.1f} (p90 {figures[role][key]['p90']:.1f})"
                for figures in (before, found)
            ]
            rows.append((f"{name}: {what}", *cells, str(GOALS.get((role, key), ""))))
        rows.append(
            (
                f"{name}: mean guesses; found",
                *(
                    f"{figures[role]['mean']:.3f}; {figures[role]['found']} of {figures[role]['games']}"
                    for figures in (before, found)
                ),
                "",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in padded]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
