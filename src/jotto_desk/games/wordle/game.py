"""A game of Wordle to play: a secret, the words that may be guessed, the rounds so far."""

from dataclasses import dataclass, replace

from jotto import compat
from jotto.game import Turn
from jotto.rules import WORDLE, JottoError
from jotto.words import fold_word

from . import hard

ROUNDS = 6


@dataclass(frozen=True)
class Wordle:
    """A game, never changed, only followed by another; an empty `words` lets any letters be guessed."""

    secret: str
    words: frozenset[str] = frozenset()
    is_hard: bool = False
    turns: tuple[Turn, ...] = ()

    @property
    def solved(self) -> bool:
        """Tell whether the last guess was the word."""
        return bool(self.turns) and self.turns[-1].guess == self.secret

    @property
    def over(self) -> bool:
        """Tell whether no more can be guessed."""
        return self.solved or len(self.turns) >= ROUNDS

    def fault(self, guess: str) -> str:
        """Say why a guess does not count; empty when it does."""
        try:
            WORDLE.check(guess)
        except JottoError as error:
            return f"{error} It costs nothing."
        if self.words and guess not in self.words and guess != self.secret:
            return f"{guess.upper()} is not in the list of words; it costs nothing."
        return hard.breach(guess, self.turns) if self.is_hard else ""

    def after(self, guess: str) -> "Wordle":
        """Guess a word that counts."""
        return replace(self, turns=(*self.turns, Turn(guess, WORDLE.score(guess, self.secret))))

    def title(self) -> str:
        """Return the first line of what people share: the rounds it took, a star for hard mode."""
        return f"Wordle {len(self.turns) if self.solved else 'X'}/{ROUNDS}{'*' if self.is_hard else ''}"


def folded(typed: str) -> str:
    """Return a word as it is compared: small letters, no accents, no blanks around it."""
    return str(fold_word(typed.strip()[:60], WORDLE.alphabet))


def drawn(words: tuple[str, ...], seed: int) -> str:
    """Draw a secret."""
    return compat.draw_item(words, seed, "secret")
