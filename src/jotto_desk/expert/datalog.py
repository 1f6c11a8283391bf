"""The Datalog dialect: its parser, its checks, its text for clingo, and the knowledge of Mastermind in it.

    after(ann, bob).  null.                                  facts
    before(X, Y) :- after(Y, X), not null, X != Y.           a rule; `=` and `!=` compare
    before(X, _)?                                            a query: one atom

Variables begin with a capital or `_`, constants with a small letter or a digit (of any alphabet), predicates with a
small letter. The language has no functions, strings, ranges, arithmetic, choices or directives.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

from jotto.rules import Rules
from jotto_desk.errors import DeskError, replace_controls

# Reading facts, rules and queries.

#: The most characters of a program or query.
MAX_TEXT_LENGTH = 1_000_000
#: The most facts and rules of a program.
MAX_CLAUSES = 50_000
#: The most terms of an atom.
_MAX_TERMS = 20
#: The most conditions of a rule.
_MAX_LITERALS = 40
#: The most characters of a name.
_MAX_NAME_LENGTH = 80

_TOKEN = re.compile(r"(?P<skip>[ \t\r\n\f\v]+|%[^\n]*)|(?P<sign>:-|!=|[=(),.?])|(?P<word>\w+)")
_Read = TypeVar("_Read")


class DatalogError(DeskError):
    """The text is not in the dialect; `line` and `column` of the error count from 1."""

    def __init__(self, text: str, offset: int, reason: str) -> None:
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"Line {self.line}, column {self.column}: {reason}")


class _Term(NamedTuple):
    """A variable or constant, and its place in the text."""

    text: str
    offset: int

    @property
    def is_variable(self) -> bool:
        """Return whether the term is a variable; each `_` is another variable."""
        return self.text[0] == "_" or self.text[0].isupper() or self.text[0].istitle()


class Atom(NamedTuple):
    """A predicate with terms; the same name with another number of terms is another predicate."""

    name: str
    terms: tuple[_Term, ...]
    offset: int

    @property
    def predicate(self) -> tuple[str, int]:
        """Return the name and the number of terms."""
        return self.name, len(self.terms)


class Literal(NamedTuple):
    """A condition: the atom holds, or with `is_negated` does not hold."""

    atom: Atom
    is_negated: bool


class Equality(NamedTuple):
    """A condition: two terms are equal, or without `is_equal` are different."""

    left: _Term
    right: _Term
    is_equal: bool


class _Clause(NamedTuple):
    """A fact (without conditions) or a rule."""

    head: Atom
    body: tuple[Literal | Equality, ...]

    @property
    def terms(self) -> Iterator[_Term]:
        yield from self.head.terms
        for one in self.body:
            yield from one.atom.terms if isinstance(one, Literal) else (one.left, one.right)

    @property
    def variables(self) -> int:
        """Count the variables; each `_` counts."""
        return len({(term.text, term.offset if term.text == "_" else 0) for term in self.terms if term.is_variable})


class Program(NamedTuple):
    """Clauses and their text."""

    text: str
    clauses: tuple[_Clause, ...]


def parse_program(text: str) -> Program:
    """Read facts and rules; raises `DatalogError`."""
    reader = _Reader(text)
    clauses: list[_Clause] = []
    while reader.kind != "end":
        if len(clauses) >= MAX_CLAUSES:
            raise reader.error(f"more than {MAX_CLAUSES:,} facts and rules are too many; give fewer.")
        clauses.append(reader.clause())
    return Program(text, tuple(clauses))


def parse_query(text: str) -> Atom:
    """Read one atom, with or without a `?` at the end; raises `DatalogError`."""
    reader = _Reader(text)
    atom = reader.atom("A query is one atom, such as before(X, bob)?")
    if reader.sign == "?":
        reader.advance()
    if reader.kind != "end":
        raise reader.error(f"a query is one atom and ends with '?', not with {reader.describe_token()}.")
    return atom


def shorten_text(word: str) -> str:
    """Return at most 30 characters of a client's text, without control characters."""
    return replace_controls(word if len(word) <= 30 else word[:27] + "...")


