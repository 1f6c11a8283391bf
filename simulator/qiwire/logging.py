"""`qi.logging`: loggers with libqi's methods, which write to Python's own `logging`."""

from __future__ import annotations

import logging

#: libqi's levels, and Python's.
FATAL, ERROR, WARNING, INFO, VERBOSE, DEBUG = range(1, 7)
_LEVELS = dict(zip(range(1, 7), (50, 40, 30, 20, 15, 10), strict=True))


class Logger:
    """A logger of one category."""

    def __init__(self, category: str) -> None:
        log = logging.getLogger(category).log

        def make(level: int) -> object:
            return lambda message, *more: log(_LEVELS[level], "%s", " ".join(map(str, (message, *more))))

        self.fatal, self.error, self.warning = make(FATAL), make(ERROR), make(WARNING)
        self.info, self.verbose, self.debug = make(INFO), make(VERBOSE), make(DEBUG)


def getLogger(name: str) -> Logger:
    """Return the logger of a category."""
    return Logger(name)


def setLevel(level: int) -> None:
    """Set the level of all loggers: only messages of this level and more important ones are shown."""
    logging.getLogger().setLevel(_LEVELS.get(level, logging.INFO))
