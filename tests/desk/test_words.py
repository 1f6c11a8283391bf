"""Word lists that people play with, of any language, file or web address; and the jotto words command."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import tracemalloc
from dataclasses import replace
from pathlib import Path

import msgpack
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from web_lists import serving

from jotto import tree
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, WORDLE
from jotto.words import BlockList, fold_word, hash_blocked_word
from jotto_behaviour import mind
from jotto_desk import files, web as remote
from jotto_desk.cli import problem_options, solve
from jotto_desk.errors import DeskError
from jotto_desk.solver import cores, feedback_table
from jotto_desk.solver.reference import NumpyCore
from jotto_desk.words import building, lists
from jotto_desk.words.lists import Source


@pytest.fixture(autouse=True)
def person(cli, tmp_path):
    return tmp_path


def test_the_default_list_has_its_numbers_and_no_blocked_word():
    isograms, every = lists.load_default_list(JOTTO), lists.load_default_list(WORDLE)
    assert (len(isograms.words), len(every.words)) == (2920, 4348)
    assert isograms.words[0] == "about" and isograms.bands[0] == 10
    assert sorted(set(every.bands)) == [10, 20, 35, 40, 50]
    assert lists.list_names() == sorted(["en", *lists.list_recipe_codes(LISTS)])
    blocked = lists.load_block_list()
    assert len(blocked.hashes) > 1500
    assert not [word for word in every.words if blocked.blocks(word)]
    harmless = "grape scrap labor class assay spice prickly butcher cocky gayly titan Sussex"
    assert not [word for word in harmless.split() if blocked.blocks(word)]
    with pytest.raises(DeskError, match="en"):
        lists.load_default_list(BULLS)


@pytest.mark.parametrize(
    "content, rules, more",
    [
        (b"ocean\nCANOE\t10\nwharf\nbread\n", JOTTO, True),
        (b"ocean\nocean\nOcean\nbread\nwharf\n", JOTTO, False),
        (b"ocean\nhello\nbread\nwharf\noceans\ntea\n", JOTTO, False),
        (b"ocean\nhello\nbread\nwharf\n", WORDLE, True),
        # What is not one plain word a line is counted only when the list is read.
        (b"ocean canoe wharf bread steam\n# lemon\n", JOTTO, False),
        ("# Letters: oceanñ\n".encode() + b"ocean\nbread\nwharf\nsteam\n", JOTTO, False),
    ],
)
def test_more_than_three_words_are_noticed_without_reading_a_list(content, rules, more):
    assert lists.has_more_words(Source("any", content), rules, 3) is more
    assert not lists.has_more_words(Source("any", content), rules, 4)


def test_the_solver_refuses_a_list_with_too_many_words_unread(person, monkeypatch):
    monkeypatch.setattr("jotto_desk.solver.problem.MAX_WORDS", 3)
    monkeypatch.setattr(lists, "parse_list", None)
    (person / "mine.txt").write_text("ocean\ncanoe\nwharf\nbread\n")
    with pytest.raises(DeskError, match=r"2 to 3 words; 'mine\.txt' has more"):
        problem_options.choose_problem(words="mine.txt", with_blocked=True)


def test_own_words_are_added_once_after_the_list_and_the_rest_of_a_file_stays(person):
    for bad in ("abc", "oceans", "oc an", "", "12345", "ocea\n", "\u0434\u043e\u043c\u0438\u043a"):
        with pytest.raises(DeskError, match="othing was added"):
            lists.add_words(["quilt", bad], lists.load_block_list())
    assert not lists.find_own_file().exists()
    lists.add_words(["Ünçle", "qwert", "hello"], lists.load_block_list())
    listed = lists.load_default_list(JOTTO)
    assert (listed.words[-1], listed.bands[-1]) == ("qwert", None)
    assert "qwert" not in lists.load_default_list(JOTTO, own=False).words
    assert lists.load_own_words(WORDLE) == ["uncle", "qwert", "hello"]
    added, again = (lists.add_words(["zebra", "ZEBRA"], lists.load_block_list()) for _ in range(2))
    assert (added.new, again.new, again.known) == (("zebra",), (), ("zebra",))
    assert lists.find_own_file().read_text() == "uncle\nqwert\nhello\nzebra\n"
    mine = person / "mine.txt"
    mine.write_bytes(b"# remark\r\nocean")
    lists.add_words(["quilt", "ocean"], lists.load_block_list(), mine)
    assert mine.read_bytes() == b"# remark\r\nocean\nquilt\n"


def test_a_word_blocked_by_its_user_is_gone_everywhere():
    lists.add_words(["qwert"], lists.load_block_list())
    added = lists.add_blocked(["Ocean", "qwert", "caf\u00e9"])
    assert added.new == ("ocean", "qwert", "cafe")
    assert not {"ocean", "qwert"} & set(lists.load_default_list(JOTTO).words)
    assert b"ocean" not in lists.find_blocked_file().read_bytes()
    assert lists.add_blocked(["OCEAN"]).known == ("ocean",)
    with pytest.raises(DeskError, match="never says"):
        lists.add_words(["ocean"], lists.load_block_list())
    for bad in ("two words", "", "x", "a" * 33, "w0rd", "grape-fruit"):
        with pytest.raises(DeskError, match="not a single word"):
            lists.add_blocked([bad])


def test_blocked_words_of_a_file_are_counted_but_not_shown(person):
    (person / "mine.txt").write_text("Ocean\nquilt\t20\nocean\nhello\nrotter\nknave\n")
    reading = lists.parse_list(lists.find("mine.txt"), JOTTO, BlockList(frozenset([hash_blocked_word("knave")])))
    assert reading.wordlist.words == ("ocean", "quilt") and reading.wordlist.bands == (None, 20)
    assert reading.duplicates == 1
    assert reading.refused["blocked words"] == (1, ())
    assert lists.load_list("mine.txt", JOTTO).words == ("ocean", "quilt", "knave")
    blocked = BlockList(frozenset([hash_blocked_word("ocean"), hash_blocked_word("quilt")]))
    with pytest.raises(DeskError, match="can say"):
        lists.parse_list(Source("mine", b"ocean\nquilt\n"), JOTTO, blocked)


def test_a_name_of_a_list_goes_before_a_file(person):
    (person / "en").write_text("ocean\nquilt\n")
    assert len(lists.load_list("en", JOTTO).words) == 2920
    assert len(lists.load_list("./en", JOTTO).words) == 2


def test_an_unusable_list_gets_a_sentence_that_names_it(person):
    for name, content in {
        "empty": b"",
        "one": b"ocean\n",
        "remarks": b"# only\n# remarks\n",
        "binary": bytes(range(256)) * 20,
        "wide": "ocean\nquilt\n".encode("utf-16"),
        "page.html": b"  <!DOCTYPE html><p>ocean quilt</p>",
        "large": b"ocean\n" * (4 << 20),
    }.items():
        (person / name).write_bytes(content)
        with pytest.raises(DeskError, match=name):
            lists.load_list(name, JOTTO)
    for source, said in [
        ("nosuch", "There is no word list 'nosuch'"),
        ("", "There is no word list ''"),
        ("a\0b", "There is no word list"),
        ("x" * 5000, "There is no word list"),
        (".", "is a folder"),
        ("/dev/zero", "not a plain file"),
        ("ftp://host/list", "http://"),
    ]:
        with pytest.raises(DeskError, match=said):
            lists.find(source)
    folder = person / "share" / "nao-jotto"
    folder.mkdir(parents=True)
    for name, content in (("own.txt", b"\xff\xfe\x00"), ("blocked.sha256", b"rotter\n")):
        (folder / name).write_bytes(content)
        with pytest.raises(DeskError, match=name):
            lists.load_default_list(JOTTO)


def test_a_list_without_letters_is_told_which_ones_it_loses(person, capsys):
    path, begin = person / "mine\x1b[31m.txt", "begin the list with the line '# Letters: a"
    for text, said in [
        ("Mühle\nschön\n", f"mühle is played as muhle; to keep ä, ö, ü, ß, {begin}"),
        ("señal\ngüera\npeñas\n", f"señal is played as senal; to keep ñ, {begin}"),
        ("# Letters: abcdefghijklmnopqrstuvwxyzäöüß\nmühle\nschön\n", ""),
        ("place\nforêt\n", ""),
        ("ocean\ncrane\n", ""),
    ]:
        path.write_text(text, encoding="utf-8")
        lists.load_list(str(path), JOTTO)
        told = capsys.readouterr().err
        assert said in told and (said != "") == ("names no letters" in told) and "\x1b" not in told
    for name in lists.list_names():
        lists.load_list(name, JOTTO)
    assert capsys.readouterr().err == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_a_sentence(content):
    try:
        reading = lists.parse_list(Source("any", content), JOTTO, BlockList(frozenset()))
    except DeskError as refusal:
        assert "any" in str(refusal)
    else:
        assert all(JOTTO.allows(word) for word in reading.wordlist.words)


def test_lists_are_shown_and_bad_input_gets_a_sentence(cli):
    code, out, _ = cli("words", "show", "--count", "2")
    assert code == 0
    assert "about" in out and "10 very common" in out and "2 of 2920 words" in out and "ocean" not in out
    shown = cli.json("words", "show", "en", "--rules", "any")
    assert shown["total"] == len(shown["words"]) == 4348 and {"word": "fizzy", "commonness": 20} in shown["words"]
    for arguments, said in [
        (("show", "--rules", "chess"), "no rules 'chess'"),
        (("check", "nosuch"), "no word list 'nosuch'"),
        (("add", "abc"), "'abc' has 3 letters"),
        (("add", "two words", "--block"), "'two words' is not a single word"),
        (("add", "quilt", "--list", "."), "'.' is a folder"),
        (("build", "--from", "missing.deb"), "missing.deb"),
        (("build", "--out", "/dev/null"), "'/dev/null'"),
    ]:
        assert said in cli.refusal("words", *arguments)


def test_check_passes_the_shipped_lists_and_fails_on_a_changed_one(cli, monkeypatch, tmp_path):
    assert cli.json("words", "check")["ok"] is True
    assert "en.tsv: 4348 words, 2920 of five different letters: in order" in cli("words", "check")[1]
    for file in files.find_shipped_path("wordlists").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "en.tsv").write_bytes((tmp_path / "en.tsv").read_bytes() + b"aback\t10\n")
    monkeypatch.setattr(files, "find_shipped_path", lambda name: tmp_path)
    code, out, _ = cli("words", "check")
    assert code == 1 and "'aback' is listed twice" in out and "other numbers" in out


def test_check_tells_what_is_kept_and_refused(cli, tmp_path):
    (tmp_path / "mine.txt").write_text("ocean\nquilt\nhello\nfa[b]\noceans\nquilt\n")
    code, out, _ = cli("words", "check", "mine.txt")
    assert code == 0
    for phrase in ("ocean, quilt", "repeated letters", "hello", "wrong length", "other characters", "fa[b]"):
        assert phrase in out
    found = cli.json("words", "check", "mine.txt", "--rules", "any")
    assert (found["kept"], found["duplicates"]) == (3, 1)
    assert found["refused"]["wrong length"] == {"count": 1, "samples": ["oceans"]}


def test_add_and_block(cli):
    code, out, err = cli("words", "add", "qwert", "hello")
    assert code == 0 and "2 new" in out and "'hello' has a letter twice" in err
    added = cli.json("words", "add", "qwert", "fjord")
    assert (added["new"], added["known"]) == (["fjord"], ["qwert"])
    assert "1 new" in cli("words", "add", "--block", "fjord")[1]
    shown = cli("words", "show", "--json")[1]
    assert "qwert" in shown and "fjord" not in shown


def test_build_writes_what_check_then_finds_the_same(cli, monkeypatch, tmp_path):
    monkeypatch.setattr(lists.DebianPackage, "get", lambda package, file: b"package")
    monkeypatch.setattr(building, "build_english_list", lambda package, blocked: "ocean\t10\nquilt\t20\n")
    assert cli("words", "build", "--out", "lists", "--check")[0] == 1
    assert cli("words", "build", "--out", "lists")[0] == 0
    assert (tmp_path / "lists" / "en.tsv").read_text() == "ocean\t10\nquilt\t20\n"
    code, out, _ = cli("words", "build", "--out", "lists", "--check", "--json")
    assert code == 0 and json.loads(out)["same"] is True


LIST = "ocean\nquilt\nzebra\n"
MOST = 1 << 20


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as server:
        server.pages["/list.txt"] = LIST
        yield server


@pytest.fixture
def get(tmp_path):
    """Fetch with a copy kept in the test's folder; `get.remarks` holds the remarks."""

    def fetch(address, seconds=5.0, most=MOST):
        return remote.fetch_list(address, most, seconds, fetch.remarks.append, tmp_path).decode()

    fetch.remarks = []
    return fetch


