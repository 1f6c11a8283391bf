"""The gladiators challenge: a client, a fake server and the strategy for codes without repeats."""
