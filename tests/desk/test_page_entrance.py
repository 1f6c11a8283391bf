"""Who comes in to a page: other computers by TLS and a token alone, and each visitor known by a cookie."""

import asyncio

import pytest
from open_sockets import OpenSockets
from tls_files import tls_files

pytest.importorskip("nicegui")

from jotto_desk.cli import page_options
from naosim import cli
from naosim_live.page.bounds import Guard
from naosim_live.page.doors.entrance import HERE, WrongEntrance, entrance
from naosim_live.page.doors.token_lock import TokenLock
from naosim_live.page.visitors import known_browser
from naosim_live.page.visitors.known_browser import KEPT, MOST_SOCKETS, KnownBrowsers

TOKEN = "correct-horse-battery"


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    certificate, key = tls_files(tmp_path_factory.mktemp("tls"))
    return {"certificate": certificate, "key": key}


@pytest.mark.parametrize(
    "host, options, sentence",
    [
        ("0.0.0.0", {}, '"0.0.0.0" lets other computers in: give --tls-cert and --tls-key'),
        ("192.0.2.7", {"token": TOKEN}, '"192.0.2.7" lets other computers in'),
        ("nao.example", {}, "lets other computers in"),
        ("", {}, "is no host"),
        ("a b", {}, "is no host"),
        ("x" * 300, {}, "is no host"),
        ("127.0.0.1", {"token": "short"}, "16 to 128"),
        ("127.0.0.1", {"token": TOKEN + "&"}, "16 to 128"),
        ("127.0.0.1", {"certificate": "page.pem"}, "both files"),
        ("127.0.0.1", {"key": "page.pem"}, "both files"),
        ("127.0.0.1", {"certificate": "/nowhere.pem", "key": "/nowhere.pem"}, "No such file"),
        ("127.0.0.1", {"certificate": __file__, "key": __file__}, "TLS cannot use"),
    ],
)
def test_doors_that_stay_closed(host, options, sentence):
    with pytest.raises(WrongEntrance) as refused:
        entrance(host, **options)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


def test_this_computer_alone_needs_nothing():
    assert entrance() == HERE and not HERE.is_public
    assert HERE.address(9580) == "http://127.0.0.1:9580/" and HERE.names() == ("127.0.0.1", "localhost")
    assert entrance("::1").address(80) == "http://[::1]:80/"
    assert entrance(token=TOKEN).address(9580) == f"http://127.0.0.1:9580/?token={TOKEN}"


def test_other_computers_come_by_tls_and_a_drawn_token(tls):
    opened = entrance("0.0.0.0", **tls)
    assert opened.is_public and len(opened.token) == 24 and opened.token != entrance("0.0.0.0", **tls).token
    assert opened.address(9580).startswith("https://") and opened.address(9580).endswith(f":9580/?token={opened.token}")
    assert {"127.0.0.1", "localhost"} < set(opened.names())
    assert entrance("192.0.2.7", token=TOKEN, **tls).address(1) == f"https://192.0.2.7:1/?token={TOKEN}"
    assert entrance("nao.local", insecure=True).address(1) == "http://nao.local:1/"


def asked(app, *, path="/", kind="http", query=b"", cookie="", host="127.0.0.1:9580"):
    """Ask an application, and return the messages it sent."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    headers = [(b"host", host.encode())] + ([(b"cookie", cookie.encode("latin-1"))] if cookie else [])
    scope = {"type": kind, "method": "GET", "path": path, "headers": headers, "query_string": query}
    asyncio.run(app(scope, receive, send))
    return sent


class Page:
    """An application that answers everything, and keeps who asked."""

    def __init__(self):
        self.browsers = []

    async def __call__(self, scope, receive, send):
        self.browsers.append(scope.get(KEPT))
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.parametrize(
    "cookie, query, status",
    [
        ("", b"", 403),
        ("", b"token=wrong", 403),
        ("", b"token=", 403),
        ("token=", b"", 403),
        ("token=wrong", b"", 403),
        ("other=" + TOKEN, b"", 403),
        ("token=" + TOKEN + "\xff", b"", 403),
        ("", b"token=\xff", 403),
        ("", b"x=1&" * 1000, 403),
        ("", b"token=" + TOKEN.encode(), 303),
        ("a=b; token=" + TOKEN, b"", 200),
        ("token=" + TOKEN, b"token=wrong", 200),
    ],
)
def test_the_lock_opens_for_the_token_alone(cookie, query, status):
    lock = TokenLock(Page(), TOKEN, "token", is_tls=True)
    answer = asked(lock, query=query, cookie=cookie)[0]
    assert answer["status"] == status
    headers = dict(answer["headers"])
    assert (b"set-cookie" in headers) == (status == 303)
    if status == 303:
        assert headers[b"location"] == b"/" and headers[b"set-cookie"].endswith(b"; HttpOnly; SameSite=Lax; Secure")
    opened = asked(lock, kind="websocket", query=query, cookie=cookie)[0]["type"]
    assert opened == ("websocket.accept" if status == 200 else "websocket.close")


def test_the_guard_knows_the_names_of_an_open_page(tls):
    guard = Guard(Page(), 9580, entrance("192.0.2.7", **tls))
    assert asked(guard, host="192.0.2.7:9580")[0]["status"] == 200
    assert asked(guard, host="evil.example:9580")[0]["status"] == 421
    policy = dict(asked(guard, host="192.0.2.7:9580")[0]["headers"])[b"content-security-policy"]
    assert b"wss://192.0.2.7:9580" in policy and b" ws://" not in policy
    assert asked(guard, host="192.0.2.7:9580", path="/../etc/passwd")[0]["status"] == 404


def test_every_browser_gets_a_name_and_keeps_it():
    page = Page()
    browsers = KnownBrowsers(page, "visitor", is_tls=False)
    given = [dict(asked(browsers)[0]["headers"])[b"set-cookie"].decode().split(";")[0] for _ in range(3)]
    assert len(set(given)) == 3 == len(set(page.browsers))
    kept = dict(asked(browsers, cookie=f"x=y; {given[0]}")[0]["headers"])[b"set-cookie"].decode()
    assert kept.split(";")[0] == given[0] and page.browsers[3] == page.browsers[0]
    for forged in ("visitor=", "visitor=../../etc/passwd", "visitor=" + "x" * 33, "visitor=<script>" + "x" * 24):
        asked(browsers, cookie=forged)
    assert len(set(page.browsers)) == 7
    assert not {known_browser.public_name(each) for each in page.browsers} & set(page.browsers)


def test_sockets_need_the_cookie_and_are_counted_by_it():
    async def story():
        sockets = OpenSockets()
        browsers = KnownBrowsers(sockets.stay, "visitor", is_tls=False)
        ours, others = ([(b"cookie", b"visitor=" + letter * 32)] for letter in (b"a", b"b"))
        for headers in [ours] * (MOST_SOCKETS + 1) + [[(b"cookie", b"")]]:
            await sockets.ask(browsers, headers)
        assert sockets.opened == ["websocket.accept"] * MOST_SOCKETS + ["websocket.close"] * 2
        await sockets.ask(browsers, others)
        assert sockets.opened[-1] == "websocket.accept"
        await sockets.close()
        await sockets.ask(browsers, ours)
        assert sockets.opened[-1] == "websocket.accept"

    asyncio.run(story())


def test_both_command_lines_have_the_same_bounds():
    assert (page_options.HOST, page_options.PORT) == (cli.PAGE_HOST, cli.PAGE_PORT)
    assert (page_options.LAST_PORT, page_options.MOST_VISITORS) == (cli.MAX_PORT, cli.MAX_VISITORS)
