"""Levels of the challenge as values: gladiators (places), weapons (symbols, no repeats), guesses and rounds."""

import math
from dataclasses import dataclass
from typing import Any

from jotto.compat import is_integer, quoted
from jotto.feedback import PLACES
from jotto.rules import LETTERS, Rules

from ...errors import DeskError

#: Weapons up to so many are written as symbols, as the tree files of `jotto solve` have them.
SYMBOLS = "0123456789" + LETTERS
#: What a level may ask for at most; the challenge's own stay far below.
MOST_GLADIATORS, MOST_WEAPONS, MOST_GUESSES, MOST_ROUNDS = 12, 64, 60, 1000
#: The keys of a level in the order of its fields.
KEYS = ("numGladiators", "numWeapons", "numGuesses", "numRounds")

Code = tuple[int, ...]


@dataclass(frozen=True)
class Level:
    """The numbers of one level."""

    gladiators: int
    weapons: int
    guesses: int
    rounds: int = 1

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return math.perm(self.weapons, self.gladiators)

    @property
    def rules(self) -> Rules:
        """The rules of the engine that score this level."""
        symbols = SYMBOLS[: self.weapons] if self.weapons <= len(SYMBOLS) else tuple(range(self.weapons))
        return Rules("gladiators", self.gladiators, symbols, False, PLACES)

    def plain(self) -> dict[str, int]:
        """Return the level as the challenge's JSON has it."""
        return dict(zip(KEYS, (self.gladiators, self.weapons, self.guesses, self.rounds), strict=True))

    def __str__(self) -> str:
        rounds = f", {self.rounds} rounds" if self.rounds > 1 else ""
        return f"{self.gladiators} gladiators, {self.weapons} weapons, {self.guesses} guesses{rounds}"


#: The challenge's levels: 1 and 6 are recorded, 4 but for its guesses; what is not recorded is assumed.
LEVELS = {
    1: Level(4, 6, 8),
    2: Level(4, 8, 8),
    3: Level(5, 9, 9),
    4: Level(6, 25, 15),
    5: Level(4, 8, 8, 5),
    6: Level(5, 10, 7, 10),
}


def from_plain(plain: Any) -> Level:
    """Read a level from the challenge's JSON; raises `DeskError` for one that cannot be played."""
    numbers: list[Any] = [plain.get(key) for key in KEYS] if isinstance(plain, dict) else [None]
    if not all(is_integer(number) for number in numbers):
        raise DeskError(f"{quoted(plain)} is no level; it takes the whole numbers {', '.join(KEYS)}.")
    return checked(Level(*numbers))


def parse(text: str) -> Level:
    """Read a level as people write it: `5/10/7/10` (gladiators, weapons, guesses, rounds; rounds may be left out).

    Raises `DeskError`.
    """
    parts = text.split("/")
    if not 3 <= len(parts) <= 4 or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        raise DeskError(f"'{text[:60]}' is no level; write gladiators/weapons/guesses/rounds, like 5/10/7/10.")
    return checked(Level(*map(int, parts)))


def checked(level: Level) -> Level:
    """Return the level back, or raise `DeskError` where no game can be played by its numbers."""
    most = (
        ("gladiators", level.gladiators, MOST_GLADIATORS),
        ("weapons", level.weapons, MOST_WEAPONS),
        ("guesses", level.guesses, MOST_GUESSES),
        ("rounds", level.rounds, MOST_ROUNDS),
    )
    for name, number, limit in most:
        if not 1 <= number <= limit:
            raise DeskError(f"A level of {quoted(number)} {name} cannot be played; 1 to {limit} are possible.")
    if level.gladiators > level.weapons:
        raise DeskError(f"{level.gladiators} gladiators cannot have a weapon each of {level.weapons}.")
    return level


def word(code: Code, rules: Rules) -> Any:
    """Write a code as a word of the rules."""
    symbols = tuple(rules.alphabet[weapon] for weapon in code)
    return "".join(symbols) if isinstance(rules.alphabet, str) else symbols


def code_of(written: Any, rules: Rules) -> Code:
    """Read a word of the rules as a code."""
    return tuple(rules.alphabet.index(symbol) for symbol in written)
