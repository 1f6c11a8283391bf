"""A small web server for word lists on the loopback, with common faults of servers."""

import base64
import contextlib
import gzip
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class ListServer(ThreadingHTTPServer):
    """Serves `pages` (path -> text) and remembers the requests it received."""

    daemon_threads = True
    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Page)
        self.pages = {}
        self.seen = []
        self.etags = True
        self.away = ""
        #: Bodies of gzip with a status, by path; a redirect leads to /list.txt.
        self.packed = {}
        self.released = threading.Event()

    def address(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        habit = getattr(self, "habit_" + self.path.strip("/"), self.habit_page)
        if self.path in self.server.packed:
            habit = self.packed
        with contextlib.suppress(ConnectionError):
            habit()

    def packed(self):
        status, raw = self.server.packed[self.path]
        self.reply(status, raw, Location="/list.txt", **{"Content-Encoding": "gzip"})

    def habit_page(self):
        content = self.server.pages.get(self.path)
        if content is None:
            return self.reply(404, b"gone")
        etag = f'"{abs(hash(content))}"'
        if self.server.etags and self.headers.get("If-None-Match") == etag:
            return self.reply(304, b"", ETag=etag)
        return self.reply(200, content.encode("utf-8"), ETag=etag)

    def habit_hang(self):
        self.server.released.wait(20)

    def habit_drip(self):
        self.send_response(200)
        self.end_headers()
        while not self.server.released.wait(0.05):
            self.wfile.write(b"o")

    def habit_endless(self):
        self.send_response(200)
        self.end_headers()
        until = time.monotonic() + 20
        while time.monotonic() < until:
            self.wfile.write(b"ocean\n" * 20000)

    def habit_boasting(self):
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40))
        self.end_headers()
        self.wfile.write(b"ocean\n")

    def habit_short(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"ocean\nquilt\n")

    def habit_circle(self):
        self.reply(302, b"", Location="/circle")

    def habit_moved(self):
        self.reply(301, b"", Location="/list.txt")

    def habit_heavy(self):
        """Redirect with a body: a few MB that unpack to gigabytes."""
        self.reply(302, bomb(), Location="/list.txt", **{"Content-Encoding": "gzip"})

    def habit_packed(self):
        self.reply(200, gzip.compress(b"ocean\nquilt\nzebra\n"), **{"Content-Encoding": "gzip"})

    def habit_bomb(self):
        self.reply(200, bomb(), **{"Content-Encoding": "gzip"})

    def habit_twice(self):
        self.reply(200, gzip.compress(bomb()), **{"Content-Encoding": "gzip, gzip"})

    def habit_login(self):
        """Ask for the name and the password `ann` and `s3cret/7`; send those who have them on, in this server."""
        if self.headers.get("Authorization") == "Basic " + base64.b64encode(b"ann:s3cret/7").decode():
            return self.reply(302, b"", Location="/behind")
        return self.reply(401, b"who are you", **{"WWW-Authenticate": "Basic"})

    def habit_behind(self):
        self.habit_page() if self.headers.get("Authorization") else self.reply(403, b"no")

    def habit_away(self):
        self.reply(302, b"", Location=self.server.away)

    def habit_inward(self):
        self.reply(302, b"", Location="file:///etc/hosts")

    def habit_trouble(self):
        self.reply(503, b"later")

    def habit_webpage(self):
        self.reply(200, b"<html>words</html>", **{"Content-Type": "text/html; charset=utf-8"})

    def reply(self, status, content, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def bomb(size=64 << 20):
    """Return a few kB of gzip that unpack to so many bytes."""
    packing = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    piece = b"ocean\n" * 10000
    return b"".join([*(packing.compress(piece) for _ in range(size // len(piece))), packing.flush()])


@contextlib.contextmanager
def serving():
    server = ListServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