def test_a_list_is_downloaded_once_and_the_copy_serves_if_the_server_is_gone(web, get):
    address = web.address("/list.txt")
    assert get(address) == get(address) == get(web.address("/moved")) == LIST
    assert "If-None-Match" not in web.seen[0][1] and "If-None-Match" in web.seen[1][1]
    web.pages["/list.txt"] = "knave\nquilt\n"
    assert get(address) == "knave\nquilt\n" and get.remarks == []
    web.shutdown()
    web.server_close()
    assert get(address) == "knave\nquilt\n"
    assert len(get.remarks) == 1 and address in get.remarks[0] and "copy" in get.remarks[0]


def test_a_damaged_copy_is_downloaded_again(web, get, tmp_path):
    address = web.address("/list.txt")
    get(address)
    (copy,) = (tmp_path / "wordlists").iterdir()
    for damage in (b"", b"[" * 50_000 + b"\n", b"{}\nocean", b"[1]\n", b"\xff\xfe", copy.read_bytes()[:-3]):
        copy.write_bytes(damage)
        assert get(address) == LIST


def test_a_copy_that_cannot_be_saved_gets_a_remark(web, tmp_path):
    remarks = []
    (tmp_path / "wordlists").write_text("in the way")
    content = remote.fetch_list(web.address("/list.txt"), MOST, 5.0, remarks.append, tmp_path)
    assert content.decode() == LIST and "No copy" in remarks[0]


