"""The options of `jotto solve`, and what they mean for a problem: how long and how hard to search."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jotto.words import EMPTY_BLOCK_LIST, fold_word

from ... import words as lists
from ...addresses import shown
from ...errors import DeskError
from ..shell import ADVANCED

if TYPE_CHECKING:
    from jotto_desk.solver.beam import SearchOptions
    from jotto_desk.solver.problem import Plan, Problem

#: Lists of at most so many words, and games of at most so many exchangeable codes, are searched to the end.
SMALL, SMALL_CODES = 500, 5_100
#: Games of at most so many exchangeable codes are searched on one core.
FEW_CODES = 2_000
#: Guesses tried per set: for a good tree of thousands of words in seconds, and for a better one in minutes.
QUICK_WIDTH, WIDTH = 3, 20
LONGEST = 10_000_000.0

Threads = Annotated[
    int | None, typer.Option(min=1, max=256, rich_help_panel=ADVANCED, help="Number of threads; default: one per core.")
]


@dataclass(frozen=True)
class SolveOptions:
    """The options as given; None, False and empty where they were not."""

    max_guesses: int | None = None
    miss: int | None = None
    first: str = ""
    start: Path | None = None
    width: int | None = None
    whole: int | None = None
    patience: int | None = None
    prove: bool | None = None
    quick: bool = False
    seconds: float | None = None
    threads: int | None = None
    memory: int = 512
    cluster: str = ""
    checkpoint: Path | None = None
    early: str = ""
    late: str = ""
    cluster_tls: Path | None = None

    def checked(self) -> SolveOptions:
        """Return the options; raise `DeskError` where they do not go together, or this machine cannot fulfil them."""
        if self.miss is not None and self.max_guesses is None:
            raise DeskError(f"--miss {self.miss} counts words not found in time; say the time with --max-guesses N.")
        if self.patience is not None and self.max_guesses is None:
            raise DeskError(
                f"--patience {self.patience} is for trees that find every word in time; say the time with "
                "--max-guesses N."
            )
        if self.seconds is not None and not (math.isfinite(self.seconds) and 0 < self.seconds <= LONGEST):
            raise DeskError(f"--time {self.seconds} is no time to search; give seconds, up to {LONGEST:.0f}.")
        if self.cluster_tls and not self.cluster:
            raise DeskError(f"--cluster-tls '{self.cluster_tls}' is for a cluster; give --cluster tls://HOST:PORT too.")
        self._check_early()
        only = "--checkpoint" if self.checkpoint else "--cluster" if self.cluster else ""
        if only and self.prove is False:
            raise DeskError(f"{only} is of use in a proof alone; leave --beam-only or {only} out.")
        if self.quick and (self.proves or self.width):
            raise DeskError(
                "--quick is a narrow beam and no more; leave it out, or --prove, --time, --width, "
                "--checkpoint and --cluster."
            )
        room = _machine_mb()
        if room is not None and self.memory > room:
            raise DeskError(f"--memory {self.memory} is more than this machine has ({room} MB); give less.")
        return self

    def _check_early(self) -> None:
        limit = "--early" if self.early else "--late" if self.late else ""
        if limit and (self.proves or self.max_guesses is not None or self.start is not None):
            raise DeskError(
                f"{limit} limits the guesses of a beam; leave it out, or --prove, --time, --cluster, "
                "--checkpoint, --max-guesses and --from."
            )

    @property
    def proves(self) -> bool:
        """Tell whether a proof was asked for, in so many words or by an option only a proof has a use for."""
        return self.prove is not False and bool(self.prove or self.seconds or self.cluster or self.checkpoint)

    def is_quick(self, problem: Problem) -> bool:
        """Tell whether a good tree soon is what is wanted: said so, or nothing said and a large problem."""
        return self.quick or not (self.proves or self.width or self.prove is False or _is_small(problem))

    def effort(self, problem: Problem, start: Plan | None = None) -> SearchOptions:
        """Turn the options, and the tree to start with, into those of the search.

        Raises `DeskError` for a first guess that may not be asked.
        """
        from jotto_desk.solver.beam import SearchOptions

        first = _number(problem, self.first)
        if start is not None and first not in (None, start.guess):
            raise DeskError(
                f"The tree of --from begins with another guess than '{self.first}'; leave --first out, or --from."
            )
        quick, small = self.is_quick(problem), _is_small(problem)
        prove = not (quick or self.early or self.late) and self.prove is not False and (self.proves or small)
        # A small problem is proven soon: a wide beam before that would cost more than it saves.
        return SearchOptions(
            width=self.width or (QUICK_WIDTH if quick or (prove and small) else WIDTH),
            prove=prove,
            seconds=self.seconds,
            threads=self.threads or _hands(problem),
            memo_bytes=self.memory << 20,
            cap=self.max_guesses,
            miss=self.miss,
            first=first,
            start=start,
            full=self.whole or SearchOptions.full,
            patience=self.patience,
            plies=1 if quick else 2,
            checkpoint=self.checkpoint,
            cluster=self.cluster or None,
            cluster_tls=self.cluster_tls,
            early=_numbers(problem, self.early, "--early") if self.early else None,
            late=_numbers(problem, self.late, "--late") if self.late else frozenset(),
        )

    def named(self) -> dict[str, Any]:
        """Return the options that shape the tree, for its certificate; those that only share the work out are not."""
        proof = {True: "--prove", False: "--beam-only", None: ""}[self.prove]
        return {
            "--max-guesses": self.max_guesses,
            "--miss": self.miss,
            "--first": self.first,
            "--early": Path(shown(self.early)).name,
            "--late": Path(shown(self.late)).name,
            "--from": self.start and self.start.name,
            "--width": self.width,
            "--whole": self.whole,
            "--patience": self.patience,
            proof: True,
            "--quick": self.quick,
            "--time": self.seconds,
        }


def _is_small(problem: Problem) -> bool:
    return len(problem.weights) <= (SMALL_CODES if problem.is_symmetric else SMALL)


def _hands(problem: Problem) -> int:
    # What one core proves in a tenth of a second takes longer to share out.
    return 1 if problem.is_symmetric and len(problem.weights) <= FEW_CODES else os.cpu_count() or 1


def _number(problem: Problem, first: str) -> int | None:
    if not first:
        return None
    alphabet = problem.rules.alphabet
    word = fold_word(first, alphabet if isinstance(alphabet, str) else "")
    if word not in problem.guesses:
        raise DeskError(f"'{first}' is not a word that may be asked here; give --first one of the list, or of --wider.")
    return problem.guesses.index(word)


def _numbers(problem: Problem, source: str, option: str) -> frozenset[int]:
    """Return the numbers of the words of a file that may be asked here; raises `DeskError` where there are none."""
    # A word that one language blocks may be an ordinary one of another: `problem.guesses` has what may be asked.
    listed = lists.read(lists.find(source), problem.rules, EMPTY_BLOCK_LIST).wordlist
    numbers = {word: number for number, word in enumerate(problem.guesses)}
    known = frozenset(numbers[word] for word in listed.words if word in numbers)
    if not known:
        raise DeskError(f"None of the words of {option} '{shown(source)}' may be asked here; give words of the list.")
    return known


def _machine_mb() -> int | None:
    """Tell how much memory this machine has; None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return None
