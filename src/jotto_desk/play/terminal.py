"""The terminal of a game: the board, the screen, and the input of lines."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from jotto.words import capitalise_word
from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.history import (
    GuessBoard,
    Letters,
    Translated,
    count_letters,
    describe_left,
    describe_score,
    fill_english,
)

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

# The board.

#: Styles of the signs: blue and orange are different for colour-blind people, and readable on dark and on light.
IN_PLACE = "bold #3b94d9"
_ELSEWHERE = "#d07c00"
_NEITHER = "dim"
#: The signs of a score, in the order of `count_letters`; the plain ones are for an output without Unicode.
_SIGNS = ("\u25a0", "\u25a1", "\u00b7")
_PLAIN_SIGNS = ("X", "o", ".")

#: The beginning of a line, and the rest, which is wrapped next to it.
Line = tuple[Text, Text]
EMPTY_LINE = Text()


def draw_board(
    boards: Sequence[GuessBoard], encoding: str = "utf-8", texts: Translated = fill_english
) -> Iterator[Line]:
    """Draw boards line by line.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import make_game_board
    >>> played = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2)).ask("table")
    >>> for head, body in draw_board([make_game_board(played)]): print(head.plain + body.plain)
    NAO's guesses
     1 FJORD  ■□□··  1 in the right place, 2 in the wrong place
     2 TABLE         waiting
    open  A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
    """
    for place, board in enumerate(boards):
        if place:
            yield EMPTY_LINE, EMPTY_LINE
        yield Text(texts(board.title), style="bold"), EMPTY_LINE
        if not board.rows:
            yield Text("   "), Text(texts("none yet"), style="dim")
        yield from _draw_guesses(board, 0, encoding, texts)
        if board.letters is not None:
            yield from _draw_letters(board.letters, texts)
        yield from _draw_ending(board, texts)


def draw_board_changes(
    before: GuessBoard, after: GuessBoard, encoding: str = "utf-8", texts: Translated = fill_english
) -> Iterator[Line]:
    """Draw only the news on a board: guesses, letters that are certain now, the word.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import make_game_board
    >>> first = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2))
    >>> second = first.ask("chimp").answer((0, 0))
    >>> for head, body in draw_board_changes(*map(make_game_board, (first, second))): print(head.plain + body.plain)
     2 CHIMP  ·····  none
    out   C H I M P
    """
    yield from _draw_guesses(after, len(before.rows), encoding, texts)
    if after.letters is not None and before.letters is not None:
        yield from _draw_letters(after.letters.find_new(before.letters), texts)
    yield from _draw_ending(after, texts)


def _draw_guesses(board: GuessBoard, first: int, encoding: str, texts: Translated) -> Iterator[Line]:
    """Draw the guesses and their scores, without the first ones."""
    signs = _SIGNS if _has(encoding, _SIGNS) else _PLAIN_SIGNS
    for number, (guess, feedback) in enumerate(board.rows[first:], start=first + 1):
        head = Text.assemble((f"{number:2} ", "dim"), (f"{board.capitalise(guess):{len(guess)}}  ", "bold"))
        said = Text(describe_score(feedback, len(guess), texts), style="dim" if feedback is None else "")
        yield Text.assemble(head, _list_signs(feedback, len(guess), signs), "  "), said


def _draw_ending(board: GuessBoard, texts: Translated) -> Iterator[Line]:
    """Draw the word of a lost game, or the number of words that still fit."""
    if board.word and not board.is_solved:
        yield EMPTY_LINE, Text(texts("The word was {word}.", word=board.capitalise(board.word)))
    if board.left is not None and not board.is_solved:
        yield EMPTY_LINE, Text(describe_left(board.left, texts), style="dim")


def _list_signs(feedback: Sequence[int] | None, length: int, signs: Sequence[str]) -> Text:
    shown = Text()
    if feedback is None:
        return Text(" " * length)
    styles = (IN_PLACE, _ELSEWHERE, _NEITHER)
    for sign, count, style in zip(signs, count_letters(feedback, length), styles, strict=True):
        shown.append(sign * count, style=style)
    return shown


def _draw_letters(letters: Letters, texts: Translated) -> Iterator[Line]:
    rows = (
        (texts("in"), letters.inside, IN_PLACE),
        (texts("out"), letters.outside, _NEITHER),
        (texts("open"), letters.open, ""),
        (texts("place"), letters.places, IN_PLACE),
    )
    width = max(len(name) for name, _, _ in rows)
    for name, found, style in rows:
        if found:
            yield Text(f"{name:{width}} ", style="dim"), Text(" ".join(capitalise_word(found)), style=style)


def _has(encoding: str, signs: Sequence[str]) -> bool:
    """Return whether an output in this encoding can show the signs."""
    try:
        "".join(signs).encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


# The screen.

#: On a narrower screen, wrapped lines are not indented, as few words would fit next to the indent.
_MIN_WIDTH = 36


class GameScreen:
    """The screen of a game; with `wraps`, for terminals, it wraps long sentences below their first word.

    >>> screen = GameScreen(Console(width=36, color_system=None), wraps=True)
    >>> screen.print_nao("Hi there! Time for a game of Jotto.", "#ffffff")
    ● NAO  Hi there! Time for a game of
           Jotto.
    """

    def __init__(self, console: Console, wraps: bool, texts: Translated = fill_english) -> None:
        self.console = console
        self.wraps = wraps
        #: The texts of the screen in the language of the game.
        self.texts = texts
        self._is_blank = False

    def print_nao(self, text: str, eyes: str) -> None:
        """Print a sentence of NAO with a dot in the colour of its eyes."""
        self.print_line(Text.assemble(("● ", eyes), ("NAO  ", "bold")), Text(text))

    def print_person(self, text: str, eyes: str) -> None:
        """Print a line of the person."""
        shown = "".join(letter if letter.isprintable() else " " for letter in text)
        self.print_line(self.prompt(eyes), Text(shown))

    def prompt(self, eyes: str) -> Text:
        """Return the beginning of the person's lines."""
        you = self.texts("you")
        return Text.assemble(("● ", eyes), (f"{you:3}  ", "bold green"))

    def make_next_prompt(self) -> Text:
        """Return the prompt for pressing Enter."""
        return Text("> ", style="bold green")

    def remark(self, text: str, style: str = "dim") -> None:
        """Print a remark."""
        self.print_line(EMPTY_LINE, Text(text, style=style))

    def print_markup(self, text: str) -> None:
        """Print a text in rich's markup, and an empty line."""
        for line in text.splitlines():
            self.print_line(EMPTY_LINE, Text.from_markup(line))
        self.print_blank()

    def print_blank(self) -> None:
        """Print an empty line, unless the last line is empty."""
        if not self._is_blank:
            self.console.print()
        self._is_blank = True

    def print_boards(self, boards: Sequence[GuessBoard]) -> None:
        """Print boards with empty lines around them."""
        self.block(draw_board(boards, self.console.encoding, self.texts))

    def print_groups(self, title: str, groups: Sequence[tuple[str, str]]) -> None:
        """Print a title and below it texts with headings."""
        width = max((len(heading) for heading, _ in groups), default=0)
        lines = ((Text(f"{heading:{width}}  ", style="bold"), Text(text)) for heading, text in groups)
        self.block([(EMPTY_LINE, Text(title, style="dim")), *lines])

    def block(self, lines: Iterable[Line]) -> None:
        """Print lines with empty lines around them."""
        self.print_blank()
        for head, body in lines:
            self.print_line(head, body)
        self.print_blank()

    def print_line(self, head: Text, body: Text) -> None:
        """Print one line; if it is too long, it continues below the beginning of `body`."""
        self._is_blank = False
        if not self.wraps:
            self.console.print(Text.assemble(head, body), soft_wrap=True)
            return
        width = self._measure_width()
        if width < _MIN_WIDTH:
            head, body = EMPTY_LINE, Text.assemble(head, body)
        indent = head.cell_len
        lines = body.wrap(self.console, width - indent) or [EMPTY_LINE]
        for number, part in enumerate(lines):
            part.rstrip()
            self.console.print(Text.assemble(" " * indent if number else head, part), soft_wrap=True)

    def _measure_width(self) -> int:
        # Rich assumes 80 columns for every plain terminal.
        plain = self.console.is_dumb_terminal
        return max(shutil.get_terminal_size().columns if plain else self.console.width, 1)


