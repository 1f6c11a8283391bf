"""The search of `jotto solve`, run in the foreground."""

from ... import places, words
from ..problem_options import Chosen
from . import search_display, tree_files
from .options import SolveOptions
from .result import SearchResult

TRUST = (
    "Dask has no login and exchanges pickles, which can run anything: keep such a cluster among machines and "
    "people you trust, or use tls:// with --cluster-tls."
)


def search(chosen: Chosen, options: SolveOptions) -> SearchResult:
    """Search in the foreground; raises `DeskError` for options that cannot be fulfilled."""
    from ...solver import cores as core
    from ...solver.search import run
    from ...solver.search.options import StopSignal

    problem, stop = chosen.problem, StopSignal()
    if options.cluster and not options.cluster.startswith("tls:"):
        words.to_stderr(TRUST)
    effort = options.effort(problem, None if options.start is None else tree_files.plan(options.start, chosen))
    engine = core.best(remark=words.to_stderr)
    outcome, interrupted = search_display.watched(
        lambda tell: run.search(problem, engine, effort, tell, stop=stop, tables=places.cache_folder() / "tables"),
        stop,
        int(problem.weights.sum()),
    )
    return SearchResult(chosen, options, effort, engine.name, outcome, interrupted)
