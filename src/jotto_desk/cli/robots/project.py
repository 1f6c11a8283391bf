"""What the commands under `jotto robot` share: the project's sources, the robot's Python and the lint of behaviours."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from jotto_desk import files, robot_kit

from ...errors import DeskError

Root = Annotated[
    Path | None,
    typer.Option("--root", metavar="DIR", help="The checkout; default: the one in use, or else the installed files."),
]


@dataclass(frozen=True)
class SourceFolder:
    """Where the sources lie: a checkout, or a copy of what is installed, which nothing may be kept in."""

    folder: Path
    is_installed: bool = False


@contextlib.contextmanager
def opened(root: Path | None) -> Iterator[SourceFolder]:
    """Provide the checkout that was named, or the one this runs from, or without one what is installed, laid out alike.

    Raises `DeskError` for a folder that was named and has no robot_boxes.
    """
    found = root or files.checkout_folder()
    if found is not None:
        if not (found / "robot_boxes").is_dir():
            raise DeskError(f"'{found}' has no folder robot_boxes; name the project's checkout with --root DIR.")
        yield SourceFolder(found)
        return
    with tempfile.TemporaryDirectory(prefix="jotto-") as scratch:
        try:
            _lay_out(Path(scratch))
        except OSError as error:
            raise DeskError(
                f"The installed sources cannot be copied ({error.strerror or error}); make room for temporary files."
            ) from error
        yield SourceFolder(Path(scratch), is_installed=True)


def _lay_out(folder: Path) -> None:
    """Copy what an installed package brings to where a checkout has it."""
    import jotto
    import jotto_behaviour

    sources = {name: files.shipped_path(name) for name in ("robot_boxes", robot_kit.PROJECT, "wordlists", "docs")}
    sources |= {
        place: Path(str(module.__file__)).parent
        for place, module in (("src/jotto", jotto), ("behaviour/jotto_behaviour", jotto_behaviour))
    }
    for place, source in sources.items():
        shutil.copytree(source, folder / place, ignore=shutil.ignore_patterns("__pycache__"))


def python27() -> list[str] | None:
    """Return the command of a Python 2.7 on this computer, if there is one."""
    path = robot_kit.find_python27(os.environ)
    return [path] if path else None


def lint(path: Path) -> list[str]:
    """List what would fail on a robot in a behavior.xar, one sentence each."""
    # The simulator is imported late, so that the other commands start at once.
    from naosim import errors, lint, xar

    if not path.is_file():
        return []
    try:
        findings = lint.judge(xar.parse(str(path)))
    except errors.NaosimError as error:
        return [str(error)]
    return [f"{path.name}: {one.box}: {one.sentence}" for one in findings if one.severity != lint.REMARK]
