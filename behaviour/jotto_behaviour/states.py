"""The conversation as a table: states, the box each belongs to, and the next state for each meaning.

A row is a `TalkState`; `STATES` lists all rows, `EXITS` the links between the boxes of the diagram.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto_behaviour.settings import ALPHABETS, LANGUAGE_CODES

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

#: The move for a meaning: a step, named like its function in `jotto_behaviour.conversation`, and the states to end in.
Move = namedtuple("Move", "action to")

SAME_STATE = "(the same)"
#: The move for "go back" and "I made a mistake" if there is nothing to take back.
NOTHING_BACK = Move("refuse to go back", (SAME_STATE,))
_GO_ON = Move("go on", (SAME_STATE,))
_CHANGE_LEVEL = Move("change level", (SAME_STATE,))
_SPELL_GUESS = Move("spell guess", (SAME_STATE,))
#: The action that changes the language.
_CHANGE_LANGUAGE = "change language"

#: Values of `on_silence`: after several silences NAO pauses and saves the game, or leaves; or it leaves at the first
#: one.
PAUSE = "pause"
_LEAVE = "leave"
LEAVE_AT_ONCE = "leave at once"
#: Values of `spells`: the question spells the guess, or the word that the player has spelled.
GUESS = "the guess"
_SPELLED = "the word spelled"


class TalkState(
    namedtuple(
        "TalkState",
        [
            "name",
            "box",
            "touch",
            "question",
            "seconds",
            "moves",
            "needs",
            "back",
            "mistake",
            "on_silence",
            "can_give_up",
            "word_found",
            "is_denied",
            "spells",
            "question_on",
            "simpler",
            "is_riddle",
            "is_over",
        ],
    )
):
    """A row of the table.

    `box` on the diagram ("" for a question that interrupts), how a head `touch` answers (None: NAO does not listen),
    the `question`'s line, `seconds` to wait, `moves` by meaning. What the talk `needs` (requirements of
    `jotto_behaviour.talk`). Where `back` and `mistake` lead (moves with steps of `jotto_behaviour.conversation`), what
    NAO does `on_silence`, whether the player `can_give_up`, the meanings that say that the word is found, whether the
    guess `is_denied` by then (the player has said that it is not the word), what the question `spells`, the line of
    `question_on` once letters are spelled, the `simpler` state that asks after a missed answer. Whether the
    state is about NAO's word, and whether the game is over.
    """

    __slots__ = ()

    def __new__(
        cls,
        name,  # type: str
        box,  # type: str
        touch,  # type: Optional[str]
        question,  # type: Optional[str]
        seconds,  # type: float
        moves,  # type: Dict[str, Move]
        needs=(),  # type: Tuple[str, ...]
        back=NOTHING_BACK,  # type: Move
        mistake=NOTHING_BACK,  # type: Move
        on_silence=PAUSE,  # type: str
        can_give_up=False,  # type: bool
        word_found=(),  # type: Tuple[str, ...]
        is_denied=False,  # type: bool
        spells=None,  # type: Optional[str]
        question_on=None,  # type: Optional[str]
        simpler=None,  # type: Optional[str]
        is_riddle=False,  # type: bool
        is_over=False,  # type: bool
    ):  # type: (...) -> TalkState
        return super(TalkState, cls).__new__(
            cls,
            name,
            box,
            touch,
            question,
            seconds,
            moves,
            needs,
            back,
            mistake,
            on_silence,
            can_give_up,
            word_found,
            is_denied,
            spells,
            question_on,
            simpler,
            is_riddle,
            is_over,
        )

    @property
    def listens(self):  # type: () -> bool
        """Return whether it is the player's turn to speak."""
        return self.touch is not None

    @property
    def is_between(self):  # type: () -> bool
        """Return whether this is a question that interrupts another state."""
        return not self.box

    @property
    def is_last(self):  # type: () -> bool
        """Return whether the conversation ends here."""
        return not self.moves


