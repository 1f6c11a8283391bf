"""The log of what was heard, where its owner allows it: phrase, confidence and question, and the word at the end.

There is no sound in it, and nothing but phrases that NAO listens for. Games in another language than English name it.
`jotto voice learn` reads the log.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game

from .languages import DEFAULT
from .states import COUNT, IS_IT

MYPY = False
if MYPY:
    from typing import Any, Dict, Optional

    from .talk import Talk


def heard(talk, phrase, confidence):  # type: (Talk, str, float) -> Optional[Dict[str, Any]]
    """Return the entry for a phrase heard now, None where nothing is to be logged.

    Questions about a guess are logged alone: of these the word tells at the end what was meant.
    """
    place = talk.place
    if not talk.settings.keeps_log or talk.subject is None or not (place.box == IS_IT or place.touch == COUNT):
        return None
    entry = {
        "game": talk.game.seed,
        "question": talk.state,
        "guess": talk.subject,
        "phrase": phrase,
        "confidence": confidence,
    }  # type: Dict[str, Any]
    if talk.doubt is not None:
        entry["doubt"] = talk.doubt.meaning
    return _in_language(talk, entry)


def ended(talk, kind, played):  # type: (Talk, str, Any) -> Optional[Dict[str, Any]]
    """Return the entry for a note of the notebook: the word, where a game ended with it; else None."""
    if not talk.settings.keeps_log or kind == "learned" or not isinstance(played, game.Game):
        return None
    if played.outcome != game.SOLVED:
        return None
    return _in_language(talk, {"game": played.seed, "word": played.guess})


def _in_language(talk, entry):  # type: (Talk, Dict[str, Any]) -> Dict[str, Any]
    """Name the language of a game that is not played in English."""
    return entry if talk.language == DEFAULT else dict(entry, language=talk.language)
