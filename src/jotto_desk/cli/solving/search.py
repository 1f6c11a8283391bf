"""The search of `jotto solve`, run in the foreground."""

from ... import places, words
from ..problem_options import Chosen
from . import search_display, tree_files
from .options import SolveOptions
from .result import SearchResult


def search(chosen: Chosen, wish: SolveOptions) -> SearchResult:
    """Search in the foreground; raises `DeskError` for a wish that cannot be fulfilled."""
    from ...solver import cores as core
    from ...solver.search import run
    from ...solver.search.options import Stop

    problem, stop = chosen.problem, Stop()
    effort = wish.effort(problem, None if wish.start is None else tree_files.plan(wish.start, chosen))
    engine = core.best(remark=words.to_stderr)
    outcome, interrupted = search_display.watched(
        lambda tell: run.search(problem, engine, effort, tell, stop=stop, tables=places.cache_folder() / "tables"),
        stop, int(problem.weights.sum()))
    return SearchResult(chosen, wish, effort, engine.name, outcome, interrupted)
