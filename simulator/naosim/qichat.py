"""The parsers of QiChat's patterns (for a person's sentences) and answers, which return trees of nodes.

`parse_pattern` reads words, "phrases", [choices], {optional}, ~concepts, _captures, *, !, events and conditions.
`parse_answer` reads answers with $variables, %tags and ^functions. naosim.topics reads whole topic files.
"""

from __future__ import absolute_import, division, print_function

import re
from collections import namedtuple

from naosim.compat import native, to_unicode, unescape

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Pattern, Sequence, Tuple

# Common parts of patterns and answers.

_MAX_BRACKET_DEPTH = 20  # brackets and marks inside each other; deeper ones exceed Python's recursion limit
NAME_PATTERN = r"[^\s()\[\]{}\"'$~%^*+!=<>.,;:?#\\|]+"
_VARIABLE = re.compile(r"\$(" + NAME_PATTERN + ")")
_OPERATOR = re.compile(r"\s*(==|<>|!=|<=|>=|<|>|=)\s*")
_CONCEPT = re.compile("~(" + NAME_PATTERN + ")")
_ONE_CONCEPT = re.compile("~" + NAME_PATTERN + r"\Z")
_EVENT = re.compile(r"e:\s*(" + NAME_PATTERN + ")")
_FUNCTION = re.compile(r"\^\s*([A-Za-z_]\w*)")
_SPACE = re.compile(r"\s+")
_BARE_WORD = re.compile(r"[^\s\"\[\]{}()]+")
_QUOTED_TEXT = re.compile(r"'([^']*)'")

Node = namedtuple("Node", "kind parts")  # a part of a pattern or an answer: its kind, and its texts or nodes
#: Characters of all expanded functions of a topic: functions inside functions could fill the memory.
_MAX_WRITTEN_LENGTH = 500000


class BadTopic(ValueError):
    """A topic does not follow QiChat's rules; the message names the line if it is known."""


class BadPattern(BadTopic):
    """A pattern or concept does not follow QiChat's rules."""


class Definitions(object):
    """The functions that a topic defines with `def:name($first) text`."""

    def __init__(self):  # type: () -> None
        self._made = {}  # type: Dict[str, Tuple[Sequence[str], str]]
        self._written = 0

    def add(self, name, parameters, text):  # type: (str, Sequence[str], str) -> None
        """Define a function by the names of its parameters and its text."""
        self._made[name] = parameters, text

    def __contains__(self, name):  # type: (object) -> bool
        return name in self._made

    def text(self, name, given):  # type: (str, List[str]) -> str
        """Return a function's text with these arguments; raises BadTopic for a wrong number or too much text."""
        parameters, text = self._made[name]
        if len(given) != len(parameters):
            raise BadTopic("^%s takes %d arguments, not %d" % (name, len(parameters), len(given)))
        values = dict(zip(parameters, given))
        uses = len(_VARIABLE.findall(text))
        self._written += len(text) + uses * max([0] + [len(each) for each in given])
        if self._written > _MAX_WRITTEN_LENGTH:
            raise BadTopic("the functions of the topic expand to more than %d characters" % _MAX_WRITTEN_LENGTH)
        return _VARIABLE.sub(lambda found: values.get(found.group(1), found.group()), text)


