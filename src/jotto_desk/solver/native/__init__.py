"""The solver's C part: sources, building them into one shared library, loading it."""

__all__ = ["build"]
