"""The pictures of the guides, a part of `make pictures`: real programs on their pages, in a headless Chromium."""

import base64
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import tutorial
from page_browser import served, texts, until

FOLDER = Path(__file__).resolve().parent
STORY = FOLDER.parent / "simulator/tests/behaviours/old_story.xar"
#: Draws NAO with two points for each of the window's.
SHARP = """const figure = globalThis.page?.stage?.figure;
if (figure) { figure.renderer.setPixelRatio(2); figure.show({}); }"""
#: Milliseconds until NAO stands still, at a robot's speed.
SETTLED_MS = 1500


def take(browser: Any, path: Path, selector: str = "") -> None:
    """Write a picture of the window, or of the first element that fits a selector, once NAO stands still."""
    browser.execute_script(SHARP)
    browser.execute_async_script("setTimeout(arguments[1], arguments[0])", SETTLED_MS)
    path.write_bytes(photograph(browser, browser.find_element("css selector", selector).rect if selector else None))


def photograph(browser: Any, clip: Mapping[str, float] | None = None) -> bytes:
    """Return a PNG picture of the window, or of a rectangle in it."""
    options: dict[str, Any] = {"format": "png"}
    if clip:
        options["clip"] = {**{key: clip[key] for key in ("x", "y", "width", "height")}, "scale": 1}
    return base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", options)["data"])


def is_said(browser: Any, text: str) -> Callable[[], bool]:
    """Return a function that returns whether NAO has said a text on the page."""
    return lambda: any(text in bubble for bubble in texts(browser, ".bubble-NAO"))


def take_behaviour(browser: Any, folder: Path) -> None:
    """Take the pictures of the tutorial: the finished behaviour, which waits for an answer, and its diagram."""
    behaviour = tutorial.write_finished(folder) / "behavior_1"
    with served("-m", "naosim", str(behaviour), "--page", "--port", "0", browser=browser) as page:
        browser.get(page.address)
        until(is_said(browser, "Do you like robots?"))
        until(lambda: len(texts(browser, ".diagram-box")) == 3)
        take(browser, FOLDER / "first-behaviour-page.png")
        take(browser, FOLDER / "first-behaviour-diagram.png", ".papers")


def take_project(browser: Any, folder: Path) -> None:
    """Take a picture of the staged project, run as Choregraphe runs it."""
    subprocess.run([sys.executable, "-m", "jotto_desk", "robot", "stage", "--to", str(folder)], check=True)
    with served("-m", "naosim", str(folder), "--page", "--port", "0", browser=browser) as page:
        browser.get(page.address)
        until(is_said(browser, "Jotto"))
        until(lambda: texts(browser, ".diagram-box"))
        take(browser, FOLDER / "staged-project.png")


def take_server(browser: Any) -> None:
    """Take a picture of the robot that `jotto robot serve` offers to programs, after one of them has spoken."""
    serve = ["-m", "jotto_desk", "robot", "serve", "--listen", "tcp://127.0.0.1:0", "--page", "--port", "0"]
    with served(*serve, browser=browser) as page:
        browser.get(page.address)
        url = until(lambda: next((word for line in page.said for word in line.split() if word.startswith("tcp:")), ""))
        subprocess.run([sys.executable, str(FOLDER / "qi_client.py"), url], check=True)
        until(lambda: texts(browser, ".bubble-NAO"))
        take(browser, FOLDER / "robot-serve.png", ".side-panel")


def take_recording(browser: Any, folder: Path) -> None:
    """Take a picture of a bug report: the recording of a run, with the slider of its time."""
    bug = folder / "bug.jsonl"
    said = ["--say", "yes", "--touch", "FrontTactilTouched"]
    run = [sys.executable, "-m", "naosim", str(STORY), "--rewrite", *said, "--record", str(bug)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    replay = ["-m", "naosim", str(STORY), "--page", "--replay", str(bug), "--port", "0"]
    with served(*replay, browser=browser) as page:
        browser.get(page.address)
        until(lambda: texts(browser, ".scrubber"))
        take(browser, FOLDER / "recording.png")


def take_all(browser: Any) -> None:
    """Take the pictures of all guides."""
    with tempfile.TemporaryDirectory() as folder:
        take_behaviour(browser, Path(folder) / "tutorial")
        take_project(browser, Path(folder) / "project")
        take_server(browser)
        take_recording(browser, Path(folder))
