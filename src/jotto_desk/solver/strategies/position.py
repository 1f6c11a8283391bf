"""The position a strategy over a feedback table sees, and the protocol of such strategies."""

from typing import NamedTuple, Protocol

from ..contract import Core, Members
from ..model.feedback_table import FeedbackTable


class TablePosition(NamedTuple):
    """A position: the table, the secrets that fit (rising), and the turns (guess, code) that led here."""

    core: Core
    table: FeedbackTable
    members: Members
    turns: tuple[tuple[int, int], ...] = ()


class TableStrategy(Protocol):
    """A strategy: the same position always gets the same guess."""

    @property
    def name(self) -> str:
        """Return the name of the strategy."""

    def choose(self, position: TablePosition) -> int:
        """Return the number of the next guess."""