@pytest.mark.parametrize(
    "path, said",
    [("/nothing", "404"), ("/circle", "circle"), ("/inward", "leads to"), ("/webpage", "web page"), ("/trouble", "503")]
    + [("/endless", "larger than 1 MB"), ("/boasting", "larger than 1 MB"), ("/login", "name or password")]
    + [(path, "cannot be reached") for path in ("/short", "/bomb", "/packed")],
)
def test_a_bad_answer_gets_a_sentence_with_the_address_but_no_password(web, get, path, said):
    for login in ("", "ann:wr0ng@", ":wr0ng@"):
        with pytest.raises(DeskError) as refusal:
            get(web.address(path).replace("//", f"//{login}"))
        sentence = str(refusal.value)
        assert said in sentence and web.address(path) in sentence and "wr0ng" not in sentence


def test_a_body_takes_no_more_memory_than_the_limit(web, get):
    tracemalloc.start()
    try:
        assert get(web.address("/heavy")) == LIST
        for path in ("/bomb", "/endless"):
            with pytest.raises(DeskError):
                get(web.address(path))
        assert tracemalloc.get_traced_memory()[1] < 8 * MOST
    finally:
        tracemalloc.stop()


@pytest.fixture
def private(web):
    """Give the address of a list that takes a password, which is in it."""
    web.pages["/behind"] = LIST
    return web.address("/login").replace("//", "//ann:s3cret%2F7@")


