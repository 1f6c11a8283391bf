"""All attacks, in the order they are told."""

from attack import anything, load, noise, parsers, robot_serve, slow
from attack.outcome import Attack

ATTACKS: list[Attack] = [
    parsers.ATTACK,
    robot_serve.MESSAGES,
    robot_serve.SILENCE,
    slow.ATTACK,
    load.ATTACK,
    noise.ATTACK,
    anything.ATTACK,
]
