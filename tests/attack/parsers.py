"""Random bytes, and real files with damaged ones, given to everything that reads a file of somebody else's."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from attack.outcome import Attack, Outcome
from behaviours.example_topic import EXAMPLE

from jotto.rules import JOTTO
from jotto_desk import places
from jotto_desk.errors import DeskError
from jotto_desk.words import lists
from naosim.formats.qichat import topics
from naosim.formats.qichat.syntax import BadTopic

LONGEST = 4096


def word_list(raw: bytes) -> None:
    """Read bytes as a word list."""
    lists.read(lists.Source("attack.txt", raw), JOTTO)


def topic(raw: bytes) -> None:
    """Read bytes as a QiChat topic."""
    topics.topic(raw.decode("utf-8", "replace"))


#: A parser, the sentence it may raise, and where a good file for it is.
PARSERS: list[tuple[Callable[[bytes], object], type[Exception], Callable[[], bytes]]] = [
    (word_list, DeskError, lambda: (places.shipped("wordlists") / "en.tsv").read_bytes()[:LONGEST]),
    (topic, BadTopic, EXAMPLE.encode),
]


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Return random bytes, or a good file with a part of it cut, doubled or changed."""
    if chance.random() < 0.3:
        return chance.randbytes(chance.randrange(LONGEST))
    start = chance.randrange(len(raw))
    end = min(len(raw), start + chance.randrange(64))
    middle = chance.choice([b"", raw[start:end] * 3, chance.randbytes(end - start)])
    return raw[:start] + middle + raw[end:]


def rounds(how_many: int, seed: int, folder: Path) -> Outcome:
    """Give damaged files to each parser in turn; only its own sentence may come of it."""
    chance, outcome = random.Random(seed), Outcome()
    good = [original() for _, _, original in PARSERS]
    for number in range(how_many):
        parser, sentence, _ = PARSERS[number % len(PARSERS)]
        raw = damaged(good[number % len(PARSERS)], chance)
        broke = ""
        try:
            parser(raw)
        except sentence:
            pass
        except Exception as error:
            broke = f"{parser.__name__} raised {error!r} for {raw[:80]!r}"
        outcome.check(not broke, broke)
    outcome.figure = f"{len(PARSERS)} parsers"
    return outcome


ATTACK = Attack("parsers", "random and damaged files given to every parser", rounds, short=200, long=20_000)
