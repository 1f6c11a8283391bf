"""The beginning of a further language: the files it needs, and what of them is still to be written."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jotto.rules import LETTERS, JottoError
from jotto.words import BlockList

from .. import files
from ..errors import DeskError
from . import debian, frequent, recipes
from .debian import DebianPackage

#: Our own lists of a language, and what stands at the top of each.
OWN = {
    "left-out": "Words left out of the {name} list as they are written: names, foreign words, fragments.",
    "early": "Words NAO may begin with: everybody knows them. See SOURCES.md",
    "late": "Words unfit for children: NAO never thinks of one and asks one only if no other word fits. See SOURCES.md",
    "secrets": "Words NAO may think of: base forms that a family knows. See SOURCES.md",
}
#: Fields of the lines that are no sentences.
_NO_SENTENCES = {"code", "alphabet", "letter_as", "gestures", "certainty", "pairs", "languages", "short"}
#: Letters of NAOqi's own codes, which topics are named after.
NAOQI_CODE = 3
_DICTIONARIES = "usr/share/hunspell/"


@dataclass(frozen=True)
class Begun:
    """The files written, and sentences about sources that could not be had."""

    written: tuple[Path, ...]
    lacking: tuple[str, ...]


def begin(code: str, name: str, lists: Path, lines: Path, english: Mapping[str, Any]) -> Begun:
    """Write the files of a language that are not there yet: recipe, our own lists, and its lines, still in English."""
    package, place, lacking = _dictionary(code)
    frequencies = frequent.pinned(f"large_{code}.msgpack.gz")
    recipe = {
        "name": name,
        "letters": LETTERS,
        "frequencies": frequencies,
        "dictionary": {
            "package": package.name,
            "version": package.version,
            "sha256": package.sha256,
            "place": place,
            "nouns_in_capitals": False,
        },
        "openers": [],
        "hard_openers": [],
    }
    if not frequencies["sha256"]:
        lacking.append(f"wordfreq has no file '{frequencies['file']}' here; install it with: {frequent.INSTALL}")
    plain = {**english, "language": name, "code": code, "alphabet": LETTERS}
    texts = {
        lists / f"{code}.json": _json(recipe),
        **{lists / f"{code}-{kind}.txt": f"# {head.format(name=name)}\n" for kind, head in OWN.items()},
        lists / recipes.blocked_name(code): BlockList(frozenset()).written(),
        lines / lines_name(code): _json(plain),
    }
    new = tuple(path for path in texts if not path.exists())
    for path in new:
        files.write_whole(path, texts[path])
    return Begun(new, tuple(lacking))


def lines_name(code: str) -> str:
    """Name the file of the lines of a language."""
    return f"lines_{code}.json"


def missing(code: str, lists: Path, lines: Path, english: Mapping[str, Any]) -> list[str]:
    """List what a language lacks, in the order in which it is best done."""
    return [*_missing_of_list(code, lists), *_missing_of_lines(lines / lines_name(code), english)]


def _missing_of_list(code: str, lists: Path) -> Iterator[str]:
    try:
        recipe = recipes.read(lists, code)
    except DeskError as error:
        yield str(error)
        return
    if not (lists / f"{code}.tsv").is_file():
        yield f"The list is not built; run 'jotto words build {code}', read it word by word, and build it again."
    for path in [lists / f"{code}-{kind}.txt" for kind in OWN] + [lists / recipes.blocked_name(code)]:
        if not recipes.words_in(path):
            yield f"'{path.name}' holds nothing yet ({_PURPOSES[path.stem.removeprefix(code)]})."
    if not recipe.openers or not recipe.hard_openers:
        yield (
            f"'{code}.json' names no words to begin with; put some of '{code}-early.txt' into openers and hard_openers."
        )
    elif not (lists / f"{code}.tree").is_file():
        yield f"There are no trees; run 'jotto solve ship {code}'."


_PURPOSES = {
    "-left-out": "names and fragments that the dictionary accepts",
    "-early": "words a child knows",
    "-late": "words unfit for children",
    "-secrets": "words NAO thinks of: base forms that a family knows",
    "-blocked": "jotto words add --block WORD --list FILE",
}


def _missing_of_lines(path: Path, english: Mapping[str, Any]) -> Iterator[str]:
    if not path.is_file():
        yield f"There are no lines; write '{path.name}' beside lines_en.json."
        return
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        yield f"'{path}' is not JSON ({error}); mend it."
        return
    if len(str(plain.get("code"))) != NAOQI_CODE:
        yield f"'{path.name}' has the code '{plain.get('code')}'; put NAOqi's three letters there, as in 'enu'."
    theirs, ours = dict(_texts(plain)), dict(_texts(english))
    lost = sorted(ours.keys() - theirs.keys())
    if lost:
        yield f"'{path.name}' lacks {len(lost)} texts, the first is {lost[0]}."
    same = [place for place, text in theirs.items() if ours.get(place) == text and any(map(str.isalpha, text))]
    if same:
        yield f"'{path.name}' still has {len(same)} of {len(ours)} texts in English, the first is {same[0]}."


def _texts(plain: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every text that people hear, with its place; of a line said in several ways, the first one."""
    for field, value in plain.items():
        if field not in _NO_SENTENCES:
            yield from _below(field, value)


def _below(place: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key != "gesture":
                yield from _below(f"{place}/{key}", each)
    elif isinstance(value, list) and value:
        yield from _below(place, value[0])


def _dictionary(code: str) -> tuple[DebianPackage, str, list[str]]:
    """Find hunspell's dictionary of a language; a pin without a version stands for one that could not be had."""
    name = f"hunspell-{code}"
    try:
        package, content = debian.newest(name)
        places = sorted(place for place in debian.names(content) if place.endswith(".aff"))
        return package, places[0].removeprefix("./").removesuffix(".aff"), []
    except (DeskError, IndexError, JottoError) as error:
        pin = DebianPackage(name, "", "")
        return pin, _DICTIONARIES + code, [f"No dictionary '{name}' ({error}) Name another in the recipe."]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
