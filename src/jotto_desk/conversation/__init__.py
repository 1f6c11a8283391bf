"""The conversation as the desk sees it: what a person types, what the robot keeps of the game, what can be answered."""

__all__ = ["answers", "confidence", "game_record"]
