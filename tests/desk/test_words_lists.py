"""The lists people play with: the shipped one, their own words, files of any kind."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jotto.rules import BULLS, JOTTO, WORDLE
from jotto.words import BlockList, hash_blocked_word
from jotto_desk import words
from jotto_desk.errors import DeskError
from jotto_desk.words import Source


@pytest.fixture(autouse=True)
def person(monkeypatch, tmp_path):
    """Make a person with folders of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_default_list_has_the_numbers_of_its_sources():
    isograms, every = words.default_list(JOTTO), words.default_list(WORDLE)
    assert (len(isograms.words), len(every.words)) == (2920, 4348)
    assert isograms.words[0] == "about" and isograms.bands[0] == 10
    assert sorted(set(every.bands)) == [10, 20, 35, 40, 50]
    assert words.names() == ["de", "en", "es", "fr"]


def test_the_default_list_holds_no_blocked_word():
    blocked = words.block_list()
    assert len(blocked.hashes) > 1500
    assert not [word for word in words.default_list(WORDLE).words if blocked.blocks(word)]


@pytest.mark.parametrize(
    "word",
    ["grape", "scrap", "labor", "class", "assay", "spice", "prickly", "butcher", "cocky", "gayly", "titan", "Sussex"],
)
def test_harmless_words_are_not_blocked(word):
    assert not words.block_list().blocks(word)


def test_own_words_are_played_with_behind_the_rest():
    words.add_words(["Ünçłe".replace("ł", "l"), "qwert", "hello"], words.block_list())
    assert words.default_list(JOTTO).words[-1] == "qwert"
    assert words.default_list(JOTTO).bands[-1] is None
    assert "qwert" not in words.default_list(JOTTO, own=False).words
    assert words.own_words(WORDLE) == ["uncle", "qwert", "hello"]


def test_a_word_added_twice_is_there_once(person):
    added = words.add_words(["zebra", "ZEBRA"], words.block_list())
    again = words.add_words(["zebra"], words.block_list())
    assert (added.new, again.new, again.known) == (("zebra",), (), ("zebra",))
    assert words.own_file().read_text() == "zebra\n"


def test_a_file_of_ones_own_is_only_added_to(person):
    mine = person / "mine.txt"
    mine.write_bytes(b"# remark\r\nocean")
    words.add_words(["quilt", "ocean"], words.block_list(), mine)
    assert mine.read_bytes() == b"# remark\r\nocean\nquilt\n"


@pytest.mark.parametrize("bad", ["abc", "oceans", "oc an", "", "12345", "ocea\n", "\u0434\u043e\u043c\u0438\u043a"])
def test_one_bad_word_and_nothing_is_added(bad):
    with pytest.raises(DeskError, match="othing was added"):
        words.add_words(["quilt", bad], words.block_list())
    assert not words.own_file().exists()


def test_a_word_blocked_by_its_person_is_gone_everywhere(person):
    words.add_words(["qwert"], words.block_list())
    added = words.add_blocked(["Ocean", "qwert", "caf\u00e9"])
    assert added.new == ("ocean", "qwert", "cafe")
    assert not {"ocean", "qwert"} & set(words.default_list(JOTTO).words)
    assert b"ocean" not in words.blocked_file().read_bytes()
    assert words.add_blocked(["OCEAN"]).known == ("ocean",)
    with pytest.raises(DeskError, match="never says"):
        words.add_words(["ocean"], words.block_list())


@pytest.mark.parametrize("bad", ["two words", "", "x", "a" * 33, "w0rd", "grape-fruit"])
def test_only_single_words_are_blocked(bad):
    with pytest.raises(DeskError, match="not a single word"):
        words.add_blocked([bad])


def test_a_file_is_read_and_its_blocked_words_counted_but_not_shown(person):
    (person / "mine.txt").write_text("Ocean\nquilt\t20\nocean\nhello\nrotter\nknave\n")
    reading = words.read(words.find("mine.txt"), JOTTO, BlockList(frozenset([hash_blocked_word("knave")])))
    assert reading.wordlist.words == ("ocean", "quilt") and reading.wordlist.bands == (None, 20)
    assert reading.duplicates == 1
    assert reading.refused["blocked words"] == (1, ())
    assert words.load("mine.txt", JOTTO).words == ("ocean", "quilt", "knave")


