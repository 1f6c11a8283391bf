"""Copying the engine, the conversation and the word lists into the project's `lib`, whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import StageRefused
from .build import LIBRARY
from .library import library
from .sources import PROJECT

CACHES = "__pycache__"


@dataclass(frozen=True)
class Staged:
    """What a staging changed, as places below the staged folder."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


def stage(root: Path) -> Staged:
    """Make `lib` match the checkout; nothing is written where it already does."""
    return _replace_folder(root / LIBRARY, library(root))


def refresh(root: Path) -> bool:
    """Stages again where a `lib` exists and differs; tells whether it did."""
    return (root / LIBRARY).is_dir() and bool(stage(root))


def is_stale(root: Path) -> bool:
    """Tells whether a `lib` exists that is not what the checkout says."""
    return (root / LIBRARY).is_dir() and bool(_difference(root / LIBRARY, library(root)))


def stage_to(root: Path, target: Path) -> Staged:
    """Copy the whole project with a fresh `lib` to another folder, which must be absent, empty or an earlier copy."""
    if target.exists() and not (target.is_dir() and (_is_copy(target) or not any(target.iterdir()))):
        raise StageRefused(f"'{target}' holds something else; name a folder that is absent, empty or an earlier copy.")
    project = (root / PROJECT).resolve()
    if project in (target.resolve(), *target.resolve().parents):
        raise StageRefused(f"'{target}' lies inside the project; name a folder outside {PROJECT}.")
    files = {f"lib/{place}": path for place, path in library(root).items()}
    for path in sorted(project.rglob("*")):
        place = path.relative_to(project).as_posix()
        if path.is_file() and not place.startswith("lib/"):
            files[place] = path
    return _replace_folder(target, files)


def _is_copy(folder: Path) -> bool:
    return (folder / "manifest.xml").is_file() and any(folder.glob("*.pml"))


def _replace_folder(folder: Path, files: Mapping[str, Path]) -> Staged:
    difference = _difference(folder, files)
    if not difference and folder.is_dir():
        return difference
    mark = secrets.token_hex(4)
    fresh, old = (folder.with_name(f".{folder.name}.{mark}.{word}") for word in ("new", "old"))
    try:
        for place, path in files.items():
            (fresh / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, fresh / place)
        _exchange(fresh, folder, old)
    except OSError as error:
        raise StageRefused(f"'{folder}' cannot be written ({error.strerror}); nothing was changed.") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return difference


def _exchange(fresh: Path, folder: Path, old: Path) -> None:
    if not folder.exists():
        fresh.rename(folder)
        return
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise


def _difference(folder: Path, files: Mapping[str, Path]) -> Staged:
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    there = {place: path for place, path in there.items() if CACHES not in Path(place).parts}
    return Staged(
        added=tuple(sorted(files.keys() - there.keys())),
        changed=tuple(place for place in sorted(files.keys() & there.keys()) if _differ(files[place], there[place])),
        removed=tuple(sorted(there.keys() - files.keys())),
    )


def _differ(one: Path, other: Path) -> bool:
    return one.read_bytes() != other.read_bytes()
