"""Lines and word lists, read once per file and kept: reading them again each turn would cost seconds on NAO."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import sys

from jotto import strategies, words
from jotto.compat import as_native, as_path, path_text
from jotto.rules import JOTTO, JottoError, WordListError
from jotto.strategies import Belief, Walk
from jotto.words import replace_letters

from . import lines as lines_file
from . import trees
from .languages import DEFAULT
from .mind import Mind
from .notebook import Notebook

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, FrozenSet, List, Optional, Sequence, Tuple

    from jotto.strategies import Strategy
    from jotto.tree import Tree
    from jotto.words import BlockList, WordList

    from .lines import Lines

HERE = os.path.dirname(os.path.abspath(__file__))
#: The word lists stand beside the package: in a robot's `lib`, or two folders up in the project.
#: Paths are native text: Python 2.7 joins no other with a folder that has an accent.
LISTS = tuple(as_native(folder) for folder in ("../wordlists", "../../wordlists", "../jotto_desk/shipped/wordlists"))
#: The words NAO never says: those of English, and those of another language.
BLOCKED, BLOCKED_IN = "blocked.sha256", "%s-blocked.sha256"
#: Files of a language: its list, words that sound like others, words everybody knows, which trees ask early, words
#: unfit for children, which NAO never thinks of and asks last, and the words that NAO thinks of.
LIST, SOUND_ALIKES, FAMILIAR, LATE = "%s.tsv", "%s-sound-alikes.txt", "%s-early.txt", "%s-late.txt"
SECRETS = "%s-secrets.txt"
#: A walk on the list's tree, if it has one, that plays on when an answer may be wrong.
DEFAULT_STRATEGY = Belief.name

_KEPT = {}  # type: Dict[Any, Any]
_MOST_KEPT = 12


class MissingFile(JottoError):
    """A file that belongs to the game is not there."""


def _keep(key, make):  # type: (Any, Callable[[], Any]) -> Any
    """Cache what was made of unchanging input; drop all when there is too much of it."""
    if key not in _KEPT:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = make()
    return _KEPT[key]


def lines(language=DEFAULT):  # type: (str) -> Lines
    """Return the lines of a language."""

    def make():  # type: () -> Lines
        return lines_file.read(HERE, language, _sound_alikes(language))

    kept = _keep(("lines", language), make)  # type: Lines
    return kept


def _sound_alikes(language):  # type: (str) -> FrozenSet[str]
    """Return the words of a language that sound like others; English alone cannot do without the file."""
    name = SOUND_ALIKES % language
    if language != DEFAULT and not _find(name):
        return frozenset()
    with io.open(_standing(name), encoding="utf-8") as source:
        return frozenset(row.partition("\t")[0] for row in source if not row.startswith("#"))


def blocked(language=DEFAULT):  # type: (str) -> BlockList
    """Return the words NAO never says in a language: what is rude in one is a plain word of another."""

    def make():  # type: () -> BlockList
        path = _standing(BLOCKED) if language == DEFAULT else _find(BLOCKED_IN % language)
        if path is None:
            return words.EMPTY_BLOCK_LIST
        with io.open(path, "rb") as source:
            return words.read_block_list(source.read(words.MAX_BLOCK_LIST_BYTES + 1))

    kept = _keep(("blocked", language), make)  # type: BlockList
    return kept


def default_list(language=DEFAULT):  # type: (str) -> str
    """Return the path of the list played with by default in a language."""
    return _standing(LIST % language)


def has_words(language, path=""):  # type: (str, str) -> bool
    """Tell whether there are words to play with in a language: the list at a path, if one is given, or its own."""
    return bool(path or _find(LIST % language))


def notebook(folder, language=DEFAULT):  # type: (Optional[str], str) -> Notebook
    """Open the notebook in a folder, for words of a language."""
    return Notebook(folder, language, lines(language).alphabet)


def mind(path, strategy, learned, language=DEFAULT):  # type: (str, str, Sequence[str], str) -> Mind
    """Return what NAO knows: the list at `path` (empty: the language's) with the learned words, and the strategy.

    A walk gets the list's trees where there are any; belief walks while the answers fit. Raises `WordListError` or
    `UnknownStrategy`.
    """
    shipped = default_list(language)
    place = as_path(path) if path else shipped
    chosen, rude = strategies.find_strategy(strategy or DEFAULT_STRATEGY), blocked(language)
    walks = chosen.name in (Walk.name, Belief.name)

    def may_say(word):  # type: (Any) -> bool
        return not rude.blocks(word)

    def make():  # type: () -> Mind
        with io.open(place, "rb") as source:
            content = source.read(words.MAX_LIST_BYTES + 1)
        reading = words.parse_word_list(content, JOTTO, os.path.splitext(path_text(os.path.basename(place)))[0])
        way, hard, remarks = chosen, None, []  # type: Strategy, Optional[Strategy], List[str]
        if walks:
            way, hard, remarks = _walks(place, reading.wordlist, chosen, may_say, shipped)
        familiar, late, secrets = _read_choices(language, place)
        late, secrets = (late or frozenset()).difference(learned), secrets and secrets.union(learned)
        known = Mind(reading.wordlist.joined(learned), way, rude, remarks, hard, familiar, late, secrets)
        if not known.sayable:
            raise WordListError("The list '%s' has no word that NAO says; give another one." % path)
        return known

    try:
        state = (os.path.getmtime(place), trees.stamp(place, shipped) if walks else ())
        made = _keep(("mind", place, state, chosen.name, tuple(learned), language), make)  # type: Mind
    except (OSError, IOError, ValueError, TypeError) as error:
        # Python raises the last two for a path that no file can have.
        if isinstance(error, JottoError):
            raise
        raise MissingFile("The word list '%s' cannot be read (%s)." % (path, error))
    return made


def _walks(place, known, chosen, may_say, shipped):
    # type: (str, WordList, Strategy, Callable[[Any], bool], str) -> Tuple[Strategy, Strategy, List[str]]
    """Return the strategy chosen on the trees of a list, on those of its hard games, and remarks about them."""
    found, remarks = trees.find(place, known, may_say, shipped)
    way = _walk(found, chosen, trees.prior(found[0] if found else None), may_say)
    expected, more = trees.find(place, known, may_say, shipped, trees.HARD)
    return way, _walk(expected, chosen, None, may_say), remarks + [remark for remark in more if remark not in remarks]


def _walk(found, chosen, prior, may_say):
    # type: (List[Tree], Strategy, Optional[Dict[int, int]], Callable[[Any], bool]) -> Strategy
    """Return the strategy chosen as it walks on these trees."""
    walk = Walk(found[0] if found else None, may_ask=may_say, more=found[1:])
    return Belief(walk, prior=prior, may_ask=may_say) if chosen.name == Belief.name else walk


def _words_of(file, language):  # type: (str, str) -> Optional[FrozenSet[str]]
    """Return the words of one of a language's files (`FAMILIAR`, `LATE`), None if the game comes without it."""
    try:
        with io.open(_standing(file % language), "rb") as source:
            content = source.read(words.MAX_LIST_BYTES + 1)
        rules = replace_letters(JOTTO, lines(language).alphabet)
        return frozenset(words.parse_word_list(content, rules, file % language).wordlist.words)
    except (JottoError, OSError, IOError):
        return None


def _read_choices(language, place):  # type: (str, str) -> List[Optional[FrozenSet[str]]]
    """Return the familiar words of the list at `place`, the late ones and the secrets; None for a player's own list."""
    is_own = os.path.realpath(place) != os.path.realpath(default_list(language))
    return [None if is_own else _words_of(file, language) for file in (FAMILIAR, LATE, SECRETS)]


def own_modules():  # type: () -> List[Any]
    """List the modules of the game that are loaded."""
    own = as_native("jotto")
    return [module for name, module in list(sys.modules.items()) if name.startswith(own)]


def _standing(name):  # type: (str) -> str
    path = _find(name)
    if path is None:
        raise MissingFile("'%s' is missing beside the game; stage or install it again." % name)
    return path


def _find(name):  # type: (str) -> Optional[str]
    """Return the path of a file that comes with the game, None where it is not there."""
    paths = (os.path.normpath(os.path.join(HERE, folder, as_native(name))) for folder in LISTS)
    return next((path for path in paths if os.path.exists(path)), None)
