"""The desk side of nao-jotto: command line, word lists, robot kit; Python 3.10 and newer."""

__all__: list[str] = []
