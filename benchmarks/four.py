"""Can Jotto be won in four guesses on average? The figures, the table and the picture of docs/four-guesses.md.

`--write` searches everything anew (half an hour or so) and writes figures, page and picture, `--write PART` a part of
it; `--draw` writes page and picture from the figures kept in four.json; `--words N` prints the vocabulary of N words
the page speaks of.

A vocabulary of N words are the commonest N of the default list: band by band; inside a band in an order drawn by seed,
for there the list does not say which word is the commoner one. Everything is drawn by seed and nothing ends by a clock,
so the figures are the same on any machine.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from math import floor
from pathlib import Path
from typing import Any

import four_page
import four_picture
from four_page import Row, Way

from jotto import compat, tree
from jotto.rules import JOTTO
from jotto_desk import files
from jotto_desk.solver import benchmark, cores, feedback_table, problem, search, trees
from jotto_desk.solver.beam import SearchContext, SearchOptions
from jotto_desk.solver.strategies import RandomConsistent
from jotto_desk.words import default_list

ROOT = Path(__file__).resolve().parents[1]
PAGE, PICTURE = ROOT / "docs" / "four-guesses.md", ROOT / "docs" / "four-guesses.svg"
PROOF = ROOT / "wordlists" / "en-proven.tree"
FIGURES = Path(__file__).resolve().with_name("four.json")

#: Guesses tried per set by the beam, and at the whole list with common words likelier, where it matters most.
WIDTH, WIDEST = 10, 20
#: Vocabularies up to this size are searched to the end, words alike or not: some minutes for the largest. The whole
#: list took hours once; the tree and its certificate were kept.
PROVEN, WEIGHED_PROVEN = 2000, 1000
#: The curve, whole bands among its points and the whole list, as it stands, the last; where it crosses four, closer,
#: with other orders inside the bands.
SIZES = (*sorted({*range(100, 2920, 100), 429, 955, 2327, 2463}), 2920)
AS_LISTED = 0
SEEDS, CLOSER = (1, 2, 3), range(760, 881, 10)
WEIGHED = (429, 700, 800, 900, 955, 1000, 1200, 1500, 2000, 2920)
#: Games per word with different draws, played the article's way.
ARTICLE = 20
WAYS = ("consistent", "robot", "entropy-all")


@dataclass(frozen=True)
class Vocabulary:
    """The commonest words of the default list under one order, with the band of each."""

    words: tuple[str, ...]
    bands: tuple[int, ...]

    def game(self, count: int, weights: str = "uniform") -> problem.Problem:
        """Make the problem of the first `count` words; no others may be asked."""
        heavy = problem.band_weights(self.bands[:count]) if weights == "bands" else None
        return problem.list_problem(self.words[:count], JOTTO, (), heavy, weights)


def vocabulary(seed: int) -> Vocabulary:
    """Order the default list: band by band, inside a band as the seed draws, or for `AS_LISTED` as they stand."""
    listed = default_list(JOTTO, own=False)
    ordered: list[tuple[int, str]] = []
    for band, group in groupby(zip(listed.bands, listed.words, strict=True), key=lambda pair: pair[0]):
        pairs = list(group)
        ordered += (
            pairs if seed == AS_LISTED else compat.draw_items(sorted(pairs), len(pairs), seed, "vocabulary", band)
        )
    return Vocabulary(tuple(word for _, word in ordered), tuple(band for band, _ in ordered))


def row(engine: feedback_table.Core, game: problem.Problem, prove: bool, width: int = WIDTH, article: int = 0) -> Row:
    """Search one vocabulary; with `prove` to the end, else until it is known whether four can be had."""
    found = search.search_tree(game, engine, SearchOptions(width=width, prove=prove, threads=1))
    weight, bound = int(game.weights.sum()), found.lower_bound
    beyond = floor(four_page.GOAL * weight) + 1
    if found.cost >= beyond > bound:
        if not out_of_reach(engine, found.table, beyond):
            return row(engine, game, prove=True, width=width, article=article)
        bound = beyond
    plain = found.plain()
    return Row(
        len(game.weights),
        plain["first"],
        found.cost,
        plain["max"],
        min(bound, found.cost),
        weight,
        articles_way(engine, found.table, article),
    )


def articles_way(engine: feedback_table.Core, laid: feedback_table.FeedbackTable, games: int) -> float | None:
    """Play so many games per word the article's way; gives the average number of guesses, None without games."""
    drawn = [benchmark.play(laid, RandomConsistent(seed), engine).weighted for seed in range(1, games + 1)]
    return round(sum(drawn) / len(drawn) / int(laid.problem.weights.sum()), 3) if drawn else None


def kept_proof(engine: feedback_table.Core, article: int = 0) -> Row:
    """Replay the tree of the whole list, whose search took hours, and read its certificate."""
    words, content = vocabulary(AS_LISTED), PROOF.read_bytes()
    laid = feedback_table.make_table(words.game(SIZES[-1]), engine.codes)
    verdict = trees.verify_tree(content, words.words)
    first = tree.read_tree(content).bound_to(words.words, JOTTO).word(0)
    bound = verdict.certificate["lower_bound"]
    return Row(
        SIZES[-1],
        first,
        verdict.figures.total,
        verdict.figures.max,
        bound,
        SIZES[-1],
        articles_way(engine, laid, article),
    )


