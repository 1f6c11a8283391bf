"""`jotto play`: a person plays with the simulated NAO in the terminal, or with a robot."""

import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Any

import typer
from rich.console import Console

from jotto_behaviour import resources
from jotto_behaviour.roles import ROLES
from jotto_desk import places
from jotto_desk.errors import DeskError

from .. import robot_connection
from ..rehearsal.options import Strategy, TreeFile, Without, Words
from ..rehearsal.rehearse import playable
from ..shell import ADVANCED, GAME, choices
from ..shell.commands import CommandLine
from ..simulated_robot import renew_library, simulated_robot
from .table import GameTable

app = CommandLine()
_EXAMPLES = """
Examples:

  jotto play

  jotto play --words mywords.txt --strategy consistent

  jotto play --role maker

  jotto play --robot nao.local

  printf 'ready\\nno\\n1\\n2\\nstop\\nyes\\n' | jotto play --seed 1
"""
ROLE = "NAO's role: breaker guesses your word, maker thinks of one for you, race: both. NAO asks when it is not given."


@app.command(epilog=_EXAMPLES)
def play(  # noqa: PLR0917
    word_list: Words = "",
    role: Annotated[str, choices.chosen("--role", options=ROLES, what="role", help=ROLE, panel=GAME)] = "",
    strategy: Strategy = resources.DEFAULT_STRATEGY,
    forget: Annotated[bool, typer.Option(
        "--forget", rich_help_panel=GAME, help="Do not take up an unfinished game, and keep none.")] = False,
    tree: TreeFile = "",
    seed: Annotated[int, typer.Option(
        min=0, max=2**31 - 1, rich_help_panel=ADVANCED, help="The same seed plays the same; 0 draws one.")] = 0,
    without: Without = None,
    url: robot_connection.Url = "",
    user: robot_connection.User = "",
    password_file: robot_connection.PasswordFile = None,
    events: robot_connection.Events = "auto",
    patience: robot_connection.Patience = 60.0,
) -> None:
    """Play Jotto with a simulated NAO, or with a robot: it is the very same behaviour, run here."""
    far = robot_connection.robot_address(url, user, password_file, events, patience)
    if far is not None and without:
        raise DeskError("--without takes services from the simulated robot at the desk, not from one at --robot URL.")
    renew_library()
    screen = Console(highlight=False, soft_wrap=True)
    settings = {"strategy": strategy, "seed": seed or secrets.randbelow(2**31 - 1) + 1,
                "folder": "" if forget else str(places.data_folder())}
    with playable(word_list, tree) as (_, path), _robot(far, without or (), screen) as (robot, behaviour):
        robot.set("Jotto/Settings", json.dumps({"words": path, "role": role, **settings}))
        if forget:
            robot.set("Jotto/Game", "")
        alive = sys.stdin is not None and sys.stdin.isatty()
        try:
            _table(robot, far)(robot, screen, alive, forget).play(behaviour)
        finally:
            if forget:
                robot.set("Jotto/Game", "")


def _robot(far: robot_connection.RobotAddress | None, without: Sequence[str],
           screen: Console) -> AbstractContextManager[Any]:
    """Open the robot to play with."""
    if far is None:
        return simulated_robot(without=without)
    return robot_connection.far_robot(far, tell=lambda text: screen.print(f"({text})", style="dim", markup=False))


def _table(robot: Any, far: robot_connection.RobotAddress | None) -> Any:
    """Choose the table: a robot far away may be lost, and with a real one time is real."""
    if far is None:
        return GameTable
    from .remote_game import RealRobotTable, RemoteTable

    return RemoteTable if robot.has_human else RealRobotTable
