"""What `jotto solve`, `jotto bench` and `jotto explain` share: the options that name a game, and the game they name."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto.rules import LETTERS, JottoError, Rules
from jotto.words import BlockList, WordList
from jotto_desk.games.advice import GAME_RULES, SYMBOLS, rules_of_game

from .. import words as lists
from ..addresses import shown
from ..errors import DeskError
from .shell import GAME, choices

if TYPE_CHECKING:
    from jotto_desk.solver.problem import Problem

#: The game's own list, without a person's own words: figures shall be the same for everybody.
DEFAULT = "default"
WEIGHTS = ("uniform", "bands")
UNKNOWN_BAND = 1 << 20

RulesName = Annotated[
    str, choices.chosen("--rules", options=tuple(GAME_RULES), what="rules", panel=GAME, help="The game.")
]
Words = Annotated[
    str,
    typer.Option(
        "--words",
        metavar="LIST",
        rich_help_panel=GAME,
        autocompletion=choices.word_lists,
        show_default=False,
        help="The secrets: a file, URL or name; default: en.",
    ),
]
Length = Annotated[
    int | None, typer.Option(min=1, max=15, rich_help_panel=GAME, help="Letters of a word or places of a code.")
]
Symbols = Annotated[
    int | None, typer.Option(min=2, max=len(SYMBOLS), rich_help_panel=GAME, help="Symbols of a code game.")
]
Repeats = Annotated[
    bool | None,
    typer.Option(
        "--repeats/--no-repeats", rich_help_panel=GAME, help="Whether a letter may occur twice in a word or code."
    ),
]
Wider = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        rich_help_panel=GAME,
        autocompletion=choices.word_lists,
        help="More words that may be guessed but are never secrets.",
    ),
]
Weights = Annotated[
    str,
    choices.chosen(
        "--weights",
        options=WEIGHTS,
        what="weights",
        panel=GAME,
        help="uniform: all secrets are equally likely; bands: common words are likelier (16:8:3:1:1/2).",
    ),
]
Blocked = Annotated[
    bool,
    typer.Option(
        "--with-blocked",
        rich_help_panel=GAME,
        help="Keep words that NAO never says, to compare with published figures.",
    ),
]


@dataclass(frozen=True)
class Chosen:
    """A problem, and where its secrets come from: a list, or None where every code is a secret.

    `bands` says how common each secret of the problem is, in the order of the problem.
    """

    problem: Problem
    wordlist: WordList | None
    bands: tuple[int | None, ...] = ()

    @property
    def title(self) -> str:
        """The game in a few words, its list named: what every average must stand beside."""
        rules, count = self.problem.rules, len(self.problem.weights)
        if self.wordlist is None:
            repeats = "repeats" if rules.repeats else "no repeats"
            return f"{rules.name}, {rules.length} places of {len(rules.alphabet)} symbols, {repeats}: {count:,} codes"
        wider = len(self.problem.guesses) - count
        more = f", {wider:,} further guesses" if wider else ""
        weighted = ", common words weigh more" if not self.problem.is_uniform else ""
        return f"{rules.name}, list {self.wordlist.name}: {count:,} words{more}{weighted}"

    def plain(self) -> dict[str, Any]:
        """Return what was chosen as a dict that JSON can hold."""
        listed = self.wordlist
        return {
            "rules": self.problem.rules.name,
            "length": self.problem.rules.length,
            "symbols": len(self.problem.rules.alphabet),
            "repeats": self.problem.rules.repeats,
            "list": None if listed is None else listed.name,
            "checksum": None if listed is None else listed.checksum,
        }


def demand(*modules: str) -> None:
    """Refuse to go on without modules of the extra `solve`; the sentence names the command to install them."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise DeskError(
                f"This needs {module}; install it with: pip install 'nao-jotto[solve]' (in a checkout: make solve)"
            ) from error


