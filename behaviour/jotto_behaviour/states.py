"""The conversation as a table: states, the box each belongs to, and what each meaning leads to.

A state without a box lies over another one (a question in between) and stays in its box. A state that no
touch answers is one of NAO's own: it thinks or speaks and goes on. `jotto_behaviour.diagram` prints the table.
"""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Dict, List, Tuple

#: What a meaning leads to: the name of an action in `jotto_behaviour.actions` and the states it may end in.
Move = namedtuple("Move", "action to")
#: A state: box on the diagram, how a head touch answers, the question's line, seconds to wait, moves by meaning.
TalkState = namedtuple("TalkState", "name box touch question seconds moves")

NUMBERS = ("0", "1", "2", "3", "4", "5")
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")

#: The meaning of any word of the list: which one, is what an action gets for it.
ANY_WORD = "any word"

YES_NO = "yes or no"
COUNT = "count"
SPELL = "spell"
READY = "ready"
ROLE = "role"

#: Boxes of the diagram.
START, READY_BOX, SAY_WORD, IS_IT = "Start game", "Ready?", "Say the word", "Is it the word?"
FIRST, SECOND, SAY_SCORE, SUCCESS = "First score", "Second score", "Say the score", "Success!"
SORT_OUT, LEARN, AGAIN, GOODBYE = "Sort it out", "Learn the word", "Play again?", "Good-bye"
THINK_UP, YOUR_GUESS, TELL_SCORE = "Think of a word", "Your guess", "Tell the score"

HERE = "(the same)"


def _thinking(name, box, action, to):
    # type: (str, str, str, Tuple[str, ...]) -> TalkState
    return TalkState(name, box, None, None, 0.0, {"": Move(action, to)})


STATES = {state.name: state for state in (
    TalkState("unfinished", READY_BOX, YES_NO, "go on with our game", 8.0, {
        "yes": Move("take up", ("guess", "word", "your guess")),
        "no": Move("start afresh", ("role", "ready", "riddle"))}),
    TalkState("role", READY_BOX, ROLE, "who guesses", 20.0, {
        "you guess": Move("be the breaker", ("ready",)),
        "I guess": Move("be the maker", ("riddle",)),
        "race": Move("race", ("ready",)),
        "ready": Move("begin", ("guess",))}),
    TalkState("ready", READY_BOX, READY, "think of a word", 20.0, {
        "ready": Move("begin", ("guess", "riddle")),
        "yes": Move("begin", ("guess", "riddle")),
        "go on": Move("begin", ("guess", "riddle")),
        "no": Move("wait", ("ready",))}),
    _thinking("guess", SAY_WORD, "guess", ("word", "doubtful")),
    TalkState("word", IS_IT, YES_NO, "is it", 8.0, {
        "yes": Move("win", ("solved",)),
        "no": Move("ask places", ("exact",)),
        "why": Move("say why", ("word",))}),
    TalkState("exact", FIRST, COUNT, "in place", 10.0, {
        number: Move("count places", ("misplaced", "solved")) for number in NUMBERS}),
    TalkState("misplaced", SECOND, COUNT, "elsewhere", 10.0, {
        number: Move("count others", ("scored", "exact")) for number in NUMBERS}),
    _thinking("scored", SAY_SCORE, "score", ("guess", "your guess", "doubtful", "tell")),
    _thinking("solved", SUCCESS, "rejoice", ("again",)),
    TalkState("doubtful", SORT_OUT, YES_NO, "is this right", 12.0, {
        "yes": Move("clear turn", ("doubtful", "tell", "word", "guess")),
        "no": Move("fix turn", ("exact",)),
        "why": Move("say why", ("doubtful",))}),
    TalkState("tell", LEARN, YES_NO, "tell me", 8.0, {
        "yes": Move("ask to spell", ("spell",)),
        "no": Move("leave it", ("again",))}),
    TalkState("spell", LEARN, SPELL, "spell", 12.0, dict(
        [(letter, Move("add letter", ("spell", "spelled", "again"))) for letter in LETTERS],
        **{"back one": Move("drop letter", ("spell",)), "cancel": Move("leave it", ("again",))})),
    TalkState("spelled", LEARN, YES_NO, "spelled", 8.0, {
        "yes": Move("check word", ("again",)),
        "no": Move("spell again", ("spell",))}),
    _thinking("riddle", THINK_UP, "choose", ("your guess",)),
    TalkState("your guess", YOUR_GUESS, SPELL, "your guess", 30.0, dict(
        [(letter, Move("add guessed letter", ("your guess", "your word?", "again"))) for letter in LETTERS],
        **{ANY_WORD: Move("take guess", ("judged", "your guess", "again")),
           "back one": Move("drop guessed letter", ("your guess",)), "cancel": Move("drop letters", ("your guess",)),
           "hint": Move("hint", ("your guess",)), "know": Move("tell what is known", ("your guess",))})),
    TalkState("your word?", YOUR_GUESS, YES_NO, "your word?", 8.0, {
        "yes": Move("take spelled", ("judged", "your guess", "again")),
        "no": Move("spell guess again", ("your guess",)),
        "back one": Move("drop guessed letter", ("your guess",)),
        "cancel": Move("drop letters", ("your guess",))}),
    _thinking("judged", TELL_SCORE, "judge", ("your guess", "guess", "guessed")),
    _thinking("guessed", SUCCESS, "congratulate", ("again",)),
    TalkState("again", AGAIN, YES_NO, "play again", 8.0, {
        "yes": Move("play again", ("ready", "riddle")),
        "other role": Move("change roles", ("role", "ready", "riddle")),
        "no": Move("say good-bye", ("bye",))}),
    _thinking("bye", GOODBYE, "part", ("gone",)),
    TalkState("gone", GOODBYE, None, None, 0.0, {}),
    TalkState("stopping", "", YES_NO, "stop", 6.0, {
        "yes": Move("say good-bye", ("bye",)),
        "no": Move("go on", (HERE,)),
        "go on": Move("go on", (HERE,))}),
    TalkState("giving up", "", YES_NO, "give up", 8.0, {
        "yes": Move("give up", ("tell", "again")),
        "give up": Move("give up", ("tell", "again")),
        "no": Move("go on", (HERE,)),
        "go on": Move("go on", (HERE,))}),
    TalkState("paused", "", READY, "pause", 120.0, {
        "ready": Move("go on", (HERE,)),
        "yes": Move("go on", (HERE,)),
        "go on": Move("go on", (HERE,))}),
)}  # type: Dict[str, TalkState]

