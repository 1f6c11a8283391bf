"""NAO's knowledge and thinking: a word list, a strategy, decision trees, and what fits a game.

`load_mind` makes a `Mind` of the files of a list. Lines, lists and trees are read once and kept, as reading them again
each turn would cost seconds on NAO.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import io
import itertools
import os
import re
import sys
from collections import namedtuple

from jotto import explain, strategies, tree
from jotto.compat import as_native, as_path, count_ones, format_path, is_integer
from jotto.game import Game
from jotto.rules import JOTTO, ForeignTree, JottoError, WordListError
from jotto.strategies import Belief, Commonest, Position, Strategy, Walk
from jotto.tree import HARD_TREES, TREE_SUFFIX, USUAL_TREES, Tree, list_tree_endings
from jotto.words import (
    EMPTY_BLOCK_LIST,
    MAX_BLOCK_LIST_BYTES,
    MAX_LIST_BYTES,
    BlockList,
    WordList,
    parse_block_list,
    parse_word_list,
    replace_letters,
)
from jotto_behaviour import lines
from jotto_behaviour.files import Notebook
from jotto_behaviour.settings import DEFAULT_LANGUAGE, EASY, HARD, NORMAL

MYPY = False
if MYPY:
    from typing import Any, Callable, Container, Dict, FrozenSet, Iterable, List, Optional, Sequence, Tuple

#: How common secrets are, if known: the size of the smallest word list that has them (10 is the smallest).
_SECRET_BAND = 20
#: The same for easy games.
_EASY_SECRET_BAND = 10
#: Words that a recogniser is asked to know at most; the others can be spelled.
MAX_HEARABLE_WORDS = 5000
#: Those of them that are reserved for the last words of a list, which are the player's own.
_MAX_OWN_WORDS = 500
#: Vocabularies in memory: for a guess, while NAO confirms something and while it does not, in two languages.
_MAX_VOCABULARIES = 4

#: Words that NAO listens for: `phrases` for the recogniser, `words` as a set of text that includes alphabet words.
HearableWords = namedtuple("HearableWords", "phrases words")

#: NAO looks for the wrong answer once every word contradicts this many answers, as one mistake is likelier than two.
MIN_CLASHES = 2


class Mind(object):
    """One word list thought about with one strategy; words on the block list are never guessed.

    With `jotto.strategies.Belief` NAO plays on when no word fits every answer, as long as words fit all but one.

    `remarks` are sentences for the log about files that could not be used. `hard` is the strategy of hard games, the
    same one if it is None; `familiar` words are known to every child: the secrets and first questions of easy
    games. `late` words are unfit for children: NAO never thinks of one, and asks one only if no other word fits. NAO
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
        self.rules = wordlist.adapt_rules(JOTTO)
        self.index = wordlist.build_index(self.rules)
        self.sayable = self.index.everything
        for word in wordlist.words if blocked is not None else ():
            if blocked is not None and blocked.blocks(word):
                self.sayable &= ~self.index.select_word(word)
        self._late = self._select_words(late)
        thinkable = (self.sayable if secrets is None else self._select_words(secrets)) & ~self._late
        self._thinkable = thinkable or self.sayable
        self._hearable = {}  # type: Dict[Any, HearableWords]
        self._hard, self._familiar = hard, familiar
        self._minds = {NORMAL: self}  # type: Dict[str, Mind]

    def choose_level(self, level):  # type: (str) -> Mind
        """Return the same mind as it thinks in games of a level: with another strategy and other secrets."""
        if level not in self._minds:
            other = copy.copy(self)
            other.level = level
            if level == EASY:
                other.strategy = self._choose_familiar_strategy(self._minds[NORMAL].strategy)
            elif level == HARD and self._hard is not None:
                other.strategy = self._hard
            self._minds[level] = other
        return self._minds[level]

    def _choose_familiar_strategy(self, strategy):  # type: (Strategy) -> Strategy
        """Return a strategy that asks words everybody knows, as long as such words fit, instead of the best ones."""
        sets = [
            words for words in [self._select_words(self._select_very_common())] + self._group_by_commonness() if words
        ]
        if isinstance(strategy, Belief):
            return Belief(Commonest(sets), strategy.budget, strategy.rate, strategy.prior, strategy.may_ask)
        return Commonest(sets, None if isinstance(strategy, Walk) else strategy)

    def _group_by_commonness(self):  # type: () -> List[int]
        """Return the words of every size of list, the commonest first, as bit sets."""
        bands = sorted({band for band in self.wordlist.bands if band is not None})
        return [
            self._select_words(word for word, band in zip(self.wordlist.words, self.wordlist.bands) if band == each)
            for each in bands
        ]

    def _select_words(self, words):  # type: (Iterable[str]) -> int
        found = 0
        for word in words:
            found |= self.index.select_word(word)
        return found & self.sayable

    def _select_very_common(self):  # type: () -> List[str]
        words = self._as_common_as(_EASY_SECRET_BAND)
        return [word for word in words if self._familiar is None or word in self._familiar] or words

    def list_secrets(self):  # type: () -> List[str]
        """List the words NAO may think of, by level: those a child knows, the common ones, or any.

        Without familiar words, very common words take their place. If the list does not say how common its words are,
        every word is allowed at every level.
        """
        words = self.index.list_words(self._thinkable)  # type: List[Any]
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
        return [
            word for word in self.index.list_words(self._thinkable) if bands[word] is not None and bands[word] <= most
        ]

    def list_hearable_words(self, taken, letters=frozenset()):  # type: (FrozenSet[str], FrozenSet[str]) -> HearableWords
        """Return the words to listen for, without phrases `taken` by another meaning; made once for each `taken`.

        The alphabet words `letters` that are in the list are understood as words, too.
        """
        if (taken, letters) not in self._hearable:
            if len(self._hearable) >= _MAX_VOCABULARIES:
                self._hearable.clear()
            words = [
                word
                for word in self.index.list_words(self.sayable)
                if word not in taken and self.wordlist.write_word(word) not in taken
            ]
            if len(words) > MAX_HEARABLE_WORDS:
                # The list begins with the commonest, and ends with words of the player's own.
                words = words[: MAX_HEARABLE_WORDS - _MAX_OWN_WORDS] + words[-_MAX_OWN_WORDS:]
            both = [word for word in letters if self.knows(word) and self.may_say(word)]
            self._hearable[taken, letters] = HearableWords(
                [as_native("%s" % self.wordlist.write_word(word)) for word in words], frozenset(words).union(both)
            )
        return self._hearable[taken, letters]

    def find_fitting(self, game):  # type: (Game) -> int
        """Return the set of words NAO may still ask: those that fit every answer."""
        return self.sayable & self.index.find_candidates(game.turns)

    def count_fitting(self, game):  # type: (Game) -> int
        """Count the words that still fit."""
        return count_ones(self.find_fitting(game))

    def is_lost(self, game):  # type: (Game) -> bool
        """Return whether no word fits or nearly fits the answers, so that NAO must look for the wrong one."""
        if self.find_fitting(game):
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
        """Return whether only one word fits, and the answers are believed."""
        sure = not isinstance(self.strategy, Belief) or self.strategy.believes(self._make_position(game))
        return self.count_fitting(game) == 1 and sure

    def choose_guess(self, game):  # type: (Game) -> Any
        """Return the strategy's guess, None if the game is lost."""
        if self.is_lost(game):
            return None
        guess = self.strategy.choose(self._make_position(game))  # type: Any
        return guess

    def _make_position(self, game):  # type: (Game) -> Position
        fitting = self.find_fitting(game)
        return strategies.Position(
            self.index, fitting, self.wordlist.bands, len(game.turns), game.seed, game.turns, self._late
        )

    def doubts(self, game):  # type: (Game) -> bool
        """Return whether the open guess can hardly be the word: a tree asks such words to learn more."""
        if game.guess is None or not self.list_clashes(game.guess, game):
            return False
        # If no word fits all answers, one that fits all but one may well be the word.
        return not isinstance(self.strategy, Belief) or self.strategy.doubts(self._make_position(game), game.guess)

    def predict_effect(self, game):  # type: (Game) -> explain.Outlook
        """Return what the open guess would leave of the words that fit."""
        return explain.measure_guess(game.guess, self.index, self.find_fitting(game))

    def list_suspects(self, game):  # type: (Game) -> List[int]
        """List the turns by their numbers, most likely wrong first."""
        return [slip.turn for slip in explain.rank_slips(game.turns, self.index)]

    def list_clashes(self, word, game):  # type: (str, Game) -> List[explain.Clash]
        """List the answers that contradict a word."""
        return explain.find_clashes(word, game.turns, game.rules)

    def knows(self, word):  # type: (str) -> bool
        """Return whether the word is in the list."""
        return word in self.index

    def find_nearest(self, word, game):  # type: (str, Game) -> Optional[str]
        """Return the word of the list that differs in one letter from this one, which the player might have meant.

        Among several it is the only one that fits the game's answers; None if none exists or no such one.
        """
        near = [
            "%s" % other
            for other in self.index.list_words(self.sayable)
            if sum(mine != theirs for mine, theirs in zip(word, other)) == 1
        ]
        if len(near) > 1:
            near = [other for other in near if self.index.select_word(other) & self.find_fitting(game)]
        return near[0] if len(near) == 1 else None

    def may_say(self, word):  # type: (str) -> bool
        """Return whether the word is fit to be spoken."""
        return not (self.blocked and self.blocked.blocks(word))


