"""A simulated person who guesses NAO's word: by saying words or spelling them, and never against what NAO has said."""

from dataclasses import dataclass, field
from typing import Any

from jotto import compat
from jotto.index import Index
from jotto.rules import JOTTO
from jotto_desk.conversation.said_lines import is_word_said

from .person import ALWAYS, PersonAnswer, PersonView, SimulatedPerson

#: One guess in so many is spelled.
SPELLS = 4
#: What the person says to questions about nothing NAO thinks of.
HABITS = {**ALWAYS, "again": "no", "role": "I guess", "tell": "no"}
#: Where NAO guesses, because it heard "another role" at the end: the way out.
ASTRAY = {
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
        if view.state == "giving up" and self.before in ASTRAY:
            return "yes"
        return ASTRAY.get(view.state) or HABITS[view.state]

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
        self.spells = self.spells_all or not compat.draw_number(SPELLS, self.seed, self.secret, self.turn, "spells")
        self.letters = 0

    def _next_letter(self, view: PersonView) -> str:
        """Spell on, by what NAO repeats: a letter, or the number of the one it waits for."""
        return self._spell_on(self.wanted, view.says[-1] if view.says else "")

    def _asked_anew(self, text: str) -> bool:
        """Tell whether NAO asks for a guess with no letter of it noted."""
        keys = ("your guess", "your guess, shortly", "guess again")
        return any(text.endswith(variant) for key in keys for variant in self.lines.variants(key))
