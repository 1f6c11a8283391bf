"""`jotto solve`: the best decision tree of a game or a word list, and how close to optimal it is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from ... import files
from ... import words as lists
from .. import problem_options
from ..shell import ADVANCED, OUTPUT, SEARCH, outputs
from ..shell.commands import CommandLine, examples
from ..shell.shared import Json
from .options import SolveOptions, Threads
from .ship import EXAMPLES as SHIP_EXAMPLES
from .ship import ship

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto solve --rules mastermind

  jotto solve --words mywords.txt --out mywords.tree     (for jotto play --words mywords.txt)

  jotto solve --weights bands --width 20 --out common.tree

  jotto solve --words mywords.txt --prove --checkpoint mywords.check --out mywords.tree

  jotto solve --words mywords.txt --from mywords.tree --width 40 --out better.tree

  jotto solve --weights bands --first parts --early wordlists/en-early.txt --late wordlists/en-late.txt --width 20

  jotto solve --rules wordle --words answers.txt --wider guesses.txt --with-blocked --first salet --width 20

  jotto solve verify mywords.tree
"""
MaxGuesses = Annotated[
    int | None,
    typer.Option(min=1, max=60, metavar="N", rich_help_panel=SEARCH, help="Find every word within N guesses."),
]
Miss = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=70_000,
        metavar="TURNS",
        rich_help_panel=SEARCH,
        help="Allow words to be missed; each adds TURNS to the cost.",
    ),
]
First = Annotated[str, typer.Option(metavar="WORD", rich_help_panel=SEARCH, help="Begin with this guess.")]
Start = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE", rich_help_panel=SEARCH, help="Start from this tree and improve it if possible."
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        min=1, max=1000, metavar="K", rich_help_panel=SEARCH, help="Try the K most promising guesses at every point."
    ),
]
Whole = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=100,
        metavar="N",
        rich_help_panel=ADVANCED,
        help="Try every guess if at most N words are left (default: 8).",
    ),
]
Patience = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=30_000,
        metavar="N",
        rich_help_panel=ADVANCED,
        help="Try up to N more guesses per set until no word is missed.",
    ),
]
Prove = Annotated[
    bool | None,
    typer.Option(
        "--prove/--beam-only",
        rich_help_panel=SEARCH,
        help="Search until the tree is proven optimal, or never prove it.",
    ),
]
Quick = Annotated[
    bool,
    typer.Option("--quick", rich_help_panel=SEARCH, help="Find a good tree in seconds; the default for long lists."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", metavar="S", rich_help_panel=SEARCH, help="Search for S seconds, then keep the best tree."),
]
Early = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        rich_help_panel=ADVANCED,
        help="Words for the first two guesses; the third is one of them if that costs little.",
    ),
]
Late = Annotated[
    str, typer.Option(metavar="FILE", rich_help_panel=ADVANCED, help="Words asked only if no other word is left.")
]
Memory = Annotated[
    int,
    typer.Option(
        min=16,
        max=1 << 20,
        metavar="MB",
        rich_help_panel=ADVANCED,
        help="Memory for the search's table of solved sets.",
    ),
]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="tcp://HOST:PORT",
        rich_help_panel=ADVANCED,
        help="A Dask scheduler whose workers do the proof. Dask has no login and exchanges pickles: use only trusted "
        "machines, or TLS.",
    ),
]
ClusterTls = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        rich_help_panel=ADVANCED,
        help="Use TLS with a cluster at tls://HOST:PORT; the folder has ca.pem, cert.pem and key.pem.",
    ),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(metavar="FILE", rich_help_panel=ADVANCED, help="Save the proof's progress here, and resume from it."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", rich_help_panel=OUTPUT, help="Write the tree to this file, for `jotto play` and robots."
    ),
]
Words = Annotated[
    str, typer.Option("--words", metavar="LIST", help="The tree's list; default: the one next to the tree.")
]


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def solve(
    context: typer.Context,
    rules: problem_options.RulesName = "jotto",
    words: problem_options.Words = problem_options.DEFAULT,
    length: problem_options.Length = None,
    symbols: problem_options.Symbols = None,
    repeats: problem_options.Repeats = None,
    wider: problem_options.Wider = "",
    weights: problem_options.Weights = "uniform",
    with_blocked: problem_options.Blocked = False,
    max_guesses: MaxGuesses = None,
    miss: Miss = None,
    first: First = "",
    early: Early = "",
    late: Late = "",
    start: Start = None,
    width: Width = None,
    whole: Whole = None,
    patience: Patience = None,
    prove: Prove = None,
    quick: Quick = False,
    seconds: Seconds = None,
    threads: Threads = None,
    memory: Memory = 512,
    cluster: Cluster = "",
    cluster_tls: ClusterTls = None,
    checkpoint: Checkpoint = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Find the decision tree that needs the fewest guesses, and how close to optimal it is.

    Ctrl-C or --time ends the search and keeps the best tree so far.
    """
    if problem_options.is_for_a_subcommand(context):
        return
    options = SolveOptions(
        max_guesses,
        miss,
        first,
        start,
        width,
        whole,
        patience,
        prove,
        quick,
        seconds,
        threads,
        memory,
        cluster,
        checkpoint,
        early,
        late,
        cluster_tls,
    ).checked()
    raise typer.Exit(
        _solve(
            problem_options.choose(
                rules,
                words,
                length=length,
                symbols=symbols,
                repeats=repeats,
                wider=wider,
                weights=weights,
                with_blocked=with_blocked,
            ),
            options,
            out,
            as_json,
        )
    )


def _solve(chosen: problem_options.Chosen, options: SolveOptions, out: Path | None, as_json: bool) -> int:
    """Search, report and write; returns the exit code."""
    problem_options.demand("joblib")
    from . import report, search, tree_files

    if out:
        tree_files.check(out, chosen)
    outputs.ready(options.checkpoint)
    best = search.search(chosen, options)
    if as_json:
        typer.echo(json.dumps({**report.plain(best), "out": str(out) if out else None}))
    else:
        report.show(best)
    if best.interrupted:
        lists.to_stderr("This is the best tree so far.")
    if out:
        content = tree_files.content(best)
        files.write_whole(out, content)
        lists.to_stderr(f"Wrote {out}, {len(content):,} bytes.{tree_files.hint(out, chosen)}")
    return 130 if best.interrupted else 0


@app.command(epilog=examples("jotto solve verify mine.tree", "jotto solve verify some.tree --words mine.txt --json"))
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A tree file.")], words: Words = "", as_json: Json = False
) -> None:
    """Replay every secret of a tree file with the reference scorer, and check its certificate."""
    from . import tree_files

    console = Console(stderr=True)

    def shown(secrets: Iterable[Any]) -> Iterable[Any]:
        return track(secrets, "playing every secret", console=console, transient=True, disable=not console.is_terminal)

    verdict = tree_files.verified(file, words, shown)
    if as_json:
        typer.echo(json.dumps({"file": str(file), **verdict.plain()}))
        return
    for sentence in tree_files.sentences(file, verdict):
        Console(highlight=False, soft_wrap=True).print(sentence, markup=False)


app.command(epilog=SHIP_EXAMPLES)(ship)
