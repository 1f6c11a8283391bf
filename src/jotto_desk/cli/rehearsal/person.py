"""A simulated person who thinks of a word and answers NAO: honestly, but not always clearly or rightly."""

from dataclasses import dataclass, field

from jotto import compat
from jotto.feedback import Feedback
from jotto.rules import JOTTO
from jotto_behaviour.lines import Lines
from jotto_desk.conversation.confusions import Confusions
from jotto_desk.conversation.said_lines import is_said, is_said_somehow, is_word_said, renderings

ODDS = 10**6
#: Confidence of what the recogniser gets right, where it may err at all, and of what it gets wrong: most wrong
#: phrases stay below the bound for being believed (0.55), about one in eight does not.
RIGHT, WRONG = (45, 95), (20, 60)
#: Answers that do not depend on the word.
ALWAYS = {
    "ready": "ready",
    "unfinished": "yes",
    "stopping": "no",
    "giving up": "no",
    "paused": "go on",
    "tell": "yes",
    "role": "you guess",
    "sealed note": "cancel",
}


#: Here the person is to guess: NAO has misheard them, and they want out of it.
OTHER_ROLE = ("your guess", "word or letter?", "your word?")


#: Where NAO asks for the person's word, as the game is over.
TELLING = ("tell", "spell", "spelled")
#: Where the person gives a score, or the half that completes it.
COUNTS = ("both", "exact", "misplaced")
#: The lines that ask an answer back.
ASKING_BACK = ("did you say", "did you say, example")


@dataclass(frozen=True)
class Trouble:
    """Chances from 0 to 1: an answer misheard, no answer at all, a score counted wrong.

    Where it was `measured` how answers are misheard, they are misheard like that.
    """

    mishear: float = 0.0
    silence: float = 0.0
    mistake: float = 0.0
    measured: Confusions | None = None

    @property
    def is_misheard(self) -> bool:
        """Tell whether NAO mishears anything."""
        return bool(self.mishear) or self.measured is not None


HONEST = Trouble()


@dataclass(frozen=True)
class PersonView:
    """What a person notices when it is their turn: what is shown and said, and what could be heard."""

    state: str
    guess: str
    score: str
    says: list[str]
    vocabulary: tuple[str, ...]


@dataclass(frozen=True)
class PersonAnswer:
    """What reaches NAO: a phrase with a confidence, or silence (no phrase); `meant` is what the person said."""

    phrase: str | None
    confidence: float
    meant: str


