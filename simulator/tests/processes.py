"""Programs that tests run to their end."""

import subprocess

#: Options for a pytest without the plugins that this project's own tests need; they take a second to load.
_PLUGINS = ("cacheprovider", "hypothesispytest", "schemathesis", "anyio", "xdist", "xdist.looponfail", "randomly")
ALONE = tuple(f"-pno:{name}" for name in _PLUGINS)


def process(*command, **more):
    """Run a program to its end; return its exit code, output and errors as texts."""
    given = {"capture_output": True, "text": True, "timeout": 300, "check": False, **more}
    return subprocess.run(list(map(str, command)), **given)  # noqa: PLW1510
