"""Loudspeakers, microphones and lights."""
