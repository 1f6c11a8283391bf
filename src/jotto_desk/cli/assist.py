"""`jotto assist`: help with a game played elsewhere: the words that fit, the next guess, the wrong answer."""

from dataclasses import dataclass
from typing import Annotated, Any

from jotto.index import Index
from jotto.rules import LETTERS, JottoError, Rules
from jotto.tree import list_codes
from jotto_desk import addresses
from jotto_desk.cli import problem_options
from jotto_desk.cli.shell import GAME, OUTPUT, CommandLine, Json, option, print_json
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import describe_answer, make_rules
from jotto_desk.games.assist import TurnNotebook, parse_turn, show_turn, turn_example
from jotto_desk.games.wordle import BAND_COUNTS
from jotto_desk.terminal import Terminal
from jotto_desk.words import lists

app = CommandLine()
_COMMANDS = """A turn: {example}. Only Enter: the best guess. why: its reason; why GUESS: whether it can be the
word, and what it would reveal. list [N]: what fits. turns: all turns. undo [N]: remove the last turn, or turn N.
change N ANSWER, or change N GUESS ANSWER: correct turn N. ?: this help. stop: end."""
_LISTED, _MOST_LISTED = 30, 10_000


@dataclass(frozen=True)
class _GameOptions(problem_options.GameOptions):
    words: problem_options.ListName = ""


@app.declare(
    'jotto assist --rules jotto --turn "ocean 1 2"',
    "printf 'rroo 1 1\\nlist\\nundo\\n' | jotto assist --rules mastermind",
    'jotto assist --rules gladiators --turn "[0,1,2,3,4] [2,1]" --json     (the server\'s own answer)',
    "jotto assist --rules wordle --words answers.txt",
)
def assist(
    *,
    game: _GameOptions,
    turn: Annotated[list[str] | None, option("A guess and its answer.", panel=GAME, metavar="TURN")] = None,
    count: Annotated[int, option("Show N of the candidates.", "--list", panel=OUTPUT, min=0, max=_MOST_LISTED)] = 0,
    as_json: Json = False,
) -> None:
    """Enter guesses and answers of any game of the family; get the words left, the next guess and its reason.

    If no word fits, it names the answer that is most likely wrong. You can change or undo any turn. Give turns with
    --turn, or one per line.
    """
    book = notebook(make_rules(game.rules, game.length, game.symbols, game.repeats), game.words)
    for typed in turn or ():
        book = book.add_turn(parse_turn(typed, book.rules))
    desk = _Desk(Terminal(), as_json, count)
    if not turn:
        book = desk.listen(book)
    elif not as_json:
        desk.tell(book)
    if as_json:
        print_json(_convert_to_json(book, count or _LISTED))


def notebook(rules: Rules, words: str = "") -> TurnNotebook:
    """Open a notebook for the words of a list, or for every code of a game of symbols.

    Raises `DeskError` if there is no such list, or if it has too many codes.
    """
    if rules.alphabet != LETTERS:
        if words:
            named = addresses.hide_login(words)
            raise DeskError(f"'{rules.name}' is played with codes, not with the words of '{named}'; leave them out.")
        try:
            return TurnNotebook(Index(list_codes(rules), rules), {})
        except JottoError as error:
            raise DeskError(f"{error} Choose fewer places or symbols.") from error
    found = lists.load_list(words, rules) if words else lists.load_default_list(rules)
    least = min(BAND_COUNTS.values())
    weights = {word: BAND_COUNTS.get(band or 0, least) for word, band in zip(found.words, found.bands, strict=True)}
    return TurnNotebook(found.build_index(rules), weights if any(found.bands) else {})


