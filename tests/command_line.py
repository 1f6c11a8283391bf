"""The command line under test: run in this process, away from what the owner of the computer keeps."""

import pytest

from jotto_desk.cli import main


def jotto(capsys, *arguments):
    """Run the command; give exit code, output and errors."""
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def live_in(folder, monkeypatch):
    """Keep own words, games and caches below a folder, and give the terminal room."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
