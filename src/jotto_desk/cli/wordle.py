"""`jotto wordle`: help with a Wordle played elsewhere, a Wordle to play, and one that is solved for you."""

import contextlib
import functools
from collections.abc import Callable
from typing import Annotated

from rich.console import Console

from jotto.rules import WORDLE, JottoError
from jotto_desk.cli import options, problem_options, shell
from jotto_desk.errors import DeskError
from jotto_desk.games import wordle, wordle_dialogue
from jotto_desk.terminal import Terminal, gather

app = shell.CommandLine(
    no_args_is_help=True,
    epilog=shell.examples(
        "jotto wordle play", "jotto wordle help --marks arose=PPNPN", "jotto wordle solve --secret shark"
    ),
)
_Frequency = Annotated[
    str,
    shell.choice_option(
        "--frequency",
        wordle.VOCABULARY_SOURCES,
        "Source of the frequencies, and of the words without --words.",
        what="source of frequencies",
        panel=shell.GAME,
    ),
]
Even = Annotated[
    bool,
    shell.option(
        "Treat all words as equally likely; by default frequent ones are likelier.", "--even", panel=shell.ADVANCED
    ),
]
Seed = Annotated[int, shell.seed_option("The same seed draws the same words; 0 draws one.", panel=shell.ADVANCED)]
_Secret = Annotated[str, shell.option("The secret word.", panel=shell.GAME, metavar="WORD")]


def _load_vocabulary(frequency: str, words: str, with_blocked: bool = False) -> wordle.Vocabulary:
    found = wordle.load_vocabulary(frequency, words, with_blocked=with_blocked)
    if len(found.spoken) < 2:
        raise DeskError(f"'{found.name}' has {len(found.spoken)} words of five letters; a game needs two or more.")
    return found


@app.declare(
    'jotto wordle help --marks arose=PPNPN --marks "sugar GBBYY"',
    "echo 'S_E,U_N,G_N,A_P,R_P' | jotto wordle help --frequency nltk",
    "jotto wordle help --hard     (asks for rounds; undo takes one back)",
    name="help",
)
def help_(
    rounds: Annotated[
        list[str] | None,
        shell.option("A guess and its marks; give one per round.", "--marks", panel=shell.GAME, metavar="ROUND"),
    ] = None,
    words: options.PlayedList = "",
    frequency: _Frequency = wordle.OUR_LIST,
    hard: problem_options.Hard = False,
    even: Even = False,
    with_blocked: problem_options.WithBlocked = False,
    count: Annotated[int, shell.option("Number of words to show.", panel=shell.OUTPUT, min=1, max=1000)] = 10,
    as_json: shell.Json = False,
) -> None:
    """List the words that still fit, and suggest a guess with its reason.

    A round is written S_E,U_N,G_N,A_P,R_P (E exact, P present, N none), or SUGAR GBBYY, or SUGAR and its squares; give
    rounds as --marks, or one per line. `undo` removes the last line.
    """
    turns = tuple(wordle.parse_round(typed) for typed in rounds or ())
    known = _load_vocabulary(frequency, words, with_blocked)
    side = wordle_dialogue.HelperDialogue(known, wordle.WordleHelper(known, hard, even), count)
    if not rounds:
        turns = side.listen(as_json)
    if as_json:
        shell.print_json(side.plain(turns))
    elif rounds:
        side.tell(turns)


@app.declare(
    "jotto wordle play --hard",
    "jotto wordle play --page    (in the browser)",
    "printf 'arose\\nsugar\\nshark\\n' | jotto wordle play --secret shark",
)
def play(
    secret: _Secret = "",
    words: options.PlayedList = "",
    hard: problem_options.Hard = False,
    seed: Seed = 0,
    *,
    page: options.PageOptions,
) -> None:
    """Guess a word in six rounds. If a guess does not count, the game says why; `help` lists the commands."""
    page.check()
    known = _load_vocabulary(wordle.OUR_LIST, words)

    def begin_game(seed: int) -> wordle.Wordle:
        return wordle.Wordle(_choose_secret(known, secret, seed), frozenset(known.words), hard)

    if page.page:
        _play_on_page(begin_game, known, seed, page)
        return
    seed = shell.draw_seed(seed)
    game, table = begin_game(seed), Terminal()
    table.say(
        f"I have a word of five letters; you have {wordle.GAME_ROUNDS} guesses."
        f"{' Hard mode: use what the marks tell.' if hard else ''} (seed {seed})\n{wordle.MARK_LEGEND}\n"
        "help: everything that you can type."
    )
    game = _play_game(game, known, table)
    if not game.over:
        table.say(f"(You left; the word was {game.secret.upper()}.)", "dim")
        return
    end = wordle.congratulate(game.turns) if game.solved else f"The word was {game.secret.upper()}."
    table.say(f"{end}\n\n{game.format_title()}\n{wordle.share_rounds(game.turns)}")


