"""The command that a message names installs the missing libraries where the user is."""

import pytest
from interpreters import ROOT

from naosim import errors


def test_a_checkout_is_installed_again_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert errors.install_command("page") == f"pip install -e '{ROOT / 'simulator'}[page]'"
    monkeypatch.chdir(ROOT / "simulator")
    assert errors.install_command("page") == "pip install -e '.[page]'"


def test_a_project_on_top_names_its_own_distribution(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "quiz"\n')
    monkeypatch.chdir(tmp_path)
    assert errors.install_command("page", "quiz", str(tmp_path)) == "pip install -e '.[page]'"
    assert errors.install_command("page", "quiz", str(tmp_path / "lib")) == "pip install 'quiz[page]'"


@pytest.mark.parametrize(
    "origin, requirement",
    [
        ("", "naosim[page]"),
        ("damaged", "naosim[page]"),
        ('{"url": "file:///a%20b/n.whl", "archive_info": {}}', "naosim[page] @ file:///a%20b/n.whl"),
        ('{"url": "file:///it\'s/nao", "dir_info": {}}', "naosim[page] @ file:///it'\\''s/nao"),
        ('{"url": "https://example.org/n.whl"}', "naosim[page] @ https://example.org/n.whl"),
        (
            '{"url": "https://example.org/nao", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}',
            "naosim[page] @ git+https://example.org/nao@1a2b",
        ),
    ],
)
def test_an_installed_package_is_installed_again_from_where_it_came(monkeypatch, tmp_path, origin, requirement):
    # Somebody else's project, with these packages in its folder lib.
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "lib" / "naosim" / "errors.py"))
    monkeypatch.setattr(
        errors, "read_distribution_file", lambda _distribution, name: origin * (name == "direct_url.json")
    )
    assert errors.install_command("page") == f"pip install '{requirement}'"
