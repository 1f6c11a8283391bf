"""A game as a text file: what is needed to play it again, what was said, and its squares to share."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from jotto_desk import files
from jotto_desk.errors import DeskError
from jotto_desk.history import KeptGame, share

from ..rehearsal.transcript import Transcript

VERSION = 1
LARGEST = 4 << 20
TITLE = "# Jotto with NAO. To see it played again: jotto replay FILE"
SILENCE = "(silence)"
#: A line that NAO or the person says.
_SAID = re.compile(r"^(NAO|YOU)  (.*)$")


class TranscriptHeader(NamedTuple):
    """How a game began.

    The settings; the list's name and checksum; the unfinished game it went on with (or empty); services left out.
    """

    settings: dict[str, Any]
    words: str = ""
    checksum: str = ""
    unfinished: str = ""
    without: Sequence[str] = ()

    def __str__(self) -> str:
        plain = json.dumps({"version": VERSION, **self._asdict()}, sort_keys=True)
        return f"{TITLE}\n# {plain}\n"


class RecordedGame(NamedTuple):
    """A transcript read back: how it began, and what was said: who (`NAO` or `YOU`) and what."""

    header: TranscriptHeader
    said: list[tuple[str, str]]

    @property
    def typed(self) -> list[str]:
        """List the person's lines."""
        return ["" if text == SILENCE else text for who, text in self.said if who == "YOU"]


def written(header: TranscriptHeader, transcript: Transcript, finished: Sequence[KeptGame]) -> str:
    """Write a transcript as the text of a file: the games to share stand at its end."""
    return "\n".join([str(header), *transcript.lines, *(f"\n{share(one)}" for one in finished), ""])


def read(path: str) -> RecordedGame:
    """Read a transcript; raises `DeskError` for a file that is none, or one of a newer version."""
    lines = files.read_bounded(path, LARGEST, "transcript").decode("utf-8", "replace").splitlines()
    header = _read_header(path, lines)
    found = [match.groups() for match in map(_SAID.match, lines) if match]
    return RecordedGame(header, [(str(who), str(text)) for who, text in found])


def _read_header(path: str, lines: Sequence[str]) -> TranscriptHeader:
    fault = DeskError(f"'{path}' is no transcript of a game; write one with: jotto play --transcript FILE")
    try:
        plain = json.loads(lines[1].removeprefix("# "))
        version = plain.pop("version")
        if isinstance(version, int) and version > VERSION:
            raise DeskError(f"'{path}' was written by a newer nao-jotto; install that to replay it.")
        header = TranscriptHeader(**plain)
    except (IndexError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise fault from error
    if not isinstance(header.settings, dict) or not isinstance(header.without, list | tuple):
        raise fault
    if not all(isinstance(text, str) for text in (header.words, header.checksum, header.unfinished, *header.without)):
        raise fault
    return header