# The decision trees of a word list. NAO draws one per game, so that games begin with different words. A tree that
# cannot be used is left out, with a reason for the log.

#: Least share of the shipped words in a list that counts as the shipped one, since a few can be blocked; and least
#: share of a list's words that its tree knows.
_MIN_SHARED_WORDS = 0.9
#: How many times likelier a word can be than another; certificates with more are refused.
_MAX_WORD_WEIGHT = 10**6


def get_tree_path(place):  # type: (str) -> str
    """Return the path of the tree of the list at `place`."""
    return os.path.splitext(place)[0] + TREE_SUFFIX


def list_tree_paths(place, kind=USUAL_TREES):  # type: (str, str) -> List[str]
    """Return the paths of the trees of the list at `place` that are there, up to the first number that is not."""
    paths = [os.path.splitext(place)[0] + ending for ending in list_tree_endings(kind)]
    return list(itertools.takewhile(os.path.isfile, paths))


def _stamp_files(place, shipped, walks):  # type: (str, str, bool) -> Tuple[Any, ...]
    """Return a value that changes whenever the list at `place` changes or, if they are walked, one of the trees."""
    bases = [place] if place == shipped else [place, shipped]
    kinds = [(base, kind) for base in bases for kind in (USUAL_TREES, HARD_TREES)] if walks else []
    seen = [os.stat(place)] + [os.stat(path) for base, kind in kinds for path in list_tree_paths(base, kind)]
    return tuple((each.st_mtime, each.st_size) for each in seen)


