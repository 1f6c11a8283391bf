"""The solver's cores: the C library, called with numpy arrays, or plain numpy if it is not built."""

import ctypes
import os
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jotto_desk.errors import DeskError
from jotto_desk.files import checkout_folder
from jotto_desk.solver.feedback_table import (
    DEFAULT_PATIENCE,
    NO_LIMIT,
    Codes,
    Core,
    FeedbackTable,
    Keys,
    Members,
    Numbers,
    Solution,
    check_left,
    check_look_ahead,
    check_search,
    units_by_turns,
)
from jotto_desk.solver.native.build import FOLDER, VARIABLE, library_name
from jotto_desk.solver.reference import NumpyCore

# Loading the shared library that the C sources are built into.

#: The version in version.c; both change together whenever the arguments of a function do.
LIBRARY_VERSION = 3
#: What every library built with AddressSanitizer calls.
_SANITIZER_SYMBOL = b"__asan_init"


class _Refused(Exception):
    """The reason why a file is not the library, in a few words."""


def load_library(
    environ: Mapping[str, str] = os.environ,
    remark: Callable[[str], None] = lambda sentence: None,
    folder: Path = FOLDER,
) -> ctypes.CDLL | None:
    """Load the C library; None if it is missing, turned off by JOTTO_NATIVE=0, damaged, foreign or outdated.

    `remark` then gets one line with the reason and the remedy; nothing where the library was turned off.
    """
    if environ.get(VARIABLE) == "0":
        return None
    path = folder / library_name()
    try:
        return _open(path)
    except _Refused as reason:
        again = "make native" if checkout_folder() else "python -m jotto_desk.solver.native.build"
        remark(
            f"The solver runs on numpy, slower, because '{path.name}' {reason}; with a C compiler, `{again}` makes "
            "it fast."
        )
        return None


def _open(path: Path) -> ctypes.CDLL:
    if not path.exists():
        raise _Refused("is not built")
    try:
        _require_fitting(path)
        _require_runtime(path)
        library = ctypes.CDLL(str(path))
        version = library.jotto_core_version
    except OSError as error:
        raise _Refused(f"cannot be loaded ({_why(error, path)})") from error
    except AttributeError as error:
        raise _Refused("is another library") from error
    version.argtypes, version.restype = [], ctypes.c_int
    if version() != LIBRARY_VERSION:
        raise _Refused(f"is of version {version()} where {LIBRARY_VERSION} is needed")
    return library


def _require_runtime(path: Path) -> None:
    """Refuse a library with sanitizers where their runtime did not come first: loading it would end the process."""
    if _SANITIZER_SYMBOL in path.read_bytes() and not hasattr(ctypes.CDLL(None), _SANITIZER_SYMBOL.decode()):
        raise _Refused("is built with sanitizers, for `make test SANITIZE=1`")


def _require_fitting(path: Path) -> None:
    """Refuse a truncated ELF file: mapping one into memory kills the process instead of raising.

    The table of sections is at the end, and the header says where. Also refuses one for another processor,
    as a folder shared between computers may hold: the loader would call it missing.
    """
    header = _elf_header(path)
    if not header:
        return
    wide, order = header[4] == 2, "<" if header[5] == 1 else ">"
    (start,) = struct.unpack_from(order + ("Q" if wide else "I"), header, 40 if wide else 32)
    size, count = struct.unpack_from(order + "HH", header, 58 if wide else 46)
    if path.stat().st_size < start + size * count:
        raise _Refused("is cut off")
    ours = _elf_header(Path(sys.executable)) or header
    if ours[18:20] != header[18:20]:
        raise _Refused("is for another processor")


def _elf_header(path: Path) -> bytes:
    """Read the first 64 bytes of an ELF file; empty for any other file."""
    with path.open("rb") as file:
        header = file.read(64)
    return header if len(header) == 64 and header.startswith(b"\x7fELF") else b""


def _why(error: OSError, path: Path) -> str:
    # The loader's message begins with the path; only its first line is for people.
    return error.strerror.lower() if error.strerror else str(error).replace(f"{path}: ", "").split("\n")[0]


# The C functions of the solver, called with numpy arrays.

_I32, _I64, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
#: The length of what `jotto_search_reach` writes.
_TURNS = 66
#: The C functions return this instead of a cost if memory is short, and -1 if they are stopped.
_SHORT_OF_MEMORY = -2

