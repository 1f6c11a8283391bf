"""The command that a message names installs the missing libraries where the user is."""

import re

import pytest
from interpreters import ROOT

from naosim import errors


def test_a_checkout_is_installed_again_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert errors.install_command("page") == f"pip install -e '{ROOT}[page]'"
    monkeypatch.chdir(ROOT)
    assert errors.install_command("page") == "pip install -e '.[page]'"


@pytest.mark.parametrize(
    "origin, requirement",
    [
        ("", "nao-jotto[page]"),
        ("damaged", "nao-jotto[page]"),
        ('{"url": "file:///a%20b/n.whl", "archive_info": {}}', "nao-jotto[page] @ file:///a%20b/n.whl"),
        ('{"url": "file:///it\'s/nao", "dir_info": {}}', "nao-jotto[page] @ file:///it'\\''s/nao"),
        ('{"url": "https://example.org/n.whl"}', "nao-jotto[page] @ https://example.org/n.whl"),
        (
            '{"url": "https://example.org/nao", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}',
            "nao-jotto[page] @ git+https://example.org/nao@1a2b",
        ),
    ],
)
def test_an_installed_package_is_installed_again_from_where_it_came(monkeypatch, tmp_path, origin, requirement):
    # Somebody else's project, with these packages in its folder lib.
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "lib" / "naosim" / "errors.py"))
    monkeypatch.setattr(errors, "read_installed", lambda _distribution, name: origin * (name == "direct_url.json"))
    assert errors.install_command("page") == f"pip install '{requirement}'"


def test_no_message_names_a_command_that_works_only_with_a_package_index():
    texts = {
        path: path.read_text(encoding="utf-8")
        for folder in ("src", "simulator")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert [path.name for path, text in texts.items() if re.search(r"install \W*nao-jotto\[", text)] == []
