"""`jotto site --serve` offers a site that is there; writing one again keeps the files of other programs."""

import os
import ssl
import urllib.request

import pytest
from command_line import jotto
from interpreters import ROOT
from page_browser import served
from worker_site import page_libraries


def test_serving_a_site_keeps_its_pages_to_read_and_other_files(tmp_path):
    """Writes the site twice, which takes seconds."""

    def list_files(folder):
        """Map the paths of a folder's files to their contents and times."""
        paths = (path for path in folder.rglob("*") if path.is_file())
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}

    page_libraries()
    cache, site = tmp_path / "cache" / "naosim", tmp_path / "site"
    cache.mkdir(parents=True)
    (cache / "page").symlink_to(ROOT / ".cache" / "page")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.html").write_text("Pages to read", encoding="utf-8")
    environ = {**os.environ, "XDG_CACHE_HOME": str(cache.parent)}
    command = ("-m", "jotto_desk", "site", "--serve", "--port", "0", "--out", str(site), "--without-voice")

    def serve(*options):
        """Serve the site; return what the command said, and the bytes of two files as a browser gets them."""
        with served(*command, *options, environ=environ) as page:
            got = [urllib.request.urlopen(page.address + name).read() for name in ("docs/index.html", "home.json")]
        return "".join(page.said), *got

    said, page, home = serve("--docs", str(docs))
    assert "has the site (" in said and page == b"Pages to read" and b'"docs": true' in home
    (site / "CNAME").write_text("nao.example", encoding="utf-8")
    (site / "docs" / "own.html").write_text("My page", encoding="utf-8")
    before = list_files(site)
    said, *again = serve()
    assert "has the site of this version" in said and again == [page, home]
    assert list_files(site) == before
    # With a certificate of this computer, which only a browser that trusts its authority takes.
    with served(*command, "--tls", environ=environ) as safe:
        (authority,) = cache.glob("tls/*/authority.crt")
        trust = ssl.create_default_context(cafile=str(authority))
        assert safe.address.startswith("https://127.0.0.1:")
        for name, expected in (("home.json", home), ("nao.crt", authority.read_bytes())):
            assert urllib.request.urlopen(safe.address + name, context=trust).read() == expected
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(safe.address)
    assert f"{safe.address}nao.crt" in "".join(safe.said)
    # A site that lacks a file is written again.
    (site / "main.js").unlink()
    said, *again = serve()
    assert "has the site (" in said and again == [page, home]
    after = list_files(site)
    assert after.keys() == before.keys()
    assert all(after[path][0] == before[path][0] for path in before)


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--tls"], "give --serve, too"),
        (["--serve", "--tls-cert", "cert.pem"], "both files: --tls-cert and --tls-key"),
        (["--serve", "--tls", "--tls-cert", "cert.pem", "--tls-key", "key.pem"], "leave out either --tls, or"),
        (["--serve", "--tls-cert", "no.pem", "--tls-key", "key.pem"], 'TLS cannot use "no.pem"'),
        (["--serve", "--host", "a b"], '"a b" is not a host to listen at'),
    ],
)
def test_wrong_options_of_tls_are_one_sentence_before_anything_is_written(options, sentence, tmp_path, capsys):
    code, _, err = jotto(capsys, "site", "--out", str(tmp_path / "site"), *options)
    assert code == 2 and sentence in " ".join(err.split()) and not (tmp_path / "site").exists()
