"""What tests of the directory share: clients of libqi, and waiting for what comes in its own time."""

import contextlib
import time

from naosim_live.libqi import qi

PATIENCE = 30.0


def until(holds):
    """Waits until the condition holds, and gives what it gave."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


@contextlib.contextmanager
def client(url):
    """A session of somebody else."""
    session = qi.Session()
    session.connect(url)
    try:
        yield session
    finally:
        session.close()


def signatures(service, name):
    """Parameters and return of every overload of a method."""
    rows = service.metaObject()["methods"].values()
    return sorted((row["parametersSignature"], row["returnSignature"]) for row in rows if row["name"] == name)
