"""The simulated robot as programs drive it, and the person in front of it."""