# The table. A state without a box is a question that interrupts another state, and stays in that state's box. A state
# that no touch answers belongs to NAO: it thinks or speaks and continues.

NUMBERS = ("0", "1", "2", "3", "4", "5")
#: A number above five, as a word has only five letters.
BEYOND = "beyond"
#: Both numbers of a score together, in place and elsewhere; impossible pairs are understood, too, to be explained.
PAIRS = tuple("%d %d" % (exact, misplaced) for exact in range(5) for misplaced in range(6))
#: Scores in a row given together after which NAO asks a shorter question.
IN_ONE_BREATH = 2
#: Scores in a row not given together (below zero) after which NAO asks for one number at a time.
ONE_BY_ONE = -2
#: No letter at all: both numbers if NAO asks for both, else one.
NONE = "none"
#: The answer that a guess is the word, if NAO asks for its score.
MY_WORD = "my word"
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
#: Letters of all languages; each language listens only for its own.
EVERY_LETTER = LETTERS + tuple(sorted(set("".join(ALPHABETS.values())).difference(LETTERS)))
#: Meanings that change the language.
LANGUAGES = tuple("language " + code for code in LANGUAGE_CODES)

#: The meaning of any word of the list; the action gets the word.
ANY_WORD = "any word"
#: The meaning of an alphabet word that is also a word of the list, such as hotel; the action gets the word.
LETTER_OR_WORD = "letter or word"
SAID_WORDS = (ANY_WORD, LETTER_OR_WORD)

YES_NO = "yes or no"
COUNT = "count"
SPELL = "spell"
READY = "ready"
ROLE = "role"

#: Boxes of the diagram.
START = "Start game"
_READY_BOX = "Ready?"
_SAY_WORD = "Say the word"
IS_IT = "Is it the word?"
_FIRST = "First score"
_SECOND = "Second score"
_SAY_SCORE = "Say the score"
SUCCESS = "Success!"
_SORT_OUT = "Sort it out"
_LEARN = "Learn the word"
_AGAIN = "Play again?"
GOODBYE = "Good-bye"
_THINK_UP = "Think of a word"
_YOUR_GUESS = "Your guess"
_TELL_SCORE = "Tell the score"


def _make_number_moves(action, *to):  # type: (str, *str) -> Dict[str, Move]
    """Return the moves of a state that takes one number."""
    moves = {number: Move(action, to) for number in NUMBERS}
    moves[BEYOND] = Move("name range", (SAME_STATE,))
    return moves


def _make_pair_moves(*to):  # type: (*str) -> Dict[str, Move]
    """Return the moves of a state that takes both numbers in one breath."""
    return {pair: Move("note both", to) for pair in PAIRS}


def _make_language_moves(*to):  # type: (*str) -> Dict[str, Move]
    """Return the moves of a state in which the player may choose another language."""
    return {language: Move(_CHANGE_LANGUAGE, to) for language in LANGUAGES}


def _make_own_state(name, box, action, to, **columns):  # type: (str, str, str, Tuple[str, ...], **Any) -> TalkState
    """Return a state without a question, which the action leaves."""
    return TalkState(name, box, None, None, 0.0, {"": Move(action, to)}, **columns)


