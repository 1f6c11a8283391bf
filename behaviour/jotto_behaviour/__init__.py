"""The conversation of nao-jotto: what NAO says, hears and does next, for Python 2.7 and 3.

The pure part (states, step, lines, hearing) knows no robot. The robot's organs (ears, mouth, face, memory)
get their services passed in and know NAOqi's method names, but import none of its modules.
"""
