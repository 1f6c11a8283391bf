"""The phrases of a vocabulary, as a graph of the texts that Moonshine may write for them, and its tokens.

Moonshine writes "Two." or "2" for "two", or "To.", which sounds the same; it writes "S-t-o-r-y" or "S, T, O, R, Y." for
a word that is spelled. Each of these texts leads through the graph to its phrase, in any capitals and punctuation.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .pronunciation import sound_foreign
from .recogniser import VoiceError, plain_words

# Tokens: the words and parts of words that Moonshine writes, numbered, read from its `tokenizer.bin`.

#: The character for a blank before a word.
_BLANK = "\u2581"
#: The numbers of the tokens that begin and end a text.
BEGIN, END = 1, 2
#: From this length on a length is two bytes; the second counts multiples of it.
_TWO_BYTES = 128

#: A tree of texts: by its next character, the numbers of the tokens that end there, and the rest of the tree.
TokenTree = dict[str, tuple[list[int], "TokenTree"]]


class Tokens:
    """The tokens of one model; raises VoiceError for a file without tokens.

    `root` is the tree of their texts in small letters, with blanks before words.
    """

    def __init__(self, raw: bytes) -> None:
        self._texts = list(_read_texts(raw))
        if len(self._texts) <= END:
            raise VoiceError("tokenizer.bin has no tokens")
        self.root: TokenTree = {}
        for number, text in enumerate(self._texts[END + 1 :], END + 1):
            # Single bytes of a letter that is not ASCII are not text; no phrase needs them.
            if written := _decode(text).lower():
                self._add(number, written)

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, numbers: Sequence[int]) -> str:
        """Return what some tokens write."""
        return _decode(b"".join(self._texts[number] for number in numbers if number > END), "replace").strip()

    def _add(self, number: int, text: str) -> None:
        tree, numbers = self.root, [0]
        for character in text:
            numbers, tree = tree.setdefault(character, ([], {}))
        numbers.append(number)


def _decode(text: bytes, errors: str = "ignore") -> str:
    return text.decode("utf-8", errors).replace(_BLANK, " ")


def _read_texts(raw: bytes) -> Iterator[bytes]:
    """Yield the texts of a file's tokens, each after its length."""
    at = 0
    while at < len(raw):
        length, at = raw[at], at + 1
        if length >= _TWO_BYTES:
            if at == len(raw):
                raise VoiceError("tokenizer.bin ends in the middle of a token")
            length, at = length - _TWO_BYTES + raw[at] * _TWO_BYTES, at + 1
        if at + length > len(raw):
            raise VoiceError("tokenizer.bin ends in the middle of a token")
        yield raw[at : at + length]
        at += length


# The names of letters, and words that sound like the words of NAO's phrases, as a recogniser of English writes them.


class SpokenForms(NamedTuple):
    """The additions of a language to the words of its phrases.

    `letters` are a letter's names as they are written, except the letter itself; `alphabet` is its word in the
    spelling alphabet; `joins` are between both ("S like sierra"); `alike` are other ways to write a word. `others`
    are common words: a phrase that is not likelier than one of them is doubtful. `respelled` is the language of words
    that a network of English spells as it hears them, "" for none.
    """

    letters: Mapping[str, Sequence[str]]
    alphabet: Mapping[str, Sequence[str]]
    joins: Sequence[str]
    alike: Mapping[str, Sequence[str]]
    others: Sequence[str]
    respelled: str = ""

    def list_names(self, letter: str) -> list[str]:
        """List everything that a player can say for a letter.

        >>> FORMS["en"].list_names("s")
        ['s', 'ess', 'is', 'sierra', 's like sierra', 's as in sierra', 's for sierra']
        """
        words = list(self.alphabet.get(letter, ()))
        joined = [f"{letter} {join} {word}" for join in self.joins for word in words]
        return [letter, *self.letters[letter], *words, *joined]

    def list_alike(self, word: str) -> list[str]:
        """List other texts for a word or a bare letter."""
        found = [*self.alike.get(word, ()), *self.letters.get(word, ())]
        return list(dict.fromkeys([*found, respell(word, self.respelled)])) if self.respelled else found


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
    "es": """cero sero settle saddle,uno oh_no ono who_no,una oh_na oona,dos those dose,
tres trace tress grace press please dress today's,cuatro quattro waddle,cinco sinkle sinko circle,sí see si c sea,
no know,y e and,seis safe face says,siete see_etta,ocho whatcha""",
    "fr": """zéro zero,un uh ah an,une oon,deux do duh dew,trois twa twah,quatre gather gatra cat catch,
cinq sank sunk sack,oui we wee,non no known nah,et a eh,six this cease,sept set,huit wait wheat""",
}
#: The spelling alphabet of the North Atlantic Treaty Organization, with other spellings of some of its words.
_ALPHABET = (
    "alpha alfa,bravo,charlie,delta,echo,foxtrot,golf,hotel,india,juliet juliett,kilo,lima,mike,november,oscar,papa,"
    "quebec,romeo,sierra,tango,uniform,victor,whiskey whisky,x-ray xray,yankee,zulu"
)
ALPHABET_WORDS = frozenset(_ALPHABET.replace(",", " ").split())
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


