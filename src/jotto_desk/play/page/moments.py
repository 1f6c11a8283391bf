"""A moment of a game of Jotto with NAO as the page shows it, from the value of `Jotto/Game` in the robot's memory."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from jotto import words
from jotto.game import SOLVED, Turn
from jotto.rules import JOTTO, JottoError, Rules
from jotto_behaviour import memory, mind
from jotto_behaviour.settings import LEVELS
from jotto_behaviour.talk import Talk
from jotto_desk.conversation.answers import (
    CHOICE,
    NO_ANSWER,
    ONE_NUMBER,
    TWO_NUMBERS,
    WORD,
    Choice,
    Question,
    make_question,
)
from jotto_desk.conversation.game_record import OVER, capitalise_words, has_reason, list_boards
from jotto_desk.history import BREAKER, MAKER, RACE, Translated, fill_english

from .boards import KEYBOARD, KEYBOARDS, BoardView, find_objection, jotto_board

ROLES_SAID = {BREAKER: "NAO guesses your word", MAKER: "You guess NAO's word", RACE: "A race: you take turns guessing"}
UNDECIDED = "Nobody has picked who guesses yet"
#: The roles in the player's words, as the title of a game.
ROLE_LABELS = {BREAKER: "NAO guesses my word", MAKER: "I guess NAO's word", RACE: "Race"}
#: One line about each role, below the phrase on its button.
ROLE_NOTES = {**ROLE_LABELS, RACE: "We take turns, and the fastest wins."}
#: The answers that choose a role.
_ROLE_ANSWERS = {"you guess": BREAKER, "I guess": MAKER, "race": RACE}
#: The languages in their own words, as in the page's list of languages.
OWN_NAMES = {"en": "English", "fr": "Fran\u00e7ais", "de": "Deutsch", "es": "Espa\u00f1ol"}
#: The answer that starts a game again, also if NAO has left.
AGAIN = "again"
#: The answers that are large buttons if the question is a choice.
_MAIN_ANSWERS = ("yes", "no", "ready", *_ROLE_ANSWERS)
#: Answers about spelled letters, which mean nothing before the first letter.
_ABOUT_LETTERS = ("back one", "cancel")
#: The groups of answers that change a setting: the page shows which one is on.
LEVEL, LANGUAGE = "level", "language"
#: The annotations of a text that only the voice understands.
_VOICE = re.compile(r"\\\w+=\w+\\")


class GameView(NamedTuple):
    """A moment of the game: the role, the level, the boards, NAO's question, and the letters spelled so far.

    `asked` is NAO's sentence. `moment` is another one after each answer that NAO has understood. `talk` is the source
    of all fields.
    """

    role: str
    level: str
    boards: tuple[BoardView, ...]
    question: Question
    asked: str
    spelled: str
    moment: tuple[str, int]
    talk: Talk

    @property
    def is_over(self) -> bool:
        """Return whether the game is at its end."""
        return bool(self.talk.about.name == OVER)


def parse_view(text: object, texts: Translated = fill_english) -> GameView | None:
    """Return the moment of a saved talk; None if the text is not one.

    >>> parse_view("") is parse_view("<b>") is parse_view(5) is None
    True
    """
    if not isinstance(text, str) or not text or len(text) > memory.MAX_TALK_LENGTH:
        return None
    try:
        return make_view(memory.parse_talk_text(text), texts)
    except JottoError:
        return None


def make_view(talk: Talk, texts: Translated = fill_english) -> GameView:
    """Return the moment of a talk, in the language of the texts."""
    asked = Question(NO_ANSWER) if talk.place.is_last else make_question(talk)
    drawn = tuple(jotto_board(board, texts) for board in list_boards(talk))
    return GameView(
        texts(ROLES_SAID.get(find_role(talk), UNDECIDED)),
        texts(talk.level),
        drawn,
        asked,
        _find_question(talk),
        words.capitalise_word(talk.spelled),
        (talk.state, talk.beat),
        talk,
    )


def _find_question(talk: Talk) -> str:
    """Return NAO's last sentence, without annotations for its voice."""
    said = talk.says or talk.last
    if not said or talk.place.is_last:
        return ""
    spoken = mind.load_lines(talk.language)
    try:
        text = spoken.speak(said[-1], talk.game.seed, talk.variety).text
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        # Notes of another version can name a line that this one lacks.
        return ""
    clean = mind.load_block_list(talk.language).clean(_VOICE.sub("", text), spoken.that_word)
    return capitalise_words(re.sub(" +", " ", str(clean)).strip(), talk.language)


