"""The options of `jotto solve`."""

from __future__ import annotations

import functools
import math
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from jotto.words import EMPTY_BLOCK_LIST
from jotto_desk.addresses import hide_login
from jotto_desk.cli.options import ClusterOptions
from jotto_desk.cli.shell import ADVANCED, SEARCH, option
from jotto_desk.errors import DeskError
from jotto_desk.words import lists

if TYPE_CHECKING:
    from jotto_desk.solver.beam import SearchOptions
    from jotto_desk.solver.problem import Plan, Problem

#: Most words of a list, and most exchangeable codes of a game, that are searched to the end.
_SMALL = 500
_SMALL_CODES = 5_100
#: Most exchangeable codes of a game that is searched on one core.
_FEW_CODES = 2_000
#: With more symbols than this a narrow beam misses the best tree of two places, and the proof does not end.
_FEW_SYMBOLS = 16
#: Guesses tried per set, for a good tree of thousands of words in seconds.
_QUICK_WIDTH = 3
#: Guesses tried per set, for a better tree in minutes.
WIDTH = 20
#: Guesses tried per set, for trees of many first guesses.
_TOP_WIDTH = 10
#: Guesses listed in mid-game.
_NEXT_GUESSES = 5
_MAX_SEARCH_S = 10_000_000.0

_FOR_ONE_TREE = ("--miss", "--patience", "--first", "--early", "--late", "--from", "--quick", "--whole", "--beam-only")
_ONE_PROOF = ("--checkpoint", "--certificate")
_FOR_A_PROOF = ("--time", "--gap", "--cluster", *_ONE_PROOF)
#: Options, others that contradict them, and the reason.
_CONFLICTS = (
    (("--early", "--late"), ("--prove", *_FOR_A_PROOF, "--max-guesses", "--from"), "limits the guesses of a beam"),
    (("--certificate",), ("--first", "--max-guesses"), "is for the best of all trees"),
    (("--gap", "--cluster", *_ONE_PROOF), ("--beam-only",), "is only for a proof"),
    (("--quick",), ("--prove", *_FOR_A_PROOF, "--width"), "is only a narrow beam"),
    (("--top",), _FOR_ONE_TREE + _ONE_PROOF, "compares all first guesses until it is proven"),
)

Threads = Annotated[int | None, option("Number of threads; default: one per core.", panel=ADVANCED, min=1, max=256)]


_search_option = functools.partial(option, panel=SEARCH)
_advanced_option = functools.partial(option, panel=ADVANCED)