def _play_on_page(
    begin: Callable[[int], wordle.Wordle], known: wordle.Vocabulary, seed: int, page: options.PageOptions
) -> None:
    """Play on a page; without a seed every visitor's word is another one."""
    with options.convert_page_errors():
        from jotto_desk.play.page.tables import WordleTable

        table = WordleTable(begin, known, shell.draw_seed(seed))
        options.serve_table("wordle", table.title, page, words=table)


def _choose_secret(known: wordle.Vocabulary, secret: str, seed: int) -> str:
    """Return the word that is given, or draw a common one."""
    if not secret:
        return wordle.draw_common_secret(known, seed)
    word = wordle.fold_typed_word(secret)
    try:
        WORDLE.check(word)
    except JottoError as error:
        raise DeskError(f"--secret: {error}") from error
    return word


def _play_game(game: wordle.Wordle, known: wordle.Vocabulary, table: Terminal) -> wordle.Wordle:
    """Read guesses until the game is over or left."""
    helper = functools.cache(lambda: wordle.WordleHelper(known, game.is_hard))
    while not game.over:
        typed = table.hear()
        if typed is None or typed.lower() in ("stop", "quit"):
            break
        if typed and typed.split()[0].lower() in wordle.QUESTION_VERBS:
            for line in wordle.answer_question(typed, helper(), game.turns, is_playing=True):
                table.say(line)
            continue
        guess = wordle.fold_typed_word(typed)
        fault = game.explain_refusal(guess)
        if fault:
            table.say(fault)
            continue
        game = game.add_guess(guess)
        table.show(wordle_dialogue.colour_tiles(game.turns[-1]))
    return game


@app.declare(
    "jotto wordle solve     (you have a word; answer its guesses with marks such as GBBYY)",
    "jotto wordle solve --secret shark",
    "jotto wordle solve --games 2000 --seed 1 --even --json",
)
def solve(
    secret: _Secret = "",
    games: Annotated[int, shell.option("Measure: play N games.", panel=shell.GAME, min=0, max=100_000)] = 0,
    words: options.PlayedList = "",
    frequency: _Frequency = wordle.OUR_LIST,
    hard: problem_options.Hard = False,
    even: Even = False,
    with_blocked: problem_options.WithBlocked = False,
    seed: Seed = 0,
    as_json: shell.Json = False,
) -> None:
    """Have your word found: answer guesses with marks such as GBBYY. Or measure the helper with --games.

    A measurement also plays the original helper's filter, on the same secrets.
    """
    known = _load_vocabulary(frequency, words, with_blocked)
    helper = wordle.WordleHelper(known, hard, even)
    if games:
        _measure_strategies(known, helper, games, shell.draw_seed(seed), as_json)
        return
    turns = wordle_dialogue.solve_one(helper, wordle.fold_typed_word(secret), Terminal())
    if as_json:
        solved = bool(turns) and turns[-1].feedback == WORDLE.win
        shell.print_json({"words": known.name, "solved": solved, "turns": [list(turn) for turn in turns]})


def _measure_strategies(
    known: wordle.Vocabulary, helper: wordle.WordleHelper, games: int, seed: int, as_json: bool
) -> None:
    drawn = wordle_dialogue.draw_secrets(known.spoken, games, seed)
    waiting = Console(stderr=True)
    rows, end = [], None
    with waiting.status("playing") if waiting.is_terminal else contextlib.nullcontext():
        for name, playing in (
            ("jotto", wordle_dialogue.play_helper(helper, drawn)),
            ("original", wordle_dialogue.play_original(known, drawn)),
        ):
            if end is None:
                turns, end = gather(playing)
                rows.append(wordle_dialogue.sum_games(name, turns))
    if as_json:
        told = {"words": known.name, "size": len(known.words), "seed": seed, "even": helper.even}
        told |= {"hard": helper.is_hard, "stopped": end is not None, "figures": [row.plain() for row in rows]}
        shell.print_json(told)
    elif rows[0].games:
        title = f"list {known.name}, {len(known.words):,} words: {len(drawn):,} games, seed {seed}"
        played = [row for row in rows if row.games]
        Terminal().show(wordle_dialogue.tabulate_figures(played, title, len(drawn)))
    if end is not None:
        raise end
