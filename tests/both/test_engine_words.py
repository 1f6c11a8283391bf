"""Word lists, spelling of words, and words that are never said."""

from __future__ import absolute_import, division, print_function, unicode_literals

import codecs
import hashlib
import io
import os

import pytest
from hypothesis import given, strategies as st

from jotto import feedback, game, tree, words
from jotto.feedback import Feedback
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, WORDLE, Rules, UnknownSymbol, WordListError
from jotto.words import (
    EMPTY_BLOCK_LIST,
    BlockList,
    WordList,
    capitalise_word,
    fold_word,
    hash_blocked_word,
    lower_letters,
    parse_block_list,
    parse_letters,
    parse_word_list,
    replace_letters,
)

SPANISH = Rules("es", 5, "abcdefghijklmn\u00f1opqrstuvwxyz", False, "places")

OCEAN, CANOE = "ocean", "canoe"


def kept(content, rules=JOTTO):
    return list(parse_word_list(content, rules, "my list").wordlist.words)


def test_words_kept():
    # Contents of a file and the words read from it.
    for content, wanted in [
        ("ocean\ncanoe\n", [OCEAN, CANOE]),  # one per line
        ("ocean\ncanoe", [OCEAN, CANOE]),  # no newline at the end
        ("ocean\r\ncanoe\r\n", [OCEAN, CANOE]),  # CRLF
        ("ocean\rcanoe\r", [OCEAN, CANOE]),  # CR
        ("\ufeffocean\ncanoe\n", [OCEAN, CANOE]),  # BOM
        ("\n\n  ocean  \n\t\n\ncanoe\n\n", [OCEAN, CANOE]),  # blanks and empty lines
        ("\u00a0ocean\u2003canoe\u3000", [OCEAN, CANOE]),  # blanks beyond ASCII
        ("ocean canoe", [OCEAN, CANOE]),  # two in a line
        ("ocean,canoe;alone", [OCEAN, CANOE, "alone"]),  # commas and semicolons
        ("ocean # the sea\n# canoe\nalone", [OCEAN, "alone"]),  # remarks
        ("Ocean\nCANOE\noCEAN\n", [OCEAN, CANOE]),  # capitals
        ("\u00c9tude\n\u00e9tuda\n", ["etude", "etuda"]),  # accents
        ("oce\u0301an\ncan\u0303oe", [OCEAN, CANOE]),  # accents as marks of their own
        # ligatures, length after folding
        ("b\u0153uf\nn\u0153ud\nf\u00e6lg\ngro\u00df\n", ["boeuf", "noeud", "faelg", "gross"]),
        ("B\u0152UF\nN\u0152UD\nF\u00c6LG\nGRO\u1e9e", ["boeuf", "noeud", "faelg", "gross"]),  # capital ligatures
        ("f\u01fdlg\nocean", ["faelg", OCEAN]),  # ligature with accent
        ("oc\u0130an\nocean", ["ocian", OCEAN]),  # a capital with two small letters
        ("ocean\tx\ncanoe", [OCEAN, CANOE]),  # a word too short beside another
    ]:
        rules = WORDLE if {"etude", "gross"} & set(wanted) else JOTTO
        assert kept(content, rules) == kept(content.encode("utf-8"), rules) == wanted, content


def test_words_of_other_games():
    for content, rules, wanted in (
        ("caf\u00e9s\n\u00e9lans\n".encode("latin-1"), JOTTO, ["cafes", "elans"]),
        ("ni\u00f1os\nnidos\n\u00d1andu\nnin\u0303as", SPANISH, ["ni\u00f1os", "nidos", "\u00f1andu", "ni\u00f1as"]),
        (
            "\u039b\u039f\u0393\u0391\u03a3\n\u03bb\u03bf\u03b3\u03b1\u03b2",
            Rules("el", 5, "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03bb\u03bf\u03c3", False, "places"),
            ["\u03bb\u03bf\u03b3\u03b1\u03c3", "\u03bb\u03bf\u03b3\u03b1\u03b2"],
        ),
        ("0123\n4567 8901\n2345\t6789", BULLS, ["0123", "4567", "8901", "2345", "6789"]),
        ("01\t23\n45\t6", Rules("few", 2, "0123456789", False, "places"), ["01", "23", "45"]),
        ("rrrr gggg", MASTERMIND, ["rrrr", "gggg"]),
        ("VVYG\nrrrr", MASTERMIND._replace(alphabet="ROYGBVr"), ["VVYG", "rrrr"]),
    ):
        assert kept(content, rules) == wanted, content


