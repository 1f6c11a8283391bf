"""The talk on the page: what NAO says and hears, and the ways to speak to it."""

__all__ = ["panel"]
