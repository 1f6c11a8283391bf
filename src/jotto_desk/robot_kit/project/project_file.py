"""The `.pml`, Choregraphe's list of what a project holds. Knows nothing of what the files say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from ..xml_text import escaped
from .topic import LOCALES, Topic

#: Read by every Choregraphe from 2.1 on; 5 adds nothing this project needs.
FORMAT = "4"
#: A line for a file of lib, whoever wrote it.
IN_LIB = re.compile(r'^[ \t]*<File\b[^<>]*\bsrc="lib/[^<>]*/>[ \t\r]*\n', re.MULTILINE)
END_OF_RESOURCES = re.compile(r"^[ \t]*</Resources>", re.MULTILINE)


def project_text(name: str, behaviour: str, topics: Iterable[Topic], resources: Iterable[str]) -> str:
    """Write the whole `.pml`; `resources` are the places of all other files inside the project, in the order given."""
    topics, description = list(topics), "BehaviorDescription"
    dialogs = {topic.dialog_path: topic.name for topic in topics}
    lines = [
        '<?xml version="1.0" encoding="UTF-8" ?>',
        f'<Package name="{escaped(name)}" format_version="{FORMAT}">',
        '    <Manifest src="manifest.xml" />',
        *_group("BehaviorDescriptions", [_tag(description, name="behavior", src=behaviour, xar="behavior.xar")]),
        *_group("Dialogs", [_tag("Dialog", name=name, src=place) for place, name in dialogs.items()]),
        *_group("Resources", [_file(path) for path in resources]),
        *_group("Topics", [_topic(topic) for topic in topics]),
        *_group("IgnoredPaths", [_tag("Path", src=".metadata")]),
        "</Package>",
    ]
    return "\n".join(lines) + "\n"


def listing(text: str, library: Iterable[str]) -> str:
    """Return a `.pml` that lists these files of lib and no others, whether built or saved by Choregraphe.

    >>> listing('<Resources>\\n  <File name="old" src="lib/old.py" />\\n</Resources>\\n', [])
    '<Resources>\\n</Resources>\\n'
    """
    plain = IN_LIB.sub("", text)
    files = "".join(f"        {_file(f'lib/{place}')}\n" for place in library)
    return END_OF_RESOURCES.sub(lambda end: files + end[0], plain, count=1)


def _file(place: str) -> str:
    return _tag("File", name=PurePosixPath(place).stem, src=place)


def _topic(topic: Topic) -> str:
    stem = PurePosixPath(topic.topic_path).stem
    return _tag("Topic", name=stem, src=topic.topic_path, topicName=topic.name, language=LOCALES[topic.language])


def _group(name: str, children: list[str]) -> Iterator[str]:
    if not children:
        yield f"    <{name} />"
        return
    yield f"    <{name}>"
    yield from ("        " + child for child in children)
    yield f"    </{name}>"


def _tag(element: str, **attributes: str) -> str:
    texts = [f'{key}="{escaped(value)}"' for key, value in attributes.items()]
    return f"<{element} {' '.join(texts)} />"
