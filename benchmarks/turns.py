"""Seconds of the robot-side code, for Python 2.7 and 3; prints one JSON object.

`python turns.py games COUNT` times turns of games, next to the original article's algorithm. A turn is the code that
the boxes run between one guess and the next: read the saved talk, understand the answers, save after each, filter the
words, choose. `python turns.py tree FILE REPEATS` times loading a tree file (reading, checking, binding it to the
default list) and one step of walking it (the word of a node, and the node that an answer leads to).
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import random
import sys
import timeit

from jotto import compat, game as games, strategies, tree
from jotto.rules import JOTTO
from jotto_behaviour import conversation, hearing, memory, mind
from jotto_behaviour.talk import Talk

MYPY = False
if MYPY:
    from typing import List, Tuple

clock = timeit.default_timer

# The original article's algorithm: keep every word that would have got the same score, and ask any of them.


def score(guess, secret):  # type: (str, str) -> Tuple[int, int]
    """Return the score of a guess, as the article's program counts it; words have no repeated letters."""
    exact = misplaced = 0
    for place in range(len(guess)):
        if guess[place] == secret[place]:
            exact += 1
        elif guess[place] in secret:
            misplaced += 1
    return exact, misplaced


def keep_fitting(words, guess, answer):  # type: (List[str], str, Tuple[int, int]) -> List[str]
    """Keep the words that fit one more answer."""
    return [word for word in words if word != guess and score(guess, word) == answer]


# Our turns.


class Board(object):
    """A dict with the methods of ALMemory."""

    def __init__(self):  # type: () -> None
        self.values = {}

    def insertData(self, key, value):  # type: (str, object) -> None
        """Write a value."""
        self.values[key] = value

    def getData(self, key):  # type: (str) -> object
        """Read a value."""
        return self.values[key]


def our_turns(mind, secret, seed):  # type: (object, str, int) -> list
    """Play one game as the boxes do; return the seconds of each turn."""
    notes = memory.TalkMemory(Board())
    talk = conversation.welcome(Talk(games.start_game(JOTTO, "en", "", seed)), mind)
    talk = conversation.step_talk(talk, mind, hearing.make_sure("ready"))
    seconds = []
    start = clock()
    notes.save(conversation.think_in_box(talk, mind))
    while True:
        talk = notes.load()
        if talk.game.guess == secret:
            seconds.append(clock() - start)
            return seconds
        exact, misplaced = JOTTO.score(talk.game.guess, secret)
        answers = {"word": "no", "both": "%d" % exact, "exact": "%d" % exact, "misplaced": "%d" % misplaced}
        # NAO does not ask what it can work out, such as whether a guess that cannot be the word is the word.
        while talk.listens:
            talk = conversation.step_talk(notes.load(), mind, hearing.make_sure(answers[talk.state]))
            notes.save(talk)
        while not talk.listens:
            talk = conversation.think_in_box(notes.load(), mind)
            notes.save(talk)
        seconds.append(clock() - start)
        start = clock()


def doubtful_turns(mind, secret, rng):  # type: (object, str, random.Random) -> list
    """Play a game whose second answer is off by one letter; return the seconds of each guess if no word fits."""
    game = games.start_game(JOTTO, "en", "", 1)
    seconds = []
    while True:
        nothing_fits = not mind.count_fitting(game)
        start = clock()
        guess = mind.choose_guess(game)
        if nothing_fits:
            seconds.append(clock() - start)
        if guess in (None, secret):
            return seconds
        answer = JOTTO.score(guess, secret)
        if len(game.turns) == 1:
            answer = rng.choice(
                sorted(set(strategies.list_near_answers(answer, JOTTO)) & set(JOTTO.list_feedback()) - {JOTTO.win})
            )
        game = game.ask(guess).answer(answer)


def their_turns(words, secret, rng):  # type: (list, str, random.Random) -> list
    """Play one game by the article's algorithm; return the seconds of each turn."""
    seconds = []
    while True:
        start = clock()
        guess = rng.choice(words)
        if guess == secret:
            return seconds + [clock() - start]
        words = keep_fitting(words, guess, score(guess, secret))
        seconds.append(clock() - start)


def time_games(count):  # type: (int) -> dict
    """Play games by all ways in turn; return their seconds by game and turn."""
    measured = {}
    minds = {name: mind.load_mind("", name, ()) for name in ("consistent", "entropy", "tree")}
    believer = mind.load_mind("", "belief", ())
    words = list(minds["entropy"].wordlist.words)
    rng = random.Random(1)
    for number, secret in enumerate(compat.draw_items(words, count, 1, "benchmark")):
        for name in sorted(minds):
            measured.setdefault(name, []).append(our_turns(minds[name], secret, number + 1))
        measured.setdefault("in doubt", []).append(doubtful_turns(believer, secret, rng))
        measured.setdefault("article", []).append(their_turns(words, secret, rng))
    return measured


# A tree file: loading and walking it, as the robot does.


def load_tree(path, words):  # type: (str, list) -> object
    """Read a tree from its file and bind it to the words."""
    with io.open(path, "rb") as source:
        return tree.parse_tree(source.read()).bound_to(words, JOTTO)


def list_answers(walked, secret):  # type: (object, str) -> list
    """Return the answers to the guesses for a secret, without the winning one."""
    node, given = 0, []
    while walked.word(node) != secret:
        given.append(JOTTO.score(walked.word(node), secret))
        node = walked.child(node, given[-1])
    return given


def walk_all(walked, games):  # type: (object, list) -> int
    """Walk the tree by these answers; return the number of guesses."""
    guesses = 0
    for given in games:
        node = 0
        for answer in given:
            walked.word(node)
            node = walked.child(node, answer)
        walked.word(node)
        guesses += len(given) + 1
    return guesses


def median_seconds(work, repeats):  # type: (object, int) -> float
    """Return the median of the seconds that `work` takes."""
    taken = []
    for _ in range(repeats):
        start = clock()
        work()
        taken.append(clock() - start)
    return sorted(taken)[len(taken) // 2]


def time_tree(path, repeats):  # type: (str, int) -> dict
    """Return the nodes of a tree, the guesses for all its words, and the seconds to load it and to walk one step."""
    words = list(mind.load_mind("", "entropy", ()).wordlist.words)
    walked = load_tree(path, words)
    answers = [list_answers(walked, secret) for secret in words[: walked.certificate["words"]]]
    guesses = walk_all(walked, answers)
    return {
        "nodes": len(walked),
        "guesses": guesses,
        "load": median_seconds(lambda: load_tree(path, words), repeats),
        "step": median_seconds(lambda: walk_all(walked, answers), repeats) / guesses,
    }


def main():  # type: () -> None
    """Measure and print."""
    found = time_games(int(sys.argv[2])) if sys.argv[1] == "games" else time_tree(sys.argv[2], int(sys.argv[3]))
    print(json.dumps({"python": sys.version.split()[0], "found": found}))


if __name__ == "__main__":
    main()
