"""A small web server for word lists on the loopback, with common faults of servers."""

import contextlib
import threading
import time
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
        self.released = threading.Event()

    def address(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        habit = getattr(self, "habit_" + self.path.strip("/"), self.habit_page)
        with contextlib.suppress(ConnectionError):
            habit()

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


@contextlib.contextmanager
def serving():
    """Run a server until the block ends."""
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
