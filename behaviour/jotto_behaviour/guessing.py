"""Actions of the game in which NAO guesses: ask a guess, take its score, sort out wrong answers, and end the game.

The player may seal a note with the word at the start. NAO then checks how the player counts.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.game import GIVEN_UP, UNSOLVED, Game
from jotto.rules import ImpossibleFeedback, WordError
from jotto_behaviour.lines import Line
from jotto_behaviour.mind import Mind
from jotto_behaviour.riddle import begin_guessing, end_riddle, go_on_guessing, reveal_word
from jotto_behaviour.states import IN_ONE_BREATH, NONE, ONE_BY_ONE
from jotto_behaviour.talk import NO_TURN_READ, Talk, ask_question, enter_state, go_to, name_slips, take_letter_back

MYPY = False
if MYPY:
    from typing import Any, Optional, Tuple

# The sealed note: the player spells the word at the start, and NAO checks how the player counts.
# NAO guesses as if there were no note.


def ask_for_note(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask the player to type or spell the word."""
    return enter_state(talk, "sealed note", spelled="", sealed="").say("note your word")


def add_noted_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter; after the last one, seal the note and begin."""
    spelled = talk.spelled + meaning
    if len(spelled) < talk.game.rules.length:
        return enter_state(talk, "sealed note", spelled=spelled).say("spell, next", letter=meaning)
    try:
        talk.game.rules.check(spelled)
    except WordError:
        # It is not a word of the game: the player spells another one.
        talk = enter_state(talk, "sealed note", spelled="").say("repeated letter", word=spelled)
        return talk.say("spell, shortly", number=1)
    return begin_guessing(talk._replace(sealed=spelled, spelled="").say("note sealed"), mind, meaning)


def drop_noted_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back."""
    return take_letter_back(talk, "sealed note")


