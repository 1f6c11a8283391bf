"""The lint: checks of a behaviour's diagram and box scripts, made without running it."""
