"""Robot-side code: turns and the tree file in both Pythons (`turns.py`), games a second, and the simulated duration."""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import turns as turn_times
from run import Options

from jotto import compat
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk.rehearsal.batch import RobotChoice, play_all, sum_up_games
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.rehearsal.robots import list_import_paths
from jotto_desk.words import load_default_list

HERE = Path(__file__).resolve().parent
TREE = HERE.parent / "wordlists" / "en.tree"
#: Rounds of games, whose median counts.
REPEATS = 5
#: Games of a small measurement: enough that NAO works out some answers instead of asking for them.
FEW_GAMES = 12
#: Simulated seconds that a person takes for an answer.
ANSWER_SECONDS = 2.0
#: Games in which NAO thinks of the word; with NAO guessing, every word of the list is played.
RIDDLES = 1000
ROLES = {"breaker": "NAO guesses", "maker": "NAO thinks of the word"}
TIMES = {"robot_seconds": "NAO's own time", "game_seconds": f"with {ANSWER_SECONDS:g} s for every answer"}
#: The median seconds that a game should not exceed.
GOALS = {("breaker", "robot_seconds"): 55, ("breaker", "game_seconds"): 75}


def list_words() -> list[str]:
    """Return the words of the default list, the commonest first."""
    return list(load_default_list(JOTTO, own=False).words)


def _run_in_pythons(options: Options, *arguments: str) -> list[dict[str, Any]]:
    """Run `turns.py` in this Python and in 2.7, which is left out if there is none."""
    found = []
    for python in (sys.executable, options.python27):
        if python is None:
            print("There is no Python 2.7 here: the robot's Python is not measured (give --python27).", file=sys.stderr)
            continue
        command = [python, str(HERE / "turns.py"), *arguments]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(list_import_paths())}
        found.append(json.loads(subprocess.run(command, check=True, capture_output=True, env=environ).stdout))
    return found


def measure_turns(options: Options) -> dict[str, Any]:
    """Return milliseconds by Python and strategy."""
    count = FEW_GAMES if options.small else min(options.games, 60)
    runs = _run_in_pythons(options, "games", str(count))
    return {run["python"]: {name: _summarise(played) for name, played in run["found"].items()} for run in runs}


def _summarise(played: list[list[float]]) -> dict[str, float]:
    every = [seconds for game in played for seconds in game]
    return {
        "median": 1000 * statistics.median(every),
        "worst": 1000 * max(every),
        "game": 1000 * statistics.median(sum(game) for game in played),
    }


def report_turns(found: dict[str, Any]) -> list[str]:
    lines = []
    for python, rows in found.items():
        lines.append(f"One turn of the robot-side code, Python {python}, milliseconds:")
        lines += [
            f"  {name:12} median {row['median']:7.3f}  worst {row['worst']:8.3f}  whole game {row['game']:7.2f}"
            for name, row in rows.items()
        ]
    return lines


def measure_tree(options: Options) -> dict[str, Any]:
    """Return the size of the tree file, and the seconds to load it and to walk one step, by Python."""
    runs = _run_in_pythons(options, "tree", str(TREE), "1" if options.small else "51")
    return {"bytes": TREE.stat().st_size, "pythons": [{"python": run["python"], **run["found"]} for run in runs]}


def report_tree(found: dict[str, Any]) -> list[str]:
    nodes = found["pythons"][0]["nodes"]
    lines = [f"{TREE.name}: {nodes:,} nodes in {found['bytes']:,} bytes"]
    return lines + [
        f"  Python {row['python']}: loaded in {1000 * row['load']:.2f} ms, {1e6 * row['step']:.2f} microseconds a step"
        for row in found["pythons"]
    ]


def measure_rates(options: Options) -> dict[str, Any]:
    """Return games per second, the article's algorithm and our games in turn: of processor time if on one core."""
    words, count, repeats = list_words(), 2 if options.small else options.games, 1 if options.small else REPEATS
    secrets = compat.draw_items(words, count, 1, "games")
    rates: dict[str, list[float]] = {"article": [], "robot": [], "all cores": []}
    for repeat in range(repeats):
        start = time.process_time()
        rng = random.Random(repeat)
        for secret in secrets:
            turn_times.their_turns(words, secret, rng)
        rates["article"].append(count / (time.process_time() - start))
        for name, jobs, clock in (
            ("robot", 1, time.process_time),
            ("all cores", os.cpu_count() or 1, time.perf_counter),
        ):
            start = clock()
            settings = RehearsalSettings(strategy="consistent", seed=repeat)
            played = sum(1 for _ in play_all(secrets, settings, RobotChoice(), jobs))
            rates[name].append(played / (clock() - start))
    ratio = statistics.median(ours / theirs for ours, theirs in zip(rates["robot"], rates["article"], strict=True))
    return {**{name: statistics.median(values) for name, values in rates.items()}, "ratio": ratio, "games": count}


def report_rates(found: dict[str, Any]) -> list[str]:
    ratio = f"{found['ratio']:.2f} of the article's"
    return [
        f"Games per second (of processor time if on one core), medians, each of {found['games']} games (consistent):",
        f"  the article's algorithm, one core      {found['article']:7.1f}",
        f"  behavior.xar on the fake robot, 1 core {found['robot']:7.1f}   ({ratio})",
        f"  the same on all cores                  {found['all cores']:7.1f}",
    ]


def measure_duration(options: Options) -> dict[str, Any]:
    """Return the simulated seconds of games in both roles; they are the same on every machine."""
    words, riddles = list_words(), [str(number) for number in range(1, RIDDLES + 1)]
    jobs = 1 if options.small else os.cpu_count() or 1
    found = {}
    for role, secrets in (("breaker", words), ("maker", riddles)):
        settings = RehearsalSettings(strategy=mind.DEFAULT_STRATEGY, role=role, answer_seconds=ANSWER_SECONDS)
        records = list(play_all(secrets[:4] if options.small else secrets, settings, RobotChoice(), jobs))
        sums = sum_up_games(records, settings, "en")
        found[role] = {key: sums[key] for key in ("games", "found", "mean", *TIMES)}
    return found


def report_duration(found: dict[str, Any]) -> list[str]:
    lines = ["Simulated seconds of a game:"]
    for role, name in ROLES.items():
        row = found[role]
        for key, what in TIMES.items():
            goal = f"; goal {GOALS[role, key]}" if (role, key) in GOALS else ""
            lines.append(f"  {name}, {what}: {row[key]['median']:.1f} (p90 {row[key]['p90']:.1f}){goal}")
        lines.append(f"  {name}: {row['mean']:.3f} guesses on average; {row['found']} of {row['games']} found")
    return lines
