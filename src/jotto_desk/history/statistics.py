"""Statistics of the games kept: by NAO's role and by level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from .kept_games import BREAKER, LEVELS, MAKER, RACE, ROLES, KeptGame

#: What each role of NAO is to the person.
NAMES = {MAKER: "You guess NAO's word", BREAKER: "NAO guesses your word", RACE: "Races with NAO"}


class GroupStatistics(NamedTuple):
    """Games of one role and level: the guesses of those in which the word was found, and how many came in a row."""

    role: str
    level: str
    games: int
    guesses: tuple[int, ...]
    hints: int
    streak: int
    longest_streak: int

    @property
    def found(self) -> int:
        """Count the games in which the word was found."""
        return len(self.guesses)

    @property
    def mean(self) -> float | None:
        """Return the average number of guesses, the winning one counted; None where no word was found."""
        return sum(self.guesses) / len(self.guesses) if self.guesses else None

    @property
    def best(self) -> int | None:
        """Return the fewest guesses a word was found in."""
        return min(self.guesses, default=None)

    @property
    def distribution(self) -> dict[int, int]:
        """Count the games by their guesses."""
        return dict(sorted(Counter(self.guesses).items()))

    def plain(self) -> dict[str, Any]:
        """Return the statistics as a dict that JSON can hold."""
        mean = self.mean
        return {
            "role": self.role,
            "level": self.level,
            "games": self.games,
            "found": self.found,
            "mean": None if mean is None else round(mean, 4),
            "best": self.best,
            "streak": self.streak,
            "longest_streak": self.longest_streak,
            "hints": self.hints,
            "distribution": {str(number): count for number, count in self.distribution.items()},
        }


def by_role_and_level(kept: Sequence[KeptGame]) -> list[GroupStatistics]:
    """Sum games up, the person's own guessing first; the games stand in the order they were played in."""
    groups: dict[tuple[str, str], list[KeptGame]] = {}
    for one in kept:
        groups.setdefault((one.role, one.level), []).append(one)
    return [_sum_up(*key, groups[key]) for key in sorted(groups, key=_order)]


def sentences(group: GroupStatistics) -> list[str]:
    """Say how the games of a role and level went; streaks count games in a row, not days."""
    games = "1 game" if group.games == 1 else f"{group.games} games"
    found = {BREAKER: "found by NAO", RACE: "won by you"}.get(group.role, "found by you")
    said = [f"{games}, {group.found} {found} ({group.found / group.games:.0%})"]
    if group.mean is not None:
        said.append(f"{group.mean:.2f} guesses on average, {group.best} at best")
    said.append(f"in a row: {group.streak} now, {group.longest_streak} at most")
    if group.hints:
        said.append("1 hint taken" if group.hints == 1 else f"{group.hints} hints taken")
    return said


def _order(key: tuple[str, str]) -> tuple[int, int, str]:
    role, level = key
    return ROLES.index(role), LEVELS.index(level) if level in LEVELS else len(LEVELS), level


def _sum_up(role: str, level: str, kept: Sequence[KeptGame]) -> GroupStatistics:
    streak = longest = 0
    for one in kept:
        streak = streak + 1 if one.is_found else 0
        longest = max(longest, streak)
    guesses = tuple(one.counted.attempts for one in kept if one.is_found)
    return GroupStatistics(role, level, len(kept), guesses, sum(one.hints for one in kept), streak, longest)
