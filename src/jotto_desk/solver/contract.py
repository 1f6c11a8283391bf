"""What a core of the solver offers: the protocols that the C library and the numpy reference both follow."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .limits import DEFAULT_PATIENCE
from .model.feedback_codes import Codes, Keys
from .model.feedback_table import FeedbackTable

Members = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]

#: Turns left where there is no cap; no sensible tree is deeper.
ENDLESS = 60
#: In place of a limit where there is none; sums of costs stay far below.
NO_LIMIT = 1 << 61


class Solution(NamedTuple):
    """The cost of a set of secrets, and the guess to ask there; the guess is -1 where none beats the limit."""

    cost: int
    guess: int


class Search(Protocol):
    """A tree search with its memo; several threads may use it at once."""

    def estimate(self, costs: npt.NDArray[np.float64], capped: npt.NDArray[np.float64] | None = None) -> None:
        """Set what a set of each size is thought to cost, in turns: [secrets + 1], 0 for none.

        `capped[d]`, [CAPPED_TURNS, secrets + 1], is the same for sets with d turns left while a beam seeks trees that
        miss none; row 0 plays no part. A core may ignore it. Raises `ValueError` for estimates that would mislead.
        """

    def reach(self) -> list[int]:
        """How many members of one set can be found in 0, 1, 2 ... turns at most."""

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Sum and number of the exact costs in the memo, per size of set up to `most`."""

    def solve(self, members: Members, left: int, limit: int | None = None,
              played: Sequence[int] = ()) -> Solution | None:  # fmt: skip
        """Find the cost of a set: exact below `limit`, else a bound that is not below it; None when stopped.

        At most `checks.MOST_LEFT` turns may be `left`, here and below (`ValueError`). Raises `DeskError` when memory is
        short, as the others do.
        """

    def attempt(self, members: Members, left: int, guess: int, limit: int | None = None,
                played: Sequence[int] = ()) -> int | None:  # fmt: skip
        """Find the cost of asking `guess` at a set, in the same terms."""

    def look_ahead(self, members: Members, left: int, guess: int, played: Sequence[int] = ()) -> int:
        """Bound the cost of asking `guess` at a set from below, looking two guesses ahead.

        Raises `ValueError` in a beam: there the memo holds costs of trees that others may be below.
        """

    def scan(self, members: Members, left: int, played: Sequence[int] = ()) -> tuple[Members, Numbers, Numbers]:
        """List guesses worth a look, most promising first, with bounds and estimates (in 1/256 turns)."""


class Core(Protocol):
    """Tables, scores and searches."""

    name: str

    def codes(self, rows: Codes, keys: Keys, out: Codes) -> None:
        """Add planes up into the table `out` [guesses, secrets]."""

    def scores(self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int,
               largest: bool) -> Numbers:  # fmt: skip
        """Per guess the sum (or the largest) of `values[size]` over the sizes of its parts.

        A winning part counts as `won`. Parts of no members count in sums alone, as `values[0]`, for every code an
        answer can have. There is at least one member.
        """

    def search(self, table: FeedbackTable, miss: int, width: int = 0, full: int = 0, memo_bytes: int = 1 << 28,
               stop: npt.NDArray[np.int32] | None = None, patience: int = DEFAULT_PATIENCE) -> Search:  # fmt: skip
        """Begin a search: `miss` turns are added for a secret not found in time, a beam tries `width` guesses per set.

        Sets of at most `full` members are searched whole in a beam; where members have to be missed, of at most 8.
        Where a cap may be kept it tries up to `patience` guesses more, until a tree misses none.
        `stop[0]`, once not 0, ends every call. What a beam finds hangs neither on the limits asked with nor on what was
        searched before. Raises `DeskError` when memory is short, or for a `miss` below 1 or beyond what the sums can
        hold.
        """