def find_trees(place, known, may_say, shipped, kind=USUAL_TREES):
    # type: (str, WordList, Callable[[str], bool], str, str) -> Tuple[List[Tree], List[str]]
    """Return the trees for the list `known` read from `place`, and the reasons why others are left out.

    `shipped` is the path of the game's own list; its trees are used if the list has no usable ones. If there is no tree
    of this kind, the usual ones next to the same list are used.
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
                read = tree.parse_tree(source.read(tree.MAX_TREE_BYTES + 1))
            found.append(bind_tree(read, known, may_say, shipped))
        except (JottoError, OSError, IOError) as error:
            # That a shipped tree is for another list is not worth a line in the log.
            if is_own or not isinstance(error, ForeignTree):
                reasons.append("The tree '%s' is not used: %s" % (format_path(os.path.basename(path)), error))
    return found


def find_prior(found):  # type: (Optional[Tree]) -> Optional[Dict[int, int]]
    """Return the weights of words by band that the tree was made for; None if all words are equally likely."""
    weighting = None if found is None else found.certificate.get("weighting")
    if not isinstance(weighting, dict) or not all(map(_is_weight, weighting.items())):
        return None
    return {int(level): weight for level, weight in weighting.items()} or None


def _is_weight(item):  # type: (Tuple[str, Any]) -> bool
    level, weight = item
    return re.match("[0-9]{1,3}$", level) is not None and is_integer(weight) and 0 < weight <= _MAX_WORD_WEIGHT


def bind_tree(found, known, may_say, shipped):  # type: (Tree, WordList, Callable[[str], bool], str) -> Tree
    """Return the tree bound to all words of the list, to those that can be said, or to the shipped list.

    Raises `ForeignTree` for the tree of another list, even of one that this list begins with.
    """
    rules = known.adapt_rules(JOTTO)
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
    """Refuse a tree that knows too few words of the list; the player's own words at the end do not count."""
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
        theirs = parse_word_list(source.read(MAX_LIST_BYTES + 1), JOTTO, "shipped").wordlist.words
    return theirs if len(set(theirs).intersection(words)) >= _MIN_SHARED_WORDS * len(theirs) else words


