"""Datalog: parsed, checked for safety, and evaluated by clingo."""
