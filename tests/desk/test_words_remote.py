"""Word lists from a web address: limits, passwords, and the copy for days without a network."""

import tracemalloc

import pytest
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
    [
        ("/nothing", "404"),
        ("/circle", "circle"),
        ("/inward", "leads to"),
        ("/webpage", "web page"),
        ("/trouble", "503"),
        ("/short", "cannot be reached"),
        ("/endless", "larger than 1 MB"),
        ("/boasting", "larger than 1 MB"),
        ("/bomb", "cannot be reached"),
        ("/packed", "cannot be reached"),
        ("/login", "name or password"),
    ],
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
    slow = remote._place(web.address("/hang"), tmp_path)
    slow.write_bytes(copy.read_bytes().replace(b"/list.txt", b"/hang"))
    assert get(web.address("/hang"), seconds=0.3) == LIST
    assert "within 0.3 seconds" in get.remarks[0]
