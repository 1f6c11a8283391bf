"""The time a guess may take: strategies ask whether to go on, and a search is stopped from outside."""

import threading
import time
from types import TracebackType

import numpy as np


class Budget:
    """So many seconds from now on, within a `with`; `flag` is what stops a search of the solver's core."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.flag = seconds, np.zeros(1, dtype=np.int32)
        self._end = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._stop)
        self._timer.daemon = True

    def _stop(self) -> None:
        self.flag[0] = 1

    def goes_on(self, keeping: float = 0.0) -> bool:
        """Tell whether there is time left, beside a share of it kept for something else."""
        return time.monotonic() < self._end - keeping * self.seconds

    def __enter__(self) -> "Budget":
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