def kept_texts(folder):
    return [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]


def test_only_the_server_gets_the_password(web, get, private, tmp_path):
    old = remote._name_copy(private, tmp_path)
    old.parent.mkdir(parents=True)
    old.write_text('{"address": "http://ann:s3cret@..."}')
    assert get(private) == LIST
    ((path, content),) = kept_texts(tmp_path)
    assert b"s3cret" not in content and b"ann" not in content and web.address("/login").encode() in content
    assert path.name != old.name and path.stat().st_mode & 0o777 == 0o600
    web.shutdown()
    web.server_close()
    assert get(private) == LIST
    assert "copy" in get.remarks[0] and "s3cret" not in get.remarks[0]


def test_another_server_does_not_get_the_password(web, get, tmp_path):
    with serving() as other:
        other.pages["/list.txt"] = LIST
        web.away = other.address("/list.txt")
        assert get(web.address("/away").replace("//", "//ann:s3cret@")) == LIST
        assert "Authorization" in web.seen[0][1] and "Authorization" not in other.seen[0][1]


def test_a_wrong_address_is_refused_without_its_password():
    for address in (
        "ftp://ann:s3cret@host/list",
        "http://ann:s3cret@",
        "http://ann:s3cret@host:99999/",
        "http:/ann:s3cret@host/x",
        "http://ann:s3/cret@host/list",
        "ann:s3cret@host/list",
        "http:ann:s3cret@host",
        "http://ann:s3cret@host/" + "x" * 3000,
        "http://" + ":" * 100_000,
        "http://" + "o\u0323\u0301" * 50_000,
        *("file:///etc/passwd", "https:///list", "http://[", "://", "javascript://x", "http://\x00"),
    ):
        with pytest.raises(DeskError, match=r"address|no word list") as refusal:
            lists.find(address)
        assert "s3" not in str(refusal.value)


