"""The Datalog dialect: text to a tree of facts and rules, or an error that names line and column.

    after(ann, bob).  null.                                  facts
    before(X, Y) :- after(Y, X), not null, X != Y.           a rule; `=` and `!=` compare
    before(X, _)?                                            a query: one atom

Variables begin with a capital or `_`, constants with a small letter or a digit (of any alphabet), predicates with a
small letter. Nothing else is there: no functions, strings, ranges, arithmetic, choices or directives.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...errors import DeskError
from ...printable import printable

#: Bounds on one text.
MOST_TEXT, MOST_CLAUSES, MOST_TERMS, MOST_LITERALS, LONGEST_NAME = 1_000_000, 50_000, 20, 40, 80

_TOKEN = re.compile(r"(?P<skip>[ \t\r\n\f\v]+|%[^\n]*)|(?P<sign>:-|!=|[=(),.?])|(?P<word>\w+)")
_END = "the end of the text"


class DatalogError(DeskError):
    """Text that is not of the dialect; `line` and `column` count from 1."""

    def __init__(self, text: str, offset: int, reason: str) -> None:
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"Line {self.line}, column {self.column}: {reason}")


class Term(NamedTuple):
    """A variable or constant, and where it stands in the text."""

    text: str
    offset: int

    @property
    def is_variable(self) -> bool:
        """Tell whether it stands for anything; `_` does, each time anew."""
        return self.text[0] == "_" or self.text[0].isupper() or self.text[0].istitle()


class Atom(NamedTuple):
    """A predicate and its terms; the same name with another number of terms is another predicate."""

    name: str
    terms: tuple[Term, ...]
    offset: int

    @property
    def predicate(self) -> tuple[str, int]:
        """Name and number of terms."""
        return self.name, len(self.terms)


class Literal(NamedTuple):
    """A condition: the atom holds, or does not."""

    atom: Atom
    is_negated: bool


class Equality(NamedTuple):
    """A condition: two terms are the same, or are not."""

    left: Term
    right: Term
    is_equal: bool


class Clause(NamedTuple):
    """A fact (no conditions) or a rule."""

    head: Atom
    body: tuple[Literal | Equality, ...]

    @property
    def terms(self) -> Iterator[Term]:
        """Yield all terms."""
        yield from self.head.terms
        for one in self.body:
            yield from one.atom.terms if isinstance(one, Literal) else (one.left, one.right)

    @property
    def variables(self) -> int:
        """Count the variables; each `_` is one of its own."""
        return len({(term.text, term.offset if term.text == "_" else 0) for term in self.terms if term.is_variable})


class Program(NamedTuple):
    """Clauses, and the text they were read from."""

    text: str
    clauses: tuple[Clause, ...]


def parse(text: str) -> Program:
    """Read facts and rules; raises `DatalogError`."""
    _Reader.refuse_long(text)
    reader = _Reader(text)
    clauses: list[Clause] = []
    while reader.kind != "end":
        if len(clauses) >= MOST_CLAUSES:
            raise reader.error(f"more than {MOST_CLAUSES:,} facts and rules are too many.")
        clauses.append(reader.clause())
    return Program(text, tuple(clauses))


def parse_query(text: str) -> Atom:
    """Read one atom, with or without `?` behind it; raises `DatalogError`."""
    _Reader.refuse_long(text)
    reader = _Reader(text)
    atom = reader.atom("A query is one atom, such as before(X, bob)?")
    if reader.sign == "?":
        reader.advance()
    if reader.kind != "end":
        raise reader.error(f"a query is one atom and ends with '?', and here stands {reader.found()}.")
    return atom


def shown(word: str) -> str:
    """Return a piece of a client's text, short, without what disturbs a terminal or cannot be encoded."""
    return printable(word if len(word) <= 30 else word[:27] + "...")


