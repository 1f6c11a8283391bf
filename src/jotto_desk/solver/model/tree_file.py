"""Tree files at the desk: a plan written to one with its certificate, and read back from one."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jotto import tree
from jotto.rules import TreeError
from jotto.tree import Tree

from ...errors import DeskError
from .certificate import figures_of
from .plan import Plan
from .problem import BAND_WEIGHTS, Problem


@dataclass(frozen=True)
class Origin:
    """The origin of a plan, for its certificate; `words` in list order, None where they are every code of the rules.

    `lower_bound` is in the unit of the total, the weighted one where the problem has weights.
    """

    words: Sequence[Any] | None
    list_name: str | None = None
    objective: str = "the fewest guesses over all secrets"
    lower_bound: float | None = None
    proven: bool = False
    cap: int | None = None
    seed: int | None = None
    command: str = ""


def encode(problem: Problem, plan: Plan, origin: Origin) -> bytes:
    """Write a plan as a tree file; the figures of the certificate are counted on the plan.

    Raises `DeskError` when the words are not those of the problem, its weights are neither uniform nor by band, or the
    plan has branches that no answer leads to.
    """
    by_band = problem.kind == "bands"
    if not by_band and not problem.is_uniform:
        raise DeskError(f"A tree file knows weights by band alone; these are '{problem.kind}'.")
    words = tree.list_codes(problem.rules) if origin.words is None else tuple(origin.words)
    if len(words) != len(problem.weights) or set(words) != set(problem.secrets):
        raise DeskError(f"The {len(words)} words of the list are not the {len(problem.weights)} secrets of the plan.")
    numbers = {word: number for number, word in enumerate(words)}
    guesses, led, children = _by_level(problem, plan)
    for guess in guesses:
        numbers.setdefault(problem.guesses[guess], len(numbers))
    weights = dict(zip(problem.secrets, map(int, problem.weights), strict=True)) if by_band else None
    certificate = {
        "format": tree.TREE_FORMAT_VERSION,
        "rules": problem.rules.plain(),
        "list": origin.list_name,
        "words": len(words),
        "checksum": tree.hash_words(words),
        "extra": list(numbers)[len(words) :],
        "weights": problem.kind,
        "weighting": {str(band): weight for band, weight in BAND_WEIGHTS.items()} if by_band else None,
        "objective": origin.objective,
        "lower_bound": origin.lower_bound,
        "proven": origin.proven,
        "cap": origin.cap,
        "seed": origin.seed,
        "command": origin.command,
        **asdict(figures_of(_played(problem, plan), weights)),
    }
    try:
        return tree.write_tree(certificate, [numbers[problem.guesses[guess]] for guess in guesses], led, children)
    except TreeError as error:
        raise DeskError(str(error)) from error


def _by_level(problem: Problem, plan: Plan) -> tuple[list[int], list[int], list[int]]:
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
                    raise DeskError(f"The plan goes on after the answer {feedback}, which no game goes on after.")
                branches.append((place[feedback], child))
            branches.sort(key=lambda branch: branch[0])
            guesses.append(node.guess)
            children.append(len(branches))
            led += [number for number, _ in branches]
            below += [child for _, child in branches]
        level = below
    return guesses, led, children


def plan_of(name: str, content: bytes, problem: Problem, words: Sequence[Any] | None) -> Plan:
    """Read the plan of a tree file for the secrets of a problem; `words` is its list, None stands for every code.

    Raises `TreeError` when the file is no tree of these rules and words, `DeskError` when it is for fewer words.
    """
    bound = tree.read_tree(content).bound_to(tree.list_codes(problem.rules) if words is None else words, problem.rules)
    if bound.certificate["words"] != len(problem.weights):
        raise DeskError(
            f"The {name} was made for {bound.certificate['words']} of these {len(problem.weights)} words; "
            "name its own list with --words."
        )
    return decode(bound, problem)


def decode(bound: Tree, problem: Problem) -> Plan:
    """Read the plan of a tree that has its words; branches no secret of the problem leads to are left out.

    Raises `DeskError` when the tree asks what may not be asked.
    """
    numbers = {word: number for number, word in enumerate(problem.guesses)}
    codes = {feedback: code for code, feedback in enumerate(problem.classes) if feedback != problem.rules.win}

    def plan(node: int) -> Plan:
        guess = bound.word(node)
        if guess not in numbers:
            raise DeskError(f"The tree asks '{guess}', which is none of the words; name further guesses with --wider.")
        below = {code: bound.child(node, feedback) for feedback, code in codes.items() if feedback is not None}
        return Plan(numbers[guess], {code: plan(child) for code, child in below.items() if child is not None})

    return plan(0)


def _played(problem: Problem, plan: Plan) -> dict[Any, int]:
    """Play every secret; return the turn the plan finds each in, 0 where it does not."""
    codes = {feedback: code for code, feedback in enumerate(problem.classes) if feedback is not None}
    turns = {}
    for secret in problem.secrets:
        here: Plan | None = plan
        turn = 1
        while here is not None and (guess := problem.guesses[here.guess]) != secret:
            here = here.children.get(codes[problem.rules.score(guess, secret)])
            turn += 1
        turns[secret] = turn if here is not None else 0
    return turns
