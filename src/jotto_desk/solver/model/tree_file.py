"""Tree files at the desk: a plan written with its certificate, and a certificate held against a replay of all secrets.

What a certificate says beside what `jotto.tree.written` needs:

* `format`, `seed`, `command`, `objective` (a sentence): how the tree came about; `cap`: the most turns wished for;
* `total`: turns over all secrets found, the winning one counted; `mean`: total / secrets found; `max`; `distribution`:
  turns -> number of secrets, those the tree does not find under "0";
* `weights`: "uniform", or "bands" and then `weighting`: band -> weight, where words of other bands weigh least;
  `weighted_total`: sum of weight x turns over the secrets found; `weighted_mean`: by the sum of their weights;
* `lower_bound`: no tree has a smaller (weighted, where there are weights) total, or null; `proven`: the bound is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jotto import reference, tree, treefile
from jotto.errors import TreeError
from jotto.rules import Rules
from jotto.tree import Tree

from ...errors import DeskError

if TYPE_CHECKING:
    from .plan import Plan
    from .problem import Problem

MOST_TURNS = 100
#: Numbers in a certificate are rounded for reading; a replay may differ by this.
NEAR = 1e-6


class TreeMismatch(DeskError):
    """A tree that does not do what its certificate says."""


@dataclass(frozen=True)
class Origin:
    """What a plan does not know about itself; `words` in list order, None where they are every code of the rules.

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


@dataclass(frozen=True)
class Figures:
    """How a tree does over all secrets: see the head of this module."""

    total: int
    mean: float | None
    max: int
    distribution: dict[str, int]
    weighted_total: float | None = None
    weighted_mean: float | None = None

    @property
    def missed(self) -> int:
        """How many secrets are not found."""
        return self.distribution.get("0", 0)


@dataclass(frozen=True)
class Verdict:
    """A verified tree: its certificate, what the replay counted, and the size of the file."""

    certificate: dict[str, Any]
    figures: Figures
    nodes: int
    size: int

    def plain(self) -> dict[str, Any]:
        """Give the verdict as a dict that JSON can hold."""
        return {**self.certificate, **asdict(self.figures), "nodes": self.nodes, "bytes": self.size, "verified": True}


def encode(problem: Problem, plan: Plan, origin: Origin) -> bytes:
    """Write a plan as a tree file; the figures of the certificate are counted on the plan.

    Raises `DeskError` when the words are not those of the problem, its weights are neither uniform nor by band, or the
    plan has branches no answer leads to.
    """
    from .problem import BAND_WEIGHTS

    by_band = problem.kind == "bands"
    if not by_band and not problem.is_uniform:
        raise DeskError(f"A tree file knows weights by band alone; these are '{problem.kind}'.")
    words = tree.every_code(problem.rules) if origin.words is None else tuple(origin.words)
    if len(words) != len(problem.weights) or set(words) != set(problem.secrets):
        raise DeskError(f"The {len(words)} words of the list are not the {len(problem.weights)} secrets of the plan.")
    numbers = {word: number for number, word in enumerate(words)}
    guesses, led, children = _by_level(problem, plan)
    for guess in guesses:
        numbers.setdefault(problem.guesses[guess], len(numbers))
    weights = dict(zip(problem.secrets, map(int, problem.weights), strict=True)) if by_band else None
    certificate = {
        "format": treefile.VERSION, "rules": problem.rules.plain(), "list": origin.list_name, "words": len(words),
        "checksum": tree.checksum(words), "extra": list(numbers)[len(words):], "weights": problem.kind,
        "weighting": {str(band): weight for band, weight in BAND_WEIGHTS.items()} if by_band else None,
        "objective": origin.objective, "lower_bound": origin.lower_bound, "proven": origin.proven, "cap": origin.cap,
        "seed": origin.seed, "command": origin.command, **asdict(_figures(_played(problem, plan), weights)),
    }  # fmt: skip
    try:
        return tree.written(certificate, [numbers[problem.guesses[guess]] for guess in guesses], led, children)
    except TreeError as error:
        raise DeskError(str(error)) from error


def _by_level(problem: Problem, plan: Plan) -> tuple[list[int], list[int], list[int]]:
    """Lay a plan out as a file has it: guesses, answers but the root's, numbers of children."""
    place = {feedback: number for number, feedback in enumerate(tree.answers(problem.rules))}
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
    bound = tree.read(content).bound_to(tree.every_code(problem.rules) if words is None else words, problem.rules)
    if bound.certificate["words"] != len(problem.weights):
        raise DeskError(f"The {name} was made for {bound.certificate['words']} of these {len(problem.weights)} words; "
                        "name its own list with --words.")  # fmt: skip
    return decode(bound, problem)


