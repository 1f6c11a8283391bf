"""A game with NAO in the terminal."""
