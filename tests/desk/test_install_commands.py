"""The command that a message names installs the missing libraries where the user is."""

import re
import sys

from interpreters import ROOT


def test_the_game_is_installed_again_from_its_checkout(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "qipkg", None)
    ended = f"; install it with: pip install -e '{ROOT}[package]'\n"
    assert cli.refusal("robot", "package").endswith(ended)
    monkeypatch.chdir(ROOT)
    assert cli.refusal("robot", "package").endswith("; install it with: pip install -e '.[package]'\n")


def test_no_message_names_a_command_that_works_only_with_a_package_index():
    texts = {
        path: path.read_text(encoding="utf-8")
        for folder in ("src", "simulator")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert [path.name for path, text in texts.items() if re.search(r"install \W*(nao-jotto|naosim)\[", text)] == []
