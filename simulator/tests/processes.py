"""Programs that tests run to their end."""

import subprocess


def process(*command, **more):
    """Run a program to its end; return its exit code, output and errors as texts."""
    given = {"capture_output": True, "text": True, "timeout": 300, "check": False, **more}
    return subprocess.run(list(map(str, command)), **given)  # noqa: PLW1510
