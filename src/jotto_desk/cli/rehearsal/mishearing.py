"""How NAO mishears a simulated person: at a rate, or as it was measured and kept in a file."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from jotto_desk import files
from jotto_desk.conversation import confusions
from jotto_desk.conversation.confusions import Confusions
from jotto_desk.errors import DeskError

from .game import GameRecord
from .voice_settings import CERTAINTY

#: More often than this, nobody would play.
MOST = 0.9


class Mishearing(NamedTuple):
    """The chance that another answer is heard, or what was measured; with neither, NAO hears what was said."""

    rate: float = 0.0
    measured: Confusions | None = None

    @property
    def is_there(self) -> bool:
        """Tell whether anything is misheard."""
        return bool(self.rate) or self.measured is not None


def parse(text: str) -> Mishearing:
    """Read a rate or the name of a file; raises DeskError for what is neither.

    >>> parse("0.1")
    Mishearing(rate=0.1, measured=None)
    """
    try:
        rate = float(text)
    except ValueError:
        if not Path(text).exists():
            raise DeskError(f"--mishear {text!r} is neither a rate from 0 to {MOST:g} nor a file of confusions; jotto "
                            "rehearse --voice --write-confusions FILE makes one.") from None
        return Mishearing(0.0, confusions.read(Path(text)))
    if not 0 <= rate <= MOST or math.isnan(rate):
        raise DeskError(f"The rate {text!r} of --mishear is not from 0 to {MOST:g}.")
    return Mishearing(rate)


def write(path: Path, records: Iterable[GameRecord], outcome: dict[str, Any]) -> None:
    """Write what was heard of spoken answers into a file, with where it is from; nothing where nothing was said."""
    counts = confusions.added(record.understood.heard for record in records if record.understood is not None)
    if not counts:
        return
    voice = outcome["voice"]
    source = (f"jotto rehearse --voice: {outcome['games']} games on list {outcome['list']}, seed {outcome['seed']}, "
              f"noise {voice['noise']}, {voice['recogniser']}, {counts.total()} sayings by ten voices of espeak-ng, "
              "which are no people")
    files.write_whole(path, Confusions(source, CERTAINTY, counts).text())
