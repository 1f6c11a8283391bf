"""Help pages, sentences about wrong commands, options and values, and Tab completion.

`PYTHONPATH=tests:simulator/tests python tests/desk/test_cli_help.py` writes the pages in tests/desk/pages;
read them before a commit.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest
import typer
from interpreters import ROOT
from processes import process

from jotto_desk.cli import COMMANDS, app, import_command, shell
from naosim_page import PAGE_PORT

PAGES = Path(__file__).with_name("pages")
WIDTHS = (50, 80)
KEPT = ("", "play", "solve", "words show")


def commands():
    """Map the words of every command and group to its command and context."""
    found = {}

    def walk(command, path, parent):
        context = command.make_context(path[-1], [], parent=parent, resilient_parsing=True)
        found[" ".join(path[1:])] = command, context
        for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
            child = import_command(name) if parent is None else command.get_command(context, name)
            walk(child, [*path, name], context)

    walk(typer.main.get_command(app), ["jotto"], None)
    return found


EVERY = commands()


def page(name, width):
    """Return a command's page in a terminal of a width."""
    command, context = EVERY[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        return command.get_help(context) + "\n"


def kept(name):
    """Return the saved pages of a command, one for each width."""
    return "\n".join(f"==== {width} columns\n{page(name, width)}" for width in WIDTHS)


def file_of(name):
    return PAGES / f"{'-'.join(['jotto', *name.split()])}.txt"


@pytest.mark.parametrize("name", KEPT)
def test_help_pages_are_the_saved_ones(name):
    assert kept(name) == file_of(name).read_text(encoding="utf-8")


def test_every_page_fits_and_has_a_sentence_and_examples():
    for name, (command, context) in EVERY.items():
        text, examples = page(name, 80).split("\nExamples:\n")
        assert max(map(len, text.splitlines())) <= 80, name
        assert text.splitlines()[2].strip() and "[b]" not in examples, name
        assert f"  jotto {name}".rstrip() in examples, name
        for param in command.get_params(context):
            names = " / ".join([", ".join(part) for part in (param.opts, param.secondary_opts) if part])
            if getattr(param, "is_flag", False) and not param.hidden:
                assert names in [line.strip().split("  ")[0] for line in text.splitlines()], (name, names)


@pytest.mark.parametrize("page, heading", [("docs/trust.md", "## Open ports"), ("SECURITY.md", "## Programs that")])
def test_every_port_that_a_command_opens_is_on_the_pages_about_security(page, heading):
    text = (ROOT / page).read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    opened = [
        (name, str(each.default))
        for name, (command, _) in EVERY.items()
        for each in command.params
        if each.name in ("port", "listen")
    ]
    assert len(opened) >= 8
    for name, default in opened:
        port = default.rpartition(":")[2]
        wanted = "any free port" if port == "0" else port
        known = [row for row in rows if wanted in row and (port == str(PAGE_PORT) or f"`jotto {name}" in row)]
        assert known, f"jotto {name} opens port {port}"


def test_the_first_page_and_completion_import_no_command(cli, monkeypatch):
    monkeypatch.delitem(sys.modules, "jotto_desk.cli.mastermind", raising=False)
    code, out, _ = cli("--help")
    assert code == 0 and all(f"  {name} " in out for name in COMMANDS)
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jotto ")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_JOTTO_COMPLETE", "complete_fish")
    assert "mastermind\tGuess a code of colours" in cli()[1]
    assert "jotto_desk.cli.mastermind" not in sys.modules


def test_commands_import_the_simulator_late():
    names = ", ".join(f"jotto_desk.cli.{name}" for name in ("play", "options", "wordle"))
    bare = f"import sys, {names}; print('naosim' in sys.modules)"
    assert process(sys.executable, "-c", bare).stdout == "False\n"


# Wrong command lines.