# Input of lines from a pipe, a plain terminal, or a terminal with arrow keys and history.

#: The most lines that are stored for the next game.
MAX_REMEMBERED_LINES = 200
#: The most characters of a stored line.
MAX_REMEMBERED_LENGTH = 200
#: The largest history file that is read.
_MAX_HISTORY_BYTES = 1 << 20

Prompt = Callable[[], Text]


class PipedLines:
    """Lines from a pipe or a file, which are not on the screen yet."""

    is_terminal = False
    is_echoed = False

    def line(self, prompt: Prompt) -> str | None:
        """Return the next line; None at the end."""
        line = sys.stdin.readline() if sys.stdin is not None else ""
        return line.rstrip("\n") if line else None

    def remember(self, line: str) -> None:
        """Nothing to do: a terminal without arrow keys has no history."""

    def refresh(self) -> None:
        """Nothing to do: there is no prompt."""

    def interrupt(self) -> None:
        """Nothing to do: a pipe cannot be interrupted."""

    def allow_printing(self) -> contextlib.AbstractContextManager[object]:
        """Allow printing while another thread reads a line."""
        return contextlib.nullcontext()


class TerminalLines(PipedLines):
    """Lines from a plain terminal, or from one whose output is redirected."""

    is_terminal = True
    is_echoed = True

    def __init__(self, console: Console) -> None:
        self.console = console

    def line(self, prompt: Prompt) -> str | None:
        """Return the next line; None at the end."""
        try:
            return self.console.input(prompt())
        except EOFError:
            # End the line of the prompt.
            self.console.print()
            return None


