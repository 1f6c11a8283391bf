"""A strict, simulated NAOqi robot that runs Choregraphe behaviours. Knows NAOqi and `.xar` files, and no game."""
