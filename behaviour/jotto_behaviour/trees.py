"""Finding the decision trees of a word list: the files beside the list, else those that come with the game.

A list `en.tsv` has the trees `en.tree`, `en-2.tree`, `en-3.tree` and so on, all about as good: NAO draws one per game,
so that games begin with different words. For hard games, in which all words are equally likely, it may have
`en-hard.tree`, `en-hard-2.tree` and so on.

Nothing here stops a game: a tree that cannot be used is left out, with a reason for the log.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os
import re

from jotto import tree
from jotto import words as wordlist
from jotto.compat import as_native, is_integer, path_text
from jotto.rules import JOTTO, ForeignTree, JottoError

MYPY = False
if MYPY:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

    from jotto.tree import Tree
    from jotto.words import WordList

SUFFIX = as_native(".tree")
#: Kinds of trees, as the names of their files have it.
USUAL, HARD = as_native(""), as_native("-hard")
#: More trees than this are not looked for.
MOST_TREES = 9
#: A list is still the shipped one when at least this share of the shipped words is in it, since a few may be blocked;
#: and a tree is for a list when it knows at least this share of its words.
SHARE = 0.9
#: No word is likelier than another by more than this.
MOST_WEIGHT = 10**6


def beside(place):  # type: (str) -> str
    """Return the path of the tree of the list at `place`."""
    return os.path.splitext(place)[0] + SUFFIX


def all_beside(place, kind=USUAL):  # type: (str, str) -> List[str]
    """Return the paths of the trees of the list at `place` that are there, up to the first number that is not."""
    stem, paths = beside(place)[: -len(SUFFIX)] + kind, []  # type: str, List[str]
    for number in range(1, MOST_TREES + 1):
        path = stem + (as_native("-%d" % number) if number > 1 else as_native("")) + SUFFIX
        if not os.path.isfile(path):
            break
        paths.append(path)
    return paths


def stamp(place, shipped):  # type: (str, str) -> Tuple[Any, ...]
    """Return a value that changes whenever one of the files looked at changes."""
    paths = [path for base in (place, shipped) for kind in (USUAL, HARD) for path in all_beside(base, kind)]
    return tuple((os.path.getmtime(path), os.path.getsize(path)) for path in paths)


def find(place, known, may_say, shipped, kind=USUAL):
    # type: (str, WordList, Callable[[str], bool], str, str) -> Tuple[List[Tree], List[str]]
    """Find the trees for the list `known` read from `place`; and say why trees that are there are left out.

    `shipped` is the path of the game's own list, whose trees are taken where the list has none that can be used. Where
    there is none of this kind, the usual ones beside the same list are taken.
    """
    reasons = []  # type: List[str]
    is_own = beside(place) == beside(shipped)
    for base in [place] if is_own else [place, shipped]:
        for each in [kind, USUAL] if kind != USUAL else [USUAL]:
            found = _usable(all_beside(base, each), known, may_say, shipped, reasons, is_own=base == place)
            if found:
                return found, reasons
    return [], reasons


def _usable(paths, known, may_say, shipped, reasons, is_own):
    # type: (List[str], WordList, Callable[[str], bool], str, List[str], bool) -> List[Tree]
    """Read the trees at these paths that can be used; add to the `reasons` why others cannot."""
    found = []  # type: List[Tree]
    for path in paths:
        try:
            with io.open(path, "rb") as source:
                read = tree.read_tree(source.read(tree.MAX_TREE_BYTES + 1))
            found.append(bound(read, known, may_say, shipped))
        except (JottoError, OSError, IOError) as error:
            # Say why a tree is not used; that a shipped one is for another list is no news.
            if is_own or not isinstance(error, ForeignTree):
                reasons.append("The tree '%s' is not used: %s" % (path_text(os.path.basename(path)), error))
    return found


def prior(found):  # type: (Optional[Tree]) -> Optional[Dict[int, int]]
    """Return how likely words are by their band, where the tree was made for that; None where all are alike."""
    weighting = None if found is None else found.certificate.get("weighting")
    if not isinstance(weighting, dict) or not all(map(_is_weight, weighting.items())):
        return None
    return {int(level): weight for level, weight in weighting.items()} or None


def _is_weight(item):  # type: (Tuple[str, Any]) -> bool
    level, weight = item
    return re.match("[0-9]{1,3}$", level) is not None and is_integer(weight) and 0 < weight <= MOST_WEIGHT


def bound(found, known, may_say, shipped):  # type: (Tree, WordList, Callable[[str], bool], str) -> Tree
    """Bind a tree to the list: to all its words, to those that are said, or to the shipped list it is nearly.

    Raises `ForeignTree` for the tree of another list, also of one that this list only begins with.
    """
    rules = known.rules(JOTTO)
    try:
        return _covering(found.bound_to(known.words, rules), known)
    except ForeignTree:
        words = [word for word in known.words if may_say(word)]  # type: Sequence[str]
    try:
        return _covering(found.bound_to(words, rules), known)
    except ForeignTree:
        if found.certificate["list"] != known.name:
            raise
    return _covering(found.bound_to(_nearly(words, shipped), rules), known)


def _covering(found, known):  # type: (Tree, WordList) -> Tree
    """Refuse a tree that most words of the list lead off; words of the player's own behind it do not matter."""
    count = len(known.words)
    bands = known.bands
    while any(bands) and bands[count - 1] is None:
        count -= 1
    if found.certificate["words"] < SHARE * count:
        raise ForeignTree(
            "The tree is for %d of the %d words of this list; make one with 'jotto solve'."
            % (found.certificate["words"], count)
        )
    return found


def _nearly(words, shipped):  # type: (Sequence[str], str) -> Sequence[str]
    """Return the words of the shipped list if most of them are among these, else these."""
    with io.open(shipped, "rb") as source:
        theirs = wordlist.parse_word_list(source.read(wordlist.MAX_LIST_BYTES + 1), JOTTO, "shipped").wordlist.words
    return theirs if len(set(theirs).intersection(words)) >= SHARE * len(theirs) else words
