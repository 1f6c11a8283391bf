"""The activities of installed packages: behaviours with a nature, and the sentences that start them."""

from __future__ import absolute_import, division, print_function

import re

from naosim.compat import native
from naosim.xar import is_language

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Tuple

    from naosim.world import World

NATURES = ("interactive", "solitary")
#: Sentences that start activities; those of further packages are not listened for.
MOST_SENTENCES = 1000
#: What may stand between and around words.
MARKS = re.compile(r"[\s,.;:!?]+")


def sentences(world):  # type: (World) -> Dict[str, str]
    """Map what starts an activity, in the language the robot speaks, to the activity.

    Only behaviours that a user may ask for have such sentences; the first package that has a sentence gets it.
    """
    found = {}  # type: Dict[str, str]
    for activity, row in _rows(world):
        if row["nature"] in NATURES and row["userRequestable"]:
            for sentence in _texts(world, row["langToTriggerSentences"]):
                if len(found) < MOST_SENTENCES and words(sentence):
                    found.setdefault(sentence, activity)
    return found


def started_by(world, sentence):  # type: (World, str) -> str
    """Return the activity that a sentence starts, "" when it starts none; case and punctuation do not matter."""
    said = words(sentence)
    return next((activity for each, activity in sentences(world).items() if words(each) == said), "")


def loading_response(world, activity):  # type: (World, str) -> Optional[str]
    """Return what the robot says while it loads an activity, None when its package gives nothing."""
    for each, row in _rows(world):
        if each == activity:
            return next(iter(_texts(world, row["langToLoadingResponses"])), None)
    return None


def words(sentence):  # type: (str) -> str
    """Return the words of a sentence as they are compared.

    >>> words("Let us play, please!")
    'let us play please'
    """
    return MARKS.sub(" ", native(sentence).lower()).strip()


def _texts(world, by_language):  # type: (World, Dict[str, List[str]]) -> List[str]
    language = world.language()
    return [native(text) for code in sorted(by_language) if is_language(code, language) for text in by_language[code]]


def _rows(world):  # type: (World) -> List[Tuple[str, Dict[str, Any]]]
    packages = world.services.get("PackageManager")
    return [
        ("%s/%s" % (each["uuid"], row["path"] or "."), row)
        for each in (packages.packages() if packages is not None else [])
        for row in each["behaviors"]
    ]
