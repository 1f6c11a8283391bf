"""Files that are written whole or not at all."""

from __future__ import absolute_import, division, print_function

import errno
import io
import os
import re

from naosim.compat import native
from naosim.errors import WrongUse


def write_whole(path, content):  # type: (str, bytes) -> None
    """Write a file atomically, so that no part of it is ever seen; raises WrongUse when it cannot be written."""
    part = "%s.%d.part" % (path, os.getpid())
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise WrongUse("cannot write %s: it is no plain file" % native(path))
        _clear_abandoned(path)
        with io.open(part, "wb") as file:
            file.write(content)
        getattr(os, "replace", os.rename)(part, path)
    except (IOError, OSError) as error:
        if os.path.exists(part):
            os.remove(part)
        raise WrongUse("cannot write %s: %s" % (native(path), native(error.strerror or error)))


def _clear_abandoned(path):  # type: (str) -> None
    """Delete the parts beside a file whose writers, whose numbers they bear, do not run any more."""
    folder, name = os.path.split(path)
    for part in os.listdir(folder or ".") if os.name == "posix" else ():
        found = re.match(re.escape(name) + r"\.([1-9][0-9]{0,8})\.part$", part)
        if found is not None and not _runs(int(found.group(1))):
            os.remove(os.path.join(folder, part))


def _runs(number):  # type: (int) -> bool
    """Tell whether there is a process of this number."""
    try:
        os.kill(number, 0)
    except OSError as error:
        return error.errno != errno.ESRCH
    return True
