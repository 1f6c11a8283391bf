"""The conversation as a value: its current moment, its versioned plain form, and the steps that actions are made of.

Every step takes a `Talk` and returns another one: enter a state, put its question, ask something in between.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

from jotto.compat import is_integer, quote_value, text_type
from jotto.game import SOLVED, parse_game, parse_riddle
from jotto.rules import JOTTO, FutureVersion, SavedGameError
from jotto_behaviour.lines import Line
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LEVELS, NORMAL, Settings, parse_settings
from jotto_behaviour.states import (
    ASKED_ANYWAY,
    COUNT,
    IN_ONE_BREATH,
    MY_WORD,
    NOTHING_BACK,
    ONE_BY_ONE,
    SAID_WORDS,
    STATES,
    list_meanings,
)

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

    from jotto.explain import Clash
    from jotto.game import Game, Riddle
    from jotto.rules import Rules
    from jotto_behaviour.states import TalkState

TALK_FORMAT_VERSION = 7
#: The last version without some fields, and the values of these fields for talks of that version.
_ADDED_FIELDS = (
    (1, {"riddle": None, "race": False}),
    (2, {"pace": 0}),
    (3, {"level": NORMAL}),
    (4, {"corrected": []}),
    (5, {"denied": []}),
    (6, {"unsure": "", "sealed": "", "recounted": False}),
)  # type: Tuple[Tuple[int, Dict[str, Any]], ...]
#: Denied meanings in memory, so that a player who said no by mistake is understood later.
_MAX_DENIED = 3

#: The question that NAO confirms: the meaning, and the phrase as NAO said it.
Doubt = namedtuple("Doubt", "meaning phrase")


class Talk(
    namedtuple(
        "Talk",
        [
            "game",
            "riddle",
            "race",
            "state",
            "beneath",
            "exact",
            "doubt",
            "silences",
            "misses",
            "fixing",
            "cleared",
            "spelled",
            "beat",
            "left",
            "says",
            "last",
            "notes",
            "settings",
            "pace",
            "level",
            "corrected",
            "denied",
            "unsure",
            "sealed",
            "recounted",
        ],
    )
):
    """One moment of the conversation.

    Fields in order: the game in which NAO guesses; the riddle in which the player guesses (None: there is none);
    whether it is a race; the state's name; the state beneath a question that interrupts (None: nothing interrupts);
    the number in place already given; the meaning that NAO asks to confirm, or None; silences and misses since the last
    understood answer; the turn being corrected and the turns found right; letters spelled so far; number of answers
    understood so far; words still possible (None: not counted); lines to say now; lines said last; what to note in
    files; settings; scores in a row given together, or (below zero) not; the level of this game; the turns found
    right that were corrected and are read once more; meanings that the player has denied in this question; the
    meaning that NAO heard badly last ("": none), believed if it is heard again; the player's word in the sealed
    note ("": none); whether the note has made NAO doubt the score of the open guess.
    """

    __slots__ = ()

    def __new__(
        cls,
        game,  # type: Game
        riddle=None,  # type: Optional[Riddle]
        race=False,  # type: bool
        state="ready",  # type: str
        beneath=None,  # type: Optional[str]
        exact=None,  # type: Optional[int]
        doubt=None,  # type: Optional[Doubt]
        silences=0,  # type: int
        misses=0,  # type: int
        fixing=None,  # type: Optional[int]
        cleared=(),  # type: Tuple[int, ...]
        spelled="",  # type: str
        beat=0,  # type: int
        left=None,  # type: Optional[int]
        says=(),  # type: Tuple[Line, ...]
        last=(),  # type: Tuple[Line, ...]
        notes=(),  # type: Tuple[Tuple[str, Any, str], ...]
        settings=Settings(),  # type: Settings  # noqa: B008
        pace=0,  # type: int
        level=NORMAL,  # type: str
        corrected=(),  # type: Tuple[int, ...]
        denied=(),  # type: Tuple[Doubt, ...]
        unsure="",  # type: str
        sealed="",  # type: str
        recounted=False,  # type: bool
    ):  # type: (...) -> Talk
        return super(Talk, cls).__new__(
            cls,
            game,
            riddle,
            race,
            state,
            beneath,
            exact,
            doubt,
            silences,
            misses,
            fixing,
            cleared,
            spelled,
            beat,
            left,
            says,
            last,
            notes,
            settings,
            pace,
            level,
            corrected,
            denied,
            unsure,
            sealed,
            recounted,
        )

    @property
    def place(self):  # type: () -> TalkState
        """Return the state now."""
        return STATES[self.state]

    @property
    def about(self):  # type: () -> TalkState
        """Return the state that this moment is about: the one beneath a question that interrupts."""
        return STATES[self.beneath or self.state]

    @property
    def box(self):  # type: () -> str
        """Return the box of the diagram that this moment belongs to."""
        box = self.about.box  # type: str
        return box

    @property
    def listens(self):  # type: () -> bool
        """Return whether it is the player's turn to speak."""
        return self.place.listens

    @property
    def doubts_wish(self):  # type: () -> bool
        """Return whether NAO asks about a wish to end the game, or the round, that it might have misheard."""
        ends_round = self.unsure == MY_WORD and self.doubt is not None and self.doubt.meaning == MY_WORD
        return ends_round or (self.place.is_between and self.unsure in ASKED_ANYWAY)

    @property
    def language(self):  # type: () -> str
        """Return the code of the language of this game."""
        return self.settings.language or DEFAULT_LANGUAGE

    @property
    def subject(self):  # type: () -> Optional[str]
        """Return the guess in question: the one being corrected, or the open one."""
        if self.fixing is not None:
            guess = self.game.turns[self.fixing].guess  # type: Optional[str]
            return guess
        open_guess = self.game.guess  # type: Optional[str]
        return open_guess

    @property
    def is_about_riddle(self):  # type: () -> bool
        """Return whether this moment is about NAO's word."""
        if self.riddle is None:
            return False
        return not self.race or self.about.is_riddle or bool(self.riddle.is_solved)

    @property
    def played(self):  # type: () -> Game
        """Return the game this moment is about: NAO's, or the player's."""
        game = self.riddle.game if self.is_about_riddle else self.game  # type: Game
        return game

    @property
    def riddle_is_open(self):  # type: () -> bool
        """Return whether NAO thinks of a word that is still to be found."""
        return self.riddle is not None and self.riddle.game.outcome is None

    @property
    def variety(self):  # type: () -> int
        """Return a number that grows with every question, so that wordings go round."""
        asked = 0 if self.riddle is None else self.riddle.game.attempts + self.riddle.hints
        return int(self.game.attempts + self.misses + self.silences + asked)

    def say(self, key, **words):  # type: (str, Any) -> Talk
        """Add a line to NAO's lines."""
        return self._replace(says=self.says + (Line(key, words),))

    def note(self, kind, what):  # type: (str, Any) -> Talk
        """Add something to write into the notebook, with the level it was played at."""
        return self._replace(notes=self.notes + ((kind, what, self.level),))

    def deny(self, meaning, phrase):  # type: (str, str) -> Talk
        """Note that the player did not say this, up to the next question."""
        return self._replace(denied=(self.denied + (Doubt(meaning, phrase),))[-_MAX_DENIED:])

    def plain(self):  # type: () -> Dict[str, Any]
        """Return the talk as a versioned dict that JSON can hold, without `notes`, which are written by then."""
        plain = dict(zip(self._fields, self))
        del plain["notes"]
        plain.update(
            version=TALK_FORMAT_VERSION,
            game=self.game.plain(),
            cleared=list(self.cleared),
            corrected=list(self.corrected),
            denied=[list(doubt) for doubt in self.denied],
            riddle=None if self.riddle is None else self.riddle.plain(),
            doubt=None if self.doubt is None else list(self.doubt),
            settings=self.settings.plain(),
            says=[list(line) for line in self.says],
            last=[list(line) for line in self.last],
        )
        return plain


