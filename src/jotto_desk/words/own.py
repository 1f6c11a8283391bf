"""A person's own words and own blocked words, kept in the person's data folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jotto import words
from jotto.rules import WORDLE, JottoError, Rules
from jotto.words import MAX_LIST_BYTES, BlockList, fold_word, hash_blocked_word

from .. import files, places
from ..errors import DeskError

MOST_AT_ONCE = 1000


@dataclass(frozen=True)
class Added:
    """What adding came to: the new words, and those that were there before."""

    file: Path
    new: tuple[str, ...]
    known: tuple[str, ...]


def own_file() -> Path:
    """Name the file of a person's own words; it may not exist yet."""
    return places.data_folder() / "own.txt"


def blocked_file() -> Path:
    """Name the file of a person's own blocked words, as fingerprints; it may not exist yet."""
    return places.data_folder() / "blocked.sha256"


def own_words(rules: Rules, blocked: BlockList = words.EMPTY_BLOCK_LIST) -> list[str]:
    """Return a person's own words that these rules allow, without the blocked ones."""
    return [word for word in _words_in(_text(own_file())) if rules.allows(word) and not blocked.blocks(word)]


def own_blocked() -> BlockList:
    """Return a person's own blocked words."""
    return _blocked_in(blocked_file())


def add_words(words: Sequence[str], blocked: BlockList, file: Path | None = None) -> Added:
    """Add words to a list file, the person's own if none is named; all of them or, when one is refused, none.

    Raises `DeskError` for a word that is not five letters from a to z, or is blocked.
    """
    target = file or own_file()
    wanted = list(dict.fromkeys(_proper(word, blocked) for word in _bounded(words)))
    with files.one_at_a_time(target):
        text = _text(target)
        before = set(_words_in(text))
        new = tuple(word for word in wanted if word not in before)
        if new:
            joint = "" if not text or text.endswith("\n") else "\n"
            files.write_whole(target, text + joint + "".join(word + "\n" for word in new))
    return Added(target, new, tuple(word for word in wanted if word in before))


def add_blocked(words: Sequence[str], file: Path | None = None) -> Added:
    """Add words to a block list, the person's own if none is named; only their fingerprints are written.

    Raises `DeskError` for anything that is not a single word.
    """
    target = file or blocked_file()
    with files.one_at_a_time(target):
        before = _blocked_in(target)
        wanted = list(dict.fromkeys(_single(word, before.letters) for word in _bounded(words)))
        new = tuple(word for word in wanted if not before.blocks(word))
        if new:
            files.write_whole(target, before.joined(hash_blocked_word(word, before.letters) for word in new).written())
    return Added(target, new, tuple(word for word in wanted if before.blocks(word)))


def _bounded(words: Sequence[str]) -> Sequence[str]:
    if len(words) > MOST_AT_ONCE:
        raise DeskError(f"{len(words)} words at once are too many; add at most {MOST_AT_ONCE}.")
    return words


def _proper(raw: str, blocked: BlockList) -> str:
    word = fold_word(raw.strip())
    try:
        WORDLE.check(word)
    except JottoError as error:
        raise DeskError(f"{error} Nothing was added.") from error
    if blocked.blocks(word):
        raise DeskError(f"'{raw}' is a word the robot never says; nothing was added.")
    return word


def _single(raw: str, letters: str) -> str:
    word = fold_word(raw.strip(), letters)
    if not word.isalpha() or not words.MIN_BLOCKED_LENGTH <= len(word) <= words.MAX_BLOCKED_LENGTH:
        raise DeskError(
            f"'{raw[:60]}' is not a single word of {words.MIN_BLOCKED_LENGTH} to {words.MAX_BLOCKED_LENGTH} letters; "
            "give words one by one. Nothing was added."
        )
    return word


def _text(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return files.read_bounded(path, MAX_LIST_BYTES, "word list").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeskError(f"'{path}' is not a text file; move it away or name another list.") from error


def _words_in(text: str) -> list[str]:
    # One word is enough here, so the reader of whole lists, which wants two, cannot be asked.
    parts = (line.partition("#")[0].split() for line in text.splitlines())
    return list(dict.fromkeys(fold_word(part[0]) for part in parts if part))


def _blocked_in(path: Path) -> BlockList:
    if not path.exists():
        return words.EMPTY_BLOCK_LIST
    try:
        return words.read_block_list(files.read_bounded(path, words.MAX_BLOCK_LIST_BYTES, "block list"))
    except JottoError as error:
        raise DeskError(f"'{path}': {error}") from error
