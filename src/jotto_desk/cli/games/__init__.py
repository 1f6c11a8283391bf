"""The commands of the other games: Mastermind, Wordle, gladiators, and the assistant for any of them."""
