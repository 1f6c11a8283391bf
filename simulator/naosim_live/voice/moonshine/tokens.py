"""The pieces of text that Moonshine writes: words and parts of words, numbered, read from its `tokenizer.bin`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ..errors import VoiceError

#: What a blank before a word is written as.
BLANK = "\u2581"
#: The numbers of the tokens that begin and end a text.
BEGIN, END = 1, 2
#: A length from this on is written in two bytes, the second counts so many.
_TWO_BYTES = 128


class Tokens:
    """The tokens of one model, by number and by text; raises VoiceError for a file that is none."""

    def __init__(self, raw: bytes) -> None:
        self._texts = list(texts(raw))
        if len(self._texts) <= END:
            raise VoiceError("The file tokenizer.bin of the model holds no tokens.")
        # The first ones are single bytes, for letters that no token has; of the same text the last one is written.
        self._numbers = {text: number for number, text in enumerate(self._texts)}

    def __len__(self) -> int:
        return len(self._texts)

    def split(self, word: str) -> tuple[int, ...]:
        """Return the tokens of a word with the blank before it; () where some letter is in no token.

        Pairs are joined as byte pair encoding does: tokens that were learned earlier, with lower numbers, come first.
        """
        parts = [letter.encode() for letter in BLANK + word]
        if not all(part in self._numbers for part in parts):
            return ()
        while True:
            pairs = [
                (self._numbers[one + other], place)
                for place, (one, other) in enumerate(itertools.pairwise(parts))
                if one + other in self._numbers
            ]
            if not pairs:
                return tuple(self._numbers[part] for part in parts)
            place = min(pairs)[1]
            parts[place : place + 2] = [parts[place] + parts[place + 1]]

    def number(self, text: str) -> int | None:
        """Return the number of the token with exactly this text."""
        return self._numbers.get(text.encode())

    def text(self, numbers: Sequence[int]) -> str:
        """Return what some tokens write."""
        raw = b"".join(self._texts[number] for number in numbers if number > END)
        return raw.decode("utf-8", "replace").replace(BLANK, " ").strip()


def texts(raw: bytes) -> Iterator[bytes]:
    """Yield the texts of a file's tokens: each has its length before it, in two bytes from 128 on."""
    at = 0
    while at < len(raw):
        length, at = raw[at], at + 1
        if length >= _TWO_BYTES:
            if at == len(raw):
                raise VoiceError("The file tokenizer.bin of the model ends in the middle of a token.")
            length, at = length - _TWO_BYTES + raw[at] * _TWO_BYTES, at + 1
        if at + length > len(raw):
            raise VoiceError("The file tokenizer.bin of the model ends in the middle of a token.")
        yield raw[at : at + length]
        at += length
