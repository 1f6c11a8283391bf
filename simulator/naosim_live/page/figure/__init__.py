"""NAO as it stands there: drawn in three dimensions or flat, with its lights, and to be touched."""

__all__ = ["panel"]
