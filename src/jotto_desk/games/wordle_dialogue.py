"""Dialogues of a Wordle helper on a terminal, the questions they answer, and the original helper for comparison."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from rich.text import Text

from jotto import compat
from jotto.game import Turn
from jotto.rules import WORDLE
from jotto_desk.errors import DeskError
from jotto_desk.games import advice, wordle
from jotto_desk.games.wordle import HelperReport, Vocabulary, WordleHelper, congratulate
from jotto_desk.terminal import Column, FittedTable, Terminal

# The filter of the original Wordle helper, for comparison: it can lose the answer.
#
# Its state: exact letters with their places; per letter marked present the places where it is not; letters taken to
# be absent. It fails with repeated letters: a letter marked N is banned altogether even if another copy of it
# is E or P, and E forgets what P said about another copy. `jotto wordle` filters by the marks themselves.


class _OriginalState(NamedTuple):
    """The original's state: exact letters and places, present letters and places they are not at, absent letters."""

    exact: list[tuple[str, int]]
    partial: dict[str, list[int]]
    absent: list[str]

    def add(self, turn: Turn) -> None:
        """Add a round, letter by letter in the original's order."""
        exact, partial, absent = self
        for place, (letter, mark) in enumerate(zip(turn.guess.upper(), turn.feedback, strict=True)):
            if mark == "E" and (letter, place) not in exact:
                exact.append((letter, place))
                if letter in partial:
                    del partial[letter]
                else:
                    for spots in partial.values():
                        spots.extend([place] if place not in spots else [])
            elif mark == "P" and letter in partial:
                partial[letter].extend([place] if place not in partial[letter] else [])
            elif mark == "P":
                taken = [spot for _, spot in exact]
                partial[letter] = [place, *(spot for spot in taken if spot != place)]
            elif mark == "N" and letter not in absent:
                absent.append(letter)

    def allows(self, word: str) -> bool:
        word, partial = word.upper(), self.partial.items()
        return (
            not any(letter in word for letter in self.absent)
            and all(word[place] == letter for letter, place in self.exact)
            and all(letter in word and all(word[spot] != letter for spot in spots) for letter, spots in partial)
        )


def make_original_state(turns: Iterable[Turn]) -> _OriginalState:
    """Return the state after some rounds, as the original prints it.

    >>> tuple(make_original_state([Turn("sugar", "ENNPP")]))
    ([('S', 0)], {'A': [3, 0], 'R': [4, 0]}, ['U', 'G'])
    """
    found = _OriginalState([], {}, [])
    for turn in turns:
        found.add(turn)
    return found


#: Places at which the original looks for start words, and commonest letters that it shows.
_START_PLACES, _SHOWN_LETTERS = 3, 5


def count_all_letters(words: Iterable[str]) -> list[tuple[str, int]]:
    """Count the letters of all different words, the commonest first."""
    return Counter(letter for word in words for letter in word.upper()).most_common()


def list_start_words(words: Iterable[str], counted: Sequence[tuple[str, int]]) -> dict[int, list[str]]:
    """Map places in `count_all_letters` to the words made of the five letters from there: the first from 0, 1 and 2."""
    letters = [letter for letter, _ in counted]
    spelled: dict[str, list[str]] = {}
    for word in words:
        spelled.setdefault("".join(sorted(word.upper())), []).append(word)
    found: dict[int, list[str]] = {}
    for place in range(len(letters) - 4):
        starts = spelled.get("".join(sorted(letters[place : place + 5])))
        if starts:
            found[place] = starts
            if place >= _START_PLACES - 1:
                break
    return found


# Games played by the helper and by the original's algorithm.

_COUNTED_ROUNDS = 6
#: Games end here, solved or not.
_MAX_MEASURED_ROUNDS = 30