def find_role(talk: Talk) -> str:
    """Return NAO's role in a game; "undecided" while NAO asks for it."""
    if talk.race:
        return RACE
    if talk.riddle is not None:
        return MAKER
    return "undecided" if talk.about.name == "role" else BREAKER


def find_objections(typed: str, turns: Sequence[Turn], rules: Rules = JOTTO) -> str:
    """Return which answers speak against a word, or why it is not a word of the game.

    >>> find_objections("hello", ())
    "'hello' uses 'l' more than once; think of a word with 5 different letters."
    """
    word = words.fold_word(typed.strip(), rules.alphabet)
    try:
        rules.check(word)
    except JottoError as error:
        return str(error)
    return find_objection(word, turns, rules)


def list_board_turns(talk: Talk, board: int) -> Sequence[Turn]:
    """Return the turns of a board, by its place: in a race the player's board is the first."""
    if talk.riddle is not None and not (talk.race and board):
        return tuple(talk.riddle.game.turns)
    return tuple(talk.game.turns)


# The moment as JSON.


def describe_game(view: GameView | None, runs: bool, language: str, texts: Translated) -> dict[str, Any]:
    """Return a moment as JSON: everything that the page draws. `language` is the page's, used before a game begins."""
    talk = None if view is None else view.talk
    spoken = language if talk is None else str(talk.language)
    role = "undecided" if talk is None else find_role(talk)
    found = () if talk is None else list_boards(talk)
    return {
        "moment": [] if view is None else list_moment(view),
        "runs": runs,
        "over": talk is not None and (not runs or talk.about.name == OVER or bool(talk.place.is_last)),
        "won": "" if talk is None else _find_winner(talk),
        "language": spoken,
        "role": role,
        "role_text": texts(ROLE_LABELS[role]) if role in ROLE_LABELS else "",
        "level": "" if talk is None else str(talk.level),
        "level_text": "" if view is None else view.level,
        "question": _describe_question(view if runs else None, runs, texts),
        "spelled": "" if view is None else view.spelled,
        "boards": [] if view is None else [describe_board(board) for board in view.boards],
        "has_reason": talk is not None and runs and has_reason(talk),
        "keyboard": list(KEYBOARDS.get(spoken, KEYBOARD)),
        "secret": next((board.capitalise(board.word) for board in found if board.word), ""),
    }


def list_moment(view: GameView) -> list[Any]:
    """Return the moment as a list: the state, the number of answers understood, and the meaning that NAO confirms."""
    return [*view.moment, "" if view.talk.doubt is None else view.talk.doubt.meaning]


def describe_board(board: BoardView) -> dict[str, Any]:
    """Return a board as JSON."""
    rows = [{**row._asdict(), "tiles": [tile._asdict() for tile in row.tiles]} for row in board.rows]
    return {**board._asdict(), "rows": rows}


def _find_winner(talk: Talk) -> str:
    """Return who has found a word in this game: "you", "nao" or "" for nobody."""
    if talk.riddle is not None and talk.riddle.is_solved:
        return "you"
    return "nao" if talk.game.outcome == SOLVED else ""


def _describe_question(view: GameView | None, runs: bool, texts: Translated) -> dict[str, Any]:
    asked = Question(NO_ANSWER) if view is None else view.question
    kind = "none" if asked.kind == NO_ANSWER else asked.kind.replace(" ", "-")
    again = [] if runs else [_describe_again(texts)]
    return {
        "kind": kind if runs else "choice",
        "text": "" if view is None else view.asked,
        "guess": "" if view is None or not view.talk.subject else words.capitalise_word(view.talk.subject),
        "answers": again if view is None else _describe_answers(view, texts),
        "commands": [] if view is None or not runs else _describe_commands(view, texts),
        "pairs": [list(pair) for pair in JOTTO.list_feedback()] if asked.kind == TWO_NUMBERS else [],
        "numbers": _list_numbers(view.talk) if view is not None and asked.kind == ONE_NUMBER else [],
        "length": JOTTO.length,
    }


