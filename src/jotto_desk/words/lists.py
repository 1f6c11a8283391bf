"""Word lists by name: from the game, a person's own words, a file or an address; read without blocked words."""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jotto import words
from jotto.rules import LETTERS, JottoError, Rules
from jotto.words import MAX_LIST_BYTES, BlockList, ParsedList, RefusedWords, WordList, parse_word_list

from .. import addresses, files, places
from ..errors import DeskError, meant
from ..printable import printable
from . import own as own_list
from . import recipes
from .recipes import CODE, DEFAULT, blocked_name

BLOCKED = "blocked words"
#: How long a server may take to give a list.
SECONDS = 10.0

Remark = Callable[[str], None]


def to_stderr(sentence: str) -> None:
    """Tell a person something on the side."""
    print(printable(sentence), file=sys.stderr)


@dataclass(frozen=True)
class Source:
    """A list as found: the name a person knows it by and its bytes."""

    name: str
    content: bytes


def names() -> list[str]:
    """Name the lists that come with the game."""
    return sorted(path.stem for path in places.shipped("wordlists").glob("*.tsv"))


def find(source: str, remark: Remark = to_stderr, seconds: float = SECONDS) -> Source:
    """Get a list by its name, its file or its address (http, https).

    Raises `DeskError` when there is none, or it cannot be had.
    """
    if "://" in source:
        from . import remote  # What fetches it takes a fifth of a command's start to import.

        return Source(addresses.shown(source), remote.get(source, MAX_LIST_BYTES, seconds, remark))
    if source in names():
        return Source(source, (places.shipped("wordlists") / f"{source}.tsv").read_bytes())
    if not source.strip() or not _is_there(source):
        known, typed = ", ".join(names()), addresses.shown(source)
        raise DeskError(
            f"There is no word list '{typed}'; give a file, a web address or one of: {known}.{meant(typed, names())}"
        )
    return Source(source, files.read_bounded(source, MAX_LIST_BYTES, "word list"))


def read(source: Source, rules: Rules, blocked: BlockList | None = None, remark: Remark = to_stderr) -> ParsedList:
    """Read a list for these rules, with its own letters, and leave out the words the robot never says in its language.

    Raises `DeskError` when it is no list, or fewer than two words are left.
    """
    reading = _read(source, rules, block_list(language=language_of(source.name)) if blocked is None else blocked)
    if lost := lost_letters(reading.wordlist):
        remark(lost)
    return reading


def lost_letters(wordlist: WordList) -> str:
    """Say which line a list lacks if it names no letters and has some of a language's own; empty for other lists."""
    if not wordlist.accents or wordlist.letters != LETTERS:
        return ""
    folder = places.shipped("wordlists")
    languages = [recipes.read(folder, code).letters for code in recipes.codes(folder)]
    lost = {
        letters: [
            (word, shown)
            for word, shown in wordlist.accents.items()
            if set(letters).difference(LETTERS).intersection(shown)
        ]
        for letters in languages
    }
    letters = max(languages, key=lambda letters: len(lost[letters]))
    if not lost[letters]:
        return ""
    word, shown = lost[letters][0]
    own = ", ".join(letter for letter in letters if letter not in LETTERS)
    return (
        f"The list '{wordlist.name}' names no letters, so {shown} is played as {word}; to keep {own}, begin the "
        f"list with the line '# Letters: {letters}'."
    )


@functools.lru_cache(maxsize=2)  # A game asks for its list several times.
def _read(source: Source, rules: Rules, blocked: BlockList) -> ParsedList:
    if source.content.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise DeskError(f"'{source.name}' is a web page, not a word list; give the address of a plain text file.")
    try:
        reading = parse_word_list(source.content, rules, source.name)
    except JottoError as error:
        raise DeskError(str(error)) from error
    return _without(blocked, reading)


def load(source: str, rules: Rules, remark: Remark = to_stderr) -> WordList:
    """Return the words to play with from a name, a file or an address, blocked words left out.

    Raises `DeskError` when there is no such list, or nothing in it to play with.
    """
    wordlist: WordList = read(find(source, remark), rules, remark=remark).wordlist
    return wordlist


def default_list(rules: Rules, own: bool = True) -> WordList:
    """Return the default list: the English list, and the person's own words after it."""
    wordlist = load(DEFAULT, rules)
    return wordlist.joined(own_list.own_words(rules, block_list())) if own else wordlist


def language_of(name: str) -> str:
    """Return the language of a list: a list that comes with the game is named after it; others count as English."""
    return name if CODE.fullmatch(name) and (places.shipped("wordlists") / blocked_name(name)).is_file() else DEFAULT


def block_list(own: bool = True, language: str = DEFAULT) -> BlockList:
    """Return the words never to be said in a language: those that come with the game, and the person's own."""
    try:
        shipped = _blocked((places.shipped("wordlists") / blocked_name(language)).read_bytes())
    except JottoError as error:
        raise DeskError(f"The block list that comes with the game is damaged: {error}") from error
    return shipped.joined(own_list.own_blocked().hashes) if own else shipped


_blocked = functools.lru_cache(maxsize=2)(words.read_block_list)


def _is_there(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):
        return False


def _without(blocked: BlockList, reading: ParsedList) -> ParsedList:
    wordlist = reading.wordlist
    kept = [(word, band) for word, band in zip(wordlist.words, wordlist.bands, strict=True) if not blocked.blocks(word)]
    gone = len(wordlist.words) - len(kept)
    if not gone:
        return reading
    if len(kept) < 2:
        raise DeskError(f"The list '{wordlist.name}' has {len(kept)} words the robot may say; it takes two or more.")
    words, bands = zip(*kept, strict=True)
    refused = {**reading.refused, BLOCKED: RefusedWords(gone, ())}
    return ParsedList(wordlist._replace(words=words, bands=bands), refused, reading.duplicates)
