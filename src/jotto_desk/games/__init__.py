"""The other games of the family: each is rules of the one engine, with a screen or a network around it."""

__all__ = [
    "advice",
    "assist",
    "gladiators",
    "gladiators_campaign",
    "gladiators_server",
    "gladiators_strategy",
    "mastermind",
    "wordle",
    "wordle_dialogue",
]