def test_a_misspelled_name_gets_a_suggestion(cli):
    did_you_mean = """
plya > Did you mean 'play', 'replay'?
help > 'jotto --help'
robot deplyo > Did you mean 'deploy'?
solve verfy > Did you mean 'verify'?
play --rloe maker > Did you mean '--role'?
words show --cuont 10 > Did you mean '--count'
play --role brekaer > Did you mean 'breaker'?
assist --rules wordel > Did you mean 'wordle'
bench --strategies entorpy > Did you mean 'entropy'?
mastermind --mode filp > 'flip'?
wordle help --frequency nlkt > Did you mean 'nltk'?
play --\x07 > 'jotto play --help'
"""
    for typed, _, meant in (row.partition(" > ") for row in did_you_mean.strip().splitlines()):
        assert meant in cli.refusal(*typed.split()), typed


def test_every_option_refuses_a_wrong_value_and_quotes_it(cli):
    # Values that no option of a type takes.
    wrong = {"int": ("x", "1.5", "", "99999999999999999999"), "float": ("x", "nan", "inf")}
    for name, (command, context) in EVERY.items():
        path = name.split()
        assert "--nonsense" in cli.refusal(*path, "--nonsense"), name
        for param in (param for param in command.get_params(context) if param.param_type_name == "option"):
            option = param.opts[0]
            if param.is_flag:
                assert f"'{option}' does not take a value" in cli.refusal(*path, f"{option}=3")
                continue
            assert f"'{option}' requires an argument" in cli.refusal(*path, option)
            kind = next((kind for kind in wrong if kind in param.type.name), None)
            for value in wrong.get(kind, ()):
                if getattr(param.type, "max", None) is not None or value[0:1] not in ("9", "1"):
                    said = cli.refusal(*path, option, value)
                    is_named = shell.quote_input(value) in said or f"{value} is no" in said
                    # `nan` is found only when no argument is missing.
                    assert is_named or (value == "nan" and "Missing" in said), (option, value, said)
            if param.type.name == "str" and param.callback is not None:
                assert "'no such'" in cli.refusal(*path, option, "no such")


def test_a_wrong_command_is_answered_with_what_was_wrong(cli):
    # Wrong commands whose own tests are nowhere else, and parts of the answer.
    for arguments, parts in [
        (["play", "extra", "words"], ["(extra words)", "jotto play --help"]),
        (["explain"], ["Missing argument 'WORD'"]),
        (["solve", "verify"], ["Missing argument 'FILE'. 'jotto solve verify --help'"]),
        (["words", "add"], ["'WORD...'"]),
        (["gladiators", "play"], ["Missing option '--url'"]),
        (["play", "--words", "nowhere.txt"], ["'nowhere.txt'", "one of: de, en, es, fr"]),
        (["play", "--tree", "nowhere.tree"], ["'nowhere.tree'", "check the name"]),
        (["play", "--words", "."], ["'.'"]),
        (["play", "--password-file", "x"], ["--robot URL"]),
        (["solve", "--rules", "mastermind", "--out", "/dev/null/x"], ["'/dev/null/x'", "choose another place"]),
        (["bench", "--first", "zzzzz"], ["'zzzzz'"]),
        (["bench", "--picture", "x.gif"], ["'x.gif'", ".svg"]),
        (["bench", "--rules", "mastermind", "--picture", "/dev/null/x.svg"], ["'/dev/null/x.svg'"]),
        (["assist", "--turn", "ocean"], ["'ocean'", "ocean 1 2"]),
        (["assist", "--words", "no.txt"], ["'no.txt'"]),
        (["wordle", "play", "--secret", "x"], ["'x'"]),
        (["wordle", "help", "--marks", "sugar"], ["'sugar'"]),
        (["mastermind", "--secret", "XX"], ["'XX'"]),
        (["mastermind", "--letters", "AA"], ["'AA'"]),
        (["gladiators", "serve", "--level", "x"], ["'x'"]),
        (["expert", "explain", "--turn", "x"], ["'x'"]),
        (["expert", "ask", "x", "--kb", "no.dl"], ["'no.dl'"]),
        (["expert", "ask", "before("], ["before("]),
        (["expert", "serve", "--host", "nowhere.invalid"], ["nowhere.invalid"]),
        (["robot", "deploy"], ["--robot URL"]),
        (["robot", "doctor"], ["--robot URL"]),
        (["robot", "doctor", "--robot", "tcp://:::"], ["tcp://:::"]),
        (["robot", "package", "--root", "nowhere"], ["'nowhere' has no folder robot_boxes"]),
        (["mastermind", "--host", "0.0.0.0"], ["--host", "--page"]),
        (["wordle", "play", "--token", "correct-horse-battery"], ["--page"]),
        (["mastermind", "--page", "--host", "0.0.0.0"], ["0.0.0.0", "--tls, or --tls-cert", "--insecure"]),
        (["wordle", "play", "--page", "--token", "short"], ["16 to 128"]),
        (["robot", "serve", "--record", "x"], ["--record", "--page"]),
        (["robot", "serve", "--page", "--insecure", "--host", "a b"], ["a b", "0.0.0.0"]),
    ]:
        said = cli.refusal(*arguments)
        assert [part for part in parts if part not in said] == [], said