def parse_talk(plain):  # type: (Any) -> Talk
    """Return a talk from its plain form. Raises `FutureVersion` or `SavedGameError`."""
    if not isinstance(plain, dict) or not is_integer(plain.get("version")) or plain["version"] < 1:
        raise SavedGameError("These are not the notes of a game: %s." % quote_value(plain))
    if plain["version"] > TALK_FORMAT_VERSION:
        raise FutureVersion(
            "These notes are of version %s; this is version %d." % (quote_value(plain["version"]), TALK_FORMAT_VERSION)
        )
    for version, fields in _ADDED_FIELDS:
        if plain["version"] <= version:
            plain = dict(plain, **fields)
    try:
        talk = _parse_fields(plain)
        sound = _has_sound_fields(talk) and _fits_state(talk)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, FutureVersion):
            raise
        raise SavedGameError("These notes are damaged (%s)." % quote_value("%s" % error))
    if not sound:
        raise SavedGameError("These notes do not fit together.")
    return talk


def _parse_fields(plain):  # type: (Dict[str, Any]) -> Talk
    fields = {name: plain[name] for name in Talk._fields if name != "notes"}
    riddle = None if plain["riddle"] is None else parse_riddle(plain["riddle"])
    fields.update(
        game=parse_game(plain["game"]),
        riddle=riddle,
        cleared=tuple(plain["cleared"]),
        corrected=tuple(plain["corrected"]),
        denied=tuple(Doubt(*doubt) for doubt in plain["denied"]),
        doubt=_parse_doubt(plain["doubt"]),
        settings=parse_settings(plain["settings"]),
        says=tuple(Line(*line) for line in plain["says"]),
        last=tuple(Line(*line) for line in plain["last"]),
    )
    return Talk(**fields)


