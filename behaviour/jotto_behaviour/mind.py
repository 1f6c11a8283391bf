"""What NAO knows and how NAO thinks: a word list, a strategy, decision trees, and what fits a game.

`load_mind` makes a `Mind` of the files of a list. Lines, lists and trees are read once and kept, as reading them again
each turn would cost seconds on NAO.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import io
import os
import re
import sys
from collections import namedtuple

from jotto import explain, strategies, tree
from jotto import words as wordlist
from jotto.compat import as_native, as_path, count_ones, is_integer, path_text
from jotto.rules import JOTTO, ForeignTree, JottoError, WordListError
from jotto.strategies import Belief, Commonest, Walk
from jotto.words import replace_letters
from jotto_behaviour import lines
from jotto_behaviour.files import Notebook
from jotto_behaviour.settings import DEFAULT_LANGUAGE, EASY, HARD, NORMAL

MYPY = False
if MYPY:
    from typing import Any, Callable, Container, Dict, FrozenSet, Iterable, List, Optional, Sequence, Tuple

    from jotto.explain import Clash, Outlook
    from jotto.game import Game
    from jotto.strategies import Position, Strategy
    from jotto.tree import Tree
    from jotto.words import BlockList, WordList
    from jotto_behaviour.lines import Lines

# --- What NAO knows and how NAO thinks: a word list, a strategy, and what fits a game.

#: Secrets are as common as this (sizes of word lists: the smaller, the commoner), where that is known; in easy games as
#: common as the second.
_SECRET_BAND, _EASY_SECRET_BAND = 20, 10
#: More words no recogniser is asked to know; the others can be spelled.
MAX_HEARABLE_WORDS, _MAX_OWN_WORDS = 5000, 500
#: Vocabularies kept ready: those of a guess, with and without a question back.
_MAX_VOCABULARIES = 4

#: Words listened for: as the recogniser gets them, and as a set of text, with the alphabet words among them.
HearableWords = namedtuple("HearableWords", "phrases words")

#: Once this many answers speak against every word, they are sorted out; one wrong answer is likelier than two.
MIN_CLASHES = 2


class Mind(object):
    """One word list thought about with one strategy; words on the block list are never guessed.

    With `jotto.strategies.Belief` NAO plays on when no word fits every answer, as long as words fit all but one.

    `remarks` are sentences for the log: what could not be used. `hard` is the strategy of hard games, the same one
    where it is None; `familiar` words are known to every child: the secrets of easy games, and NAO's first questions in
    them. `late` words are unfit for children: NAO never thinks of one, and asks one only if no other word fits. NAO
    thinks only of words in `secrets`, of any word if that is None.
    """

    def __init__(
        self,
        wordlist,  # type: WordList
        strategy,  # type: Strategy
        blocked=None,  # type: Optional[BlockList]
        remarks=(),  # type: Sequence[str]
        hard=None,  # type: Optional[Strategy]
        familiar=None,  # type: Optional[Container[str]]
        late=(),  # type: Iterable[str]
        secrets=None,  # type: Optional[Iterable[str]]
    ):  # type: (...) -> None
        self.wordlist = wordlist
        self.strategy = strategy
        self.level = NORMAL
        self.blocked = blocked
        self.remarks = tuple(remarks)
        self.rules = wordlist.rules(JOTTO)
        self.index = wordlist.indexed(self.rules)
        self.sayable = self.index.everything
        for word in wordlist.words if blocked is not None else ():
            if blocked is not None and blocked.blocks(word):
                self.sayable &= ~self.index.bit(word)
        self._late = self._bits(late)
        thinkable = (self.sayable if secrets is None else self._bits(secrets)) & ~self._late
        self._thinkable = thinkable or self.sayable
        self._hearable = {}  # type: Dict[Any, HearableWords]
        self._hard, self._familiar = hard, familiar
        self._minds = {NORMAL: self}  # type: Dict[str, Mind]

    def at(self, level):  # type: (str) -> Mind
        """Return the same mind as it thinks in games of a level: with another strategy and other secrets."""
        if level not in self._minds:
            other = copy.copy(self)
            other.level = level
            if level == EASY:
                other.strategy = self._like_a_person(self._minds[NORMAL].strategy)
            elif level == HARD and self._hard is not None:
                other.strategy = self._hard
            self._minds[level] = other
        return self._minds[level]

    def _like_a_person(self, strategy):  # type: (Strategy) -> Strategy
        """Return a strategy that asks words everybody knows, as long as such words fit, in place of the sharpest."""
        sets = [words for words in [self._bits(self._very_common())] + self._by_commonness() if words]
        if isinstance(strategy, Belief):
            return Belief(Commonest(sets), strategy.budget, strategy.rate, strategy.prior, strategy.may_ask)
        return Commonest(sets, None if isinstance(strategy, Walk) else strategy)

    def _by_commonness(self):  # type: () -> List[int]
        """Return the words of every size of list, the commonest first, as bit sets."""
        bands = sorted({band for band in self.wordlist.bands if band is not None})
        return [
            self._bits(word for word, band in zip(self.wordlist.words, self.wordlist.bands) if band == each)
            for each in bands
        ]

    def _bits(self, words):  # type: (Iterable[str]) -> int
        found = 0
        for word in words:
            found |= self.index.bit(word)
        return found & self.sayable

    def _very_common(self):  # type: () -> List[str]
        words = self._as_common_as(_EASY_SECRET_BAND)
        return [word for word in words if self._familiar is None or word in self._familiar] or words

    def secrets(self):  # type: () -> List[str]
        """List the words NAO thinks of, by the level: those a child knows, these and the common ones, or any.

        A list that names no familiar words has very common ones instead, and one that does not say how common its words
        are has all of them at every level.
        """
        words = self.index.chosen(self._thinkable)  # type: List[Any]
        if self.level == HARD:
            return words
        familiar = [word for word in words if self._familiar is not None and word in self._familiar]
        easy = familiar or self._as_common_as(_EASY_SECRET_BAND)
        if self.level == EASY and easy:
            return easy
        common = frozenset(self._as_common_as(_SECRET_BAND)).union(familiar)
        return [word for word in words if word in common] or words

    def _as_common_as(self, most):  # type: (int) -> List[Any]
        bands = dict(zip(self.wordlist.words, self.wordlist.bands))
        return [word for word in self.index.chosen(self._thinkable) if bands[word] is not None and bands[word] <= most]

    def hearable(self, taken, letters=frozenset()):  # type: (FrozenSet[str], FrozenSet[str]) -> HearableWords
        """Return the words to listen for, without phrases `taken` by another meaning; made once for each `taken`.

        Those of the alphabet words `letters` that are in the list are understood as words, too.
        """
        if (taken, letters) not in self._hearable:
            if len(self._hearable) >= _MAX_VOCABULARIES:
                self._hearable.clear()
            words = [
                word
                for word in self.index.chosen(self.sayable)
                if word not in taken and self.wordlist.written(word) not in taken
            ]
            if len(words) > MAX_HEARABLE_WORDS:
                # The list begins with the commonest, and ends with words of the player's own.
                words = words[: MAX_HEARABLE_WORDS - _MAX_OWN_WORDS] + words[-_MAX_OWN_WORDS:]
            both = [word for word in letters if self.knows(word) and self.may_say(word)]
            self._hearable[taken, letters] = HearableWords(
                [as_native("%s" % self.wordlist.written(word)) for word in words], frozenset(words).union(both)
            )
        return self._hearable[taken, letters]

    def fitting(self, game):  # type: (Game) -> int
        """Return the set of words NAO may still ask: those that fit every answer."""
        return self.sayable & self.index.candidates(game.turns)

    def left(self, game):  # type: (Game) -> int
        """Count the words that still fit."""
        return count_ones(self.fitting(game))

    def is_lost(self, game):  # type: (Game) -> bool
        """Tell whether the answers must be sorted out before another guess: no word fits them, or nearly fits them."""
        if self.fitting(game):
            return False
        if not isinstance(self.strategy, Belief):
            return True
        against = [
            off + far
            for (off, far), members in strategies.group_by_clashes(game.turns, self.index).items()
            if members & self.sayable
        ]
        return not against or min(against) >= MIN_CLASHES

    def is_certain(self, game):  # type: (Game) -> bool
        """Tell whether one word alone fits, and the answers are believed."""
        sure = not isinstance(self.strategy, Belief) or self.strategy.believes(self._position(game))
        return self.left(game) == 1 and sure

    def next_guess(self, game):  # type: (Game) -> Any
        """Return the strategy's guess, None when the game is lost."""
        if self.is_lost(game):
            return None
        guess = self.strategy.choose(self._position(game))  # type: Any
        return guess

    def _position(self, game):  # type: (Game) -> Position
        fitting = self.fitting(game)
        return strategies.Position(
            self.index, fitting, self.wordlist.bands, len(game.turns), game.seed, game.turns, self._late
        )

    def doubts(self, game):  # type: (Game) -> bool
        """Tell whether the open guess can hardly be the word: a tree asks such words to learn more."""
        if game.guess is None or not self.clashes(game.guess, game):
            return False
        # What fits all answers but one may well be it where nothing fits them all.
        return not isinstance(self.strategy, Belief) or self.strategy.doubts(self._position(game), game.guess)

    def outlook(self, game):  # type: (Game) -> Outlook
        """Return what the open guess would leave of the words that fit."""
        return explain.measure_guess(game.guess, self.index, self.fitting(game))

    def suspects(self, game):  # type: (Game) -> List[int]
        """List the turns by their numbers, most likely wrong first."""
        return [slip.turn for slip in explain.rank_slips(game.turns, self.index)]

    def clashes(self, word, game):  # type: (str, Game) -> List[Clash]
        """List the answers that speak against a word."""
        return explain.find_clashes(word, game.turns, game.rules)

    def knows(self, word):  # type: (str) -> bool
        """Tell whether the word is in the list."""
        return word in self.index

    def may_say(self, word):  # type: (str) -> bool
        """Tell whether the word is fit to be spoken."""
        return not (self.blocked and self.blocked.blocks(word))


