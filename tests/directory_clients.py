"""Helpers for tests of the directory: libqi clients, and waiting for a condition."""

import contextlib
import time

from naosim_live.libqi import qi

PATIENCE = 30.0


def until(holds):
    """Wait until the condition holds, and return its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


@contextlib.contextmanager
def client(url):
    """Connect another libqi session."""
    session = qi.Session()
    session.connect(url)
    try:
        yield session
    finally:
        session.close()


def signatures(service, name):
    """List parameters and return of every overload of a method."""
    rows = service.metaObject()["methods"].values()
    return sorted((row["parametersSignature"], row["returnSignature"]) for row in rows if row["name"] == name)
