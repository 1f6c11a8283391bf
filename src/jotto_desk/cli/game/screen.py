"""The screen of a game: no word is broken, and the further lines of a sentence stand below its first word."""

import shutil
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from jotto_desk.history import GuessBoard
from naosim_live.page.texts import ENGLISH, Texts

from .board import NOTHING, Line, drawn

#: On a narrower screen further lines begin at the edge, or few words would stand beside what stands before them.
NARROWEST = 36


class GameScreen:
    """Print what NAO and the player say; wrap long sentences only where `wraps` is set, which is for terminals.

    >>> screen = GameScreen(Console(width=36, color_system=None), wraps=True)
    >>> screen.nao("Hi there! Time for a game of Jotto.", "#ffffff")
    ● NAO  Hi there! Time for a game of
           Jotto.
    """

    def __init__(self, console: Console, wraps: bool, texts: Texts = ENGLISH) -> None:
        self.console = console
        self.wraps = wraps
        #: What is said here besides what NAO says, in the language of the game.
        self.texts = texts
        self._is_blank = False

    def nao(self, text: str, eyes: str) -> None:
        """Print what NAO says, with a dot in the colour of its eyes."""
        self.line(Text.assemble(("● ", eyes), ("NAO  ", "bold")), Text(text))

    def you(self, text: str, eyes: str) -> None:
        """Print what the person says."""
        shown = "".join(letter if letter.isprintable() else " " for letter in text)
        self.line(self.prompt(eyes), Text(shown))

    def prompt(self, eyes: str) -> Text:
        """Return what stands before the person's lines."""
        you = self.texts("you")
        return Text.assemble(("● ", eyes), (f"{you:3}  ", "bold green"))

    def next_prompt(self) -> Text:
        """Return what stands where Enter is waited for."""
        return Text("> ", style="bold green")

    def remark(self, text: str, style: str = "dim") -> None:
        """Print what neither of them says."""
        self.line(NOTHING, Text(text, style=style))

    def markup(self, text: str) -> None:
        """Print a text with marks for bold, an empty line below it."""
        for line in text.splitlines():
            self.line(NOTHING, Text.from_markup(line))
        self.blank()

    def blank(self) -> None:
        """Print an empty line, unless the last one is."""
        if not self._is_blank:
            self.console.print()
        self._is_blank = True

    def board(self, boards: Sequence[GuessBoard]) -> None:
        """Print the board, with empty lines around it."""
        self.block(drawn(boards, self.console.encoding, self.texts))

    def groups(self, title: str, groups: Sequence[tuple[str, str]]) -> None:
        """Print a title, and texts below it, each behind its heading."""
        width = max((len(heading) for heading, _ in groups), default=0)
        lines = ((Text(f"{heading:{width}}  ", style="bold"), Text(text)) for heading, text in groups)
        self.block([(NOTHING, Text(title, style="dim")), *lines])

    def block(self, lines: Iterable[Line]) -> None:
        """Print lines with empty lines around them."""
        self.blank()
        for head, body in lines:
            self.line(head, body)
        self.blank()

    def line(self, head: Text, body: Text) -> None:
        """Print one line; where it is too long, its further lines stand below the beginning of `body`."""
        self._is_blank = False
        if not self.wraps:
            self.console.print(Text.assemble(head, body), soft_wrap=True)
            return
        width = self._width()
        if width < NARROWEST:
            head, body = NOTHING, Text.assemble(head, body)
        indent = head.cell_len
        lines = body.wrap(self.console, width - indent) or [NOTHING]
        for number, part in enumerate(lines):
            part.rstrip()
            self.console.print(Text.assemble(" " * indent if number else head, part), soft_wrap=True)

    def _width(self) -> int:
        # Rich takes every plain terminal for one of 80 columns.
        plain = self.console.is_dumb_terminal
        return max(shutil.get_terminal_size().columns if plain else self.console.width, 1)
