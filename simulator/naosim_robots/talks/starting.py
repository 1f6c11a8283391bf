"""`naosim new NAME`: a project for Choregraphe with boxes, a talk, a test and a workflow, in one command."""

from __future__ import annotations

import argparse
import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from naosim.compat import quote
from naosim.errors import WrongUse
from naosim.formats import write_whole

_START = Path(__file__).with_name("start")
#: The name of the project that the files in `start` make, and of its copy.
_MODEL = "greeting"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TEST = """def test_it_greets_back(nao):
    nao.run("behavior_1/behavior.xar")
    nao.hear("hello")
    assert nao.said[-1] == "Hello to you!"
"""
#: The owner of the repository that has naosim, if it is not known.
_OWNER = "OWNER/REPOSITORY"
_GITHUB = re.compile(r"Source, https://github\.com/([\w.-]+/[\w.-]+)")


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status, 0; raises WrongUse."""
    description = "Makes a NAO behaviour that works: boxes, a talk, a test, and the workflow that runs them on GitHub."
    parser = argparse.ArgumentParser(prog="naosim new", description=description)
    parser.add_argument("name", metavar="NAME", help="the new folder and the project: a to z, digits and _")
    name = parser.parse_args(arguments).name
    for path in write_project(Path(name)):
        print(f"Wrote {path}.")
    print(f"Try it: cd {name}, then naosim check, pytest, or naosim behavior_1 --page")
    return 0


def write_project(folder: Path) -> list[Path]:
    """Write a project into a new folder whose name is its own, and return the files. Raises WrongUse."""
    name = folder.name
    if not _NAME.fullmatch(name):
        raise WrongUse(
            f"{quote(name)} is not a name for a project: use at most 40 of a to z, digits and _, a letter first."
        )
    if folder.exists():
        raise WrongUse(f"'{folder}' is there already: give another name.")
    written = []
    for place, text in list_files(name).items():
        path = folder / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUse(f"cannot make '{path.parent}' ({error.strerror}): choose another folder.") from None
        write_whole(str(path), text.encode("utf-8"))
        written.append(path)
    return written


def list_files(name: str) -> dict[str, str]:
    """Return the texts of a project's files by their paths."""
    found = {
        "behavior_1/behavior.xar": _read("behavior_1/behavior.xar"),
        f"{_MODEL}.pml": _read(f"{_MODEL}.pml"),
        "manifest.xml": _read("manifest.xml"),
        f"{_MODEL}.talk.yaml": _read(f"{_MODEL}.talk.yaml"),
        f"test_{_MODEL}.py": _TEST,
        ".github/workflows/nao.yml": _read("ci.yml").replace(_OWNER, _find_repository()),
    }
    return {_rename(place, name): _rename(text, name) for place, text in found.items()}


def _read(place: str) -> str:
    return (_START / place).read_text(encoding="utf-8")


def _rename(text: str, name: str) -> str:
    return text.replace(_MODEL, name).replace(_MODEL.capitalize(), name.capitalize())


def _find_repository() -> str:
    """Return the repository that naosim was built in, with its owner."""
    try:
        urls = metadata("naosim").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    return next((found[1] for found in map(_GITHUB.match, urls) if found), _OWNER)