def _parse_doubt(plain):  # type: (Any) -> Optional[Doubt]
    if plain is None:
        return None
    if not isinstance(plain, list):
        raise TypeError("a doubt is a list")
    return Doubt(*plain)


def _has_sound_fields(talk):  # type: (Talk) -> bool
    """Return whether every field is valid by itself."""
    counts = (talk.silences, talk.misses, talk.beat, 0 if talk.left is None else talk.left)
    turns = range(len(talk.game.turns))
    return bool(
        _is_jotto(talk.game.rules)
        and talk.state in STATES
        and (talk.beneath is None or STATES[talk.beneath].listens)
        and (talk.exact is None or (is_integer(talk.exact) and 0 <= talk.exact < talk.game.rules.length))
        and all(is_integer(count) and 0 <= count < 10**6 for count in counts)
        and all(is_integer(turn) and turn in turns for turn in talk.cleared + talk.corrected)
        and (talk.fixing is None or (is_integer(talk.fixing) and talk.fixing in turns))
        and isinstance(talk.spelled, text_type)
        and len(talk.spelled) <= talk.game.rules.length
        and all(letter in talk.game.rules.alphabet for letter in talk.spelled)
        and talk.level in LEVELS
        and is_integer(talk.pace)
        and ONE_BY_ONE <= talk.pace <= IN_ONE_BREATH
        and all(isinstance(text, text_type) for doubt in talk.denied for text in doubt)
        and isinstance(talk.unsure, text_type)
        and (talk.sealed == "" or talk.game.rules.allows(talk.sealed))
        and isinstance(talk.recounted, bool)
        and isinstance(talk.race, bool)
        and (talk.riddle is None or _is_riddle(talk.riddle))
        and all(isinstance(line.key, text_type) and isinstance(line.words, dict) for line in talk.says + talk.last)
    )


def _is_jotto(rules):  # type: (Rules) -> bool
    """Return whether these are the rules of Jotto, with the letters of any language."""
    return bool(isinstance(rules.alphabet, text_type) and rules._replace(alphabet=JOTTO.alphabet) == JOTTO)


