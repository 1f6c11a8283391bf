"""All attacks, in the order they are told."""

from attack import parsers, robot_growth, robot_serve
from attack.outcome import Attack

ATTACKS: list[Attack] = [parsers.ATTACK, robot_serve.MESSAGES, robot_serve.SILENCE, robot_growth.ATTACK]
