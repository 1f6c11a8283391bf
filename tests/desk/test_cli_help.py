"""Help pages at every width, and what is said of every wrong command, option and value.

`python tests/desk/test_cli_help.py` writes the pages in tests/desk/pages anew; look at them before you keep them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from command_line import jotto, live_in

from jotto_desk.cli import COMMANDS, app, shell

PAGES = Path(__file__).with_name("pages")
WIDTHS = (40, 60, 80, 120)
KEPT = ("", "play", "solve", "words show")
#: Longer than any line of a narrow terminal, and not to be broken.
UNBREAKABLE = "'http://127.0.0.1:8080/AbcDatalogREST'"


def commands():
    """Map the words of every command, groups too, to its command and context."""
    found = {}

    def walk(command, path, parent):
        context = command.make_context(path[-1], [], parent=parent, resilient_parsing=True)
        found[" ".join(path[1:])] = command, context
        for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
            walk(command.get_command(context, name), [*path, name], context)

    walk(typer.main.get_command(app), ["jotto"], None)
    return found


EVERY = commands()


def page(name, width):
    """Lay out a command's page."""
    command, context = EVERY[name]
    rows = command.summaries(context) if hasattr(command, "summaries") else ()
    lines = [line.plain for line in shell.format_help(command, context, rows, min(width, shell.WIDEST))]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def kept(name):
    """Lay out the pages of a command that are kept, one width after the other."""
    return "\n".join(f"==== {width} columns\n{page(name, width)}" for width in WIDTHS)


def file_of(name):
    return PAGES / f"{'-'.join(['jotto', *name.split()])}.txt"


@pytest.mark.parametrize("name", KEPT)
def test_pages_are_as_they_were_looked_at(name):
    assert kept(name) == file_of(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EVERY)
def test_a_page_fits_its_terminal_and_breaks_no_word(name):
    words = page(name, 10_000).replace("|", " | ").split()
    for width in WIDTHS:
        text = page(name, width)
        assert max(len(line.replace(UNBREAKABLE, "")) for line in text.splitlines()) <= width
        assert text.replace("|", " | ").split() == words


@pytest.mark.parametrize("name", EVERY)
def test_every_command_has_examples_and_a_sentence(name):
    text = page(name, 80)
    assert "Examples:\n  " in text and text.splitlines()[2].strip()
    for line in text.partition("Examples:\n")[2].splitlines():
        assert line.startswith(("  ", "")) and "[b]" not in line
    assert name == "" or f"jotto {name}" in text.partition("Examples:\n")[2]


@pytest.mark.parametrize("name", EVERY)
def test_flags_are_flags_and_choices_are_shown(name):
    command, context = EVERY[name]
    rows = {line.split()[0].split("/")[0]: line for line in page(name, 99).splitlines() if line.startswith("  --")}
    assert "<" not in "".join(rows.values()), rows
    for param in command.get_params(context):
        if getattr(param, "is_flag", False):
            line = rows[param.opts[0]][2:]
            assert line.split("  ")[0].strip() == "/".join([*param.opts, *param.secondary_opts])


def test_the_first_page_comes_without_importing_the_commands(capsys, monkeypatch):
    for name in [name for name in sys.modules if name == "jotto_desk.cli.mastermind"]:
        monkeypatch.delitem(sys.modules, name)
    code, out, _ = jotto(capsys, "--help")
    assert code == 0 and all(f"  {name} " in out for name in COMMANDS)
    assert not [name for name in sys.modules if name == "jotto_desk.cli.mastermind"]


@pytest.mark.parametrize("command", ["play", "options", "wordle"])
def test_a_command_is_there_before_the_simulator(command):
    bare = f"import sys, jotto_desk.cli.{command}; print('naosim' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", bare], capture_output=True, text=True, check=True).stdout == "False\n"


# What is wrong with a command line is said in one sentence.


def refused(capsys, *arguments):
    """Run a wrong command; give the sentence it ends with."""
    code, out, err = jotto(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), (arguments, code, out, err)
    assert ("Traceback" not in err and err.rstrip().endswith((".", "?"))) or "--help'" in err, err
    return err