# --- Finding the decision trees of a word list: the files beside the list, else those that come with the game.
#
# A list `en.tsv` has the trees `en.tree`, `en-2.tree`, `en-3.tree` and so on, all about as good: NAO draws one per
# game, so that games begin with different words. For hard games, in which all words are equally likely, it may have
# `en-hard.tree`, `en-hard-2.tree` and so on.
#
# Nothing here stops a game: a tree that cannot be used is left out, with a reason for the log.

TREE_SUFFIX = as_native(".tree")
#: Kinds of trees, as the names of their files have it.
USUAL_TREES, HARD_TREES = as_native(""), as_native("-hard")
#: More trees than this are not looked for.
_MAX_TREES = 9
#: A list is still the shipped one when at least this share of the shipped words is in it, since a few may be blocked;
#: and a tree is for a list when it knows at least this share of its words.
_MIN_SHARED_WORDS = 0.9
#: No word is likelier than another by more than this.
_MAX_WORD_WEIGHT = 10**6


def get_tree_path(place):  # type: (str) -> str
    """Return the path of the tree of the list at `place`."""
    return os.path.splitext(place)[0] + TREE_SUFFIX


def list_tree_paths(place, kind=USUAL_TREES):  # type: (str, str) -> List[str]
    """Return the paths of the trees of the list at `place` that are there, up to the first number that is not."""
    stem, paths = get_tree_path(place)[: -len(TREE_SUFFIX)] + kind, []  # type: str, List[str]
    for number in range(1, _MAX_TREES + 1):
        path = stem + (as_native("-%d" % number) if number > 1 else as_native("")) + TREE_SUFFIX
        if not os.path.isfile(path):
            break
        paths.append(path)
    return paths


