"""A libqi directory in front of a simulated robot."""
