"""What a person types, turned into what NAO hears."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jotto.rules import JOTTO
from jotto.words import capitalise_word, fold_word, lower_word
from jotto_behaviour import mind
from jotto_behaviour.lines import Lines
from jotto_behaviour.mind import MAX_HEARABLE_WORDS
from jotto_behaviour.settings import LEVELS
from jotto_behaviour.states import (
    BEYOND,
    COMMANDS,
    EVERY_LETTER,
    LANGUAGES,
    NONE,
    NUMBERS,
    PAIRS,
    STATES,
    list_meanings,
)
from jotto_desk.history import Translated, fill_english

from .questions import FIRST

MIDDLE = "MiddleTactilTouched"
SENSORS = {"front": "FrontTactilTouched", "middle": MIDDLE, "back": "RearTactilTouched", "rear": "RearTactilTouched"}
TYPED, MUMBLED = 1.0, 0.05
#: States in which letters are listened for; in the second, words too.
SPELL, GUESS, WHICH, NOTE = "spell", "your guess", "word or letter?", "sealed note"
SPELLING = (SPELL, GUESS, WHICH, NOTE)
#: States in which a typed word is a guess, also where NAO has letters of another one, or asks about it.
GUESSING = (GUESS, WHICH, "your word?")
#: States in which the person tells a word of their own: what is typed there is not kept for the next game.
PRIVATE = ("tell", "spell", "spelled", NOTE)
#: Longer words are quoted in part: with what stands around them they fit on the narrowest screen.
MOST_QUOTED = 30
#: The groups of what NAO understands: headings, and meanings in their order. What answers NAO's question otherwise is
#: an answer, any other command is help.
ANSWERS, WORDS, LETTERS, HELP = "answers", "words", "letters", "help"
GROUPS: dict[str, Sequence[str]] = {
    ANSWERS: FIRST,
    "numbers": (*NUMBERS, "1 2", NONE),
    WORDS: (),
    LETTERS: EVERY_LETTER,
    "levels": LEVELS,
    HELP: ("help", "repeat", "hint", "know", "why", "score", "left"),
    "undo": ("back", "mistake", "back one", "cancel"),
    "stop": ("wait", "give up", "stop"),
    "languages": LANGUAGES,
}
HEADINGS = {meaning: heading for heading, found in GROUPS.items() for meaning in found}
ORDER = [meaning for heading, found in GROUPS.items() for meaning in found if HEADINGS[meaning] == heading]
#: Named by the example of one pair of numbers.
UNSAID = {*PAIRS, BEYOND}
TWICE = "A word has five different letters; '{word}' has {letter} twice."


class Typed(NamedTuple):
    """A phrase with a confidence, a touch, or (neither) silence."""

    phrase: str | None = None
    confidence: float = TYPED
    sensor: str = ""


def understand(text: str, state: str, lines: Lines, vocabulary: Sequence[str]) -> Typed:
    """Read one typed answer: digits and y/n are short for words, single letters for alphabet words.

    "I think two" and "two letters" are two, unless NAO listens for just these words. What is not in
    the vocabulary reaches NAO as a recogniser delivers a mumble: some phrase, hardly believed.
    """
    words = text.split()
    if not words:
        return Typed()
    if len(words) == 2 and words[0] == "touch" and words[1] in SENSORS:
        return Typed(sensor=SENSORS[words[1]])
    known = _known(tuple(vocabulary), lines.alphabet, f" {lines.and_word} ")
    plain = _without_fillers(text, lines)
    for answer in (text, plain, plain.replace(f" {lines.and_word} ", " ")):
        phrase = _in_words(answer, state, lines)
        for meant in (answer.lower(), phrase.lower(), fold_word(answer, lines.alphabet)):
            if meant in known:
                return Typed(known[meant])
        same = lines.heard_as(phrase, vocabulary)
        if same is not None:
            return Typed(same)
    return Typed(vocabulary[0], MUMBLED) if vocabulary else Typed()


def _known(vocabulary: tuple[str, ...], alphabet: str, joint: str = " ") -> dict[str, str]:
    """Return what NAO listens for, by how it may be typed: in small letters, without accents and without an "and"."""
    bare = {fold_word(phrase, alphabet): phrase for phrase in reversed(vocabulary) if not phrase.isascii()}
    apart = {phrase.lower().replace(joint, " "): phrase for phrase in reversed(vocabulary)}
    return apart | bare | {phrase.lower(): phrase for phrase in reversed(vocabulary)}


def _without_fillers(text: str, lines: Lines) -> str:
    """Leave out what people put around an answer."""
    before, after = ("|".join(map(re.escape, lines.fillers[side])) for side in ("before", "after"))
    return re.sub(f" (?:{after})(?= |$)", "", re.sub(f"^(?:(?:{before}) )+", "", text))


def _in_words(text: str, state: str, lines: Lines) -> str:
    """Return the phrase that a short form stands for; any number above five is said in the first such phrase."""
    if (text.isdigit() and text.isascii()) or text in lines.more_numbers:
        number = int(text[:3]) if text.isdigit() else len(lines.numbers)
        return lines.number(number) if number < len(lines.numbers) else lines.phrases([BEYOND])[0]
    if len(text) == 1 and state in SPELLING:
        return lines.letters.get(text, text)
    if text in lines.short:
        return lines.phrases([lines.short[text]])[0]
    return re.sub(r"\b[0-5]\b", lambda digit: lines.number(int(digit.group())), text)


def parts(line: str, state: str, lines: Lines, vocabulary: Sequence[str] = ()) -> Iterator[str]:
    """Several answers on one line: `1 2` are two numbers, a word spelled is five letters, and so is `o c e a n`.

    A part may be a line of its own, with parts again: a guess that takes the place of letters first cancels these.
    Punctuation is ignored, since it is not heard: `Yes!` is yes, `1, 2` are two numbers.
    """
    words = re.sub(r"[.,;:!?\"]+(?=\s|$)|,", " ", line[:200].replace("\u2019", "'")).lower().split()
    if len(words) > 1 and all(word.isdecimal() or word in lines.numbers for word in words):
        yield from _numbers(words, lines, vocabulary)
    elif state in GUESSING and _replaces_letters(words, state, lines, vocabulary):
        yield from (lines.phrases(["cancel"])[0], words[0])
    elif state in SPELLING and _is_spelled(words, lines, vocabulary):
        yield from words[0] if len(words) == 1 else words
    else:
        yield " ".join(words)


def _numbers(words: list[str], lines: Lines, vocabulary: Sequence[str]) -> Iterator[str]:
    """Join two numbers where NAO listens for both in one breath, else give one by one."""
    named = [lines.number(int(word)) if word.isdecimal() else word for word in words]
    pair = lines.meaning(" ".join(named), PAIRS)
    phrase = lines.phrases([pair])[0] if pair else ""
    yield from [phrase] if phrase in vocabulary else words


def _is_spelled(words: list[str], lines: Lines, vocabulary: Sequence[str]) -> bool:
    """Tell whether these are letters: a word NAO does not listen for, or several letters or alphabet words."""
    names = [name.lower() for name in lines.letters.values()]
    if len(words) != 1:
        return bool(words) and all(word in lines.letters or word in names for word in words)
    short = lines.typed(["help", "stop", "repeat", "hint", "why", "back", "give up", "yes", "no"])
    spoken = {*short, *lines.phrases(["cancel"]), *names, *map(str.lower, vocabulary)}
    return words[0].isalpha() and words[0] not in spoken


def _replaces_letters(words: list[str], state: str, lines: Lines, vocabulary: Sequence[str]) -> bool:
    """Return whether this is a word where NAO listens for letters alone, and for a wish to drop those it has."""
    return (
        len(words) == 1
        and len(words[0]) == JOTTO.length
        and _is_spelled(words, lines, vocabulary)
        and lines.phrases(["cancel"])[0] in vocabulary
        and not _words_heard(state, vocabulary, lines)
    )


def misfit(
    line: str, state: str, vocabulary: Sequence[str], lines: Lines | None = None, texts: Translated = fill_english
) -> str:
    """Say why what was typed is no word of the game: a letter twice, or for a guess its length or NAO's list."""
    spoken = lines or mind.load_lines()
    written = lower_word(line.strip().strip('.,;:!?"'))
    word = fold_word(written, spoken.alphabet)
    if not word.isalpha() or word in _known(tuple(vocabulary), spoken.alphabet) or spoken.heard_as(word, vocabulary):
        return ""
    guesses, has_five = state in (GUESS, WHICH), len(word) == JOTTO.length
    if guesses and not has_five and len(word) > 1:
        return texts("A guess has five letters; '{word}' has {count}.", word=written[:MOST_QUOTED], count=len(word))
    twice = next((letter for letter in word if word.count(letter) > 1), "")
    if not twice and has_five and state == GUESS and 0 < _words_heard(state, vocabulary, spoken) < MAX_HEARABLE_WORDS:
        return texts("'{word}' is not on NAO's list and does not count. Guess another word.", word=written)
    # A word that the player tells NAO by spelling may be wrong: that explains the game.
    if not twice or not has_five or state == SPELL:
        return ""
    said = "A guess has five different letters; '{word}' has {letter} twice." if guesses else TWICE
    return texts(said, word=written, letter=capitalise_word(twice))


