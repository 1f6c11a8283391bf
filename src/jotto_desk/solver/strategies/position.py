"""What every strategy over a feedback table is shown, and what it has to offer."""

from typing import NamedTuple, Protocol

from ..contract import Core, Members
from ..model.feedback_table import FeedbackTable


class TablePosition(NamedTuple):
    """What a strategy may look at: the secrets that fit (rising), and the turns (guess, code) that led here."""

    core: Core
    table: FeedbackTable
    members: Members
    turns: tuple[tuple[int, int], ...] = ()


class TableStrategy(Protocol):
    """Chooses guesses; the same position always gets the same guess."""

    @property
    def name(self) -> str:
        """What people call it."""

    def choose(self, position: TablePosition) -> int:
        """Name the number of the next guess."""
