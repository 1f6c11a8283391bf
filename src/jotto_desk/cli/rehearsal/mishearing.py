"""How NAO mishears a simulated person: at a rate, or as it was measured and kept in a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jotto_desk import files
from jotto_desk.conversation import confusions
from jotto_desk.conversation.confusions import Confusions
from jotto_desk.errors import DeskError

from .game import GameRecord
from .person import Trouble
from .voice_settings import CERTAINTY

#: More often than this, nobody would play.
MOST = 0.9


def trouble(mishear: str, silence: float, mistake: float) -> Trouble:
    """Return a person's trouble; `mishear` is a rate, a noise that was measured or the name of a file.

    Raises DeskError for what is neither.

    >>> trouble("0.1", 0.0, 0.0).mishear
    0.1
    """
    if mishear in confusions.MEASURED:
        return Trouble(0.0, silence, mistake, confusions.measured(mishear))
    try:
        rate = float(mishear)
    except ValueError:
        if not Path(mishear).exists():
            raise DeskError(
                f"--mishear {mishear!r} is neither a rate from 0 to {MOST:g}, nor one of "
                f"{', '.join(confusions.MEASURED)} as it was measured, nor a file of confusions; "
                "jotto rehearse --voice --write-confusions FILE makes one."
            ) from None
        return Trouble(0.0, silence, mistake, confusions.read(Path(mishear)))
    if not 0 <= rate <= MOST:
        raise DeskError(f"The rate {mishear!r} of --mishear is not from 0 to {MOST:g}.")
    return Trouble(rate, silence, mistake)


def write(path: Path, records: Iterable[GameRecord], outcome: dict[str, Any]) -> None:
    """Write what was heard of spoken answers into a file, with where it is from; nothing where nothing was said."""
    counts = confusions.added(record.understood.heard for record in records if record.understood is not None)
    if not counts:
        return
    voice = outcome["voice"]
    source = (
        f"jotto rehearse --voice: {outcome['games']} games on list {outcome['list']}, seed {outcome['seed']}, "
        f"noise {voice['noise']}, {voice['recogniser']}, {counts.total()} sayings, {voice['recorded']:.0%} "
        "of them recordings of people, the others by ten voices of espeak-ng, which are no people"
    )
    files.write_whole(path, Confusions(source, CERTAINTY, counts).text())
