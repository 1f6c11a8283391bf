"""The solver's cores: the C library, called with numpy arrays, or plain numpy if it is not built."""

import ctypes
import os
import struct
import sys
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jotto_desk.errors import DeskError
from jotto_desk.files import find_checkout
from jotto_desk.solver import feedback_table
from jotto_desk.solver.feedback_table import Codes, Core, Costs, FeedbackTable, Keys, Members, Numbers, Played, Solution
from jotto_desk.solver.native.build import FOLDER, VARIABLE, name_library
from jotto_desk.solver.problem import Problem
from jotto_desk.solver.reference import NumpyCore

# Loading the shared library that the C sources are built into.

#: The version in version.c; both change together whenever the arguments of a function do.
LIBRARY_VERSION = 6
#: A function that every library built with AddressSanitizer calls.
_SANITIZER_SYMBOL = b"__asan_init"


class _Refused(Exception):
    """The reason why a file is not the library, in a few words."""


def load_library(
    environ: Mapping[str, str] = os.environ,
    remark: Callable[[str], None] = lambda sentence: None,
    folder: Path = FOLDER,
) -> ctypes.CDLL | None:
    """Load the C library; None if it is missing, turned off by JOTTO_NATIVE=0, damaged, foreign or outdated.

    `remark` then gets one line with the reason and the remedy; no line if the library was turned off.
    """
    if environ.get(VARIABLE) == "0":
        return None
    path = folder / name_library()
    try:
        return _open(path)
    except _Refused as reason:
        again = "make native" if find_checkout() else "python -m jotto_desk.solver.native.build"
        slow = f"The solver runs on numpy, slower, because '{path.name}' {reason}"
        remark(f"{slow}; with a C compiler, `{again}` makes it fast.")
        return None


def _open(path: Path) -> ctypes.CDLL:
    if not path.exists():
        raise _Refused("is not built")
    try:
        _require_fitting(path)
        # Loading a library with sanitizers where their runtime did not come first would end the process.
        if _SANITIZER_SYMBOL in path.read_bytes() and not hasattr(ctypes.CDLL(None), _SANITIZER_SYMBOL.decode()):
            raise _Refused("is built with sanitizers, for `make test SANITIZE=1`")
        library = ctypes.CDLL(str(path))
        version = library.jotto_core_version
    except OSError as error:
        # The loader's message begins with the path; only its first line is for people.
        why = error.strerror.lower() if error.strerror else str(error).replace(f"{path}: ", "").split("\n")[0]
        raise _Refused(f"cannot be loaded ({why})") from error
    except AttributeError as error:
        raise _Refused("is another library") from error
    version.argtypes, version.restype = [], ctypes.c_int
    if version() != LIBRARY_VERSION:
        raise _Refused(f"has version {version()}, not {LIBRARY_VERSION}")
    return library


def _require_fitting(path: Path) -> None:
    """Refuse a truncated ELF file: mapping one into memory kills the process instead of raising.

    The table of sections is at the end, and the header says where. Also refuses one for another processor,
    as a folder shared between computers can hold: the loader would call it missing.
    """
    header = load_elf_header(path)
    if not header:
        return
    wide, order = header[4] == 2, "<" if header[5] == 1 else ">"
    (start,) = struct.unpack_from(order + ("Q" if wide else "I"), header, 40 if wide else 32)
    size, count = struct.unpack_from(order + "HH", header, 58 if wide else 46)
    if path.stat().st_size < start + size * count:
        raise _Refused("is cut off")
    ours = load_elf_header(Path(sys.executable)) or header
    if ours[18:20] != header[18:20]:
        raise _Refused("is for another processor")


def load_elf_header(path: Path) -> bytes:
    """Read the first 64 bytes of an ELF file; empty for any other file."""
    with path.open("rb") as file:
        header = file.read(64)
    return header if len(header) == 64 and header.startswith(b"\x7fELF") else b""


# The C functions of the solver, called with numpy arrays.


class _Array:
    """The type of an argument that is a numpy array: the C function gets its address."""

    @staticmethod
    def from_param(array: npt.NDArray[Any]) -> ctypes.c_void_p:
        """Convert an argument, as ctypes asks."""
        return ctypes.c_void_p(array.ctypes.data)


_I32, _I64, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
#: The length of what `jotto_search_reach` writes.
_TURNS = 66
#: The C functions return this instead of a cost if memory is short, and -1 if they are stopped.
_SHORT_OF_MEMORY = -2

