"""The conversation as the desk sees it: typed answers, the robot's record of the game, the possible answers."""

__all__ = ["answers", "confidence", "game_record"]
