"""The command line under test: run in this process, apart from the files of the computer's owner."""

import pytest

from jotto_desk.cli import main


def jotto(capsys, *arguments):
    """Run the command; return exit code, output and errors."""
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def live_in(folder, monkeypatch):
    """Keep own words, games and caches below a folder, and make the terminal wide enough."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
