"""The lint of a Dialog box: its `.dlg` and the topic files that it lists."""

from __future__ import absolute_import, division, print_function

import os

from naosim.compat import native, quoted
from naosim.formats.qichat import files, topics
from naosim.formats.qichat.syntax import BadTopic

MYPY = False
if MYPY:
    from typing import Iterator

    from naosim.formats import xar

    Row = tuple[str, str, str, str]

ERROR = "error"


def judge(box, folder):  # type: (xar.Box, str) -> Iterator[Row]
    """Iterate over the findings about the topics of a Dialog box in a behaviour of this folder."""
    place = os.path.join(folder, native(box.dialog))
    try:
        listed = list(files.listed(place))
    except RuntimeError as error:
        yield ERROR, "dialog", box.path, "The Dialog box %s." % error
        return
    if not listed:
        yield ERROR, "dialog", box.path, "%s lists no topic in a language that NAO speaks." % quoted(box.dialog)
    for language, path in listed:
        name = os.path.basename(path)
        if not os.path.isfile(path):
            yield ERROR, "dialog", box.path, "The topic file %s for %s is listed and is not there." % (name, language)
            continue
        try:
            topics.topic(files.content(path), files.beside(os.path.dirname(path)))
        except BadTopic as error:
            yield ERROR, "dialog", box.path, "The topic file %s cannot be read: %s." % (name, error)
