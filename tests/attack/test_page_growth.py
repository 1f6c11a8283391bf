"""Many games in one open page: the growth of the memory of browser, server and robot."""

import subprocess
import time
from pathlib import Path

import pytest
from interpreters import path27
from page_browser import STILL, ServedPage, browsing, complaints, until
from robot_server import children, kilobytes

#: Growth per game, in kB or as a number: about twice the measured values.
MAX_GROWTH = {
    "browser's heap": 20.0,
    "nodes": 2.0,
    "listeners": 0.1,
    "browser's processes": 60.0,
    "server": 3.0,
    "robot": 12.0,
}
#: The first games are not measured: until then bounded buffers fill.
FIRST_GAMES, GAMES = 200, 2000
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

    def __init__(self, served, browser):
        self._served, self._browser = served, browser
        self._answers = 0
        browser.get(served.address)
        until(lambda: browser.execute_script("return Boolean(window.page?.stage)"))
        browser.execute_script(BEGIN)
        browser.execute_cdp_cmd("Performance.enable", {})

    def play(self):
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

    def _ask(self, line):
        """Tell the player what to do; return its answer, or a sentence if it has ended."""
        process = self._served.process
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        self._answers += 1
        while True:
            answers = [each[2:].strip() for each in self._served.said if each.startswith("= ")]
            if len(answers) >= self._answers:
                return answers[-1]
            if process.poll() is not None:
                return "the server has ended"
            time.sleep(0.005)

    def sizes(self):
        """Return the kB of the browser's heap and processes, of server and robot, and counts of the browser."""
        self._browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        told = self._browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        counts = {each["name"]: each["value"] / (1024 if each["name"].startswith("JSHeap") else 1) for each in told}
        server = self._served.process.pid
        return {
            **{name: counts[key] for key, name in COUNTED.items()},
            "browser's processes": sum(map(kilobytes, find_renderers(self._browser.service.process.pid))),
            "server": kilobytes(server),
            "robot": sum(map(kilobytes, children(server))),
        }


@pytest.mark.attack
def test_many_games_in_one_open_page_leave_no_memory_behind(tmp_path, figure):
    command = ["-m", "attack.playing_page", str(tmp_path), "1"]
    served = ServedPage(*command, environ={"PYTHONPATH": path27()["PYTHONPATH"]}, stdin=subprocess.PIPE)
    sizes = {}
    try:
        with browsing(str(tmp_path / "browser"), STILL) as browser:
            page = OpenPage(served, browser)
            for played in range(1, GAMES + 1):
                assert page.play() == ""
                if played in (FIRST_GAMES, GAMES):
                    sizes[played] = page.sizes()
            assert complaints(browser) == []
    finally:
        served.end()
    first, last = sizes.values()
    grown = {name: (last[name] - first[name]) / (GAMES - FIRST_GAMES) for name in last}
    figure(", ".join(f"{name} {each:.2f}" for name, each in grown.items()) + " a game")
    assert {name: each for name, each in grown.items() if each > MAX_GROWTH[name]} == {}


def find_renderers(process):
    """Find the processes below one that hold pages."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        for each in map(int, (thread / "children").read_text().split()):
            if b"--type=renderer" in Path(f"/proc/{each}/cmdline").read_bytes():
                yield each
            yield from find_renderers(each)
