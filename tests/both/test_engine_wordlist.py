"""Word lists: files of any form give words, or one sentence that says why not."""

from __future__ import absolute_import, division, print_function, unicode_literals

import codecs

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jotto import words
from jotto.rules import BULLS, JOTTO, MASTERMIND, WORDLE, Rules, WordListError
from jotto.words import WordList, fold_word, parse_word_list

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)
SPANISH = Rules("es", 5, "abcdefghijklmn\u00f1opqrstuvwxyz", False, "places")
GREEK = Rules("el", 5, "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03bb\u03bf\u03c3", False, "places")
NUMBERS = Rules("numbers", 5, tuple(range(10)), False, "places")

OCEAN, CANOE = "ocean", "canoe"


def kept(content, rules=JOTTO):
    return list(parse_word_list(content, rules, "my list").wordlist.words)


@pytest.mark.parametrize(
    "content, words",
    [
        pytest.param("ocean\ncanoe\n", [OCEAN, CANOE], id="one per line"),
        pytest.param("ocean\ncanoe", [OCEAN, CANOE], id="no newline at the end"),
        pytest.param("ocean\r\ncanoe\r\n", [OCEAN, CANOE], id="CRLF"),
        pytest.param("ocean\rcanoe\r", [OCEAN, CANOE], id="CR"),
        pytest.param("\ufeffocean\ncanoe\n", [OCEAN, CANOE], id="BOM"),
        pytest.param("\n\n  ocean  \n\t\n\ncanoe\n\n", [OCEAN, CANOE], id="blanks and empty lines"),
        pytest.param("\u00a0ocean\u2003canoe\u3000", [OCEAN, CANOE], id="blanks beyond ASCII"),
        pytest.param("ocean canoe", [OCEAN, CANOE], id="two in a line"),
        pytest.param("ocean,canoe;alone", [OCEAN, CANOE, "alone"], id="commas and semicolons"),
        pytest.param("ocean # the sea\n# canoe\nalone", [OCEAN, "alone"], id="remarks"),
        pytest.param("Ocean\nCANOE\noCEAN\n", [OCEAN, CANOE], id="capitals"),
        pytest.param("\u00c9tude\n\u00e9tuda\n", ["etude", "etuda"], id="accents"),
        pytest.param("oce\u0301an\ncan\u0303oe", [OCEAN, CANOE], id="accents as marks of their own"),
        pytest.param(
            "b\u0153uf\nn\u0153ud\nf\u00e6lg\ngro\u00df\n",
            ["boeuf", "noeud", "faelg", "gross"],
            id="ligatures, length after folding",
        ),
        pytest.param(
            "B\u0152UF\nN\u0152UD\nF\u00c6LG\nGRO\u1e9e", ["boeuf", "noeud", "faelg", "gross"], id="capital ligatures"
        ),
        pytest.param("f\u01fdlg\nocean", ["faelg", OCEAN], id="ligature with accent"),
        pytest.param("oc\u0130an\nocean", ["ocian", OCEAN], id="a capital with two small letters"),
        pytest.param("ocean\tx\ncanoe", [OCEAN, CANOE], id="a word too short beside another"),
    ],
)
@pytest.mark.parametrize("encode", [lambda text: text, lambda text: text.encode("utf-8")], ids=["text", "bytes"])
def test_words_kept(content, words, encode):
    rules = WORDLE if {"etude", "gross"} & set(words) else JOTTO
    assert kept(encode(content), rules) == words


@pytest.mark.parametrize(
    "content, rules, words",
    [
        ("caf\u00e9s\n\u00e9lans\n".encode("latin-1"), JOTTO, ["cafes", "elans"]),
        ("ni\u00f1os\nnidos\n\u00d1andu\nnin\u0303as", SPANISH, ["ni\u00f1os", "nidos", "\u00f1andu", "ni\u00f1as"]),
        (
            "\u039b\u039f\u0393\u0391\u03a3\n\u03bb\u03bf\u03b3\u03b1\u03b2",
            GREEK,
            ["\u03bb\u03bf\u03b3\u03b1\u03c3", "\u03bb\u03bf\u03b3\u03b1\u03b2"],
        ),
        ("0123\n4567 8901\n2345\t6789", BULLS, ["0123", "4567", "8901", "2345", "6789"]),
        ("rrrr gggg", MASTERMIND, ["rrrr", "gggg"]),
        ("VVYG\nrrrr", MASTERMIND._replace(alphabet="ROYGBVr"), ["VVYG", "rrrr"]),
    ],
    ids=["latin-1", "n with tilde stays in Spanish", "sigma", "digits are words", "repeats", "alphabet of capitals"],
)
def test_words_of_other_games(content, rules, words):
    assert kept(content, rules) == words


