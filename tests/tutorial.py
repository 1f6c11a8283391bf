"""The tutorial docs/first-behaviour.md: its steps, and its edits of the reader's files."""

import re
from pathlib import Path
from typing import NamedTuple

import pages

PAGE = pages.ROOT / "docs/first-behaviour.md"
#: The reader's folder at home, which the first commands of the page make.
FOLDER = "my_first"
_STEP = re.compile(r"(?:^<!-- (file|script|add): ([^\n]+?) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The script of a box, and what is around it.
_SCRIPT = r'(<Box name="{box}".*?<!\[CDATA\[\n).*?(\]\]>)'


class Step(NamedTuple):
    """A block of the page, with what the page says to do with it: save it, add it or replace a script; else ""."""

    order: str
    place: str
    kind: str
    body: str


def read_steps() -> list[Step]:
    """List the blocks of the page in their order."""
    return [Step(*found) for found in _STEP.findall(pages.read(PAGE))]


def edit(step: Step, folder: Path) -> None:
    """Save a block as a file, add it to one, or replace the script of a box, as the page says; check that it fits."""
    name, _, box = step.place.partition(" ")
    file = folder / name
    if step.order == "file":
        assert not file.exists()
        text = step.body
    elif step.order == "add":
        text = f"{file.read_text(encoding='utf-8')}\n\n{step.body}"
    else:
        parts = re.split(_SCRIPT.format(box=box), file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert len(parts) == 4, f"{name} has no box {box}"
        before, start, end, after = parts
        text = before + start + step.body + end + after
    file.write_text(text, encoding="utf-8")


def write_finished(parent: Path) -> Path:
    """Write the files of the finished tutorial into a new folder, and return it."""
    folder = parent / FOLDER
    (folder / "behavior_1").mkdir(parents=True)
    for step in read_steps():
        if step.order:
            edit(step, folder)
    return folder
