"""Wordle: marks as people type them, hard mode, the words and their frequencies, a game, and a helper."""

import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

from jotto import compat
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import WORDLE, JottoError, Rules
from jotto.words import BlockList, WordList, fold_word
from jotto_desk import files
from jotto_desk.errors import DeskError, MissingExtra, as_desk_errors, did_you_mean
from jotto_desk.games import advice
from jotto_desk.words import lists
from jotto_desk.words.lists import DEFAULT_LANGUAGE, read_own_list

# Rounds as people write them: a guess and a mark per letter, in any of the usual forms.
#
# `S_E,U_N,G_N,A_P,R_P` names each letter with its mark: E exact, P present elsewhere, N none. `SUGAR GBBYY` has
# green, yellow and black (or E, P, N again, or 2, 1, 0), `SUGAR` with coloured squares is what Wordle shares. A round
# is read strictly: an impossible round is refused with a sentence, never guessed at.

_MARKS = {
    **dict.fromkeys("EG2🟩🟢🟧🟠", "E"),
    **dict.fromkeys("PY1🟨🟡🟦🔵", "P"),
    **dict.fromkeys("NBX0-.⬛⬜⚫⚪", "N"),
}
#: The squares of a row, in the order E, P, N.
_MARK_SQUARES = {"E": "🟩", "P": "🟨", "N": "⬛"}
#: The meaning of the marks, shown before a game.
MARK_LEGEND = (
    "🟩 G: the letter is right; 🟨 Y: it is in the word, in the wrong place; ⬛ B: it is not in the word, or not again."
)
ROUND_EXAMPLE = "S_E,U_N,G_N,A_P,R_P or SUGAR GBBYY"
_NAMED = re.compile(r"(?i)\s*([a-z])\s*[_:=]\s*(\w)\s*")
_LONGEST = 200


def mark_squares(row: str) -> str:
    """Write a row of marks as coloured squares.

    >>> mark_squares("ENPNN")
    '🟩⬛🟨⬛⬛'
    """
    return "".join(_MARK_SQUARES[mark] for mark in row)


def _list_signs(typed: str) -> list[str]:
    """List the signs of a text; squares can be followed by a sign that says how they are drawn."""
    return [sign for sign in typed if unicodedata.category(sign) not in ("Mn", "Cf")]


def is_mark_row(typed: str) -> bool:
    """Return whether only marks were typed, without a guess."""
    signs = [sign for sign in _list_signs(typed) if not sign.isspace()]
    return len(signs) == WORDLE.length and all(sign.upper() in _MARKS for sign in signs)


def parse_round(typed: str, guess: str = "", rules: Rules = WORDLE) -> Turn:
    """Read a guess and its marks; `guess` is the word asked where only its marks are typed.

    Raises `DeskError` if it is not a round, has wrong letters or marks, or marks that no word could give.

    >>> tuple(map(str, parse_round("SUGAR 🟩⬛⬛🟨🟨")))
    ('sugar', 'ENNPP')
    """
    text = "".join(_list_signs(typed.strip()))
    if len(text) > _LONGEST:
        raise DeskError(f"'{text[:40]}...' is too long for a round; write it as {ROUND_EXAMPLE}.")
    word, row = _split_round(text, guess, rules)
    with as_desk_errors(JottoError):
        rules.check(word)
        row = rules.parse_feedback(row)
    for place, (letter, mark) in enumerate(zip(word, row, strict=True)):
        if mark == "P" and ("N" in (row[spot] for spot in range(place) if word[spot] == letter)):
            why = f"of two {letter.upper()} the first one is marked, so none elsewhere is left for the second"
            raise DeskError(f"'{mark_squares(row)}' is impossible for {word.upper()}: {why}; check the round.")
    return Turn(word, row)


def _split_round(text: str, guess: str, rules: Rules) -> tuple[str, str]:
    if "_" in text or re.search(r"[a-zA-Z]\s*[:=]\s*\w\s*(,|$)", text):
        return _parse_named_marks(text, rules)
    words = re.split(r"[\s,;:=]+", text.strip(" ,;:="))
    if guess and all(len(mark) == 1 for mark in words):
        words = ["".join(words)]
    row = "".join(words[1:]) if len(words) > 1 else words[0]
    if len(words) == 1 and not guess:
        raise DeskError(f"'{text}' is not a round; write the guess and its marks, such as {ROUND_EXAMPLE}.")
    word = words[0].lower() if len(words) > 1 else guess
    return word, _mark_row(row, word, rules)


