"""Rehearsals: whole games of the real behaviour on the simulated NAO, answered by a simulated person."""

__all__ = ["batch", "game", "recognition", "robots", "voice"]
