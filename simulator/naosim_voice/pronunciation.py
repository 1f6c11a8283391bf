"""How words sound, as phones: from a pronouncing dictionary, and by plain rules for words that it lacks."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from .recogniser import VoiceError, plain_words

#: Letters of English to phones of the CMU dictionary, the longest match first; good for names and rare words.
RULES = {
    "tion": "SH AH N",
    "sion": "ZH AH N",
    "ough": "AO",
    "augh": "AO",
    "eigh": "EY",
    "igh": "AY",
    "tch": "CH",
    "sch": "SH",
    "dge": "JH",
    "ear": "IH R",
    "oor": "AO R",
    "our": "AO R",
    "air": "EH R",
    "are": "EH R",
    "ch": "CH",
    "sh": "SH",
    "th": "TH",
    "ph": "F",
    "wh": "W",
    "gh": "G",
    "kn": "N",
    "wr": "R",
    "ck": "K",
    "ng": "NG",
    "qu": "K W",
    "ee": "IY",
    "ea": "IY",
    "ai": "EY",
    "ay": "EY",
    "oa": "OW",
    "ow": "OW",
    "oo": "UW",
    "ou": "AW",
    "oi": "OY",
    "oy": "OY",
    "au": "AO",
    "aw": "AO",
    "ew": "UW",
    "ie": "IY",
    "ei": "IY",
    "ey": "IY",
    "er": "ER",
    "ir": "ER",
    "ur": "ER",
    "ar": "AA R",
    "or": "AO R",
    "ce": "S",
    "ci": "S IH",
    "cy": "S IY",
    "ge": "JH",
    "a": "AE",
    "b": "B",
    "c": "K",
    "d": "D",
    "e": "EH",
    "f": "F",
    "g": "G",
    "h": "HH",
    "i": "IH",
    "j": "JH",
    "k": "K",
    "l": "L",
    "m": "M",
    "n": "N",
    "o": "AA",
    "p": "P",
    "q": "K",
    "r": "R",
    "s": "S",
    "t": "T",
    "u": "AH",
    "v": "V",
    "w": "W",
    "x": "K S",
    "y": "IY",
    "z": "Z",
}
#: A vowel before one consonant and a silent e at the end says its name.
_LONG = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW"}
_SILENT_E = re.compile(r"([aeiou])([bcdfgjklmnpqstvwxz])e$")
_DOUBLED = re.compile(r"([bcdfghjklmnpqrstvwxz])\1")
#: The first sounds of the names of vowels.
_VOWELS = tuple("AEIOU")
#: Vowels that sound different in England than in America; the u of "two" is said far in front in Scotland.
_ENGLISH = {"ER": ("AH",), "OW": ("AH", "UW"), "UW": ("IY",)}
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*'?")
LONGEST_WORD = 40
#: Words that are not looked up again: pocketsphinx keeps some bytes forever for each time it is asked.
MOST_KEPT = 10_000


class Pronunciations:
    """Words with their phones; `look_up` returns the dictionary's phones as text, or None."""

    def __init__(self, look_up: Callable[[str], str | None]) -> None:
        self._look_up = lru_cache(MOST_KEPT)(look_up)

    def words(self, phrase: str) -> list[str]:
        """Split a phrase into words that can be sounded; raises VoiceError for other texts.

        >>> Pronunciations(lambda word: None).words("That's right, HAL!")
        ["that's", 'right', 'hal']
        """
        words = list(map(str.lower, plain_words(phrase)))
        for word in words:
            if len(word) > LONGEST_WORD or not WORD.fullmatch(word):
                raise VoiceError(
                    f"The word {word[:LONGEST_WORD]!r} cannot be recognised: it is not written in the "
                    "letters of English."
                )
        if not words:
            raise VoiceError(f"The phrase {phrase!r} has no word.")
        return words

    def phones(self, word: str) -> tuple[str, ...]:
        """Return the phones of a word: from the dictionary, else from its parts, else by the rules."""
        known = self._look_up(word)
        if known is not None:
            return tuple(known.split())
        parts = re.split("['-]", word)
        if len(parts) > 1:
            return tuple(phone for part in parts if part for phone in self.phones(part))
        return _guess_phones(word)

    def is_known(self, word: str) -> bool:
        """Return whether the dictionary has a word."""
        return self._look_up(word) is not None

    def of(self, phrase: str) -> tuple[str, ...]:
        """Return the phones of a whole phrase."""
        return tuple(phone for word in self.words(phrase) for phone in self.phones(word))

    def variant(self, phones: tuple[str, ...]) -> tuple[str, ...]:
        """Return another way in which phones may sound."""
        return variant(phones)


