"""Wheels of a checkout, made and installed without a network."""

import os
import sys
import zipfile

from processes import process


def made(kind, folder, root, **environ):
    """Make a wheel, editable or sdist of a project; return it and the output."""
    make = "import sys, hatchling.build as h; print(getattr(h, 'build_' + sys.argv[1])(sys.argv[2]))"
    ended = process(sys.executable, "-c", make, kind, folder, cwd=root, env={**os.environ, **environ})
    assert ended.returncode == 0, ended.stderr
    return folder / ended.stdout.split("\n")[-2], ended.stderr


def names(wheel):
    """List the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def pip(*arguments):
    """Run pip without a network; return its output."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    ended = process(*command, *arguments, env={**os.environ, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull})
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
