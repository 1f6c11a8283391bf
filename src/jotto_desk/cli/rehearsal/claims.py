"""What NAO claims at the end of a game it has won, checked against the game itself and against what it has heard."""

from collections.abc import Sequence
from typing import Any

from jotto import feedback
from jotto import game as games
from jotto_behaviour.lines import Lines
from jotto_behaviour.states import MY_WORD
from jotto_desk.conversation.said_lines import is_said, is_said_somehow

from .person import PersonAnswer

#: What a player may mean who tells that the guess is the word; of a score, that all five letters are in place.
WINS = ("yes", MY_WORD, "5")
#: The lines that speak of an answer, or of several, that the word found speaks against.
ONE_SLIP, SLIPS = "would have said", "several would differ"


def false_claims(game: dict[str, Any], says: Sequence[str], last: PersonAnswer | None, lines: Lines) -> list[str]:
    """List what NAO claims wrongly: a word that was not called the right one, and answers that were no slips.

    `game` is the plain form of a game that is over, `last` what NAO has heard last.
    """
    if game["outcome"] != games.SOLVED:
        return []
    found = []
    if last is None or last.phrase is None or lines.meaning(last.phrase, WINS) is None:
        found.append(f"NAO claims {game['guess']} and has heard {'nothing' if last is None else repr(last.phrase)}")
    clashes = [
        (guess, tuple(got), true)
        for guess, got in game["turns"]
        if (true := tuple(feedback.score_places_slowly(guess, game["guess"]))) != tuple(got)
    ]
    text = [" ".join(says)]
    if is_said_somehow(lines, ONE_SLIP, text) != (len(clashes) == 1) or is_said_somehow(lines, SLIPS, text) != (
        len(clashes) > 1
    ):
        found.append(f"{len(clashes)} answers speak against {game['guess']}, and NAO said {list(says)}")
    for guess, got, true in clashes if len(clashes) == 1 else ():
        words = {"guess": guess, "exact": true[0], "misplaced": true[1], "old_exact": got[0], "old_misplaced": got[1]}
        if not is_said(lines, ONE_SLIP, text, **words):
            found.append(f"{guess} scores {true} for {game['guess']}, noted was {got}, and NAO said {list(says)}")
    return found
