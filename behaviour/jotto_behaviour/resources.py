"""Lines and word lists, read once per file and kept: reading them again each turn would cost seconds on NAO."""
from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os

from jotto import blocklist, roster, wordlist
from jotto.belief import Belief
from jotto.errors import JottoError, WordListError
from jotto.rules import JOTTO
from jotto.strategies import Walk
from jotto.versions import as_native, as_path, path_text

from . import lines as lines_file
from . import trees
from .mind import Mind

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet, List, Optional, Sequence

    from jotto.blocklist import BlockList
    from jotto.strategies import Strategy
    from jotto.tree import Tree

    from .lines import Lines

HERE = os.path.dirname(os.path.abspath(__file__))
#: The word lists stand beside the package: in a robot's `lib`, or two folders up in the project.
#: Paths are native text: Python 2.7 joins no other with a folder that has an accent.
LISTS = tuple(as_native(folder) for folder in ("../wordlists", "../../wordlists", "../jotto_desk/shipped/wordlists"))
DEFAULT_LIST = as_native("en.tsv")
BLOCKED = as_native("blocked.sha256")
SOUND_ALIKES = as_native("en-sound-alikes.txt")
#: Words everybody knows, which trees ask early.
FAMILIAR = as_native("en-early.txt")
#: A walk on the list's tree, if it has one, that plays on when an answer may be wrong.
DEFAULT_STRATEGY = Belief.name

_KEPT = {}  # type: Dict[Any, Any]
_MOST_KEPT = 8


class MissingFile(JottoError):
    """A file that belongs to the game is not there."""


def _keep(key, make):
    # type: (Any, Callable[[], Any]) -> Any
    """Cache what was made of unchanging input; drop all when there is too much of it."""
    if key not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = make()
    return _KEPT[key]


def lines():
    # type: () -> Lines
    """Return the lines of the language played in."""
    def make():
        # type: () -> Lines
        with io.open(_standing(SOUND_ALIKES), encoding="ascii") as source:
            rows = [row for row in source if not row.startswith("#")]
        return lines_file.read(HERE, sound_alikes=frozenset(row.partition("\t")[0] for row in rows))
    kept = _keep("lines", make)  # type: Lines
    return kept


def blocked():
    # type: () -> BlockList
    """Return the words NAO never says."""
    def make():
        # type: () -> BlockList
        with io.open(_standing(BLOCKED), "rb") as source:
            return blocklist.read(source.read())
    kept = _keep("blocked", make)  # type: BlockList
    return kept


def default_list():
    # type: () -> str
    """Return the path of the list played with by default."""
    return _standing(DEFAULT_LIST)


def mind(path, strategy, learned):
    # type: (str, str, Sequence[str]) -> Mind
    """Return what NAO knows: the list at `path` (empty: the default one) with the learned words, and the strategy.

    A walk gets the list's trees where there are any; belief walks while the answers fit. Raises `WordListError` or
    `UnknownStrategy`.
    """
    place, shipped = as_path(path) if path else default_list(), default_list()
    chosen = roster.named(strategy or DEFAULT_STRATEGY)
    walks = chosen.name in (Walk.name, Belief.name)

    def make():
        # type: () -> Mind
        with io.open(place, "rb") as source:
            content = source.read(wordlist.MOST_BYTES + 1)
        reading = wordlist.parse(content, JOTTO, os.path.splitext(path_text(os.path.basename(place)))[0])
        way, hard, remarks = chosen, None, []  # type: Strategy, Optional[Strategy], List[str]
        if walks:
            found, remarks = trees.find(place, reading.wordlist, _may_say, shipped)
            way = _walk(found, chosen, trees.prior(found[0] if found else None))
            expected, more = trees.find(place, reading.wordlist, _may_say, shipped, trees.HARD)
            hard = _walk(expected, chosen, None)
            remarks += [remark for remark in more if remark not in remarks]
        known = Mind(reading.wordlist.joined(learned), way, blocked(), remarks, hard, _familiar())
        if not known.sayable:
            raise WordListError("The list '%s' has no word that NAO says; give another one." % path)
        return known

    try:
        state = (os.path.getmtime(place), trees.stamp(place, shipped) if walks else ())
        made = _keep(("mind", place, state, chosen.name, tuple(learned)), make)  # type: Mind
    except (OSError, IOError, ValueError, TypeError) as error:
        # Python raises the last two for a path that no file can have.
        if isinstance(error, JottoError):
            raise
        raise MissingFile("The word list '%s' cannot be read (%s)." % (path, error))
    return made


def _walk(found, chosen, prior):
    # type: (List[Tree], Strategy, Optional[Dict[int, int]]) -> Strategy
    """Return the strategy chosen as it walks on these trees."""
    walk = Walk(found[0] if found else None, may_ask=_may_say, more=found[1:])
    return Belief(walk, prior=prior, may_ask=_may_say) if chosen.name == Belief.name else walk


def _familiar():
    # type: () -> Optional[FrozenSet[str]]
    """Return the words that the very common ones of easy games are among, None where the game comes without them."""
    try:
        with io.open(_standing(FAMILIAR), "rb") as source:
            content = source.read(wordlist.MOST_BYTES + 1)
        return frozenset(wordlist.parse(content, JOTTO, FAMILIAR).wordlist.words)
    except (JottoError, OSError, IOError):
        return None


def _may_say(word):
    # type: (Any) -> bool
    return not blocked().blocks(word)


def _standing(name):
    # type: (str) -> str
    for folder in LISTS:
        path = os.path.normpath(os.path.join(HERE, folder, name))
        if os.path.exists(path):
            return path
    raise MissingFile("'%s' is missing beside the game; stage or install it again." % name)
