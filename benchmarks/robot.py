"""The robot-side code: how long a turn takes (`turns.py`), and how many whole games a second are played."""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import article
import vocabulary
from options import Options

from jotto import compat
from jotto_desk.rehearsal.batch import RobotChoice, play_all
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.rehearsal.robots import import_paths

HERE = Path(__file__).resolve().parent
REPEATS = 5
#: Games of a small measurement: so many that NAO works out some answers instead of asking for them.
FEW_GAMES = 12


def turns(options: Options) -> dict[str, Any]:
    """Time turns in both Pythons; 2.7 is left out where there is none."""
    found = {}
    count = FEW_GAMES if options.small else min(options.games, 60)
    for python in (sys.executable, options.python27):
        if python is None:
            print("There is no Python 2.7 here: the robot's Python is not measured (give --python27).", file=sys.stderr)
            continue
        measured = json.loads(
            subprocess.run(
                [python, str(HERE / "turns.py"), str(count)],
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(import_paths())},
            ).stdout
        )
        found[measured["python"]] = {name: _row(games) for name, games in measured["seconds"].items()}
    return found


def _row(played: list[list[float]]) -> dict[str, float]:
    every = [seconds for game in played for seconds in game]
    return {
        "median": 1000 * statistics.median(every),
        "worst": 1000 * max(every),
        "game": 1000 * statistics.median(sum(game) for game in played),
    }


def turns_report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    lines = []
    for python, rows in found.items():
        lines.append(f"One turn of the robot-side code, Python {python}, milliseconds:")
        lines += [
            f"  {name:12} median {row['median']:7.3f}  worst {row['worst']:8.3f}  whole game {row['game']:7.2f}"
            for name, row in rows.items()
        ]
    return lines


def games(options: Options) -> dict[str, Any]:
    """Time whole games, the article's and ours in turn."""
    words, count, repeats = vocabulary.own(), 2 if options.small else options.games, 1 if options.small else REPEATS
    secrets = compat.draw_items(words, count, 1, "games")
    rates: dict[str, list[float]] = {"article": [], "robot": [], "all cores": []}
    for repeat in range(repeats):
        start = time.perf_counter()
        rng = random.Random(repeat)
        for secret in secrets:
            article.play(words, secret, rng)
        rates["article"].append(count / (time.perf_counter() - start))
        for name, jobs in (("robot", 1), ("all cores", os.cpu_count() or 1)):
            start = time.perf_counter()
            settings = RehearsalSettings(strategy="consistent", seed=repeat)
            played = sum(1 for _ in play_all(secrets, settings, RobotChoice(), jobs))
            rates[name].append(played / (time.perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    ratio = statistics.median(ours / theirs for ours, theirs in zip(rates["robot"], rates["article"], strict=True))
    return {**medians, "ratio": ratio, "games": count}


def games_report(found: dict[str, Any]) -> list[str]:
    """Format the result as lines of text."""
    ratio = f"{found['ratio']:.2f} of the article's"
    return [
        f"Games per second, medians, each of {found['games']} games (strategy consistent):",
        f"  article's algorithm alone, one core    {found['article']:7.1f}",
        f"  behavior.xar on the fake robot, 1 core {found['robot']:7.1f}   ({ratio})",
        f"  the same on all cores                  {found['all cores']:7.1f}",
    ]
