"""A problem (secrets, guesses, weights and rules), its plan, and the plan as a tree file."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jotto import tree
from jotto.feedback import COMMON, MARKS, PLACES, Feedback
from jotto.rules import Rules, TreeError
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.solver.trees import sum_figures

Word = Any
_MAX_CODES = 256
MAX_WORDS = 100_000

#: SCOWL band (how common a word is) to the weight of the word as a secret: 16 : 8 : 3 : 1 : 1/2, doubled.
_BAND_WEIGHTS = {10: 32, 20: 16, 35: 6, 40: 2, 50: 1}


@dataclass(frozen=True, eq=False)
class Problem:
    """Secrets and guesses under rules; make one with `make_list_problem` or `make_symbol_problem`.

    `guesses[i]` is secret number i for i < len(weights); words that are only guesses follow. Weights never rise. In
    Wordle's hard mode (`is_hard`), a guess keeps green letters in place, and uses yellow ones as often again.
    """

    rules: Rules
    guesses: tuple[Word, ...]
    weights: npt.NDArray[np.int32]
    kind: str = "uniform"
    is_hard: bool = False

    @property
    def secrets(self) -> tuple[Word, ...]:
        """Return the words that can be the secret, heaviest first."""
        return self.guesses[: len(self.weights)]

    @cached_property
    def is_uniform(self) -> bool:
        """Return whether all secrets weigh the same."""
        return bool((self.weights == self.weights[0]).all())

    @cached_property
    def is_symmetric(self) -> bool:
        """Return whether symbols and places can be exchanged: every code is a secret, and all weigh the same."""
        return self.rules.kind != MARKS and self.is_uniform and len(self.secrets) == _every(self.rules)

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """Return the feedback of every code; None for codes no answer has."""
        return _load_classes(self.rules)

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Return the codes that an answer can have, in ascending order; the winning one is the last."""
        return tuple(code for code, feedback in enumerate(self.classes) if feedback is not None or code == self.win)

    def keep_secrets(self, kept: Sequence[int]) -> "Problem":
        """Return the problem with only these secrets, given by rising number; the other words can still be asked."""
        fewer = set(kept)
        others = (word for number, word in enumerate(self.guesses) if number not in fewer)
        guesses = (*(self.guesses[number] for number in kept), *others)
        return replace(self, guesses=guesses, weights=self.weights[list(kept)])

    @property
    def win(self) -> int:
        """Return the code of the answer that ends the game."""
        return len(self.classes) - 1

    @cached_property
    def checksum(self) -> str:
        """Return the SHA-256 of rules, words and weights: the identity of the problem."""
        plain = [self.rules.plain(), len(self.weights), self.weights.tolist(), list(map(list, self.guesses))]
        plain += ["hard"] * self.is_hard
        return hashlib.sha256(json.dumps(plain).encode("utf-8")).hexdigest()


def make_list_problem(
    words: Sequence[Word],
    rules: Rules,
    wider: Iterable[Word] = (),
    weights: Sequence[int] | None = None,
    kind: str = "uniform",
) -> Problem:
    """Make the problem of a word list: `wider` words can be asked too; `weights` (positive whole numbers) per word.

    Words of equal weight keep the order of the list. Raises `DeskError` for too few words, too many, or
    a duplicate.
    """
    _check_rules(rules)
    heavy = [1] * len(words) if weights is None else list(weights)
    if len(heavy) != len(words) or min(heavy, default=0) < 1 or max(heavy) > 1000:
        raise DeskError("The weights of the words are not whole numbers from 1 to 1000, one per word.")
    order = sorted(range(len(words)), key=lambda number: -heavy[number])
    known = set(words)
    if len(known) != len(words):
        raise DeskError("A word is in the list of secrets twice; give each word once.")
    guesses = (*(words[number] for number in order), *(word for word in dict.fromkeys(wider) if word not in known))
    if not 2 <= len(words) <= len(guesses) <= MAX_WORDS:
        raise DeskError(f"The solver takes 2 to {MAX_WORDS} words; these are {len(guesses)}.")
    return Problem(rules, guesses, np.array([heavy[number] for number in order], dtype=np.int32), kind)


