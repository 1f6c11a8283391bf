"""Word lists by name, file or address, the user's own words, and the recipe of each language's list."""

import contextlib
import functools
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jotto.rules import LETTERS, WORDLE, JottoError, Rules
from jotto.words import (
    EMPTY_BLOCK_LIST,
    MAX_BLOCK_LIST_BYTES,
    MAX_BLOCKED_LENGTH,
    MAX_LIST_BYTES,
    MIN_BLOCKED_LENGTH,
    BlockList,
    ParsedList,
    RefusedWords,
    WordList,
    fold_word,
    hash_blocked_word,
    parse_block_list,
    parse_letters,
    parse_word_list,
    replace_letters,
)
from jotto_desk import addresses, files
from jotto_desk.errors import DeskError, as_desk_errors, did_you_mean, replace_controls

# Pinned packages of Debian.

_MAX_PACKAGE_BYTES = 16 << 20
#: Largest unpacked file of a package that is read, in bytes.
_MAX_UNPACKED_BYTES = 64 << 20
_DOWNLOAD_TIMEOUT_S = 120
_MAGIC = b"!<arch>\n"


@dataclass(frozen=True)
class DebianPackage:
    """One version of an architecture-independent package, with its SHA-256."""

    name: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        """Return the file name that `apt-get download` gives the package."""
        return f"{self.name}_{self.version.replace(':', '%3a')}_all.deb"

    def check(self, content: bytes) -> None:
        """Raise `DeskError` if the package is not the pinned one."""
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            other = f"'{found}', not the '{self.sha256}' of {self.file_name}"
            raise DeskError(f"The package has the SHA-256 {other}; get that file.")

    def get(self, file: Path | None, cache: Path | None = None) -> bytes:
        """Return the package from `file`, from the project's copy, or from `apt-get download`.

        Raises `DeskError` if these folders lack it.
        """
        if file is not None:
            return files.read_bounded(file, _MAX_PACKAGE_BYTES, "package")
        root = files.find_checkout()
        copy = (cache or (root / ".cache" if root else files.find_cache_folder())) / self.file_name
        # A damaged copy is replaced.
        with contextlib.suppress(DeskError):
            kept = files.read_bounded(copy, _MAX_PACKAGE_BYTES, "package")
            self.check(kept)
            return kept
        advice = f"give the file with --from {self.file_name}."
        _, content = _download_package(f"{self.name}={self.version}", f"{self.name} {self.version}", advice)
        self.check(content)
        files.write_whole(copy, content)
        return content


def download_newest_package(name: str) -> tuple[DebianPackage, bytes]:
    """Download the newest version of a package, to pin it; raises `DeskError`."""
    file_name, content = _download_package(name, name, "get it on a Debian or Ubuntu.")
    version = file_name.removesuffix(".deb").split("_")[1].replace("%3a", ":")
    return DebianPackage(name, version, hashlib.sha256(content).hexdigest()), content


