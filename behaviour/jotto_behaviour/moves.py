"""What each action of the table does: from one talk and what was meant to the next talk. Nothing else happens here."""
from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import game as games
from jotto.errors import ImpossibleFeedback, WordError

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict

    from .mind import Mind
    from .talk import Talk

    Action = Callable[[Talk, Mind, str], Talk]

#: How many turns are read out at most when the player asks for the scores.
TURNS_READ_OUT = 5
#: After these alone there is no question to repeat.
ASKING_NOTHING = ("take your time", "spell, next")
#: Seeds of later games go round below this.
MOST_SEEDS = 2 ** 63


def enter(talk, state, **changes):
    # type: (Talk, str, **Any) -> Talk
    """Go to a state of the flow, leaving any question in between."""
    return talk._replace(state=state, beneath=None, doubt=None, silences=0, misses=0, **changes)


def ask(talk, shortly=False):
    # type: (Talk, bool) -> Talk
    """Put the question of the present state."""
    key = talk.place.question
    if shortly and talk.state not in ("stopping", "giving up", "paused"):
        key += ", shortly"
    return talk.say(key, **subject_words(talk))


def subject_words(talk):
    # type: (Talk) -> Dict[str, Any]
    """What questions may name: the guess talked about, its score, the word spelled so far."""
    guess = talk.subject or ""
    words = {"guess": guess, "word": talk.spelled, "number": len(talk.spelled) + 1,
             "spelling": talk.spelled if talk.state == "spelled" else guess,
             "exact": talk.exact or 0, "misplaced": 0}  # type: Dict[str, Any]
    if talk.fixing is not None:
        words["exact"], words["misplaced"] = talk.game.turns[talk.fixing].feedback
    if talk.state == "misplaced":
        words["exact"] = talk.exact
    return words


def go_to(talk, state, **changes):
    # type: (Talk, str, **Any) -> Talk
    """Go to a listening state and put its question."""
    return ask(enter(talk, state, **changes))


def over(talk, state):
    # type: (Talk, str) -> Talk
    """Ask something in between; `beneath` keeps where to go back."""
    beneath = talk.beneath if talk.place.box == "" else talk.state
    return ask(talk._replace(state=state, beneath=beneath, doubt=None, silences=0, misses=0))


# Beginning


