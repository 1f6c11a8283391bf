"""NAO on a page in the browser: the figure, diagrams, the static site with the robot in a web worker, a local server.

Modules that the worker runs need only the standard library and `naosim`; `bundle` leaves the others out.
"""

#: The default address and port of a page.
PAGE_HOST, PAGE_PORT = "127.0.0.1", 9580

__all__ = [
    "PAGE_HOST",
    "PAGE_PORT",
    "access",
    "bundle",
    "certificates",
    "command",
    "connections",
    "diagram",
    "dropped",
    "ears",
    "figure",
    "file_server",
    "layout",
    "page_requests",
    "posted",
    "recording",
    "relay",
    "server",
    "site",
]