#: Function: result, arguments.
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "jotto_codes": (None, [_POINTER, _POINTER, _I32, _I32, _I64, _POINTER]),
    "jotto_scores": (_I32, [_POINTER, _POINTER, _I32, _POINTER, _I32, _POINTER, _I64, _I32, _POINTER]),
    "jotto_search_new": (_POINTER, [_POINTER, _I64, _I32, _I32, _I32, _I64, _POINTER]),
    "jotto_search_free": (None, [_POINTER]),
    "jotto_search_estimate": (None, [_POINTER, _POINTER]),
    "jotto_search_reach": (None, [_POINTER, _POINTER]),
    "jotto_search_sizes": (None, [_POINTER, _I32, _POINTER, _POINTER]),
    "jotto_solve": (_I64, [_POINTER, _POINTER, _I32, _I32, _I64, _POINTER, _I32, _POINTER]),
    "jotto_try": (_I64, [_POINTER, _POINTER, _I32, _I32, _I32, _I64, _POINTER, _I32, _I32]),
    "jotto_scan": (_I32, [_POINTER, _POINTER, _I32, _I32, _POINTER, _I32, _POINTER, _POINTER, _POINTER]),
}


class _Game(ctypes.Structure):
    """The struct `jotto_game` of core.h."""

    _fields_ = [
        ("secrets", _I32),
        ("guesses", _I32),
        ("codes", _I32),
        ("win", _I32),
        ("rows", _POINTER),
        ("columns", _POINTER),
        ("weights", _POINTER),
        ("letters", _POINTER),
        ("length", _I32),
        ("symbols", _I32),
        ("uniform", _I32),
        ("used", _POINTER),
        ("uses", _I32),
    ]


class NativeCore:
    """The C library as a `Core`."""

    name = "native"

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments

    def codes(self, rows: Codes, keys: Keys, out: Codes) -> None:
        """Add up planes into the table `out` [guesses, secrets]."""
        rows, keys = _solid(rows), _solid(keys)
        self.library.jotto_codes(
            rows.ctypes.data, keys.ctypes.data, keys.shape[0], keys.shape[1], rows.shape[1], out.ctypes.data
        )

    def scores(
        self, table: FeedbackTable, members: Members, guesses: Members, values: Numbers, won: int, largest: bool
    ) -> Numbers:
        """Return per guess the sum (or the largest) of `values[size]` over the sizes of its parts."""
        game, _kept = _game(table)
        members, guesses, values = _solid(members), _solid(guesses), _solid(values)
        scores = np.empty(len(guesses), dtype=np.int64)
        done = self.library.jotto_scores(
            ctypes.byref(game),
            members.ctypes.data,
            len(members),
            guesses.ctypes.data,
            len(guesses),
            values.ctypes.data,
            won,
            int(largest),
            scores.ctypes.data,
        )
        if not done:
            raise MemoryError
        return scores

    def search(
        self,
        table: FeedbackTable,
        miss: int,
        width: int = 0,
        full: int = 0,
        memo_bytes: int = 1 << 28,
        stop: npt.NDArray[np.int32] | None = None,
        patience: int = DEFAULT_PATIENCE,
    ) -> "NativeSearch":
        """Begin a search over a table; see `jotto_desk.solver.feedback_table.Core.search`."""
        return NativeSearch(self.library, table, miss, width, full, memo_bytes, stop, patience)


