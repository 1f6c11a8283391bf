"""Who guesses, and the actions of the riddle, in which NAO thinks of a word and the player guesses it.

Roles decide whose turn it is; the level decides which words NAO thinks of and when it offers a hint.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.explain import deduce_riddle_letters
from jotto.game import MAX_TURNS, UNSOLVED, Game, Turn, start_game, start_riddle
from jotto_behaviour.hearing import asks_to_spell
from jotto_behaviour.mind import Mind
from jotto_behaviour.settings import EASY, get_meant_code
from jotto_behaviour.states import ANY_WORD
from jotto_behaviour.talk import (
    NO_TURN_READ,
    Talk,
    ask_question,
    enter_state,
    go_to,
    list_last_turns,
    refuse_step_back,
    settle_games,
    take_letter_back,
)

MYPY = False
if MYPY:
    from typing import Any

# Levels. Easy: NAO thinks only of very common words, offers hints, and guesses the words everybody knows first. Normal:
# NAO thinks of common words and guesses as well as it can; common words are likelier. Hard: NAO thinks of any word of
# its list and expects any. At every level NAO finds every word of its list.

#: Guesses after which NAO offers a hint in easy games, and again after every second guess.
_GUESSES_BEFORE_HINT = 4


def change_level(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Play at another level from now on, and ask the question again."""
    talk = talk._replace(level=meaning, settings=talk.settings._replace(level=meaning))
    return ask_question(talk.say("level, " + meaning), brief=True)


def offers_hint(talk):  # type: (Talk) -> bool
    """Return whether NAO may offer a hint: in easy games except races, if hints are left and no letter is spelled."""
    if talk.level != EASY or talk.race or talk.spelled or not talk.riddle_is_open:
        return False
    return talk.riddle.hint() is not None


def _is_stuck(talk):  # type: (Talk) -> bool
    """Return whether the player has guessed often enough at NAO's word to be offered a hint."""
    beyond = talk.riddle.game.attempts - _GUESSES_BEFORE_HINT
    return offers_hint(talk) and beyond >= 0 and beyond % 2 == 0


# Roles: who guesses, whose turn it is, and how a riddle ends.

#: Seeds of later games start again at 0 below this, so that they fit into saved games.
_SEED_LIMIT = 2**63
#: Values of the setting `role`: NAO guesses, the player guesses, or both race; without it NAO asks.
BREAKER = "breaker"
MAKER = "maker"
RACE = "race"
ROLES = (BREAKER, MAKER, RACE)


def open_conversation(talk, mind):  # type: (Talk, Mind) -> Talk
    """Begin: ask who guesses, unless the settings say so."""
    role = talk.settings.role
    return _play_role(talk, role) if role in ROLES else go_to(talk, "role")


def _play_role(talk, role):  # type: (Talk, str) -> Talk
    if role == MAKER:
        return enter_state(talk, "riddle", race=False)
    return go_to(talk.say("a race") if role == RACE else talk, "ready", race=role == RACE)


