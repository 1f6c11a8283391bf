"""`python -m naosim_live.serving DOOR`: serves a robot that another process hosts until standard input ends.

Standard output gets the address of the server, on one line.
"""

import signal
import sys

from naosim_live.hosting import JoinedRobot

from .server import RobotServer


def main(door: str) -> None:
    """Serve the robot behind a door; Ctrl-C is meant for the process that hosts the robot."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with JoinedRobot(door) as robot, RobotServer(robot) as server:
        print(server.url, flush=True)
        sys.stdin.buffer.read()


if __name__ == "__main__":
    main(sys.argv[1])