@dataclass(frozen=True)
class SolveOptions(ClusterOptions):
    """The options of a search; None, False or empty if not given."""

    max_guesses: Annotated[
        int | None, _search_option("Find every word within N guesses.", min=1, max=60, metavar="N")
    ] = None
    miss: Annotated[
        int | None,
        _search_option("Allow words to be missed; each adds TURNS to the cost.", min=1, max=70_000, metavar="TURNS"),
    ] = None
    first: Annotated[str, _search_option("Begin with this guess.", metavar="WORD")] = ""
    top: Annotated[
        int | None,
        _search_option("List the N best first guesses with their exact totals.", min=1, max=1000, metavar="N"),
    ] = None
    early: Annotated[
        str,
        _advanced_option(
            "Words for the first two guesses; the third is one of them if that costs little.", metavar="FILE"
        ),
    ] = ""
    late: Annotated[str, _advanced_option("Words asked only if no other word is left.", metavar="FILE")] = ""
    start: Annotated[
        Path | None, _search_option("Start from this tree and improve it if possible.", "--from", metavar="FILE")
    ] = None
    width: Annotated[
        int | None, _search_option("Try the K most promising guesses at every point.", min=1, max=1000, metavar="K")
    ] = None
    whole: Annotated[
        int | None,
        _advanced_option("Try every guess if at most N words are left (default: 8).", min=1, max=100, metavar="N"),
    ] = None
    patience: Annotated[
        int | None,
        _advanced_option("Try up to N more guesses per set until no word is missed.", min=0, max=30_000, metavar="N"),
    ] = None
    prove: Annotated[
        bool | None,
        _search_option("Search until the tree is proven optimal, or never prove it.", "--prove/--beam-only"),
    ] = None
    quick: Annotated[bool, _search_option("Find a good tree in seconds; the default for long lists.", "--quick")] = (
        False
    )
    seconds: Annotated[
        float | None, _search_option("Search for S seconds, then keep the best tree.", "--time", metavar="S")
    ] = None
    gap: Annotated[
        float | None, _search_option("End the proof if no tree can be P % better.", min=0, max=50, metavar="P")
    ] = None
    threads: Threads = None
    memory: Annotated[
        int, _advanced_option("Memory for the search's table of solved sets.", min=16, max=1 << 20, metavar="MB")
    ] = 512
    checkpoint: Annotated[
        Path | None, _advanced_option("Save the proof's progress here, and resume from it.", metavar="FILE")
    ] = None
    certificate: Annotated[
        Path | None, _search_option("Write the proof to this file, which certificates/check.c checks.", metavar="FILE")
    ] = None

    def check(self) -> None:
        """Raise `DeskError` if they contradict each other or this machine cannot fulfil them."""
        for name, value in (("--miss", self.miss), ("--patience", self.patience)):
            if value is not None and self.max_guesses is None:
                raise DeskError(f"{name} {value} is for words not found in time; set the limit with --max-guesses N.")
        if self.seconds is not None and not (math.isfinite(self.seconds) and 0 < self.seconds <= _MAX_SEARCH_S):
            raise DeskError(
                f"--time {self.seconds} is not a number of seconds to search; give one up to {_MAX_SEARCH_S:.0f}."
            )
        given = self._list_given()
        for ones, others, why in _CONFLICTS:
            if (one := given & {*ones}) and (other := given & {*others}):
                raise DeskError(f"{min(one)} {why}; leave {min(one)} or {min(other)} out.")
        room = _measure_memory_mb()
        if room is not None and self.memory > room:
            raise DeskError(f"--memory {self.memory} is more than this machine has ({room} MB); give less.")

    def _list_given(self) -> set[str]:
        """Return the names of the options that are given."""
        named = {**self.to_dict(), "--checkpoint": self.checkpoint, "--certificate": self.certificate}
        # A beam can have a limit of time, too.
        named |= {"--cluster": self.cluster, "--time": None if self.prove is False else self.seconds}
        return {name for name, value in named.items() if value is not None and value is not False and value != ""}

    def list_next_guesses(self) -> SolveOptions:
        """Return the options of a search in mid-game: it lists the best guesses unless the options want a tree."""
        wants_tree = self._list_given() & {*_FOR_ONE_TREE, *_ONE_PROOF}
        return self if self.top or wants_tree else replace(self, top=_NEXT_GUESSES)

    @property
    def proves(self) -> bool:
        """Return whether a proof was asked for, by --prove or by an option that only a proof uses."""
        asked = self.prove or self.seconds or self.gap is not None or self.cluster or self.checkpoint
        return self.prove is not False and bool(asked or self.certificate)

    def is_quick(self, problem: Problem) -> bool:
        """Return whether to find a good tree quickly: with --quick, or by default for a large problem."""
        return self.quick or not (self.proves or self.width or self.prove is False or _is_small(problem))

    def make_search_options(self, problem: Problem, start: Plan | None = None) -> SearchOptions:
        """Turn the options, and the tree to start with, into the options of the search.

        Raises `DeskError` for a forbidden first guess.
        """
        from jotto_desk.solver.beam import SearchOptions
        from jotto_desk.solver.strategies import parse_first_guess

        first = parse_first_guess(self.first, problem) if self.first else None
        if start is not None and first not in (None, start.guess):
            raise DeskError(
                f"The tree of --from begins with another guess than '{self.first}'; leave --first out, or --from."
            )
        quick, small = self.is_quick(problem), _is_small(problem)
        prove = not (quick or self.early or self.late) and self.prove is not False and (self.proves or small)
        # Sharing out a proof that takes one core a tenth of a second takes longer.
        is_tiny = problem.is_symmetric and len(problem.weights) <= _FEW_CODES
        # A small problem is proven soon: a wide beam before that would cost more than it saves.
        soon = prove and small and not (problem.is_symmetric and len(problem.rules.alphabet) > _FEW_SYMBOLS)
        return SearchOptions(
            width=self.width or (_QUICK_WIDTH if quick or soon else _TOP_WIDTH if self.top else WIDTH),
            prove=prove,
            seconds=self.seconds,
            gap=(self.gap or 0) / 100,
            threads=self.threads or (1 if is_tiny else os.cpu_count() or 1),
            memo_bytes=self.memory << 20,
            cap=self.max_guesses,
            miss=self.miss,
            first=first,
            start=start,
            full=self.whole or SearchOptions.full,
            patience=self.patience,
            plies=1 if quick else 2,
            checkpoint=self.checkpoint,
            early=_find_numbers(problem, self.early, "--early") if self.early else None,
            late=_find_numbers(problem, self.late, "--late") if self.late else frozenset(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options that shape the tree, for its certificate; those that only share the work out are not."""
        proof = {True: "--prove", False: "--beam-only", None: ""}[self.prove]
        early, late = (Path(hide_login(source)).name for source in (self.early, self.late))
        named: dict[str, Any] = {
            "--max-guesses": self.max_guesses,
            "--miss": self.miss,
            "--first": self.first,
            "--top": self.top,
            "--early": early,
        }
        named |= {"--late": late, "--from": self.start and self.start.name, "--width": self.width}
        named |= {"--whole": self.whole, "--patience": self.patience, proof: True}
        return named | {"--quick": self.quick, "--time": self.seconds, "--gap": self.gap}


def _is_small(problem: Problem) -> bool:
    return len(problem.weights) <= (_SMALL_CODES if problem.is_symmetric else _SMALL)


def _find_numbers(problem: Problem, source: str, option: str) -> frozenset[int]:
    """Return the numbers of the words of a file that can be guessed; raises `DeskError` if there are none."""
    # A word that one language blocks can be an ordinary one of another: `problem.guesses` has the possible guesses.
    listed = lists.parse_list(lists.find(source), problem.rules, EMPTY_BLOCK_LIST).wordlist
    numbers = {word: number for number, word in enumerate(problem.guesses)}
    known = frozenset(numbers[word] for word in listed.words if word in numbers)
    if not known:
        raise DeskError(f"No word of {option} '{hide_login(source)}' can be asked here; give words of the list.")
    return known


def _measure_memory_mb() -> int | None:
    """Return the memory of this computer in MB; None if the system does not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return None
