"""A libqi directory in front of a simulated robot."""

__all__ = ["calls", "directory", "probe", "signatures"]
