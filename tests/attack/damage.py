"""Input with damage: random bytes, good input with a part cut, doubled or changed, long runs; on both Pythons."""

from __future__ import absolute_import, division, print_function

import signal

LONGEST = 4096
#: Seconds of computing that one input may take. A quadratic loop over a run takes minutes.
PATIENCE = 8.0
#: Pieces that a parser may do something for again and again, or inside each other.
PIECES = (
    b" ",
    b"\n",
    b"[",
    b"{",
    b"(",
    b"<",
    b">",
    b"]",
    b")",
    b'"',
    b"'",
    b"\\",
    b"/",
    b"~",
    b"%",
    b"^",
    b"$",
    b"*",
    b"#",
    b"-",
    b"9",
    b"a",
    b"_",
    b":",
    b",",
    b"=",
    b"?",
    b"!",
    b"|",
    b"\t",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\xe2\x80\xa8",
    b"\xf0\x9f\x98\x80",
    b"o\xcc\x81",
    b"\xcc\x81\xcc\xa3",
    b"[]",
    b'"",',
    b'{"":',
    b'["",',
    b"1,",
    b"a b ",
    b"a\n",
    b"\n\n",
    b"~a ",
    b"(a",
    b"[a ",
    b"u1:(a) b\n",
    b"^goto(",
    b"$a=",
    b"^start(",
    b"<a>",
    b"<a/>",
    b"<![CDATA[ ]]>",
    b"&lt;",
    b"&#9;",
    b' a=""',
    b"a(b).\n",
    b"a(X):-",
    b"not ",
    b"\xf0\x9f\x9f\xa9",
    b"\\pau=1\\",
    b"- ",
    b"1 2 ",
)


class TooSlow(BaseException):
    """An input takes too long; no handler of a parser may take it for a fault of the input."""


def damaged(raw, chance, longest_run):
    """Return random bytes, good ones with a part cut, doubled or changed, or good ones with a long run among them."""
    dice = chance.random()
    if dice < 0.2:
        return noise(chance, chance.randrange(LONGEST))
    start = chance.randrange(len(raw) + 1)
    if dice < 0.5:
        run = chance.choice(PIECES) * chance.randrange(1, longest_run)
        return raw[:start] + run[:longest_run] + raw[start if chance.random() < 0.5 else len(raw) :]
    end = min(len(raw), start + chance.randrange(64))
    middle = chance.choice([b"", raw[start:end] * 3, noise(chance, end - start), chance.choice(PIECES)])
    return raw[:start] + middle + raw[end:]


def noise(chance, count):
    """Return so many random bytes."""
    return bytes(bytearray(chance.randrange(256) for _ in range(count)))


def fault_of(name, parse, sentences, raw):
    """Give the bytes to a parser; return what is wrong, empty where it reads them or raises one of its sentences."""
    try:
        with _Patience():
            parse(raw)
    except TooSlow:
        return "%s takes over %g s for %d bytes: %.60r" % (name, PATIENCE, len(raw), raw)
    except sentences as error:
        said = str(error)
        return "" if said.strip() and "Traceback" not in said else "%s says %r for %.80r" % (name, said, raw)
    except Exception as error:
        return "%s raises %.200r for %d bytes: %.200r" % (name, error, len(raw), raw)
    return ""


class _Patience(object):
    """A bound on the computing inside the block: the processor's time, so that other programs do not count."""

    def __enter__(self):
        try:
            self._before = signal.signal(signal.SIGPROF, self._interrupt)
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        except (AttributeError, ValueError):
            # Windows has no such timer, and only the main thread may set one.
            self._before = None

    def __exit__(self, *_error):
        if self._before is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, self._before)

    @staticmethod
    def _interrupt(_number, _frame):
        raise TooSlow
