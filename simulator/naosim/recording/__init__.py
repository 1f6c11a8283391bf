"""Recordings of what a person does with a robot, and their replay."""