def test_bands():
    for content, bands in (
        ("ocean\t10\ncanoe\t35\n", (10, 35)),
        ("ocean,10\ncanoe;35\nalone 50", (10, 35, 50)),
        ("ocean\ncanoe\t20", (None, 20)),
        ("ocean\t10 # common\ncanoe", (10, None)),
        ("ocean\t007\ncanoe\t" + "9" * 5000, (7, 999999)),
        ("ocean\t\u0661\u0662\ncanoe", (12, None)),
        ("ocean\t\u00b2\ncanoe", (None, None)),
        ("ocean\t-3\ncanoe\t1.5\nalone\t0x1", (None, None, None)),
        ("ocean\t10\nocean\t20\ncanoe", (10, None)),
    ):
        assert parse_word_list(content, JOTTO, "my list").wordlist.bands == bands, (content, bands)


def test_what_was_refused():
    reading = parse_word_list(
        "ocean\nhello\nsea\noc\u00e9ane\nsh!p!\nocean\ncanoe\nOCEAN\n" + "level\n" * 7, JOTTO, "my list"
    )
    assert reading.wordlist == WordList("my list", ("ocean", "canoe"), (None, None))
    assert reading.duplicates == 2
    assert reading.refused == {
        "wrong length": (2, ("sea", "oc\u00e9ane")),
        "other characters": (1, ("sh!p!",)),
        "repeated letters": (8, ("hello",) + ("level",) * 4),
    }


def test_unusable_lists():
    no_text = "The list 'my list' is not plain text; save it as UTF-8 text with one word per line."
    nothing, one = (
        "The list 'my list' has %s to play with%%s; a game needs two or more of 5 letters, all different." % count
        for count in ("no word", "only one word ('ocean')")
    )
    for content, text in (
        (b"", nothing % ""),
        ("", nothing % ""),
        (b"\n \n\t\n", nothing % ""),
        (codecs.BOM_UTF8, nothing % ""),
        (b"# ocean\n#canoe", nothing % ""),
        (b",,;;,", nothing % ""),
        (b"ocean\n", one % ""),
        (b"ocean\nOCEAN\nhello\nsea", one % " (refused: 1 repeated letters, 1 wrong length)"),
        (b"12345\nabc", nothing % " (refused: 1 other characters, 1 wrong length)"),
        (b"ocean\x00canoe", no_text),
        ("ocean\x00canoe", no_text),
        ("ocean\ncanoe\n".encode("utf-16"), no_text),
        ("ocean\ncanoe\n".encode("utf-16-le"), no_text),
        ("ocean\ncanoe\n".encode("utf-32"), no_text),
        (b"\x89PNG\r\n\x1a\n", no_text),
        (b"ocean canoe \x90", no_text),
        (b"PK\x03\x04ocean canoe", no_text),
    ):
        with pytest.raises(WordListError) as caught:
            parse_word_list(content, JOTTO, "my list")
        assert "%s" % caught.value == text, (content, text)


def test_the_rules_of_the_game_decide_about_a_word():
    with pytest.raises(WordListError) as caught:
        parse_word_list("01234\t56789", Rules("numbers", 5, tuple(range(10)), False, "places"), "codes")
    assert "(refused: 1 other characters)" in "%s" % caught.value
    with pytest.raises(WordListError) as caught:
        parse_word_list("hello", WORDLE, b"h\xc3\xa9")
    assert (
        "%s" % caught.value
        == "The list 'h\u00e9' has only one word ('hello') to play with; a game needs two or more of 5 letters."
    )


def test_too_many_words(monkeypatch):
    monkeypatch.setattr(words, "MAX_WORDS", 3)
    assert len(kept("ocean canoe alone\nOCEAN hello")) == 3
    with pytest.raises(WordListError) as caught:
        parse_word_list("ocean canoe alone house", JOTTO, "long")
    assert "%s" % caught.value == "The list 'long' has more than 3 words; give a shorter one."