@pytest.mark.parametrize(
    "content, bands",
    [
        ("ocean\t10\ncanoe\t35\n", (10, 35)),
        ("ocean,10\ncanoe;35\nalone 50", (10, 35, 50)),
        ("ocean\ncanoe\t20", (None, 20)),
        ("ocean\t10 # common\ncanoe", (10, None)),
        ("ocean\t007\ncanoe\t" + "9" * 5000, (7, 999999)),
        ("ocean\t\u0661\u0662\ncanoe", (12, None)),
        ("ocean\t\u00b2\ncanoe", (None, None)),
        ("ocean\t-3\ncanoe\t1.5\nalone\t0x1", (None, None, None)),
        ("ocean\t10\nocean\t20\ncanoe", (10, None)),
    ],
    ids=[
        "tabs",
        "commas and blanks",
        "some without",
        "remark",
        "long numbers",
        "other digits",
        "superscript",
        "no whole numbers",
        "twice",
    ],
)
def test_bands(content, bands):
    assert parse_word_list(content, JOTTO, "my list").wordlist.bands == bands


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


def test_samples_of_refused_words_are_short():
    reading = parse_word_list("ocean canoe " + "x" * 10**5, JOTTO, "my list")
    assert reading.refused["wrong length"].samples == ("x" * 40,)


NOTHING = "The list 'my list' has no word to play with; it takes two or more of 5 letters, all different."
NO_TEXT = "The list 'my list' is not plain text; save it as UTF-8 text with one word per line."


@pytest.mark.parametrize(
    "content, text",
    [
        (b"", NOTHING),
        ("", NOTHING),
        (b"\n \n\t\n", NOTHING),
        (codecs.BOM_UTF8, NOTHING),
        (b"# ocean\n#canoe", NOTHING),
        (b",,;;,", NOTHING),
        (
            b"ocean\n",
            "The list 'my list' has only one word ('ocean') to play with; "
            "it takes two or more of 5 letters, all different.",
        ),
        (
            b"ocean\nOCEAN\nhello\nsea",
            "The list 'my list' has only one word ('ocean') to play with "
            "(refused: 1 repeated letters, 1 wrong length); "
            "it takes two or more of 5 letters, all different.",
        ),
        (
            b"12345\nabc",
            "The list 'my list' has no word to play with (refused: 1 other characters, 1 wrong length); "
            "it takes two or more of 5 letters, all different.",
        ),
        (b"ocean\x00canoe", NO_TEXT),
        ("ocean\x00canoe", NO_TEXT),
        ("ocean\ncanoe\n".encode("utf-16"), NO_TEXT),
        ("ocean\ncanoe\n".encode("utf-16-le"), NO_TEXT),
        ("ocean\ncanoe\n".encode("utf-32"), NO_TEXT),
        (b"\x89PNG\r\n\x1a\n", NO_TEXT),
        (b"ocean canoe \x90", NO_TEXT),
        (b"PK\x03\x04ocean canoe", NO_TEXT),
    ],
)
def test_unusable_lists(content, text):
    with pytest.raises(WordListError) as caught:
        parse_word_list(content, JOTTO, "my list")
    assert "%s" % caught.value == text


def test_rules_with_repeats_say_so():
    with pytest.raises(WordListError) as caught:
        parse_word_list("hello", WORDLE, b"h\xc3\xa9")
    assert (
        "%s" % caught.value
        == "The list 'h\u00e9' has only one word ('hello') to play with; it takes two or more of 5 letters."
    )


def test_words_of_text_are_refused_where_symbols_are_numbers():
    with pytest.raises(WordListError) as caught:
        parse_word_list("01234\t56789", NUMBERS, "codes")
    assert "(refused: 1 other characters)" in "%s" % caught.value


