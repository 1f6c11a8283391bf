"""A libqi directory in a process that is watched, behind a gate that bounds what reaches it."""

__all__ = ["directory"]