def _stamp_files(place, shipped):  # type: (str, str) -> Tuple[Any, ...]
    """Return a value that changes whenever one of the files looked at changes."""
    paths = [
        path for base in (place, shipped) for kind in (USUAL_TREES, HARD_TREES) for path in list_tree_paths(base, kind)
    ]
    return tuple((os.path.getmtime(path), os.path.getsize(path)) for path in paths)


def find_trees(place, known, may_say, shipped, kind=USUAL_TREES):
    # type: (str, WordList, Callable[[str], bool], str, str) -> Tuple[List[Tree], List[str]]
    """Find the trees for the list `known` read from `place`; and say why trees that are there are left out.

    `shipped` is the path of the game's own list, whose trees are taken where the list has none that can be used. Where
    there is none of this kind, the usual ones beside the same list are taken.
    """
    reasons = []  # type: List[str]
    is_own = get_tree_path(place) == get_tree_path(shipped)
    for base in [place] if is_own else [place, shipped]:
        for each in [kind, USUAL_TREES] if kind != USUAL_TREES else [USUAL_TREES]:
            found = _read_usable_trees(
                list_tree_paths(base, each), known, may_say, shipped, reasons, is_own=base == place
            )
            if found:
                return found, reasons
    return [], reasons


def _read_usable_trees(paths, known, may_say, shipped, reasons, is_own):
    # type: (List[str], WordList, Callable[[str], bool], str, List[str], bool) -> List[Tree]
    """Read the trees at these paths that can be used; add to the `reasons` why others cannot."""
    found = []  # type: List[Tree]
    for path in paths:
        try:
            with io.open(path, "rb") as source:
                read = tree.read_tree(source.read(tree.MAX_TREE_BYTES + 1))
            found.append(bind_tree(read, known, may_say, shipped))
        except (JottoError, OSError, IOError) as error:
            # Say why a tree is not used; that a shipped one is for another list is no news.
            if is_own or not isinstance(error, ForeignTree):
                reasons.append("The tree '%s' is not used: %s" % (path_text(os.path.basename(path)), error))
    return found


