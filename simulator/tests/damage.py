"""Damaged input for tests of parsers on both Pythons: random bytes, good input changed, and long runs of one piece."""

from __future__ import absolute_import, division, print_function

import random
import signal
from contextlib import contextmanager

GOOD_BYTES = 4096  # of a file that is damaged; its beginning is enough
RUN_BYTES = 20000  # of a long run of one piece
CPU_LIMIT_S = 8.0  # of one input; a quadratic loop over a long run takes minutes
#: Pieces that a parser may handle again and again, or inside each other.
PIECES = [
    b" ", b"\n", b"[", b"{", b"(", b"<", b">", b"]", b")", b'"', b"'", b"\\", b"/", b"~", b"%", b"^", b"$", b"*",
    b"#", b"-", b"9", b"a", b"_", b":", b",", b"=", b"?", b"!", b"|", b"\t", b"\0", b"\xff", b"\xc3\xa9",
    b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"o\xcc\x81", b"\xcc\x81\xcc\xa3", b"[]", b'"",', b'{"":', b'["",', b"1,",
    b"a b ", b"a\n", b"\n\n", b"~a ", b"(a", b"[a ", b"u1:(a) b\n", b"^goto(", b"$a=", b"^start(", b"<a>", b"<a/>",
    b"<![CDATA[ ]]>", b"&lt;", b"&#9;", b' a=""', b"a(b).\n", b"a(X):-", b"not ", b"\xf0\x9f\x9f\xa9", b"\\pau=1\\",
    b"- ", b"1 2 ",
]  # fmt: skip


class TooSlow(BaseException):
    """An input takes too long; no handler of a parser may catch it as an error of the input."""


def damage(raw, chance):
    """Return random bytes, or good ones with a part cut, doubled or changed, or with a long run inserted."""
    dice = chance.random()
    if dice < 0.2:
        return make_noise(chance, chance.randrange(4096))
    start = chance.randrange(len(raw) + 1)
    if dice < 0.5:
        run = chance.choice(PIECES) * chance.randrange(1, RUN_BYTES)
        return raw[:start] + run[:RUN_BYTES] + raw[start if chance.random() < 0.5 else len(raw) :]
    end = min(len(raw), start + chance.randrange(64))
    middle = chance.choice([b"", raw[start:end] * 3, make_noise(chance, end - start), chance.choice(PIECES)])
    return raw[:start] + middle + raw[end:]


def make_noise(chance, count):
    return bytes(bytearray(chance.randrange(256) for _ in range(count)))


def find_fault(table, seed):
    """Damage the good input of a row (name, parser, allowed errors, input); return what is wrong, "" for nothing."""
    chance = random.Random(seed)
    name, parse, errors, good = table[seed % len(table)]
    raw = damage(good, chance)
    try:
        with limit_time():
            parse(raw)
    except TooSlow:
        return "%s takes over %g s for %d bytes: %.60r" % (name, CPU_LIMIT_S, len(raw), raw)
    except errors as error:
        said = str(error)
        return "" if said.strip() and "Traceback" not in said else "%s says %r for %.80r" % (name, said, raw)
    except Exception as error:
        return "%s raises %.200r for %d bytes: %.200r" % (name, error, len(raw), raw)
    return ""


@contextmanager
def limit_time():
    """Raise TooSlow if the block computes for longer than CPU_LIMIT_S; other programs do not count."""
    before = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(_number, _frame):
    raise TooSlow
