"""A robot that is recorded, and a recording in a robot's place."""

__all__ = ["recorded_robot", "recorder"]