def read_prior(found):  # type: (Optional[Tree]) -> Optional[Dict[int, int]]
    """Return how likely words are by their band, where the tree was made for that; None where all are alike."""
    weighting = None if found is None else found.certificate.get("weighting")
    if not isinstance(weighting, dict) or not all(map(_is_weight, weighting.items())):
        return None
    return {int(level): weight for level, weight in weighting.items()} or None


def _is_weight(item):  # type: (Tuple[str, Any]) -> bool
    level, weight = item
    return re.match("[0-9]{1,3}$", level) is not None and is_integer(weight) and 0 < weight <= _MAX_WORD_WEIGHT


def bind_tree(found, known, may_say, shipped):  # type: (Tree, WordList, Callable[[str], bool], str) -> Tree
    """Bind a tree to the list: to all its words, to those that are said, or to the shipped list it is nearly.

    Raises `ForeignTree` for the tree of another list, also of one that this list only begins with.
    """
    rules = known.rules(JOTTO)
    try:
        return _check_coverage(found.bound_to(known.words, rules), known)
    except ForeignTree:
        words = [word for word in known.words if may_say(word)]  # type: Sequence[str]
    try:
        return _check_coverage(found.bound_to(words, rules), known)
    except ForeignTree:
        if found.certificate["list"] != known.name:
            raise
    return _check_coverage(found.bound_to(_choose_nearest_words(words, shipped), rules), known)


def _check_coverage(found, known):  # type: (Tree, WordList) -> Tree
    """Refuse a tree that most words of the list lead off; words of the player's own behind it do not matter."""
    count = len(known.words)
    bands = known.bands
    while any(bands) and bands[count - 1] is None:
        count -= 1
    if found.certificate["words"] < _MIN_SHARED_WORDS * count:
        raise ForeignTree(
            "The tree is for %d of the %d words of this list; make one with 'jotto solve'."
            % (found.certificate["words"], count)
        )
    return found


def _choose_nearest_words(words, shipped):  # type: (Sequence[str], str) -> Sequence[str]
    """Return the words of the shipped list if most of them are among these, else these."""
    with io.open(shipped, "rb") as source:
        theirs = wordlist.parse_word_list(source.read(wordlist.MAX_LIST_BYTES + 1), JOTTO, "shipped").wordlist.words
    return theirs if len(set(theirs).intersection(words)) >= _MIN_SHARED_WORDS * len(theirs) else words


# --- Lines and word lists, read once per file and kept: reading them again each turn would cost seconds on NAO.