def test_too_many_words_to_look_at(monkeypatch):
    monkeypatch.setattr(words, "MAX_ENTRIES", 4)
    for content in ("no\n" * 5, "no " * 5, "ocean,canoe;" * 3):
        with pytest.raises(WordListError) as refusal:
            kept(content)
        assert "more than 4 words" in "%s" % refusal.value


#: Putting n marks in order takes n * n steps: a word of so many kept a computer busy for hours.
HEAP = "o" + "\u0301\u0323" * 2000000


def test_a_heap_of_accents_is_no_word():
    for alphabet in ("", JOTTO.alphabet, SPANISH.alphabet):
        assert fold_word(HEAP, alphabet) == HEAP, alphabet
    reading = parse_word_list(OCEAN + "\n" + HEAP + "\n" + CANOE, JOTTO, "heap")
    assert list(reading.wordlist.words) == [OCEAN, CANOE]
    assert reading.refused["wrong length"].count == 1 and len(reading.refused["wrong length"].samples[0]) == 40


def test_every_line_break_ends_a_line():
    for breaks in ("\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "\n\n \n"):
        text = breaks.join(["ocean\t10", "canoe\t20 # far", "# all", "alone crazy", ""])
        wordlist_ = parse_word_list(text, JOTTO, "lines").wordlist
        assert (wordlist_.words, wordlist_.bands) == ((OCEAN, CANOE, "alone", "crazy"), (10, 20, None, None))


@pytest.mark.only_python_3
def test_too_many_bytes():
    content = b"ocean canoe#" + b"x" * (words.MAX_LIST_BYTES - 12)
    assert kept(content) == ["ocean", "canoe"]
    with pytest.raises(WordListError) as caught:
        parse_word_list(content + b"\n", JOTTO, "long")
    assert "%s" % caught.value == "The list 'long' is larger than 20 MB; give a shorter one."


def test_fold():
    for word, alphabet, folded in (
        ("", "", ""),
        ("Ocean", "", "ocean"),
        ("\u00c9tude", "", "etude"),
        ("gro\u00df", "", "gross"),
        ("GRO\u1e9e", "", "gross"),
        ("\u00d1u", "\u00f1u", "\u00f1u"),
        ("\u00d1u", "", "nu"),
        ("A\u0308", "\u00e4", "\u00e4"),
        ("A\u0308", "", "a"),
        ("\u0301", "", ""),
        ("oe\u0153\u0152", "", "oeoeoe"),
        ("RoYx", "ROY", "ROYx"),
        ("\u4e2d\u6587", "", "\u4e2d\u6587"),
    ):
        assert fold_word(word, alphabet) == folded, (word, alphabet, folded)


def test_checksum_is_of_the_words_alone():
    plain = parse_word_list("ocean canoe", JOTTO, "one").wordlist
    other = parse_word_list("# from a book\nOCEAN\t10\ncanoe\t20\nhello", JOTTO, "two").wordlist
    assert plain.checksum == other.checksum == "4fbdc2f7cb0f9ba0f3400ac7c9f2e78210f39685900b92934a7605ba3ceceb22"
    assert parse_word_list("canoe ocean", JOTTO, "one").wordlist.checksum != plain.checksum


def test_joined_and_indexed():
    joined = parse_word_list("ocean\t10\ncanoe", JOTTO, "en").wordlist.add_words(["alone", "ocean", "alone", "house"])
    assert joined == WordList("en", ("ocean", "canoe", "alone", "house"), (10, None, None, None))
    assert joined.build_index(JOTTO).words == joined.words
    assert joined.add_words([]) == joined


# Words as they are spelled in any language: folded to its letters, shown with their accents, in capitals.


GERMAN = replace_letters(JOTTO, LETTERS + "\u00e4\u00f6\u00fc\u00df")
SPANISH_RULES = replace_letters(JOTTO, LETTERS + "\u00f1")
LISTS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "wordlists")


