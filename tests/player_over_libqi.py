"""Play one game of Jotto on any NAOqi, by raised events: python player_over_libqi.py URL SECRET [PACKAGE].

PACKAGE is a path on the robot, which is installed first. Without speech recognition, as in the maker's desktop NAOqi,
the answers go into the Dialog panel. Prints the word that NAO found.
"""

import sys
import time

import qi

from jotto_behaviour import mind
from jotto_desk.rehearsal.person import PersonView, SimulatedPerson

#: The longest time in seconds to wait for NAO.
PATIENCE_S = 60.0
#: libqi 3 loses about one connection in three to NAOqi 2.1.
CONNECTIONS = 10
BEHAVIOUR = "nao-jotto/behavior_1"
#: A game has fewer answers.
MOST_ANSWERS = 100


class Table:
    def __init__(self, url, package):
        self.session = connect(url)
        self.memory, self.manager = self.session.service("ALMemory"), self.session.service("ALBehaviorManager")
        is_hearing = any(service["name"] == "ALSpeechRecognition" for service in self.session.services())
        self.event = "WordRecognized" if is_hearing else "Dialog/LastInput"
        self.said = []
        self.sentence = self.memory.subscriber("ALTextToSpeech/CurrentSentence")
        self.sentence.signal.connect(lambda text: text and self.said.append(text))
        self.others = set(self.memory.getSubscribers(self.event))
        if package:
            assert self.session.service("PackageManager").install(package), package
        self.manager.startBehavior(BEHAVIOUR)

    def turn(self, heard):
        """Wait until NAO listens after more than `heard` sentences, or the game ends; return whether it listens."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if len(self.said) > heard and set(self.memory.getSubscribers(self.event)) - self.others:
                return True
            if BEHAVIOUR not in self.manager.getRunningBehaviors():
                return False
            time.sleep(0.005)
        raise SystemExit(f"NAO neither listens nor ends; it said {self.said[heard:]}.")

    def answer(self, phrase, confidence):
        self.memory.raiseEvent(self.event, [phrase, confidence] if self.event == "WordRecognized" else phrase)


def connect(url):
    for attempt in range(CONNECTIONS):
        session = qi.Session()
        try:
            session.connect(url)
            return session
        except RuntimeError as error:
            last = error
            time.sleep(0.1 * attempt)
    raise SystemExit(f"{url} was tried {CONNECTIONS} times: {last}")


def main(url, secret, package=""):
    table, heard, found = Table(url, package), 0, ""
    person = SimulatedPerson(secret, 1, mind.load_lines())
    for _ in range(MOST_ANSWERS):
        if not table.turn(heard):
            break
        state, guess, score = (str(table.memory.getData(f"Jotto/{key}")) for key in ("State", "Guess", "Score"))
        if state == "again":
            found = guess
        heard_before, heard = heard, len(table.said)
        # The vocabulary is not told: people know the phrases from the rules.
        answer = person.answer(PersonView(state, guess, score, table.said[heard_before:], ()))
        table.answer(answer.phrase, answer.confidence)
    print(f"found {found} after {table.memory.getData('Jotto/Attempts')} guesses")
    table.session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
