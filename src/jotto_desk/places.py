"""Paths: the files that come with the game, and the folders of the person who plays."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from .errors import DeskError

NAME = "nao-jotto"
_HERE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """Find the project folder these modules run from; None for an installed package."""
    root = _HERE.parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "wordlists").is_dir() else None


def shipped(name: str) -> Path:
    """Find a file or folder that comes with the game, such as `wordlists`: in the package first, then in the checkout.

    Raises `DeskError` when it is in neither.
    """
    root = checkout()
    for base in (_HERE / "shipped", *([root] if root else [])):
        if (base / name).exists():
            return base / name
    raise DeskError(f"'{name}', which comes with the game, is not there; install nao-jotto again.")


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Name the folder for what a person keeps: own words, games; it may not exist yet."""
    return _personal(environ, "XDG_DATA_HOME", ".local/share", "data")


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Name the folder for what can be fetched or computed again; it may not exist yet."""
    return _personal(environ, "XDG_CACHE_HOME", ".cache", "cache")


def _personal(environ: Mapping[str, str], variable: str, usual: str, kind: str) -> Path:
    # The XDG rule: a relative path in the variable counts as not set.
    named = environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named) / NAME
    if sys.platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / NAME / kind
    home = environ.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):
        raise DeskError(f"There is no home folder to keep {kind} in; set {variable} to a folder.")
    return Path(home) / usual / NAME
