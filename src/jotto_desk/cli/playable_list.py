"""The list of a game and its trees, put where the robot finds them."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jotto import tree as engine_tree
from jotto import tree as treefile
from jotto.rules import JOTTO, LETTERS, JottoError
from jotto.words import WordList
from jotto_behaviour import mind
from jotto_behaviour.settings import DEFAULT_LANGUAGE

from .. import files, words
from ..errors import DeskError


@contextlib.contextmanager
def playable(source: str, tree: str = "", language: str = DEFAULT_LANGUAGE) -> Iterator[tuple[WordList, str]]:
    """Load a list for a game: the words, and the path of a file of them for the robot (empty for the robot's own).

    Without a source it is the list of the language.

    A tree given, or those lying beside the list, lie beside that file. Raises `DeskError` for what cannot be read, and
    for a tree given that is not for this list.
    """
    wordlist = words.load(source, JOTTO) if source else _own_list(language)
    plain = _own_list(language, own=False)
    walked = {mind.USUAL_TREES + mind.TREE_SUFFIX: _given(tree, wordlist, language)} if tree else _beside(source)
    if wordlist.checksum == plain.checksum and not walked:
        yield wordlist, ""
        return
    with tempfile.TemporaryDirectory(prefix="jotto-") as folder:
        path = Path(folder) / (Path(wordlist.name).stem[:60] + ".tsv")
        files.write_whole(path, _text(wordlist))
        for ending, content in walked.items():
            files.write_whole(f"{path.with_suffix('')}{ending}", content)
        yield wordlist, str(path)


def _own_list(language: str, own: bool = True) -> WordList:
    """Return the list that comes with the game in a language, in English with the person's own words."""
    if language == DEFAULT_LANGUAGE:
        return words.default_list(JOTTO, own=own)
    if not mind.has_words(language):
        raise DeskError(f"There is no word list '{language}.tsv' yet; give one with --words LIST.")
    wordlist: WordList = words.read(words.find(language), JOTTO, mind.load_block_list(language)).wordlist
    return wordlist


def _given(tree: str, wordlist: WordList, language: str) -> bytes:
    """Read the tree that was asked for; raises `DeskError` where the robot would leave it out."""
    content = files.read_bounded(tree, treefile.MAX_TREE_BYTES, "tree file")
    blocked, shipped = mind.load_block_list(language), mind.get_default_list(language)
    try:
        mind.bind_tree(engine_tree.read_tree(content), wordlist, lambda word: not blocked.blocks(word), shipped)
    except JottoError as error:
        raise DeskError(f"The tree '{tree}' cannot be played with list {wordlist.name}: {error}") from error
    return content


def _text(wordlist: WordList) -> str:
    """Write a list as the robot reads it: with its letters where they are not a to z, and words with their accents."""
    head = "" if wordlist.letters == LETTERS else f"# Letters: {wordlist.letters}\n"
    written = ((wordlist.written(word), band) for word, band in zip(wordlist.words, wordlist.bands, strict=True))
    return head + "".join(f"{word}\t{band}\n" if band else f"{word}\n" for word, band in written)


def _beside(source: str) -> dict[str, bytes]:
    """Read the trees beside a list that is a file, by the ends of their names; one byte more than a tree may have."""
    found: dict[str, bytes] = {}
    if not source or source in words.names() or not Path(source).is_file():
        return found
    stem = os.path.splitext(source)[0]
    for place in (path for kind in (mind.USUAL_TREES, mind.HARD_TREES) for path in mind.list_tree_paths(source, kind)):
        with contextlib.suppress(OSError), open(place, "rb") as file:
            found[place.removeprefix(stem)] = file.read(treefile.MAX_TREE_BYTES + 1)
    return found
