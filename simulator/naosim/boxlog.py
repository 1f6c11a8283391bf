"""The logger of a box: every line becomes an event, and errors fail the run."""
from __future__ import absolute_import, division, print_function

from naosim.pythons import native

MYPY = False
if MYPY:
    from typing import Any

    from naosim.live import LiveBox


class BoxLogger(object):
    """The `self.logger` of a box: every line becomes an event, errors count as failures."""

    __slots__ = ("_box",)

    def __init__(self, box):
        # type: (LiveBox) -> None
        self._box = box

    def debug(self, message, *args, **_options):
        # type: (Any, *Any, **Any) -> None
        """Logs for developers."""
        self._log("debug", message, args)

    def verbose(self, message, *args, **_options):
        # type: (Any, *Any, **Any) -> None
        """Logs details."""
        self._log("verbose", message, args)

    def info(self, message, *args, **_options):
        # type: (Any, *Any, **Any) -> None
        """Logs what happens."""
        self._log("info", message, args)

    def warning(self, message, *args, **_options):
        # type: (Any, *Any, **Any) -> None
        """Logs what is odd."""
        self._log("warning", message, args)

    warn = warning

    def error(self, message, *args, **_options):
        # type: (Any, *Any, **Any) -> None
        """Logs an error, which fails the run."""
        text = _formatted(message, args)
        self._box.note("log", level="error", text=text)
        self._box.fail("log", text)

    exception = critical = fatal = error

    def log(self, level, message, *args, **_options):
        # type: (Any, Any, *Any, **Any) -> None
        """Logs at a numeric level of the logging module."""
        if isinstance(level, int) and level >= 40:
            self.error(message, *args)
        else:
            self._log("info", message, args)

    def setLevel(self, level):
        # type: (Any) -> None
        """Is accepted; every line is kept."""

    def isEnabledFor(self, level):
        # type: (Any) -> bool
        """Whether a level is kept: all are."""
        return True

    def _log(self, level, message, args):
        # type: (str, Any, tuple[Any, ...]) -> None
        self._box.note("log", level=level, text=_formatted(message, args))


def _formatted(message, args):
    # type: (Any, tuple[Any, ...]) -> str
    text = native(message)
    return text % args if args else text
