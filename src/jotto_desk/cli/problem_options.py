"""Options that choose a game, its secrets and its guesses, for `jotto solve`, `jotto bench` and `jotto assist`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from jotto.feedback import MARKS
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import LETTERS, JottoError, Rules
from jotto.words import BlockList, WordList
from jotto_desk.addresses import hide_login
from jotto_desk.cli import shell
from jotto_desk.cli.options import require_modules
from jotto_desk.cli.shell import DEFAULT_LIST, GAME, choice_option, option, words_option
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.games.advice import GAME_RULES, SYMBOLS, describe_answer, make_rules
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.solver.problem import Problem

_WEIGHTS = ("uniform", "bands")
_UNKNOWN_BAND = 1 << 20

_option = functools.partial(option, panel=GAME)

ListName = Annotated[
    str, words_option("The secrets: a file, URL or name; default: en.", "--words", panel=GAME, show_default=False)
]
Hard = Annotated[bool, _option("Green letters stay, yellow ones must be used again, grey ones may return.", "--hard")]
WithBlocked = Annotated[bool, _option("Also use the words of the block list, which NAO never says.", "--with-blocked")]


@dataclass(frozen=True)
class GameOptions:
    """The options that choose a game and its secrets."""

    rules: Annotated[str, choice_option("--rules", tuple(GAME_RULES), "The game.", panel=GAME)] = "jotto"
    words: ListName = DEFAULT_LIST
    length: Annotated[int | None, _option("Letters of a word or places of a code.", min=1, max=15)] = None
    symbols: Annotated[int | None, _option("Symbols of a code game.", min=2, max=len(SYMBOLS))] = None
    repeats: Annotated[
        bool | None, _option("Whether a letter may occur twice in a word or code.", "--repeats/--no-repeats")
    ] = None

    def choose(self) -> ChosenProblem:
        """Return the problem that the options choose; raises `DeskError` as `choose_problem` does."""
        return choose_problem(**vars(self))


@dataclass(frozen=True)
class ProblemOptions(GameOptions):
    """The options that choose a game, its secrets, their weights, and more guesses."""

    wider: Annotated[str, words_option("More words to guess, which are never secrets.", panel=GAME)] = ""
    weights: Annotated[
        str,
        choice_option(
            "--weights",
            _WEIGHTS,
            "uniform: all secrets are equally likely; bands: common words are likelier (16:8:3:1:1/2).",
            panel=GAME,
        ),
    ] = "uniform"
    with_blocked: WithBlocked = False


@dataclass(frozen=True)
class ChosenProblem:
    """A problem and the list of its secrets; `wordlist` is None if every code is a secret.

    `bands` has the commonness of each secret, in the order of the problem. After `turns`, only the words that fit are
    secrets; all others can still be asked.
    """

    problem: Problem
    wordlist: WordList | None
    bands: tuple[int | None, ...] = ()
    turns: tuple[Turn, ...] = ()

    def set_hard_mode(self) -> ChosenProblem:
        """Return the problem in Wordle's hard mode; raises `DeskError` for a game without marks."""
        if self.problem.rules.kind != MARKS:
            raise DeskError(f"'{self.problem.rules.name}' has no hard mode; leave --hard out, or give --rules wordle.")
        return replace(self, problem=replace(self.problem, is_hard=True))

    def add_turns(self, typed: Sequence[str]) -> ChosenProblem:
        """Return the problem after these turns; raises `DeskError` if one cannot be read, or no word fits them."""
        from jotto_desk.games.assist import parse_turn
        from jotto_desk.games.wordle import find_unused_hint

        whole = self.problem
        turns = tuple(parse_turn(turn, whole.rules) for turn in typed)
        for number, turn in enumerate(turns if whole.is_hard else ()):
            if unused := find_unused_hint(turn.guess, turns[:number]):
                raise DeskError(f"{unused} Hard mode forbids it; correct --after, or leave --hard out.")
        index = Index(whole.secrets, whole.rules)
        fitting = set(index.list_words(index.find_candidates(turns)))
        kept = [number for number, word in enumerate(whole.secrets) if word in fitting]
        if not kept:
            raise DeskError(
                f"No word fits all answers of --after; check them: jotto assist --rules {whole.rules.name} "
                "names the answer that is most likely wrong."
            )
        bands = tuple(self.bands[number] for number in kept) if self.bands else ()
        left = whole.keep_secrets(kept)
        if whole.is_hard:
            left = replace(left, guesses=tuple(word for word in left.guesses if not find_unused_hint(word, turns)))
        return replace(self, problem=left, bands=bands, turns=turns)

    @property
    def title(self) -> str:
        """Return the game in a few words with its list; every average needs it."""
        rules, count = self.problem.rules, len(self.problem.weights)
        after = f" after {', '.join(self.list_turns()).upper()}" if self.turns else ""
        if self.wordlist is None:
            repeats = "repeats" if rules.repeats else "no repeats"
            places = f"{rules.length} places of {len(rules.alphabet)} symbols"
            return f"{rules.name}, {places}, {repeats}{after}: {count:,} codes"
        wider = len(self.problem.guesses) - count
        more = f", {wider:,} further guesses" if wider else ""
        weighted = ", common words weigh more" if not self.problem.is_uniform else ""
        hard = " in hard mode" if self.problem.is_hard else ""
        return f"{rules.name}{hard}, list {self.wordlist.name}{after}: {count:,} words{more}{weighted}"

    def list_turns(self) -> list[str]:
        """Return the turns as `--after` reads them."""
        return [f"{turn.guess} {describe_answer(turn.feedback, self.problem.rules)}" for turn in self.turns]

    def plain(self) -> dict[str, Any]:
        """Return the choice as a dict for JSON."""
        rules, listed = self.problem.rules, self.wordlist
        plain = {"rules": rules.name, "length": rules.length, "symbols": len(rules.alphabet), "repeats": rules.repeats}
        more: dict[str, Any] = {"hard": True} if self.problem.is_hard else {}
        more |= {"after": self.list_turns()} if self.turns else {}
        return plain | {"list": listed and listed.name, "checksum": listed and listed.checksum} | more


