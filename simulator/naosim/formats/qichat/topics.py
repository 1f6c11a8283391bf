"""Topics: a name, a language, concepts, rules with their sub-rules, and proposals."""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.formats.qichat import answers, lexicon, lines, patterns
from naosim.formats.qichat.syntax import NAME, BadTopic, Definitions, split

MYPY = False
if MYPY:
    from typing import Any, Callable, Iterator, List, Optional

    from naosim.formats.qichat.syntax import Node

LANGUAGES = {
    "enu": "English",
    "eng": "English",
    "frf": "French",
    "ged": "German",
    "iti": "Italian",
    "jpj": "Japanese",
    "spe": "Spanish",
    "czc": "Czech",
    "dun": "Dutch",
    "plp": "Polish",
    "ptb": "Brazilian",
    "ptp": "Portuguese",
    "mnc": "Chinese",
    "kok": "Korean",
    "arw": "Arabic",
    "rur": "Russian",
    "sws": "Swedish",
    "trt": "Turkish",
    "dad": "Danish",
    "fif": "Finnish",
    "grg": "Greek",
    "non": "Norwegian",
    "nob": "Norwegian",
    "mnt": "MandarinTaiwan",
}
LONGEST = 500000  # characters of a topic
MOST_INCLUDED = 20  # files of one topic
MOST_RULES = 10000
LONGEST_LEVEL = 6  # letters of u1, u2 ...: to read a number of thousands of digits takes long
HEADER = re.compile("^~?(" + NAME + r")\s*(?:\(\s*\))?\s*((?:\^\w+\s*)*)$")
NAMED = re.compile(r"^\(\s*(" + NAME + r")\s*\)\s*(.+)$", re.DOTALL)
INPUT = re.compile(r"^((?:\^[A-Za-z]+\s*)*)\(")
DEFINITION = re.compile(r"^\^?([A-Za-z_]\w*)\s*\(([^)]*)\)\s*(.+)$", re.DOTALL)
TOPIC_FLAGS = ("nostay", "nopick", "notinembeddedasr", "resetonfocus")
RULE_FLAGS = ("private", "recover", "fallback")

#: One rule. Its pattern is None for a proposal; flags are ^private, ^recover and ^fallback in lower case; rules are its
#: sub-rules, callbacks the c rules that take what its ^call returns.
Rule = namedtuple("Rule", "line pattern answer flags tags rules callbacks")
#: What a concept stands for, as a person says it and as the robot says it.
Concept = namedtuple("Concept", "heard spoken")
Topic = namedtuple("Topic", "name language flags concepts dynamic rules proposals")


def topic(text, included=None):  # type: (str, Optional[Callable[[str], str]]) -> Topic
    """Parse a topic; raise BadTopic, which names the line that is wrong.

    `included` returns the text of a file beside the topic; it raises LookupError when there is none.

    >>> small = topic("topic: ~tea()\\nlanguage: enu\\nu:(tea) Milk?\\n")
    >>> small.name, small.language, len(small.rules)
    ('tea', 'English', 1)
    """
    return _TopicReader(included).read(text)


def rules(made):  # type: (Topic) -> Iterator[Rule]
    """Iterate over all rules of a topic, proposals and sub-rules among them."""
    waiting = made.rules + made.proposals
    while waiting:
        rule = waiting.pop(0)
        yield rule
        waiting += rule.rules + rule.callbacks


def events(made):  # type: (Topic) -> List[str]
    """List the events that the rules and concepts of a topic wait for."""
    found = [rule.pattern for rule in rules(made) if rule.pattern is not None]
    found += [node for concept in made.concepts.values() for node in concept.heard]
    return sorted({node.parts[0] for pattern in found for node in answers.walk(pattern) if node.kind == "event"})


