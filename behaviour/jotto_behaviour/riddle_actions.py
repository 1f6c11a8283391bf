"""Actions of the other role: NAO thinks of a word, the player guesses it by saying or spelling words."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game
from jotto import game as games
from jotto.explain import deduce_riddle_letters
from jotto.rules import WordError

from .hearing import asks_to_spell
from .levels import is_stuck
from .roles import all_over, onward
from .talk import Doubt
from .transitions import ask, enter, go_to, last_turns, refuse, take_letter_back

MYPY = False
if MYPY:
    from jotto.game import Turn

    from .mind import Mind
    from .talk import Talk


def choose(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Choose a word of the level for the player to guess; the game's seed decides which."""
    riddle = game.start_riddle(talk.game, mind.secrets())
    talk = talk._replace(riddle=riddle, spelled="", left=mind.left(riddle.game))
    return go_to(talk.say("I have a word, too" if talk.race else "I have a word"), "your guess")


# Guessing


def take_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the player's guess: it counts unless it may not be guessed or was guessed before."""
    word = meaning
    talk = enter(talk, "your guess", spelled="")
    turns = talk.riddle.game.turns
    if not mind.may_say(word):
        return ask(talk.say("not such a word"), brief=True)
    try:
        talk.riddle.game.rules.check(word)
    except WordError:
        return ask(talk.say("twice a letter", word=word), brief=True)
    if not mind.knows(word):
        return ask(talk.say("not a word of mine", word=word), brief=True)
    for turn in turns:
        if turn.guess == word:
            return ask(_scored(talk.say("guessed before", guess=word), turn), brief=True)
    if len(turns) >= games.MAX_TURNS:
        return all_over(talk.say("so many guesses"), games.UNSOLVED)
    return enter(talk, "judged", riddle=talk.riddle.guess(word))


def judge(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the score of the player's guess."""
    if talk.riddle.is_solved:
        return enter(talk, "guessed")
    talk = _scored(talk, talk.riddle.game.turns[-1])
    if is_stuck(talk):
        talk = talk.say("hint offered")
    return onward(talk, left=mind.left(talk.riddle.game))


def _scored(talk, turn):  # type: (Talk, Turn) -> Talk
    key = "your score" if sum(turn.feedback) else "your score, none"
    return talk.say(key, guess=turn.guess, exact=turn.feedback[0], misplaced=turn.feedback[1])


def congratulate(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say with how many guesses and hints the player found the word."""
    riddle = talk.riddle
    attempts = riddle.game.attempts
    talk = talk.say("well guessed" if attempts > 1 else "well guessed, at once", guess=riddle.secret, attempts=attempts)
    if riddle.hints:
        talk = talk.say("one hint taken" if riddle.hints == 1 else "hints taken", count=riddle.hints)
    if talk.race:
        game = talk.game.withdraw().end(games.UNSOLVED)
        talk = talk._replace(game=game).say("race lost")
    return go_to(talk, "again", left=None)


# Spelling


def add_guessed_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter to the guess; after the last one, read the word back."""
    spelled = talk.spelled + meaning
    if len(spelled) < talk.game.rules.length:
        return enter(talk, "your guess", spelled=spelled).say("spell, next", letter=meaning)
    if not mind.may_say(spelled):
        return take_guess(talk, mind, spelled)
    return ask(enter(talk, "your word?", spelled=spelled))


def ask_which(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take an alphabet word that is a word of the list, such as hotel: once letters are spelled as one, else ask."""
    if talk.spelled or asks_to_spell(talk):
        return add_guessed_letter(talk, mind, meaning[0])
    return ask(enter(talk, "word or letter?", spelled=meaning))


def take_the_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the alphabet word for its letter, and ask for the next one."""
    return ask(enter(talk, "your guess", spelled=talk.spelled[0]))


def spell_on(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the alphabet word for its letter, as the player spells on; its own letter again says just that."""
    if meaning == talk.spelled[0]:
        return take_the_letter(talk, mind, meaning)
    return add_guessed_letter(talk._replace(spelled=talk.spelled[0]), mind, meaning)


def take_it_said_twice(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take an alphabet word said twice for the guess, as no word has a letter twice; another one is the next letter."""
    if meaning == talk.spelled:
        return take_spelled(talk, mind, meaning)
    return spell_on(talk, mind, meaning[0])


def drop_guessed_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter of the guess back."""
    return take_letter_back(talk, "your guess")


def drop_letters(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Drop the letters spelled of this guess."""
    if not talk.spelled:
        return refuse(talk)
    return ask(enter(talk.say("letters dropped"), "your guess", spelled=""), brief=True)


def take_spelled(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the guess as it was spelled: the word read back was right."""
    return take_guess(talk, mind, talk.spelled)


def spell_guess_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the guess again: the word read back was wrong."""
    return enter(talk, "your guess", spelled="").say("guess again")


# Help on request


def hint(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Tell a letter of the secret, or where one stands; every hint is counted."""
    given = talk.riddle.hint()
    if given is None:
        return ask(talk.say("no more hints"), brief=True)
    talk = talk._replace(riddle=talk.riddle.hinted())
    if given.place is None:
        talk = talk.say("a letter", clearly=given.symbol)
    else:
        talk = talk.say("a place", clearly=given.symbol, number=given.place + 1)
    return ask(talk, brief=True)


def tell_what_is_known(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the latest guesses and what their answers and the hints say for certain."""
    riddle = talk.riddle
    turns = last_turns(riddle.game)
    talk = talk.say("your guesses", turns=turns) if turns else talk.say("no guess yet")
    facts = deduce_riddle_letters(riddle)
    if facts.inside:
        talk = talk.say("surely in it", letters="".join(facts.inside))
    if facts.outside:
        talk = talk.say("surely not in it", letters="".join(facts.outside))
    for place, letter in facts.places:
        talk = talk.say("a place", clearly=letter, number=place + 1)
    return ask(talk, brief=True)
