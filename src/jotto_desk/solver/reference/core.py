"""The core in numpy: the same tables, scores and exact costs as the C library, without its means to be fast."""

import numpy as np
import numpy.typing as npt

from ..contract import Members, Numbers
from ..limits import DEFAULT_PATIENCE, check_search
from ..model import feedback_codes
from ..model.feedback_table import FeedbackTable
from .partitions import Partitions
from .search import NumpySearch


class NumpyCore:
    """The numpy form of a `Core`."""

    name = "numpy"

    def codes(self, rows: feedback_codes.Codes, keys: feedback_codes.Keys, out: feedback_codes.Codes) -> None:
        """Add planes up into the table `out` [guesses, secrets]."""
        feedback_codes.sums(rows, keys, out)

    def scores(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts."""
        game = Partitions(table)
        sizes = game.counts(members, guesses)[:, table.problem.used]
        worth = np.asarray(values, dtype=np.int64)[sizes]
        worth[:, -1][sizes[:, -1] > 0] = won
        if largest:
            return np.asarray(worth.max(axis=1, where=sizes > 0, initial=np.iinfo(np.int64).min))
        return np.asarray(worth.sum(axis=1))

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: npt.NDArray[np.int32] | None = None,
        patience: int = DEFAULT_PATIENCE,
    ) -> NumpySearch:
        """Begin a search over a table; see `jotto_desk.solver.contract.Core.search`. `patience` is ignored."""
        check_search(table, miss, width, full, memo_bytes, patience)
        return NumpySearch(table, miss, width, full, memo_bytes, stop)
