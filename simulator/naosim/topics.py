"""The parser of QiChat's topic files with concepts, rules and proposals, and of the `.dlg` that lists them.

`parse_topic` splits a topic into statements and parses each of them with naosim.qichat. A small lexicon replaces the
robot's own, which topics include.
"""

from __future__ import absolute_import, division, print_function

import io
import os
import re
from collections import namedtuple

from naosim import qichat
from naosim.compat import native, quote, to_unicode, unescape
from naosim.qichat import NAME_PATTERN, BadTopic, Definitions, Node, split_arguments

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterator, List, Optional, Tuple

# Statements of a topic file.

_COMMENT = re.compile(r"(^|\s)#.*$")
_KEYWORDS = "topic|language|concept|dynamic|proposal|include|pronunciation|recover|def|s"
_STATEMENT_START = re.compile(
    r"\s*((?:[uc]\d*)\s*:(?=\s*[(^])|(?:%s)\s*:|(?:[uc]\d+)\s*:|proposal(?=\s*%%))" % _KEYWORDS
)
_INNER_RULE = re.compile(r"(?<=\s)([uc]\d+|u)\s*:\s*(?=\()")  # the start of a rule inside a line
#: The line before and after Python code in an answer, and the function that replaces the code: nothing runs it.
_SCRIPT_LINE, _SCRIPT_FUNCTION = "%script", "^script"
_ONE_LINE_STATEMENTS = ("topic", "language", "dynamic", "include", "pronunciation", "recover", "")

#: A statement: the number of its line, its keyword without the colon, and the text after it.
Statement = namedtuple("Statement", "line keyword text")
#: The byte order mark, the wide blank of Japanese, and the non-breaking blank.
_MARK, _WIDE_BLANK, _HARD_BLANK = unescape(r"\ufeff \u3000 \xa0").split(" ")


def _split_statements(text):  # type: (str) -> List[Statement]
    """Split a topic into statements without comments and scripts; a line that begins none continues the one before.

    >>> _split_statements("topic: ~a()\\nu:(hi)\\n  hello u1:(you) me")[1:] == [
    ...     Statement(2, "u", "(hi) hello"), Statement(3, "u1", "(you) me")]
    True
    """
    found = []  # type: List[Tuple[int, str, List[str]]]
    plain = native(to_unicode(text).lstrip(_MARK).replace(_WIDE_BLANK, " ").replace(_HARD_BLANK, " "))
    opened = 0  # the line in which a script begins
    for number, raw in enumerate(plain.splitlines(), 1):
        line = _COMMENT.sub("", raw).strip()
        if line == _SCRIPT_LINE:
            opened, line = 0 if opened else number, _SCRIPT_FUNCTION if opened else ""
        elif opened:
            continue
        for piece in _split_inner_rules(line):
            start = _STATEMENT_START.match(piece)
            if start:
                found.append((number, start.group(1).replace(":", "").strip(), [piece[start.end() :].strip()]))
            elif found and found[-1][1] not in _ONE_LINE_STATEMENTS:
                found[-1][2].append(piece)
            else:
                found.append((number, "", [piece]))
    if opened:
        raise BadTopic("line %d: no second line %s ends the script" % (opened, _SCRIPT_LINE))
    return [Statement(number, keyword, " ".join(parts)) for number, keyword, parts in found]


def _split_inner_rules(line):  # type: (str) -> List[str]
    """Split a line before each rule that begins inside it."""
    starts = [0] + [found.start() for found in _INNER_RULE.finditer(line)]
    pieces = [line[start:end].strip() for start, end in zip(starts, starts[1:] + [len(line)])]
    return [piece for piece in pieces if piece]


# A small lexicon of the concepts that most dialogs use, for topics that include the robot's larger lexicon_enu.top.
#
# A lexicon file next to the topic has precedence.

