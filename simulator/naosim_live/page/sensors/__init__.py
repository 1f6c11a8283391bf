"""The robot's surroundings on the page: what its sensors notice."""

__all__ = ["panel"]
