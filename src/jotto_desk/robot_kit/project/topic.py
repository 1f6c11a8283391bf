"""The dialogue topic: its `.top` for the robot and the `.dlg` that lists it. Knows QiChat's first two lines only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import FlowRefused

#: The robot's language code, in file names and topics, and the locale of the same language.
LANGUAGE, LOCALE = "enu", "en_US"


@dataclass(frozen=True)
class Topic:
    """A topic of the project: name and QiChat text."""

    name: str
    text: str

    @property
    def folder(self) -> str:
        """Folder inside the Choregraphe project."""
        return self.name

    @property
    def dialog_path(self) -> str:
        """Place of the `.dlg` inside the Choregraphe project."""
        return f"{self.name}/{self.name}.dlg"

    @property
    def topic_path(self) -> str:
        """Place of the `.top` inside the Choregraphe project."""
        return f"{self.name}/{self.name}_{LANGUAGE}.top"

    def dialog_text(self) -> str:
        """Write the `.dlg`: which topic file is in which language."""
        return f"multilanguage:{self.name}\n  {LANGUAGE}:{self.name}_{LANGUAGE}.top\n"


def read_topic(name: str, text: str) -> Topic:
    """Read a topic from its file; raises `FlowRefused` where its name or language differ from the file's."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line, wanted in zip([*lines, "", ""][:2], (f"topic: ~{name}()", f"language: {LANGUAGE}"), strict=True):
        if re.sub(r"\s", "", line) != wanted.replace(" ", ""):
            raise FlowRefused(f'{name}.top holds "{line[:60]}" where "{wanted}" is needed; correct that line.')
    return Topic(name, text)
