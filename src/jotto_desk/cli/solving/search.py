"""The search of `jotto solve`, run in the foreground."""

from jotto_desk import files, words

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
    from jotto_desk.solver import cores, search
    from jotto_desk.solver.beam import StopSignal

    problem, stop = chosen.problem, StopSignal()
    if options.cluster and not options.cluster.startswith("tls:"):
        words.to_stderr(TRUST)
    effort = options.effort(problem, None if options.start is None else tree_files.plan(options.start, chosen))
    engine = cores.best_core(remark=words.to_stderr)
    outcome, interrupted = search_display.watched(
        lambda tell: search.search_tree(
            problem, engine, effort, tell, stop=stop, tables=files.cache_folder() / "tables"
        ),
        stop,
        int(problem.weights.sum()),
    )
    return SearchResult(chosen, options, effort, engine.name, outcome, interrupted)
