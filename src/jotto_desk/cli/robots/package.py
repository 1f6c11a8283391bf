"""`jotto robot package`: the file a robot installs."""

import hashlib
import json
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from ... import files, robot_kit
from ...errors import DeskError
from ..shell.shared import Json
from . import project


def package(
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder; default: dist in the checkout, or else this folder."),
    ] = None,
    as_json: Json = False,
    root: project.Root = None,
) -> None:
    """Check the project and build the package that a robot installs; the output is reproducible."""
    with project.opened(root) as sources:
        folder = out or (Path() if sources.is_installed else sources.folder / robot_kit.FOLDER)
        if folder.exists() and not folder.is_dir():
            raise DeskError(f"'{folder}' is not a folder; name the folder the package goes into.")
        files.require_writable(folder / "jotto.pkg")
        made = make(sources.folder)
    target = files.write_whole(folder / made.name, made.content)
    print(json.dumps(_record(made, target)) if as_json else _told(made, target))


def make(checkout: Path) -> robot_kit.Package:
    """Make the package of a checkout; raises `DeskError` with everything that is wrong with it."""
    python27 = project.python27()
    sources = robot_kit.read_sources(checkout, python27)
    return robot_kit.package(checkout, sources, python27, project.lint)


def _record(made: robot_kit.Package, target: Path) -> dict[str, object]:
    return {
        "path": str(target),
        "uuid": made.uuid,
        "version": made.version,
        "bytes": len(made.content),
        "sha256": hashlib.sha256(made.content).hexdigest(),
        "checked_by_python": made.python,
        "files": dict(made.files),
        "unused": list(made.unused),
    }


def _told(made: robot_kit.Package, target: Path) -> str:
    lines = [f"Made {target}: {made.uuid} {made.version}, {len(made.content):,} bytes, {len(made.files)} files."]
    sizes: Counter[str] = Counter()
    for place, count in made.files.items():
        sizes[_group(place)] += count
    lines += [f"  {count:>9,} bytes  {group}" for group, count in sorted(sizes.items())]
    lines += [f"Nothing in it comes to lib/{place}." for place in made.unused]
    by = f"Python {made.python}" + ("" if made.python.startswith("2.7") else ", for want of a Python 2.7")
    lines.append(f"Checked: scripts and imports ({by}), ports and links, files, and qipkg's rules for manifest.xml.")
    return "\n".join(lines)


def _group(place: str) -> str:
    parts = PurePosixPath(place).parts
    return "/".join(parts[:2]) if parts[0] == "lib" else parts[0]
