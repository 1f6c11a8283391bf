"""`jotto robot`: the Choregraphe project, its package, and robots on the network."""
