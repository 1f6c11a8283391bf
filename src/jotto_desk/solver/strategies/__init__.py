"""Heuristic strategies, and playing on through wrong answers."""
