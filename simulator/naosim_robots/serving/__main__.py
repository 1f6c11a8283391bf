"""`python -m naosim_robots.serving`: serves the robot of the process that started it, over its standard streams."""

import signal

from naosim_robots.hosting import JoinedRobot

from .server import RobotServer, get_lateness


def main() -> None:
    """Serve the robot until it ends; Ctrl-C is meant for the process that hosts it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with JoinedRobot() as robot, RobotServer(robot, late_s=get_lateness(robot)) as server:
        robot.serve_at(server.url, "")
        robot.wait()


if __name__ == "__main__":
    main()
