"""Time and turns: the clock, its tasks, and the scheduler that runs exactly one of them at a time."""
