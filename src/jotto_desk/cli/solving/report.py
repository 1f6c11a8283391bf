"""The report of a search, for people and as JSON."""

import os
from typing import Any

from jotto_desk.terminal import Bar, Column, FittedTable, stdout_console

from . import tree_files
from .options import WIDTH
from .result import SearchResult


def plain(found: SearchResult) -> dict[str, Any]:
    """Return everything as a dict that JSON can hold; `lower_bound` is in the unit of `weighted_total`, if any."""
    problem, outcome, effort = found.chosen.problem, found.outcome, found.effort
    weighted = {} if problem.is_uniform else {"weighted_total": outcome.cost}
    return {
        **outcome.plain(),
        **weighted,
        **found.chosen.plain(),
        "words": len(problem.weights),
        "guesses": len(problem.guesses),
        "weights": problem.kind,
        "max_guesses": effort.cap,
        "width": effort.width,
        "command": tree_files.command_line(found.chosen, found.options.named()),
        "core": found.core,
        "cores": os.cpu_count() or 1,
        "threads": effort.threads,
        "interrupted": found.interrupted,
        "trouble": outcome.trouble or None,
    }


def show(found: SearchResult) -> None:
    """Print the distribution as a table, and plain sentences about it."""
    counts = found.outcome.plain()["distribution"]
    sheet = FittedTable(found.chosen.title, Column("guesses"), Column(found.things), Column("", is_text=True))
    most = max(counts.values(), default=1)
    for turns, count in counts.items():
        sheet.add(turns, f"{count:,}", Bar(count / most))
    console = stdout_console()
    console.print(sheet)
    for sentence in sentences(found):
        console.print(sentence, markup=False)


def sentences(found: SearchResult) -> list[str]:
    """Say how good the tree is, and how close to optimal it is."""
    counted, problem, outcome = found.outcome.plain(), found.chosen.problem, found.outcome
    if problem.is_uniform:
        mean = (
            f"{counted['mean']:.4f} guesses on average ({counted['total']:,} for {counted['secrets']:,} {found.things})"
        )
    else:
        mean = (
            f"{counted['weighted_mean']:.4f} guesses expected where common words are likelier "
            f"({counted['mean']:.4f} if all were alike)"
        )
    said = [f"First guess {counted['first'].upper()}. {mean}, {counted['max']} at most; the winning guess is counted."]
    if counted["missed"]:
        said.append(f"{counted['missed']:,} {found.things} are not found within {found.effort.cap} guesses.")
    said.append(_distance(found))
    if found.options.is_quick(problem) and not outcome.proven:
        said.append(f"This was a quick search: --width {WIDTH} finds better trees, --prove the best.")
    return said + ([outcome.trouble] if outcome.trouble else [])


def _distance(found: SearchResult) -> str:
    outcome, effort, weight = found.outcome, found.effort, int(found.chosen.problem.weights.sum())
    kind = " that begins so" if effort.first is not None else ""
    if effort.cap is not None:
        kind += f" of {effort.cap} guesses at most"
    if outcome.proven:
        return f"Proven: no tree{kind} does better."
    if outcome.lower_bound <= 0:
        return f"Nothing is known about better trees{kind}."
    bound, cost = outcome.lower_bound / weight, outcome.cost / weight
    counted = ", misses counted" if found.options.miss is not None else ""
    return (
        f"No tree{kind} is below {bound:.4f}{counted}: the best there is may be better by {cost - bound:.4f} "
        f"at most ({(cost - bound) / cost:.1%})."
    )
