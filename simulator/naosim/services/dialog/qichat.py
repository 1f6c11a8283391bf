"""Topic files: concepts, rules with their sub-rules, proposals and what an answer does."""
from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.services.dialog import patterns

MYPY = False
if MYPY:
    from typing import Dict, List, Optional, Tuple

LANGUAGES = {"enu": "English", "eng": "English", "frf": "French", "ged": "German", "iti": "Italian", "jpj": "Japanese",
             "spe": "Spanish", "czc": "Czech", "dun": "Dutch", "plp": "Polish", "ptb": "Brazilian", "ptp": "Portuguese",
             "mnc": "Chinese", "kok": "Korean", "arw": "Arabic", "rur": "Russian", "sws": "Swedish", "trt": "Turkish",
             "dad": "Danish", "fif": "Finnish", "grg": "Greek", "non": "Norwegian",
             "nob": "Norwegian", "mnt": "MandarinTaiwan"}
LONGEST = 500000  # characters of a topic
HEADER = re.compile(r"^topic:\s*~([\w\-]+)\s*\(\s*\)\s*$")
CONCEPT = re.compile(r"^concept:\s*\(\s*([\w/\-]+)\s*\)\s*(.+)$")
DYNAMIC = re.compile(r"^dynamic:\s*([\w/\-]+)\s*$")
RULE = re.compile(r"^u(\d{0,3}):\s*(?=\()")
PROPOSAL = re.compile(r"^proposal:\s*(.+)$")
PIECE = re.compile(
    r'\$([A-Za-z_][\w/]*)\s*=\s*("[^"]*"|[^\s\]]+)|%([\w\-]+)'
    r"|\^(goto|gotoReactivate|nextProposal|stayInScope|previousProposal|topicTag|activate|deactivate|clear)"
    r"(?:\s*\(([^()]*)\)|(?!\w))|\$([A-Za-z_0-9][\w/]*)"
)

#: One rule: event is the name in (e:name), tag the %name of its answer, rules its sub-rules.
Rule = namedtuple("Rule", "pattern event answer tag rules")
Topic = namedtuple("Topic", "name language concepts dynamic rules proposals")
#: One step of an answer: say words, set (key, value), tag, goto name, or read a variable.
Step = namedtuple("Step", "kind value")


class BadTopic(ValueError):
    """A topic file does not follow QiChat's rules; the message names the line."""


def topic(text):
    # type: (str) -> Topic
    """Parse a topic; raise BadTopic, which names the line that is wrong.

    >>> small = topic("topic: ~tea()\\nlanguage: enu\\nu:(tea) Milk?\\n")
    >>> small.name, small.language, small.rules[0].answer
    ('tea', 'English', 'Milk?')
    """
    if len(text) > LONGEST:
        raise BadTopic("a topic of %d characters is too long, at most %d are read" % (len(text), LONGEST))
    made = Topic([], [], {}, [], [], [])
    open_rules = [made.rules]
    for number, line in _lines(text):
        try:
            _read(line, made, open_rules)
        except (BadTopic, patterns.BadPattern) as error:
            raise BadTopic("line %d: %s" % (number, error))
    if not made.name:
        raise BadTopic("line 1: a topic begins with `topic: ~name()`")
    return made._replace(name=made.name[0], language=made.language[0] if made.language else "English")


def steps(answer):
    # type: (str) -> List[Step]
    """Split an answer into what is said and what is done.

    >>> [(step.kind, step.value) for step in steps("Fine. $ok=1 ^goto(next)")]
    [('say', 'Fine.'), ('set', ('ok', '1')), ('goto', 'next')]
    """
    made, start = [], 0
    for found in PIECE.finditer(answer):
        made.append(Step("say", answer[start:found.start()].strip()))
        key, value, tag, command, argument, variable = found.groups()
        if key:
            made.append(Step("set", (key, value.strip('"'))))
        elif variable:
            made.append(Step("read", variable))
        elif command and command.startswith("goto"):
            made.append(Step("goto", (argument or "").strip()))
        elif tag:
            made.append(Step("tag", tag))
        start = found.end()
    made.append(Step("say", answer[start:].strip()))
    return [step for step in made if step.kind != "say" or step.value]


def _lines(text):
    # type: (str) -> List[Tuple[int, str]]
    """List the numbered lines without comments; a line that begins nothing new is joined to the one before."""
    lines = []  # type: List[Tuple[int, List[str]]]
    for number, raw in enumerate(text.lstrip("\xef\xbb\xbf").splitlines(), 1):
        line = re.sub(r"(^|\s)#.*$", "", raw).rstrip()
        if not line.strip():
            continue
        starts = re.match(r"\s*(u\d*:|topic:|language:|concept:|dynamic:|proposal:|include:|enumerator:|p:)", line)
        if starts or not lines or lines[-1][1][0].startswith(("topic:", "language:", "dynamic:")):
            lines.append((number, [line.strip()]))
        else:
            lines[-1][1].append(line.strip())
    return [(number, " ".join(parts)) for number, parts in lines]


def _read(line, made, open_rules):
    # type: (str, Topic, List[List[Rule]]) -> None
    """Add what one line says to the topic."""
    if HEADER.match(line):
        made.name.append(HEADER.match(line).group(1))  # type: ignore[union-attr]
    elif line.startswith("language:"):
        made.language.append(_language(line.partition(":")[2].strip()))
    elif CONCEPT.match(line):
        name, text = CONCEPT.match(line).groups()  # type: ignore[union-attr]
        made.concepts[name] = patterns.choices(text)
    elif DYNAMIC.match(line):
        made.dynamic.append(DYNAMIC.match(line).group(1))  # type: ignore[union-attr]
    elif PROPOSAL.match(line):
        made.proposals.append(PROPOSAL.match(line).group(1))  # type: ignore[union-attr]
        open_rules[1:] = []
    elif RULE.match(line):
        level = int(RULE.match(line).group(1) or 0)  # type: ignore[union-attr]
        if level >= len(open_rules):
            raise BadTopic("the rule u%d has no rule one level above it: %.60r" % (level, line))
        rule = _rule(line[line.index("("):])
        open_rules[level].append(rule)
        open_rules[level + 1:] = [rule.rules]
    else:
        raise BadTopic("cannot read %.60r" % line)


def _language(code):
    # type: (str) -> str
    known = {name.lower(): name for name in LANGUAGES.values()}
    name = LANGUAGES.get(code.lower()) or known.get(code.lower())
    if name is None:
        raise BadTopic("unknown language %r" % code)
    return name


def _rule(text):
    # type: (str) -> Rule
    """Parse a rule, `(pattern) answer`."""
    end = _closing(text)
    inside, answer = text[1:end].strip(), text[end + 1:].strip()
    tag = re.search(r"%([\w\-]+)", answer)
    event = inside[2:].strip() if inside.startswith("e:") else None
    pattern = None if event else patterns.parsed(inside)
    if not event and not inside:
        raise BadTopic("a rule without words: %.60r" % text)
    return Rule(pattern, event, answer, tag.group(1) if tag else None, [])


def _closing(text):
    # type: (str) -> int
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return at
    raise BadTopic("a parenthesis is not closed in %.60r" % text)