def test_letters_of_a_language_are_its_own_and_others_lose_their_accents():
    for written, letters, word in (
        ("\u00c9tude", LETTERS, "etude"),
        ("c\u0153ur", LETTERS, "coeur"),
        ("Ex \u00e6quo", LETTERS, "ex aequo"),
        ("Stra\u00dfe", GERMAN.alphabet, "stra\u00dfe"),
        ("STRA\u1e9eE", GERMAN.alphabet, "stra\u00dfe"),
        ("Stra\u00dfe", LETTERS, "strasse"),
        ("A\u0308pfel", GERMAN.alphabet, "\u00e4pfel"),
        ("caf\u00e9", GERMAN.alphabet, "cafe"),
        ("NI\u00d1O", SPANISH_RULES.alphabet, "ni\u00f1o"),
        ("nin\u0303o", SPANISH_RULES.alphabet, "ni\u00f1o"),
        ("ni\u00f1o", LETTERS, "nino"),
        ("calle", SPANISH_RULES.alphabet, "calle"),
        ("ping\u00fcino", SPANISH_RULES.alphabet, "pinguino"),
    ):
        assert fold_word(written, letters) == word, (written, letters, word)
        small = lower_letters(written)
        assert fold_word(capitalise_word(small), letters) == word and len(capitalise_word(small)) == len(small)


def test_a_score_tells_letters_of_their_own_apart():
    assert GERMAN.score("sch\u00f6n", "schon") == Feedback(4, 0)
    assert SPANISH_RULES.score("ca\u00f1as", "canas") == Feedback(4, 0)
    # No two letters count as one: the h of "ch" stands for itself.
    assert JOTTO.score("chat" + "s", "vache") == feedback.SLOW_SCORERS[JOTTO.kind]("chats", "vache") == Feedback(0, 3)
    GERMAN.check("f\u00fchre"[:3] + "le")
    with pytest.raises(UnknownSymbol) as refused:
        JOTTO.check("f\u00fchle")
    assert "a to z" in "%s" % refused.value
    assert replace_letters(BULLS, GERMAN.alphabet) == BULLS and replace_letters(WORDLE, SPANISH_RULES.alphabet).repeats


def test_a_list_names_its_letters_and_keeps_its_accents():
    text = "# Words\n# Letters: %s\n\u00c4pfel\t10\ncaf\u00e9s\nschon\nsch\u00f6n\nSch\u00f6n\n" % GERMAN.alphabet
    for content in (text, text.encode("utf-8"), "\ufeff" + text, text.replace("\n", "\r\n")):
        found = words.parse_word_list(content, JOTTO, "mine")
        known = found.wordlist
        assert known.words == ("\u00e4pfel", "cafes", "schon", "sch\u00f6n") and found.duplicates == 1
        assert known.adapt_rules(JOTTO) == GERMAN
        assert (known.write_word("cafes"), known.write_word("schon")) == ("caf\u00e9s", "schon")
        assert known.add_words(["st\u00fcck"]).letters == GERMAN.alphabet
    assert words.parse_word_list("ocean canoe", SPANISH_RULES, "mine").wordlist.letters == SPANISH_RULES.alphabet
    assert parse_letters("ocean\n# Letters: abc\n") == LETTERS
    for wrong in ("", "a", "abca", "ab1", "a b c", LETTERS * 9):
        with pytest.raises(WordListError):
            parse_letters("# Letters: %s\nocean\n" % wrong)


def test_block_lists_know_the_letters_of_their_language():
    rude = words.BlockList(
        frozenset([words.hash_blocked_word("co\u00f1o", SPANISH_RULES.alphabet)]), SPANISH_RULES.alphabet
    )
    assert rude.blocks("CO\u00d1O") and rude.blocks("con\u0303o") and not rude.blocks("cono")
    for text in (rude.format_text(), rude.format_text().encode("utf-8")):
        assert words.parse_block_list(text) == rude
    assert words.parse_block_list(words.EMPTY_BLOCK_LIST.format_text()).letters == LETTERS


def test_the_lists_are_played_with_their_letters_and_trees_find_every_word():
    def listed(code):
        with io.open(os.path.join(LISTS, code + ".tsv"), "rb") as source:
            return words.parse_word_list(source.read(), JOTTO, code).wordlist

    for code, special in (("fr", ""), ("de", "\u00e4\u00f6\u00fc\u00df"), ("es", "\u00f1")):
        known = listed(code)
        rules = known.adapt_rules(JOTTO)
        assert rules.alphabet == LETTERS + special and len(known.words) > 1700, (code, special)
        assert all(any(letter in word for word in known.words) for letter in special), (code, special)
        assert all(fold_word(known.write_word(word), rules.alphabet) == word for word in known.words), (code, special)
        with io.open(os.path.join(LISTS, code + ".tree"), "rb") as source:
            walked = tree.parse_tree(source.read()).bound_to(known.words, rules)
        index = Index(known.words, rules)
        for secret in known.words[::40] + tuple(word for word in known.words if set(special).intersection(word))[:40]:
            played = game.start_game(rules, code, "%s" % known.checksum, 1)
            while played.outcome is None:
                guess = walked.guess(played.turns)
                played = played.ask(guess).answer(rules.score(guess, secret))
                assert index.select_word(secret) & index.find_candidates(played.turns), (code, special)
            assert played.guess == secret and game.parse_game(played.plain()) == played, (code, special)


