"""Copying the engine, the conversation and the word lists into the project's `lib`, whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jotto_desk.files import read_bounded, write_whole

from ..errors import StageRefused
from .library import library
from .project_file import listing
from .sources import LIBRARY, PROJECT

CACHES = "__pycache__"
LARGEST_PML = 1_000_000

#: Place in a folder -> the file that goes there, or its content.
Files = Mapping[str, "Path | bytes"]


@dataclass(frozen=True)
class Staged:
    """What a staging changed, as places below the staged folder; and the `.pml` files that list lib anew."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    listed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.listed)


def stage(root: Path) -> Staged:
    """Make `lib` match the checkout, and the `.pml` list it; nothing is written where both already do."""
    files = library(root)
    return replace(_replace_folder(root / LIBRARY, files), listed=_list(root / PROJECT, files))


def unstage(root: Path) -> bool:
    """Remove `lib`, and its files from the `.pml`: the project is as it is committed; tells whether there was any."""
    listed, folder = _list(root / PROJECT, ()), root / LIBRARY
    if not folder.is_dir():
        return bool(listed)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StageRefused(f"'{folder}' cannot be removed ({error.strerror}).") from error
    return True


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
    held = library(root)
    files: dict[str, Path | bytes] = {f"lib/{place}": path for place, path in held.items()}
    for path in sorted(project.rglob("*")):
        place = path.relative_to(project).as_posix()
        if path.is_file() and not place.startswith("lib/"):
            files[place] = _listing(path, held).encode("utf-8") if place.endswith(".pml") else path
    return _replace_folder(target, files)


def _list(project: Path, places: Iterable[str]) -> tuple[str, ...]:
    """Have the `.pml` list these files of lib; return its name where that changed it."""
    changed = []
    for path in sorted(project.glob("*.pml")):
        text = _listing(path, places)
        if text.encode("utf-8") != path.read_bytes():
            changed.append(write_whole(path, text).name)
    return tuple(changed)


def _listing(path: Path, places: Iterable[str]) -> str:
    try:
        return listing(read_bounded(path, LARGEST_PML, "project file").decode("utf-8"), places)
    except UnicodeDecodeError as error:
        raise StageRefused(f"'{path}' is not UTF-8; run 'jotto robot build'.") from error


def _is_copy(folder: Path) -> bool:
    return (folder / "manifest.xml").is_file() and any(folder.glob("*.pml"))


def _replace_folder(folder: Path, files: Files) -> Staged:
    difference = _difference(folder, files)
    if not difference and folder.is_dir():
        return difference
    mark = secrets.token_hex(4)
    fresh, old = (folder.with_name(f".{folder.name}.{mark}.{word}") for word in ("new", "old"))
    try:
        for place, source in files.items():
            (fresh / place).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, bytes):
                (fresh / place).write_bytes(source)
            else:
                shutil.copyfile(source, fresh / place)
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


def _difference(folder: Path, files: Files) -> Staged:
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    there = {place: path for place, path in there.items() if CACHES not in Path(place).parts}
    return Staged(
        added=tuple(sorted(files.keys() - there.keys())),
        changed=tuple(place for place in sorted(files.keys() & there.keys()) if _differ(files[place], there[place])),
        removed=tuple(sorted(there.keys() - files.keys())),
    )


def _differ(one: Path | bytes, other: Path) -> bool:
    return (one if isinstance(one, bytes) else one.read_bytes()) != other.read_bytes()