def _is_riddle(riddle):  # type: (Riddle) -> bool
    """Return whether a riddle is valid: NAO answers a guess immediately, so only the one that solved it is open."""
    last = riddle.secret if riddle.is_solved else None
    return bool(_is_jotto(riddle.game.rules) and riddle.game.guess == last)


#: Requirements of a state on the talk, by the names in the table of states.
REQUIREMENTS = {
    "playing": lambda talk: talk.game.outcome is None,
    "open guess": lambda talk: talk.game.guess is not None,
    "no open guess": lambda talk: talk.game.guess is None,
    "guess in question": lambda talk: talk.subject is not None,
    "places counted": lambda talk: talk.exact is not None,
    "turns": lambda talk: len(talk.game.turns) > 0,
    "answer read": lambda talk: talk.fixing is not None,
    "no answer read": lambda talk: talk.fixing is None,
    "solved": lambda talk: talk.game.outcome == SOLVED,
    "letters missing": lambda talk: len(talk.spelled) < talk.game.rules.length,
    "all letters": lambda talk: len(talk.spelled) == talk.game.rules.length,
    "open riddle": lambda talk: talk.riddle_is_open,
    "no open riddle": lambda talk: not talk.riddle_is_open,
    "guess at the riddle": lambda talk: talk.riddle is not None and talk.riddle.game.attempts > 0,
    "riddle solved": lambda talk: talk.riddle is not None and talk.riddle.is_solved,
}  # type: Dict[str, Callable[[Talk], bool]]


def _fits_state(talk):  # type: (Talk) -> bool
    """Return whether the talk has everything that its state's questions and moves need."""
    return bool(
        all(REQUIREMENTS[name](talk) for name in talk.about.needs)
        and talk.place.is_between == (talk.beneath is not None)
        and not talk.about.is_between
        and (talk.doubt is None or _is_doubt(talk))
    )


def _is_doubt(talk):  # type: (Talk) -> bool
    meaning, phrase = talk.doubt
    return (
        meaning in list_meanings(talk.state)
        and isinstance(phrase, text_type)
        and talk.listens
        and (meaning not in SAID_WORDS or talk.game.rules.allows(phrase))
    )


# Steps that actions are made of: enter a state, put its question, interrupt it with another question.

#: Turns that NAO reads out at most, as many as people can listen to.
_MAX_TURNS_READ_OUT = 5
#: Fields of a talk in which no answer is read again or was found right.
NO_TURN_READ = {"fixing": None, "cleared": (), "corrected": ()}  # type: Dict[str, Any]
#: Fields of a talk in which nothing was misheard, and every question answered.
_NOTHING_MISHEARD = {"doubt": None, "silences": 0, "misses": 0, "denied": (), "unsure": ""}  # type: Dict[str, Any]


def enter_state(talk, state, **changes):  # type: (Talk, str, **Any) -> Talk
    """Enter a state; forget a question that interrupts, and the denied answers of the question before.

    A score that contradicts the sealed note is believed the second time only while NAO asks for it.
    """
    is_recounted = talk.recounted and STATES[state].touch == COUNT
    return _forget_misheard(talk, dict({"state": state, "beneath": None, "recounted": is_recounted}, **changes))


def _forget_misheard(talk, changes):  # type: (Talk, Dict[str, Any]) -> Talk
    """Change fields of a talk, and forget what was misheard or not answered unless they have it."""
    return talk._replace(**dict(_NOTHING_MISHEARD, **changes))


def ask_question(talk, brief=False):  # type: (Talk, bool) -> Talk
    """Ask the question of the current state; a question that interrupts has no brief form."""
    key = talk.place.question
    if talk.place.question_on is not None and talk.spelled:
        key = talk.place.question_on
    elif brief and not talk.place.is_between:
        # Saved games hold keys of lines, so the keys must not be renamed.
        key += ", shortly"
    return talk.say(key, **list_subject_words(talk))


