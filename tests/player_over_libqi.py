"""Play one game of Jotto over libqi: python player_over_libqi.py URL SECRET; print the word that NAO found."""

import sys
import time

import qi

from jotto_behaviour import mind
from jotto_desk.rehearsal.person import PersonView, SimulatedPerson

#: The longest time in seconds to wait for NAO.
PATIENCE = 30.0


class Table:
    def __init__(self, url):
        self.session = qi.Session()
        self.session.connect(url)
        self.memory, self.human, self.manager = (
            self.session.service(name) for name in ("ALMemory", "SimulatedHuman", "ALBehaviorManager")
        )

    def is_played(self):
        return any("jotto" in name for name in self.manager.getRunningBehaviors())

    def turn(self, heard):
        """Wait until NAO listens after more than `heard` texts; return all, and the vocabulary, None after the game."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            said, ears = self.human.said(), self.human.ears()
            if len(said) > heard and ears["engine"]:
                return said, tuple(ears["vocabulary"])
            if not self.is_played():
                return said, None
            time.sleep(0.005)
        raise SystemExit(f"NAO neither listens nor ends; it said {said[heard:]}.")


def main(url, secret):
    table, heard, found = Table(url), 0, ""
    person = SimulatedPerson(secret, 1, mind.load_lines())
    for _ in range(100):  # A game has fewer answers.
        said, vocabulary = table.turn(heard)
        if vocabulary is None:
            break
        state, guess, score = (str(table.memory.getData(f"Jotto/{key}")) for key in ("State", "Guess", "Score"))
        if state == "again":
            found = guess
        answer = person.answer(PersonView(state, guess, score, said[heard:], vocabulary))
        heard = len(said)
        table.human.hear(answer.phrase, answer.confidence)
    print(f"found {found} after {table.memory.getData('Jotto/Attempts')} guesses")
    table.session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
