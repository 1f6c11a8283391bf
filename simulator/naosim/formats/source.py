"""The bytes of a `.xar` file, read with limits; files of other kinds are refused. Knows nothing of the content."""

from __future__ import absolute_import, division, print_function

import io
import os

from naosim.compat import native, quoted
from naosim.errors import NotABehaviour

MYPY = False
if MYPY:
    from typing import Any

LARGEST_FILE = 16 * 1024 * 1024
LONGEST_PATH = 4096


def is_content(source):  # type: (Any) -> bool
    """Tell whether a value holds a file's bytes rather than its path, which on 2.7 is a `str` as well."""
    return isinstance(source, bytes) and (
        source.lstrip()[:1] == b"<" or b"\n" in source or b"\0" in source or len(source) > LONGEST_PATH
    )


def content(path):  # type: (str) -> bytes
    """Read the bytes of a behaviour, given its file or its folder; raises NotABehaviour."""
    try:
        if os.path.isdir(path):
            path = os.path.join(path, "behavior.xar")
        if os.path.exists(path) and not os.path.isfile(path):
            raise NotABehaviour("%s is no plain file: name a behavior.xar" % native(path))
        if os.path.getsize(path) > LARGEST_FILE:
            raise NotABehaviour(
                "%s is larger than %d MB: nothing that Choregraphe writes is" % (native(path), LARGEST_FILE // 1048576)
            )
        with io.open(path, "rb") as file:
            return file.read()
    except (IOError, OSError) as error:
        raise NotABehaviour("cannot read %s: %s" % (native(path), native(error.strerror or error)))
    except ValueError:
        raise NotABehaviour("%s is no path: it holds a zero byte" % quoted(path))


def refuse_others(content, name):  # type: (bytes, str) -> None
    """Raise NotABehaviour, with advice, for content that is not XML or too large; `name` is the file's."""
    if len(content) > LARGEST_FILE:
        raise NotABehaviour(
            "%s is larger than %d MB: nothing that Choregraphe writes is" % (name, LARGEST_FILE // 1048576)
        )
    start = content[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        raise NotABehaviour("%s is empty" % name)
    if start.startswith(b"PK"):
        raise NotABehaviour("%s is a zip archive: unpack it and give the behavior.xar inside" % name)
    if not start.startswith(b"<") and b"<\x00" not in start and b"\x00<" not in start:
        raise NotABehaviour("%s is no XML file: give the behavior.xar of a Choregraphe project" % name)