def _make_native(letters: str, alphabet: str, joins: str, alike: str, others: str) -> SpokenForms:
    names = {letter: found[1:] for letter, found in _split(letters).items()}
    return SpokenForms(names, _split(alphabet), joins.split(), _list_alike(alike), others.split())


#: The texts that a network trained with a language can write, by language. The names of letters come from a dictionary,
#: the alphabet words from NAO's lines. Nobody has compared them with the texts of such a network yet.
NATIVE_FORMS = {
    "en": FORMS["en"],
    "de": _make_native(
        """a,b be,c ce,d de,e,f eff,g ge,h ha,i,j jot,k ka,l el,m em,n en,o,p pe,q ku,r er,s es,t te,u,v vau,w we,x ix,
        y ypsilon,z zett,ä ae,ö oe,ü ue,ß eszett""",
        """anton,berta,cäsar,dora,emil,friedrich,gustav,heinrich,ida,julius,kaufmann,ludwig,martha,nordpol,otto,paula,
        quelle,richard,samuel,theodor,ulrich,viktor,wilhelm,xanthippe,ypsilon,zacharias,ärger,ökonom,übermut""",
        "wie",
        "null 0,eins 1,zwei 2 zwo,drei 3,vier 4,fünf 5,sechs 6,ja jo jep,nein nee nö",
        "sechs sieben acht neun zehn elf zwölf okay hallo gehen jetzt auf ab an aus in links stopp",
    ),
    "es": _make_native(
        """a,b be,c ce,d de,e,f efe,g ge,h hache,i,j jota,k ka,l ele,m eme,n ene,ñ eñe,o,p pe,q cu,r erre,s ese,t te,u,
        v uve,w uve-doble,x equis,y i-griega ye,z zeta""",
        """antonio,barcelona,carmen,dinamarca,españa,francia,granada,huelva,isabel,josé,kilo,lorenzo,madrid,navarra,
        ñandú,oviedo,palencia,quijote,ramón,sevilla,toledo,ulises,valencia,washington,xilófono,yolanda,zaragoza""",
        "de como",
        "cero 0,uno 1,dos 2,tres 3,cuatro 4,cinco 5,seis 6,sí si",
        "seis siete ocho nueve diez once doce vale hola vamos ahora arriba abajo en con por para",
    ),
    "fr": _make_native(
        """a,b bé,c cé,d dé,e,f effe,g gé,h ache,i,j ji,k ka,l elle,m emme,n enne,o,p pé,q ku,r erre,s esse,t té,u,v vé,
        w double-vé,x ixe,y i-grec,z zède""",
        """anatole,berthe,célestin,désiré,eugène,françois,gaston,henri,irma,joseph,kléber,louis,marcel,nicolas,oscar,
        pierre,quintal,raoul,suzanne,thérèse,ursule,victor,william,xavier,yvonne,zoé""",
        "comme",
        "zéro 0,un 1 hein,deux 2,trois 3,quatre 4,cinq 5,six 6,oui ouais",
        "six sept huit neuf dix onze douze okay bonjour allez maintenant en sur dans gauche stop",
    ),
}


# The graph.
#
# If a vocabulary has letters, its words can be spelled: with or without pauses, by letters, by alphabet words or by
# both. All words share one tree of letters, so thousands of them cost little.

#: Signs that are allowed between two words, and at the end.
_PUNCTUATION = frozenset(".,!?;:-\u2026\"'")
#: Words that are written a second and third time for one that was said once: the network does so if a sound is short.
_MAX_REPEATS = 3
#: Longer phrases are looked for only as they are written: the ways to write them multiply.
_MAX_VARIED_WORDS = 3
#: The fewest letters of a word that can be spelled.
_MIN_SPELLED = 3

#: A place in the graph: a node of the tree of texts, or a node of the tree of spelled words with one of the tree of
#: letters' names (-1: no spelled word).
Place = tuple[int, int]
Places = frozenset[Place]
_NO_WORD = -1
#: The number of all words that are common and no phrase.
OTHER = -1


class _TextTree:
    """Texts by their characters; `values` has what ends at a node."""

    def __init__(self) -> None:
        self.after: list[dict[str, int]] = [{}]
        self.values: list[set[int]] = [set()]

    def add(self, text: str, value: int) -> None:
        node = 0
        for character in text:
            node = self.after[node].setdefault(character, len(self.after))
            if node == len(self.after):
                self.after.append({})
                self.values.append(set())
        self.values[node].add(value)

    def find(self, text: str) -> set[int]:
        """Return what ends where a text ends."""
        node = 0
        for character in text:
            if character not in self.after[node]:
                return set()
            node = self.after[node][character]
        return self.values[node]


