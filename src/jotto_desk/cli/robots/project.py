"""What the commands under `jotto robot` share: the checkout, the robot's Python and the lint of behaviours."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ... import places, robot_kit
from ...errors import DeskError

Root = Annotated[
    Path | None, typer.Option("--root", metavar="DIR", help="The project's checkout; found automatically if not given.")
]


def find_checkout(root: Path | None) -> Path:
    """Return the checkout that was named, or the one this runs from; raises `DeskError` where it has no robot_boxes."""
    found = root or places.checkout()
    if found is None:
        raise DeskError("There is no checkout of the project here; name one with --root DIR.")
    if not (found / "robot_boxes").is_dir():
        raise DeskError(f"'{found}' has no folder robot_boxes; name the project's checkout with --root DIR.")
    return found


def python27() -> list[str] | None:
    """Return the command of a Python 2.7 on this computer, if there is one."""
    path = robot_kit.find_python27(os.environ)
    return [path] if path else None


def lint(path: Path) -> list[str]:
    """List what would fail on a robot in a behavior.xar, one sentence each."""
    # The simulator is imported late, so that the other commands start at once.
    from naosim import errors
    from naosim.formats import xar
    from naosim.lint import diagram as lint

    if not path.is_file():
        return []
    try:
        findings = lint.judge(xar.parse(str(path)))
    except errors.NaosimError as error:
        return [str(error)]
    return [f"{path.name}: {one.box}: {one.sentence}" for one in findings if one.severity != lint.REMARK]
