"""The next guess of a level, for few codes and for many."""
