"""Read and check the hand-written sources of the robot project: flow, box scripts, manifest, topics, library."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from jotto.tree import HARD_TREES, USUAL_TREES, list_tree_endings
from jotto_desk.files import read_bounded
from jotto_desk.robot_kit.flow import (
    LONGEST_FLOW,
    SCRIPT_NAME,
    Flow,
    FlowRefused,
    PullRefused,
    check_flow,
    format_attributes,
    format_tag,
    parse_flow,
)

# Python 2.7, the robot's own, reads the sources.

#: The longest time for Python 2.7 to check files.
_PYTHON27_TIMEOUT_S = 60
#: Run by Python 2.7: finds the files it cannot compile, and the modules it has.
_ASK_27 = """
import imp, json, platform, sys
files, names = json.loads(sys.stdin.read())
refused, there = {}, []
for name, text in files.items():
    try:
        compile(text.encode("utf-8"), name.encode("ascii", "replace"), "exec", 0, True)
    except (SyntaxError, TypeError) as error:
        refused[name] = "%s, line %s" % (getattr(error, "msg", error), getattr(error, "lineno", "?"))
for name in names:
    try:
        imp.find_module(name.encode("ascii"))
    except ImportError:
        continue
    there.append(name)
sys.stdout.write(json.dumps([platform.python_version(), refused, there]))
"""


def ask_python27(
    python27: Sequence[str], texts: Mapping[str, str], modules: Sequence[str] = ()
) -> tuple[str, dict[str, str], set[str]]:
    """Return Python 2.7's version, the files that it cannot compile with the reasons, and the modules that it has."""
    command = [*python27, "-E", "-s", "-S", "-c", _ASK_27]
    question = json.dumps([dict(texts), list(modules)]).encode("ascii")
    # The current folder is first on Python's path, so it must be one without modules.
    answer = subprocess.run(
        command, input=question, stdout=subprocess.PIPE, timeout=_PYTHON27_TIMEOUT_S, check=True, cwd="/"
    )
    version, refused, there = json.loads(answer.stdout)
    return version, refused, set(there)


# Box scripts and the preamble that they share.

#: The most characters of a script.
_MAX_SCRIPT_LENGTH = 100_000
#: The lines around the preamble in a script of the xar.
_BEGINS = "# ---- the same first lines in every box: {name} ----"
_ENDS = "# ---- this box ----"


def tidy(script: str) -> str:
    r"""Return a script as NAOqi reads it: without blanks at its ends, with plain line ends.

    >>> tidy("\n  pass \r\n\n")
    'pass\n'
    """
    body = script.replace("\r\n", "\n").strip(" \t\r\n")
    return body + "\n" if body else ""


def add_preamble(script: str, name: str | None, preamble: str) -> str:
    """Return the script for the xar: the preamble between two marker lines, then the script."""
    if name is None:
        return tidy(script)
    return f"{_BEGINS.format(name=name)}\n{tidy(preamble)}{_ENDS}\n{tidy(script)}"


def split_preamble(content: str, name: str | None, box: str) -> tuple[str | None, str]:
    """Split a script of the xar into preamble (None if none exists) and script; refuse a single marker line."""
    content = tidy(content)
    if name is None:
        return None, content
    lines = content.splitlines(keepends=True)
    begins, ends = (
        [at for at, line in enumerate(lines) if line.strip() == marker] for marker in (_BEGINS.format(name=name), _ENDS)
    )
    if not begins and not ends:
        return None, content
    if begins != [0] or len(ends) != 1:
        raise PullRefused(
            f'box "{box}" has lost or moved one of its two marker lines; put "{_BEGINS.format(name=name)}" '
            f'first and "{_ENDS}" between {name} and the box\'s own script.'
        )
    return tidy("".join(lines[1 : ends[0]])), tidy("".join(lines[ends[0] + 1 :]))


def check_scripts(scripts: Mapping[str, str], python27: Sequence[str] | None = None) -> list[str]:
    """Return findings about scripts by file name; `python27` is the command of a Python 2.7 that checks them too."""
    found = [finding for name, text in scripts.items() for finding in _collect_findings(name, text)]
    refused = ask_python27(python27, scripts)[1] if python27 and not found else {}
    said = "{} does not compile on Python 2.7 ({}); write what 2.7 and 3 both read."
    return found + [said.format(name, error) for name, error in sorted(refused.items())]