# Other languages, in the sounds of American English that are nearest: a recogniser of English knows no others.

#: By language: how letters sound, in the order in which they are tried. Left of "=" is a regular expression.
_FOREIGN = {
    "de": r"""([b-df-hj-np-tv-z])(?=\1)= tsch=CH sch=SH ^st=SH_T ^sp=SH_P chs=K_S (?<=[aou])ch=K ch=SH ck=K tz=T_S z=T_S
        ß=S ss=S pf=P_F ph=F th=T qu=K_V v=F w=V j=Y ng=NG n(?=k)=NG ieh?(?=r)=IH ieh?=IY ei=AY ai=AY eu=OY äu=OY
        au=AW ee=EY aa=AA ah=AA eh=EY ih=IY oh=OW uh=UW äh=EH öh=ER ör=ER üh=UW ^s(?=[aeiouäöü])=Z
        (?<=[aeiounlr])s(?=[aeiou])=Z ig$=IH_SH er$=AH en$=AH_N el$=AH_L (?<=.)e$=AH b$=P d[t]?$=T (?<!n)g$=K a=AA
        ä=EH e=EH i=IH o=AO u=UH ö=ER ü=UH y=IH c=K x=K_S""",
    "es": r"""ch=CH ll=Y rr=R ñ=N_Y qu=K gü=G_W gu(?=[eiéí])=G g(?=[eiéí])=HH j=HH c(?=[eiéí])=S z=S x=K_S h= v=B
        (?<=[aeo])y$=IY y$=IY y=Y a[iy]=AY au=AW e[iy]=EY o[iy]=OY i(?=[aeoáéó])=Y u(?=[aeioáéíó])=W
        (?<=[aeiou])d(?=[aeiou])=DH [aá]=AA [eé]$=EY [eé]=EH [ií]=IY [oó]=OW [uú]=UW c=K""",
    "fr": r"""([b-df-hj-np-tv-z])(?=\1)= ^c$=S ^j$=ZH ^six$=S_IY_S ^sept$=S_EH_T ^huit$=W_IY_T ^est$=EH ^et$=EY
        ^deux$=D_UH ^[aà]$=AA ^y$=IY (?<=l)ille?$=IY_Y ies?$=IY gn=N_Y ch=SH ph=F th=T qu=K q=K gu(?=[eiéè])=G
        ge(?=[aou])=ZH g(?=[eiyéè])=ZH j=ZH c(?=[eiyéè])=S ç=S h= (?<=^[lmdst])es$=EY er$=EY ez$=EY ée?s?$=EY
        oin(?![aeiouyné])=W_AE_N ien(?!n)=Y_AE_N ([ae]in|aim|[iy][nm])(?![aeiouynméè])=AE_N
        u[nm](?![aeiouynméè])=AH_N [ae][nm](?![aeiouynméè])[ts]*$=AA_N [ae][nm](?![aeiouynméè])=AA_N
        o[nm](?![aeiouynméè])=AO_N eaux?=OW aux?=OW oy=W_AA_Y o[iî]=W_AA o[uùû]=UW eur=ER [eo]*eu=UH a[iî]=EH ei=EH
        ui=W_IY (?<=[aeiouyé])s(?=[aeiouyé])=Z (?<=^.)e$=AH (?<=^qu)e$=AH (?<=.)es?$= (?<=.)[xtdpzs]+$=
        (?<=m)p(?=t)= e(?=[bcdfglmnprstvzx]{2}|x|[rl]$)=EH e=AH é=EY [èêë]=EH [aàâ]=AA i(?=[aeoéè])=Y [iîï]=IY
        [oô]=OW [uùû]=UW y=IY c=K x=K_S""",
}
#: Letters that sound as they do in English.
_PLAIN_LETTERS = "b=B d=D f=F g=G h=HH k=K l=L m=M n=N p=P q=K r=R s=S t=T v=V w=W j=JH z=Z .="


