"""Judging the lists that come with the game: form, order, numbers, and the table of them in SOURCES.md."""

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jotto import words
from jotto.rules import WORDLE, JottoError, Rules
from jotto.words import BlockList, fold_word, lower_word, read_letters, replace_letters

from .. import files
from ..errors import DeskError
from .recipes import DEFAULT, blocked_name

SOURCES_FILE = "SOURCES.md"
TOP, END = "<!-- numbers: written by 'jotto words build' -->\n", "<!-- end of numbers -->\n"
_MOST_BYTES = 20 << 20
_MOST_FINDINGS = 10
_ENTRY = re.compile(r"([^\s#]+)\t([1-9][0-9]?)")


@dataclass(frozen=True)
class ListCheck:
    """What a committed file holds, and what is wrong with it."""

    name: str
    words: int
    isograms: int
    bands: dict[int, tuple[int, int]]
    checksum: str
    findings: tuple[str, ...] = ()

    def row(self) -> str:
        """Write the file's line of the table in SOURCES.md; isograms stand in brackets."""
        bands = ", ".join(f"{band}: {words} ({isograms})" for band, (words, isograms) in self.bands.items())
        isograms = str(self.isograms) if self.bands else ""
        return f"| `{self.name}` | {self.words} | {isograms} | {bands} | `{self.checksum}` |\n"

    def plain(self) -> dict[str, Any]:
        """Return the check as a dict that JSON can hold."""
        bands = {str(band): {"words": words, "isograms": isograms} for band, (words, isograms) in self.bands.items()}
        numbers = {"words": self.words, "isograms": self.isograms, "bands": bands}
        return {"name": self.name, **numbers, "checksum": self.checksum, "findings": list(self.findings)}


def judge_all(folder: Path) -> list[ListCheck]:
    """Judge every list of a folder and hold it against the folder's SOURCES.md."""
    sources = files.read_bounded(folder / SOURCES_FILE, _MOST_BYTES).decode("utf-8", "replace")
    verdicts = measure(folder)
    stale = f"{SOURCES_FILE} says other numbers; run 'jotto words build'"
    return [
        found if found.row() in sources else replace(found, findings=(*found.findings, stale)) for found in verdicts
    ]


def measure(folder: Path) -> list[ListCheck]:
    """Judge every list of a folder by itself, and then the block lists, each by its language."""
    lists = sorted(folder.glob("*.tsv"))
    names = {blocked_name(DEFAULT): None, **{blocked_name(path.stem): None for path in lists}}
    blocked = {name: _blocked(folder / name) for name in names}
    judged = [judge(path.name, path.read_bytes(), blocked[blocked_name(path.stem)][1]) for path in lists]
    return judged + [_judge_blocked(name, *found) for name, found in blocked.items()]


def judge(name: str, raw: bytes, blocked: BlockList) -> ListCheck:
    """Judge one list: `word<TAB>band` on every line, by band and alphabet, none twice, none blocked.

    Words may have accents; all the rest goes by the words as they are compared.
    """
    text = raw.decode("utf-8", "replace")
    lines, findings = text.split("\n"), [] if text.endswith("\n") else ["the last line does not end"]
    try:
        rules = replace_letters(WORDLE, read_letters(text))
    except JottoError as error:
        rules, findings = WORDLE, [*findings, str(error)]
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(lines[:-1], 1):
        if line.startswith("#") and not entries:
            continue
        entry = _entry(line, rules)
        if entry is None:
            findings.append(f"line {number}, '{line[:40]}', is not a word of five letters, a tab and a number")
        else:
            entries.append(entry)
    findings += [
        f"'{word}' stands before '{after}'"
        for (band, word), (next_band, after) in itertools.pairwise(entries)
        if (band, word) >= (next_band, after)
    ]
    findings += [f"'{word}' stands twice" for word, count in Counter(word for _, word in entries).items() if count > 1]
    findings += [
        f"the word on place {place} is blocked" for place, (_, word) in enumerate(entries, 1) if blocked.blocks(word)
    ]
    checksum = hashlib.sha256(raw).hexdigest()
    return ListCheck(name, len(entries), _isograms(entries), _by_band(entries), checksum, _few(findings))


def _entry(line: str, rules: Rules) -> tuple[int, str] | None:
    """Read a line: how common the word is, and the word as it is compared; None for what is no such line."""
    match = _ENTRY.fullmatch(line)
    if match is None or lower_word(match[1]) != match[1]:
        return None
    word = fold_word(match[1], rules.alphabet)
    return (int(match[2]), word) if rules.allows(word) else None


def renew(sources: str, verdicts: Sequence[ListCheck]) -> str:
    """Put the numbers of these files into the text of SOURCES.md.

    Raises `DeskError` when the text has no place for them.
    """
    before, top, rest = sources.partition(TOP)
    _, end, after = rest.partition(END)
    if not top or not end:
        raise DeskError(f"{SOURCES_FILE} has no lines '{TOP.strip()}' and '{END.strip()}'; put them back.")
    head = "| file | words | isograms | by commonness (isograms) | SHA-256 of the file |\n|---|---|---|---|---|\n"
    return before + top + head + "".join(verdict.row() for verdict in verdicts) + end + after


def _blocked(path: Path) -> tuple[bytes, BlockList, tuple[str, ...]]:
    """Read a block list: its bytes, what they say, and what is wrong with them."""
    raw = files.read_bounded(path, _MOST_BYTES)
    try:
        return raw, words.read_block_list(raw), ()
    except JottoError as error:
        return raw, words.EMPTY_BLOCK_LIST, (str(error),)


def _judge_blocked(name: str, raw: bytes, blocked: BlockList, broken: tuple[str, ...]) -> ListCheck:
    wrong = () if broken or raw.decode("utf-8", "replace") == blocked.written() else ("not sorted, or lines twice",)
    checksum = hashlib.sha256(raw).hexdigest()
    return ListCheck(name, len(blocked.hashes), 0, {}, checksum, broken + wrong)


def _isograms(entries: list[tuple[int, str]]) -> int:
    return sum(len(set(word)) == len(word) for _, word in entries)


def _by_band(entries: list[tuple[int, str]]) -> dict[int, tuple[int, int]]:
    bands = sorted({band for band, _ in entries})
    chosen = {band: [entry for entry in entries if entry[0] == band] for band in bands}
    return {band: (len(chosen[band]), _isograms(chosen[band])) for band in bands}


def _few(findings: list[str]) -> tuple[str, ...]:
    more = len(findings) - _MOST_FINDINGS
    return (*findings[:_MOST_FINDINGS], f"and {more} more") if more > 0 else tuple(findings)
