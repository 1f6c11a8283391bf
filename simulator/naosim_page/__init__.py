"""NAO on a page in the browser: the figure, diagrams, the static site with the robot in a web worker, a local server.

Modules that the worker runs need only the standard library and `naosim`; `bundle` leaves the others out.
"""

__all__ = [
    "access",
    "bundle",
    "command",
    "connections",
    "diagram",
    "dropped",
    "ears",
    "figure",
    "layout",
    "page_requests",
    "posted",
    "recorded",
    "recording",
    "recording_file",
    "relay",
    "server",
    "site",
]