#: What may be said at any moment, and where it leads.
COMMANDS = {
    "help": Move("help", (HERE,)),
    "repeat": Move("repeat", (HERE,)),
    "score": Move("tell scores", (HERE,)),
    "left": Move("count words", (HERE,)),
    "wait": Move("wait", (HERE,)),
    "back": Move("go back", (HERE, "role", "word", "exact", "doubtful", "tell", "spell", "your guess")),
    "mistake": Move("look again", (HERE, "role", "word", "exact", "doubtful", "tell", "spell", "your guess")),
    "give up": Move("ask to give up", ("giving up", HERE)),
    "stop": Move("ask to stop", ("stopping", "bye")),
}  # type: Dict[str, Move]

#: States in which the player guesses NAO's word; a question in between leaves that to the state beneath.
RIDDLING = ("riddle", "your guess", "your word?", "judged", "guessed")

#: These commands ask back by themselves, so an unsure hearing needs no other question.
ASKED_ANYWAY = ("stop", "give up")

#: The diagram's links: leaving one box for another fires this output.
EXITS = {
    (START, READY_BOX): "ready", (START, THINK_UP): "think",
    (READY_BOX, THINK_UP): "think", (READY_BOX, YOUR_GUESS): "yourGuess",
    (READY_BOX, SAY_WORD): "go", (READY_BOX, IS_IT): "goOn", (READY_BOX, SORT_OUT): "sortOut",
    (SAY_WORD, IS_IT): "said", (SAY_WORD, SORT_OUT): "nothingFits",
    (IS_IT, SUCCESS): "yes", (IS_IT, FIRST): "no", (IS_IT, SORT_OUT): "sortOut", (IS_IT, YOUR_GUESS): "yourGuess",
    (FIRST, SECOND): "score", (FIRST, SUCCESS): "five", (FIRST, IS_IT): "back", (FIRST, SORT_OUT): "sortOut",
    (SECOND, SAY_SCORE): "score", (SECOND, FIRST): "back",
    (SAY_SCORE, YOUR_GUESS): "yourGuess",
    (SAY_SCORE, SAY_WORD): "goOn", (SAY_SCORE, SORT_OUT): "nothingFits", (SAY_SCORE, LEARN): "notInList",
    (SORT_OUT, FIRST): "fix", (SORT_OUT, LEARN): "notInList", (SORT_OUT, IS_IT): "allRight",
    (SORT_OUT, SAY_WORD): "goOn",
    (SUCCESS, AGAIN): "said", (LEARN, AGAIN): "done",
    (AGAIN, READY_BOX): "yes", (AGAIN, GOODBYE): "no", (AGAIN, IS_IT): "back", (AGAIN, THINK_UP): "think",
    (THINK_UP, YOUR_GUESS): "thought",
    (YOUR_GUESS, TELL_SCORE): "guessed", (YOUR_GUESS, AGAIN): "tell", (YOUR_GUESS, READY_BOX): "role",
    (YOUR_GUESS, FIRST): "back",
    (TELL_SCORE, YOUR_GUESS): "goOn", (TELL_SCORE, SAY_WORD): "myTurn", (TELL_SCORE, SUCCESS): "found",
}  # type: Dict[Tuple[str, str], str]
for _box in (READY_BOX, IS_IT, FIRST, SECOND, SORT_OUT, LEARN, YOUR_GUESS):
    EXITS[_box, GOODBYE] = "stop"
for _box in (IS_IT, FIRST, SECOND, SORT_OUT):
    EXITS[_box, LEARN] = EXITS.get((_box, LEARN), "giveUp")


def meanings(name, doubt=False):
    # type: (str, bool) -> List[str]
    """List what is listened for in a state, commands last; in doubt, yes and no come first."""
    own = sorted(STATES[name].moves)
    first = [meaning for meaning in ("yes", "no") if doubt and meaning not in own]
    return first + own + [command for command in sorted(COMMANDS) if command not in own]
