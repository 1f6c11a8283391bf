"""How people name letters, and what sounds like the words of NAO's phrases, as a recogniser of English writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class SpokenForms(NamedTuple):
    """What a language adds to the words of its phrases.

    `letters` are a letter's names as they are written, besides the letter itself; `alphabet` is its word in the
    spelling alphabet; `joins` stand between both ("S like sierra"); `alike` are other ways to write a word. `others`
    are common words: a phrase that is not likelier than one of them is doubtful.
    """

    letters: Mapping[str, Sequence[str]]
    alphabet: Mapping[str, Sequence[str]]
    joins: Sequence[str]
    alike: Mapping[str, Sequence[str]]
    others: Sequence[str]

    def list_names(self, letter: str) -> list[str]:
        """List everything that a player may say for a letter.

        >>> FORMS["en"].list_names("s")
        ['s', 'ess', 'is', 'sierra', 's like sierra', 's as in sierra', 's for sierra']
        """
        words = list(self.alphabet.get(letter, ()))
        joined = [f"{letter} {join} {word}" for join in self.joins for word in words]
        return [letter, *self.letters[letter], *words, *joined]

    def list_alike(self, word: str) -> list[str]:
        """List other texts for a word or a bare letter."""
        return [*self.alike.get(word, ()), *self.letters.get(word, ())]


#: The spelling alphabet of the North Atlantic Treaty Organization, with what is written for some of its words.
_ALPHABET = (
    "alpha alfa,bravo,charlie,delta,echo,foxtrot,golf,hotel,india,juliet juliett,kilo,lima,mike,november,oscar,papa,"
    "quebec,romeo,sierra,tango,uniform,victor,whiskey whisky,x-ray xray,yankee,zulu"
)
#: What Moonshine writes for the names of letters, seen in recordings of people and voices.
_LETTERS = (
    "a eh,b be bee,c see sea,d,e,f eff if,g gee,h age aitch ache,i eye aye,j jay,k kay,l elle hell,m em,n and end en,"
    "o oh,p pea,q cue queue,r are ah,s ess is,t tea tee,u you,v vee,w double-u,x ex,y why,z zee zed said"
)


#: Common words that sound like answers, or are numbers like these.
_OTHERS = "six seven eight nine ten eleven twelve okay hello go going now down up on off in left stop"


def _split(listed: str) -> dict[str, list[str]]:
    rows = [row.split() for row in listed.split(",")]
    return {row[0][0]: [word.replace("-", " ") for word in row] for row in rows}


FORMS = {
    "en": SpokenForms(
        letters={letter: names[1:] for letter, names in _split(_LETTERS).items()},
        alphabet=_split(_ALPHABET),
        joins=("like", "as in", "for"),
        alike={
            "zero": ("0",),
            "one": ("1", "won"),
            "two": ("2", "to", "too"),
            "three": ("3",),
            "four": ("4", "for"),
            "five": ("5",),
            "six": ("6",),
            "no": ("know",),
            "right": ("write",),
            "wait": ("weight",),
        },
        others=_OTHERS.split(),
    )
}
