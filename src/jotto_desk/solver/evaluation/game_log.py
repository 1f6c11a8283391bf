"""A log of games, one per line, in the columns of the log that Moscatelli published with his article.

A line alternates names and values, separated by tabs: `game` (number, from 0), `final_guess`, `first_guess`,
`first_guess_kurts` (its shape, K2-1-1), `guesses` (until one code is left), `funnel` (the number of candidates: before
the first guess, and after each; F1296-222-29-1), `subseqpickmode` (the strategy), `secret`, `SUCCESS`; we
add `guesses_to_win`. Symbols of codes are c0, c1 ... by their place in the alphabet; of words, their letters.
"""

from collections.abc import Iterator
from pathlib import Path

from ... import files
from ..model.problem import Problem, Word
from ..strategies.heuristics import ARTICLE
from ..strategies.shapes import shape
from .comparison import Contest
from .playout import to_one

_CALLED = {strategy: name for name, strategy in ARTICLE.items()}


def write(contest: Contest, path: Path) -> Path:
    """Write the games of the secrets compared, secret by secret; raises `DeskError` when the file cannot be written."""
    return files.write_whole(path, "".join(f"{line}\n" for line in lines(contest)))


def lines(contest: Contest) -> Iterator[str]:
    """Return the lines of the log."""
    problem = contest.problem
    left = {name: to_one(playout.funnels) for name, playout in contest.playouts.items()}
    for game, secret in enumerate(contest.secrets.tolist()):
        code = _symbols(problem.secrets[secret], problem)
        for name, playout in contest.playouts.items():
            first = problem.guesses[playout.plan.guess]
            funnel = playout.funnels[secret]
            shown = (*funnel, 1)[: left[name][secret] + 1]
            yield "\t".join(
                (
                    "game",
                    str(game),
                    "final_guess",
                    ", ".join(code),
                    "first_guess",
                    ",".join(_symbols(first, problem)),
                    "first_guess_kurts",
                    "K" + "-".join(map(str, shape(first))),
                    "guesses",
                    str(len(shown) - 1),
                    "funnel",
                    "F" + "-".join(map(str, shown)),
                    "subseqpickmode",
                    _CALLED.get(name, name),
                    "secret",
                    ",".join(code),
                    "SUCCESS",
                    "True",
                    "guesses_to_win",
                    str(len(funnel)),
                )
            )


def _symbols(code: Word, problem: Problem) -> list[str]:
    if not problem.is_symmetric:
        return [str(symbol) for symbol in code]
    return [f"c{problem.rules.alphabet.index(symbol)}" for symbol in code]
