"""A disk that becomes full in a game: what NAO says about saving the game must be true at the next start."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

from story import wording

from attack.kills import PYTHONS, VISITS, Games, evidence, new
from attack.outcome import Attack, Outcome
from jotto_behaviour import conversation, memory

#: What the player says to end a visit that is not over.
LEAVING = ("stop", "yes")


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Let the disk be full from a sentence of NAO on, and compare what NAO says with the files afterwards."""
    outcome, chance = Outcome(), random.Random(seed)
    games = [Games(python) for python in PYTHONS]
    partly = 0
    try:
        moments = [
            (visit, full)
            for number, visit in enumerate(chance.sample(VISITS, min(how_many, len(VISITS))))
            for full in range(1, games[0].play(new(folder, f"visit {number}"), visit)["sentences"] + 1)
        ]
        plans = [(visit, full, game) for visit, full in moments for game in games]
        chance.shuffle(plans)
        for number, (visit, full, game) in enumerate(plans[:how_many]):
            fault, is_part = fill(game, new(folder, str(number)), (*visit, *LEAVING), full)
            partly += is_part
            where = f"full from sentence {full} on ({Path(game.python).name})"
            outcome.check(not fault, f"{' '.join(filter(None, visit))}: {where}: {fault}")
    finally:
        for game in games:
            game.close()
    outcome.figure = f"{partly} games saved, but not the last of them"
    return outcome


def fill(games: Games, folder: Path, visit: Sequence[str], full: int) -> tuple[str, bool]:
    """Fill the disk during a visit; return where NAO was wrong, and whether a part was saved."""
    told = games.play(folder, visit, full=full)
    if not told:
        return "it did not end by itself", False
    talk, said = memory.parse_talk_text(told["talk"]), " ".join(told["heard"])
    later = games.play(folder, ["yes"])
    there = memory.parse_talk_text(later["talk"])
    is_offered = re.search(wording("go on with our game"), " ".join(later["heard"])) is not None
    is_whole = is_offered and evidence(there) == evidence(talk)
    keys = ("saved", "partly saved", "unsaved")
    line = next((key for key in keys if re.search(wording(f"goodbye, {key}"), said)), "")
    so = {
        "saved": is_whole,
        "partly saved": is_offered and not is_whole,
        "unsaved": not is_offered,
        "": not conversation.has_unfinished_game(talk) and not is_offered,
    }
    parts = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    if parts:
        return f"there are left {parts}", False
    if not so[line]:
        return f"NAO says that the game is {line or 'over'}, and {'offers' if is_offered else 'forgets'} {there}", False
    return "", line == "partly saved"


ATTACK = Attack("full disks", "a disk that fills in a game: what NAO says of saving is so", rounds, short=2, long=120)