def make_symbol_problem(rules: Rules) -> Problem:
    """Make the problem of a symbol game: every code of the alphabet is a secret and a guess.

    Raises `DeskError` when there are too many codes.
    """
    count = _every(rules)
    if count > MAX_WORDS:
        many = f"{rules.length} places of {len(rules.alphabet)} symbols make {count} codes"
        raise DeskError(f"{many}; the solver takes {MAX_WORDS}.")
    return make_list_problem(tree.list_codes(rules), rules)


def weigh_by_band(bands: Iterable[int | None]) -> list[int]:
    """Weigh words by how common they are (`_BAND_WEIGHTS`); words of no known band weigh as the rarest."""
    return [_BAND_WEIGHTS.get(band or 0, min(_BAND_WEIGHTS.values())) for band in bands]


def _load_classes(rules: Rules) -> tuple[Any, ...]:
    """Return the feedback of every code, as `jotto_desk.solver.feedback_table` explains; None if no answer has it."""
    length = rules.length
    if rules.kind == COMMON:
        # The last class is the word itself: an anagram has as many letters in common and ends nothing.
        return (*range(length + 1), None)
    if rules.kind == MARKS:
        return tuple("".join("NPE"[code // 3**place % 3] for place in range(length)) for code in range(3**length))
    pairs = [divmod(code, length + 1) for code in range(length * (length + 1) + 1)]
    return tuple(Feedback(exact, off) if exact + off <= length else None for exact, off in pairs)


def _check_rules(rules: Rules) -> None:
    length = rules.length
    codes = {PLACES: length * (length + 1) + 1, MARKS: 3 ** min(length, 9), COMMON: length + 2}[rules.kind]
    if codes > _MAX_CODES:
        kind = "one mark per place" if rules.kind == MARKS else "exact and misplaced"
        most = 5 if rules.kind == MARKS else 15
        many = f"Words of {length} letters with {kind} have more than {_MAX_CODES} answers"
        raise DeskError(f"{many}; the solver takes {most} letters at most.")


def _every(rules: Rules) -> int:
    length, symbols = rules.length, len(rules.alphabet)
    return symbols**length if rules.repeats else math.perm(symbols, length)


# A plan: the decision tree of a problem.


class Plan(NamedTuple):
    """A decision tree: the number of the `guess` to ask, and the plans for all codes but the winning one."""

    guess: int
    children: dict[int, "Plan"]

    def walk(self) -> Iterator[int]:
        """Yield the guess, then those below it, by rising code of the answer."""
        yield self.guess
        for _, child in sorted(self.children.items()):
            yield from child.walk()


def count_turns(plan: Plan, problem: Problem) -> list[int | None]:
    """Play every secret by the scorer; return the turn each is found in, None for missed ones."""
    numbers = {feedback: code for code, feedback in enumerate(problem.classes)}
    taken: list[int | None] = []
    for secret, word in enumerate(problem.secrets):
        here, turn = plan, 1
        while here.guess != secret:
            code = numbers[problem.rules.score(problem.guesses[here.guess], word)]
            if code not in here.children:
                break
            here, turn = here.children[code], turn + 1
        taken.append(turn if here.guess == secret else None)
    return taken


def count_by_turn(taken: list[int | None]) -> dict[int, int]:
    """Count the secrets per turn they were found in; missed ones count under 0."""
    return dict(sorted(Counter(turn or 0 for turn in taken).items()))


# Tree files: a plan is written with its certificate, and read back.


@dataclass(frozen=True)
class PlanOrigin:
    """The origin of a plan, for its certificate; `words` in list order, None if they are every code of the rules.

    `lower_bound` is in the unit of the total, the weighted total if the problem has weights.
    """

    words: Sequence[Any] | None
    list_name: str | None = None
    objective: str = "the fewest guesses over all secrets"
    lower_bound: float | None = None
    proven: bool = False
    cap: int | None = None
    seed: int | None = None
    command: str = ""


def encode_plan(problem: Problem, plan: Plan, origin: PlanOrigin) -> bytes:
    """Write a plan as a tree file; the figures of the certificate are counted on the plan.

    Raises `DeskError` when the words are not those of the problem, its weights are neither uniform nor by band, or the
    plan has branches that no answer leads to.
    """
    by_band = problem.kind == "bands"
    if not by_band and not problem.is_uniform:
        raise DeskError(f"A tree file can contain only weights by band; these are '{problem.kind}'.")
    words = tree.list_codes(problem.rules) if origin.words is None else tuple(origin.words)
    if len(words) != len(problem.weights) or set(words) != set(problem.secrets):
        raise DeskError(f"The {len(words)} words of the list are not the {len(problem.weights)} secrets of the plan.")
    numbers = {word: number for number, word in enumerate(words)}
    guesses, led, children = _list_by_level(problem, plan)
    for guess in guesses:
        numbers.setdefault(problem.guesses[guess], len(numbers))
    weights = dict(zip(problem.secrets, map(int, problem.weights), strict=True)) if by_band else None
    taken = zip(problem.secrets, count_turns(plan, problem), strict=True)
    certificate = {
        "format": tree.TREE_FORMAT_VERSION,
        "rules": problem.rules.plain(),
        "list": origin.list_name,
        "words": len(words),
        "checksum": tree.hash_words(words),
        "extra": list(numbers)[len(words) :],
        **({"hard": True} if problem.is_hard else {}),
        "weights": problem.kind,
        "weighting": {str(band): weight for band, weight in _BAND_WEIGHTS.items()} if by_band else None,
        **{name: getattr(origin, name) for name in ("objective", "lower_bound", "proven", "cap", "seed", "command")},
        **asdict(sum_figures({word: turn or 0 for word, turn in taken}, weights)),
    }
    with as_desk_errors(TreeError):
        return tree.write_tree(certificate, [numbers[problem.guesses[guess]] for guess in guesses], led, children)


def _list_by_level(problem: Problem, plan: Plan) -> tuple[list[int], list[int], list[int]]:
    """List the nodes of a plan level by level, as a file has them: guesses, answers leading to them, child counts."""
    place = {feedback: number for number, feedback in enumerate(tree.list_answers(problem.rules))}
    level, guesses, led, children = [plan], [], [], []
    while level:
        below = []
        for node in level:
            branches = []
            for code, child in node.children.items():
                feedback = problem.classes[code]
                if feedback not in place:
                    raise DeskError(f"The plan continues after the answer {feedback}, but no game continues after it.")
                branches.append((place[feedback], child))
            branches.sort(key=lambda branch: branch[0])
            guesses.append(node.guess)
            children.append(len(branches))
            led += [number for number, _ in branches]
            below += [child for _, child in branches]
        level = below
    return guesses, led, children


def parse_plan(name: str, content: bytes, problem: Problem, words: Sequence[Any] | None) -> Plan:
    """Read the plan of a tree file for the secrets of a problem; `words` is its list, None means every code.

    Raises `TreeError` if the file is not a tree of these rules and words, `DeskError` when it is for fewer words.
    """
    bound = tree.parse_tree(content).bound_to(tree.list_codes(problem.rules) if words is None else words, problem.rules)
    if bound.certificate["words"] != len(problem.weights):
        fewer = f"The {name} was made for {bound.certificate['words']} of these {len(problem.weights)} words"
        raise DeskError(f"{fewer}; name its own list with --words.")
    return plan_of_tree(bound, problem)


def plan_of_tree(bound: tree.Tree, problem: Problem) -> Plan:
    """Read the plan of a tree that has its words; branches no secret of the problem leads to are left out.

    Raises `DeskError` when the tree asks what may not be asked.
    """
    numbers = {word: number for number, word in enumerate(problem.guesses)}
    codes = {feedback: code for code, feedback in enumerate(problem.classes) if feedback != problem.rules.win}

    def plan(node: int) -> Plan:
        guess = bound.word(node)
        if guess not in numbers:
            raise DeskError(
                f"The tree asks '{guess}', which is not one of the words; name further guesses with --wider."
            )
        below = {code: bound.find_child(node, feedback) for feedback, code in codes.items() if feedback is not None}
        return Plan(numbers[guess], {code: plan(child) for code, child in below.items() if child is not None})

    return plan(0)
