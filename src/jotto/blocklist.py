"""Words the robot never says, kept as SHA-256 fingerprints so that the project shows none of them.

Whole words only: a harmless word that contains a blocked one is left alone.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import hashlib
import re
from collections import namedtuple

from .errors import WordListError
from .rules import LETTERS
from .spelling import fold, letters_named
from .versions import as_text

MYPY = False
if MYPY:
    from typing import FrozenSet, Iterable, Union

SHORTEST, LONGEST = 2, 32
MOST_BYTES = 8 * 1024 * 1024

#: A run of letters; accents may stand as marks of their own behind their letter.
_WORD = re.compile("(?:[^\\W\\d_]|[\u0300-\u036f])+", re.UNICODE)
_FINGERPRINT = re.compile("[0-9a-f]{64}$")


class BlockList(namedtuple("BlockList", "hashes letters")):
    """A frozen set of fingerprints, and the letters of their language, each of which counts as one of its own.

    >>> rude = BlockList(frozenset([fingerprint("drat")]))
    >>> rude.blocks("Drat"), rude.blocks("hydrate")
    (True, False)
    >>> str(rude.clean("Oh DRAT, hydrate!", "beep"))
    'Oh beep, hydrate!'
    """

    __slots__ = ()

    def __new__(cls, hashes, letters=LETTERS):  # type: (FrozenSet[str], str) -> BlockList
        return super(BlockList, cls).__new__(cls, hashes, letters)

    def blocks(self, word):  # type: (str) -> bool
        """Tell whether a single word is blocked, whatever its case and accents."""
        return SHORTEST <= len(word) <= LONGEST and fingerprint(word, self.letters) in self.hashes

    def clean(self, text, instead):  # type: (str, str) -> str
        """Put `instead` in the place of every blocked word of a text."""
        return _WORD.sub(lambda found: instead if self.blocks(found.group()) else found.group(), as_text(text))

    def joined(self, more):  # type: (Iterable[str]) -> BlockList
        """Add fingerprints."""
        return self._replace(hashes=self.hashes.union(more))

    def written(self):  # type: () -> str
        """Return the text that `read` reads: one fingerprint per line, sorted, below letters other than a to z."""
        head = "" if self.letters == LETTERS else "# Letters: %s\n" % self.letters
        return head + "".join(line + "\n" for line in sorted(self.hashes))


NOTHING = BlockList(frozenset())


def fingerprint(word, letters=LETTERS):  # type: (str, str) -> str
    """Return the SHA-256 in hex of a word without its case, and without the accents that these letters lack."""
    return as_text(hashlib.sha256(fold(as_text(word), letters).encode("utf-8")).hexdigest())


def read(content):  # type: (Union[bytes, str]) -> BlockList
    """Read a block list: one fingerprint per line, empty lines and `#` remarks left out.

    Raises `WordListError` for any other line.
    """
    if len(content) > MOST_BYTES:
        raise WordListError("The block list is larger than %d MB; give a shorter one." % (MOST_BYTES >> 20))
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    hashes = set()
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip()
        if entry and not _FINGERPRINT.match(entry):
            raise WordListError(
                "Line %d of the block list, '%s', is not a SHA-256 in hex; add words with "
                "'jotto words add --block WORD'." % (number, entry[:20])
            )
        if entry:
            hashes.add(entry)
    return BlockList(frozenset(hashes), letters_named(text))
