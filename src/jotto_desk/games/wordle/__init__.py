"""Wordle: a helper, a game, and a solver, all on the one filter."""