def decode(bound: Tree, problem: Problem) -> Plan:
    """Read the plan of a tree that has its words; branches no secret of the problem leads to are left out.

    Raises `DeskError` when the tree asks what may not be asked.
    """
    from .plan import Plan

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
    """Per secret the turn a plan finds it in, 0 where it does not."""
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


def _figures(turns: Mapping[Any, int], weights: Mapping[Any, int] | None) -> Figures:
    found = {secret: turn for secret, turn in turns.items() if turn}
    total = sum(found.values())
    counts = {str(turn): count for turn, count in sorted(Counter(turns.values()).items())}
    figures = Figures(total, total / len(found) if found else None, max(turns.values(), default=0), counts)
    if weights is None or not found:
        return figures
    heavy = sum(weights[secret] * turn for secret, turn in found.items())
    return Figures(total, figures.mean, figures.max, counts, heavy, heavy / sum(weights[secret] for secret in found))


def verify(content: bytes, words: Sequence[Any] | None = None, bands: Sequence[int | None] = (),
           progress: Callable[[Iterable[Any]], Iterable[Any]] = iter) -> Verdict:  # fmt: skip
    """Replay every secret with the slow reference scorer and hold the certificate against what comes out.

    `words` is the tree's list (further words behind it do not matter), with the band of each; None takes every code
    of the tree's rules. `progress` may wrap the secrets. Raises `TreeError` for a file that is no sound tree of these
    words, `TreeMismatch` when the certificate says something else than the replay.
    """
    found = tree.read(content)
    words = tree.every_code(found.rules) if words is None else words
    bound = found.bound_to(words, found.rules)
    secrets = list(words[: found.certificate["words"]])
    turns = {secret: replay(bound, secret) for secret in progress(secrets)}
    figures = _figures(turns, _weights(found.certificate, secrets, bands))
    _compare(found.certificate, figures)
    return Verdict(found.certificate, figures, len(found), len(content))


def replay(bound: Tree, secret: Any) -> int:
    """Play one secret with the reference scorer: the turn it is found in, 0 when the tree does not find it."""
    score = reference.SCORERS[bound.rules.kind]
    node: int | None = 0
    for turn in range(1, MOST_TURNS + 1):
        if node is None:
            return 0
        guess = bound.word(node)
        if guess == secret:
            return turn
        node = bound.child(node, score(guess, secret))
    return 0


def _weights(certificate: Mapping[str, Any], secrets: Sequence[Any],
             bands: Sequence[int | None]) -> dict[Any, int] | None:  # fmt: skip
    weighting = certificate.get("weighting")
    if weighting is None:
        return None
    if not isinstance(weighting, dict) or not weighting or not all(_is_number(weight) for weight in weighting.values()):
        raise TreeMismatch("The certificate's weighting is not a table of bands and weights; make the tree again.")
    if len(bands) < len(secrets):
        raise TreeMismatch("The tree weighs words by how common they are, and this list does not say it; give the list "
                           "the tree was made for.")  # fmt: skip
    least = min(weighting.values())
    return {word: weighting.get(str(band), least) for word, band in zip(secrets, bands, strict=False)}


def _compare(certificate: Mapping[str, Any], figures: Figures) -> None:
    for field, counted in asdict(figures).items():
        said = certificate.get(field)
        if said != counted and not (_is_number(said) and _is_number(counted) and abs(said - counted) < NEAR):
            raise TreeMismatch(f"The certificate says {field} {said}, and the replay of all secrets counts {counted}.")
    cost = figures.total if figures.weighted_total is None else figures.weighted_total
    bound, proven = certificate.get("lower_bound"), certificate.get("proven")
    if not isinstance(proven, bool) or not (bound is None or _is_number(bound)):
        raise TreeMismatch("The certificate does not say whether the tree is proven, or has no number as its bound.")
    # A tree that misses secrets is measured by more than its total.
    if bound is not None and not figures.missed and not bound <= cost + NEAR:
        raise TreeMismatch(f"The certificate says no tree is below {bound}, and this one has {cost}.")
    if proven and (bound is None or not (figures.missed or bound >= cost - NEAR)):
        raise TreeMismatch(f"The certificate says proven, but its bound {bound} is not the total {cost}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def rules_of(content: bytes) -> Rules:
    """Give the rules of a tree file, to read a list by; raises `TreeError`."""
    return tree.read(content).rules
