"""Lists from a web address: bounded, and from the cached copy when there is no network."""

import pytest
from web_lists import serving

from jotto_desk.errors import DeskError
from jotto_desk.words import remote

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
        return remote.get(address, most, seconds, fetch.remarks.append, tmp_path).decode()

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
    for damage in (b"", b"{}\nocean", b"[1]\n", b"\xff\xfe", copy.read_bytes()[:-3]):
        copy.write_bytes(damage)
        assert get(address) == LIST


def test_a_copy_that_cannot_be_kept_is_remarked_on(web, tmp_path):
    remarks = []
    (tmp_path / "wordlists").write_text("in the way")
    content = remote.get(web.address("/list.txt"), MOST, 5.0, remarks.append, tmp_path)
    assert content.decode() == LIST and "No copy" in remarks[0]


@pytest.mark.parametrize("path, said", [
    ("/nothing", "404"),
    ("/circle", "circle"),
    ("/inward", "leads to"),
    ("/webpage", "web page"),
    ("/trouble", "503"),
    ("/short", "cannot be reached"),
    ("/endless", "larger than 1 MB"),
    ("/boasting", "larger than 1 MB"),
])
def test_bad_answers_get_a_sentence_that_quotes_the_address(web, get, path, said):
    with pytest.raises(DeskError) as refusal:
        get(web.address(path))
    assert said in str(refusal.value) and web.address(path) in str(refusal.value)


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


@pytest.mark.parametrize("address", [
    "ftp://host/list", "file:///etc/passwd", "http://", "https:///list", "http://[", "://", "javascript://x", "http://\x00",
])
def test_what_is_no_address_is_refused(get, address):
    with pytest.raises(DeskError, match="address"):
        get(address)