def test_a_missing_folder_is_named_before_the_work(cli):
    code, _, err = cli("solve", "--rules", "mastermind", "--length", 2, "--out", "no/x.tree")
    assert code == 0 and err.splitlines()[0] == "The folder 'no' is not there; it will be made for 'x.tree'."


# Nobody needs fish to play or to test: without it, its case is left out.
@pytest.mark.parametrize("name", ["bash", *(["fish"] if shutil.which("fish") else [])])
def test_tab_completes_commands_options_and_values(name, tmp_path):
    scripts = {
        "bash": """
. "$HOME/.bashrc"
complete -p jotto | grep -q 'default.*_jotto_completion' || exit 3
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    case "$line" in *' ') COMP_WORDS+=('');; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _jotto_completion jotto
    echo "${COMPREPLY[*]}"
done
""",
        "fish": """
source $HOME/.config/fish/completions/jotto.fish
while read -l line; complete -C $line | cut -f1 | string join " "; end
true
""",
    }
    typed = {
        "jotto pla": "play",
        "jotto robot d": "deploy doctor",
        "jotto play --ro": "--robot --role",
        "jotto play --role ": "breaker i-guess maker nao-guesses race",
        "jotto words show m": "mine.txt",
    }
    (tmp_path / "jotto").write_text(f'#!/bin/sh\nexec {sys.executable} -m jotto_desk "$@"\n')
    (tmp_path / "jotto").chmod(0o755)
    (tmp_path / "mine.txt").write_text("ocean\n")
    env = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    env |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"), "TERM": "dumb", "LANG": "C.UTF-8"}
    run = {"cwd": tmp_path, "env": {**env, "PATH": f"{tmp_path}:{os.environ['PATH']}"}, "check": True}
    # The colon keeps the shell alive: jotto asks which shell is its parent.
    installed = process(name, "-c", "jotto --install-completion; :", **run)
    assert "completion installed" in installed.stdout
    shown = process(name, "-c", scripts[name], input="".join(f"{line}\n" for line in typed), **run).stdout
    assert [" ".join(sorted(line.split())) for line in shown.splitlines()] == list(typed.values())


def test_zsh_shows_names_with_their_help(cli, monkeypatch):
    monkeypatch.setenv("_JOTTO_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jotto robot d")
    code, out, _ = cli()
    assert code == 0 and out.startswith("_arguments ") and '"doctor":"Check a robot' in out and '"build"' not in out


if __name__ == "__main__":
    for one in KEPT:
        file_of(one).write_text(kept(one), encoding="utf-8")
    print(f"{len(KEPT)} pages in {os.path.relpath(PAGES)}")
