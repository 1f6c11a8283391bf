"""Simulated people: `SimulatedPerson` thinks of a word and answers NAO, `Guesser` guesses NAO's word.

Both may make mistakes. Their answers can be spoken, as sound in noise for a recogniser (`AudibleAnswers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jotto import compat
from jotto.feedback import Feedback, score_places_slowly
from jotto.game import SOLVED
from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour.conversation import CONFIRM_MEANING, CONFIRM_PHRASE
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import MY_WORD, STATES
from jotto_desk import files
from jotto_desk.conversation.confidence import Confusions
from jotto_desk.conversation.game_record import is_said, is_said_somehow, is_word_said, list_renderings
from naosim_voice import noise, sound
from naosim_voice.noise import Noise
from naosim_voice.recogniser import BEST, PLAIN, Recognised, Recogniser, Vocabulary, open_recogniser
from naosim_voice.recordings import Speakers
from naosim_voice.speaking import VoiceChoice, speak_as

# A person who thinks of a word.

#: The numbers from which a chance is drawn.
_ODDS = 10**6
#: The least and the highest confidence, in hundredths, of phrases that are heard right in a game with mishearing.
_RIGHT = (45, 95)
#: The same for misheard phrases: about one in eight is above the threshold for believing (0.55).
_WRONG = (20, 60)
#: The answers that do not depend on the word.
_ALWAYS = {"ready": "ready", "unfinished": "yes", "stopping": "no", "giving up": "no", "paused": "go on", "tell": "yes"}
_ALWAYS |= {"role": "you guess", "sealed note": "cancel"}


#: States in which the person should guess, because NAO has misheard something: the person wants to leave them.
_OTHER_ROLE = ("your guess", "word or letter?", "your word?")
#: States in which NAO asks for the person's word at the end of a game.
_TELLING = ("tell", "spell", "spelled")
#: States in which the person gives a score or a part of it.
COUNTS = ("both", "exact", "misplaced")
#: A letter that NAO has taken for another one this often is tapped.
_MAX_MISTAKEN = 2


@dataclass(frozen=True)
class Trouble:
    """Chances from 0 to 1 that an answer is misheard, that there is no answer, and that a score is wrong.

    With `measured`, answers are misheard like in that measurement.
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
    """The situation before a person's answer: NAO's state, guess and score, NAO's words, the vocabulary."""

    state: str
    guess: str
    score: str
    says: list[str]
    vocabulary: tuple[str, ...]


@dataclass(frozen=True)
class PersonAnswer:
    """The phrase that NAO hears (None for silence) with its confidence; `meant` is the person's phrase."""

    phrase: str | None
    confidence: float
    meant: str


