"""Simulated persons: one thinks of a word and answers NAO, one guesses NAO's word; both may err.

They check what NAO claims at the end of a game. Their answers may be really spoken: sound in noise, for a recogniser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jotto import compat, feedback
from jotto import game as games
from jotto.feedback import Feedback
from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import MY_WORD
from jotto_desk import files
from jotto_desk.conversation.confidence import Confusions
from jotto_desk.conversation.game_record import is_said, is_said_somehow, is_word_said, renderings
from naosim_live.voice import noise, recogniser, sound
from naosim_live.voice.espeak import VoiceChoice, speak
from naosim_live.voice.noise import Noise
from naosim_live.voice.recogniser import Recognised, Recogniser, Vocabulary
from naosim_live.voice.recordings import Speakers

# --- A simulated person who thinks of a word and answers NAO: honestly, but not always clearly or rightly.

_ODDS = 10**6
#: Confidence of what the recogniser gets right, where it may err at all, and of what it gets wrong: most wrong
#: phrases stay below the bound for being believed (0.55), about one in eight does not.
_RIGHT, _WRONG = (45, 95), (20, 60)
#: Answers that do not depend on the word.
_ALWAYS = {
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
_OTHER_ROLE = ("your guess", "word or letter?", "your word?")


#: Where NAO asks for the person's word, as the game is over.
_TELLING = ("tell", "spell", "spelled")
#: Where the person gives a score, or the half that completes it.
COUNTS = ("both", "exact", "misplaced")
#: The lines that ask an answer back.
_ASKING_BACK = ("did you say", "did you say, example")


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
        """Return whether NAO mishears anything."""
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
            return PersonAnswer(wrong, self._sure(*_WRONG), meant)
        return PersonAnswer(meant, self._sure(*_RIGHT), meant)

    def _sure(self, low: int, high: int) -> float:
        return (low + compat.draw_number(high - low, self.seed, self.secret, self.turn, "confidence")) / 100

    def _happens(self, odds: float, what: str) -> bool:
        return compat.draw_number(_ODDS, self.seed, self.secret, self.turn, what) < odds * _ODDS

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
        if self.is_misunderstood and view.state in _TELLING:
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
        if view.state in _OTHER_ROLE:
            return "give up"
        if view.state == "giving up" and self.before in _OTHER_ROLE:
            return "yes"
        return _ALWAYS[view.state]

    def _follow(self, view: PersonView) -> None:
        """Notice that NAO takes the game for given up, which this person never wants."""
        if any(ended in text for ended in self.lines.variants("given up") for text in view.says):
            self.is_misunderstood = True
        elif view.state in ("word", "doubtful", *COUNTS):
            self.is_misunderstood = False

    def _is_quoted(self, view: PersonView) -> bool:
        """Return whether NAO asks back what the person has said, guesses in capitals: `Did you say three?`."""
        return any(is_said(self.lines, key, view.says, phrase=self.said) for key in _ASKING_BACK)

    def _is_it(self, view: PersonView) -> str:
        if view.guess == self.secret:
            return "yes"
        return "mistake" if self._misquoted(view) else "no"

    def _misquoted(self, view: PersonView) -> bool:
        """Return whether NAO has just said another score back than the person gave."""
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
        """Return whether NAO has just changed an answer into another one than the person gave."""
        if self.before not in COUNTS or view.guess == self.about or self.about not in self.claims:
            return False
        given = self.claims[self.about]
        return is_said_somehow(
            self.lines, "corrected", view.says, guess=self.lines.written(self.about)
        ) and not is_said(
            self.lines, "corrected", view.says, guess=self.about, exact=given.exact, misplaced=given.misplaced
        )

    def _was_no_heard_as_yes(self, view: PersonView) -> bool:
        """Return whether NAO reads on, though the person has just said that the answer read before was wrong."""
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


# --- A simulated person who guesses NAO's word: by saying words or spelling them, and never against what NAO has said.

#: One guess in so many is spelled.
_SPELLS = 4
#: What the person says to questions about nothing NAO thinks of.
_HABITS = {**_ALWAYS, "again": "no", "role": "I guess", "tell": "no"}
#: Where NAO guesses, because it heard "another role" at the end: the way out.
_ASTRAY = {
    "word": "give up",
    "both": "give up",
    "exact": "give up",
    "misplaced": "give up",
    "doubtful": "give up",
    "spell": "cancel",
    "spelled": "no",
    "sealed note": "cancel",
}


@dataclass
class Guesser(SimulatedPerson):
    """A person who guesses words of `index` that fit the notes; `noted` are the guesses NAO counts and their scores."""

    index: Index = field(default_factory=lambda: Index(("ocean",), JOTTO))
    spells_all: bool = False
    noted: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    wanted: str = ""
    spells: bool = False

    def answer(self, view: PersonView) -> PersonAnswer:
        """Answer what NAO asked; a person who stays silent has heard it, too."""
        if view.state == "your guess" and view.says and self._asked_anew(view.says[-1]):
            self.letters = 0
        return super().answer(view)

    def _meaning(self, view: PersonView) -> str:
        if view.state == "your guess":
            return self._guess(view)
        if view.state == "word or letter?":
            return self._which(view)
        if view.state == "your word?":
            return "yes" if is_word_said(self.lines, self.wanted, view.says) else "no"
        if view.state == "asking back":
            return "yes" if self._is_quoted(view) else "no"
        if view.state == "giving up" and self.before in _ASTRAY:
            return "yes"
        return _ASTRAY.get(view.state) or _HABITS[view.state]

    def _guess(self, view: PersonView) -> str:
        """Guess on; what NAO counts and the person never said is taken back."""
        if not self._agrees(view):
            return "mistake"
        if not self.wanted:
            self._choose()
        if self.spells or self.lines.written(self.wanted) not in view.vocabulary:
            return self._next_letter(view)
        return self.wanted

    def _which(self, view: PersonView) -> str:
        """Say whether the alphabet word NAO asks about, such as hotel, is the guess; as its first letter, spell on."""
        letter, said = next(
            (
                (letter, name.lower())
                for letter, name in self.lines.letters.items()
                for text in view.says
                if name.lower() in text.lower()
            ),
            ("", ""),
        )
        if not self.spells and said == self.lines.written(self.wanted):
            return "yes"
        if not self.wanted or letter != self.wanted[0]:
            return "cancel"
        self.letters = 1
        return self.wanted[1]

    def _agrees(self, view: PersonView) -> bool:
        """Compare NAO's last counted guess with one's own notes, and note a new one."""
        words = [word for word, _ in self.noted]
        if not view.guess:
            self.noted.clear()
        elif view.guess in words:
            # Anything after it was taken back: something else was heard as "go back".
            del self.noted[words.index(view.guess) + 1 :]
        elif view.guess == self.wanted:
            exact, misplaced = map(int, view.score.split())
            self.noted.append((view.guess, (exact, misplaced)))
            self.wanted = ""
        else:
            return False
        if len(self.noted) < len(words):
            self.wanted = ""
        return True

    def _choose(self) -> None:
        """Choose any word that fits the notes."""
        turns: list[Any] = list(self.noted)
        fitting = self.index.chosen(self.index.candidates(turns))
        self.wanted = str(compat.draw_item(fitting, self.seed, self.secret, self.turn, "guess"))
        self.spells = self.spells_all or not compat.draw_number(_SPELLS, self.seed, self.secret, self.turn, "spells")
        self.letters = 0

    def _next_letter(self, view: PersonView) -> str:
        """Spell on, by what NAO repeats: a letter, or the number of the one it waits for."""
        return self._spell_on(self.wanted, view.says[-1] if view.says else "")

    def _asked_anew(self, text: str) -> bool:
        """Return whether NAO asks for a guess with no letter of it noted."""
        keys = ("your guess", "your guess, shortly", "guess again")
        return any(text.endswith(variant) for key in keys for variant in self.lines.variants(key))


# --- What NAO claims at the end of a game it has won, checked against the game itself and against what it has heard.

#: What a player may mean who tells that the guess is the word; of a score, that all five letters are in place.
_WINS = ("yes", MY_WORD, "5")
#: The lines that speak of an answer, or of several, that the word found speaks against.
ONE_SLIP, _SLIPS = "would have said", "several would differ"


def false_claims(game: dict[str, Any], says: Sequence[str], last: PersonAnswer | None, lines: Lines) -> list[str]:
    """List what NAO claims wrongly: a word that was not called the right one, and answers that were no slips.

    `game` is the plain form of a game that is over, `last` what NAO has heard last.
    """
    if game["outcome"] != games.SOLVED:
        return []
    found = []
    if last is None or last.phrase is None or lines.meaning(last.phrase, _WINS) is None:
        found.append(f"NAO claims {game['guess']} and has heard {'nothing' if last is None else repr(last.phrase)}")
    clashes = [
        (guess, tuple(got), true)
        for guess, got in game["turns"]
        if (true := tuple(feedback.score_places_slowly(guess, game["guess"]))) != tuple(got)
    ]
    text = [" ".join(says)]
    if is_said_somehow(lines, ONE_SLIP, text) != (len(clashes) == 1) or is_said_somehow(lines, _SLIPS, text) != (
        len(clashes) > 1
    ):
        found.append(f"{len(clashes)} answers speak against {game['guess']}, and NAO said {list(says)}")
    for guess, got, true in clashes if len(clashes) == 1 else ():
        words = {"guess": guess, "exact": true[0], "misplaced": true[1], "old_exact": got[0], "old_misplaced": got[1]}
        if not is_said(lines, ONE_SLIP, text, **words):
            found.append(f"{guess} scores {true} for {game['guess']}, noted was {got}, and NAO said {list(says)}")
    return found


# --- Answers that are really spoken: a simulated person's words as sound, in noise, through a real recogniser.

#: Ten persons: American and British, women and men, quick and slow, high and low.
PERSONS = (
    VoiceChoice("en-us", 160, 50),
    VoiceChoice("en-us+f2", 150, 60),
    VoiceChoice("en-us+m3", 170, 35),
    VoiceChoice("en-us+f4", 165, 70),
    VoiceChoice("en-us+m7", 140, 45),
    VoiceChoice("en-gb", 160, 50),
    VoiceChoice("en-gb+f3", 155, 55),
    VoiceChoice("en-gb-x-rp", 175, 40),
    VoiceChoice("en-gb-scotland", 150, 50),
    VoiceChoice("en-029", 150, 50),
)
#: Where nothing else is asked for.
_QUIET_ROOM = Noise()
#: Sounds of failures that are kept at most.
_MOST_SAVED = 200


@dataclass(frozen=True)
class VoiceSettings:
    """How persons are heard: the noise around them, the recogniser with its model, where failures are kept.

    People whose `recordings` are in a folder say what they can, and voices of espeak-ng the rest.
    """

    noise: Noise = _QUIET_ROOM
    recogniser: str = "pocketsphinx"
    model: str = ""
    save: str = ""
    language: str = DEFAULT_LANGUAGE
    recordings: str = ""


def _choose_speakers(language: str) -> tuple[VoiceChoice, ...]:
    """Return the persons who speak a language: those of other languages are as quick and as high as the English ones.

    >>> _choose_speakers("fr")[1]
    VoiceChoice(name='fr+f2', speed=150, pitch=60)
    """
    if language == DEFAULT_LANGUAGE:
        return PERSONS
    return tuple(VoiceChoice(language + "".join(one.name.partition("+")[1:]), one.speed, one.pitch) for one in PERSONS)


@dataclass(frozen=True)
class _HeardAnswer:
    """What became of one answer: the phrase and confidence that reach NAO, and how long it took to say and to hear.

    The phrase is "" for a refusal and None where nothing was noticed; `nearest` is what a grammar without doubts hears.
    `is_recorded` tells that a person said it, and no synthetic voice.
    """

    phrase: str | None
    confidence: float
    seconds: float
    nearest: str
    pcm: bytes
    is_recorded: bool = False


class AudibleAnswers:
    """One recogniser, and the persons who speak to it, one a game."""

    def __init__(self, settings: VoiceSettings, seed: int) -> None:
        self.settings = settings
        self._seed = seed
        self._recogniser: Recogniser | None = None
        self._heard_before = ""
        self._people = Speakers(Path(settings.recordings)) if settings.recordings else None

    def answer(self, text: str, vocabulary: Sequence[str], secret: str, turn: int) -> _HeardAnswer:
        """Say an answer in the person's voice and hear it with a vocabulary; the same seed sounds the same."""
        said = self._people and self._people.say(
            text, lambda most, what: int(compat.draw_number(most, self._seed, secret, turn, what))
        )
        own = compat.draw_number(2**31, self._seed, secret, turn, "noise")
        room = noise.around(said or speak(text, self._voice(secret)), self.settings.noise, own)
        ears = self._ears(secret)
        ears.open(Vocabulary(tuple(vocabulary)))
        heard = [event for event in ears.feed(room.pcm) if isinstance(event, Recognised)]
        ears.close()
        if not heard:
            return _HeardAnswer(None, 0.0, room.seconds, "", room.pcm, said is not None)
        # NAO's ears close at the first answer that it understands.
        first = next((event for event in heard if event.hypotheses), heard[0])
        phrase, confidence = first.hypotheses[0] if first.hypotheses else ("", 0.0)
        return _HeardAnswer(phrase, confidence, first.ended, first.nearest, room.pcm, said is not None)

    def _voice(self, secret: str) -> VoiceChoice:
        """Return the voice of the person of this game."""
        voices = _choose_speakers(self.settings.language)
        return voices[compat.draw_number(len(voices), self._seed, secret, "voice")]

    def _ears(self, secret: str) -> Recogniser:
        """Return the recogniser of this game: it knows the room of no other, so that their order changes nothing."""
        if self._recogniser is None or secret != self._heard_before:
            self._recogniser = recogniser.recogniser(self.settings.recogniser, self.settings.model)
            self._heard_before = secret
        return self._recogniser

    def keep(self, spoken: _HeardAnswer, name: str) -> None:
        """Write the sound of a failure into the folder for them, where one is wanted and not too many are there."""
        if self.settings.save:
            folder = Path(self.settings.save)
            folder.mkdir(parents=True, exist_ok=True)
            if sum(1 for _ in folder.iterdir()) < _MOST_SAVED:
                files.write_whole(folder / f"{name}.wav", sound.as_wave(sound.Clip(spoken.pcm)))
