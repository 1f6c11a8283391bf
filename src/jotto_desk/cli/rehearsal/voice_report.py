"""What `jotto rehearse --voice` tells of the answers: how many were understood, and how far a confidence is right."""

from typing import Any

from jotto_desk.terminal import Bar, Column, FittedTable

HONESTLY = "The voices are synthetic: they are no people, and say little of accents, children and real rooms."
MIXED = "{share:.1%} of the sayings are recordings of people; the other voices are synthetic, and no people."


def understood(voice: dict[str, Any]) -> FittedTable:
    """Lay out which shares of the answers were understood."""
    sheet = FittedTable(
        f"{voice['answers']} spoken answers, noise {voice['noise']}, {voice['recogniser']}",
        Column("answers", is_text=True),
        Column("share"),
        Column("", is_text=True),
    )
    for told, share in (
        ("understood at once", voice["at_once"]),
        ("understood, after asking back too", voice["after_asking_back"]),
        ("wrongly accepted", voice["wrongly_accepted"]),
        ("lost on the way", voice["lost"]),
        ("a plain grammar, each saying: right", voice["plain_grammar"]["right"]),
        ("a plain grammar, each saying: wrong", voice["plain_grammar"]["wrong"]),
    ):
        sheet.add(told, _percent(share), Bar(share or 0.0))
    return sheet


def honestly(voice: dict[str, Any]) -> str:
    """Say whose voices these are."""
    return MIXED.format(share=voice["recorded"]) if voice["recorded"] else HONESTLY


def calibration(voice: dict[str, Any]) -> FittedTable:
    """Draw the share of phrases that were right, by the confidence with which they were heard."""
    sheet = FittedTable(
        "what a confidence is worth",
        Column("confidence", is_text=True),
        Column("heard"),
        Column("right"),
        Column("", is_text=True),
    )
    for row in voice["calibration"]:
        sheet.add(
            f"{row['from']:.1f} to {row['from'] + 0.1:.1f}",
            str(row["heard"]),
            _percent(row["right"]),
            Bar(row["right"]),
        )
    return sheet


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
