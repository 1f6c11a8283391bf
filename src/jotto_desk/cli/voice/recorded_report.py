"""What `jotto voice hear` tells of the recordings: phrase by phrase, and altogether."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jotto_desk.terminal import Bar, Column, FittedTable

from .recorded import ASKED, AT_ONCE, OUTCOMES, WRONG, WRONG_ASKED, Heard

#: Phrases that are named as what one was taken for.
MOST_MIXED_UP = 3


def plain(row: Heard) -> dict[str, Any]:
    """Return what became of a phrase, for programs."""
    return {
        "phrase": row.phrase,
        "question": row.question,
        "is_answer": row.is_answer,
        "recordings": row.recordings,
        **{name.replace(",", "").replace(" ", "_"): row.counts[name] for name in OUTCOMES},
        "mixed_up": dict(row.mixed_up.most_common()),
    }


def parts(rows: list[Heard], how: str) -> Iterator[FittedTable | str]:
    """Yield tables and sentences; `how` names the recogniser and the noise."""
    answers, others = [row for row in rows if row.is_answer], [row for row in rows if not row.is_answer]
    if answers:
        yield _sheet(f"answers, {how}", answers)
    if others:
        yield _sheet(f"other words, {how}", others)
    if answers:
        yield (
            f"Of {_total(answers)} answers NAO understood {_share(answers, AT_ONCE)} at once, and asked back "
            f"{_share(answers, ASKED)} rightly and {_share(answers, WRONG_ASKED)} wrongly. It believed "
            f"{_share(answers, WRONG)} wrongly."
        )
    if others:
        yield (
            f"Of {_total(others)} other words NAO took {_share(others, WRONG)} for an answer at once, and asked "
            f"back at {_share(others, WRONG_ASKED)}."
        )


def _sheet(title: str, rows: Iterable[Heard]) -> FittedTable:
    sheet = FittedTable(
        title,
        Column("said", is_text=True),
        Column("question", is_text=True, leaves=1),
        Column("of"),
        *(Column(name) for name in OUTCOMES),
        Column("right", is_text=True, leaves=2),
        Column("taken for", is_text=True, folds=True, leaves=3),
    )
    for row in rows:
        right = (row.counts[AT_ONCE] + row.counts[ASKED]) / row.recordings
        sheet.add(
            row.phrase,
            row.question,
            str(row.recordings),
            *(str(row.counts[name] or "") for name in OUTCOMES),
            Bar(right) if row.is_answer else "",
            ", ".join(f"{phrase} {times}" for phrase, times in row.mixed_up.most_common(MOST_MIXED_UP)),
        )
    return sheet


def _total(rows: Iterable[Heard]) -> int:
    return sum(row.recordings for row in rows)


def _share(rows: list[Heard], name: str) -> str:
    return f"{sum(row.counts[name] for row in rows) / _total(rows):.1%}"
