"""The display of a search: its progress on the terminal, and Ctrl-C that takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..termination import BLINK, begun

if TYPE_CHECKING:
    from jotto_desk.solver.beam import OnProgress, SearchOutcome, SearchState, StopSignal

#: What people call the stages of a search.
STAGES = {
    "beam": "a good tree",
    "early": "a tree of familiar words",
    "risk": "what can be found in time",
    "improve": "improving the tree",
    "bounds": "how good it could be",
    "proof": "the best tree",
}


def watched(search: Callable[[OnProgress], SearchOutcome], stop: StopSignal, weight: int) -> tuple[SearchOutcome, bool]:
    """Run a search, showing where it stands; True when a person ended it with Ctrl-C, and the best so far came back.

    `weight` is that of all secrets: costs are shown per secret. A second Ctrl-C ends it without a result.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("setting out", total=None, figures="")

        def tell(state: SearchState) -> None:
            stage, _, rest = state.stage.partition(" ")
            progress.update(
                task,
                description=f"{STAGES.get(stage, stage)} {rest}".strip(),
                completed=state.done,
                total=state.of,
                figures=figures(state, weight),
            )

        return _by_hand(lambda: search(tell), stop)


def figures(state: SearchState, weight: int) -> str:
    """Say the best so far, the bound, and the gap between them in percent."""
    best = f"best {state.best / weight:.4f}"
    if state.bound <= 0:
        return best
    return f"{best}, bound {state.bound / weight:.4f}, gap {state.best / state.bound - 1:.1%}"


def _by_hand(work: Callable[[], SearchOutcome], stop: StopSignal) -> tuple[SearchOutcome, bool]:
    """Work until it is done, or as long as the search takes to come back once Ctrl-C was pressed."""
    result, interrupted = begun(work), False
    while True:
        try:
            if wait([result], BLINK).done:
                return result.result(), interrupted
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            stop.request()
