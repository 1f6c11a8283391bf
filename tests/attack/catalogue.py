"""All attacks, in the order they are told."""

from attack import bombs, packages, parsers
from attack.outcome import Attack

ATTACKS: list[Attack] = [parsers.ATTACK, packages.ATTACK, bombs.ATTACK]
