"""Where a person's lines come from: a pipe, a plain terminal, or a terminal with arrows and history."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from jotto_desk import files
from jotto_desk.errors import DeskError

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

#: So many lines are remembered from game to game, each no longer than this, in a file no larger than this.
MOST_REMEMBERED, LONGEST_REMEMBERED, LARGEST_HISTORY = 200, 200, 1 << 20

Prompt = Callable[[], Text]


class PipedLines:
    """Lines from a pipe or a file; what was typed is not on the screen yet."""

    is_terminal = False
    is_echoed = False

    def line(self, prompt: Prompt) -> str | None:
        """Take the next line; None at the end."""
        line = sys.stdin.readline() if sys.stdin is not None else ""
        return line.rstrip("\n") if line else None

    def remember(self, line: str) -> None:
        """Keep nothing for the next game: there are no arrows to find it with."""

    def refresh(self) -> None:
        """Leave the prompt as it is."""

    def interrupt(self) -> None:
        """Leave who reads to their own end."""

    def printing_meanwhile(self) -> contextlib.AbstractContextManager[object]:
        """Let others print while a line is being typed on another thread."""
        return contextlib.nullcontext()


class TerminalLines(PipedLines):
    """Lines from a terminal that can do no more: a plain one, or one whose output goes elsewhere."""

    is_terminal = True
    is_echoed = True

    def __init__(self, console: Console) -> None:
        self.console = console

    def line(self, prompt: Prompt) -> str | None:
        """Take the next line; None at the end."""
        try:
            return self.console.input(prompt())
        except EOFError:
            # The prompt is left standing.
            self.console.print()
            return None


class EditedLines(PipedLines):
    """Lines from a terminal, edited with the arrow keys, those of earlier games included.

    The line typed vanishes when it is done, so that it can be printed with its words whole.
    """

    is_terminal = True

    def __init__(self, session: PromptSession[str], remembered: list[str]) -> None:
        self.session = session
        self.remembered = remembered
        #: What was typed in this game.
        self.added: list[str] = []

    def line(self, prompt: Prompt) -> str | None:
        """Take the next line; None at the end. Raises `KeyboardInterrupt` after Ctrl-C."""
        from prompt_toolkit.formatted_text import FormattedText

        def message() -> FormattedText:
            return FormattedText(_styled(prompt()))

        try:
            return self.session.prompt(message)
        except EOFError:
            return None

    def remember(self, line: str) -> None:
        """Keep a line for the next game; within this one the arrows find every line."""
        if line.strip() and self.remembered[-1:] != [line]:
            self.remembered.append(line[:LONGEST_REMEMBERED])
            self.added.append(line[:LONGEST_REMEMBERED])

    def refresh(self) -> None:
        """Draw the prompt again."""
        self.session.app.invalidate()

    def printing_meanwhile(self) -> contextlib.AbstractContextManager[object]:
        """Let others print above the line that is being typed on another thread."""
        from prompt_toolkit.patch_stdout import patch_stdout

        return patch_stdout(raw=True)

    def interrupt(self) -> None:
        """End the line that is being typed on another thread, as if the input had ended."""
        app = self.session.app
        loop = app.loop
        if loop is not None and app.is_running:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: app.is_running and app.exit(exception=EOFError()))


def _remembered(history: Path | None) -> list[str]:
    """Read the lines of earlier games; none where they cannot be read."""
    if history is None:
        return []
    try:
        text = files.read_bounded(history, LARGEST_HISTORY, "history").decode("utf-8", "replace")
    except DeskError:
        return []
    return [line[:LONGEST_REMEMBERED] for line in text.splitlines() if line.strip()][-MOST_REMEMBERED:]


def _styled(text: Text) -> list[Any]:
    """Turn rich text into prompt_toolkit's."""
    found = []
    for segment in text.render(Console(color_system="truecolor")):
        style = segment.style
        colour = style.color.get_truecolor().hex if style and style.color else ""
        found.append((f"{colour} {'bold' if style and style.bold else ''}".strip(), segment.text))
    return found


def is_typed() -> bool:
    """Tell whether a person sits at the input."""
    return sys.stdin is not None and sys.stdin.isatty()


@contextlib.contextmanager
def line_input(console: Console, history: Path | None) -> Iterator[PipedLines]:
    """Open the input: with arrows and history where both ends are a terminal that can do it, else plain.

    What is typed is kept in the file `history`, where there is one.
    """
    if not is_typed():
        yield PipedLines()
        return
    remembered = _remembered(history)
    session = _session(remembered) if console.is_terminal and not console.is_dumb_terminal else None
    if session is None:
        yield TerminalLines(console)
        return
    editor = EditedLines(session, remembered)
    try:
        yield editor
    finally:
        if history is not None and editor.added:
            # Where they cannot be kept, they are lost: that stops no game.
            with contextlib.suppress(DeskError):
                remember_lines(history, editor.added)


def remember_lines(history: Path, added: Sequence[str]) -> None:
    """Add lines to those of earlier games, and of games played meanwhile; raises `DeskError`."""
    with files.lock_file(history):
        lines = [*_remembered(history), *added][-MOST_REMEMBERED:]
        files.write_whole(history, "".join(f"{line}\n" for line in lines))


def _session(remembered: list[str]) -> PromptSession[str] | None:
    """Set the line editor up; None on a terminal it cannot use, as a Windows shell without a console."""
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
            # A terminal that does not answer the question where the cursor is would be complained about.
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