def _mark_row(marks: str, word: str, rules: Rules) -> str:
    found = [_MARKS.get(mark.upper(), "") for mark in marks]
    if "" in found:
        wrong = marks[found.index("")]
        raise DeskError(f"'{wrong}' in '{marks}' is not a mark; use G, Y, B (or E, P, N, or coloured squares).")
    if len(found) != rules.length:
        wrong = f"'{marks}' has {len(found)} marks for the {rules.length} letters of {word.upper()}"
        raise DeskError(f"{wrong}; give one per letter, such as {ROUND_EXAMPLE}.")
    return "".join(found)


def _parse_named_marks(text: str, rules: Rules) -> tuple[str, str]:
    word, row = "", ""
    for part in text.strip(" ,;").replace(";", ",").split(","):
        match = _NAMED.fullmatch(part)
        if match is None:
            raise DeskError(f"'{part.strip()}' in '{text}' is not a letter and its mark; write it as {ROUND_EXAMPLE}.")
        word, row = word + match[1].lower(), row + match[2]
    if len(word) != rules.length:
        raise DeskError(f"'{text}' has {len(word)} letters; a round has {rules.length}, such as {ROUND_EXAMPLE}.")
    return word, _mark_row(row, word, rules)


# Hard mode: green letters stay, yellow ones are used as often again, grey ones may return.


def find_unused_hint(guess: str, turns: Sequence[Turn]) -> str:
    """Return which hint a guess does not use; empty when it uses all.

    >>> find_unused_hint("crane", [Turn("sugar", "ENNPP")])
    'CRANE: the 1st letter must be S; turn 1 (SUGAR) marked it green.'
    >>> find_unused_hint("scrap", [Turn("sugar", "ENNPP")])
    ''
    """
    named = [f"turn {number} ({turn.guess.upper()})" for number, turn in enumerate(turns, start=1)]
    for name, turn in zip(named, turns, strict=True):
        for place, (mark, letter) in enumerate(zip(turn.feedback, turn.guess, strict=True)):
            if mark == "E" and guess[place] != letter:
                ordinal = f"{place + 1}{('st', 'nd', 'rd')[place] if place < 3 else 'th'}"
                return f"{guess.upper()}: the {ordinal} letter must be {letter.upper()}; {name} marked it green."
    for name, turn in zip(named, turns, strict=True):
        held = Counter(letter for mark, letter in zip(turn.feedback, turn.guess, strict=True) if mark != "N")
        for letter, count in held.items():
            if guess.count(letter) < count:
                many = letter.upper() if count == 1 else f"{letter.upper()} {'twice' if count == 2 else 'three times'}"
                return f"{guess.upper()}: it must contain {many}; {name} marked it."
    return ""


# A game of Wordle: a secret, the words that can be guessed, the rounds so far.

GAME_ROUNDS = 6


@dataclass(frozen=True)
class Wordle:
    """A game, never changed, only followed by another; an empty `words` lets any letters be guessed."""

    secret: str
    words: frozenset[str] = frozenset()
    is_hard: bool = False
    turns: tuple[Turn, ...] = ()

    @property
    def solved(self) -> bool:
        """Return whether the last guess was the word."""
        return bool(self.turns) and self.turns[-1].guess == self.secret

    @property
    def over(self) -> bool:
        """Return whether the game is over."""
        return self.solved or len(self.turns) >= GAME_ROUNDS

    def explain_refusal(self, guess: str) -> str:
        """Return the reason why a guess does not count; empty when it does."""
        try:
            WORDLE.check(guess)
        except JottoError as error:
            return f"{error} It costs nothing."
        if self.words and guess not in self.words and guess != self.secret:
            return f"{guess.upper()} is not in the list of words; it costs nothing."
        return find_unused_hint(guess, self.turns) if self.is_hard else ""

    def add_guess(self, guess: str) -> "Wordle":
        """Guess a word that counts."""
        return replace(self, turns=(*self.turns, Turn(guess, WORDLE.score(guess, self.secret))))

    def format_title(self) -> str:
        """Return the first line of a shared result: the rounds it took, a star for hard mode."""
        return f"Wordle {len(self.turns) if self.solved else 'X'}/{GAME_ROUNDS}{'*' if self.is_hard else ''}"


def fold_typed_word(typed: str) -> str:
    """Return a word as it is compared: small letters, no accents, no blanks around it."""
    return str(fold_word(typed.strip()[:60], WORDLE.alphabet))


