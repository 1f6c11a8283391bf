"""The content of the game's page as JSON: the moment of a game, taps, reasons, statistics, Mastermind and Wordle.

It uses only the standard library, so it also runs in a browser's worker, next to the robot.
"""

from .game_page import GamePage, WrongPageRequest
from .robots import NoRobot, PageRobot, RobotHere, RobotOverClient
from .shared import SharedPage
from .texts import load_text_table, translate_into

__all__ = [
    "GamePage",
    "NoRobot",
    "PageRobot",
    "RobotHere",
    "RobotOverClient",
    "SharedPage",
    "WrongPageRequest",
    "boards",
    "game_page",
    "load_text_table",
    "moments",
    "shared",
    "site",
    "tables",
    "texts",
    "translate_into",
]