def _collect_findings(name: str, text: str) -> Iterator[str]:
    if len(text) > _MAX_SCRIPT_LENGTH:
        yield f"{name} has {len(text)} characters; move code into jotto_behaviour until it has {_MAX_SCRIPT_LENGTH}."
        return
    for number, line in enumerate(text.splitlines(), start=1):
        odd = sorted({character for character in line if character not in "\t" and not " " <= character <= "~"})
        if odd:
            yield f"{name}, line {number} has {odd[0]!r}; box scripts are plain ASCII."
        if "]]>" in line:
            yield f'{name}, line {number} has "]]>", which would end the script inside the xar; write it apart.'
        if line.strip() == _ENDS or line.strip() == _BEGINS.format(name=name):
            yield f"{name}, line {number} is one of the kit's own marker lines; remove it."
    try:
        compile(text, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, OverflowError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        yield f"{name} does not compile on Python 3 ({getattr(error, 'msg', error)}{where}); correct it."


# The files for the project's `lib`.

#: Folder in the checkout -> folder in lib.
_PACKAGES = {"src/jotto": "jotto", "behaviour/jotto_behaviour": "jotto_behaviour"}
_TREE_ENDINGS = (*list_tree_endings(USUAL_TREES), *list_tree_endings(HARD_TREES))
#: The files of `wordlists` for English.
_ENGLISH_LISTS = (
    *("en.tsv", "en-early.txt", "en-late.txt", "en-secrets.txt", "en-sound-alikes.txt", "blocked.sha256"),
    *(f"en{ending}" for ending in _TREE_ENDINGS),
)
#: The files of `wordlists` that another language can have: those of English, and its own block list.
_LIST_ENDINGS = (
    *(".tsv", "-blocked.sha256", "-early.txt", "-late.txt", "-secrets.txt", "-sound-alikes.txt"),
    *_TREE_ENDINGS,
)
#: The game has the languages with a file of lines in this folder.
_LINES_FOLDER = "behaviour/jotto_behaviour"
#: Only files that Python or the game reads go to the robot: no marker files, no caches, no notes.
_SUFFIXES = {".py", ".json", ".tsv", ".txt", ".bin", ".gz", ".sha256"}
_SKIPPED_FOLDERS = {"__pycache__", "tests"}
#: A module that only the desk needs: it draws the conversation.
_NOT_PLAYED = {"behaviour/jotto_behaviour/diagram.py"}


def list_library(root: Path) -> dict[str, Path]:
    """Map places in lib to files in the checkout, sorted by place, without lists and trees that do not exist yet."""
    lists = [f"wordlists/{name}" for name in (*_ENGLISH_LISTS, *_list_language_files(root))]
    found = {place: root / place for place in lists if (root / place).is_file()}
    for source, target in _PACKAGES.items():
        base = root / source
        for path in sorted(base.rglob("*")):
            inside = path.relative_to(base)
            is_left_out = _SKIPPED_FOLDERS & set(inside.parts) or f"{source}/{inside.as_posix()}" in _NOT_PLAYED
            if path.is_file() and path.suffix in _SUFFIXES and not is_left_out:
                found[f"{target}/{inside.as_posix()}"] = path
    return dict(sorted(found.items()))


def _list_language_files(root: Path) -> list[str]:
    """Name the files of `wordlists` that other languages can have."""
    codes = sorted(path.stem.removeprefix("lines_") for path in (root / _LINES_FOLDER).glob("lines_*.json"))
    return [code + ending for code in codes if code != "en" for ending in _LIST_ENDINGS]


# The hand-written manifest.xml: the build changes only its version.

_PACKAGE = re.compile(r"<package\b[^>]*>")
UUID = re.compile(r'(?<=\suuid=")([_\-a-z0-9]{1,50})(?=")')
VERSION = re.compile(r'(?<=\sversion=")[^"]*(?=")')
#: The most words of a sentence that starts the behaviour: the recogniser also listens for those of other behaviours.
_MAX_WORDS = 5
#: The most characters of such a sentence.
_MAX_SENTENCE_LENGTH = 40
_SENTENCE = re.compile(r"[^\W\d_]+(?:[ '][^\W\d_]+)*[.!?]?")
_DUNDER_VERSION = re.compile(r'^__version__ = "(\d+\.\d+\.\d+)"$', re.MULTILINE)


def _package(manifest: str) -> str:
    found = _PACKAGE.search(manifest)
    if not found or not VERSION.search(found[0]):
        raise FlowRefused('manifest.xml has no <package uuid="..." version="...">; write that element first.')
    return found[0]


def find_uuid(manifest: str) -> str:
    """Return the package's name on the robot, which is the name of the `.pml`, too; raises `FlowRefused`."""
    found = UUID.search(_package(manifest))
    if not found:
        raise FlowRefused("manifest.xml has no uuid of 1 to 50 small letters, digits, - and _; write one.")
    return found[0]


def stamp_version(manifest: str, version: str) -> str:
    """Return the manifest with this version and no other change.

    >>> stamp_version('<package uuid="x" version="0.0.1">', "1.2.0")
    '<package uuid="x" version="1.2.0">'
    """
    package = _package(manifest)
    return manifest.replace(package, VERSION.sub(version, package, count=1), 1)


def _check_manifest(manifest: str, behaviour: str) -> list[str]:
    if f'<behaviorContent path="{behaviour}">' in manifest:
        return []
    return [f'manifest.xml has no <behaviorContent path="{behaviour}">; name the behaviour of flow.json there.']


def check_sentences(manifest: str) -> list[str]:
    """List sentences that a robot would hardly recognise, and languages in which a behaviour has no sentence."""
    try:
        package = ElementTree.fromstring(manifest)
    except ElementTree.ParseError as error:
        return [f"manifest.xml is not XML ({error}); correct it."]
    languages = [each.text or "" for each in package.iterfind("supportedLanguages/language")]
    findings = [] if languages else ["manifest.xml names no supportedLanguages; name one."]
    for behaviour in package.iterfind("contents/behaviorContent"):
        findings += _is_of_behaviour(behaviour, languages)
    return findings


def _is_of_behaviour(behaviour: ElementTree.Element, languages: list[str]) -> Iterator[str]:
    path = behaviour.get("path", "")
    for group, most in (("triggerSentences", _MAX_WORDS), ("loadingResponses", 2 * _MAX_WORDS)):
        found = behaviour.iterfind(f"{group}/sentence")
        sentences = [(each.get("lang", ""), (each.text or "").strip()) for each in found]
        spoken = {language for language, _ in sentences}
        yield from (f"{path} has no {group} in {one}; write one." for one in languages if one not in spoken)
        for language, text in sentences:
            if language not in languages:
                yield f'{path}: "{text}" is in {language}, which supportedLanguages lacks; add the language or drop it.'
            if len(text.split()) > most or len(text) > _MAX_SENTENCE_LENGTH or not _SENTENCE.fullmatch(text):
                yield f'{path}: "{text}" is not a sentence of at most {most} plain words; write a shorter one.'


def _find_version(source: str) -> str:
    found = _DUNDER_VERSION.search(source)
    if not found:
        raise FlowRefused('src/jotto/__init__.py has no line __version__ = "1.2.3"; add it.')
    return found[1]


# The dialogue topic: its `.top` in every language, and the `.dlg` that lists them. Only the first two lines of a topic
# matter here: the language is in them, and the boxes set the vocabulary.

#: The robot's code of a language, in file names and topics -> its locale.
_LOCALES = {"enu": "en_US", "frf": "fr_FR", "ged": "de_DE", "spe": "es_ES", "iti": "it_IT", "dun": "nl_NL"}
_LOCALES |= {"ptp": "pt_PT", "brp": "pt_BR", "plp": "pl_PL", "sws": "sv_SE", "dad": "da_DK", "nob": "nb_NO"}
_LOCALES |= {"fif": "fi_FI", "czc": "cs_CZ", "trt": "tr_TR", "rur": "ru_RU", "jpj": "ja_JP", "kok": "ko_KR"}
#: The language of the topics in robot_boxes.
LANGUAGE = "enu"


@dataclass(frozen=True)
class Topic:
    """A topic of the project in one language: its name, its QiChat text, and the robot's code of the language."""

    name: str
    text: str
    language: str = LANGUAGE

    @property
    def dialog_path(self) -> str:
        """Return the place of the `.dlg` inside the Choregraphe project."""
        return f"{self.name}/{self.name}.dlg"

    @property
    def topic_path(self) -> str:
        """Return the place of the `.top` inside the Choregraphe project."""
        return f"{self.name}/{self.name}_{self.language}.top"

    def translate(self, language: str) -> Topic:
        """Return the same topic in another language.

        >>> Topic("quiz", "topic: ~quiz()\\nlanguage: enu\\n").translate("frf").text
        'topic: ~quiz()\\nlanguage: frf\\n'
        """
        text = re.sub(
            rf"^(\s*language:\s*){self.language}\b", rf"\g<1>{language}", self.text, count=1, flags=re.MULTILINE
        )
        return Topic(self.name, text, language)


def _translate_topics(topics: Iterable[Topic], languages: Sequence[str]) -> tuple[Topic, ...]:
    """Return the topics in every language of the game; raises `FlowRefused` for a language unknown to NAOqi."""
    strange = [language for language in languages if language not in _LOCALES]
    if strange:
        raise FlowRefused(
            f"the lines of a language have the code '{strange[0][:20]}'; write one of NAOqi's: {', '.join(_LOCALES)}."
        )
    return tuple(topic.translate(language) for topic in topics for language in languages)


def format_dialogs(topics: Iterable[Topic]) -> dict[str, str]:
    """Return the text of each topic's `.dlg` by its place: it names the topic file of each language."""
    found: dict[str, str] = {}
    for topic in topics:
        found.setdefault(topic.dialog_path, f"multilanguage:{topic.name}\n")
        found[topic.dialog_path] += f"  {topic.language}:{topic.name}_{topic.language}.top\n"
    return found


def parse_topic(name: str, text: str) -> Topic:
    """Read a topic from its file; raises `FlowRefused` if its name or language differs from the file's."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line, wanted in zip([*lines, "", ""][:2], (f"topic: ~{name}()", f"language: {LANGUAGE}"), strict=True):
        if re.sub(r"\s", "", line) != wanted.replace(" ", ""):
            raise FlowRefused(f'{name}.top has "{line[:60]}" instead of "{wanted}"; correct that line.')
    return Topic(name, text)


# The `.pml`, Choregraphe's list of a project's files.

#: The format that every Choregraphe since 2.1 reads; this project needs no part that 5 adds.
_FORMAT = "4"
#: A line for a file of lib, written by the build or by Choregraphe.
_IN_LIB = re.compile(r'^[ \t]*<File\b[^<>]*\bsrc="lib/[^<>]*/>[ \t\r]*\n', re.MULTILINE)
_END_OF_RESOURCES = re.compile(r"^[ \t]*</Resources>", re.MULTILINE)


def format_project(name: str, behaviour: str, topics: Iterable[Topic], resources: Iterable[str]) -> str:
    """Return the text of the `.pml`; `resources` are the places of all other files inside the project."""
    topics, description = list(topics), "BehaviorDescription"
    dialogs = {topic.dialog_path: topic.name for topic in topics}
    lines = [
        '<?xml version="1.0" encoding="UTF-8" ?>',
        f"<Package {format_attributes(name=name, format_version=_FORMAT)}>",
        '    <Manifest src="manifest.xml" />',
        *_group("BehaviorDescriptions", [format_tag(description, name="behavior", src=behaviour, xar="behavior.xar")]),
        *_group("Dialogs", [format_tag("Dialog", name=name, src=place) for place, name in dialogs.items()]),
        *_group("Resources", [_file(path) for path in resources]),
        *_group("Topics", [_topic(topic) for topic in topics]),
        *_group("IgnoredPaths", [format_tag("Path", src=".metadata")]),
        "</Package>",
    ]
    return "\n".join(lines) + "\n"


def format_listing(text: str, library: Iterable[str]) -> str:
    """Return the `.pml` with these files of lib and no others; it might come from the build or from Choregraphe.

    >>> format_listing('<Resources>\\n  <File name="old" src="lib/old.py" />\\n</Resources>\\n', [])
    '<Resources>\\n</Resources>\\n'
    """
    plain = _IN_LIB.sub("", text)
    files = "".join(f"        {_file(f'lib/{place}')}\n" for place in library)
    return _END_OF_RESOURCES.sub(lambda end: files + end[0], plain, count=1)


def _file(place: str) -> str:
    return format_tag("File", name=PurePosixPath(place).stem, src=place)


def _topic(topic: Topic) -> str:
    stem = PurePosixPath(topic.topic_path).stem
    return format_tag("Topic", name=stem, src=topic.topic_path, topicName=topic.name, language=_LOCALES[topic.language])


def _group(name: str, children: list[str]) -> Iterator[str]:
    if not children:
        yield f"    <{name} />"
        return
    yield f"    <{name}>"
    yield from ("        " + child for child in children)
    yield f"    </{name}>"


# Reading and checking all sources.

BOXES = "robot_boxes"
FLOW = f"{BOXES}/flow.json"
PROJECT = "choregraphe_project"
MANIFEST = f"{PROJECT}/manifest.xml"
ICON = f"{PROJECT}/icon.png"
LIBRARY = f"{PROJECT}/lib"
_LINES = "behaviour/jotto_behaviour"
_ENGINE = "src/jotto/__init__.py"


@dataclass(frozen=True)
class Sources:
    """All sources of the Choregraphe project."""

    flow: Flow
    scripts: dict[str, str]
    preamble: str
    topics: tuple[Topic, ...]
    manifest: str
    version: str
    library: tuple[str, ...]
    #: Whether the project has a lib now.
    is_staged: bool

    def assemble_scripts(self) -> dict[str, str]:
        """Map each script file to its text in the xar."""
        name = self.flow.preamble
        return {file: add_preamble(text, name, self.preamble) for file, text in self.scripts.items()}


def read_sources(root: Path, python27: Sequence[str] | None = None) -> Sources:
    """Read the sources of a checkout; raises `FlowRefused` with all findings."""
    flow = parse_flow(_load_text(root / FLOW, LONGEST_FLOW))
    findings = check_flow(flow)
    scripts, missing = _load_scripts(root, flow)
    findings += missing
    preamble = ""
    if flow.preamble is not None and SCRIPT_NAME.fullmatch(flow.preamble):
        preamble = _load_text(root / BOXES / flow.preamble, _MAX_SCRIPT_LENGTH)
    named = {flow.preamble: preamble} if flow.preamble is not None else {}
    findings += check_scripts(scripts | named, python27)
    manifest = _load_text(root / MANIFEST)
    findings += _check_manifest(manifest, flow.behaviour)
    if findings:
        raise FlowRefused("robot_boxes cannot become a behaviour:", findings)
    written = [parse_topic(path.stem, _load_text(path)) for path in sorted((root / BOXES).glob("*.top"))]
    topics, version = _translate_topics(written, _list_languages(root)), _find_version(_load_text(root / _ENGINE))
    library, is_staged = tuple(list_library(root)), (root / LIBRARY).is_dir()
    return Sources(flow, scripts, preamble, topics, manifest, version, library, is_staged)


def _list_languages(root: Path) -> list[str]:
    """List NAOqi's codes of the game's languages, English first."""
    lines = (json.loads(_load_text(path)) for path in sorted((root / _LINES).glob("lines_*.json")))
    codes = {str(each.get("code", LANGUAGE)) for each in lines}
    return sorted(codes, key=lambda code: (code != LANGUAGE, code))


def _load_scripts(root: Path, flow: Flow) -> tuple[dict[str, str], list[str]]:
    scripts, findings = {}, []
    for name in filter(SCRIPT_NAME.fullmatch, flow.list_scripts()):
        path = root / BOXES / name
        if path.is_file():
            scripts[name] = _load_text(path, _MAX_SCRIPT_LENGTH)
        else:
            boxes = ", ".join(f'"{box.name}"' for box in flow.boxes if box.script == name)
            findings.append(f"{boxes} needs the script {name}, which is not in {BOXES}; write it or correct the name.")
    unused = {path.name for path in (root / BOXES).glob("*.py")} - {*flow.list_scripts(), flow.preamble}
    findings += [f"no box uses {BOXES}/{name}; name it in flow.json or remove it." for name in sorted(unused)]
    return scripts, findings


def _load_text(path: Path, most: int = 1_000_000) -> str:
    raw = read_bounded(path, most)
    try:
        return raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FlowRefused(f"'{path}', line {line} is not UTF-8; save the file as UTF-8.") from error
