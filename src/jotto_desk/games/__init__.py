"""The other games of the family: each is rules of the one engine, with a screen or a network around it."""
