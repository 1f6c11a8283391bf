"""Game after game in one open page: how much the browser's memory, the server's and the robot's grow by."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from page_browser import STILL, ServedPage, browsing
from robot_server import children

from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes

SPEED = 20
#: kB that each may grow by in a game; games before that is measured, until when memory is filled that has a bound:
#: events, lines and the recording.
MOST_GROWTH, FIRST_GAMES = 4.0, 400
#: Games between two looks, and real seconds for one game.
GAMES_EACH, PATIENCE = 20, 120.0
PLAYED = re.compile(r"games: (\d+)")
#: What the browser counts of a page; the heap in bytes.
COUNTED = {"JSHeapUsedSize": "browser's heap", "Nodes": "nodes", "JSEventListeners": "listeners"}


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play games in an open page, and compare its memory, that of the server and that of the robot."""
    outcome = Outcome()
    sizes: dict[int, dict[str, float]] = {}
    page = ServedPage("-m", "attack.playing_page", str(folder), str(SPEED), str(seed),
                      environ={"PYTHONPATH": _python_path()})
    try:
        with browsing(str(folder / "browser"), STILL) as browser:
            browser.get(page.address + "?flat")
            browser.execute_script("document.querySelectorAll('details').forEach(each => { each.open = true })")
            browser.execute_cdp_cmd("Performance.enable", {})
            while outcome.tried < how_many and _goes_on(page, outcome):
                sizes[outcome.tried] = _sizes(page, browser)
    finally:
        page.end()
    _judge(sizes, outcome)
    return outcome


def _goes_on(page: ServedPage, outcome: Outcome) -> bool:
    """Wait for some games more; tell whether they were played."""
    wanted, end = outcome.tried + GAMES_EACH, time.monotonic() + PATIENCE * GAMES_EACH
    while outcome.tried < wanted:
        if time.monotonic() > end or page.process.poll() is not None:
            outcome.check(False, f"no game after {outcome.tried}: {''.join(page.said[-20:])}")
            return False
        found = PLAYED.findall("".join(page.said[-3:]))
        outcome.tried = max(outcome.tried, int(found[-1]) if found else 0)
        time.sleep(0.2)
    return True


def _sizes(page: ServedPage, browser: Any) -> dict[str, float]:
    """Return the kB of the browser's heap, of the server and of the robot, and what else the browser counts."""
    browser.get_log("performance")
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    told = {each["name"]: each["value"] for each in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    found = {name: told[key] / (1024 if key.startswith("JSHeap") else 1) for key, name in COUNTED.items()}
    return {**found, "server": kilobytes(page.process.pid), "robot": sum(map(kilobytes, children(page.process.pid)))}


def _judge(sizes: dict[int, dict[str, float]], outcome: Outcome) -> None:
    measured = [number for number in sizes if number >= FIRST_GAMES]
    if len(measured) < 2:
        return
    first, last = measured[0], measured[-1]
    grown = {name: (sizes[last][name] - sizes[first][name]) / (last - first) for name in sizes[last]}
    outcome.figure = ", ".join(f"{name} {each:.2f}" for name, each in grown.items()) + " a game"
    for name, each in grown.items():
        if each > MOST_GROWTH:
            outcome.faults.append(f"{name} grows by {each:.1f} a game over {last - first} games")


def _python_path() -> str:
    root = Path(__file__).resolve().parents[2]
    return ":".join(str(root / each) for each in ("src", "behaviour", "simulator", "tests"))


ATTACK = Attack("page growth", "games in one open page: the browser's memory, the server's and the robot's", rounds,
                short=0, long=2000)
