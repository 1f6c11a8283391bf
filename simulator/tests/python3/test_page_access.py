"""Access to a page: the guard, TLS and the token, without a browser."""

import asyncio
import os

import pytest
from programs import need_program
from tls_files import tls_files

from naosim_page import access
from naosim_page.access import (
    HERE,
    MAX_MESSAGES_PER_S,
    MAX_SOCKETS,
    Access,
    Guard,
    TokenLock,
    WrongAccess,
    check_access,
)

PORT = 9580
OWN = (b"host", b"127.0.0.1:9580")
TOKEN = "correct-horse-battery"


class Page:
    """An application that accepts every request and socket."""

    async def __call__(self, scope, receive, send):
        is_socket = scope["type"] == "websocket"
        answer = {"type": "websocket.accept"} if is_socket else {"type": "http.response.start", "status": 200}
        await send({**answer, "headers": []})


def ask(app, *, cookie="", **scope):
    """Return an application's answer to a request or a socket: the message, with its headers as a dict."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    headers = [OWN] + ([(b"cookie", cookie.encode("latin-1"))] if cookie else [])
    plain = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": b""}
    asyncio.run(app({**plain, **scope}, receive, send))
    return {**sent[0], "headers": dict(sent[0].get("headers", ()))}


def opens(app, **scope):
    """Return whether an application accepts a socket."""
    return ask(app, type="websocket", **scope)["type"] == "websocket.accept"


# The guard of every page.


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([OWN], 200),
        ([(b"host", b"LOCALHOST:9580")], 200),
        ([OWN, (b"origin", b"http://127.0.0.1:9580")], 200),
        ([], 421),
        ([OWN, OWN], 421),
        ([(b"host", b"evil.example")], 421),
        ([(b"host", b"127.0.0.1:80")], 421),
        ([(b"host", b"127.0.0.1:9580.evil.example")], 421),
        ([(b"host", b"\xff")], 421),
        ([OWN, (b"origin", b"http://evil.example")], 403),
        ([OWN, (b"origin", b"null")], 403),
        ([OWN, (b"origin", b"http://127.0.0.1:9581")], 403),
        ([OWN, (b"origin", b"http://127.0.0.1:9580@evil.example")], 403),
    ],
)
def test_only_pages_of_this_computer_are_answered(headers, status):
    guard = Guard(Page())
    assert ask(guard, headers=headers)["status"] == status
    assert opens(guard, path="/robot", headers=headers) == (status == 200)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("HEAD", "/", 200), ("POST", "/", 405), ("OPTIONS", "/", 405), ("PUT", "/robot", 405)],
)
def test_methods_and_paths(method, path, status):
    assert ask(Guard(Page()), method=method, path=path)["status"] == status


def test_headers_that_limit_what_a_page_may_do():
    for hears, microphone in ((False, b"microphone=()"), (True, b"microphone=(self)")):
        headers = ask(Guard(Page(), hears=hears))["headers"]
        policy = headers[b"permissions-policy"]
        assert policy.endswith(microphone) and b"camera=()" in policy
        policy = headers[b"content-security-policy"]
        assert b"frame-ancestors 'none'" in policy and b"default-src 'self'" in policy and b"unsafe" not in policy
        assert headers[b"x-frame-options"] == b"DENY"


def test_the_number_of_sockets_is_limited():
    async def story():
        opened, tasks, over = [], [], asyncio.Event()

        async def stay(_scope, _receive, send):
            """Accept a socket and keep it open until the end."""
            await send({"type": "websocket.accept"})
            await over.wait()

        async def receive():
            return {"type": "websocket.connect"}

        async def send(message):
            opened.append(message["type"])

        async def ask():
            scope = {"type": "websocket", "path": "/robot", "headers": [OWN]}
            tasks.append(asyncio.ensure_future(app(scope, receive, send)))
            await asyncio.sleep(0)

        app = Guard(stay)
        for _ in range(MAX_SOCKETS + 1):
            await ask()
        assert opened == ["websocket.accept"] * MAX_SOCKETS + ["websocket.close"]
        over.set()
        await asyncio.gather(*tasks)
        await ask()
        assert opened[-1] == "websocket.accept"

    asyncio.run(story())


def test_acts_above_the_rate_wait(monkeypatch):
    waits, now = [], [0.0]

    async def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(access.asyncio, "sleep", sleep)
    monkeypatch.setattr(access.time, "monotonic", lambda: now[0])

    async def receive():
        return {"type": "websocket.receive"}

    async def story():
        receiving = access._slow_down(receive)
        for _ in range(3 * MAX_MESSAGES_PER_S):
            await receiving()

    asyncio.run(story())
    assert now[0] == pytest.approx(2.0) and len(waits) == 2


# Other computers, by TLS and a token.


@pytest.mark.parametrize(
    ("host", "options", "sentence"),
    [
        ("0.0.0.0", {}, '"0.0.0.0" lets other computers in: give --tls, or --tls-cert and --tls-key'),
        ("192.0.2.7", {"token": TOKEN}, '"192.0.2.7" lets other computers in'),
        ("nao.example", {}, "lets other computers in"),
        ("", {}, "is not a host"),
        ("a b", {}, "is not a host"),
        ("x" * 300, {}, "is not a host"),
        ("127.0.0.1", {"token": "short"}, "16 to 128"),
        ("127.0.0.1", {"token": TOKEN + "&"}, "16 to 128"),
        ("127.0.0.1", {"certificate": "page.pem"}, "both files"),
        ("127.0.0.1", {"key": "page.pem"}, "both files"),
        ("127.0.0.1", {"tls": True, "key": "page.pem"}, "leave out either --tls, or"),
        ("127.0.0.1", {"certificate": "/nowhere.pem", "key": "/nowhere.pem"}, "No such file"),
        ("127.0.0.1", {"certificate": __file__, "key": __file__}, "TLS cannot use"),
    ],
)
def test_wrong_access_is_refused(host, options, sentence):
    with pytest.raises(WrongAccess) as refused:
        check_access(host, **options)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


def test_a_page_for_this_computer_needs_no_token():
    assert check_access() == HERE and not HERE.is_public
    assert HERE.address() == "http://127.0.0.1:9580/" and HERE.names() == ("127.0.0.1", "localhost")
    assert check_access("::1", 80).address() == "http://[::1]:80/"
    assert check_access(token=TOKEN).address() == f"http://127.0.0.1:9580/?token={TOKEN}"


def test_a_page_for_other_computers_has_tls_and_a_random_token(tmp_path):
    tls = dict(zip(("certificate", "key"), tls_files(tmp_path), strict=True))
    opened = check_access("0.0.0.0", **tls)
    assert opened.is_public and len(opened.token) == 24 and opened.token != check_access("0.0.0.0", **tls).token
    assert opened.address().startswith("https://") and opened.address().endswith(f":9580/?token={opened.token}")
    assert {"127.0.0.1", "localhost"} < set(opened.names())
    assert check_access("192.0.2.7", 1, token=TOKEN, **tls).address() == f"https://192.0.2.7:1/?token={TOKEN}"
    assert check_access("nao.local", 1, insecure=True).address() == "http://nao.local:1/"
    guard = Guard(Page(), check_access("192.0.2.7", **tls))
    answer = ask(guard, headers=[(b"host", b"192.0.2.7:9580")])
    policy = answer["headers"][b"content-security-policy"]
    assert answer["status"] == 200 and b"wss://192.0.2.7:9580" in policy and b" ws://" not in policy
    assert ask(guard, headers=[(b"host", b"evil.example:9580")])["status"] == 421


def test_a_page_can_have_a_certificate_that_this_computer_makes(tmp_path, monkeypatch):
    need_program("openssl")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    opened = check_access("192.0.2.7", tls=True)
    assert opened.token and opened.address().startswith("https://192.0.2.7:") and opened.tls() is not None
    assert os.path.isfile(opened.authority)
    again = check_access("192.0.2.7", tls=True, insecure=True)
    assert not again.token and again.certificate == opened.certificate


@pytest.mark.parametrize(
    ("opened", "parts"),
    [
        (HERE, []),
        (Access("192.0.2.7"), ["Anyone who can reach", "microphone: add --tls"]),
        (Access("192.0.2.7", certificate="page.pem", key="key.pem"), ["Anyone who can reach"]),
        (Access("192.0.2.7", TOKEN, "page.pem", "key.pem"), []),
        (Access("192.0.2.7", TOKEN, "page.pem", "key.pem", authority="authority.crt"), ["each browser warns once"]),
    ],
)
def test_a_page_says_who_can_use_it_and_what_browsers_ask(opened, parts):
    warnings = opened.list_warnings()
    assert len(warnings) == len(parts) and all(part in warning for part, warning in zip(parts, warnings, strict=True))


@pytest.mark.parametrize(
    ("cookie", "query", "status"),
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
def test_the_lock_opens_only_for_the_token(cookie, query, status):
    lock = TokenLock(Page(), TOKEN, "token", is_tls=True)
    answer = ask(lock, query_string=query, cookie=cookie)
    assert answer["status"] == status and (b"set-cookie" in answer["headers"]) == (status == 303)
    if status == 303:
        assert answer["headers"][b"location"] == b"/"
        assert answer["headers"][b"set-cookie"].endswith(b"; HttpOnly; SameSite=Lax; Secure")
    assert opens(lock, query_string=query, cookie=cookie) == (status == 200)
