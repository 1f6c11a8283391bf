"""Time and concurrency: the clock, its tasks, and the scheduler that runs one task at a time in a fixed order."""
