"""`jotto robot examples`: programs that talk to a robot and a behaviour with its test, to begin one's own with."""

from pathlib import Path
from typing import Annotated

import typer

from jotto_desk import files

from ...errors import DeskError

GREETING = tuple(
    f"greeting/{name}" for name in ("behavior_1/behavior.xar", "greeting.pml", "manifest.xml", "test_greeting.py")
)
NAMES = (*GREETING, "naoqi_client.py", "qi_client.py")
LARGEST = 100_000


def examples(to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder to copy to.")] = Path()) -> None:
    """Copy two programs that talk to a robot, and a small behaviour with its test, into a folder."""
    contents = {name: files.read_bounded(files.shipped_path("docs") / name, LARGEST, "example") for name in NAMES}
    for name, content in contents.items():
        if (to / name).exists() and not _is(to / name, content):
            raise DeskError(f"'{to / name}' is there and differs; name another folder with --to DIR.")
    for name, content in contents.items():
        files.write_whole(to / name, content)
        print(f"Wrote {to / name}.")


def _is(path: Path, content: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
