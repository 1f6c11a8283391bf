"""Keeping track of a game of any rules: what fits, what to ask, which answer may hold a slip."""
