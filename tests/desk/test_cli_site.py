"""`jotto site --serve` offers a site that is there; writing one again keeps the files of other programs."""

import os
import urllib.request

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
    cache, site = tmp_path / "cache" / "nao-jotto", tmp_path / "site"
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
    # A site that lacks a file is written again.
    (site / "main.js").unlink()
    said, *again = serve()
    assert "has the site (" in said and again == [page, home]
    after = list_files(site)
    assert after.keys() == before.keys()
    assert all(after[path][0] == before[path][0] for path in before)
