"""All attacks, in the order they are told."""

from attack import load, parsers, slow
from attack.outcome import Attack

ATTACKS: list[Attack] = [parsers.ATTACK, slow.ATTACK, load.ATTACK]
