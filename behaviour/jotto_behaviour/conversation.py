"""The pure step of the conversation: one talk and one hearing make the next talk.

The table of states names an action for each meaning; `ACTIONS` has their functions, `STEPS_BACK` those of going back.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto.game import SOLVED
from jotto_behaviour import guessing, states
from jotto_behaviour.hearing import MISSED, SILENCE, SURE, UNSURE, Hearing, asks_to_spell
from jotto_behaviour.mind import Mind
from jotto_behaviour.riddle import (
    ROLES,
    add_guessed_letter,
    ask_which,
    begin_guessing,
    change_language,
    change_level,
    change_roles,
    choose_secret,
    congratulate,
    drop_guessed_letter,
    drop_letters,
    give_hint,
    offers_hint,
    open_conversation,
    play_again,
    play_breaker,
    play_in_another_role,
    play_maker,
    play_race,
    resume_game,
    say_score,
    spell_guess_again,
    spell_on,
    start_new_game,
    take_guess,
    take_it_said_twice,
    take_letter,
    take_spelled_guess,
    tell_known_letters,
)
from jotto_behaviour.talk import (
    NO_TURN_READ,
    Doubt,
    Talk,
    ask_in_between,
    ask_question,
    enter_state,
    go_to,
    leave_question,
    list_last_turns,
    list_subject_words,
    refuse_step_back,
    say_next_wording,
    settle_games,
)

MYPY = False
if MYPY:
    from typing import Callable, Dict, List

# Steps back: where "go back" and "I made a mistake" lead, by the names in the table of states.

if MYPY:
    Step = Callable[[Talk, Mind, str], Talk]


def _go_back(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Go back one step, as the state says."""
    return STEPS_BACK[talk.place.back.action](talk, mind, meaning)


def _look_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Look for the player's mistake, as the state says: count again, or read the answers."""
    return STEPS_BACK[talk.place.mistake.action](leave_question(talk), mind, meaning)


