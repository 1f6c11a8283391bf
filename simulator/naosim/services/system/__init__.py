"""The robot itself: its name, behaviours, packages and preferences."""
