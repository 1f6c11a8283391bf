"""Options take texts and numbers without pydantic, and say of each value what typer alone says."""

import os
import subprocess
import sys
from typing import Annotated

import pytest
import typer
from typer.core import TyperCommand

from jotto_desk.cli.shell import take_plainly

#: Loaded when typer asks pydantic about a value.
ASKED = "typer._adapters"


def declared(
    *,
    text: str = "none",
    count: Annotated[int, typer.Option(min=0, max=999)] = 3,
    maybe: int | None = None,
    share: Annotated[float, typer.Option(max=9)] = 0.5,
    several: Annotated[list[str], typer.Option()] = (),
    path: Annotated[str, typer.Option(exists=True)] = "x",
    on: bool = False,
    loud: Annotated[str, typer.Option(callback=lambda value: value.upper())] = "low",
    held: Annotated[int, typer.Option(min=0, max=9, clamp=True)] = 1,
    hex_: Annotated[int, typer.Option("--hex", parser=lambda value: int(str(value), 16))] = 1,
):
    """Take an option of every kind."""


def taken(plainly, *options):
    """Return the values of a command line, with their types, or what is wrong with it."""
    app = typer.Typer(add_completion=False)
    app.command(cls=TyperCommand)(declared)
    command = typer.main.get_command(app)
    for param in command.params if plainly else ():
        take_plainly(param)
    try:
        values = command.make_context("it", list(options)).params
    except typer.TyperException as error:
        return type(error), error.format_message()
    return {name: (value, type(value)) for name, value in values.items()}


TYPED = [
    "",
    "5",
    "05",
    "-5",
    "+5",
    " 5",
    "5 ",
    "1_0",
    "٣",
    "5.0",
    "5.",
    ".5",
    "1e1",
    "nan",
    "inf",
    "-0",
    "1000",
    "9" * 30,
    "ocean",
    "Ünder",
    "\udcff",
    "0x5",
    "true",
    "10",
    "1.25",
    "-0.0",
]


@pytest.mark.parametrize("option", ["text", "count", "share", "several", "path", "loud", "maybe", "held", "hex"])
def test_every_value_is_what_typer_makes_of_it(option):
    for typed in TYPED:
        line = f"--{option}={typed}"
        assert repr(taken(True, line)) == repr(taken(False, line)), line
    assert taken(True) == taken(False) and taken(True, "--on") == taken(False, "--on")


@pytest.mark.parametrize("line", [["stats"], ["rehearse", "--seed", "1", "--silence", "0.5", "--help"]])
def test_plain_command_lines_ask_pydantic_nothing(line, tmp_path):
    code = (
        "import atexit, sys; from jotto_desk.cli import main; "
        f"atexit.register(lambda: print({ASKED!r} in sys.modules)); main(sys.argv[1:])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, *line],
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert answer.stdout.splitlines()[-1] == "False", answer
