"""Records of a game: the current talk and boards, finished games, NAO's reasons, NAO's lines, a transcript."""

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jotto.rules import JottoError
from jotto.strategies import Consistent
from jotto.words import capitalise_word
from jotto_behaviour import guessing, memory, mind
from jotto_behaviour.files import FINISHED_FILE, MAX_NOTEBOOK_BYTES
from jotto_behaviour.lines import NUMBER_SIGN, PLACEHOLDER, Line, Lines, NumberForms
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import STATES, list_meanings
from jotto_behaviour.talk import Talk
from jotto_desk import files, history

# Guesses and secrets in capitals.

#: A placeholder for a guess or a secret in a wording.
_WORD = re.compile(r"\{(?:guess|word|phrase)\}", re.IGNORECASE)
#: Any other placeholder at an end of a wording.
_OTHER_ENDS = re.compile(r"^\{(?!guess|word|phrase)[^}]+\}|\{(?!guess|word|phrase)[^}]+\}$", re.IGNORECASE)
#: The beginning of a sentence, also after a sign such as the Spanish "\u00bf".
_BEGINS = r"(?:^|(?<=[.!?:\u2026] )|(?<=[^\w\s]))"
#: A written guess in English.
_ENGLISH = "[A-Za-z]{5}"
#: A written guess in other languages: with accents, and with four signs if one of them stands for two letters.
_ACCENTED = r"(?:[^\W\d_]{5}|(?=\w*[\u0153\u00e6])[^\W\d_]{4})"


def capitalise_words(text: str, language: str = DEFAULT_LANGUAGE) -> str:
    """Return NAO's text with guesses and secrets in capitals, but not other words with the same spelling.

    >>> capitalise_words("Okay, not that. How many letters of place are in the right place?")
    'Okay, not that. How many letters of PLACE are in the right place?'
    """
    patterns = [pattern for literal, pattern in _list_wordings(language) if literal in text]
    matches = [found for pattern in patterns for found in pattern.finditer(text)]
    spans = {found.span(name): name for found in matches for name in found.re.groupindex}
    for (start, end), name in spans.items():
        word = text[start:end]
        is_first = name.endswith("_")
        if (
            not (name.startswith("phrase") and word.lower() in _list_phrases(language))
            and word[0].isupper() >= is_first
        ):
            text = text[:start] + capitalise_word(word) + text[end:]
    return text


@cache
def _list_phrases(language: str) -> frozenset[str]:
    """Return the phrases that NAO listens for, without words of the list: "three" in "I heard three" is not a guess."""
    wanted = {meaning for name, state in STATES.items() if state.listens for meaning in list_meanings(name, True)}
    return frozenset(phrase.lower() for phrase in mind.load_lines(language).list_phrases(wanted))


