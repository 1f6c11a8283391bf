"""The contract of a solver core: the protocols that the C library and the numpy reference both implement."""

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
    """The cost of a set of secrets, and the guess to ask there: -1 where none costs less than the limit."""

    cost: int
    guess: int


class Search(Protocol):
    """A tree search with its memo; several threads may use it at once."""

    def estimate(self, costs: npt.NDArray[np.float64], capped: npt.NDArray[np.float64] | None = None) -> None:
        """Set the estimated cost of a set of each size, in turns: [secrets + 1], 0 for the empty set.

        `capped[d]`, [CAPPED_TURNS, secrets + 1], has the same for sets with d turns left, while a beam looks for trees
        that miss no member; row 0 plays no part. A core may ignore it. Raises `ValueError` for estimates that would
        mislead.
        """

    def reach(self) -> list[int]:
        """Return how many members of one set can be found within 0, 1, 2 ... turns at most."""

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the exact costs in the memo, per size of set up to `most`."""

    def solve(
        self, members: Members, left: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> Solution | None:
        """Find the cost of a set: exact below `limit`, else a lower bound that is not below it; None when stopped.

        At most `limits.MOST_LEFT` turns may be `left`, here and below (`ValueError`). Raises `DeskError` when memory
        is short, as the other methods do.
        """

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> int | None:
        """Find the cost of asking `guess` at a set, in the same terms."""

    def look_ahead(self, members: Members, left: int, guess: int, played: Sequence[int] = ()) -> int:
        """Bound the cost of asking `guess` at a set from below, looking two guesses ahead.

        Raises `ValueError` in a beam: its memo holds the costs of the trees it found, which are no lower bounds.
        """

    def scan(self, members: Members, left: int, played: Sequence[int] = ()) -> tuple[Members, Numbers, Numbers]:
        """List the guesses worth trying, most promising first, with bounds and estimates (in 1/256 turns)."""


class Core(Protocol):
    """Tables, scores and searches."""

    name: str

    def codes(self, rows: Codes, keys: Keys, out: Codes) -> None:
        """Add up planes into the table `out` [guesses, secrets]."""

    def scores(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts.

        A winning part counts as `won`. Empty parts, one for every other code an answer can have, count in sums only,
        as `values[0]`. There is at least one member.
        """

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: npt.NDArray[np.int32] | None = None,
        patience: int = DEFAULT_PATIENCE,
    ) -> Search:
        """Begin a search: `miss` turns are added for a secret not found in time, a beam tries `width` guesses per set.

        A beam tries all guesses at sets of at most `full` members (at most 8 where members have to be missed). With a
        cap it tries up to `patience` further guesses until a tree misses no member; a core may take both as hints.
        Once `stop[0]` is not 0, every call ends. What a beam finds depends neither on the limits it is asked with nor
        on earlier searches. Raises `DeskError` when memory is short, or for a `miss` below 1 or above what the sums
        can hold.
        """
