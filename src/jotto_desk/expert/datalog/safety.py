"""Checks of a Datalog program: every variable is bound (safe), and negation is stratified."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .parser import Atom, Clause, DatalogError, Equality, Literal, Program, Term, shown

Predicate = tuple[str, int]


class Dependency(NamedTuple):
    """One predicate is defined by another: by its presence or, negated, by its absence."""

    head: Predicate
    other: Predicate
    is_negated: bool


def check_safe(program: Program) -> None:
    """Raise `DatalogError` at the first variable that no condition gives a value."""
    for clause in program.clauses:
        bound = _bound(clause)
        for term, where in _to_be_bound(clause):
            if term.is_variable and term.text not in bound:
                raise DatalogError(
                    program.text,
                    term.offset,
                    f"the variable '{shown(term.text)}' {where} is unsafe: "
                    "no condition that must hold gives it a value.",
                )


def _bound(clause: Clause) -> set[str]:
    """Return the variables bound by conditions: by atoms that hold, or by being equal to something bound."""
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


def _to_be_bound(clause: Clause) -> Iterator[tuple[Term, str]]:
    for term in clause.head.terms:
        yield term, "of the head"
    for held in clause.body:
        if isinstance(held, Equality):
            yield held.left, "of a comparison"
            yield held.right, "of a comparison"
        elif held.is_negated:
            # "_" asks whether there is anything at all.
            yield from ((term, "behind 'not'") for term in held.atom.terms if term.text != "_")


def dependencies(program: Program) -> dict[Dependency, Atom]:
    """List who is defined by whom, each with the first condition that says so."""
    found: dict[Dependency, Atom] = {}
    for clause in program.clauses:
        for held in clause.body:
            if isinstance(held, Literal):
                found.setdefault(Dependency(clause.head.predicate, held.atom.predicate, held.is_negated), held.atom)
    return found


def check_stratified(known: Iterable[Dependency], program: Program) -> None:
    """Raise `DatalogError` where new clauses, beside what is known, let a predicate depend on its own absence."""
    new = dependencies(program)
    every = {*known, *new}
    circle = circles(every)
    for need in every:
        if need.is_negated and circle[need.head] == circle[need.other]:
            # Without the new clauses it was sound: one of them closes the circle.
            mine = [one for one in new if circle[one.head] == circle[one.other] == circle[need.head]]
            at = new[min(mine, key=lambda one: (not one.is_negated, new[one].offset))]
            name, other = shown(need.head[0]), shown(need.other[0])
            raise DatalogError(
                program.text,
                at.offset,
                f"'{name}' is not stratified: it depends on 'not {other}', and '{other}' depends on '{name}' again.",
            )


def circles(every: Iterable[Dependency]) -> dict[Predicate, int]:
    """Give predicates that depend on each other, and only those, the same number (Tarjan's algorithm)."""
    after: dict[Predicate, list[Predicate]] = {}
    for need in every:
        after.setdefault(need.head, []).append(need.other)
        after.setdefault(need.other, [])
    walk = _Walk(after)
    for start in after:
        walk.begin(start)
    return walk.found


class _Walk:
    """A depth-first walk through the predicates, without recursion: a client's chain may be long."""

    def __init__(self, after: dict[Predicate, list[Predicate]]) -> None:
        self.after = after
        self.found: dict[Predicate, int] = {}
        self.order: dict[Predicate, int] = {}
        self.lowest: dict[Predicate, int] = {}
        self.open: list[Predicate] = []
        self.path: list[tuple[Predicate, Iterator[Predicate]]] = []

    def begin(self, start: Predicate) -> None:
        """Give a number to what can be reached from here and has none yet."""
        if start not in self.order:
            self._enter(start)
        while self.path:
            here, rest = self.path[-1]
            step = next(rest, None)
            if step is None:
                self._leave(here)
            elif step not in self.order:
                self._enter(step)
            elif step not in self.found:
                self.lowest[here] = min(self.lowest[here], self.order[step])

    def _enter(self, here: Predicate) -> None:
        self.order[here] = self.lowest[here] = len(self.order)
        self.open.append(here)
        self.path.append((here, iter(self.after[here])))

    def _leave(self, here: Predicate) -> None:
        self.path.pop()
        if self.path:
            above = self.path[-1][0]
            self.lowest[above] = min(self.lowest[above], self.lowest[here])
        if self.lowest[here] == self.order[here]:
            number = len(self.found)
            while here not in self.found:
                self.found[self.open.pop()] = number
