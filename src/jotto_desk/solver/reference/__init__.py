"""The core in plain numpy: what the C library is tested against, and what the solver runs on where there is none."""
