"""The module `mutex` of Python 2, which Python 3 lacks: a queue of calls, of which one has the turn."""

from __future__ import absolute_import, division, print_function

from collections import deque

MYPY = False
if MYPY:
    from typing import Any, Callable


class mutex(object):
    """A flag that one caller holds, and the calls that wait for it.

    >>> flag, seen = mutex(), []
    >>> flag.lock(seen.append, 1), flag.lock(seen.append, 2), seen
    (None, None, [1])
    >>> flag.unlock(), seen, flag.test()
    (None, [1, 2], True)
    """

    def __init__(self):  # type: () -> None
        self.locked = False
        self.queue = deque()  # type: Any

    def test(self):  # type: () -> bool
        """Tell whether the flag is held."""
        return self.locked

    def testandset(self):  # type: () -> bool
        """Take the flag and return True, or return False when it is held."""
        taken, self.locked = not self.locked, True
        return taken

    def lock(self, function, argument):  # type: (Callable[[Any], Any], Any) -> None
        """Call the function now if the flag is free, otherwise when its turn comes."""
        if self.testandset():
            function(argument)
        else:
            self.queue.append((function, argument))

    def unlock(self):  # type: () -> None
        """Give the flag to the next call that waits, or let go of it."""
        if self.queue:
            function, argument = self.queue.popleft()
            function(argument)
        else:
            self.locked = False
