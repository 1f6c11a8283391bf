"""`python shared_files.py KIND FOLDER NUMBER COUNT` waits for the file `go`, then changes a shared file COUNT times."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
import os
import sys
import time

from jotto import game
from jotto.rules import JOTTO
from jotto_behaviour.files import Notebook


def words(number):
    """Yield words of different letters; processes with different numbers make different words."""
    letters = "abcdefghijklmnop"
    for rest in itertools.permutations(letters, 4):
        yield "qrstuvwxyz"[int(number)] + "".join(rest)


def learn(folder, word):
    assert Notebook(folder).learn(word)


def finish(folder, word):
    book = Notebook(folder)
    book.finish(game.start_game(JOTTO, "test", "", 1).ask(word).solve())
    assert book.troubles == []


def add(folder, word):
    from pathlib import Path

    from jotto.words import EMPTY_BLOCK_LIST
    from jotto_desk.words import lists

    lists.add_words([word], EMPTY_BLOCK_LIST, Path(folder) / "own.txt")


def block(folder, word):
    from pathlib import Path

    from jotto_desk.words import lists

    lists.add_blocked([word], Path(folder) / "blocked.sha256")


def remember(folder, word):
    from pathlib import Path

    from jotto_desk.play import terminal

    terminal.remember_lines(Path(folder) / "typed.txt", [word])


KINDS = {"learn": learn, "finish": finish, "add": add, "block": block, "remember": remember}


def main(kind, folder, number, count):
    # The first change imports everything, so that the others overlap with those of other processes.
    KINDS[kind](os.path.join(folder, "before"), "zebra")
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.001)
    for word in itertools.islice(words(number), int(count)):
        KINDS[kind](folder, word)


if __name__ == "__main__":
    main(*sys.argv[1:])
