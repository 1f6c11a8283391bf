"""What is wanted of NAO's ears, however it hears: from which confidences on it believes, and a log of what it heard."""

from __future__ import annotations

import re
from typing import Any

from jotto_behaviour.settings import KEEP_LOG, is_certainty
from jotto_desk.errors import DeskError

GIVEN = re.compile(r"[0-9.]{1,8}")


def ear_settings(certainty: str, keep_log: bool, hears: bool) -> dict[str, Any]:
    """Return the settings that were asked for; raises DeskError for wrong ones, and where NAO does not hear."""
    for option, is_given in (("--certainty", bool(certainty)), ("--keep-log", keep_log)):
        if is_given and not hears:
            raise DeskError(f"{option} is for a game by voice: add --voice, or --robot URL.")
    found: dict[str, Any] = {KEEP_LOG: True} if keep_log else {}
    return found | ({"certainty": _certainty(certainty)} if certainty else {})


def _certainty(given: str) -> list[float]:
    """Read two confidences; raises DeskError.

    >>> _certainty("0.2,0.75")
    [0.2, 0.75]
    """
    parts = given.split(",")
    try:
        found = [float(part) for part in parts if GIVEN.fullmatch(part)]
    except ValueError:
        found = []
    if len(parts) != 2 or not is_certainty(found):
        raise DeskError(
            f"{given[:40]!r} is no pair of confidences; write the one below which NAO asks again and the "
            "one below which it asks back, such as 0.2,0.75."
        )
    return found
