"""The certificate of a tree file, checked by a replay of all secrets. Needs no numpy.

The fields of a certificate beside those `jotto.tree.written` needs:

* `format`, `seed`, `command`, `objective` (a sentence): how the tree came about; `cap`: the most turns allowed;
* `total`: turns over all secrets found, the winning one counted; `mean`: total / secrets found; `max`; `distribution`:
  turns -> number of secrets, those the tree does not find under "0";
* `weights`: "uniform", or "bands" and then `weighting`: band -> weight, where words of other bands weigh least;
  `weighted_total`: sum of weight x turns over the secrets found; `weighted_mean`: by the sum of their weights;
* `lower_bound`: no tree has a smaller (weighted, where there are weights) total, or null; `proven`: the bound is met.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from jotto import feedback, tree
from jotto.tree import Tree

from ...errors import DeskError

MOST_TURNS = 100
#: Numbers in a certificate are rounded for reading; a replay may differ by this.
NEAR = 1e-6


class TreeMismatch(DeskError):
    """A tree that does not do what its certificate says."""


@dataclass(frozen=True)
class TreeFigures:
    """The figures of a tree over all secrets: see the head of this module."""

    total: int
    mean: float | None
    max: int
    distribution: dict[str, int]
    weighted_total: float | None = None
    weighted_mean: float | None = None

    @property
    def missed(self) -> int:
        """Return how many secrets are not found."""
        return self.distribution.get("0", 0)


@dataclass(frozen=True)
class VerifiedTree:
    """A verified tree: its certificate, what the replay counted, and the size of the file."""

    certificate: dict[str, Any]
    figures: TreeFigures
    nodes: int
    size: int

    def plain(self) -> dict[str, Any]:
        """Return certificate and figures as a dict that JSON can hold."""
        return {**self.certificate, **asdict(self.figures), "nodes": self.nodes, "bytes": self.size, "verified": True}


def figures_of(turns: Mapping[Any, int], weights: Mapping[Any, int] | None) -> TreeFigures:
    """Add up the turns every secret takes (0 where it is missed), by its weight too where there are weights."""
    found = {secret: turn for secret, turn in turns.items() if turn}
    total = sum(found.values())
    counts = {str(turn): count for turn, count in sorted(Counter(turns.values()).items())}
    figures = TreeFigures(total, total / len(found) if found else None, max(turns.values(), default=0), counts)
    if weights is None or not found:
        return figures
    heavy = sum(weights[secret] * turn for secret, turn in found.items())
    weight = sum(weights[secret] for secret in found)
    return TreeFigures(total, figures.mean, figures.max, counts, heavy, heavy / weight)


def verify(
    content: bytes,
    words: Sequence[Any] | None = None,
    bands: Sequence[int | None] = (),
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> VerifiedTree:
    """Replay every secret with the slow reference scorer and check the certificate against the result.

    `words` is the tree's list (further words behind it do not matter), with the band of each; None takes every code
    of the tree's rules. `progress` may wrap the secrets. Raises `TreeError` for a file that is no sound tree of these
    words, `TreeMismatch` when certificate and replay differ.
    """
    found = tree.read_tree(content)
    words = tree.list_codes(found.rules) if words is None else words
    bound = found.bound_to(words, found.rules)
    secrets = list(words[: found.certificate["words"]])
    turns = {secret: replay(bound, secret) for secret in progress(secrets)}
    figures = figures_of(turns, _weights(found.certificate, secrets, bands))
    _compare(found.certificate, figures)
    return VerifiedTree(found.certificate, figures, len(found), len(content))


def replay(bound: Tree, secret: Any) -> int:
    """Play one secret with the reference scorer: the turn it is found in, 0 when the tree does not find it."""
    score = feedback.SLOW_SCORERS[bound.rules.kind]
    node: int | None = 0
    for turn in range(1, MOST_TURNS + 1):
        if node is None:
            return 0
        guess = bound.word(node)
        if guess == secret:
            return turn
        node = bound.child(node, score(guess, secret))
    return 0


def _weights(
    certificate: Mapping[str, Any], secrets: Sequence[Any], bands: Sequence[int | None]
) -> dict[Any, int] | None:
    weighting = certificate.get("weighting")
    if weighting is None:
        return None
    if not isinstance(weighting, dict) or not weighting or not all(_is_number(weight) for weight in weighting.values()):
        raise TreeMismatch("The certificate's weighting is not a table of bands and weights; make the tree again.")
    if len(bands) < len(secrets):
        raise TreeMismatch(
            "The tree weighs words by how common they are, and this list does not say it; give the list "
            "the tree was made for."
        )
    least = min(weighting.values())
    return {word: weighting.get(str(band), least) for word, band in zip(secrets, bands, strict=False)}


def _compare(certificate: Mapping[str, Any], figures: TreeFigures) -> None:
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
