"""A row of the table of states, and what its columns may say."""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Dict, Optional, Tuple

#: What a meaning leads to: the name of an action in `jotto_behaviour.actions` and the states it may end in.
Move = namedtuple("Move", "action to")

HERE = "(the same)"
#: What "go back" and "I made a mistake" lead to where there is nothing to take back.
NOTHING_BACK = Move("nothing to take back", (HERE,))
GO_ON = Move("go on", (HERE,))
CHANGE_LEVEL = Move("change the level", (HERE,))
#: The action of a player who wants to go on in another language.
CHANGE_LANGUAGE = "change the language"

#: What ends the silence of a player who does not come back: a pause with the game kept, or NAO's good-bye; for a
#: question that silence itself answers, the good-bye comes at the first one.
PAUSE, LEAVE, LEAVE_AT_ONCE = "pause", "leave", "leave at once"
#: What a question spells letter by letter: the guess, or the word the player has spelled.
GUESS, SPELLED = "the guess", "the word spelled"


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

    `box` on the diagram ("" for a question in between), how a head `touch` answers (None: NAO does not listen),
    the `question`'s line, `seconds` to wait, `moves` by meaning. What the talk `needs` (requirements of
    `jotto_behaviour.talk`). Where `back` and `mistake` lead (moves with steps of `jotto_behaviour.going_back`), what
    NAO does `on_silence`, whether the player `can_give_up`, the meanings that say that the word is found, whether the
    guess `is_denied` by then (the player has said that it is not the word), what the question `spells`, the line of
    `question_on` once letters are spelled, the `simpler` state that asks on where the answer was missed. Whether the
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
        """Tell whether it is the player's turn to speak."""
        return self.touch is not None

    @property
    def is_between(self):  # type: () -> bool
        """Tell whether this is a question in between, which lies over another state."""
        return not self.box

    @property
    def is_last(self):  # type: () -> bool
        """Tell whether the conversation ends here."""
        return not self.moves
