"""Why NAO asks what it asks: in one sentence, from what the guess would leave."""

from __future__ import absolute_import, division, print_function, unicode_literals

from .lines import Line
from .transitions import ask

MYPY = False
if MYPY:
    from .mind import Mind
    from .talk import Talk


def say_why(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say why this guess is asked, or why this answer is read; then ask again."""
    line = reason(talk, mind)
    return ask(talk.say(line.key, **line.words), brief=True)


def reason(talk, mind):  # type: (Talk, Mind) -> Line
    """Return the line that says why the open guess is asked, or why an answer is read."""
    if talk.fixing is not None:
        return Line("why, slip" if not mind.left(talk.game) else "why, asked", {})
    seen = mind.outlook(talk.game)
    if seen.left < 2:
        key = "why, last" if seen.fits else "why, none"
    else:
        key = "why, all apart" if seen.answers == seen.left else "why"
    words = {"count": seen.left, "guess": talk.game.guess, "rest": int(seen.mean + 0.5), "worst": seen.worst}
    return Line(key, words)