@pytest.mark.parametrize(
    "typed, meant",
    [
        (["plya"], "Did you mean 'play' or 'replay'?"),
        (["REHEARSE"], "Did you mean 'rehearse'?"),
        (["help"], "'jotto --help'"),
        (["robot", "deplyo"], "Did you mean 'deploy'?"),
        (["solve", "verfy"], "Did you mean 'verify'?"),
        (["play", "--rloe", "maker"], "Did you mean '--role'?"),
        (["words", "show", "--bnad", "10"], "Did you mean '--band'"),
        (["play", "--role", "brekaer"], "Did you mean 'breaker'?"),
        (["assist", "--rules", "wordel"], "Did you mean 'wordle'"),
        (["bench", "--strategies", "entorpy"], "Did you mean 'entropy'?"),
        (["mastermind", "--mode", "filp"], "'flip'?"),
        (["wordle", "help", "--frequency", "nlkt"], "Did you mean 'nltk'?"),
        (["play", "--events", "x"], "auto, signal"),
        (["x" * 500], "xxx...'."),
        (["play", "--\x07"], "'jotto play --help'"),
    ],
)
def test_did_you_mean(capsys, typed, meant):
    assert meant in refused(capsys, *typed)


#: What no option takes, by what it takes.
WRONG = {"int": ("x", "1.5", "", "99999999999999999999"), "float": ("x", "nan", "1e400")}


