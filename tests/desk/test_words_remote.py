"""Lists from a web address: bounded, and from the cached copy when there is no network."""

import io
import tracemalloc

import pytest
from command_line import jotto, live_in
from web_lists import serving

from jotto_desk import web as remote
from jotto_desk.errors import DeskError
from jotto_desk.words import lists

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


def test_a_list_is_fetched(web, get):
    assert get(web.address("/list.txt")) == LIST
    assert get(web.address("/moved")) == LIST
    assert get.remarks == []


def test_an_unchanged_list_is_not_sent_twice(web, get):
    get(web.address("/list.txt"))
    assert get(web.address("/list.txt")) == LIST
    assert "If-None-Match" not in web.seen[0][1] and "If-None-Match" in web.seen[1][1]


def test_a_changed_list_takes_the_place_of_the_copy(web, get):
    get(web.address("/list.txt"))
    web.pages["/list.txt"] = "knave\nquilt\n"
    assert get(web.address("/list.txt")) == "knave\nquilt\n"


def test_the_copy_serves_when_the_server_is_gone(web, get):
    address = web.address("/list.txt")
    get(address)
    web.shutdown()
    web.server_close()
    assert get(address) == LIST
    assert len(get.remarks) == 1 and address in get.remarks[0] and "copy" in get.remarks[0]


def test_a_damaged_copy_is_fetched_anew(web, get, tmp_path):
    address = web.address("/list.txt")
    get(address)
    (copy,) = (tmp_path / "wordlists").iterdir()
    for damage in (b"", b"[" * 50_000 + b"\n", b"{}\nocean", b"[1]\n", b"\xff\xfe", copy.read_bytes()[:-3]):
        copy.write_bytes(damage)
        assert get(address) == LIST


def test_a_copy_that_cannot_be_kept_is_remarked_on(web, tmp_path):
    remarks = []
    (tmp_path / "wordlists").write_text("in the way")
    content = remote.fetch_list(web.address("/list.txt"), MOST, 5.0, remarks.append, tmp_path)
    assert content.decode() == LIST and "No copy" in remarks[0]


@pytest.mark.parametrize(
    "path, said",
    [
        ("/nothing", "404"),
        ("/circle", "circle"),
        ("/inward", "leads to"),
        ("/webpage", "web page"),
        ("/trouble", "503"),
        ("/short", "cannot be reached"),
        ("/endless", "larger than 1 MB"),
        ("/boasting", "larger than 1 MB"),
        ("/bomb", "larger than 1 MB"),
        ("/twice", "cannot be reached"),
        ("/cut", "cannot be reached"),
        ("/unpackable", "cannot be reached"),
        ("/login", "name or password"),
    ],
)
def test_bad_answers_get_a_sentence_that_quotes_the_address(web, get, path, said):
    with pytest.raises(DeskError) as refusal:
        get(web.address(path))
    assert said in str(refusal.value) and web.address(path) in str(refusal.value)


@pytest.mark.parametrize("path", ["/packed", "/deflated"])
def test_a_packed_list_is_unpacked(web, get, path):
    assert get(web.address(path)) == LIST


@pytest.mark.parametrize("path, comes", [("/heavy", True), ("/bomb", False), ("/twice", False)])
def test_what_is_packed_takes_no_more_memory_than_is_wanted(web, get, path, comes):
    tracemalloc.start()
    try:
        if comes:
            assert get(web.address(path)) == LIST
        else:
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


def test_a_password_goes_to_the_server_and_nowhere_else(web, get, private, tmp_path):
    old = remote._place(private, tmp_path)
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


def test_another_server_is_not_told_the_password(web, get, tmp_path):
    with serving() as other:
        other.pages["/list.txt"] = LIST
        web.away = other.address("/list.txt")
        assert get(web.address("/away").replace("//", "//ann:s3cret@")) == LIST
        assert "Authorization" in web.seen[0][1] and "Authorization" not in other.seen[0][1]


@pytest.mark.parametrize(
    "path, wrong",
    [
        ("/login", "ann:wr0ng"),
        ("/nothing", "ann:s3cret"),
        ("/trouble", "ann:s3cret"),
        ("/circle", "ann:s3cret"),
        ("/inward", "ann:s3cret"),
        ("/webpage", "ann:s3cret"),
        ("/endless", "ann:s3cret"),
        ("/short", ":s3cret"),
    ],
)
def test_no_sentence_has_the_password(web, get, path, wrong):
    with pytest.raises(DeskError) as refusal:
        get(web.address(path).replace("//", f"//{wrong}@"))
    assert wrong.partition(":")[2] not in str(refusal.value) and web.address(path) in str(refusal.value)


@pytest.mark.parametrize(
    "address",
    [
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
    ],
)
def test_a_password_in_a_wrong_address_is_not_shown(address):
    with pytest.raises(DeskError) as refusal:
        lists.find(address)
    assert "s3" not in str(refusal.value)


@pytest.mark.parametrize(
    "command",
    [
        ("words", "show", "LIST", "--json"),
        ("words", "check", "LIST"),
        ("words", "LIST"),
        ("play", "LIST"),
        ("solve", "--words", "LIST", "--beam-only", "--quick", "--json", "--out", "FILE"),
        ("solve", "--words", "LIST", "--early", "LIST", "--beam-only", "--out", "FILE"),
        ("solve", "--rules", "bulls", "--words", "LIST"),
        ("solve", "verify", "FILE", "--words", "LIST"),
        ("rehearse", "--words", "LIST", "--all", "--transcripts", "FILE", "--json"),
        ("explain", "ocean", "--words", "LIST"),
        ("assist", "--words", "LIST"),
        ("assist", "--rules", "bulls", "--words", "LIST"),
        ("play", "--words", "LIST", "--transcript", "FILE"),
        ("replay", "FILE", "--words", "LIST"),
        ("wordle", "help", "--words", "LIST", "--json"),
    ],
    ids=" ".join,
)
def test_no_command_prints_or_keeps_the_password(command, private, tmp_path, capfd, monkeypatch):
    live_in(tmp_path, monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    given = {"LIST": private, "FILE": tmp_path / "file"}
    _, out, err = jotto(capfd, *[given.get(part, part) for part in command])
    assert out or err
    for text in (out.encode(), err.encode(), *(content for _, content in kept_texts(tmp_path))):
        assert b"s3cret" not in text


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_a_slow_server_is_given_up(web, get, path):
    with pytest.raises(DeskError, match=r"within 0\.3 seconds"):
        get(web.address(path), seconds=0.3)


def test_a_slow_server_leaves_the_copy(web, get, tmp_path):
    get(web.address("/list.txt"))
    (copy,) = (tmp_path / "wordlists").iterdir()
    slow = remote._place(web.address("/hang"), tmp_path)
    slow.write_bytes(copy.read_bytes().replace(b"/list.txt", b"/hang"))
    assert get(web.address("/hang"), seconds=0.3) == LIST
    assert "within 0.3 seconds" in get.remarks[0]


@pytest.mark.parametrize(
    "address",
    [
        "ftp://host/list",
        "file:///etc/passwd",
        "http://",
        "https:///list",
        "http://[",
        "://",
        "javascript://x",
        "http://\x00",
    ],
)
def test_what_is_no_address_is_refused(get, address):
    with pytest.raises(DeskError, match="address"):
        get(address)
