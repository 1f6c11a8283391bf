"""The options of a measurement."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """`small` makes everything tiny, to see that it works; the figures then mean nothing."""

    games: int = 200
    python27: str | None = None
    small: bool = False
