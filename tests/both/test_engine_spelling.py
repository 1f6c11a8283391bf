"""Words as they are spelled in any language: folded to its letters, shown with their accents, in capitals."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import os

import pytest

from jotto import feedback, game, tree, words
from jotto.feedback import Feedback
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, WORDLE, UnknownSymbol, WordListError
from jotto.words import capitalise_word, fold_word, lower_word, read_letters, replace_letters

GERMAN = replace_letters(JOTTO, LETTERS + "\u00e4\u00f6\u00fc\u00df")
SPANISH = replace_letters(JOTTO, LETTERS + "\u00f1")
LISTS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "wordlists")


def listed(code):
    with io.open(os.path.join(LISTS, code + ".tsv"), "rb") as source:
        return words.parse_word_list(source.read(), JOTTO, code).wordlist


@pytest.mark.parametrize(
    "written, letters, word",
    [
        ("\u00c9tude", LETTERS, "etude"),
        ("c\u0153ur", LETTERS, "coeur"),
        ("Ex \u00e6quo", LETTERS, "ex aequo"),
        ("Stra\u00dfe", GERMAN.alphabet, "stra\u00dfe"),
        ("STRA\u1e9eE", GERMAN.alphabet, "stra\u00dfe"),
        ("Stra\u00dfe", LETTERS, "strasse"),
        ("A\u0308pfel", GERMAN.alphabet, "\u00e4pfel"),
        ("caf\u00e9", GERMAN.alphabet, "cafe"),
        ("NI\u00d1O", SPANISH.alphabet, "ni\u00f1o"),
        ("nin\u0303o", SPANISH.alphabet, "ni\u00f1o"),
        ("ni\u00f1o", LETTERS, "nino"),
        ("calle", SPANISH.alphabet, "calle"),
        ("ping\u00fcino", SPANISH.alphabet, "pinguino"),
    ],
)
def test_letters_of_a_language_are_its_own_and_others_lose_their_accents(written, letters, word):
    assert fold_word(written, letters) == word
    assert fold_word(capitalise_word(lower_word(written)), letters) == word and len(
        capitalise_word(lower_word(written))
    ) == len(lower_word(written))


def test_a_score_tells_letters_of_their_own_apart():
    assert GERMAN.score("sch\u00f6n", "schon") == Feedback(4, 0)
    assert SPANISH.score("ca\u00f1as", "canas") == Feedback(4, 0)
    # No two letters count as one: the h of "ch" stands for itself.
    assert JOTTO.score("chat" + "s", "vache") == feedback.SLOW_SCORERS[JOTTO.kind]("chats", "vache") == Feedback(0, 3)
    GERMAN.check("f\u00fchre"[:3] + "le")
    with pytest.raises(UnknownSymbol) as refused:
        JOTTO.check("f\u00fchle")
    assert "a to z" in "%s" % refused.value
    assert replace_letters(BULLS, GERMAN.alphabet) == BULLS and replace_letters(WORDLE, SPANISH.alphabet).repeats


def test_a_list_names_its_letters_and_keeps_its_accents():
    text = "# Words\n# Letters: %s\n\u00c4pfel\t10\ncaf\u00e9s\nschon\nsch\u00f6n\nSch\u00f6n\n" % GERMAN.alphabet
    for content in (text, text.encode("utf-8"), "\ufeff" + text, text.replace("\n", "\r\n")):
        found = words.parse_word_list(content, JOTTO, "mine")
        known = found.wordlist
        assert known.words == ("\u00e4pfel", "cafes", "schon", "sch\u00f6n") and found.duplicates == 1
        assert known.rules(JOTTO) == GERMAN
        assert (known.written("cafes"), known.written("schon")) == ("caf\u00e9s", "schon")
        assert known.joined(["st\u00fcck"]).letters == GERMAN.alphabet
    assert words.parse_word_list("ocean canoe", SPANISH, "mine").wordlist.letters == SPANISH.alphabet
    assert read_letters("ocean\n# Letters: abc\n") == LETTERS
    for wrong in ("", "a", "abca", "ab1", "a b c", LETTERS * 9):
        with pytest.raises(WordListError):
            read_letters("# Letters: %s\nocean\n" % wrong)


def test_block_lists_know_the_letters_of_their_language():
    rude = words.BlockList(frozenset([words.hash_blocked_word("co\u00f1o", SPANISH.alphabet)]), SPANISH.alphabet)
    assert rude.blocks("CO\u00d1O") and rude.blocks("con\u0303o") and not rude.blocks("cono")
    assert words.read_block_list(rude.written()) == rude == words.read_block_list(rude.written().encode("utf-8"))
    assert words.read_block_list(words.EMPTY_BLOCK_LIST.written()).letters == LETTERS


@pytest.mark.parametrize("code, special", [("fr", ""), ("de", "\u00e4\u00f6\u00fc\u00df"), ("es", "\u00f1")])
def test_the_lists_are_played_with_their_letters_and_trees_find_every_word(code, special):
    known = listed(code)
    rules = known.rules(JOTTO)
    assert rules.alphabet == LETTERS + special and len(known.words) > 1700
    assert all(any(letter in word for word in known.words) for letter in special)
    assert all(fold_word(known.written(word), rules.alphabet) == word for word in known.words)
    with io.open(os.path.join(LISTS, code + ".tree"), "rb") as source:
        walked = tree.read_tree(source.read()).bound_to(known.words, rules)
    index = Index(known.words, rules)
    for secret in known.words[::40] + tuple(word for word in known.words if set(special).intersection(word))[:40]:
        played = game.start_game(rules, code, "%s" % known.checksum, 1)
        while played.outcome is None:
            guess = walked.guess(played.turns)
            played = played.ask(guess).answer(rules.score(guess, secret))
            assert index.bit(secret) & index.candidates(played.turns)
        assert played.guess == secret and game.read_game(played.plain()) == played
