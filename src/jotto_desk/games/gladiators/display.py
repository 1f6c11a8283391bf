"""The display of a campaign: a line per level on standard error, and on a terminal a progress bar of rounds."""

import sys
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import campaign
from .campaign import Event


class CampaignDisplay:
    """The display of events; `quiet` leaves out all but remarks on trouble. Standard output is left to the result."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._quiet = quiet
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("rounds"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[last]}"),
        )
        hidden = quiet or not self._console.is_terminal
        self._bar = Progress(*columns, console=self._console, transient=True, disable=hidden)
        self._task = self._bar.add_task("", total=None, last="", visible=False)

    def __enter__(self) -> "CampaignDisplay":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def remark(self, sentence: str) -> None:
        """Say what went wrong and is being mended."""
        if self._quiet:
            print(sentence, file=sys.stderr)
        else:
            self._console.print(f"  {escape(sentence)}")

    def tell(self, event: Event) -> None:
        """Show an event."""
        name = f"level {event.number}"
        level = event.level
        if event.kind == campaign.BEGUN and level is not None:
            self._bar.update(self._task, description=name, total=level.rounds, completed=0, visible=True)
            if event.text == "attempt 1":
                self._say(f"{name}: {level}")
        elif event.kind == campaign.GUESSED:
            self._bar.update(self._task, last=event.text)
        elif event.kind == campaign.ROUND_WON and level is not None and event.rounds_left is not None:
            self._bar.update(self._task, completed=max(0, level.rounds - event.rounds_left))
        elif event.kind == campaign.AGAIN:
            self.remark(f"{name} is begun again: {event.text}")
        elif event.kind == campaign.WON:
            self._bar.update(self._task, visible=False)
            self._say(f"{name}: won")
        elif event.kind == campaign.PASSED:
            self._say(f"{name}: passed over ({event.text})")

    def _say(self, line: str) -> None:
        if not self._quiet:
            self._console.print(escape(line))