#: Function: result, arguments.
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "jotto_codes": (None, [_Array, _Array, _I32, _I32, _I64, _Array]),
    "jotto_scores": (_I32, [_POINTER, _Array, _I32, _Array, _I32, _Array, _I64, _I32, _Array]),
    "jotto_search_new": (_POINTER, [_POINTER, _I64, _I32, _I32, _I32, _I64, _POINTER, _POINTER]),
    "jotto_search_free": (None, [_POINTER]),
    "jotto_search_estimate": (None, [_POINTER, _Array]),
    "jotto_search_reach": (None, [_POINTER, _Array]),
    "jotto_search_sizes": (None, [_POINTER, _I32, _Array, _Array]),
    "jotto_solve": (_I64, [_POINTER, _Array, _I32, _I32, _I64, _Array, _I32, _POINTER]),
    "jotto_try": (_I64, [_POINTER, _Array, _I32, _I32, _I32, _I64, _Array, _I32, _I32]),
    "jotto_scan": (_I32, [_POINTER, _Array, _I32, _I32, _Array, _I32, _Array, _Array, _Array]),
}


class _Game(ctypes.Structure):
    """The struct `jotto_game` of core.h."""

    _fields_ = [
        *((name, _I32) for name in ("secrets", "guesses", "codes", "win")),
        *((name, _POINTER) for name in ("rows", "columns", "weights", "letters")),
        *((name, _I32) for name in ("length", "symbols", "uniform")),
        ("used", _POINTER),
        ("uses", _I32),
        ("spelled", _POINTER),
    ]


