"""ALMemory on the page: keys as they change, and values that are set."""

__all__ = ["panel"]
