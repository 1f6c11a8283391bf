"""Choosing the solver's core: the C library where it is built, else the numpy reference."""

import os
from collections.abc import Callable, Mapping

from .contract import Core
from .native import binding, library
from .reference.core import NumpyCore


def best(environ: Mapping[str, str] = os.environ, remark: Callable[[str], None] = lambda sentence: None) -> Core:
    """Return the C core where it is built, else the numpy one, after passing one line to `remark`."""
    found = library.load(environ, remark)
    if found is not None:
        return binding.NativeCore(found)
    return NumpyCore()