def _download_package(wanted: str, said: str, advice: str) -> tuple[str, bytes]:
    """Download a package with `apt-get`; return the name of its file and its bytes."""
    if shutil.which("apt-get") is None:
        raise DeskError(f"The package {said} is needed, but 'apt-get' is missing; {advice}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(
                ["apt-get", "--quiet", "download", wanted],
                cwd=folder,
                check=True,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=_DOWNLOAD_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired as error:
            raise DeskError(f"'apt-get' did not finish within {_DOWNLOAD_TIMEOUT_S} seconds; {advice}") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise DeskError(f"'apt-get' could not get {said}; {advice}") from error
        found = next(Path(folder).glob("*.deb"), Path(folder, "package.deb"))
        return found.name, files.read_bounded(found, _MAX_PACKAGE_BYTES, "package")


def list_package_files(package: bytes) -> list[str]:
    """Return the paths of the files in a package, without links; raises `DeskError`."""
    with _open_archive(package) as tar:
        return [member.name for member in tar if member.isfile()]


def unpack_files(package: bytes, wanted: set[str]) -> dict[str, bytes]:
    """Read files of a package by their paths in it, such as `./usr/share/dict/words`.

    Raises `DeskError` if one is missing or too large.
    """
    found: dict[str, bytes] = {}
    with _open_archive(package) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() and member.name in wanted else None
            if file is not None and member.size <= _MAX_UNPACKED_BYTES:
                found[member.name] = file.read()
    if wanted - set(found):
        raise DeskError(f"The package has no file '{min(wanted - set(found))}'; get the pinned version.")
    return found


@contextlib.contextmanager
def _open_archive(package: bytes) -> Iterator[tarfile.TarFile]:
    """Open the archive of the files that a package installs; raises `DeskError` if it is missing or damaged."""
    archive = next((content for name, content in list_archive_members(package) if name.startswith("data.tar")), None)
    if archive is None:
        raise DeskError("The package has no files; get it again.")
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            yield tar
    except (tarfile.TarError, OSError, EOFError) as error:
        raise DeskError(f"The package cannot be unpacked ({error}); get it again.") from error


def list_archive_members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of an `ar` archive, such as a Debian package.

    Raises `DeskError` if it is none.
    """
    if not archive.startswith(_MAGIC):
        raise DeskError("This is not a Debian package (no 'ar' archive); give the file that ends in '_all.deb'.")
    at = len(_MAGIC)
    while at + 60 <= len(archive):
        head = archive[at : at + 60]
        size = head[48:58].decode("ascii", "replace").strip()
        if head[58:] != b"`\n" or not size.isdigit():
            raise DeskError(f"The package is damaged at byte {at}; get it again.")
        yield head[:16].decode("ascii", "replace").strip().rstrip("/"), archive[at + 60 : at + 60 + int(size)]
        at += 60 + int(size) + int(size) % 2


# Recipes of lists: the files `wordlists/<code>.json`. English has none.

_LANGUAGE_CODE = re.compile("[a-z]{2,3}")
#: The language without a recipe: its list is built from SCOWL.
DEFAULT_LANGUAGE = "en"
#: Commonness, and the lowest Zipf frequency of its words. Rarer words are not in the list.
BAND_FREQUENCIES: Mapping[int, float] = {10: 4.6, 20: 4.1, 35: 3.2, 40: 2.8, 50: 2.3}
#: Lowest Zipf frequency of inflected forms in a list: players rarely think of them.
MIN_INFLECTED_FREQUENCY = 2.5
#: Lowest Zipf frequency of inflected forms with the commonness 40; they never have a lower one.
WELL_KNOWN_FREQUENCY = 4.4
_MAX_RECIPE_BYTES = 1 << 20
_SHA256_PATTERN = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Recipe:
    """The sources of a list.

    `frequencies` is wordfreq's file for the language and its SHA-256, `dictionary` the package of hunspell's
    dictionary, `place` its path in the package without `.aff` and `.dic`. `nouns_in_capitals` is True in German.
    `openers` are the first words of the usual trees, `hard_openers` the first words of the trees for hard games.
    """

    code: str
    name: str
    letters: str
    frequencies: tuple[str, str]
    dictionary: DebianPackage
    place: str
    nouns_in_capitals: bool
    openers: tuple[str, ...]
    hard_openers: tuple[str, ...]


def parse_language_code(raw: str) -> str:
    """Return the code of a language as in file names; raises `DeskError` if it is not a code."""
    code = raw.strip().lower()
    if not _LANGUAGE_CODE.fullmatch(code):
        raise DeskError(f"'{raw[:40]}' is not a code of a language; give two or three letters, as in 'it'.")
    return code


def list_recipe_codes(folder: Path) -> list[str]:
    """Return the languages that a folder has recipes for."""
    return sorted(path.stem for path in folder.glob("*.json") if _LANGUAGE_CODE.fullmatch(path.stem))


def read_recipe(folder: Path, code: str) -> Recipe:
    """Read the recipe of a language; raises `DeskError` if none exists, or a field is missing or wrong."""
    path = folder / f"{code}.json"
    if not path.is_file():
        known = f"the languages are: {', '.join([DEFAULT_LANGUAGE, *list_recipe_codes(folder)])}"
        begin = f"'jotto words new {code}' begins one"
        raise DeskError(f"There is no recipe '{path.name}' for a list in {folder}; {known}. {begin}.")
    try:
        plain = json.loads(files.read_bounded(path, _MAX_RECIPE_BYTES, "recipe"))
        return _parse_recipe(code, plain)
    except (ValueError, RecursionError) as error:
        raise DeskError(f"'{path}' is not JSON ({error}); correct it.") from error
    except (KeyError, TypeError, JottoError) as error:
        raise DeskError(f"'{path}' is not a recipe ({str(error).rstrip('.')}); see CONTRIBUTING.md.") from error


def _parse_recipe(code: str, plain: Mapping[str, Any]) -> Recipe:
    frequencies, dictionary = plain["frequencies"], plain["dictionary"]
    texts = [
        plain["name"],
        plain["letters"],
        *(frequencies[field] for field in ("file", "sha256")),
        *(dictionary[field] for field in ("package", "version", "sha256", "place")),
        *plain["openers"],
        *plain["hard_openers"],
    ]
    if not all(isinstance(text, str) for text in texts) or not isinstance(dictionary["nouns_in_capitals"], bool):
        raise TypeError("a field is not text")
    for checksum in (frequencies["sha256"], dictionary["sha256"]):
        if not _SHA256_PATTERN.fullmatch(checksum):
            raise TypeError(f"'{checksum[:20]}' is not a SHA-256 in hex")
    package = DebianPackage(dictionary["package"], dictionary["version"], dictionary["sha256"])
    pinned = frequencies["file"], frequencies["sha256"]
    spelling = package, dictionary["place"], dictionary["nouns_in_capitals"]
    letters, openers = parse_letters(f"# Letters: {plain['letters']}\n"), tuple(plain["openers"])
    return Recipe(code, plain["name"], letters, pinned, *spelling, openers, tuple(plain["hard_openers"]))


def read_own_list(path: Path) -> frozenset[str]:
    """Read the words of one of our own lists, one a line without remarks; an empty set if the file does not exist."""
    if not path.is_file():
        return frozenset()
    lines = files.read_bounded(path, _MAX_RECIPE_BYTES, "list of words").decode("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def format_recipe_remarks(recipe: Recipe) -> str:
    """Return the remarks at the top of a language's list."""
    named = "" if recipe.letters == LETTERS else f"# Letters: {recipe.letters}\n"
    return (
        f"# {recipe.name} words of five letters, the commonest first: word, tab, commonness.\n{named}"
        f"# Made by 'jotto words build {recipe.code}'. Sources, licences and checksums: SOURCES.md\n"
        "# Frequencies: wordfreq by Robyn Speer, CC BY-SA 4.0, changed; this list is under the same licence.\n"
    )


def name_blocked_file(code: str) -> str:
    """Return the name of the file of the words that NAO never says in a language."""
    return "blocked.sha256" if code == DEFAULT_LANGUAGE else f"{code}-blocked.sha256"


# The user's own words and own blocked words, in the data folder.

_MAX_WORDS_ADDED = 1000


@dataclass(frozen=True)
class _AddedWords:
    """The result of adding words: the new ones, and those that were there before."""

    file: Path
    new: tuple[str, ...]
    known: tuple[str, ...]


def find_own_file() -> Path:
    """Return the file of the user's own words, even if it does not exist yet."""
    return files.find_data_folder() / "own.txt"


def find_blocked_file() -> Path:
    """Return the file of the user's own blocked words, as fingerprints, even if it does not exist yet."""
    return files.find_data_folder() / "blocked.sha256"


def load_own_words(rules: Rules, blocked: BlockList = EMPTY_BLOCK_LIST) -> list[str]:
    """Return the user's own words that these rules allow, without the blocked ones."""
    return [
        word for word in _load_words(_check_text(find_own_file())) if rules.allows(word) and not blocked.blocks(word)
    ]


def add_words(words: Sequence[str], blocked: BlockList, file: Path | None = None) -> _AddedWords:
    """Add words to a list file, by default the user's own; if one is refused, the file stays as it is.

    Raises `DeskError` for a word that is not five letters from a to z, or is blocked.
    """
    target = file or find_own_file()
    wanted = list(dict.fromkeys(_check_word(word, blocked) for word in _check_count(words)))
    with files.lock_file(target):
        text = _check_text(target)
        before = set(_load_words(text))
        new = tuple(word for word in wanted if word not in before)
        if new:
            joint = "" if not text or text.endswith("\n") else "\n"
            files.write_whole(target, text + joint + "".join(word + "\n" for word in new))
    return _AddedWords(target, new, tuple(word for word in wanted if word in before))


def add_blocked(words: Sequence[str], file: Path | None = None) -> _AddedWords:
    """Add words to a block list, by default the user's own; only their fingerprints are written.

    Raises `DeskError` for anything that is not a single word.
    """
    target = file or find_blocked_file()
    with files.lock_file(target):
        before = _read_block_list(target)
        wanted = list(dict.fromkeys(_load_single(word, before.letters) for word in _check_count(words)))
        new = tuple(word for word in wanted if not before.blocks(word))
        if new:
            files.write_whole(
                target, before.add_fingerprints(hash_blocked_word(word, before.letters) for word in new).format_text()
            )
    return _AddedWords(target, new, tuple(word for word in wanted if before.blocks(word)))


def _check_count(words: Sequence[str]) -> Sequence[str]:
    if len(words) > _MAX_WORDS_ADDED:
        raise DeskError(f"{len(words)} words are too many for one command; add at most {_MAX_WORDS_ADDED}.")
    return words


def _check_word(raw: str, blocked: BlockList) -> str:
    word = fold_word(raw.strip())
    try:
        WORDLE.check(word)
    except JottoError as error:
        raise DeskError(f"{error} Nothing was added.") from error
    if blocked.blocks(word):
        raise DeskError(f"'{raw}' is a word the robot never says; nothing was added.")
    return word


def _load_single(raw: str, letters: str) -> str:
    word = fold_word(raw.strip(), letters)
    if not word.isalpha() or not MIN_BLOCKED_LENGTH <= len(word) <= MAX_BLOCKED_LENGTH:
        lengths = f"{MIN_BLOCKED_LENGTH} to {MAX_BLOCKED_LENGTH} letters"
        wrong = f"'{raw[:60]}' is not a single word of {lengths}"
        raise DeskError(f"{wrong}; give words one by one. Nothing was added.")
    return word


def _check_text(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return files.read_bounded(path, MAX_LIST_BYTES, "word list").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeskError(f"'{path}' is not a text file; move it away or name another list.") from error


def _load_words(text: str) -> list[str]:
    # `parse_word_list` needs two words; here one is enough.
    parts = (line.partition("#")[0].split() for line in text.splitlines())
    return list(dict.fromkeys(fold_word(part[0]) for part in parts if part))


def _read_block_list(path: Path) -> BlockList:
    if not path.exists():
        return EMPTY_BLOCK_LIST
    try:
        return parse_block_list(files.read_bounded(path, MAX_BLOCK_LIST_BYTES, "block list"))
    except JottoError as error:
        raise DeskError(f"'{path}': {error}") from error


# Word lists by name, file or address.

_BLOCKED_NAME = "blocked words"
#: Longest wait for a list from a server, in seconds.
_LIST_TIMEOUT_S = 10.0

Remark = Callable[[str], None]


def print_remark(sentence: str) -> None:
    """Print a remark on standard error."""
    print(replace_controls(sentence), file=sys.stderr)


@dataclass(frozen=True)
class Source:
    """A list that was found: the name that users know it by, and its bytes."""

    name: str
    content: bytes


def list_names() -> list[str]:
    """Return the names of the lists that come with the game."""
    return sorted(path.stem for path in files.find_shipped_path("wordlists").glob("*.tsv"))


def find(source: str, remark: Remark = print_remark, seconds: float = _LIST_TIMEOUT_S) -> Source:
    """Return a list by name, its file or its address (http, https).

    Raises `DeskError` if none exists, or it cannot be reached.
    """
    if "://" in source:
        from jotto_desk import web  # Importing this takes a fifth of a command's start.

        return Source(addresses.hide_login(source), web.fetch_list(source, MAX_LIST_BYTES, seconds, remark))
    if source in list_names():
        return Source(source, (files.find_shipped_path("wordlists") / f"{source}.tsv").read_bytes())
    try:
        is_there = bool(source.strip()) and Path(source).exists()
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        typed = addresses.hide_login(source)
        known = f"{', '.join(list_names())}.{did_you_mean(typed, list_names())}"
        raise DeskError(f"There is no word list '{typed}'; give a file, a web address or one of: {known}")
    return Source(source, files.read_bounded(source, MAX_LIST_BYTES, "word list"))


#: Bytes at the top of a list in which it can name its letters; a line that is, or begins with, one word of a to z.
_TOP_BYTES = 4096
_PLAIN_LINE = re.compile(rb"^[A-Za-z]+(?=\s)", re.MULTILINE)


def has_more_words(source: Source, rules: Rules, most: int) -> bool:
    """Return whether the plain lines of a list contain more than `most` words for these rules; stop counting there."""
    if len(source.content) <= most * (rules.length + 1):
        return False
    played = replace_letters(rules, parse_letters(source.content[:_TOP_BYTES].decode("utf-8", "replace")))
    found = set[str]()
    for line in _PLAIN_LINE.finditer(source.content):
        word = line.group().decode("ascii").lower()
        if len(word) == played.length and word not in found and played.allows(word):
            found.add(word)
            if len(found) > most:
                return True
    return False


def parse_list(
    source: Source, rules: Rules, blocked: BlockList | None = None, remark: Remark = print_remark
) -> ParsedList:
    """Read a list for these rules, with its own letters and without the words that NAO never says in its language.

    Raises `DeskError` if it is not a list, or fewer than two words are left.
    """
    reading = _parse_source(
        source, rules, load_block_list(language=find_language(source.name)) if blocked is None else blocked
    )
    if lost := _find_lost_letters(reading.wordlist):
        remark(lost)
    return reading


def _find_lost_letters(wordlist: WordList) -> str:
    """Return a remark if a list has a language's own letters but does not name them, else ""."""
    if not wordlist.accents or wordlist.letters != LETTERS:
        return ""
    folder = files.find_shipped_path("wordlists")
    languages = [read_recipe(folder, code).letters for code in list_recipe_codes(folder)]
    accents = wordlist.accents.items()
    lost = {
        letters: [(word, shown) for word, shown in accents if set(letters).difference(LETTERS).intersection(shown)]
        for letters in languages
    }
    letters = max(languages, key=lambda letters: len(lost[letters]))
    if not lost[letters]:
        return ""
    word, shown = lost[letters][0]
    said = f"The list '{wordlist.name}' names no letters, so {shown} is played as {word}"
    own = ", ".join(letter for letter in letters if letter not in LETTERS)
    return f"{said}; to keep {own}, begin the list with the line '# Letters: {letters}'."


@functools.lru_cache(maxsize=2)  # A game asks for its list several times.
def _parse_source(source: Source, rules: Rules, blocked: BlockList) -> ParsedList:
    if source.content.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise DeskError(f"'{source.name}' is a web page, not a word list; give the address of a plain text file.")
    with as_desk_errors(JottoError):
        reading = parse_word_list(source.content, rules, source.name)
    return _drop_blocked(blocked, reading)


def load_list(source: str, rules: Rules, remark: Remark = print_remark) -> WordList:
    """Return the words of a list by name, its file or its address, without blocked words.

    Raises `DeskError` if the list does not exist, or has no word to play with.
    """
    wordlist: WordList = parse_list(find(source, remark), rules, remark=remark).wordlist
    return wordlist


def load_default_list(rules: Rules, own: bool = True) -> WordList:
    """Return the default list: the English list, and the user's own words after it if `own`."""
    wordlist = load_list(DEFAULT_LANGUAGE, rules)
    return wordlist.add_words(load_own_words(rules, load_block_list())) if own else wordlist


def find_language(name: str) -> str:
    """Return the language of a list: the name of a list that comes with the game, English for others."""
    if _LANGUAGE_CODE.fullmatch(name) and (files.find_shipped_path("wordlists") / name_blocked_file(name)).is_file():
        return name
    return DEFAULT_LANGUAGE


def load_block_list(own: bool = True, language: str = DEFAULT_LANGUAGE) -> BlockList:
    """Return the words that NAO never says in a language: the game's and, if `own`, the user's."""
    try:
        shipped = _blocked((files.find_shipped_path("wordlists") / name_blocked_file(language)).read_bytes())
    except JottoError as error:
        raise DeskError(f"The block list that comes with the game is damaged: {error}") from error
    return shipped.add_fingerprints(_read_block_list(find_blocked_file()).hashes) if own else shipped


_blocked = functools.lru_cache(maxsize=2)(parse_block_list)


def _drop_blocked(blocked: BlockList, reading: ParsedList) -> ParsedList:
    wordlist = reading.wordlist
    kept = [(word, band) for word, band in zip(wordlist.words, wordlist.bands, strict=True) if not blocked.blocks(word)]
    gone = len(wordlist.words) - len(kept)
    if not gone:
        return reading
    if len(kept) < 2:
        raise DeskError(
            f"The list '{wordlist.name}' has {len(kept)} words that the robot can say; the list needs two or more."
        )
    words, bands = zip(*kept, strict=True)
    refused = {**reading.refused, _BLOCKED_NAME: RefusedWords(gone, ())}
    return ParsedList(wordlist._replace(words=words, bands=bands), refused, reading.duplicates)