@dataclass
class SimulatedPerson:
    """A person with a secret word; the same seed and secret give the same answers."""

    secret: str
    seed: int
    lines: Lines
    trouble: Trouble = HONEST
    said: str = ""
    before: str = ""
    about: str = ""
    letters: int = 0
    answered: str = ""
    #: How often NAO has taken the present letter for another one.
    mistaken: int = 0
    turn: int = 0
    slips: int = 0
    is_misunderstood: bool = False
    last: PersonAnswer | None = None
    claims: dict[str, Feedback] = field(default_factory=dict)

    def answer(self, view: PersonView) -> PersonAnswer:
        """Answer NAO's question."""
        self.turn += 1
        self._follow(view)
        if self._happens(self.trouble.silence, "silence"):
            self.last = PersonAnswer(None, 0.0, "")
            return self.last
        meaning = self._choose_meaning(view)
        written = self.lines.write_word(meaning)
        meant = written if written in view.vocabulary else self.lines.list_phrases([meaning])[0]
        if view.state != "asking back":
            self.said, self.before, self.about = meant, view.state, view.guess
        measured = self.trouble.measured
        self.last = self._as_measured(measured, meaning, meant, view) if measured else self._mishear(meant, view)
        return self.last

    def is_guess(self, meant: str, view: PersonView) -> bool:
        """Return whether the person says a word of NAO's list, which is spelled aloud."""
        return False

    def is_told_to_touch(self, view: PersonView) -> bool:
        """Return whether NAO has not understood the person three times, and told it how to answer by touch."""
        kinds = {state.touch for state in STATES.values() if state.touch}
        return any(is_said(self.lines, f"touch instead, {kind}", view.says) for kind in kinds)

    def prefers_touch(self, meant: str, view: PersonView) -> bool:
        """Return whether the person answers by touch: NAO said so, or has mistaken the same letter twice."""
        is_letter = self.lines.find_meaning(meant, list(self.lines.letters)) is not None
        return self.is_told_to_touch(view) or (is_letter and self.mistaken >= _MAX_MISTAKEN)

    def _as_measured(self, measured: Confusions, meaning: str, meant: str, view: PersonView) -> PersonAnswer:
        """Return an answer that is misheard as measured; NAO refuses a phrase that is not in the vocabulary."""
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
            known = self.lines.list_phrases([found.heard]) if found.heard else ()
            phrase = next((each for each in known if each in view.vocabulary), "")
        return PersonAnswer(phrase, found.confidence if phrase else 0.0, meant)

    def _mishear(self, meant: str, view: PersonView) -> PersonAnswer:
        if not self.trouble.mishear:
            return PersonAnswer(meant, 0.9, meant)
        others = [phrase for phrase in view.vocabulary if phrase != meant]
        if others and self._happens(self.trouble.mishear, "mishear"):
            wrong = compat.draw_item(others, self.seed, self.secret, self.turn, "which")
            return PersonAnswer(wrong, self._draw_confidence(*_WRONG), meant)
        return PersonAnswer(meant, self._draw_confidence(*_RIGHT), meant)

    def _draw_confidence(self, low: int, high: int) -> float:
        return (low + compat.draw_number(high - low, self.seed, self.secret, self.turn, "confidence")) / 100

    def _happens(self, odds: float, what: str) -> bool:
        return odds > 0 and compat.draw_number(_ODDS, self.seed, self.secret, self.turn, what) < odds * _ODDS

    def _choose_meaning(self, view: PersonView) -> str:
        weighed = {
            "word": self._is_it,
            "both": self._say_both,
            "exact": self._count,
            "misplaced": self._say_others,
            "doubtful": self._check_noted_score,
            "spell": self._say_letter,
            "spelled": self._check_spelling,
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
        """Notice whether NAO believes that the person gives up, which this person never does."""
        if any(ended in text for ended in self.lines.list_wordings("given up") for text in view.says):
            self.is_misunderstood = True
        elif view.state in ("word", "doubtful", *COUNTS):
            self.is_misunderstood = False

    def _is_quoted(self, view: PersonView) -> bool:
        """Return whether NAO asks to confirm what the person said, such as `Did you say three?`."""
        meaning = self.lines.find_meaning(self.said, CONFIRM_MEANING)
        keys = [CONFIRM_PHRASE] + ([CONFIRM_MEANING[meaning]] if meaning else [])
        words = {"phrase": self.said, "clearly": meaning or ""}
        return any(is_said(self.lines, key + end, view.says, **words) for key in keys for end in ("", ", example"))

    def _is_it(self, view: PersonView) -> str:
        if view.guess == self.secret:
            return "yes"
        return "mistake" if self._is_misquoted(view) else "no"

    def _is_misquoted(self, view: PersonView) -> bool:
        """Return whether NAO has repeated another score than the person gave."""
        return (
            self.before in COUNTS and self.about in self.claims and view.score != format_score(self.claims[self.about])
        )

    def _say_both(self, view: PersonView) -> str:
        """Give both numbers of the score, unless NAO has repeated a wrong score."""
        if view.guess != self.about and self._is_misquoted(view):
            return "mistake"
        claim = self._count_letters(view.guess)
        return "my word" if claim == JOTTO.win else format_score(claim)

    def _count(self, view: PersonView) -> str:
        return str(self._count_letters(view.guess).exact)

    def _count_letters(self, guess: str) -> Feedback:
        """Return the person's score of a guess, which can be wrong and stays the same."""
        if guess not in self.claims:
            self.claims[guess] = self._judge_claim(guess)
        return self.claims[guess]

    def _judge_claim(self, guess: str) -> Feedback:
        true: Feedback = JOTTO.score(guess, self.secret)
        if not self._happens(self.trouble.mistake, "mistake"):
            return true
        self.slips += 1
        wrong = [answer for answer in JOTTO.list_feedback() if answer not in (true, JOTTO.win)]
        slip: Feedback = compat.draw_item(wrong, self.seed, self.secret, self.turn, "slip")
        return slip

    def _say_others(self, view: PersonView) -> str:
        """Give the number of letters elsewhere, unless NAO has repeated a wrong first number."""
        claim = self.claims.setdefault(view.guess, JOTTO.score(view.guess, self.secret))
        text = view.says[-1] if view.says else ""
        others = [number for number in range(JOTTO.length + 1) if number != claim.exact]
        said = [line for number in others for line in list_renderings(self.lines, "elsewhere", exact=number, guess="")]
        if any(text.startswith(line.partition(".")[0] + ".") for line in said):
            return "back"
        return str(claim.misplaced)

    def _check_noted_score(self, view: PersonView) -> str:
        """Say whether the score in NAO's notes is right; now the person counts correctly."""
        # NAO may read the next answer, although the person has said that the last one was wrong.
        is_no = self.before == "doubtful" and view.guess != self.about and self.said in self.lines.list_phrases(["no"])
        if is_no or self._is_miscorrected(view):
            return "back"
        true: Feedback = JOTTO.score(view.guess, self.secret)
        if view.score == format_score(true):
            return "yes"
        self.claims[view.guess] = true
        return "no"

    def _is_miscorrected(self, view: PersonView) -> bool:
        """Return whether NAO has corrected an answer to another one than the person gave."""
        if self.before not in COUNTS or view.guess == self.about or self.about not in self.claims:
            return False
        given = self.claims[self.about]
        told = {"guess": self.about, "exact": given.exact, "misplaced": given.misplaced}
        is_corrected = is_said_somehow(self.lines, "corrected", view.says, guess=self.lines.write_word(self.about))
        return is_corrected and not is_said(self.lines, "corrected", view.says, **told)

    def _say_letter(self, view: PersonView) -> str:
        """Give the next letter, or take back one that NAO has misheard."""
        text = view.says[-1] if view.says else ""
        if any(is_said(self.lines, key, [text]) for key in ("spell", "spell again")):
            self.letters = 0
        return self._spell_on(self.secret, text)

    def _spell_on(self, word: str, text: str) -> str:
        """Return the next letter of a word: NAO has said the letter it heard, or the number of the letter it wants.

        If that is wrong, take back one letter; then NAO says which letter it wants. If NAO has said nothing since the
        last letter, it has not heard it.
        """
        is_answered, self.answered = text != self.answered, text
        numbers = range(1, len(word) + 1)
        number = next((each for each in numbers if is_said(self.lines, "spell, shortly", [text], number=each)), None)
        heard = text.rstrip(".").lower()
        if number is not None:
            self.letters = number - 1
        elif is_answered and heard in map(str.lower, self.lines.letters.values()):
            if heard != self.lines.letters.get(word[self.letters :][:1], "").lower():
                self.mistaken += 1
                return "back one"
            self.letters, self.mistaken = self.letters + 1, 0
        return word[self.letters :][:1] or "back one"

    def _check_spelling(self, view: PersonView) -> str:
        self.letters = 0
        return "yes" if is_word_said(self.lines, self.secret, view.says) else "no"


def format_score(feedback: Feedback) -> str:
    """Return a score as NAO writes it into ALMemory, such as `1 2`."""
    return f"{feedback.exact} {feedback.misplaced}"


# A person who guesses NAO's word.

#: One of this number of guesses is spelled.
_SPELLS = 4
#: The answers that do not depend on the guesses.
_HABITS = {**_ALWAYS, "again": "no", "role": "I guess", "tell": "no"}
#: The answers that lead back if NAO guesses, because it misheard "another role" at the end.
_ASTRAY = dict.fromkeys(("word", "both", "exact", "misplaced", "doubtful"), "give up")
_ASTRAY |= {"spell": "cancel", "spelled": "no", "sealed note": "cancel"}


@dataclass
class Guesser(SimulatedPerson):
    """A person who guesses words of `index`; every guess fits the `noted` guesses and their scores."""

    index: Index = field(default_factory=lambda: Index(("ocean",), JOTTO))
    #: Whether every guess is spelled letter by letter, and whether all guesses are said as words.
    spells_all: bool = False
    is_fluent: bool = False
    noted: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    wanted: str = ""
    spells: bool = False

    def answer(self, view: PersonView) -> PersonAnswer:
        """Answer NAO's question."""
        if view.state == "your guess" and view.says and self._is_asked_again(view.says[-1]):
            self.letters = 0
        return super().answer(view)

    def _choose_meaning(self, view: PersonView) -> str:
        if view.state == "your guess":
            return self._guess(view)
        if view.state == "word or letter?":
            return self._say_which(view)
        if view.state == "your word?":
            return "yes" if is_word_said(self.lines, self.wanted, view.says) else "no"
        if view.state == "asking back":
            return "yes" if self._is_quoted(view) else "no"
        if view.state == "giving up" and self.before in _ASTRAY:
            return "yes"
        return _ASTRAY.get(view.state) or _HABITS[view.state]

    def is_guess(self, meant: str, view: PersonView) -> bool:
        """Return whether the person says a word of NAO's list, which is spelled aloud."""
        return view.state == "your guess" and bool(self.wanted) and meant == self.lines.write_word(self.wanted)

    def _guess(self, view: PersonView) -> str:
        """Give the next guess, or take back a guess that the person never made."""
        if not self._note_guess(view):
            # NAO misheard the guess: it is spelled next, one letter at a time.
            self.spells, self.letters = True, 0
            return "mistake"
        if not self.wanted:
            self._choose()
        if self.spells or self.lines.write_word(self.wanted) not in view.vocabulary or self.is_told_to_touch(view):
            return self._spell_on(self.wanted, view.says[-1] if view.says else "")
        return self.wanted

    def _say_which(self, view: PersonView) -> str:
        """Say whether an alphabet word, such as hotel, is the guess; if it is the first letter, spell the next one."""
        text, names = "\n".join(view.says).lower(), self.lines.letters.items()
        letter, said = next(((letter, name.lower()) for letter, name in names if name.lower() in text), ("", ""))
        if not self.spells and said == self.lines.write_word(self.wanted):
            return "yes"
        if not self.wanted or letter != self.wanted[0]:
            return "cancel"
        self.letters = 1
        return self.wanted[1]

    def _note_guess(self, view: PersonView) -> bool:
        """Note NAO's last guess; return whether the person made it."""
        words = [word for word, _ in self.noted]
        if not view.guess:
            self.noted.clear()
        elif view.guess in words:
            # NAO has taken back the guesses after it, because it misheard something as "go back".
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
        turns: list[Any] = list(self.noted)
        fitting = self.index.list_words(self.index.find_candidates(turns))
        self.wanted = str(compat.draw_item(fitting, self.seed, self.secret, self.turn, "guess"))
        drawn = not compat.draw_number(_SPELLS, self.seed, self.secret, self.turn, "spells")
        self.spells = self.spells_all or (drawn and not self.is_fluent)
        self.letters = 0

    def _is_asked_again(self, text: str) -> bool:
        """Return whether NAO asks for a guess and has no letters of it."""
        keys = ("your guess", "your guess, shortly", "guess again")
        asked = [said for key in keys for tries in (0, 1) for said in list_renderings(self.lines, key, tries=tries)]
        return text.endswith(tuple(asked))


# Checking NAO's claims at the end of a game.

#: The meanings of an answer after which NAO knows the word.
_WINS = ("yes", MY_WORD, "5")
#: The line about one wrong answer, and the line about several.
ONE_SLIP = "would have said"
_SLIPS = "several would differ"


def list_false_claims(game: dict[str, Any], says: Sequence[str], last: PersonAnswer | None, lines: Lines) -> list[str]:
    """Return NAO's false claims: a win that the person did not confirm, and wrong statements about wrong answers.

    `game` is the plain form of a game that is over, `last` the last answer that NAO heard.
    """
    if game["outcome"] != SOLVED:
        return []
    found = []
    if last is None or last.phrase is None or lines.find_meaning(last.phrase, _WINS) is None:
        found.append(f"NAO claims {game['guess']} and has heard {'nothing' if last is None else repr(last.phrase)}")
    scores = [(guess, tuple(got), tuple(score_places_slowly(guess, game["guess"]))) for guess, got in game["turns"]]
    clashes = [score for score in scores if score[1] != score[2]]
    text = [" ".join(says)]
    told = (is_said_somehow(lines, ONE_SLIP, text), is_said_somehow(lines, _SLIPS, text))
    if told != (len(clashes) == 1, len(clashes) > 1):
        found.append(f"{len(clashes)} answers speak against {game['guess']}, and NAO said {list(says)}")
    for guess, got, true in clashes if len(clashes) == 1 else ():
        words = {"guess": guess, "exact": true[0], "misplaced": true[1], "old_exact": got[0], "old_misplaced": got[1]}
        if not is_said(lines, ONE_SLIP, text, **words):
            found.append(f"{guess} scores {true} for {game['guess']}, noted was {got}, and NAO said {list(says)}")
    return found


# Spoken answers.

#: Ten voices: American and British, female and male, quick and slow, high and low.
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
#: The noise by default: none.
_QUIET_ROOM = Noise()
#: The most sound files of failures in the folder.
_MOST_SAVED = 200


@dataclass(frozen=True)
class VoiceSettings:
    """Settings of spoken answers: the noise, the recogniser, and a folder for sounds of failures.

    Phrases with recordings in the folder `recordings` are played from there, others are spoken by espeak-ng.
    """

    noise: Noise = _QUIET_ROOM
    recogniser: str = PLAIN
    save: str = ""
    language: str = DEFAULT_LANGUAGE
    recordings: str = ""

    @property
    def may_spell(self) -> bool:
        """Return whether the recogniser understands a word that is spelled in one breath."""
        return self.recogniser == BEST


def _choose_speakers(language: str) -> tuple[VoiceChoice, ...]:
    """Return the voices of a language, as quick and as high as the English ones.

    >>> _choose_speakers("fr")[1]
    VoiceChoice(name='fr+f2', speed=150, pitch=60)
    """
    if language == DEFAULT_LANGUAGE:
        return PERSONS
    return tuple(VoiceChoice(language + "".join(one.name.partition("+")[1:]), one.speed, one.pitch) for one in PERSONS)


@dataclass(frozen=True)
class _HeardAnswer:
    """The recogniser's result for one spoken answer."""

    #: "" if the recogniser refused it, None if it noticed nothing.
    phrase: str | None
    confidence: float
    #: The time from the beginning of the sound to the result.
    seconds: float
    #: The phrase that a recogniser without thresholds hears.
    nearest: str
    pcm: bytes
    #: Whether the sound is a recording of a person.
    is_recorded: bool = False


class AudibleAnswers:
    """A recogniser, and the voices that speak to it, one for each game."""

    def __init__(self, settings: VoiceSettings, seed: int) -> None:
        self.settings = settings
        self._seed = seed
        self._recogniser: Recogniser | None = None
        self._heard_before = ""
        self._people = Speakers(Path(settings.recordings)) if settings.recordings else None

    def answer(self, text: str, vocabulary: Sequence[str], secret: str, turn: int) -> _HeardAnswer:
        """Say an answer in the voice of this game and hear it with a vocabulary; the same seed gives the same sound."""
        said = self._people and self._people.say(
            text, lambda most, what: int(compat.draw_number(most, self._seed, secret, turn, what))
        )
        own = compat.draw_number(2**31, self._seed, secret, turn, "noise")
        is_spelled = len(text) > 1 and all(len(word) == 1 for word in text.split())
        aloud = ", ".join(text.upper().split()) if is_spelled else text
        room = noise.add_noise(said or speak_as(aloud, self._choose_voice(secret)), self.settings.noise, own)
        ears = self._open_ears(secret)
        ears.open(Vocabulary(tuple(vocabulary), language=self.settings.language))
        heard = [event for event in ears.feed(room.pcm) if isinstance(event, Recognised) and not event.is_other_speech]
        ears.close()
        if not heard:
            return _HeardAnswer(None, 0.0, room.seconds, "", room.pcm, said is not None)
        # NAO stops listening at the first answer that it understands.
        first = next((event for event in heard if event.hypotheses), heard[0])
        phrase, confidence = first.hypotheses[0] if first.hypotheses else ("", 0.0)
        return _HeardAnswer(phrase, confidence, first.ended, first.nearest, room.pcm, said is not None)

    def _choose_voice(self, secret: str) -> VoiceChoice:
        voices = _choose_speakers(self.settings.language)
        return voices[compat.draw_number(len(voices), self._seed, secret, "voice")]

    def _open_ears(self, secret: str) -> Recogniser:
        """Return the recogniser of this game; each game has a new one, so that their order changes nothing."""
        if self._recogniser is None or secret != self._heard_before:
            self._recogniser = open_recogniser(self.settings.recogniser)
            self._heard_before = secret
        return self._recogniser

    def keep(self, spoken: _HeardAnswer, name: str) -> None:
        """Write the sound of a failure into the folder, if there is one and it is not full."""
        if self.settings.save:
            folder = Path(self.settings.save)
            folder.mkdir(parents=True, exist_ok=True)
            if sum(1 for _ in folder.iterdir()) < _MOST_SAVED:
                files.write_whole(folder / f"{name}.wav", sound.as_wave(sound.Clip(spoken.pcm)))
