"""Behaviours in the styles that other people's projects have, built by the modules here and committed as files."""
