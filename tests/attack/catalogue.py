"""All attacks, in the order they are told."""

from attack import full_disks, kills, load, parsers, robot_serve, slow, writers
from attack.outcome import Attack

ATTACKS: list[Attack] = [
    parsers.ATTACK,
    kills.ATTACK,
    full_disks.ATTACK,
    writers.ATTACK,
    robot_serve.MESSAGES,
    robot_serve.SILENCE,
    slow.ATTACK,
    load.ATTACK,
]
