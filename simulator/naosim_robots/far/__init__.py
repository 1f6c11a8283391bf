"""A robot far away, played at the desk over libqi."""

__all__ = ["connection", "events", "robot", "watching"]
