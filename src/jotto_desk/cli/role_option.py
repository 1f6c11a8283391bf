"""The option --role: who guesses, in a player's words; or NAO's role, as the field calls it."""

from collections.abc import Sequence
from typing import Any

from jotto_behaviour.riddle import BREAKER, MAKER, RACE

from .shell import choices

NAO_GUESSES, I_GUESS = "nao-guesses", "i-guess"
ALL = (NAO_GUESSES, I_GUESS, RACE)


def role_option(help: str, panel: str | None = None, roles: Sequence[str] = ALL) -> Any:
    """Declare --role; the command gets NAO's role: `breaker`, `maker` or `race`."""
    values = {NAO_GUESSES: BREAKER, I_GUESS: MAKER}
    return choices.chosen(
        "--role",
        options=roles,
        what="role",
        panel=panel,
        stands_for=values,
        help=f"{help} You can also name NAO's role: {BREAKER} guesses, {MAKER} thinks of a word.",
    )
