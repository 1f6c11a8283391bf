"""Time on the page, and the behaviour that runs in it."""

__all__ = ["panels"]
