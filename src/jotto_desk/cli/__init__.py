"""The command line `jotto`: one sub-command per module, imported when it is used."""

import atexit
import contextlib
import importlib
import io
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from jotto import __version__
from jotto.rules import JottoError
from jotto_desk.cli import shell
from jotto_desk.errors import DeskError, MissingExtra, replace_controls

__all__ = ["main"]

#: The exit code after Ctrl-C.
INTERRUPTED = 130

#: The commands with their help texts; each has its name's module in this package.
COMMANDS = {
    "play": "Play Jotto with a simulated NAO.",
    "site": "Write the site on which NAO plays in any browser.",
    "stats": "Show statistics of your games: averages, best, streaks.",
    "replay": "Replay a transcript, or a game that NAO saved.",
    "rehearse": "Let a simulated person play one game or a thousand.",
    "voice": "Measure and tune speech recognition.",
    "mastermind": "Guess a code of colours, or let the computer guess yours.",
    "wordle": "Get help with a Wordle, play one, or have one solved.",
    "assist": "Get help with a game played elsewhere: words left, next guess, wrong answers.",
    "solve": "Find the best decision tree of a game or a word list.",
    "explain": "Show the guesses that find a word, and the reason for each.",
    "bench": "Measure strategies over every secret of a game.",
    "gladiators": "Win or practise the challenge of gladiators and weapons.",
    "expert": "Use an assistant that explains its reasoning, as a service or here.",
    "words": "Build, check, show and extend word lists.",
    "robot": "Install the game on a NAO, check it, run a simulated NAO, edit the boxes.",
}


class _Lazy(shell.CommandGroup):
    """Commands that are imported when they run, so that `jotto --help` and Tab answer immediately."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = {name: shell.Command(name=name, help=text) for name, text in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that is called."""
        name, placeholder, rest = super().resolve_command(ctx, args)
        return name, placeholder and import_command(str(placeholder.name)), rest


def import_command(name: str) -> Any:
    """Import a command."""
    module: Any = importlib.import_module(f"{__name__}.{name}")
    command = typer.main.get_command(module.app)
    command.name = name
    command.help = command.help or COMMANDS[name]
    return command


_EXAMPLES = shell.examples(
    "jotto play",
    "jotto play --help",
    "jotto --install-completion     (Tab completes commands, options and values: bash, zsh, fish)",
)
app = shell.CommandLine(
    cls=_Lazy,
    no_args_is_help=True,
    add_completion=True,
    epilog=_EXAMPLES,
    help="A NAO robot that plays Jotto by voice, and a simulated NAO that runs the same behaviour. "
    "In a checkout, README.md and docs/ explain each command.",
)


@app.callback(cls=_Lazy, invoke_without_command=True, epilog=_EXAMPLES)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def _complain(sentence: str) -> None:
    """Print an error without control characters, which quoted names can have."""
    print("\n".join(map(replace_controls, sentence.split("\n"))), file=sys.stderr)


def _explain_extra(extra: str) -> str:
    from naosim.errors import install_command

    sources = Path(__file__).resolve().parents[3]
    return f"; install it with: {install_command(extra, 'nao-jotto', str(sources))}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: exit code 2 and one sentence for bad input, 130 after Ctrl-C."""
    try:
        _run(arguments)
    except SystemExit as end:
        if arguments is None and ("qi" in sys.modules or threading.active_count() == 1):
            _leave(end.code if isinstance(end.code, int) else 0)
        raise


def _run(arguments: Sequence[str] | None) -> None:
    _bear_any_text()
    try:
        code = app(args=None if arguments is None else list(arguments), prog_name="jotto", standalone_mode=False)
        _flush()
        if code == INTERRUPTED:
            # Typer ends quietly after Ctrl-C.
            raise KeyboardInterrupt
        sys.exit(code if isinstance(code, int) else 0)
    except typer.TyperException as error:
        _complain(shell.describe_usage_error(error))
        sys.exit(2)
    except (DeskError, JottoError) as error:
        _complain(str(error) + (_explain_extra(error.extra) if isinstance(error, MissingExtra) else ""))
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        print("\nStopped.", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The program that read the output has ended.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        place = f"'{error.filename}'" if error.filename else "The output"
        _complain(f"{place} cannot be used ({(error.strerror or str(error)).lower()}).")
        sys.exit(2)


def _leave(code: int) -> None:
    """End the process immediately, after its exit functions.

    Python would first take every module apart, for as long as bare Python takes to start, or several times as long.
    Threads of libqi let go of Python's objects when they come to it; one that does meanwhile would abort the process.
    """
    with contextlib.suppress(OSError, ValueError):
        _flush()
        if sys.stderr is not None:
            sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(code)


def _bear_any_text() -> None:
    """Show `?` for characters that the terminal lacks, and accept input that is not text."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    # A full disk must raise here, not while Python shuts down.
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Discard the rest of the output, so that Python ends without an error message."""
    if sys.stdout is sys.__stdout__ and sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
