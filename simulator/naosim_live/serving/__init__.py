"""A simulated robot for every program that speaks libqi: `served`."""

from .server import RobotServer, served

__all__ = ["RobotServer", "served", "signatures"]
