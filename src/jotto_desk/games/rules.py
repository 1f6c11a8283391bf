"""The games of the family by name, and the rules a person's choices make."""

from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, PAPER_JOTTO, WORDLE, Rules

from ..errors import DeskError

GLADIATORS = BULLS._replace(name="gladiators", length=5)
RULES = {rules.name: rules for rules in (JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, BULLS, GLADIATORS)}
#: Symbols of code games with more than the usual ones.
SYMBOLS = "0123456789" + LETTERS


def game(name: str, length: int | None, symbols: int | None, repeats: bool | None) -> Rules:
    """Make the rules these options name; raises `DeskError` for rules there are not, or places no symbols fill."""
    if name not in RULES:
        raise DeskError(f"There are no rules '{name}'; choose one of: {', '.join(RULES)}.")
    rules = RULES[name]
    if length is not None:
        rules = rules._replace(length=length)
    if repeats is not None:
        rules = rules._replace(repeats=repeats)
    if symbols is not None and rules.alphabet != LETTERS:
        usual = rules.alphabet if symbols <= len(rules.alphabet) else SYMBOLS
        rules = rules._replace(alphabet=usual[:symbols])
    if not rules.repeats and rules.length > len(rules.alphabet):
        raise DeskError(
            f"{rules.length} places cannot be filled with {len(rules.alphabet)} different symbols; "
            "give more --symbols, or --repeats."
        )
    return rules
