"""Mastermind as the CS10 homework has it, and the script flipped: the computer guesses."""
