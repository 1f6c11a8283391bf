"""The expert system: the codes left after each guess, in process and over HTTP, and the time of a start."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from run import Options

from jotto import compat
from jotto_desk.expert import ExpertSystem
from jotto_desk.expert.reasoning import make_candidate_source, make_setup

BOARDS = {
    "4 of 6": {"holes": 4, "colours": 6},
    "5 of 8": {"holes": 5, "colours": 8},
    "5 of 10, all different": {"holes": 5, "colours": 10, "repeats": False},
}
GAMES, STARTS, STEPS = 20, 3, 5
#: Seconds in which the original recompiled its knowledge after each guess, according to its notebooks.
PUBLISHED = (0.5, 19.0)


def measure_expert(options: Options) -> dict[str, Any]:
    """Return the seconds of a guess by board, in process and over HTTP, and of a cold start."""
    games = 1 if options.small else GAMES
    starts: list[float] = []
    for _ in range(0 if options.small else STARTS - 1):
        with _cold_start(starts):
            pass
    with _cold_start(starts) as expert:
        found: dict[str, Any] = {"cold start": statistics.median(starts), "boards": {}}
        for name, board in BOARDS.items():
            here, there = [], []
            for number in range(games):
                here += _steps(board, number, _in_process(board))
                there += _steps(board, number, expert.begin_game(**board).turn)
            found["boards"][name] = {"in process": _cuts(here), "over HTTP": _cuts(there)}
    return found


@contextmanager
def _cold_start(starts: list[float]) -> Iterator[ExpertSystem]:
    """Start the service and a first game, and append the seconds to `starts`."""
    began = time.perf_counter()
    with _service() as url, ExpertSystem(url) as expert:
        expert.begin_game(**BOARDS["4 of 6"])
        starts.append(time.perf_counter() - began)
        yield expert


def _steps(board: dict[str, Any], number: int, tell: Callable[[str, Any], Any]) -> list[float]:
    """Send the guesses of one game with their answers; return the seconds of each."""
    rules = make_setup("exact", **board).rules
    taken = []
    secret = _code(rules, number, 0)
    for step in range(1, STEPS + 1):
        guess = _code(rules, number, step)
        answer = list(rules.score(guess, secret))
        began = time.perf_counter()
        tell(guess, answer)
        taken.append(time.perf_counter() - began)
    return taken


def _code(rules: Any, number: int, step: int) -> str:
    if not rules.repeats:
        return "".join(compat.draw_items(rules.alphabet, rules.length, number, "code", step))
    return "".join(compat.draw_item(rules.alphabet, number, "code", step, place) for place in range(rules.length))


def _in_process(board: dict[str, Any]) -> Callable[[str, Any], Any]:
    mind, turns = make_candidate_source(make_setup("exact", **board)), []

    def tell(guess: str, answer: Any) -> Any:
        turns.append((guess, tuple(answer)))
        return mind.find_fitting(turns)

    return tell


def _cuts(taken: list[float]) -> dict[str, float]:
    return {"median": statistics.median(taken), "worst": max(taken)}


@contextmanager
def _service() -> Any:
    command = [sys.executable, "-m", "jotto_desk", "expert", "serve", "--port", "0", "--forget"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        if "http://" not in line:
            raise ValueError(f"{command[1:]} did not start")
        yield line[line.index("http://") :].split(";")[0]
    finally:
        server.terminate()
        server.communicate(timeout=60)


def report_expert(found: dict[str, Any]) -> list[str]:
    lines = [f"expert system, cold start to the first game: {found['cold start']:.2f} s"]
    for name, board in found["boards"].items():
        said = [f"{way} {cuts['median'] * 1e3:.1f} ms (worst {cuts['worst'] * 1e3:.1f})" for way, cuts in board.items()]
        lines.append(f"codes left after a guess, {name}: {', '.join(said)}")
    return [*lines, f"the original, by its notebooks: {PUBLISHED[0]:g} to {PUBLISHED[1]:g} s"]
