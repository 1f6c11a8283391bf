"""Loading a tree file and walking it, as the robot does; for Python 2.7 and 3.

`python walk.py TREE REPEATS` prints one JSON object: seconds to load (read, check, bind to the words of the default
list), seconds per step (the word of a node, and the node an answer leads to), over the games of all secrets.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import sys
import timeit

from jotto import tree
from jotto.rules import JOTTO
from jotto_behaviour import mind

clock = timeit.default_timer


def load(path, words):  # type: (str, list) -> object
    """Read a tree from its file."""
    with io.open(path, "rb") as source:
        return tree.read_tree(source.read()).bound_to(words, JOTTO)


def answers(walked, secret):  # type: (object, str) -> list
    """List the answers of a player who has this secret, the winning one left out."""
    node, given = 0, []
    while walked.word(node) != secret:
        given.append(JOTTO.score(walked.word(node), secret))
        node = walked.child(node, given[-1])
    return given


def walk(walked, games):  # type: (object, list) -> int
    """Walk all games; return the number of guesses."""
    guesses = 0
    for given in games:
        node = 0
        for answer in given:
            walked.word(node)
            node = walked.child(node, answer)
        walked.word(node)
        guesses += len(given) + 1
    return guesses


def middle(work, repeats):  # type: (object, int) -> float
    """Return the median of the seconds a piece of work takes."""
    taken = []
    for _ in range(repeats):
        start = clock()
        work()
        taken.append(clock() - start)
    return sorted(taken)[len(taken) // 2]


def main():  # type: () -> None
    """Measure and print."""
    path, repeats = sys.argv[1], int(sys.argv[2])
    words = list(mind.load_mind("", "entropy", ()).wordlist.words)
    walked = load(path, words)
    games = [answers(walked, secret) for secret in words[: walked.certificate["words"]]]
    guesses = walk(walked, games)
    print(
        json.dumps(
            {
                "python": sys.version.split()[0],
                "nodes": len(walked),
                "guesses": guesses,
                "load": middle(lambda: load(path, words), repeats),
                "step": middle(lambda: walk(walked, games), repeats) / guesses,
            }
        )
    )


if __name__ == "__main__":
    main()