class _NodeReader(object):
    """A position in a text, and the readers that the parsers of patterns and answers share."""

    error = BadTopic

    def __init__(self, text, definitions=None):  # type: (str, Optional[Definitions]) -> None
        self.text = text
        self.at = 0
        self._depth = 0
        self._definitions = definitions

    def bad(self, sentence):  # type: (str) -> BadTopic
        return self.error("%s in %.60r" % (sentence, self.text))

    @property
    def next(self):  # type: () -> str
        """Return the next character, "" at the end."""
        return self.text[self.at : self.at + 1]

    def take(self, pattern):  # type: (Pattern[str]) -> Any
        """Read the match of a regular expression here and return it; None if it does not match."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def skip(self):  # type: () -> bool
        """Skip white space; return whether there was any."""
        return self.take(_SPACE) is not None

    def enter(self, closing):  # type: (str) -> None
        """Skip an opening bracket; `leave` reads the closing one."""
        self.at += 1
        self._depth += 1
        if self._depth > _MAX_BRACKET_DEPTH:
            raise self.bad("brackets or marks are nested too deeply (at most %d levels)" % _MAX_BRACKET_DEPTH)

    def leave(self, closing):  # type: (str) -> None
        """Skip a closing bracket; raises an error if it is missing."""
        if self.next != closing:
            raise self.bad("%r is missing at the end" % closing)
        self.at += 1
        self._depth -= 1

    def arguments(self):  # type: () -> Optional[str]
        """Read a nested bracket (...) and return its content; None if the next character is not a bracket."""
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
        """Read `$name`, a condition `$name==value` or an assignment `$name=value`; None without a variable."""
        found = self.take(_VARIABLE)
        if found is None:
            return None
        name, before = found.group(1).rstrip("/"), self.at
        operator = self.take(_OPERATOR)
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
        if name.isdigit() and len(name) == 1:
            raise self.bad("$%s is a part of the phrase heard and cannot be set" % name)
        if re.search(r"\$[^\s+*]+[+*]", "".join(part.parts[0] if part.kind == "text" else "$x" for part in value)):
            raise self.bad("QiChat does not calculate: set $%s to a text or a variable" % name)
        return Node("set", (name, value))

    def _value(self):  # type: () -> Optional[Tuple[Node, ...]]
        """Read the value of a condition or assignment as texts and variables; None if none exists."""
        if self.next == '"':
            end = self.text.find('"', self.at + 1)
            if end < 0:
                raise self.bad("'\"' is missing at the end")
            inside, self.at = self.text[self.at + 1 : end], end + 1
            return _parse_template(inside) or (Node("text", ("",)),)
        found = self.take(_QUOTED_TEXT)
        if found:
            return _parse_template(found.group(1)) or (Node("text", ("",)),)
        found = self.take(_BARE_WORD)
        return _parse_template(found.group()) if found else None

    def expand_function(self, name, arguments):  # type: (str, Optional[str]) -> Optional[str]
        """Return the text of a function that the topic defines; None if it does not define it."""
        if self._definitions is None or name not in self._definitions:
            return None
        return self._definitions.text(name, split_arguments(arguments or ""))


def _parse_template(text):  # type: (str) -> Tuple[Node, ...]
    """Split a value into its texts and variables.

    >>> _parse_template("$a x") == (Node("read", ("a",)), Node("text", (" x",)))
    True
    """
    nodes, start = [], 0  # type: Tuple[List[Node], int]
    for found in _VARIABLE.finditer(text):
        nodes += [Node("text", (text[start : found.start()],)), Node("read", (found.group(1).rstrip("/"),))]
        start = found.end()
    nodes.append(Node("text", (text[start:],)))
    return tuple(node for node in nodes if node.parts[0])


def split_arguments(text):  # type: (str) -> List[str]
    """Split arguments at commas outside of quotes and brackets.

    >>> split_arguments("a, 'b, c', [1, 2]")
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


# The functions of an answer, such as `^goto(tag)`.

#: Functions before a choice, and the kind of its node.
_CHOICE_FUNCTIONS = {"rand": "rand", "first": "first", "firstoptional": "first", "repeat": "order"}
_JOINING_FUNCTION = "concatenate"
_EXISTENCE = {"exist": True, "notexist": False}  # functions that are conditions
#: The possible numbers of arguments of each function, by name in lower case.
_FUNCTIONS = (
    ((0,), "sameproposal previousproposal nextproposal firstproposal stayinscope enablethis disablethis break empty"),
    ((0,), "noanswer script topicrandom releasefocus"),
    ((1,), "gotorandom activate deactivate reactivate enable disable clear switchfocus size clearconcept"),
    ((1, 2), "goto gotoreactivate enumerate"),
    ((2,), "topictag topictagreactivate addtoconcept removefromconcept isinconcept"),
)  # type: Tuple[Tuple[Tuple[int, ...], str], ...]
_COUNTS = {name: counts for counts, names in _FUNCTIONS for name in names.split()}
#: Functions of a ~concept: those that list or count its members, those that change it, and a condition.
_MEMBER_FUNCTIONS = ("enumerate", "size")
CONCEPT_CHANGES = ("addtoconcept", "removefromconcept", "clearconcept")
_CONCEPT_FUNCTIONS = _MEMBER_FUNCTIONS + CONCEPT_CHANGES + ("isinconcept",)
#: The kinds of the nodes of calls, by name in lower case.
_CALLS = {"call": "call", "scall": "call", "pcall": "pcall"}
#: Other names of a function.
_FUNCTION_ALIASES = {"reactivate": "activate", "enable": "activate", "disable": "deactivate", "noanswer": "empty"}
#: Functions of ALAnimatedSpeech, by name in lower case; they remain in the spoken text.
_SPEECH_NAMES = "start wait run stop startSound waitSound runSound stopSound startTag waitTag runTag stopTag mode"
_SPEECH_FUNCTIONS = {name.lower(): name for name in _SPEECH_NAMES.split()}
_KNOWLEDGE = re.compile("knowledge|metadata", re.IGNORECASE)
_SERVICE_CALL = re.compile(r"^([A-Za-z_]\w*)\.([A-Za-z_]\w*)\s*\((.*)\)$", re.DOTALL)
_MAX_CALL_LENGTH = 2000  # characters of one ^call: a limit on the time of matching it


