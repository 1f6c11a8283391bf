"""Lines a person types and reads, on a terminal or through a pipe."""

import sys

from rich.console import Console, RenderableType
from rich.text import Text

from .. import sheet

#: More of a line is not read.
MOST_TYPED = 10_000


class Terminal:
    """Output and input, line by line; `alive` where a person sits at a terminal."""

    def __init__(self, screen: Console | None = None) -> None:
        self.screen = screen or sheet.screen()
        self.alive = sys.stdin is not None and sys.stdin.isatty()

    def say(self, line: str, style: str = "") -> None:
        """Print one line; a terminal that is too narrow for it gets several, broken between words."""
        self.screen.print(Text(line, style=style))

    def show(self, thing: RenderableType) -> None:
        """Print a table, a grid or coloured text."""
        self.screen.print(thing)

    def hear(self) -> str | None:
        """Take the next line, without blanks around it; None at the end of input.

        What comes through a pipe is printed again, so that the transcript is whole.
        """
        if self.alive:
            try:
                return self.screen.input(Text("> ", style="bold green")).strip()[:MOST_TYPED]
            except EOFError:
                return None
        typed = self.quietly()
        if typed is not None:
            self.say(f"> {typed[:200]}", "green")
        return typed

    def quietly(self) -> str | None:
        """Take the next line without a prompt and without printing it; None at the end of input."""
        line = sys.stdin.readline(MOST_TYPED) if sys.stdin is not None else ""
        return line.strip() if line else None

    def ask(self, question: str) -> str | None:
        """Print a question and take the answer."""
        self.say(question)
        return self.hear()
