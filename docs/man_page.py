"""The manual page of `jotto`, from the help of its commands: `python docs/man_page.py` writes dist/jotto.1.

`man dist/jotto.1` shows it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from jotto import __version__
from jotto_desk import files
from jotto_desk.cli import app

PAGE = Path(__file__).resolve().parents[1] / "dist" / "jotto.1"
#: Columns of the helps; man's own lines are as wide.
WIDTH = 78


def escape(text: str) -> str:
    r"""Return a text in which roff finds no commands.

    >>> escape(".xar and \\ and --help")
    '\\&.xar and \\e and \\-\\-help'
    """
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in plain.split("\n"))


def write_section(command: Any, name: str, parent: Any = None) -> Iterator[str]:
    """Yield the sections of a command and, after it, of its subcommands."""
    context = command.make_context(
        name.rpartition(" ")[2], [], parent=parent, resilient_parsing=True, terminal_width=WIDTH
    )
    yield f'.SH "{escape(name)}"\n.nf\n{escape(command.get_help(context))}\n.fi'
    for sub in command.list_commands(context) if hasattr(command, "list_commands") else ():
        _, found, _ = command.resolve_command(context, [sub])
        yield from write_section(found, f"{name} {sub}", context)


def make_page() -> str:
    """Return the page in roff."""
    head = f'.TH JOTTO 1 "" "nao\\-jotto {__version__}"\n.SH NAME\njotto \\- a NAO robot plays Jotto'
    return "\n".join([head, *write_section(typer.main.get_command(app), "jotto"), ""])


def main() -> int:
    """Write the page."""
    files.write_whole(PAGE, make_page().encode())
    print(f"Wrote {PAGE.relative_to(PAGE.parents[1])}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