def test_no_command_prints_or_keeps_the_password(private, tmp_path, cli):
    """Takes seconds: it runs every command that takes a list."""
    for command in (
        "words show LIST --json",
        "words check LIST",
        "words LIST",
        "play LIST",
        "solve --words LIST --beam-only --quick --json --out FILE",
        "solve --words LIST --early LIST --beam-only --out FILE",
        "solve --rules bulls --words LIST",
        "solve verify FILE --words LIST",
        "rehearse --words LIST --all --transcripts FILE --json",
        "explain ocean --words LIST",
        "assist --words LIST",
        "assist --rules bulls --words LIST",
        "play --words LIST --transcript FILE",
        "replay FILE --words LIST",
        "wordle help --words LIST --json",
    ):
        given = {"LIST": private, "FILE": tmp_path / "file"}
        _, out, err = cli(*[given.get(part, part) for part in command.split()])
        assert out or err
        for text in (out.encode(), err.encode(), *(content for _, content in kept_texts(tmp_path))):
            assert b"s3cret" not in text, command


def test_a_slow_server_is_given_up_and_the_copy_serves(web, get, tmp_path):
    for path in ("/hang", "/drip"):
        with pytest.raises(DeskError, match=r"within 0\.3 seconds"):
            get(web.address(path), seconds=0.3)
    get(web.address("/list.txt"))
    (copy,) = (tmp_path / "wordlists").iterdir()
    slow = remote._name_copy(web.address("/hang"), tmp_path)
    slow.write_bytes(copy.read_bytes().replace(b"/list.txt", b"/hang"))
    assert get(web.address("/hang"), seconds=0.3) == LIST
    assert "within 0.3 seconds" in get.remarks[0]


LISTS = files.find_shipped_path("wordlists")
NONE = BlockList(frozenset())


def packed(contents):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as tar:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": data.getvalue()}
    return b"!<arch>\n" + b"".join(archive_entry(name, content) for name, content in parts.items())


def test_the_english_list_is_sorted_by_commonness_without_blocked_words(monkeypatch):
    listed = {
        "english-words.10": "ocean\nOcean\nquilt\nhouses\n",
        "american-words.10": "color\n",
        "english-words.20": "ocean\nbirds\ncaf\xe9s\nit's\n",
        "american-words.50": "adobe\n",
    }
    names = [f"{variety}-words.{band}" for band in building.SCOWL_BANDS for variety in building.SCOWL_VARIETIES]
    small = packed({f"{building.SCOWL_FOLDER}/{name}": listed.get(name, "").encode("latin-1") for name in names})
    monkeypatch.setattr(building, "SCOWL", replace(building.SCOWL, sha256=hashlib.sha256(small).hexdigest()))
    rows = "color\t10\nocean\t10\nquilt\t10\nbirds\t20\nadobe\t50\n"
    assert building.build_english_list(small, NONE) == building.ENGLISH_HEADER + rows
    assert "birds" not in building.build_english_list(small, BlockList(frozenset([hash_blocked_word("birds")])))
    with pytest.raises(DeskError, match="SHA-256"):
        building.build_english_list(b"!<arch>\n", NONE)
    for archive in (b"", b"PK\3\4", b"!<arch>\n" + b"x" * 60, b"!<arch>\n" + b" " * 58 + b"`\n"):
        with pytest.raises(DeskError, match="package"):
            list(lists.list_archive_members(archive))