def test_a_name_goes_before_a_file_of_that_name(person):
    (person / "en").write_text("ocean\nquilt\n")
    assert len(words.load("en", JOTTO).words) == 2920
    assert len(words.load("./en", JOTTO).words) == 2


UNUSABLE = {
    "empty": b"",
    "one": b"ocean\n",
    "remarks": b"# only\n# remarks\n",
    "binary": bytes(range(256)) * 20,
    "wide": "ocean\nquilt\n".encode("utf-16"),
    "page.html": b"  <!DOCTYPE html><p>ocean quilt</p>",
    "large": b"ocean\n" * (4 << 20),
}


@pytest.mark.parametrize("name", sorted(UNUSABLE))
def test_unusable_files_get_a_sentence_that_names_them(person, name):
    (person / name).write_bytes(UNUSABLE[name])
    with pytest.raises(DeskError, match=name):
        words.load(name, JOTTO)


@pytest.mark.parametrize(
    "source, said",
    [
        ("nosuch", "There is no word list 'nosuch'"),
        ("", "There is no word list ''"),
        ("a\0b", "There is no word list"),
        ("x" * 5000, "There is no word list"),
        (".", "is a folder"),
        ("/dev/zero", "not a plain file"),
        ("ftp://host/list", "http://"),
    ],
)
def test_what_is_no_list_gets_a_sentence(source, said):
    with pytest.raises(DeskError, match=said):
        words.find(source)


@pytest.mark.parametrize(
    "text, said",
    [
        ("Mühle\nschön\n", "mühle is played as muhle; to keep ä, ö, ü, ß, begin the list with the line '# Letters: a"),
        ("señal\ngüera\npeñas\n", "señal is played as senal; to keep ñ, begin the list with the line '# Letters: a"),
        ("# Letters: abcdefghijklmnopqrstuvwxyzäöüß\nmühle\nschön\n", ""),
        ("place\nforêt\n", ""),
        ("ocean\ncrane\n", ""),
    ],
)
def test_a_list_that_names_no_letters_is_told_which_ones_it_loses(person, capsys, text, said):
    path = person / "mine\x1b[31m.txt"
    path.write_text(text, encoding="utf-8")
    words.load(str(path), JOTTO)
    told = capsys.readouterr().err
    assert said in told and (said != "") == ("names no letters" in told) and "\x1b" not in told


def test_the_lists_that_come_with_the_game_lose_no_letters(capsys):
    for name in words.names():
        words.load(name, JOTTO)
    assert capsys.readouterr().err == ""


def test_a_list_of_blocked_words_alone_is_refused(person):
    blocked = BlockList(frozenset([hash_blocked_word("ocean"), hash_blocked_word("quilt")]))
    with pytest.raises(DeskError, match="may say"):
        words.read(Source("mine", b"ocean\nquilt\n"), JOTTO, blocked)


def test_rules_that_no_shipped_word_fits_get_a_sentence():
    with pytest.raises(DeskError, match="en"):
        words.default_list(BULLS)


@pytest.mark.parametrize("name, content", [("own.txt", b"\xff\xfe\x00"), ("blocked.sha256", b"rotter\n")])
def test_damaged_files_of_a_person_are_named(person, name, content):
    folder = person / "data" / "nao-jotto"
    folder.mkdir(parents=True)
    (folder / name).write_bytes(content)
    with pytest.raises(DeskError, match=name):
        words.default_list(JOTTO)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_a_sentence(content):
    try:
        reading = words.read(Source("any", content), JOTTO, BlockList(frozenset()))
    except DeskError as refusal:
        assert "any" in str(refusal)
    else:
        assert all(JOTTO.allows(word) for word in reading.wordlist.words)
