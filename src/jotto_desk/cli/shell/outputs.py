"""Files that a command writes when its work is done: looked at before it begins."""

from pathlib import Path

from ... import files
from ...words import to_stderr


def ready(*places: Path | None) -> None:
    """See that files can be written, before minutes are spent on what goes into them.

    A folder that is not there is told about: it is made with the file, and may be a slip of the keys. Raises
    `DeskError` for what cannot be written.
    """
    for path in places:
        if path is None:
            continue
        files.require_writable(path)
        if not path.parent.exists():
            to_stderr(f"The folder '{path.parent}' is not there; it will be made for '{path.name}'.")