def test_the_package_is_taken_from_the_file_or_the_copy_or_downloaded(tmp_path, monkeypatch):
    scowl = replace(building.SCOWL, sha256=hashlib.sha256(b"fresh").hexdigest())
    (tmp_path / scowl.file_name).write_bytes(b"fresh")
    (tmp_path / "other.deb").write_bytes(b"named")
    assert scowl.get(None, tmp_path) == b"fresh"
    assert scowl.get(tmp_path / "other.deb", tmp_path) == b"named"
    with pytest.raises(DeskError, match=r"missing\.deb"):
        scowl.get(tmp_path / "missing.deb", tmp_path)
    program, cache = tmp_path / "bin" / "apt-get", tmp_path / "cache"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(program.parent), "/usr/bin", "/bin"]))
    # Half a download, then a whole one, which replaces a damaged copy, then none.
    for does in ("printf fre", "printf fresh", "echo E: no such package >&2; exit 100"):
        target = " > scowl_2020.12.07-2_all.deb" if "printf" in does else ""
        program.write_text(f'#!/bin/sh\n[ "$*" = "--quiet download scowl=2020.12.07-2" ] || exit 100\n{does}{target}\n')
        program.chmod(0o755)
        if does == "printf fre":
            with pytest.raises(DeskError, match="SHA-256"):
                scowl.get(None, cache)
            assert not cache.exists()
            cache.mkdir()
            (cache / scowl.file_name).write_bytes(b"fre")
        elif does == "printf fresh":
            assert scowl.get(None, cache) == b"fresh"
    assert (cache / scowl.file_name).read_bytes() == b"fresh"
    with pytest.raises(DeskError, match="could not get"):
        scowl.get(None, tmp_path / "other")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeskError, match="'apt-get' is missing"):
        scowl.get(None, tmp_path / "other")


def test_the_shipped_lists_have_their_form_and_numbers():
    checked = {found.name: found for found in building.check_all_lists(LISTS)}
    assert {name: found.findings for name, found in checked.items() if found.findings} == {}
    lists_of = [f"{code}{kind}" for code in lists.list_recipe_codes(LISTS) for kind in (".tsv", "-blocked.sha256")]
    assert set(checked) == {"en.tsv", "blocked.sha256", *lists_of}
    english = checked["en.tsv"]
    assert (english.words, english.isograms) == (4348, 2920)
    assert english.bands == {10: (600, 429), 20: (758, 526), 35: (2053, 1372), 40: (208, 136), 50: (729, 457)}


def test_faults_of_a_list_are_found():
    rude = BlockList(frozenset([hash_blocked_word("birds")]))
    for raw, finding in [
        (b"ocean\t10\nquilt\t10", "does not end"),
        (b"quilt\t10\nocean\t10\n", "'quilt' is listed before 'ocean'"),
        (b"ocean\t20\nquilt\t10\n", "'ocean' is listed before 'quilt'"),
        (b"ocean\t10\nocean\t20\n", "'ocean' is listed twice"),
        (b"ocean 10\n", "line 1, 'ocean 10'"),
        (b"Ocean\t10\n", "line 1"),
        (b"oceans\t10\n", "line 1"),
        (b"ocean\t10\r\n", "line 1"),
        (b"ocean\t10\n# late\n", "line 2"),
        (b"ocean\t10\nquilt\t10\nbirds\t20\n", "place 3 is blocked"),
    ]:
        assert any(finding in each for each in building.check_list("test", raw, rude).findings), raw
    findings = building.check_list("test", b"x\n" * 50, NONE).findings
    assert len(findings) == 11 and findings[-1] == "and 40 more"


def test_wrong_numbers_in_the_sources_are_found_and_only_those_are_renewed(tmp_path):
    (tmp_path / "en.tsv").write_text("ocean\t10\n")
    (tmp_path / "blocked.sha256").write_text("b\n")
    (tmp_path / "SOURCES.md").write_text("# Lists\n" + building.TOP + building.END + "the end\n")
    english, blocked = building.check_all_lists(tmp_path)
    assert "SOURCES.md says other numbers" in english.findings[0] and "not a SHA-256" in blocked.findings[0]
    sources = (LISTS / "SOURCES.md").read_text("utf-8")
    assert building.renew_sources(sources, building.measure_lists(LISTS)) == sources
    with pytest.raises(DeskError, match="put them back"):
        building.renew_sources("# no place", [])


LANGUAGES = lists.list_recipe_codes(LISTS)


