"""Many games in one open page: the growth of the memory of browser, server and robot."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from page_browser import STILL, ServedPage, browsing, complaints, until
from robot_server import children

from attack.outcome import Attack, Outcome
from attack.robot_growth import kilobytes

#: Growth per game, in kB or as a number: about twice the measured values.
MAX_GROWTH = {
    "browser's heap": 20.0,
    "nodes": 2.0,
    "listeners": 0.1,
    "browser's processes": 60.0,
    "server": 3.0,
    "robot": 12.0,
}
FIRST_GAMES = 200  # not measured: until then bounded buffers fill, those of the recording until game 80
GAMES_EACH = 20  # between two measurements
SHOW_TIMEOUT_S = 300.0  # real time for the browser to show a game's talk
#: The browser's counts of a page; the heap is in bytes.
COUNTED = {"JSHeapUsedSize": "browser's heap", "Nodes": "nodes", "JSEventListeners": "listeners"}
#: Count every line of the talk that the page notes.
BEGIN = """
window.lines = page.stage.talk.count;
page.stage.onChange(() => { window.lines = page.stage.talk.count; });
"""


class OpenPage:
    """A page in a browser, the robot it shows, and the player of that robot."""

    def __init__(self, served: ServedPage, browser: Any) -> None:
        self._served, self._browser = served, browser
        self._answers = 0
        browser.get(served.address)
        until(lambda: browser.execute_script("return Boolean(window.page?.stage)"))
        browser.execute_script(BEGIN)
        browser.execute_cdp_cmd("Performance.enable", {})

    def play(self) -> str:
        """Play a game and wait until the browser shows the whole talk; return "" or a sentence about what is wrong."""
        answer = self._ask("play")
        end = time.monotonic() + SHOW_TIMEOUT_S
        while True:
            if not answer.isdigit():
                return answer
            told = int(answer)
            shown = self._browser.execute_script("return window.lines ?? -1")
            if shown == told:
                return ""
            if shown < 0:
                return "the browser has loaded the page again"
            if time.monotonic() > end:
                return f"the browser has shown {shown} lines of {told} of the talk"
            time.sleep(0.02)
            answer = self._ask("told")

    def _ask(self, line: str) -> str:
        """Tell the player what to do; return its answer, or a sentence if it has ended."""
        process = self._served.process
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        self._answers += 1
        while True:
            answers = [each[2:].strip() for each in self._served.said if each.startswith("= ")]
            if len(answers) >= self._answers:
                return str(answers[-1])
            if process.poll() is not None:
                return "the server has ended"
            time.sleep(0.005)

    def sizes(self) -> dict[str, float]:
        """Return the kB of the browser's heap and processes, of server and robot, and counts of the browser."""
        self._browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        told = self._browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        counts = {each["name"]: each["value"] / (1024 if each["name"].startswith("JSHeap") else 1) for each in told}
        server = self._served.process.pid
        return {
            **{name: counts[key] for key, name in COUNTED.items()},
            "browser's processes": sum(map(kilobytes, _renderers(self._browser.service.process.pid))),
            "server": kilobytes(server),
            "robot": sum(map(kilobytes, children(server))),
        }


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play games in an open page, and compare its memory, that of the server and that of the robot."""
    outcome = Outcome()
    served = ServedPage(
        "-m",
        "attack.playing_page",
        str(folder),
        str(seed),
        environ={"PYTHONPATH": python_path()},
        stdin=subprocess.PIPE,
    )
    try:
        with browsing(str(folder / "browser"), STILL) as browser:
            page = OpenPage(served, browser)
            sizes = {0: page.sizes()}
            while outcome.tried < how_many and _goes_on(page, outcome):
                if outcome.tried % GAMES_EACH == 0:
                    sizes[outcome.tried] = page.sizes()
            outcome.faults += complaints(browser)
    finally:
        served.end()
    _judge(sizes, outcome)
    return outcome


def _goes_on(page: OpenPage, outcome: Outcome) -> bool:
    """Play one more game; return whether it was played and shown to its end."""
    fault = page.play()
    outcome.check(not fault, f"game {outcome.tried + 1}: {fault}")
    return not fault


def _judge(sizes: dict[int, dict[str, float]], outcome: Outcome) -> None:
    measured = [number for number in sizes if number >= FIRST_GAMES]
    if len(measured) < 2:
        return
    first, last = measured[0], measured[-1]
    grown = {name: (sizes[last][name] - sizes[first][name]) / (last - first) for name in sizes[last]}
    outcome.figure = ", ".join(f"{name} {each:.2f}" for name, each in grown.items()) + " a game"
    for name, each in grown.items():
        if each > MAX_GROWTH[name]:
            outcome.faults.append(f"{name} grows by {each:.1f} a game over {last - first} games")


def _renderers(process: int) -> Iterator[int]:
    """Find the processes below one that hold pages."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        for each in map(int, (thread / "children").read_text().split()):
            if b"--type=renderer" in Path(f"/proc/{each}/cmdline").read_bytes():
                yield each
            yield from _renderers(each)


def python_path() -> str:
    root = Path(__file__).resolve().parents[2]
    return ":".join(str(root / each) for each in ("src", "behaviour", "simulator", "simulator/tests", "tests"))


ATTACK = Attack(
    "page growth", "games in one open page: memory of browser, server and robot", rounds, short=0, long=2000
)