# Whole words are blocked in any case and with any accents; other words are not.


# Harmless words stand in for blocked ones, so that the tests show no blocked word.
RUDE = BlockList(frozenset(hash_blocked_word(word) for word in ("rotter", "fie", "gadzooks")))


def test_blocked_by_whole_word():
    for word in ("rotter", "ROTTER", "R\u00f3tt\u00e8r", "ro\u0308tter", b"rotter"):
        assert RUDE.blocks(word) is True, word
    for word in ("rotters", "trotter", "fief", "", "r", "rotter" * 100):
        assert RUDE.blocks(word) is False, word


def test_texts_are_cleaned():
    for text, expected in (
        ("My guess is rotter.", "My guess is beep."),
        ("Rotter! FIE, fie.", "beep! beep, beep."),
        ("the trotter in the fiefdom", "the trotter in the fiefdom"),
        ("rotter's", "beep's"),
        ("r\u00f4tter-fie", "beep-beep"),
        ("ro\u0302tter", "beep"),
        ("fie2fie_fie", "beep2beep_beep"),
        ("\\pau=300\\ fie \\rspd=80\\", "\\pau=300\\ beep \\rspd=80\\"),
        ("", ""),
    ):
        assert RUDE.clean(text, "beep") == expected, (text, expected)
    # A robot's bytes come back as text, and the replacement is taken as it is.
    assert RUDE.clean("f\u00ece, caf\u00e9".encode("utf-8"), "beep") == "beep, caf\u00e9"
    assert RUDE.clean("fie", "\\1 \\g<0>") == "\\1 \\g<0>"


def test_a_list_is_read_with_remarks_blank_lines_and_any_line_ends():
    assert hash_blocked_word("\u00c9tude") == hashlib.sha256(b"etude").hexdigest()
    line = hash_blocked_word("fie")
    content = "# remark\r\n\r\n%s\r\n%s  # again\n" % (line, line)
    assert parse_block_list(content) == parse_block_list(content.encode("ascii")) == BlockList(frozenset([line]))
    assert parse_block_list(b"") == EMPTY_BLOCK_LIST


def test_an_empty_block_list_hashes_no_word(monkeypatch):
    def fail(word, letters):
        raise AssertionError("hashed %s" % word)

    monkeypatch.setattr(words, "hash_blocked_word", fail)
    assert not EMPTY_BLOCK_LIST.blocks("bread")


def test_anything_else_is_refused_by_line():
    with pytest.raises(WordListError):
        parse_block_list("\n" * (9 << 20))
    for content, quoted in (
        (b"fie\n", "'fie'"),
        (b"\xff\xfe\x00", "Line 1"),
        (hash_blocked_word("fie").upper(), "Line 1"),
        ("\n\n" + hash_blocked_word("fie") + "0", "Line 3"),
    ):
        with pytest.raises(WordListError) as refusal:
            parse_block_list(content)
        sentence = refusal.value.args[0]
        assert quoted in sentence and "jotto words add --block" in sentence, (content, quoted)


@given(st.lists(st.text(alphabet="abcdefgh\u00e9\u00fc", min_size=2, max_size=8)))
def test_written_and_read_again_blocks_the_same(words):
    blocked = EMPTY_BLOCK_LIST.add_fingerprints(hash_blocked_word(word) for word in words)
    assert parse_block_list(blocked.format_text()) == blocked
    assert all(blocked.blocks(word.upper()) for word in words)


@given(st.text(alphabet="fie rot.\u0301-2"))
def test_a_cleaned_text_is_clean(text):
    once = RUDE.clean(text, "so")
    assert RUDE.clean(once, "so") == once