def _words_heard(state: str, vocabulary: Sequence[str], lines: Lines) -> int:
    """Return how many words of its list NAO listens for: none once it has letters, and never more than
    `MAX_HEARABLE_WORDS`.
    """
    own = _own_phrases(state, lines)
    return sum(phrase.lower() not in own for phrase in vocabulary)


def _own_phrases(state: str, lines: Lines) -> set[str]:
    """Return what may be answered in a state besides the words of the list, in small letters."""
    wanted = [*_meanings(state), "yes", "no"]
    # One by one: two bare numbers are left out where a no is wanted, too.
    spoken = [phrase for meaning in wanted for phrase in lines.phrases([meaning])]
    return {phrase.lower() for phrase in spoken + lines.typed(wanted)}


def _meanings(state: str) -> list[str]:
    """List what NAO listens for in a state; when it asks to confirm an answer, what it listens for in any state."""
    states = [state] if state in STATES else list(STATES)
    return sorted({meaning for each in states for meaning in list_meanings(each) if meaning})


def understood(
    state: str, lines: Lines, vocabulary: Sequence[str], texts: Translated = fill_english
) -> list[tuple[str, str]]:
    """Group what NAO understands now below headings: one phrase for each meaning, and how many words of its list."""
    groups: dict[str, list[str]] = {heading: [] for heading in GROUPS}
    now = _meanings(state)
    for meaning in [*ORDER, *(other for other in now if other not in UNSAID and other not in ORDER)]:
        phrase = next((each for each in lines.phrases([meaning]) if each in vocabulary), "") if meaning in now else ""
        if phrase:
            groups[HEADINGS.get(meaning, HELP if meaning in COMMANDS else ANSWERS)].append(phrase)
    first, last = groups[LETTERS][:2], groups[LETTERS][-1:]
    groups[LETTERS] = [*first, "... " + "".join(last)] if last else []
    words = _words_heard(state, vocabulary, lines)
    groups[WORDS] = [texts("any of {count} words NAO knows", count=words)] if words else []
    return [(texts(heading), ", ".join(phrases)) for heading, phrases in groups.items() if phrases]