@dataclass(frozen=True)
class HelperFigures:
    """Games solved in 6 rounds, games whose answer was filtered out, and guesses -> games."""

    name: str
    games: int
    in_six: int
    lost: int
    distribution: dict[int, int]

    @property
    def mean(self) -> float:
        """Guesses a solved game took on average, the winning one counted."""
        solved = sum(self.distribution.values())
        return sum(turns * count for turns, count in self.distribution.items()) / solved if solved else 0.0

    def plain(self) -> dict[str, Any]:
        """Return the figures as a dict that JSON can hold."""
        solved = {"in_six": self.in_six, "share_in_six": self.in_six / self.games if self.games else None}
        figures = {"lost": self.lost, "mean": round(self.mean, 4), "distribution": self.distribution}
        return {"name": self.name, "games": self.games, **solved, **figures}


def draw_secrets(words: Sequence[str], games: int, seed: int) -> list[str]:
    """Draw the secrets of `games` games, all words alike; none comes twice while there are others."""
    found: list[str] = []
    while len(found) < games:
        found += compat.draw_items(words, games - len(found), seed, "secrets", len(found))
    return found


class _HelperGame(NamedTuple):
    """A game played: its rounds until it was solved (0: it was not), and whether the answer was filtered out."""

    rounds: int
    is_lost: bool = False


def play_game(
    guess: Callable[[tuple[Turn, ...]], str], keeps: Callable[[tuple[Turn, ...], str], bool], secret: str
) -> _HelperGame:
    """Play a game: `guess` names the next word (empty: it gives up), `keeps` says whether the secret is still in."""
    turns: tuple[Turn, ...] = ()
    while len(turns) < _MAX_MEASURED_ROUNDS:
        if not keeps(turns, secret):
            return _HelperGame(0, True)
        word = guess(turns)
        if word == secret:
            return _HelperGame(len(turns) + 1)
        if not word:
            break
        turns = (*turns, Turn(word, WORDLE.score(word, secret)))
    return _HelperGame(0)


def sum_games(name: str, games: Collection[_HelperGame]) -> HelperFigures:
    """Sum up the games of one helper."""
    found = Counter(game.rounds for game in games if game.rounds)
    solved = sum(count for taken, count in found.items() if taken <= _COUNTED_ROUNDS)
    return HelperFigures(name, len(games), solved, sum(game.is_lost for game in games), dict(sorted(found.items())))


def play_helper(helper: WordleHelper, secrets: Iterable[str]) -> Iterator[_HelperGame]:
    """Play with the exact filter and the guesses with the most information."""

    def keeps(turns: tuple[Turn, ...], secret: str) -> bool:
        return bool(helper.index.find_candidates(turns) & helper.index.select_word(secret))

    return map(partial(play_game, helper.guess, keeps), secrets)


def play_original(vocabulary: Vocabulary, secrets: Iterable[str]) -> Iterator[_HelperGame]:
    """Play as the original does: its start word, then the most frequent word its own filter keeps, none asked twice."""
    words = vocabulary.spoken
    starts = next(iter(list_start_words(words, count_all_letters(words)).values()), [])
    known: dict[tuple[Turn, ...], str] = {}

    def guess(turns: tuple[Turn, ...]) -> str:
        if turns not in known:
            asked, state = {turn.guess for turn in turns}, make_original_state(turns)
            kept = (word for word in words if word not in asked and state.allows(word))
            known[turns] = starts[0] if starts and not turns else next(kept, "")
        return known[turns]

    return map(partial(play_game, guess, lambda turns, secret: make_original_state(turns).allows(secret)), secrets)


# The display: coloured letters, two rankings of the words left, figures of many games.

_STYLES = {"E": "bold white on green4", "P": "bold black on yellow3", "N": "bold white on grey37"}


def colour_tiles(turn: Turn) -> Text:
    """Show a guess in colours, and its squares for terminals without colours."""
    shown = Text()
    for letter, mark in zip(turn.guess.upper(), turn.feedback, strict=True):
        shown.append(f" {letter} ", style=_STYLES[mark])
    return shown + Text(f"  {wordle.mark_squares(turn.feedback)}  {turn.feedback}")


