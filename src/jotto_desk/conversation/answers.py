"""A person's answers: the possible ones for buttons, and typed and tapped ones as phrases that NAO hears."""

import functools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from jotto.rules import JOTTO
from jotto.words import capitalise_word, fold_word, lower_letters
from jotto_behaviour import hearing, mind
from jotto_behaviour.lines import Lines, list_typed_forms
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LEVELS
from jotto_behaviour.states import (
    BEYOND,
    COMMANDS,
    COUNT,
    EVERY_LETTER,
    LANGUAGES,
    MY_WORD,
    NONE,
    NUMBERS,
    PAIRS,
    READY,
    SAID_WORDS,
    SPELL,
    STATES,
    YES_NO,
    TalkState,
    list_meanings,
)
from jotto_behaviour.talk import Talk, list_vain_commands
from jotto_desk.history import Translated, fill_english

# The possible answers, for buttons.

#: The kinds of questions, by their answers: a few phrases, two numbers, one number, letters, or no answer.
CHOICE = "choice"
TWO_NUMBERS = "two numbers"
ONE_NUMBER = "one number"
WORD = "word"
NO_ANSWER = "nothing"
#: The most important answers in their order; the other answers of a question follow.
_FIRST_ANSWERS = ("yes", "no", "ready", "you guess", "I guess", "race", MY_WORD, NONE, "go on", "hint", "know")
#: By the kind of a question, answers without a button, as another answer means the same. At "Is it ...?", "that's my
#: word" means yes; "none" means no, and the next question has a button for it.
SPARED = {READY: ("yes", "no", "go on"), YES_NO: ("go on", "give up", NONE, MY_WORD)}
#: The same for single states with another answer than `SPARED` expects.
_SPARED_IN = {"paused": ("yes", "ready")}
#: Meanings without a button: numbers and words have other controls, and the board shows how a guess is spelled.
_TYPED = {*NUMBERS, *PAIRS, *EVERY_LETTER, *SAID_WORDS, *LANGUAGES, BEYOND, "spell it", ""}


class Choice(NamedTuple):
    """An answer: its meaning, and the phrase for it."""

    meaning: str
    phrase: str

    @property
    def label(self) -> str:
        """Return the phrase with a capital, for a button."""
        return self.phrase[:1].upper() + self.phrase[1:]


class Question(NamedTuple):
    """A question of NAO: its kind, its answers, and the commands that NAO understands at any moment."""

    kind: str
    answers: tuple[Choice, ...] = ()
    commands: tuple[Choice, ...] = ()


def make_question(talk: Talk) -> Question:
    """Return the current question.

    >>> from jotto import game, rules
    >>> talk = Talk(game.start_game(rules.JOTTO, "en", "", 1).ask("ocean"), state="word")
    >>> make_question(talk).kind, [answer.label for answer in make_question(talk).answers]
    ('choice', ['Yes', 'No', 'Tell me why'])
    """
    if not talk.listens and talk.doubt is None:
        return Question(NO_ANSWER)
    if talk.doubt is not None:
        return Question(CHOICE, _list_choices(talk, ("yes", "no")), _list_commands(talk, ("yes", "no")))
    place = STATES[talk.state]
    same = _SPARED_IN.get(talk.state, SPARED.get(place.touch or "", ()))
    has_hint = talk.riddle is not None and talk.riddle.hint() is not None
    spared = _TYPED.union(same, () if has_hint else ("hint",))
    own = [meaning for meaning in place.moves if meaning not in spared]
    return Question(_find_kind(place), _list_choices(talk, sorted(own, key=_rank_choice)), _list_commands(talk, own))


def _find_kind(place: TalkState) -> str:
    if place.touch == COUNT:
        return TWO_NUMBERS if place.simpler else ONE_NUMBER
    return WORD if place.touch == SPELL else CHOICE


def _rank_choice(meaning: str) -> tuple[int, int]:
    if meaning in _FIRST_ANSWERS:
        return _FIRST_ANSWERS.index(meaning), 0
    return len(_FIRST_ANSWERS), LEVELS.index(meaning) if meaning in LEVELS else len(LEVELS)


