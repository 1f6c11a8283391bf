"""A recogniser in a process of its own: recognition holds up nothing else, and takes nothing along when it dies."""

__all__ = ["apart"]