def _make_function_node(name, arguments, bad):  # type: (str, Optional[str], Callable[[str], Exception]) -> Node
    """Return the node of a function in an answer; raises `bad(sentence)` if it is unknown or has wrong arguments."""
    known = name.lower()
    if known in _SPEECH_FUNCTIONS:
        if not arguments:
            raise bad("^%s needs a name in parentheses" % name)
        return Node("text", ("^%s(%s)" % (_SPEECH_FUNCTIONS[known], arguments),))
    if known in _EXISTENCE and arguments:
        return Node("exist", (arguments.lstrip("$"), _EXISTENCE[known]))
    if known == "play" and arguments:
        return Node("text", ("^startSound(%s)" % arguments,))
    if _KNOWLEDGE.search(name):
        raise bad("^%s needs ALKnowledge, which the simulated robot does not have," % name)
    if known in _CALLS:
        return _parse_call(_CALLS[known], arguments or "", bad)
    if known in _CHOICE_FUNCTIONS or known == _JOINING_FUNCTION:
        raise bad("^%s takes %s" % (name, "words" if known == _JOINING_FUNCTION else "[choices] or a ~concept"))
    if known not in _COUNTS:
        raise bad("^%s is not a function of an answer" % name)
    given = split_arguments(arguments or "")
    if len(given) not in _COUNTS[known]:
        raise bad("^%s takes %s arguments, not %d," % (name, " or ".join(map(str, _COUNTS[known])), len(given)))
    if known in _CONCEPT_FUNCTIONS:
        return _make_concept_node(known, name, given, bad)
    return Node("do", (_FUNCTION_ALIASES.get(known, known),) + tuple(each.strip("\"'%$") for each in given))


def _make_choice(known, parts):  # type: (str, Sequence[Node]) -> Node
    """Return the node of a function before alternatives."""
    # An empty alternative at the end can always be said.
    end = (Node("all", ()),) if known == "firstoptional" else ()
    return Node(_CHOICE_FUNCTIONS[known], tuple(parts) + end)


def _make_concept_node(known, name, given, bad):
    # type: (str, str, List[str], Callable[[str], Exception]) -> Node
    """Return the node of a function of a ~concept; its second argument is a number or words."""
    if not _ONE_CONCEPT.match(given[0]) or (known == "enumerate" and given[1:] and not given[1].isdigit()):
        raise bad("^%s takes a ~concept%s" % (name, " and a number" if known == "enumerate" else ""))
    concept, second = given[0][1:], "".join(given[1:])
    if known in _MEMBER_FUNCTIONS:
        return Node(known, (concept, int(second[:4]) if second else None))
    return Node(known, (concept, _parse_template(second.strip("\"'"))))


def _parse_call(known, arguments, bad):  # type: (str, str, Callable[[str], Exception]) -> Node
    """Parse `Service.method(argument, ...)`."""
    found = _SERVICE_CALL.match(arguments)
    if found is None or len(arguments) > _MAX_CALL_LENGTH:
        takes = "Service.method(arguments), at most %d characters" % _MAX_CALL_LENGTH
        raise bad("^call, ^sCall and ^pCall take %s, not %.60r," % (takes, arguments))
    given = tuple(_parse_template(each) for each in split_arguments(found.group(3)))
    return Node(known, (found.group(1), found.group(2), given))


# Patterns.

