"""Fixtures for the tests of the desk."""

import command_line
import pytest


@pytest.fixture
def cli(capsys, tmp_path, monkeypatch):
    """Return a function that runs `jotto` in this process, in `tmp_path` and with the user's folders below it.

    It returns the exit code, the output and the errors. `typed` is the standard input.
    """
    return command_line.CommandRunner(capsys, tmp_path, monkeypatch)