class EditedLines(PipedLines):
    """Lines from a terminal with arrow keys and a history of earlier games.

    A finished line is erased, so that the screen can print and wrap it.
    """

    is_terminal = True

    def __init__(self, session: PromptSession[str], remembered: list[str]) -> None:
        self.session = session
        self.remembered = remembered
        #: The lines of this game.
        self.added: list[str] = []

    def line(self, prompt: Prompt) -> str | None:
        """Return the next line; None at the end. Raises `KeyboardInterrupt` after Ctrl-C."""
        from prompt_toolkit.formatted_text import FormattedText

        def message() -> FormattedText:
            return FormattedText(_convert_text(prompt()))

        try:
            return self.session.prompt(message)
        except EOFError:
            return None

    def remember(self, line: str) -> None:
        """Store a line for the next game."""
        if line.strip() and self.remembered[-1:] != [line]:
            self.remembered.append(line[:MAX_REMEMBERED_LENGTH])
            self.added.append(line[:MAX_REMEMBERED_LENGTH])

    def refresh(self) -> None:
        """Draw the prompt again."""
        self.session.app.invalidate()

    def allow_printing(self) -> contextlib.AbstractContextManager[object]:
        """Allow printing above the line that another thread reads."""
        from prompt_toolkit.patch_stdout import patch_stdout

        return patch_stdout(raw=True)

    def interrupt(self) -> None:
        """End the line that another thread reads, as if the input had ended."""
        app = self.session.app
        loop = app.loop
        if loop is not None and app.is_running:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: app.is_running and app.exit(exception=EOFError()))


def _load_earlier_lines(history: Path | None) -> list[str]:
    """Return the lines of earlier games; an empty list if they cannot be read."""
    if history is None:
        return []
    try:
        text = files.read_bounded(history, _MAX_HISTORY_BYTES, "history").decode("utf-8", "replace")
    except DeskError:
        return []
    return [line[:MAX_REMEMBERED_LENGTH] for line in text.splitlines() if line.strip()][-MAX_REMEMBERED_LINES:]


def _convert_text(text: Text) -> list[Any]:
    """Return rich text in prompt_toolkit's form."""
    found = []
    for segment in text.render(Console(color_system="truecolor")):
        style = segment.style
        colour = style.color.get_truecolor().hex if style and style.color else ""
        found.append((f"{colour} {'bold' if style and style.bold else ''}".strip(), segment.text))
    return found


