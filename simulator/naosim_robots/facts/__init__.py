"""What real robots do, as a table of facts, and the program that compares a robot with them: `naosim facts ADDRESS`."""

__all__ = ["command", "patterns", "runner", "table"]