HERE = os.path.dirname(os.path.abspath(__file__))
#: The word lists stand beside the package: in a robot's `lib`, or two folders up in the project.
#: Paths are native text: Python 2.7 joins no other with a folder that has an accent.
LIST_FOLDERS = tuple(
    as_native(folder) for folder in ("../wordlists", "../../wordlists", "../jotto_desk/shipped/wordlists")
)
#: The words NAO never says: those of English, and those of another language.
_BLOCK_LIST_FILE, _BLOCK_LIST_FILE_OF = "blocked.sha256", "%s-blocked.sha256"
#: Files of a language: its list, words that sound like others, words everybody knows, which trees ask early, words
#: unfit for children, which NAO never thinks of and asks last, and the words that NAO thinks of.
_LIST_FILE, _SOUND_ALIKES_FILE, _FAMILIAR_FILE, _LATE_FILE = (
    "%s.tsv",
    "%s-sound-alikes.txt",
    "%s-early.txt",
    "%s-late.txt",
)
_SECRETS_FILE = "%s-secrets.txt"
#: A walk on the list's tree, if it has one, that plays on when an answer may be wrong.
DEFAULT_STRATEGY = Belief.name

_KEPT = {}  # type: Dict[Any, Any]
_MAX_KEPT = 12


class MissingFile(JottoError):
    """A file that belongs to the game is not there."""


def _keep(key, make):  # type: (Any, Callable[[], Any]) -> Any
    """Cache what was made of unchanging input; drop all when there is too much of it."""
    if key not in _KEPT:
        if len(_KEPT) >= _MAX_KEPT:
            _KEPT.clear()
        _KEPT[key] = make()
    return _KEPT[key]


def load_lines(language=DEFAULT_LANGUAGE):  # type: (str) -> Lines
    """Return the lines of a language."""

    def make():  # type: () -> Lines
        return lines.read_lines(HERE, language, _read_sound_alikes(language))

    kept = _keep(("lines", language), make)  # type: Lines
    return kept


def _read_sound_alikes(language):  # type: (str) -> FrozenSet[str]
    """Return the words of a language that sound like others; English alone cannot do without the file."""
    name = _SOUND_ALIKES_FILE % language
    if language != DEFAULT_LANGUAGE and not _find_file(name):
        return frozenset()
    with io.open(_require_file(name), encoding="utf-8") as source:
        return frozenset(row.partition("\t")[0] for row in source if not row.startswith("#"))


def load_block_list(language=DEFAULT_LANGUAGE):  # type: (str) -> BlockList
    """Return the words NAO never says in a language: what is rude in one is a plain word of another."""

    def make():  # type: () -> BlockList
        path = (
            _require_file(_BLOCK_LIST_FILE)
            if language == DEFAULT_LANGUAGE
            else _find_file(_BLOCK_LIST_FILE_OF % language)
        )
        if path is None:
            return wordlist.EMPTY_BLOCK_LIST
        with io.open(path, "rb") as source:
            return wordlist.read_block_list(source.read(wordlist.MAX_BLOCK_LIST_BYTES + 1))

    kept = _keep(("blocked", language), make)  # type: BlockList
    return kept


def get_default_list(language=DEFAULT_LANGUAGE):  # type: (str) -> str
    """Return the path of the list played with by default in a language."""
    return _require_file(_LIST_FILE % language)


def has_words(language, path=""):  # type: (str, str) -> bool
    """Tell whether there are words to play with in a language: the list at a path, if one is given, or its own."""
    return bool(path or _find_file(_LIST_FILE % language))


def open_notebook(folder, language=DEFAULT_LANGUAGE):  # type: (Optional[str], str) -> Notebook
    """Open the notebook in a folder, for words of a language."""
    return Notebook(folder, language, load_lines(language).alphabet)