class _Reader:
    """A reader of one token at a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = self._split()
        self.kind = self.word = ""
        self.offset = 0
        self.advance()

    @staticmethod
    def refuse_long(text: str) -> None:
        """Raise `DatalogError` for more text than is read."""
        if len(text) > MOST_TEXT:
            raise DatalogError("", 0, f"{len(text):,} characters are too many; {MOST_TEXT:,} are read at most.")

    def _split(self) -> Iterator[tuple[str, str, int]]:
        offset = 0
        while offset < len(self.text):
            found = _TOKEN.match(self.text, offset)
            if found is None:
                raise DatalogError(
                    self.text,
                    offset,
                    f"'{shown(self.text[offset])}' means nothing here; there are "
                    "only names, ( ) , . ? :- = != and % for a comment.",
                )
            if found.lastgroup != "skip":
                yield found.lastgroup or "", found[0], offset
            offset = found.end()
        yield "end", "", offset

    def advance(self) -> None:
        """Look at the next token."""
        self.kind, self.word, self.offset = next(self._tokens)
        if len(self.word) > LONGEST_NAME:
            raise self.error(f"'{shown(self.word)}' has more than {LONGEST_NAME} characters.")

    @property
    def sign(self) -> str:
        """The sign looked at; empty where it is a name or the end."""
        return self.word if self.kind == "sign" else ""

    def found(self) -> str:
        """Name what is looked at."""
        return f"'{shown(self.word)}'" if self.kind != "end" else _END

    def error(self, reason: str) -> DatalogError:
        """Make the error for what is looked at."""
        return DatalogError(self.text, self.offset, reason)

    def expect(self, sign: str, where: str) -> None:
        """Step over a sign."""
        if self.sign != sign:
            raise self.error(f"{where} takes '{sign}', not {self.found()}.")
        self.advance()

    def clause(self) -> Clause:
        """Read up to the full stop."""
        head = self.atom("A fact or rule begins with an atom, such as after(ann, bob)")
        body: list[Literal | Equality] = []
        if self.sign == ":-":
            self.advance()
            body.append(self.condition())
            while self.sign == ",":
                self.advance()
                if len(body) >= MOST_LITERALS:
                    raise self.error(f"more than {MOST_LITERALS} conditions are too many for a rule.")
                body.append(self.condition())
        if self.sign == "?":
            raise self.error("a query is no part of a knowledge base; ask it instead.")
        if self.sign != ".":
            wanted = "',' or '.'" if body else "':-' or '.'"
            raise self.error(f"after this comes {wanted}, not {self.found()}.")
        self.advance()
        return Clause(head, tuple(body))

    def condition(self) -> Literal | Equality:
        """Read an atom, a negated atom or a comparison."""
        what = "A condition is an atom, 'not' and an atom, or X = Y or X != Y"
        if self.kind == "word" and self.word == "not":
            self.advance()
            return Literal(self.atom(what), True)
        if self.kind != "word":
            raise self.error(f"{what}; here stands {self.found()}.")
        first = Term(self.word, self.offset)
        self.advance()
        if self.sign in ("=", "!="):
            is_equal = self.sign == "="
            self.advance()
            return Equality(first, self.term(), is_equal)
        return Literal(self.atom(what, first), False)

    def term(self) -> Term:
        """Read a variable or constant."""
        if self.kind != "word" or self.word == "not":
            raise self.error(f"here stands a variable or a constant, not {self.found()}.")
        term = Term(self.word, self.offset)
        self.advance()
        return term

    def atom(self, what: str, name: Term | None = None) -> Atom:
        """Read a predicate and its terms; `name` where it was read already."""
        if name is None:
            if self.kind != "word":
                raise self.error(f"{what}; here stands {self.found()}.")
            name = Term(self.word, self.offset)
            self.advance()
        if name.is_variable or name.text[0].isnumeric() or name.text == "not":
            raise DatalogError(
                self.text, name.offset, f"'{shown(name.text)}' cannot be a predicate; it begins with a small letter."
            )
        terms: list[Term] = []
        if self.sign == "(":
            self.advance()
            terms.append(self.term())
            while self.sign == ",":
                self.advance()
                if len(terms) >= MOST_TERMS:
                    raise self.error(f"more than {MOST_TERMS} terms are too many for '{shown(name.text)}'.")
                terms.append(self.term())
            self.expect(")", f"'{shown(name.text)}('")
        return Atom(name.text, tuple(terms), name.offset)