class _Reader:
    """A parser that looks at one token at a time."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT_LENGTH:
            raise DatalogError("", 0, f"{len(text):,} characters are too many; {MAX_TEXT_LENGTH:,} are read at most.")
        self.text = text
        self._tokens = self._split()
        self.kind = self.word = ""
        self.offset = 0
        self.advance()

    def _split(self) -> Iterator[tuple[str, str, int]]:
        offset = 0
        while offset < len(self.text):
            found = _TOKEN.match(self.text, offset)
            if found is None:
                known = "only names, ( ) , . ? :- = != and % for a comment."
                wrong = f"'{shorten_text(self.text[offset])}' is unknown here; there are {known}"
                raise DatalogError(self.text, offset, wrong)
            if found.lastgroup != "skip":
                yield found.lastgroup or "", found[0], offset
            offset = found.end()
        yield "end", "", offset

    def advance(self) -> None:
        self.kind, self.word, self.offset = next(self._tokens)
        if len(self.word) > _MAX_NAME_LENGTH:
            raise self.error(f"'{shorten_text(self.word)}' has more than {_MAX_NAME_LENGTH} characters.")

    @property
    def sign(self) -> str:
        return self.word if self.kind == "sign" else ""

    def describe_token(self) -> str:
        return f"'{shorten_text(self.word)}'" if self.kind != "end" else "the end of the text"

    def error(self, reason: str) -> DatalogError:
        return DatalogError(self.text, self.offset, reason)

    def clause(self) -> _Clause:
        head = self.atom("A fact or rule begins with an atom, such as after(ann, bob)")
        body: list[Literal | Equality] = []
        if self.sign == ":-":
            body = self.several(self.condition, _MAX_LITERALS, "conditions are too many for a rule.")
        if self.sign == "?":
            raise self.error("a knowledge base cannot contain a query; ask the query instead.")
        if self.sign != ".":
            wanted = "',' or '.'" if body else "':-' or '.'"
            raise self.error(f"expected {wanted} after this, not {self.describe_token()}.")
        self.advance()
        return _Clause(head, tuple(body))

    def several(self, read: Callable[[], _Read], most: int, too_many: str) -> list[_Read]:
        """Skip the current sign, and read things separated by commas."""
        self.advance()
        found = [read()]
        while self.sign == ",":
            self.advance()
            if len(found) >= most:
                raise self.error(f"more than {most} {too_many}")
            found.append(read())
        return found

    def name(self) -> _Term:
        name = _Term(self.word, self.offset)
        self.advance()
        return name

    def condition(self) -> Literal | Equality:
        what = "A condition is an atom, 'not' and an atom, or X = Y or X != Y"
        if self.kind == "word" and self.word == "not":
            self.advance()
            return Literal(self.atom(what), True)
        if self.kind != "word":
            raise self.error(f"{what}; found {self.describe_token()}.")
        first = self.name()
        if self.sign in ("=", "!="):
            is_equal = self.sign == "="
            self.advance()
            return Equality(first, self.term(), is_equal)
        return Literal(self.atom(what, first), False)

    def term(self) -> _Term:
        if self.kind != "word" or self.word == "not":
            raise self.error(f"expected a variable or a constant, found {self.describe_token()}.")
        return self.name()

    def atom(self, what: str, name: _Term | None = None) -> Atom:
        """Read a predicate and its terms; `name` is given if it was read already."""
        if name is None:
            if self.kind != "word":
                raise self.error(f"{what}; found {self.describe_token()}.")
            name = self.name()
        shown = shorten_text(name.text)
        if name.is_variable or name.text[0].isnumeric() or name.text == "not":
            wrong = f"'{shown}' cannot be a predicate; it begins with a small letter."
            raise DatalogError(self.text, name.offset, wrong)
        terms: list[_Term] = []
        if self.sign == "(":
            terms = self.several(self.term, _MAX_TERMS, f"terms are too many for '{shown}'.")
            if self.sign != ")":
                raise self.error(f"'{shown}(' takes ')', not {self.describe_token()}.")
            self.advance()
        return Atom(name.text, tuple(terms), name.offset)


# Checks of a program: every variable is bound (safe), and negation is stratified.

_PredicateKey = tuple[str, int]


class Dependency(NamedTuple):
    """A predicate is defined by another predicate, which with `is_negated` must not hold."""

    head: _PredicateKey
    other: _PredicateKey
    is_negated: bool


def check_safe(program: Program) -> None:
    """Raise `DatalogError` at the first variable without a value from a condition."""
    for clause in program.clauses:
        bound = _bound(clause)
        for term, where in _list_unbound(clause):
            if term.is_variable and term.text not in bound:
                unsafe = f"the variable '{shorten_text(term.text)}' {where} is unsafe"
                raise DatalogError(program.text, term.offset, f"{unsafe}: no required condition gives it a value.")


def _bound(clause: _Clause) -> set[str]:
    """Return the variables of atoms that must be true, and those that must equal a constant or such a variable."""
    bound = {
        term.text
        for held in clause.body
        if isinstance(held, Literal) and not held.is_negated
        for term in held.atom.terms
        if term.is_variable
    } - {"_"}
    equal = [(one.left, one.right) for one in clause.body if isinstance(one, Equality) and one.is_equal]
    news = True
    while news:
        news = False
        for left, right in equal + [(right, left) for left, right in equal]:
            known = not left.is_variable or left.text in bound
            if known and right.is_variable and right.text not in bound and right.text != "_":
                bound.add(right.text)
                news = True
    return bound


def _list_unbound(clause: _Clause) -> Iterator[tuple[_Term, str]]:
    for term in clause.head.terms:
        yield term, "of the head"
    for held in clause.body:
        if isinstance(held, Equality):
            yield held.left, "of a comparison"
            yield held.right, "of a comparison"
        elif held.is_negated:
            # "not p(_)" needs no value: it means that no p holds.
            yield from ((term, "behind 'not'") for term in held.atom.terms if term.text != "_")


def find_dependencies(program: Program) -> dict[Dependency, Atom]:
    """Return the dependencies between predicates, each with the first atom that causes it."""
    found: dict[Dependency, Atom] = {}
    for clause in program.clauses:
        for held in clause.body:
            if isinstance(held, Literal):
                found.setdefault(Dependency(clause.head.predicate, held.atom.predicate, held.is_negated), held.atom)
    return found


def check_stratified(known: Iterable[Dependency], program: Program) -> None:
    """Raise `DatalogError` if, with the new clauses, a predicate depends on its own negation."""
    new = find_dependencies(program)
    every = {*known, *new}
    circle = number_circles(every)
    for need in every:
        if need.is_negated and circle[need.head] == circle[need.other]:
            # The known dependencies have no such circle: a new clause closes it.
            mine = [one for one in new if circle[one.head] == circle[one.other] == circle[need.head]]
            at = new[min(mine, key=lambda one: (not one.is_negated, new[one].offset))]
            name, other = shorten_text(need.head[0]), shorten_text(need.other[0])
            circle_said = f"it depends on 'not {other}', and '{other}' depends on '{name}' again."
            raise DatalogError(program.text, at.offset, f"'{name}' is not stratified: {circle_said}")


def number_circles(every: Iterable[Dependency]) -> dict[_PredicateKey, int]:
    """Return a number for each predicate, the same for those that depend on each other (Kosaraju's algorithm).

    Predicates that others depend on have the lower numbers.
    """
    after: dict[_PredicateKey, list[_PredicateKey]] = {}
    before: dict[_PredicateKey, list[_PredicateKey]] = {}
    for need in every:
        for links, one, other in ((after, need.head, need.other), (before, need.other, need.head)):
            links.setdefault(one, []).append(other)
            links.setdefault(other, [])
    left = [here for tree in _walk_trees(before, before) for here in tree]
    return {here: number for number, tree in enumerate(_walk_trees(after, left[::-1])) for here in tree}


def _walk_trees(
    after: Mapping[_PredicateKey, list[_PredicateKey]], starts: Iterable[_PredicateKey]
) -> Iterator[list[_PredicateKey]]:
    """Yield the nodes that are reached first from each start, in postorder."""
    met: set[_PredicateKey] = set()
    for start in starts:
        # A loop instead of recursion, because a client's chain of rules can be long.
        tree, path = [], [(start, iter(after[start]))] if start not in met else []
        met.add(start)
        while path:
            step = next((one for one in path[-1][1] if one not in met), None)
            if step is None:
                tree.append(path.pop()[0])
            else:
                met.add(step)
                path.append((step, iter(after[step])))
        yield tree


# Clauses as text for clingo, with numbers instead of a client's names.

CountedPredicate = tuple[str, int]


@dataclass
class NameNumbering:
    """The numbers of predicates and constants; a new name gets the next number."""

    predicates: dict[CountedPredicate, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "NameNumbering":
        """Return an independent copy."""
        return NameNumbering(dict(self.predicates), dict(self.constants))

    def name_predicate(self, name: str, terms: int) -> str:
        """Return clingo's name of a predicate."""
        return f"p{self.predicates.setdefault((name, terms), len(self.predicates))}"

    def number_constant(self, text: str) -> int:
        """Return the number of a constant."""
        return self.constants.setdefault(text, len(self.constants))

    def atom(self, name: str, *constants: object) -> str:
        """Return clingo's text of an atom with these constants."""
        inside = ",".join(str(self.number_constant(str(constant))) for constant in constants)
        return self.name_predicate(name, len(constants)) + (f"({inside})" if constants else "")

    def format_clauses(self, clauses: Iterable[_Clause], fixed: Mapping[str, str] = {}) -> str:
        """Return clingo's text of clauses, one per line; `fixed` gives constants for some variables."""
        return "".join(self._clause(clause, fixed) for clause in clauses)

    def _clause(self, clause: _Clause, fixed: Mapping[str, str]) -> str:
        variables: dict[str, int] = {}

        def term(one: _Term) -> str:
            if one.text in fixed:
                return str(self.number_constant(fixed[one.text]))
            if one.text == "_":
                return "_"
            if one.is_variable:
                return f"V{variables.setdefault(one.text, len(variables))}"
            return str(self.number_constant(one.text))

        def atom(one: Atom) -> str:
            inside = ",".join(map(term, one.terms))
            return self.name_predicate(*one.predicate) + (f"({inside})" if inside else "")

        def condition(one: Literal | Equality) -> str:
            if isinstance(one, Literal):
                return ("not " if one.is_negated else "") + atom(one.atom)
            return f"{term(one.left)}{'=' if one.is_equal else '!='}{term(one.right)}"

        head = atom(clause.head)
        return f"{head}:-{','.join(map(condition, clause.body))}.\n" if clause.body else f"{head}.\n"


# The knowledge of Mastermind, and the facts it needs about a board and a turn.

KNOWLEDGE_FILE = Path(__file__).with_name("knowledge.dl")
#: The readings of an answer: Mastermind's own, and the less strict one of the original service.
EXACT_READING = "exact"
CLASSIC_READING = "classic"
#: The variable for the turn in every rule about a turn.
TURN_VARIABLE = "Turn"
#: The predicates of `turn_facts`.
TOLD_PREDICATES = {("turn", 1), ("guess", 3), ("answer", 3)}

#: A predicate and its constants.
_Fact = tuple[str, tuple[str, ...]]


class Knowledge(NamedTuple):
    """The rules by subject: the board and a code, one turn, all turns together."""

    board: tuple[_Clause, ...]
    turn: tuple[_Clause, ...]
    summary: tuple[_Clause, ...]


def load_knowledge_text() -> str:
    """Return the knowledge base as text."""
    return KNOWLEDGE_FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def load_knowledge() -> Knowledge:
    """Read, check and sort the rules."""
    program = parse_program(load_knowledge_text())
    check_safe(program)
    check_stratified((), program)
    about = set(TOLD_PREDICATES)
    needs = [(need.head, need.other) for need in find_dependencies(program)]
    while more := {head for head, other in needs if other in about and head not in about}:
        about |= more
    parts: tuple[list[_Clause], list[_Clause], list[_Clause]] = ([], [], [])
    for clause in program.clauses:
        if clause.head.predicate not in about:
            parts[0].append(clause)
        elif any(term.text == TURN_VARIABLE for term in clause.head.terms):
            parts[1].append(clause)
        else:
            parts[2].append(clause)
    return Knowledge(*map(tuple, parts))


def list_board_facts(rules: Rules, reading: str = EXACT_READING) -> Iterator[_Fact]:
    """Yield the facts of a board."""
    holes = [f"h{place}" for place in range(1, rules.length + 1)]
    yield from (("hole", (hole,)) for hole in holes)
    yield "first", (holes[0],)
    yield "last", (holes[-1],)
    yield from (("follows", (hole, before)) for before, hole in pairwise(holes))
    yield from (("colour", (str(symbol),)) for symbol in rules.alphabet)
    yield from (("next", (str(number), str(number + 1))) for number in range(rules.length))
    yield reading, ()
    if not rules.repeats:
        yield "different", ()


def turn_facts(name: str, guess: str, blacks: int, whites: int) -> Iterator[_Fact]:
    """Yield the facts of a turn."""
    yield "turn", (name,)
    yield from (("guess", (name, f"h{place}", symbol)) for place, symbol in enumerate(guess, start=1))
    yield "answer", (name, str(blacks), str(whites))