def test_too_many_words(monkeypatch):
    monkeypatch.setattr(words, "MAX_WORDS", 3)
    assert len(kept("ocean canoe alone\nOCEAN hello")) == 3
    with pytest.raises(WordListError) as caught:
        parse_word_list("ocean canoe alone house", JOTTO, "long")
    assert "%s" % caught.value == "The list 'long' has more than 3 words; give a shorter one."


@pytest.mark.parametrize("content", ["no\n" * 5, "no " * 5, "ocean,canoe;" * 3])
def test_too_many_words_to_look_at(monkeypatch, content):
    monkeypatch.setattr(words, "MAX_ENTRIES", 4)
    with pytest.raises(WordListError) as refusal:
        kept(content)
    assert "more than 4 words" in "%s" % refusal.value


#: Putting n marks in order takes n * n steps: a word of so many kept a computer busy for hours.
HEAP = "o" + "\u0301\u0323" * 2000000


@pytest.mark.parametrize("alphabet", ["", JOTTO.alphabet, SPANISH.alphabet])
def test_a_heap_of_accents_is_no_word(alphabet):
    assert fold_word(HEAP, alphabet) == HEAP


def test_a_list_with_a_heap_of_accents():
    reading = parse_word_list(OCEAN + "\n" + HEAP + "\n" + CANOE, JOTTO, "heap")
    assert list(reading.wordlist.words) == [OCEAN, CANOE]
    assert reading.refused["wrong length"].count == 1 and len(reading.refused["wrong length"].samples[0]) == 40


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "\n\n \n"])
def test_every_line_break_ends_a_line(breaks):
    text = breaks.join(["ocean\t10", "canoe\t20 # far", "# all", "alone crazy", ""])
    wordlist_ = parse_word_list(text, JOTTO, "lines").wordlist
    assert list(zip(wordlist_.words, wordlist_.bands)) == [(OCEAN, 10), (CANOE, 20), ("alone", None), ("crazy", None)]


def test_too_many_bytes():
    content = b"ocean canoe#" + b"x" * (words.MAX_LIST_BYTES - 12)
    assert kept(content) == ["ocean", "canoe"]
    with pytest.raises(WordListError) as caught:
        parse_word_list(content + b"\n", JOTTO, "long")
    assert "%s" % caught.value == "The list 'long' is larger than 20 MB; give a shorter one."


@pytest.mark.parametrize(
    "word, alphabet, folded",
    [
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
    ],
)
def test_fold(word, alphabet, folded):
    assert fold_word(word, alphabet) == folded


@MODEST
@given(st.binary(max_size=60))
@example(b"ocean\t\xc2\xb2\ncanoe")
def test_any_bytes_make_a_list_or_a_sentence(content):
    try:
        words = parse_word_list(content, JOTTO, "any").wordlist.words
    except WordListError as error:
        assert "'any'" in "%s" % error
    else:
        assert len(words) > 1 and all(map(JOTTO.allows, words))


@MODEST
@given(st.text(max_size=60))
def test_any_text_makes_a_list_or_a_sentence(content):
    try:
        words = parse_word_list("ocean canoe\n" + content, JOTTO, "any").wordlist.words
    except WordListError as error:
        assert "%s" % error == NO_TEXT.replace("my list", "any")
    else:
        assert words[:2] == ("ocean", "canoe") and all(map(JOTTO.allows, words))


@MODEST
@given(st.text(max_size=10))
def test_folding_twice_changes_nothing_more(word):
    assert fold_word(fold_word(word)) == fold_word(word)


def test_checksum_is_of_the_words_alone():
    plain = parse_word_list("ocean canoe", JOTTO, "one").wordlist
    other = parse_word_list("# from a book\nOCEAN\t10\ncanoe\t20\nhello", JOTTO, "two").wordlist
    assert plain.checksum == other.checksum == "4fbdc2f7cb0f9ba0f3400ac7c9f2e78210f39685900b92934a7605ba3ceceb22"
    assert parse_word_list("canoe ocean", JOTTO, "one").wordlist.checksum != plain.checksum


def test_joined_and_indexed():
    joined = parse_word_list("ocean\t10\ncanoe", JOTTO, "en").wordlist.joined(["alone", "ocean", "alone", "house"])
    assert joined == WordList("en", ("ocean", "canoe", "alone", "house"), (10, None, None, None))
    assert joined.indexed(JOTTO).words == joined.words
    assert joined.joined([]) == joined