# Lines and word lists, read once per file and kept.

HERE = os.path.dirname(os.path.abspath(__file__))
#: The folders of the word lists: next to the package in a robot's `lib`, or two folders up in the project. Paths are
#: native text, as Python 2.7 cannot join other text with a folder that has an accent.
LIST_FOLDERS = tuple(
    as_native(folder) for folder in ("../wordlists", "../../wordlists", "../jotto_desk/shipped/wordlists")
)
#: The files of the words NAO never says: of English, and of another language by its code.
_BLOCK_LIST_FILE = "blocked.sha256"
_BLOCK_LIST_FILE_OF = "%s-blocked.sha256"
#: Files of a language by its code: its list, and words that sound like others.
_LIST_FILE = "%s.tsv"
_SOUND_ALIKES_FILE = "%s-sound-alikes.txt"
#: Words everybody knows, which trees ask early; words unfit for children, which NAO never thinks of and asks last.
_FAMILIAR_FILE = "%s-early.txt"
_LATE_FILE = "%s-late.txt"
#: The words that NAO thinks of.
_SECRETS_FILE = "%s-secrets.txt"
#: The usual strategy: it follows the list's tree, and plays on if an answer is probably wrong.
DEFAULT_STRATEGY = Belief.name

#: Lines, lists and minds by their files, and the number of them in memory.
_KEPT = {}  # type: Dict[Any, Any]
_MAX_KEPT = 12
#: What `_look_at_files` has found for the latest game, by its arguments.
_SEEN = {}  # type: Dict[Any, Dict[Any, Tuple[str, str, Any]]]


class MissingFile(JottoError):
    """A file that belongs to the game is not there."""


def _keep(key, make):  # type: (Any, Callable[[], Any]) -> Any
    """Cache a value made from unchanging input; drop all values if there are too many."""
    if key not in _KEPT:
        if len(_KEPT) >= _MAX_KEPT:
            _KEPT.clear()
        _KEPT[key] = make()
    return _KEPT[key]


def load_lines(language=DEFAULT_LANGUAGE):  # type: (str) -> lines.Lines
    """Return the lines of a language."""

    def make():  # type: () -> lines.Lines
        return lines.read_lines(HERE, language, _read_sound_alikes(language))

    kept = _keep(("lines", language), make)  # type: lines.Lines
    return kept


def _read_sound_alikes(language):  # type: (str) -> FrozenSet[str]
    """Return the words of a language that sound like others; only English needs the file."""
    name = _SOUND_ALIKES_FILE % language
    if language != DEFAULT_LANGUAGE and not _find_file(name):
        return frozenset()
    with io.open(_require_file(name), encoding="utf-8") as source:
        return frozenset(row.partition("\t")[0] for row in source if not row.startswith("#"))


def load_block_list(language=DEFAULT_LANGUAGE):  # type: (str) -> BlockList
    """Return the words NAO never says in a language; each language has its own list."""

    def make():  # type: () -> BlockList
        path = (
            _require_file(_BLOCK_LIST_FILE)
            if language == DEFAULT_LANGUAGE
            else _find_file(_BLOCK_LIST_FILE_OF % language)
        )
        if path is None:
            return EMPTY_BLOCK_LIST
        with io.open(path, "rb") as source:
            return parse_block_list(source.read(MAX_BLOCK_LIST_BYTES + 1))

    kept = _keep(("blocked", language), make)  # type: BlockList
    return kept


def get_default_list(language=DEFAULT_LANGUAGE):  # type: (str) -> str
    """Return the path of the list played with by default in a language."""
    return _require_file(_LIST_FILE % language)


def has_words(language, path=""):  # type: (str, str) -> bool
    """Return whether there are words to play with in a language: the list at a path, if one is given, or its own."""
    return bool(path or _find_file(_LIST_FILE % language))


