"""Judging a behaviour without running it."""
