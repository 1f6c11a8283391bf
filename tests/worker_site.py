"""A static site for tests: a page with the simulated robot in a web worker, and a server that takes its reports."""

import contextlib
import functools
import gzip
import http.server
import json
import os
import queue
import shutil
import subprocess
import threading
import zipfile
from pathlib import Path

from filelock import FileLock
from interpreters import ROOT
from programs import need_program
from real_browsers import FIREFOX_QUIET

from jotto_desk.play.page.site import BEHAVIOUR, GAME_FILES, MODULE, find_site_examples, find_site_folders
from naosim_page.site import describe_hearing, find_program, install_libraries, write_hearing, write_site
from naosim_voice import model

#: Real seconds in which a page has to report something.
PATIENCE = 120.0
#: Bytes of all files that a first visit fetches from a server that does not compress.
MAX_VISIT_BYTES = 8_000_000
PAGE = '<!doctype html><meta charset="utf-8"><title>stories</title><script type="module" src="stories.js"></script>'


def page_libraries():
    """Return the folder of the page's pinned libraries, which npm installs once, on first use.

    If tests recognise speech here, the library for it is among them.
    """
    place = ROOT / ".cache" / "page"
    place.parent.mkdir(exist_ok=True)
    need_program("node")
    with FileLock(place.with_suffix(".lock"), timeout=300):
        return install_libraries(place, find_program("npm"), with_recognition=model.find_model() is not None)


def copy_site(tmp_path_factory, folder, *, with_hearing=False):
    """Copy Jotto's whole site, with examples and a page to read, into a folder; the workers of a run build it once.

    `with_hearing`, it has speech recognition, for which a model must be installed.
    """
    own = tmp_path_factory.getbasetemp()
    together = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    site = together / "site"
    with FileLock(together / "site.lock", timeout=300):
        if not site.exists():
            docs = together / "docs"
            docs.mkdir()
            (docs / "index.html").write_text("<!doctype html><title>Pages to read</title>", encoding="utf-8")
            jotto = {"behaviour": BEHAVIOUR, "module": MODULE, "game": GAME_FILES}
            new = together / "new"
            size = write_site(
                new, page_libraries(), find_site_folders(), **jotto, examples=find_site_examples(), docs=docs
            )
            assert size <= MAX_VISIT_BYTES
            new.rename(site)
    shutil.copytree(site, folder)
    if with_hearing:
        write_hearing(folder / "hearing", page_libraries(), model.model_folder(), level=1)
        home = json.loads((folder / "home.json").read_text(encoding="utf-8"))
        home["hearing"] = describe_hearing(folder / "hearing")
        (folder / "home.json").write_text(json.dumps(home), encoding="utf-8")


def write_stories(tmp_path_factory, folder, stories, behaviours):
    """Write a site that plays stories; its worker has a folder of behaviours."""
    copy_site(tmp_path_factory, folder)
    packed = folder / "nao.zip.packed"
    archive = folder / "nao.zip"
    archive.write_bytes(gzip.decompress(packed.read_bytes()))
    with zipfile.ZipFile(archive, "a") as bundle:
        for top in (behaviours, ROOT / "choregraphe_project", ROOT / "wordlists"):
            for path in top.rglob("*"):
                bundle.write(path, path.relative_to(top.parent))
    packed.write_bytes(gzip.compress(archive.read_bytes(), 1))
    shutil.copy(Path(__file__).with_name("worker_stories.js"), folder / "stories.js")
    (folder / "stories.html").write_text(PAGE, encoding="utf-8")
    (folder / "stories.json").write_text(json.dumps(stories), encoding="utf-8")
    (folder / "old.js").write_text('delete WebAssembly.Suspending; import("./worker.js");', encoding="utf-8")


class StaticHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and puts what a page posts into a queue."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def __init__(self, reports, *args, **options):
        self.reports = reports
        super().__init__(*args, **options)

    def do_POST(self):
        self.reports.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_args):
        """Print nothing."""


@contextlib.contextmanager
def serving(site):
    """Serve the site; provide its address and the queue of reports."""
    reports = queue.Queue()
    handler = functools.partial(StaticHandler, reports, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", reports
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


@contextlib.contextmanager
def opened_by(browser, address, folder):
    """Open a page in a browser without a window: "chromium" or "firefox"."""
    program = need_program(browser)
    if browser == "chromium":
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += ["--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}"]
    else:
        flags = ["--headless", "--no-remote", "--profile", str(folder)]
        preferences = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in FIREFOX_QUIET.items()
        ]
        (folder / "user.js").write_text("".join(preferences), encoding="utf-8")
    process = subprocess.Popen(
        [program, *flags, address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "HOME": str(folder)},
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 15)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait(20)


def told_by(reports):
    """Yield the reports of a page up to its last; fail if it reports nothing for long, or that the worker is broken."""
    while True:
        report = reports.get(timeout=PATIENCE)
        assert "broken" not in report, report
        if report.get("over"):
            return
        yield report