def _list_choices(talk: Talk, meanings: tuple[str, ...] | list[str]) -> tuple[Choice, ...]:
    spoken = mind.load_lines(talk.language)
    return tuple(Choice(meaning, str(spoken.list_phrases([meaning])[0])) for meaning in meanings)


def _list_commands(talk: Talk, own: tuple[str, ...] | list[str]) -> tuple[Choice, ...]:
    """Return the commands that make sense now and are not answers."""
    vain = list_vain_commands(talk)
    return _list_choices(talk, [meaning for meaning in COMMANDS if meaning not in own and meaning not in vain])


def find_number_phrase(number: int, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the phrase for one number."""
    return str(mind.load_lines(language).say_number(number))


def find_score_phrase(exact: int, misplaced: int, length: int, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the phrase for both numbers together; if all letters are in place, the phrase for this number.

    >>> find_score_phrase(1, 2, 5), find_score_phrase(5, 0, 5)
    ('one and two', 'five')
    """
    if exact >= length:
        return find_number_phrase(exact, language)
    return str(mind.load_lines(language).list_phrases([f"{exact} {misplaced}"])[0])


# Typed lines as phrases that NAO hears.

MIDDLE = "MiddleTactilTouched"
SENSORS = {"front": "FrontTactilTouched", "middle": MIDDLE, "back": "RearTactilTouched", "rear": "RearTactilTouched"}
#: The confidence of a typed answer, and of one that NAO does not understand.
TYPED_CONFIDENCE = 1.0
MUMBLED_CONFIDENCE = 0.05
#: States in which NAO listens for letters; in "your guess", also for words.
_SPELL_STATE = "spell"
_GUESS_STATE = "your guess"
_WORD_OR_LETTER_STATE = "word or letter?"
_NOTE_STATE = "sealed note"
SPELLING_STATES = (_SPELL_STATE, _GUESS_STATE, _WORD_OR_LETTER_STATE, _NOTE_STATE)
#: States in which a typed word is a guess, even if NAO has letters of another guess or asks about it.
_GUESSING = (_GUESS_STATE, _WORD_OR_LETTER_STATE, "your word?")
#: States in which the person tells a secret word: lines typed there are not stored for the next game.
PRIVATE = ("tell", "spell", "spelled", _NOTE_STATE)
#: The most letters of a quoted word, so that the sentence fits on a narrow screen.
_MOST_QUOTED = 30
#: Headings of groups in `GROUPS`.
_ANSWERS = "answers"
_WORDS = "words"
LETTERS = "letters"
_HELP = "help"
#: Heading -> meanings in their order, for the list of phrases that NAO understands. A meaning without a group is
#: in "answers" if it answers NAO's question, else in "help".
GROUPS: dict[str, Sequence[str]] = {
    _ANSWERS: _FIRST_ANSWERS,
    "numbers": (*NUMBERS, "1 2", NONE),
    _WORDS: (),
    LETTERS: EVERY_LETTER,
    "levels": LEVELS,
    _HELP: ("help", "repeat", "spell it", "hint", "know", "why", "score", "left"),
    "undo": ("back", "mistake", "back one", "cancel"),
    "stop": ("wait", "give up", "stop"),
    "languages": LANGUAGES,
}
_HEADINGS = {meaning: heading for heading, found in GROUPS.items() for meaning in found}
ORDER = [meaning for heading, found in GROUPS.items() for meaning in found if _HEADINGS[meaning] == heading]
#: Meanings that are not listed; "1 2" is an example for all pairs.
_UNSAID = {*PAIRS, BEYOND}
#: Signs around words, which say nothing.
_PUNCTUATION = re.compile(r"[.,;:!?\"\u00bb\u2026\u201c\u201d]+(?=\s|$)|[,\u00a1\u00bf\u00ab\u201e\u201c]")
_FIVE_LETTERS = "A word has five letters; '{word}' has {count}."
TWICE = "A word has five different letters; '{word}' has {letter} twice."


class Typed(NamedTuple):
    """A phrase with a confidence, or a touch of `sensor`; silence if there is neither."""

    phrase: str | None = None
    confidence: float = TYPED_CONFIDENCE
    sensor: str = ""


def parse_typed_line(text: str, state: str, lines: Lines, vocabulary: Sequence[str]) -> Typed:
    """Read one typed answer: digits and y/n are short for words, single letters for alphabet words.

    "I think two" and "two letters" are two, unless NAO listens for exactly these words. A text that is not in the
    vocabulary becomes some phrase with a very low confidence, like a mumble in a recogniser.
    """
    words = text.split()
    if not words:
        return Typed()
    if len(words) == 2 and words[0] == "touch" and words[1] in SENSORS:
        return Typed(sensor=SENSORS[words[1]])
    phrase = _find_phrase(text, state, lines, vocabulary)
    if phrase is not None:
        return Typed(phrase)
    return Typed(vocabulary[0], MUMBLED_CONFIDENCE) if vocabulary else Typed()


def _find_phrase(text: str, state: str, lines: Lines, vocabulary: Sequence[str]) -> str | None:
    """Return the phrase of the vocabulary that a typed text stands for; None if none exists."""
    known = _map_typed_forms(tuple(vocabulary), lines.alphabet, f" {lines.and_word} ")
    for answer in dict.fromkeys(_list_answers(text, lines)):
        phrase = _expand_short_form(answer, state, lines)
        for meant in (answer.lower(), phrase.lower(), fold_word(answer, lines.alphabet)):
            if meant in known:
                return known[meant]
        same = lines.find_phrase_like(phrase, vocabulary)
        if same is not None:
            return same
    return None


def _list_answers(text: str, lines: Lines) -> Iterator[str]:
    """Yield a typed text, then without the words around the answer, also if they are typed without their signs."""
    joint = f" {lines.and_word} "
    for written, (before, after) in zip((text, list_typed_forms(text)[0]), _compile_fillers(lines), strict=True):
        plain = after.sub("", before.sub("", written))
        yield from (written, plain, plain.replace(joint, " "))


@functools.lru_cache(maxsize=8)
def _compile_fillers(lines: Lines) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return the patterns of the words before and after an answer: as they are, and as people type them."""
    writes: tuple[Callable[[str], str], ...] = (str, lambda filler: list_typed_forms(filler)[0])
    found = []
    for write in writes:
        before, after = (
            "|".join(re.escape(write(each)) for each in lines.fillers[side]) for side in ("before", "after")
        )
        found.append((re.compile(f"^(?:(?:{before}) )+"), re.compile(f" (?:{after})(?= |$)")))
    return found


@functools.lru_cache(maxsize=2)
def _map_typed_forms(vocabulary: tuple[str, ...], alphabet: str, joint: str = " ") -> dict[str, str]:
    """Map typed forms to phrases of the vocabulary: small letters, no accents, no "and"."""
    bare = {fold_word(phrase, alphabet): phrase for phrase in reversed(vocabulary) if not phrase.isascii()}
    apart = {phrase.lower().replace(joint, " "): phrase for phrase in reversed(vocabulary)}
    return apart | bare | {phrase.lower(): phrase for phrase in reversed(vocabulary)}


def _expand_short_form(text: str, state: str, lines: Lines) -> str:
    """Return the phrase for a short form; all numbers above five have the same phrase."""
    if (text.isdigit() and text.isascii()) or text in lines.more_numbers:
        number = int(text[:3]) if text.isdigit() else len(lines.numbers)
        return lines.say_number(number) if number < len(lines.numbers) else lines.list_phrases([BEYOND])[0]
    if len(text) == 1 and state in SPELLING_STATES:
        return lines.letters.get(text, text)
    if text in lines.short:
        return lines.list_phrases([lines.short[text]])[0]
    return re.sub(r"\b[0-5]\b", lambda digit: lines.say_number(int(digit.group())), text)


def split_line(line: str, state: str, lines: Lines, vocabulary: Sequence[str] = ()) -> Iterator[str]:
    """Yield the answers in a line: `1 2` are two numbers, a spelled word or `o c e a n` is five letters.

    A guess that replaces letters becomes "cancel" and the guess, which is split again later. Punctuation is ignored:
    `Yes!` is yes, `1, 2` are two numbers.
    """
    words = _PUNCTUATION.sub(" ", line[:200].replace("\u2019", "'")).lower().split()
    text = " ".join(words)
    if len(words) > 1 and all(word.isdecimal() or word in lines.numbers for word in words):
        yield from _numbers(words, lines, vocabulary)
    elif _find_phrase(text, state, lines, vocabulary) is not None:
        # Phrases that NAO listens for come before spelling.
        yield text
    elif state in _GUESSING and _replaces_letters(words, state, lines, vocabulary):
        yield from (lines.list_phrases(["cancel"])[0], words[0])
    elif state in SPELLING_STATES and _is_spelled(words, lines):
        yield from fold_word(words[0], lines.alphabet) if len(words) == 1 else words
    else:
        yield text


def _numbers(words: list[str], lines: Lines, vocabulary: Sequence[str]) -> Iterator[str]:
    """Yield two numbers as one phrase if NAO listens for both together, else one by one."""
    named = [lines.say_number(int(word)) if word.isdecimal() else word for word in words]
    pair = lines.find_meaning(" ".join(named), PAIRS)
    phrase = lines.list_phrases([pair])[0] if pair else ""
    yield from [phrase] if phrase in vocabulary else words


def _is_spelled(words: list[str], lines: Lines) -> bool:
    """Return whether the words are a whole word of five letters, or letters and alphabet words."""
    names = {form for name in lines.letters.values() for form in (name.lower(), *list_typed_forms(name))}
    if len(words) == 1:
        word = fold_word(words[0], lines.alphabet)
        return word.isalpha() and len(word) == JOTTO.length and words[0] not in names
    return bool(words) and all(word in lines.letters or word in names for word in words)


def _replaces_letters(words: list[str], state: str, lines: Lines, vocabulary: Sequence[str]) -> bool:
    """Return whether this is a word while NAO listens only for letters, and for "cancel"."""
    is_word = len(words) == 1 and _is_spelled(words, lines)
    return (
        is_word and lines.list_phrases(["cancel"])[0] in vocabulary and not _count_words_heard(state, vocabulary, lines)
    )


def explain_misfit(
    line: str, state: str, vocabulary: Sequence[str], lines: Lines | None = None, texts: Translated = fill_english
) -> str:
    """Return why a line is not a word of the game: a repeated letter, its length, or NAO's list; "" if it is one."""
    spoken = lines or mind.load_lines()
    written = lower_letters(line.strip().strip('.,;:!?"'))
    word = fold_word(written, spoken.alphabet)
    if not word.isalpha() or _find_phrase(written, state, spoken, vocabulary) is not None:
        return ""
    guesses, has_five = state in (_GUESS_STATE, _WORD_OR_LETTER_STATE), len(word) == JOTTO.length
    if state in SPELLING_STATES and not has_five and len(word) > 1:
        said = "A guess has five letters; '{word}' has {count}." if guesses else _FIVE_LETTERS
        return texts(said, word=capitalise_word(written[:_MOST_QUOTED]), count=len(word))
    twice = next((letter for letter in word if word.count(letter) > 1), "")
    is_guess = not twice and has_five and state == _GUESS_STATE
    is_whole = 0 < _count_words_heard(state, vocabulary, spoken) < mind.MAX_HEARABLE_WORDS
    if is_guess and is_whole and len(vocabulary) != hearing.MAX_UNMEASURED_PHRASES:
        return texts(
            "'{word}' is not on NAO's list and does not count. Guess another word.", word=capitalise_word(written)
        )
    # A word that the player spells for NAO can be wrong: this explains a game without result.
    if not twice or not has_five or state == _SPELL_STATE:
        return ""
    said = "A guess has five different letters; '{word}' has {letter} twice." if guesses else TWICE
    return texts(said, word=capitalise_word(written), letter=capitalise_word(twice))


def _count_words_heard(state: str, vocabulary: Sequence[str], lines: Lines) -> int:
    """Return the number of listed words that NAO listens for: 0 if it has letters, at most `MAX_HEARABLE_WORDS`."""
    wanted = [*_list_meanings(state), "yes", "no"]
    # For each meaning separately: `phrases` leaves out two bare numbers if "no" is a meaning, too.
    spoken = [phrase for meaning in wanted for phrase in lines.list_phrases([meaning])]
    own = {phrase.lower() for phrase in spoken + lines.list_typed_phrases(wanted)}
    return sum(phrase.lower() not in own for phrase in vocabulary)


def _list_meanings(state: str) -> list[str]:
    """Return the meanings for a state; for a state without a table entry, the meanings of all states."""
    states = [state] if state in STATES else list(STATES)
    return sorted({meaning for each in states for meaning in list_meanings(each) if meaning})


def understood(
    state: str, lines: Lines, vocabulary: Sequence[str], texts: Translated = fill_english, vain: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Group NAO's current phrases below headings: one for each meaning, and the number of words of its list.

    Meanings in `vain` are left out.
    """
    groups: dict[str, list[str]] = {heading: [] for heading in GROUPS}
    now = [meaning for meaning in _list_meanings(state) if meaning not in vain]
    for meaning in [*ORDER, *(other for other in now if other not in _UNSAID and other not in ORDER)]:
        phrase = (
            next((each for each in lines.list_phrases([meaning]) if each in vocabulary), "") if meaning in now else ""
        )
        if phrase:
            groups[_HEADINGS.get(meaning, _HELP if meaning in COMMANDS else _ANSWERS)].append(phrase)
    first, last = groups[LETTERS][:2], groups[LETTERS][-1:]
    groups[LETTERS] = [*first, "... " + "".join(last)] if last else []
    words = _count_words_heard(state, vocabulary, lines)
    groups[_WORDS] = [texts("any of {count} words NAO knows", count=words)] if words else []
    return [(texts(heading), ", ".join(phrases)) for heading, phrases in groups.items() if phrases]


class Part(NamedTuple):
    """The phrase of the first answer in a line, the other answers, and the reason if there is no phrase."""

    phrase: str
    rest: tuple[str, ...] = ()
    remark: str = ""


def choose_phrase(
    line: str, state: str, vocabulary: Sequence[str], lines: Lines, texts: Translated = fill_english
) -> Part:
    """Return the phrase that NAO hears for the first answer in a line.

    >>> choose_phrase("1 2", "both", ["one", "two"], mind.load_lines())
    Part(phrase='one', rest=('2',), remark='')
    >>> choose_phrase("maybe", "word", ["yes", "no"], mind.load_lines()).remark
    "NAO does not listen for 'maybe' now."
    """
    remark = explain_misfit(line, state, vocabulary, lines, texts)
    if remark:
        return Part("", remark=remark)
    first, *rest = split_line(line, state, lines, vocabulary)
    typed = parse_typed_line(first, state, lines, vocabulary)
    if typed.phrase is None or typed.confidence < TYPED_CONFIDENCE:
        return Part("", remark=texts("NAO does not listen for '{answer}' now.", answer=first[:_MOST_QUOTED]))
    return Part(typed.phrase, tuple(rest))


#: The most answers of one tap, such as the letters of a word.
MAX_WAITING_ANSWERS = 10


class Ears(NamedTuple):
    """The engine that NAO listens with (None while it does not listen), and its vocabulary."""

    engine: str | None
    vocabulary: Sequence[str]


def parse_ears(told: dict[str, Any]) -> Ears:
    """Read a robot's answer about its speech recognition."""
    return Ears(told.get("engine"), [str(phrase) for phrase in told.get("vocabulary") or ()])
