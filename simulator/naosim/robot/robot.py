"""The simulated robot: a world with simulated services, and the person in front of it.

Beside NAOqi's own methods the robot uses these members of a service: `remote(method)` and `call(method, args)` for
scripts, and `leftovers()` for the leak check; of ALSpeechRecognition and ALDialog `is_open`, `vocabulary`, `spotting`
and `heard(phrase, confidence)`; of ALTextToSpeech `is_speaking`; of ALMemory `is_heard(event)`; of ALTouch `press` and
`release`.
"""

from __future__ import absolute_import, division, print_function

from naosim.compat import native
from naosim.kernel.clock import Clock
from naosim.robot.driver import RobotDriver
from naosim.robot.person import Person
from naosim.services import LACKING, SERVICES
from naosim.world.world import World

MYPY = False
if MYPY:
    from typing import Iterable

    from naosim.world.faults import Faults


class Robot(RobotDriver):
    """One simulated robot and the person who talks to it.

    >>> robot = Robot(without=["ALSpeechRecognition"])
    >>> robot.set("Game/Round", 3)
    >>> robot.get("Game/Round"), robot.get("Game/Score")
    (3, None)
    >>> robot.close()
    """

    def __init__(
        self,
        without=(),
        faults=None,
        seed=0,
        posture="Stand",
        languages=("English",),
        real_time=False,
        folder=None,
        speed=1.0,
        home=None,
        robot_type="Nao",
        clock=None,
        strict=False,
        camera=None,
    ):
        # type: (Iterable[str], Faults | None, int, str, Iterable[str], bool, str | None, float, str | None, str, Clock | None, bool, str | None) -> None
        world = World(
            clock or Clock(real_time, speed), faults, seed, posture, languages, folder, home, robot_type, camera=camera
        )
        world.is_strict = bool(strict)
        RobotDriver.__init__(self, world, Person(world))
        memory = SERVICES["ALMemory"](world)
        world.install(memory, {})
        world.lacking = LACKING[world.robot_type]
        lost = world.faults.without.union(native(name) for name in without) | world.lacking
        for name in sorted(set(SERVICES) - lost):
            world.services[name] = memory if name == "ALMemory" else SERVICES[name](world)
