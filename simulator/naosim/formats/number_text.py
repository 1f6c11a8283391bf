"""Numbers as they stand in files: finite, and no longer than numbers are."""

from __future__ import absolute_import, division, print_function

#: Digits of a whole number: far too many of them take long to convert.
LONGEST = 20


def whole(text):  # type: (str) -> int
    """Convert a text to a whole number; raises ValueError.

    >>> whole("8")
    8
    """
    if len(text) > LONGEST:
        raise ValueError(text[:LONGEST])
    return int(text)


def finite(text):  # type: (str) -> float
    """Convert a text to a number that is neither infinite nor undefined; raises ValueError.

    >>> finite("0.5")
    0.5
    """
    number = float(text)
    if number != number or number in (float("inf"), float("-inf")):  # noqa: PLR0124
        raise ValueError(text)
    return number