_LEXICON_NAME = re.compile(r"^lexicon_([a-z]{3})\.top$")
_LEXICON_CONCEPTS = {
    "enu": """
concept:(yes) [yes yeah yep sure okay ok certainly definitely absolutely "of course" "yes please" "all right" "why not"]
concept:(no) [no nope nah never "no way" "no thanks" "no thank you" "not really" "not at all" "not now"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(maybe) [maybe perhaps possibly "i don't know" "i am not sure"]
concept:(hello) [hello hi hey "good morning" "good afternoon" "good evening"]
concept:(goodbye) [bye goodbye "good bye" "bye bye" "see you" "see you later" "good night"]
concept:(bye) [~goodbye]
concept:(thanks) [thanks "thank you" "thanks a lot" "thank you very much"]
concept:(please) [please]
concept:(sorry) [sorry "i am sorry" "excuse me"]
concept:(repeat) ["say it again" "say that again" "once more" "can you repeat" "repeat please" repeat]
concept:(what) [what "pardon me" pardon]
concept:(can_you) ["can you" "could you" "will you" "would you" "are you able to" "do you know how to"]
concept:(do_you) ["do you"]
concept:(i_want) ["i want" "i'd like" "i would like"]
concept:(neutral) \\style=neutral\\ \\rspd=100\\ \\vct=100\\
concept:(joyful) \\style=joyful\\ \\rspd=95\\ \\vct=100\\
""",
    "frf": unescape(r"""
concept:(yes) [oui ouais "bien s\u00fbr" "d'accord" volontiers "pourquoi pas" "oui s'il te pla\u00eet"]
concept:(no) [non "pas du tout" jamais "non merci" "pas maintenant"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [bonjour salut bonsoir]
concept:(goodbye) ["au revoir" salut "\u00e0 bient\u00f4t" "bonne nuit"]
concept:(bye) [~goodbye]
concept:(thanks) [merci "merci beaucoup"]
"""),
    "ged": unescape(r"""
concept:(yes) [ja jawohl klar gerne sicher nat\u00fcrlich okay "ja bitte" "warum nicht"]
concept:(no) [nein niemals "nein danke" "auf keinen Fall" "jetzt nicht" "noch nicht"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [hallo hi "guten Morgen" "guten Tag" "guten Abend"]
concept:(goodbye) [tsch\u00fcss "auf Wiedersehen" "bis bald" "gute Nacht"]
concept:(bye) [~goodbye]
concept:(thanks) [danke "vielen Dank" "danke sch\u00f6n"]
"""),
    "iti": unescape(r"""
concept:(yes) [s\u00ec certo volentieri "va bene" "d'accordo" "perch\u00e9 no"]
concept:(no) [no mai "no grazie" "non ora"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [ciao salve buongiorno buonasera]
concept:(goodbye) [arrivederci ciao "a presto" "buona notte"]
concept:(bye) [~goodbye]
concept:(thanks) [grazie "grazie mille"]
"""),
    "spe": unescape(r"""
concept:(yes) [s\u00ed vale claro "por supuesto" "de acuerdo" "por qu\u00e9 no"]
concept:(no) [no nunca "no gracias" "ahora no"]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [hola "buenos d\u00edas" "buenas tardes"]
concept:(goodbye) [adi\u00f3s "hasta luego" "buenas noches"]
concept:(bye) [~goodbye]
concept:(thanks) [gracias "muchas gracias"]
"""),
    "jpj": unescape(r"""
concept:(yes) [\u306f\u3044 \u3046\u3093 \u3048\u3048 \u3044\u3044\u3088 \u3082\u3061\u308d\u3093]
concept:(no) [\u3044\u3044\u3048 \u3044\u3084 \u3046\u3046\u3093 \u3060\u3081]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [\u3053\u3093\u306b\u3061\u306f \u304a\u306f\u3088\u3046 \u3053\u3093\u3070\u3093\u306f]
concept:(goodbye) [\u3055\u3088\u3046\u306a\u3089 \u307e\u305f\u306d \u304a\u3084\u3059\u307f]
concept:(bye) [~goodbye]
concept:(thanks) [\u3042\u308a\u304c\u3068\u3046 \u3042\u308a\u304c\u3068\u3046\u3054\u3056\u3044\u307e\u3059]
"""),
    "mnc": unescape(r"""
concept:(yes) [\u662f \u662f\u7684 \u5bf9 \u597d \u597d\u7684 \u53ef\u4ee5 \u5f53\u7136]
concept:(no) [\u4e0d \u4e0d\u662f \u4e0d\u8981 \u4e0d\u884c]
concept:(confirmation) [~yes]
concept:(negation) [~no]
concept:(hello) [\u4f60\u597d \u60a8\u597d \u65e9\u4e0a\u597d \u665a\u4e0a\u597d]
concept:(goodbye) [\u518d\u89c1 \u62dc\u62dc \u665a\u5b89]
concept:(bye) [~goodbye]
concept:(thanks) [\u8c22\u8c22]
"""),
}