_MAX_WORDS = 60  # words of a sentence that are matched
_MAX_STARS = 4  # stars of one pattern: matching takes exponential time with more
_MAX_PIECES = 150  # words and signs of one pattern
_MAX_CONCEPT_PIECES = 50000  # words and signs of one concept
_BRACKETS = {"[": ("]", "any"), "{": ("}", "maybe"), "(": (")", "all"), '"': ('"', "all")}
_WORD = re.compile(r"[^\s\[\]{}()\"*~$^]+")
_PUNCTUATION = re.compile(
    unescape(r'[.,;:!?"()\u2026\u00bf\u00a1\u201c\u201d\u201e\u00ab\u00bb\u3002\u3001\uff1f\uff01]')
)
_STAR = Node("star", ())
#: Letters of Chinese and Japanese, which have no blanks between words: each of them counts as a word.
_UNSPACED = unescape(r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f")
_SPOKEN_WORD = re.compile("[%s]|[^%s\\s]+" % (_UNSPACED, _UNSPACED), re.UNICODE)
#: A blank before or after such a letter, or after a comma or full stop of these languages.
_NEEDLESS_BLANK = re.compile(
    unescape(r"(?<=[%s\u3001\u3002\uff01\uff0c\uff1f]) +(?=[%s])") % (_UNSPACED, _UNSPACED)
)  # fmt: skip


def split_words(sentence):  # type: (str) -> List[str]
    """Return the first 60 words of a sentence in lower case, without punctuation; letters of Chinese are words.

    >>> split_words("Yes, of course!")
    ['yes', 'of', 'course']
    """
    plain = _PUNCTUATION.sub(" ", to_unicode(sentence).lower())
    return [native(word) for word in _SPOKEN_WORD.findall(plain)[:_MAX_WORDS]]


def join_words(words):  # type: (Iterable[str]) -> str
    """Join words with blanks, without any between letters of Chinese or Japanese.

    >>> join_words(["of", "course"])
    'of course'
    """
    return native(_NEEDLESS_BLANK.sub("", to_unicode(" ".join(words))))


def parse_pattern(text, longest=_MAX_PIECES, definitions=None):  # type: (str, int, Optional[Definitions]) -> Node
    """Parse a pattern; raises BadPattern with the wrong text.

    >>> parse_pattern("yes") == Node("all", (Node("spoken", ("yes",)),))
    True
    """
    return Node("all", tuple(_PatternReader(text, longest, definitions).whole()))


def parse_skin(text):  # type: (str) -> List[Tuple[str, List[str]]]
    """Parse a skin's changes to an answer: `^addword(words, place, frequency)` and `^replace(old, new, frequency)`."""
    reader, found = _NodeReader(text), []  # type: _NodeReader, List[Tuple[str, List[str]]]
    while reader.skip() or reader.at < len(text):
        function, arguments = reader.take(_FUNCTION), reader.arguments()
        given = split_arguments(arguments or "")
        if function is None or function.group(1).lower() not in ("addword", "replace") or len(given) != 3:
            raise reader.bad("a skin takes ^addword(words, place, frequency) and ^replace(old, new, frequency)")
        found.append((function.group(1).lower(), given))
    return found


def parse_concept(text, definitions=None):  # type: (str, Optional[Definitions]) -> List[Node]
    """Parse the words of a concept: the alternatives in its bracket, or one sequence of words."""
    reader = _PatternReader(text, _MAX_CONCEPT_PIECES, definitions)
    reader.is_concept = True
    node = Node("all", tuple(reader.whole()))
    if len(node.parts) == 1 and node.parts[0].kind in ("any", "maybe"):
        return list(node.parts[0].parts)
    return [node]


class _PatternReader(_NodeReader):
    """A parser of a pattern; in a concept it skips the movements and functions that only NAO's words have."""

    error = BadPattern
    is_concept = False

    def __init__(self, text, longest, definitions):  # type: (str, int, Optional[Definitions]) -> None
        _NodeReader.__init__(self, text, definitions)
        self._longest = longest
        self._count = self._stars = 0

    def whole(self):  # type: () -> List[Node]
        nodes = self._items("")
        if self.at < len(self.text):
            raise self.bad("%r closes nothing" % self.next)
        return nodes

    def _items(self, closing):  # type: (str) -> List[Node]
        nodes = []  # type: List[Node]
        self.skip()
        while self.at < len(self.text) and self.next not in "]})" and not (closing == '"' == self.next):
            self._count += 1
            if self._count > self._longest:
                raise self.bad("%d words and signs are too many (at most %d)" % (self._count, self._longest))
            node = self._item()
            if node is not None:
                nodes.append(node)
            self.skip()
        return nodes

    def _item(self):  # type: () -> Optional[Node]
        """Read one node; None for a sign without meaning, such as an exclamation mark at the end."""
        sign = self.next
        if sign in _BRACKETS:
            return self._bracket(sign)
        if sign == "_":
            return self._read_marked("capture")
        if sign == "!":
            following = self.text[self.at + 1 : self.at + 2]
            if not following.strip() or following in ']})!"?.':
                self.at += 1
                return None
            return self._read_marked("not")
        if sign == "*":
            self.at += 1
            self._stars += 1
            if self._stars > _MAX_STARS:
                raise self.bad("more than %d stars" % _MAX_STARS)
            return _STAR
        return self._read_named() or self._words()

    def _bracket(self, sign):  # type: (str) -> Node
        closing, kind = _BRACKETS[sign]
        self.enter(closing)
        nodes = self._items(closing)
        self.leave(closing)
        if kind != "any" and len(nodes) > _MAX_PIECES:
            raise self.bad("%d words in one bracket are too many (at most %d)" % (len(nodes), _MAX_PIECES))
        return Node(kind, tuple(nodes))

    def _read_marked(self, kind):  # type: (str) -> Node
        sign = self.next
        self.at += 1
        self.skip()
        if self.next in ("_", "!"):
            raise self.bad("brackets or marks are nested too deeply")
        node = self._item() if self.at < len(self.text) and self.next not in "]})" else None
        if node is None:
            raise self.bad("nothing follows %r" % sign)
        return Node(kind, (node,))

    def _read_named(self):  # type: () -> Optional[Node]
        """Read a concept, a variable, a condition, an event or a function."""
        found = self.take(_CONCEPT)
        if found:
            return Node("concept", (found.group(1),))
        found = self.take(_EVENT)
        if found:
            return Node("event", (found.group(1).rstrip("/"),))
        return self.variable() or self._function()

    def _function(self):  # type: () -> Optional[Node]
        found = self.take(_FUNCTION)
        if found is None:
            return None
        name = found.group(1)
        stands_for = self.expand_function(name, self.arguments() if name in (self._definitions or ()) else None)
        if stands_for is not None:
            return Node("all", tuple(_PatternReader(stands_for, _MAX_PIECES, None).whole()))
        known = name.lower()
        if known == "empty":
            return Node("empty", ())
        if known in _EXISTENCE:
            return Node("exist", ((self.arguments() or "").lstrip("$"), _EXISTENCE[known]))
        if self.is_concept and any(known in names for names in (_SPEECH_FUNCTIONS, _COUNTS, _CALLS)):
            self.arguments()
            return Node("all", ())
        if known not in _CHOICE_FUNCTIONS:
            raise self.bad("^%s cannot be in a person's sentence" % name)
        self.skip()
        node = self._item() if self.at < len(self.text) and self.next not in "]})" else None
        if node is None:
            raise self.bad("nothing follows ^%s" % name)
        if node.kind == "maybe":
            node = Node("any", node.parts)
        if known == "firstoptional":
            return Node("maybe", (node,))
        return Node("repeat", (node,)) if known == "repeat" else node

    def _words(self):  # type: () -> Node
        found = self.take(_WORD)
        if found is None:
            raise self.bad("there must be no text after %r" % self.next)
        return Node("spoken", tuple(split_words(found.group())))


# Answers.

_MAX_ANSWER_PIECES = 50000  # words and signs of one answer or concept: a limit on memory
_VOICE_TAG = re.compile(r"\\[^\\]*\\")
_TAG = re.compile("%(" + NAME_PATTERN + ")")
_PLAIN_TEXT = re.compile(r"[^\s\"\[\]{}~$%^\\]+")
_SILENT = "noanswer"
_LITERAL_ERRORS = {
    "\\": "the voice tag that a backslash opens has no closing backslash",
    "^": "no function follows '^'",
    "~": "no concept follows '~'",
}


def parse_answer(text, definitions=None):  # type: (str, Optional[Definitions]) -> Node
    """Parse an answer; raises BadTopic with the wrong text.

    >>> parse_answer("Hello $name.").parts[2]
    Node(kind='read', parts=('name',))
    """
    if text.strip().lower() == _SILENT:
        return Node("all", ())
    return Node("all", tuple(_AnswerReader(text, definitions).whole()))


def walk_nodes(node):  # type: (Node) -> Iterator[Node]
    """Iterate over a node and all nodes inside it."""
    yield node
    for part in node.parts:
        if isinstance(part, Node):
            for inner in walk_nodes(part):
                yield inner


def list_tags(answer):  # type: (Node) -> List[str]
    """List the tags in an answer."""
    return [node.parts[0] for node in walk_nodes(answer) if node.kind == "tag"]


class _AnswerReader(_NodeReader):
    def __init__(self, text, definitions):  # type: (str, Optional[Definitions]) -> None
        _NodeReader.__init__(self, text, definitions)
        self._count = 0

    def whole(self):  # type: () -> List[Node]
        nodes = self._sequence("")
        if self.at < len(self.text):
            raise self.bad("%r closes nothing" % self.next)
        return nodes

    def _sequence(self, closing):  # type: (str) -> List[Node]
        """Read nodes with the white space between them, up to a closing sign."""
        nodes = []  # type: List[Node]
        while self.at < len(self.text) and self.next not in "]}" and not (closing == '"' == self.next):
            nodes.append(Node("text", (" ",)) if self.take(_SPACE) else self._node())
        return nodes

    def _alternatives(self, closing):  # type: (str) -> List[Node]
        """Read the alternatives of a choice: phrases, or words separated by white space."""
        items = []  # type: List[Node]
        self.skip()
        while self.at < len(self.text) and self.next not in "]}":
            nodes = [self._node()]
            while self.next not in ("", "]", "}", '"') and nodes[-1].kind != "all" and not _SPACE.match(self.next):
                nodes.append(self._node())
            items.append(nodes[0] if len(nodes) == 1 else Node("all", tuple(nodes)))
            self.skip()
        return items

    def _node(self):  # type: () -> Node
        self._count += 1
        if self._count > _MAX_ANSWER_PIECES:
            raise self.bad("%d words and signs are too many (at most %d)" % (self._count, _MAX_ANSWER_PIECES))
        sign = self.next
        if sign == "[":
            return self._choice("order")
        if sign in ("{", '"'):
            closing = {"{": "}", '"': '"'}[sign]
            self.enter(closing)
            nodes = self._sequence(closing)
            self.leave(closing)
            return Node("maybe" if sign == "{" else "all", tuple(nodes))
        return self._read_named() or self.variable() or self._function() or self._literal()

    def _choice(self, order):  # type: (str) -> Node
        closing = "}" if self.next == "{" else "]"
        self.enter(closing)
        items = self._alternatives(closing)
        self.leave(closing)
        return Node(order, tuple(items))

    def _read_named(self):  # type: () -> Optional[Node]
        """Read a concept, a tag or the value of an event."""
        found = self.take(_CONCEPT)
        if found:
            return Node("concept", (found.group(1),))
        starts = self.at == 0 or not self.text[self.at - 1].isalnum()
        found = self.take(_TAG) if starts else None
        if found:
            return Node("tag", (found.group(1),))
        found = self.take(_EVENT) if starts else None
        return Node("read", (found.group(1).rstrip("/"),)) if found else None

    def _function(self):  # type: () -> Optional[Node]
        found = self.take(_FUNCTION)
        if found is None:
            return None
        name, end = found.group(1), self.at
        self.skip()
        known = name.lower()
        if known in _CHOICE_FUNCTIONS and self.next in ("[", "{"):
            return _make_choice(known, self._choice("order").parts)
        if known in _CHOICE_FUNCTIONS and self.next == "~":
            return _make_choice(known, (self._node(),))
        arguments = self.arguments()
        if arguments is None:
            self.at = end
        elif known in _CHOICE_FUNCTIONS and _ONE_CONCEPT.match(arguments):
            return _make_choice(known, (Node("concept", (arguments[1:],)),))
        stands_for = self.expand_function(name, arguments)
        if stands_for is not None:
            return Node("all", tuple(_AnswerReader(stands_for, None).whole()))
        if known == _JOINING_FUNCTION and arguments:
            return Node("all", tuple(node for each in split_arguments(arguments) for node in _parse_template(each)))
        return _make_function_node(name, arguments, self.bad)

    def _literal(self):  # type: () -> Node
        """Read words, or a sign that has no meaning here."""
        found = self.take(_VOICE_TAG) or self.take(_PLAIN_TEXT)
        if found:
            return Node("text", (found.group(),))
        if self.next in _LITERAL_ERRORS:
            raise self.bad(_LITERAL_ERRORS[self.next])
        self.at += 1
        return Node("text", (self.text[self.at - 1],))
