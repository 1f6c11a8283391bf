"""A robot that is recorded, and a recording in a robot's place."""
