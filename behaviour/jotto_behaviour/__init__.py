"""The conversation of nao-jotto: NAO's lines, its hearing and its next step, for Python 2.7 and 3.

The pure part (states, step, lines, hearing) knows no robot. The adapters (ears, mouth, face, memory)
get the robot's services passed in and know NAOqi's method names, but import none of its modules.
"""

__all__ = [
    "box_controller",
    "conversation",
    "files",
    "guessing",
    "hearing",
    "lines",
    "memory",
    "mind",
    "riddle",
    "settings",
    "start_controller",
    "states",
    "talk",
]
