"""Rules of a game by name, and advice on a position: the value of a guess, the probably wrong answer, and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

from jotto import compat, explain, strategies
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, PAPER_JOTTO, WORDLE, Rules
from jotto_desk.errors import DeskError

# The games by name, and their rules.

GLADIATORS = BULLS._replace(name="gladiators", length=5)
GAME_RULES = {rules.name: rules for rules in (JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, BULLS, GLADIATORS)}
#: Symbols of code games with more than the usual ones.
SYMBOLS = "0123456789" + LETTERS


def make_rules(name: str, length: int | None, symbols: int | None, repeats: bool | None) -> Rules:
    """Make the rules these options name; raises `DeskError` for rules there are not, or places no symbols fill."""
    if name not in GAME_RULES:
        raise DeskError(f"There are no rules '{name}'; choose one of: {', '.join(GAME_RULES)}.")
    rules = GAME_RULES[name]
    if length is not None:
        rules = rules._replace(length=length)
    if repeats is not None:
        rules = rules._replace(repeats=repeats)
    if symbols is not None and rules.alphabet != LETTERS:
        usual = rules.alphabet if symbols <= len(rules.alphabet) else SYMBOLS
        rules = rules._replace(alphabet=usual[:symbols])
    if not rules.repeats and rules.length > len(rules.alphabet):
        wrong = f"{rules.length} places cannot be filled with {len(rules.alphabet)} different symbols"
        raise DeskError(f"{wrong}; give more --symbols, or --repeats.")
    return rules


# The value of a guess: the chance that it is the secret, and the information of its answer.
#
# Words, rules and the chance of each word are passed in. Numbers that decide are rounded to whole steps, so that the
# same position gets the same advice on every machine.

#: The largest numbers of fitting words, and of other words, that are compared.
_MAX_COMPARED = 150
#: If more words fit, a sample of this many represents them.
_MAX_WEIGHED = 6000
_STEPS = 2**30


@dataclass(frozen=True)
class GuessOption:
    """A guess: its chance of being the word, bits told on average, groups its answers make, size of the largest."""

    word: Any
    chance: float
    bits: float
    groups: int
    largest: int
    worth: float
    fits: bool


class Advisor:
    """The words that fit, each as likely as `weights` says (all alike if it is empty), and guesses compared on them."""

    def __init__(
        self, fitting: Sequence[Any], rules: Rules, weights: Mapping[Any, float] | None = None, seed: int = 1
    ) -> None:
        self.rules, self.seed, self.count = rules, seed, len(fitting)
        kept = fitting if len(fitting) <= _MAX_WEIGHED else compat.draw_items(fitting, _MAX_WEIGHED, seed, "weighed")
        self.index = Index(kept, rules)
        self._fitting = frozenset(fitting)
        heavy = [_round_to_power(weights.get(word, 0.0)) if weights else 1.0 for word in kept]
        alike: dict[float, int] = {}
        for number, weight in enumerate(heavy):
            alike[weight] = alike.get(weight, 0) | 1 << number
        total = sum(heavy)
        self._chances = dict(zip(kept, (weight / total for weight in heavy), strict=True))
        self._weighed = [(weight / total, members) for weight, members in sorted(alike.items())]
        self._symbols = _compute_shares(kept)

    def look(self, word: Any) -> GuessOption:
        """Return the value of a guess."""
        own = self.index.select_word(word)
        parts = self.index.split(word, self.index.everything & ~own)
        worth = strategies.measure_worth(self.index, word, self._weighed, parts)
        share = self._chances.get(word, 0.0)
        sizes = [part.bit_count() for part in parts.values()] + ([1] if own else [])
        bits = worth - strategies.FOUND_BITS * share
        return GuessOption(word, share, bits, len(sizes), max(sizes), worth, word in self._fitting)

    def rank_guesses(
        self, others: Iterable[Any] = (), may_ask: Callable[[Any], bool] | None = None
    ) -> list[GuessOption]:
        """Rank guesses, the best first: the likeliest that fit, and of `others` those that seem to tell most.

        With more of either than `_MAX_COMPARED`, only that many are compared.
        """
        words = [word for word in self.index.words if may_ask is None or may_ask(word)]
        if len(words) > _MAX_COMPARED:
            # Of equally likely ones any, not those that begin alike.
            words = compat.draw_items(words, len(words), self.seed, "compared")
        words = sorted(words, key=lambda word: -self._chances[word])[:_MAX_COMPARED]
        if len(self.index) > 2:
            chosen = set(words)
            spare = [word for word in others if word not in chosen and (may_ask is None or may_ask(word))]
            words += sorted(spare, key=self._rate_promise)[:_MAX_COMPARED]
        looks = [self.look(word) for word in words]
        order = {word: place for place, word in enumerate(words)}
        return sorted(looks, key=lambda option: (-round(option.worth * _STEPS), not option.fits, order[option.word]))

    def find_splitting(
        self, alike: Sequence[Any], others: Iterable[Any], may_ask: Callable[[Any], bool] | None = None
    ) -> GuessOption | None:
        """Find the word that separates the most look-alikes; None if no word separates more than one of them."""
        few = Advisor(alike, self.rules, seed=self.seed)
        ranked = few.rank_guesses(others, may_ask)
        best = max(ranked, key=lambda option: (option.groups, -option.largest), default=None)
        mine = max((option.groups for option in ranked if option.fits), default=0)
        return best if best is not None and best.groups > mine else None

    def list_likeliest(self, count: int) -> list[tuple[Any, float]]:
        """List the words that are likeliest, with their chances."""
        return sorted(self._chances.items(), key=lambda pair: -round(pair[1] * _STEPS))[:count]

    def _rate_promise(self, word: Any) -> float:
        """Estimate a word's information (smaller is more): symbols and places of about half of the candidates."""
        found = 0.0
        for place, symbol in enumerate(word):
            here, anywhere = self._symbols.get((place, symbol), 0.0), self._symbols.get(symbol, 0.0)
            found += here * (1 - here) if self.rules.kind != COMMON else 0.0
            found += anywhere * (1 - anywhere) if word.index(symbol) == place else 0.0
        return -found


