"""Talks as files: what a person says and does to a robot, and what the robot must do then, in `*.talk.yaml`."""

__all__ = ["checking", "command", "format", "persons", "plugin", "reader", "report", "running", "schema", "talk"]
