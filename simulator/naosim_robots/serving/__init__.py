"""Serves a simulated robot to programs that speak libqi."""

from .server import RobotServer, served

__all__ = ["RobotServer", "served", "signatures"]