@dataclass
class SimulatedPerson:
    """A person who keeps `secret` and answers; the same seed and secret give the same answers."""

    secret: str
    seed: int
    lines: Lines
    trouble: Trouble = HONEST
    said: str = ""
    before: str = ""
    about: str = ""
    letters: int = 0
    turn: int = 0
    slips: int = 0
    is_misunderstood: bool = False
    last: PersonAnswer | None = None
    claims: dict[str, Feedback] = field(default_factory=dict)

    def answer(self, view: PersonView) -> PersonAnswer:
        """Answer what NAO asked; a person who stays silent has heard it, too."""
        self.turn += 1
        self._follow(view)
        if self._happens(self.trouble.silence, "silence"):
            self.last = PersonAnswer(None, 0.0, "")
            return self.last
        meaning = self._meaning(view)
        written = self.lines.written(meaning)
        meant = written if written in view.vocabulary else self.lines.phrases([meaning])[0]
        if view.state != "asking back":
            self.said, self.before, self.about = meant, view.state, view.guess
        self.last = (
            self._heard(meant, view)
            if self.trouble.measured is None
            else self._as_measured(self.trouble.measured, meaning, meant, view)
        )
        return self.last

    def _as_measured(self, measured: Confusions, meaning: str, meant: str, view: PersonView) -> PersonAnswer:
        """Let NAO hear what was heard of such an answer; what cannot be heard just now is refused."""
        places = iter(("mishear", "confidence"))
        found = measured.draw(
            view.state, meaning, lambda most: compat.draw_number(most, self.seed, self.secret, self.turn, next(places))
        )
        if found.heard is None:
            return PersonAnswer(None, 0.0, meant)
        if found.is_other:
            heard = [phrase for phrase in view.vocabulary if phrase != meant]
            phrase = compat.draw_item(heard, self.seed, self.secret, self.turn, "which") if heard else ""
        elif found.heard == meaning:
            phrase = meant
        else:
            phrase = next(
                (each for each in self.lines.phrases([found.heard] if found.heard else []) if each in view.vocabulary),
                "",
            )
        return PersonAnswer(phrase, found.confidence if phrase else 0.0, meant)

    def _heard(self, meant: str, view: PersonView) -> PersonAnswer:
        if not self.trouble.mishear:
            return PersonAnswer(meant, 0.9, meant)
        others = [phrase for phrase in view.vocabulary if phrase != meant]
        if others and self._happens(self.trouble.mishear, "mishear"):
            wrong = compat.draw_item(others, self.seed, self.secret, self.turn, "which")
            return PersonAnswer(wrong, self._sure(*WRONG), meant)
        return PersonAnswer(meant, self._sure(*RIGHT), meant)

    def _sure(self, low: int, high: int) -> float:
        return (low + compat.draw_number(high - low, self.seed, self.secret, self.turn, "confidence")) / 100

    def _happens(self, odds: float, what: str) -> bool:
        return compat.draw_number(ODDS, self.seed, self.secret, self.turn, what) < odds * ODDS

    def _meaning(self, view: PersonView) -> str:
        """Return what the person wants to say, as a meaning of the language's vocabulary."""
        weighed = {
            "word": self._is_it,
            "both": self._both,
            "exact": self._count,
            "misplaced": self._others,
            "doubtful": self._noted,
            "spell": self._letter,
            "spelled": self._spelled,
        }
        if self.is_misunderstood and view.state in TELLING:
            return "back"
        if view.state in weighed:
            return weighed[view.state](view)
        if view.state == "ready":
            self.claims.clear()
        if view.state == "again":
            doubts = view.guess not in ("", self.secret) and self.before != "giving up"
            return "mistake" if doubts else "no"
        if view.state == "asking back":
            return "yes" if self._is_quoted(view) else "no"
        if view.state in OTHER_ROLE:
            return "give up"
        if view.state == "giving up" and self.before in OTHER_ROLE:
            return "yes"
        return ALWAYS[view.state]

    def _follow(self, view: PersonView) -> None:
        """Notice that NAO takes the game for given up, which this person never wants."""
        if any(ended in text for ended in self.lines.variants("given up") for text in view.says):
            self.is_misunderstood = True
        elif view.state in ("word", "doubtful", *COUNTS):
            self.is_misunderstood = False

    def _is_quoted(self, view: PersonView) -> bool:
        """Tell whether NAO asks back what the person has said, guesses in capitals: `Did you say three?`."""
        return any(is_said(self.lines, key, view.says, phrase=self.said) for key in ASKING_BACK)

    def _is_it(self, view: PersonView) -> str:
        if view.guess == self.secret:
            return "yes"
        return "mistake" if self._misquoted(view) else "no"

    def _misquoted(self, view: PersonView) -> bool:
        """Tell whether NAO has just said another score back than the person gave."""
        return self.before in COUNTS and self.about in self.claims and view.score != shown(self.claims[self.about])

    def _both(self, view: PersonView) -> str:
        """Count both numbers of the score, unless NAO has just said another score back."""
        if view.guess != self.about and self._misquoted(view):
            return "mistake"
        claim = self._counted(view.guess)
        return "my word" if claim == JOTTO.win else shown(claim)

    def _count(self, view: PersonView) -> str:
        """Count the letters in place."""
        return str(self._counted(view.guess).exact)

    def _counted(self, guess: str) -> Feedback:
        """Return the score of a guess, which is worked out once, and may hold a slip."""
        if guess not in self.claims:
            self.claims[guess] = self._claim(guess)
        return self.claims[guess]

    def _claim(self, guess: str) -> Feedback:
        true: Feedback = JOTTO.score(guess, self.secret)
        if not self._happens(self.trouble.mistake, "mistake"):
            return true
        self.slips += 1
        wrong = [answer for answer in JOTTO.possible() if answer not in (true, JOTTO.win)]
        slip: Feedback = compat.draw_item(wrong, self.seed, self.secret, self.turn, "slip")
        return slip

    def _others(self, view: PersonView) -> str:
        """Count the letters elsewhere, unless NAO has just said another first number back."""
        claim = self.claims.setdefault(view.guess, JOTTO.score(view.guess, self.secret))
        text = view.says[-1] if view.says else ""
        others = [number for number in range(JOTTO.length + 1) if number != claim.exact]
        said = [line for number in others for line in renderings(self.lines, "elsewhere", exact=number, guess="")]
        if any(text.startswith(line.partition(".")[0] + ".") for line in said):
            return "back"
        return str(claim.misplaced)

    def _noted(self, view: PersonView) -> str:
        """Compare what NAO noted with the word itself; a person who is asked counts with care."""
        if self._miscorrected(view) or self._was_no_heard_as_yes(view):
            return "back"
        true: Feedback = JOTTO.score(view.guess, self.secret)
        if view.score == shown(true):
            return "yes"
        self.claims[view.guess] = true
        return "no"

    def _miscorrected(self, view: PersonView) -> bool:
        """Tell whether NAO has just changed an answer into another one than the person gave."""
        if self.before not in COUNTS or view.guess == self.about or self.about not in self.claims:
            return False
        given = self.claims[self.about]
        return is_said_somehow(
            self.lines, "corrected", view.says, guess=self.lines.written(self.about)
        ) and not is_said(
            self.lines, "corrected", view.says, guess=self.about, exact=given.exact, misplaced=given.misplaced
        )

    def _was_no_heard_as_yes(self, view: PersonView) -> bool:
        """Tell whether NAO reads on, though the person has just said that the answer read before was wrong."""
        return self.before == "doubtful" and view.guess != self.about and self.said in self.lines.phrases(["no"])

    def _letter(self, view: PersonView) -> str:
        """Spell on, or take a letter back that NAO repeats wrongly."""
        text = view.says[-1] if view.says else ""
        if any(is_said(self.lines, key, [text]) for key in ("spell", "spell again")):
            self.letters = 0
        return self._spell_on(self.secret, text)

    def _spell_on(self, word: str, text: str) -> str:
        """Return the next letter of a word, by what NAO said: the letter it heard, or the number of the one it wants.

        Where that does not fit, one letter is taken back; NAO then says which letter it waits for.
        """
        number = next(
            (each for each in range(1, len(word) + 1) if is_said(self.lines, "spell, shortly", [text], number=each)),
            None,
        )
        heard = text.rstrip(".").lower()
        if number is not None:
            self.letters = number - 1
        elif heard in map(str.lower, self.lines.letters.values()):
            if heard != self.lines.letters.get(word[self.letters :][:1], "").lower():
                return "back one"
            self.letters += 1
        return word[self.letters :][:1] or "back one"

    def _spelled(self, view: PersonView) -> str:
        self.letters = 0
        return "yes" if is_word_said(self.lines, self.secret, view.says) else "no"


def shown(feedback: Feedback) -> str:
    """Write a score as NAO shows it to onlookers: `1 2`."""
    return f"{feedback.exact} {feedback.misplaced}"
