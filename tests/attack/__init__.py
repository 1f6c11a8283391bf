"""Attacks on the product: what is tried on it, and what broke."""
