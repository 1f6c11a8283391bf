"""Clauses as text for clingo. No client's names get there: predicates, constants and variables become numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .parser import Atom, Clause, Equality, Literal, Term

Predicate = tuple[str, int]


@dataclass
class Numbering:
    """The numbers of predicates and constants; grows with the clauses it has seen."""

    predicates: dict[Predicate, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "Numbering":
        """Return a copy that grows on its own."""
        return Numbering(dict(self.predicates), dict(self.constants))

    def predicate(self, name: str, terms: int) -> str:
        """Name a predicate for clingo."""
        return f"p{self.predicates.setdefault((name, terms), len(self.predicates))}"

    def constant(self, text: str) -> int:
        """Return the number of a constant."""
        return self.constants.setdefault(text, len(self.constants))

    def atom(self, name: str, *constants: object) -> str:
        """Write a fact's atom from its constants."""
        inside = ",".join(str(self.constant(str(constant))) for constant in constants)
        return self.predicate(name, len(constants)) + (f"({inside})" if constants else "")

    def clauses(self, clauses: Iterable[Clause], fixed: Mapping[str, str] = {}) -> str:
        """Write clauses, one per line; the variables in `fixed` stand for its constants."""
        return "".join(self._clause(clause, fixed) for clause in clauses)

    def _clause(self, clause: Clause, fixed: Mapping[str, str]) -> str:
        variables: dict[str, int] = {}

        def term(one: Term) -> str:
            if one.text in fixed:
                return str(self.constant(fixed[one.text]))
            if one.text == "_":
                return "_"
            return (
                f"V{variables.setdefault(one.text, len(variables))}"
                if one.is_variable
                else str(self.constant(one.text))
            )

        def atom(one: Atom) -> str:
            inside = ",".join(map(term, one.terms))
            return self.predicate(*one.predicate) + (f"({inside})" if inside else "")

        def condition(one: Literal | Equality) -> str:
            if isinstance(one, Literal):
                return ("not " if one.is_negated else "") + atom(one.atom)
            return f"{term(one.left)}{'=' if one.is_equal else '!='}{term(one.right)}"

        head = atom(clause.head)
        return f"{head}:-{','.join(map(condition, clause.body))}.\n" if clause.body else f"{head}.\n"