def choose(
    rules: str = "jotto",
    words: str = DEFAULT,
    *,
    length: int | None = None,
    symbols: int | None = None,
    repeats: bool | None = None,
    wider: str = "",
    weights: str = "uniform",
    with_blocked: bool = False,
) -> Chosen:
    """Make the problem these options name; words of a list stand in its order, the commonest first where it says so.

    Raises `DeskError` for what does not go together or cannot be had.
    """
    demand("numpy")
    played = rules_of_game(rules, length, symbols, repeats)
    if weights not in WEIGHTS:
        raise DeskError(f"There are no weights '{weights}'; choose one of: {', '.join(WEIGHTS)}.")
    if played.alphabet != LETTERS:
        _refuse_words(played, words, wider, weights)
        from jotto_desk.solver.problem import symbol_problem

        return Chosen(symbol_problem(played), None)
    if symbols is not None:
        raise DeskError(f"'{rules}' is played with words, not with {symbols} symbols; leave --symbols out.")
    wordlist = load(words, played, with_blocked)
    played = wordlist.rules(played)
    return of_words(played, wordlist, load(wider, played, with_blocked).words if wider else (), weights)


def _refuse_words(game: Rules, words: str, wider: str, weights: str) -> None:
    if words != DEFAULT or wider:
        given = wider or words
        raise DeskError(f"'{game.name}' is played with codes, not with the words of '{shown(given)}'; leave them out.")
    if weights != "uniform":
        raise DeskError(f"The codes of '{game.name}' are all alike; leave --weights {weights} out.")


def of_words(game: Rules, wordlist: WordList, more: Iterable[str], weights: str) -> Chosen:
    """Make the problem of a list as read; `more` may be asked too. Raises `DeskError`."""
    from jotto_desk.solver import problem

    by_band = sorted(zip(wordlist.bands, wordlist.words, strict=True), key=lambda pair: _rank(pair[0]))
    ordered = [word for _, word in by_band]
    if weights == "uniform":
        return Chosen(problem.list_problem(ordered, game, more), wordlist, tuple(band for band, _ in by_band))
    if not any(wordlist.bands):
        raise DeskError(f"The list '{wordlist.name}' does not say how common its words are; leave --weights out.")
    heavy = problem.list_problem(ordered, game, more, problem.band_weights(band for band, _ in by_band), weights)
    known = dict(zip(wordlist.words, wordlist.bands, strict=True))
    return Chosen(heavy, wordlist, tuple(known[word] for word in heavy.secrets))


def load(source: str, rules: Rules, with_blocked: bool = False) -> WordList:
    """Read a list for these rules, without a person's own words; raises `DeskError` when it cannot be had."""
    if source == DEFAULT:
        source = "en"
    try:
        found = lists.read(lists.find(source), rules, BlockList(frozenset()) if with_blocked else None)
    except JottoError as error:
        raise DeskError(str(error)) from error
    wordlist: WordList = found.wordlist
    return wordlist


def _rank(band: int | None) -> int:
    return UNKNOWN_BAND if band is None else band


def strategies(incomplete: str) -> list[str]:
    """Complete the names of strategies, with commas between."""
    try:
        from jotto_desk.solver.strategies import ARTICLE_STRATEGIES, MEASURES
    except ImportError:
        return []
    known = ["all", "article", *ARTICLE_STRATEGIES.values(), "robot", *(measure.name for measure in MEASURES)]
    return choices.completing(lambda: known)(incomplete)


def split_names(names: str | Iterable[str]) -> list[str]:
    """Split what people give as `entropy,minimax`."""
    given = names.split(",") if isinstance(names, str) else names
    return [name for name in (part.strip() for part in given) if name]


def is_for_a_subcommand(context: typer.Context) -> bool:
    """Tell whether a sub-command was called; raises `DeskError` for options before its name."""
    if context.invoked_subcommand is None:
        return False
    given = [name for name in context.params if str(context.get_parameter_source(name)).endswith("COMMANDLINE")]
    if given:
        raise DeskError(
            f"Options go behind '{context.invoked_subcommand}', not before it: "
            f"jotto {context.info_name} {context.invoked_subcommand} --help lists them."
        )
    return True
