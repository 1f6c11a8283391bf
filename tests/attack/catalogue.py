"""All attacks, in the order they are told."""

from attack import (
    anything,
    bombs,
    full_disks,
    kills,
    load,
    noise,
    packages,
    page,
    page_growth,
    parsers,
    robot_growth,
    robot_serve,
    room,
    sanitizers,
    slow,
    voice_page,
    writers,
)
from attack.outcome import Attack

ATTACKS: list[Attack] = [
    parsers.ATTACK,
    packages.ATTACK,
    bombs.ATTACK,
    kills.ATTACK,
    full_disks.ATTACK,
    writers.ATTACK,
    robot_serve.MESSAGES,
    robot_serve.SILENCE,
    robot_growth.ATTACK,
    page.ATTACK,
    page_growth.ATTACK,
    slow.ATTACK,
    load.ATTACK,
    noise.ATTACK,
    room.ATTACK,
    voice_page.ATTACK,
    anything.ATTACK,
    sanitizers.ATTACK,
]
