"""Reasoning about one game: which codes may be the secret, and why."""