def _tabulate_options(report: HelperReport, unit: str, count: int) -> FittedTable:
    sheet = FittedTable(
        "",
        Column("most frequent", is_text=True),
        Column(unit, leaves=2),
        Column("tell most", is_text=True),
        Column("chance"),
        Column("bits"),
        Column("groups", leaves=1),
    )
    for place in range(min(count, len(report.fitting))):
        word, frequency = report.fitting[place]
        one = report.telling[place] if place < len(report.telling) else None
        told = [""] * 4
        if one is not None:
            told = [one.word.upper(), f"{one.chance:.1%}", f"{one.bits:.2f}", str(one.groups)]
        sheet.add(word.upper(), f"{frequency:g}", *told)
    return sheet


def describe_vocabulary(known: Vocabulary) -> list[str]:
    """Return lines about words before the first round: words per corpus, commonest letters, start words."""
    lines = []
    if known.corpora:
        (first, count), *more = known.corpora
        added = "".join(f", with {name} {total:,}" for name, total in more)
        lines.append(f"Words of five letters in {first}: {count:,}{added}.")
    spoken = known.spoken
    counted = count_all_letters(spoken)
    shown = ", ".join(f"{letter} {count:,}" for letter, count in counted[:_SHOWN_LETTERS])
    lines.append(f"Commonest letters: {shown}.")
    starts = [
        f"{', '.join(map(str.upper, words))} (letters {place + 1} to {place + WORDLE.length})"
        for place, words in list_start_words(spoken, counted).items()
    ]
    lines.append(f"Start words of common letters: {'; '.join(starts) or 'none'}.")
    return lines


def tabulate_figures(rows: Sequence[HelperFigures], title: str, asked: int) -> FittedTable:
    """Make a table of the figures of helpers; their numbers of games are shown only if not all games were played."""
    differ = any(row.games != asked for row in rows)
    sheet = FittedTable(
        title,
        Column("helper", is_text=True),
        Column("games"),
        Column(f"solved in {_COUNTED_ROUNDS}"),
        Column("answer lost"),
        Column("mean"),
        Column("guesses: games", is_text=True, folds=True, leaves=1, least=12),
    )
    for row in rows:
        counts = " ".join(f"{turns}:{count}" for turns, count in row.distribution.items())
        shares = f"{row.in_six / row.games:.2%}", f"{row.lost / row.games:.2%}"
        sheet.add(row.name, str(row.games) if differ else "", *shares, f"{row.mean:.3f}", counts)
    return sheet


# The helper's dialogue.

_MAX_DIALOGUE_ROUNDS = 100


class HelperDialogue:
    """The helper's side of the table."""

    def __init__(self, known: Vocabulary, helper: WordleHelper, count: int) -> None:
        self.known, self.helper, self.count, self.table = known, helper, count, Terminal()

    def listen(self, quietly: bool) -> tuple[Turn, ...]:
        """Read rounds line by line; return them at the end of input."""
        turns: tuple[Turn, ...] = ()
        if self.table.alive:
            known = f"such as {wordle.ROUND_EXAMPLE}; only Enter ends. help: all that you can type."
            self.table.say(f"Type your guess and its marks, {known}", "dim")
        if not quietly:
            self.table.say(wordle.MARK_LEGEND, "dim")
            self.tell(turns)
        while len(turns) < _MAX_DIALOGUE_ROUNDS:
            typed = self.table.hear() if not quietly else self.table.read_quietly()
            if typed is None or (not typed and self.table.alive) or typed.lower() in ("stop", "quit"):
                break
            asked = "" if quietly else typed
            if not typed or _print_answer(self.table, wordle.answer_question(asked, self.helper, turns)):
                continue
            # Marks without a guess belong to the best guess.
            guess = self.helper.guess(turns) if wordle.is_mark_row(typed) else ""
            try:
                turns = turns[:-1] if typed.lower() == "undo" else (*turns, wordle.parse_round(typed, guess))
            except DeskError as error:
                if quietly:
                    raise
                self.table.say(str(error), "yellow")
                continue
            if not quietly:
                self.tell(turns)
            if _is_found(turns):
                break
        return turns

    def tell(self, turns: tuple[Turn, ...]) -> None:
        """Print the last marks, the words that fit, and the best guess."""
        if turns:
            self.table.show(colour_tiles(turns[-1]))
            self.table.say(wordle.describe_hints(turns))
        else:
            for line in describe_vocabulary(self.known):
                self.table.say(line)
        if _is_found(turns):
            self.table.say(congratulate(turns), "bold")
            return
        report = self.helper.report(turns)
        for sentence in report.remarks:
            self.table.say(sentence)
        if report.best is None:
            return
        self.table.say(f"{report.left:,} of {len(self.known.words):,} words of '{self.known.name}' fit.")
        self.table.show(_tabulate_options(report, self.known.unit, self.count))
        self.table.say(f"Best guess: {report.best.word.upper()}. {report.reason}", "bold")

    def plain(self, turns: tuple[Turn, ...]) -> dict[str, object]:
        """Return the known facts as a dict for JSON."""
        words = {"words": self.known.name, "unit": self.known.unit, "corpora": dict(self.known.corpora)}
        spoken = self.known.spoken
        counted = count_all_letters(spoken)
        letters = {"letters": dict(counted)}
        starts = {"start_words": list_start_words(spoken, counted)}
        possible = {"possible_places": wordle.find_possible_places(turns)}
        report = self.helper.report(turns).plain(self.count)
        return {**words, **letters, **starts, "rounds": [list(turn) for turn in turns], **possible, **report}