class PhraseGraph:
    """Every text that means a phrase of a vocabulary, and the common words that do not (`OTHER`)."""

    def __init__(self, tokens: Tokens, phrases: Sequence[str], forms: SpokenForms) -> None:
        self._tokens = tokens
        self._texts, self._letters, self._words = _TextTree(), _TextTree(), _TextTree()
        #: By node of the tree of letters' names: the letters that its names lead to, as bits.
        self._reached: list[int] = []
        self._followed: dict[Places, dict[int, Places]] = {}
        spoken = [" ".join(plain_words(phrase)).lower() for phrase in phrases]
        letters = [phrase for phrase in spoken if phrase in forms.letters]
        for number, phrase in enumerate(spoken):
            for text in _list_texts(phrase, forms, set(spoken)):
                self._texts.add(text, number)
            if letters and len(phrase) >= _MIN_SPELLED and all(letter in forms.letters for letter in phrase):
                self._words.add(phrase, number)
        for word in forms.others:
            if not self._texts.find(word):
                self._texts.add(word, OTHER)
        for number, letter in enumerate(forms.letters):
            for name in forms.list_names(letter):
                self._letters.add(name, number)
        self._alphabet = list(forms.letters)
        self._measure_letters()
        #: By node of the tree of spelled words: the letters that can come next, as bits.
        self._wanted = [sum(1 << self._alphabet.index(letter) for letter in after) for after in self._words.after]
        #: Whether a phrase can be spelled.
        self.may_spell = bool(self._words.after[0])
        self.start: Places = frozenset([(0, _NO_WORD)] + ([(0, 0)] if self.may_spell else []))

    def follow(self, places: Places) -> dict[int, Places]:
        """Return the tokens that can come next, each with the places it leads to."""
        known = self._followed.get(places)
        if known is None:
            known = self._followed[places] = dict(self._walk(places))
        return known

    def phrases_at(self, places: Places) -> set[int]:
        """Return the numbers of the phrases whose texts may end here."""
        found: set[int] = set()
        for node, name in places:
            if name == _NO_WORD:
                found |= self._texts.values[node]
            elif name == 0:
                found |= self._words.values[node]
        return found

    def _walk(self, places: Places) -> Iterator[tuple[int, Places]]:
        """Walk through the tree of all tokens as far as the graph allows."""
        waiting = [(self._tokens.root, places)]
        while waiting:
            node, here = waiting.pop()
            for character, (numbers, after) in node.items():
                there = frozenset(step for place in here for step in self._step(place, character))
                if there:
                    yield from ((number, there) for number in numbers)
                    waiting.append((after, there))

    def _step(self, place: Place, character: str) -> Iterator[Place]:
        """Yield the places after one more character."""
        node, name = place
        if name == _NO_WORD:
            after = self._texts.after[node]
            if character in after:
                yield after[character], _NO_WORD
            elif character in _PUNCTUATION:
                if node == 0 or self._texts.values[node] or " " in after:
                    yield place
                if character == "-" and " " in after:
                    yield after[" "], _NO_WORD
            elif character == " " and node == 0:
                yield place
            return
        if name == 0 and (character == " " or character in _PUNCTUATION):
            yield place
            return
        name_after = self._letters.after[name].get(character, 0)
        if not name_after or not self._reached[name_after] & self._wanted[node]:
            return
        yield node, name_after
        for number in self._letters.values[name_after]:
            if self._wanted[node] >> number & 1:
                yield self._words.after[node][self._alphabet[number]], 0

    def _measure_letters(self) -> None:
        self._reached = [sum(1 << number for number in values) for values in self._letters.values]
        # Nodes are numbered from the root, so children come after their parents.
        for node in reversed(range(len(self._reached))):
            for after in self._letters.after[node].values():
                self._reached[node] |= self._reached[after]


def _list_texts(phrase: str, forms: SpokenForms, known: set[str]) -> list[str]:
    """List the texts that the network may write for a phrase.

    Words that sound the same are left out if they are phrases themselves, and repetitions too: "zero zero".
    """
    words = phrase.split()
    if len(words) > _MAX_VARIED_WORDS:
        return [phrase, " ".join(forms.list_alike(word)[-1] for word in words)] if forms.respelled else [phrase]
    texts = [""]
    for word in words:
        same = [each for each in forms.list_alike(word) if each not in known]
        texts = [f"{text} {each}".strip() for text in texts for each in (word, *same)]
    if len(words) == 1:
        repeated = [" ".join([text] * times) for text in texts for times in range(2, _MAX_REPEATS + 1)]
        texts += [text for text in repeated if f"{phrase} {phrase}" not in known]
    return texts
