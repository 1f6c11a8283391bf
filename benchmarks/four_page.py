"""The sections of docs/four-guesses.md that are made of figures; the words around them are written by hand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

GOAL = 4
NAMES = {
    "consistent": "any word that fits: the original article's way",
    "robot": "NAO without a tree",
    "entropy-all": "the word whose answer tells most (entropy)",
}


@dataclass(frozen=True)
class Row:
    """One vocabulary: the best tree found and the proven lower bound, in guesses (times weight) over all its words.

    `article` is what the article's way needs on average.
    """

    words: int
    first: str
    total: int
    most: int
    bound: int
    weight: int
    article: float | None = None

    @property
    def mean(self) -> float:
        """Return the average of the best tree found."""
        return self.total / self.weight

    @property
    def least(self) -> float:
        """Return the lower bound of every tree's average."""
        return self.bound / self.weight

    @property
    def proven(self) -> bool:
        """Return whether no tree is better."""
        return self.bound >= self.total

    @property
    def reached(self) -> bool:
        """Return whether the goal is reached."""
        return self.total <= GOAL * self.weight

    @property
    def verdict(self) -> str:
        """Say whether the goal can be reached."""
        return "yes" if self.reached else "impossible" if self.bound > GOAL * self.weight else "not known"


@dataclass(frozen=True)
class Way:
    """A way to play the whole list: its average with all words alike, with common ones likelier, and its worst case."""

    name: str
    mean: float
    weighed: float
    most: int


def filled(text: str, figures: dict[str, Any]) -> str:
    """Put the figures into the page; raises `ValueError` for a page that has no place for one of them."""
    parts = {
        "answer": _answer,
        "reach": _reach,
        "ways": _ways,
        "crossing": _crossing,
        "curve": _curve,
        "weighed": _weighed,
    }
    for name, part in parts.items():
        place = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        block = "\n".join(part(figures))
        text, times = place.subn(lambda found, block=block: f"{found[1]}{block}\n{found[2]}", text)
        if times != 1:
            raise ValueError(f"The page has {times} places for '{name}' where one is needed.")
    return text


def rows(figures: dict[str, Any], name: str, seed: int | None = None) -> list[Row]:
    """Read rows back."""
    found = figures[name] if seed is None else figures[name][str(seed)]
    return [Row(**row) for row in found]


def span(figures: dict[str, Any]) -> tuple[int, int]:
    """Return the largest size with which four is reached, of the order that reaches least far, and of the farthest."""
    last = [
        max(row.words for row in rows(figures, "crossing", int(seed)) if row.reached) for seed in figures["crossing"]
    ]
    return min(last), max(last)


def _answer(figures: dict[str, Any]) -> list[str]:
    whole, heavy = rows(figures, "curve")[-1], rows(figures, "weighed")[-1]
    way = Way(**figures["ways"][0])
    low, high = span(figures)
    about = next(row.words for row in rows(figures, "curve") if row.article and row.article >= 5)
    common = max(row.words for row in rows(figures, "weighed") if row.reached)
    return [
        f"- **All {whole.words:,} words of the default list, each as likely as the next: no.** {_best(whole)}, the "
        f"article's way {way.mean:.2f} (with about {round(about, -2):,} words it needs 5.0, the article's figure).",
        f"- **Common words likelier (16 : 8 : 3 : 1 : 1/2 by how common a word is), all {heavy.words:,}: "
        f"{_still(heavy)}** The best way found needs {heavy.mean:.3f} expected guesses, the article's "
        f"{way.weighed:.2f}. Of the vocabularies tried, {common:,} words is the largest with which four is reached.",
        f"- **A smaller vocabulary, each word as likely as the next: yes, up to about {_about(low, high)} words**, the "
        "commonest ones, if NAO asks only words of that vocabulary. For every larger one tried it is proven to be "
        "impossible.",
    ]


def _best(row: Row) -> str:
    if row.proven:
        return f"The best way of playing needs {row.mean:.3f} ({row.total:,} guesses; proven: no other needs fewer)"
    return f"No way of playing is below {row.least:.2f}. The best one found needs {row.mean:.3f}"


def _about(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _still(row: Row) -> str:
    return {"yes": "yes.", "impossible": "no, though it is close.", "not known": "not known."}[row.verdict]


def _reach(figures: dict[str, Any]) -> list[str]:
    reach, words = figures["reach"], rows(figures, "curve")[-1].words
    lines = ["| within | most words that can be found | fewest words that need more |", "|---|---:|---:|"]
    lines += [
        f"| {guesses} {'guess' if guesses == 1 else 'guesses'} | {found:,} | {words - found:,} |"
        for guesses, found in enumerate(reach)
    ]
    total = sum(words - found for found in reach)
    return [
        *lines,
        "",
        f"The last column adds up to {total:,}: a word that needs four guesses is counted four times, "
        f"because it needs more than 0, 1, 2 and 3. So **no way of playing needs fewer than {total:,} guesses for "
        f"the {words:,} words: {total / words:.3f} on average**, which is "
        f"{'above four' if total > GOAL * words else 'not above four'}.",
    ]


def _ways(figures: dict[str, Any]) -> list[str]:
    whole, heavy = rows(figures, "curve")[-1], rows(figures, "weighed")[-1]
    lines = ["| way to play | words alike | common words likelier |", "|---|---:|---:|"]
    lines += [
        f"| {NAMES[way.name]} | {way.mean:.3f} | {way.weighed:.3f} |" for way in (Way(**raw) for raw in figures["ways"])
    ]
    return [
        *lines,
        f"| best tree found | **{whole.mean:.3f}** ({whole.total:,} guesses) | **{heavy.mean:.3f}** |",
        f"| no tree is below | {_bound(whole)} | {_bound(heavy)} |",
    ]


def _crossing(figures: dict[str, Any]) -> list[str]:
    seeds = sorted(map(int, figures["crossing"]))
    columns = [rows(figures, "crossing", seed) for seed in seeds]
    lines = [f"| words | {' | '.join(f'order {seed}' for seed in seeds)} |", "|---:|" + "---:|" * len(columns)]
    return lines + [
        f"| {line[0].words} | {' | '.join(_cell(row) for row in line)} |" for line in zip(*columns, strict=True)
    ]


def _cell(row: Row) -> str:
    return f"**{row.mean:.3f}**" if row.reached else f"{row.mean:.3f}"


def _table(found: Sequence[Row]) -> list[str]:
    lines = [
        "| words | first guess | best found | worst case | no tree is below | four? | article's way |",
        "|---:|---|---:|---:|---:|---|---:|",
    ]
    return lines + [
        f"| {row.words:,} | {row.first} | {row.mean:.3f} | {row.most} | "
        f"{_bound(row)} | {row.verdict} | "
        f"{'' if row.article is None else f'{row.article:.2f}'} |"
        for row in found
    ]


def _bound(row: Row) -> str:
    """Format the bound; a search that asked for no more than the goal reports only that."""
    beyond = 0 < row.bound - GOAL * row.weight <= 1
    return "proven" if row.proven else f"over {GOAL}" if beyond else f"{row.least:.3f}"


def _curve(figures: dict[str, Any]) -> list[str]:
    return _table(rows(figures, "curve"))


def _weighed(figures: dict[str, Any]) -> list[str]:
    return _table(rows(figures, "weighed"))
