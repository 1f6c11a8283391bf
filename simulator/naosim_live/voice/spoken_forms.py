"""How people name letters, and what sounds like the words of NAO's phrases, as a recogniser of English writes it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .pronunciation import sound_foreign


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
    language: str = "en"

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
        found = [*self.alike.get(word, ()), *self.letters.get(word, ())]
        return found if self.language == "en" else list(dict.fromkeys([*found, respell(word, self.language)]))


_PHONES = """AA=a AE=a AH=u AO=o AW=ow AY=y B=b CH=ch D=d DH=th EH=e ER=er EY=ay F=f G=g HH=h IH=i IY=ee JH=j K=k L=l
M=m N=n NG=ng OW=o OY=oy P=p R=r S=s SH=sh T=t TH=th UH=oo UW=oo V=v W=w Y=y Z=z ZH=zh"""
#: The phones of English, each as it is written in many words.
_WRITTEN = dict(pair.split("=") for pair in _PHONES.split())


def respell(word: str, language: str) -> str:
    """Spell a word of another language as somebody might who knows only English.

    >>> respell("cuatro", "es"), respell("richtig", "de"), respell("trois", "fr")
    ('kwatro', 'rishtish', 'trwa')
    """
    return "".join(_WRITTEN[phone] for phone in sound_foreign(word, language))


def _list_alike(listed: str) -> dict[str, list[str]]:
    rows = [row.split() for row in listed.split(",")]
    return {row[0]: [text.replace("_", " ") for text in row[1:]] for row in rows}


#: By language: what Moonshine writes for answers, seen in recordings of people and in voices of espeak-ng.
_FOREIGN_ALIKE = {
    "de": """null nool newl,eins ines ince eyes ice,zwei try tsvy svy,drei dry fly rye,vier fear fia,
fünf fund foonf fun,ja yeah ya yah,nein nine,und and unt,sechs six sex,sieben seapen zeeben,acht act out""",
    "es": """cero sero settle saddle,uno oh_no ono who_no,una oh_na oona,dos those dose,tres trace tress grace,
cuatro quattro,cinco sinkle sinko circle,sí see si c sea,no know,y e and,seis safe face says,siete see_etta,
ocho whatcha""",
    "fr": """zéro zero,un uh ah an,une oon,deux do duh dew,trois twa twah,quatre gather gatra cat catch,
cinq sank sunk sack,oui we wee,non no known nah,et a eh,six this cease,sept set,huit wait wheat""",
}
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
            "four": ("4", "for", "or"),
            "five": ("5",),
            "six": ("6",),
            "no": ("know", "nope", "nah"),
            "yes": ("yeah", "yep", "yup"),
            "right": ("write",),
            "wait": ("weight",),
        },
        others=_OTHERS.split(),
    )
} | {
    language: SpokenForms({}, {}, (), _list_alike(listed), (), language) for language, listed in _FOREIGN_ALIKE.items()
}
