"""Time per turn of the robot-side code, beside the article's, game by game in one run; for Python 2.7 and 3.

A turn of ours is what the boxes do between one guess and the next: read the notes, understand the answers, save after
each, look what still fits, choose. Prints one JSON object.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import json
import random
import sys
import timeit

import article

from jotto import compat, strategies
from jotto import game as games
from jotto.rules import JOTTO
from jotto_behaviour import conversation, hearing, memory, mind
from jotto_behaviour.talk import Talk

clock = timeit.default_timer


class Board(object):
    """A stand-in for ALMemory: a dict."""

    def __init__(self):  # type: () -> None
        self.values = {}

    def insertData(self, key, value):  # type: (str, object) -> None
        """Write a value."""
        self.values[key] = value

    def getData(self, key):  # type: (str) -> object
        """Read a value."""
        return self.values[key]


def our_turns(mind, secret, seed):  # type: (object, str, int) -> list
    """Play one game as the boxes do; seconds per turn."""
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
    """Play one game whose second answer is off by one letter; seconds per guess where no word fits every answer."""
    game = games.start_game(JOTTO, "en", "", 1)
    seconds = []
    while True:
        nothing_fits = not mind.left(game)
        start = clock()
        guess = mind.next_guess(game)
        if nothing_fits:
            seconds.append(clock() - start)
        if guess in (None, secret):
            return seconds
        answer = JOTTO.score(guess, secret)
        if len(game.turns) == 1:
            answer = rng.choice(
                sorted(set(strategies.list_near_answers(answer, JOTTO)) & set(JOTTO.possible()) - {JOTTO.win})
            )
        game = game.ask(guess).answer(answer)


def their_turns(words, secret, rng):  # type: (list, str, random.Random) -> list
    """Play one game as the article does; seconds per turn."""
    seconds = []
    while True:
        start = clock()
        guess = rng.choice(words)
        if guess == secret:
            return seconds + [clock() - start]
        words = article.turn(words, guess, article.score(guess, secret))
        seconds.append(clock() - start)


def main():  # type: () -> None
    """Alternate games of both and print the seconds."""
    count = int(sys.argv[1])
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
    print(json.dumps({"seconds": measured, "words": len(words), "python": sys.version.split()[0]}))


if __name__ == "__main__":
    main()
