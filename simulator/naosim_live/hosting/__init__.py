"""A simulated robot in a child process."""