def solve_one(helper: WordleHelper, secret: str, table: Terminal) -> tuple[Turn, ...]:
    """Guess until the word is found; without a secret the marks are asked for. Gives the rounds."""
    turns: tuple[Turn, ...] = ()
    if secret:
        WORDLE.check(secret)
    while len(turns) < _MAX_DIALOGUE_ROUNDS and (not turns or turns[-1].feedback != WORDLE.win):
        report = helper.report(turns)
        for sentence in report.remarks:
            table.say(sentence)
        if report.best is None and secret:
            if secret not in helper.index:
                table.say(f"{secret.upper()} is not in the list '{helper.vocabulary.name}'.")
            break
        guess = report.best.word if report.best else ""
        if guess:
            table.say(f"{len(turns) + 1}. {guess.upper()}. {report.reason}")
        if secret:
            turns = (*turns, Turn(guess, WORDLE.score(guess, secret)))
        else:
            after = _note_marks(table, helper, guess, turns)
            if after is None:
                table.say("(You left.)", "dim")
                return turns
            turns = after
        if turns and guess:
            table.show(colour_tiles(turns[-1]))
    if _is_found(turns):
        table.say(f"{congratulate(turns)}\n{wordle.share_rounds(turns)}")
    return turns


def _is_found(turns: Sequence[Turn]) -> bool:
    """Return whether the last round found the word, and no other round speaks against it."""
    won = bool(turns) and turns[-1].feedback == WORDLE.win
    return won and not advice.explain_turn(turns[-1].guess, turns, WORDLE, str.upper)


def _print_answer(table: Terminal, lines: Sequence[str]) -> bool:
    """Print an answer; say whether there was one."""
    for line in lines:
        table.say(line)
    return bool(lines)


def _note_marks(table: Terminal, helper: WordleHelper, guess: str, turns: tuple[Turn, ...]) -> tuple[Turn, ...] | None:
    """Read the marks of a guess, a round with another guess, `undo`, or `change 2 GBBYY`; None at the end."""
    while True:
        typed = table.hear()
        if typed is None or typed.lower() in ("stop", "quit"):
            return None
        if _print_answer(table, wordle.answer_question(typed, helper, turns)):
            continue
        try:
            if typed.lower() == "undo":
                return turns[:-1]
            words = typed.split(maxsplit=2)
            if len(words) == 3 and words[0].lower() == "change" and words[1].isdecimal():
                place = int(words[1][:4]) - 1
                if not 0 <= place < len(turns):
                    raise DeskError(f"'{typed[:60]}' is not a round from 1 to {len(turns)}.")
                return (*turns[:place], wordle.parse_round(words[2], turns[place].guess), *turns[place + 1 :])
            if typed:
                return (*turns, wordle.parse_round(typed, guess))
        except DeskError as error:
            table.say(str(error), "yellow")