def go_on(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from a question that interrupts to the game."""
    return ask_question(leave_question(talk).say("go on"), brief=True)


def _refuse_to_go_back(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say that there is nothing to take back."""
    return refuse_step_back(talk)


def _choose_role_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask again who guesses, unless the settings have decided it."""
    if talk.settings.role in ROLES:
        return _refuse_to_go_back(talk, mind, meaning)
    return go_to(talk.say("back"), "role", race=False)


# From the score


def _return_to_places(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask for the first number of the score again."""
    return go_to(talk.say("back"), "exact", exact=None)


def _leave_count(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from the first number of a score to the answer read aloud, or to the guess."""
    if talk.fixing is not None:
        return go_to(talk.say("back"), "doubtful", exact=None)
    return ask_question(enter_state(talk.say("back"), "word"), brief=True)


def _reopen_last_turn(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take back the turn before NAO's guess: in a race the player's guess, else the last score."""
    if talk.riddle_is_open and len(talk.riddle.game.turns) > len(talk.game.turns):
        return _take_guess_back(talk, mind)
    if talk.game.turns:
        talk = talk._replace(game=talk.game.withdraw().undo())
        return guessing.ask_score(talk.say("back to", guess=talk.subject))
    return _refuse_to_go_back(talk, mind, meaning)


def _return_to_answer_before(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from an answer read aloud to the one read before it, else to where the reading began."""
    if talk.cleared:
        return go_to(talk.say("back"), "doubtful", fixing=talk.cleared[-1], cleared=talk.cleared[:-1])
    if talk.game.guess is not None and not mind.is_lost(talk.game):
        return ask_question(enter_state(talk.say("back"), "word", fixing=None), brief=True)
    talk = talk._replace(fixing=len(talk.game.turns) - 1)
    return guessing.ask_score(talk.say("back to", guess=talk.subject))


def _count_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Count the guess in question again from the start."""
    return guessing.ask_score(talk.say("count again"))


def _read_answers(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers aloud, the latest first."""
    if talk.game.turns and talk.fixing is None:
        return go_to(
            talk.say("look again"), "doubtful", exact=None, **dict(NO_TURN_READ, fixing=len(talk.game.turns) - 1)
        )
    return _refuse_to_go_back(talk, mind, meaning)


def _read_answers_or_count_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers aloud; if there are none or NAO reads one already, ask for the count again."""
    if talk.game.turns and talk.fixing is None:
        return _read_answers(talk, mind, meaning)
    return ask_question(say_next_wording(talk, "count again"), brief=True)


# From the end of a game


def _leave_spelling(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take the last letter back; without letters, ask again whether the player will tell the word."""
    if talk.spelled:
        return guessing.drop_letter(talk, mind, meaning)
    return go_to(talk.say("back"), "tell")


def _leave_telling(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Continue a game that was given up or in which no word fits; NAO then looks for the mistake again."""
    return enter_state(talk.say("go on"), "guess", game=talk.game.withdraw(), **NO_TURN_READ)


def _reopen_game(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Take back that the guess was the word."""
    if talk.game.outcome != SOLVED:
        return _refuse_to_go_back(talk, mind, meaning)
    return go_to(talk.say("not your word"), "word", game=talk.game.reopen())


# From the player's guess


def _leave_guess(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Return from the player's guess to the question before: a letter, NAO's score in a race, a guess, the role."""
    if talk.spelled:
        return drop_guessed_letter(talk, mind, meaning)
    mine, yours = talk.game.turns, talk.riddle.game.turns
    if talk.race and mine and len(mine) >= len(yours):
        talk = talk._replace(game=talk.game.undo())
        return guessing.ask_score(talk.say("back to", guess=talk.subject))
    if yours:
        return _take_guess_back(talk, mind)
    if talk.riddle.hints or talk.settings.role in ROLES:
        return _refuse_to_go_back(talk, mind, meaning)
    return go_to(talk.say("back"), "role", riddle=None, race=False)


def _take_guess_back(talk, mind):  # type: (Talk, Mind) -> Talk
    """Take back the player's last guess, which NAO might have misheard, and NAO's open guess."""
    guess, riddle = talk.riddle.game.turns[-1].guess, talk.riddle.take_back()
    talk = enter_state(
        talk, "your guess", riddle=riddle, game=talk.game.withdraw(), left=mind.count_fitting(riddle.game)
    )
    talk = talk.deny(states.ANY_WORD, guess)
    return ask_question(talk.say("guess taken back", guess=guess), brief=True)


def _name_steps(*steps):  # type: (*Step) -> Dict[str, Step]
    """Return functions by name in the table of states: `_leave_count` is "leave count" there."""
    return {step.__name__.strip("_").replace("_", " "): step for step in steps}


#: The steps of the columns `back` and `mistake` of the table of states.
STEPS_BACK = _name_steps(
    _refuse_to_go_back,
    go_on,
    _go_back,
    _look_again,
    _choose_role_again,
    _return_to_places,
    _leave_count,
    _reopen_last_turn,
    _return_to_answer_before,
    _count_again,
    _read_answers,
    _read_answers_or_count_again,
    _leave_spelling,
    _leave_telling,
    _reopen_game,
    _leave_guess,
    guessing.leave_note,
    drop_letters,
)  # type: Dict[str, Step]


# Actions at any moment. Those of the game are in `guessing`, those of roles and of the player's guesses in `riddle`.

#: "Repeat" leaves these lines out, as they ask no question.
_LINES_WITHOUT_QUESTION = ("take your time", "spell, next")
#: "Repeat" leaves apologies out, too; their keys begin with one of these words.
_APOLOGIES = ("sorry", "ask again", "touch instead")


def _ask_to_stop(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask whether to stop the game in progress; leave immediately if none exists."""
    if talk.place.on_silence == states.LEAVE_AT_ONCE or not has_unfinished_game(talk):
        return _say_good_bye(talk, mind, meaning)
    return ask_in_between(talk, "stopping")


def _ask_to_give_up(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask whether to give up, if there is a game to give up."""
    if talk.about.can_give_up:
        return ask_in_between(talk, "giving up")
    talk = leave_question(talk)
    if talk.place.is_over:
        return refuse_step_back(talk)
    return ask_question(
        say_next_wording(talk, "leave that game" if has_unfinished_game(talk) else "nothing to give up"), brief=True
    )


def _say_good_bye(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    return _leave(talk)


def _leave(talk):  # type: (Talk) -> Talk
    """Leave; the game is saved unless it is over."""
    return settle_games(enter_state(leave_question(talk), "bye"))


def _say_farewell(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say good-bye."""
    return enter_state(talk, "gone").say("goodbye, saved" if has_unfinished_game(talk) else "goodbye")


def has_unfinished_game(talk):  # type: (Talk) -> bool
    """Return whether there is a game to continue."""
    if talk.riddle is not None and talk.riddle.is_solved:
        return False
    if talk.race and talk.game.outcome is not None:
        # The player has given up: NAO only waits to hear the word.
        return False
    if talk.riddle_is_open and (talk.riddle.game.turns or talk.riddle.hints):
        return True
    return talk.game.outcome is None and bool(talk.game.turns or talk.game.guess)


def _give_help(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Explain what NAO waits for, and ask again."""
    if talk.beneath is not None:
        return talk.say(talk.place.question + ", example")
    talk = talk.say("help, " + talk.state, **list_subject_words(talk))
    return ask_question(talk.say("check, ready") if talk.state == "ready" else talk, brief=True)


def _explain_rules(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Explain the game with an example, and ask again."""
    return ask_question(say_next_wording(talk, "help, rules"), brief=True)


def _repeat_line(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say NAO's last lines again, or the question if no line is worth repeating; spell a guess slowly."""
    said = tuple(
        line
        for line in talk.last
        if line.key not in _LINES_WITHOUT_QUESTION + ("slowly",) and not line.key.startswith(_APOLOGIES)
    )
    talk = talk._replace(says=talk.says + said) if said else ask_question(talk, brief=True)
    return talk.say("slowly", slowly=talk.game.guess) if talk.place.spells == states.GUESS else talk


def _tell_scores(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Read the answers so far: those the player gave, or those NAO gave."""
    game = talk.played
    if not game.turns:
        return ask_question(
            say_next_wording(talk, "no guess yet" if talk.is_about_riddle else "no score yet"), brief=True
        )
    return ask_question(
        talk.say("your guesses" if talk.is_about_riddle else "scores", turns=list_last_turns(game)), brief=True
    )


def _say_words_left(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Say the number of words left."""
    if talk.place.is_over:
        return refuse_step_back(talk)
    left = mind.count_fitting(talk.played)
    key = {0: "no word left", 1: "one word left"}.get(left, "words left")
    if talk.is_about_riddle:
        # At least NAO's own word fits, even if it is no longer in the list.
        key = "words would fit" if left > 1 else "one word would fit"
    return ask_question(say_next_wording(talk._replace(left=left), key, count=left), brief=True)


def _give_time(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Give the player time: the count of silences starts again."""
    return say_next_wording(talk._replace(silences=0, misses=0, doubt=None), "take your time")


def _ask_again(talk, mind, meaning):  # type: (Talk, Mind, str) -> Talk
    """Ask the question again for a player who has taken their time."""
    return ask_question(talk, brief=True)


ACTIONS = _name_steps(
    resume_game,
    start_new_game,
    play_again,
    begin_guessing,
    guessing.make_guess,
    guessing.win_game,
    guessing.rejoice,
    guessing.ask_places,
    guessing.note_places,
    guessing.note_others,
    guessing.note_both,
    guessing.say_score_back,
    guessing.clear_turn,
    guessing.fix_turn,
    guessing.correct_turn,
    _explain_rules,
    guessing.ask_for_note,
    guessing.add_noted_letter,
    guessing.drop_noted_letter,
    guessing.leave_note,
    guessing.ask_to_spell,
    guessing.add_letter,
    guessing.drop_letter,
    guessing.spell_again,
    guessing.leave_word_secret,
    guessing.check_word,
    guessing.give_up,
    go_on,
    _ask_to_stop,
    _ask_to_give_up,
    _say_good_bye,
    _say_farewell,
    _give_help,
    _repeat_line,
    _tell_scores,
    _say_words_left,
    _give_time,
    _ask_again,
    _go_back,
    _look_again,
    play_breaker,
    play_maker,
    play_race,
    change_roles,
    choose_secret,
    take_guess,
    say_score,
    congratulate,
    add_guessed_letter,
    drop_guessed_letter,
    drop_letters,
    take_spelled_guess,
    spell_guess_again,
    give_hint,
    tell_known_letters,
    guessing.say_why,
    guessing.spell_guess,
    ask_which,
    spell_on,
    take_it_said_twice,
    take_letter,
    guessing.name_range,
    play_in_another_role,
    change_level,
    change_language,
)  # type: Dict[str, Step]


# The step: an answer, a miss or a silence leads to the next talk.

#: Misses in a row after which NAO offers touch.
_MAX_PATIENT_MISSES = 3
#: Misses in a row after which NAO pauses, like after silence.
MAX_MISSES = 5
#: Commands that make NAO ask "Did you say three?" again; all others settle the doubt.
DOUBT_KEEPING_MEANINGS = ("help", "repeat", "wait")
#: Meanings that NAO confirms if it heard them badly: scores, words of the list and letters.
CONFIRMED_MEANINGS = frozenset(
    states.NUMBERS + states.PAIRS + (states.NONE, states.MY_WORD) + states.SAID_WORDS + states.EVERY_LETTER
)
#: The question that confirms a phrase, and those that confirm a meaning, as "Did you say that's my word?" is a riddle.
CONFIRM_PHRASE = "did you say"
CONFIRM_MEANING = dict.fromkeys(states.EVERY_LETTER, "did you say, letter")
CONFIRM_MEANING.update({states.NONE: "did you say, none", states.MY_WORD: "did you say, my word"})


def welcome(talk, mind):  # type: (Talk, Mind) -> Talk
    """Greet, and offer to continue an unfinished game."""
    talk = talk.say("hello")._replace(left=mind.count_fitting(talk.played))
    return go_to(talk, "unfinished") if has_unfinished_game(talk) else open_conversation(talk, mind)


def think_in_box(talk, mind):  # type: (Talk, Mind) -> Talk
    """Take NAO's own steps until the talk belongs to another box or it is the player's turn to speak."""
    box = talk.box
    while not talk.listens and talk.place.moves and talk.box == box:
        talk = _act(talk, mind.choose_level(talk.level), talk.place.moves[""], "")
    return talk


def think_to_question(talk, mind):  # type: (Talk, Mind) -> Talk
    """Take NAO's own steps, from box to box, until it is the player's turn to speak or the conversation ends."""
    while not talk.listens and not talk.place.is_last:
        talk = think_in_box(talk, mind)
    return talk


def step_talk(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Return the talk after a hearing; the same talk if NAO asks nothing, as the answer comes too late."""
    if not talk.listens:
        return talk
    talk, mind = talk._replace(says=(), beat=talk.beat + 1), mind.choose_level(talk.level)
    if hearing.certainty == SILENCE:
        return _answer_silence(talk, mind)
    # A player who speaks is there, understood or not.
    talk = talk._replace(silences=0)
    if talk.doubt is not None:
        return _settle_doubt(talk, mind, hearing)
    if hearing.certainty == MISSED or hearing.meaning not in list_awaited_meanings(talk):
        # The player might have denied the right meaning by mistake.
        return _answer_miss(talk._replace(denied=()))
    if _is_misheard(talk, hearing):
        return _answer_miss(talk)
    if _is_surprising(talk, mind, hearing) or (hearing.certainty == UNSURE and hearing.meaning in CONFIRMED_MEANINGS):
        return _confirm(talk, hearing)
    if _is_believed(talk, hearing) or (hearing.meaning == talk.unsure and not talk.doubts_wish):
        return _take(talk, mind, hearing)
    # NAO believes a command that it hears a second time.
    return _answer_miss(talk)._replace(unsure=hearing.meaning)


def list_awaited_meanings(talk):  # type: (Talk) -> List[str]
    """List the meanings NAO listens for now: after "Take your time." also for "go on"."""
    wanted = states.list_meanings(talk.state, talk.doubt is not None)
    has_waited = any(line.key == "take your time" for line in talk.last)
    return wanted + [each for each in states.AFTER_WAIT if each not in wanted] if has_waited else wanted


def get_touch_kind(talk):  # type: (Talk) -> str
    """Return how a touch of the head is read now: as yes or no, a count, a letter's number, ready or a role."""
    kind = talk.place.touch if talk.doubt is None else states.YES_NO  # type: str
    return kind


def _move(talk, meaning):  # type: (Talk, str) -> states.Move
    moves = next(moves for moves in (talk.place.moves, states.COMMANDS, states.AFTER_WAIT) if meaning in moves)
    move = moves[meaning]  # type: states.Move
    return move


def _choose_argument(meaning, phrase):  # type: (str, str) -> str
    """Return the argument of an action: the meaning, or the word itself if any word of the list can be said."""
    return phrase if meaning in states.SAID_WORDS else meaning


def _act(talk, mind, move, meaning):  # type: (Talk, Mind, states.Move, str) -> Talk
    talk = ACTIONS[move.action](talk, mind, meaning)
    return talk._replace(doubt=None, silences=0, misses=0, unsure="")


def _take(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Act on a hearing; NAO remembers if it heard a wish badly that it now asks about."""
    talk = _act(talk, mind, _move(talk, hearing.meaning), _choose_argument(hearing.meaning, hearing.phrase))
    is_asked = talk.place.is_between and hearing.certainty == UNSURE
    return talk._replace(unsure=hearing.meaning) if is_asked else talk


def _is_believed(talk, hearing):  # type: (Talk, Hearing) -> bool
    """Return whether to act immediately: on a certain hearing, and on commands that NAO confirms anyway.

    While NAO confirms something, a yes may sound like "I give up": a recogniser with measured confidences doubts it.
    """
    is_odd = talk.doubt is not None and talk.settings.certainty is not None
    asks = hearing.meaning in states.ASKED_ANYWAY and hearing.meaning not in talk.place.moves and not is_odd
    # Without a game NAO leaves immediately; it cannot give up.
    asks = asks and (has_unfinished_game(talk) if hearing.meaning == "stop" else talk.about.can_give_up)
    return hearing.certainty == SURE or asks


def _is_surprising(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> bool
    """Return whether an answer contradicts the player: they denied the guess or the score, or their answers exclude it.

    A recogniser that mishears a score often mishears it again.
    """
    is_counted = talk.fixing is not None and talk.place.touch == states.COUNT
    if is_counted and hearing.meaning == "%d %d" % tuple(talk.game.turns[talk.fixing].feedback):
        return True
    wins = hearing.meaning in talk.place.word_found
    return wins and (talk.place.is_denied or mind.doubts(talk.game))


def _is_misheard(talk, hearing):  # type: (Talk, Hearing) -> bool
    """Return whether NAO misheard this score: no word has it.

    It might be the player's mistake if NAO asked for a score and heard this one clearly.
    """
    if hearing.meaning not in states.PAIRS or (talk.place.touch != states.YES_NO and hearing.certainty == SURE):
        return False
    return tuple(map(int, hearing.meaning.split())) not in talk.game.rules.list_feedback()


def _confirm(talk, hearing):  # type: (Talk, Hearing) -> Talk
    """Ask the player to confirm what NAO heard; it remembers if it heard the end of a round badly."""
    is_end = hearing.meaning == states.MY_WORD and hearing.certainty == UNSURE
    talk = talk._replace(unsure=states.MY_WORD if is_end else talk.unsure)
    return _ask_in_doubt(talk._replace(doubt=Doubt(hearing.meaning, hearing.phrase)))


def _ask_in_doubt(talk, ending=""):  # type: (Talk, str) -> Talk
    """Ask whether the player said what NAO doubts; the ending ", example" says how to answer."""
    meaning, phrase = talk.doubt
    if meaning not in CONFIRM_MEANING:
        return talk.say(CONFIRM_PHRASE + ending, phrase=phrase)
    words = {"clearly": meaning} if meaning in states.EVERY_LETTER else {}
    return talk.say(CONFIRM_MEANING[meaning] + ending, **words)


def _settle_doubt(talk, mind, hearing):  # type: (Talk, Mind, Hearing) -> Talk
    """Take the answer to "did you say": yes, no, or what the player meant instead."""
    meaning, phrase = talk.doubt
    if hearing.meaning == "no":
        # "Did you say no?" "No!" can be a yes.
        denied = talk if meaning in ("yes", "no") else talk.deny(meaning, phrase)
        unsure = "" if meaning == states.MY_WORD else talk.unsure
        return _answer_miss(denied._replace(doubt=None, unsure=unsure), "ask again")
    # A player who is always heard badly must be able to continue: the second unclear yes is enough, except for a guess
    # that the player denied. A recogniser with measured confidences takes a no for a yes so rarely that the first
    # unclear yes is enough, except to end a game or a round.
    is_measured, is_wish = talk.settings.certainty is not None, talk.doubts_wish
    is_denied = talk.place.is_denied and meaning in talk.place.word_found
    is_enough = (talk.misses or is_measured) and not is_denied and not is_wish
    if hearing.meaning == "yes" and (is_enough or _is_believed(talk, hearing)):
        return _act(talk, mind, _move(talk, meaning), _choose_argument(meaning, phrase))
    if hearing.meaning not in states.list_meanings(talk.state) or not _is_believed(talk, hearing):
        # The next yes is the second one.
        return _answer_miss(talk._replace(unsure="") if is_wish and hearing.meaning == "yes" else talk)
    if hearing.meaning in DOUBT_KEEPING_MEANINGS:
        return _ask_in_doubt(talk._replace(silences=0), ", example")
    if _is_surprising(talk, mind, hearing):
        return _confirm(talk, hearing)
    return _take(talk, mind, hearing)


def _answer_miss(talk, apology=""):  # type: (Talk, str) -> Talk
    """Ask again after a miss: in other words, then with an example, then with the offer of touch; then pause.

    NAO apologises twice, not every time.
    """
    talk = _drop_asked_doubt(talk._replace(misses=talk.misses + 1))
    if talk.misses > MAX_MISSES:
        return _pause_or_leave(talk)
    if apology or talk.misses < _MAX_PATIENT_MISSES:
        talk = talk.say(apology or ("sorry" if talk.misses == 1 else "sorry again"))
    if talk.misses == _MAX_PATIENT_MISSES:
        talk = talk.say("touch instead, " + get_touch_kind(talk))
    if talk.place.simpler is not None and talk.doubt is None:
        talk = talk._replace(state=talk.place.simpler, pace=guessing.slow_pace(talk.pace))
    return _prompt(talk)


def _answer_silence(talk, mind):  # type: (Talk, Mind) -> Talk
    """Answer silence: with a short reminder, then an example, then a pause with the game kept."""
    talk = _drop_asked_doubt(talk._replace(silences=talk.silences + 1, denied=()))
    if talk.silences >= _MAX_PATIENT_MISSES or talk.place.on_silence == states.LEAVE_AT_ONCE:
        return _pause_or_leave(talk)
    talk = _prompt(talk)
    wants_hint = talk.silences == 1 and talk.state == "your guess" and offers_hint(talk)
    return talk.say("hint offered") if wants_hint else talk


def _drop_asked_doubt(talk):  # type: (Talk) -> Talk
    """Drop a doubt that NAO has asked about in both ways without an answer: it asks its own question again."""
    is_asked_twice = any(line.key.startswith(CONFIRM_PHRASE) and line.key.endswith(", example") for line in talk.last)
    return talk._replace(doubt=None) if is_asked_twice else talk


def _prompt(talk):  # type: (Talk) -> Talk
    """Ask again, alternately in short and with an example."""
    if talk.doubt is not None:
        return _ask_in_doubt(talk, ", example")
    if asks_to_spell(talk):
        return talk.say("your guess, letters")
    asked = ask_question(talk, brief=True)
    has_letters = talk.place.question_on is not None and talk.spelled
    example = (talk.place.question_on if has_letters else talk.place.question) + ", example"
    said = [line.key for line in talk.last]
    is_reminded = asked.says[-1].key in said and (len(said) == 1 or said[0].startswith(_APOLOGIES))
    if example in said or not (is_reminded or (talk.misses and talk.misses % 2 == 0)):
        return asked
    return talk.say(example, **list_subject_words(talk))


def _pause_or_leave(talk):  # type: (Talk) -> Talk
    """Stop waiting: pause, and leave after a pause without an answer."""
    if talk.place.on_silence != states.PAUSE:
        return _leave(talk)
    return ask_in_between(talk._replace(doubt=None), "paused")