# fmt: off
#: A table that reads best with a state on as few lines as possible, so no formatter lays it out.
STATES = {state.name: state for state in (
    TalkState("unfinished", _READY_BOX, YES_NO, "go on with our game", 8.0, {
        "yes": Move("resume game", ("guess", "word", "your guess")),
        "no": Move("start new game", ("role", "ready", "riddle"))}, on_silence=_LEAVE),
    TalkState("role", _READY_BOX, ROLE, "who guesses", 20.0, dict(_make_language_moves(SAME_STATE), **{
        "you guess": Move("play breaker", ("ready",)),
        "I guess": Move("play maker", ("riddle",)),
        "race": Move("play race", ("ready",)),
        "ready": Move("begin guessing", ("guess",)),
        "easy": _CHANGE_LEVEL, "normal": _CHANGE_LEVEL, "hard": _CHANGE_LEVEL}), on_silence=_LEAVE),
    TalkState("ready", _READY_BOX, READY, "think of a word", 20.0, dict(_make_language_moves(SAME_STATE), **{
        "ready": Move("begin guessing", ("guess", "riddle")),
        "yes": Move("begin guessing", ("guess", "riddle")),
        "go on": Move("begin guessing", ("guess", "riddle")),
        "no": Move("give time", ("ready",)),
        "check": Move("ask for note", ("sealed note",)),
        "easy": _CHANGE_LEVEL, "normal": _CHANGE_LEVEL, "hard": _CHANGE_LEVEL}),
        back=Move("choose role again", ("role", SAME_STATE)), mistake=Move("go back", ("role", SAME_STATE)),
        on_silence=_LEAVE),
    TalkState("sealed note", _READY_BOX, SPELL, "spell", 20.0, dict(
        [(letter, Move("add noted letter", ("sealed note", "guess", "riddle"))) for letter in EVERY_LETTER],
        **{"back one": Move("drop noted letter", ("sealed note",)), "cancel": Move("leave note", ("ready",))}),
        needs=("letters missing",), back=Move("leave note", ("ready",)), mistake=Move("leave note", ("ready",)),
        on_silence=_LEAVE),
    _make_own_state("guess", _SAY_WORD, "make guess", ("word", "both", "exact", "doubtful"),
        needs=("playing", "no open guess")),
    TalkState("word", IS_IT, YES_NO, "is it", 8.0, dict(
        _make_pair_moves("scored", "exact", SAME_STATE), **{
            "yes": Move("win game", ("solved",)),
            MY_WORD: Move("win game", ("solved",)),
            "no": Move("ask places", ("both", "exact")),
            NONE: Move("note both", ("scored", "exact")),
            "spell it": _SPELL_GUESS,
            "why": Move("say why", ("word",))}),
        needs=("playing", "open guess", "no answer read"),
        back=Move("reopen last turn", ("both", "exact", "your guess", SAME_STATE)),
        mistake=Move("read answers", ("doubtful", SAME_STATE)), can_give_up=True, word_found=("yes", MY_WORD),
        spells=GUESS),
    TalkState("both", _FIRST, COUNT, "both numbers", 10.0, dict(
        _make_number_moves("note places", "misplaced", "scored", "exact", "solved"),
        **dict(_make_pair_moves("scored", "exact"), **{
            NONE: Move("note both", ("scored", "exact")),
            "spell it": _SPELL_GUESS,
            MY_WORD: Move("win game", ("solved",))})),
        needs=("playing", "guess in question"), back=Move("leave count", ("doubtful", "word")),
        mistake=Move("read answers or count again", ("doubtful", SAME_STATE)), can_give_up=True,
        word_found=("5", MY_WORD), is_denied=True, simpler="exact"),
    TalkState("exact", _FIRST, COUNT, "in place", 10.0, dict(
        _make_number_moves("note places", "misplaced", "scored", "exact", "solved"),
        **dict(_make_pair_moves("scored", "exact"), **{
            NONE: Move("note places", ("misplaced", "scored")),
            "spell it": _SPELL_GUESS,
            MY_WORD: Move("win game", ("solved",))})),
        needs=("playing", "guess in question"), back=Move("leave count", ("doubtful", "word")),
        mistake=Move("read answers or count again", ("doubtful", SAME_STATE)), can_give_up=True,
        word_found=("5", MY_WORD), is_denied=True),
    TalkState("misplaced", _SECOND, COUNT, "elsewhere", 10.0, dict(
        _make_number_moves("note others", "scored", "exact"), **{
            NONE: Move("note others", ("scored", "exact")),
            "spell it": _SPELL_GUESS}),
        needs=("playing", "guess in question", "places counted"), back=Move("return to places", ("exact",)),
        mistake=Move("count again", ("both", "exact")), can_give_up=True),
    _make_own_state("scored", _SAY_SCORE, "say score back", ("guess", "your guess", "doubtful", "tell"),
        needs=("playing", "turns")),
    _make_own_state("solved", SUCCESS, "rejoice", ("again",), needs=("solved",)),
    TalkState("doubtful", _SORT_OUT, YES_NO, "is this right", 12.0, dict(
        {pair: Move("correct turn", ("scored", "exact", "doubtful", "tell", "word", "guess")) for pair in PAIRS}, **{
            "yes": Move("clear turn", ("doubtful", "tell", "word", "guess")),
            "no": Move("fix turn", ("both", "exact")),
            "why": Move("say why", ("doubtful",))}),
        needs=("playing", "answer read"), back=Move("return to answer before", ("both", "exact", "word", SAME_STATE)),
        mistake=Move("count again", ("both", "exact")), can_give_up=True),
    TalkState("tell", _LEARN, YES_NO, "tell me", 8.0, {
        "yes": Move("ask to spell", ("spell",)),
        "no": Move("leave word secret", ("again",)),
        "give up": Move("leave word secret", ("again",))},
        back=Move("leave telling", ("guess",)), mistake=Move("go back", ("guess",))),
    TalkState("spell", _LEARN, SPELL, "spell", 12.0, dict(
        [(letter, Move("add letter", ("spell", "spelled", "again"))) for letter in EVERY_LETTER],
        **{"back one": Move("drop letter", ("spell",)), "cancel": Move("leave word secret", ("again",)),
           "give up": Move("leave word secret", ("again",))}),
        needs=("letters missing",), back=Move("leave spelling", ("tell", SAME_STATE)),
        mistake=Move("go back", ("tell", SAME_STATE))),
    TalkState("spelled", _LEARN, YES_NO, "spelled", 8.0, {
        "yes": Move("check word", ("again",)),
        "no": Move("spell again", ("spell",)),
        "give up": Move("leave word secret", ("again",))},
        needs=("all letters",), back=Move("leave spelling", ("spell",)), mistake=Move("go back", ("spell",)),
        spells=_SPELLED),
    _make_own_state("riddle", _THINK_UP, "choose secret", ("your guess",), needs=("no open riddle",), is_riddle=True),
    TalkState("your guess", _YOUR_GUESS, SPELL, "your guess", 30.0, dict(
        [(letter, Move("add guessed letter", ("judged", "your guess", "your word?", "again")))
         for letter in EVERY_LETTER],
        **{ANY_WORD: Move("take guess", ("judged", "your guess", "again")),
           LETTER_OR_WORD: Move("ask which", ("word or letter?", "judged", "your guess", "your word?", "again")),
           "back one": Move("drop guessed letter", ("your guess",)), "cancel": Move("drop letters", ("your guess",)),
           "hint": Move("give hint", ("your guess",)), "know": Move("tell known letters", ("your guess",))}),
        needs=("open riddle", "letters missing"),
        back=Move("leave guess", ("role", "both", "exact", SAME_STATE)),
        mistake=Move("go back", ("role", "both", "exact", SAME_STATE)), can_give_up=True, question_on="spell on",
        is_riddle=True),
    TalkState("word or letter?", _YOUR_GUESS, YES_NO, "word or letter?", 8.0, dict(
        [(letter, Move("spell on", ("your guess",))) for letter in EVERY_LETTER],
        **{ANY_WORD: Move("take guess", ("judged", "your guess", "again")),
           LETTER_OR_WORD: Move("take it said twice", ("judged", "your guess", "again")),
           "yes": Move("take spelled guess", ("judged", "your guess", "again")),
           "no": Move("take letter", ("your guess",)),
           "back one": Move("drop letters", ("your guess",)), "cancel": Move("drop letters", ("your guess",))}),
        needs=("open riddle", "all letters"), back=Move("drop letters", ("your guess",)),
        mistake=Move("go back", ("your guess",)), can_give_up=True, is_riddle=True),
    TalkState("your word?", _YOUR_GUESS, YES_NO, "your word?", 8.0, {
        "yes": Move("take spelled guess", ("judged", "your guess", "again")),
        "no": Move("spell guess again", ("your guess",)),
        "back one": Move("drop guessed letter", ("your guess",)),
        "cancel": Move("drop letters", ("your guess",))},
        needs=("open riddle", "all letters"), back=Move("leave guess", ("your guess",)),
        mistake=Move("go back", ("your guess",)), can_give_up=True, spells=_SPELLED, is_riddle=True),
    _make_own_state("judged", _TELL_SCORE, "say score", ("your guess", "guess", "guessed"),
        needs=("guess at the riddle",), is_riddle=True),
    _make_own_state("guessed", SUCCESS, "congratulate", ("again",), needs=("riddle solved",), is_riddle=True),
    TalkState("again", _AGAIN, YES_NO, "play again", 8.0, dict(_make_language_moves("role", "ready", "riddle"), **{
        "yes": Move("play again", ("ready", "riddle")),
        "other role": Move("change roles", ("role",)),
        "you guess": Move("play in another role", ("ready",)),
        "I guess": Move("play in another role", ("riddle",)),
        "race": Move("play in another role", ("ready",)),
        "no": Move("say good bye", ("bye",))}),
        back=Move("reopen game", ("word", SAME_STATE)), mistake=Move("go back", ("word", SAME_STATE)),
        on_silence=_LEAVE,
        is_over=True),
    _make_own_state("bye", GOODBYE, "say farewell", ("gone",)),
    TalkState("gone", GOODBYE, None, None, 0.0, {}),
    TalkState("stopping", "", YES_NO, "stop", 6.0, {
        "yes": Move("say good bye", ("bye",)),
        "no": _GO_ON,
        "go on": _GO_ON}, back=_GO_ON, mistake=_GO_ON, on_silence=LEAVE_AT_ONCE),
    TalkState("giving up", "", YES_NO, "give up", 8.0, {
        "yes": Move("give up", ("tell", "again")),
        "give up": Move("give up", ("tell", "again")),
        "no": _GO_ON,
        "go on": _GO_ON}, back=_GO_ON, mistake=_GO_ON),
    TalkState("paused", "", READY, "pause", 120.0, {
        "ready": _GO_ON,
        "yes": _GO_ON,
        "go on": _GO_ON},
        back=_GO_ON,
        mistake=Move("look again", (
            "role", "guess", "both", "exact", "doubtful", "tell", "spell", "your guess", SAME_STATE)),
        on_silence=LEAVE_AT_ONCE),
)}
# fmt: on  # type: Dict[str, TalkState]

