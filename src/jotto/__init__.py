"""The engine of nao-jotto: rules, feedback, candidates, games and strategies, for Python 2.7 and 3.

It does not use robots, voices, files or screens. Clock and chance are passed in.
"""

from __future__ import absolute_import, division, print_function

__all__ = ["__version__", "compat", "explain", "feedback", "game", "index", "rules", "strategies", "tree", "words"]

__version__ = "0.1.0"
