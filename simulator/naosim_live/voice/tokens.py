"""The pieces of text that Moonshine writes: words and parts of words, numbered, read from its `tokenizer.bin`."""

from collections.abc import Iterator, Sequence

from .recogniser import VoiceError

#: The character for a blank before a word.
_BLANK = "\u2581"
#: The numbers of the tokens that begin and end a text.
BEGIN, END = 1, 2
#: From this length on a length is two bytes; the second counts multiples of it.
_TWO_BYTES = 128

#: A tree of texts: by its next character, the numbers of the tokens that end there, and the rest of the tree.
TokenTree = dict[str, tuple[list[int], "TokenTree"]]


class Tokens:
    """The tokens of one model; raises VoiceError for a file without tokens.

    `root` is the tree of their texts in small letters, with blanks before words.
    """

    def __init__(self, raw: bytes) -> None:
        self._texts = list(_read_texts(raw))
        if len(self._texts) <= END:
            raise VoiceError("tokenizer.bin holds no tokens")
        self.root: TokenTree = {}
        for number, text in enumerate(self._texts[END + 1 :], END + 1):
            # Single bytes of a letter that is not ASCII are no text; no phrase needs them.
            if written := _decode(text).lower():
                self._add(number, written)

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, numbers: Sequence[int]) -> str:
        """Return what some tokens write."""
        return _decode(b"".join(self._texts[number] for number in numbers if number > END), "replace").strip()

    def _add(self, number: int, text: str) -> None:
        tree, numbers = self.root, [0]
        for character in text:
            numbers, tree = tree.setdefault(character, ([], {}))
        numbers.append(number)


def _decode(text: bytes, errors: str = "ignore") -> str:
    return text.decode("utf-8", errors).replace(_BLANK, " ")


def _read_texts(raw: bytes) -> Iterator[bytes]:
    """Yield the texts of a file's tokens, each after its length."""
    at = 0
    while at < len(raw):
        length, at = raw[at], at + 1
        if length >= _TWO_BYTES:
            if at == len(raw):
                raise VoiceError("tokenizer.bin ends in the middle of a token")
            length, at = length - _TWO_BYTES + raw[at] * _TWO_BYTES, at + 1
        if at + length > len(raw):
            raise VoiceError("tokenizer.bin ends in the middle of a token")
        yield raw[at : at + length]
        at += length