def take_up(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Go on with the unfinished game."""
    if talk.game.turns:
        talk = talk.say("where we were", turns=_last_turns(talk))
    if talk.game.guess is None:
        return enter(talk, "guess", exact=None, fixing=None, cleared=())
    return ask(enter(talk, "word", exact=None, fixing=None, cleared=()), shortly=True)


def start_afresh(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Drop the game and begin a new one with the next seed."""
    talk = settled(talk)
    seed = (talk.game.seed + 1) % MOST_SEEDS
    game = games.new(talk.game.rules, mind.wordlist.name, mind.wordlist.checksum, seed)
    return go_to(talk, "ready", game=game, exact=None, fixing=None, cleared=(), spelled="", left=mind.left(game))


def play_again(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The same, with another word of welcome."""
    said = talk.says
    return start_afresh(talk, mind, meaning)._replace(says=said).say("new word")


def begin(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player has a word."""
    return enter(talk, "guess").say("let us begin")


# Guessing


def guess(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Think of the next guess and ask it."""
    left = mind.left(talk.game)
    chosen = mind.next_guess(talk.game)
    if chosen is None:
        return _sort_out(talk._replace(left=0).say("nothing fits"), mind)
    talk = enter(talk, "word", game=talk.game.ask(chosen), left=left, fixing=None, cleared=(), exact=None)
    key = "is it, last" if left == 1 and talk.game.turns else "is it" if talk.game.turns else "is it, first"
    return talk.say(key, guess=chosen, spelling=chosen)


def win(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The guess is the word."""
    return enter(talk, "solved", game=talk.game.solve(), exact=None)


def rejoice(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say in how many attempts the word was found, note the game, and ask for another."""
    attempts = talk.game.attempts
    key = "wonderful" if attempts > 1 else "wonderful, at once"
    talk = talk.say(key, attempts=attempts, guess=talk.game.guess)
    return go_to(talk, "again", left=None)


def ask_places(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """It was not the word: how many letters are in place?"""
    return go_to(talk, "exact", exact=None)


def count_places(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The first half of the score; five in place is the word, whatever was said before."""
    exact = int(meaning)
    if exact < talk.game.rules.length:
        return go_to(talk, "misplaced", exact=exact)
    talk = talk.say("five in place", guess=talk.subject)
    if talk.fixing is None:
        return win(talk, mind, meaning)
    game = talk.game.amend(talk.fixing, (exact, 0))
    return enter(talk, "solved", game=game, fixing=None, cleared=(), exact=None)


def count_others(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The second half of the score; what cannot be is refused and both halves are asked again."""
    feedback = (talk.exact, int(meaning))
    try:
        game = talk.game.answer(feedback) if talk.fixing is None else talk.game.amend(talk.fixing, feedback)
    except ImpossibleFeedback:
        key = "four and one" if sum(feedback) == talk.game.rules.length else "too many"
        return go_to(talk.say(key, exact=feedback[0], misplaced=feedback[1]), "exact", exact=None)
    cleared = talk.cleared if talk.fixing is None else talk.cleared + (talk.fixing,)
    return enter(talk, "scored", game=game, cleared=cleared, exact=None)


def score(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say the score back and see whether any word still fits."""
    turn = talk.game.turns[-1 if talk.fixing is None else talk.fixing]
    key = "score" if sum(turn.feedback) else "score, none"
    if talk.fixing is not None:
        key = "corrected"
    talk = talk.say(key, guess=turn.guess, exact=turn.feedback[0], misplaced=turn.feedback[1])
    left = mind.left(talk.game)
    if left:
        return enter(talk, "guess", left=left, fixing=None, cleared=())
    talk = talk._replace(left=0).say("nothing fits" if talk.fixing is None else "still nothing fits")
    return _sort_out(talk, mind)


# Sorting out


def _sort_out(talk, mind):
    # type: (Talk, Mind) -> Talk
    """Read the most suspicious answer not yet found right, or conclude that the word is unknown."""
    for turn in mind.suspects(talk.game):
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn, exact=None)
    return go_to(talk.say("not in my list"), "tell", fixing=None, exact=None)


def look_again(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player made a mistake: count again at once, or read the answers, the latest first."""
    if talk.state in ("stopping", "giving up"):
        return go_on(talk, mind, meaning)
    talk = _lift(talk)
    if talk.state in ("misplaced", "doubtful"):
        return go_to(talk.say("count again"), "exact", exact=None)
    if talk.state in ("spell", "spelled", "again"):
        return go_back(talk, mind, meaning)
    if talk.state == "tell" and talk.game.turns:
        return ask(talk.say("spelling tells"), shortly=True)
    if talk.state in ("word", "exact") and talk.game.turns and talk.fixing is None:
        return go_to(talk.say("look again"), "doubtful", fixing=len(talk.game.turns) - 1, cleared=(), exact=None)
    return ask(talk.say("count again" if talk.state == "exact" else "nothing to take back"), shortly=True)


def clear_turn(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The answer read was right: on to the next one, or back to the game when all are."""
    talk = talk._replace(cleared=talk.cleared + (talk.fixing,))
    if not mind.left(talk.game):
        return _sort_out(talk, mind)
    for turn in reversed(range(len(talk.game.turns))):
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn)
    talk = talk._replace(fixing=None, cleared=()).say("all is right")
    if talk.game.guess is None:
        return enter(talk, "guess")
    return ask(enter(talk, "word"), shortly=True)


def fix_turn(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The answer read was wrong: count it again."""
    return go_to(talk, "exact", exact=None)


# The player's word


def ask_to_spell(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player will tell the word."""
    return go_to(talk, "spell", spelled="")


def add_letter(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """One letter more; after the last one the word is read back."""
    spelled = talk.spelled + meaning
    if len(spelled) == talk.game.rules.length:
        talk = enter(talk, "spelled", spelled=spelled)
        return ask(talk) if mind.may_say(spelled) else check_word(talk, mind, meaning)
    return enter(talk, "spell", spelled=spelled).say("spell, next", letter=meaning)


def drop_letter(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """One letter less."""
    if not talk.spelled:
        return ask(talk.say("nothing to take back"), shortly=True)
    talk = enter(talk, "spell", spelled=talk.spelled[:-1])
    return talk.say("spell, back", number=len(talk.spelled) + 1)


def spell_again(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The word read back was wrong."""
    return enter(talk, "spell", spelled="").say("spell again")


def leave_it(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player keeps the secret."""
    return _end(talk.say("leave it"), games.UNSOLVED)


def check_word(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Hold the player's word against the answers, name the one that disagrees, and remember a new word."""
    word = talk.spelled
    if not mind.may_say(word):
        return _end(talk.say("not that word"), games.UNSOLVED)
    try:
        talk.game.rules.check(word)
    except WordError:
        return _end(talk.say("repeated letter", word=word), games.UNSOLVED)
    clashes = mind.clashes(word, talk.game)
    if clashes:
        (exact, misplaced), (old_exact, old_misplaced) = clashes[0].expected, clashes[0].got
        talk = talk.say("would have said", guess=clashes[0].guess, exact=exact, misplaced=misplaced,
                        old_exact=old_exact, old_misplaced=old_misplaced)
    elif mind.knows(word):
        talk = talk.say("known and fitting")
    else:
        talk = talk.say("fits but unknown")
    if not mind.knows(word):
        talk = talk.say("learned", word=word).note("learned", word)
    return _end(talk, games.UNSOLVED)


def give_up(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """The player ends the game."""
    game = talk.game.withdraw().end(games.GIVEN_UP)
    return go_to(talk.say("given up"), "tell", game=game, fixing=None, cleared=(), exact=None)


def _end(talk, outcome):
    # type: (Talk, str) -> Talk
    game = talk.game.withdraw().end(talk.game.outcome or outcome)
    return go_to(talk, "again", game=game, fixing=None, spelled="", left=None)


def settled(talk):
    # type: (Talk) -> Talk
    """Note a game that is over, now that nobody can take it back any more."""
    return talk if talk.game.outcome is None else talk.note("finished", talk.game)


# At any moment


def _lift(talk):
    # type: (Talk) -> Talk
    """Leave a question in between and stand where it was put."""
    return talk._replace(state=talk.beneath or talk.state, beneath=None, doubt=None, silences=0, misses=0)


def go_on(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Take the flow up again."""
    return ask(_lift(talk).say("go on"), shortly=True)


def ask_to_stop(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Make sure, except when stopping is what was asked about."""
    if talk.state in ("stopping", "paused"):
        return say_good_bye(talk, mind, meaning)
    return over(talk, "stopping")


def ask_to_give_up(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Make sure, when there is a game to give up."""
    about = talk.beneath or talk.state
    if about in ("word", "exact", "misplaced", "doubtful"):
        return over(talk, "giving up")
    return ask(_lift(talk).say("nothing to give up"), shortly=True)


def say_good_bye(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Leave; the game is kept where it was, unless it is over."""
    return settled(enter(_lift(talk), "bye"))


def part(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say good-bye."""
    return enter(talk, "gone").say("goodbye, saved" if unfinished(talk) else "goodbye")


def unfinished(talk):
    # type: (Talk) -> bool
    """Whether there is a game to go on with."""
    return talk.game.outcome is None and bool(talk.game.turns or talk.game.guess)


def help_(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Explain what is wanted now, and ask again."""
    if talk.beneath is not None:
        return talk.say(talk.place.question + ", example")
    return ask(talk.say("help, " + talk.state, **subject_words(talk)), shortly=True)


def repeat(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say the last thing NAO said again, or the question when that was said before."""
    said = tuple(line for line in talk.last if line.key not in ASKING_NOTHING)
    return talk._replace(says=talk.says + said) if said else ask(talk, shortly=True)


def tell_scores(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Read the answers noted so far."""
    if not talk.game.turns:
        return ask(talk.say("no score yet"), shortly=True)
    return ask(talk.say("scores", turns=_last_turns(talk)), shortly=True)


def _last_turns(talk):
    # type: (Talk) -> Any
    return [[turn.guess, list(turn.feedback)] for turn in talk.game.turns[-TURNS_READ_OUT:]]


def count_words(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Say how many words are left."""
    if talk.state == "again":
        return ask(talk.say("it is over"), shortly=True)
    left = mind.left(talk.game)
    key = {0: "no word left", 1: "one word left"}.get(left, "words left")
    return ask(talk._replace(left=left).say(key, count=left), shortly=True)


def wait(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """Give the player time: the count of silences starts anew."""
    return talk._replace(silences=0, misses=0, doubt=None).say("take your time")


def go_back(talk, mind, meaning):
    # type: (Talk, Mind, str) -> Talk
    """One question back."""
    if talk.beneath is not None:
        return go_on(talk, mind, meaning)
    if talk.state == "misplaced":
        return go_to(talk.say("back"), "exact", exact=None)
    if talk.state == "exact" and talk.fixing is not None:
        return go_to(talk.say("back"), "doubtful", exact=None)
    if talk.state == "doubtful":
        return _back_from_sorting(talk, mind)
    if talk.state == "exact":
        return ask(enter(talk.say("back"), "word"), shortly=True)
    if talk.state == "word" and talk.game.turns:
        talk = talk._replace(game=talk.game.withdraw().undo())
        return go_to(talk.say("back to", guess=talk.subject), "exact", exact=None)
    if talk.state in ("spell", "spelled") and talk.spelled:
        return drop_letter(talk, mind, meaning)
    if talk.state == "spell":
        return go_to(talk.say("back"), "tell")
    if talk.state == "again" and talk.game.outcome == games.SOLVED:
        return go_to(talk.say("not your word"), "word", game=talk.game.reopen())
    return ask(talk.say("nothing to take back"), shortly=True)


def _back_from_sorting(talk, mind):
    # type: (Talk, Mind) -> Talk
    """From an answer read aloud to the one read before, else to where the reading began."""
    if talk.cleared:
        return go_to(talk.say("back"), "doubtful", fixing=talk.cleared[-1], cleared=talk.cleared[:-1])
    if mind.left(talk.game) and talk.game.guess is not None:
        return ask(enter(talk.say("back"), "word", fixing=None), shortly=True)
    talk = talk._replace(fixing=len(talk.game.turns) - 1)
    return go_to(talk.say("back to", guess=talk.subject), "exact", exact=None)


ACTIONS = {
    "take up": take_up, "start afresh": start_afresh, "play again": play_again, "begin": begin, "guess": guess,
    "win": win, "rejoice": rejoice, "ask places": ask_places, "count places": count_places,
    "count others": count_others, "score": score, "clear turn": clear_turn, "fix turn": fix_turn,
    "ask to spell": ask_to_spell, "add letter": add_letter, "drop letter": drop_letter, "spell again": spell_again,
    "leave it": leave_it, "check word": check_word, "give up": give_up, "go on": go_on, "ask to stop": ask_to_stop,
    "ask to give up": ask_to_give_up, "say good-bye": say_good_bye, "part": part, "help": help_, "repeat": repeat,
    "tell scores": tell_scores, "count words": count_words, "wait": wait, "go back": go_back,
    "look again": look_again,
}  # type: Dict[str, Action]
