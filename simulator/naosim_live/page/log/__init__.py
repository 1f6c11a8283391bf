"""The log on the page: everything the robot did, filtered and saved."""

__all__ = ["panel"]
