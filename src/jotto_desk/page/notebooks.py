"""The notebooks of a page's visitors: a folder for each, so that everybody's words and games are one's own."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path

#: Notebooks that are kept; when a further visitor comes, the one that was not used for longest goes.
MOST_KEPT = 500
#: What the name of a visitor looks like.
NAME = re.compile(r"[0-9a-f]{32}")
FOLDER = "visitors"


def notebook(folder: Path, visitor: str) -> Path:
    """Return the folder of a visitor's notebook within the folder of a player's; it may not exist yet."""
    base = folder / FOLDER
    with contextlib.suppress(OSError):
        kept = sorted(
            (path.stat().st_mtime, path)
            for path in base.iterdir()
            if NAME.fullmatch(path.name) and path.name != visitor
        )
        for _, path in kept[: max(0, len(kept) - MOST_KEPT + 1)]:
            shutil.rmtree(path, ignore_errors=True)
    return base / visitor