def own(code, kind):
    letters = lists.read_recipe(LISTS, code).letters
    return {fold_word(word, letters) for word in lists.read_own_list(LISTS / f"{code}-{kind}.txt")}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_list_and_its_files_fit_together(code):
    recipe, listed = lists.read_recipe(LISTS, code), lists.load_list(code, JOTTO)
    assert listed.letters == recipe.letters and 1500 < len(listed.words) < 2500
    assert set(listed.bands) == set(lists.BAND_FREQUENCIES)
    assert lists.load_block_list(language=code).letters == recipe.letters
    early, late = own(code, "early"), own(code, "late")
    assert early < set(listed.words) and not early & late and {*recipe.openers, *recipe.hard_openers} <= early
    written = {row.partition("\t")[0] for row in (LISTS / f"{code}.tsv").read_text(encoding="utf-8").splitlines()}
    assert not written & lists.read_own_list(LISTS / f"{code}-left-out.txt")
    for name, (_, _, searched) in solve.list_shipped_trees([code]).items():
        found = tree.parse_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(listed.words, listed.adapt_rules(JOTTO))
        assert found.word(0) == searched.first and "0" not in found.certificate["distribution"]
        assert "--symbols" not in found.certificate["command"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_late_word_is_guessed_only_if_no_other_is_left(code):
    # Spanish "negro" is a late word there, and blocked in English.
    listed, late, asked = lists.load_list(code, JOTTO), own(code, "late"), []
    index = Index(listed.words, listed.adapt_rules(JOTTO))
    for name in solve.list_shipped_trees([code]):
        walked = tree.parse_tree((LISTS / f"{name}.tree").read_bytes()).bound_to(
            listed.words, listed.adapt_rules(JOTTO)
        )
        sets = [(0, index.everything)]
        while sets:
            node, members = sets.pop()
            guess = walked.word(node)
            if guess in late and not late.issuperset(index.list_words(members)):
                asked.append((name, guess))
            sets += [
                (child, part)
                for answer, part in index.split(guess, members).items()
                if (child := walked.find_child(node, answer)) is not None
            ]
    assert asked == []


@pytest.mark.parametrize(
    "code, blocked, harmless",
    [
        ("fr", "merde merd\u00e9 MERDE\u0301", "c\u00f4te c\u00f4ne m\u00e8re"),
        ("de", "m\u00f6se mo\u0308se M\u00d6SE", "mose h\u00f6ren schw\u00fcl gr\u00fc\u00dfe"),
        ("es", "co\u00f1o con\u0303o CO\u00d1O", "cono a\u00f1o pi\u00f1a pina"),
    ],
)
def test_letters_of_a_language_tell_rude_words_from_harmless_ones(code, blocked, harmless):
    rude = lists.load_block_list(language=code)
    assert [word for word in blocked.split() if not rude.blocks(word)] == []
    assert [word for word in harmless.split() if rude.blocks(word)] == []


def test_a_list_has_the_frequent_words_of_the_dictionary():
    # German, small: words by their frequency, as wordfreq counts them, and a dictionary with an ending.
    rows = [{"format": "cB", "version": 1}] + [[] for _ in range(700)]
    for zipf, found in {
        4.6: ["grosse", "hallo"],
        4.7: ["unten"],
        3.3: ["apfel", "grete", "möse", "tags"],
        3.0: ["tagen", "schon"],
        2.4: ["biber", "wolle", "wegen"],
        2.2: ["zebra"],
    }.items():
        rows[1 + round((9 - zipf) * 100)] = found
    frequencies, place = gzip.compress(msgpack.packb(rows), mtime=0), "usr/share/hunspell/de_DE"
    listed = "9\ngroße\nunten\nApfel\nGrete\nMöse\nTage/A\nschon\nBiber\nWolle\nwege/A\nZebra\nhallo\n"
    texts = {f"./{place}.aff": b"SET UTF-8\nSFX A Y 1\nSFX A 0 n e\n", f"./{place}.dic": listed.encode()}
    package = packed(texts)
    dictionary = lists.DebianPackage("hunspell-de", "1:2", hashlib.sha256(package).hexdigest())
    pins = ("large_de.msgpack.gz", hashlib.sha256(frequencies).hexdigest())
    recipe = lists.Recipe("de", "German", LETTERS + "äöüß", pins, dictionary, place, True, (), ())
    rude = BlockList(frozenset([hash_blocked_word("möse", recipe.letters)]), recipe.letters)
    built = building.build_language_list(recipe, frequencies, package, ["grete"], rude)
    # Inflected forms are seldom; rare ones, names, blocked words and those of no dictionary are out.
    wanted = "große 10|hallo 10|unten 10|apfel 35|schon 40|biber 50|tagen 50|wolle 50"
    found = [row.replace("\t", " ") for row in built.splitlines() if not row.startswith("#")]
    assert "|".join(found) == wanted and f"# Letters: {recipe.letters}\n" in built and "CC BY-SA 4.0" in built
    assert recipe.dictionary.file_name == "hunspell-de_1%3a2_all.deb"
    for wrong in ((frequencies + b" ", package), (frequencies, package + b" ")):
        with pytest.raises(DeskError, match="SHA-256"):
            building.build_language_list(recipe, *wrong, [], rude)
    with pytest.raises(DeskError, match="no file"):
        lists.unpack_files(package, {"./elsewhere.aff"})


def test_a_wrong_recipe_gets_a_sentence(tmp_path):
    plain = json.loads((LISTS / "fr.json").read_text(encoding="utf-8"))
    for change, said in [
        ({"letters": "aab"}, "not an alphabet"),
        ({"openers": [5]}, "not text"),
        ({"dictionary": {}}, "not a recipe"),
        ({"frequencies": {"file": "x", "sha256": "y"}}, "not a SHA-256"),
        (None, "not JSON"),
    ]:
        text = "{" if change is None else json.dumps({**plain, **change})
        (tmp_path / "it.json").write_text(text, encoding="utf-8")
        with pytest.raises(DeskError, match=said):
            lists.read_recipe(tmp_path, "it")
    with pytest.raises(DeskError, match="jotto words new nl"):
        lists.read_recipe(tmp_path, "nl")
    with pytest.raises(DeskError, match="not a code"):
        lists.parse_language_code("../x")


def test_a_new_language_gets_files_and_a_list_of_missing_parts(tmp_path, cli, monkeypatch):
    (tmp_path / "wordlists").mkdir()
    (tmp_path / "lines_en.json").write_bytes(Path(mind.HERE, "lines_en.json").read_bytes())
    monkeypatch.setattr(files, "find_checkout", lambda: tmp_path)
    monkeypatch.setattr(mind, "HERE", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    for wrong in ((), ("It<b>",), ("Italiano 2",)):
        assert cli("words", "new", "it", *wrong)[0] == 2
    assert cli("words", "new", "en", "English")[0] == 2
    begun = cli.json("words", "new", "it", "Italian")
    assert len(begun["written"]) == 7 and any("No dictionary 'hunspell-it'" in each for each in begun["missing"])
    # No dictionary could be had, so the recipe is still to be filled in.
    assert any("not a SHA-256" in each for each in begun["missing"])
    recipe = json.loads((tmp_path / "wordlists/it.json").read_text(encoding="utf-8"))
    recipe["dictionary"]["sha256"] = recipe["frequencies"]["sha256"] = "0" * 64
    (tmp_path / "wordlists/it.json").write_text(json.dumps(recipe), encoding="utf-8")
    (tmp_path / "wordlists/it-late.txt").write_text("morte\n", encoding="utf-8")
    again = cli.json("words", "new", "it")
    assert again["written"] == [] and (tmp_path / "wordlists/it-late.txt").read_text(encoding="utf-8") == "morte\n"
    said = " ".join(again["missing"])
    assert all(each in said for each in ("not built", "it-left-out", "openers", "in English", "NAOqi's three letters"))
    assert "it-late" not in said


@pytest.mark.parametrize("code", ["de", "es"])
def test_the_solver_plays_letters_of_a_language(code):
    chosen = problem_options.choose_problem("jotto", code)
    assert len(chosen.problem.rules.alphabet) > 26
    plain = feedback_table.make_table(chosen.problem)
    fast = feedback_table.make_table(chosen.problem, cores.choose_best_core().add_planes)
    assert (plain.rows == fast.rows).all()
    assert (plain.rows == feedback_table.make_table(chosen.problem, NumpyCore().add_planes).rows).all()
    rules, guesses = chosen.problem.rules, chosen.problem.guesses
    for guess, secret in np.random.default_rng(1).integers(len(guesses), size=(200, 2)):
        assert chosen.problem.classes[plain.rows[guess, secret]] == rules.score(guesses[guess], guesses[secret])


def archive_entry(name, content):
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
    return head.encode("ascii") + content + b"\n" * (len(content) % 2)
