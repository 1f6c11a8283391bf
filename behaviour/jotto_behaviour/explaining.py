"""Why NAO asks what it asks: in one sentence, from what the guess would leave."""
from __future__ import absolute_import, division, print_function, unicode_literals

from .transitions import ask

MYPY = False
if MYPY:
    from .mind import Mind
    from .talk import Talk


def say_why(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say why this guess is asked, or why this answer is read; then ask again."""
    if talk.fixing is not None:
        return ask(talk.say("why, slip" if not mind.left(talk.game) else "why, asked"), brief=True)
    seen = mind.outlook(talk.game)
    if seen.left < 2:
        key = "why, last" if seen.fits else "why, none"
    else:
        key = "why, all apart" if seen.answers == seen.left else "why"
    words = {"count": seen.left, "guess": talk.game.guess, "rest": int(seen.mean + 0.5), "worst": seen.worst}
    return ask(talk.say(key, **words), brief=True)
