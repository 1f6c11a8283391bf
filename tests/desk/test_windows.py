"""What works on Windows, as far as can be told elsewhere (see docs/windows.md): no POSIX-only names, games in pipes."""

import os
import sys
from pathlib import Path

import pytest
from processes import process
from robot_server import PATH


def like_windows(program, *arguments, folder, typed=""):
    """Run a program whose modules of ours see no POSIX-only names; return exit code, output and errors."""
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "HOME")}
    environ |= {"PYTHONPATH": PATH, "HOME": str(folder), "LOCALAPPDATA": str(folder), "PYTHONUTF8": "1"}
    environ |= {"XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""}
    like = Path(__file__).resolve().parents[1] / "windows_like.py"
    ended = process(sys.executable, like, "-c", program, *arguments, input=typed, env=environ, cwd=folder)
    return ended.returncode, ended.stdout, ended.stderr


def test_the_names_are_hidden_from_our_modules_alone_and_each_is_imported(tmp_path):
    program = """
import importlib, pkgutil, signal, sys
import jotto, jotto_behaviour, jotto_desk, naosim, naosim_page, naosim_robots, naosim_voice, qiwire
from naosim.errors import NaosimError
failed, count = [], 0
for package in (jotto, jotto_behaviour, jotto_desk, naosim, naosim_page, naosim_robots, naosim_voice, qiwire):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        # They are a program, a library that is not a module, and what only a browser has.
        if found.name.endswith(("__main__", "._core", "naosim.stacks")):
            continue
        count += 1
        try:
            importlib.import_module(found.name)
        except (ImportError, NaosimError) as error:
            failed.append(f"{found.name}: {error}")
assert not failed and count > 200, (failed, count)
from jotto_desk.cli import robot_serve as serve
with serve.end_politely():
    pass
assert not hasattr(signal, "SIGHUP")
import fcntl
"""
    code, _, err = like_windows(program, folder=tmp_path)
    assert code == 1 and err.splitlines()[-1] == "ModuleNotFoundError: No module named 'fcntl'", err


@pytest.mark.parametrize(
    "arguments, typed, part",
    [
        (["play", "--seed", "1"], "ready\nno\n1\n2\nstop\nyes\n", "NAO"),
        (["rehearse", "--sample", "2", "--seed", "1"], "", "found 2 of 2"),
        (["mastermind", "--secret", "VVYG"], "4\nVVYG\n", "You figured out the secret word in 1 guess(es)."),
        (["words", "add", "quilt"], "", "1 new in "),
        (["robot", "serve", "--listen", "tcp://127.0.0.1:0"], "/quit\n", "NAO listens at tcp://127.0.0.1:"),
    ],
)
def test_a_command_works(arguments, typed, part, tmp_path):
    program = "import sys\nfrom jotto_desk.cli import main\nmain(sys.argv[1:])\n"
    code, out, err = like_windows(program, *arguments, folder=tmp_path, typed=typed)
    assert code == 0 and part in out and err == "", (out, err)


def test_lines_are_read_by_a_thread_where_a_pipe_cannot_be_waited_for(tmp_path):
    program = """
from jotto_desk.play import terminal
assert not hasattr(terminal.os, "getpgrp")
lines, found = terminal.TypedLines(), []
while not lines.has_ended:
    found += lines.take_lines(0.2)
lines.close()
print(found)
"""
    code, out, err = like_windows(program, folder=tmp_path, typed="one\n t\u00e9wo\nlast")
    assert (code, out.strip(), err) == (0, "['one', 't\u00e9wo', 'last']", "")