def _read_lexicon(name):  # type: (str) -> str
    """Return the text of the lexicon with this file name; raises LookupError if none exists."""
    found = _LEXICON_NAME.match(name)
    if found is None or found.group(1) not in _LEXICON_CONCEPTS:
        raise LookupError(name)
    text = "topic: ~lexicon()\nlanguage: %s\n%s" % (found.group(1), _LEXICON_CONCEPTS[found.group(1)])
    return native(to_unicode(text))


# Topics.

#: NAOqi's names of the languages, by QiChat's codes.
_LANGUAGE_CODES = """
    enu English, eng English, frf French, ged German, iti Italian, jpj Japanese, spe Spanish, czc Czech, dun Dutch,
    plp Polish, ptb Brazilian, ptp Portuguese, mnc Chinese, kok Korean, arw Arabic, rur Russian, sws Swedish,
    trt Turkish, dad Danish, fif Finnish, grg Greek, non Norwegian, nob Norwegian, mnt MandarinTaiwan
"""
LANGUAGES = dict(pair.split() for pair in _LANGUAGE_CODES.split(","))
_MAX_TOPIC_LENGTH = 500000  # characters of one topic: a limit on memory
_MAX_INCLUDED_FILES = 20  # files that one topic can include
MAX_RULES = 10000  # rules and proposals of one topic: a limit on memory
_MAX_LEVEL_LENGTH = 6  # letters of u1, u2 ...: converting thousands of digits takes long
_HEADER = re.compile("^~?(" + NAME_PATTERN + r")\s*((?:\^\w+\s*)*)(?:\([^)]*\))?\s*((?:\^\w+\s*)*)$")
_NAMED = re.compile(r"^\(\s*(" + NAME_PATTERN + r")\s*\)\s*(.+)$", re.DOTALL)
_INPUT = re.compile(r"^((?:\^[A-Za-z]+\s*)*)\(")
_DEFINITION = re.compile(r"^\^?([A-Za-z_]\w*)\s*\(([^)]*)\)\s*(.+)$", re.DOTALL)
_TOPIC_FLAGS = ("nostay", "nopick", "notinembeddedasr", "resetonfocus", "fallback")
_RULE_FLAGS = ("private", "recover", "fallback")

#: A rule or, with the pattern None, a proposal. `flags` are ^private, ^recover and ^fallback in lower case, `rules` its
#: sub-rules, `callbacks` its c rules, which match the result of its ^call.
Rule = namedtuple("Rule", "line pattern answer flags tags rules callbacks")
Concept = namedtuple("Concept", "heard spoken")  # the words of a concept in a pattern and in an answer
Topic = namedtuple("Topic", "name language flags concepts dynamic rules proposals skins")


def parse_topic(text, included=None):  # type: (str, Optional[Callable[[str], str]]) -> Topic
    """Parse a topic; raises BadTopic with the line that is wrong.

    `included` returns the text of a file next to the topic; it raises LookupError if none exists.

    >>> small = parse_topic("topic: ~tea()\\nlanguage: enu\\nu:(tea) Milk?\\n")
    >>> small.name, small.language, len(small.rules)
    ('tea', 'English', 1)
    """
    return _TopicReader(included).read(text)


def walk_rules(made):  # type: (Topic) -> Iterator[Rule]
    """Yield all rules of a topic, including proposals and sub-rules."""
    waiting = made.rules + made.proposals
    while waiting:
        rule = waiting.pop(0)
        yield rule
        waiting += rule.rules + rule.callbacks


def list_topic_events(made):  # type: (Topic) -> List[str]
    """List the events in the rules and concepts of a topic."""
    found = [rule.pattern for rule in walk_rules(made) if rule.pattern is not None]
    found += [node for concept in made.concepts.values() for node in concept.heard]
    return sorted({node.parts[0] for pattern in found for node in qichat.walk_nodes(pattern) if node.kind == "event"})


