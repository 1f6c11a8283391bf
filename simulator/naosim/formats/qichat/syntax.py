"""What patterns and answers share: nodes, the reader that moves along a text, variables, conditions and bounds."""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Optional, Pattern, Sequence, Tuple

DEEPEST_BRACKET = 20
NAME = r"[^\s()\[\]{}\"'$~%^*+!=<>.,;:?#\\|]+"
VARIABLE = re.compile(r"\$(" + NAME + ")")
OPERATOR = re.compile(r"\s*(==|<>|!=|<=|>=|<|>|=)\s*")
CONCEPT = re.compile("~(" + NAME + ")")
EVENT = re.compile(r"e:\s*(" + NAME + ")")
FUNCTION = re.compile(r"\^\s*([A-Za-z_]\w*)")
SPACE = re.compile(r"\s+")
BARE = re.compile(r"[^\s\"\[\]{}()]+")
QUOTED = re.compile(r"'([^']*)'")

#: One piece of a pattern or an answer: its kind, and what it consists of.
Node = namedtuple("Node", "kind parts")
MOST_WRITTEN = 500000  # characters that the functions of a topic's own stand for, all together


class BadTopic(ValueError):
    """A topic does not follow QiChat's rules; the message names the line where it is known."""


class BadPattern(BadTopic):
    """A pattern or concept does not follow QiChat's rules."""


class Definitions(object):
    """The functions that a topic defines, `def:name($first) text`."""

    def __init__(self):  # type: () -> None
        self._made = {}  # type: Dict[str, Tuple[Sequence[str], str]]
        self._written = 0

    def add(self, name, parameters, text):  # type: (str, Sequence[str], str) -> None
        """Define a function by the names of its parameters and the text that it stands for."""
        self._made[name] = parameters, text

    def __contains__(self, name):  # type: (object) -> bool
        return name in self._made

    def text(self, name, given):  # type: (str, List[str]) -> str
        """Return what a function stands for with these arguments; raise BadTopic for a wrong number or endless text."""
        parameters, text = self._made[name]
        if len(given) != len(parameters):
            raise BadTopic("^%s takes %d arguments, not %d" % (name, len(parameters), len(given)))
        values = dict(zip(parameters, given))
        uses = len(VARIABLE.findall(text))
        self._written += len(text) + uses * max([0] + [len(each) for each in given])
        if self._written > MOST_WRITTEN:
            raise BadTopic("the functions of the topic stand for more than %d characters" % MOST_WRITTEN)
        return VARIABLE.sub(lambda found: values.get(found.group(1), found.group()), text)


class Reader(object):
    """A place in a text and what can be read from there; parsers of patterns and of answers are made of it."""

    error = BadTopic

    def __init__(self, text, definitions=None):  # type: (str, Optional[Definitions]) -> None
        self.text = text
        self.at = 0
        self._depth = 0
        self._definitions = definitions

    def bad(self, sentence):  # type: (str) -> BadTopic
        """Return an error that quotes the text."""
        return self.error("%s in %.60r" % (sentence, self.text))

    @property
    def next(self):  # type: () -> str
        """Return the next character, "" at the end."""
        return self.text[self.at : self.at + 1]

    def take(self, pattern):  # type: (Pattern[str]) -> Any
        """Read what a pattern matches here and return the match, None when it does not match."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def skip(self):  # type: () -> bool
        """Move over white space; tell whether there was any."""
        return self.take(SPACE) is not None

    def enter(self, closing):  # type: (str) -> None
        """Move into a bracket that `leave` ends."""
        self.at += 1
        self._depth += 1
        if self._depth > DEEPEST_BRACKET:
            raise self.bad("too many brackets or marks inside each other, at most %d are read," % DEEPEST_BRACKET)

    def leave(self, closing):  # type: (str) -> None
        """Move over the sign that closes a bracket."""
        if self.next != closing:
            raise self.bad("%r is missing at the end" % closing)
        self.at += 1
        self._depth -= 1

    def arguments(self):  # type: () -> Optional[str]
        """Read a bracket (...) with what is nested in it and return its content, None when no bracket is here."""
        if self.next != "(":
            return None
        start, depth, quote = self.at + 1, 0, ""
        for at in range(self.at, len(self.text)):
            sign = self.text[at]
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "\"'" and self.text[at - 1] in "(,[ =":
                quote = sign
            else:
                depth += (sign == "(") - (sign == ")")
            if not depth and not quote:
                self.at = at + 1
                return self.text[start:at].strip()
        raise self.bad("a parenthesis is not closed")

    def variable(self):  # type: () -> Optional[Node]
        """Read `$name`, a condition `$name==value` or an assignment `$name=value`; None when no variable is here."""
        found = self.take(VARIABLE)
        if found is None:
            return None
        name, before = found.group(1).rstrip("/"), self.at
        operator = self.take(OPERATOR)
        if operator is None:
            return Node("read", (name,))
        sign = operator.group(1)
        value = self._value()
        if value is None:
            if sign not in ("<", ">"):
                raise self.bad("nothing follows $%s%s" % (name, sign))
            self.at = before
            return Node("read", (name,))
        if sign != "=":
            return Node("check", (name, "<>" if sign == "!=" else sign, value))
        if name.isdigit():
            raise self.bad("$%s is a part of what was heard and cannot be set" % name)
        if re.search(r"\$[^\s+*]+[+*]", "".join(part.parts[0] if part.kind == "text" else "$x" for part in value)):
            raise self.bad("QiChat does not calculate: $%s is set to a text or a variable" % name)
        return Node("set", (name, value))

    def _value(self):  # type: () -> Optional[Tuple[Node, ...]]
        """Read what a variable is compared with or set to: texts and variables; None when there is nothing."""
        if self.next == '"':
            end = self.text.find('"', self.at + 1)
            if end < 0:
                raise self.bad("'\"' is missing at the end")
            inside, self.at = self.text[self.at + 1 : end], end + 1
            return template(inside) or (Node("text", ("",)),)
        found = self.take(QUOTED)
        if found:
            return template(found.group(1)) or (Node("text", ("",)),)
        found = self.take(BARE)
        return template(found.group()) if found else None

    def defined(self, name, arguments):  # type: (str, Optional[str]) -> Optional[str]
        """Return the text that a function of the topic's own stands for, None when there is no such function."""
        if self._definitions is None or name not in self._definitions:
            return None
        return self._definitions.text(name, split(arguments or ""))


def template(text):  # type: (str) -> Tuple[Node, ...]
    """Split a value into its texts and variables.

    >>> template("$a x") == (Node("read", ("a",)), Node("text", (" x",)))
    True
    """
    nodes, start = [], 0  # type: Tuple[List[Node], int]
    for found in VARIABLE.finditer(text):
        nodes += [Node("text", (text[start : found.start()],)), Node("read", (found.group(1).rstrip("/"),))]
        start = found.end()
    nodes.append(Node("text", (text[start:],)))
    return tuple(node for node in nodes if node.parts[0])


def split(text):  # type: (str) -> List[str]
    """Split arguments at the commas that stand outside quotes and brackets.

    >>> split("a, 'b, c', [1, 2]")
    ['a', "'b, c'", '[1, 2]']
    """
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote or sign in "\"'":
            quote = "" if sign == quote else quote or (sign if not parts[-1].strip() or depth else "")
        else:
            depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts] if text.strip() else []