@cache
def _read_foreign(language: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    pairs = [rule.rpartition("=") for rule in f"{_FOREIGN[language]} {_PLAIN_LETTERS}".split()]
    return tuple((re.compile(letters), tuple(phones.replace("_", " ").split())) for letters, _, phones in pairs)


@lru_cache(MOST_KEPT)
def sound_foreign(word: str, language: str) -> tuple[str, ...]:
    """Return the sound of a word of another language, in the phones of English.

    >>> " ".join(sound_foreign("cuatro", "es")), " ".join(sound_foreign("zwei", "de"))
    ('K W AA T R OW', 'T S V AY')
    """
    found: list[str] = []
    for part in re.split("['-]", word):
        at = 0
        while at < len(part):
            matched, phones = next(
                (match, phones)
                for letters, phones in _read_foreign(language)
                if (match := letters.match(part, at)) and match.end() > at
            )
            found += phones
            at = matched.end()
    return tuple(found)


class ForeignPronunciations(Pronunciations):
    """The words of another language, with other names than English words: `no_es` is the Spanish "no"."""

    def __init__(self, language: str) -> None:
        super().__init__(lambda word: None)
        self._language = language

    def words(self, phrase: str) -> list[str]:
        """Split a phrase into words, each with its language at the end."""
        return [f"{word.lower()}_{self._language}" for word in plain_words(phrase)]

    def phones(self, word: str) -> tuple[str, ...]:
        """Return the phones of a word by the rules of its language."""
        return sound_foreign(word.rpartition("_")[0], self._language)

    def variant(self, phones: tuple[str, ...]) -> tuple[str, ...]:
        """Return how phones may also sound to ears of English: in Spanish and French a k has no breath, like a g."""
        if self._language == "de":
            return phones
        before = ("", *phones)
        return tuple(
            phone
            if earlier == "S"
            else "D"
            if _is_flap(before[at], phone, phones[at + 1 :])
            else _SOFT.get(phone, phone)
            for at, (earlier, phone) in enumerate(zip(before, phones, strict=False))
        )


#: Stops, and the sounds that they resemble without breath after them.
_SOFT = {"K": "G", "P": "B", "T": "D"}


def _is_flap(before: str, phone: str, after: tuple[str, ...]) -> bool:
    return phone == "R" and before[:1] in _VOWELS and after[:1] != () and after[0][0] in _VOWELS


def variant(phones: tuple[str, ...]) -> tuple[str, ...]:
    """Return the phones of a word in most of England: no r but before vowels, and the o of "no" begins like "a".

    >>> " ".join(variant(("F", "AO", "R"))), " ".join(variant(("Z", "IH", "R", "OW")))
    ('F AO', 'Z IH R AH UW')
    """
    kept = [
        phone for phone, after in zip(phones, (*phones[1:], ""), strict=True) if phone != "R" or after[:1] in _VOWELS
    ]
    return tuple(part for phone in kept for part in _ENGLISH.get(phone, (phone,)))


def _guess_phones(word: str) -> tuple[str, ...]:
    """Return the probable phones of an unknown word, by rules of English spelling.

    >>> " ".join(_guess_phones("jolly")), " ".join(_guess_phones("blape"))
    ('JH AA L IY', 'B L EY P')
    """
    long = _SILENT_E.search(word)
    if long:
        start, end = _guess_phones(word[: long.start()]) if long.start() else (), long.group(2)
        return (*start, _LONG[long.group(1)], *RULES["ce" if end == "c" else "ge" if end == "g" else end].split())
    word, phones, at = _DOUBLED.sub(r"\1", word), [], 0
    while at < len(word):
        piece = next(word[at : at + size] for size in (4, 3, 2, 1) if word[at : at + size] in RULES)
        phones += RULES[piece].split()
        at += len(piece)
    return tuple(phones)


def distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the phones to change, add or leave out to come from one sound to another.

    >>> distance(("N", "OW"), ("G", "OW"))
    1
    """
    row = list(range(len(other) + 1))
    for number, phone in enumerate(one, 1):
        above, row[0] = row[0], number
        for place, another in enumerate(other, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (phone != another))
    return row[-1]
