"""The files of a dialog: the `.dlg` that lists a topic file for each language, and topics with what they include."""

from __future__ import absolute_import, division, print_function

import io
import os

from naosim.compat import native, quoted, unicoded
from naosim.formats.qichat import topics

MYPY = False
if MYPY:
    from typing import Callable, Iterator, Tuple

LONGEST_LIST = 1024 * 1024  # bytes of a .dlg


def listed(path):  # type: (str) -> Iterator[Tuple[str, str]]
    """Iterate over the languages of a `.dlg`, each with its topic file; raise RuntimeError when it cannot be read."""
    try:
        with io.open(path, "rb") as file:
            lines = native(unicoded(file.read(LONGEST_LIST))).splitlines()
    except (IOError, OSError) as error:
        raise RuntimeError("cannot read %s: %s" % (quoted(path), native(error.strerror or error)))
    for line in lines:
        code, _, name = line.partition(":")
        language = topics.LANGUAGES.get(code.strip().lower())
        if language is not None and name.strip():
            yield language, os.path.join(os.path.dirname(path), name.strip())


def content(path):  # type: (str) -> str
    """Return the text of a topic file, at most a little more than a topic may have."""
    with open(path, "rb") as topic_file:
        return native(unicoded(topic_file.read(topics.LONGEST * 4 + 1)))


def beside(folder):  # type: (str) -> Callable[[str], str]
    """Return a function that reads the files of a folder for `include`; it raises LookupError for any other file."""

    def included(name):  # type: (str) -> str
        path = os.path.join(folder, name)
        if os.path.basename(name) != name or not os.path.isfile(path):
            raise LookupError(name)
        return content(path)

    return included