def load_mind(path, strategy, learned, language=DEFAULT_LANGUAGE):  # type: (str, str, Sequence[str], str) -> Mind
    """Return what NAO knows: the list at `path` (empty: the language's) with the learned words, and the strategy.

    A walk gets the list's trees where there are any; belief walks while the answers fit. Raises `WordListError` or
    `UnknownStrategy`.
    """
    shipped = get_default_list(language)
    place = as_path(path) if path else shipped
    chosen, rude = strategies.find_strategy(strategy or DEFAULT_STRATEGY), load_block_list(language)
    walks = chosen.name in (Walk.name, Belief.name)

    def may_say(word):  # type: (Any) -> bool
        return not rude.blocks(word)

    def make():  # type: () -> Mind
        with io.open(place, "rb") as source:
            content = source.read(wordlist.MAX_LIST_BYTES + 1)
        reading = wordlist.parse_word_list(content, JOTTO, os.path.splitext(path_text(os.path.basename(place)))[0])
        way, hard, remarks = chosen, None, []  # type: Strategy, Optional[Strategy], List[str]
        if walks:
            way, hard, remarks = _make_walks(place, reading.wordlist, chosen, may_say, shipped)
        familiar, late, secrets = _read_choices(language, place)
        late, secrets = (late or frozenset()).difference(learned), secrets and secrets.union(learned)
        known = Mind(reading.wordlist.joined(learned), way, rude, remarks, hard, familiar, late, secrets)
        if not known.sayable:
            raise WordListError("The list '%s' has no word that NAO says; give another one." % path)
        return known

    try:
        state = (os.path.getmtime(place), _stamp_files(place, shipped) if walks else ())
        made = _keep(("mind", place, state, chosen.name, tuple(learned), language), make)  # type: Mind
    except (OSError, IOError, ValueError, TypeError) as error:
        # Python raises the last two for a path that no file can have.
        if isinstance(error, JottoError):
            raise
        raise MissingFile("The word list '%s' cannot be read (%s)." % (path, error))
    return made


def _make_walks(place, known, chosen, may_say, shipped):
    # type: (str, WordList, Strategy, Callable[[Any], bool], str) -> Tuple[Strategy, Strategy, List[str]]
    """Return the strategy chosen on the trees of a list, on those of its hard games, and remarks about them."""
    found, remarks = find_trees(place, known, may_say, shipped)
    way = _make_walk(found, chosen, read_prior(found[0] if found else None), may_say)
    expected, more = find_trees(place, known, may_say, shipped, HARD_TREES)
    return (
        way,
        _make_walk(expected, chosen, None, may_say),
        remarks + [remark for remark in more if remark not in remarks],
    )


def _make_walk(found, chosen, prior, may_say):
    # type: (List[Tree], Strategy, Optional[Dict[int, int]], Callable[[Any], bool]) -> Strategy
    """Return the strategy chosen as it walks on these trees."""
    walk = Walk(found[0] if found else None, may_ask=may_say, more=found[1:])
    return Belief(walk, prior=prior, may_ask=may_say) if chosen.name == Belief.name else walk


def _read_words(file, language):  # type: (str, str) -> Optional[FrozenSet[str]]
    """Return the words of one of a language's files (such as `LATE_FILE`), None if the game lacks it."""
    try:
        with io.open(_require_file(file % language), "rb") as source:
            content = source.read(wordlist.MAX_LIST_BYTES + 1)
        rules = replace_letters(JOTTO, load_lines(language).alphabet)
        return frozenset(wordlist.parse_word_list(content, rules, file % language).wordlist.words)
    except (JottoError, OSError, IOError):
        return None


def _read_choices(language, place):  # type: (str, str) -> List[Optional[FrozenSet[str]]]
    """Return the familiar words of the list at `place`, the late ones and the secrets; None for a player's own list."""
    is_own = os.path.realpath(place) != os.path.realpath(get_default_list(language))
    return [None if is_own else _read_words(file, language) for file in (_FAMILIAR_FILE, _LATE_FILE, _SECRETS_FILE)]


def list_own_modules():  # type: () -> List[Any]
    """List the modules of the game that are loaded."""
    own = as_native("jotto")
    return [module for name, module in list(sys.modules.items()) if name.startswith(own)]


def _require_file(name):  # type: (str) -> str
    path = _find_file(name)
    if path is None:
        raise MissingFile("'%s' is missing beside the game; stage or install it again." % name)
    return path


def _find_file(name):  # type: (str) -> Optional[str]
    """Return the path of a file that comes with the game, None where it is not there."""
    paths = (os.path.normpath(os.path.join(HERE, folder, as_native(name))) for folder in LIST_FOLDERS)
    return next((path for path in paths if os.path.exists(path)), None)