class NativeCore:
    """The C library as a `Core`."""

    name = "native"

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        self._reaches: weakref.WeakKeyDictionary[FeedbackTable, Numbers] = weakref.WeakKeyDictionary()

    def add_planes(self, rows: Codes, keys: Keys, out: Codes) -> None:
        """Add up planes into the table `out` [guesses, secrets]."""
        self.library.jotto_codes(_solid(rows), _solid(keys), *keys.shape, rows.shape[1], out)

    def score_guesses(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts."""
        game, _kept = _game(table)
        scores = np.empty(len(guesses), dtype=np.int64)
        sets = _solid(members), len(members), _solid(guesses), len(guesses)
        if not self.library.jotto_scores(ctypes.byref(game), *sets, _solid(values), won, int(largest), scores):
            raise MemoryError
        return scores

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: feedback_table.StopFlag = None,
        patience: int = feedback_table.DEFAULT_PATIENCE,
    ) -> "_NativeSearch":
        """Begin a search over a table; see `jotto_desk.solver.feedback_table.Core.search`."""
        feedback_table.check_search(table, miss, width, full, memo_bytes, patience)
        game, kept = _game(table)
        # How far turns reach depends only on the table; it is measured by the first search.
        known = self._reaches.get(table)
        addresses = (None if array is None else array.ctypes.data for array in (stop, known))
        numbers = miss, width, full, patience, memo_bytes
        search = self.library.jotto_search_new(ctypes.byref(game), *numbers, *addresses)
        if not search:
            memory = f"There is not enough memory for a search of {memo_bytes >> 20} MB"
            raise DeskError(f"{memory}; give a smaller --memory.")
        if known is None:
            self._reaches[table] = reach = np.zeros(_TURNS, dtype=np.int64)
            self.library.jotto_search_reach(search, reach)
        return _NativeSearch(self.library, search, table, width, (game, kept, stop))


class _NativeSearch:
    """A search of the C library, freed with this object; see `jotto_desk.solver.feedback_table.Search`."""

    def __init__(
        self, library: ctypes.CDLL, search: int, table: FeedbackTable, width: int, kept: tuple[object, ...]
    ) -> None:
        self._library, self._search, self._width, self._kept = library, search, width, kept
        self._secrets, self._guesses = len(table.problem.weights), len(table.problem.guesses)

    def __del__(self) -> None:
        self._library.jotto_search_free(self._search)

    def estimate(self, costs: Costs) -> None:
        self._library.jotto_search_estimate(self._search, feedback_table.convert_costs(costs, self._secrets))

    def reach(self) -> list[int]:
        found = np.zeros(_TURNS, dtype=np.int64)
        self._library.jotto_search_reach(self._search, found)
        return [int(count) for count in found]

    def sum_costs(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        sums, numbers = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
        self._library.jotto_search_sizes(self._search, most, sums, numbers)
        return sums, numbers

    def solve(self, members: Members, left: int, limit: int | None = None, played: Played = ()) -> Solution | None:
        feedback_table.check_left(left)
        guess, most = _I32(-1), feedback_table.NO_LIMIT if limit is None else limit
        place = _solid(members), len(members), left
        cost = self._library.jotto_solve(self._search, *place, most, *_past(played), ctypes.byref(guess))
        _check_memory(cost)
        return None if cost < 0 else Solution(int(cost), guess.value)

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Played = ()
    ) -> int | None:
        return self._try(members, left, guess, limit, played, deep=False)

    def look_ahead(self, members: Members, left: int, guess: int, limit: int | None = None) -> int:
        feedback_table.check_look_ahead(self._width)
        return self._try(members, left, guess, limit, (), deep=True) or 0

    def _try(
        self, members: Members, left: int, guess: int, limit: int | None, played: Played, deep: bool
    ) -> int | None:
        feedback_table.check_left(left)
        place, most = (_solid(members), len(members), left), feedback_table.NO_LIMIT if limit is None else limit
        cost = self._library.jotto_try(self._search, *place, guess, most, *_past(played), int(deep))
        _check_memory(cost)
        return None if cost < 0 else int(cost)

    def scan(self, members: Members, left: int, played: Played = ()) -> tuple[Members, Numbers, Numbers]:
        feedback_table.check_left(left)
        guesses = np.empty(self._guesses, dtype=np.int32)
        lows, keys = np.empty(self._guesses, dtype=np.int64), np.empty(self._guesses, dtype=np.int64)
        place = _solid(members), len(members), left
        found = self._library.jotto_scan(self._search, *place, *_past(played), guesses, lows, keys)
        _check_memory(found)
        return guesses[:found], lows[:found], keys[:found]


def _check_memory(given: int) -> None:
    """Raise `DeskError` if a call was short of memory; another result below 0 means that it was stopped."""
    if given == _SHORT_OF_MEMORY:
        raise DeskError("There is not enough memory to continue the search; give a smaller --memory.")


def _game(table: FeedbackTable) -> tuple[_Game, tuple[Any, ...]]:
    problem = table.problem
    weights = _solid(problem.weights)
    letters = _solid(table.letters) if problem.is_symmetric else None
    spelled = _solid(table.letters) if problem.is_hard else None
    uniform = problem.is_uniform and int(weights[0]) == 1
    used = np.array(problem.used, dtype=np.uint8)
    sizes = len(weights), len(problem.guesses), len(problem.classes), problem.win
    arrays = (table.rows, table.columns, weights, letters, spelled)
    *addresses, hard = [None if array is None else array.ctypes.data for array in arrays]
    rules = problem.rules.length, len(problem.rules.alphabet), int(uniform)
    game = _Game(*sizes, *addresses, *rules, used.ctypes.data, len(used), hard)
    # The arrays must live as long as the pointers to them.
    return game, (table, weights, letters, used, spelled)


def _solid(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array)


def _past(played: Played) -> tuple[npt.NDArray[np.int32], int]:
    # An empty array can have no address.
    return np.array([*played, 0], dtype=np.int32), len(played)


# The choice of a core: the C library if it is built, else the numpy reference.

#: The cells of a feedback table (guesses times secrets) from which numpy takes seconds longer than the C library: to
#: find a tree (400 words: 8 s instead of 1 s), and to play every game (3,200 words: 7 s instead of 4 s).
SLOW_TO_SOLVE, SLOW_TO_PLAY = 100_000, 10_000_000


def choose_best_core(
    environ: Mapping[str, str] = os.environ, remark: Callable[[str], None] = lambda sentence: None
) -> Core:
    """Return the C core if it is built, else the numpy one, after passing one line to `remark`."""
    found = load_library(environ, remark)
    return NumpyCore() if found is None else NativeCore(found)


def choose_core(problem: Problem, slow_cells: int, remark: Callable[[str], None]) -> Core:
    """Return the best core; `remark` hears of numpy only if the problem's table has at least `slow_cells` cells."""
    is_slow = len(problem.guesses) * len(problem.weights) >= slow_cells
    return choose_best_core(remark=remark) if is_slow else choose_best_core()
