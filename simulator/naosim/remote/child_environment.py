"""The environment of a child process that runs this package on another interpreter."""

from __future__ import absolute_import, division, print_function

import os

from naosim.compat import TEXTS

MYPY = False
if MYPY:
    from typing import Any

#: The folder in which this package lies.
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def child_environment(import_paths=()):  # type: (Any) -> dict[str, str]
    """Return our environment with one import path, or several, and the folder of this package on the Python path."""
    paths = [import_paths] if isinstance(import_paths, TEXTS) else list(import_paths)  # type: list[Any]
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths + [ROOT]), PYTHONIOENCODING="utf-8")
