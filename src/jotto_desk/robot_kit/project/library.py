"""What the robot needs beside the diagram: the files that go into the project's `lib`."""

from __future__ import annotations

from pathlib import Path

#: Folder in the checkout -> folder in lib, taken with everything inside.
PACKAGES = {"src/jotto": "jotto", "behaviour/jotto_behaviour": "jotto_behaviour"}
#: Single files in the checkout -> place in lib.
LISTS = (
    "en.tsv",
    "en-early.txt",
    "en-late.txt",
    "en-secrets.txt",
    "en-sound-alikes.txt",
    "blocked.sha256",
    "en.tree",
    "en-2.tree",
    "en-3.tree",
    "en-4.tree",
    "en-hard.tree",
)
#: What another language may have beside its list: what English has, and a block list of its own.
ENDINGS = (
    ".tsv",
    "-blocked.sha256",
    "-early.txt",
    "-late.txt",
    "-secrets.txt",
    "-sound-alikes.txt",
    ".tree",
    "-2.tree",
    "-3.tree",
    "-4.tree",
    "-hard.tree",
    "-hard-2.tree",
)
FILES = {f"wordlists/{name}": f"wordlists/{name}" for name in LISTS}
#: The languages are those that there are lines for.
LINES = "behaviour/jotto_behaviour"
#: Only what Python or the game reads travels: no marker files, no caches, no notes.
SUFFIXES = {".py", ".json", ".tsv", ".txt", ".bin", ".gz", ".sha256"}
LEFT_OUT = {"__pycache__", "tests"}
#: The module that only the desk needs: the picture of the conversation.
NOT_PLAYED = {"behaviour/jotto_behaviour/diagram.py"}


def library(root: Path) -> dict[str, Path]:
    """Place in lib -> file in the checkout, sorted by place; lists and trees not made yet are left out."""
    wanted = FILES | {f"wordlists/{name}": f"wordlists/{name}" for name in _of_languages(root)}
    found = {target: root / source for source, target in wanted.items() if (root / source).is_file()}
    for source, target in PACKAGES.items():
        base = root / source
        for path in sorted(base.rglob("*")):
            inside = path.relative_to(base)
            is_left_out = LEFT_OUT & set(inside.parts) or f"{source}/{inside.as_posix()}" in NOT_PLAYED
            if path.is_file() and path.suffix in SUFFIXES and not is_left_out:
                found[f"{target}/{inside.as_posix()}"] = path
    return dict(sorted(found.items()))


def _of_languages(root: Path) -> list[str]:
    """Name the files that further languages may have beside their lines."""
    codes = sorted(path.stem.removeprefix("lines_") for path in (root / LINES).glob("lines_*.json"))
    return [code + ending for code in codes if code != "en" for ending in ENDINGS]
