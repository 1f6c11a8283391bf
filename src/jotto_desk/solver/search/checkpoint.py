"""The checkpoint of a long search: a file from which it can be resumed."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ... import files
from ...errors import DeskError
from ..model.feedback_table import FeedbackTable
from ..model.plan import Plan
from .extract import as_lists, from_lists, is_sound

VERSION = 1
#: A tree of 100,000 words has half of this; an empty list takes twenty times its bytes in memory.
MOST_BYTES, MOST_LISTS = 8 << 20, 500_000
#: The least number of seconds between two writes of the file.
EVERY = 20.0


@dataclass
class Checkpoint:
    """The best tree so far and the bounds of first guesses; without a path nothing is written.

    `mark` names the problem and the options: a checkpoint of another search is refused.
    """

    path: Path | None
    mark: str
    clock: Callable[[], float] = time.monotonic
    plan: Plan | None = None
    cost: int = 0
    bounds: dict[int, int] = field(default_factory=dict)
    written: float = 0.0

    def keep(self, plan: Plan, cost: int, bounds: dict[int, int], now: bool = False) -> None:
        """Remember the progress of the search; the file is written atomically, every few seconds at most."""
        self.plan, self.cost, self.bounds = plan, cost, dict(bounds)
        if self.path is None or (not now and self.clock() - self.written < EVERY):
            return
        self.written = self.clock()
        plain = {
            "version": VERSION,
            "mark": self.mark,
            "cost": cost,
            "plan": as_lists(plan),
            "bounds": {str(guess): low for guess, low in bounds.items()},
        }
        files.write_whole(self.path, json.dumps({**plain, "seal": _seal(plain)}) + "\n")


def open_checkpoint(path: Path | None, mark: str, table: FeedbackTable) -> Checkpoint:
    """Read a checkpoint, or begin one where there is no file yet.

    Raises `DeskError` when the file is damaged or belongs to another search.
    """
    if path is None or not path.exists():
        return Checkpoint(path, mark)
    try:
        raw = files.read_bounded(path, MOST_BYTES, "checkpoint")
        if raw.count(b"[") + raw.count(b"{") > MOST_LISTS:
            raise ValueError("more lists than a tree has")
        plain = json.loads(raw)
        if plain["version"] != VERSION:
            raise DeskError(f"The checkpoint '{path}' is of version {plain['version']}; this program reads {VERSION}.")
        # A wrong bound would make a wrong proof.
        if plain.pop("seal") != _seal(plain):
            raise ValueError("not as it was written")
        if plain["mark"] != mark:
            raise DeskError(f"The checkpoint '{path}' belongs to another search; name another file or remove it.")
        plan = from_lists(plain["plan"])
        bounds = {int(guess): int(low) for guess, low in plain["bounds"].items()}
        cost = int(plain["cost"])
        if not is_sound(plan, table):
            raise ValueError("not of this table")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DeskError(f"The checkpoint '{path}' is damaged; remove it to begin anew.") from error
    return Checkpoint(path, mark, plan=plan, cost=cost, bounds=bounds)


def _seal(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode("ascii")).hexdigest()