def is_typed() -> bool:
    """Return whether the input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


@contextlib.contextmanager
def open_line_input(console: Console, history: Path | None) -> Iterator[PipedLines]:
    """Open the input, with arrow keys and history if input and output are a capable terminal.

    The lines are stored in the file `history` unless it is None.
    """
    if not is_typed():
        yield PipedLines()
        return
    remembered = _load_earlier_lines(history)
    session = _make_editor(remembered) if console.is_terminal and not console.is_dumb_terminal else None
    if session is None:
        yield TerminalLines(console)
        return
    editor = EditedLines(session, remembered)
    try:
        yield editor
    finally:
        if history is not None and editor.added:
            # A history that cannot be written must not stop the game.
            with contextlib.suppress(DeskError):
                remember_lines(history, editor.added)


def remember_lines(history: Path, added: Sequence[str]) -> None:
    """Add lines to the history file, which other games might have changed; raises `DeskError`."""
    with files.lock_file(history):
        lines = [*_load_earlier_lines(history), *added][-MAX_REMEMBERED_LINES:]
        files.write_whole(history, "".join(f"{line}\n" for line in lines))


def _make_editor(remembered: list[str]) -> PromptSession[str] | None:
    """Make the line editor; None if the terminal cannot run it, such as a Windows shell without a console."""
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.application import get_app_session
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output.vt100 import Vt100_Output
    except ImportError:
        return None
    try:
        output = get_app_session().output
        if isinstance(output, Vt100_Output):
            # Else prompt_toolkit warns on a terminal that does not report the place of the cursor.
            output.enable_cpr = False
        return PromptSession(
            output=output,
            history=InMemoryHistory(remembered),
            erase_when_done=True,
            wrap_lines=False,
            enable_suspend=os.name == "posix",
        )
    except Exception:
        # The terminal cannot run the editor: read plain lines instead.
        return None


# Input of lines for commands that do other things meanwhile.

#: The most bytes of a line.
LONGEST_LINE = 4000
#: The bytes that are read at a time.
_CHUNK = 65536


class TypedLines:
    """Standard input line by line without blocking: a terminal, a pipe, or nothing."""

    def __init__(self) -> None:
        self._rest = b""
        self.has_ended = False
        try:
            self._input = os.dup(sys.stdin.fileno())
        except (AttributeError, OSError, ValueError):
            self._input = -1
            self.has_ended = True
        self.is_terminal = self._input >= 0 and os.isatty(self._input)
        # On Windows, select waits only for sockets, and programs do not run in the background.
        self._chunks = _Chunks(self._input) if self._input >= 0 and not hasattr(os, "getpgrp") else None

    def close(self) -> None:
        """Close the input."""
        if self._input >= 0 and self._chunks is None:
            os.close(self._input)

    def take_lines(self, seconds: float) -> list[str]:
        """Return the lines that come within `seconds` seconds; a line that is too long counts as two."""
        if self.has_ended or not self._is_ours():
            time.sleep(seconds)
            return []
        chunk = self._take_chunk(seconds)
        if chunk is None:
            return []
        self.has_ended = not chunk
        lines = (self._rest + chunk).split(b"\n")
        self._rest = b"" if self.has_ended else lines.pop()
        if len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        return [line.decode("utf-8", "replace").strip() for line in lines]

    def _take_chunk(self, seconds: float) -> bytes | None:
        """Return the bytes that come within `seconds` seconds; b"" at the end of the input, None if none came."""
        if self._chunks is not None:
            return self._chunks.next(seconds)
        return os.read(self._input, _CHUNK) if select.select([self._input], [], [], seconds)[0] else None

    def _is_ours(self) -> bool:
        """Return whether the input can be read: the system stops a process that reads a terminal in the background."""
        try:
            return not self.is_terminal or self._chunks is not None or os.tcgetpgrp(self._input) == os.getpgrp()
        except OSError:
            return True


class _Chunks:
    """Input that another thread reads; the thread stays when the input is closed, as a read cannot be interrupted."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._read: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._collect, name="jotto-input", daemon=True).start()

    def _collect(self) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(self._source, _CHUNK)
            except OSError:
                chunk = b""
            self._read.put(chunk)

    def next(self, seconds: float) -> bytes | None:
        """Return the bytes that come within `seconds` seconds; None if none came."""
        try:
            return self._read.get(timeout=seconds)
        except queue.Empty:
            return None
