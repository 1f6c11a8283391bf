"""Many games on one `jotto robot serve`: the growth of its memory."""

from __future__ import annotations

from pathlib import Path

from robot_server import children, serving

from attack.outcome import Attack, Outcome
from jotto_behaviour import mind
from jotto_desk.rehearsal.game import Rehearsal, RehearsalSettings
from jotto_desk.rehearsal.robots import behaviour_file
from naosim_robots.far.robot import FarRobot

WORDS = ("ocean", "later", "crane", "moist", "fudge", "light", "pound", "vapor", "chunk", "bread")
MAX_GROWTH_KB = 2.0  # of all processes in a game
FIRST_GAMES = 40  # not measured: until then caches fill
GAMES_EACH = 10  # of one client, which then connects again


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play games through a client, and compare the memory of the server's processes."""
    outcome, lines, sizes = Outcome(), mind.load_lines(), {}
    settings = RehearsalSettings(strategy="belief", seed=seed, folder=str(folder))
    with serving("--speed", "1000") as server:
        while outcome.tried < how_many:
            with FarRobot(server.url) as robot:
                for _ in range(min(GAMES_EACH, how_many - outcome.tried)):
                    secret = WORDS[outcome.tried % len(WORDS)]
                    record = Rehearsal(robot, robot.load(str(behaviour_file())), settings, lines).play(secret)
                    outcome.check(record.found and not record.failures, f"{secret}: {record.failures}")
            sizes[outcome.tried] = {
                each: kilobytes(each) for each in [server.process.pid, *children(server.process.pid)]
            }
    measured = [number for number in sizes if number >= FIRST_GAMES]
    if len(measured) > 1:
        first, last = sizes[measured[0]], sizes[measured[-1]]
        growth = sum(last[each] - first.get(each, 0) for each in last) / (measured[-1] - measured[0])
        outcome.check(growth < MAX_GROWTH_KB, f"{growth:.1f} kB per game over {measured[-1] - measured[0]} games")
        outcome.figure = f"{growth:.1f} kB per game"
    return outcome


def kilobytes(process: int) -> int:
    """Return the memory that a process has at present."""
    rows = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("Rss:"))


ATTACK = Attack("growth", "games against one jotto robot serve, and its memory", rounds, short=0, long=1000)