def out_of_reach(engine: feedback_table.Core, laid: feedback_table.FeedbackTable, limit: int) -> bool:
    """Find by search whether every tree costs `limit` or more: easier than to find the best one."""
    effort = SearchOptions()
    search = engine.search(laid, SearchContext(laid, engine, effort).miss, memo_bytes=effort.memo_bytes)
    left, everything = effort.left, laid.everything
    guesses, lows, _ = search.scan(everything, left)
    open_ = [int(guess) for guess, low in zip(guesses, lows, strict=True) if low < limit]
    open_ = [guess for guess in open_ if search.look_ahead(everything, left, guess) < limit]
    for guess in open_:
        cost = search.attempt(everything, left, guess, limit)
        if cost is None or cost < limit:
            return False
    return True


def curve(engine: feedback_table.Core, sizes: Iterable[int] = SIZES, article: int = ARTICLE) -> Iterator[Row]:
    """Search the vocabularies of these sizes, every word alike."""
    for size in sizes:
        if size == SIZES[-1]:
            yield kept_proof(engine, article)
        else:
            yield row(engine, vocabulary(1).game(size), size <= PROVEN, WIDTH, article)


def weighed(engine: feedback_table.Core) -> Iterator[Row]:
    """Search vocabularies in which common words are likelier."""
    for size in WEIGHED:
        if size == SIZES[-1]:
            yield row(engine, vocabulary(AS_LISTED).game(size, "bands"), False, WIDEST, ARTICLE)
        else:
            yield row(engine, vocabulary(1).game(size, "bands"), size <= WEIGHED_PROVEN, WIDTH, ARTICLE)


def crossing(engine: feedback_table.Core, seed: int) -> Iterator[Row]:
    """Search step by step, to the end, where four is crossed."""
    words = vocabulary(seed)
    for size in CLOSER:
        yield row(engine, words.game(size), prove=True)


def ways(engine: feedback_table.Core) -> Iterator[Way]:
    """Play the whole list by the strategies people know."""
    words = vocabulary(AS_LISTED)
    alike, common = (
        feedback_table.make_table(words.game(SIZES[-1], kind), engine.codes) for kind in ("uniform", "bands")
    )
    both = (
        benchmark.strategy_contenders(laid, engine, WAYS, seeds=ARTICLE, bands=words.bands) for laid in (alike, common)
    )
    for one, other in zip(*both, strict=True):
        plain, heavy = one.play(lambda _: None), other.play(lambda _: None)
        yield Way(one.name, round(plain.mean, 3), round(heavy.weighted_mean or 0, 3), plain.maximum)


def reach(engine: feedback_table.Core) -> list[int]:
    """Say how many words of the whole list can be found within 0, 1, 2 ... guesses at most."""
    whole = feedback_table.make_table(vocabulary(AS_LISTED).game(SIZES[-1]), engine.codes)
    found = engine.search(whole, 1).reach()
    return found[: found.index(SIZES[-1]) + 1]


#: The parts of the figures, and how each is worked out.
PARTS: dict[str, Callable[[feedback_table.Core], Any]] = {
    "reach": reach,
    "ways": lambda engine: _shown("ways to play", ways(engine)),
    "curve": lambda engine: _shown("words alike", curve(engine)),
    "weighed": lambda engine: _shown("common words likelier", weighed(engine)),
    "crossing": lambda engine: {str(seed): _shown(f"closer, order {seed}", crossing(engine, seed)) for seed in SEEDS},
}


def _shown(what: str, found: Iterator[Row] | Iterator[Way]) -> list[dict[str, Any]]:
    rows = []
    for one in found:
        print(f"{what}: {one}", file=sys.stderr, flush=True)
        rows.append(asdict(one))
    return rows


def write(figures: dict[str, Any]) -> None:
    """Write page and picture."""
    files.write_whole(PAGE, four_page.filled(PAGE.read_text(encoding="utf-8"), figures))
    four_picture.draw(figures, PICTURE)


def main() -> None:
    """Run the requested sections."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    todo = parser.add_mutually_exclusive_group(required=True)
    todo.add_argument(
        "--write",
        nargs="*",
        choices=PARTS,
        metavar="PART",
        help=f"search these parts of the figures anew, or all: {', '.join(PARTS)}",
    )
    todo.add_argument("--draw", action="store_true", help="write page and picture from the figures that are kept")
    todo.add_argument("--words", type=int, metavar="N", help="print the commonest N words, one per line")
    parser.add_argument("--seed", type=int, default=1, help="of the order inside a band, for --words (default 1)")
    asked = parser.parse_args()
    if asked.words is not None:
        print("\n".join(vocabulary(asked.seed).words[: asked.words]))
        return
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}
    if asked.write is not None:
        engine = cores.best_core(remark=lambda sentence: print(sentence, file=sys.stderr))
        for part in asked.write or PARTS:
            figures[part] = PARTS[part](engine)
            files.write_whole(FIGURES, json.dumps(figures, indent=1) + "\n")
    write(figures)


if __name__ == "__main__":
    main()
