"""Seeing, measuring and being touched."""
