"""Facts about real robots as a table, and the program that compares a robot with them: `naosim facts ADDRESS`."""

__all__ = ["command", "patterns", "runner", "table"]
