"""Tables that fit a terminal, the lines that a person types and reads there, and the end of commands by Ctrl-C.

A table keeps names and figures whole, folds lists between words, and leaves out a column that has no room.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from typing import Any, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from jotto_desk.errors import DeskError, replace_controls

# Widths in cells.
_MAX_BAR_WIDTH = 40
_MIN_BAR_WIDTH = 8
#: A column of names that folds does not get narrower.
_MIN_NAME_WIDTH = 8
#: The line and the blanks of a column.
_COLUMN_FRAME_WIDTH = 3
#: The right edge of a table.
_EDGE_WIDTH = 1
#: The style of a table that is too wide with lines.
_FRAMELESS_STYLE: dict[str, Any] = {"box": None, "pad_edge": False, "padding": (0, 1, 0, 0)}


class Column(NamedTuple):
    """A column of figures, or of texts if `is_text`. If it `folds`, a cell can have several lines.

    If the screen is too narrow, the column that `leaves` first (1, then 2 and so on) is left out; 0 always stays. A
    column that folds leaves before it gets narrower than `least`.
    """

    heading: str
    is_text: bool = False
    folds: bool = False
    leaves: int = 0
    least: int = 0


#: Smaller shares have no bar.
_LEAST_SHARE = 0.0005


class Bar(float):
    """A cell that shows a share from 0 to 1 as a bar."""


class FittedTable:
    """A table that fits the width of the terminal; empty columns are not shown."""

    def __init__(self, title: str, *columns: Column) -> None:
        self.title, self.columns = title, columns
        self.rows: list[tuple[str | Bar, ...]] = []

    def add(self, *cells: str | Bar) -> None:
        """Add a row with a cell for each column."""
        self.rows.append(tuple(cell if isinstance(cell, Bar) else replace_controls(cell) for cell in cells))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.fit(options.max_width)

    def fit(self, width: int) -> Table:
        """Return the table for a screen of `width` characters."""
        places = range(len(self.columns))
        filled = [place for place in places if not self.rows or any(row[place] != "" for row in self.rows)]
        shown = [place for place in filled if not self.columns[place].leaves]
        # Columns that leave last come first; if one has no room, a narrower one may still have it.
        for place in sorted(set(filled) - set(shown), key=lambda place: -self.columns[place].leaves):
            if self._fits([*shown, place], width):
                shown = sorted([*shown, place])
        is_framed = self._fits(shown, width)
        widths = self._choose_widths(shown, width - (_draw_frame(shown) if is_framed else len(shown) - 1))
        return self._draw(widths, [place for place in filled if place not in shown], is_framed)

    def _fits(self, shown: Sequence[int], width: int) -> bool:
        return _draw_frame(shown) + sum(map(self._measure_least, shown)) <= width

    def _measure_least(self, place: int) -> int:
        """Return the least width of a column that keeps everything in it whole."""
        column, cells = self.columns[place], self._list_texts(place)
        words = [word for text in (column.heading, *(cells if column.folds else [])) for word in text.split()]
        shortest = _MIN_BAR_WIDTH if len(cells) < len(self.rows) else 1
        return max(shortest, column.least, *map(cell_len, words if column.folds else [*words, *cells]))

    def _measure_natural(self, place: int) -> int:
        """Return the width that a column would have with enough room."""
        cells = self._list_texts(place)
        longest = _MAX_BAR_WIDTH if len(cells) < len(self.rows) else 1
        return max(longest, *map(cell_len, (self.columns[place].heading, *cells)))

    def _list_texts(self, place: int) -> list[str]:
        return [str(row[place]) for row in self.rows if not isinstance(row[place], Bar)]

    def _choose_widths(self, shown: Sequence[int], width: int) -> dict[int, int]:
        """Return the widths of columns: first folding columns and bars grow, then headings."""
        widths = {place: min(self._measure_least(place), self._measure_natural(place)) for place in shown}
        rest = width - sum(widths.values())
        for place in shown:
            # A name might be longer than the screen is wide.
            if rest < 0 and self.columns[place].folds:
                narrower = max(min(_MIN_NAME_WIDTH, widths[place]), widths[place] + rest)
                rest, widths[place] = rest + widths[place] - narrower, narrower
        bars = {place for place in shown if any(isinstance(row[place], Bar) for row in self.rows)}
        for growing in ([place for place in shown if self.columns[place].folds or place in bars], shown):
            wants = {place: self._measure_natural(place) - widths[place] for place in growing}
            while rest > 0 and any(wants.values()):
                place = max(wants, key=lambda one: (wants[one], -one))
                widths[place], wants[place], rest = widths[place] + 1, wants[place] - 1, rest - 1
        return widths

    def _draw(self, widths: dict[int, int], left_out: Sequence[int], is_framed: bool) -> Table:
        names = ", ".join(self.columns[place].heading for place in left_out)
        table = Table(
            title=Text(self.title) if self.title else None,
            title_justify="left",
            caption_justify="left",
            caption=f"No room here for: {names}; --json has all." if left_out else None,
            **({} if is_framed else _FRAMELESS_STYLE),
        )
        for place, width in widths.items():
            column = self.columns[place]
            justify: JustifyMethod = "left" if column.is_text else "right"
            table.add_column(Text(column.heading), justify=justify, overflow="fold", width=width)
        for row in self.rows:
            table.add_row(*(_format_cell(row[place], width) for place, width in widths.items()))
        return table


def _draw_frame(shown: Sequence[int]) -> int:
    return _COLUMN_FRAME_WIDTH * len(shown) + _EDGE_WIDTH


def _format_cell(cell: str | Bar, width: int) -> Text:
    if not isinstance(cell, Bar):
        return Text(cell)
    # A share that is printed as 0.0 % has no bar.
    return Text("█" * (max(1, round(width * cell)) if cell >= _LEAST_SHARE else 0))


def make_console() -> Console:
    """Return a console for standard output, which wraps sentences only on a terminal."""
    console = Console(highlight=False)
    console.soft_wrap = not console.is_terminal
    return console


# Lines.

#: Longest part of a typed line that is read, in characters.
_MAX_LINE_LENGTH = 10_000


class Terminal:
    """Output and input, line by line; `alive` if the input is a terminal."""

    def __init__(self, screen: Console | None = None) -> None:
        self.screen = screen or make_console()
        self.alive = sys.stdin is not None and sys.stdin.isatty()

    def say(self, line: str, style: str = "") -> None:
        """Print one line, wrapped between words."""
        self.screen.print(Text(line, style=style))

    def show(self, thing: RenderableType) -> None:
        """Print a table, a grid or coloured text."""
        self.screen.print(thing)

    def hear(self) -> str | None:
        """Return the next typed line without blanks around it; None at the end of input.

        A line from a pipe is printed, so that the output shows the whole game.
        """
        if self.alive:
            try:
                return self.screen.input(Text("> ", style="bold green")).strip()[:_MAX_LINE_LENGTH]
            except EOFError:
                return None
        typed = self.read_quietly()
        if typed is not None:
            self.say(f"> {typed[:200]}", "green")
        return typed

    def read_quietly(self) -> str | None:
        """Return the next line without a prompt and without printing it; None at the end of input."""
        line = sys.stdin.readline(_MAX_LINE_LENGTH) if sys.stdin is not None else ""
        return line.strip() if line else None

    def ask(self, question: str) -> str | None:
        """Print a question and return the answer."""
        self.say(question)
        return self.hear()


# The orderly end of commands that run for long.

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Seconds between two checks for Ctrl-C: the system may wake another thread with it instead of the main one.
CHECK_INTERVAL_S = 0.2


@contextlib.contextmanager
def wait_for_end() -> Iterator[threading.Event]:
    """Yield an event that is set when the process gets SIGTERM; Ctrl-C still raises KeyboardInterrupt."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        yield ended
    finally:
        signal.signal(signal.SIGTERM, before)


def run_interruptible(work: Callable[[], Result]) -> Result:
    """Return the result of `work`; Ctrl-C ends the wait for it immediately, even in the C core.

    The work then ends with the process.
    """
    result = start_work(work)
    while not wait([result], CHECK_INTERVAL_S).done:
        pass
    return result.result()


def start_work(work: Callable[[], Result]) -> Future[Result]:
    """Start work on a thread: on the main thread, Ctrl-C would wait for the C core to return."""
    result: Future[Result] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return result


def gather(items: Iterable[Item]) -> tuple[list[Item], BaseException | None]:
    """Collect items until Ctrl-C or a `DeskError`; return them, and the exception or None.

    The caller reports the items, then raises the exception. A `DeskError` before the first item is raised immediately.
    """
    found: list[Item] = []
    try:
        for item in items:
            found.append(item)
    except KeyboardInterrupt as end:
        return found, end
    except DeskError as end:
        if not found:
            raise
        return found, end
    return found, None