@cache
def _list_wordings(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the longest plain text and a pattern of each wording that contains a guess or a secret."""
    lines = mind.load_lines(language)
    word = _ENGLISH if language == DEFAULT_LANGUAGE else _ACCENTED
    keys = lines.list_keys()
    wordings = (wording for key in keys for wording in lines.list_wordings(key))
    return tuple(_shout_pattern(_OTHER_ENDS.sub("", wording), word) for wording in wordings if _WORD.search(wording))


def _shout_pattern(wording: str, word: str) -> tuple[str, re.Pattern[str]]:
    pieces, parts = re.split(r"(\{[^}]+\})", wording), []
    for number, piece in enumerate(pieces):
        if _WORD.match(piece):
            # A word with a capital begins a sentence: in "Me has dicho: ...", "dicho" is not a guess.
            begins, ends = (_BEGINS, "_") if piece[1].isupper() else ("", "")
            parts.append(rf"{begins}\b(?P<{piece[1:-1].lower()}{number}{ends}>{word})\b")
        else:
            parts.append(".*?" if piece.startswith("{") else re.escape(piece))
    return max(pieces[::2], key=len).strip(), re.compile("".join(parts))


# The finished games in NAO's notebook.


def find_file(folder: Path) -> Path:
    """Return the path of the file with finished games in a folder, even if it does not exist."""
    return folder / FINISHED_FILE


def read_games(path: Path) -> history.KeptGames:
    """Read finished games, the oldest first; an empty list without the file. Raises `DeskError` if it is unreadable."""
    if not path.exists():
        return history.KeptGames([], 0)
    content = files.read_bounded(path, MAX_NOTEBOOK_BYTES, "list of games")
    return history.parse_kept_games(content.decode("utf-8", "replace"))


# The current game.

#: The state in which a game is over and NAO offers another one.
OVER = "again"


def load_talk(robot: Any) -> Talk | None:
    """Return the robot's talk; None before it begins, or if the robot does not answer."""
    try:
        text = robot.get(memory.GAME_KEY)
        return memory.parse_talk_text(str(text)) if text else None
    except (JottoError, RuntimeError):
        return None


def load_lines(robot: Any) -> Lines:
    """Return NAO's lines in the current language."""
    talk = load_talk(robot)
    return mind.load_lines(DEFAULT_LANGUAGE if talk is None else talk.language)


@cache
def _read_accents(language: str) -> Mapping[str, str]:
    """Return the words of a language's list that are written with accents, by the letters they are played with."""
    accents: Mapping[str, str] = mind.load_mind("", Consistent.name, (), language).wordlist.accents
    return accents


def list_boards(talk: Talk) -> list[history.GuessBoard]:
    """Return the boards of the current game, in a race the person's first; none before the first guess."""
    left = None if talk.race else talk.left
    found = [] if talk.riddle is None else [history.make_riddle_board(talk.riddle, left)]
    if talk.riddle is None or talk.race:
        found.append(history.make_game_board(talk.game, left))
    found = [board._replace(accents=_read_accents(talk.language)) for board in found]
    return found if any(board.rows or board.told for board in found) else []


class FinishedGames:
    """The games that have ended since the program started, for the final board and for sharing."""

    def __init__(self) -> None:
        self._by_seed: dict[int, history.KeptGame] = {}

    def note(self, talk: Talk | None) -> bool:
        """Note a game that is over; return whether it is new."""
        if talk is None or talk.state != OVER:
            return False
        guessed = talk.riddle is None or talk.race
        one = history.KeptGame(talk.level, talk.game if guessed else None, talk.riddle)
        news = self._by_seed.get(talk.game.seed) != one
        self._by_seed[talk.game.seed] = one
        return news

    def list_games(self) -> list[history.KeptGame]:
        """List the games, the first one first."""
        return list(self._by_seed.values())


# The reason for NAO's guess, in NAO's words.

#: The states in which NAO asks about its guess.
_ABOUT_A_GUESS = ("word", "both", "exact", "misplaced", "doubtful")


def has_reason(talk: Talk) -> bool:
    """Return whether NAO asks about its own guess, for which it has a reason."""
    return talk.about.name in _ABOUT_A_GUESS and (talk.game.guess is not None or talk.fixing is not None)


class GuessReasons:
    """NAO's reasons, computed at the desk from the list `words` ("": NAO's own) and the notebook in `folder`.

    The robot's memory is not used, as every program can write to it. Several threads can use an object.
    """

    def __init__(self, words: str = "", folder: Path | None = None) -> None:
        self._words = words
        self._folder = None if folder is None else str(folder)
        self._lock = threading.Lock()

    def explain_guess(self, talk: Talk) -> str:
        """Return the reason for the open guess; "" if none exists, or if NAO plays with another list."""
        if not has_reason(talk):
            return ""
        with self._lock:
            known = self._load_mind(talk)
            if known is None:
                return ""
            line = guessing.choose_reason(talk, known.choose_level(talk.level))
            spoken = mind.load_lines(talk.language).writing(known.wordlist)
            return capitalise_words(str(spoken.speak(line, talk.game.seed, 0).text), talk.language)

    def _load_mind(self, talk: Talk) -> mind.Mind | None:
        try:
            learned = mind.open_notebook(self._folder, talk.language).list_learned_words()
            known = mind.load_mind(self._words, talk.settings.strategy, learned, talk.language)
        except JottoError:
            return None
        same = (known.wordlist.name, known.wordlist.checksum) == (talk.game.list_name, talk.game.list_checksum)
        return known if same else None


# Finding NAO's lines in its spoken texts, in any language, for simulated players and for checks.

#: A word in the place of any placeholder.
_ANY_WORD = r"[\w-]+"


def list_renderings(lines: Lines, key: str, **words: Any) -> list[str]:
    """Return all wordings of a line with these words.

    >>> from jotto_behaviour import mind
    >>> list_renderings(mind.load_lines(), "spell, back", number=3)
    ["Okay, one back. What's letter three?"]
    """
    return [str(lines.speak(Line(key, words), 0, beat).text) for beat in range(len(lines.list_wordings(key)))]


def is_said(lines: Lines, key: str, says: Sequence[str], **words: Any) -> bool:
    """Return whether NAO has said a line with these words."""
    heard = [text.lower() for text in says]
    return any(wanted.lower() in text for wanted in list_renderings(lines, key, **words) for text in heard)


def is_word_said(lines: Lines, word: str, says: Sequence[str]) -> bool:
    """Return whether NAO has said a word, in any line."""
    written = re.compile(rf"\b{re.escape(lines.write_word(word))}\b", re.IGNORECASE)
    return any(written.search(text) for text in says)


def is_said_somehow(lines: Lines, key: str, says: Sequence[str], **words: str) -> bool:
    """Return whether NAO has said a line with these words; the line's other words can be any."""
    given = tuple(sorted(words.items()))
    patterns = [_compile_pattern(wording.lower(), lines.forms, given) for wording in lines.list_wordings(key)]
    return any(pattern.search(text.lower()) for pattern in patterns for text in says)


@lru_cache(maxsize=500)
def _compile_pattern(wording: str, forms: NumberForms, words: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    pieces, end = [], 0
    for found in PLACEHOLDER.finditer(wording):
        pieces += [re.escape(wording[end : found.start()]), _group(found.group(1), found.group(2), forms, dict(words))]
        end = found.end()
    return re.compile("".join([*pieces, re.escape(wording[end:])]))


def _group(name: str, form: str | None, forms: NumberForms, words: dict[str, str]) -> str:
    if name in words:
        return re.escape(words[name].lower())
    if not form:
        return _ANY_WORD
    ways = form.split("|") if "|" in form else [str(each).lower() for each in forms.tables[form]]
    return "(?:" + "|".join(re.escape(way).replace(re.escape(NUMBER_SIGN), _ANY_WORD) for way in ways) + ")"


# Transcripts.

TOUCHES = {"FrontTactilTouched": "front", "MiddleTactilTouched": "middle", "RearTactilTouched": "back"}


class Transcript:
    """The lines of one game, with guesses and secrets in capitals."""

    def __init__(self, language: str = DEFAULT_LANGUAGE) -> None:
        self.lines: list[str] = []
        #: The code of NAO's current language.
        self.language = language

    @staticmethod
    def list_speech(events: Iterable[Any], language: str = DEFAULT_LANGUAGE) -> list[str]:
        """Return NAO's texts among the events.

        >>> from naosim.world import Event
        >>> Transcript.list_speech([Event(0.0, "say", {"plain": "Is it ocean? O, C, E, A, N."})])
        ['Is it OCEAN? O, C, E, A, N.']
        """
        plain = (event.fields["plain"] for event in events if event.kind == "say" and event.fields["plain"])
        return [capitalise_words(text, language) for text in plain]

    def add_nao(self, events: Iterable[Any]) -> list[str]:
        """Add NAO's texts among the events, and return them."""
        texts = self.list_speech(events, self.language)
        self.lines.extend(f"NAO  {text}" for text in texts)
        return texts

    def add_person(self, text: str) -> None:
        """Add a line of the person."""
        self.lines.append(f"YOU  {text}")

    def remark(self, text: str) -> None:
        """Add a remark, in brackets."""
        self.lines.append(f"     ({text})")

    def __str__(self) -> str:
        return "\n".join(self.lines)
