"""The command line under test, in this process. The files of the computer's owner stay untouched."""

import io
import json
from pathlib import Path

import pytest

from jotto_desk.cli import main
from naosim.errors import install_command


def jotto(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def install_extra(extra):
    """Return the command that a message about a missing extra names."""
    return install_command(extra, "nao-jotto", str(Path(__file__).resolve().parents[1]))


def live_in(folder, monkeypatch):
    """Keep own words, games and caches below a folder, and make the terminal wide enough."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("COLUMNS", "200")


class CommandRunner:
    """The fixture `cli`: calling it runs a command."""

    def __init__(self, capsys, folder, monkeypatch):
        self._capsys, self._monkeypatch = capsys, monkeypatch
        live_in(folder, monkeypatch)
        monkeypatch.chdir(folder)

    def __call__(self, *arguments, typed=""):
        self._monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return jotto(self._capsys, *arguments)

    def json(self, *arguments):
        """Run a command that succeeds with `--json`; return the object that it prints."""
        code, out, err = self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    def refusal(self, *arguments):
        """Run a wrong command; return the one sentence that it ends with."""
        code, out, err = self(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), (arguments, code, out, err)
        assert "Traceback" not in err, err
        return err