def leave_note(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Play without a note."""
    return go_to(talk._replace(spelled="", sealed="").say("back"), "ready")


def _is_miscounted(talk, feedback):  # type: (Talk, object) -> bool
    """Return whether the note contradicts a score of the guess in question that NAO has not doubted yet."""
    if not talk.sealed or talk.recounted:
        return False
    return bool(feedback != talk.game.rules.score(talk.subject, talk.sealed))


def _ask_to_count_again(talk):  # type: (Talk) -> Talk
    """Ask the player to count the guess in question again; the next score is believed."""
    talk = talk.say("count once more", guess=talk.subject)
    return go_to(talk, "exact", exact=None, recounted=True)


# The score of a guess: both numbers at the same time, or one after the other.


def _quicken_pace(pace):  # type: (int) -> int
    """Return the pace of a player who has given both numbers at the same time.

    >>> _quicken_pace(0), _quicken_pace(IN_ONE_BREATH), _quicken_pace(ONE_BY_ONE)
    (1, 2, 1)
    """
    return min(max(pace, 0) + 1, IN_ONE_BREATH)


def slow_pace(pace):  # type: (int) -> int
    """Return the pace of a player who has given only one number, or was not understood.

    >>> slow_pace(0), slow_pace(IN_ONE_BREATH), slow_pace(ONE_BY_ONE)
    (-1, -1, -2)
    """
    return max(min(pace, 0) - 1, ONE_BY_ONE)


def ask_score(talk, **changes):  # type: (Talk, **Any) -> Talk
    """Ask for the score of the guess in question, in the way that suits the player.

    NAO asks for one number if it implies the other, or if the player gives one at a time.
    """
    talk = talk._replace(**changes)
    if talk.pace <= ONE_BY_ONE or _count_known_letters(talk) is not None:
        return go_to(talk, "exact", exact=None)
    talk = enter_state(talk, "both", exact=None)
    return talk.say("two numbers") if talk.pace >= IN_ONE_BREATH else ask_question(talk)


def _count_known_letters(talk):  # type: (Talk) -> Optional[int]
    """Return the number of the guess's letters in the word, known from an earlier guess of the same letters, or None.

    None while NAO reads an answer again, as then the answers are in doubt.
    """
    if talk.fixing is None:
        letters = sorted(talk.subject or "")
        for turn in talk.game.turns:
            if sorted(turn.guess) == letters:
                return int(sum(turn.feedback))
    return None


def ask_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the score, as the guess is not the word."""
    return ask_score(talk)


def note_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the first number of the score, and ask for the other one unless it is certain.

    Five in place is the word, even if the player has said no. With four, the fifth letter has nowhere else to go.
    """
    exact = _parse_number(meaning)
    if exact == talk.game.rules.length:
        return win_game(talk.say("five in place", guess=talk.subject), mind, meaning)
    found = _count_known_letters(talk)
    if exact == talk.game.rules.length - 1:
        return _note_score(talk, exact, 0)
    if found is not None and exact <= found:
        return _note_score(talk, exact, found - exact)
    pace = slow_pace(talk.pace) if talk.place.simpler else talk.pace
    return go_to(talk, "misplaced", exact=exact, pace=pace)


def note_others(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the second number of the score."""
    return _note_score(talk, talk.exact, _parse_number(meaning))


def name_range(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Name the possible numbers to a player who has counted more letters than a word has."""
    return ask_question(talk.say("from zero to five"), brief=True)


def note_both(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take both numbers of the score, said together."""
    exact, misplaced = (0, 0) if meaning == NONE else map(int, meaning.split())
    return _note_score(talk._replace(pace=_quicken_pace(talk.pace)), exact, misplaced)


def fix_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Count again: the answer read was wrong."""
    return ask_score(talk)


def _complete_turns(game, corrected):  # type: (Game, int) -> Game
    """Correct answers whose second number followed from the answer that is corrected now."""
    fixed = game.turns[corrected]
    found = sum(fixed.feedback)
    for number, turn in enumerate(game.turns):
        if number != corrected and sorted(turn.guess) == sorted(fixed.guess) and turn.feedback[0] <= found:
            feedback = (turn.feedback[0], found - turn.feedback[0])
            game = game.amend(number, feedback) if feedback in game.rules.list_feedback() else game
    return game


def _parse_number(meaning):  # type: (str) -> int
    return 0 if meaning == NONE else int(meaning)


def win_game(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game: the guess in question is the word."""
    if talk.fixing is None:
        return enter_state(talk, "solved", game=talk.game.solve(), exact=None)
    game = talk.game.amend(talk.fixing, talk.game.rules.win)
    return enter_state(talk, "solved", game=game, exact=None, **NO_TURN_READ)


def _note_score(talk, exact, misplaced):  # type: (Talk, int, int) -> Talk
    """Write the score down; refuse an impossible one and ask for its numbers one by one."""
    feedback = (exact, misplaced)
    try:
        game = talk.game.answer(feedback) if talk.fixing is None else talk.game.amend(talk.fixing, feedback)
    except ImpossibleFeedback:
        key = "four and one" if sum(feedback) == talk.game.rules.length else "too many"
        talk = talk.say(key, exact=exact, misplaced=misplaced)
        return go_to(talk, "exact", exact=None, pace=slow_pace(talk.pace))
    if _is_miscounted(talk, feedback):
        return _ask_to_count_again(talk)
    if talk.fixing is None:
        return enter_state(talk, "scored", game=game, exact=None)
    if talk.fixing not in talk.cleared:
        talk = talk._replace(cleared=talk.cleared + (talk.fixing,), corrected=talk.corrected + (talk.fixing,))
    return enter_state(talk, "scored", game=_complete_turns(game, talk.fixing), exact=None)


# The game itself.

# Guessing


def make_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Choose the next guess and ask it."""
    game = talk.game
    chosen = mind.choose_guess(game)
    if chosen is None:
        return _sort_out(talk._replace(left=0).say("nothing fits"), mind)
    talk = talk._replace(game=game.ask(chosen), left=mind.count_fitting(game), exact=None, **NO_TURN_READ)
    if mind.doubts(talk.game):
        # The answer to "is it?" is certain.
        return ask_score(talk.say("trial", guess=chosen))
    key = "is it, first" if not game.turns else "is it, last" if mind.is_certain(game) else "is it"
    return enter_state(talk, "word").say(key, guess=chosen)


def rejoice(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the number of attempts and the answers that the word does not fit, and ask for another game."""
    attempts = talk.game.attempts
    key = "wonderful" if attempts > 1 else "wonderful, at once"
    talk = talk.say(key, attempts=attempts, guess=talk.game.guess)
    talk = name_slips(talk, mind.list_clashes(talk.game.guess, talk.game))
    if talk.riddle_is_open:
        talk = reveal_word(talk.say("race won"), UNSOLVED)
    return go_to(talk, "again", left=None)


def say_score_back(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the score back and see whether a word still fits, or the game can continue without one."""
    turn = talk.game.turns[-1 if talk.fixing is None else talk.fixing]
    key = "score" if sum(turn.feedback) else "score, none"
    if talk.fixing is not None:
        key = "corrected"
    if key != "score" or not _is_confirmed(talk):
        talk = talk.say(key, guess=turn.guess, exact=turn.feedback[0], misplaced=turn.feedback[1])
    left = mind.count_fitting(talk.game)
    if not mind.is_lost(talk.game):
        if not left and (talk.fixing is not None or mind.count_fitting(talk.game.undo())):
            # NAO says it once, as it is not news after the next answer.
            talk = talk.say("may be off")
        return go_on_guessing(talk, left=left)
    talk = talk._replace(left=0).say("nothing fits" if talk.fixing is None else "still nothing fits")
    return _sort_out(talk, mind)


def _is_confirmed(talk):  # type: (Talk) -> bool
    """Return whether the player has just confirmed this score."""
    return any(line.key.startswith("did you say") for line in talk.last)


# Sorting out


def _sort_out(talk, mind):  # type: (Talk, Mind) -> Talk
    """Read the most suspicious answer that is not confirmed yet, or conclude that the word is unknown.

    NAO first reads a corrected answer once more, as it might have misheard the correction.
    """
    suspects = mind.list_suspects(talk.game)
    for turn in suspects:
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn, exact=None)
    for turn in suspects:
        if turn in talk.corrected:
            return go_to(talk, "doubtful", fixing=turn, exact=None, corrected=_drop_turn(talk.corrected, turn))
    return go_to(talk.say("not in my list"), "tell", fixing=None, exact=None)


def clear_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the answer read as right: read the next one, or return to the game if all are right."""
    talk = talk._replace(
        cleared=_drop_turn(talk.cleared, talk.fixing) + (talk.fixing,),
        corrected=_drop_turn(talk.corrected, talk.fixing),
    )
    if not mind.count_fitting(talk.game):
        return _sort_out(talk, mind)
    for turn in reversed(range(len(talk.game.turns))):
        if turn not in talk.cleared:
            return go_to(talk, "doubtful", fixing=turn)
    talk = talk._replace(**NO_TURN_READ).say("all is right")
    if talk.game.guess is None:
        return enter_state(talk, "guess")
    return ask_question(enter_state(talk, "word"), brief=True)


def correct_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the player's new score for the answer read; the score that was read means yes."""
    noted = talk.game.turns[talk.fixing].feedback
    return (clear_turn if meaning == "%d %d" % tuple(noted) else note_both)(talk, mind, meaning)


def _drop_turn(turns, turn):  # type: (Tuple[int, ...], int) -> Tuple[int, ...]
    return tuple(other for other in turns if other != turn)


# The end of a game that NAO did not win.


def give_up(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game for a player who gives up; tell NAO's word if the player was guessing it."""
    if talk.is_about_riddle:
        return end_riddle(talk.say("given up by you"), GIVEN_UP)
    game = talk.game.withdraw().end(GIVEN_UP)
    talk = talk.say("race given up" if talk.race else "given up")
    return go_to(talk, "tell", game=game, exact=None, **NO_TURN_READ)


def ask_to_spell(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask the player to spell the word."""
    return go_to(talk, "spell", spelled="")


def add_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Add a letter; after the last one, read the word back."""
    spelled = talk.spelled + meaning
    if len(spelled) == talk.game.rules.length:
        talk = enter_state(talk, "spelled", spelled=spelled)
        return ask_question(talk) if mind.may_say(spelled) else check_word(talk, mind, meaning)
    return enter_state(talk, "spell", spelled=spelled).say("spell, next", letter=meaning)


def drop_letter(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back."""
    return take_letter_back(talk, "spell")


def spell_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Start the spelling again: the word read back was wrong."""
    return enter_state(talk, "spell", spelled="").say("spell again")


def leave_word_secret(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """End the game without the word: the player does not tell it."""
    return _end_game(talk.say("leave it"), UNSOLVED)


def check_word(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Compare the player's word with the answers, name the one that disagrees, and remember a new word."""
    word = talk.spelled
    if not mind.may_say(word):
        return _end_game(talk.say("not that word"), UNSOLVED)
    try:
        talk.game.rules.check(word)
    except WordError:
        return _end_game(talk.say("repeated letter", word=word), UNSOLVED)
    clashes = mind.list_clashes(word, talk.game)
    if clashes:
        talk = name_slips(talk, clashes)
    elif mind.knows(word):
        talk = talk.say("known and fitting")
    else:
        talk = talk.say("fits but unknown")
    if not mind.knows(word):
        talk = talk.say("learned", word=word).note("learned", word)
    return _end_game(talk, UNSOLVED)


def _end_game(talk, outcome):  # type: (Talk, str) -> Talk
    game = talk.game.withdraw().end(talk.game.outcome or outcome)
    return go_to(reveal_word(talk, UNSOLVED), "again", game=game, fixing=None, spelled="", left=None)


# How NAO's guess is spelled, and why NAO asks it.


def spell_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Spell NAO's guess slowly, and ask again."""
    return ask_question(talk.say("slowly", slowly=talk.subject), brief=True)


def say_why(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say why this guess is asked, or why this answer is read; then ask again."""
    line = choose_reason(talk, mind)
    return ask_question(talk.say(line.key, **line.words), brief=True)


def choose_reason(talk, mind):  # type: (Talk, Mind) -> Line
    """Return the line that says why the open guess is asked, or why an answer is read."""
    if talk.fixing is not None:
        return Line("why, slip" if not mind.count_fitting(talk.game) else "why, asked", {})
    seen = mind.predict_effect(talk.game)
    if seen.left < 2:
        key = "why, last" if seen.fits else "why, none"
    else:
        key = "why, all apart" if seen.answers == seen.left else "why"
    words = {"count": seen.left, "guess": talk.game.guess, "rest": int(seen.mean + 0.5), "worst": seen.worst}
    return Line(key, words)
