"""Serves a simulated robot to programs that speak libqi."""

from .server import RobotServer, serve_robot

__all__ = ["RobotServer", "serve_robot", "signatures"]
