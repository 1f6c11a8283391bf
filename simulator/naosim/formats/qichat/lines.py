"""The statements of a topic file: comments left out, continued lines joined, several rules on one line parted."""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.compat import native, unescape, unicoded

MYPY = False
if MYPY:
    from typing import List, Tuple

COMMENT = re.compile(r"(^|\s)#.*$")
KEYWORDS = "topic|language|concept|dynamic|proposal|include|pronunciation|recover|def|s"
START = re.compile(r"\s*((?:[uc]\d*)\s*:(?=\s*[(^])|(?:%s)\s*:|(?:[uc]\d+)\s*:)" % KEYWORDS)
#: A rule that begins in the middle of a line.
INNER = re.compile(r"(?<=\s)([uc]\d+|u)\s*:\s*(?=\()")
CLOSED = ("topic", "language", "dynamic", "include", "pronunciation", "recover", "")

#: One statement: the number of its line, its keyword without the colon, and the text after it.
Statement = namedtuple("Statement", "line keyword text")
#: The byte order mark, and blanks that are wide or hold two words together.
_MARK, _WIDE_BLANK, _HARD_BLANK = unescape(r"\ufeff \u3000 \xa0").split(" ")


def statements(text):  # type: (str) -> List[Statement]
    """Split a topic into statements; a line that begins none belongs to the one before.

    >>> statements("topic: ~a()\\nu:(hi)\\n  hello u1:(you) me")[1:] == [
    ...     Statement(2, "u", "(hi) hello"), Statement(3, "u1", "(you) me")]
    True
    """
    found = []  # type: List[Tuple[int, str, List[str]]]
    plain = native(unicoded(text).lstrip(_MARK).replace(_WIDE_BLANK, " ").replace(_HARD_BLANK, " "))
    for number, raw in enumerate(plain.splitlines(), 1):
        line = COMMENT.sub("", raw).strip()
        for piece in _pieces(line):
            start = START.match(piece)
            if start:
                found.append((number, start.group(1).replace(":", "").strip(), [piece[start.end() :].strip()]))
            elif found and found[-1][1] not in CLOSED:
                found[-1][2].append(piece)
            else:
                found.append((number, "", [piece]))
    return [Statement(number, keyword, " ".join(parts)) for number, keyword, parts in found]


def _pieces(line):  # type: (str) -> List[str]
    """Split a line where another rule begins."""
    starts = [0] + [found.start() for found in INNER.finditer(line)]
    pieces = [line[start:end].strip() for start, end in zip(starts, starts[1:] + [len(line)])]
    return [piece for piece in pieces if piece]
