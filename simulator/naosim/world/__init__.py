"""The state that everything on a simulated robot shares."""
