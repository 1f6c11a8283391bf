"""A game with NAO in the terminal, and the content of its page."""

__all__ = ["page", "robot_tables", "table", "terminal"]
