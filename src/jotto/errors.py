"""What can go wrong with words, answers and saved games, named after the player's situation."""

from __future__ import absolute_import, division, print_function, unicode_literals

from .versions import as_native


class JottoError(ValueError):
    """Anything the engine refuses; the message quotes the input and says what to do."""

    def __unicode__(self):  # type: () -> str
        return "%s" % (self.args[0] if self.args else "",)

    def __str__(self):  # type: () -> str
        # Python 2.7 would stumble over the first accent.
        return as_native(self.__unicode__())


class WordError(JottoError):
    """A word that may not be guessed or kept secret under these rules."""


class WrongLength(WordError):
    """A word with too few or too many symbols."""


class UnknownSymbol(WordError):
    """A word with a symbol that is not in the alphabet."""


class RepeatedSymbol(WordError):
    """A word that uses a symbol twice where the rules forbid it."""


class ImpossibleFeedback(JottoError):
    """An answer no secret could give."""


class GameOrderError(JottoError):
    """A move at the wrong moment: an answer without a guess, an undo without a turn."""


class SavedGameError(JottoError):
    """A saved game that cannot be read."""


class FutureVersion(SavedGameError):
    """A saved game written by a newer version of the engine."""


class WordListError(JottoError):
    """A word list that cannot be played with."""


class TreeError(JottoError):
    """A decision tree that cannot be walked."""


class ForeignTree(TreeError):
    """A sound decision tree, but of other words or other rules."""
