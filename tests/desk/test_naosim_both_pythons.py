"""Python 2.7 and 3 run the same behaviours to the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BEHAVIOURS = [
    ROOT / "tests" / "behaviours" / f"{name}.xar"
    for name in ("dance", "listen_and_repeat", "new_story", "old_story", "small_talk")
]
OLD_PYTHON = ROOT / ".venv27" / "bin" / "python"
PYTHONS = [sys.executable, str(OLD_PYTHON) if OLD_PYTHON.exists() else sys.executable]

CONVERSATION = """{"do":"load","path":"%s","rewrite":true,"seed":7,"memory":{"Player":"Ann"}}
{"do":"start"}
{"do":"advance"}
{"do":"hear","phrase":"yes"}
{"do":"advance"}
{"do":"touch","sensor":"FrontTactilTouched"}
{"do":"advance"}
{"do":"hear","phrase":"tea","confidence":0.55}
{"do":"silence"}
{"do":"silence","seconds":3}
{"do":"get","key":"Player"}
{"do":"leaks"}
{"do":"stop"}
{"do":"nonsense"}
"""


def answers(python, requests):
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "simulator"))
    done = subprocess.run(
        [python, "-m", "naosim.stdio_server"],
        input=requests.encode(),
        capture_output=True,
        env=environment,
        check=True,
        timeout=120,
    )
    assert done.stderr == b""
    return done.stdout


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda path: path.stem)
def test_the_same_bytes(behaviour):
    first, second = (answers(python, CONVERSATION % behaviour) for python in PYTHONS)
    assert first == second
    assert first.count(b"\n") == CONVERSATION.count("\n")
    assert first.count(b'"error": "') == 1


def test_the_command_line_in_a_process_of_its_own():
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "simulator"))
    for python in PYTHONS:
        command = [python, "-m", "naosim", str(BEHAVIOURS[0]), "--rewrite"]
        done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b" s  says " in done.stdout