class NativeSearch:
    """A search of the C library, freed with this object."""

    def __init__(
        self,
        library: ctypes.CDLL,
        table: FeedbackTable,
        miss: int,
        width: int,
        full: int,
        memo_bytes: int,
        stop: npt.NDArray[np.int32] | None,
        patience: int,
    ) -> None:
        check_search(table, miss, width, full, memo_bytes, patience)
        self._library, self._width = library, width
        self._secrets = len(table.problem.weights)
        self._guesses = len(table.problem.guesses)
        self._game, self._kept = _game(table)
        self._stop = stop
        self._search = library.jotto_search_new(
            ctypes.byref(self._game),
            miss,
            width,
            full,
            patience,
            memo_bytes,
            None if stop is None else stop.ctypes.data,
        )
        if not self._search:
            raise DeskError(
                f"There is not enough memory for a search of {memo_bytes >> 20} MB; give a smaller --memory."
            )

    def __del__(self) -> None:
        if getattr(self, "_search", None):
            self._library.jotto_search_free(self._search)
            self._search = None

    def estimate(self, costs: npt.NDArray[np.float64], capped: npt.NDArray[np.float64] | None = None) -> None:
        """Set the estimated cost of a set of each size, in turns."""
        estimates = _solid(units_by_turns(costs, capped, self._secrets))
        self._library.jotto_search_estimate(self._search, estimates.ctypes.data)

    def reach(self) -> list[int]:
        """Return how many members of one set can be found within 0, 1, 2 ... turns at most."""
        found = np.zeros(_TURNS, dtype=np.int64)
        self._library.jotto_search_reach(self._search, found.ctypes.data)
        return [int(count) for count in found]

    def sizes(self, most: int) -> tuple[npt.NDArray[np.float64], Numbers]:
        """Return the sum and the number of the exact costs in the memo, per size of set."""
        sums, numbers = np.zeros(most + 1), np.zeros(most + 1, dtype=np.int64)
        self._library.jotto_search_sizes(self._search, most, sums.ctypes.data, numbers.ctypes.data)
        return sums, numbers

    def solve(
        self, members: Members, left: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> Solution | None:
        """Find the cost of a set."""
        check_left(left)
        members, past, guess = _solid(members), _past(played), _I32(-1)
        cost = self._library.jotto_solve(
            self._search,
            members.ctypes.data,
            len(members),
            left,
            _limit(limit),
            past.ctypes.data,
            len(played),
            ctypes.byref(guess),
        )
        return None if _stopped(cost) else Solution(int(cost), guess.value)

    def attempt(
        self, members: Members, left: int, guess: int, limit: int | None = None, played: Sequence[int] = ()
    ) -> int | None:
        """Find the cost of asking `guess` at a set."""
        return self._try(members, left, guess, limit, played, deep=False)

    def look_ahead(self, members: Members, left: int, guess: int, played: Sequence[int] = ()) -> int:
        """Bound the cost of asking `guess` at a set from below, looking two guesses ahead."""
        check_look_ahead(self._width)
        cost = self._try(members, left, guess, None, played, deep=True)
        return 0 if cost is None else cost

    def _try(
        self, members: Members, left: int, guess: int, limit: int | None, played: Sequence[int], deep: bool
    ) -> int | None:
        check_left(left)
        members, past = _solid(members), _past(played)
        cost = self._library.jotto_try(
            self._search,
            members.ctypes.data,
            len(members),
            left,
            guess,
            _limit(limit),
            past.ctypes.data,
            len(played),
            int(deep),
        )
        return None if _stopped(cost) else int(cost)

    def scan(self, members: Members, left: int, played: Sequence[int] = ()) -> tuple[Members, Numbers, Numbers]:
        """List the guesses worth trying, most promising first, with bounds and estimates."""
        check_left(left)
        members, past = _solid(members), _past(played)
        guesses = np.empty(self._guesses, dtype=np.int32)
        lows, keys = np.empty(self._guesses, dtype=np.int64), np.empty(self._guesses, dtype=np.int64)
        found = self._library.jotto_scan(
            self._search,
            members.ctypes.data,
            len(members),
            left,
            past.ctypes.data,
            len(played),
            guesses.ctypes.data,
            lows.ctypes.data,
            keys.ctypes.data,
        )
        _stopped(found)
        return guesses[:found], lows[:found], keys[:found]


def _stopped(given: int) -> bool:
    """Return whether a call was stopped; raises `DeskError` if memory was short."""
    if given == _SHORT_OF_MEMORY:
        raise DeskError("There is not enough memory to go on with the search; give a smaller --memory.")
    return given < 0


def _game(table: FeedbackTable) -> tuple[_Game, tuple[Any, ...]]:
    problem = table.problem
    weights = _solid(problem.weights)
    letters = _solid(table.letters) if problem.is_symmetric else None
    uniform = problem.is_uniform and int(weights[0]) == 1
    used = np.array(problem.used, dtype=np.uint8)
    game = _Game(
        len(weights),
        len(problem.guesses),
        len(problem.classes),
        problem.win,
        table.rows.ctypes.data,
        table.columns.ctypes.data,
        weights.ctypes.data,
        None if letters is None else letters.ctypes.data,
        problem.rules.length,
        len(problem.rules.alphabet),
        int(uniform),
        used.ctypes.data,
        len(used),
    )
    # The arrays must live as long as the pointers to them.
    return game, (table, weights, letters, used)


def _solid(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array)


def _past(played: Sequence[int]) -> npt.NDArray[np.int32]:
    return np.array([*played, 0], dtype=np.int32)


def _limit(limit: int | None) -> int:
    return NO_LIMIT if limit is None else limit


# The choice of a core: the C library if it is built, else the numpy reference.


def best_core(environ: Mapping[str, str] = os.environ, remark: Callable[[str], None] = lambda sentence: None) -> Core:
    """Return the C core if it is built, else the numpy one, after passing one line to `remark`."""
    found = load_library(environ, remark)
    if found is not None:
        return NativeCore(found)
    return NumpyCore()
