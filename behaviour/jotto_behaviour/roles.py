"""Who guesses: the question at the start, the change of roles, whose turn it is, and how a riddle ends."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game as games

from .languages import language_of
from .transitions import NOTHING_READ, ask, enter, go_to, last_turns, settled

MYPY = False
if MYPY:
    from typing import Any

    from .mind import Mind
    from .talk import Talk

#: Seeds of later games go round below this.
MOST_SEEDS = 2**63
#: What may stand in the settings as `role`; without it NAO asks.
BREAKER, MAKER, RACE = "breaker", "maker", "race"
ROLES = (BREAKER, MAKER, RACE)


def opening(talk, mind):  # type: (Talk, Mind) -> Talk
    """Begin: ask who guesses, unless the settings say so."""
    role = talk.settings.role
    return _in_role(talk, role) if role in ROLES else go_to(talk, "role")


def _in_role(talk, role):  # type: (Talk, str) -> Talk
    if role == MAKER:
        return enter(talk, "riddle", race=False)
    return go_to(talk.say("a race") if role == RACE else talk, "ready", race=role == RACE)


def be_the_breaker(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a game in which NAO guesses."""
    return _in_role(talk, BREAKER)


def be_the_maker(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a game in which the player guesses."""
    return _in_role(talk, MAKER)


def race(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a race: each has a word, and the player guesses first."""
    return _in_role(talk, RACE)


def begin(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin guessing, as the player has a word; in a race NAO needs one, too."""
    if talk.race:
        return enter(talk, "riddle")
    return enter(talk, "guess").say("let us begin")


def play_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin another game in the same roles, with another word of welcome."""
    role = _present_role(talk)
    talk = _fresh(talk, mind)
    if role == MAKER:
        return _in_role(talk, role)
    said = talk.say("a race").says if role == RACE else talk.says
    return _in_role(talk, role)._replace(says=said).say("new word")


def change_roles(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask who guesses in another game."""
    return ask(enter(_fresh(talk, mind), "role", race=False), brief=True)


def play_in_another_role(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin another game in the role that the player has named."""
    return _in_role(_fresh(talk, mind), {"you guess": BREAKER, "I guess": MAKER, "race": RACE}[meaning])


def change_language(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Go on in the language that the player has named; after a game, with another one."""
    talk = talk._replace(settings=talk.settings._replace(language=language_of(meaning)))
    if talk.place.is_over:
        return opening(_fresh(talk, mind)._replace(race=False).say("language chosen"), mind)
    return ask(talk.say("language chosen"), brief=True)


def start_over(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Drop the game and begin a new one with the next seed."""
    return opening(_fresh(talk, mind)._replace(race=False), mind)


def _present_role(talk):  # type: (Talk) -> str
    if talk.race:
        return RACE
    return BREAKER if talk.riddle is None else MAKER


def _fresh(talk, mind):  # type: (Talk, Mind) -> Talk
    """Return the talk with its next game, which has neither turns nor riddle."""
    talk = settled(talk)
    seed = (talk.game.seed + 1) % MOST_SEEDS
    game = games.start_game(talk.game.rules, mind.wordlist.name, mind.wordlist.checksum, seed)
    talk = talk._replace(game=game, level=talk.settings.played_level, riddle=None, left=mind.left(game))
    return talk._replace(exact=None, spelled="", sealed="", **NOTHING_READ)


# Going on


def next_state(talk):  # type: (Talk) -> str
    """Name the state of whose turn it is to guess: in a race, NAO's after every guess of the player's."""
    if not talk.riddle_is_open:
        return "guess"
    waits = talk.race and len(talk.riddle.game.turns) > len(talk.game.turns)
    return "guess" if waits else "your guess"


def onward(talk, **changes):  # type: (Talk, **Any) -> Talk
    """Go on with the next guess, NAO's or the player's."""
    state = next_state(talk)
    talk = enter(talk, state, exact=None, spelled="", **dict(NOTHING_READ, **changes))
    return ask(talk, brief=True) if talk.listens else talk


def take_up(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Go on with the unfinished game."""
    if talk.riddle_is_open and talk.riddle.game.turns:
        talk = talk.say("your guesses", turns=last_turns(talk.riddle.game))
    if talk.game.turns:
        talk = talk.say("where we were", turns=last_turns(talk.game))
    if talk.game.guess is None:
        return onward(talk)
    return ask(enter(talk, "word", exact=None, **NOTHING_READ), brief=True)


# The end of a riddle


def reveal(talk, outcome):  # type: (Talk, str) -> Talk
    """Reveal NAO's word, where it is not known; that ends the riddle."""
    if not talk.riddle_is_open:
        return talk
    secret = talk.riddle.secret
    talk = talk._replace(riddle=talk.riddle._replace(game=talk.riddle.game.end(outcome)), spelled="")
    return talk.say("my word was", word=secret, spelling=secret)


def all_over(talk, outcome):  # type: (Talk, str) -> Talk
    """End the riddle, reveal its word, and end a race with it."""
    talk = reveal(talk, outcome)
    if talk.race:
        talk = talk._replace(game=talk.game.withdraw().end(outcome))
    return go_to(talk, "again", left=None)
