"""The `self.logger` of box scripts."""

from __future__ import absolute_import, division, print_function

from naosim.compat import native, quoted, reason

MYPY = False
if MYPY:
    from typing import Any

    from naosim.scripting.box_contract import BoxContract


class BoxLogger(object):
    """The logger of a box: every line becomes an event, and an error fails the run."""

    __slots__ = ("_box",)

    def __init__(self, box):  # type: (BoxContract) -> None
        self._box = box

    def debug(self, message, *args, **_options):  # type: (Any, *Any, **Any) -> None
        """Log a line for developers."""
        self._log("debug", message, args)

    def verbose(self, message, *args, **_options):  # type: (Any, *Any, **Any) -> None
        """Log a detail."""
        self._log("verbose", message, args)

    def info(self, message, *args, **_options):  # type: (Any, *Any, **Any) -> None
        """Log something that happens."""
        self._log("info", message, args)

    def warning(self, message, *args, **_options):  # type: (Any, *Any, **Any) -> None
        """Log something unexpected."""
        self._log("warning", message, args)

    warn = warning

    def error(self, message, *args, **_options):  # type: (Any, *Any, **Any) -> None
        """Log an error, which fails the run; one about a service that no robot of this kind has is a warning."""
        text, world = self._log("error", message, args), self._box.behaviour.world
        if any(name in text for name in world.lacking):
            world.warn("%s.log" % self._box.path, text)
        else:
            self._box.fail("log", text)

    exception = critical = fatal = error

    def log(self, level, message, *args, **_options):  # type: (Any, Any, *Any, **Any) -> None
        """Log at a numeric level of the logging module: an error from 40 on, below that an info."""
        if isinstance(level, int) and level >= 40:
            self.error(message, *args)
        else:
            self._log("info", message, args)

    def setLevel(self, level):  # type: (Any) -> None
        """Do nothing: lines of all levels are kept."""

    def isEnabledFor(self, level):  # type: (Any) -> bool
        """Return True: lines of all levels are kept."""
        return True

    @property
    def name(self):  # type: () -> str
        """Return the category of the lines."""
        return "behavior.box"

    def _log(self, level, message, args):  # type: (str, Any, tuple[Any, ...]) -> str
        """Record and return a line; arguments that do not fit fail the run, not the handler, as in logging."""
        self._box.behaviour.world.clock.poll()
        try:
            text = _formatted(message, args)
        except (TypeError, ValueError, KeyError) as error:
            text = native(message)
            self._box.fail("log", "%s cannot be filled with %r: %s" % (quoted(text), args, reason(error)))
        self._box.note("log", level=level, text=text)
        return text


def _formatted(message, args):  # type: (Any, tuple[Any, ...]) -> str
    """Format a line as the logging module does, where a single dict fills in names."""
    text = native(message)
    if len(args) == 1 and isinstance(args[0], dict):
        args = args[0]  # type: ignore[assignment]
    return native(text % args) if args else text