class _TopicReader(object):
    """A parser of one topic and of the files that it includes."""

    def __init__(self, included):  # type: (Optional[Callable[[str], str]]) -> None
        self._included = included
        self._names = []  # type: List[str]
        self._languages = []  # type: List[str]
        self._made = Topic("", "", [], {}, [], [], [])
        self._open = []  # type: List[Rule]
        self._section = ()  # type: Any
        self._definitions = Definitions()
        self._files = []  # type: List[str]
        self._count = 0

    def read(self, text):  # type: (str) -> Topic
        """Parse the text of the topic itself."""
        self._read(text)
        if not self._names:
            raise BadTopic("line 1: a topic begins with `topic: ~name()`")
        return self._made._replace(
            name=self._names[0],
            flags=tuple(self._made.flags),
            language=self._languages[0] if self._languages else "English",
        )

    def _read(self, text):  # type: (str) -> None
        if len(text) > LONGEST:
            raise BadTopic("line 1: a topic of %d characters is too long, at most %d are read" % (len(text), LONGEST))
        for statement in lines.statements(text):
            try:
                self._take(statement)
            except BadTopic as error:
                raise BadTopic("line %d: %s" % (statement.line, error))

    def _take(self, statement):  # type: (lines.Statement) -> None
        """Add one statement to the topic."""
        keyword, text = statement.keyword, statement.text
        if re.match(r"[uc]\d*$", keyword):
            self._rule(keyword, text, statement.line)
        elif keyword == "proposal":
            self._made.proposals.append(self._answering(statement.line, None, text, ()))
            self._open = [self._made.proposals[-1]]
        elif keyword == "topic":
            self._header(text)
        elif keyword == "language":
            self._languages.append(_language(text))
        elif keyword in ("concept", "dynamic"):
            self._concept(keyword, text)
        elif keyword == "include":
            self._include(text)
        elif keyword == "recover":
            self._section = ("recover",)
        elif keyword == "def":
            self._define(text)
        elif keyword == "s":
            raise BadTopic("the rules of a skin, s:(...), cannot be run: %.60r" % text)
        elif keyword != "pronunciation":
            raise BadTopic("cannot read %.60r" % text)

    def _header(self, text):  # type: (str) -> None
        found = HEADER.match(text)
        flags = found.group(2).replace("^", " ").lower().split() if found else []
        if found is None or set(flags) - set(TOPIC_FLAGS):
            raise BadTopic("a topic begins with `topic: ~name()`, not %.60r" % text)
        if not self._names:
            self._made.flags.extend(flags)
        self._names.append(found.group(1))

    def _concept(self, keyword, text):  # type: (str, str) -> None
        if keyword == "dynamic":
            if not re.match(NAME + "$", text):
                raise BadTopic("a dynamic concept is one name, not %.60r" % text)
            self._made.dynamic.append(text)
            return
        found = NAMED.match(text)
        if found is None:
            raise BadTopic("a concept is written concept:(name) [words], not %.60r" % text)
        name, meant = found.groups()
        self._made.concepts[name] = Concept(
            patterns.choices(meant, self._definitions), answers.parsed(meant, self._definitions)
        )

    def _include(self, text):  # type: (str) -> None
        """Add what another file says, except its name and language."""
        if len(self._files) >= MOST_INCLUDED:
            raise BadTopic("more than %d files are included" % MOST_INCLUDED)
        if text in self._files:
            return
        self._files.append(text)
        try:
            content = self._content(text)
        except LookupError:
            raise BadTopic("the included file %s does not exist beside the topic" % text)
        names, languages, opened = list(self._names), list(self._languages), self._open
        try:
            self._read(content)
        except BadTopic as error:
            raise BadTopic("%s, %s" % (text, error))
        self._names, self._languages, self._open = names, languages, opened

    def _content(self, name):  # type: (str) -> str
        """Return the text of an included file: the one beside the topic, or else the lexicon of this name."""
        try:
            if self._included is not None:
                return self._included(name)
        except LookupError:
            pass
        return lexicon.included(name)

    def _define(self, text):  # type: (str) -> None
        found = DEFINITION.match(text)
        if found is None:
            raise BadTopic("a function is written def:name($first, $second) answer, not %.60r" % text)
        name, parameters, body = found.groups()
        self._definitions.add(name, [each.lstrip("$") for each in split(parameters)], body)

    def _rule(self, keyword, text, line):  # type: (str, str, int) -> None
        if len(keyword) > LONGEST_LEVEL:
            raise BadTopic("the rule %.20s... has no rule one level above it" % keyword)
        level, kind = int(keyword[1:] or 0), keyword[0]
        found = INPUT.match(text)
        flags = found.group(1).replace("^", " ").lower().split() if found else []
        if found is None or set(flags) - set(RULE_FLAGS):
            raise BadTopic("a rule is written %s:(what is heard) answer, not %.60r" % (keyword, text))
        if level > len(self._open) or (kind == "c" and not level):
            raise BadTopic("the rule %s has no rule one level above it: %.60r" % (keyword, text))
        inside, answer = _parted(text[found.end() - 1 :])
        if not inside:
            raise BadTopic("a rule without words: %.60r" % text)
        pattern = patterns.parsed(inside, definitions=self._definitions)
        rule = self._answering(line, pattern, answer, tuple(flags) + (self._section if not level else ()))
        siblings = (
            self._made.rules
            if not level
            else self._open[level - 1].callbacks
            if kind == "c"
            else self._open[level - 1].rules
        )
        siblings.append(rule)
        self._open[level:] = [rule]

    def _answering(self, line, pattern, text, flags):  # type: (int, Optional[Node], str, Any) -> Rule
        self._count += 1
        if self._count > MOST_RULES:
            raise BadTopic("more than %d rules and proposals" % MOST_RULES)
        answer = answers.parsed(text, self._definitions)
        return Rule(line, pattern, answer, flags, tuple(answers.tags(answer)), [], [])


def _language(code):  # type: (str) -> str
    known = {name.lower(): name for name in LANGUAGES.values()}
    name = LANGUAGES.get(code.lower()) or known.get(code.lower())
    if name is None:
        raise BadTopic("unknown language %r" % code)
    return name


def _parted(text):  # type: (str) -> Any
    """Split `(what is heard) answer`."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[1:at].strip(), text[at + 1 :].strip()
    raise BadTopic("a parenthesis is not closed in %.60r" % text)
