"""The robot put together, and the person in front of it."""
