"""A game with NAO in the terminal."""

__all__ = ["robot_tables", "table", "terminal"]