def list_subject_words(talk):  # type: (Talk) -> Dict[str, Any]
    """Return the words for questions: the guess in question, its score, the word spelled so far, the tries before."""
    guess = talk.subject or ""
    words = {
        "guess": guess,
        "word": talk.spelled,
        "number": len(talk.spelled) + 1,
        "spelling": talk.spelled,
        "letters": talk.spelled,
        "exact": talk.exact or 0,
        "misplaced": 0,
        "tries": 0 if talk.riddle is None else len(talk.riddle.game.turns),
    }  # type: Dict[str, Any]
    if talk.fixing is not None:
        words["exact"], words["misplaced"] = talk.game.turns[talk.fixing].feedback
    if "places counted" in talk.place.needs:
        words["exact"] = talk.exact
    return words


def list_vain_commands(talk):  # type: (Talk) -> Set[str]
    """List the commands that do nothing now, such as "give up" before a game."""
    place = talk.about
    vain = {name for name, move in (("back", place.back), ("mistake", place.mistake)) if move == NOTHING_BACK}
    if not talk.played.turns:
        vain.update(("score", "left"))
    return vain if place.can_give_up else vain | {"give up"}


def say_next_wording(talk, key, **words):  # type: (Talk, str, **Any) -> Talk
    """Say a line that can be wanted several times: its wording goes round with every answer, not every question."""
    return talk.say(key, beat=talk.beat, **words)


def refuse_step_back(talk):  # type: (Talk) -> Talk
    """Say that there is nothing to take back, and ask again."""
    return ask_question(
        say_next_wording(talk, "it is over" if talk.place.is_over else "nothing to take back"), brief=True
    )


def go_to(talk, state, **changes):  # type: (Talk, str, **Any) -> Talk
    """Enter a listening state and ask its question."""
    return ask_question(enter_state(talk, state, **changes))


def ask_in_between(talk, state):  # type: (Talk, str) -> Talk
    """Interrupt the state with a question; `beneath` is the state to return to."""
    beneath = talk.beneath if talk.place.is_between else talk.state
    return ask_question(_forget_misheard(talk, {"state": state, "beneath": beneath}))


def leave_question(talk):  # type: (Talk) -> Talk
    """Return from a question that interrupts to the state beneath it."""
    return _forget_misheard(talk, {"state": talk.beneath or talk.state, "beneath": None})


def list_last_turns(game):  # type: (Game) -> Any
    """List the latest guesses and answers, as many as people can listen to."""
    return [[turn.guess, list(turn.feedback)] for turn in game.turns[-_MAX_TURNS_READ_OUT:]]


def name_slips(talk, clashes):  # type: (Talk, Sequence[Clash]) -> Talk
    """Say which answer contradicts the word, or the number of such answers."""
    if len(clashes) != 1:
        return talk.say("several would differ", number=len(clashes)) if clashes else talk
    clash = clashes[0]
    (exact, misplaced), (old_exact, old_misplaced) = clash.expected, clash.got
    return talk.say(
        "would have said",
        guess=clash.guess,
        exact=exact,
        misplaced=misplaced,
        old_exact=old_exact,
        old_misplaced=old_misplaced,
    )


def list_ended_games(talk):  # type: (Talk) -> List[Any]
    """List the games that are over: NAO's, and the riddle the player guesses at."""
    found = [talk.game] if talk.game.outcome is not None else []  # type: List[Any]
    if talk.riddle is not None and talk.riddle.game.outcome is not None:
        found.append(talk.riddle)
    return found


def settle_games(talk):  # type: (Talk) -> Talk
    """Note the games that are over, as the player can no longer take that back."""
    for played in list_ended_games(talk):
        talk = talk.note("finished", played)
    return talk


def take_letter_back(talk, state):  # type: (Talk, str) -> Talk
    """Take the last letter spelled back, and ask for it again in `state`; refuse if none exists."""
    if not talk.spelled:
        return refuse_step_back(talk)
    last = talk.spelled[-1]
    talk = enter_state(talk, state, spelled=talk.spelled[:-1], denied=(Doubt(last, last),))
    return talk.say("spell, back", number=len(talk.spelled) + 1)
