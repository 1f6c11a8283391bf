"""A progress bar on the terminal, for work that takes over a second."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Item = TypeVar("Item")


def shown(doing: str, items: Iterable[Item], total: int, least: int) -> Iterator[Item]:
    """Yield items and show a bar while they come, if there are so many: fewer are over at once."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = total < least or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(doing, total=total)
        for item in items:
            progress.advance(task)
            yield item