def choose_problem(
    rules: str = "jotto",
    words: str = DEFAULT_LIST,
    *,
    length: int | None = None,
    symbols: int | None = None,
    repeats: bool | None = None,
    wider: str = "",
    weights: str = "uniform",
    with_blocked: bool = False,
) -> ChosenProblem:
    """Return the problem that the options choose; its words are in the list's order, common ones first.

    Raises `DeskError` for options that contradict each other, or a list that cannot be read.
    """
    require_modules("numpy")
    played = make_rules(rules, length, symbols, repeats)
    if played.alphabet != LETTERS:
        _refuse_words(played, words, wider, weights)
        from jotto_desk.solver.problem import make_symbol_problem

        return ChosenProblem(make_symbol_problem(played), None)
    if symbols is not None:
        raise DeskError(f"'{rules}' is played with words, not with {symbols} symbols; leave --symbols out.")
    wordlist = _load_list(words, played, with_blocked)
    played = wordlist.adapt_rules(played)
    return make_word_problem(played, wordlist, _load_list(wider, played, with_blocked).words if wider else (), weights)


def _refuse_words(game: Rules, words: str, wider: str, weights: str) -> None:
    if words != DEFAULT_LIST or wider:
        given = wider or words
        raise DeskError(
            f"'{game.name}' is played with codes, not with the words of '{hide_login(given)}'; leave them out."
        )
    if weights != "uniform":
        raise DeskError(f"The codes of '{game.name}' are all alike; leave --weights {weights} out.")


def make_word_problem(game: Rules, wordlist: WordList, more: Iterable[str], weights: str) -> ChosenProblem:
    """Return the problem of a list; `more` are further guesses. Raises `DeskError`."""
    from jotto_desk.solver import problem

    pairs = zip(wordlist.bands, wordlist.words, strict=True)
    by_band = sorted(pairs, key=lambda pair: _UNKNOWN_BAND if pair[0] is None else pair[0])
    ordered = [word for _, word in by_band]
    if weights == "uniform":
        return ChosenProblem(
            problem.make_list_problem(ordered, game, more), wordlist, tuple(band for band, _ in by_band)
        )
    if not any(wordlist.bands):
        raise DeskError(f"The list '{wordlist.name}' does not say how common its words are; leave --weights out.")
    heavy = problem.make_list_problem(ordered, game, more, problem.weigh_by_band(band for band, _ in by_band), weights)
    known = dict(zip(wordlist.words, wordlist.bands, strict=True))
    return ChosenProblem(heavy, wordlist, tuple(known[word] for word in heavy.secrets))


def _load_list(source: str, rules: Rules, with_blocked: bool = False) -> WordList:
    """Read a list for these rules, without the user's own words; raises `DeskError`."""
    from jotto_desk.solver.problem import MAX_WORDS

    listed = lists.find("en" if source == DEFAULT_LIST else source)
    hidden = BlockList(frozenset())
    if not with_blocked:
        hidden = lists.load_block_list(language=lists.find_language(listed.name))
    with as_desk_errors(JottoError):
        if lists.has_more_words(listed, rules, MAX_WORDS + len(hidden.hashes)):
            raise DeskError(f"The solver takes 2 to {MAX_WORDS} words; '{listed.name}' has more. Give a shorter list.")
        found = lists.parse_list(listed, rules, hidden)
    wordlist: WordList = found.wordlist
    return wordlist


def complete_strategies(incomplete: str) -> list[str]:
    """Complete the last name of a list of strategies with commas."""
    try:
        from jotto_desk.solver.strategies import ARTICLE_STRATEGIES, MEASURES
    except ImportError:
        return []
    known = ["all", "article", *ARTICLE_STRATEGIES.values(), "robot", *(measure.name for measure in MEASURES)]
    return shell.complete_choices(lambda: known)(incomplete)


def split_names(names: str) -> list[str]:
    """Split a list of names such as `entropy,minimax`."""
    return [name for name in map(str.strip, names.split(",")) if name]
