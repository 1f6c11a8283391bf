"""Games in both roles with a person who is misheard, silent and mistaken: no end of the run, and no false claim."""

from __future__ import annotations

import os
from pathlib import Path

from attack.outcome import Attack, Outcome
from jotto import compat
from jotto_behaviour import mind
from jotto_behaviour.riddle import BREAKER, MAKER
from jotto_desk.rehearsal.batch import RobotChoice, play_all
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.rehearsal.person import Trouble

#: Chances of an answer misheard, of silence and of a wrong score.
NOISE = [Trouble(0.1, 0.05, 0.05), Trouble(0.3, 0.2, 0.2), Trouble(0.4, 0.3, 0.3)]


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Play as many games with each role and each noise; what a game's own checks object to is a fault."""
    outcome, figures = Outcome(), []
    games = how_many // (2 * len(NOISE))
    for role in (BREAKER, MAKER):
        shares = []
        for trouble in NOISE:
            setting = RehearsalSettings(seed=seed, trouble=trouble, role=role)
            records = list(play_all(secrets(role, games, seed), setting, RobotChoice(), os.cpu_count() or 1))
            at = f"{role}, {trouble.mishear:.0%} misheard"
            outcome.check(len(records) == games, f"{at}: the run ended after {len(records)} of {games} games.")
            for record in records:
                outcome.check(not record.failures, f"{at}, word {record.secret}: {'; '.join(record.failures)}")
            shares.append(f"{sum(record.found for record in records) / max(1, games):.1%}")
        figures.append(f"{role} {', '.join(shares)}")
    outcome.figure = f"found at {', '.join(f'{trouble.mishear:.0%}' for trouble in NOISE)} misheard: " + "; ".join(
        figures
    )
    return outcome


def secrets(role: str, games: int, seed: int) -> list[str]:
    """Draw the person's words; where NAO thinks of the words, number the games."""
    if role == MAKER:
        return [str(number) for number in range(1, games + 1)]
    words: list[str] = compat.draw_items(mind.load_mind("", "consistent", ()).wordlist.words, games, seed, "secrets")
    return words


ATTACK = Attack("noise", "games in both roles with a person misheard, silent and mistaken", rounds, short=36, long=900)