def open_notebook(folder, language=DEFAULT_LANGUAGE):  # type: (Optional[str], str) -> Notebook
    """Open the notebook in a folder, for words of a language."""
    return Notebook(folder, language, load_lines(language).alphabet)


def _find_list(path):  # type: (str) -> str
    place = as_path(path)
    is_elsewhere = os.path.basename(place) != place or os.path.exists(place)
    return place if is_elsewhere else _find_file(path) or place


def _look_at_files(path, language, walks, game):  # type: (str, str, bool, Any) -> Tuple[str, str, Any]
    """Return the places of the list at `path` and of the shipped one, and a stamp of the files; look once a game."""
    if game is None or game not in _SEEN:
        _SEEN.clear()
    seen, wanted = _SEEN.setdefault(game, {}), (path, language, walks)
    if wanted not in seen:
        shipped = get_default_list(language)
        place = _find_list(path) if path else shipped
        seen[wanted] = place, shipped, _stamp_files(place, shipped, walks)
    return seen[wanted]


def load_mind(path, strategy, learned, language=DEFAULT_LANGUAGE, game=None):
    # type: (str, str, Sequence[str], str, Any) -> Mind
    """Return what NAO knows: the list at `path` (empty: the language's) with the learned words, and the strategy.

    A bare name is the name of a file here or, on a robot, next to the game's own lists.
    The strategies "tree" and "belief" follow the list's trees if there are any. Files that have changed are read again;
    calls with the same `game`, if it is not None, look at them only once. Raises `WordListError` or `UnknownStrategy`.
    """
    chosen, rude = strategies.find_strategy(strategy or DEFAULT_STRATEGY), load_block_list(language)
    walks = chosen.name in (Walk.name, Belief.name)

    def may_say(word):  # type: (Any) -> bool
        return not rude.blocks(word)

    def make():  # type: () -> Mind
        with io.open(place, "rb") as source:
            content = source.read(MAX_LIST_BYTES + 1)
        reading = parse_word_list(content, JOTTO, os.path.splitext(format_path(os.path.basename(place)))[0])
        way, hard, remarks = chosen, None, []  # type: Strategy, Optional[Strategy], List[str]
        if walks:
            way, hard, remarks = _make_walks(place, reading.wordlist, chosen, may_say, shipped)
        familiar, late, secrets = _read_choices(language, place)
        late, secrets = (late or frozenset()).difference(learned), secrets and secrets.union(learned)
        known = Mind(reading.wordlist.add_words(learned), way, rude, remarks, hard, familiar, late, secrets)
        if not known.sayable:
            raise WordListError("The list '%s' has no word that NAO says; give another one." % path)
        return known

    try:
        place, shipped, state = _look_at_files(path, language, walks, game)
        made = _keep(("mind", place, state, chosen.name, tuple(learned), language), make)  # type: Mind
    except (OSError, IOError, ValueError, TypeError) as error:
        # Python raises the last two for a path that no file can have.
        if isinstance(error, JottoError):
            raise
        raise MissingFile("The word list '%s' cannot be read (%s)." % (path, error))
    return made


def _make_walks(place, known, chosen, may_say, shipped):
    # type: (str, WordList, Strategy, Callable[[Any], bool], str) -> Tuple[Strategy, Strategy, List[str]]
    """Return the strategy chosen on the trees of a list and of its hard games, and remarks about them."""
    found, remarks = find_trees(place, known, may_say, shipped)
    way = _make_walk(found, chosen, find_prior(found[0] if found else None), may_say)
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
    """Return the words of one of a language's files (such as `_LATE_FILE`), None if the game lacks it."""
    try:
        with io.open(_require_file(file % language), "rb") as source:
            content = source.read(MAX_LIST_BYTES + 1)
        rules = replace_letters(JOTTO, load_lines(language).alphabet)
        return frozenset(parse_word_list(content, rules, file % language).wordlist.words)
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
        raise MissingFile("'%s' is missing next to the game; stage or install it again." % name)
    return path


def _find_file(name):  # type: (str) -> Optional[str]
    """Return the path of a file that comes with the game, None if it is not there."""
    paths = (os.path.normpath(os.path.join(HERE, folder, as_native(name))) for folder in LIST_FOLDERS)
    return next((path for path in paths if os.path.exists(path)), None)