@pytest.mark.parametrize("name", EVERY)
def test_every_option_with_a_wrong_value_is_one_sentence_that_quotes_it(capsys, name, tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)
    command, context = EVERY[name]
    path = name.split()
    assert "'--nonsense'" in refused(capsys, *path, "--nonsense")
    for param in command.get_params(context):
        if param.param_type_name != "option":
            continue
        option = param.opts[0]
        if param.is_flag:
            assert f"{option} takes no value" in refused(capsys, *path, f"{option}=3")
            continue
        assert f"{option} takes " in refused(capsys, *path, option)
        kind = next((kind for kind in WRONG if kind in str(param.type_descriptor.annotation)), None)
        for value in WRONG.get(kind, ()):
            if param.max is not None or value[0:1] not in ("9", "1"):
                said = refused(capsys, *path, option, value)
                assert shell.quoted(value) in said or f"{value} is no" in said, (option, value)
        if param.type_descriptor.annotation is str and param.callback is not None:
            assert "'no such'" in refused(capsys, *path, option, "no such")


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["play", "extra", "words"], ["'extra words'", "jotto play --help"]),
        (["explain"], ["WORD is missing"]),
        (["solve", "verify"], ["FILE is missing: jotto solve verify [OPTIONS] FILE"]),
        (["words", "add"], ["WORD... is missing"]),
        (["gladiators", "play"], ["--url is missing"]),
        (["play", "--words", "nowhere.txt"], ["'nowhere.txt'", "one of: de, en, es, fr"]),
        (["play", "--tree", "nowhere.tree"], ["'nowhere.tree'", "check the name"]),
        (["play", "--words", "."], ["'.'"]),
        (["play", "--without", "ALNose"], ["'ALNose'"]),
        (["play", "--password-file", "x"], ["--robot URL"]),
        (["rehearse"], ["--secret WORD, --all, or --sample N"]),
        (["rehearse", "--secret", "oceans"], ["'oceans'"]),
        (["rehearse", "--secret", "hello"], ["'l'"]),
        (["rehearse", "--sample", "2", "--python", "nothing"], ["'nothing'"]),
        (["rehearse", "--sample", "2", "--behaviour", "no.xar"], ["no.xar"]),
        (["rehearse", "--sample", "2", "--transcripts", "/dev/null/x"], ["'/dev/null/x'", "choose another place"]),
        (["solve", "--words", "no.txt"], ["'no.txt'"]),
        (["solve", "--first", "zzzzz"], ["'zzzzz'"]),
        (["solve", "--rules", "mastermind", "--out", "/dev/null/x"], ["'/dev/null/x'", "choose another place"]),
        (["solve", "--time", "-1"], ["-1", "seconds"]),
        (["solve", "--from", "no.tree"], ["'no.tree'"]),
        (["solve", "verify", "no.tree"], ["'no.tree'"]),
        (["explain", "zzzzz"], ["'z'"]),
        (["explain", "qwxyz"], ["'qwxyz'"]),
        (["explain", "ocean", "--tree", "no.tree"], ["'no.tree'"]),
        (["bench", "--first", "zzzzz"], ["'zzzzz'"]),
        (["bench", "--picture", "x.gif"], ["'x.gif'", ".svg"]),
        (["bench", "--rules", "mastermind", "--picture", "/dev/null/x.svg"], ["'/dev/null/x.svg'"]),
        (["assist", "--turn", "ocean"], ["'ocean'", "ocean 1 2"]),
        (["assist", "--words", "no.txt"], ["'no.txt'"]),
        (["wordle", "play", "--secret", "x"], ["'x'"]),
        (["wordle", "help", "--marks", "sugar"], ["'sugar'"]),
        (["mastermind", "--secret", "XX"], ["'XX'"]),
        (["mastermind", "--letters", "AA"], ["'AA'"]),
        (["gladiators", "rehearse", "--level", "9"], ["'9'"]),
        (["gladiators", "serve", "--level", "x"], ["'x'"]),
        (["words", "check", "no.txt"], ["'no.txt'"]),
        (["words", "show", "no.txt"], ["'no.txt'"]),
        (["words", "show", "--starts", "qq"], ["'qq'"]),
        (["words", "show", "--band", "11"], ["11"]),
        (["words", "add", "x1"], ["'x1'"]),
        (["words", "build", "--out", "/dev/null"], ["'/dev/null'"]),
        (["expert", "explain", "--turn", "x"], ["'x'"]),
        (["expert", "ask", "x", "--kb", "no.dl"], ["'no.dl'"]),
        (["expert", "ask", "before("], ["before("]),
        (["expert", "serve", "--host", "nowhere.invalid"], ["nowhere.invalid"]),
        (["robot", "deploy"], ["--robot URL"]),
        (["robot", "doctor"], ["--robot URL"]),
        (["robot", "remove"], ["--robot URL"]),
        (["robot", "package", "--root", "nowhere"], ["'nowhere'"]),
        (["robot", "pull", "--xar", "no.xar"], ["'no.xar'"]),
        (["mastermind", "--host", "0.0.0.0"], ["--host", "--page"]),
        (["wordle", "play", "--visitors", "2"], ["--page"]),
        (["mastermind", "--page", "--host", "0.0.0.0"], ["0.0.0.0", "--tls-cert", "--insecure"]),
        (["wordle", "play", "--page", "--token", "short"], ["16 to 128"]),
        (["robot", "serve", "--record", "x"], ["--record", "--page"]),
        (["robot", "serve", "--page", "--visitors", "2"], ["--visitors", "jotto play --page"]),
        (["robot", "serve", "--page", "--insecure", "--host", "a b"], ["a b", "0.0.0.0"]),
        (["robot", "serve", "--without", "ALNose"], ["'ALNose'"]),
        (["robot", "serve", "--language", "Elvish"], ["'Elvish'"]),
        (["robot", "serve", "--install", "no.pkg"], ["'no.pkg'"]),
        (["robot", "serve", "--listen", "nowhere"], ["nowhere"]),
        (["robot", "doctor", "--robot", "tcp://:::"], ["tcp://:::"]),
        (["robot", "package", "--out", "/dev/null"], ["'/dev/null'"]),
    ],
)
def test_a_wrong_wish_is_quoted_and_answered(capsys, arguments, parts, tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    said = refused(capsys, *arguments)
    assert [part for part in parts if part not in said] == [], said


def test_a_folder_that_is_not_there_is_told_before_the_work(capsys, tmp_path, monkeypatch):
    live_in(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    code, _, err = jotto(capsys, "solve", "--rules", "mastermind", "--length", 2, "--out", "no/x.tree")
    assert code == 0 and err.splitlines()[0] == "The folder 'no' is not there; it will be made for 'x.tree'."


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for one in KEPT:
        file_of(one).write_text(kept(one), encoding="utf-8")
    print(f"{len(KEPT)} pages in {os.path.relpath(PAGES)}")
