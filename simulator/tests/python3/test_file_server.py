"""A class at a server of files over TLS, and the certificate that this computer makes for it."""

import contextlib
import http.client
import os
import socket
import ssl
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from programs import need_program

from naosim_page import certificates
from naosim_page.access import check_access
from naosim_page.certificates import CertificateError, make_certificate
from naosim_page.file_server import FileServer
from naosim_page.site import STATIC

PATIENCE_S = 60.0
NAMES = ("127.0.0.1", "localhost", "[::1]")


@contextlib.contextmanager
def offering(folder, **options):
    """Offer a folder on this computer; provide the server."""
    with FileServer(folder, "127.0.0.1", 0, **options) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Provide this computer's certificate."""
    need_program("openssl")
    return make_certificate(tmp_path_factory.mktemp("tls"), NAMES)


def tls_of(made):
    return check_access(certificate=made.certificate, key=made.key).tls()


def fetch_all(port, trust, names):
    """Fetch files over one connection, as a browser does; return their bytes by name."""
    found = {}
    with contextlib.closing(http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=PATIENCE_S)) as way:
        for name in names:
            way.request("GET", f"/{name}")
            answer = way.getresponse()
            found[name] = answer.read() if answer.status == 200 else answer.status
    return found


def test_a_class_of_25_gets_every_file_while_others_say_nothing_or_leave(made):
    files = {path.name: path.read_bytes() for path in STATIC.iterdir() if path.is_file()}
    trust = ssl.create_default_context(cafile=made.authority)
    with offering(STATIC, tls=tls_of(made)) as server, contextlib.ExitStack() as others:
        port = server.server_port
        for _ in range(5):  # They never agree on TLS.
            others.enter_context(socket.create_connection(("127.0.0.1", port)))
        plain = others.enter_context(socket.create_connection(("127.0.0.1", port)))
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        leaving = trust.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1")
        leaving.sendall(b"GET /icon.svg HTTP/1.1\r\nHost: x\r\n\r\n")
        leaving.close()
        with ThreadPoolExecutor(25) as pupils:
            got = list(pupils.map(lambda _: fetch_all(port, trust, files), range(25)))
    assert all(each == files for each in got)


def test_only_a_client_that_trusts_the_authority_takes_the_certificate(made):
    strange = ssl.create_default_context()
    with offering(STATIC, tls=tls_of(made), more={"nao.crt": made.authority}) as server:
        with pytest.raises(ssl.SSLCertVerificationError):
            fetch_all(server.server_port, strange, ["nao.crt"])
        trust = ssl.create_default_context(cafile=made.authority)
        found = fetch_all(server.server_port, trust, ["nao.crt", "../site.py", "%2e%2e/site.py", "nothing.js"])
    assert list(found.values()) == [Path(made.authority).read_bytes(), 404, 404, 404]


def test_too_many_connections_are_hung_up_on(monkeypatch):
    monkeypatch.setattr("naosim_page.file_server.MAX_CONNECTIONS", 2)
    with offering(STATIC) as server, contextlib.ExitStack() as open_ones:
        way = ("127.0.0.1", server.server_port)
        first, _, third = [open_ones.enter_context(socket.create_connection(way, PATIENCE_S)) for _ in range(3)]
        third.sendall(b"GET /icon.svg HTTP/1.0\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert third.recv(1) == b""
        first.sendall(b"GET /icon.svg HTTP/1.0\r\n\r\n")
        assert first.recv(12) == b"HTTP/1.1 200"


def test_a_certificate_is_made_once_for_the_same_names_and_again_before_it_ends(tmp_path, monkeypatch):
    need_program("openssl")
    first = make_certificate(tmp_path, NAMES)
    content = Path(first.certificate).read_bytes()
    assert make_certificate(tmp_path, NAMES[::-1]) == first and Path(first.certificate).read_bytes() == content
    assert make_certificate(tmp_path, ("127.0.0.1",)) != first
    assert os.stat(first.key).st_mode & 0o077 == 0
    monkeypatch.setattr(certificates, "_STILL_VALID_S", (certificates.VALID_DAYS + 1) * 24 * 3600)
    assert make_certificate(tmp_path, NAMES) == first and Path(first.certificate).read_bytes() != content


def read_authority(made):
    """Return what openssl tells about an authority, and the names that it permits."""
    told = subprocess.run(
        ["openssl", "x509", "-noout", "-text", "-in", made.authority], check=True, capture_output=True, text=True
    ).stdout
    return told, {
        line.strip() for line in told.split("Permitted:")[1].splitlines() if line.strip()[:3] in ("IP:", "DNS")
    }


def test_the_authority_can_sign_for_this_computer_only_and_its_key_is_gone(made, tmp_path):
    told, permitted = read_authority(made)
    assert {"IP:127.0.0.1/255.255.255.255", "DNS:localhost"} < permitted and len(permitted) == 3
    assert "CA:TRUE, pathlen:0" in told
    folder = os.path.dirname(made.key)
    assert sorted(os.listdir(folder)) == ["authority.crt", "cert.pem", "key.pem"]
    assert os.listdir(os.path.dirname(folder)) == [os.path.basename(folder)]


@pytest.mark.parametrize("name", ["192.168.1.5", "nao.local"])
def test_an_authority_always_limits_names_and_addresses(name, tmp_path):
    need_program("openssl")
    _, permitted = read_authority(make_certificate(tmp_path, (name,)))
    own = f"IP:{name}/255.255.255.255" if name[0].isdigit() else f"DNS:{name}"
    assert permitted == {own, "DNS:localhost", "IP:127.0.0.1/255.255.255.255"}


@pytest.mark.parametrize(
    "names, sentence",
    [((), "has no name for a certificate"), (("a b", "x\nDNS:evil", "-"), "has no name for a certificate")],
)
def test_names_that_cannot_be_in_a_certificate_are_left_out(names, sentence, tmp_path):
    with pytest.raises(CertificateError, match=sentence):
        make_certificate(tmp_path, names)


def test_without_openssl_the_person_learns_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CertificateError, match=r"needs the program openssl: install it, or give --tls-cert"):
        make_certificate(tmp_path / "tls", NAMES)
