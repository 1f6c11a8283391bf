"""Measure: `make bench`. Ratios come from one run, side by side; medians are quoted. See benchmarks/README.md."""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import article

from jotto import chance
from jotto_behaviour import shelf
from jotto_desk.cli.rehearsal.game import Setting
from jotto_desk.cli.rehearsal.stage import import_paths
from jotto_desk.cli.rehearsal.tour import Casting, play_all
from jotto_desk.robot_kit import find_python27

HERE = Path(__file__).parent
REPEATS = 5


def main() -> None:
    """Run both measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games per measurement (default 200)")
    parser.add_argument("--python27", default=find_python27(os.environ), help="the robot's Python")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = {"cores": os.cpu_count(), "turns": turns(options.python27, min(options.games, 60)),
             "games": games(options.games)}
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['cores']} cores, list en, {len(words())} words")
    for python, rows in found["turns"].items():
        print(f"\nOne turn of the robot-side code, Python {python}, milliseconds:")
        for name, row in rows.items():
            print(f"  {name:12} median {row['median']:7.3f}  worst {row['worst']:8.3f}  whole game {row['game']:7.2f}")
    rows = found["games"]
    print(f"\nGames per second, medians of {REPEATS}, each of {options.games} games (strategy consistent):")
    print(f"  article's algorithm alone, one core    {rows['article']:7.1f}")
    print(f"  behavior.xar on the fake robot, 1 core {rows['robot']:7.1f}   ({rows['ratio']:.2f} of the article's)")
    print(f"  the same on all cores                  {rows['all cores']:7.1f}")


def words() -> list[str]:
    """List the words played with."""
    return list(shelf.mind("", "consistent", ()).wordlist.words)


def turns(python27: str | None, count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Time turns in both Pythons; 2.7 is left out where there is none."""
    found = {}
    for python in (sys.executable, python27):
        if python is None:
            print("There is no Python 2.7 here: the robot's Python is not measured (give --python27).", file=sys.stderr)
            continue
        measured = json.loads(subprocess.run(
            [python, str(HERE / "turns.py"), str(count)], check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(import_paths())}).stdout)
        found[measured["python"]] = {name: _row(games) for name, games in measured["seconds"].items()}
    return found


def _row(played: list[list[float]]) -> dict[str, float]:
    every = [seconds for game in played for seconds in game]
    return {"median": 1000 * statistics.median(every), "worst": 1000 * max(every),
            "game": 1000 * statistics.median(sum(game) for game in played)}


def games(count: int) -> dict[str, float]:
    """Time whole games, the article's and ours in turn."""
    secrets = chance.sample(words(), count, 1, "games")
    rates: dict[str, list[float]] = {"article": [], "robot": [], "all cores": []}
    for repeat in range(REPEATS):
        start = time.perf_counter()
        dice = random.Random(repeat)
        everything = words()
        for secret in secrets:
            article.play(everything, secret, dice)
        rates["article"].append(count / (time.perf_counter() - start))
        for name, jobs in (("robot", 1), ("all cores", os.cpu_count() or 1)):
            start = time.perf_counter()
            played = sum(1 for _ in play_all(secrets, Setting(strategy="consistent", seed=repeat), Casting(), jobs))
            rates[name].append(played / (time.perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return medians | {"ratio": statistics.median(ours / theirs for ours, theirs in zip(
        rates["robot"], rates["article"], strict=True))}


if __name__ == "__main__":
    main()