class _TopicReader(object):
    """A parser of one topic with the files that it includes."""

    def __init__(self, included):  # type: (Optional[Callable[[str], str]]) -> None
        self._included = included
        self._names = []  # type: List[str]
        self._languages = []  # type: List[str]
        self._made = Topic("", "", [], {}, [], [], [], [])
        self._open = []  # type: List[Rule]
        self._section = ()  # type: Any
        self._definitions = Definitions()
        self._files = []  # type: List[str]
        self._count = 0

    def read(self, text):  # type: (str) -> Topic
        self._read(text)
        if not self._names:
            raise BadTopic("line 1: a topic begins with `topic: ~name()`")
        language = self._languages[0] if self._languages else "English"
        return self._made._replace(name=self._names[0], flags=tuple(self._made.flags), language=language)

    def _read(self, text):  # type: (str) -> None
        if len(text) > _MAX_TOPIC_LENGTH:
            counts = (len(text), _MAX_TOPIC_LENGTH)
            raise BadTopic("line 1: a topic of %d characters is too long: at most %d are read" % counts)
        for statement in _split_statements(text):
            try:
                self._take(statement)
            except BadTopic as error:
                raise BadTopic("line %d: %s" % (statement.line, error))

    def _take(self, statement):  # type: (Statement) -> None
        keyword, text = statement.keyword, statement.text
        if re.match(r"[uc]\d*$", keyword):
            self._rule(keyword, text, statement.line)
        elif keyword == "proposal":
            self._made.proposals.append(self._make_rule(statement.line, None, text, ()))
            self._open = [self._made.proposals[-1]]
        elif keyword == "topic":
            self._header(text)
        elif keyword == "language":
            self._languages.append(_language_of_code(text))
        elif keyword in ("concept", "dynamic"):
            self._concept(keyword, text)
        elif keyword == "include":
            self._include(text)
        elif keyword == "recover":
            self._section = ("recover",)
        elif keyword == "def":
            self._define(text)
        elif keyword == "s":
            inside, changes = _split_rule(text)
            self._made.skins.append((qichat.parse_pattern(inside), qichat.parse_skin(changes)))
        elif keyword != "pronunciation":
            raise BadTopic("cannot read %.60r" % text)

    def _header(self, text):  # type: (str) -> None
        found = _HEADER.match(text)
        flags = (found.group(2) + found.group(3)).replace("^", " ").lower().split() if found else []
        if found is None or set(flags) - set(_TOPIC_FLAGS):
            raise BadTopic("a topic begins with `topic: ~name()`, not %.60r" % text)
        if not self._names:
            self._made.flags.extend(flags)
            self._section = ("fallback",) if "fallback" in flags else ()
        self._names.append(found.group(1))

    def _concept(self, keyword, text):  # type: (str, str) -> None
        if keyword == "dynamic":
            if not re.match(NAME_PATTERN + "$", text):
                raise BadTopic("a dynamic concept is one name, not %.60r" % text)
            self._made.dynamic.append(text)
            return
        found = _NAMED.match(text)
        if found is None:
            raise BadTopic("a concept is written concept:(name) [words], not %.60r" % text)
        name, meant = found.groups()
        heard = qichat.parse_concept(meant, self._definitions)
        self._made.concepts[name] = Concept(heard, qichat.parse_answer(meant, self._definitions))

    def _include(self, text):  # type: (str) -> None
        """Add the statements of another file, except its name and language."""
        if len(self._files) >= _MAX_INCLUDED_FILES:
            raise BadTopic("more than %d files are included" % _MAX_INCLUDED_FILES)
        if text in self._files:
            return
        self._files.append(text)
        try:
            content = self._content(text)
        except LookupError:
            raise BadTopic("the included file %s is not in the folder of the topic" % text)
        names, languages, opened = list(self._names), list(self._languages), self._open
        try:
            self._read(content)
        except BadTopic as error:
            raise BadTopic("%s, %s" % (text, error))
        self._names, self._languages, self._open = names, languages, opened

    def _content(self, name):  # type: (str) -> str
        """Return the text of an included file: the one next to the topic, else the lexicon with this name."""
        try:
            if self._included is not None:
                return self._included(name)
        except LookupError:
            pass
        return _read_lexicon(name)

    def _define(self, text):  # type: (str) -> None
        found = _DEFINITION.match(text)
        if found is None:
            raise BadTopic("a function is written def:name($first, $second) answer, not %.60r" % text)
        name, parameters, body = found.groups()
        self._definitions.add(name, [each.lstrip("$") for each in split_arguments(parameters)], body)

    def _rule(self, keyword, text, line):  # type: (str, str, int) -> None
        if len(keyword) > _MAX_LEVEL_LENGTH:
            raise BadTopic("the rule %.20s... has no rule one level above it" % keyword)
        level, kind = int(keyword[1:] or 0), keyword[0]
        found = _INPUT.match(text)
        flags = found.group(1).replace("^", " ").lower().split() if found else []
        if found is None or set(flags) - set(_RULE_FLAGS):
            raise BadTopic("a rule is written %s:(what is heard) answer, not %.60r" % (keyword, text))
        if (level and not self._open) or (kind == "c" and not level):
            raise BadTopic("the rule %s has no rule one level above it: %.60r" % (keyword, text))
        # A level can be left out: the rule belongs to the one above it.
        level = min(level, len(self._open))
        inside, answer = _split_rule(text[found.end() - 1 :])
        # A rule without words is never heard; another one can jump to its tag.
        pattern = qichat.parse_pattern(inside or "^empty", definitions=self._definitions)
        rule = self._make_rule(line, pattern, answer, tuple(flags) + (self._section if not level else ()))
        parent = self._open[level - 1] if level else self._made  # type: Any
        (parent.callbacks if kind == "c" else parent.rules).append(rule)
        self._open[level:] = [rule]

    def _make_rule(self, line, pattern, text, flags):  # type: (int, Optional[Node], str, object) -> Rule
        self._count += 1
        if self._count > MAX_RULES:
            raise BadTopic("more than %d rules and proposals" % MAX_RULES)
        answer = qichat.parse_answer(text, self._definitions)
        return Rule(line, pattern, answer, flags, tuple(qichat.list_tags(answer)), [], [])