def find_lookalikes(words: Sequence[Any]) -> tuple[str, list[Any]]:
    """Find the largest group of words that differ in one place only, three at least: `.ight` and its words.

    >>> find_lookalikes(["light", "night", "might", "crane"])
    ('.ight', ['light', 'night', 'might'])
    """
    groups: dict[tuple[int, Any], list[Any]] = {}
    for word in words[:_MAX_WEIGHED]:
        for place in range(len(word)):
            groups.setdefault((place, (*word[:place], None, *word[place + 1 :])), []).append(word)
    (_, row), found = max(groups.items(), key=lambda group: len(group[1]), default=((0, ()), []))
    if len(found) < 3:
        return "", []
    return "".join("." if symbol is None else str(symbol) for symbol in row), found


def guess_reason(
    option: GuessOption, fitting: int, rules: Rules, shown: Callable[[Any], str], best: GuessOption | None = None
) -> str:
    """Return a sentence why a guess is asked; `best` is the best of those that can be the word."""
    word = shown(option.word)
    things = "codes" if rules.kind == PLACES and rules.name in ("mastermind", "bulls", "gladiators") else "words"
    if fitting == 1:
        return f"Only {word} fits."
    if fitting == 2 and option.fits:
        return f"Two {things} fit, and {word} is {'the likelier one' if option.chance > 0.5 else 'one of them'}."
    told, verb = ("marks", "tell") if rules.kind == MARKS else ("answer", "tells")
    sure = f" ({option.chance:.0%})" if option.chance >= 0.01 else ""
    be = f"can be it{sure}" if option.fits else "cannot be it"
    if option.groups == fitting:
        return f"{word} {be}, and its {told} {verb} all {fitting} {things} apart."
    groups = f"{fitting:,} {things} in {option.groups} groups, the largest of {option.largest:,}"
    said = f"{word} {be}; its {told} {verb} {option.bits:.1f} bits on average: {groups}."
    if not option.fits and best is not None:
        said += f" The best that can be it, {shown(best.word)}, tells {best.bits:.1f} bits."
    return said


def _round_to_power(weight: float) -> float:
    """Round a weight to a power of two: few different weights are summed up fast."""
    return float(2 ** round(log2(weight))) if weight > 0 else 2.0**-20


def _compute_shares(words: Sequence[Any]) -> dict[Any, float]:
    """Return the share of words with a symbol, and with a symbol at a place."""
    counts: dict[Any, float] = {}
    for word in words:
        for key in {*word, *enumerate(word)}:
            counts[key] = counts.get(key, 0.0) + 1
    return {key: count / len(words) for key, count in counts.items()}


# If no word fits: the answer that is most likely wrong, in sentences.

#: The most suspicious answers that are named, and the most words that would then fit.
_MAX_SUSPICIONS_SHOWN, _MAX_WORDS_SHOWN = 3, 6


def find_suspicions(turns: Sequence[Turn], index: Index) -> list[tuple[explain.Slip, list[Any]]]:
    """List the likeliest slips, each with the words that fit after its correction; first those that explain all."""
    found = []
    for likely in explain.rank_slips(turns, index):
        slip = likely
        others = [turn for number, turn in enumerate(turns) if number != slip.turn]
        fitting = index.list_words(index.find_candidates([*others, Turn(slip.guess, slip.meant)]))
        if not fitting:
            slip, fitting = _other_reading(slip, others, index)
        if slip.probability > 0.001:
            found.append((slip, fitting))
    return sorted(found, key=lambda one: not one[1])


def _other_reading(slip: explain.Slip, others: Sequence[Turn], index: Index) -> tuple[explain.Slip, list[Any]]:
    """Where the likeliest answer leaves nothing, take the one that leaves most."""
    parts = index.split(slip.guess, index.find_candidates(others))
    parts.pop(slip.got, None)
    if not parts:
        return slip, []
    meant = max(sorted(parts), key=lambda feedback: parts[feedback].bit_count())
    return slip._replace(meant=meant), index.list_words(parts[meant])


