"""The estimated cost of a set of secrets: a curve over its size, first assumed, then learned from a narrow beam."""

import numpy as np
import numpy.typing as npt

from ..contract import Search

#: The effective number of parts a guess is assumed to make, before anything was measured.
ASSUMED_PARTS = 5.5
#: No tree worth learning from takes this many turns on average.
DEEPEST = 20


def assumed(secrets: int, parts: float = ASSUMED_PARTS) -> npt.NDArray[np.float64]:
    """Return assumed costs by size of set, in turns [secrets + 1]: n (0.9 + ln n / ln parts), at least 2 n - 1."""
    sizes = np.arange(secrets + 1, dtype=np.float64)
    curve = sizes * (0.9 + np.log(np.maximum(sizes, 1)) / np.log(parts))
    costs = np.maximum(curve, 2 * sizes - 1)
    costs[0] = 0
    return np.asarray(costs, dtype=np.float64)


def learned(search: Search, secrets: int, mean_weight: float) -> npt.NDArray[np.float64]:
    """Fit the curve to the sets a search has solved: n (a ln n + b), by least squares, through the mean per size."""
    most = min(secrets, 20_000)
    sums, numbers = search.sizes(most)
    sizes = np.arange(most + 1)
    # Sets that miss a secret say nothing about those that miss none.
    known = (numbers > 0) & (sizes >= 3) & (sums < DEEPEST * mean_weight * np.maximum(numbers * sizes, 1))
    if known.sum() < 8:
        return assumed(secrets)
    means = sums[known] / numbers[known] / sizes[known] / mean_weight
    slope, height = np.polyfit(np.log(sizes[known]), means, 1, w=np.minimum(np.sqrt(numbers[known]), 10))
    every = np.arange(secrets + 1, dtype=np.float64)
    costs = np.maximum(every * (slope * np.log(np.maximum(every, 1)) + height), 2 * every - 1)
    costs[0] = 0
    # Small sets were solved often: there the mean itself is the best estimate.
    often = known & (numbers >= 20) & (sizes <= 60)
    costs[: most + 1][often] = (sums[often] / numbers[often]) / mean_weight
    return np.asarray(costs, dtype=np.float64)
