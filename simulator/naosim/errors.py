"""Errors for the person who runs a behaviour; scripts get NAOqi's errors as RuntimeError, as on the robot."""

from __future__ import absolute_import, division, print_function

import os

from naosim.compat import from_json, native, read_distribution_file

MYPY = False
if MYPY:
    from typing import Any


class NaosimError(Exception):
    """The base class of these errors; the message is one sentence for people."""

    def __str__(self):  # type: () -> str
        return native(self.args[0]) if self.args else ""


class NotABehaviour(NaosimError):
    """The file is not a Choregraphe behaviour that this robot can read."""


class BrokenBehaviour(NaosimError):
    """The file is a behaviour, but a value in it is invalid."""


class ScriptRefused(NaosimError):
    """A box script does not compile on this Python."""


class Overrun(NaosimError):
    """The behaviour exceeded a limit: it has an endless loop, too many tasks or takes too much real time."""


class WrongUse(NaosimError):
    """The caller used the robot in a way that cannot work, such as running it from inside a box."""


class WireError(NaosimError):
    """A request to the robot's process or its reply is missing, malformed or refused."""


def install_command(extra, distribution="naosim", folder=""):  # type: (str, str, str) -> str
    """Return the command that installs the libraries of an extra, from where its distribution comes itself.

    `folder` has the sources of the distribution, if it is a checkout.
    """
    folder = folder or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if _has_sources(folder, distribution):
        place = os.curdir if os.path.samefile(os.curdir, folder) else folder
        return "pip install -e %s" % _quote("%s[%s]" % (place, extra))
    try:
        origin = from_json(read_distribution_file(distribution, "direct_url.json") or "{}")
    except ValueError:
        origin = {}
    return "pip install %s" % _quote(_write_requirement(distribution, extra, origin))


def _has_sources(folder, distribution):  # type: (str, str) -> bool
    try:
        with open(os.path.join(folder, "pyproject.toml")) as project:
            return 'name = "%s"\n' % distribution in project.read()
    except (IOError, UnicodeError):
        return False


def _write_requirement(distribution, extra, origin):  # type: (str, str, dict[str, Any]) -> str
    """Return what pip installs for an extra; `origin` is the content of direct_url.json, {} for a package index.

    >>> print(_write_requirement("naosim", "page", {"url": "file:///media/usb/nao.whl", "archive_info": {}}))
    naosim[page] @ file:///media/usb/nao.whl
    """
    url, commit = str(origin.get("url", "")), origin.get("vcs_info", {})
    if commit:
        url = "%s+%s@%s" % (commit["vcs"], url, commit["commit_id"])
    return "%s[%s]%s" % (distribution, extra, " @ " + url if url else "")


def _quote(text):  # type: (str) -> str
    return "'%s'" % text.replace("'", "'\\''")