def _language_of_code(code):  # type: (str) -> str
    known = {name.lower(): name for name in LANGUAGES.values()}
    name = LANGUAGES.get(code.lower()) or known.get(code.lower())
    if name is None:
        raise BadTopic("unknown language %r" % code)
    return name


def _split_rule(text):  # type: (str) -> Any
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[1:at].strip(), text[at + 1 :].strip()
    raise BadTopic("a parenthesis is not closed in %.60r" % text)


# Files of a dialog.

_MAX_DLG_BYTES = 1024 * 1024  # bytes of a `.dlg`: a limit on memory


def list_topic_files(path):  # type: (str) -> Iterator[Tuple[str, str]]
    """Yield the languages of a `.dlg`, each with its topic file; raises RuntimeError if the `.dlg` cannot be read."""
    try:
        with io.open(path, "rb") as file:
            lines = native(to_unicode(file.read(_MAX_DLG_BYTES))).splitlines()
    except (IOError, OSError) as error:
        raise RuntimeError("cannot read %s: %s" % (quote(path), native(error.strerror or error)))
    for line in lines:
        code, _, name = line.partition(":")
        language = LANGUAGES.get(code.strip().lower())
        if language is not None and name.strip():
            yield language, os.path.join(os.path.dirname(path), name.strip())


def read_topic_file(path):  # type: (str) -> str
    """Return the text of a topic file, cut slightly above the limit of a topic."""
    with open(path, "rb") as topic_file:
        return native(to_unicode(topic_file.read(_MAX_TOPIC_LENGTH * 4 + 1)))


def make_include_reader(folder):  # type: (str) -> Callable[[str], str]
    """Return a function that reads the files of a folder for `include`; it raises LookupError for other files."""

    def include(name):  # type: (str) -> str
        path = os.path.join(folder, name)
        if os.path.basename(name) != name or not os.path.isfile(path):
            raise LookupError(name)
        return read_topic_file(path)

    return include
