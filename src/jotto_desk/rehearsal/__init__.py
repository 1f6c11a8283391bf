"""Rehearsals: whole games of the real behaviour on the simulated NAO, answered by a simulated person."""