def _describe_answers(view: GameView, texts: Translated) -> list[dict[str, Any]]:
    """Return the answers to tap, the main ones first."""
    state = view.talk.about.name
    shown = [
        choice
        for choice in view.question.answers
        if _is_button(choice, view) and not (choice.meaning == "ready" and state == "role")
    ]
    is_choice = view.question.kind == CHOICE and state != OVER
    found = [_describe_choice(choice, view, texts, is_choice and choice.meaning in _MAIN_ANSWERS) for choice in shown]
    if _has_ended(view):
        found = [_describe_again(texts), *(each for each in found if each["meaning"] != "yes")]
    return sorted(found, key=lambda each: not each["main"]) + _list_languages(view)


def _has_ended(view: GameView) -> bool:
    """Return whether NAO asks for another game."""
    return view.is_over and view.talk.doubt is None and view.talk.beneath is None


def _list_languages(view: GameView) -> list[dict[str, Any]]:
    """Return a choice for each language that NAO speaks, with its name in that language, while NAO asks who guesses."""
    if view.talk.about.name != "role" or view.question.kind != CHOICE or view.talk.doubt is not None:
        return []
    spoken = mind.load_lines(view.talk.language)
    return [
        {
            **_make_answer(name, str(spoken.list_phrases([f"language {code}"])[0]), f"language {code}"),
            "group": LANGUAGE,
            "is_on": code == view.talk.language,
        }
        for code, name in OWN_NAMES.items()
    ]


def _is_button(choice: Choice, view: GameView) -> bool:
    """Return whether an answer has a button.

    With a keyboard, once letters are spelled, only the answers about them have one. At the end, one button leads to
    all roles.
    """
    if choice.meaning in _ABOUT_LETTERS:
        return bool(view.spelled)
    if _has_ended(view) and choice.meaning in _ROLE_ANSWERS:
        return False
    return not (view.spelled and view.question.kind == WORD)


def _describe_commands(view: GameView, texts: Translated) -> list[dict[str, Any]]:
    """Return the commands, after the answers that have no button while letters are spelled, and at the end."""
    has_more = view.spelled or _has_ended(view)
    kept = [choice for choice in view.question.answers if has_more and not _is_button(choice, view)]
    return [_describe_choice(choice, view, texts) for choice in (*kept, *view.question.commands)]


def _describe_choice(choice: Choice, view: GameView, texts: Translated, is_main: bool = False) -> dict[str, Any]:
    """Return an answer: its label is the phrase that NAO understands."""
    found = _make_answer(choice.label, choice.phrase, choice.meaning, is_main)
    if choice.meaning in _ROLE_ANSWERS:
        found["note"] = texts(ROLE_NOTES[_ROLE_ANSWERS[choice.meaning]])
    if choice.meaning in LEVELS:
        found |= {"group": LEVEL, "is_on": choice.meaning == view.talk.level}
    return found


def _make_answer(label: str, phrase: str, meaning: str, is_main: bool = False) -> dict[str, Any]:
    return {
        "label": label,
        "phrase": phrase,
        "meaning": meaning,
        "main": is_main,
        "note": "",
        "group": "",
        "is_on": False,
    }


def _describe_again(texts: Translated) -> dict[str, Any]:
    return _make_answer(texts("Play again"), "", AGAIN, is_main=True)


def _list_numbers(talk: Talk) -> list[int]:
    """Return the numbers that can answer the current question: after the number in place, those that go with it."""
    pairs = JOTTO.list_feedback()
    if talk.exact is None:
        return sorted({exact for exact, _ in pairs})
    return sorted(misplaced for exact, misplaced in pairs if exact == talk.exact)
