"""All attacks, in the order they are told."""

from attack import parsers
from attack.outcome import Attack

ATTACKS: list[Attack] = [parsers.ATTACK]