# The helper's words with their frequencies: from the game's list, NLTK's corpora or wordfreq.

OUR_LIST, _NLTK_SOURCE, _WORDFREQ_SOURCE = "list", "nltk", "wordfreq"
VOCABULARY_SOURCES = (OUR_LIST, _NLTK_SOURCE, _WORDFREQ_SOURCE)
CORPORA = ("brown", "webtext", "gutenberg")
#: The weight of a word of each SCOWL band as an answer; words of no known band count as the rarest.
BAND_COUNTS = {10: 16.0, 20: 8.0, 35: 3.0, 40: 1.0, 50: 0.5}
#: Secrets are drawn from words of this SCOWL size or commoner.
_RAREST_SIZE = 35
_PLAIN, _WORD_OR_SIGNS = re.compile("[A-Za-z]+"), re.compile(r"\w+|[^\w\s]+")


@dataclass(frozen=True)
class Vocabulary:
    """Words, the most frequent first, with a count each; `unit` is the unit of the counts.

    `corpora` has the corpora that were read, in order, with the number of different words up to each. Words `unspoken`
    can be the answer, but are neither asked nor shown.
    """

    name: str
    counts: dict[str, float]
    unit: str
    unspoken: frozenset[str] = frozenset()
    corpora: tuple[tuple[str, int], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """All words, the most frequent first."""
        return tuple(self.counts)

    @property
    def spoken(self) -> tuple[str, ...]:
        """The words that can be asked and shown, the most frequent first."""
        return tuple(word for word in self.counts if word not in self.unspoken)


def load_vocabulary(source: str, word_list: str = "", *, with_blocked: bool = False) -> Vocabulary:
    """Return the words of a source; a `word_list` keeps to its own words, with the counts of the source.

    Words of the block list stay in, unspoken; `with_blocked` speaks them too.
    Raises `DeskError` for an unknown source, and if NLTK, its corpora or wordfreq are missing.
    """
    if source not in VOCABULARY_SOURCES:
        known = f"{', '.join(VOCABULARY_SOURCES)}.{did_you_mean(source, VOCABULARY_SOURCES)}"
        raise DeskError(f"There is no source of frequencies '{source}'; choose one of: {known}")
    blocked = BlockList(frozenset()) if with_blocked else lists.load_block_list()
    listed: WordList | None = None
    if word_list or source == OUR_LIST:
        # With every word of it, blocked ones too.
        found = lists.find(word_list or DEFAULT_LANGUAGE)
        listed = lists.parse_list(found, WORDLE, BlockList(frozenset())).wordlist
    if source == OUR_LIST and listed is not None:
        least = min(BAND_COUNTS.values())
        # A list that does not say how common its words are has them all alike.
        counts = {word: BAND_COUNTS.get(band, least) for word, band in zip(listed.words, listed.bands, strict=True)}
        return _make_vocabulary(listed.name, counts, "weight by how common", blocked)
    corpora = []
    if source == _NLTK_SOURCE:
        summed = Counter[str]()
        for corpus in CORPORA:
            summed += count_corpus_words(corpus)
            corpora.append((corpus, len(summed)))
        counts, unit = {word: float(count) for word, count in summed.items()}, f"times in {', '.join(CORPORA)}"
    else:
        counts, unit = _count_by_wordfreq(), "per million words"
    if listed is not None:
        counts = {word: counts.get(word, 0.0) for word in listed.words}
    name = listed.name if listed else source
    return replace(_make_vocabulary(name, counts, unit, blocked), corpora=tuple(corpora))


def list_unfit_words(name: str) -> frozenset[str]:
    """Return the words that are never drawn as secrets from a list of the game; none for any other list."""
    if name not in lists.list_names():
        return frozenset()
    path = files.find_shipped_path("wordlists") / f"{name}-late.txt"
    return frozenset(fold_word(word, WORDLE.alphabet) for word in read_own_list(path))


def draw_common_secret(known: Vocabulary, seed: int) -> str:
    """Draw a common word that is fit for children; if none exists, any word that can be shown."""
    unfit = list_unfit_words(known.name)
    fit = [one for one in known.spoken if one not in unfit] or known.spoken
    enough = [one for one in fit if known.counts[one] >= BAND_COUNTS[_RAREST_SIZE]]
    return compat.draw_item(tuple(enough or fit), seed, "secret")


def _make_vocabulary(name: str, counts: dict[str, float], unit: str, blocked: BlockList) -> Vocabulary:
    unspoken = frozenset(word for word in counts if blocked.blocks(word))
    return Vocabulary(name, dict(sorted(counts.items(), key=lambda pair: -pair[1])), unit, unspoken)


def _list_words(reader: Any, file: str) -> list[str]:
    """Cut one text of a corpus into words, as its reader does."""
    text = compat.as_text(reader.raw(file))
    if hasattr(reader, "tagged_words"):
        cut = (token.rpartition("/") for token in text.split())
        return [word if slash else tag for word, slash, tag in cut]
    return _WORD_OR_SIGNS.findall(text)


def load_corpus_words(name: str) -> list[str]:
    """Read all words of one of NLTK's corpora through its reader.

    Raises `DeskError` if NLTK or the corpus is missing, with the command that gets it.
    """
    try:
        import nltk
    except ImportError as error:
        raise MissingExtra("Frequencies from NLTK need nltk", "words") from error
    reader: Any = getattr(nltk.corpus, name)
    try:
        # Its `words()` gives the same, line by line, in many times as long.
        return [word for file in reader.fileids() for word in _list_words(reader, file)]
    except LookupError as error:
        get = f"python -m nltk.downloader {name} (or set NLTK_DATA to the folder that has it)"
        raise DeskError(f"NLTK's corpus '{name}' is missing; get it with: {get}.") from error
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        where = os.environ.get("NLTK_DATA", "NLTK's folder")
        raise DeskError(
            f"NLTK's corpus '{name}' in '{where}' cannot be read; get it again with: python -m nltk.downloader {name}"
        ) from error


def count_corpus_words(name: str) -> Counter[str]:
    """Count the words of a corpus that Wordle allows, whatever their case; only plain letters count."""
    plain = (word.lower() for word in load_corpus_words(name) if len(word) == WORDLE.length and _PLAIN.fullmatch(word))
    return Counter({word: count for word, count in Counter(plain).items() if WORDLE.allows(word)})


def _count_by_wordfreq() -> dict[str, float]:
    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtra("Frequencies from wordfreq need wordfreq", "words") from error
    known: dict[str, float] = wordfreq.get_frequency_dict("en", wordlist="small")
    allowed = (word for word in known if len(word) == WORDLE.length and WORDLE.allows(word))
    return {word: round(known[word] * 1e6, 3) for word in allowed}


# The words left, ranked by frequency and by information, and the guess to ask.

#: Look-alikes are mentioned only if at most this many words fit.
_MAX_ALIKE = 60
_UNSPOKEN = "Only words I do not say fit ({count}); --with-blocked shows them."


@dataclass(frozen=True)
class HelperReport:
    """The number that fit; those that can be shown with counts, and ranked by information; the best guess and why."""

    left: int
    fitting: list[tuple[str, float]]
    telling: list[advice.GuessOption]
    best: advice.GuessOption | None
    reason: str
    remarks: list[str]

    def plain(self, count: int) -> dict[str, Any]:
        """Return the report as a dict that JSON can hold, `count` words of each ranking."""
        rows = []
        for one in (one for one in self.telling if one.fits):
            figures = {"chance": round(one.chance, 6), "bits": round(one.bits, 4)}
            rows.append({"word": one.word, **figures, "groups": one.groups, "largest": one.largest})
        best: dict[str, Any] | None = None
        if self.best is not None:
            best = {"word": self.best.word, "fits": self.best.fits, "bits": round(self.best.bits, 4)}
            best["reason"] = self.reason
        frequent = [list(pair) for pair in self.fitting[:count]]
        words = {"left": self.left, "frequent": frequent, "telling": rows[:count]}
        return {**words, "best": best, "remarks": self.remarks}


class WordleHelper:
    """A vocabulary filtered by rounds: it keeps every word that would have given their marks.

    `even` takes all words to be equally likely, else frequent ones are likelier (by the square root of the count).
    """

    def __init__(self, vocabulary: Vocabulary, is_hard: bool = False, even: bool = False) -> None:
        self.vocabulary, self.is_hard, self.even = vocabulary, is_hard, even
        self.index = Index(vocabulary.words, WORDLE)
        self._weights = {} if even else {word: sqrt(count) for word, count in vocabulary.counts.items()}
        self._known: dict[tuple[Turn, ...], str] = {}

    def list_fitting(self, turns: Sequence[Turn]) -> list[str]:
        """List the words that agree with every round, the most frequent first."""
        return [str(word) for word in self.index.list_words(self.index.find_candidates(turns))]

    def guess(self, turns: Sequence[Turn]) -> str:
        """Return the best guess; empty if no word fits. Results are cached."""
        key = tuple(turns)
        if key not in self._known:
            found = self.list_fitting(turns)
            ranked = (
                self._make_advisor(found).rank_guesses(self.vocabulary.spoken, self._may_ask(turns)) if found else []
            )
            self._known[key] = str(ranked[0].word) if ranked else ""
        return self._known[key]

    def report(self, turns: Sequence[Turn]) -> HelperReport:
        """Return the words left and the guess to ask."""
        found = self.list_fitting(turns)
        unspoken = self.vocabulary.unspoken
        counted = [(word, self.vocabulary.counts[word]) for word in found if word not in unspoken]
        silent = len(found) - len(counted)
        if not found:
            return HelperReport(0, [], [], None, "", advice.describe_suspicions(turns, self.index, self._show_word))
        advisor = self._make_advisor(found)
        ranked = advisor.rank_guesses(self.vocabulary.spoken, self._may_ask(turns))
        if not counted:
            return HelperReport(len(found), [], [], None, "", [_UNSPOKEN.format(count=silent)])
        telling = [option for option in ranked if option.fits]
        why = advice.guess_reason(ranked[0], len(found), WORDLE, str.upper, telling[0] if telling else None)
        alike = self._warn_of_lookalikes(advisor, [word for word, _ in counted], turns)
        return HelperReport(len(found), counted, telling, ranked[0], why, alike)

    def why(self, turns: Sequence[Turn], word: str = "") -> list[str]:
        """Explain why the best guess is the best, or whether a word can be the secret and what it would reveal."""
        found = self.list_fitting(turns)
        if not found:
            return advice.describe_suspicions(turns, self.index, self._show_word)
        advisor = self._make_advisor(found)
        if word:
            return advice.explain_word(word, turns, advisor, str.upper)
        ranked = advisor.rank_guesses(self.vocabulary.spoken, self._may_ask(turns))
        if not ranked:
            return [_UNSPOKEN.format(count=len(found))]
        return advice.compare_words(ranked, len(found), WORDLE, self._show_word)

    def _make_advisor(self, found: Sequence[str]) -> advice.Advisor:
        return advice.Advisor(found, WORDLE, self._weights)

    def _may_ask(self, turns: Sequence[Turn]) -> Callable[[str], bool]:
        def may(word: str) -> bool:
            return word not in self.vocabulary.unspoken and not (self.is_hard and find_unused_hint(word, turns))

        return may

    def _show_word(self, word: str) -> str:
        return "*****" if word in self.vocabulary.unspoken else word.upper()

    def _warn_of_lookalikes(self, advisor: advice.Advisor, found: Sequence[str], turns: Sequence[Turn]) -> list[str]:
        """Warn of words that differ in one place only, and name a word that tells them apart."""
        pattern, alike = advice.find_lookalikes(found) if len(found) <= _MAX_ALIKE else ("", [])
        if not alike:
            return []
        shown = ", ".join(word.upper() for word in alike[:8]) + (" ..." if len(alike) > 8 else "")
        said = f"{len(alike)} words are {pattern.upper()}: {shown}."
        splitter = advisor.find_splitting(alike, self.vocabulary.spoken, self._may_ask(turns))
        if splitter is None:
            return [said]
        if splitter.groups == len(alike):
            apart = f"{splitter.word.upper()} tells all of them apart in one guess"
            return [f"{said} {apart}; asked one by one they could take {len(alike)} guesses."]
        return [f"{said} {splitter.word.upper()} tells most of them apart: {splitter.groups} groups."]


def describe_hints(turns: Sequence[Turn]) -> str:
    """Return a summary of the rounds: places, letters that are in, with places they can have, letters that are out.

    >>> describe_hints([Turn("sugar", "ENNPP")])
    'Places S....   in: S A (2 3 5) R (2 3 4)   out: U G'
    """
    if not turns:
        return "Nothing is known yet."
    known = find_known_letters(turns)
    possible = find_possible_places(turns)
    inside = " ".join(
        " ".join(letter * count) + (f" ({' '.join(map(str, possible[letter]))})" if letter in possible else "")
        for letter, count in known.inside.items()
        if count
    )
    outside = " ".join(letter for letter, count in known.inside.items() if not count)
    return f"Places {known.places}   in: {inside or '-'}   out: {outside or '-'}"


class MarkedLetters(NamedTuple):
    """Letters known from marks: by place (`.` if unknown), and the fewest copies in the word of each letter guessed."""

    places: str
    inside: dict[str, int]


def find_known_letters(turns: Sequence[Turn]) -> MarkedLetters:
    """Return what rounds tell of the letters.

    >>> find_known_letters([Turn("sugar", "ENNPP")])
    MarkedLetters(places='S....', inside={'S': 1, 'U': 0, 'G': 0, 'A': 1, 'R': 1})
    """
    places, held = ["."] * WORDLE.length, dict[str, int]()
    for turn in turns:
        row = list(zip(turn.guess.upper(), turn.feedback, strict=True))
        places = [letter if mark == "E" else known for (letter, mark), known in zip(row, places, strict=True)]
        for letter in dict.fromkeys(letter for letter, _ in row):
            count = sum(1 for other, mark in row if other == letter and mark != "N")
            held[letter] = max(held.get(letter, 0), count)
    return MarkedLetters("".join(places), held)


def find_possible_places(turns: Sequence[Turn]) -> dict[str, list[int]]:
    """Return the places from 1 that are still possible for letters in the word whose places are not all known.

    >>> find_possible_places([Turn("sugar", "ENNPP")])
    {'A': [2, 3, 5], 'R': [2, 3, 4]}
    """
    known = find_known_letters(turns)
    return {
        letter: [
            place
            for place, found in enumerate(known.places, start=1)
            if found == "." and all(turn.guess[place - 1].upper() != letter for turn in turns)
        ]
        for letter, count in known.inside.items()
        if known.places.count(letter) < count
    }


def share_rounds(turns: Sequence[Turn]) -> str:
    """Write the rounds as squares, one line each, as people share them."""
    return "\n".join(mark_squares(turn.feedback) for turn in turns)


# Questions in a Wordle: help, the words that fit, and the reason for a guess.

QUESTION_VERBS = ("help", "?", "list", "why")
_DEFAULT_LISTED, _MAX_LISTED = 20, 10_000
_QUESTION_HELP = (
    "list [N]: the words that fit. why: {why}; why WORD: whether it can be the word, and what it would reveal."
)
_PLAYING_HELP = f"""A guess: five letters; a word that does not count costs nothing.
{MARK_LEGEND}
{_QUESTION_HELP.format(why="the marks so far")}
help: this. stop: the end."""
_HELPING_HELP = f"""\
A round: your guess and its marks, such as {ROUND_EXAMPLE}; type only the marks if you guessed the best word.
{MARK_LEGEND}
{_QUESTION_HELP.format(why="why the best guess is the best")}
undo: take the last round back. help: this. stop: the end."""


def answer_question(typed: str, helper: "WordleHelper", turns: Sequence[Turn], is_playing: bool = False) -> list[str]:
    """Answer `help`, `list` or `why`, in lines; an empty list for other words."""
    verb, _, rest = typed.lower().partition(" ")
    rest = rest.strip()
    if verb not in QUESTION_VERBS:
        return []
    if verb in ("help", "?"):
        return (_PLAYING_HELP if is_playing else _HELPING_HELP).splitlines()
    if verb == "list":
        if rest and not (rest.isascii() and rest.isdecimal()):
            return [f"'{rest[:60]}' is not a number of words; write list 20."]
        found = [word for word in helper.list_fitting(turns) if word not in helper.vocabulary.unspoken]
        return [list_words(found, min(int(rest[:6]), _MAX_LISTED) if rest else _DEFAULT_LISTED)]
    if not rest:
        return [describe_hints(turns)] if is_playing else helper.why(turns)
    word = fold_typed_word(rest)
    try:
        WORDLE.check(word)
    except JottoError as error:
        return [str(error)]
    return helper.why(turns, word)


def list_words(words: Sequence[str], count: int) -> str:
    """List words that still fit."""
    more = len(words) - count
    some = " ".join(word.upper() for word in words[:count])
    return f"{len(words):,} fit: {some}{f' and {more:,} more' if more > 0 else ''}" if words else "No word fits."


def congratulate(turns: Sequence[Turn]) -> str:
    """Congratulate on the word found."""
    count = len(turns)
    return f"Congratulations! {turns[-1].guess.upper()} is it, found in {count} guess{'es' if count > 1 else ''}."