class _Desk:
    """The dialogue: takes lines, updates the notebook, lists the codes that still fit."""

    def __init__(self, table: Terminal, is_quiet: bool, count: int) -> None:
        self.table = table
        self.is_quiet = is_quiet
        self.count = count

    def listen(self, book: TurnNotebook) -> TurnNotebook:
        """Read lines until the end; return the notebook."""
        self._say(_COMMANDS.format(example=turn_example(book.rules)), "dim")
        self.tell(book)
        while True:
            typed = self.table.hear() if not self.is_quiet else self.table.read_quietly()
            if typed is None or typed.lower() in ("stop", "quit"):
                return book
            try:
                after = self._take(typed, book)
            except DeskError as error:
                if self.is_quiet:
                    raise
                self.table.say(str(error), "yellow")
                continue
            if after is not None:
                book = after
                self.tell(book)

    def _take(self, typed: str, book: TurnNotebook) -> TurnNotebook | None:
        """Do what a line says; returns the changed notebook, None if it is unchanged."""
        verb, _, rest = typed.partition(" ")
        verb, rest = verb.lower(), rest.strip()
        if not typed:
            return book
        if verb in ("help", "?"):
            self._say(_COMMANDS.format(example=turn_example(book.rules)))
        elif verb == "why":
            for sentence in book.why(rest):
                self._say(sentence)
        elif verb == "turns" and not rest:
            self._format_turns(book)
        elif verb == "list" and (not rest or rest.isdecimal()):
            self._list(book, _parse_number(rest) if rest else _LISTED)
        elif verb == "undo" and (not rest or rest.isdecimal()):
            return book.remove_turn(_parse_number(rest) if rest else len(book.turns))
        elif verb == "change":
            number, _, told = rest.partition(" ")
            if not number.isdecimal() or not told.strip():
                known = "write 'change 2' and the new answer, or the new guess and answer"
                raise DeskError(f"'{typed[:60]}' does not change a turn; {known}.")
            old = book.turn(_parse_number(number))
            return book.replace_turn(_parse_number(number), parse_turn(told.strip(), book.rules, old.guess))
        else:
            return book.add_turn(parse_turn(typed, book.rules))
        return None

    def tell(self, book: TurnNotebook) -> None:
        """Print the number of words left and the guess to ask."""
        if self.is_quiet:
            return
        advice = book.advise()
        for sentence in advice.slips:
            self.table.say(sentence)
        if advice.best is None:
            self.table.say(advice.reason, "bold")
            return
        last = book.turns[-1].feedback == book.rules.win if book.turns else False
        if last and book.list_fitting() == [book.turns[-1].guess]:
            self.table.say(f"{show_turn(book.turns[-1].guess)} is it, in {len(book.turns)}.", "bold")
            return
        self.table.say(f"{advice.left:,} of {len(book.index):,} fit.")
        if self.count:
            self._list(book, self.count)
        self.table.say(f"Best guess: {show_turn(advice.best.word)}. {advice.reason}", "bold")

    def _say(self, line: str, style: str = "") -> None:
        if not self.is_quiet:
            self.table.say(line, style)

    def _format_turns(self, book: TurnNotebook) -> None:
        for number, turn in enumerate(book.turns, start=1):
            self._say(f"{number}. {show_turn(turn.guess)} {describe_answer(turn.feedback, book.rules)}")
        if not book.turns:
            self._say("No turn is noted yet.")

    def _list(self, book: TurnNotebook, count: int) -> None:
        found = sorted(book.list_fitting(), key=lambda word: -book.weights.get(word, 0.0))
        more = len(found) - count
        self._say(" ".join(map(show_turn, found[:count])) + (f" and {more:,} more" if more > 0 else ""))


def _parse_number(text: str) -> int:
    return min(int(text[:9]), _MOST_LISTED) if text.isascii() else 0


def _convert_to_json(book: TurnNotebook, count: int) -> dict[str, Any]:
    advice = book.advise()
    best = advice.best and {"guess": advice.best.word, "fits": advice.best.fits, "bits": round(advice.best.bits, 4)}
    return {
        "rules": book.rules.plain(),
        "words": len(book.index),
        "turns": [[turn.guess, turn.feedback] for turn in book.turns],
        "left": advice.left,
        "some": book.list_fitting()[:count],
        "best": best and best | {"reason": advice.reason},
        "slips": list(advice.slips),
        "play_on": advice.reason if best is None else None,
    }