#: The moves of commands, which can be said at any moment.
COMMANDS = {
    "help": Move("give help", (SAME_STATE,)),
    "rules": Move("explain rules", (SAME_STATE,)),
    "repeat": Move("repeat line", (SAME_STATE,)),
    "score": Move("tell scores", (SAME_STATE,)),
    "left": Move("say words left", (SAME_STATE,)),
    "wait": Move("give time", (SAME_STATE,)),
    "back": Move("go back", (
        SAME_STATE, "role", "ready", "guess", "word", "both", "exact", "doubtful", "tell", "spell", "your guess")),
    "mistake": Move("look again", (
        SAME_STATE, "role", "ready", "guess", "word", "both", "exact", "doubtful", "tell", "spell", "your guess")),
    "give up": Move("ask to give up", ("giving up", SAME_STATE)),
    "stop": Move("ask to stop", ("stopping", "bye")),
}  # type: Dict[str, Move]

#: Further moves after NAO has said "Take your time."
AFTER_WAIT = {"go on": Move("ask again", (SAME_STATE,))}  # type: Dict[str, Move]

#: Commands that NAO confirms anyway, so an unclear hearing needs no other question.
ASKED_ANYWAY = ("stop", "give up")

#: The diagram's links: the output that leads from one box to another.
EXITS = {
    (START, _READY_BOX): "ready", (START, _THINK_UP): "think",
    (_READY_BOX, _THINK_UP): "think", (_READY_BOX, _YOUR_GUESS): "yourGuess",
    (_READY_BOX, _SAY_WORD): "go", (_READY_BOX, IS_IT): "goOn", (_READY_BOX, _SORT_OUT): "sortOut",
    (_SAY_WORD, IS_IT): "said", (_SAY_WORD, _FIRST): "trial", (_SAY_WORD, _SORT_OUT): "nothingFits",
    (IS_IT, SUCCESS): "yes", (IS_IT, _FIRST): "no", (IS_IT, _SAY_SCORE): "score", (IS_IT, _SORT_OUT): "sortOut",
    (IS_IT, _YOUR_GUESS): "yourGuess",
    (_FIRST, _SECOND): "score", (_FIRST, _SAY_SCORE): "both", (_FIRST, SUCCESS): "five", (_FIRST, IS_IT): "back",
    (_FIRST, _SORT_OUT): "sortOut",
    (_SECOND, _SAY_SCORE): "score", (_SECOND, _FIRST): "back",
    (_SAY_SCORE, _YOUR_GUESS): "yourGuess",
    (_SAY_SCORE, _SAY_WORD): "goOn", (_SAY_SCORE, _SORT_OUT): "nothingFits", (_SAY_SCORE, _LEARN): "notInList",
    (_SORT_OUT, _FIRST): "fix", (_SORT_OUT, _LEARN): "notInList", (_SORT_OUT, IS_IT): "allRight",
    (_SORT_OUT, _SAY_WORD): "goOn", (_SORT_OUT, _SAY_SCORE): "score",
    (SUCCESS, _AGAIN): "said", (_LEARN, _AGAIN): "done", (_LEARN, _SAY_WORD): "goOn",
    (_AGAIN, _READY_BOX): "yes", (_AGAIN, GOODBYE): "no", (_AGAIN, IS_IT): "back", (_AGAIN, _THINK_UP): "think",
    (_THINK_UP, _YOUR_GUESS): "thought",
    (_YOUR_GUESS, _TELL_SCORE): "guessed", (_YOUR_GUESS, _AGAIN): "tell", (_YOUR_GUESS, _READY_BOX): "role",
    (_YOUR_GUESS, _FIRST): "back",
    (_TELL_SCORE, _YOUR_GUESS): "goOn", (_TELL_SCORE, _SAY_WORD): "myTurn", (_TELL_SCORE, SUCCESS): "found",
}  # type: Dict[Tuple[str, str], str]
for _box in (_READY_BOX, IS_IT, _FIRST, _SECOND, _SORT_OUT, _LEARN, _YOUR_GUESS):
    EXITS[_box, GOODBYE] = "stop"
for _box in (IS_IT, _FIRST, _SECOND, _SORT_OUT):
    EXITS[_box, _LEARN] = EXITS.get((_box, _LEARN), "giveUp")


def list_meanings(name, doubt=False):  # type: (str, bool) -> List[str]
    """List the meanings that NAO listens for in a state, commands last; in doubt, yes and no come first.

    In doubt, numbers above five are left out: a yes may sound like eight.
    """
    own = set(STATES[name].moves).difference([BEYOND] if doubt else [])
    first = [meaning for meaning in ("yes", "no") if doubt and meaning not in own]
    return first + sorted(own) + sorted(set(COMMANDS).difference(own))