def play_breaker(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a game in which NAO guesses."""
    return _play_role(talk, BREAKER)


def play_maker(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a game in which the player guesses."""
    return _play_role(talk, MAKER)


def play_race(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin a race: each has a word, and the player guesses first."""
    return _play_role(talk, RACE)


def begin_guessing(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin guessing, as the player has a word; in a race NAO chooses one first."""
    if talk.race:
        return enter_state(talk, "riddle")
    return enter_state(talk, "guess").say("let us begin")


def play_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin another game in the same roles."""
    role = get_role(talk)
    talk = _deal_new_game(talk, mind)
    if role == MAKER:
        return _play_role(talk, role)
    said = talk.say("a race").says if role == RACE else talk.says
    return _play_role(talk, role)._replace(says=said).say("new word")


def change_roles(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask who guesses in another game."""
    return ask_question(enter_state(_deal_new_game(talk, mind), "role", race=False), brief=True)


def play_in_another_role(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Begin another game in the role that the player has named."""
    return _play_role(_deal_new_game(talk, mind), {"you guess": BREAKER, "I guess": MAKER, "race": RACE}[meaning])


def change_language(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Change to the language that the player has named; after a game, begin another one."""
    talk = talk._replace(settings=talk.settings.speaking(get_meant_code(meaning)))
    if talk.place.is_over:
        return open_conversation(_deal_new_game(talk, mind)._replace(race=False).say("language chosen"), mind)
    return ask_question(talk.say("language chosen"), brief=True)


def start_new_game(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Drop the game and begin a new one with the next seed."""
    return open_conversation(_deal_new_game(talk, mind)._replace(race=False), mind)


def get_role(talk):  # type: (Talk) -> str
    """Return NAO's role in this game."""
    if talk.race:
        return RACE
    return BREAKER if talk.riddle is None else MAKER


def _deal_new_game(talk, mind):  # type: (Talk, Mind) -> Talk
    """Return the talk with its next game, which has neither turns nor riddle."""
    talk = settle_games(talk)
    seed = (talk.game.seed + 1) % _SEED_LIMIT
    game = start_game(talk.game.rules, mind.wordlist.name, mind.wordlist.checksum, seed)
    talk = talk._replace(game=game, level=talk.settings.played_level, riddle=None, left=mind.count_fitting(game))
    return talk._replace(exact=None, spelled="", sealed="", **NO_TURN_READ)


# Going on


def _get_next_state(talk):  # type: (Talk) -> str
    """Name the state of whose turn it is to guess: in a race, NAO's after every guess of the player's."""
    if not talk.riddle_is_open:
        return "guess"
    waits = talk.race and len(talk.riddle.game.turns) > len(talk.game.turns)
    return "guess" if waits else "your guess"


def go_on_guessing(talk, **changes):  # type: (Talk, **Any) -> Talk
    """Continue with the next guess, NAO's or the player's."""
    state = _get_next_state(talk)
    talk = enter_state(talk, state, exact=None, spelled="", **dict(NO_TURN_READ, **changes))
    return ask_question(talk, brief=True) if talk.listens else talk


def resume_game(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Continue the unfinished game."""
    if talk.riddle_is_open and talk.riddle.game.turns:
        talk = talk.say("your guesses", turns=list_last_turns(talk.riddle.game))
    if talk.game.turns:
        talk = talk.say("where we were", turns=list_last_turns(talk.game))
    if talk.game.guess is None:
        return go_on_guessing(talk)
    return ask_question(enter_state(talk, "word", exact=None, **NO_TURN_READ), brief=True)


# The end of a riddle


def reveal_word(talk, outcome):  # type: (Talk, str) -> Talk
    """Reveal NAO's word if the riddle is still open, which ends it."""
    if not talk.riddle_is_open:
        return talk
    secret = talk.riddle.secret
    talk = talk._replace(riddle=talk.riddle._replace(game=talk.riddle.game.end(outcome)), spelled="")
    return talk.say("my word was", word=secret, spelling=secret)


def end_riddle(talk, outcome):  # type: (Talk, str) -> Talk
    """End the riddle, reveal its word, and end a race with it."""
    talk = reveal_word(talk, outcome)
    if talk.race:
        talk = talk._replace(game=talk.game.withdraw().end(outcome))
    return go_to(talk, "again", left=None)


# The player's guesses at NAO's word.


def choose_secret(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Choose a word of the level for the player to guess; the game's seed decides which."""
    riddle = start_riddle(talk.game, mind.list_secrets())
    talk = talk._replace(riddle=riddle, spelled="", left=mind.count_fitting(riddle.game))
    return go_to(talk.say("I have a word, too" if talk.race else "I have a word"), "your guess")


# Guessing


def take_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the player's guess: it counts unless it is not allowed or was guessed before."""
    word = meaning
    talk = enter_state(talk, "your guess", spelled="")
    turns = talk.riddle.game.turns
    if not mind.may_say(word):
        return ask_question(talk.say("not such a word"), brief=True)
    if not mind.knows(word):
        return ask_question(talk.say("not a word of mine", word=word), brief=True)
    for turn in turns:
        if turn.guess == word:
            # It might be a misheard word that sounds alike: NAO does not listen for the old guess now.
            talk = _add_score(talk.deny(ANY_WORD, word).say("guessed before", guess=word), turn)
            return ask_question(talk, brief=True)
    if len(turns) >= MAX_TURNS:
        return end_riddle(talk.say("so many guesses"), UNSOLVED)
    return enter_state(talk, "judged", riddle=talk.riddle.guess(word))


def say_score(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the score of the player's guess."""
    if talk.riddle.is_solved:
        return enter_state(talk, "guessed")
    talk = _add_score(talk, talk.riddle.game.turns[-1], _is_first_near_miss(talk.riddle.game))
    if _is_stuck(talk):
        talk = talk.say("hint offered")
    return go_on_guessing(talk, left=mind.count_fitting(talk.riddle.game))


def _is_first_near_miss(game):  # type: (Game) -> bool
    """Return whether the last guess is the first one of the game with all letters but one in the right place."""
    exact = [turn.feedback[0] for turn in game.turns]
    return exact[-1] == game.rules.length - 1 and exact.count(exact[-1]) == 1


def _add_score(talk, turn, is_near_miss=False):  # type: (Talk, Turn, bool) -> Talk
    key = "your score" if sum(turn.feedback) else "your score, none"
    if is_near_miss:
        # NAO rejoices with the player once a game.
        return talk.say("your score, four", guess=turn.guess)
    return talk.say(key, guess=turn.guess, exact=turn.feedback[0], misplaced=turn.feedback[1])


def congratulate(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the number of guesses and hints with which the player found the word."""
    riddle = talk.riddle
    attempts = riddle.game.attempts
    talk = talk.say("well guessed" if attempts > 1 else "well guessed, at once", guess=riddle.secret, attempts=attempts)
    if riddle.hints:
        talk = talk.say("one hint taken" if riddle.hints == 1 else "hints taken", count=riddle.hints)
    if talk.race:
        game = talk.game.withdraw().end(UNSOLVED)
        talk = talk._replace(game=game).say("race lost")
    return go_to(talk, "again", left=None)


# Spelling


def add_guessed_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter to the guess; after the last one, read the word back.

    Letters of a recogniser with measured confidences that make a word of the list are the guess: NAO says it with its
    score, and the player can take it back. Letters that make no known word are refused, or a word like it is offered.
    """
    spelled = talk.spelled + meaning
    if meaning in talk.spelled:
        return _refuse_letter(talk, mind, spelled)
    if len(spelled) < talk.game.rules.length:
        return enter_state(talk, "your guess", spelled=spelled).say("spell, next", letter=meaning)
    is_known = mind.knows(spelled)
    if not mind.may_say(spelled) or (talk.settings.certainty is not None and is_known):
        return take_guess(talk, mind, spelled)
    meant = spelled if is_known else mind.find_nearest(spelled, talk.riddle.game)
    if meant is None:
        return take_guess(talk, mind, spelled)
    return ask_question(enter_state(talk, "your word?", spelled=meant))


def _refuse_letter(talk, mind, spelled):  # type: (Talk, Mind, str) -> Talk
    """Ask for another letter than the last one, which the guess has already.

    A player who says such a letter again may mean it, and NAO can have misheard an earlier one: the guess begins again.
    """
    if any(line.key == "letter twice" for line in talk.last):
        return drop_letters(talk, mind, "")
    talk = enter_state(talk, "your guess", spelled=spelled[:-1])
    return talk.say("letter twice", letters=spelled, number=len(spelled))


def ask_which(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take an alphabet word that is also a word of the list, such as hotel: as a letter while spelling, else ask."""
    if talk.spelled or asks_to_spell(talk):
        return add_guessed_letter(talk, mind, meaning[0])
    return ask_question(enter_state(talk, "word or letter?", spelled=meaning))


def take_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the alphabet word for its letter, and ask for the next one."""
    return ask_question(enter_state(talk, "your guess", spelled=talk.spelled[0]))


def spell_on(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the alphabet word for its letter, as the player spells the next one; the same letter again confirms it."""
    if meaning == talk.spelled[0]:
        return take_letter(talk, mind, meaning)
    return add_guessed_letter(talk._replace(spelled=talk.spelled[0]), mind, meaning)


def take_it_said_twice(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take an alphabet word said twice as the guess, as no word has a letter twice; another one is the next letter."""
    if meaning == talk.spelled:
        return take_spelled_guess(talk, mind, meaning)
    return spell_on(talk, mind, meaning[0])


def drop_guessed_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter of the guess back."""
    return take_letter_back(talk, "your guess")


def drop_letters(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Drop the letters spelled of this guess."""
    if not talk.spelled:
        return refuse_step_back(talk)
    return ask_question(enter_state(talk.say("letters dropped"), "your guess", spelled=""), brief=True)


def take_spelled_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the guess as it was spelled: the word read back was right."""
    return take_guess(talk, mind, talk.spelled)


def spell_guess_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the guess again: the word read back was wrong."""
    return enter_state(talk, "your guess", spelled="").say("guess again")


# Help on request


def give_hint(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Tell a letter of the secret, or where one stands; every hint is counted."""
    given = talk.riddle.hint()
    if given is None:
        return ask_question(talk.say("no more hints"), brief=True)
    talk = talk._replace(riddle=talk.riddle.add_hint())
    if given.place is None:
        talk = talk.say("a letter", clearly=given.symbol)
    else:
        talk = talk.say("a place", clearly=given.symbol, number=given.place + 1)
    return ask_question(talk, brief=True)


def tell_known_letters(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the latest guesses, and the letters that follow from their answers and the hints."""
    riddle = talk.riddle
    turns = list_last_turns(riddle.game)
    talk = talk.say("your guesses", turns=turns) if turns else talk.say("no guess yet")
    facts = deduce_riddle_letters(riddle)
    if facts.inside:
        talk = talk.say("surely in it", letters="".join(facts.inside))
    if facts.outside:
        talk = talk.say("certainly not in it", letters="".join(facts.outside))
    for place, letter in facts.places:
        talk = talk.say("a place", clearly=letter, number=place + 1)
    return ask_question(talk, brief=True)