def describe_suspicions(turns: Sequence[Turn], index: Index, shown: Callable[[Any], str]) -> list[str]:
    """Return the sentence that no word fits, and the answers to check."""
    said = ["Nothing fits all the answers: one of them is wrong, or the word is not in the list."]
    if index.rules.kind not in (COMMON, MARKS) and len(index.rules.alphabet) < 26:
        said = ["Nothing fits all the answers: one of them is wrong."]
    for slip, fitting in find_suspicions(turns, index)[:_MAX_SUSPICIONS_SHOWN]:
        if not fitting:
            continue
        some, more = ", ".join(map(shown, fitting[:_MAX_WORDS_SHOWN])), len(fitting) - _MAX_WORDS_SHOWN
        meant, got = describe_answer(slip.meant, index.rules), describe_answer(slip.got, index.rules)
        some += f" and {more:,} more" if more > 0 else ""
        said.append(f"If turn {slip.turn + 1}, {shown(slip.guess)}, had been {meant} instead of {got}: {some}.")
    if len(said) == 1:
        said.append("No single answer explains it; take turns back with 'undo', or change them.")
    return said


def describe_answer(feedback: Any, rules: Rules) -> str:
    """Write an answer down."""
    return str(feedback) if rules.kind in (MARKS, COMMON) else f"{feedback[0]} {feedback[1]}"


# The reason why a word can or cannot be the secret, in a sentence.

#: Guesses compared in an answer to `why`.
_MAX_COMPARED_OPTIONS = 3


def explain_turn(word: Any, turns: Sequence[Turn], rules: Rules, shown: Callable[[Any], str]) -> str:
    """Return which turn speaks against a word: the first one that would have got another answer; empty for none.

    >>> from jotto.feedback import Feedback
    >>> from jotto.rules import JOTTO
    >>> explain_turn("stone", [Turn("ocean", Feedback(1, 2))], JOTTO, str.upper)
    'STONE cannot be it: turn 1, OCEAN, would have got 0 3, not 1 2.'
    """
    for number, turn in enumerate(turns, start=1):
        would = rules.score(turn.guess, word)
        if would != turn.feedback:
            answers = f"{describe_answer(would, rules)}, not {describe_answer(turn.feedback, rules)}"
            return f"{shown(word)} cannot be it: turn {number}, {shown(turn.guess)}, would have got {answers}."
    return ""


def find_objections(code: Any, turns: Sequence[Turn], rules: Rules, against: Sequence[int] | None = None) -> str:
    """Return the turns, numbered from 0 in `against`, in which a code would have got another answer.

    >>> from jotto.feedback import Feedback
    >>> from jotto.rules import JOTTO
    >>> find_objections("stone", [Turn("ocean", Feedback(1, 2))], JOTTO)[:85]
    'STONE is out: turn 1, OCEAN, got 1 in the right place and 2 in the wrong place; STONE'
    """
    places = [clash.turn for clash in explain.find_clashes(code, turns, rules)] if against is None else against
    name, said = code.upper(), []
    for place in places:
        guess, feedback = turns[place]
        got, would = _speak_answer(feedback, rules), _speak_answer(rules.score(guess, code), rules)
        said.append(f"turn {place + 1}, {guess.upper()}, got {got}; {name} would have answered {would}")
    return f"{name} is out: {'; '.join(said)}." if said else f"{name} fits {explain_all_turns(len(turns))}."


def _speak_answer(feedback: Any, rules: Rules) -> str:
    if rules.kind in (MARKS, COMMON):
        return describe_answer(feedback, rules)
    return f"{feedback[0]} in the right place and {feedback[1]} in the wrong place"


def explain_all_turns(count: int) -> str:
    """Return the numbers of all turns as text."""
    return {0: "the rules; there is no turn yet", 1: "the one turn"}.get(count, f"all {count} turns")


def explain_word(word: Any, turns: Sequence[Turn], advisor: Advisor, shown: Callable[[Any], str]) -> list[str]:
    """Say whether a word can be the secret, and what its answer would reveal."""
    said = [explain_turn(word, turns, advisor.rules, shown)]
    if not said[0] and not advisor.look(word).fits:
        said = [f"{shown(word)} is not in the list, so it cannot be it here."]
    return [*filter(None, said), guess_reason(advisor.look(word), advisor.count, advisor.rules, shown)]


def compare_words(ranked: Sequence[Any], fitting: int, rules: Rules, shown: Callable[[Any], str]) -> list[str]:
    """Return the reason why the best guess is the best: its information, and that of the next best ones."""
    first, *others = ranked[:_MAX_COMPARED_OPTIONS]
    said = [guess_reason(first, fitting, rules, shown)]
    if others:
        bits = [f"{shown(one.word)} {one.bits:.1f} bits{'' if one.fits else ' (cannot be it)'}" for one in others]
        said.append(f"The next best: {', '.join(bits)}.")
    return said
