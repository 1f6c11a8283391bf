"""`jotto robot examples`: programs that talk to a robot, to begin one's own with."""

from pathlib import Path
from typing import Annotated

import typer

from ... import files, places
from ...errors import DeskError

NAMES = ("naoqi_client.py", "qi_client.py")
LARGEST = 100_000


def examples(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder for them.")] = Path(),
) -> None:
    """Copy two small programs that talk to a robot, in the classic way and by libqi, into a folder."""
    contents = {name: files.read_bounded(places.shipped("docs") / name, LARGEST, "example") for name in NAMES}
    for name, content in contents.items():
        if (to / name).exists() and not _is(to / name, content):
            raise DeskError(f"'{to / name}' is there and differs; name another folder with --to DIR.")
    for name, content in contents.items():
        print(f"Wrote {files.write_whole(to / name, content)}.")


def _is(path: Path, content: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
