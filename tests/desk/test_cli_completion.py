"""What Tab completes: asked in the shells themselves, with the script that `jotto --install-completion` writes."""

import os
import shutil
import subprocess
import sys

import pytest
from command_line import jotto

from jotto_desk.cli import shell

#: A line as it is typed, and what is offered for its last word.
TYPED = [
    ("jotto pla", ["play"]),
    ("jotto robot d", ["deploy", "doctor"]),
    ("jotto play --ro", ["--robot", "--role"]),
    ("jotto play --role ", ["breaker", "i-guess", "maker", "nao-guesses", "race"]),
    ("jotto words show m", ["mine.txt"]),
]
BASH = """
. "$HOME/.bashrc"
complete -p jotto | grep -q 'default.*_jotto_completion' || exit 3
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    case "$line" in *' ') COMP_WORDS+=('');; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _jotto_completion jotto
    echo "${COMPREPLY[*]}"
done
"""
FISH = """
source $HOME/.config/fish/completions/jotto.fish
while read -l line; complete -C $line | cut -f1 | string join " "; end
true
"""


@pytest.fixture
def home(tmp_path):
    """Make a home with `jotto` on the path, and a word list; return its environment."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "jotto").write_text(f'#!/bin/sh\nexec {sys.executable} -m jotto_desk "$@"\n')
    (tmp_path / "bin" / "jotto").chmod(0o755)
    (tmp_path / "mine.txt").write_text("ocean\n")
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return {
        **kept,
        "HOME": str(tmp_path),
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "XDG_CONFIG_HOME": str(tmp_path / ".config"),
    }


def offered(shell, script, home):
    """Install the completion from inside the shell, then type the lines into it; return what it offers for each."""
    run = {"cwd": home["HOME"], "env": home, "text": True, "capture_output": True, "timeout": 120}
    # The colon keeps the shell from leaving its place to jotto, which asks whose child it is.
    installed = subprocess.run([shell, "-c", "jotto --install-completion; echo done"], check=False, **run)
    assert f"{shell} completion installed" in installed.stdout and installed.stderr == ""
    lines = "".join(f"{line}\n" for line, _ in TYPED)
    told = subprocess.run([shell, "-c", script], check=False, input=lines, **run)
    assert (told.stderr, told.returncode) == ("", 0)
    return [sorted(line.split()) for line in told.stdout.splitlines()]


#: Nobody needs fish to play or to test; where it is not there, neither is its case.
SHELLS = [("bash", BASH), *([("fish", FISH)] if shutil.which("fish") else [])]


@pytest.mark.parametrize("shell, script", SHELLS)
def test_a_shell_completes_commands_options_and_values(shell, script, home):
    assert offered(shell, script, home) == [words for _, words in TYPED]


def test_zsh_is_told_names_with_what_they_do(capsys, monkeypatch):
    monkeypatch.setenv("_JOTTO_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jotto robot d")
    code, out, _ = jotto(capsys)
    assert code == 0 and out.startswith("_arguments ") and '"doctor":"Check a robot' in out and '"build"' not in out


def test_completing_a_command_does_not_import_any(capsys, monkeypatch):
    for name in [name for name in sys.modules if name == "jotto_desk.cli.mastermind"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("_JOTTO_COMPLETE", "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jotto ")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    code, out, _ = jotto(capsys)
    assert code == 0 and "mastermind\tGuess a code of colours" in out
    assert not [name for name in sys.modules if name == "jotto_desk.cli.mastermind"]


@pytest.mark.parametrize("command", ["words", "robot", "play", "wordle"])
def test_only_jotto_itself_installs_completion(capsys, command):
    code, _, err = jotto(capsys, command, "--install-completion")
    assert code == 2 and "There is no option '--install-completion' here." in err


@pytest.mark.parametrize(
    "found, part", [(("tcsh", "/bin/tcsh"), "'tcsh' cannot be completed in"), (None, "cannot be told")]
)
def test_a_shell_that_cannot_be_completed_in_is_one_sentence(capsys, monkeypatch, found, part):
    import shellingham

    def detect():
        if found is None:
            raise shellingham.ShellDetectionFailure
        return found

    monkeypatch.setattr(shellingham, "detect_shell", detect)
    for option in shell.COMPLETION_OPTIONS:
        code, out, err = jotto(capsys, option)
        assert (code, out) == (2, "") and part in err
